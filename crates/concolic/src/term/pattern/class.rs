//! Sets of code points.

/// The highest code point.
const LAST: u32 = 0x10_ffff;

/// A set of code points as ascending ranges that neither overlap nor touch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Class {
    ranges: Vec<(u32, u32)>,
}

impl Class {
    /// The code points of ranges, whose ends belong to them, in any order.
    pub fn new(ranges: &[(u32, u32)]) -> Self {
        let mut sorted: Vec<(u32, u32)> = ranges.iter().copied().filter(|(low, high)| low <= high).collect();
        sorted.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(sorted.len());
        for (low, high) in sorted {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        Self { ranges: merged }
    }

    /// Every code point.
    pub fn all() -> Self {
        Self { ranges: vec![(0, LAST)] }
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Whether a code point belongs to it.
    pub fn contains(&self, code_point: u32) -> bool {
        let behind = self.ranges.partition_point(|&(low, _)| low <= code_point);
        behind > 0 && code_point <= self.ranges[behind - 1].1
    }

    /// What does not belong to it.
    pub(super) fn complement(&self) -> Self {
        let mut next = 0;
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        for &(low, high) in &self.ranges {
            if low > next {
                ranges.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= LAST {
            ranges.push((next, LAST));
        }
        Self { ranges }
    }

    /// What belongs to either.
    pub(super) fn union(&self, other: &Self) -> Self {
        Self::new(&[&self.ranges[..], &other.ranges].concat())
    }

    /// What belongs to both.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        self.complement().union(&other.complement()).complement()
    }

    /// With the other case of its ASCII letters, as `CASE_INSENSITIVE` has it.
    pub(super) fn without_case(&self) -> Self {
        let mut ranges = self.ranges.clone();
        for (low, high, other) in [
            (u32::from(b'a'), u32::from(b'z'), u32::from(b'A')),
            (u32::from(b'A'), u32::from(b'Z'), u32::from(b'a')),
        ] {
            let letters = self.ranges.iter().map(|range| (range.0.max(low), range.1.min(high)));
            ranges.extend(
                letters
                    .filter(|(from, to)| from <= to)
                    .map(|(from, to)| (from - low + other, to - low + other)),
            );
        }
        Self::new(&ranges)
    }

    /// The member that is nearest to a code point, surrogates left out, and how far it is.
    pub(super) fn nearest(&self, code_point: u32) -> Option<(u32, u32)> {
        let candidates = self.ranges.iter().map(|&(low, high)| code_point.clamp(low, high));
        let characters = candidates.filter(|&candidate| char::from_u32(candidate).is_some());
        characters.map(|candidate| (candidate.abs_diff(code_point), candidate)).min()
    }

    /// The member that a person would choose: a letter, a digit, or what can be printed.
    pub(super) fn representative(&self) -> u32 {
        let wanted = [(b'a', b'z'), (b'0', b'9'), (b'A', b'Z'), (b' ', b'~')];
        let of_range = |(low, high): (u8, u8)| {
            (u32::from(low)..=u32::from(high)).find(|&code_point| self.contains(code_point))
        };
        wanted
            .into_iter()
            .find_map(of_range)
            .unwrap_or_else(|| self.ranges.first().map_or(0, |range| range.0))
    }

    /// Number of members.
    pub(super) fn size(&self) -> u32 {
        self.ranges.iter().map(|(low, high)| high - low + 1).sum()
    }

    /// A member by number.
    pub(super) fn member(&self, mut number: u32) -> u32 {
        for &(low, high) in &self.ranges {
            if number <= high - low {
                return low + number;
            }
            number -= high - low + 1;
        }
        self.representative()
    }
}
