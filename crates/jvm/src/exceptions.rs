//! Exceptions that calls of the class under test let through, numbered as they are first seen.

use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use bytecode::probe_map::ProbeId;
use testcase::cluster::{CallableId, TestCluster};
use testcase::execution::{ExceptionKind, SeenException, SeenProbes, ThrowOrigin};
use testcase::statement::Statement;

use crate::jdk::Jdk;
use crate::jni::{Env, Ref};

/// The exceptions seen.
#[derive(Debug, Default)]
pub(crate) struct Exceptions {
    /// Whether anybody asks for them.
    is_watching: bool,
    probes: SeenProbes,
    seen: Vec<SeenException>,
    /// Those that nobody asks for.
    settled: Vec<SeenException>,
    /// Their numbers, by what tells them fast; `None` of those that nobody asks for.
    numbers: Lookup<(CallableId, ClassName, ExceptionKind), Option<usize>>,
}

impl Exceptions {
    /// Watches for exceptions from now on, with those that are known already, in code with that many probes.
    pub(crate) fn watch(&mut self, probes: usize, known: Vec<SeenException>) {
        *self = Self {
            is_watching: true,
            probes: SeenProbes::behind(probes),
            seen: known,
            settled: std::mem::take(&mut self.settled),
            numbers: Lookup::new(),
        };
    }

    /// Nobody asks for these.
    pub(crate) fn settle(&mut self, settled: Vec<SeenException>) {
        self.settled = settled;
    }

    /// All of them, in the order in which they were first seen.
    pub(crate) fn seen(&self) -> &[SeenException] {
        &self.seen
    }

    /// The probe of an exception that a statement let through; `None` for what is no call of a class with goals, or
    /// when nobody asks. Nothing may be pending.
    pub(crate) fn note(
        &mut self,
        (env, jdk, cluster): (Env<'_>, &Jdk, &TestCluster),
        statement: &Statement,
        (exception, class, origin): (Ref<'_>, &ClassName, ThrowOrigin),
    ) -> Option<ProbeId> {
        let id = statement.callable()?;
        let callable = cluster.callable(id);
        if !self.is_watching || !cluster.goal_classes.contains(&callable.declared_in) {
            return None;
        }
        // What a script throws says nothing of the class.
        if origin == ThrowOrigin::Stub {
            return None;
        }
        let is_declared = !callable.exceptions.is_empty()
            && lineage(env, jdk, exception).iter().any(|ancestor| callable.exceptions.contains(ancestor));
        let kind = match origin {
            _ if is_declared => ExceptionKind::Declared,
            ThrowOrigin::Project => ExceptionKind::Explicit,
            ThrowOrigin::Library | ThrowOrigin::Jvm => ExceptionKind::Implicit,
            ThrowOrigin::Statement | ThrowOrigin::Stub => return None,
        };
        let Self { seen, settled, numbers, .. } = self;
        let number = *numbers.entry((id, class.clone(), kind)).or_insert_with(|| {
            let exception = SeenException {
                class: callable.declared_in.clone(),
                method: format!("{}{}", callable.name, callable.descriptor).into(),
                exception: class.clone(),
                kind,
            };
            if settled.contains(&exception) {
                return None;
            }
            // Several callables may stand for one method.
            Some(seen.iter().position(|known| *known == exception).unwrap_or_else(|| {
                seen.push(exception);
                seen.len() - 1
            }))
        });
        Some(self.probes.probe(number?))
    }
}

/// Names of the class of an exception and of its superclasses.
fn lineage(env: Env<'_>, jdk: &Jdk, exception: Ref<'_>) -> Vec<ClassName> {
    let mut names = Vec::new();
    let mut class = Some(env.class_of(exception));
    while let Some(of) = class {
        names.push(jdk.internal_name(env, of));
        class = env.superclass(of);
    }
    names
}
