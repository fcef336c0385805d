//! What the probes show, line by line, as JaCoCo reports it.

use std::collections::BTreeMap;

use bytecode::probe_map::{Evidence, ProbeMap};
use testcase::execution::ExecutionTrace;

use super::record::{Cover, Covered, Place};

/// What a run covers.
pub(super) fn covered(maps: &[ProbeMap], trace: &ExecutionTrace) -> Covered {
    by_line(maps, &|evidence| evidence.iter().any(|&evidence| trace.shows(evidence)))
}

/// All that counts.
pub(super) fn goals_by_line(maps: &[ProbeMap]) -> Covered {
    by_line(maps, &|_| true)
}

fn by_line(maps: &[ProbeMap], counts: &dyn Fn(&[Evidence]) -> bool) -> Covered {
    let mut lines: BTreeMap<Place, Cover> = BTreeMap::new();
    for map in maps {
        for method in map.methods.iter().filter(|method| method.is_goal) {
            for line in method.lines.iter().filter(|line| counts(&line.covered_by)) {
                lines.entry((map.class.to_string(), line.number)).or_default().line = true;
            }
            for branch in &method.branches {
                let Some(line) = branch.line else { continue };
                let outcomes = branch.outcomes.iter().filter(|outcome| outcome.is_goal);
                let covered = outcomes.filter(|outcome| counts(&outcome.covered_by)).count() as u32;
                if covered > 0 {
                    lines.entry((map.class.to_string(), line)).or_default().branches += covered;
                }
            }
        }
    }
    lines.into_iter().collect()
}
