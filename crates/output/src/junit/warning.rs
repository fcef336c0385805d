//! What `javac` warns of, and a test class suppresses.

use bytecode::class_info::Deprecation;

/// Categories of `@SuppressWarnings`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Warning {
    /// `auxiliaryclass`
    AuxiliaryClass,
    /// `deprecation`
    Deprecation,
    /// `rawtypes`
    RawTypes,
    /// `removal`
    Removal,
    /// `serial`
    Serial,
    /// `unchecked`
    Unchecked,
}

impl From<Deprecation> for Warning {
    fn from(deprecation: Deprecation) -> Self {
        match deprecation {
            Deprecation::Ordinary => Self::Deprecation,
            Deprecation::ForRemoval => Self::Removal,
        }
    }
}

impl Warning {
    /// As the annotation names it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AuxiliaryClass => "auxiliaryclass",
            Self::Deprecation => "deprecation",
            Self::RawTypes => "rawtypes",
            Self::Removal => "removal",
            Self::Serial => "serial",
            Self::Unchecked => "unchecked",
        }
    }
}
