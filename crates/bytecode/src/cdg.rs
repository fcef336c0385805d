//! The control dependence graph of a method.

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
    dependences: Vec<Vec<ControlDependence>>,
}

impl ControlDependenceGraph {
    /// Computes the dependences.
    pub fn new(code: &MethodCode<'_>, cfg: &ControlFlowGraph) -> Self {
        let handlers: Vec<(BlockId, Vec<BlockId>)> = handler_blocks(code, cfg);
        let (decisions, direct) = direct_dependences(cfg, &handlers);
        let mut graph = Self { dependences: vec![Vec::new(); cfg.len()] };
        let mut resolved: Vec<Option<Vec<ControlDependence>>> = vec![None; handlers.len()];
        for block in cfg.blocks() {
            let mut context = Resolver {
                code,
                cfg,
                decisions: &decisions,
                direct: &direct,
                handlers: &handlers,
                resolved: &mut resolved,
            };
            graph.dependences[block.index()] = context.resolve(block, &mut Vec::new());
        }
        graph
    }

    /// Outcomes on which a block directly control-depends, sorted; none for a root.
    pub fn of(&self, block: BlockId) -> &[ControlDependence] {
        &self.dependences[block.index()]
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
/// each between going there and leaving the method.
fn direct_dependences(
    cfg: &ControlFlowGraph,
    handlers: &[(BlockId, Vec<BlockId>)],
) -> (Vec<Decision>, Vec<Vec<(Node, u32)>>) {
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
    let mut direct = vec![Vec::new(); cfg.len()];
    for node in 0..decisions.len() as Node {
        let successors = graph.successors(node);
        let end = post_dominators.immediate(node);
        for (outcome, &successor) in successors.iter().enumerate() {
            let mut runner = Some(successor);
            while let Some(dependent) = runner.filter(|_| runner != end) {
                if let Some(dependences) = direct.get_mut(dependent as usize) {
                    dependences.push((node, outcome as u32));
                }
                runner = post_dominators.immediate(dependent);
            }
        }
    }
    (decisions, direct)
}

/// Turns direct dependences into outcomes of branches.
struct Resolver<'r, 'a> {
    code: &'r MethodCode<'a>,
    cfg: &'r ControlFlowGraph,
    decisions: &'r [Decision],
    direct: &'r [Vec<(Node, u32)>],
    handlers: &'r [(BlockId, Vec<BlockId>)],
    resolved: &'r mut [Option<Vec<ControlDependence>>],
}

impl Resolver<'_, '_> {
    /// `entered` holds the handlers being resolved, since a handler may lie in its own try block.
    fn resolve(&mut self, block: BlockId, entered: &mut Vec<usize>) -> Vec<ControlDependence> {
        let mut dependences = Vec::new();
        for &(node, outcome) in &self.direct[block.index()] {
            match self.decisions[node as usize] {
                Decision::Call => return Vec::new(),
                Decision::Block(branch)
                    if branch != block && self.cfg.branch(self.code, branch).is_some() =>
                {
                    dependences.push(ControlDependence { branch, outcome });
                }
                // The end that an endless loop was given.
                Decision::Block(_) => {}
                Decision::Handler(number) => dependences.extend(self.handler(number, entered)),
            }
        }
        // A handler may lead back to its own try block.
        dependences.retain(|dependence| dependence.branch != block);
        dependences.sort_unstable();
        dependences.dedup();
        dependences
    }

    /// What the try blocks of a handler depend on; nothing if one of them is a root.
    fn handler(&mut self, number: usize, entered: &mut Vec<usize>) -> Vec<ControlDependence> {
        if let Some(known) = &self.resolved[number] {
            return known.clone();
        }
        if entered.contains(&number) {
            return Vec::new();
        }
        entered.push(number);
        let mut dependences = Vec::new();
        for &start in &self.handlers[number].1 {
            let inside = self.direct[start.index()].iter().any(|&(node, _)| {
                matches!(self.decisions[node as usize], Decision::Handler(other) if entered.contains(&other))
            });
            if inside {
                continue;
            }
            let found = self.resolve(start, entered);
            if found.is_empty() {
                dependences.clear();
                break;
            }
            dependences.extend(found);
        }
        entered.pop();
        dependences.sort_unstable();
        dependences.dedup();
        if entered.is_empty() {
            self.resolved[number] = Some(dependences.clone());
        }
        dependences
    }
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
    fn an_endless_loop_decides_nothing_that_it_does_not_decide() {
        check("A:\niload_0\nifeq B\nnop\ngoto A\nB:\nnop\ngoto A", &["", "0.1", "0.0"]);
    }
}
