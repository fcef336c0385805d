//! String literals: one object per content, as the JVM has it.

use bytecode::analysis::fnv_1a;
use bytecode::lookup::Lookup;
use testcase::value::JavaString;

use crate::agent::Agent;
use crate::jdk::Jdk;
use crate::jni::{Env, Global, Java, Ref};

/// Most strings kept. A search tries many; those in use come back soon.
const MOST: usize = 4096;

/// Strings that tests used, interned.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    /// Places in `globals`.
    known: Lookup<JavaString, usize>,
    globals: Vec<Global>,
    /// Whether each is another object than the literal, with or without an identity hash code.
    fresh: Option<Fresh>,
    /// Runs with identity hash codes of our choice so far.
    scattered: u32,
}

/// Strings that are made anew.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fresh {
    /// They get an identity hash code when somebody asks for it.
    Plain,
    /// They have one that is neither the next one nor what it was in another run, which is numbered so.
    Scattered(Agent, u32),
}

/// Identity hash codes that are passed over at most before a string gets one, a power of two: tables of hash codes take their
/// last bits.
const MOST_SKIPPED: u64 = 64;

impl Strings {
    /// The object that a literal is.
    pub(crate) fn literal<'f>(
        &mut self,
        env: Env<'f>,
        jdk: &Jdk,
        text: &JavaString,
    ) -> Java<Option<Ref<'f>>> {
        if let Some(fresh) = self.fresh {
            let Some(string) = env.new_string(text.units())? else { return Ok(None) };
            if let Fresh::Scattered(agent, run) = fresh {
                for _ in 0..skipped(text, run) {
                    next_identity_hash(env, agent);
                }
                agent.identity_hash(string);
            }
            return Ok(Some(string));
        }
        if let Some(known) = self.known.get(text).and_then(|&place| self.globals.get(place)) {
            return Ok(Some(known.get()));
        }
        let Some(string) = jdk.intern(env, text.units())? else { return Ok(None) };
        if self.globals.len() < MOST {
            self.known.insert(text.clone(), self.globals.len());
            self.globals.push(env.global(string));
        }
        Ok(Some(string))
    }

    /// From now on, until this is taken back, each is another object than the literal with its text.
    pub(crate) fn make_anew(&mut self, fresh: Option<Fresh>) {
        self.fresh = fresh;
    }

    /// Strings with identity hash codes that they had in no run before.
    pub(crate) fn scattered(&mut self, agent: Agent) -> Fresh {
        self.scattered = self.scattered.wrapping_add(1);
        Fresh::Scattered(agent, self.scattered)
    }

    /// Makes room when full. Not to be called while a run uses the strings.
    pub(crate) fn tidy(&mut self, env: Env<'_>) {
        if self.globals.len() >= MOST {
            self.known.clear();
            for global in self.globals.drain(..) {
                // SAFETY: variables of a run are the only copies, and no run is on.
                unsafe { env.delete_global(global) };
            }
        }
    }
}

/// Identity hash codes that are passed over before a string gets one.
fn skipped(text: &JavaString, run: u32) -> u64 {
    let units = text.units().iter().flat_map(|unit| unit.to_le_bytes());
    let bytes: Vec<u8> = units.chain(run.to_le_bytes()).collect();
    fnv_1a(&bytes) % MOST_SKIPPED
}

/// The identity hash code of an object that is new.
pub(crate) fn next_identity_hash(env: Env<'_>, agent: Agent) -> Option<i32> {
    let object = env.new_string(&[]).ok().flatten()?;
    let hash = agent.identity_hash(object);
    env.delete_local(object);
    Some(hash)
}
