//! What class initializers cover. They run once in the life of a JVM, long before most tests; in the JVM of a
//! delivered test they run when it first uses the class. So what they covered is kept, and counts for every test
//! that uses the class.

use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::{OutcomeId, ProbeId};
use testcase::execution::ExecutionTrace;

use crate::resolve::GoalClassIndex;

/// What the initializer of a class recorded.
#[derive(Debug, Default)]
struct Initial {
    hits: Vec<(ProbeId, u32)>,
    distances: Vec<(OutcomeId, f64)>,
}

/// Traces of class initializers, by class.
#[derive(Debug)]
pub(crate) struct Initializers {
    classes: Vec<Initial>,
    /// The run in which a class was last found in use.
    used_in: Vec<u32>,
    run: u32,
    /// Classes that the current run uses.
    used: Vec<GoalClassIndex>,
    is_empty: bool,
}

impl Initializers {
    /// Nothing is initialized yet.
    pub(crate) fn new(layout: &ProbeLayout) -> Self {
        let classes = layout.classes().len();
        Self {
            classes: (0..classes).map(|_| Initial::default()).collect(),
            used_in: vec![0; classes],
            run: 0,
            used: Vec::new(),
            is_empty: true,
        }
    }

    /// Keeps what initializing a class recorded. What it recorded in a class that was initialized on the way counts
    /// for that class as well.
    pub(crate) fn keep(&mut self, class: GoalClassIndex, trace: &ExecutionTrace, layout: &ProbeLayout) {
        let had_none: Vec<bool> = self.classes.iter().map(|initial| initial.hits.is_empty()).collect();
        for probe in trace.touched() {
            let Some(entry) = layout.probe(*probe) else { continue };
            let other = (entry.class != class && had_none.get(entry.class as usize) == Some(&true))
                .then_some(entry.class);
            for class in std::iter::once(class).chain(other) {
                let Some(initial) = self.classes.get_mut(class as usize) else { continue };
                initial.hits.push((*probe, trace.count(*probe)));
                let outcomes =
                    entry.branch.map_or(0..0, |branch| branch.first.0..branch.first.0 + branch.count);
                initial.distances.extend(outcomes.map(|id| (OutcomeId(id), trace.distance(OutcomeId(id)))));
                self.is_empty = false;
            }
        }
    }

    /// A run begins.
    pub(crate) fn begin(&mut self) {
        self.run = self.run.wrapping_add(1);
        self.used.clear();
    }

    /// The run uses a class.
    pub(crate) fn note(&mut self, class: Option<GoalClassIndex>) {
        let Some(class) = class else { return };
        if let Some(used_in) = self.used_in.get_mut(class as usize)
            && *used_in != self.run
        {
            *used_in = self.run;
            self.used.push(class);
        }
    }

    /// Adds what the initializers of the classes in use recorded.
    pub(crate) fn add_to(&mut self, trace: &mut ExecutionTrace, layout: &ProbeLayout) {
        if self.is_empty {
            return;
        }
        for probe in trace.touched() {
            self.note(layout.probe(*probe).map(|entry| entry.class));
        }
        for class in &self.used {
            let Some(initial) = self.classes.get(*class as usize) else { continue };
            for (probe, hits) in &initial.hits {
                trace.record_hits(*probe, *hits);
            }
            for (outcome, distance) in &initial.distances {
                trace.record_distance(*outcome, *distance);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bytecode::probe_map::{MethodProbes, ProbeMap};

    use super::*;

    fn layout() -> ProbeLayout {
        let map = |class: &str, entry: u32| ProbeMap {
            class: class.into(),
            hash: 0,
            methods: vec![MethodProbes {
                access: bytecode::access::Access(8),
                ..MethodProbes::new("<clinit>", "()V", ProbeId(entry))
            }],
            skipped: Vec::new(),
        };
        ProbeLayout::new(&[map("p/A", 0), map("p/B", 1)], bytecode::analysis::ProbeIds::default())
    }

    #[test]
    fn an_initializer_counts_for_runs_that_use_its_class() {
        let layout = layout();
        let mut initializers = Initializers::new(&layout);
        let mut first = ExecutionTrace::new(2, 0);
        first.record_hits(ProbeId(0), 1);
        first.record_hits(ProbeId(1), 2);
        initializers.keep(0, &first, &layout);

        let check = |initializers: &mut Initializers,
                     class: Option<GoalClassIndex>,
                     hit: &[u32],
                     expect: [u32; 2]| {
            let mut trace = ExecutionTrace::new(2, 0);
            for probe in hit {
                trace.record_hits(ProbeId(*probe), 1);
            }
            initializers.begin();
            initializers.note(class);
            initializers.add_to(&mut trace, &layout);
            assert_eq!([0, 1].map(|probe| trace.count(ProbeId(probe))), expect);
        };
        check(&mut initializers, None, &[], [0, 0]);
        check(&mut initializers, Some(0), &[], [1, 2]);
        check(&mut initializers, Some(1), &[], [0, 2]);
        check(&mut initializers, None, &[1], [0, 3]);
    }
}
