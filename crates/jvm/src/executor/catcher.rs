//! The exception that ended a run: who made it, whether it is a goal, and where it came from.

use bytecode::name::ClassName;
use bytecode::probe_map::ProbeId;
use testcase::cluster::TestCluster;
use testcase::execution::{SeenException, StackFrame, ThrowOrigin};
use testcase::statement::Statement;

use super::SPARE_REFERENCES;
use crate::boot::Jvm;
use crate::exceptions::Exceptions;
use crate::jni::{Env, Global, Ref};
use crate::stack::{FRAME_REFERENCES, StackReader};
use crate::thrown::{Judge, Verdict};

/// Takes exceptions that statements let through.
#[derive(Debug)]
pub(super) struct Catcher {
    judge: Judge,
    /// The class in which tests run: its frames are no frames of the exception.
    test_class: ClassName,
    seen: Exceptions,
    /// Probe of the exception that ended the last run.
    probe: Option<ProbeId>,
    /// Made when a stack trace is first asked for.
    stacks: Option<StackReader>,
    /// Where the stack trace of the run goes, while one is asked for.
    frames: Option<Vec<StackFrame>>,
}

impl Catcher {
    /// For tests of this cluster in the class of this name, which is this one if it could be had.
    pub(super) fn new(name: ClassName, test_class: Option<Global>, cluster: &TestCluster) -> Self {
        let packages = cluster.goal_classes.iter().map(|class| class.package().to_owned()).collect();
        Self {
            judge: Judge::new(test_class, packages),
            test_class: name,
            seen: Exceptions::default(),
            probe: None,
            stacks: None,
            frames: None,
        }
    }

    /// Watches for exceptions from now on; `known` were seen before, and the code has that many probes.
    pub(super) fn watch(&mut self, probes: usize, known: Vec<SeenException>) {
        self.seen.watch(probes, known);
    }

    /// Nobody asks for these exceptions.
    pub(super) fn settle(&mut self, settled: Vec<SeenException>) {
        self.seen.settle(settled);
    }

    /// All exceptions seen, in the order in which they were first seen.
    pub(super) fn seen(&self) -> &[SeenException] {
        self.seen.seen()
    }

    /// Whether the next run is to keep the frames of its exception.
    pub(super) fn ask_for_frames(&mut self, env: Env<'_>, is_asked: bool) {
        if is_asked && self.stacks.is_none() {
            self.stacks = env.frame(SPARE_REFERENCES, |env| StackReader::find(env).ok());
            env.clear();
        }
        self.frames = is_asked.then(Vec::new);
    }

    /// The frames of the exception of the last run, if they were asked for.
    pub(super) fn take_frames(&mut self) -> Vec<StackFrame> {
        self.frames.take().unwrap_or_default()
    }

    /// A test begins: nothing was thrown yet.
    pub(super) fn begin(&mut self) {
        self.probe = None;
    }

    /// Probe of the exception that ended the last run.
    pub(super) fn probe(&self) -> Option<ProbeId> {
        self.probe
    }

    /// Reads the stack trace of an exception if one is asked for, down to the test. What cannot be read is missing.
    pub(super) fn read_frames(&mut self, env: Env<'_>, exception: Ref<'_>) {
        let (Some(frames), Some(stacks)) = (&mut self.frames, &self.stacks) else { return };
        *frames = env.frame(FRAME_REFERENCES, |env| stacks.read(env, exception)).unwrap_or_default();
        frames.retain(|frame| frame.class != self.test_class);
        env.clear();
    }

    /// Judges an exception that a statement of a test let through. Nothing may be pending.
    pub(super) fn judge(&mut self, jvm: &Jvm, env: Env<'_>, exception: Ref<'_>) -> Verdict {
        self.judge.judge(env, jvm.jdk, &jvm.runtime, exception)
    }

    /// Notes an exception that a statement let through, for who asks for exceptions.
    pub(super) fn note(
        &mut self,
        (jvm, env, cluster): (&Jvm, Env<'_>, &TestCluster),
        statement: &Statement,
        thrown: (Ref<'_>, &ClassName, ThrowOrigin),
    ) {
        self.probe = self.seen.note((env, jvm.jdk, cluster), statement, thrown);
    }
}
