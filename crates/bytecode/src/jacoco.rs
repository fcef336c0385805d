//! Where JaCoCo puts its probes into a method, and what its reports conclude from them.
//!
//! JaCoCo does not count instructions. It puts probes on some edges of the control flow and works back from
//! those that were hit: what leads to such an edge, and to nothing else, was executed. An instruction from which
//! an exception is thrown before the next probe counts as missed.
//!
//! # Differences
//! * Methods with subroutines (`jsr`, `ret`), which JaCoCo analyses after inlining them, are not modelled.
//! * Code behind a jump that nothing leads to, and that has neither a line nor another label, hangs on the jump in
//!   JaCoCo's model, which then counts the jump as a branch. Here it does not.

use std::collections::BTreeMap;

use crate::instruction::Switch;
use crate::method_code::{MethodCode, SwitchOutcome};
use crate::opcode;

/// A place where JaCoCo has a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ProbeSite {
    /// Before an instruction that leaves the method or jumps, on all ways to it.
    Before(usize),
    /// Between an instruction and the next one, for control that falls through.
    After(usize),
    /// On an outcome of a branch (instruction, index of the outcome).
    Outcome(usize, u32),
}

/// Where an edge of JaCoCo's model leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// To a probe: the edge is covered when that is hit.
    Probe(ProbeSite),
    /// To an instruction: the edge is covered when that is.
    Instruction(usize),
}

/// One way on from an instruction. An instruction is covered when one of its edges is; if it has two or more,
/// they are its branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    /// JaCoCo's number for it: 0 falling through, leaving the method, or the default of a switch; 1 a jump.
    pub(crate) number: u32,
    /// Which outcome it is, for branches.
    pub(crate) outcome: u32,
    /// Where it leads.
    pub(crate) flow: Flow,
}

/// JaCoCo's model of a method.
#[derive(Debug)]
pub(crate) struct Model {
    offsets: Vec<u32>,
    edges: Vec<Edge>,
    leads_on: bool,
}

impl Model {
    /// Places the probes.
    pub(crate) fn new(code: &MethodCode<'_>) -> Self {
        let labels = Labels::new(code);
        let mut model = Self {
            offsets: Vec::with_capacity(code.len() + 1),
            edges: Vec::with_capacity(code.len() + code.len() / 8),
            leads_on: true,
        };
        for index in 0..code.len() {
            model.offsets.push(model.edges.len() as u32);
            model.add_edges(code, &labels, index);
        }
        model.offsets.push(model.edges.len() as u32);
        model
    }

    fn add_edges(&mut self, code: &MethodCode<'_>, labels: &Labels, index: usize) {
        let opcode = code.opcode(index);
        let mut edge = |number: u32, outcome: u32, flow: Flow| {
            self.leads_on &= !matches!(flow, Flow::Instruction(target) if target <= index);
            self.edges.push(Edge { number, outcome, flow });
        };
        if let Some(switch) = code.switch(index) {
            for (number, outcome, target) in numbered_outcomes(code, labels, switch) {
                edge(number, outcome, jump(labels, target, ProbeSite::Outcome(index, outcome)));
            }
        } else if opcode::is_conditional_jump(opcode) {
            let target = code.jump_target(index).unwrap_or_default();
            edge(1, 0, jump(labels, target, ProbeSite::Outcome(index, 0)));
            edge(0, 1, labels.fall_through(index, ProbeSite::Outcome(index, 1)));
        } else if let Some(target) = code.jump_target(index) {
            edge(1, 0, jump(labels, target, ProbeSite::Before(index)));
        } else if opcode::ends_flow(opcode) {
            edge(0, 0, Flow::Probe(ProbeSite::Before(index)));
        } else {
            edge(0, 0, labels.fall_through(index, ProbeSite::After(index)));
        }
    }

    /// The edges of an instruction, at least one.
    pub(crate) fn edges(&self, index: usize) -> &[Edge] {
        &self.edges[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// Whether every edge to an instruction leads on in the code, so that none goes round in circles.
    pub(crate) fn leads_on(&self) -> bool {
        self.leads_on
    }

    /// The edge with JaCoCo's number.
    pub(crate) fn edge(&self, index: usize, number: u32) -> Option<&Edge> {
        self.edges(index).iter().find(|edge| edge.number == number)
    }
}

fn jump(labels: &Labels, target: usize, site: ProbeSite) -> Flow {
    if labels.is_multi_target(target) { Flow::Probe(site) } else { Flow::Instruction(target) }
}

/// The outcomes of a switch as (JaCoCo's number, index of the outcome, target). JaCoCo numbers distinct targets
/// where none of them gets a probe, else positions in the list of keys.
fn numbered_outcomes(code: &MethodCode<'_>, labels: &Labels, switch: &Switch) -> Vec<(u32, u32, usize)> {
    let outcomes = code.switch_outcomes(switch);
    let default = outcomes.len() as u32 - 1;
    let positions: BTreeMap<i32, u32> = if outcomes.iter().any(|it| labels.is_multi_target(it.target)) {
        switch.cases.iter().map(|case| case.0).zip(1..).collect()
    } else {
        BTreeMap::new()
    };
    let number = |index: u32, outcome: &SwitchOutcome| match outcome.keys.first() {
        Some(first) if index != default => positions.get(first).copied().unwrap_or(index + 1),
        _ => 0,
    };
    let numbered = outcomes.iter().zip(0..);
    numbered.map(|(outcome, index)| (number(index, outcome), index, outcome.target)).collect()
}

/// What JaCoCo knows of the label before each instruction.
#[derive(Debug)]
struct Labels(Vec<Label>);

/// What JaCoCo knows of one label.
#[derive(Debug, Clone, Copy, Default)]
struct Label {
    /// Jumps, try blocks and the start of the method that lead there; 2 stands for more.
    targets: u8,
    /// Whether the instruction before goes on to it.
    successor: bool,
    /// Whether it starts a line with a call.
    call_line: bool,
}

impl Labels {
    fn new(code: &MethodCode<'_>) -> Self {
        let mut labels = Self(vec![Label::default(); code.len() + 1]);
        labels.add_target(0);
        for entry in &code.handlers {
            labels.add_target(entry.range.start);
            labels.add_target(entry.handler);
        }
        let mut line_start = None;
        for index in 0..code.len() {
            if code.marks(index).line {
                line_start = Some(index);
            }
            let opcode = code.opcode(index);
            if let Some(target) = code.jump_target(index) {
                labels.add_target(target);
            } else if let Some(switch) = code.switch(index) {
                code.switch_outcomes(switch).iter().for_each(|outcome| labels.add_target(outcome.target));
            } else if let (true, Some(start)) = (opcode::is_invoke(opcode), line_start) {
                labels.0[start].call_line = true;
            }
            labels.0[index + 1].successor = !opcode::ends_flow(opcode);
        }
        labels
    }

    fn add_target(&mut self, index: usize) {
        let label = &mut self.0[index];
        label.targets = (label.targets + 1).min(2);
    }

    /// Whether control comes there in more than one way.
    fn is_multi_target(&self, index: usize) -> bool {
        let label = self.0[index];
        label.targets + u8::from(label.successor) > 1 && label.targets > 0
    }

    fn fall_through(&self, index: usize, site: ProbeSite) -> Flow {
        let next = index + 1;
        if self.is_multi_target(next) || self.0[next].call_line {
            Flow::Probe(site)
        } else {
            Flow::Instruction(next)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::with_method;

    /// The edges of an instruction as `number → probe` or `number → instruction`.
    fn check(source: &str, instruction: usize, expect: &[(u32, Option<usize>)]) {
        with_method(source, |code| {
            let model = Model::new(code);
            let edges = model.edges(instruction).iter().map(|edge| match edge.flow {
                Flow::Probe(_) => (edge.number, None),
                Flow::Instruction(target) => (edge.number, Some(target)),
            });
            assert_eq!(edges.collect::<Vec<_>>(), expect, "{source}");
        });
    }

    #[test]
    fn a_place_with_two_ways_in_has_probes_on_both() {
        let source = "iload_0\nifeq L\nnop\nL:\nreturn";
        check(source, 0, &[(0, Some(1))]);
        check(source, 1, &[(1, None), (0, Some(2))]);
        check(source, 2, &[(0, None)]);
        check(source, 3, &[(0, None)]);
    }

    #[test]
    fn a_place_with_one_way_in_has_none() {
        check("iload_0\nifeq L\nreturn\nL:\nreturn", 1, &[(1, Some(3)), (0, Some(2))]);
    }

    #[test]
    fn a_line_with_a_call_has_one_before_it() {
        check(".line 1\nnop\n.line 2\nnop\n.line 3\ninvokestatic A.g:()V\nreturn", 0, &[(0, Some(1))]);
        check(".line 1\nnop\n.line 2\nnop\n.line 3\ninvokestatic A.g:()V\nreturn", 1, &[(0, None)]);
    }

    #[test]
    fn a_try_block_starts_with_one_unless_the_method_does() {
        check(".catch any A B B\nnop\nA:\nnop\nB:\nreturn", 0, &[(0, None)]);
        check(".catch any A B B\nA:\nnop\nB:\nreturn", 0, &[(0, None)]);
    }

    #[test]
    fn targets_of_a_switch_are_numbered_by_position_only_where_one_has_a_probe() {
        let switch = "iload_0\nlookupswitch 1:A 2:A 3:B default:C\nA:\nreturn\nB:\nBODY\nC:\nreturn";
        check(&switch.replace("BODY", "return"), 1, &[(1, Some(2)), (2, Some(3)), (0, Some(4))]);
        check(&switch.replace("BODY", "nop"), 1, &[(1, Some(2)), (3, Some(3)), (0, None)]);
    }
}
