//! What is known of a class before anything is run: its test cluster, its instrumented nest, its goals.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use bytecode::analysis::fnv_1a;
use bytecode::class_path::ClassPath;
use bytecode::hierarchy::ClassHierarchy;
use coverage::criterion;
use coverage::goal::GoalSet;
use jvm::nest::Nest;
use testcase::cluster::TestCluster;
use testcase::cluster::build::ClusterError;

use crate::failure::Failure;
use crate::project::jdk::Jdk;
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
    pub nest: Nest,
}

impl Subject {
    /// Reads, analyses and instruments.
    ///
    /// # Errors
    /// The class cannot be tested.
    pub(super) fn new(
        prepared: &Prepared,
        target: &Target,
        hierarchies: &Hierarchies,
    ) -> anyhow::Result<Self> {
        let source_level = prepared.source_level(target);
        let of_jdk = &prepared.hierarchy;
        let hierarchy = hierarchies.at(&prepared.jdk, &prepared.class_path, of_jdk, source_level)?;
        let Examined { cluster, goals, nest } = examine(&hierarchy, target, &prepared.options.criteria)?;
        Ok(Self {
            target: target.clone(),
            class_path: prepared.class_path.clone(),
            source_level,
            cluster: cluster.map_err(|error| Failure::input(error.to_string()))?,
            hierarchy,
            goals,
            nest,
        })
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

/// Reads, analyses and instruments a class and its nest, for the criteria named.
///
/// # Errors
/// A criterion is not known.
pub(crate) fn examine(
    hierarchy: &ClassHierarchy,
    target: &Target,
    criteria: &[String],
) -> anyhow::Result<Examined> {
    let nest = Nest::read(hierarchy, &target.nest, criterion::needs(criteria)?);
    let goals = criterion::goals(criteria, &nest.maps)?;
    let cluster = nest.cluster(hierarchy, target.class.clone());
    Ok(Examined { cluster, goals, nest })
}

/// The classes as source code of some level sees them: with the JDK's own of that time. Opened once per level, since
/// opening reads folders and jars, and the subtypes of a class are found by reading the heads of all.
#[derive(Debug, Default)]
pub(crate) struct Hierarchies(Mutex<BTreeMap<u16, Arc<ClassHierarchy>>>);

impl Hierarchies {
    /// The classes of a class path at a source level; `of_jdk` are those at the level of the JDK.
    pub(crate) fn at(
        &self,
        jdk: &Jdk,
        class_path: &[PathBuf],
        of_jdk: &Arc<ClassHierarchy>,
        source_level: u16,
    ) -> anyhow::Result<Arc<ClassHierarchy>> {
        if source_level >= jdk.version {
            return Ok(Arc::clone(of_jdk));
        }
        // Held while one is opened: others that want the same wait for it instead of opening it as well.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hierarchy) = known.get(&source_level) {
            return Ok(Arc::clone(hierarchy));
        }
        let class_path = ClassPath::open(&jdk.home, jdk.version, class_path)
            .and_then(|class_path| class_path.with_release(&jdk.home, source_level))
            .context("the JDK's record of earlier releases cannot be read")?;
        let hierarchy = Arc::new(ClassHierarchy::new(Arc::new(class_path)));
        known.insert(source_level, Arc::clone(&hierarchy));
        Ok(hierarchy)
    }
}
