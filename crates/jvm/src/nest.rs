//! A nest of classes made ready for the JVM: every class that holds goals, instrumented in advance, and what a test
//! cluster is made of besides.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::analysis::{AnalysisOptions, ProbeIds, number_direct};
use bytecode::class_file::ClassFile;
use bytecode::constants::{
    ConstantValue, called_by, called_methods, checked_types, constants, constants_of, referenced_types,
};
use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::instrument::{Level, Limits, StaticFields, instrument_limited};
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::ProbeMap;
use bytecode::values::{ValueOptions, add_value_probes};
use testcase::cluster::build::{ClusterError, ClusterOptions, ClusterRequest, build};
use testcase::cluster::{StaticConstants, TestCluster};
use testcase::value::{JavaString, Value};

use crate::transform::GoalClass;

/// What classes may carry of which a JVM has refused more.
pub type Weakened = BTreeMap<ClassName, Limits>;

/// The classes of a nest, instrumented, and what their code says.
#[derive(Debug, Default)]
pub struct Nest {
    /// The classes, by name.
    pub classes: Vec<GoalClass>,
    /// Their probes, in the same order.
    pub maps: Vec<ProbeMap>,
    /// The next free probes.
    pub ids: ProbeIds,
    /// Static fields that they write.
    pub statics: StaticFields,
    /// What could not be done as it should, one sentence each.
    pub diagnostics: Vec<String>,
    names: Vec<ClassName>,
    options: AnalysisOptions,
    weakened: Weakened,
    constants: BTreeSet<ConstantValue>,
    referenced: BTreeSet<ErasedType>,
    named: BTreeSet<ClassName>,
    called: BTreeSet<(String, String, String)>,
}

impl Nest {
    /// Reads and instruments these classes, with what `options` ask for.
    pub fn read(hierarchy: &ClassHierarchy, names: &[ClassName], options: AnalysisOptions) -> Self {
        Self::read_weakened(hierarchy, names, options, Weakened::new())
    }

    /// As [`Nest::read`], with less in some classes. Probes have the same numbers; methods without the full set of them are
    /// missing in the maps.
    pub fn read_weakened(
        hierarchy: &ClassHierarchy,
        names: &[ClassName],
        options: AnalysisOptions,
        weakened: Weakened,
    ) -> Self {
        let mut nest = Self { names: names.to_vec(), options, weakened, ..Self::default() };
        nest.names.sort();
        for name in nest.names.clone() {
            nest.add(hierarchy, &name);
        }
        number_direct(&mut nest.maps, nest.ids);
        nest
    }

    /// As [`Nest::read`], for a class and all that is nested in it.
    pub fn of(hierarchy: &ClassHierarchy, class: &ClassName, options: AnalysisOptions) -> Self {
        let all = hierarchy.source().class_path_classes().iter();
        let names: Vec<ClassName> = all.filter(|name| name.is_in_nest_of(class)).cloned().collect();
        Self::read(hierarchy, &names, options)
    }

    /// What a reader of traces must know of the probes.
    pub fn layout(&self) -> ProbeLayout {
        ProbeLayout::new(&self.maps, self.ids)
    }

    /// Gives the methods outcomes for the classes of their values, behind all other outcomes.
    pub fn add_values(&mut self, hierarchy: &ClassHierarchy, options: ValueOptions) {
        add_value_probes(&mut self.maps, hierarchy, options, &mut self.ids);
        number_direct(&mut self.maps, self.ids);
    }

    /// The test cluster of a class of the nest, with the constants and types that occur in the code.
    ///
    /// # Errors
    /// The class cannot be tested.
    pub fn cluster(
        &self,
        hierarchy: &ClassHierarchy,
        class_under_test: ClassName,
    ) -> Result<TestCluster, ClusterError> {
        let request = ClusterRequest { class_under_test, goal_classes: self.names.clone() };
        let pools = StaticConstants {
            class_under_test: self.constants.iter().map(value).collect(),
            construction: construction_constants(hierarchy, self),
            project: project_constants(hierarchy, self),
        };
        let mut referenced: Vec<ErasedType> = self.referenced.iter().cloned().collect();
        referenced.extend(types_of_callees(hierarchy, self));
        build(hierarchy, &request, pools, &referenced, &ClusterOptions::default())
    }

    fn add(&mut self, hierarchy: &ClassHierarchy, name: &ClassName) {
        let binary = name.binary();
        let Some(bytes) = hierarchy.source().class_bytes(name) else {
            self.diagnostics.push(format!("{binary} cannot be read, so nothing in it is a goal"));
            return;
        };
        if let Ok(class) = ClassFile::parse(&bytes) {
            self.constants.extend(constants(&class));
            self.referenced.extend(referenced_types(&class));
            self.named.extend(named_classes(&class));
            self.called.extend(called_methods(&class));
        }
        let before = self.ids;
        let limits = self.weakened.get(name).cloned().unwrap_or_default();
        match instrument_limited(&bytes, self.options, &mut self.ids, &mut self.statics, &limits) {
            Ok(done) => {
                for skipped in &done.map.skipped {
                    self.diagnostics.push(format!(
                        "{binary}.{} cannot be instrumented: {}",
                        skipped.method, skipped.reason
                    ));
                }
                for method in done.map.methods.iter().filter(|method| method.lacks_mutants) {
                    let refused = limits.of(&method.name, &method.descriptor) < Level::Everything;
                    let why =
                        if refused { "the JVM refuses it with them" } else { "it is too large with them" };
                    self.diagnostics.push(format!(
                        "{binary}.{}{} carries none of its {} mutants: {why}",
                        method.name,
                        method.descriptor,
                        method.mutants.len()
                    ));
                }
                let hash = done.map.hash;
                let (options, ids) = (self.options, (before, self.ids));
                let name = name.clone();
                self.classes.push(GoalClass { name, hash, bytes: done.bytes, options, limits, ids });
                self.maps.push(done.map);
            }
            Err(error) => {
                self.diagnostics.push(format!("{binary} cannot be instrumented: {error}"));
            }
        }
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
fn types_of_callees(hierarchy: &ClassHierarchy, nest: &Nest) -> Vec<ErasedType> {
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

/// Classes that the constant pool of a class file names.
fn named_classes(class: &ClassFile<'_>) -> impl Iterator<Item = ClassName> {
    let indices = 1..u16::try_from(class.constants.len()).unwrap_or(u16::MAX);
    let names = indices.filter_map(|index| class.constants.class(index).ok());
    names.filter(|name| !name.starts_with('[')).map(|name| ClassName::new(&*name))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_that_take_anything_tell_what_they_check_for() {
        let source = "
//- /p/Caller.java
package p;
public class Caller {
    int own(Object other) { return other instanceof Long ? 1 : Callee.any(other) + Callee.text(\"\"); }
}
//- /p/Callee.java
package p;
class Callee {
    static int any(Object other) {
        return other instanceof Long ? 1 : other instanceof StringBuilder ? 2 : ((java.util.Date) other).getHours();
    }
    static int text(String text) { return ((Object) text) instanceof java.util.BitSet ? 1 : 0; }
    static int unused(Object other) { return other instanceof Thread ? 1 : 0; }
}
";
        let hierarchy = fixture::compile(source).hierarchy();
        let nest = Nest::of(&hierarchy, &"p/Caller".into(), AnalysisOptions::default());
        let found: Vec<String> =
            types_of_callees(&hierarchy, &nest).iter().map(ErasedType::descriptor).collect();
        assert_eq!(found, ["Ljava/lang/StringBuilder;", "Ljava/util/Date;"]);
    }

    #[test]
    fn superclasses_tell_what_they_insist_on() {
        let source = "
//- /p/Visitor.java
package p;
public class Visitor extends Middle {
    public Visitor(int version, String mode) { super(version, mode, 3); }
    int visit() { return Other.unrelated(); }
}
//- /p/Middle.java
package p;
abstract class Middle extends Base {
    Middle(int version, String mode, int own) { super(version); Checks.mode(mode); }
    int unused() { return 111; }
}
//- /p/Base.java
package p;
abstract class Base {
    Base(int version) { if (version != 589824) { throw new IllegalArgumentException(\"not a version\"); } }
}
//- /p/Checks.java
package p;
class Checks {
    static void mode(String mode) { if (!mode.equals(\"strict\")) { throw new IllegalArgumentException(); } }
}
//- /p/Other.java
package p;
class Other { static int unrelated() { return 222; } }
";
        let hierarchy = fixture::compile(source).hierarchy();
        let nest = Nest::of(&hierarchy, &"p/Visitor".into(), AnalysisOptions::default());
        let expect = [Value::Int(589_824), Value::String(JavaString::from("strict"))];
        assert_eq!(construction_constants(&hierarchy, &nest), expect);
    }
}
