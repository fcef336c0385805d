//! A nest of classes made ready for a JVM: every class that holds goals, instrumented in advance, and what a test
//! cluster is made of besides.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::analysis::{AnalysisOptions, ProbeIds, number_direct};
use bytecode::class_file::ClassFile;
use bytecode::constants::{ConstantValue, called_methods, constants, referenced_types};
use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::instrument::{GoalClass, Level, Limits, StaticFields};
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::ProbeMap;
use bytecode::values::{ValueOptions, add_value_probes};
use testcase::cluster::TestCluster;
use testcase::cluster::build::{ClusterError, ClusterOptions, ClusterRequest, Mockable, build};

use crate::pools;

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
    pub(crate) names: Vec<ClassName>,
    options: AnalysisOptions,
    weakened: Weakened,
    pub(crate) constants: BTreeSet<ConstantValue>,
    pub(crate) referenced: BTreeSet<ErasedType>,
    pub(crate) named: BTreeSet<ClassName>,
    pub(crate) called: BTreeSet<(String, String, String)>,
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

    /// The test cluster of a class of the nest, with the constants and types that occur in the code, and mocks of what is
    /// `mockable`.
    ///
    /// # Errors
    /// The class cannot be tested.
    pub fn cluster(
        &self,
        hierarchy: &ClassHierarchy,
        class_under_test: ClassName,
        mockable: Mockable,
    ) -> Result<TestCluster, ClusterError> {
        let request = ClusterRequest { class_under_test, goal_classes: self.names.clone() };
        let mut referenced: Vec<ErasedType> = self.referenced.iter().cloned().collect();
        referenced.extend(pools::types_of_callees(hierarchy, self));
        let constants = pools::static_constants(hierarchy, self);
        build(
            hierarchy,
            &request,
            constants,
            &referenced,
            &ClusterOptions { mockable, ..ClusterOptions::default() },
        )
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
        let limits = self.weakened.get(name).cloned().unwrap_or_default();
        let numbers = (&mut self.ids, &mut self.statics);
        match GoalClass::instrument(name.clone(), &bytes, self.options, limits, numbers) {
            Ok((class, map)) => {
                for skipped in &map.skipped {
                    self.diagnostics.push(format!(
                        "{binary}.{} cannot be instrumented: {}",
                        skipped.method, skipped.reason
                    ));
                }
                for method in map.methods.iter().filter(|method| method.lacks_mutants) {
                    let refused = class.limits.of(&method.name, &method.descriptor) < Level::Everything;
                    let why =
                        if refused { "the JVM refuses it with them" } else { "it is too large with them" };
                    self.diagnostics.push(format!(
                        "{binary}.{}{} carries none of its {} mutants: {why}",
                        method.name,
                        method.descriptor,
                        method.mutants.len()
                    ));
                }
                self.classes.push(class);
                self.maps.push(map);
            }
            Err(error) => {
                self.diagnostics.push(format!("{binary} cannot be instrumented: {error}"));
            }
        }
    }
}

/// Classes that the constant pool of a class file names.
fn named_classes(class: &ClassFile<'_>) -> impl Iterator<Item = ClassName> {
    let indices = 1..u16::try_from(class.constants.len()).unwrap_or(u16::MAX);
    let names = indices.filter_map(|index| class.constants.class(index).ok());
    names.filter(|name| !name.starts_with('[')).map(|name| ClassName::new(&*name))
}
