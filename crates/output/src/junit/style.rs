//! The versions of JUnit that tests are written for.

use bytecode::name::ClassName;
use serde::{Deserialize, Serialize};

/// A version of JUnit, as far as the text of a test depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum JunitStyle {
    /// JUnit 5 (Jupiter), any release.
    Jupiter,
    /// JUnit 4.13 and newer: has `assertThrows`.
    Junit413,
    /// JUnit 4.11 and 4.12.
    Junit4,
}

impl JunitStyle {
    /// The class of `@Test`.
    pub(crate) fn test_annotation(self) -> ClassName {
        ClassName::new(match self {
            Self::Jupiter => "org/junit/jupiter/api/Test",
            Self::Junit413 | Self::Junit4 => "org/junit/Test",
        })
    }

    /// The class whose static methods assert.
    pub(crate) fn assertions(self) -> ClassName {
        ClassName::new(match self {
            Self::Jupiter => "org/junit/jupiter/api/Assertions",
            Self::Junit413 | Self::Junit4 => "org/junit/Assert",
        })
    }

    /// Whether test classes and methods must be public.
    pub(crate) fn needs_public(self) -> bool {
        match self {
            Self::Jupiter => false,
            Self::Junit413 | Self::Junit4 => true,
        }
    }

    /// The classes of the annotations of what is done before each test and after it.
    pub(crate) fn around_each(self) -> [&'static str; 2] {
        match self {
            Self::Jupiter => ["org/junit/jupiter/api/BeforeEach", "org/junit/jupiter/api/AfterEach"],
            Self::Junit413 | Self::Junit4 => ["org/junit/Before", "org/junit/After"],
        }
    }

    /// Whether floating-point numbers can be compared without naming a tolerance.
    pub(crate) fn compares_exactly(self) -> bool {
        match self {
            Self::Jupiter => true,
            Self::Junit413 | Self::Junit4 => false,
        }
    }

    /// Whether the folder of a test is a `java.nio.file.Path`, and not asked for by `getRoot()`, which gives a `java.io.File`.
    pub(crate) fn gives_path(self) -> bool {
        match self {
            Self::Jupiter => true,
            Self::Junit413 | Self::Junit4 => false,
        }
    }

    /// Whether there is `assertThrows`.
    pub(crate) fn has_assert_throws(self) -> bool {
        match self {
            Self::Jupiter | Self::Junit413 => true,
            Self::Junit4 => false,
        }
    }
}
