//! How a test ends, and what that says to a reader.

use testcase::execution::{ThrowOrigin, Thrown};

/// How a test ends, the better the smaller: a test that passes can assert state, and an exception that the JVM made
/// says more of the test than of the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// Without an exception.
    Passes,
    /// With one that code of the project threw.
    ThrowsOnPurpose,
    /// With one of the JDK, or of code far from the class that the test is for.
    ThrowsInLibrary,
    /// With one that the JVM made, for a null or an index.
    ThrowsInJvm,
    /// With one that a stub of the test threw.
    ThrowsInStub,
    /// With one of a statement before the code under test was called.
    ThrowsBeforeCall,
}

impl Ending {
    /// That of a test which such an exception ends, or none.
    pub(crate) fn of(thrown: Option<&Thrown>) -> Self {
        match thrown.map(|thrown| thrown.origin) {
            None => Self::Passes,
            Some(ThrowOrigin::Project) => Self::ThrowsOnPurpose,
            Some(ThrowOrigin::Library) => Self::ThrowsInLibrary,
            Some(ThrowOrigin::Jvm) => Self::ThrowsInJvm,
            Some(ThrowOrigin::Stub) => Self::ThrowsInStub,
            Some(ThrowOrigin::Statement) => Self::ThrowsBeforeCall,
        }
    }

    /// Whether nobody meant the exception.
    pub(crate) fn is_accident(self) -> bool {
        self >= Self::ThrowsInJvm
    }
}
