//! The members of a test class that set back what its tests change of static state: static fields that they write, and contexts
//! that classes keep ([`testcase::cluster::contexts`]). What one test leaves there would be there for all behind it.

use std::collections::BTreeSet;

use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use testcase::cluster::TestCluster;
use testcase::cluster::contexts::Context;

use super::access::Viewpoint;
use super::ast::{Expr, Stmt, Unit, Warning, classes_of};
use super::imports::ClassNames;
use super::layout::type_name;
use super::naming::words::humps;
use super::style::JunitStyle;

/// The method behind each test.
pub(crate) const METHOD: &str = "restoreStaticState";

/// Static state that tests change, and the field of the test class that holds what it was before.
#[derive(Debug)]
pub(crate) struct Kept {
    class: ClassName,
    place: Place,
    of: GenericType,
    name: String,
}

/// Where a class keeps something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// In a static field of this name.
    Field(String),
    /// Behind static methods of these names; without a getter null is what was there.
    Methods { set: String, get: Option<String> },
}

impl Place {
    /// What reads it, behind the class; `None` where nothing does.
    fn read(&self) -> Option<String> {
        match self {
            Self::Field(field) => Some(field.clone()),
            Self::Methods { get, .. } => get.as_ref().map(|get| format!("{get}()")),
        }
    }

    /// What gives it a value, behind the class.
    fn written(&self, value: &str) -> String {
        match self {
            Self::Field(field) => format!("{field} = {value}"),
            Self::Methods { set, .. } => format!("{set}({value})"),
        }
    }

    /// What it is called.
    fn name(&self) -> &str {
        match self {
            Self::Field(field) => field,
            Self::Methods { set, .. } => {
                let property = set.trim_start_matches(char::is_lowercase);
                if property.is_empty() { "context" } else { property }
            }
        }
    }
}

impl Kept {
    /// Calls `visit` on each class that its lines name.
    pub(crate) fn for_each_class(&self, visit: &mut dyn FnMut(&ClassName)) {
        visit(&self.class);
        if self.place.read().is_some() {
            classes_of(&self.of, visit);
        }
    }
}

/// The static state that a unit changes, whose tests set these contexts: as far as a test can name its type, and what is warned of where it
/// names that.
pub(crate) fn changed(
    unit: &Unit,
    view: Viewpoint<'_>,
    cluster: &TestCluster,
    contexts: &BTreeSet<Context>,
) -> (Vec<Kept>, BTreeSet<Warning>) {
    let mut fields = BTreeSet::new();
    unit.statements().for_each(|statement| note_written(statement, &mut fields));
    let mut places: Vec<(ClassName, Place, GenericType)> = Vec::new();
    let mut warnings = BTreeSet::new();
    for (class, field) in fields {
        let supertypes = view.hierarchy.supertypes(class);
        let found = supertypes.iter().find_map(|declaring| {
            let info = view.hierarchy.class(declaring)?;
            info.field(field).map(|found| (found.generic.clone(), found.deprecated))
        });
        let Some((of, deprecated)) = found.filter(|(of, _)| view.can_name_type(of)) else { continue };
        warnings.extend(deprecated.map(Warning::from));
        places.push((class.clone(), Place::Field(field.to_owned()), of));
    }
    for context in contexts {
        let (set, get) = (cluster.callable(context.set), context.get.map(|get| cluster.callable(get)));
        let of = get.map_or_else(|| set.parameters.first().map(|taken| taken.of), |get| get.result);
        let Some(of) = of.map(|of| cluster.ty(of).generic.clone()) else { continue };
        let called = std::iter::once(set).chain(get);
        warnings.extend(called.filter_map(|called| called.deprecated.map(Warning::from)));
        let place = Place::Methods { set: set.name.to_string(), get: get.map(|get| get.name.to_string()) };
        places.push((set.declared_in.clone(), place, of));
    }
    for (class, place, of) in &places {
        warnings.extend(view.warnings_of(class));
        if place.read().is_none() {
            continue;
        }
        classes_of(of, &mut |named| warnings.extend(view.warnings_of(named)));
        warnings.extend(view.is_raw(of).then_some(Warning::RawTypes));
    }
    let shared = unit.set_ups.iter().flat_map(|set_up| &set_up.fields);
    let mocks = unit.mock_fields.iter().map(|field| &field.name);
    let mut taken: BTreeSet<String> = shared.map(|(_, name)| name).chain(mocks).cloned().collect();
    let mut kept = Vec::new();
    for (class, place, of) in places {
        let wish = format!("original{}", humps(place.name()));
        let numbered = (2..).map(|number| format!("{wish}{number}"));
        let name = std::iter::once(wish.clone()).chain(numbered).find(|name| taken.insert(name.clone()));
        kept.push(Kept { class, place, of, name: name.unwrap_or(wish) });
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
    let declared = kept.iter().filter_map(|Kept { class, place, of, name }| {
        let read = place.read()?;
        Some(format!("private final {} {name} = {}.{read};", type_name(of, names), names.class(class)))
    });
    let public = if style.needs_public() { "public " } else { "" };
    let is_first = kept.iter().all(|kept| kept.place.read().is_none());
    let blank = (!is_first).then(String::new);
    let head = [format!("@{}", names.class(&annotation(style))), format!("{public}void {METHOD}() {{")];
    let restored = kept.iter().map(|Kept { class, place, name, .. }| {
        let value = if place.read().is_some() { name } else { "null" };
        format!("    {}.{};", names.class(class), place.written(value))
    });
    declared.chain(blank).chain(head).chain(restored).chain(["}".to_owned()]).collect()
}
