//! Which methods a test calls itself: numbers for signatures, compared when a method is entered
//! ([`bytecode::probe_layout::SignatureNumbers`]).

use bytecode::probe_layout::{ProbeLayout, SignatureNumbers};
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
    numbers: SignatureNumbers,
    /// What second numbers are made with.
    shift: u32,
}

impl Signatures {
    /// Numbers the signatures of the methods whose direct calls are told apart.
    pub(crate) fn new(layout: &ProbeLayout, cluster: &TestCluster) -> Self {
        let Some(direct) = layout.direct() else { return Self::default() };
        let numbers = layout.signatures();
        let of_callable = |callable: &Callable| numbers.number(&callable.name, callable.parameters.len());
        let callables = cluster.callables.iter().map(of_callable).collect();
        Self { callables, numbers, shift: direct.0 }
    }

    /// Tells the probes.
    pub(crate) fn install(&self, env: Env<'_>, runtime: &Runtime) -> Result<(), JvmError> {
        let by_probe = self.numbers.by_probe();
        if by_probe.is_empty() {
            return Ok(());
        }
        runtime
            .install_signatures(env, self.shift, by_probe)
            .map_err(|_| JvmError::Unsupported { what: describe_pending(env) })
    }

    /// The signature that a statement calls.
    pub(crate) fn called_by(&self, statement: &Statement) -> i32 {
        let signature = statement.callable().and_then(|callable| self.callables.get(callable.index()));
        signature.copied().unwrap_or(0)
    }
}
