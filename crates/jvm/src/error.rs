//! What can go wrong before tests run. What the code under test does is data, never one of these.

use std::path::PathBuf;

use bytecode::name::ClassName;

use crate::home::HomeError;

/// Why the JVM could not be started or driven.
#[derive(Debug, thiserror::Error)]
pub enum JvmError {
    /// The JDK cannot be used.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The library was found but not loaded.
    #[error("{} could not be loaded: {reason}", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// What the loader says.
        reason: String,
    },
    /// `JNI_CreateJavaVM` failed.
    #[error("the JVM did not start ({code}): {hint}")]
    Create {
        /// Name of the JNI error code.
        code: &'static str,
        /// What it most likely means.
        hint: &'static str,
    },
    /// A second JVM was asked for in this process.
    #[error("this process has a JVM already, and HotSpot allows one in the life of a process")]
    SecondJvm,
    /// An option holds a character that cannot be passed on.
    #[error("the JVM option {option:?} holds a zero byte")]
    Option {
        /// The option.
        option: String,
    },
    /// The agent did not run: the program does not export it.
    #[error("the agent is not exported by this program: it must be linked with -rdynamic")]
    NoAgent,
    /// The JVM lacks something that every JVM of version 8 or later has.
    #[error("this JVM cannot be driven: {what}")]
    Unsupported {
        /// What is missing.
        what: String,
    },
    /// The classes that probes call could not be defined.
    #[error("the run-time class {class} was refused by the JVM: {reason}")]
    Runtime {
        /// The class.
        class: String,
        /// The exception.
        reason: String,
    },
    /// A class given as instrumented is not on the class path of the JVM.
    #[error("{class} was not found on the class path of the JVM")]
    NoClass {
        /// The class.
        class: ClassName,
    },
    /// A system call failed.
    #[error("{what}: {reason}")]
    System {
        /// What was tried.
        what: &'static str,
        /// The error.
        reason: std::io::Error,
    },
}

impl JvmError {
    /// A failed system call.
    pub(crate) fn system(what: &'static str) -> impl Fn(rustix::io::Errno) -> Self {
        move |error| Self::System { what, reason: error.into() }
    }
}
