//! A class to be tested, and what becomes known of it while tests run.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytecode::analysis::fnv_1a;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use coverage::criterion::CoverageError;
use coverage::goal::{Goal, GoalId, GoalSet};
use coverage::seen::{add_goals, is_asked_for, settled_goals};
use testcase::cluster::TestCluster;
use testcase::cluster::build::ClusterError;
use testcase::execution::SeenException;
use thiserror::Error;

use crate::examine::{Asked, Examined, examine};
use crate::nest::{Nest, Weakened};
use crate::shelf::Shelf;

/// Why there is no subject.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SubjectError {
    /// A criterion is not known.
    #[error(transparent)]
    Criterion(#[from] CoverageError),
    /// The class cannot be tested.
    #[error(transparent)]
    Untestable(#[from] ClusterError),
}

/// A class and where its tests are to be.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The class.
    pub class: ClassName,
    /// The class with its tests.
    pub test_class: ClassName,
    /// Java source level of its tests.
    pub source_level: u16,
}

/// A class with all that is derived from class files.
#[derive(Debug)]
pub struct Subject {
    /// The class and its tests.
    pub identity: Identity,
    /// Classes as tests of that source level see them.
    pub hierarchy: Arc<ClassHierarchy>,
    /// What tests may use.
    pub cluster: Shelf<TestCluster>,
    /// Criteria whose goals are searched for, those that only guide among them.
    pub criteria: Vec<String>,
    /// The nest, instrumented.
    pub nest: Nest,
    /// Goals that are no aim, since the project's own tests cover them.
    pub settled: Settled,
    found: Mutex<Found>,
}

/// Goals of a class that are no aim.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settled {
    /// Their numbers among all goals that class files tell of.
    pub ids: BTreeSet<GoalId>,
    /// The goals, in this order, and behind them those of exceptions.
    pub goals: Vec<Goal>,
    /// Exceptions that are no aim.
    pub exceptions: Vec<SeenException>,
}

/// What becomes known while tests run: further goals, classes that the JVM refuses with probes.
#[derive(Debug)]
struct Found {
    goals: Arc<GoalSet>,
    exceptions: Vec<SeenException>,
    unwatched: BTreeSet<ClassName>,
}

impl Subject {
    /// Reads, analyses and instruments as [`examine`] does. The goals that `settled` names are no aim.
    ///
    /// # Errors
    /// A criterion is not known, or the class cannot be tested.
    pub fn new(
        identity: Identity,
        hierarchy: Arc<ClassHierarchy>,
        nest: &[ClassName],
        asked: Asked,
        weakened: Weakened,
        settled: &dyn Fn(&GoalSet, &Nest) -> BTreeSet<GoalId>,
    ) -> Result<Self, SubjectError> {
        let Examined { cluster, goals, nest } = examine(&hierarchy, &identity.class, nest, &asked, weakened)?;
        let ids = settled(&goals, &nest);
        let (goals, taken) = goals.without(&ids);
        let settled = Settled { ids, goals: taken, exceptions: Vec::new() };
        let (goals, exceptions, unwatched) = (Arc::new(goals), Vec::new(), BTreeSet::new());
        let found = Mutex::new(Found { goals, exceptions, unwatched });
        let cluster = Shelf::new(cluster?);
        Ok(Self { identity, cluster, hierarchy, criteria: asked.criteria, nest, settled, found })
    }

    /// Makes these exceptions no aim, if any were one. Only before tests run.
    pub fn settle_exceptions(&mut self, seen: Vec<SeenException>) {
        if is_asked_for(&self.criteria) {
            self.settled.goals.extend(settled_goals(&self.nest.maps, &seen));
            self.settled.exceptions.extend(seen);
        }
    }

    /// The goals of the class and its nest, those of exceptions seen so far among them.
    pub fn goals(&self) -> Arc<GoalSet> {
        Arc::clone(&self.found().goals)
    }

    /// Exceptions seen so far, in the order of their goals.
    pub fn exceptions(&self) -> Vec<SeenException> {
        self.found().exceptions.clone()
    }

    /// Classes without goals that the JVM has refused with probes.
    pub fn unwatched(&self) -> BTreeSet<ClassName> {
        self.found().unwatched.clone()
    }

    /// A class without goals is to stay as it is from now on.
    pub fn leave_unwatched(&self, class: ClassName) {
        self.found().unwatched.insert(class);
    }

    /// Adds goals for exceptions that were seen for the first time.
    pub fn add_exceptions(&self, seen: Vec<SeenException>) {
        let mut found = self.found();
        found.exceptions.extend(seen);
        let Found { goals, exceptions, .. } = &mut *found;
        add_goals(Arc::make_mut(goals), &self.nest.maps, exceptions, self.nest.layout().probes());
    }

    /// Stream of randomness of this class: its own in every run.
    pub fn stream(&self) -> u64 {
        fnv_1a(self.identity.class.as_str().as_bytes())
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
