//! Which methods a test calls itself: numbers for signatures, compared when a method is entered.
//!
//! A test names a method as the declared type of the receiver has it; what runs may be an override in a subclass, or be
//! reached through a bridge. So methods are matched by name and number of parameters: the first method entered after
//! the test set out to call one of that signature is the one that it called.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::probe_layout::ProbeLayout;
use testcase::cluster::{Callable, TestCluster};
use testcase::statement::Statement;

use crate::error::JvmError;
use crate::jni::Env;
use crate::runtime::{Runtime, describe_pending};

/// Numbers of signatures, from 1; 0 is none.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    /// By callable.
    callables: Vec<i32>,
    /// By entry probe.
    probes: Vec<i32>,
    /// What second numbers are made with.
    shift: u32,
}

impl Signatures {
    /// Numbers the signatures of the methods whose direct calls are told apart.
    pub(crate) fn new(layout: &ProbeLayout, cluster: &TestCluster) -> Self {
        let Some(direct) = layout.direct() else { return Self::default() };
        let mut numbers: BTreeMap<(Arc<str>, usize), i32> = BTreeMap::new();
        let mut probes = vec![0; direct.0 as usize];
        for method in layout.direct_methods() {
            let next = numbers.len() as i32 + 1;
            let number = *numbers.entry((method.name.clone(), method.parameters)).or_insert(next);
            if let Some(slot) = probes.get_mut(method.entry.index()) {
                *slot = number;
            }
        }
        let of_callable = |callable: &Callable| {
            numbers.get(&(callable.name.clone(), callable.parameters.len())).copied().unwrap_or(0)
        };
        let callables = cluster.callables.iter().map(of_callable).collect();
        Self { callables, probes, shift: direct.0 }
    }

    /// Tells the probes.
    pub(crate) fn install(&self, env: Env<'_>, runtime: &Runtime) -> Result<(), JvmError> {
        if self.probes.is_empty() {
            return Ok(());
        }
        runtime
            .install_signatures(env, self.shift, &self.probes)
            .map_err(|_| JvmError::Unsupported { what: describe_pending(env) })
    }

    /// The signature that a statement calls.
    pub(crate) fn called_by(&self, statement: &Statement) -> i32 {
        match statement {
            Statement::Constructor { callable, .. } | Statement::Method { callable, .. } => {
                self.callables.get(callable.index()).copied().unwrap_or(0)
            }
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::Array { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => 0,
        }
    }
}
