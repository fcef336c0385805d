//! Dominators and post-dominators.

use crate::graph::{Graph, Node};

/// Marks nodes that the root does not reach.
const UNREACHED: u32 = u32::MAX;

/// The dominator tree of the nodes that a root reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dominators {
    root: Node,
    /// Immediate dominator; of the root itself, [`UNREACHED`] for nodes that it does not reach.
    parents: Vec<Node>,
    /// Places in the postorder: a dominator has a greater one than what it dominates.
    number: Vec<u32>,
}

impl Dominators {
    /// Computes the tree by iteration over the reverse postorder (Cooper, Harvey and Kennedy, "A Simple, Fast
    /// Dominance Algorithm", 2001).
    pub fn new(graph: &Graph, root: Node) -> Self {
        Self::with_postorder(graph, root, &graph.postorder(&[root]))
    }

    /// As [`Self::new`], for a known postorder of what the root reaches.
    fn with_postorder(graph: &Graph, root: Node, postorder: &[Node]) -> Self {
        let mut number = vec![UNREACHED; graph.len()];
        for (index, &node) in postorder.iter().enumerate() {
            number[node as usize] = index as u32;
        }
        let predecessors = graph.reversed();
        let mut parents = vec![UNREACHED; graph.len()];
        parents[root as usize] = root;
        let mut changed = true;
        while changed {
            changed = false;
            for &node in postorder.iter().rev().filter(|&&node| node != root) {
                let known = predecessors.successors(node).iter().copied();
                let known = known.filter(|&predecessor| parents[predecessor as usize] != UNREACHED);
                let parent = known.reduce(|first, second| common(&parents, &number, first, second));
                if let Some(parent) = parent.filter(|&parent| parent != parents[node as usize]) {
                    parents[node as usize] = parent;
                    changed = true;
                }
            }
        }
        Self { root, parents, number }
    }

    /// The immediate dominator; `None` for the root and for nodes it does not reach.
    pub fn immediate(&self, node: Node) -> Option<Node> {
        let parent = self.parents[node as usize];
        (node != self.root && parent != UNREACHED).then_some(parent)
    }

    /// Whether the root reaches the node.
    pub fn is_reached(&self, node: Node) -> bool {
        self.parents[node as usize] != UNREACHED
    }

    /// Whether every path from the root to `node` passes `dominator`; a node dominates itself. False where the
    /// root does not reach `node`.
    pub fn dominates(&self, dominator: Node, node: Node) -> bool {
        if !self.is_reached(dominator) || !self.is_reached(node) {
            return false;
        }
        let mut current = node;
        while self.number[current as usize] < self.number[dominator as usize] {
            current = self.parents[current as usize];
        }
        current == dominator
    }
}

/// The nearest common ancestor in the tree so far.
fn common(parents: &[Node], number: &[u32], mut first: Node, mut second: Node) -> Node {
    while first != second {
        while number[first as usize] < number[second as usize] {
            first = parents[first as usize];
        }
        while number[second as usize] < number[first as usize] {
            second = parents[second as usize];
        }
    }
    first
}

/// The post-dominator tree of a graph whose every node is given a way to one virtual exit.
#[derive(Debug, Clone)]
pub struct PostDominators {
    tree: Dominators,
    exit: Node,
}

impl PostDominators {
    /// Computes the tree. Nodes without successors lead to the exit.
    ///
    /// Code that never ends has no way there, so it is given some: of each group of nodes that run in a circle for
    /// ever, those that lead back to its head lead to the exit as well, as if the loop could end each time round.
    /// So what is decided inside the loop keeps its two sides.
    pub fn new(graph: &Graph) -> Self {
        let exit = graph.len() as Node;
        let mut edges: Vec<(Node, Node)> = graph.edges().map(|(from, to)| (to, from)).collect();
        edges.extend((0..exit).filter(|&node| graph.successors(node).is_empty()).map(|node| (exit, node)));
        let mut reversed = Graph::new(graph.len() + 1, &edges);
        let mut order = reversed.postorder(&[exit]);
        while order.len() < reversed.len() {
            let ends = reversed.reachable(&[exit]);
            let Some(endless) = ends.iter().position(|&ends| !ends) else { break };
            let circle = bottom_circle(graph, endless as Node);
            let inside = |node: Node| circle.binary_search(&node).is_ok();
            let entered = graph.edges().find(|&(from, to)| !inside(from) && inside(to));
            let head = entered.map_or(circle[0], |(_, head)| head);
            edges.extend(
                graph.edges().filter(|&(from, to)| inside(from) && to == head).map(|(from, _)| (exit, from)),
            );
            reversed = Graph::new(graph.len() + 1, &edges);
            order = reversed.postorder(&[exit]);
        }
        Self { tree: Dominators::with_postorder(&reversed, exit, &order), exit }
    }

    /// The virtual exit: one more than the last node of the graph.
    pub fn exit(&self) -> Node {
        self.exit
    }

    /// The immediate post-dominator, which may be the virtual exit; `None` for the exit alone.
    pub fn immediate(&self, node: Node) -> Option<Node> {
        self.tree.immediate(node)
    }

    /// Whether every way from `node` to the exit passes `dominator`; a node post-dominates itself.
    pub fn dominates(&self, dominator: Node, node: Node) -> bool {
        self.tree.dominates(dominator, node)
    }
}

/// A group of nodes, ascending, that `start` reaches, that all reach each other, and that nothing leaves.
fn bottom_circle(graph: &Graph, mut start: Node) -> Vec<Node> {
    let reversed = graph.reversed();
    loop {
        let (forward, backward) = (graph.reachable(&[start]), reversed.reachable(&[start]));
        let nodes = 0..graph.len() as Node;
        match nodes.clone().find(|&node| forward[node as usize] && !backward[node as usize]) {
            // What does not lead back lies below: each turn leaves at least the group of `start` behind.
            Some(below) => start = below,
            None => return nodes.filter(|&node| forward[node as usize]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::{graphs, property};

    fn check_dominators(edges: &[(Node, Node)], expect: &[Option<Node>]) {
        let dominators = Dominators::new(&Graph::new(expect.len(), edges), 0);
        let found: Vec<_> = (0..expect.len() as Node).map(|node| dominators.immediate(node)).collect();
        assert_eq!(found, expect, "{edges:?}");
    }

    #[test]
    fn a_diamond_is_dominated_by_its_head() {
        check_dominators(&[(0, 1), (0, 2), (1, 3), (2, 3)], &[None, Some(0), Some(0), Some(0)]);
    }

    #[test]
    fn a_loop_is_dominated_by_its_head_and_dead_code_by_nothing() {
        check_dominators(&[(0, 1), (1, 2), (2, 1), (1, 3), (4, 3)], &[None, Some(0), Some(1), Some(1), None]);
    }

    #[test]
    fn an_irreducible_loop_is_dominated_by_what_both_entries_share() {
        // Figure 4 of Cooper, Harvey and Kennedy, with the entry as 0.
        let edges = [(0, 4), (0, 3), (4, 1), (3, 2), (3, 5), (1, 2), (2, 1), (2, 5), (5, 2)];
        check_dominators(&edges, &[None, Some(0), Some(0), Some(0), Some(0), Some(0)]);
    }

    fn check_post_dominators(edges: &[(Node, Node)], expect: &[Node]) {
        let post_dominators = PostDominators::new(&Graph::new(expect.len(), edges));
        let found: Vec<_> =
            (0..expect.len() as Node).map(|node| post_dominators.immediate(node).unwrap()).collect();
        assert_eq!(found, expect, "{edges:?}");
    }

    #[test]
    fn a_diamond_is_post_dominated_by_its_join() {
        check_post_dominators(&[(0, 1), (0, 2), (1, 3), (2, 3)], &[3, 3, 3, 4]);
    }

    #[test]
    fn several_returns_meet_in_the_exit_only() {
        check_post_dominators(&[(0, 1), (0, 2)], &[3, 3, 3]);
    }

    #[test]
    fn an_endless_loop_can_end_each_time_round() {
        // 0 → loop { 1: if → 2 | 3; both → 4; 4 → 1 }
        check_post_dominators(&[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1)], &[1, 4, 4, 4, 5]);
        // 0 → loop { 1: if → 2 | 3; both → 1 }
        check_post_dominators(&[(0, 1), (1, 2), (1, 3), (2, 1), (3, 1)], &[1, 4, 4, 4]);
    }

    #[test]
    fn a_way_out_beside_an_endless_loop_keeps_both_sides_apart() {
        check_post_dominators(&[(0, 1), (0, 2), (1, 1)], &[3, 3, 3]);
    }

    /// By definition: a node dominates what the root cannot reach any more once it is taken out.
    fn reached_without(graph: &Graph, removed: Node) -> Vec<bool> {
        let edges: Vec<_> = graph.edges().filter(|&(from, to)| from != removed && to != removed).collect();
        let mut reached = Graph::new(graph.len(), &edges).reachable(&[0]);
        reached[removed as usize] = false;
        if removed == 0 { vec![false; graph.len()] } else { reached }
    }

    proptest! {
        #![proptest_config(property(500))]

        #[test]
        fn dominators_are_what_the_definition_says(graph in graphs()) {
            let dominators = Dominators::new(&graph, 0);
            let reached = graph.reachable(&[0]);
            for dominator in 0..graph.len() as Node {
                let without = reached_without(&graph, dominator);
                for node in 0..graph.len() {
                    let expect = reached[dominator as usize] && reached[node] && !without[node];
                    prop_assert_eq!(dominators.dominates(dominator, node as Node), expect);
                }
            }
        }

        #[test]
        fn an_immediate_dominator_is_dominated_by_all_other_dominators(graph in graphs()) {
            let dominators = Dominators::new(&graph, 0);
            for node in 1..graph.len() as Node {
                let Some(immediate) = dominators.immediate(node) else { continue };
                for other in (0..graph.len() as Node).filter(|&other| other != node) {
                    if dominators.dominates(other, node) {
                        prop_assert!(dominators.dominates(other, immediate));
                    }
                }
            }
        }

        #[test]
        fn every_node_is_post_dominated_by_the_exit(graph in graphs()) {
            let post_dominators = PostDominators::new(&graph);
            for node in 0..graph.len() as Node {
                prop_assert!(post_dominators.dominates(post_dominators.exit(), node));
                prop_assert!(post_dominators.immediate(node).is_some());
            }
        }
    }
}
