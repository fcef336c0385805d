//! What stops a run before it has a result, in one sentence for the user.

use thiserror::Error;

/// What the user has to put right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// An unknown option or a wrong value of one.
    Usage,
    /// The input: class, class path, JDK, JUnit, Maven.
    Input,
    /// A class of the input has nothing that a test may use, which shows when its members are looked at.
    Untestable,
    /// The place where the output goes.
    Output,
}

/// A reason to give up that the user can do something about.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{sentence}")]
pub struct Failure {
    /// What has to be put right.
    pub kind: FailureKind,
    /// What is wrong and what to do, in one sentence, without a full stop.
    pub sentence: String,
}

impl Failure {
    /// A wrong option or value.
    pub fn usage(sentence: impl Into<String>) -> Self {
        Self { kind: FailureKind::Usage, sentence: sentence.into() }
    }

    /// Input that cannot be used.
    pub fn input(sentence: impl Into<String>) -> Self {
        Self { kind: FailureKind::Input, sentence: sentence.into() }
    }

    /// A class that no test can be made for.
    pub fn untestable(sentence: impl Into<String>) -> Self {
        Self { kind: FailureKind::Untestable, sentence: sentence.into() }
    }

    /// Output that cannot be written.
    pub fn output(sentence: impl Into<String>) -> Self {
        Self { kind: FailureKind::Output, sentence: sentence.into() }
    }
}
