//! Conditions to negate, the best first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::hash::{BuildHasher, Hash};

use bytecode::name::ClassName;
use foldhash::fast::FixedState;
use search::local_search::test_search::OpenOutcome;
use testcase::test_case::TestCase;

use crate::dse::ExplorationOptions;
use crate::interpreter::{PathCondition, Site, Way};
use crate::term::{InputId, Plan, TermId, Terms};
use crate::test_replay::{Inputs, TestCondition};

/// A test that was replayed.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) test: TestCase,
    pub(super) conditions: Vec<TestCondition>,
    pub(super) inputs: Inputs,
    /// The conditions that may be negated.
    chosen: Vec<usize>,
    /// For each condition up to the last of these its inputs.
    used: Vec<Vec<InputId>>,
    /// For each of these the number of operators of those with which it shares inputs, directly or through others before it.
    sizes: Vec<u64>,
    /// For each condition a hash of the path that goes its way, and of the one that goes the other.
    hashes: Vec<(u64, u64)>,
    /// For each condition a hash of its branch, of how often it was met before, and of the way that was taken, and of the other
    /// way, where there is one other.
    turns: Vec<(u64, Option<u64>)>,
    /// How advanced it is: that of the path from which it comes, or more than all before it, where it came nearer to the goal or a
    /// branch went a way that it had never gone.
    advance: u32,
}

/// A condition to negate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) path: usize,
    pub(super) condition: usize,
}

/// What is left to negate.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub(super) paths: Vec<Path>,
    /// Each with the key that it had when it was looked at last. Keys never get smaller: what is covered stays covered, and a
    /// turn that was taken or asked for remains so.
    open: BinaryHeap<Reverse<(Key, Candidate)>>,
    /// Of each branch that was asked about, the outcomes that are open.
    branches: BTreeMap<Site, Vec<u16>>,
    /// The number of open outcomes for which these hold.
    known: usize,
    /// Hashes of paths that were run or asked for.
    tried: BTreeSet<u64>,
    /// Turns that a path took.
    turns: BTreeSet<u64>,
    /// Branches with ways that a path took.
    ways: BTreeSet<(Site, Way)>,
    /// That of the most advanced path.
    most_advanced: u32,
    /// How often each turn was asked for.
    asked: BTreeMap<u64, u32>,
}

/// By what candidates are compared: rank, how advanced the path is (the most advanced first: a way that leads on is followed to its
/// end), then the number of operators that the solver is given.
type Key = (u8, Reverse<u32>, u64);

/// How many times as many conditions as are chosen of each code are looked at.
const MOST_PREFIX: usize = 8;

/// How often a turn that no path takes is asked for before it is as good as any other.
const MOST_ASKED: u32 = 4;

/// Times that a branch was met which are told apart.
const MOST_MET: u32 = 100;

/// An outcome of a branch, by number.
fn outcome_of(site: &Site, outcome: u16) -> OpenOutcome {
    let method = &site.method;
    OpenOutcome {
        class: method.class.clone(),
        method: format!("{}{}", method.name, method.descriptor).into(),
        instruction: site.instruction,
        outcome,
    }
}

/// What is known of goals when a condition is chosen.
#[derive(Debug)]
pub(super) struct Goals<'g> {
    /// Grows smaller only, as long as there is one pool.
    pub(super) open: &'g BTreeSet<OpenOutcome>,
    /// The classes with goals.
    pub(super) classes: &'g [ClassName],
}

impl Goals<'_> {
    /// The open outcomes of a branch, in order.
    fn open_at(&self, site: &Site) -> Vec<u16> {
        let (first, last) = (outcome_of(site, 0), outcome_of(site, u16::MAX));
        self.open.range(first..=last).map(|it| it.outcome).collect()
    }

    /// How far down a condition comes: 0 if its negation leads to an open outcome, 1 if it leads to a turn that no path took (the
    /// way to what is open may be a loop whose branches are all covered), 2 if nothing is known of it or it leads to an exception
    /// that no path had, 3 if what it leads to is covered, 4 if it is about an exception that was seen or a value that had to be
    /// what it was.
    fn rank(&self, condition: &PathCondition, open: &[u16], is_new: bool) -> u8 {
        if matches!(condition.way, Way::Completed | Way::Threw | Way::Pinned) {
            return if is_new { 2 } else { 4 };
        }
        let rest = if is_new { 1 } else { 2 };
        let Some(outcomes) = condition.outcomes else { return rest };
        match outcomes.other {
            Some(other) if other != outcomes.taken && open.contains(&other) => 0,
            // A case leads to any of the others.
            None if !open.is_empty() => 0,
            _ if !is_new && self.classes.contains(&condition.site.method.class) => 3,
            _ => rest,
        }
    }
}

impl Path {
    /// A path none of whose conditions may be negated.
    pub(super) fn new(
        test: TestCase,
        conditions: Vec<TestCondition>,
        inputs: Inputs,
        terms: &mut Terms,
    ) -> Self {
        let mut hashes = Vec::with_capacity(conditions.len());
        let calls = calls_of(&test, &conditions);
        let turns = turns(&conditions, &calls);
        let mut hash = 0;
        for (TestCondition { condition, .. }, call) in conditions.iter().zip(calls) {
            hash = hashed(&(hash, &condition.site, call));
            let other = terms.not(condition.term);
            hashes.push((hashed(&(hash, condition.term)), hashed(&(hash, other))));
            hash = hashed(&(hash, condition.way));
        }
        let (chosen, used, sizes) = (Vec::new(), Vec::new(), Vec::new());
        Self { test, conditions, inputs, chosen, used, sizes, hashes, turns, advance: 0 }
    }

    /// Chooses the conditions that may be negated: so many of the class path, the first ones, and as many of the platform's code.
    pub(super) fn choose(&mut self, most: usize, is_platform: impl Fn(&ClassName) -> bool, terms: &Terms) {
        let mut left = [most; 2];
        for (place, TestCondition { condition, .. }) in
            self.conditions.iter().enumerate().take(MOST_PREFIX * most)
        {
            let left = &mut left[usize::from(is_platform(&condition.site.method.class))];
            if *left > 0 {
                *left -= 1;
                self.chosen.push(place);
            }
        }
        let prefix = self.chosen.last().map_or(0, |last| last + 1);
        (self.used, self.sizes) = groups(&self.conditions[..prefix], terms);
    }

    /// The conditions that may be negated, by number.
    pub(super) fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    /// What a solver is asked to have a chosen condition go the other way: the conditions that the negated one has to go with, those
    /// before it that share inputs, in order, and behind them the negated one.
    pub(super) fn negation(&self, condition: usize, terms: &mut Terms) -> Vec<TermId> {
        let members = self.members(condition).into_iter();
        let mut conditions: Vec<TermId> =
            members.map(|other| self.conditions[other].condition.term).collect();
        conditions.push(terms.not(self.conditions[condition].condition.term));
        conditions
    }

    /// The numbers of the conditions that a negated one has to go with. They are found anew: to keep them for each condition takes the
    /// square of the length of the path.
    fn members(&self, condition: usize) -> Vec<usize> {
        let mut sharing = Sharing::default();
        for inputs in &self.used[..=condition] {
            sharing.join(inputs);
        }
        let Some(&input) = self.used[condition].first() else { return Vec::new() };
        let group = sharing.first(input);
        let mut is_member =
            |other: &usize| self.used[*other].first().is_some_and(|&it| sharing.first(it) == group);
        (0..condition).filter(|other| is_member(other)).collect()
    }
}

/// In which of the calls of a test each condition was met: statements move where literals are put between them, calls stay in
/// order.
fn calls_of(test: &TestCase, conditions: &[TestCondition]) -> Vec<usize> {
    let mut count = 0;
    let mut before = Vec::with_capacity(test.len());
    for statement in test.statements() {
        before.push(count);
        count += usize::from(statement.callable().is_some());
    }
    conditions.iter().map(|condition| before.get(condition.statement).copied().unwrap_or(count)).collect()
}

/// For each condition its turn, and the other one. A turn is a way of a branch, the number of times that it was met before in an
/// activation of its method, and that activation.
fn turns(conditions: &[TestCondition], calls: &[usize]) -> Vec<(u64, Option<u64>)> {
    let mut met: BTreeMap<u64, u32> = BTreeMap::new();
    let turn_of = |(TestCondition { condition, .. }, call): (&TestCondition, &usize)| {
        let place = hashed(&(call, condition.activation, &condition.site));
        let times = met.entry(place).or_insert(0);
        *times = (*times + 1).min(MOST_MET);
        let turn = |way: Way| hashed(&(place, *times, way));
        let other = match condition.way {
            Way::Jumped => Some(Way::FellThrough),
            Way::FellThrough => Some(Way::Jumped),
            Way::Completed => Some(Way::Threw),
            Way::Threw => Some(Way::Completed),
            Way::Case(_) | Way::Default | Way::Pinned => None,
        };
        (turn(condition.way), other.map(turn))
    };
    conditions.iter().zip(calls).map(turn_of).collect()
}

fn hashed(value: &impl Hash) -> u64 {
    FixedState::with_seed(0).hash_one(value)
}

/// Groups of inputs that conditions share, directly or through others: each input leads to another one of its group, or is the first.
#[derive(Debug, Default)]
struct Sharing {
    parents: BTreeMap<InputId, InputId>,
}

impl Sharing {
    fn first(&mut self, input: InputId) -> InputId {
        let mut first = input;
        while let Some(&parent) = self.parents.get(&first).filter(|&&parent| parent != first) {
            first = parent;
        }
        self.parents.insert(input, first);
        first
    }

    /// Puts inputs into one group; its first one, and those of the groups that were joined. `None` of no inputs.
    fn join(&mut self, inputs: &[InputId]) -> Option<(InputId, BTreeSet<InputId>)> {
        let firsts: BTreeSet<InputId> = inputs.iter().map(|&input| self.first(input)).collect();
        let &first = firsts.first()?;
        for &other in &firsts {
            self.parents.insert(other, first);
        }
        Some((first, firsts))
    }
}

/// For each condition its inputs, and the number of operators of its group: of those before it that share inputs with it, and its own.
fn groups(conditions: &[TestCondition], terms: &Terms) -> (Vec<Vec<InputId>>, Vec<u64>) {
    let mut sharing = Sharing::default();
    let mut of_groups: BTreeMap<InputId, u64> = BTreeMap::new();
    let (mut all, mut sizes) = (Vec::with_capacity(conditions.len()), Vec::with_capacity(conditions.len()));
    for TestCondition { condition, .. } in conditions {
        let plan = Plan::new(terms, &[condition.term]);
        let inputs: Vec<InputId> = plan.inputs().iter().map(|&(input, _, _)| input).collect();
        let mut size = u64::from(terms.size(condition.term));
        if let Some((first, joined)) = sharing.join(&inputs) {
            size += joined.iter().filter_map(|other| of_groups.remove(other)).sum::<u64>();
            of_groups.insert(first, size);
        }
        sizes.push(size);
        all.push(inputs);
    }
    (all, sizes)
}

impl Pool {
    /// Adds a path: what it went through is not asked for again. `parent` is the path of which a condition was negated; `is_nearer` says
    /// that it came nearer to the goal of the application. Whether it took a turn that none took before.
    pub(super) fn add(
        &mut self,
        mut path: Path,
        parent: Option<usize>,
        is_nearer: bool,
        options: &ExplorationOptions,
    ) -> bool {
        let (number, known, ways) = (self.paths.len(), self.turns.len(), self.ways.len());
        for TestCondition { condition, .. } in &path.conditions {
            if !self.ways.contains(&(condition.site.clone(), condition.way)) {
                self.ways.insert((condition.site.clone(), condition.way));
            }
        }
        path.advance = parent.map_or(0, |parent| self.paths[parent].advance);
        if is_nearer || self.ways.len() > ways {
            self.most_advanced += 1;
            path.advance = self.most_advanced;
        }
        self.turns.extend(path.turns.iter().map(|&(taken, _)| taken));
        let mut new = Vec::new();
        for &condition in &path.chosen {
            let (taken, other) = path.hashes[condition];
            self.tried.insert(taken);
            if self.tried.insert(other) {
                new.push(Candidate { path: number, condition });
            }
        }
        self.paths.push(path);
        for candidate in new {
            self.put(candidate, options);
        }
        self.turns.len() > known
    }

    /// Puts a condition in, or back where it could not be gone into.
    pub(super) fn put(&mut self, candidate: Candidate, options: &ExplorationOptions) {
        let path = &self.paths[candidate.path];
        let advance = if options.prefers_open { path.advance } else { 0 };
        // Not ranked yet: the smallest rank there is.
        let key = (0, Reverse(advance), path.sizes[candidate.condition]);
        self.open.push(Reverse((key, candidate)));
    }

    /// Takes the best condition that is left.
    pub(super) fn take(&mut self, goals: &Goals<'_>, options: &ExplorationOptions) -> Option<Candidate> {
        if self.known != goals.open.len() {
            self.known = goals.open.len();
            self.branches.clear();
        }
        while let Some(Reverse((key, candidate))) = self.open.pop() {
            let Some(rank) = self.rank(&candidate, goals, options) else { continue };
            if rank > key.0 {
                self.open.push(Reverse(((rank, key.1, key.2), candidate)));
                continue;
            }
            if let Some(turn) = self.paths[candidate.path].turns[candidate.condition].1 {
                *self.asked.entry(turn).or_insert(0) += 1;
            }
            return Some(candidate);
        }
        None
    }

    /// How far down a condition comes; `None` where it is not to be negated at all.
    fn rank(&mut self, candidate: &Candidate, goals: &Goals<'_>, options: &ExplorationOptions) -> Option<u8> {
        let is_new = self.is_new(candidate);
        let condition = &self.paths[candidate.path].conditions[candidate.condition].condition;
        if !options.prefers_open && !options.is_filtered {
            return Some(0);
        }
        if !self.branches.contains_key(&condition.site) {
            self.branches.insert(condition.site.clone(), goals.open_at(&condition.site));
        }
        let open = self.branches.get(&condition.site).map_or(&[][..], |open| open);
        if options.is_filtered && open.is_empty() && goals.classes.contains(&condition.site.method.class) {
            return None;
        }
        Some(if options.prefers_open { goals.rank(condition, open, is_new) } else { 0 })
    }

    /// Whether the negation of a condition leads to a turn that no path took, and that was not asked for too often.
    fn is_new(&self, candidate: &Candidate) -> bool {
        let turn = self.paths[candidate.path].turns[candidate.condition].1;
        turn.is_some_and(|turn| {
            !self.turns.contains(&turn) && self.asked.get(&turn).is_none_or(|&asked| asked < MOST_ASKED)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytecode::instruction::InstructionIndex;

    use super::*;
    use crate::interpreter::{MethodName, Outcomes, Site};
    use crate::term::{Operator, Sort};

    fn condition(terms: &mut Terms, inputs: &[u32], instruction: u32, way: Way) -> TestCondition {
        let mut term = terms.int(5);
        for &input in inputs {
            let input = terms.input(InputId(input), Sort::Bits(32));
            term = terms.apply(Operator::Add, &[term, input]);
        }
        let zero = terms.int(0);
        let term = terms.apply(Operator::SignedLess, &[zero, term]);
        let method = MethodName { class: ClassName::new("p/A"), name: "m".into(), descriptor: "(I)V".into() };
        let site = Site { method, instruction: InstructionIndex(instruction) };
        let outcomes = match way {
            Way::Jumped => Some(Outcomes { taken: 0, other: Some(1) }),
            Way::FellThrough => Some(Outcomes { taken: 1, other: Some(0) }),
            Way::Case(_) | Way::Default | Way::Completed | Way::Threw | Way::Pinned => None,
        };
        TestCondition {
            condition: PathCondition { term, site, activation: 0, way, outcomes, is_exact: true },
            statement: 0,
        }
    }

    /// A path of which so many conditions of the class path may be negated, and as many of the platform's code.
    fn path_of(conditions: Vec<TestCondition>, terms: &mut Terms, most: usize) -> Path {
        let mut path = Path::new(TestCase::default(), conditions, Inputs::default(), terms);
        path.choose(most, |class| class.as_str().starts_with("java/"), terms);
        path
    }

    fn open(instruction: u32, outcome: u16) -> OpenOutcome {
        let method: Arc<str> = "m(I)V".into();
        OpenOutcome {
            class: ClassName::new("p/A"),
            method,
            instruction: InstructionIndex(instruction),
            outcome,
        }
    }

    /// The instructions of the conditions in the order in which they are taken.
    fn order(open: &[OpenOutcome], options: ExplorationOptions) -> Vec<u32> {
        let mut terms = Terms::new();
        let conditions = vec![
            condition(&mut terms, &[0, 1, 2], 1, Way::Jumped),
            condition(&mut terms, &[3], 2, Way::Completed),
            condition(&mut terms, &[4], 3, Way::FellThrough),
            condition(&mut terms, &[1, 4, 5], 4, Way::Jumped),
        ];
        let path = path_of(conditions, &mut terms, 10);
        let mut pool = Pool::default();
        pool.add(path, None, false, &options);
        let (open, classes) = (open.iter().cloned().collect(), [ClassName::new("p/A")]);
        let goals = Goals { open: &open, classes: &classes };
        let mut order = Vec::new();
        while let Some(candidate) = pool.take(&goals, &options) {
            order.push(pool.paths[0].conditions[candidate.condition].condition.site.instruction.0);
        }
        order
    }

    #[test]
    fn small_conditions_come_first_and_open_outcomes_before_all_others() {
        let by_size = ExplorationOptions { prefers_open: false, ..ExplorationOptions::default() };
        assert_eq!(order(&[], by_size), [2, 3, 1, 4]);
        let options = ExplorationOptions::default();
        assert_eq!(order(&[open(4, 1)], options), [4, 3, 1, 2]);
        // The outcome that was taken already is no reason.
        assert_eq!(order(&[open(4, 0)], options), [3, 1, 4, 2]);
    }

    #[test]
    fn the_filter_leaves_half_covered_branches() {
        let options = ExplorationOptions { is_filtered: true, ..ExplorationOptions::default() };
        assert_eq!(order(&[open(3, 0), open(4, 1)], options), [3, 4]);
    }

    #[test]
    fn conditions_that_share_inputs_through_others_go_together() {
        let mut terms = Terms::new();
        let conditions = vec![
            condition(&mut terms, &[0], 1, Way::Jumped),
            condition(&mut terms, &[1], 2, Way::Jumped),
            condition(&mut terms, &[0, 2], 3, Way::Jumped),
            condition(&mut terms, &[2], 4, Way::Jumped),
        ];
        let path = path_of(conditions, &mut terms, 10);
        let groups: Vec<_> = (0..4).map(|condition| path.members(condition)).collect();
        assert_eq!(groups, [vec![], vec![], vec![0], vec![0, 2]]);
        assert_eq!(path.sizes[2], path.sizes[0] + u64::from(terms.size(path.conditions[2].condition.term)));
    }

    #[test]
    fn turns_that_no_path_took_come_before_others() {
        let mut terms = Terms::new();
        let options = ExplorationOptions::default();
        // A loop that was left at once in one run, and in the second round in another.
        let mut pool = Pool::default();
        for (inputs, ways) in
            [(0, &[Way::Jumped][..]), (10, &[Way::FellThrough, Way::FellThrough, Way::Jumped])]
        {
            let conditions =
                (inputs..).zip(ways).map(|(input, &way)| condition(&mut terms, &[input], 1, way));
            let conditions = conditions.collect();
            let path = path_of(conditions, &mut terms, 10);
            pool.add(path, None, false, &options);
        }
        let (open, classes) = (BTreeSet::new(), [ClassName::new("p/A")]);
        let goals = Goals { open: &open, classes: &classes };
        let mut taken = Vec::new();
        while let Some(candidate) = pool.take(&goals, &options) {
            taken.push((candidate.path, candidate.condition));
        }
        // The second round was never left, and there was no third one that went on.
        assert_eq!(taken, [(1, 1), (1, 2), (1, 0), (0, 0)]);
    }

    #[test]
    fn code_of_the_platform_takes_no_room_from_the_class_path() {
        let mut terms = Terms::new();
        let conditions: Vec<_> = (0..6)
            .map(|number| {
                let mut condition = condition(&mut terms, &[number], number, Way::Jumped);
                if number < 3 {
                    condition.condition.site.method.class = ClassName::new("java/util/ArrayList");
                }
                condition
            })
            .collect();
        assert_eq!(path_of(conditions, &mut terms, 2).chosen, [0, 1, 3, 4]);
    }

    #[test]
    fn no_path_is_asked_for_twice() {
        let mut terms = Terms::new();
        let conditions = vec![condition(&mut terms, &[0], 1, Way::Jumped)];
        let mut pool = Pool::default();
        for _ in 0..2 {
            let path = path_of(conditions.clone(), &mut terms, 10);
            pool.add(path, None, false, &ExplorationOptions::default());
        }
        assert_eq!(pool.open.len(), 1);
    }
}
