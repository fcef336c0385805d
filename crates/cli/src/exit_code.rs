//! What the process ends with.

use std::fmt;

use project::failure::{Failure, FailureKind};

/// Exit codes of `covolve`. The numbers are part of the interface; the reference of the guide lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ExitCode {
    /// Every class that was asked for has its verified file.
    Success = 0,
    /// No fault, but not all is well: a class got no file, since nothing of it could be tested, behaves in another way than its tests
    /// say, or has tests that do not compile any more.
    NotAllWell = 1,
    /// An unknown option or a wrong value of one.
    Usage = 2,
    /// The input cannot be used: class, class path, JDK, JUnit, Maven.
    Input = 3,
    /// The output cannot be written, or a file there has been edited by a person.
    Output = 4,
    /// Ended by Ctrl-C or SIGTERM; what had been found was delivered.
    Interrupted = 5,
    /// A fault of Covolve itself.
    Internal = 70,
    /// Ended by a second Ctrl-C or SIGTERM; nothing more was delivered.
    Killed = 130,
}

impl ExitCode {
    /// All codes, ascending, each with what the reference says of it.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Success, "every class has its verified file"),
        (
            Self::NotAllWell,
            "no fault, but a class got no file, behaves in another way than its tests say, or (`check`) has tests that do not compile any more",
        ),
        (Self::Usage, "an unknown option or a wrong value"),
        (Self::Input, "the class, class path, JDK, JUnit or Maven cannot be used"),
        (Self::Output, "the output cannot be written, or a file there has been edited"),
        (Self::Interrupted, "ended by Ctrl-C or SIGTERM; what had been found was delivered"),
        (Self::Internal, "a fault of Covolve itself"),
        (Self::Killed, "ended by a second Ctrl-C or SIGTERM"),
    ];

    /// The number the process ends with.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The code for several classes: the gravest of theirs. An interruption outweighs classes without a file,
    /// since it explains them; faults outweigh both.
    pub fn gravest(codes: impl IntoIterator<Item = Self>) -> Self {
        let gravity = |code: &Self| match code {
            Self::Success => 0,
            Self::NotAllWell => 1,
            Self::Interrupted => 2,
            Self::Usage => 3,
            Self::Input => 4,
            Self::Output => 5,
            Self::Internal => 6,
            Self::Killed => 7,
        };
        codes.into_iter().max_by_key(gravity).unwrap_or(Self::Success)
    }
}

impl From<FailureKind> for ExitCode {
    fn from(kind: FailureKind) -> Self {
        match kind {
            FailureKind::Usage => Self::Usage,
            FailureKind::Input | FailureKind::Untestable => Self::Input,
            FailureKind::Output => Self::Output,
        }
    }
}

/// The exit code of an error: that of the [`Failure`] in its chain, [`ExitCode::Internal`] where there is none.
pub fn code_of(error: &anyhow::Error) -> ExitCode {
    failure_of(error).map_or(ExitCode::Internal, |failure| failure.kind.into())
}

/// The [`Failure`] in the chain of an error.
pub fn failure_of(error: &anyhow::Error) -> Option<&Failure> {
    error.chain().find_map(|cause| cause.downcast_ref::<Failure>())
}

impl fmt::Display for ExitCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.number())
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
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

    #[test]
    fn the_gravest_code_decides() {
        use ExitCode::*;
        let check = |codes: &[ExitCode], expect| assert_eq!(ExitCode::gravest(codes.to_vec()), expect);
        check(&[], Success);
        check(&[Success, NotAllWell, Success], NotAllWell);
        check(&[Interrupted, NotAllWell], Interrupted);
        check(&[Output, Interrupted, Internal], Internal);
    }
}
