//! The record of a class: the archive of what its islands found, what they spent, and what they have to tell each other.
//!
//! With a budget in time the record takes what an island says at once and hands a new test on to the islands that lack a goal
//! of it. With a budget in executions it takes nothing until all islands that still search have come to the exchange; then it
//! takes what each said, in the order of the islands, and answers all of them. So whatever the islands are told depends on
//! nothing but what they did, and not on which of them was faster.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use coverage::goal::GoalId;
use coverage::selection::is_pursued;
use output::asserted_test::AssertedTest;
use processes::supervisor::{Line, Loss, Losses};
use search::archive::{Archive, ArchivedTest};
use search::event::{Progress, Timeline};
use search::local_search::tools::AppliedTool;
use search::open_goals::OpenGoal;
use subject::Subject;
use testcase::execution::SeenException;

use super::island::{Island, News, State};
use crate::job::{ClassMessage, Collected, Exchange, FoundSuite};
use crate::json::SymbolicReport;
use crate::statistics::Found;

/// What searching took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// Executions.
    pub executions: u64,
    /// Statements that these executed.
    pub statements: u64,
    /// Evaluations of fitness.
    pub evaluations: u64,
    /// Generations.
    pub generations: u64,
}

impl std::ops::Add for Spent {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            executions: self.executions + other.executions,
            statements: self.statements + other.statements,
            evaluations: self.evaluations + other.evaluations,
            generations: self.generations + other.generations,
        }
    }
}

/// What the record tells of a search afterwards.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// How coverage grew; times since the class path was known.
    pub timeline: Timeline,
    /// When the search covered each goal first.
    pub found: BTreeMap<GoalId, Found>,
    /// When the first worker began to search.
    pub search_start: Option<Duration>,
    /// What the user should know.
    pub diagnostics: Vec<String>,
    /// What is open in the sandbox.
    pub warnings: Vec<String>,
}

/// How islands exchange tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// As they come.
    AsTheyCome,
    /// When all have made so many further executions.
    InStep(u64),
}

/// The record of a class.
pub(super) struct Record<'a> {
    subject: &'a Subject,
    pace: Pace,
    /// The archive of record.
    pub archive: Archive,
    /// Goals that are the search's alone.
    pursued: BTreeSet<GoalId>,
    /// The island whose test each goal has.
    holders: BTreeMap<GoalId, usize>,
    islands: Vec<Island>,
    /// What is told afterwards.
    pub told: Told,
    /// Exchanges so far, where they are made in step.
    exchanges: u64,
    /// The latest moment of the timeline.
    latest: Duration,
    /// Whether islands that only search are to let others go first.
    pub gives_way: bool,
    /// Whether nothing that an island could still find is wanted.
    pub is_closed: bool,
}

impl<'a> Record<'a> {
    /// Before the first worker of so many islands, at least one.
    pub(super) fn new(subject: &'a Subject, islands: usize, pace: Pace, asked: &[String]) -> Self {
        let all = subject.goals();
        let goals = all.len();
        let pursued = all.ids().filter(|id| is_pursued(all.goal(*id), asked)).collect();
        Self {
            subject,
            pace,
            archive: Archive::new(goals, false),
            pursued,
            holders: BTreeMap::new(),
            islands: (0..islands).map(|_| Island::new(goals)).collect(),
            told: Told::default(),
            exchanges: 0,
            latest: Duration::ZERO,
            gives_way: false,
            is_closed: false,
        }
    }

    /// Goals, but for those that are the search's alone.
    pub(super) fn goals(&self) -> usize {
        self.subject.goals().len() - self.pursued.len()
    }

    /// Those of them that are covered.
    pub(super) fn covered(&self) -> impl Iterator<Item = GoalId> {
        self.archive.covered().iter().copied().filter(|goal| !self.pursued.contains(goal))
    }

    /// What all islands have spent.
    pub(super) fn spent(&self) -> Spent {
        self.islands.iter().fold(Spent::default(), |sum, island| sum + island.spent)
    }

    /// Executions of each island, and goals that it was the first to cover.
    pub(super) fn shares(&self) -> Vec<(u64, usize)> {
        self.islands.iter().map(|island| (island.spent.executions, island.covered_first)).collect()
    }

    /// What local search did on all islands.
    pub(super) fn local_search(&self) -> Vec<AppliedTool> {
        self.islands.iter().fold(Vec::new(), |sum, island| AppliedTool::together(&sum, &island.tools))
    }

    /// What came of symbolic execution on all islands; `None` where it was not applied.
    pub(super) fn symbolic(&self) -> Option<SymbolicReport> {
        let reports = self.islands.iter().filter_map(|island| island.symbolic.clone());
        reports.fold(None, |mut sum, report| {
            SymbolicReport::add(&mut sum, report);
            sum
        })
    }

    /// An island by its number.
    pub(super) fn island(&self, island: usize) -> &Island {
        &self.islands[island]
    }

    /// What the next worker of an island is to know of exchanges, after so many executions of its budget.
    pub(super) fn exchange(&self, used: u64) -> Exchange {
        match self.pace {
            _ if self.islands.len() == 1 => Exchange::Never,
            Pace::AsTheyCome => Exchange::AsTheyCome,
            Pace::InStep(every) => {
                let next = (self.exchanges + 1).saturating_mul(every).saturating_sub(used).max(1);
                Exchange::InStep { next, every }
            }
        }
    }

    /// An island is to have a worker: what the one before it was sent, and had not run, is sent again.
    pub(super) fn begin(&mut self, island: usize) {
        let island = &mut self.islands[island];
        island.line = None;
        island.sent.clear();
        island.state = State::Searching;
    }

    /// An island has a worker. Where tests are handed on as they come, it gets those that came before it.
    pub(super) fn started(&mut self, island: usize, line: Line) {
        self.islands[island].line = Some(line);
        if self.pace == Pace::AsTheyCome {
            self.send_lacking(island);
        }
    }

    /// An island's worker has seen exceptions, in the order of its goals for them.
    pub(super) fn see(&mut self, island: usize, seen: Vec<SeenException>, now: Duration) {
        let count = self.islands[island].see(seen);
        self.take(island, News::Exceptions(count), now);
    }

    /// Takes what an island says, now or at the next exchange.
    pub(super) fn take(&mut self, island: usize, news: News, now: Duration) {
        let own = &mut self.islands[island].own;
        match &news {
            News::Archived { goals, test, .. } => own.record(goals, Arc::clone(test)),
            News::Uncovered { goals, .. } => own.forget(goals),
            News::Exceptions(_)
            | News::Progress(_)
            | News::LocalSearch(_)
            | News::Symbolic(_)
            | News::Diagnostic(_) => {}
        }
        match self.pace {
            Pace::InStep(_) if self.islands.len() > 1 => self.islands[island].pending.push((news, now)),
            Pace::InStep(_) | Pace::AsTheyCome => self.apply(island, news, now),
        }
    }

    /// Takes all that islands have said.
    pub(super) fn take_pending(&mut self) {
        for island in 0..self.islands.len() {
            for (news, then) in std::mem::take(&mut self.islands[island].pending) {
                self.apply(island, news, then);
            }
        }
    }

    fn apply(&mut self, number: usize, news: News, now: Duration) {
        let island = &mut self.islands[number];
        match news {
            News::Exceptions(count) => self.learn(number, count),
            News::Archived { goals, test, spent } => {
                island.spent = spent;
                let goals = island.all_in_record(&goals);
                self.archived(number, &goals, &test, now);
            }
            News::Uncovered { goals, spent } => {
                island.spent = spent;
                let goals = island.all_in_record(&goals);
                island.archive.forget(&goals);
                self.uncovered(number, &goals);
                self.mark(now);
            }
            News::Progress(spent) => {
                island.spent = spent;
                self.mark(now);
            }
            News::LocalSearch(tools) => island.tools = tools,
            News::Symbolic(report) => island.symbolic = Some(*report),
            News::Diagnostic(sentence) => self.diagnose(sentence),
        }
    }

    /// Gives exceptions that an island has seen their goals in the record.
    fn learn(&mut self, number: usize, count: usize) {
        let seen = self.islands[number].unknown(count).to_vec();
        let known = self.subject.exceptions();
        let new: Vec<SeenException> = seen.iter().filter(|seen| !known.contains(seen)).cloned().collect();
        if !new.is_empty() {
            self.subject.add_exceptions(new);
        }
        let (all, goals) = (self.subject.exceptions(), self.subject.goals().len());
        let fixed = goals - all.len();
        let goal_of = |seen: &SeenException| all.iter().position(|known| known == seen);
        let ids = seen.iter().filter_map(goal_of).map(|position| GoalId((fixed + position) as u32));
        self.islands[number].learn(ids);
        self.archive.grow(goals);
        self.islands.iter_mut().for_each(|island| island.archive.grow(goals));
    }

    /// A test entered the archive of an island for these goals.
    fn archived(&mut self, number: usize, goals: &[GoalId], test: &Arc<ArchivedTest>, now: Duration) {
        self.islands[number].archive.record(goals, Arc::clone(test));
        let Self { archive, holders, .. } = self;
        let is_taken = |goal: &GoalId| {
            let is_own = holders.get(goal).is_none_or(|holder| *holder == number);
            is_own || archive.test(*goal).is_none_or(|kept| test.is_better_than(kept))
        };
        let taken: Vec<GoalId> = goals.iter().copied().filter(is_taken).collect();
        holders.extend(taken.iter().map(|&goal| (goal, number)));
        archive.record(&taken, Arc::clone(test));
        if !archive.newly_covered().is_empty() {
            self.islands[number].covered_first += archive.newly_covered().len();
            let found = Found { executions: self.spent().executions, elapsed: now };
            for &goal in self.archive.newly_covered() {
                self.told.found.entry(goal).or_insert(found);
            }
            self.mark(now);
        }
        if self.pace == Pace::AsTheyCome {
            self.hand_on(number, goals, test);
        }
    }

    /// An island covers goals no more: the record has a test of the first island that does, if any does.
    fn uncovered(&mut self, number: usize, goals: &[GoalId]) {
        for &goal in goals {
            if self.holders.get(&goal) != Some(&number) {
                continue;
            }
            self.archive.forget(&[goal]);
            self.holders.remove(&goal);
            let mut others = self.islands.iter().enumerate();
            let other =
                others.find_map(|(other, island)| Some((other, Arc::clone(island.archive.test(goal)?))));
            if let Some((other, test)) = other {
                self.archive.record(&[goal], test);
                self.holders.insert(goal, other);
            }
        }
    }

    /// Sends a test to the islands that lack one of these goals.
    fn hand_on(&mut self, from: usize, goals: &[GoalId], test: &ArchivedTest) {
        for (number, island) in self.islands.iter_mut().enumerate() {
            let Some(line) = island.line.as_ref().filter(|_| number != from) else { continue };
            let is_wanted =
                |goal: &GoalId| island.archive.test(*goal).is_none() && !island.sent.contains(goal);
            if goals.iter().any(is_wanted) {
                island.sent.extend(goals);
                tell(line, &ClassMessage::Tests(vec![test.test.clone()]));
            }
        }
    }

    /// Sends an island the tests of the record for goals that it lacks.
    fn send_lacking(&mut self, number: usize) {
        let tests = self.archive.tests();
        let island = &mut self.islands[number];
        let mut lacking = Vec::new();
        for (test, goals) in tests {
            if goals.iter().any(|&goal| island.lacks(goal) && !island.sent.contains(&goal)) {
                island.sent.extend(goals);
                lacking.push(test.test.clone());
            }
        }
        let is_awaited = island.state == State::Waiting;
        if let Some(line) = island.line.as_ref().filter(|_| is_awaited || !lacking.is_empty()) {
            tell(line, &ClassMessage::Tests(lacking));
        }
    }

    /// An island has come so far.
    pub(super) fn reach(&mut self, number: usize, state: State) {
        self.islands[number].state = state;
        self.go_on();
    }

    /// Answers the islands that wait, if it is time to.
    fn go_on(&mut self) {
        if self.pace == Pace::AsTheyCome {
            return self.answer_collecting();
        }
        if self.islands.iter().any(|island| island.state == State::Searching) {
            return;
        }
        self.take_pending();
        for island in &mut self.islands {
            island.losses_told = island.losses;
        }
        let is_waiting = |island: &Island| island.state == State::Waiting;
        if !self.islands.iter().any(is_waiting) {
            return self.answer_collecting();
        }
        self.exchanges += 1;
        for number in 0..self.islands.len() {
            if is_waiting(&self.islands[number]) {
                self.send_lacking(number);
                self.islands[number].state = State::Searching;
            }
        }
    }

    fn answer_collecting(&mut self) {
        for number in 0..self.islands.len() {
            if self.islands[number].state == State::Collecting {
                self.islands[number].state = match self.pace {
                    Pace::AsTheyCome => State::Searching,
                    Pace::InStep(_) => State::Over,
                };
                let collected = self.collect(number);
                if let Some(line) = &self.islands[number].line {
                    tell(line, &ClassMessage::Collected(collected));
                }
            }
        }
    }

    /// What the record has and an island lacks, by the island's numbers; it knows all exceptions from now on.
    fn collect(&mut self, number: usize) -> Collected {
        let all = self.subject.exceptions();
        let island = &mut self.islands[number];
        let before = island.seen.len();
        let count = island.see(all);
        self.learn(number, count);
        let island = &self.islands[number];
        let lacking = |(test, goals): (Arc<ArchivedTest>, Vec<GoalId>)| {
            let goals = island.all_in_island(goals.iter().filter(|&&goal| island.lacks(goal)));
            (!goals.is_empty()).then(|| (test.as_ref().clone(), goals))
        };
        Collected {
            exceptions: island.seen[before..].to_vec(),
            archive: self.archive.tests().into_iter().filter_map(lacking).collect(),
        }
    }

    /// A worker of an island was lost.
    pub(super) fn lose(&mut self, number: usize, loss: Loss) {
        let island = &mut self.islands[number];
        island.line = None;
        island.losses.count(loss);
        if self.pace == Pace::AsTheyCome {
            island.losses_told = island.losses;
        }
    }

    /// Workers that the other islands have lost, as an island may know it.
    pub(super) fn lost_elsewhere(&self, number: usize) -> Losses {
        let others = self.islands.iter().enumerate().filter(|&(other, _)| other != number);
        others.fold(Losses::default(), |sum, (_, island)| Losses {
            deaths: sum.deaths + island.losses_told.deaths,
            replaced: sum.replaced + island.losses_told.replaced,
        })
    }

    /// Notes a sentence for the user, once.
    pub(super) fn diagnose(&mut self, sentence: String) {
        if !self.told.diagnostics.contains(&sentence) {
            self.told.diagnostics.push(sentence);
        }
    }

    /// Puts a point on the timeline.
    fn mark(&mut self, now: Duration) {
        self.latest = self.latest.max(now);
        let spent = self.spent();
        self.told.timeline.record(Progress {
            executions: spent.executions,
            statements: spent.statements,
            evaluations: spent.evaluations,
            covered: self.covered().count(),
            total: self.goals(),
            generation: spent.generations,
            elapsed: self.latest,
        });
    }

    /// A suite that an island made, by the record's numbers.
    pub(super) fn suite_in_record(&self, number: usize, mut suite: FoundSuite) -> FoundSuite {
        let island = &self.islands[number];
        for AssertedTest { goals, kills, killed, .. } in &mut suite.tests {
            *goals = island.all_in_record(goals);
            *killed = island.all_in_record(killed);
            let known = |(goal, by): (GoalId, Vec<usize>)| Some((island.in_record(goal)?, by));
            *kills = std::mem::take(kills).into_iter().filter_map(known).collect();
            kills.sort_unstable_by_key(|(goal, _)| *goal);
        }
        suite.archived = island.all_in_record(&suite.archived);
        suite.pursued = island.all_in_record(&suite.pursued);
        for (_, goals) in &mut suite.dropped {
            *goals = island.all_in_record(goals);
        }
        suite
    }

    /// Reasons that an island gives for open goals, by the record's numbers.
    pub(super) fn open_in_record(&self, number: usize, open: Vec<OpenGoal>) -> Vec<OpenGoal> {
        let island = &self.islands[number];
        let known = |open: OpenGoal| {
            let behind = open.behind.and_then(|root| island.in_record(root));
            Some(OpenGoal { goal: island.in_record(open.goal)?, behind, ..open })
        };
        open.into_iter().filter_map(known).collect()
    }

    /// Goals of the record by an island's numbers, ascending.
    pub(super) fn in_island(&self, number: usize, goals: &BTreeSet<GoalId>) -> Vec<GoalId> {
        self.islands[number].all_in_island(goals)
    }
}

fn tell(line: &Line, message: &ClassMessage) {
    // Plain data: there is nothing that could fail.
    line.tell(postcard::to_stdvec(message).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use processes::message::ParentMessage;
    use search::archive::Penalty;
    use search::local_search::tools::Applied;
    use subject::Identity;
    use subject::examine::Asked;
    use subject::nest::Weakened;
    use testcase::cluster::TypeId;
    use testcase::execution::{ExceptionKind, Outcome};
    use testcase::statement::Statement;
    use testcase::test_case::TestCase;

    use super::*;

    fn subject() -> Subject {
        let source =
            "//- /p/A.java\npackage p;\npublic class A { public int f(int x) { return x > 0 ? 1 : 2; } }";
        let identity = Identity { class: "p/A".into(), test_class: "p/ATest".into(), source_level: 8 };
        let criteria = ["branch", "line", "exception"].map(str::to_owned);
        let hierarchy = fixture::compile(source).hierarchy().into();
        Subject::new(
            identity,
            hierarchy,
            &["p/A".into()],
            Asked::criteria(&criteria),
            Weakened::new(),
            &|_, _| BTreeSet::new(),
        )
        .unwrap()
    }

    fn seen(exception: &str) -> SeenException {
        let (class, method, exception) = ("p/A".into(), "f(I)I".into(), exception.into());
        SeenException { class, method, exception, kind: ExceptionKind::Explicit }
    }

    fn ids(goals: &[u32]) -> Vec<GoalId> {
        goals.iter().copied().map(GoalId).collect()
    }

    /// A record whose islands have workers that only hear.
    struct Heard<'a> {
        record: Record<'a>,
        lines: Vec<Receiver<ParentMessage>>,
    }

    impl<'a> Heard<'a> {
        fn new(subject: &'a Subject, islands: usize, pace: Pace) -> Self {
            let mut heard = Self { record: Record::new(subject, islands, pace, &[]), lines: Vec::new() };
            for island in 0..islands {
                let (line, end) = Line::new();
                heard.record.begin(island);
                heard.record.started(island, line);
                heard.lines.push(end);
            }
            heard
        }

        /// An island archives a test of that length.
        fn archive(&mut self, island: usize, goals: &[u32], length: usize) {
            let test = TestCase::new(vec![Statement::Null { of: TypeId(9) }; length]);
            let test = Arc::new(ArchivedTest::new(&test, Penalty::NONE, &Outcome::Passed));
            let spent = Spent { executions: 10, ..Spent::default() };
            self.record.take(island, News::Archived { goals: ids(goals), test, spent }, Duration::ZERO);
        }

        /// What an island was told since: the lengths of tests of each message, and those collected with their goals.
        fn told(&self, island: usize) -> Vec<String> {
            let message = |message| match message {
                ParentMessage::Payload(bytes) => match postcard::from_bytes(&bytes).unwrap() {
                    ClassMessage::Tests(tests) => {
                        format!("tests {:?}", tests.iter().map(TestCase::len).collect::<Vec<_>>())
                    }
                    ClassMessage::Collected(Collected { exceptions, archive }) => {
                        let archive = archive.iter().map(|(archived, goals)| {
                            (archived.test.len(), goals.iter().map(|goal| goal.0).collect::<Vec<_>>())
                        });
                        let names = exceptions.iter().map(|seen| seen.exception.as_str().to_owned());
                        let archive: Vec<_> = archive.collect();
                        format!("collected {archive:?} {}", names.collect::<String>())
                    }
                },
                other => format!("{other:?}"),
            };
            self.lines[island].try_iter().map(message).collect()
        }

        fn kept(&self) -> Vec<(usize, Vec<GoalId>)> {
            self.record.archive.tests().into_iter().map(|(kept, goals)| (kept.test.len(), goals)).collect()
        }
    }

    #[test]
    fn as_they_come_tests_go_to_islands_that_lack_a_goal_of_theirs() {
        let subject = subject();
        let mut heard = Heard::new(&subject, 3, Pace::AsTheyCome);
        heard.archive(0, &[0, 1], 5);
        heard.archive(1, &[1], 3);
        heard.archive(2, &[0, 1, 2], 4);
        assert_eq!(heard.told(0), ["tests [4]"]);
        assert_eq!(heard.told(1), ["tests [5]", "tests [4]"]);
        assert_eq!(heard.told(2), ["tests [5]"], "what the second found it was sent before");
        assert_eq!(heard.kept(), [(4, ids(&[0, 2])), (3, ids(&[1]))], "the shortest is kept");
        assert_eq!(heard.record.shares(), [(10, 2), (10, 0), (10, 1)]);
    }

    #[test]
    fn a_worker_that_takes_over_is_sent_what_it_lacks() {
        let subject = subject();
        let mut heard = Heard::new(&subject, 2, Pace::AsTheyCome);
        heard.archive(0, &[0], 5);
        heard.record.lose(1, Loss::Death);
        heard.archive(0, &[1], 6);
        let (line, end) = Line::new();
        heard.record.begin(1);
        heard.record.started(1, line);
        heard.lines[1] = end;
        assert_eq!(heard.told(1), ["tests [5, 6]"]);
        assert_eq!(heard.record.lost_elsewhere(0), Losses { deaths: 1, replaced: 0 });
        assert_eq!(heard.record.lost_elsewhere(1), Losses::default());
    }

    #[test]
    fn in_step_all_are_answered_when_the_last_has_come_whatever_the_order() {
        let subject = subject();
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let mut heard = Heard::new(&subject, 3, Pace::InStep(50));
            for island in order {
                assert_eq!(heard.told(island), Vec::<String>::new());
                heard.archive(island, &[island as u32, 3], 4 - island);
                heard.record.reach(island, State::Waiting);
            }
            let told = [0, 1, 2].map(|island| heard.told(island));
            assert_eq!(told, [vec!["tests [3, 2]"], vec!["tests [4, 2]"], vec!["tests [4, 3]"]]);
            assert_eq!(heard.record.shares(), [(10, 2), (10, 1), (10, 1)]);
            assert_eq!(heard.record.exchange(60), Exchange::InStep { next: 40, every: 50 });
        }
    }

    #[test]
    fn an_island_that_is_gone_stops_nobody() {
        let subject = subject();
        let mut heard = Heard::new(&subject, 3, Pace::InStep(50));
        heard.record.reach(0, State::Waiting);
        heard.record.lose(1, Loss::Death);
        heard.record.reach(2, State::Waiting);
        assert_eq!(heard.told(0), Vec::<String>::new(), "another worker may come");
        assert_eq!(heard.record.lost_elsewhere(0), Losses::default(), "it is told at the exchange");
        heard.record.reach(1, State::Over);
        assert_eq!([heard.told(0), heard.told(2)], [vec!["tests []"], vec!["tests []"]]);
        assert_eq!(heard.record.lost_elsewhere(0).deaths, 1);
        heard.record.reach(0, State::Collecting);
        heard.archive(2, &[1], 2);
        assert_eq!(heard.told(0), Vec::<String>::new(), "one still searches");
        heard.record.reach(2, State::Over);
        assert_eq!(heard.told(0), ["collected [(2, [1])] "]);
    }

    #[test]
    fn goals_of_exceptions_have_one_number_in_the_record_and_one_on_each_island() {
        let subject = subject();
        let fixed = subject.goals().len() as u32;
        let mut heard = Heard::new(&subject, 2, Pace::InStep(50));
        heard.record.see(1, vec![seen("F"), seen("E")], Duration::ZERO);
        heard.archive(1, &[fixed], 2);
        heard.record.see(0, vec![seen("E")], Duration::ZERO);
        heard.archive(0, &[fixed], 3);
        heard.record.reach(1, State::Over);
        heard.record.reach(0, State::Collecting);
        assert_eq!(subject.exceptions(), [seen("E"), seen("F")], "in the order of the islands");
        assert_eq!(heard.kept(), [(3, ids(&[fixed])), (2, ids(&[fixed + 1]))]);
        assert_eq!(heard.told(0), [format!("collected [(2, [{}])] F", fixed + 1)]);
        let second = heard.record.island(1);
        assert_eq!(second.all_in_record(&ids(&[0, fixed, fixed + 1])), ids(&[0, fixed, fixed + 1]));
        assert_eq!(second.in_record(GoalId(fixed)), Some(GoalId(fixed + 1)));
        assert_eq!(second.in_island(GoalId(fixed)), Some(GoalId(fixed + 1)));
    }

    #[test]
    fn what_local_search_did_on_each_island_is_added_up() {
        let subject = subject();
        let tool = |name: &str, tried| {
            let applied = Applied { tried, improved: 1, ..Applied::default() };
            AppliedTool { name: name.into(), applied }
        };
        let mut heard = Heard::new(&subject, 2, Pace::InStep(50));
        heard.record.take(
            1,
            News::LocalSearch(vec![tool("strings", 5), tool("integers", 2)]),
            Duration::ZERO,
        );
        heard.record.take(0, News::LocalSearch(vec![tool("integers", 1)]), Duration::ZERO);
        heard.record.take(0, News::LocalSearch(vec![tool("integers", 4)]), Duration::ZERO);
        assert_eq!(heard.record.local_search(), [], "it is told at the exchange");
        heard.record.take_pending();
        let told = heard.record.local_search();
        let told: Vec<_> =
            told.iter().map(|AppliedTool { name, applied }| (&**name, applied.tried)).collect();
        assert_eq!(
            told,
            [("integers", 6), ("strings", 5)],
            "the last word of an island is of all that it did"
        );
    }

    #[test]
    fn what_an_island_covers_no_more_another_may() {
        let subject = subject();
        let mut heard = Heard::new(&subject, 2, Pace::AsTheyCome);
        heard.archive(0, &[0, 1], 3);
        heard.archive(1, &[1], 5);
        let uncovered = News::Uncovered { goals: ids(&[0, 1]), spent: Spent::default() };
        heard.record.take(0, uncovered, Duration::ZERO);
        assert_eq!(heard.kept(), [(5, ids(&[1]))]);
    }
}
