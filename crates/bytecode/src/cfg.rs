//! The control flow graph of a method.

use std::ops::Range;

use crate::graph::{Graph, Node};
use crate::method_code::MethodCode;
use crate::opcode;

/// A basic block of a method, dense from 0 in code order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

impl BlockId {
    /// As an index into the blocks.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Basic blocks and how control moves between them. Normal and exceptional edges are kept apart.
#[derive(Debug, Clone)]
pub struct ControlFlowGraph {
    blocks: Vec<Range<usize>>,
    block_of: Vec<BlockId>,
    normal: Graph,
    exceptional: Graph,
}

impl ControlFlowGraph {
    /// Builds the graph. A block ends before a jump target, a handler or a boundary of a try block, and behind
    /// a jump, switch, return or throw; calls do not end blocks.
    pub fn new(code: &MethodCode<'_>) -> Self {
        let (blocks, block_of) = blocks(code);
        let mut normal = Vec::new();
        for (block, range) in blocks.iter().enumerate() {
            let mut edge = |target: usize| normal.push((block as Node, block_of[target].0));
            let last = range.end - 1;
            let opcode = code.opcode(last);
            if let Some(target) = code.jump_target(last) {
                edge(target);
            } else if let Some(switch) = code.switch(last) {
                code.switch_outcomes(switch).iter().for_each(|outcome| edge(outcome.target));
            }
            if !opcode::ends_flow(opcode) {
                edge(range.end);
            }
        }
        let mut exceptional = Vec::new();
        for entry in &code.handlers {
            let (first, last) = (block_of[entry.range.start].0, block_of[entry.range.end - 1].0);
            exceptional.extend((first..=last).map(|block| (block, block_of[entry.handler].0)));
        }
        exceptional.sort_unstable();
        exceptional.dedup();
        Self {
            normal: Graph::new(blocks.len(), &normal),
            exceptional: Graph::new(blocks.len(), &exceptional),
            blocks,
            block_of,
        }
    }

    /// Number of blocks, at least 1; the first one is the entry.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Never true: a method with code has a block.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// All blocks in code order.
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// Instructions of a block, never empty.
    pub fn instructions(&self, block: BlockId) -> Range<usize> {
        self.blocks[block.index()].clone()
    }

    /// The block of an instruction.
    pub fn block_of(&self, instruction: usize) -> BlockId {
        self.block_of[instruction]
    }

    /// Normal edges. The successors of a conditional jump are where it jumps and what follows it; those of a
    /// switch follow [`MethodCode::switch_outcomes`]. So the place of an edge is the index of the outcome.
    pub fn normal(&self) -> &Graph {
        &self.normal
    }

    /// Edges from the blocks of a try block to its handlers.
    pub fn exceptional(&self) -> &Graph {
        &self.exceptional
    }

    /// Normal and exceptional edges together.
    pub fn all_edges(&self) -> Graph {
        let edges: Vec<_> = self.normal.edges().chain(self.exceptional.edges()).collect();
        Graph::new(self.len(), &edges)
    }

    /// The branch that ends a block: its last instruction, if that is a conditional jump or a switch.
    pub fn branch(&self, code: &MethodCode<'_>, block: BlockId) -> Option<usize> {
        let last = self.blocks[block.index()].end - 1;
        let opcode = code.opcode(last);
        (opcode::is_conditional_jump(opcode) || opcode::is_switch(opcode)).then_some(last)
    }
}

fn blocks(code: &MethodCode<'_>) -> (Vec<Range<usize>>, Vec<BlockId>) {
    let mut starts = vec![false; code.len() + 1];
    starts[0] = true;
    for index in 0..code.len() {
        let opcode = code.opcode(index);
        if let Some(target) = code.jump_target(index) {
            starts[target] = true;
        } else if let Some(switch) = code.switch(index) {
            let offsets = std::iter::once(switch.default).chain(switch.cases.iter().map(|case| case.1));
            offsets.filter_map(|offset| code.at(offset)).for_each(|target| starts[target] = true);
        }
        if opcode::ends_flow(opcode) || opcode::is_conditional_jump(opcode) {
            starts[index + 1] = true;
        }
    }
    for entry in &code.handlers {
        for position in [entry.range.start, entry.range.end, entry.handler] {
            starts[position] = true;
        }
    }
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut block_of = Vec::with_capacity(code.len());
    for (index, &starts) in starts[..code.len()].iter().enumerate() {
        if starts {
            blocks.push(index..index);
        }
        if let Some(block) = blocks.last_mut() {
            block.end = index + 1;
        }
        block_of.push(BlockId(blocks.len() as u32 - 1));
    }
    (blocks, block_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::with_method;

    /// Blocks as lengths, edges as pairs of blocks.
    fn check(source: &str, lengths: &[usize], normal: &[(Node, Node)], exceptional: &[(Node, Node)]) {
        with_method(source, |code| {
            let cfg = ControlFlowGraph::new(code);
            let found: Vec<_> = cfg.blocks().map(|block| cfg.instructions(block).len()).collect();
            assert_eq!(found, lengths, "{source}");
            assert_eq!(cfg.normal().edges().collect::<Vec<_>>(), normal, "{source}");
            assert_eq!(cfg.exceptional().edges().collect::<Vec<_>>(), exceptional, "{source}");
        });
    }

    #[test]
    fn a_jump_leads_to_its_target_first() {
        check("iload_0\nifeq L\nnop\nL:\nreturn", &[2, 1, 1], &[(0, 2), (0, 1), (1, 2)], &[]);
        check("iload_0\nifeq L\nL:\nreturn", &[2, 1], &[(0, 1), (0, 1)], &[]);
    }

    #[test]
    fn a_switch_has_an_edge_for_each_target_and_the_default_last() {
        check(
            "iload_0\nlookupswitch 1:B 2:A 3:B 4:C default:C\nA:\nreturn\nB:\nreturn\nC:\nreturn",
            &[2, 1, 1, 1],
            &[(0, 2), (0, 1), (0, 3)],
            &[],
        );
    }

    #[test]
    fn try_blocks_cut_blocks_and_lead_to_their_handlers() {
        check(
            ".catch any A B H\nnop\nA:\nnop\nnop\nB:\nreturn\nH:\nathrow",
            &[1, 2, 1, 1],
            &[(0, 1), (1, 2)],
            &[(1, 3)],
        );
    }

    #[test]
    fn calls_do_not_end_a_block() {
        check("invokestatic A.g:()V\ninvokestatic A.g:()V\nreturn", &[3], &[], &[]);
    }
}
