//! Cluster, goals and instrumented nest of a class.

use std::collections::BTreeSet;

use bytecode::analysis::AnalysisOptions;
use bytecode::class_file::ClassFile;
use bytecode::constants::{ConstantValue, called_methods, constants};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use coverage::criterion::{self, CoverageError};
use coverage::goal::GoalSet;
use testcase::cluster::TestCluster;
use testcase::cluster::build::{ClusterError, Mockable};

use crate::nest::{Nest, Weakened};
use crate::pools;

/// What is to be known of code.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Criteria, those among them that only guide.
    pub criteria: Vec<String>,
    /// What is needed besides, of an algorithm or a selection of goals.
    pub analysis: AnalysisOptions,
    /// What tests of the project say that tests may be made of.
    pub seeds: Seeds,
    /// What tests may make mocks of.
    pub mockable: Mockable,
}

/// What tests of the project say.
#[derive(Debug, Clone, Default)]
pub struct Seeds {
    /// Constants in their code, each once.
    pub constants: BTreeSet<ConstantValue>,
    /// What they call: class, name and descriptor.
    pub called: BTreeSet<(String, String, String)>,
}

impl Seeds {
    /// Adds what the class file of a test says; what is no class file says nothing.
    pub fn add(&mut self, bytes: &[u8]) {
        if let Ok(class) = ClassFile::parse(bytes) {
            self.constants.extend(constants(&class));
            self.called.extend(called_methods(&class));
        }
    }
}

impl Asked {
    /// For these criteria alone.
    pub fn criteria(criteria: &[String]) -> Self {
        Self {
            criteria: criteria.to_vec(),
            analysis: AnalysisOptions::default(),
            seeds: Seeds::default(),
            mockable: Mockable::Nothing,
        }
    }
}

/// What class files say of a class.
#[derive(Debug)]
pub struct Examined {
    /// What tests may use, or why there is nothing.
    pub cluster: Result<TestCluster, ClusterError>,
    /// The goals of the class and its nest.
    pub goals: GoalSet,
    /// The nest, instrumented.
    pub nest: Nest,
}

/// Reads, analyses and instruments a class and its nest: `nest` are the classes whose goals are its goals, itself among them,
/// and `weakened` says what they may carry of which a JVM has refused more.
///
/// # Errors
/// A criterion is not known.
pub fn examine(
    hierarchy: &ClassHierarchy,
    class: &ClassName,
    nest: &[ClassName],
    asked: &Asked,
    weakened: Weakened,
) -> Result<Examined, CoverageError> {
    let Asked { criteria, analysis, seeds, mockable } = asked;
    let options = criterion::needs(criteria)?.union(*analysis);
    let mut nest = Nest::read_weakened(hierarchy, nest, options, weakened);
    nest.add_values(hierarchy, criterion::observed_values(criteria)?);
    let goals = criterion::goals(criteria, &nest.maps)?;
    let mut cluster = nest.cluster(hierarchy, class.clone(), *mockable);
    if let Ok(cluster) = &mut cluster {
        let new = seeds.constants.difference(&nest.constants);
        cluster.constants.own_tests = pools::values(new);
        cluster.note_calls_of_tests(&seeds.called);
    }
    Ok(Examined { cluster, goals, nest })
}
