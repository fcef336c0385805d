//! Directed graphs over dense nodes, as small as control flow needs them.

/// A directed graph; successors of a node keep the order in which edges were added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

/// A node, dense from 0.
pub type Node = u32;

impl Graph {
    /// Makes a graph of `nodes` nodes; edges may repeat.
    ///
    /// # Panics
    /// If an edge names a node outside `0..nodes`.
    pub fn new(nodes: usize, edges: &[(Node, Node)]) -> Self {
        let mut offsets = vec![0; nodes + 1];
        for &(from, to) in edges {
            assert!((to as usize) < nodes, "an edge leaves the graph");
            offsets[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            offsets[node + 1] += offsets[node];
        }
        // Each offset is the next free place of its node while edges are put in, so it ends as that of the next node.
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges {
            let slot = &mut offsets[from as usize];
            targets[*slot as usize] = to;
            *slot += 1;
        }
        offsets.rotate_right(1);
        offsets[0] = 0;
        Self { offsets, targets }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether it has no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the edges of a node lead, in the order they were added.
    pub fn successors(&self, node: Node) -> &[Node] {
        let (start, end) = (self.offsets[node as usize], self.offsets[node as usize + 1]);
        &self.targets[start as usize..end as usize]
    }

    /// All edges, by source.
    pub fn edges(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        (0..self.len() as Node)
            .flat_map(|node| self.successors(node).iter().map(move |&successor| (node, successor)))
    }

    /// The graph with every edge turned round.
    pub fn reversed(&self) -> Self {
        let edges: Vec<_> = self.edges().map(|(from, to)| (to, from)).collect();
        Self::new(self.len(), &edges)
    }

    /// Nodes reachable from the roots, each after all that a depth-first search finds below it.
    pub fn postorder(&self, roots: &[Node]) -> Vec<Node> {
        let mut order = Vec::with_capacity(self.len());
        let mut seen = vec![false; self.len()];
        let mut stack: Vec<(Node, usize)> = Vec::new();
        for &root in roots {
            if !std::mem::replace(&mut seen[root as usize], true) {
                stack.push((root, 0));
            }
            while let Some((node, next)) = stack.last_mut() {
                if let Some(&successor) = self.successors(*node).get(*next) {
                    *next += 1;
                    if !std::mem::replace(&mut seen[successor as usize], true) {
                        stack.push((successor, 0));
                    }
                } else {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order
    }

    /// Whether each node can be reached from the roots.
    pub fn reachable(&self, roots: &[Node]) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        for node in self.postorder(roots) {
            reached[node as usize] = true;
        }
        reached
    }

    /// Edges that close a cycle: those to a node on the stack of a depth-first search from the roots. In a
    /// reducible graph these are the back edges of its natural loops (Hecht and Ullman 1974), whatever the
    /// order of the search; in every graph each cycle that the roots reach has one.
    pub fn retreating_edges(&self, roots: &[Node]) -> Vec<(Node, Node)> {
        const NEW: u8 = 0;
        const ON_STACK: u8 = 1;
        const DONE: u8 = 2;
        let mut edges = Vec::new();
        let mut state = vec![NEW; self.len()];
        let mut stack: Vec<(Node, usize)> = Vec::new();
        for &root in roots {
            if state[root as usize] == NEW {
                state[root as usize] = ON_STACK;
                stack.push((root, 0));
            }
            while let Some((node, next)) = stack.last_mut() {
                let Some(&successor) = self.successors(*node).get(*next) else {
                    state[*node as usize] = DONE;
                    stack.pop();
                    continue;
                };
                *next += 1;
                match state[successor as usize] {
                    NEW => {
                        state[successor as usize] = ON_STACK;
                        stack.push((successor, 0));
                    }
                    ON_STACK => edges.push((*node, successor)),
                    _ => {}
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }
}

/// Property tests see the same cases in every run.
#[cfg(test)]
pub(crate) fn property(cases: u32) -> proptest::test_runner::Config {
    use proptest::test_runner::{Config, RngSeed};
    Config { cases, rng_seed: RngSeed::Fixed(0), failure_persistence: None, ..Config::default() }
}

/// Small random graphs for property tests.
#[cfg(test)]
pub(crate) fn graphs() -> impl proptest::strategy::Strategy<Value = Graph> {
    use proptest::prelude::*;
    (1..12_u32).prop_flat_map(|nodes| {
        prop::collection::vec((0..nodes, 0..nodes), 0..30)
            .prop_map(move |edges| Graph::new(nodes as usize, &edges))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn edges_to_the_search_stack_close_loops() {
        let check = |edges: &[(Node, Node)], expect: &[(Node, Node)]| {
            assert_eq!(Graph::new(5, edges).retreating_edges(&[0]), expect, "{edges:?}");
        };
        check(&[(0, 1), (1, 2), (2, 1), (2, 2), (1, 3)], &[(2, 1), (2, 2)]);
        check(&[(0, 1), (0, 2), (1, 2), (2, 1)], &[(2, 1)]);
        check(&[(0, 1), (0, 2), (1, 3), (2, 3)], &[]);
    }

    proptest! {
        #![proptest_config(property(500))]

        #[test]
        fn without_its_retreating_edges_a_graph_has_no_cycle(graph in graphs()) {
            let retreating = graph.retreating_edges(&[0]);
            let rest: Vec<_> = graph.edges().filter(|edge| !retreating.contains(edge)).collect();
            prop_assert!(Graph::new(graph.len(), &rest).retreating_edges(&[0]).is_empty());
        }
    }
}
