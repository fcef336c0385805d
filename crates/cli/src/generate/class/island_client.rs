//! The client of an island that only searches: it ends when the island that makes suites needs nothing more.

use processes::message::WorkerEvent;
use processes::supervisor::{Client, Death, Decision, Line, Loss, Losses};

use super::searcher::Searcher;
use crate::job::{ClassJob, Task};

/// An island that only searches.
pub(super) struct IslandClient<'a> {
    searcher: Searcher<'a>,
    /// Whether its worker was told to give way.
    gives_way: bool,
}

impl<'a> IslandClient<'a> {
    /// Before its first worker.
    pub(super) fn new(searcher: Searcher<'a>) -> Self {
        Self { searcher, gives_way: false }
    }

    /// Whether nothing that it could still find is wanted.
    fn is_over(&self) -> bool {
        let is_late = self.searcher.plan().is_some_and(|plan| self.searcher.now() >= plan.deadline());
        is_late || self.searcher.setup.interrupt.is_set() || self.searcher.record().is_closed
    }
}

impl Client for IslandClient<'_> {
    fn job(&mut self, restart: u32, is_last: bool) -> Option<Vec<u8>> {
        self.gives_way = false;
        self.searcher.tell_used_up();
        // The last worker of a class makes its suite, which is not for this island to do.
        let is_spent = self.searcher.executions_left() == Some(0);
        if is_last || is_spent || self.is_over() || self.searcher.has_no_calls() {
            return None;
        }
        let job = ClassJob { task: Task::Search, is_last: false, ..self.searcher.job(restart) };
        Some(job.encoded())
    }

    fn started(&mut self, line: Line) {
        self.searcher.record().started(self.searcher.setup.island, line);
    }

    fn lost_elsewhere(&self) -> Losses {
        self.searcher.lost_elsewhere()
    }

    fn event(&mut self, event: WorkerEvent) {
        // It is asked for nothing else.
        let _of_suites = self.searcher.take(event);
    }

    fn died(&mut self, death: &Death) -> Loss {
        self.searcher.died(death)
    }

    fn decide(&mut self) -> Decision {
        if self.searcher.is_refused() || self.is_over() {
            return Decision::Kill;
        }
        if !self.gives_way && self.searcher.record().gives_way {
            self.gives_way = true;
            return Decision::GiveWay;
        }
        Decision::GoOn
    }
}
