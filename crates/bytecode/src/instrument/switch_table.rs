//! Constants that tell a switch's probe which keys and strings lead where, as `covolve.runtime.Switch` reads them.

use crate::probe_map::{Branch, Outcome};
use crate::string_switch::StringSwitch;

/// Writes a number in characters of 15 bits, the lowest first, the highest bit set where another one follows.
pub(crate) fn push_number(table: &mut Vec<u16>, mut number: u32) {
    while number > 0x7FFF {
        table.push(0x8000 | (number & 0x7FFF) as u16);
        number >>= 15;
    }
    table.push(number as u16);
}

/// Number of outcomes, number of runs of keys, and by run the keys left out before it, its length less one, and its
/// outcome. Keys of the default, the last outcome, are left out.
pub(crate) fn keys(outcomes: &[Outcome]) -> Vec<u16> {
    let others = outcomes.split_last().map_or(&[][..], |(_, others)| others);
    let outcomes_of_keys = others.iter().enumerate().map(|(index, outcome)| (index as u32, &outcome.keys));
    let mut keys: Vec<(i32, u32)> =
        outcomes_of_keys.flat_map(|(index, keys)| keys.iter().map(move |&key| (key, index))).collect();
    keys.sort_unstable();
    let runs = || keys.chunk_by(|a, b| a.1 == b.1 && i64::from(a.0) + 1 == i64::from(b.0));
    let mut table = Vec::with_capacity(2 + 3 * keys.len());
    push_number(&mut table, outcomes.len() as u32);
    push_number(&mut table, runs().count() as u32);
    let mut next = i64::from(i32::MIN);
    for run in runs() {
        if let Some(&(low, outcome)) = run.first() {
            push_number(&mut table, (i64::from(low) - next) as u32);
            push_number(&mut table, run.len() as u32 - 1);
            push_number(&mut table, outcome);
            next = i64::from(low) + run.len() as i64;
        }
    }
    table
}

/// Number of strings, and by string its outcome, its length and its characters. Strings that lead to the default
/// are left out. The keys of the switch are hash codes of the strings, or those of the cases.
pub(crate) fn cases(strings: &StringSwitch, by_hash: bool, branch: &Branch) -> Vec<u16> {
    let others = branch.outcomes.split_last().map_or(&[][..], |(_, others)| others);
    let mut table = Vec::new();
    let mut count = 0;
    for case in &strings.cases {
        let key = if by_hash { hash_code(&case.text) } else { case.key };
        if let Some(outcome) = others.iter().position(|outcome| outcome.keys.contains(&key)) {
            push_number(&mut table, outcome as u32);
            push_number(&mut table, case.text.len() as u32);
            table.extend_from_slice(&case.text);
            count += 1;
        }
    }
    let mut counted = Vec::with_capacity(table.len() + 1);
    push_number(&mut counted, count);
    counted.append(&mut table);
    counted
}

/// `String.hashCode`, whose algorithm is part of its specification.
fn hash_code(text: &[u16]) -> i32 {
    text.iter().fold(0, |hash: i32, &unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe_map::OutcomeId;

    fn outcomes(keys: &[&[i32]]) -> Vec<Outcome> {
        let outcome = |(index, keys): (usize, &&[i32])| Outcome {
            id: OutcomeId(index as u32),
            keys: keys.to_vec(),
            is_goal: true,
            covered_by: Vec::new(),
        };
        keys.iter().enumerate().map(outcome).collect()
    }

    #[test]
    fn neighbours_with_one_outcome_are_one_run() {
        let table = keys(&outcomes(&[&[i32::MIN, 7], &[i32::MIN + 1, i32::MIN + 2], &[8]]));
        let gap = (7_u32).wrapping_sub((i32::MIN + 3) as u32);
        let gap = [0x8000 | (gap & 0x7FFF) as u16, 0x8000 | (gap >> 15 & 0x7FFF) as u16, (gap >> 30) as u16];
        assert_eq!(table, [&[3, 3, 0, 0, 0, 0, 1, 1][..], &gap, &[0, 0]].concat());
    }

    #[test]
    fn keys_at_both_ends_of_the_range_fit() {
        let table = keys(&outcomes(&[&[i32::MIN, i32::MAX], &[]]));
        assert_eq!(table, [2, 2, 0, 0, 0, 0xFFFE, 0xFFFF, 3, 0, 0]);
    }
}
