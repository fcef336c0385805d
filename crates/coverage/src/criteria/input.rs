//! Input coverage: call every constructor and method with arguments of every class of its parameter types.
//!
//! As output coverage (Alshahwan and Harman 2014; Rojas, Campos, Vivanti, Fraser and Arcuri 2015, §2), for arguments; one
//! of the criteria of Grano et al. (*Testing with Fewer Resources*), §4. The classes are those of
//! [`bytecode::values::ValueShape`].
//!
//! # Differences
//! As for output coverage. An argument counts from the moment the call begins, also if the call throws.

use bytecode::analysis::AnalysisOptions;
use bytecode::values::ValueOf;

use crate::criterion::{Criterion, MethodWithGoals};
use crate::goal::Goal;

/// The criterion.
#[derive(Debug)]
pub(crate) struct Input;

impl Criterion for Input {
    fn name(&self) -> &'static str {
        "input"
    }

    fn summary(&self) -> &'static str {
        "call every constructor and method with arguments of every class of its parameter types"
    }

    fn needs(&self) -> AnalysisOptions {
        AnalysisOptions { inputs: true, ..AnalysisOptions::default() }
    }

    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
        method.add_value_goals(|of| matches!(of, ValueOf::Parameter(_)), goals);
    }
}
