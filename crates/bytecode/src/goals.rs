//! Which outcomes and lines of a method count, and what shows each of them covered: JaCoCo's model of the method
//! after the filters.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::cfg::ControlFlowGraph;
use crate::evidence::{Sign, Signs};
use crate::filters::{Branches, Filtered, Source};
use crate::jacoco::Model;
use crate::method_code::MethodCode;

/// The goals of a method. Their signs lie in one vector, so that most goals own no memory.
#[derive(Debug, Default)]
pub(crate) struct MethodGoals {
    /// Outcomes that count, sorted by instruction and index.
    outcomes: Vec<OutcomeGoal>,
    /// Lines that count, sorted by number.
    pub(crate) lines: Vec<LineGoal>,
    /// First instructions of statements that count, ascending, with their signs.
    statements: Vec<(usize, Range<usize>)>,
    signs: Vec<Sign>,
    instructions: Vec<u32>,
}

/// An outcome that counts.
#[derive(Debug)]
struct OutcomeGoal {
    /// Instruction, and index of the outcome.
    outcome: (usize, u32),
    signs: Range<usize>,
}

/// A line that counts.
#[derive(Debug)]
pub(crate) struct LineGoal {
    /// Its number.
    pub(crate) number: u16,
    signs: Range<usize>,
    instructions: Range<usize>,
}

impl MethodGoals {
    /// Finds what the filters leave; statements where the blocks that part them are given.
    pub(crate) fn new(
        code: &MethodCode<'_>,
        filtered: &Filtered,
        statements_in: Option<&ControlFlowGraph>,
    ) -> Self {
        let model = Model::new(code);
        let signs = Signs::new(code, &model);
        let counter = Counter { filtered, model, signs, merged: filtered.merged_sets() };
        let mut goals = Self::default();
        if let Some(cfg) = statements_in {
            counter.add_statements(code, cfg, &mut goals);
        }
        let mut counting: Vec<(u16, u32)> = Vec::with_capacity(code.len());
        for index in (0..code.len()).filter(|&index| !filtered.is_ignored(index)) {
            counter.add_outcomes(index, &mut goals);
            if let Some(line) = code.lines[index] {
                counting.push((line, index as u32));
            }
        }
        // Mostly in order: loops and `finally` alone go back to earlier lines.
        if !counting.is_sorted() {
            counting.sort_unstable();
        }
        let mut sets = Vec::new();
        goals.instructions.reserve(counting.len());
        for line in counting.chunk_by(|a, b| a.0 == b.0) {
            counter.add_line(line, &mut sets, &mut goals);
        }
        goals
    }

    /// What shows an outcome (instruction, index) covered, sorted; `None` if it does not count.
    pub(crate) fn outcome(&self, outcome: (usize, u32)) -> Option<&[Sign]> {
        let place = self.outcomes.binary_search_by_key(&outcome, |goal| goal.outcome).ok()?;
        Some(&self.signs[self.outcomes[place].signs.clone()])
    }

    /// First instruction of each statement, and what shows it covered, in code order.
    pub(crate) fn statements(&self) -> impl Iterator<Item = (usize, &[Sign])> {
        self.statements.iter().map(|(first, signs)| (*first, &self.signs[signs.clone()]))
    }

    /// What shows a line covered, sorted.
    pub(crate) fn signs(&self, line: &LineGoal) -> &[Sign] {
        &self.signs[line.signs.clone()]
    }

    /// The instructions of a line that count, and copies that count with them, ascending.
    pub(crate) fn instructions(&self, line: &LineGoal) -> impl Iterator<Item = usize> + '_ {
        self.instructions[line.instructions.clone()].iter().map(|&index| index as usize)
    }

    /// Signs of all outcomes and lines; they may repeat.
    pub(crate) fn all_signs(&self) -> impl Iterator<Item = &Sign> {
        let of_outcomes = self.outcomes.iter().map(|goal| &goal.signs);
        let of_lines = self.lines.iter().map(|goal| &goal.signs);
        let of_statements = self.statements.iter().map(|(_, signs)| signs);
        let ranges = of_outcomes.chain(of_lines).chain(of_statements);
        ranges.flat_map(|range| &self.signs[range.clone()])
    }

    /// Adds an outcome with the signs from `start` on, in place of what it had before.
    fn add_outcome(&mut self, outcome: (usize, u32), start: usize) {
        let signs = self.tidy_signs(start);
        match self.outcomes.binary_search_by_key(&outcome, |goal| goal.outcome) {
            Ok(place) => self.outcomes[place].signs = signs,
            Err(place) => self.outcomes.insert(place, OutcomeGoal { outcome, signs }),
        }
    }

    /// Sorts the signs from `start` on and leaves out repetitions.
    fn tidy_signs(&mut self, start: usize) -> Range<usize> {
        tidy(&mut self.signs, start);
        start..self.signs.len()
    }
}

/// Sorts what lies behind `start` and leaves out repetitions.
fn tidy<T: Ord + Copy>(values: &mut Vec<T>, start: usize) {
    if values[start..].is_sorted_by(|a, b| a < b) {
        return;
    }
    let mut part = values.split_off(start);
    part.sort_unstable();
    part.dedup();
    values.append(&mut part);
}

struct Counter<'c, 'a> {
    filtered: &'c Filtered,
    model: Model,
    signs: Signs<'c, 'a>,
    /// Instructions that count as one, by representative.
    merged: BTreeMap<usize, Vec<usize>>,
}

impl Counter<'_, '_> {
    /// All that count as one with this instruction, which is among them.
    fn copies(&self, index: usize) -> &[usize] {
        if self.merged.is_empty() {
            return &[];
        }
        self.merged.get(&self.filtered.representative(index)).map_or(&[], Vec::as_slice)
    }

    fn add_outcomes(&self, index: usize, goals: &mut MethodGoals) {
        if let Some(branches) = self.filtered.replacement(index) {
            self.add_replaced(index, branches, goals);
            return;
        }
        let edges = self.model.edges(index);
        if edges.len() < 2 {
            return;
        }
        // Of several copies the first one in the code is on the normal way; the representative is in a handler.
        let comparable = |&&copy: &&usize| self.model.edges(copy).len() == edges.len();
        let bearer = self.copies(index).iter().find(comparable).copied().unwrap_or(index);
        for edge in self.model.edges(bearer) {
            let start = goals.signs.len();
            self.add_source_signs(Source { instruction: index, number: edge.number }, &mut goals.signs);
            goals.add_outcome((bearer, edge.outcome), start);
        }
    }

    /// New branches have no instruction of their own: each is put on an outcome that covers it, else on one that
    /// the instruction had before.
    fn add_replaced(&self, index: usize, branches: &Branches, goals: &mut MethodGoals) {
        if branches.sources().len() < 2 {
            return;
        }
        let mut open = Vec::new();
        for sources in branches.sources() {
            let mut bearers = sources.iter().filter_map(|&source| self.outcome(source));
            match bearers.find(|&bearer| goals.outcome(bearer).is_none()) {
                Some(bearer) => self.add_branch(bearer, sources, goals),
                None => open.push(sources),
            }
        }
        for sources in open {
            let mut own = self.model.edges(index).iter().map(|edge| (index, edge.outcome));
            if let Some(bearer) = own.find(|&bearer| goals.outcome(bearer).is_none()) {
                self.add_branch(bearer, sources, goals);
            }
        }
    }

    fn add_branch(&self, bearer: (usize, u32), sources: &[Source], goals: &mut MethodGoals) {
        let start = goals.signs.len();
        for &source in sources {
            self.add_source_signs(source, &mut goals.signs);
        }
        goals.add_outcome(bearer, start);
    }

    /// The outcome that an edge is, if its instruction is a branch.
    fn outcome(&self, source: Source) -> Option<(usize, u32)> {
        let is_branch = self.model.edges(source.instruction).len() > 1;
        let edge = self.model.edge(source.instruction, source.number).filter(|_| is_branch)?;
        Some((source.instruction, edge.outcome))
    }

    /// Adds what shows an edge covered, in any of the copies of its instruction.
    fn add_source_signs(&self, source: Source, signs: &mut Vec<Sign>) {
        let mut add = |instruction: usize| {
            if let Some(edge) = self.model.edge(instruction, source.number) {
                self.signs.extend_with_edge(instruction, edge, signs);
            }
        };
        match self.copies(source.instruction) {
            [] => add(source.instruction),
            copies => copies.iter().for_each(|&copy| add(copy)),
        }
    }

    /// Adds the runs of instructions of one line in one block, each with the signs of its first instruction that has
    /// any: in a block what shows the first shows no more than what shows the last.
    fn add_statements(&self, code: &MethodCode<'_>, cfg: &ControlFlowGraph, goals: &mut MethodGoals) {
        let mut last = None;
        for index in (0..code.len()).filter(|&index| !self.filtered.is_ignored(index)) {
            let is_copy = self.copies(index).first().is_some_and(|&first| first != index);
            let run = (cfg.block_of(index), code.lines[index]);
            if is_copy || last.replace(run) == Some(run) {
                continue;
            }
            let start = goals.signs.len();
            if let Some(branches) = self.filtered.replacement(index) {
                let sources = branches.sources().iter().flatten();
                sources.for_each(|&source| self.add_source_signs(source, &mut goals.signs));
            } else {
                goals.signs.extend_from_slice(self.signs.of(index));
                for &copy in self.copies(index) {
                    goals.signs.extend_from_slice(self.signs.of(copy));
                }
            }
            let signs = goals.tidy_signs(start);
            if !signs.is_empty() {
                goals.statements.push((index, signs));
            }
        }
    }

    /// Adds the line with these instructions, each with the number of the line. `sets` is scratch space.
    fn add_line(&self, line: &[(u16, u32)], sets: &mut Vec<u32>, goals: &mut MethodGoals) {
        let (first_sign, first_instruction) = (goals.signs.len(), goals.instructions.len());
        sets.clear();
        for &(_, instruction) in line {
            goals.instructions.push(instruction);
            let index = instruction as usize;
            if let Some(branches) = self.filtered.replacement(index) {
                let sources = branches.sources().iter().flatten();
                sources.for_each(|&source| self.add_source_signs(source, &mut goals.signs));
                continue;
            }
            sets.push(self.signs.set_of(index));
            for &copy in self.copies(index) {
                sets.push(self.signs.set_of(copy));
                goals.instructions.push(copy as u32);
            }
        }
        // Most instructions of a line share a set.
        sets.sort_unstable();
        sets.dedup();
        for &set in &*sets {
            goals.signs.extend_from_slice(self.signs.set(set));
        }
        tidy(&mut goals.instructions, first_instruction);
        let signs = goals.tidy_signs(first_sign);
        let instructions = first_instruction..goals.instructions.len();
        if let Some(&(number, _)) = line.first() {
            goals.lines.push(LineGoal { number, signs, instructions });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::with_method;
    use crate::class_file::ClassFile;
    use crate::filters::ClassContext;

    /// Outcomes that count, with the number of their signs.
    fn check(source: &str, expect: &[((usize, u32), usize)]) {
        with_method(source, |code| {
            let class: &ClassFile<'_> = code.class;
            let goals = MethodGoals::new(code, &Filtered::new(&ClassContext::new(class), code), None);
            let found: Vec<_> = goals.outcomes.iter().map(|goal| (goal.outcome, goal.signs.len())).collect();
            assert_eq!(found, expect, "{source}");
        });
    }

    #[test]
    fn copies_share_the_outcomes_of_the_first() {
        let block = |label: &str| format!("iload_0\nifeq {label}\nnop\n{label}:\nnop\n");
        let source = format!(
            ".catch any A B H\nA:\ninvokestatic A.g:()V\nB:\n{}return\nH:\nastore_1\n{}aload_1\nathrow",
            block("C"),
            block("D")
        );
        check(&source, &[((2, 0), 2), ((2, 1), 2)]);
    }

    #[test]
    fn a_branch_that_jacoco_never_counts_as_covered_has_no_signs() {
        // An exhaustive switch whose first two keys share a target: where a target has a probe, JaCoCo numbers the
        // positions 1, 3 and 4, and then asks for 1, 2 and 3.
        let source = "iload_0\nlookupswitch 1:A 2:A 3:B 4:C default:D\n\
                      A:\nreturn\nB:\nnop\nC:\nreturn\n\
                      D:\nnew java/lang/MatchException\ndup\naconst_null\naconst_null\n\
                      invokespecial java/lang/MatchException.<init>:(Ljava/lang/String;Ljava/lang/Throwable;)V\nathrow";
        check(source, &[((1, 0), 1), ((1, 1), 1), ((1, 2), 0)]);
    }
}
