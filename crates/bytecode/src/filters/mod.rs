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
mod kotlin_accessors;
mod kotlin_boxed;
mod kotlin_coroutine;
mod kotlin_default_arguments;
mod kotlin_default_methods;
mod kotlin_enum;
mod kotlin_generated;
mod kotlin_inline;
mod kotlin_inline_class;
mod kotlin_jvm_static;
mod kotlin_lateinit;
mod kotlin_not_null;
mod kotlin_overloads;
mod kotlin_safe_call;
mod kotlin_serializable;
mod kotlin_unsafe_cast;
mod kotlin_when;
mod kotlin_when_string;
mod matcher;
mod private_constructor;
mod record_methods;
mod record_pattern;
mod smap;
mod string_switch_ecj;
mod string_switch_javac;
mod synchronized;
mod synthetic;
mod synthetic_class;
mod try_with_resources_ecj;
mod try_with_resources_javac;
mod try_with_resources_javac11;

pub(crate) use annotated_generated::is_generated;
pub(crate) use context::{ClassContext, annotations, is_set};
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
    /// Kotlin's alone.
    Kotlin,
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
    Filter { concerns: Compilers::Kotlin, apply: kotlin_generated::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_accessors::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_serializable::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_enum::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_overloads::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_jvm_static::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_safe_call::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_lateinit::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_when::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_when_string::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_unsafe_cast::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_not_null::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_inline_class::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_boxed::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_default_arguments::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_inline::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_coroutine::apply },
    Filter { concerns: Compilers::Kotlin, apply: kotlin_default_methods::apply },
];

/// `Throwable.addSuppressed`
const ADD_SUPPRESSED: (&str, &str, &str) =
    ("java/lang/Throwable", "addSuppressed", "(Ljava/lang/Throwable;)V");

/// As [`what_counts`], for a method `access f descriptor` of a class that the Kotlin compiler made, with a line.
#[cfg(test)]
pub(super) fn what_counts_in_kotlin(method: &str) -> (Vec<usize>, Vec<(usize, usize)>) {
    let (head, body) = method.split_once('\n').expect("a head and a body");
    let class = ".class public p/A java/lang/Object\n.annotation Lkotlin/Metadata;\n.source A.kt";
    what_counts(&format!("{class}\n.method {head}\n.line 1\n{body}"))
}

/// The instructions of the only method of a class that count, and for those with other branches how many.
#[cfg(test)]
pub(super) fn what_counts(source: &str) -> (Vec<usize>, Vec<(usize, usize)>) {
    let bytes = crate::assembler::assemble(source);
    let class = crate::class_file::ClassFile::parse(&bytes).expect("an assembled class can be read");
    let code = MethodCode::read(&class, 0).expect("assembled code can be read").expect("it has code");
    let filtered = Filtered::new(&ClassContext::new(&class), &code);
    let counting: Vec<usize> = (0..code.len()).filter(|&index| !filtered.is_ignored(index)).collect();
    let replaced =
        counting.iter().filter_map(|&index| Some((index, filtered.replacement(index)?.sources().len())));
    (counting.clone(), replaced.collect())
}
