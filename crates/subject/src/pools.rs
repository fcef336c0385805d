//! What the code of a nest, and that of the classes around it, holds of constants and types: the static pools that values are
//! drawn from.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::class_file::ClassFile;
use bytecode::constants::{ConstantValue, called_by, checked_types, constants, constants_of};
use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use testcase::cluster::StaticConstants;
use testcase::value::{JavaString, Value};

use crate::formats;
use crate::nest::Nest;

/// The constants of a nest and of what it uses.
pub(crate) fn static_constants(hierarchy: &ClassHierarchy, nest: &Nest) -> StaticConstants {
    StaticConstants {
        class_under_test: nest.constants.iter().map(value).collect(),
        construction: construction_constants(hierarchy, nest),
        project: project_constants(hierarchy, nest),
        own_tests: Vec::new(),
        formats: formats::asked(hierarchy, nest),
    }
}

/// Calls from a constructor of the nest to what is looked at for constants.
const CONSTRUCTION_DEPTH: usize = 4;

/// Most methods that are looked at for these.
const MOST_OF_CONSTRUCTION: usize = 60;

/// Constants of the methods of other classes of the class path that run while objects of the nest are made: constructors of
/// superclasses, and what they call to check what they were given. Texts with blanks are for people.
fn construction_constants(hierarchy: &ClassHierarchy, nest: &Nest) -> Vec<Value> {
    type Methods = BTreeMap<ClassName, Vec<(String, String)>>;
    let mut seen: BTreeSet<(ClassName, String, String)> = BTreeSet::new();
    let mut found = BTreeSet::new();
    let mut open: Methods = BTreeMap::new();
    for map in &nest.maps {
        let constructors = map.methods.iter().filter(|method| &*method.name == "<init>");
        let methods = constructors.map(|method| (method.name.to_string(), method.descriptor.to_string()));
        open.insert(map.class.clone(), methods.collect());
    }
    for _ in 0..CONSTRUCTION_DEPTH {
        let mut next: Methods = BTreeMap::new();
        for (class, methods) in &open {
            let Some(bytes) = hierarchy.source().class_bytes(class) else { continue };
            let Ok(file) = ClassFile::parse(&bytes) else { continue };
            if nest.names.binary_search(class).is_err() {
                found.extend(constants_of(&file, methods));
            }
            for (owner, name, descriptor) in called_by(&file, methods) {
                let owner = ClassName::new(&*owner);
                let is_new = hierarchy.source().is_on_class_path(&owner)
                    && seen.len() < MOST_OF_CONSTRUCTION
                    && seen.insert((owner.clone(), name.clone(), descriptor.clone()));
                if is_new {
                    next.entry(owner).or_default().push((name, descriptor));
                }
            }
        }
        open = next;
    }
    let space = u16::from(b' ');
    let is_for_people =
        |constant: &ConstantValue| matches!(constant, ConstantValue::String(units) if units.contains(&space));
    found.difference(&nest.constants).filter(|constant| !is_for_people(constant)).map(value).collect()
}

/// Most classes whose constants make the pool of the project.
const MOST_USED_CLASSES: usize = 60;

/// Constants of the other classes of the class path that the nest names.
fn project_constants(hierarchy: &ClassHierarchy, nest: &Nest) -> Vec<Value> {
    let own: BTreeSet<&ClassName> = nest.maps.iter().map(|map| &map.class).collect();
    let others = nest.named.iter().filter(|name| !own.contains(name));
    let of_project = others.filter(|name| hierarchy.source().is_on_class_path(name));
    let mut found = BTreeSet::new();
    for name in of_project.take(MOST_USED_CLASSES) {
        if let Some(bytes) = hierarchy.source().class_bytes(name)
            && let Ok(class) = ClassFile::parse(&bytes)
        {
            found.extend(constants(&class));
        }
    }
    found.difference(&nest.constants).map(value).collect()
}

/// Most types that only the methods called check for.
const MOST_TYPES_OF_CALLEES: usize = 8;

/// Types by whose subtypes a method may tell its arguments apart.
const OPEN_PARAMETERS: [&str; 5] = [
    "Ljava/lang/Object;",
    "Ljava/lang/Comparable;",
    "Ljava/lang/CharSequence;",
    "Ljava/lang/Number;",
    "Ljava/io/Serializable;",
];

/// Types for which methods of the class path check that the nest calls and that take anything, sorted; those that the
/// nest checks for itself not included.
pub(crate) fn types_of_callees(hierarchy: &ClassHierarchy, nest: &Nest) -> Vec<ErasedType> {
    let mut found = BTreeSet::new();
    let open = |descriptor: &str| {
        let parameters = descriptor.split(')').next().unwrap_or_default();
        OPEN_PARAMETERS.iter().any(|open| parameters.contains(open))
    };
    for (owner, name, descriptor) in nest.called.iter().filter(|(_, _, descriptor)| open(descriptor)) {
        let owner = ClassName::new(&**owner);
        if nest.names.binary_search(&owner).is_ok() || !hierarchy.source().is_on_class_path(&owner) {
            continue;
        }
        if let Some(bytes) = hierarchy.source().class_bytes(&owner)
            && let Ok(class) = ClassFile::parse(&bytes)
        {
            found.extend(checked_types(&class, name, descriptor));
        }
    }
    let others = found.into_iter().filter(|ty| !nest.referenced.contains(ty));
    others.take(MOST_TYPES_OF_CALLEES).collect()
}

/// Constants as values.
pub(crate) fn values<'a>(constants: impl IntoIterator<Item = &'a ConstantValue>) -> Vec<Value> {
    constants.into_iter().map(value).collect()
}

fn value(constant: &ConstantValue) -> Value {
    match constant {
        ConstantValue::Int(number) => Value::Int(*number),
        ConstantValue::Long(number) => Value::Long(*number),
        ConstantValue::Float(number) => Value::Float(*number),
        ConstantValue::Double(number) => Value::Double(*number),
        ConstantValue::String(units) => Value::String(JavaString::new(units.as_slice())),
    }
}
