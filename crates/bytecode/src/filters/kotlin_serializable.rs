//! What the serialization plug-in of the Kotlin compiler makes.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

const SERIALIZER: &str = "()Lkotlinx/serialization/KSerializer;";

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    let generated = if code.name == "serializer" && code.descriptor == SERIALIZER {
        is_serializer(context, code) || is_cached_serializer(context, code)
    } else {
        code.access.is_synthetic() && is_synthetic_part(code)
    };
    if generated {
        filtered.ignore_all();
    }
}

/// Returns the one instance of a serializer, on the line of the companion object that is made with it.
fn is_serializer(context: &ClassContext<'_>, code: &MethodCode<'_>) -> bool {
    let start = usize::from(!code.marks(0).label);
    let mut matcher = Matcher::at(code, start);
    matcher.op(GETSTATIC);
    matcher.require(|code, index| code.member(index).is_some_and(|field| field.name == "INSTANCE"));
    matcher.class(CHECKCAST, "kotlinx/serialization/KSerializer").op(ARETURN);
    if !matcher.matched() || !code.marks(start).line || !context.name.ends_with("$Companion") {
        return false;
    }
    let is_constructor = |method: &MethodCode<'_>| method.name == "<init>" && method.descriptor == "()V";
    let earlier =
        (0..code.method).rev().filter_map(|method| MethodCode::read(code.class, method).ok().flatten());
    let constructor = earlier.into_iter().find(is_constructor);
    let line = constructor.map(|method| method.lines.into_iter().flatten().next());
    line.is_some_and(|line| line.is_none() || line == code.lines[start])
}

fn is_cached_serializer(context: &ClassContext<'_>, code: &MethodCode<'_>) -> bool {
    let mut matcher = Matcher::at(code, 0);
    matcher.this().member(INVOKESPECIAL, (&context.name, "get$cachedSerializer", SERIALIZER)).op(ARETURN);
    matcher.matched()
}

fn is_synthetic_part(code: &MethodCode<'_>) -> bool {
    const MAKES_SERIALIZER: [&str; 2] = ["_init_$_anonymous_", "_childSerializers$_anonymous_"];
    const MARKER: &str = "Lkotlinx/serialization/internal/SerializationConstructorMarker;";
    let makes_serializer = code.name == "get$cachedSerializer"
        || MAKES_SERIALIZER.iter().any(|prefix| code.name.starts_with(prefix));
    let has_marker = code.descriptor.split_once(')').is_some_and(|(parameters, _)| {
        parameters.strip_suffix(MARKER).is_some_and(|others| others.len() > "(".len())
    });
    code.name.starts_with("write$Self$") || makes_serializer && code.descriptor == SERIALIZER || has_marker
}
