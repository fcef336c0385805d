//! Loops of a method.

use crate::cfg::{BlockId, ControlFlowGraph};
use crate::dominators::Dominators;
use crate::graph::Node;

/// An edge that closes a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BackEdge {
    /// Where it comes from.
    pub from: BlockId,
    /// Where it goes: the head of a natural loop.
    pub to: BlockId,
    /// Whether control takes it by an exception.
    pub exceptional: bool,
}

/// Blocks that can run again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The block that back edges lead to.
    pub head: BlockId,
    /// All blocks of the loop, ascending.
    pub body: Vec<BlockId>,
    /// Whether every way into the loop passes its head. False for irreducible loops, which compilers of Java
    /// do not make; the head is then one of several.
    pub natural: bool,
}

/// Edges that close a loop, sorted: every cycle of blocks, through exception handlers too, contains one. Where
/// the flow is reducible these are the back edges of its natural loops, otherwise the edges that a depth-first
/// search finds to close cycles.
pub fn back_edges(cfg: &ControlFlowGraph) -> Vec<BackEdge> {
    let edges = cfg.all_edges().retreating_edges(&[0]);
    let edges = edges.into_iter().map(|(from, to)| BackEdge {
        from: BlockId(from),
        to: BlockId(to),
        exceptional: !cfg.normal().successors(from).contains(&to),
    });
    edges.collect()
}

/// The loops of a method, one per head, in code order of the heads.
pub fn loops(cfg: &ControlFlowGraph) -> Vec<Loop> {
    let edges = back_edges(cfg);
    if edges.is_empty() {
        return Vec::new();
    }
    let graph = cfg.all_edges();
    let reversed = graph.reversed();
    let dominators = Dominators::new(&graph, 0);
    let mut heads: Vec<BlockId> = edges.iter().map(|edge| edge.to).collect();
    heads.sort_unstable();
    heads.dedup();
    let of_head = |head: BlockId| {
        let tails: Vec<Node> = edges.iter().filter(|edge| edge.to == head).map(|edge| edge.from.0).collect();
        let natural = tails.iter().all(|&tail| dominators.dominates(head.0, tail));
        let mut inside = vec![false; cfg.len()];
        inside[head.index()] = true;
        let below = graph.reachable(&[head.0]);
        let mut open = tails;
        while let Some(node) = open.pop() {
            if below[node as usize] && !std::mem::replace(&mut inside[node as usize], true) {
                open.extend(reversed.successors(node));
            }
        }
        let body = cfg.blocks().filter(|block| inside[block.index()]).collect();
        Loop { head, body, natural }
    };
    heads.into_iter().map(of_head).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::with_method;

    /// Loops as (head, body, natural).
    fn check(source: &str, expect: &[(u32, &[u32], bool)]) {
        with_method(source, |code| {
            let found = loops(&ControlFlowGraph::new(code));
            let found: Vec<_> = found
                .iter()
                .map(|it| (it.head.0, it.body.iter().map(|block| block.0).collect::<Vec<_>>(), it.natural))
                .collect();
            let expect: Vec<_> =
                expect.iter().map(|&(head, body, natural)| (head, body.to_vec(), natural)).collect();
            assert_eq!(found, expect, "{source}");
        });
    }

    #[test]
    fn nested_loops_have_a_head_each() {
        check(
            "A:\niload_0\nifeq E\nB:\niload_0\nifne B\ngoto A\nE:\nreturn",
            &[(0, &[0, 1, 2], true), (1, &[1], true)],
        );
        check("nop\nreturn", &[]);
    }

    #[test]
    fn a_loop_with_two_entries_is_not_natural() {
        check("iload_0\nifeq B\nA:\nnop\nB:\niload_0\nifne A\nreturn", &[(2, &[1, 2], false)]);
    }

    #[test]
    fn a_loop_through_a_handler_is_closed() {
        check(
            ".catch any A B H\nA:\ninvokestatic A.g:()V\nB:\nreturn\nH:\npop\ngoto A",
            &[(0, &[0, 2], true)],
        );
    }
}
