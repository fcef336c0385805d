//! What the goals of a class say of its source lines, for formats that know lines and branches and nothing else.
//!
//! A line is executed as many times as tests execute it. Where a class file has no goals of lines (the criterion was not asked
//! for), a line is as covered as the branches on it.

use std::collections::BTreeMap;

use crate::model::{Class, Goal, Outcome};
use crate::tally::Tally;

/// Criteria that lines and branches are read from.
const LINE: &str = "line";
const BRANCH: &str = "branch";

/// The criterion that says which methods are entered.
const METHOD: &str = "method";

/// A class of a nest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinesOfClass {
    /// Binary name.
    pub name: String,
    /// Its methods that have lines, by name and descriptor.
    pub methods: BTreeMap<String, LinesOfMethod>,
}

/// A method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinesOfMethod {
    /// Its lines, by number.
    pub lines: BTreeMap<u32, Line>,
    /// Tests that enter it, where goals tell of that: a test may enter a method and complete none of its lines.
    entered: u64,
}

/// A line of code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// Tests that execute it.
    pub hits: u64,
    /// The branches on it.
    pub branches: Vec<Branch>,
}

/// A branch on a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Branch {
    /// Its instruction.
    pub instruction: u32,
    /// The tests that take each of its outcomes, by the number of the outcome.
    pub outcomes: BTreeMap<u32, u64>,
}

impl Line {
    /// Adds an outcome of a branch.
    fn add(&mut self, outcome: Outcome, hits: u64) {
        let place = self.branches.binary_search_by_key(&outcome.instruction, |branch| branch.instruction);
        let place = place.unwrap_or_else(|place| {
            let branch = Branch { instruction: outcome.instruction, ..Branch::default() };
            self.branches.insert(place, branch);
            place
        });
        self.branches[place].outcomes.insert(outcome.number, hits);
    }

    /// Outcomes of its branches, and how many of them are taken.
    pub fn outcomes(&self) -> Tally {
        self.branches.iter().map(Branch::tally).sum()
    }
}

impl Branch {
    /// Its outcomes, and how many of them are taken.
    pub fn tally(&self) -> Tally {
        Tally {
            goals: self.outcomes.len(),
            covered: self.outcomes.values().filter(|hits| **hits > 0).count(),
        }
    }
}

impl LinesOfMethod {
    /// Tests that enter it, as far as that is known.
    pub fn hits(&self) -> u64 {
        self.lines.values().map(|line| line.hits).max().unwrap_or(0).max(self.entered)
    }

    /// Its first line; 0 where it has none.
    pub fn first_line(&self) -> u32 {
        self.lines.keys().next().copied().unwrap_or(0)
    }
}

impl LinesOfClass {
    /// The lines of all methods. Two methods may share one: a field's initial value is part of every constructor.
    pub fn lines(&self) -> BTreeMap<u32, Line> {
        let mut all: BTreeMap<u32, Line> = BTreeMap::new();
        for (number, line) in self.methods.values().flat_map(|method| &method.lines) {
            let merged = all.entry(*number).or_default();
            merged.hits = merged.hits.max(line.hits);
            merged.branches.extend(line.branches.iter().cloned());
        }
        all
    }
}

/// The classes of a nest, by name, with their lines.
pub fn classes(class: &Class) -> Vec<LinesOfClass> {
    let mut classes: BTreeMap<&str, LinesOfClass> = BTreeMap::new();
    let mut branches_of: BTreeMap<(&str, &str, u32), u64> = BTreeMap::new();
    for (goal, number) in lines_and_branches(class) {
        let hits = goal.hits().unwrap_or(0);
        let found = classes.entry(&goal.class).or_default();
        let line = found.methods.entry(goal.method.clone()).or_default().lines.entry(number).or_default();
        match goal.outcome {
            Some(outcome) => line.add(outcome, hits),
            None if goal.criterion == LINE => line.hits = line.hits.max(hits),
            None => {}
        }
        if goal.criterion == BRANCH {
            let most = branches_of.entry((&goal.class, &goal.method, number)).or_default();
            *most = hits.max(*most);
        }
    }
    if !class.goals.iter().any(|goal| goal.criterion == LINE) {
        for ((name, method, number), hits) in branches_of {
            let method = classes.get_mut(name).and_then(|found| found.methods.get_mut(method));
            if let Some(line) = method.and_then(|method| method.lines.get_mut(&number)) {
                line.hits = hits;
            }
        }
    }
    for goal in class.goals.iter().filter(|goal| goal.criterion == METHOD) {
        let found = classes.get_mut(goal.class.as_str());
        if let Some(method) = found.and_then(|found| found.methods.get_mut(&goal.method)) {
            method.entered = method.entered.max(goal.hits().unwrap_or(0));
        }
    }
    let named = classes.into_iter().map(|(name, mut found)| {
        name.clone_into(&mut found.name);
        found
    });
    named.collect()
}

fn lines_and_branches(class: &Class) -> impl Iterator<Item = (&Goal, u32)> {
    let relevant = class.goals.iter().filter(|goal| [LINE, BRANCH].contains(&goal.criterion.as_str()));
    relevant.filter_map(|goal| Some((goal, goal.line?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{GoalState, OpenReason};

    fn goal(criterion: &str, line: u32, outcome: Option<(u32, u32)>, tests: usize) -> Goal {
        Goal {
            criterion: criterion.into(),
            class: "p.Foo".into(),
            method: "f()V".into(),
            line: Some(line),
            description: String::new(),
            outcome: outcome.map(|(instruction, number)| Outcome { instruction, number }),
            state: match tests {
                0 => GoalState::Open(OpenReason::default()),
                tests => GoalState::Covered(vec!["t".into(); tests]),
            },
            killers: Vec::new(),
        }
    }

    fn check(goals: Vec<Goal>, expect: &str) {
        let classes = classes(&Class { goals, ..Class::default() });
        let lines = classes.iter().flat_map(LinesOfClass::lines);
        let lines = lines.map(|(number, line)| {
            let hits = |branch: &Branch| branch.outcomes.values().map(u64::to_string).collect::<Vec<_>>();
            let branches: Vec<String> =
                line.branches.iter().map(|branch| format!("/{}", hits(branch).join("/"))).collect();
            format!("{number}:{}{}", line.hits, branches.join("+"))
        });
        assert_eq!(lines.collect::<Vec<_>>().join(" "), expect);
    }

    #[test]
    fn lines_are_hit_by_their_tests_and_have_the_outcomes_of_branches() {
        let outcomes = [goal("branch", 3, Some((7, 1)), 0), goal("branch", 3, Some((7, 0)), 2)];
        let lines = [goal("line", 3, None, 2), goal("line", 4, None, 0)];
        check([outcomes.to_vec(), lines.to_vec()].concat(), "3:2/2/0 4:0");
    }

    #[test]
    fn without_goals_of_lines_branches_tell_of_them() {
        // The goal of a method without branches is to enter it: no outcome.
        check(
            vec![
                goal("branch", 3, Some((7, 1)), 0),
                goal("branch", 3, Some((7, 0)), 2),
                goal("branch", 9, None, 1),
            ],
            "3:2/2/0 9:1",
        );
    }

    #[test]
    fn branches_of_methods_that_share_a_line_stay_apart() {
        let other = |goal: Goal| Goal { method: "g()V".into(), ..goal };
        let mut goals = vec![goal("branch", 3, Some((7, 0)), 1), goal("branch", 3, Some((7, 1)), 0)];
        goals.extend(goals.clone().into_iter().map(other));
        check(goals, "3:1/1/0+/1/0");
    }

    #[test]
    fn a_method_is_entered_also_where_none_of_its_lines_is_completed() {
        for (entered, executed, expect) in [(0, 0, 0), (2, 0, 2), (0, 3, 3), (2, 3, 3)] {
            let goals = vec![goal("line", 4, None, executed), goal("method", 4, None, entered)];
            let classes = classes(&Class { goals, ..Class::default() });
            assert_eq!(classes[0].methods["f()V"].hits(), expect, "{entered} {executed}");
        }
    }

    #[test]
    fn other_criteria_say_nothing_of_lines() {
        check(vec![goal("weak-mutation", 3, None, 2), goal("line", 4, None, 1)], "4:1");
    }
}
