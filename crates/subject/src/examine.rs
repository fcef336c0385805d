//! Cluster, goals and instrumented nest of a class.

use bytecode::analysis::AnalysisOptions;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use coverage::criterion::{self, CoverageError};
use coverage::goal::GoalSet;
use testcase::cluster::TestCluster;
use testcase::cluster::build::ClusterError;

use crate::nest::{Nest, Weakened};

/// What is to be known of code.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Criteria, those among them that only guide.
    pub criteria: Vec<String>,
    /// What is needed besides, of an algorithm or a selection of goals.
    pub analysis: AnalysisOptions,
}

impl Asked {
    /// For these criteria alone.
    pub fn criteria(criteria: &[String]) -> Self {
        Self { criteria: criteria.to_vec(), analysis: AnalysisOptions::default() }
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
    let Asked { criteria, analysis } = asked;
    let options = criterion::needs(criteria)?.union(*analysis);
    let mut nest = Nest::read_weakened(hierarchy, nest, options, weakened);
    nest.add_values(hierarchy, criterion::observed_values(criteria)?);
    let goals = criterion::goals(criteria, &nest.maps)?;
    let cluster = nest.cluster(hierarchy, class.clone());
    Ok(Examined { cluster, goals, nest })
}
