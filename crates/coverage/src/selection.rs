//! Which of the goals asked for guide the search: the choices and their names.
//!
//! Zhou et al. 2023 (smart selection), section 3. All goals asked for are reported, whichever guided.

use std::collections::BTreeSet;

use bytecode::mutate::operator::MutationOperator;
use bytecode::probe_map::{Mutant, MutantId, OutcomeId, ProbeMap};
use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use crate::criteria::{branch, strong_mutation, weak_mutation};
use crate::criterion::{Criterion, criterion};
use crate::goal::{Goal, GoalKind, GoalSet};
use crate::subsumption::is_subsuming;

/// Lines of the shortest basic block whose last line guides under [`GoalSelection::Smart`] (section 4.1: 8).
pub const LINE_THRESHOLD: u32 = 8;

/// A choice of the goals that guide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GoalSelection {
    /// As [`GoalSelection::Smart`], and mutants of returned values as well (ours): a branch is covered by whatever comes back, and
    /// a test that gets nothing but null, false and nothing checks little.
    #[default]
    SmartReturns,
    /// The representative criterion of each group, and goals of the others that no representative subsumes
    /// (sections 3.2 to 3.4).
    Smart,
    /// All goals of all criteria asked for (section 2.3).
    Combine,
    /// The representative criterion of each group alone (sections 3.2 and 3.3).
    Representatives,
}

impl GoalSelection {
    /// All of them; the first is the default.
    pub const ALL: &[Self] = &[Self::SmartReturns, Self::Smart, Self::Combine, Self::Representatives];

    /// The name by which users ask for it, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Combine => "combine",
            Self::Smart => "smart",
            Self::SmartReturns => "smart-returns",
            Self::Representatives => "representatives",
        }
    }

    /// Whether it is one of the paper's smart kind, for which basic blocks have a least length.
    pub fn is_smart(self) -> bool {
        match self {
            Self::Smart | Self::SmartReturns => true,
            Self::Combine | Self::Representatives => false,
        }
    }

    /// The choice of a name; `None` where there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|selection| selection.name() == name)
    }
}

/// Criteria whose goals the search has to know: those asked for, and branch coverage where nothing else would guide it
/// to code, or where it always does, whatever the selection (section 4.4, of `DynaMOSA`, which has no control structure to
/// follow without; `follows_control` says that the algorithm is one that selects its targets by control dependence).
pub fn searched(asked: &[String], follows_control: bool) -> Vec<String> {
    let mut criteria = asked.to_vec();
    let is_open_ended = |name: &String| criterion(name).is_ok_and(Criterion::is_open_ended);
    if (asked.iter().all(is_open_ended) || follows_control) && !asked.iter().any(|name| name == branch::NAME)
    {
        criteria.insert(0, branch::NAME.to_owned());
    }
    criteria
}

/// These criteria, with that of mutants to be killed where that of mutants to be infected is among them (ours): a suite that keeps
/// tests for what they kill has such tests to choose from.
#[must_use]
pub fn with_kills(mut criteria: Vec<String>) -> Vec<String> {
    let has = |name: &str| criteria.iter().any(|known| known == name);
    if has(weak_mutation::NAME) && !has(strong_mutation::NAME) {
        criteria.push(strong_mutation::NAME.to_owned());
    }
    criteria
}

/// Whether a goal is one that [`with_kills`] added: the search's alone, and neither reported nor what a test is kept for.
pub fn is_pursued(goal: &Goal, asked: &[String]) -> bool {
    goal.mutant().is_some() && !asked.iter().any(|name| **name == *goal.criterion)
}

/// Goals that no run can be seen to cover: mutants that the code of their method does not carry
/// ([`bytecode::probe_map::MethodProbes::lacks_mutants`]).
pub fn uncarried(goals: &GoalSet, maps: &[ProbeMap]) -> FixedBitSet {
    let methods = maps.iter().flat_map(|map| &map.methods).filter(|method| method.lacks_mutants);
    let mutants: BTreeSet<MutantId> =
        methods.flat_map(|method| &method.mutants).map(|mutant| mutant.id).collect();
    let lacks =
        |goal: &Goal| matches!(&goal.kind, GoalKind::Mutant { mutant, .. } if mutants.contains(mutant));
    goals.goals().iter().enumerate().filter(|(_, goal)| lacks(goal)).map(|(index, _)| index).collect()
}

/// The goals that guide: of `criteria` as [`searched`] gave them, those of `asked` by the selection, all that were not
/// asked for, and those of branch coverage where it always guides (section 4.4: "we add BC to the representative group").
///
/// Goals that no run can be seen to cover guide never, nor do mutants that [`with_kills`] added where nobody asks for their
/// infection.
///
/// * `follows_control`: as for [`searched`].
/// * `line_threshold`: distinct lines from which on a basic block has a line that guides, its last one (section 3.4).
pub fn guiding(
    goals: &GoalSet,
    maps: &[ProbeMap],
    (asked, selection): (&[String], GoalSelection),
    follows_control: bool,
    line_threshold: u32,
) -> FixedBitSet {
    let represented = represented(asked);
    let last_lines = last_lines(maps, line_threshold);
    let mutants = subsuming_mutants(maps, selection);
    let is_subset = |goal: &Goal| match &goal.kind {
        GoalKind::Line(number) => {
            last_lines.contains(&(goal.class.as_str(), goal.method.to_string(), LastOf::Line(*number)))
        }
        GoalKind::Statement { instruction } => last_lines.contains(&(
            goal.class.as_str(),
            goal.method.to_string(),
            LastOf::Statement(instruction.0),
        )),
        GoalKind::Mutant { mutant, .. } => mutants.contains(mutant),
        GoalKind::Branch { .. }
        | GoalKind::Entry
        | GoalKind::Call
        | GoalKind::Return
        | GoalKind::Throw { .. }
        | GoalKind::Value { .. } => false,
    };
    let guides = |goal: &Goal| {
        let name = &*goal.criterion;
        match selection {
            GoalSelection::Combine => true,
            _ if follows_control && name == branch::NAME => true,
            _ if !represented.contains(name) => true,
            GoalSelection::Representatives => false,
            GoalSelection::Smart | GoalSelection::SmartReturns => is_subset(goal),
        }
    };
    let mut guiding: FixedBitSet =
        goals.goals().iter().enumerate().filter(|(_, goal)| guides(goal)).map(|(index, _)| index).collect();
    guiding.difference_with(&uncarried(goals, maps));
    guiding.difference_with(&settled_kills(goals, asked));
    guiding
}

/// Mutants that nobody asked to be killed, and whose infection is no goal either: what there is already covers it.
fn settled_kills(goals: &GoalSet, asked: &[String]) -> FixedBitSet {
    let infected: BTreeSet<OutcomeId> = goals.goals().iter().filter_map(Goal::infected_mutant).collect();
    let is_settled = |goal: &Goal| {
        is_pursued(goal, asked) && goal.mutant().is_some_and(|mutant| !infected.contains(&mutant.infection))
    };
    goals.goals().iter().enumerate().filter(|(_, goal)| is_settled(goal)).map(|(index, _)| index).collect()
}

/// Names of those of the criteria asked for that another one of them represents.
fn represented(asked: &[String]) -> BTreeSet<&'static str> {
    let asked: Vec<&dyn Criterion> = asked.iter().filter_map(|name| criterion(name).ok()).collect();
    let is_represented =
        |row: &&&dyn Criterion| asked.iter().any(|other| other.correlation().represents(row.correlation()));
    asked.iter().filter(is_represented).map(|row| row.name()).collect()
}

/// Mutants of the key operators that not every run infects and that no other one subsumes.
///
/// Key operators are BOR, AOR and ROR of the paper (section 3.4): those that replace one operator of two numbers by
/// another. Its fourth one, UOI, makes mutants that every run infects which reaches them.
fn subsuming_mutants(maps: &[ProbeMap], selection: GoalSelection) -> BTreeSet<MutantId> {
    let mutants = maps.iter().flat_map(|map| &map.methods).flat_map(|method| &method.mutants);
    let guides = |mutant: &&Mutant| {
        let is_returned =
            selection == GoalSelection::SmartReturns && mutant.operator == MutationOperator::Returns;
        let subsumes = mutant.signs.is_some_and(|(from, to)| is_subsuming(from, to));
        !mutant.always_infected && (subsumes || is_returned)
    };
    mutants.filter(guides).map(|mutant| mutant.id).collect()
}

/// What subsumes the other lines, or statements, of a basic block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LastOf {
    Line(u32),
    Statement(u32),
}

/// The last line and statement of each basic block with that many distinct lines or more: by class and method.
fn last_lines(maps: &[ProbeMap], threshold: u32) -> BTreeSet<(&str, String, LastOf)> {
    let mut found = BTreeSet::new();
    for (map, method) in maps.iter().flat_map(|map| map.methods.iter().map(move |method| (map, method))) {
        for block in method.statements.chunk_by(|a, b| a.block == b.block) {
            let lines: BTreeSet<u32> = block.iter().filter_map(|statement| statement.line).collect();
            let Some(last) = block.last().filter(|_| lines.len() >= threshold as usize) else { continue };
            let method = format!("{}{}", method.name, method.descriptor);
            found.insert((map.class.as_str(), method.clone(), LastOf::Statement(last.instruction.0)));
            if let Some(line) = last.line {
                found.insert((map.class.as_str(), method, LastOf::Line(line)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use bytecode::mutate::operator::MutationOperator;
    use bytecode::mutate::sign::Sign;
    use bytecode::values::{ValueOf, ValueShape};

    use super::*;
    use crate::criterion::goals;
    use crate::goal::GoalId;
    use crate::goal_graph::GoalGraph;
    use crate::sample::ProgramBuilder;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn branches_guide_where_nothing_else_would() {
        let check = |asked: &[&str], follows_control, expect: &[&str]| {
            assert_eq!(searched(&names(asked), follows_control), expect, "{asked:?}");
        };
        check(&["exception"], false, &["branch", "exception"]);
        check(&["output", "input"], true, &["branch", "output", "input"]);
        check(&["line"], false, &["line"]);
        check(&["line"], true, &["branch", "line"]);
        check(&["direct-branch", "output"], true, &["branch", "direct-branch", "output"]);
        check(&["direct-branch", "output"], false, &["direct-branch", "output"]);
        check(&["branch"], true, &["branch"]);
    }

    #[test]
    fn branches_guide_who_follows_control_also_where_all_goals_are_combined() {
        // Section 4.4 and 2.3: without them nothing leads from one target to the next.
        let asked = names(&["line"]);
        let maps = program(8).build();
        let goals = goals(&searched(&asked, true), &maps).unwrap();
        for &selection in GoalSelection::ALL {
            let guides = guiding(&goals, &maps, (&asked, selection), true, 8);
            assert_eq!(guides.count_ones(..), goals.len(), "{selection:?}");
        }
        let mut graph = GoalGraph::new(&maps, &goals, false);
        graph.guide_by(&guiding(&goals, &maps, (&asked, GoalSelection::Combine), true, 8));
        // The line behind the branch is no target before the branch was taken.
        let line = goals.ids().find(|&id| goals.goal(id).kind == GoalKind::Line(100)).unwrap();
        let parents = graph.parents(line);
        assert!(!graph.roots().contains(&line) && !parents.is_empty());
        assert!(parents.iter().all(|&parent| &*goals.goal(parent).criterion == "branch"));
    }

    /// A block of `lines` lines and one of two, with a branch in between.
    fn program(lines: u32) -> ProgramBuilder {
        let mut program = ProgramBuilder::new("Foo");
        let mut method = program.method("bar");
        method.direct().returns(&[]);
        let (taken, _) = method.branch(&[]);
        for line in 1..=lines {
            method.line(line, &[]).statement_in(0, Some(line), line, &[]);
        }
        for line in [100, 101] {
            method.line(line, &[taken]).statement_in(1, Some(line), line, &[taken]);
        }
        program
    }

    fn check(lines: u32, asked: &[&str], selection: GoalSelection, expect: &[&str]) {
        let maps = program(lines).build();
        let goals = goals(asked, &maps).unwrap();
        let guides = guiding(&goals, &maps, (&names(asked), selection), false, 8);
        let found: Vec<String> = guides.ones().map(|index| goals.goals()[index].to_string()).collect();
        let found: Vec<&str> = found.iter().map(|name| name.trim_start_matches(|c| c != '@')).collect();
        assert_eq!(found, expect, "{lines} {asked:?} {selection:?}");
    }

    #[test]
    fn mutants_that_the_code_does_not_carry_guide_never() {
        let mut program = ProgramBuilder::new("Foo");
        program.method("large").mutants(2, &[]);
        program.method("small").mutants(1, &[]);
        let mut maps = program.build();
        maps[0].methods[0].lacks_mutants = true;
        // The program numbers them by method.
        maps[0].methods[1].mutants[0].id = MutantId(2);
        let goals = goals(&["weak-mutation"], &maps).unwrap();
        assert_eq!(uncarried(&goals, &maps).ones().collect::<Vec<_>>(), [0, 1]);
        let asked = names(&["weak-mutation"]);
        let guides = guiding(&goals, &maps, (&asked, GoalSelection::Combine), false, 8);
        assert_eq!(guides.ones().collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn mutants_are_to_be_killed_as_well_where_their_infection_is_a_goal() {
        let check = |asked: &[&str], expect: &[&str]| assert_eq!(with_kills(names(asked)), names(expect));
        check(&["branch"], &["branch"]);
        check(&["weak-mutation", "line"], &["weak-mutation", "line", "strong-mutation"]);
        check(&["strong-mutation", "weak-mutation"], &["strong-mutation", "weak-mutation"]);
        let mut program = ProgramBuilder::new("Foo");
        program.method("bar").mutants(2, &[]);
        let maps = program.build();
        let all = goals(&["weak-mutation", "strong-mutation"], &maps).unwrap();
        let (left, _) = all.without(&BTreeSet::from([GoalId(1)]));
        let kills = |asked: &[&str]| {
            let guides = guiding(&left, &maps, (&names(asked), GoalSelection::Smart), false, 8);
            guides.ones().filter(|&index| left.goals()[index].mutant().is_some()).collect::<Vec<_>>()
        };
        assert_eq!(kills(&["weak-mutation"]), [1]);
        assert_eq!(kills(&["weak-mutation", "strong-mutation"]), [1, 2]);
    }

    #[test]
    fn the_representative_of_a_group_stands_for_it() {
        let asked = ["branch", "direct-branch", "method", "method-no-exception", "method-trace"];
        check(1, &asked, GoalSelection::Representatives, &["@0:0", "@0:1", "@return"]);
        check(1, &["branch", "line"], GoalSelection::Representatives, &["@0:0", "@0:1"]);
        check(1, &["method", "method-trace"], GoalSelection::Smart, &["@call"]);
    }

    #[test]
    fn the_last_line_of_a_long_block_guides_as_well() {
        check(7, &["branch", "line"], GoalSelection::Smart, &["@0:0", "@0:1"]);
        check(8, &["branch", "line"], GoalSelection::Smart, &["@0:0", "@0:1", "@line8"]);
        check(8, &["branch", "statement"], GoalSelection::Smart, &["@0:0", "@0:1", "@statement8"]);
        check(8, &["branch", "line"], GoalSelection::Representatives, &["@0:0", "@0:1"]);
        // Nothing represents it.
        check(1, &["line"], GoalSelection::Smart, &["@line1", "@line100", "@line101"]);
    }

    #[test]
    fn the_criteria_of_the_paper_are_represented_by_one_of_each_group() {
        // Section 3.3: DBC, NTMC, EC and OC stand for them. Goals of exceptions appear in runs.
        let mut program = program(20);
        let mut method = program.method("bar");
        method.value(ValueOf::Result, ValueShape::Array);
        method.mutant(MutationOperator::Arithmetic, Some((Sign::Add, Sign::Subtract)), false);
        let asked =
            ["branch", "direct-branch", "line", "weak-mutation", "method", "method-no-exception", "output"];
        let representatives = criteria(&program.build(), &asked, GoalSelection::Representatives);
        assert_eq!(representatives, ["direct-branch", "method-no-exception", "output"]);
    }

    /// Criteria of the goals that guide.
    fn criteria(maps: &[ProbeMap], asked: &[&str], selection: GoalSelection) -> Vec<String> {
        let goals = goals(asked, maps).unwrap();
        assert_eq!(
            goals.goals().iter().map(|goal| &goal.criterion).collect::<BTreeSet<_>>().len(),
            asked.len()
        );
        let guides = guiding(&goals, maps, (&names(asked), selection), false, 8);
        let found: BTreeSet<String> =
            guides.ones().map(|index| goals.goals()[index].criterion.to_string()).collect();
        found.into_iter().collect()
    }

    #[test]
    fn mutants_of_returned_values_guide_as_well_by_default() {
        let mut program = ProgramBuilder::new("Foo");
        let mut method = program.method("bar");
        method.direct();
        method.branch(&[]);
        method.mutant(MutationOperator::Returns, None, false);
        method.mutant(MutationOperator::Returns, None, true);
        method.mutant(MutationOperator::Constant, None, false);
        method.mutant(MutationOperator::Arithmetic, Some((Sign::Add, Sign::Subtract)), false);
        let maps = program.build();
        let goals = goals(&["branch", "weak-mutation"], &maps).unwrap();
        let asked = names(&["branch", "weak-mutation"]);
        for (selection, expect) in [
            (GoalSelection::default(), &[0, 3][..]),
            (GoalSelection::Smart, &[3]),
            (GoalSelection::Representatives, &[]),
        ] {
            let guides = guiding(&goals, &maps, (&asked, selection), false, 8);
            let mutants = guides.ones().filter_map(|index| match &goals.goals()[index].kind {
                GoalKind::Mutant { mutant, .. } => Some(mutant.0),
                _ => None,
            });
            assert_eq!(mutants.collect::<Vec<_>>(), expect, "{selection:?}");
        }
    }

    #[test]
    fn of_mutants_guide_those_of_key_operators_that_are_not_equal_to_line_and_subsume_others() {
        // Section 3.4, "WM", 1 to 3.
        let mut program = ProgramBuilder::new("Foo");
        let mut method = program.method("bar");
        method.direct();
        method.branch(&[]);
        let changes = [
            // Key operators: AOR, BOR, ROR.
            (MutationOperator::Arithmetic, Some((Sign::Add, Sign::Subtract)), false),
            (MutationOperator::Bitwise, Some((Sign::And, Sign::Or)), false),
            (MutationOperator::Comparison, Some((Sign::Less, Sign::NotEqual)), false),
            // No key operators: constants, variables, calls, and those that the paper does not have.
            (MutationOperator::Constant, None, false),
            (MutationOperator::Variable, None, false),
            (MutationOperator::Call, None, false),
            (MutationOperator::Condition, None, false),
            // UOI is equal to line; so is any mutant that every run infects.
            (MutationOperator::Unary, None, true),
            (MutationOperator::Arithmetic, Some((Sign::Add, Sign::Multiply)), true),
            // Subsumed: by `&` to `|`, and by `<` to `!=`.
            (MutationOperator::Bitwise, Some((Sign::And, Sign::Xor)), false),
            (MutationOperator::Comparison, Some((Sign::Less, Sign::True)), false),
        ];
        for (operator, signs, always_infected) in changes {
            method.mutant(operator, signs, always_infected);
        }
        let maps = program.build();
        let asked = names(&["direct-branch", "weak-mutation"]);
        let goals = goals(&asked, &maps).unwrap();
        let guiding = |selection| {
            let guides = guiding(&goals, &maps, (&asked, selection), false, 8);
            guides
                .ones()
                .filter_map(|index| match goals.goals()[index].kind {
                    GoalKind::Mutant { mutant, .. } => Some(mutant.0),
                    _ => None,
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(guiding(GoalSelection::Smart), [0, 1, 2]);
        assert!(guiding(GoalSelection::Representatives).is_empty());
        assert_eq!(guiding(GoalSelection::Combine).len(), changes.len());
    }

    #[test]
    fn nothing_of_what_a_representative_covers_with_certainty_guides() {
        // Section 3.4, "BC and TMC": both subsets are empty.
        let asked = ["branch", "direct-branch", "method", "method-no-exception"];
        check(1, &asked, GoalSelection::Smart, &["@0:0", "@0:1", "@return"]);
        let found = criteria(&program(1).build(), &asked, GoalSelection::Smart);
        assert_eq!(found, ["direct-branch", "method-no-exception"]);
    }

    #[test]
    fn branches_always_guide_who_follows_control() {
        // Section 4.4: also where direct branches represent them.
        let maps = program(1).build();
        let asked = names(&["branch", "direct-branch", "line"]);
        let goals = goals(&asked, &maps).unwrap();
        let count = |selection, follows_control| {
            guiding(&goals, &maps, (&asked, selection), follows_control, 8).count_ones(..)
        };
        for selection in [GoalSelection::Smart, GoalSelection::Representatives] {
            assert_eq!([count(selection, false), count(selection, true)], [2, 4]);
        }
        assert_eq!(count(GoalSelection::Combine, true), 7);
    }

    #[test]
    fn names_stand_for_one_choice_each() {
        for &selection in GoalSelection::ALL {
            assert_eq!(GoalSelection::from_name(selection.name()), Some(selection));
        }
        assert_eq!(GoalSelection::from_name("Smart"), None);
        assert_eq!(GoalSelection::ALL.first(), Some(&GoalSelection::default()));
    }
}
