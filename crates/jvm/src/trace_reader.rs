//! Reads what probes recorded, in time proportional to what was hit.

use bytecode::probe_layout::{BranchEntry, ProbeLayout};
use bytecode::probe_map::{BranchKind, OutcomeId, ProbeId};
use testcase::execution::{ComparisonOperand, ExecutionTrace};
use testcase::value::{JavaString, Value};

use crate::jni::{Env, Ref};
use crate::runtime::Arrays;

/// Kinds of operands, as `covolve.runtime.Probe` numbers them.
const WHOLE: i8 = 1;
const DOUBLE: i8 = 2;
const TEXT: i8 = 3;

/// Longest string that is taken as an operand. Longer ones are of no use as inputs.
const LONGEST_TEXT: usize = 1000;

/// Reads traces.
#[derive(Debug)]
pub(crate) struct TraceReader {
    arrays: Arrays,
    layout: ProbeLayout,
    /// Branches whose operands are strings, found while the arrays were held.
    texts: Vec<TextOperand>,
}

/// Where a string lies that a branch compared.
#[derive(Debug, Clone, Copy)]
struct TextOperand {
    probe: ProbeId,
    hit: ProbeId,
    slot: usize,
}

impl TraceReader {
    /// For these arrays.
    pub(crate) fn new(arrays: Arrays, layout: ProbeLayout) -> Self {
        Self { arrays, layout, texts: Vec::new() }
    }

    /// The layout of the probes.
    pub(crate) fn layout(&self) -> &ProbeLayout {
        &self.layout
    }

    /// Writes a count for these probes, to be called right behind the beginning of a run: none of them is among those
    /// that the run touched.
    pub(crate) fn set_counts(&self, env: Env<'_>, probes: &[ProbeId], count: i32) {
        // SAFETY: the array has this length and type (`Probe.install`); only it is held, and nothing is called meanwhile.
        let held = unsafe { env.critical::<i32>(self.arrays.counts.get(), self.arrays.probes) };
        let Some(mut counts) = held else { return };
        for probe in probes {
            if let Some(slot) = counts.get_mut(probe.index()) {
                *slot = count;
            }
        }
    }

    /// Adds what was recorded to a trace. To be called once after every run, also one that nobody asks about.
    pub(crate) fn read(&mut self, env: Env<'_>, trace: &mut ExecutionTrace) {
        if self.arrays.probes == 0 {
            return;
        }
        self.read_numbers(env, trace);
        let mut texts = std::mem::take(&mut self.texts);
        if !texts.is_empty() {
            env.frame(texts.len(), |env| {
                for text in texts.drain(..) {
                    self.read_text(env, text, trace);
                }
            });
        }
        self.texts = texts;
    }

    fn read_numbers(&mut self, env: Env<'_>, trace: &mut ExecutionTrace) {
        let Arrays { counts, distances, touched, operand_kinds, operands, probes, outcomes, .. } =
            self.arrays;
        // SAFETY: the arrays have these lengths and types (`Probe.install`); only they are held, one after the
        // other, and nothing is called meanwhile.
        let held = unsafe {
            (
                env.critical::<i32>(touched.get(), probes + 1),
                env.critical::<i32>(counts.get(), probes),
                env.critical::<f64>(distances.get(), outcomes),
                env.critical::<i8>(operand_kinds.get(), 2 * probes),
                env.critical::<i64>(operands.get(), 2 * probes),
            )
        };
        let (Some(touched), Some(counts), Some(distances), Some(mut kinds), Some(operands)) = held else {
            return;
        };
        let Some((length, hit)) = touched.split_first() else { return };
        let length = usize::try_from(*length).unwrap_or(0);
        for number in hit.iter().take(length) {
            let hit = ProbeId(number.unsigned_abs());
            let probe = self.layout.first_number(hit);
            let hits = counts.get(hit.index()).map_or(0, |count| count.unsigned_abs());
            trace.record_hits(probe, hits);
            let shift = hit.0 - probe.0;
            if shift > 0 {
                trace.record_hits(hit, hits);
            }
            let Some(branch) = self.layout.probe(probe).and_then(|entry| entry.branch) else { continue };
            for id in branch.first.0..branch.first.0 + branch.count {
                if let Some(distance) = distances.get(OutcomeId(id + shift).index()) {
                    trace.record_distance(OutcomeId(id), *distance);
                    if shift > 0 {
                        trace.record_distance(OutcomeId(id + shift), *distance);
                    }
                }
            }
            let first = 2 * hit.index();
            for slot in [first, first + 1] {
                let (Some(kind), Some(bits)) = (kinds.get_mut(slot), operands.get(slot)) else { continue };
                // Not every hit of a predicate leaves operands, and those of an earlier run must not show.
                let kind = std::mem::take(kind);
                if kind == TEXT {
                    self.texts.push(TextOperand { probe, hit, slot });
                } else if let Some(value) = number_operand(kind, *bits, branch) {
                    trace.operands.push(ComparisonOperand { probe, hit, value });
                }
            }
        }
    }

    fn read_text(&self, env: Env<'_>, operand: TextOperand, trace: &mut ExecutionTrace) {
        let TextOperand { probe, hit, slot } = operand;
        // SAFETY: an array of references.
        let text = unsafe { env.element(self.arrays.texts.get(), slot) };
        if let Ok(Some(text)) = text
            && let Some(units) = short_text(env, text)
        {
            let value = Value::String(JavaString::new(units));
            trace.operands.push(ComparisonOperand { probe, hit, value });
        }
        env.clear();
    }
}

fn short_text(env: Env<'_>, text: Ref<'_>) -> Option<Vec<u16>> {
    // SAFETY: probes put only strings there.
    unsafe {
        let length = env.string_length(text);
        (length <= LONGEST_TEXT).then(|| env.string_units(text, length))
    }
}

/// The operand of a branch as a value: what is compared as an `int` is one.
fn number_operand(kind: i8, bits: i64, branch: BranchEntry) -> Option<Value> {
    match (kind, branch.kind) {
        (WHOLE, BranchKind::Wide) => Some(Value::Long(bits)),
        (WHOLE, _) => Some(i32::try_from(bits).map_or(Value::Long(bits), Value::Int)),
        (DOUBLE, _) => Some(Value::Double(f64::from_bits(bits as u64))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_have_the_type_that_their_branch_compares() {
        let check = |kind: i8, bits: i64, branch: BranchKind, expect: Option<Value>| {
            let branch = BranchEntry { first: OutcomeId(0), count: 2, kind: branch };
            assert_eq!(number_operand(kind, bits, branch), expect);
        };
        check(WHOLE, 7, BranchKind::Integer, Some(Value::Int(7)));
        check(WHOLE, 7, BranchKind::Wide, Some(Value::Long(7)));
        check(WHOLE, 1 << 40, BranchKind::Predicate, Some(Value::Long(1 << 40)));
        check(DOUBLE, 1.5f64.to_bits() as i64, BranchKind::Wide, Some(Value::Double(1.5)));
        check(0, 7, BranchKind::Integer, None);
    }
}
