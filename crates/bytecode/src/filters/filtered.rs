//! What filters leave out of a method, and what takes its place.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::{ClassContext, Compilers, FILTERS};
use crate::method_code::MethodCode;

/// What is left out of a method, and what takes its place.
#[derive(Debug)]
pub(crate) struct Filtered {
    ignored: Vec<bool>,
    /// For each instruction another one of the same merged set, itself for the representative. Empty while nothing
    /// is merged.
    merged: Vec<u32>,
    /// New branches of an instruction.
    replaced: BTreeMap<usize, Branches>,
}

/// New branches of an instruction, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Branches {
    targets: Vec<Target>,
    sources: Vec<Vec<Source>>,
}

/// What tells new branches apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// The label before an instruction.
    Label(usize),
    /// An instruction.
    Instruction(usize),
}

/// An edge of JaCoCo's model: an instruction and JaCoCo's number for one of its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Source {
    /// The instruction.
    pub(crate) instruction: usize,
    /// JaCoCo's number: 0 falling through, or the default; 1 a jump; counted from 1 for other targets of a switch.
    pub(crate) number: u32,
}

impl Branches {
    /// Adds an edge to those that cover the branch to this target, which may be a new one.
    pub(crate) fn add(&mut self, target: Target, instruction: usize, number: u32) {
        let known = self.targets.iter().position(|&known| known == target);
        let index = known.unwrap_or_else(|| {
            self.targets.push(target);
            self.sources.push(Vec::new());
            self.targets.len() - 1
        });
        self.sources[index].push(Source { instruction, number });
    }

    /// For each branch the edges that cover it.
    pub(crate) fn sources(&self) -> &[Vec<Source>] {
        &self.sources
    }

    /// The branches of a switch without its default.
    pub(crate) fn without_default(code: &MethodCode<'_>, switch: usize) -> Self {
        let mut branches = Self::default();
        let Some(operand) = code.switch(switch) else { return branches };
        let outcomes = code.switch_outcomes(operand);
        for (outcome, number) in outcomes[..outcomes.len() - 1].iter().zip(1..) {
            branches.add(Target::Label(outcome.target), switch, number);
        }
        branches
    }
}

impl Filtered {
    /// Applies all filters to a method.
    pub(crate) fn new(context: &ClassContext<'_>, code: &MethodCode<'_>) -> Self {
        let mut filtered =
            Self { ignored: vec![false; code.len()], merged: Vec::new(), replaced: BTreeMap::new() };
        for filter in FILTERS {
            let applies = match filter.concerns {
                Compilers::All => true,
                Compilers::Kotlin => context.is_kotlin,
                Compilers::NotKotlin => !context.is_kotlin,
            };
            if applies {
                (filter.apply)(context, code, &mut filtered);
            }
        }
        filtered
    }

    /// Leaves out instructions.
    pub(super) fn ignore(&mut self, instructions: RangeInclusive<usize>) {
        if let Some(part) = self.ignored.get_mut(instructions) {
            part.fill(true);
        }
    }

    /// Leaves out the whole method.
    pub(super) fn ignore_all(&mut self) {
        self.ignored.fill(true);
    }

    /// Counts two instructions as one, which is covered when one of them is.
    pub(super) fn merge(&mut self, first: usize, second: usize) {
        let (first, second) = (self.representative(first), self.representative(second));
        if first != second {
            if self.merged.is_empty() {
                self.merged.extend(0..self.ignored.len() as u32);
            }
            self.merged[second] = first as u32;
        }
    }

    /// Gives an instruction other branches than it has.
    pub(super) fn replace(&mut self, instruction: usize, branches: Branches) {
        self.replaced.insert(instruction, branches);
    }

    /// Whether an instruction is left out, for itself or as one of several that count as one.
    pub(crate) fn is_ignored(&self, instruction: usize) -> bool {
        self.ignored[instruction]
            || self.merged.get(instruction).is_some_and(|&other| other as usize != instruction)
    }

    /// Whether nothing of the method is left.
    pub(crate) fn is_all_ignored(&self) -> bool {
        (0..self.ignored.len()).all(|instruction| self.is_ignored(instruction))
    }

    /// The instruction that stands for all that were merged with this one.
    pub(crate) fn representative(&self, instruction: usize) -> usize {
        let mut current = instruction;
        while let Some(&next) = self.merged.get(current).filter(|&&next| next as usize != current) {
            current = next as usize;
        }
        current
    }

    /// For each representative of several instructions all of them, in code order.
    pub(crate) fn merged_sets(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for instruction in 0..self.merged.len() {
            sets.entry(self.representative(instruction)).or_default().push(instruction);
        }
        sets.retain(|_, members| members.len() > 1);
        sets
    }

    /// The new branches of an instruction, if it was given some.
    pub(crate) fn replacement(&self, instruction: usize) -> Option<&Branches> {
        self.replaced.get(&instruction)
    }
}
