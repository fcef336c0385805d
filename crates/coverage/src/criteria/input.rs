//! Input coverage: call every constructor and method with arguments of every class of its parameter types.
//!
//! As output coverage (Alshahwan and Harman 2014; Rojas, Campos, Vivanti, Fraser and Arcuri 2015, §2), for arguments; one
//! of the criteria of Grano et al. (*Testing with Fewer Resources*), §4. The classes are those of
//! [`bytecode::values::ValueShape`].
//!
//! # Differences
//! As for output coverage. An argument counts from the moment the call begins, also if the call throws.

use bytecode::values::{ValueOf, ValueOptions};

use crate::criterion::{Correlation, Criterion, MethodWithGoals};
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

    fn definition(&self) -> &'static str {
        "As the criterion output, for the arguments of methods that tests call. Covered when a call by the test itself is \
         given such a value, also if it then throws."
    }

    fn source(&self) -> &'static str {
        "Rojas et al. 2015 (combining multiple coverage criteria), section 2."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Alone
    }

    fn is_open_ended(&self) -> bool {
        true
    }

    fn is_default(&self) -> bool {
        true
    }

    fn values(&self) -> ValueOptions {
        ValueOptions { inputs: true, ..ValueOptions::default() }
    }

    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
        method.add_value_goals(|of| matches!(of, ValueOf::Parameter(_)), goals);
    }
}
