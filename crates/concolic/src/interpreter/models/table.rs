//! The table of models.

use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;

use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::{arrays, boxes, builders, characters, languages, math, patterns, strings};
use crate::interpreter::{MethodName, Slot};

/// What a model results in.
#[derive(Debug)]
pub(in crate::interpreter) enum Modelled {
    /// A value is returned.
    Value(Slot),
    /// The method has no value.
    Nothing,
    /// These arguments are not modelled.
    Declined,
}

/// A model: gets receiver and arguments; the receiver is not null.
pub(in crate::interpreter) type Model = fn(&mut Interpreter<'_>, &[Slot]) -> Result<Modelled, Abrupt>;

/// A row: name, descriptor in which `@` is the class itself, model.
pub(super) type Row = (&'static str, &'static str, Model);

/// The classes with models.
const CLASSES: &[(&str, &[Row])] = &[
    ("java/lang/String", strings::STRING),
    ("java/lang/StringBuilder", builders::BUILDER),
    ("java/lang/StringBuffer", builders::BUILDER),
    ("java/lang/AbstractStringBuilder", builders::BUILDER),
    ("java/lang/Integer", boxes::INTEGER),
    ("java/lang/Long", boxes::LONG),
    ("java/lang/Short", boxes::SHORT),
    ("java/lang/Byte", boxes::BYTE),
    ("java/lang/Float", boxes::FLOAT),
    ("java/lang/Character", characters::CHARACTER),
    ("java/lang/Boolean", boxes::BOOLEAN),
    ("java/lang/Double", boxes::DOUBLE),
    ("java/lang/Math", math::MATH),
    ("java/util/Objects", languages::OBJECTS),
    ("java/util/regex/Pattern", patterns::PATTERN),
    ("java/util/regex/Matcher", patterns::MATCHER),
    ("java/lang/Class", arrays::CLASS),
    ("java/lang/reflect/Array", arrays::ARRAY),
    ("jdk/internal/util/ArraysSupport", arrays::ARRAYS_SUPPORT),
    ("jdk/internal/util/Preconditions", arrays::PRECONDITIONS),
    ("java/lang/Object", languages::OBJECT),
    ("java/lang/System", languages::SYSTEM),
    ("java/lang/Enum", languages::ENUM),
    ("java/lang/Throwable", languages::THROWABLE),
];

/// Whether a method has the descriptor of a row.
fn is_descriptor(row: &str, method: &MethodName) -> bool {
    match row.split_once('@') {
        Some((before, after)) => {
            let rest = method.descriptor.strip_prefix(before);
            rest.and_then(|rest| rest.strip_prefix(method.class.as_str())) == Some(after)
        }
        None => *row == *method.descriptor,
    }
}

/// The model of a method of the platform, by the class that declares it.
pub(in crate::interpreter) fn find(hierarchy: &ClassHierarchy, method: &MethodName) -> Option<Model> {
    let rows = CLASSES.iter().find(|(class, _)| *class == method.class.as_str()).map_or(&[][..], |it| it.1);
    let row = rows.iter().find(|row| *row.0 == *method.name && is_descriptor(row.1, method));
    if let Some(row) = row {
        return Some(row.2);
    }
    let is_exception = &*method.name == "<init>"
        && hierarchy.is_subclass(&method.class, &ClassName::new("java/lang/Throwable"));
    is_exception.then(|| languages::exception(&method.descriptor)).flatten()
}
