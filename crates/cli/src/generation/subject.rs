//! What is known of a class before anything is run: its test cluster, its instrumented nest, its goals.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytecode::analysis::{AnalysisOptions, fnv_1a};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use coverage::criteria::exception::add_exceptions;
use coverage::criterion;
use coverage::goal::GoalSet;
use coverage::selection::{GoalSelection, searched};
use jvm::nest::{Nest, Weakened};
use project::failure::Failure;
use project::targets::Target;
use search::algorithm::algorithm;
use testcase::cluster::TestCluster;
use testcase::cluster::build::ClusterError;
use testcase::execution::SeenException;

use crate::options::Options;
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
    /// Classes as a build sees them that compiles against the JDK itself.
    pub of_jdk: Arc<ClassHierarchy>,
    /// What tests may use.
    pub cluster: TestCluster,
    /// Criteria whose goals are searched for, those that only guide among them.
    pub criteria: Vec<String>,
    /// The nest, instrumented.
    pub nest: Nest,
    found: Mutex<Found>,
}

/// What becomes known while tests run: further goals, classes that the JVM refuses with probes.
#[derive(Debug)]
struct Found {
    goals: Arc<GoalSet>,
    exceptions: Vec<SeenException>,
    unwatched: BTreeSet<ClassName>,
}

impl Subject {
    /// Reads, analyses and instruments, with less in classes of which the JVM has refused more.
    ///
    /// # Errors
    /// The class cannot be tested.
    pub(super) fn new(prepared: &Prepared, target: &Target, weakened: Weakened) -> anyhow::Result<Self> {
        let source_level = prepared.source_level(target);
        let of_jdk = &prepared.project.hierarchy;
        let hierarchy = prepared.project.hierarchy_at(source_level)?;
        let asked = Asked::of(&prepared.options)?;
        let Examined { cluster, goals, nest } = examine_weakened(&hierarchy, target, &asked, weakened)?;
        Ok(Self {
            target: target.clone(),
            class_path: prepared.run_path.entries.clone(),
            source_level,
            cluster: cluster.map_err(|error| Failure::input(error.to_string()))?,
            hierarchy,
            of_jdk: Arc::clone(of_jdk),
            criteria: asked.criteria,
            nest,
            found: Mutex::new(Found {
                goals: Arc::new(goals),
                exceptions: Vec::new(),
                unwatched: BTreeSet::new(),
            }),
        })
    }

    /// The goals of the class and its nest, those of exceptions seen so far among them.
    pub(super) fn goals(&self) -> Arc<GoalSet> {
        Arc::clone(&self.found().goals)
    }

    /// Exceptions seen so far, in the order of their goals.
    pub(super) fn exceptions(&self) -> Vec<SeenException> {
        self.found().exceptions.clone()
    }

    /// Classes without goals that the JVM has refused with probes.
    pub(super) fn unwatched(&self) -> BTreeSet<ClassName> {
        self.found().unwatched.clone()
    }

    /// A class without goals is to stay as it is from now on.
    pub(super) fn leave_unwatched(&self, class: ClassName) {
        self.found().unwatched.insert(class);
    }

    /// Adds goals for exceptions that were seen for the first time.
    pub(super) fn add_exceptions(&self, seen: Vec<SeenException>) {
        let mut found = self.found();
        let known = found.exceptions.len();
        found.exceptions.extend(seen);
        let Found { goals, exceptions, .. } = &mut *found;
        add_exceptions(Arc::make_mut(goals), &self.nest.maps, exceptions, known, self.nest.layout().probes());
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stream of randomness of this class: its own in every run.
    pub(super) fn stream(&self) -> u64 {
        fnv_1a(self.target.class.as_str().as_bytes())
    }
}

/// What class files alone say of a class.
#[derive(Debug)]
pub(crate) struct Examined {
    /// What tests may use, or why there is nothing.
    pub(crate) cluster: Result<TestCluster, ClusterError>,
    /// The goals of the class and its nest.
    pub(crate) goals: GoalSet,
    /// The nest, instrumented.
    pub(crate) nest: Nest,
}

/// What is to be known of code.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Criteria, those among them that only guide.
    pub(crate) criteria: Vec<String>,
    /// What the algorithm needs besides.
    pub(crate) analysis: AnalysisOptions,
}

impl Asked {
    /// For these criteria alone.
    pub(crate) fn criteria(criteria: &[String]) -> Self {
        Self { criteria: criteria.to_vec(), analysis: AnalysisOptions::default() }
    }

    /// For a search with these options.
    ///
    /// # Errors
    /// The algorithm is not known.
    fn of(options: &Options) -> anyhow::Result<Self> {
        let row = algorithm(&options.algorithm)?;
        // The basic blocks of lines are told by their statements.
        let statements = options.goal_selection == GoalSelection::Smart;
        Ok(Self {
            criteria: searched(&options.criteria, row.follows_control),
            analysis: AnalysisOptions {
                blocks: row.needs_blocks(),
                statements,
                ..AnalysisOptions::default()
            },
        })
    }
}

/// Reads, analyses and instruments a class and its nest.
///
/// # Errors
/// A criterion is not known.
pub(crate) fn examine(
    hierarchy: &ClassHierarchy,
    target: &Target,
    asked: &Asked,
) -> anyhow::Result<Examined> {
    examine_weakened(hierarchy, target, asked, Weakened::new())
}

fn examine_weakened(
    hierarchy: &ClassHierarchy,
    target: &Target,
    asked: &Asked,
    weakened: Weakened,
) -> anyhow::Result<Examined> {
    let Asked { criteria, analysis } = asked;
    let options = criterion::needs(criteria)?.union(*analysis);
    let mut nest = Nest::read_weakened(hierarchy, &target.nest, options, weakened);
    nest.add_values(hierarchy, criterion::observed_values(criteria)?);
    let goals = criterion::goals(criteria, &nest.maps)?;
    let cluster = nest.cluster(hierarchy, target.class.clone());
    Ok(Examined { cluster, goals, nest })
}
