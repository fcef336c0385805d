//! The members of a test class that set static fields back which its tests write: what one test leaves there would be there for
//! all behind it.

use std::collections::BTreeSet;

use bytecode::name::ClassName;
use bytecode::signature::GenericType;

use super::access::Viewpoint;
use super::ast::{Expr, Stmt, Unit, Warning, classes_of};
use super::imports::ClassNames;
use super::layout::type_name;
use super::naming::words::humps;
use super::style::JunitStyle;

/// The method behind each test.
pub(crate) const METHOD: &str = "restoreStaticFields";

/// A static field that tests write, and the field of the test class that holds what it was before.
#[derive(Debug)]
pub(crate) struct Kept {
    class: ClassName,
    field: String,
    of: GenericType,
    name: String,
}

impl Kept {
    /// Calls `visit` on each class that its lines name.
    pub(crate) fn for_each_class(&self, visit: &mut dyn FnMut(&ClassName)) {
        visit(&self.class);
        classes_of(&self.of, visit);
    }
}

/// The static fields that a unit writes, as far as a test can name their types, and what is warned of where it names them.
pub(crate) fn written(unit: &Unit, view: Viewpoint<'_>) -> (Vec<Kept>, BTreeSet<Warning>) {
    let mut fields = BTreeSet::new();
    unit.statements().for_each(|statement| note_written(statement, &mut fields));
    let (mut kept, mut warnings) = (Vec::new(), BTreeSet::new());
    let shared = unit.set_ups.iter().flat_map(|set_up| &set_up.fields);
    let mocks = unit.mock_fields.iter().map(|field| &field.name);
    let mut taken: BTreeSet<String> = shared.map(|(_, name)| name).chain(mocks).cloned().collect();
    for (class, field) in fields {
        let supertypes = view.hierarchy.supertypes(class);
        let found = supertypes.iter().find_map(|declaring| {
            let info = view.hierarchy.class(declaring)?;
            info.field(field).map(|found| (found.generic.clone(), found.deprecated))
        });
        let Some((of, deprecated)) = found.filter(|(of, _)| view.can_name_type(of)) else { continue };
        warnings.extend(deprecated.map(Warning::from));
        warnings.extend(view.warnings_of(class));
        classes_of(&of, &mut |named| warnings.extend(view.warnings_of(named)));
        warnings.extend(view.is_raw(&of).then_some(Warning::RawTypes));
        let wish = format!("original{}", humps(field));
        let numbered = (2..).map(|number| format!("{wish}{number}"));
        let name = std::iter::once(wish.clone()).chain(numbered).find(|name| taken.insert(name.clone()));
        kept.push(Kept { class: class.clone(), field: field.to_owned(), of, name: name.unwrap_or(wish) });
    }
    (kept, warnings)
}

fn note_written<'a>(statement: &'a Stmt, fields: &mut BTreeSet<(&'a ClassName, &'a str)>) {
    match statement {
        Stmt::Assign { target: Expr::Constant { class, name }, .. } => {
            fields.insert((class, name));
        }
        Stmt::Throws { action, .. } | Stmt::Completes(action) => note_written(action, fields),
        Stmt::Assign { .. } | Stmt::Blank | Stmt::Declare { .. } | Stmt::Evaluate(_) | Stmt::EndCatch => {}
    }
}

/// The annotation of the method.
pub(crate) fn annotation(style: JunitStyle) -> ClassName {
    let [_, after] = style.around_each();
    after.into()
}

/// The lines of the members, without their indentation; empty ones stand between them.
pub(crate) fn lines(kept: &[Kept], style: JunitStyle, names: &dyn ClassNames) -> Vec<String> {
    let declared = kept.iter().map(|Kept { class, field, of, name }| {
        format!("private final {} {name} = {}.{field};", type_name(of, names), names.class(class))
    });
    let public = if style.needs_public() { "public " } else { "" };
    let head = [
        String::new(),
        format!("@{}", names.class(&annotation(style))),
        format!("{public}void {METHOD}() {{"),
    ];
    let restored = kept
        .iter()
        .map(|Kept { class, field, name, .. }| format!("    {}.{field} = {name};", names.class(class)));
    declared.chain(head).chain(restored).chain(["}".to_owned()]).collect()
}
