//! Why a class of the class path cannot be tested: the reasons that `generate` and `list` give.

use bytecode::class_file::ClassFileError;
use bytecode::class_info::ClassKind;
use bytecode::name::ClassName;
use testcase::cluster::build::{ClusterError, NoMember};
use thiserror::Error;

/// Why a class cannot be tested. Each reason ends "it cannot be tested: …".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Untestable {
    /// The class path has no such class.
    #[error("it is not on the class path")]
    Missing,
    /// The class file is none, or cut short.
    #[error("its class file cannot be read ({0})")]
    Corrupt(ClassFileError),
    /// The class file lies where a class of another name belongs.
    #[error("its class file holds {}", .0.binary())]
    Misplaced(ClassName),
    /// The JDK is older than the class.
    #[error("it was compiled for Java {class} and the JDK is {jdk}; give a newer one with --java-home")]
    TooNew {
        /// Java version of the class file.
        class: u16,
        /// Java version of the JDK.
        jdk: u16,
    },
    /// The class file is of a version that nobody here reads: newer than any known, or older than Java.
    #[error("its class file cannot be read ({0})")]
    UnknownVersion(ClassFileError),
    /// It comes from the compiler, not from a person.
    #[error("it was made by the compiler and has no name in source code")]
    Synthetic,
    /// A program wrote its source, as an annotation says.
    #[error("it was generated, as its annotation {} says; name it with --class if it is to be tested", .0.binary())]
    MarkedGenerated(ClassName),
    /// A program wrote its source, as the name of a class in it says.
    #[error("it was generated, as its nested class {} says; name it with --class if it is to be tested", .0.binary())]
    NamedGenerated(ClassName),
    /// A program wrote its source, which lies among others that were.
    #[error(
        "it was generated: its source is among those that the build generates; name it with --class if it is to be tested"
    )]
    GeneratedSource,
    /// An annotation interface.
    #[error("it is an annotation without code")]
    Annotation,
    /// An interface with nothing but declarations.
    #[error("it is an interface without code")]
    Interface,
    /// A class without methods of its own.
    #[error("it is a class without code")]
    NoCode,
    /// The JVM could not load it.
    #[error("it cannot be loaded: it needs {}, which is not on the class path", .0.binary())]
    MissingSupertype(ClassName),
    /// An abstract class that nothing extends.
    #[error("it is abstract, and no class on the class path extends it")]
    Abstract,
    /// Private, local or anonymous, and so is all around it.
    #[error("no test can name it, nor a class around it")]
    Unnamed,
    /// It has code, and no member that a test may use.
    #[error("it has no constructor, method or field that a test in its package may use")]
    NoMember,
    /// It has members, but what they need cannot be had.
    #[error("what its members need cannot be had: {0}")]
    LeftOut(String),
}

impl Untestable {
    /// Its name in `--json`. The names are part of the interface and listed in the README.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Corrupt(_) => "corrupt",
            Self::Misplaced(_) => "misplaced",
            Self::TooNew { .. } | Self::UnknownVersion(_) => "too-new",
            Self::Synthetic => "synthetic",
            Self::MarkedGenerated(_) | Self::NamedGenerated(_) | Self::GeneratedSource => "generated",
            Self::Annotation => "annotation",
            Self::Interface => "interface",
            Self::NoCode => "no-code",
            Self::MissingSupertype(_) => "missing-supertype",
            Self::Abstract => "abstract",
            Self::Unnamed => "unnamed",
            Self::NoMember => "no-member",
            Self::LeftOut(_) => "left-out",
        }
    }

    /// A class of this kind without code.
    pub(super) fn without_code(kind: ClassKind) -> Self {
        match kind {
            ClassKind::Annotation => Self::Annotation,
            ClassKind::Interface => Self::Interface,
            ClassKind::Class | ClassKind::Enum | ClassKind::Record => Self::NoCode,
        }
    }
}

impl From<ClassFileError> for Untestable {
    fn from(error: ClassFileError) -> Self {
        if matches!(error, ClassFileError::Version { .. }) {
            Self::UnknownVersion(error)
        } else {
            Self::Corrupt(error)
        }
    }
}

impl From<ClusterError> for Untestable {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::NotFound(_) => Self::Missing,
            ClusterError::Malformed { error, .. } => error.into(),
            ClusterError::Annotation(_) => Self::Annotation,
            ClusterError::MissingSupertype { missing, .. } => Self::MissingSupertype(missing),
            ClusterError::NoMember { cause: None, .. } => Self::NoMember,
            ClusterError::NoMember { cause: Some(cause), .. } => match cause {
                NoMember::Unnamed => Self::Unnamed,
                NoMember::Interface => Self::Interface,
                NoMember::Abstract => Self::Abstract,
                NoMember::LeftOut(sentence) => Self::LeftOut(sentence),
            },
        }
    }
}
