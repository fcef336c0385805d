//! Approach level: how many control dependences lie between what a run executed and where it should get.
//!
//! Precomputed once, so that a run is measured by walking short lists. Within a method, an [`ApproachId`] names the
//! list of the outcomes through which a place can be reached, nearest first. In front of the method, a list per
//! internal method ([`crate::method_table::Method::is_internal`]) leads on through the places that call it.
//!
//! # Differences
//! * The distance to a place is the minimum over all ways to it (places in unstructured code, short-circuit
//!   conditions and handlers have several), and over all executions of a run, not per call of the method.
//! * The papers end at the method entry: a run that does not enter the method has one constant fitness. The lists in
//!   front of internal methods are ours and only there when the goal graph was built with call dependences.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::probe_map::{OutcomeId, ProbeId};
use fixedbitset::FixedBitSet;
use testcase::execution::ExecutionTrace;

use crate::distance::Normalization;
use crate::fitness::Sight;
use crate::method_table::{MethodIndex, MethodTable};

/// Entries kept in the list in front of a method. What lies farther away guides nobody, and recursive parsers would
/// make lists as long as the class.
const LONGEST_CALL_LIST: usize = 256;

/// The ways to a place within its method, dense from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ApproachId(pub u32);

/// A range of the flat list of steps.
#[derive(Debug, Clone, Copy)]
struct Range {
    first: u32,
    end: u32,
    /// Within a method: the number of levels to its entry. In front of one: the level behind the last.
    depth: u32,
}

/// One outcome, or one entry of a method, on the way to a place.
#[derive(Debug, Clone, Copy)]
struct Step {
    level: u32,
    at: At,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Outcome(OutcomeId),
    Entry(MethodIndex),
}

/// The approach lists of a set of classes.
#[derive(Debug, Clone, Default)]
pub struct ApproachTable {
    steps: Vec<Step>,
    approaches: Vec<Range>,
    by_control: BTreeMap<(MethodIndex, Vec<OutcomeId>), ApproachId>,
    /// By method.
    calls: Vec<Range>,
    entries: Vec<ProbeId>,
}

impl ApproachTable {
    /// A table with the lists in front of internal methods when `call_dependences`, and no approaches yet.
    pub fn new(methods: &MethodTable, call_dependences: bool) -> Self {
        let entries = methods.methods().iter().map(|method| method.entry).collect();
        let mut table = Self { entries, ..Self::default() };
        for id in methods.ids() {
            let range = if call_dependences {
                table.add_call_list(methods, id)
            } else {
                Range { first: 0, end: 0, depth: 0 }
            };
            table.calls.push(range);
        }
        table
    }

    /// The ways to a place in a method that directly control-depends on these outcomes; empty for a place on every
    /// way through the method. Places under the same control share one approach.
    pub fn add(
        &mut self,
        methods: &MethodTable,
        method: MethodIndex,
        controlled_by: &[OutcomeId],
    ) -> ApproachId {
        let mut control = controlled_by.to_vec();
        control.sort_unstable();
        control.dedup();
        let next = ApproachId(self.approaches.len() as u32);
        let id = *self.by_control.entry((method, control)).or_insert(next);
        if id == next {
            let range = self.add_within_method(methods, controlled_by);
            self.approaches.push(range);
        }
        id
    }

    /// Number of approaches.
    pub fn len(&self) -> usize {
        self.approaches.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.approaches.is_empty()
    }

    /// Number of control dependences between the entry of the method and the place: 0 for a place on every way.
    pub fn depth(&self, approach: ApproachId) -> u32 {
        self.approaches[approach.0 as usize].depth
    }

    /// Distance to a place of a run that entered the method: approach level plus normalized branch distance at the
    /// nearest outcomes reached, at most the depth.
    pub fn within_method(
        &self,
        approach: ApproachId,
        trace: &ExecutionTrace,
        normalization: Normalization,
    ) -> f64 {
        let range = self.approaches[approach.0 as usize];
        self.nearest(range, trace, normalization).unwrap_or(f64::from(range.depth))
    }

    /// Distance to the entry of a method of a run that did not enter it: 1, or, for an internal method with call
    /// dependences, 1 more than the distance to the nearest place that calls it.
    pub fn before_method(
        &self,
        method: MethodIndex,
        trace: &ExecutionTrace,
        normalization: Normalization,
    ) -> f64 {
        let Some(&range) = self.calls.get(method.index()) else { return 1.0 };
        let nearest = self.nearest(range, trace, normalization);
        1.0 + nearest.unwrap_or(f64::from(range.depth))
    }

    /// Distance to the entry of a method of a run that reached nothing of what leads there.
    pub fn farthest_before_method(&self, method: MethodIndex) -> f64 {
        1.0 + self.calls.get(method.index()).map_or(0.0, |range| f64::from(range.depth))
    }

    /// The least value of the first level of which the run reached anything.
    fn nearest(&self, range: Range, trace: &ExecutionTrace, normalization: Normalization) -> Option<f64> {
        let mut best: Option<(u32, f64)> = None;
        for step in &self.steps[range.first as usize..range.end as usize] {
            if best.is_some_and(|(level, _)| step.level > level) {
                break;
            }
            let distance = match step.at {
                At::Outcome(outcome) => trace.distance(outcome),
                At::Entry(method) if trace.count(self.entries[method.index()]) > 0 => 0.0,
                At::Entry(_) => f64::INFINITY,
            };
            if distance.is_finite() {
                let least = best.map_or(distance, |(_, least)| distance.min(least));
                best = Some((step.level, least));
            }
        }
        best.map(|(level, distance)| f64::from(level) + normalization.normalize(distance))
    }

    /// Adds what [`ApproachTable::within_method`] looks at.
    pub(crate) fn see_within_method(&self, approach: ApproachId, sight: &mut Sight) {
        self.see(self.approaches[approach.0 as usize], sight);
    }

    /// Adds what [`ApproachTable::before_method`] looks at.
    pub(crate) fn see_before_method(&self, method: MethodIndex, sight: &mut Sight) {
        if let Some(&range) = self.calls.get(method.index()) {
            self.see(range, sight);
        }
    }

    fn see(&self, range: Range, sight: &mut Sight) {
        for step in &self.steps[range.first as usize..range.end as usize] {
            match step.at {
                At::Outcome(outcome) => sight.outcomes.grow_and_insert(outcome.index()),
                At::Entry(method) => sight.probes.grow_and_insert(self.entries[method.index()].index()),
            }
        }
    }

    fn add_within_method(&mut self, methods: &MethodTable, controlled_by: &[OutcomeId]) -> Range {
        let first = self.steps.len() as u32;
        let mut level: Vec<OutcomeId> = controlled_by.to_vec();
        let mut seen = FixedBitSet::new();
        let mut depth = 0;
        loop {
            level.sort_unstable();
            level.retain(|outcome| {
                seen.grow(outcome.index() + 1);
                !seen.put(outcome.index())
            });
            if level.is_empty() {
                break;
            }
            self.steps.extend(level.iter().map(|&outcome| Step { level: depth, at: At::Outcome(outcome) }));
            depth += 1;
            let controls = |outcome: &OutcomeId| methods.branch(*outcome).map(|branch| &branch.controlled_by);
            if level.iter().any(|outcome| controls(outcome).is_none_or(Vec::is_empty)) {
                // From here the method entry is as near as anything farther out.
                break;
            }
            level = level.iter().filter_map(controls).flatten().copied().collect();
        }
        Range { first, end: self.steps.len() as u32, depth }
    }

    fn add_call_list(&mut self, methods: &MethodTable, method: MethodIndex) -> Range {
        let first = self.steps.len();
        let mut depth = 0;
        let mut seen = BTreeSet::from([At::Entry(method)]);
        let mut level = places_before(methods, At::Entry(method));
        loop {
            level.sort_unstable();
            level.dedup();
            level.retain(|at| !seen.contains(at));
            if level.is_empty() || self.steps.len() - first + level.len() > LONGEST_CALL_LIST {
                break;
            }
            seen.extend(level.iter().copied());
            self.steps.extend(level.iter().map(|&at| Step { level: depth, at }));
            depth += 1;
            level = level.iter().flat_map(|&at| places_before(methods, at)).collect();
        }
        Range { first: first as u32, end: self.steps.len() as u32, depth }
    }
}

/// What an outcome, or the entry of a method, directly depends on.
fn places_before(methods: &MethodTable, at: At) -> Vec<At> {
    let before = |controlled_by: &[OutcomeId], method| {
        if controlled_by.is_empty() {
            vec![At::Entry(method)]
        } else {
            controlled_by.iter().copied().map(At::Outcome).collect()
        }
    };
    match at {
        At::Outcome(outcome) => methods
            .branch(outcome)
            .map_or_else(Vec::new, |branch| before(&branch.controlled_by, branch.method)),
        At::Entry(method) => {
            let sites = &methods.method(method).call_sites;
            sites.iter().flat_map(|site| before(&site.controlled_by, site.caller)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::ProgramBuilder;

    #[test]
    fn a_cycle_of_control_dependences_ends() {
        let mut program = ProgramBuilder::new("Foo");
        let first = OutcomeId(0);
        let second = OutcomeId(2);
        program.method("spin").branch(&[second]);
        program.method("spin").branch(&[first]);
        let methods = MethodTable::new(&program.build());
        let mut table = ApproachTable::new(&methods, true);
        let approach = table.add(&methods, MethodIndex(0), &[second]);
        assert_eq!(table.depth(approach), 2);
        let distance = |entries: &[&str], distances: &[(OutcomeId, f64)]| {
            table.within_method(approach, &program.trace(entries, distances), Normalization::Ratio)
        };
        assert_eq!(distance(&["spin"], &[]), 2.0);
        assert_eq!(distance(&["spin"], &[(first, 1.0)]), 1.5);
        assert_eq!(distance(&["spin"], &[(first, 1.0), (second, 1.0)]), 0.5);
    }

    #[test]
    fn recursion_between_internal_methods_ends() {
        let mut program = ProgramBuilder::new("Foo");
        program.method("odd").private().call("even", &[]);
        program.method("even").private().call("odd", &[]);
        let methods = MethodTable::new(&program.build());
        let table = ApproachTable::new(&methods, true);
        let trace = program.trace(&[], &[]);
        assert_eq!(table.before_method(MethodIndex(0), &trace, Normalization::Ratio), 2.0);
    }

    #[test]
    fn places_under_the_same_control_share_an_approach() {
        let mut program = ProgramBuilder::new("Foo");
        let (taken, not_taken) = program.method("bar").branch(&[]);
        let methods = MethodTable::new(&program.build());
        let mut table = ApproachTable::new(&methods, false);
        let shared = table.add(&methods, MethodIndex(0), &[taken, not_taken]);
        assert_eq!(table.add(&methods, MethodIndex(0), &[not_taken, taken, taken]), shared);
        assert_ne!(table.add(&methods, MethodIndex(0), &[taken]), shared);
        assert_eq!(table.len(), 2);
    }
}
