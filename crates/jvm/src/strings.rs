//! String literals: one object per content, as the JVM has it.

use std::collections::HashMap;

use testcase::value::JavaString;

use crate::jdk::Jdk;
use crate::jni::{Env, Global, Java, Ref};

/// Most strings kept. A search tries many; those in use come back soon.
const MOST: usize = 4096;

/// Strings that tests used, interned.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    known: HashMap<JavaString, Global>,
}

impl Strings {
    /// The object that a literal is.
    pub(crate) fn literal<'f>(
        &mut self,
        env: Env<'f>,
        jdk: &Jdk,
        text: &JavaString,
    ) -> Java<Option<Ref<'f>>> {
        if let Some(known) = self.known.get(text) {
            return Ok(Some(known.get()));
        }
        let Some(string) = jdk.intern(env, text.units())? else { return Ok(None) };
        if self.known.len() < MOST {
            self.known.insert(text.clone(), env.global(string));
        }
        Ok(Some(string))
    }

    /// Makes room when full. Not to be called while a run uses the strings.
    pub(crate) fn tidy(&mut self, env: Env<'_>) {
        if self.known.len() >= MOST {
            #[expect(clippy::iter_over_hash_type, reason = "all are dropped, in any order")]
            for (_, global) in self.known.drain() {
                // SAFETY: variables of a run are the only copies, and no run is on.
                unsafe { env.delete_global(global) };
            }
        }
    }
}
