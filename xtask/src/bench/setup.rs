//! A class made ready to be run: its test cluster, its goals, and a JVM with its nest instrumented.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use bytecode::analysis::AnalysisOptions;
use bytecode::class_path::ClassPath;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::ProbeMap;
use coverage::criterion;
use coverage::seen;
use jvm::executor::JvmExecutor;
use jvm::home::JavaHome;
use jvm::options::{Compilers, JvmOptions};
use jvm::shared::{SlotReader, SlotWriter};
use subject::nest::Nest;
use tempfile::TempDir;
use testcase::cluster::TestCluster;
use testcase::cluster::build::Mockable;

/// Which class, and where it is.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ClassOptions {
    /// Class path, with colons in between.
    #[arg(long = "cp", value_delimiter = ':')]
    pub(super) class_path: Vec<PathBuf>,
    /// Name of the class.
    #[arg(long)]
    pub(super) class: Option<String>,
    /// JDK that runs the tests. Default: `JAVA_HOME`, else the one on the path.
    #[arg(long)]
    pub(super) java_home: Option<PathBuf>,
    /// Steps that a test may take. Default: the executor's.
    #[arg(long)]
    pub(super) steps: Option<u32>,
    /// Steps of a brief run. Default: the executor's.
    #[arg(long)]
    pub(super) brief_steps: Option<u32>,
    /// Let both compilers of HotSpot run.
    #[arg(long)]
    pub(super) tiered: bool,
    /// Criteria whose goals there are, and which the code is instrumented for.
    #[arg(long = "criterion", value_delimiter = ',', default_value = "branch,line")]
    pub(super) criteria: Vec<String>,
}

impl ClassOptions {
    /// The options for a class, as words.
    pub(super) fn words_for(&self, class_path: &[PathBuf], class: &str) -> Vec<String> {
        let entries: Vec<String> = class_path.iter().map(|entry| entry.display().to_string()).collect();
        let mut words = vec!["--cp".to_owned(), entries.join(":"), "--class".to_owned(), class.to_owned()];
        let mut option = |name: &str, value: Option<String>| {
            words.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
        };
        option("--java-home", self.java_home.as_ref().map(|home| home.display().to_string()));
        option("--steps", self.steps.map(|steps| steps.to_string()));
        option("--brief-steps", self.brief_steps.map(|steps| steps.to_string()));
        words.extend(self.tiered.then(|| "--tiered".to_owned()));
        words.extend(["--criterion".to_owned(), self.criteria.join(",")]);
        words
    }

    fn jvm(&self, home: JavaHome, scratch: &TempDir) -> JvmOptions {
        let mut jvm = JvmOptions::new(home, self.class_path.clone(), scratch.path().to_owned());
        jvm.steps = self.steps.unwrap_or(jvm.steps);
        jvm.brief_steps = self.brief_steps.unwrap_or(jvm.brief_steps);
        if self.tiered {
            jvm.compilers = Compilers::Tiered;
        }
        jvm
    }
}

/// A class that can be run.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) cluster: Arc<TestCluster>,
    pub(super) maps: Vec<ProbeMap>,
    pub(super) executor: JvmExecutor,
    pub(super) probes: usize,
    pub(super) outcomes: usize,
    /// Kept for the life of the JVM.
    _scratch: TempDir,
    _slot: SlotReader,
}

impl Ready {
    /// Reads, instruments for the criteria and what is asked for `besides`, and starts the JVM, on this thread. Every test that runs is written to a slot first, as
    /// in a worker.
    ///
    /// # Errors
    /// The class is not there, cannot be tested, or the JVM does not start.
    pub(super) fn new(options: &ClassOptions, besides: AnalysisOptions) -> Result<Self> {
        let home = options.java_home.clone().unwrap_or_else(fixture::java_home);
        let home = JavaHome::find(&home)?;
        let class_path = ClassPath::open(home.path(), home.version(), &options.class_path)?;
        let hierarchy = ClassHierarchy::new(Arc::new(class_path));
        let class_under_test = ClassName::from_binary(options.class.as_deref().context("no --class")?);
        let analysis = criterion::needs(&options.criteria)?.union(besides);
        let mut nest = Nest::of(&hierarchy, &class_under_test, analysis);
        nest.add_values(&hierarchy, criterion::observed_values(&options.criteria)?);
        let cluster = nest.cluster(&hierarchy, class_under_test, Mockable::Nothing)?;
        let cluster = Arc::new(cluster);
        let scratch = tempfile::tempdir()?;
        let jvm = options.jvm(home, &scratch);
        let layout = ProbeLayout::new(&nest.maps, nest.ids);
        let (probes, outcomes) = (layout.probes(), layout.outcomes());
        let mut executor =
            JvmExecutor::start(&jvm, Arc::clone(&cluster), nest.classes, layout, nest.statics)?;
        let slot = SlotReader::create()?;
        executor.set_slot(SlotWriter::open(slot.file())?);
        if seen::is_asked_for(&options.criteria) {
            executor.watch_exceptions(Vec::new());
        }
        Ok(Self { cluster, maps: nest.maps, executor, probes, outcomes, _scratch: scratch, _slot: slot })
    }
}
