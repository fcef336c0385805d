//! Recorded runs: the classes of the class path are given probes that log before the first of them in a row, and lose
//! them before the next run of another kind. See `docs/design/recordings.md`.

use testcase::recording::Recording;

use super::health::Health;
use crate::boot::Jvm;
use crate::jni::{Env, Kind, Ref, jvalue};
use crate::recording::{Log, LoggedRun, read};

/// Has runs logged, and reads what they logged.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    /// Looked up with the first recorded run.
    log: Option<Log>,
    /// Whether this JVM checks the use of JNI.
    is_checked: bool,
    /// Whether the run is one that is asked for, and logged.
    is_on: bool,
    /// Number of events before each statement that began.
    first_events: Vec<usize>,
    /// What the last run logged.
    recording: Option<Box<Recording>>,
}

impl Recorder {
    /// For a JVM that checks the use of JNI, or does not.
    pub(super) fn new(is_checked: bool) -> Self {
        Self { is_checked, ..Self::default() }
    }

    /// Gives the classes probes that log, or takes these out again, if it is not as it is to be. Not to be called in a run.
    pub(super) fn ask_for(&mut self, jvm: &Jvm, health: &mut Health, is_asked: bool) {
        if jvm.transformer().is_logging() == is_asked {
            return;
        }
        let env = jvm.env();
        if is_asked && self.log.is_none() {
            self.log = Log::find(env).inspect_err(|_| env.clear()).ok();
        }
        jvm.transformer().set_logging(is_asked);
        // As many references as there are classes.
        env.frame(super::SPARE_REFERENCES, |env| redefine(jvm, env, health));
    }

    /// The next runs are those that are asked for and logged, if the classes log.
    pub(super) fn start(&mut self, jvm: &Jvm) {
        self.is_on = jvm.transformer().is_logging();
        self.recording = None;
    }

    /// The next runs are not logged.
    pub(super) fn stop(&mut self) {
        self.is_on = false;
    }

    /// Whether the run is logged.
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// What the last run logged that was.
    pub(super) fn take(&mut self) -> Option<Box<Recording>> {
        self.recording.take()
    }

    /// A run begins. To be called when probes record for it.
    pub(super) fn begin(&mut self, env: Env<'_>) {
        if let (true, Some(log)) = (self.is_on, &self.log) {
            self.first_events.clear();
            if log.begin(env).is_err() {
                env.clear();
            }
        }
    }

    /// A statement of the run begins.
    pub(super) fn begin_statement(&mut self, env: Env<'_>) {
        if let (true, Some(log)) = (self.is_on, &self.log) {
            self.first_events.push(log.count(env));
        }
    }

    /// Reads what the run logged, with the values of the statements that completed and the exception that ended it. Probes
    /// record no more, nothing is pending, and the frame of the run is still there.
    pub(super) fn read(
        &mut self,
        jvm: &Jvm,
        env: Env<'_>,
        results: &[(jvalue, Option<Kind>)],
        exception: Option<Ref<'_>>,
    ) {
        let Some(log) = &self.log else { return };
        log.end(env);
        let first_events = &self.first_events;
        let run = LoggedRun { first_events, results, exception, is_checked: self.is_checked };
        self.recording = read(jvm, env, log, &run).ok().map(Box::new);
    }
}

/// Gives loaded classes the code that they are to have: all at once, since the JVM stops for it, and one by one where it
/// does not take them together.
fn redefine(jvm: &Jvm, env: Env<'_>, health: &mut Health) {
    let transformer = jvm.transformer();
    let loaded = jvm.agent.loaded_classes(env, jvm.jdk.loader.get());
    let changed = loaded.into_iter().filter_map(|(class, name)| {
        let bytes = transformer.to_redefine(&name);
        if bytes.is_none() {
            env.delete_local(class);
        }
        Some((class, name, bytes?))
    });
    let changed: Vec<_> = changed.collect();
    let together: Vec<_> = changed.iter().map(|(class, _, bytes)| (*class, &**bytes)).collect();
    let are_taken = jvm.agent.redefine_all(&together);
    for (class, name, bytes) in &changed {
        let is_taken = are_taken || jvm.agent.redefine(*class, bytes);
        transformer.note_redefined(name, is_taken);
        if !is_taken && !transformer.is_logging() {
            health.diagnose(format!("{} could not be given back its code", name.binary()));
            health.taint();
        }
    }
    env.clear();
}
