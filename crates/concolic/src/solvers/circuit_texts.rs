//! Circuits of texts of bounded length.

use crate::solvers::circuit::{Bit, Circuit, FALSE, TRUE, Word, constant, extended, sign};
use crate::term::pattern::{Class, Pattern};

/// Bits of a code unit.
const UNIT: usize = 16;

/// Bits of a length and of an index.
const INT: usize = 32;

/// A text of at most as many code units as there are words. What is behind the length is 0.
#[derive(Debug, Clone)]
pub(super) struct TextWord {
    pub(super) length: Word,
    pub(super) units: Vec<Word>,
}

impl TextWord {
    pub(super) fn constant(units: &[u16]) -> Self {
        Self {
            length: constant(INT, units.len() as u64),
            units: units.iter().map(|&unit| constant(UNIT, u64::from(unit))).collect(),
        }
    }

    /// Whether its code units are known to be ASCII: their high bits are constants.
    pub(super) fn is_ascii(&self) -> bool {
        self.units.iter().all(|unit| unit[7..].iter().all(|&bit| bit == FALSE))
    }

    fn bound(&self) -> usize {
        self.units.len()
    }

    fn unit(&self, at: usize) -> Word {
        self.units.get(at).cloned().unwrap_or_else(|| constant(UNIT, 0))
    }
}

/// Which texts are cut off at the ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// Code units up to a space.
    Trim,
    /// What `Character.isWhitespace` says.
    Strip,
}

impl Circuit {
    /// Any text of at most so many code units.
    pub(super) fn fresh_text(&mut self, bound: usize) -> TextWord {
        let there = self.fresh_word(bound);
        for pair in there.windows(2) {
            self.clause(&[!pair[1], pair[0]]);
        }
        let units = there
            .iter()
            .map(|&is_there| {
                let unit = self.fresh_word(UNIT);
                self.masked(&unit, is_there)
            })
            .collect();
        let bits = usize::BITS - bound.leading_zeros();
        let length = (0..bits as usize)
            .map(|place| {
                let ends = (1..=bound).filter(|length| length >> place & 1 == 1).map(|length| {
                    let next = there.get(length).copied().unwrap_or(FALSE);
                    (there[length - 1], !next)
                });
                let ends: Vec<Bit> =
                    ends.collect::<Vec<_>>().into_iter().map(|(last, end)| self.and(last, end)).collect();
                self.any(ends)
            })
            .collect::<Word>();
        TextWord { length: extended(&length, INT, FALSE), units }
    }

    /// For each place of a text, whether a code unit is there.
    fn there(&mut self, text: &TextWord) -> Vec<Bit> {
        (0..text.bound()).map(|at| self.unsigned_less(&constant(INT, at as u64), &text.length)).collect()
    }

    pub(super) fn text_equal(&mut self, a: &TextWord, b: &TextWord) -> Bit {
        let mut equal = self.equal(&a.length, &b.length);
        for (one, other) in a.units.iter().zip(&b.units) {
            let same = self.equal(one, other);
            equal = self.and(equal, same);
        }
        equal
    }

    pub(super) fn text_choice(&mut self, condition: Bit, then: &TextWord, otherwise: &TextWord) -> TextWord {
        let bound = then.bound().max(otherwise.bound());
        TextWord {
            length: self.choice_word(condition, &then.length, &otherwise.length),
            units: (0..bound)
                .map(|at| self.choice_word(condition, &then.unit(at), &otherwise.unit(at)))
                .collect(),
        }
    }

    pub(super) fn char_at(&mut self, text: &TextWord, index: &[Bit]) -> Word {
        let mut unit = constant(UNIT, 0);
        for (at, word) in text.units.iter().enumerate() {
            let is_here = self.equals_number(index, at as u64);
            let here = self.masked(word, is_here);
            unit = self.zip(&unit, &here, Self::or);
        }
        unit
    }

    /// The code units moved to higher places.
    fn moved_up(&mut self, units: &[Word], by: &[Bit], bound: usize) -> Vec<Word> {
        let columns: Vec<Word> = (0..UNIT)
            .map(|bit| {
                let column: Word =
                    (0..bound).map(|at| units.get(at).map_or(FALSE, |unit| unit[bit])).collect();
                self.shift_up(&column, by)
            })
            .collect();
        rows(&columns, bound)
    }

    /// The code units moved to lower places.
    fn moved_down(&mut self, units: &[Word], by: &[Bit]) -> Vec<Word> {
        let columns: Vec<Word> = (0..UNIT)
            .map(|bit| {
                let column: Word = units.iter().map(|unit| unit[bit]).collect();
                self.shift_down(&column, by, FALSE)
            })
            .collect();
        rows(&columns, units.len())
    }

    pub(super) fn text_concat(&mut self, a: &TextWord, b: &TextWord) -> TextWord {
        let bound = a.bound() + b.bound();
        let bits = (usize::BITS - a.bound().leading_zeros()) as usize;
        let moved = self.moved_up(&b.units, &a.length[..bits], bound);
        let units = (0..bound).map(|at| self.zip(&a.unit(at), &moved[at], Self::or)).collect();
        TextWord { length: self.add(&a.length, &b.length), units }
    }

    /// A number moved into `low..=high`.
    fn clamped(&mut self, number: &[Bit], low: &[Bit], high: &[Bit]) -> Word {
        let is_low = self.signed_less(number, low);
        let raised = self.choice_word(is_low, low, number);
        let is_high = self.signed_less(high, &raised);
        self.choice_word(is_high, high, &raised)
    }

    pub(super) fn substring(&mut self, text: &TextWord, begin: &[Bit], end: &[Bit]) -> TextWord {
        let begin = self.clamped(begin, &constant(INT, 0), &text.length);
        let end = self.clamped(end, &begin, &text.length);
        let bits = (usize::BITS - text.bound().leading_zeros()) as usize;
        let moved = self.moved_down(&text.units, &begin[..bits]);
        let length = self.subtract(&end, &begin);
        let part = TextWord { length, units: moved };
        let there = self.there(&part);
        let units =
            part.units.iter().zip(there).map(|(unit, is_there)| self.masked(unit, is_there)).collect();
        TextWord { length: part.length, units }
    }

    /// For each index up to the bound, whether a part stands there.
    fn occurrences(&mut self, text: &TextWord, part: &TextWord) -> Vec<Bit> {
        let there = self.there(part);
        let room = self.subtract(&text.length, &part.length);
        let fits = !sign(&room);
        (0..=text.bound())
            .map(|at| {
                let is_late = self.unsigned_less(&room, &constant(INT, at as u64));
                let mut stands = self.and(fits, !is_late);
                for (place, (unit, &is_there)) in part.units.iter().zip(&there).enumerate() {
                    let same = self.equal(unit, &text.unit(at + place));
                    let same = self.or(same, !is_there);
                    stands = self.and(stands, same);
                }
                stands
            })
            .collect()
    }

    pub(super) fn starts_with(&mut self, text: &TextWord, part: &TextWord, offset: &[Bit]) -> Bit {
        let occurrences = self.occurrences(text, part);
        self.picked(&occurrences, offset)
    }

    fn picked(&mut self, bits: &[Bit], index: &[Bit]) -> Bit {
        let mut picked = FALSE;
        for (at, &bit) in bits.iter().enumerate() {
            let is_here = self.equals_number(index, at as u64);
            let here = self.and(bit, is_here);
            picked = self.or(picked, here);
        }
        picked
    }

    pub(super) fn ends_with(&mut self, text: &TextWord, part: &TextWord) -> Bit {
        let start = self.subtract(&text.length, &part.length);
        self.starts_with(text, part, &start)
    }

    pub(super) fn contains(&mut self, text: &TextWord, part: &TextWord) -> Bit {
        let occurrences = self.occurrences(text, part);
        self.any(occurrences)
    }

    pub(super) fn index_of(&mut self, text: &TextWord, part: &TextWord, from: &[Bit]) -> Word {
        let occurrences = self.occurrences(text, part);
        let from = self.clamped(from, &constant(INT, 0), &text.length);
        let mut index = constant(INT, u64::MAX);
        for (at, &stands) in occurrences.iter().enumerate().rev() {
            let at = constant(INT, at as u64);
            let is_before = self.unsigned_less(&at, &from);
            let is_found = self.and(stands, !is_before);
            index = self.choice_word(is_found, &at, &index);
        }
        index
    }

    pub(super) fn last_index_of(&mut self, text: &TextWord, part: &TextWord, from: &[Bit]) -> Word {
        let occurrences = self.occurrences(text, part);
        let mut index = constant(INT, u64::MAX);
        for (at, &stands) in occurrences.iter().enumerate() {
            let at = constant(INT, at as u64);
            let is_behind = self.signed_less(from, &at);
            let is_found = self.and(stands, !is_behind);
            index = self.choice_word(is_found, &at, &index);
        }
        index
    }

    pub(super) fn hash_code(&mut self, text: &TextWord) -> Word {
        let there = self.there(text);
        let mut hash = constant(INT, 0);
        for (unit, is_there) in text.units.iter().zip(there) {
            let mut times_32 = constant(5, 0);
            times_32.extend(&hash[..INT - 5]);
            let times_31 = self.subtract(&times_32, &hash);
            let next = self.add(&times_31, &extended(unit, INT, FALSE));
            hash = self.choice_word(is_there, &next, &hash);
        }
        hash
    }

    pub(super) fn text_compare(&mut self, a: &TextWord, b: &TextWord) -> Word {
        let (in_a, in_b) = (self.there(a), self.there(b));
        let mut result = self.subtract(&a.length, &b.length);
        for at in (0..a.bound().min(b.bound())).rev() {
            let in_both = self.and(in_a[at], in_b[at]);
            let same = self.equal(&a.units[at], &b.units[at]);
            let (x, y) = (extended(&a.units[at], INT, FALSE), extended(&b.units[at], INT, FALSE));
            let difference = self.subtract(&x, &y);
            let decides = self.and(in_both, !same);
            result = self.choice_word(decides, &difference, &result);
        }
        result
    }

    /// Whether a code unit lies in one of some ranges.
    pub(super) fn in_ranges(&mut self, unit: &[Bit], ranges: &[(u32, u32)]) -> Bit {
        let mut is_in = FALSE;
        for &(low, high) in ranges.iter().filter(|range| u16::try_from(range.0).is_ok()) {
            let high = high.min(u32::from(u16::MAX));
            let is_below = self.unsigned_less(unit, &constant(UNIT, u64::from(low)));
            let is_above = self.unsigned_less(&constant(UNIT, u64::from(high)), unit);
            let here = self.and(!is_below, !is_above);
            is_in = self.or(is_in, here);
        }
        is_in
    }

    fn is_space(&mut self, unit: &[Bit], space: Space) -> Bit {
        const WHITE_SPACE: [(u32, u32); 9] = [
            (0x09, 0x0d),
            (0x1c, 0x20),
            (0x1680, 0x1680),
            (0x2000, 0x2006),
            (0x2008, 0x200a),
            (0x2028, 0x2028),
            (0x2029, 0x2029),
            (0x205f, 0x205f),
            (0x3000, 0x3000),
        ];
        self.in_ranges(unit, if space == Space::Trim { &[(0, 0x20)] } else { &WHITE_SPACE })
    }

    pub(super) fn trimmed(&mut self, text: &TextWord, space: Space) -> TextWord {
        let there = self.there(text);
        let kept: Vec<Bit> = text
            .units
            .iter()
            .zip(&there)
            .map(|(unit, &is_there)| {
                let is_cut = self.is_space(unit, space);
                self.and(is_there, !is_cut)
            })
            .collect();
        let (mut begin, mut end) = (constant(INT, 0), constant(INT, 0));
        for (at, &is_kept) in kept.iter().enumerate().rev() {
            begin = self.choice_word(is_kept, &constant(INT, at as u64), &begin);
        }
        for (at, &is_kept) in kept.iter().enumerate() {
            end = self.choice_word(is_kept, &constant(INT, at as u64 + 1), &end);
        }
        self.substring(text, &begin, &end)
    }

    pub(super) fn is_blank(&mut self, text: &TextWord) -> Bit {
        let there = self.there(text);
        let mut is_blank = TRUE;
        for (unit, is_there) in text.units.iter().zip(there) {
            let is_space = self.is_space(unit, Space::Strip);
            let fine = self.or(is_space, !is_there);
            is_blank = self.and(is_blank, fine);
        }
        is_blank
    }

    pub(super) fn replaced(&mut self, text: &TextWord, old: &[Bit], new: &[Bit]) -> TextWord {
        let there = self.there(text);
        let units = text
            .units
            .iter()
            .zip(there)
            .map(|(unit, is_there)| {
                let is_old = self.equal(unit, old);
                let is_replaced = self.and(is_old, is_there);
                self.choice_word(is_replaced, new, unit)
            })
            .collect();
        TextWord { length: text.length.clone(), units }
    }

    /// A code unit with the letters of Latin-1 in ranges moved by 32.
    fn recased(&mut self, unit: &[Bit], ranges: &[(u32, u32)], to_lower: bool) -> Word {
        let is_letter = self.in_ranges(unit, ranges);
        let mut recased = unit.to_vec();
        recased[5] = self.choice(is_letter, Bit::constant(to_lower), unit[5]);
        recased
    }

    /// ASCII and Latin-1 as far as one character becomes one of these.
    pub(super) fn text_case(&mut self, text: &TextWord, to_lower: bool) -> TextWord {
        const UPPER: [(u32, u32); 3] = [(0x41, 0x5a), (0xc0, 0xd6), (0xd8, 0xde)];
        const LOWER: [(u32, u32); 3] = [(0x61, 0x7a), (0xe0, 0xf6), (0xf8, 0xfe)];
        let ranges = if to_lower { UPPER } else { LOWER };
        let units = text.units.iter().map(|unit| self.recased(unit, &ranges, to_lower)).collect();
        TextWord { length: text.length.clone(), units }
    }

    /// Whether a number is read, and which one (0 if none): a sign and ASCII digits.
    pub(super) fn parsed(&mut self, text: &TextWord, width: usize) -> (Bit, Word) {
        let there = self.there(text);
        let wide = width + 5;
        let limit = {
            let mut limit = constant(wide, 0);
            limit[width - 1] = TRUE;
            limit
        };
        let first = text.unit(0);
        let is_negative = self.equals_number(&first, 0x2d);
        let is_positive = self.equals_number(&first, 0x2b);
        let is_signed = self.or(is_negative, is_positive);
        let (mut value, mut is_valid, mut has_digit) = (constant(wide, 0), TRUE, FALSE);
        for (at, (unit, is_there)) in text.units.iter().zip(there).enumerate() {
            let is_digit = self.in_ranges(unit, &[(0x30, 0x39)]);
            let is_sign = if at == 0 { is_signed } else { FALSE };
            let counts = self.and(is_there, is_digit);
            let times_10 = {
                let (by_2, by_8) = (raised(&value, 1), raised(&value, 3));
                self.add(&by_2, &by_8)
            };
            let next = self.add(&times_10, &extended(&unit[..4], wide, FALSE));
            let is_beyond = self.unsigned_less(&limit, &next);
            let overflows = self.and(counts, is_beyond);
            value = self.choice_word(counts, &next, &value);
            let is_fine = self.any([!is_there, is_digit, is_sign]);
            is_valid = self.all([is_valid, is_fine, !overflows]);
            has_digit = self.or(has_digit, counts);
        }
        let is_minimum = self.equal(&value, &limit);
        let is_beyond = self.and(is_minimum, !is_negative);
        let is_valid = self.all([is_valid, has_digit, !is_beyond]);
        let negated = self.negate(&value);
        let signed = self.choice_word(is_negative, &negated, &value);
        let signed = self.masked(&signed[..width], is_valid);
        (is_valid, signed)
    }

    /// The decimal digits of a signed number: the one text that is read as it and has neither a plus nor a zero too many.
    pub(super) fn decimal(&mut self, number: &[Bit]) -> TextWord {
        let bound = if number.len() <= 32 { 11 } else { 20 };
        let mut text = self.fresh_text(bound);
        for unit in &mut text.units {
            unit.splice(7.., constant(UNIT - 7, 0));
        }
        let width = number.len().max(8);
        let wide = extended(number, width, sign(number));
        let (is_valid, value) = self.parsed(&text, width);
        let same = self.equal(&value, &wide);
        let is_negative = self.equals_number(&text.units[0], 0x2d);
        let has_plus = self.equals_number(&text.units[0], 0x2b);
        let starts_with_zero = self.equals_number(&text.units[0], 0x30);
        let second_is_zero = self.equals_number(&text.units[1], 0x30);
        let is_single = self.equals_number(&text.length, 1);
        let minus_zero = self.and(is_negative, second_is_zero);
        for demand in [is_valid, same, !has_plus, !minus_zero] {
            self.clause(&[demand]);
        }
        self.clause(&[!starts_with_zero, is_single]);
        text
    }

    /// Whether an automaton matches: which states are reached after each code unit.
    pub(super) fn matched(&mut self, text: &TextWord, pattern: &Pattern) -> Bit {
        let classes: Vec<&Class> = pattern.classes().iter().collect();
        let states = classes.len();
        let is_end = self.equals_number(&text.length, 0);
        let mut matched = if pattern.matches_empty() { is_end } else { FALSE };
        let mut reached = vec![FALSE; states];
        for (at, unit) in text.units.iter().enumerate() {
            let mut next = vec![FALSE; states];
            if at == 0 {
                for &state in pattern.initial() {
                    next[state as usize] = TRUE;
                }
            }
            for (state, &is_reached) in reached.iter().enumerate().filter(|(_, bit)| **bit != FALSE) {
                for &target in pattern.following(state as u32) {
                    next[target as usize] = self.or(next[target as usize], is_reached);
                }
            }
            for (state, bit) in next.iter_mut().enumerate().filter(|(_, bit)| **bit != FALSE) {
                let is_member = self.in_ranges(unit, classes[state].ranges());
                *bit = self.and(*bit, is_member);
            }
            reached = next;
            let finals = reached.iter().enumerate().filter(|(state, _)| pattern.is_final(*state as u32));
            let is_final = self.any(finals.map(|(_, &bit)| bit).collect::<Vec<_>>());
            let ends_here = self.equals_number(&text.length, at as u64 + 1);
            let here = self.and(is_final, ends_here);
            matched = self.or(matched, here);
        }
        matched
    }

    /// Either of two texts for a truth value.
    pub(super) fn text_of_truth(&mut self, truth: Bit) -> TextWord {
        let of = |text: &str| TextWord::constant(&text.encode_utf16().collect::<Vec<u16>>());
        self.text_choice(truth, &of("true"), &of("false"))
    }
}

/// Times a power of two.
fn raised(word: &[Bit], by: usize) -> Word {
    let mut raised = constant(by, 0);
    raised.extend(&word[..word.len() - by]);
    raised
}

fn rows(columns: &[Word], count: usize) -> Vec<Word> {
    (0..count).map(|at| columns.iter().map(|column| column[at]).collect()).collect()
}
