//! Which outcomes and lines of a method count, and what shows each of them covered: JaCoCo's model of the method
//! after the filters.

use std::collections::{BTreeMap, BTreeSet};

use crate::evidence::{Sign, Signs};
use crate::filters::{Branches, Filtered, Source};
use crate::jacoco::Model;
use crate::method_code::MethodCode;

/// The goals of a method.
#[derive(Debug, Default)]
pub(crate) struct MethodGoals {
    /// Outcomes that count (instruction, index), with what shows them covered.
    pub(crate) outcomes: BTreeMap<(usize, u32), Vec<Sign>>,
    /// Lines that count.
    pub(crate) lines: BTreeMap<u16, LineGoal>,
}

/// A line that counts.
#[derive(Debug, Default)]
pub(crate) struct LineGoal {
    /// What shows it covered.
    pub(crate) signs: BTreeSet<Sign>,
    /// Its instructions that count, and copies that count with them.
    pub(crate) instructions: BTreeSet<usize>,
    /// Sets of signs added before: most instructions of a line share one.
    sets: BTreeSet<u32>,
}

impl LineGoal {
    fn add_signs(&mut self, instruction: usize, signs: &Signs<'_, '_>) {
        if self.sets.insert(signs.set_of(instruction)) {
            self.signs.extend(signs.of(instruction));
        }
    }
}

impl MethodGoals {
    /// Finds what the filters leave.
    pub(crate) fn new(code: &MethodCode<'_>, filtered: &Filtered) -> Self {
        let model = Model::new(code);
        let signs = Signs::new(code, &model);
        let counter = Counter { code, filtered, model, signs, merged: filtered.merged_sets() };
        let mut goals = Self::default();
        for index in (0..code.len()).filter(|&index| !filtered.is_ignored(index)) {
            counter.add_outcomes(index, &mut goals);
            counter.add_line(index, &mut goals);
        }
        goals
    }
}

struct Counter<'c, 'a> {
    code: &'c MethodCode<'a>,
    filtered: &'c Filtered,
    model: Model,
    signs: Signs<'c, 'a>,
    /// Instructions that count as one, by representative.
    merged: BTreeMap<usize, Vec<usize>>,
}

impl Counter<'_, '_> {
    /// All that count as one with this instruction, which is among them.
    fn copies(&self, index: usize) -> &[usize] {
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
            let signs = self.source_signs(Source { instruction: index, number: edge.number });
            goals.outcomes.insert((bearer, edge.outcome), signs.into_iter().collect());
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
            let signs: Vec<Sign> = self.branch_signs(sources).into_iter().collect();
            let mut bearers = sources.iter().filter_map(|&source| self.outcome(source));
            match bearers.find(|bearer| !goals.outcomes.contains_key(bearer)) {
                Some(bearer) => {
                    goals.outcomes.insert(bearer, signs);
                }
                None => open.push(signs),
            }
        }
        for signs in open {
            let own = self.model.edges(index).iter().map(|edge| (index, edge.outcome));
            if let Some(bearer) = own.into_iter().find(|bearer| !goals.outcomes.contains_key(bearer)) {
                goals.outcomes.insert(bearer, signs);
            }
        }
    }

    /// The outcome that an edge is, if its instruction is a branch.
    fn outcome(&self, source: Source) -> Option<(usize, u32)> {
        let is_branch = self.model.edges(source.instruction).len() > 1;
        let edge = self.model.edge(source.instruction, source.number).filter(|_| is_branch)?;
        Some((source.instruction, edge.outcome))
    }

    fn branch_signs(&self, sources: &[Source]) -> BTreeSet<Sign> {
        sources.iter().flat_map(|&source| self.source_signs(source)).collect()
    }

    /// What shows an edge covered, in any of the copies of its instruction.
    fn source_signs(&self, source: Source) -> BTreeSet<Sign> {
        let of = |instruction: usize| {
            let edge = self.model.edge(instruction, source.number);
            edge.map_or_else(Vec::new, |edge| self.signs.of_edge(instruction, edge))
        };
        match self.copies(source.instruction) {
            [] => of(source.instruction).into_iter().collect(),
            copies => copies.iter().flat_map(|&copy| of(copy)).collect(),
        }
    }

    fn add_line(&self, index: usize, goals: &mut MethodGoals) {
        let Some(line) = self.code.lines[index] else { return };
        let line = goals.lines.entry(line).or_default();
        line.instructions.insert(index);
        if let Some(branches) = self.filtered.replacement(index) {
            branches.sources().iter().for_each(|sources| line.signs.extend(self.branch_signs(sources)));
            return;
        }
        line.add_signs(index, &self.signs);
        for &copy in self.copies(index) {
            line.add_signs(copy, &self.signs);
            line.instructions.insert(copy);
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
            let goals = MethodGoals::new(code, &Filtered::new(&ClassContext::new(class), code));
            let found: Vec<_> =
                goals.outcomes.iter().map(|(&outcome, signs)| (outcome, signs.len())).collect();
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
