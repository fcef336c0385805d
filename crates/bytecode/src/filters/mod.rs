//! Code that compilers make and that JaCoCo leaves out of its counts, one artefact per file.
//!
//! The filters follow those of JaCoCo 0.8.15, so that our goals are what its reports count. A new one is a file
//! and a line in [`FILTERS`].
//!
//! # Differences
//! Not recognized: what the Compose compiler plug-in of Kotlin makes.

mod annotated_generated;
mod assertion;
mod bridge;
mod context;
mod enum_constructor;
mod enum_methods;
mod exhaustive_switch;
mod filtered;
mod finally;
mod matcher;
mod private_constructor;
mod record_methods;
mod record_pattern;
mod string_switch_ecj;
mod string_switch_javac;
mod synchronized;
mod synthetic;
mod synthetic_class;
mod try_with_resources_ecj;
mod try_with_resources_javac;
mod try_with_resources_javac11;

pub(crate) use context::ClassContext;
pub(crate) use filtered::{Branches, Filtered, Source, Target};

use crate::method_code::MethodCode;

/// Recognizes one artefact.
#[derive(Debug)]
pub(crate) struct Filter {
    /// The compilers that it concerns.
    concerns: Compilers,
    /// Adds what is found in a method to the result.
    apply: fn(&ClassContext<'_>, &MethodCode<'_>, &mut Filtered),
}

/// Compilers that a filter concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compilers {
    /// All of them.
    All,
    /// All but Kotlin's.
    NotKotlin,
}

/// All filters, in the order they are applied.
pub(crate) const FILTERS: &[Filter] = &[
    Filter { concerns: Compilers::All, apply: synthetic_class::apply },
    Filter { concerns: Compilers::All, apply: enum_methods::apply },
    Filter { concerns: Compilers::All, apply: bridge::apply },
    Filter { concerns: Compilers::All, apply: synchronized::apply },
    Filter { concerns: Compilers::All, apply: try_with_resources_javac11::apply },
    Filter { concerns: Compilers::All, apply: try_with_resources_javac::apply },
    Filter { concerns: Compilers::All, apply: try_with_resources_ecj::apply },
    Filter { concerns: Compilers::All, apply: finally::apply },
    Filter { concerns: Compilers::All, apply: private_constructor::apply },
    Filter { concerns: Compilers::All, apply: assertion::apply },
    Filter { concerns: Compilers::All, apply: string_switch_javac::apply },
    Filter { concerns: Compilers::All, apply: string_switch_ecj::apply },
    Filter { concerns: Compilers::All, apply: enum_constructor::apply },
    Filter { concerns: Compilers::All, apply: record_methods::apply },
    Filter { concerns: Compilers::All, apply: exhaustive_switch::apply },
    Filter { concerns: Compilers::All, apply: record_pattern::apply },
    Filter { concerns: Compilers::All, apply: annotated_generated::apply },
    Filter { concerns: Compilers::NotKotlin, apply: synthetic::apply },
];

/// `Throwable.addSuppressed`
const ADD_SUPPRESSED: (&str, &str, &str) =
    ("java/lang/Throwable", "addSuppressed", "(Ljava/lang/Throwable;)V");
