//! The table of models.

use bytecode::name::ClassName;

use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::{boxes, builders, languages, math, strings};
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

/// A row: name, descriptor, model.
pub(super) type Row = (&'static str, &'static str, Model);

/// The classes with models.
const CLASSES: &[(&str, &[Row])] = &[
    ("java/lang/String", strings::STRING),
    ("java/lang/StringBuilder", builders::STRING_BUILDER),
    ("java/lang/Integer", boxes::INTEGER),
    ("java/lang/Long", boxes::LONG),
    ("java/lang/Character", boxes::CHARACTER),
    ("java/lang/Boolean", boxes::BOOLEAN),
    ("java/lang/Double", boxes::DOUBLE),
    ("java/lang/Math", math::MATH),
    ("java/util/Objects", languages::OBJECTS),
    ("java/lang/Object", languages::OBJECT),
    ("java/lang/System", languages::SYSTEM),
    ("java/lang/Enum", languages::ENUM),
    ("java/lang/Throwable", languages::THROWABLE),
];

/// The model of a method, by the class that declares it.
pub(in crate::interpreter) fn find(interpreter: &Interpreter<'_>, method: &MethodName) -> Option<Model> {
    if interpreter.is_interpreted(&method.class) {
        return None;
    }
    let rows = CLASSES.iter().find(|(class, _)| *class == method.class.as_str()).map_or(&[][..], |it| it.1);
    let row = rows.iter().find(|row| *row.0 == *method.name && *row.1 == *method.descriptor);
    if let Some(row) = row {
        return Some(row.2);
    }
    let is_exception = &*method.name == "<init>"
        && interpreter.hierarchy.is_subclass(&method.class, &ClassName::new("java/lang/Throwable"));
    is_exception.then(|| languages::exception(&method.descriptor)).flatten()
}
