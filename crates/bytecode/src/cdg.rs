//! The control dependence graph of a method.

use std::collections::BTreeSet;

use crate::cfg::{BlockId, ControlFlowGraph};
use crate::dominators::PostDominators;
use crate::graph::{Graph, Node};
use crate::method_code::MethodCode;

/// What decides whether a block runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ControlDependence {
    /// Block that ends in the branch.
    pub branch: BlockId,
    /// Which outcome of the branch: 0 is the jump of a conditional jump, 1 falling through; those of a switch
    /// are in the order of [`MethodCode::switch_outcomes`].
    pub outcome: u32,
}

/// For each block the outcomes on which it directly control-depends (Ferrante, Ottenstein and Warren, "The
/// Program Dependence Graph and Its Use in Optimization", 1987, §3.1), over normal edges.
///
/// A block without dependence is a root: it runs on every way through the method. Dependences may form a cycle,
/// as those of a loop whose condition has two parts do: whoever follows them must remember where it was.
///
/// # Differences
/// * Exceptional edges are left out. A block that runs whenever an exception handler is entered depends on what
///   the first block of the handler's try block depends on, since that is what a test must reach first; other
///   blocks of a handler depend on the branches of the handler as usual.
/// * A block's dependence on its own branch, as a loop head has, is left out.
/// * A block that runs on every way through the method is a root even where it also depends on a branch behind
///   it, as the body of a `do` loop does: the first time round no branch decides.
#[derive(Debug, Clone)]
pub struct ControlDependenceGraph {
    /// Of all blocks, one after the other.
    dependences: Vec<ControlDependence>,
    /// Where those of each block end; empty for a method without branches.
    ends: Vec<u32>,
}

impl ControlDependenceGraph {
    /// Computes the dependences.
    pub fn new(code: &MethodCode<'_>, cfg: &ControlFlowGraph) -> Self {
        if cfg.blocks().all(|block| cfg.branch(code, block).is_none()) {
            return Self { dependences: Vec::new(), ends: Vec::new() };
        }
        let handlers = handler_blocks(code, cfg);
        let (decisions, direct) = direct_dependences(cfg, &handlers);
        let mut rest = direct.as_slice();
        let mut part = |block: BlockId| {
            let (of_block, behind) = rest.split_at(rest.partition_point(|it| it.0 == block.0));
            rest = behind;
            Parts::new(code, cfg, block, &decisions, of_block)
        };
        let parts: Vec<Parts> = cfg.blocks().map(&mut part).collect();
        let of_handlers = handler_dependences(&handlers, &parts);
        let mut graph = Self { dependences: Vec::new(), ends: Vec::with_capacity(cfg.len()) };
        for (part, block) in parts.iter().zip(cfg.blocks()) {
            if !part.is_root {
                graph.add(part, block, &of_handlers);
            }
            graph.ends.push(graph.dependences.len() as u32);
        }
        graph
    }

    fn add(&mut self, part: &Parts, block: BlockId, of_handlers: &[BTreeSet<ControlDependence>]) {
        if part.handlers.is_empty() {
            self.dependences.extend_from_slice(&part.branches);
            return;
        }
        let inherited = part.handlers.iter().flat_map(|&number| &of_handlers[number]);
        let all: BTreeSet<_> = part.branches.iter().chain(inherited).copied().collect();
        // A handler may lead back to its own try block.
        self.dependences.extend(all.into_iter().filter(|dependence| dependence.branch != block));
    }

    /// Outcomes on which a block directly control-depends, sorted; none for a root.
    pub fn of(&self, block: BlockId) -> &[ControlDependence] {
        let Some(&end) = self.ends.get(block.index()) else { return &[] };
        let start = block.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.dependences[start as usize..end as usize]
    }
}

/// What a dependence leads back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// The method was called.
    Call,
    /// The handler with this number was entered.
    Handler(usize),
    /// A block went one of its ways.
    Block(BlockId),
}

/// Each distinct handler with the first blocks of its try blocks.
fn handler_blocks(code: &MethodCode<'_>, cfg: &ControlFlowGraph) -> Vec<(BlockId, Vec<BlockId>)> {
    let mut pairs: Vec<_> = code
        .handlers
        .iter()
        .map(|entry| (cfg.block_of(entry.handler), cfg.block_of(entry.range.start)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
        .chunk_by(|a, b| a.0 == b.0)
        .map(|chunk| (chunk[0].0, chunk.iter().map(|pair| pair.1).collect()))
        .collect()
}

/// The dependences of each block on the nodes of the graph with the call and the handlers added as decisions,
/// each between going there and leaving the method: as (block, node, outcome), sorted.
fn direct_dependences(
    cfg: &ControlFlowGraph,
    handlers: &[(BlockId, Vec<BlockId>)],
) -> (Vec<Decision>, Vec<(Node, Node, u32)>) {
    let mut decisions: Vec<Decision> = cfg.blocks().map(Decision::Block).collect();
    let mut edges: Vec<(Node, Node)> = cfg.normal().edges().collect();
    let way_out = (cfg.len() + 1 + handlers.len()) as Node;
    let starts = std::iter::once((Decision::Call, 0));
    let entries = handlers.iter().enumerate().map(|(number, entry)| (Decision::Handler(number), entry.0.0));
    for (decision, target) in starts.chain(entries) {
        let node = decisions.len() as Node;
        decisions.push(decision);
        edges.extend([(node, target), (node, way_out)]);
    }
    let graph = Graph::new(way_out as usize + 1, &edges);
    let post_dominators = PostDominators::new(&graph);
    let mut direct = Vec::with_capacity(2 * cfg.len());
    for node in 0..decisions.len() as Node {
        let successors = graph.successors(node);
        let end = post_dominators.immediate(node);
        for (outcome, &successor) in successors.iter().enumerate() {
            let mut runner = Some(successor);
            while let Some(dependent) = runner.filter(|_| runner != end) {
                if (dependent as usize) < cfg.len() {
                    direct.push((dependent, node, outcome as u32));
                }
                runner = post_dominators.immediate(dependent);
            }
        }
    }
    direct.sort_unstable();
    direct.dedup();
    (decisions, direct)
}

/// The direct dependences of a block, by what they lead back to.
struct Parts {
    /// Whether the block runs whenever the method is called.
    is_root: bool,
    /// Outcomes of branches, those of the block itself left out, sorted.
    branches: Vec<ControlDependence>,
    /// Numbers of handlers.
    handlers: Vec<usize>,
}

impl Parts {
    fn new(
        code: &MethodCode<'_>,
        cfg: &ControlFlowGraph,
        block: BlockId,
        decisions: &[Decision],
        direct: &[(Node, Node, u32)],
    ) -> Self {
        let mut parts = Self { is_root: false, branches: Vec::new(), handlers: Vec::new() };
        for &(_, node, outcome) in direct {
            match decisions[node as usize] {
                Decision::Call => parts.is_root = true,
                Decision::Handler(number) => parts.handlers.push(number),
                Decision::Block(branch) if branch == block => {}
                Decision::Block(branch) if cfg.branch(code, branch).is_some() => {
                    parts.branches.push(ControlDependence { branch, outcome });
                }
                // The end that an endless loop was given.
                Decision::Block(_) => {}
            }
        }
        parts
    }
}

/// What the handlers depend on: what the first blocks of their try blocks do, which may lie in handlers in turn, in
/// the same one even. Nothing if one of those is a root, or in a handler that is.
fn handler_dependences(
    handlers: &[(BlockId, Vec<BlockId>)],
    parts: &[Parts],
) -> Vec<BTreeSet<ControlDependence>> {
    let mut is_root = vec![false; handlers.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for number in 0..handlers.len() {
            let starts = handlers[number].1.iter().map(|start| &parts[start.index()]);
            let has_root = starts.into_iter().any(|part| {
                let mut outer = part.handlers.iter().filter(|&&outer| outer != number).peekable();
                let inside = part.handlers.contains(&number) && outer.peek().is_none();
                part.is_root || part.branches.is_empty() && !inside && outer.all(|&outer| is_root[outer])
            });
            changed |= has_root && !is_root[number];
            is_root[number] |= has_root;
        }
    }
    let mut dependences = vec![BTreeSet::new(); handlers.len()];
    changed = true;
    while std::mem::take(&mut changed) {
        for number in (0..handlers.len()).filter(|&number| !is_root[number]) {
            let mut all: BTreeSet<ControlDependence> = BTreeSet::new();
            for part in handlers[number].1.iter().map(|start| &parts[start.index()]) {
                all.extend(&part.branches);
                part.handlers.iter().for_each(|&outer| all.extend(&dependences[outer]));
            }
            if all != dependences[number] {
                dependences[number] = all;
                changed = true;
            }
        }
    }
    dependences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::with_method;

    /// For each block the outcomes it depends on, as `block.outcome`.
    fn check(source: &str, expect: &[&str]) {
        with_method(source, |code| {
            let cfg = ControlFlowGraph::new(code);
            let cdg = ControlDependenceGraph::new(code, &cfg);
            let name = |it: &ControlDependence| format!("{}.{}", it.branch.0, it.outcome);
            let of = |block| cdg.of(block).iter().map(name).collect::<Vec<_>>().join(" ");
            assert_eq!(cfg.blocks().map(of).collect::<Vec<_>>(), expect, "{source}");
        });
    }

    #[test]
    fn both_sides_depend_on_the_branch_and_the_join_does_not() {
        check("iload_0\nifeq L\nnop\ngoto M\nL:\nnop\nM:\nreturn", &["", "0.1", "0.0", ""]);
    }

    #[test]
    fn dependence_is_direct() {
        check("iload_0\nifeq L\niload_0\nifeq L\nnop\nL:\nreturn", &["", "0.1", "1.1", ""]);
    }

    #[test]
    fn a_block_behind_two_returns_depends_on_what_passes_both() {
        check(
            "iload_0\nifeq A\nreturn\nA:\niload_0\nifeq B\nreturn\nB:\nreturn",
            &["", "0.1", "0.0", "2.1", "2.0"],
        );
    }

    #[test]
    fn a_condition_of_two_parts_makes_a_cycle_inside_a_branch_only() {
        // if (x) while (a && b) { }
        check(
            "iload_0\nifeq E\nA:\niload_0\nifeq E\nB:\niload_0\nifne A\nE:\nreturn",
            &["", "0.1 2.0", "1.1", ""],
        );
    }

    #[test]
    fn cases_that_fall_through_depend_on_each_key_above() {
        check(
            "iload_0\nlookupswitch 1:A 2:B default:C\nA:\nnop\nB:\nnop\nC:\nreturn",
            &["", "0.0", "0.0 0.1", ""],
        );
    }

    #[test]
    fn a_handler_inside_its_own_try_block_ends() {
        // As javac covers the start of a `finally` handler with the handler itself.
        check(
            ".catch any A B H\n.catch any H I H\niload_0\nifeq B\nA:\nnop\nB:\nreturn\nH:\nastore_0\nI:\nathrow",
            &["", "0.1", "", "0.1", "0.1"],
        );
    }

    #[test]
    fn a_branch_in_a_handler_that_tries_again_does_not_depend_on_itself() {
        check(
            ".catch any A B H\nA:\nnop\nB:\nreturn\nH:\nastore_0\niload_0\nifeq A\nreturn",
            &["", "", "", "2.1"],
        );
    }

    #[test]
    fn handlers_in_handlers_depend_on_what_the_outermost_try_depends_on() {
        let entry = |depth: usize| format!(".catch any A{depth} B{depth} A{}\n", depth + 1);
        let block = |depth: usize| format!("A{depth}:\nnop\nB{depth}:\nreturn\n");
        let (entries, blocks): (String, String) =
            ((0..300).map(entry).collect(), (0..=300).map(block).collect());
        let source = format!("{entries}iload_0\nifeq E\n{blocks}E:\nreturn");
        with_method(&source, |code| {
            let cfg = ControlFlowGraph::new(code);
            let cdg = ControlDependenceGraph::new(code, &cfg);
            let innermost = cfg.block_of(code.len() - 2);
            assert_eq!(cdg.of(innermost), [ControlDependence { branch: BlockId(0), outcome: 1 }]);
        });
    }

    #[test]
    fn an_endless_loop_decides_nothing_that_it_does_not_decide() {
        check("A:\niload_0\nifeq B\nnop\ngoto A\nB:\nnop\ngoto A", &["", "0.1", "0.0"]);
    }
}
