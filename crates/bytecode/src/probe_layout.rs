//! What a reader of traces must know of each probe: the class it is in, and its outcomes if it is a branch.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analysis::ProbeIds;
use crate::descriptor::MethodDescriptor;
use crate::name::ClassName;
use crate::probe_map::{Branch, BranchKind, DirectIds, Evidence, MethodProbes, OutcomeId, ProbeId, ProbeMap};
use crate::values::ValueProbes;

/// All probes of a run by [`ProbeId`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProbeLayout {
    probes: Vec<ProbeEntry>,
    outcomes: usize,
    classes: Vec<ClassName>,
    direct: Option<DirectIds>,
    direct_methods: Vec<DirectMethod>,
    values: Vec<MethodValues>,
    points: Vec<ProbeId>,
}

/// A method of which calls by the test itself are told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectMethod {
    /// Hit when it is entered.
    pub entry: ProbeId,
    /// Its name.
    pub name: Arc<str>,
    /// Number of its parameters.
    pub parameters: usize,
}

/// Numbers of the signatures of methods whose direct calls are told apart, from 1: a name and a number of parameters.
///
/// A test names a method as the declared type of the receiver has it; what runs may be an override in a subclass, or be
/// reached through a bridge. So methods are matched by name and number of parameters: the first method entered after
/// the test set out to call one of that signature is the one that it called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SignatureNumbers {
    numbers: BTreeMap<Arc<str>, BTreeMap<usize, i32>>,
    /// By entry probe; 0 for methods whose direct calls are not told apart. Empty where there are none.
    by_probe: Vec<i32>,
}

impl SignatureNumbers {
    /// The number of a signature; 0 where it has none.
    pub fn number(&self, name: &str, parameters: usize) -> i32 {
        self.numbers.get(name).and_then(|numbers| numbers.get(&parameters)).copied().unwrap_or(0)
    }

    /// Numbers by entry probe; 0 for methods whose direct calls are not told apart. Empty where there are none.
    pub fn by_probe(&self) -> &[i32] {
        &self.by_probe
    }
}

/// A method with outcomes for the classes of its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodValues {
    /// Class that declares it.
    pub class: ClassName,
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Its values, at least one.
    pub values: Vec<ValueProbes>,
}

/// One probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProbeEntry {
    /// Its class, as an index into [`ProbeLayout::classes`].
    pub class: u32,
    /// Its outcomes, if it is a branch, or a mutation point, which is like one.
    pub branch: Option<BranchEntry>,
}

/// The outcomes of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchEntry {
    /// The first one; the others follow.
    pub first: OutcomeId,
    /// How many there are.
    pub count: u32,
    /// What the branch compares.
    pub kind: BranchKind,
}

impl ProbeLayout {
    /// The layout of these maps, whose ids are dense over all of them and ascend with the maps. `ids` are the next
    /// free ones behind them: not every probe is named in a map.
    pub fn new(maps: &[ProbeMap], ids: ProbeIds) -> Self {
        let mut layout = Self::default();
        for (class, map) in (0..).zip(maps) {
            layout.classes.push(map.class.clone());
            for method in &map.methods {
                layout.add_method(class, method);
            }
            let watched = map.methods.iter().filter(|method| !method.values.is_empty());
            layout.values.extend(watched.map(|method| MethodValues {
                class: map.class.clone(),
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
                values: method.values.clone(),
            }));
        }
        layout.reserve(ids.probes as usize);
        layout.outcomes = layout.outcomes.max(ids.outcomes as usize);
        layout
    }

    /// Number of probes, second numbers included.
    pub fn probes(&self) -> usize {
        self.direct.map_or(0, |direct| direct.0 as usize) + self.probes.len()
    }

    /// Number of outcomes, second numbers included.
    pub fn outcomes(&self) -> usize {
        self.direct.map_or(0, |direct| direct.0 as usize) + self.outcomes
    }

    /// What second numbers are made with, if there are any.
    pub fn direct(&self) -> Option<DirectIds> {
        self.direct
    }

    /// Methods of which calls by the test itself are told apart.
    pub fn direct_methods(&self) -> &[DirectMethod] {
        &self.direct_methods
    }

    /// Numbers the signatures of the methods whose direct calls are told apart.
    pub fn signatures(&self) -> SignatureNumbers {
        let Some(direct) = self.direct else { return SignatureNumbers::default() };
        let mut signatures =
            SignatureNumbers { numbers: BTreeMap::new(), by_probe: vec![0; direct.0 as usize] };
        let mut next = 1;
        for method in &self.direct_methods {
            let named = signatures.numbers.entry(method.name.clone()).or_default();
            let number = *named.entry(method.parameters).or_insert(next);
            next += i32::from(number == next);
            if let Some(slot) = signatures.by_probe.get_mut(method.entry.index()) {
                *slot = number;
            }
        }
        signatures
    }

    /// The first number of a probe.
    pub fn first_number(&self, id: ProbeId) -> ProbeId {
        match self.direct {
            Some(direct) if id.0 >= direct.0 => ProbeId(id.0 - direct.0),
            _ => id,
        }
    }

    /// Classes with probes, in the order of the maps.
    pub fn classes(&self) -> &[ClassName] {
        &self.classes
    }

    /// Methods with outcomes for values, in the order of the maps.
    pub fn values(&self) -> &[MethodValues] {
        &self.values
    }

    /// Mutation points; their infections are the outcomes of these probes.
    pub fn points(&self) -> &[ProbeId] {
        &self.points
    }

    /// A probe by its first number; `None` beyond the last one.
    pub fn probe(&self, id: ProbeId) -> Option<&ProbeEntry> {
        self.probes.get(id.index())
    }

    fn add_method(&mut self, class: u32, method: &MethodProbes) {
        self.add(class, method.entry);
        if let Some(direct) = method.direct {
            self.direct = Some(direct);
            let parameters = MethodDescriptor::parse(&method.descriptor);
            self.direct_methods.push(DirectMethod {
                entry: method.entry,
                name: method.name.clone(),
                parameters: parameters.map_or(0, |descriptor| descriptor.parameters.len()),
            });
        }
        for branch in &method.branches {
            self.add(class, branch.probe).branch = entry_of(branch);
            for outcome in &branch.outcomes {
                self.outcomes = self.outcomes.max(outcome.id.index() + 1);
                self.add_evidence(class, &outcome.covered_by);
            }
        }
        for line in &method.lines {
            self.add_evidence(class, &line.covered_by);
        }
        for point in method.mutants.chunk_by(|a, b| a.probe == b.probe) {
            let Some(first) = point.first() else { continue };
            let (count, kind) = (point.len() as u32, BranchKind::Integer);
            self.add(class, first.probe).branch = Some(BranchEntry { first: first.infection, count, kind });
            self.points.push(first.probe);
            self.outcomes = self.outcomes.max((first.propagation.0 + count) as usize);
        }
        for (_, outcome) in method.values.iter().flat_map(ValueProbes::outcomes) {
            self.outcomes = self.outcomes.max(outcome.index() + 1);
        }
    }

    fn add_evidence(&mut self, class: u32, evidence: &[Evidence]) {
        for evidence in evidence {
            match evidence {
                Evidence::Hit(probe) => {
                    self.add(class, *probe);
                }
                Evidence::Taken(outcome) => self.outcomes = self.outcomes.max(outcome.index() + 1),
            }
        }
    }

    fn add(&mut self, class: u32, probe: ProbeId) -> &mut ProbeEntry {
        self.reserve(probe.index() + 1);
        let entry = &mut self.probes[probe.index()];
        entry.class = class;
        entry
    }

    /// Makes room for that many probes. Those that no map names follow others of their class.
    fn reserve(&mut self, probes: usize) {
        if self.probes.len() < probes {
            let class = self.probes.last().map_or(0, |last| last.class);
            self.probes.resize(probes, ProbeEntry { class, branch: None });
        }
    }
}

fn entry_of(branch: &Branch) -> Option<BranchEntry> {
    let first = branch.outcomes.first()?.id;
    Some(BranchEntry { first, count: branch.outcomes.len() as u32, kind: branch.kind })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::InstructionIndex;
    use crate::probe_map::{Line, Outcome};

    fn map(class: &str, entry: u32, branch: u32, outcomes: std::ops::Range<u32>, block: u32) -> ProbeMap {
        let outcomes = outcomes.map(|id| Outcome {
            id: OutcomeId(id),
            keys: Vec::new(),
            is_goal: true,
            covered_by: vec![Evidence::Taken(OutcomeId(id))],
        });
        let branch = Branch {
            instruction: InstructionIndex(1),
            line: None,
            probe: ProbeId(branch),
            kind: BranchKind::Wide,
            outcomes: outcomes.collect(),
            controlled_by: Vec::new(),
            in_loop: false,
        };
        let covered_by = vec![Evidence::Hit(ProbeId(block))];
        let method = MethodProbes {
            branches: vec![branch],
            lines: vec![Line { number: 3, covered_by, controlled_by: Vec::new() }],
            ..MethodProbes::new("m", "()V", ProbeId(entry))
        };
        ProbeMap { class: class.into(), hash: 0, methods: vec![method], skipped: Vec::new() }
    }

    #[test]
    fn every_probe_knows_its_class_and_every_branch_its_outcomes() {
        // Probe 3 is in no map, nor is the last one.
        let maps = [map("p/A", 0, 2, 0..2, 1), map("p/B", 4, 5, 2..5, 6)];
        let layout = ProbeLayout::new(&maps, ProbeIds { probes: 8, outcomes: 5, ..ProbeIds::default() });
        assert_eq!((layout.probes(), layout.outcomes(), layout.classes().len()), (8, 5, 2));
        let classes: Vec<u32> =
            (0..8).filter_map(|id| layout.probe(ProbeId(id))).map(|probe| probe.class).collect();
        assert_eq!(classes, [0, 0, 0, 0, 1, 1, 1, 1]);
        let branch = layout.probe(ProbeId(5)).and_then(|probe| probe.branch).unwrap();
        assert_eq!((branch.first, branch.count, branch.kind), (OutcomeId(2), 3, BranchKind::Wide));
        assert!(layout.probe(ProbeId(6)).unwrap().branch.is_none());
        assert!(layout.probe(ProbeId(8)).is_none());
    }
}
