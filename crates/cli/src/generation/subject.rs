//! What is known of a class before anything is run: its test cluster, its instrumented nest, its goals.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use bytecode::analysis::{ProbeIds, fnv_1a};
use bytecode::class_file::ClassFile;
use bytecode::class_path::ClassPath;
use bytecode::constants::{ConstantValue, constants, referenced_types};
use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::instrument::{StaticFields, instrument_full};
use bytecode::name::ClassName;
use bytecode::probe_map::ProbeMap;
use coverage::criterion;
use coverage::goal::GoalSet;
use jvm::transform::GoalClass;
use testcase::cluster::build::{ClusterOptions, ClusterRequest, build};
use testcase::cluster::{StaticConstants, TestCluster};
use testcase::value::{JavaString, Value};

use crate::failure::Failure;
use crate::project::targets::Target;
use crate::session::prepare::Prepared;

/// A class with all that is derived from class files.
#[derive(Debug)]
pub(super) struct Subject {
    /// The class and its nest.
    pub target: Target,
    /// Class path of the class.
    pub class_path: Vec<PathBuf>,
    /// Java source level of its tests.
    pub source_level: u16,
    /// Classes as tests of that level see them.
    pub hierarchy: Arc<ClassHierarchy>,
    /// What tests may use.
    pub cluster: TestCluster,
    /// The goals of the class and its nest.
    pub goals: GoalSet,
    /// The nest, instrumented.
    pub classes: Vec<GoalClass>,
    /// Its probes, in the same order.
    pub maps: Vec<ProbeMap>,
    /// The next free probes.
    pub ids: ProbeIds,
    /// Static fields that the nest writes.
    pub statics: StaticFields,
    /// What could not be done as it should, one sentence each.
    pub diagnostics: Vec<String>,
}

impl Subject {
    /// Reads, analyses and instruments.
    ///
    /// # Errors
    /// The class cannot be tested.
    pub(super) fn new(prepared: &Prepared, target: &Target) -> anyhow::Result<Self> {
        let source_level = prepared.source_level(target);
        let hierarchy = hierarchy_at(prepared, source_level)?;
        let mut names = target.nest.clone();
        names.sort();
        let mut nest = Nest::default();
        for name in &names {
            nest.add(&hierarchy, name);
        }
        let goals = criterion::goals(&prepared.options.criteria, &nest.maps)?;
        let request = ClusterRequest { class_under_test: target.class.clone(), goal_classes: names };
        let pools = StaticConstants {
            class_under_test: nest.constants.iter().map(value).collect(),
            project: project_constants(&hierarchy, &nest),
        };
        let referenced: Vec<ErasedType> = nest.referenced.into_iter().collect();
        let cluster = build(&hierarchy, &request, pools, &referenced, &ClusterOptions::default())
            .map_err(|error| Failure::input(error.to_string()))?;
        Ok(Self {
            target: target.clone(),
            class_path: prepared.class_path.clone(),
            source_level,
            hierarchy,
            cluster,
            goals,
            classes: nest.classes,
            maps: nest.maps,
            ids: nest.ids,
            statics: nest.statics,
            diagnostics: nest.diagnostics,
        })
    }

    /// Stream of randomness of this class: its own in every run.
    pub(super) fn stream(&self) -> u64 {
        fnv_1a(self.target.class.as_str().as_bytes())
    }
}

/// The classes as source code of that level sees them: with the JDK's own of that time.
fn hierarchy_at(prepared: &Prepared, source_level: u16) -> anyhow::Result<Arc<ClassHierarchy>> {
    if source_level >= prepared.jdk.version {
        return Ok(Arc::clone(&prepared.hierarchy));
    }
    let home = &prepared.jdk.home;
    let class_path = ClassPath::open(home, prepared.jdk.version, &prepared.class_path)
        .and_then(|class_path| class_path.with_release(home, source_level))
        .context("the JDK's record of earlier releases cannot be read")?;
    Ok(Arc::new(ClassHierarchy::new(Arc::new(class_path))))
}

/// What is collected of a nest.
#[derive(Default)]
struct Nest {
    classes: Vec<GoalClass>,
    maps: Vec<ProbeMap>,
    ids: ProbeIds,
    statics: StaticFields,
    constants: BTreeSet<ConstantValue>,
    referenced: BTreeSet<ErasedType>,
    named: BTreeSet<ClassName>,
    diagnostics: Vec<String>,
}

impl Nest {
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
        }
        match instrument_full(&bytes, &mut self.ids, &mut self.statics) {
            Ok(done) => {
                for skipped in &done.map.skipped {
                    self.diagnostics.push(format!(
                        "{binary}.{} cannot be instrumented: {}",
                        skipped.method, skipped.reason
                    ));
                }
                let hash = done.map.hash;
                self.classes.push(GoalClass { name: name.clone(), hash, bytes: done.bytes });
                self.maps.push(done.map);
            }
            Err(error) => {
                self.diagnostics.push(format!("{binary} cannot be instrumented: {error}"));
            }
        }
    }
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
