//! Conditions to negate, the best first.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hash};

use bytecode::name::ClassName;
use foldhash::fast::FixedState;
use search::local_search::test_search::OpenOutcome;
use testcase::test_case::TestCase;

use crate::dse::ExplorationOptions;
use crate::interpreter::{PathCondition, Way};
use crate::term::{InputId, Plan, TermId, Terms};
use crate::test_replay::{Inputs, TestCondition};

/// A test that was replayed.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) test: TestCase,
    pub(super) conditions: Vec<TestCondition>,
    pub(super) inputs: Inputs,
    /// For each condition, a condition with which it shares inputs, directly or through others before it, and the number of
    /// operators of all of these.
    groups: Vec<Group>,
    /// For each condition a hash of the path that goes its way, and of the one that goes the other.
    hashes: Vec<(u64, u64)>,
    /// For each condition a hash of its branch, of how often it was met before, and of the way that was taken, and of the other
    /// way, where there is one other.
    turns: Vec<(u64, Option<u64>)>,
}

#[derive(Debug, Clone)]
struct Group {
    members: Vec<usize>,
    size: u64,
}

/// A condition to negate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) path: usize,
    pub(super) condition: usize,
}

/// What is left to negate.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub(super) paths: Vec<Path>,
    open: Vec<Candidate>,
    /// Hashes of paths that were run or asked for.
    tried: BTreeSet<u64>,
    /// Turns that a path took.
    turns: BTreeSet<u64>,
    /// How often each turn was asked for.
    asked: BTreeMap<u64, u32>,
}

/// How often a turn that no path takes is asked for before it is as good as any other.
const MOST_ASKED: u32 = 4;

/// Times that a branch was met which are told apart.
const MOST_MET: u32 = 100;

/// The outcome that a condition speaks of, by number.
pub(super) fn outcome_of(condition: &PathCondition, outcome: u16) -> OpenOutcome {
    let method = &condition.site.method;
    OpenOutcome {
        class: method.class.clone(),
        method: format!("{}{}", method.name, method.descriptor).into(),
        instruction: condition.site.instruction,
        outcome,
    }
}

/// What is known of goals when a condition is chosen.
#[derive(Debug)]
pub(super) struct Goals<'g> {
    pub(super) open: &'g BTreeSet<OpenOutcome>,
    /// The classes with goals.
    pub(super) classes: &'g [ClassName],
}

impl Goals<'_> {
    /// How far down a condition comes: 0 if its negation leads to an open outcome, 1 if it leads to a turn that no path took (the
    /// way to what is open may be a loop whose branches are all covered), 2 if nothing is known of it, 3 if what it leads to is
    /// covered, 4 if it is about an exception or a value that had to be what it was.
    fn rank(&self, condition: &PathCondition, is_new: bool) -> u8 {
        if matches!(condition.way, Way::Completed | Way::Threw | Way::Pinned) {
            return 4;
        }
        let rest = if is_new { 1 } else { 2 };
        let Some(outcomes) = condition.outcomes else { return rest };
        let is_open = |outcome: u16| self.open.contains(&outcome_of(condition, outcome));
        match outcomes.other {
            Some(other) if other != outcomes.taken && is_open(other) => 0,
            // A case leads to any of the others.
            None if self.is_half_covered(condition) => 0,
            _ if !is_new && self.classes.contains(&condition.site.method.class) => 3,
            _ => rest,
        }
    }

    /// Whether an outcome of its branch is open.
    fn is_half_covered(&self, condition: &PathCondition) -> bool {
        let first = outcome_of(condition, 0);
        let last = outcome_of(condition, u16::MAX);
        self.open.range(first..=last).next().is_some()
    }
}

impl Path {
    pub(super) fn new(
        test: TestCase,
        conditions: Vec<TestCondition>,
        inputs: Inputs,
        terms: &mut Terms,
    ) -> Self {
        let groups = groups(&conditions, terms);
        let mut hashes = Vec::with_capacity(conditions.len());
        let turns = turns(&conditions);
        let mut hash = 0;
        for TestCondition { condition, statement } in &conditions {
            hash = hashed(&(hash, &condition.site, statement));
            let other = terms.not(condition.term);
            hashes.push((hashed(&(hash, condition.term)), hashed(&(hash, other))));
            hash = hashed(&(hash, condition.way));
        }
        Self { test, conditions, inputs, groups, hashes, turns }
    }

    /// The conditions that a negated one has to go with: those before it that share inputs, in order.
    pub(super) fn before(&self, condition: usize) -> Vec<TermId> {
        let members = self.groups[condition].members.iter();
        members
            .filter(|&&other| other != condition)
            .map(|&other| self.conditions[other].condition.term)
            .collect()
    }
}

/// For each condition its turn, and the other one.
fn turns(conditions: &[TestCondition]) -> Vec<(u64, Option<u64>)> {
    let mut met: BTreeMap<u64, u32> = BTreeMap::new();
    let turn_of = |TestCondition { condition, .. }: &TestCondition| {
        let times = met.entry(hashed(&condition.site)).or_insert(0);
        *times = (*times + 1).min(MOST_MET);
        let turn = |way: Way| hashed(&(&condition.site, *times, way));
        let other = match condition.way {
            Way::Jumped => Some(Way::FellThrough),
            Way::FellThrough => Some(Way::Jumped),
            Way::Completed => Some(Way::Threw),
            Way::Threw => Some(Way::Completed),
            Way::Case(_) | Way::Default | Way::Pinned => None,
        };
        (turn(condition.way), other.map(turn))
    };
    conditions.iter().map(turn_of).collect()
}

fn hashed(value: &impl Hash) -> u64 {
    FixedState::with_seed(0).hash_one(value)
}

/// Groups of conditions that share inputs, directly or through others before them.
fn groups(conditions: &[TestCondition], terms: &Terms) -> Vec<Group> {
    let mut group_of: BTreeMap<InputId, usize> = BTreeMap::new();
    let mut live: Vec<Group> = Vec::new();
    let mut all = Vec::with_capacity(conditions.len());
    for (place, TestCondition { condition, .. }) in conditions.iter().enumerate() {
        let plan = Plan::new(terms, &[condition.term]);
        let inputs: Vec<InputId> = plan.inputs().iter().map(|&(input, _, _)| input).collect();
        let joined: BTreeSet<usize> =
            inputs.iter().filter_map(|input| group_of.get(input)).copied().collect();
        let mut group = Group { members: vec![place], size: u64::from(terms.size(condition.term)) };
        for &other in &joined {
            group.size += live[other].size;
            group.members.append(&mut live[other].members);
        }
        group.members.sort_unstable();
        for number in group_of.values_mut().filter(|number| joined.contains(number)) {
            *number = live.len();
        }
        group_of.extend(inputs.iter().map(|&input| (input, live.len())));
        all.push(group.clone());
        live.push(group);
    }
    all
}

impl Pool {
    /// Adds a path: what it went through is not asked for again.
    pub(super) fn add(&mut self, path: Path, most: usize) {
        let number = self.paths.len();
        self.turns.extend(path.turns.iter().map(|&(taken, _)| taken));
        for condition in 0..path.conditions.len().min(most) {
            let (taken, other) = path.hashes[condition];
            self.tried.insert(taken);
            if self.tried.insert(other) {
                self.open.push(Candidate { path: number, condition });
            }
        }
        self.paths.push(path);
    }

    /// Takes the best condition that is left.
    pub(super) fn take(&mut self, goals: &Goals<'_>, options: &ExplorationOptions) -> Option<Candidate> {
        let paths = &self.paths;
        if options.is_filtered {
            self.open.retain(|candidate| {
                let condition = &paths[candidate.path].conditions[candidate.condition].condition;
                !goals.classes.contains(&condition.site.method.class) || goals.is_half_covered(condition)
            });
        }
        let key = |candidate: &Candidate| {
            let path = &paths[candidate.path];
            let condition = &path.conditions[candidate.condition].condition;
            let rank = if options.prefers_open { goals.rank(condition, self.is_new(candidate)) } else { 0 };
            (rank, path.groups[candidate.condition].size, candidate.path, candidate.condition)
        };
        let best = (0..self.open.len()).min_by_key(|&place| key(&self.open[place]))?;
        let candidate = self.open.swap_remove(best);
        if let Some(turn) = self.paths[candidate.path].turns[candidate.condition].1 {
            *self.asked.entry(turn).or_insert(0) += 1;
        }
        Some(candidate)
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
        TestCondition { condition: PathCondition { term, site, way, outcomes }, statement: 0 }
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
        let path = Path::new(TestCase::default(), conditions, Inputs::default(), &mut terms);
        let mut pool = Pool::default();
        pool.add(path, 10);
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
        let path = Path::new(TestCase::default(), conditions, Inputs::default(), &mut terms);
        let groups: Vec<_> = path.groups.iter().map(|group| group.members.clone()).collect();
        assert_eq!(groups, [vec![0], vec![1], vec![0, 2], vec![0, 2, 3]]);
    }

    #[test]
    fn turns_that_no_path_took_come_before_others() {
        let mut terms = Terms::new();
        // A loop that was left at once in one run, and in the second round in another.
        let mut pool = Pool::default();
        for (inputs, ways) in
            [(0, &[Way::Jumped][..]), (10, &[Way::FellThrough, Way::FellThrough, Way::Jumped])]
        {
            let conditions =
                (inputs..).zip(ways).map(|(input, &way)| condition(&mut terms, &[input], 1, way));
            let conditions = conditions.collect();
            let path = Path::new(TestCase::default(), conditions, Inputs::default(), &mut terms);
            pool.add(path, 10);
        }
        let (open, classes) = (BTreeSet::new(), [ClassName::new("p/A")]);
        let goals = Goals { open: &open, classes: &classes };
        let options = ExplorationOptions::default();
        let mut taken = Vec::new();
        while let Some(candidate) = pool.take(&goals, &options) {
            taken.push((candidate.path, candidate.condition));
        }
        // The second round was never left, and there was no third one that went on.
        assert_eq!(taken, [(1, 1), (1, 2), (0, 0), (1, 0)]);
    }

    #[test]
    fn no_path_is_asked_for_twice() {
        let mut terms = Terms::new();
        let conditions = vec![condition(&mut terms, &[0], 1, Way::Jumped)];
        let mut pool = Pool::default();
        for _ in 0..2 {
            let path = Path::new(TestCase::default(), conditions.clone(), Inputs::default(), &mut terms);
            pool.add(path, 10);
        }
        assert_eq!(pool.open.len(), 1);
    }
}
