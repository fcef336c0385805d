//! The operators on texts, in the theory of strings.

use crate::solvers::smt_lib::integers::{Range, constant, numeral};
use crate::solvers::smt_lib::languages::{
    alternatives, any_number, at_least_one, has_pairs, language, literal, one_of, optional, sequence,
    without_pairs,
};
use crate::solvers::smt_lib::script::{Body, Writer, bits, sort_of};
use crate::term::text::{folded, is_white_space, units_of};
use crate::term::{Operator, Register, Sort, Value};

/// Code units up to which operators that look at each one are said.
const UNITS: usize = 24;

/// Texts of lengths and positions: no text is longer.
const LENGTHS: Range = Range { low: 0, high: i32::MAX as i128 };

/// Positions, and -1.
const POSITIONS: Range = Range { low: -1, high: i32::MAX as i128 };

impl Writer<'_> {
    /// The body of an operator on texts; `None` of any other.
    pub(super) fn on_text(&mut self, register: Register) -> Result<Option<Body>, &'static str> {
        let operands: Vec<Register> = self.plan.operands(register).to_vec();
        let names: Vec<String> = operands.iter().map(|operand| format!("r{}", operand.index())).collect();
        let text = names.first().map_or("", String::as_str);
        let part = names.get(1).map_or("", String::as_str);
        let plain = |body: String| Ok(Some(Body::Plain(body)));
        let integer = |body: String, range: Range| Ok(Some(Body::Integer(body, range)));
        // tidy: all others are not about texts
        match self.plan.operator(register) {
            Operator::Length => integer(length(text), LENGTHS),
            Operator::CharAt => integer(self.char_at(text, operands[1]), Range::unsigned(16)),
            Operator::Concat => plain(format!("(str.++ {text} {part})")),
            Operator::Substring => plain(self.substring(text, operands[1], operands[2])),
            Operator::EqualsIgnoreCase => plain(self.equals_ignore_case(operands[0], operands[1])),
            Operator::StartsWith => plain(self.starts_with(text, part, operands[2])),
            Operator::EndsWith => plain(format!("(str.suffixof {part} {text})")),
            Operator::Contains => plain(format!("(str.contains {text} {part})")),
            Operator::IndexOf => integer(self.index_of(text, part, operands[2]), POSITIONS),
            Operator::LastIndexOf => integer(self.last_index_of(text, part, operands[2]), POSITIONS),
            Operator::IndexOfCharacter => integer(
                self.of_code_point(operands[1], |writer, part| writer.index_of(text, part, operands[2])),
                POSITIONS,
            ),
            Operator::LastIndexOfCharacter => integer(
                self.of_code_point(operands[1], |writer, part| writer.last_index_of(text, part, operands[2])),
                POSITIONS,
            ),
            Operator::CompareTo => integer(self.compare(text, part), Range::signed(32)),
            Operator::ToLowerCase => plain(self.with_case(text, ('A', 'Z'), "+")),
            Operator::ToUpperCase => plain(self.with_case(text, ('a', 'z'), "-")),
            Operator::Trim => plain(self.without_ends(text, &[(0, 0x20)])),
            Operator::Strip => plain(self.without_ends(text, &units_where(is_white_space))),
            Operator::IsBlank => {
                plain(format!("(str.in_re {text} {})", any_number(&one_of(&units_where(is_white_space)))))
            }
            Operator::ReplaceCharacter => {
                let [old, new] = [operands[1], operands[2]].map(|unit| self.unit(unit));
                plain(format!("(str.replace_all {text} {old} {new})"))
            }
            Operator::HashCode => plain(self.hash_code(text)),
            Operator::Matches(pattern) => {
                plain(self.matches(text, self.plan.terms().pattern(pattern).tree()))
            }
            Operator::IsInteger(width) => plain(self.is_integer(text, width)),
            Operator::ParseInteger(width) => integer(self.parsed_integer(text, width), Range::signed(width)),
            Operator::IsDouble => plain(format!("(str.in_re {text} {})", double())),
            Operator::ParseDouble => Err("floats that are read from texts, in SMT-LIB"),
            Operator::SignedToText => {
                let number = self.wrapped(operands[0], true);
                plain(if self.range_of(operands[0], true).low >= 0 {
                    format!("(str.from_int {number})")
                } else {
                    format!(
                        "(ite (< {number} 0) (str.++ \"-\" (str.from_int (- {number}))) (str.from_int {number}))"
                    )
                })
            }
            Operator::CharacterToText => plain(self.unit(operands[0])),
            Operator::BoolToText if sort_of(self.plan, operands[0]) == Sort::Bool => {
                plain(format!("(ite {text} \"true\" \"false\")"))
            }
            _ => Ok(None),
        }
    }

    /// The text of a register of 16 bits.
    fn unit(&self, register: Register) -> String {
        format!("(str.from_code {})", self.wrapped(register, false))
    }

    /// An `int` that is not below 0.
    fn not_below_zero(&self, register: Register) -> String {
        let number = self.wrapped(register, true);
        if self.range_of(register, true).low >= 0 {
            number
        } else {
            format!("(ite (< {number} 0) 0 {number})")
        }
    }

    fn char_at(&self, text: &str, place: Register) -> String {
        let number = self.wrapped(place, true);
        format!(
            "(ite (and (<= 0 {number}) (< {number} {})) (str.to_code (str.at {text} {number})) 0)",
            length(text)
        )
    }

    /// That of SMT-LIB is empty where the begin is outside or behind the end, and ends with the text at the latest.
    fn substring(&self, text: &str, begin: Register, end: Register) -> String {
        let (begin, end) = (self.not_below_zero(begin), self.wrapped(end, true));
        format!("(str.substr {text} {begin} (- {end} {begin}))")
    }

    fn starts_with(&self, text: &str, part: &str, offset: Register) -> String {
        if constant(self.plan, offset) == Some(0) {
            return format!("(str.prefixof {part} {text})");
        }
        let offset = self.wrapped(offset, true);
        format!(
            "(and (<= 0 {offset}) (<= (+ {offset} {}) {}) (= (str.substr {text} {offset} {}) {part}))",
            length(part),
            length(text),
            length(part)
        )
    }

    fn index_of(&mut self, text: &str, part: &str, from: Register) -> String {
        if constant(self.plan, from).is_some_and(|from| from <= 0) {
            return format!("(str.indexof {text} {part} 0)");
        }
        let (from, length) = (self.not_below_zero(from), length(text));
        format!("(str.indexof {text} {part} (ite (< {length} {from}) {length} {from}))")
    }

    /// The last place at which the part stands, up to the last one that counts.
    fn last_index_of(&mut self, text: &str, part: &str, from: Register) -> String {
        let from = self.wrapped(from, true);
        let room = format!("(- {} {})", length(text), length(part));
        let last = self.name("Int", &format!("(ite (< {from} {room}) {from} {room})"));
        let at = self.declare("Int");
        let occurs =
            |from: &str, length: &str| format!("(str.contains (str.substr {text} {from} {length}) {part})");
        let behind = occurs(&format!("(+ {at} 1)"), &format!("(- (+ {last} {}) {at} 1)", length(part)));
        let anywhere = occurs("0", &format!("(+ {last} {})", length(part)));
        let found = format!(
            "(and (<= 0 {at} {last}) (= (str.substr {text} {at} {}) {part}) (or (= {at} {last}) (not {behind})))",
            length(part)
        );
        self.assert(&format!("(ite (and (<= 0 {last}) {anywhere}) {found} (= {at} (- 1)))"));
        at
    }

    /// What is sought of a code point; -1 of a number that is none.
    fn of_code_point(&mut self, code_point: Register, sought: impl Fn(&mut Self, &str) -> String) -> String {
        if let Some(number) = constant(self.plan, code_point) {
            let units = i32::try_from(number).ok().and_then(units_of);
            return units.map_or_else(|| numeral(-1), |units| sought(self, &literal(units)));
        }
        let number = self.wrapped(code_point, true);
        let range = self.range_of(code_point, true);
        if (0..=0xffff).contains(&range.low) && range.high <= 0xffff {
            return sought(self, &format!("(str.from_code {number})"));
        }
        let half =
            |first: u32, of: &str| format!("(str.from_code (+ {first} ({of} (- {number} 65536) 1024)))");
        let units = format!(
            "(ite (<= {number} 65535) (str.from_code {number}) (str.++ {} {}))",
            half(0xd800, "div"),
            half(0xdc00, "mod")
        );
        let units = self.name("String", &units);
        let place = sought(self, &units);
        format!("(ite (<= 0 {number} 1114111) {place} (- 1))")
    }

    /// Behind the common beginning the characters differ, or one text ends.
    fn compare(&mut self, text: &str, other: &str) -> String {
        let (one_length, other_length) = (length(text), length(other));
        let shorter =
            self.name("Int", &format!("(ite (< {one_length} {other_length}) {one_length} {other_length})"));
        let common = self.declare("Int");
        self.assert(&format!("(<= 0 {common} {shorter})"));
        self.assert(&format!("(= (str.substr {text} 0 {common}) (str.substr {other} 0 {common}))"));
        let [one, another] = [text, other].map(|text| format!("(str.at {text} {common})"));
        self.assert(&format!("(or (= {common} {shorter}) (not (= {one} {another})))"));
        format!(
            "(ite (= {common} {shorter}) (- {one_length} {other_length}) (- (str.to_code {one}) (str.to_code {another})))"
        )
    }

    /// Of a constant, each character in all its cases; otherwise of short texts of ASCII.
    fn equals_ignore_case(&mut self, one: Register, other: Register) -> String {
        for (constant, text) in [(one, other), (other, one)] {
            let operator = self.plan.operator(constant);
            if let Some(Value::Text(units)) = self.plan.terms().constant_of(operator) {
                let cases: Vec<u16> = (0..=u16::MAX).map(folded).collect();
                let same = |&unit: &u16| {
                    let case = cases[usize::from(unit)];
                    one_of(&units_where(|unit| cases[usize::from(unit)] == case))
                };
                let parts: Vec<String> = units.iter().map(same).collect();
                return format!("(str.in_re r{} {})", text.index(), sequence(&parts));
            }
        }
        let texts = [one, other].map(|text| format!("r{}", text.index()));
        let known = texts.each_ref().map(|text| self.is_short_ascii(text));
        let [one_length, other_length] = texts.each_ref().map(|text| length(text));
        let mut all = vec![format!("(= {one_length} {other_length})")];
        for place in 0..UNITS {
            let [one, another] = texts.each_ref().map(|text| self.lower_code(text, place));
            all.push(format!("(= {one} {another})"));
        }
        let free = self.declare("Bool");
        format!("(ite (and {}) (and {}) {free})", known.join(" "), all.join(" "))
    }

    /// Whether a text is of few characters, all of ASCII; makes it so in what is narrow.
    fn is_short_ascii(&mut self, text: &str) -> String {
        let is_ascii = format!("(str.in_re {text} {})", any_number(&one_of(&[(0, 0x7f)])));
        let known = self.name("Bool", &format!("(and (<= {} {UNITS}) {is_ascii})", length(text)));
        self.narrow(&known);
        known
    }

    /// The code of a character of a text, of a capital letter that of the small one; -1 behind its end.
    fn lower_code(&mut self, text: &str, place: usize) -> String {
        let code = self.name("Int", &format!("(str.to_code (str.at {text} {place}))"));
        format!("(ite (<= {} {code} {}) (+ {code} 32) {code})", u32::from('A'), u32::from('Z'))
    }

    /// The other case of letters of a range, of short texts of ASCII.
    fn with_case(&mut self, text: &str, (low, high): (char, char), sign: &str) -> String {
        let known = self.is_short_ascii(text);
        let (low, high) = (u32::from(low), u32::from(high));
        let mut units = Vec::with_capacity(UNITS);
        for place in 0..UNITS {
            let unit = self.name("String", &format!("(str.at {text} {place})"));
            let code = self.name("Int", &format!("(str.to_code {unit})"));
            units.push(format!("(ite (<= {low} {code} {high}) (str.from_code ({sign} {code} 32)) {unit})"));
        }
        let free = self.declare("String");
        format!("(ite {known} (str.++ {}) {free})", units.join(" "))
    }

    /// Without some characters at both ends.
    fn without_ends(&mut self, text: &str, cut: &[(u32, u32)]) -> String {
        let [front, middle, back] = [(); 3].map(|()| self.declare("String"));
        let ends = any_number(&one_of(cut));
        let inside = one_of(&others(cut));
        let any = any_number("re.allchar");
        let longer = sequence(&[any, inside.clone()]);
        let bare = optional(&sequence(&[inside, optional(&longer)]));
        self.assert(&format!("(= {text} (str.++ {front} {middle} {back}))"));
        self.assert(&format!("(str.in_re {front} {ends})"));
        self.assert(&format!("(str.in_re {back} {ends})"));
        self.assert(&format!("(str.in_re {middle} {bare})"));
        self.assert(&format!("(=> (= {middle} \"\") (= {back} \"\"))"));
        middle
    }

    /// Of short texts.
    fn hash_code(&mut self, text: &str) -> String {
        const INT: &str = "(_ BitVec 32)";
        let is_short = self.name("Bool", &format!("(<= {} {UNITS})", length(text)));
        self.narrow(&is_short);
        let mut hash = bits(32, 0);
        for place in 0..UNITS {
            let code = format!("((_ int2bv 32) (str.to_code (str.at {text} {place})))");
            let more = format!("(bvadd (bvmul {} {hash}) {code})", bits(32, 31));
            hash = self.name(INT, &format!("(ite (< {place} {}) {more} {hash})", length(text)));
        }
        let free = self.declare(INT);
        format!("(ite {is_short} {hash} {free})")
    }

    /// Halves of pairs are left open where a pattern may meet them: Java walks over whole pairs.
    fn matches(&mut self, text: &str, tree: &crate::term::pattern::Tree) -> String {
        let matches = format!("(str.in_re {text} {})", language(tree));
        if !has_pairs(tree) {
            return matches;
        }
        let known = self.name("Bool", &format!("(str.in_re {text} {})", without_pairs()));
        self.narrow(&known);
        let free = self.declare("Bool");
        format!("(ite {known} {matches} {free})")
    }

    /// The number that a text says, whether it says one of a width, and whether that is known: digits beyond ASCII are left open.
    fn number(&mut self, text: &str, width: u8) -> [String; 3] {
        const BELOW_OTHER_DIGITS: u32 = 0x65f;
        let known = format!("(str.in_re {text} {})", any_number(&one_of(&[(0, BELOW_OTHER_DIGITS)])));
        let known = self.name("Bool", &known);
        self.narrow(&known);
        let is_negative = format!("(str.prefixof \"-\" {text})");
        let digits = format!(
            "(ite (or {is_negative} (str.prefixof \"+\" {text})) (str.substr {text} 1 (- {} 1)) {text})",
            length(text)
        );
        let size = self.name("Int", &format!("(str.to_int {digits})"));
        let number = self.name("Int", &format!("(ite {is_negative} (- {size}) {size})"));
        let Range { low, high } = Range::signed(width);
        let is_number = format!("(and (<= 0 {size}) (<= {} {number} {high}))", numeral(low));
        [number, self.name("Bool", &is_number), known]
    }

    fn is_integer(&mut self, text: &str, width: u8) -> String {
        let [_, is_number, known] = self.number(text, width);
        let free = self.declare("Bool");
        format!("(ite {known} {is_number} {free})")
    }

    fn parsed_integer(&mut self, text: &str, width: u8) -> String {
        let [number, is_number, known] = self.number(text, width);
        let free = self.declare("Int");
        let Range { low, high } = Range::signed(width);
        self.assert(&format!("(<= {} {free} {high})", numeral(low)));
        format!("(ite {known} (ite {is_number} {number} 0) {free})")
    }
}

fn length(text: &str) -> String {
    format!("(str.len {text})")
}

/// The ranges of the code units of a kind.
fn units_where(holds: impl Fn(u16) -> bool) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for unit in (0..=u16::MAX).filter(|&unit| holds(unit)).map(u32::from) {
        match ranges.last_mut() {
            Some(last) if last.1 + 1 == unit => last.1 = unit,
            _ => ranges.push((unit, unit)),
        }
    }
    ranges
}

/// The code units that are in none of some ascending ranges.
fn others(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    units_where(|unit| !ranges.iter().any(|&(low, high)| (low..=high).contains(&u32::from(unit))))
}

/// What `Double.parseDouble` reads: a literal (JLS 3.10.2), an integer, or the name of a number, between white space.
fn double() -> String {
    let chars = |units: &str| {
        let ranges: Vec<(u32, u32)> = units.chars().map(|unit| (unit.into(), unit.into())).collect();
        one_of(&ranges)
    };
    let word = |word: &str| format!("(str.to_re {})", literal(word.encode_utf16()));
    let digit = one_of(&[(u32::from(b'0'), u32::from(b'9'))]);
    let hexadecimal =
        one_of(&[('0', '9'), ('A', 'F'), ('a', 'f')].map(|(low, high)| (low.into(), high.into())));
    let sign = optional(&chars("+-"));
    let suffix = optional(&chars("DFdf"));
    let exponent = |letters: &str| sequence(&[chars(letters), sign.clone(), at_least_one(&digit)]);
    let mantissa = |digit: &str| {
        let (some, any) = (at_least_one(digit), any_number(digit));
        let with_whole = sequence(&[some.clone(), optional(&sequence(&[word("."), any]))]);
        alternatives(&[with_whole, sequence(&[word("."), some])])
    };
    let decimal = sequence(&[mantissa(&digit), optional(&exponent("Ee")), suffix.clone()]);
    let hexadecimal = sequence(&[word("0"), chars("Xx"), mantissa(&hexadecimal), exponent("Pp"), suffix]);
    let number = alternatives(&[word("NaN"), word("Infinity"), decimal, hexadecimal]);
    let space = any_number(&one_of(&[(0, 0x20)]));
    sequence(&[space.clone(), sign, number, space])
}
