//! What runs record: probes, values and class initializers, as far as anybody asks.

use std::sync::Arc;

use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::OutcomeId;
use testcase::execution::ExecutionTrace;

use super::health::Health;
use super::statistics::Statistics;
use crate::boot::Jvm;
use crate::carried::{CarriedPoints, Redefinition};
use crate::initializers::Initializers;
use crate::jni::Env;
use crate::mutants::{IdlePoints, PointChange};
use crate::resolve::GoalClassIndex;
use crate::runtime::Arrays;
use crate::trace_reader::TraceReader;
use crate::values::ValueRecorder;

/// The count of a mutation point that has nothing to record any more, `covolve.runtime.Mutant.DONE`.
const DONE: i32 = 2;

/// Reads what runs record, and has them record what is asked for.
#[derive(Debug)]
pub(super) struct Recording {
    reader: TraceReader,
    initializers: Initializers,
    values: ValueRecorder,
    /// Those of the outcomes that cost time which the last run was asked for; `None` for all.
    outcomes: Option<Arc<[OutcomeId]>>,
    idle_points: IdlePoints,
    carried: CarriedPoints,
    /// Of runs whose trace nobody asks for.
    unread: ExecutionTrace,
}

impl Recording {
    /// Probes of this layout record into these arrays; the classes carry these points.
    pub(super) fn new(arrays: Arrays, layout: ProbeLayout, carried: CarriedPoints) -> Self {
        Self {
            initializers: Initializers::new(&layout),
            values: ValueRecorder::default(),
            outcomes: None,
            idle_points: IdlePoints::default(),
            carried,
            unread: ExecutionTrace::new(layout.probes(), layout.outcomes()),
            reader: TraceReader::new(arrays, layout),
        }
    }

    /// What the probes mean.
    pub(super) fn layout(&self) -> &ProbeLayout {
        self.reader.layout()
    }

    /// Where statements put what is seen of values.
    pub(super) fn values(&mut self) -> &mut ValueRecorder {
        &mut self.values
    }

    /// Which outcomes the next run records of those that cost time.
    pub(super) fn ask_for(&mut self, outcomes: Option<&Arc<[OutcomeId]>>) {
        let is_same = match (&self.outcomes, outcomes) {
            (None, None) => true,
            (Some(last), Some(outcomes)) => Arc::ptr_eq(last, outcomes),
            (None, Some(_)) | (Some(_), None) => false,
        };
        if !is_same {
            self.idle_points.ask_for(self.reader.layout(), outcomes.map(|outcomes| &**outcomes));
            self.values.ask_for(outcomes);
            self.outcomes = outcomes.cloned();
        }
    }

    /// A run begins: nothing is seen of values yet.
    pub(super) fn begin(&mut self) {
        self.values.clear();
    }

    /// Mutation points that nobody asks about are as if the run that begins had infected all of theirs already. To be called
    /// when probes record for the run.
    pub(super) fn put_points_to_rest(
        &mut self,
        jvm: &Jvm,
        env: Env<'_>,
        statistics: &mut Statistics,
        health: &mut Health,
    ) {
        if let Some(PointChange { awake, idle }) = self.idle_points.change() {
            self.reader.set_counts(env, &awake, 0);
            self.reader.set_counts(env, &idle, DONE);
            self.carried.note_change();
        }
        statistics.runs += 1;
        // Classes that log carry no points; they get theirs before the next run of another kind, and others from then on.
        if jvm.transformer().is_logging() {
            return;
        }
        for redefinition in self.carried.redefinitions(statistics.runs, self.idle_points.idle()) {
            self.redefine(jvm, env, redefinition, (statistics, health));
        }
    }

    /// Gives a class the code with these points. Where the JVM does not take it, it stays as it is, and cannot be used any
    /// more if it lacks some.
    fn redefine(
        &mut self,
        jvm: &Jvm,
        env: Env<'_>,
        Redefinition { class, points, is_needed }: Redefinition,
        (statistics, health): (&mut Statistics, &mut Health),
    ) {
        let Some(bytes) = jvm.transformer().carry(&class, points) else { return };
        let Some(loaded) = jvm.agent.loaded_class(env, jvm.jdk.loader.get(), &class) else { return };
        let is_taken = jvm.agent.redefine(loaded, &bytes);
        env.delete_local(loaded);
        statistics.redefinitions += u64::from(is_taken);
        if !is_taken {
            health.diagnose(format!("{} could not be exchanged for a faster version", class.binary()));
            self.carried.give_up(&class);
            if is_needed {
                health.taint();
            }
        }
    }

    /// Keeps what the initializer of a class recorded, which has just run.
    pub(super) fn keep_initializer(&mut self, env: Env<'_>, class: GoalClassIndex) {
        self.discard(env);
        self.initializers.keep(class, &self.unread, self.reader.layout());
    }

    /// Reads the trace of a run that nobody asks about.
    pub(super) fn discard(&mut self, env: Env<'_>) {
        self.unread.clear();
        self.reader.read(env, &mut self.unread);
    }

    /// Reads the trace of the last run, without what the initializers of classes cover.
    pub(super) fn read_alone(&mut self, env: Env<'_>) -> ExecutionTrace {
        let mut trace = ExecutionTrace::new(self.layout().probes(), self.layout().outcomes());
        self.reader.read(env, &mut trace);
        trace
    }

    /// Reads the trace of the last run, with what the initializers of the classes in use cover. `used` are those of the calls
    /// of the test itself.
    pub(super) fn read(
        &mut self,
        env: Env<'_>,
        used: impl Iterator<Item = Option<GoalClassIndex>>,
        trace: &mut ExecutionTrace,
    ) {
        self.reader.read(env, trace);
        self.values.take(trace);
        self.initializers.begin();
        used.for_each(|class| self.initializers.note(class));
        self.initializers.add_to(trace, self.reader.layout());
    }
}
