//! What stops a run before it has a result: one sentence for the user, and the exit code.

use thiserror::Error;

use crate::exit_code::ExitCode;

/// A reason to give up that the user can do something about.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{sentence}")]
pub struct Failure {
    /// What the process ends with.
    pub code: ExitCode,
    /// What is wrong and what to do, in one sentence, without a full stop.
    pub sentence: String,
}

impl Failure {
    /// A wrong option or value.
    pub fn usage(sentence: impl Into<String>) -> Self {
        Self { code: ExitCode::Usage, sentence: sentence.into() }
    }

    /// Input that cannot be used.
    pub fn input(sentence: impl Into<String>) -> Self {
        Self { code: ExitCode::Input, sentence: sentence.into() }
    }

    /// Output that cannot be written.
    pub fn output(sentence: impl Into<String>) -> Self {
        Self { code: ExitCode::Output, sentence: sentence.into() }
    }
}

/// The exit code of an error: that of the [`Failure`] in its chain, [`ExitCode::Internal`] where there is none.
pub fn code_of(error: &anyhow::Error) -> ExitCode {
    error
        .chain()
        .find_map(|cause| cause.downcast_ref::<Failure>())
        .map_or(ExitCode::Internal, |failure| failure.code)
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_failure_keeps_its_code_under_a_context() {
        let failed: Result<(), Failure> = Err(Failure::input("there is no JDK"));
        assert_eq!(code_of(&failed.context("looking around").unwrap_err()), ExitCode::Input);
        assert_eq!(code_of(&anyhow::anyhow!("a bug")), ExitCode::Internal);
    }
}
