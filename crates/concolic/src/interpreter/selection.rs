//! Which method a call runs: resolution and selection (JVMS 5.4.3.3, 5.4.3.4, 5.4.6).

use bytecode::access::Access;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;

use crate::interpreter::MethodName;
use crate::interpreter::models::table::{self, Model};

/// How the method of a call is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dispatch {
    /// `invokestatic`.
    Static,
    /// `invokespecial`: in the class that is named, or above.
    Special,
    /// `invokevirtual`, `invokeinterface`: by the class of the receiver.
    Virtual,
}

/// What a call runs.
#[derive(Debug)]
pub(super) struct Callee {
    /// The method, by the class that declares it; by the class that was searched where none was found.
    pub(super) method: MethodName,
    /// Whether it was found.
    pub(super) is_found: bool,
    /// Whether it has code.
    pub(super) has_code: bool,
    /// Whether its class is interpreted.
    pub(super) is_interpreted: bool,
    /// What it does, where that is modelled.
    pub(super) model: Option<Model>,
}

impl Callee {
    /// What a call of a method runs on a class: that of the receiver, or the one that is named.
    pub(super) fn of(
        hierarchy: &ClassHierarchy,
        class: &ClassName,
        named: &MethodName,
        dispatch: Dispatch,
    ) -> Self {
        let found = select(hierarchy, class, named, dispatch);
        let has_code = found.as_ref().is_some_and(|(access, _)| !access.is_abstract() && !access.is_native());
        let is_found = found.is_some();
        let declaring = found.map_or_else(|| class.clone(), |(_, class)| class);
        let method = MethodName { class: declaring, ..named.clone() };
        let is_interpreted = hierarchy.source().is_on_class_path(&method.class);
        let model = if is_interpreted { None } else { table::find(hierarchy, &method) };
        Self { method, is_found, has_code, is_interpreted, model }
    }
}

fn select(
    hierarchy: &ClassHierarchy,
    class: &ClassName,
    named: &MethodName,
    dispatch: Dispatch,
) -> Option<(Access, ClassName)> {
    let lookup = |class: &ClassName| {
        let info = hierarchy.class(class)?;
        let method = info.method(&named.name, &named.descriptor)?;
        Some((method.access, class.clone()))
    };
    // A private method is not selected but called, also by `invokevirtual` (JVMS 5.4.6).
    if dispatch == Dispatch::Virtual
        && let Some(private) = lookup(&named.class).filter(|(access, _)| access.is_private())
    {
        return Some(private);
    }
    let is_candidate =
        |access: Access| dispatch != Dispatch::Virtual || (!access.is_static() && !access.is_private());
    let in_class = std::iter::once(class.clone())
        .chain(hierarchy.superclasses(class))
        .find_map(|class| lookup(&class).filter(|(access, _)| is_candidate(*access)));
    if let Some(method) = in_class.as_ref().filter(|(access, _)| !access.is_abstract()) {
        return Some(method.clone());
    }
    // The most specific default method of the interfaces.
    let supertypes = hierarchy.supertypes(class);
    let defaults: Vec<_> = supertypes
        .iter()
        .filter_map(lookup)
        .filter(|(access, _)| is_candidate(*access) && !access.is_abstract())
        .collect();
    let most_specific = defaults.iter().find(|(_, class)| {
        defaults.iter().all(|(_, other)| other == class || !hierarchy.is_subclass(other, class))
    });
    most_specific.cloned().or(in_class).or_else(|| supertypes.iter().find_map(lookup))
}
