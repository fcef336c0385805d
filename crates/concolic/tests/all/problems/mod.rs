//! Problems of the kind that tests of Java classes pose, which all solvers are asked.

use concolic::term::pattern::Expression;
use concolic::term::{InputId, Model, Operator, Sort, TermId, Terms, Value};

/// What is known of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// There are values.
    Satisfiable,
    /// There are none.
    Unsatisfiable,
}

/// A problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    /// A name for people.
    pub(crate) name: &'static str,
    /// Makes the conditions.
    pub(crate) conditions: fn(&mut Terms) -> Vec<TermId>,
    /// Whether they can hold.
    pub(crate) expected: Expected,
}

/// The values of the recorded run: as a test generator begins.
pub(crate) fn seed() -> Model {
    let ints = (0..8).map(|number| (InputId(number), Value::int(0)));
    let longs = (10..18).map(|number| (InputId(number), Value::long(1)));
    let doubles = (20..24).map(|number| (InputId(number), Value::Double(0.0)));
    let texts = (30..34).map(|number| (InputId(number), Value::text("")));
    let floats = (40..44).map(|number| (InputId(number), Value::Float(0.0)));
    ints.chain(longs).chain(doubles).chain(texts).chain(floats).collect()
}

fn int(terms: &mut Terms, number: u32) -> TermId {
    terms.input(InputId(number), Sort::Bits(32))
}

fn long(terms: &mut Terms, number: u32) -> TermId {
    terms.input(InputId(10 + number), Sort::Bits(64))
}

fn double(terms: &mut Terms, number: u32) -> TermId {
    terms.input(InputId(20 + number), Sort::Double)
}

fn text(terms: &mut Terms, number: u32) -> TermId {
    terms.input(InputId(30 + number), Sort::Text)
}

fn float(terms: &mut Terms, number: u32) -> TermId {
    terms.input(InputId(40 + number), Sort::Float)
}

fn equals_int(terms: &mut Terms, term: TermId, value: i32) -> TermId {
    let value = terms.int(value);
    terms.equal(term, value)
}

/// `low <= term < high`.
fn between(terms: &mut Terms, term: TermId, low: i32, high: i32) -> Vec<TermId> {
    let (low, high) = (terms.int(low), terms.int(high));
    vec![
        terms.apply(Operator::SignedLessEqual, &[low, term]),
        terms.apply(Operator::SignedLess, &[term, high]),
    ]
}

fn length_is(terms: &mut Terms, text: TermId, length: i32) -> TermId {
    let of = terms.apply(Operator::Length, &[text]);
    equals_int(terms, of, length)
}

/// The character at a place, as an `int`.
fn char_at(terms: &mut Terms, text: TermId, place: i32) -> TermId {
    let place = terms.int(place);
    let unit = terms.apply(Operator::CharAt, &[text, place]);
    terms.apply(Operator::ZeroExtend(32), &[unit])
}

/// `text.matches(expression)`.
fn matches(terms: &mut Terms, text: TermId, expression: &str) -> TermId {
    let units: Vec<u16> = expression.encode_utf16().collect();
    terms.matches(text, &Expression::whole(&units)).expect("the expression is regular")
}

/// `3x + 7y == 1234 && x % 11 == 5 && x > y`.
fn linear_with_remainder(terms: &mut Terms) -> Vec<TermId> {
    let (x, y) = (int(terms, 0), int(terms, 1));
    let (three, seven, eleven) = (terms.int(3), terms.int(7), terms.int(11));
    let (left, right) =
        (terms.apply(Operator::Multiply, &[x, three]), terms.apply(Operator::Multiply, &[y, seven]));
    let sum = terms.apply(Operator::Add, &[left, right]);
    let rest = terms.apply(Operator::Remainder, &[x, eleven]);
    vec![equals_int(terms, sum, 1234), equals_int(terms, rest, 5), terms.apply(Operator::SignedLess, &[y, x])]
}

/// A product of two `long`s from 2 to a million is 1,000,003 * 7.
fn product(terms: &mut Terms) -> Vec<TermId> {
    let (x, y) = (long(terms, 0), long(terms, 1));
    let (one, product) = (terms.long(1), terms.long(7_000_021));
    let of = terms.apply(Operator::Multiply, &[x, y]);
    let limit = terms.long(2_000_000);
    vec![
        terms.equal(of, product),
        terms.apply(Operator::SignedLess, &[one, x]),
        terms.apply(Operator::SignedLess, &[one, y]),
        terms.apply(Operator::SignedLess, &[x, limit]),
        terms.apply(Operator::SignedLess, &[y, limit]),
    ]
}

/// `(x ^ y) + 2 * (x & y) != x + y`.
fn identity(terms: &mut Terms) -> Vec<TermId> {
    let (x, y) = (int(terms, 0), int(terms, 1));
    let two = terms.int(2);
    let (differ, both) = (terms.apply(Operator::BitXor, &[x, y]), terms.apply(Operator::BitAnd, &[x, y]));
    let twice = terms.apply(Operator::Multiply, &[both, two]);
    let (left, right) = (terms.apply(Operator::Add, &[differ, twice]), terms.apply(Operator::Add, &[x, y]));
    let equal = terms.equal(left, right);
    vec![terms.not(equal)]
}

/// Lower-case letters whose hash code is that of a word.
fn hash(terms: &mut Terms, word: &str) -> Vec<TermId> {
    let text = text(terms, 0);
    let constant = terms.text(word);
    let (hash, wanted) =
        (terms.apply(Operator::HashCode, &[text]), terms.apply(Operator::HashCode, &[constant]));
    vec![matches(terms, text, "[a-z]*"), length_is(terms, text, word.len() as i32), terms.equal(hash, wanted)]
}

fn hash_of_four(terms: &mut Terms) -> Vec<TermId> {
    hash(terms, "kiwi")
}

fn hash_of_six(terms: &mut Terms) -> Vec<TermId> {
    hash(terms, "banana")
}

/// `x * 1.5 + 2.25 == 10.5`.
fn affine_double(terms: &mut Terms) -> Vec<TermId> {
    let x = double(terms, 0);
    let (factor, added, wanted) = (terms.double(1.5), terms.double(2.25), terms.double(10.5));
    let times = terms.apply(Operator::FloatMultiply, &[x, factor]);
    let sum = terms.apply(Operator::FloatAdd, &[times, added]);
    vec![terms.apply(Operator::FloatEqual, &[sum, wanted])]
}

/// `x + 0.1 == x && x < 1e20 && x > 1`: absorbed.
fn absorbed(terms: &mut Terms) -> Vec<TermId> {
    let x = double(terms, 0);
    let (tenth, low, high) = (terms.double(0.1), terms.double(1.0), terms.double(1e20));
    let sum = terms.apply(Operator::FloatAdd, &[x, tenth]);
    vec![
        terms.apply(Operator::FloatEqual, &[sum, x]),
        terms.apply(Operator::FloatLess, &[low, x]),
        terms.apply(Operator::FloatLess, &[x, high]),
    ]
}

/// `(int) (float) x != x`.
fn lost_precision(terms: &mut Terms) -> Vec<TermId> {
    let x = int(terms, 0);
    let rounded = terms.apply(Operator::SignedToFloat, &[x]);
    let back = terms.apply(Operator::FloatToSigned(32), &[rounded]);
    let equal = terms.equal(back, x);
    vec![terms.not(equal)]
}

/// `x < y && y < x` of doubles.
fn ordered_both_ways(terms: &mut Terms) -> Vec<TermId> {
    let (x, y) = (double(terms, 0), double(terms, 1));
    vec![terms.apply(Operator::FloatLess, &[x, y]), terms.apply(Operator::FloatLess, &[y, x])]
}

/// `!(x < y) && !(x >= y)`: NaN.
fn unordered(terms: &mut Terms) -> Vec<TermId> {
    let (x, y) = (float(terms, 0), float(terms, 1));
    let (less, at_least) =
        (terms.apply(Operator::FloatLess, &[x, y]), terms.apply(Operator::FloatLessEqual, &[y, x]));
    vec![terms.not(less), terms.not(at_least)]
}

/// `s.startsWith("http://") && s.endsWith(".html") && s.indexOf('?', 0) > 9`.
fn address(terms: &mut Terms) -> Vec<TermId> {
    let s = text(terms, 0);
    let (prefix, suffix) = (terms.text("http://"), terms.text(".html"));
    let (zero, nine, question) = (terms.int(0), terms.int(9), terms.int('?' as i32));
    let index = terms.apply(Operator::IndexOfCharacter, &[s, question, zero]);
    vec![
        terms.apply(Operator::StartsWith, &[s, prefix, zero]),
        terms.apply(Operator::EndsWith, &[s, suffix]),
        terms.apply(Operator::SignedLess, &[nine, index]),
    ]
}

/// `s.matches("[A-Z]{2}\\d+(-[a-f]+)?") && s.length() == 12`.
fn expression_with_length(terms: &mut Terms) -> Vec<TermId> {
    let s = text(terms, 0);
    vec![matches(terms, s, "[A-Z]{2}\\d+(-[a-f]+)?"), length_is(terms, s, 12)]
}

/// `s.matches("a+") && s.matches("b+")`.
fn disjoint_expressions(terms: &mut Terms) -> Vec<TermId> {
    let x = int(terms, 0);
    let s = terms.apply(Operator::SignedToText, &[x]);
    vec![matches(terms, s, "1+"), matches(terms, s, "-?2+")]
}

/// A date: `dddd-dd-dd` whose month and day are read as numbers.
fn date(terms: &mut Terms) -> Vec<TermId> {
    let s = text(terms, 0);
    let mut conditions = vec![matches(terms, s, "\\d{4}-\\d{2}-\\d{2}")];
    for (begin, end, low, high) in [(0, 4, 2024, 2025), (5, 7, 2, 3), (8, 10, 29, 30)] {
        let (begin, end) = (terms.int(begin), terms.int(end));
        let part = terms.apply(Operator::Substring, &[s, begin, end]);
        let number = terms.apply(Operator::ParseInteger(32), &[part]);
        conditions.extend(between(terms, number, low, high));
    }
    conditions
}

/// The weighted sum of digits of a text is divisible; all are digits and the length fits.
fn checksum(
    terms: &mut Terms,
    digits: i32,
    divisor: i32,
    weighted: fn(&mut Terms, TermId, i32) -> TermId,
) -> Vec<TermId> {
    let s = text(terms, 0);
    let mut conditions = vec![length_is(terms, s, digits)];
    let mut sum = terms.int(0);
    for place in 0..digits {
        let unit = char_at(terms, s, place);
        conditions.extend(between(terms, unit, '0' as i32, '9' as i32 + 1));
        let zero = terms.int('0' as i32);
        let digit = terms.apply(Operator::Subtract, &[unit, zero]);
        let weighted = weighted(terms, digit, place);
        sum = terms.apply(Operator::Add, &[sum, weighted]);
    }
    let divisor = terms.int(divisor);
    let rest = terms.apply(Operator::Remainder, &[sum, divisor]);
    conditions.push(equals_int(terms, rest, 0));
    let first = char_at(terms, s, 0);
    conditions.push(equals_int(terms, first, '7' as i32));
    conditions
}

/// Luhn: every second digit counts twice, less 9 if that is above 9.
fn luhn(terms: &mut Terms) -> Vec<TermId> {
    checksum(terms, 16, 10, |terms, digit, place| {
        if place % 2 == 1 {
            return digit;
        }
        let (two, nine) = (terms.int(2), terms.int(9));
        let twice = terms.apply(Operator::Multiply, &[digit, two]);
        let is_large = terms.apply(Operator::SignedLess, &[nine, twice]);
        let less = terms.apply(Operator::Subtract, &[twice, nine]);
        terms.if_then_else(is_large, less, twice)
    })
}

/// ISBN-10 without the digit X.
fn isbn(terms: &mut Terms) -> Vec<TermId> {
    checksum(terms, 10, 11, |terms, digit, place| {
        let weight = terms.int(10 - place);
        terms.apply(Operator::Multiply, &[digit, weight])
    })
}

/// `(x << 3 ^ x >>> 7) == 0x12345678 && x % 16 == 15`, and the like.
fn shifts(terms: &mut Terms) -> Vec<TermId> {
    let x = int(terms, 0);
    let (three, seven) = (terms.int(3), terms.int(7));
    let (left, right) = (
        terms.apply(Operator::ShiftLeft, &[x, three]),
        terms.apply(Operator::UnsignedShiftRight, &[x, seven]),
    );
    let mixed = terms.apply(Operator::BitXor, &[left, right]);
    let known = Value::int((0x1357_9bdf_i32 << 3) ^ (0x1357_9bdf_i32 >> 7));
    let known = terms.constant(&known);
    vec![terms.equal(mixed, known)]
}

/// `x % 3 == 2 && x % 5 == 3 && x % 7 == 2 && x % 1001 == 1000 && x > 0`.
fn remainders(terms: &mut Terms) -> Vec<TermId> {
    let x = int(terms, 0);
    let mut conditions = between(terms, x, 1, i32::MAX);
    for (divisor, rest) in [(3, 2), (5, 3), (64, 2), (1001, 1000)] {
        let divisor = terms.int(divisor);
        let of = terms.apply(Operator::Remainder, &[x, divisor]);
        conditions.push(equals_int(terms, of, rest));
    }
    conditions
}

/// `x == y && y == z && x > 1000`: one change of three inputs at once.
fn together(terms: &mut Terms) -> Vec<TermId> {
    let (x, y, z) = (int(terms, 0), int(terms, 1), int(terms, 2));
    let low = terms.int(1000);
    vec![terms.equal(x, y), terms.equal(y, z), terms.apply(Operator::SignedLess, &[low, x])]
}

/// `a.length() == n && n > 5 && a.charAt(n - 1) == 'z'`.
fn length_and_last(terms: &mut Terms) -> Vec<TermId> {
    let (a, n) = (text(terms, 0), int(terms, 0));
    let length = terms.apply(Operator::Length, &[a]);
    let (five, one, last) = (terms.int(5), terms.int(1), terms.character(u16::from(b'z')));
    let place = terms.apply(Operator::Subtract, &[n, one]);
    let unit = terms.apply(Operator::CharAt, &[a, place]);
    vec![terms.equal(length, n), terms.apply(Operator::SignedLess, &[five, n]), terms.equal(unit, last)]
}

/// `Math.abs(x) < 0`: the minimum.
fn negative_absolute(terms: &mut Terms) -> Vec<TermId> {
    let x = int(terms, 0);
    let zero = terms.int(0);
    let (is_less, negated) =
        (terms.apply(Operator::SignedLess, &[x, zero]), terms.apply(Operator::Negate, &[x]));
    let absolute = terms.if_then_else(is_less, negated, x);
    vec![terms.apply(Operator::SignedLess, &[absolute, zero])]
}

/// `x * x == 2` of `int`s, modulo 2^32.
fn root_of_two(terms: &mut Terms) -> Vec<TermId> {
    let x = int(terms, 0);
    let square = terms.apply(Operator::Multiply, &[x, x]);
    vec![equals_int(terms, square, 2)]
}

/// A triangle: isosceles, not equilateral, with sides that make one.
fn triangle(terms: &mut Terms) -> Vec<TermId> {
    let (a, b, c) = (int(terms, 0), int(terms, 1), int(terms, 2));
    let zero = terms.int(0);
    let sum = terms.apply(Operator::Add, &[a, b]);
    let same = terms.equal(b, c);
    vec![
        terms.apply(Operator::SignedLess, &[zero, a]),
        terms.apply(Operator::SignedLess, &[zero, c]),
        terms.apply(Operator::SignedLess, &[c, sum]),
        terms.equal(a, b),
        terms.not(same),
    ]
}

/// `Double.parseDouble(s) > 1e10 && s.contains("e")`.
fn parsed_double(terms: &mut Terms) -> Vec<TermId> {
    let s = text(terms, 0);
    let (part, low) = (terms.text("e"), terms.double(1e10));
    let number = terms.apply(Operator::ParseDouble, &[s]);
    vec![terms.apply(Operator::FloatLess, &[low, number]), terms.apply(Operator::Contains, &[s, part])]
}

/// `s.trim().equalsIgnoreCase("Yes") && s.length() == 5`.
fn trimmed(terms: &mut Terms) -> Vec<TermId> {
    let s = text(terms, 0);
    let yes = terms.text("Yes");
    let bare = terms.apply(Operator::Trim, &[s]);
    vec![terms.apply(Operator::EqualsIgnoreCase, &[bare, yes]), length_is(terms, s, 5)]
}

/// `Integer.parseInt(s) == 31337 && s.length() == 7`.
fn parsed_with_length(terms: &mut Terms) -> Vec<TermId> {
    let s = text(terms, 0);
    let number = terms.apply(Operator::ParseInteger(32), &[s]);
    let is_valid = terms.apply(Operator::IsInteger(32), &[s]);
    vec![is_valid, equals_int(terms, number, 31337), length_is(terms, s, 7)]
}

/// `s.charAt(n)` throws although `0 <= n < s.length()`: no text is too short, however long it is.
fn index_outside(terms: &mut Terms) -> Vec<TermId> {
    let (s, n) = (text(terms, 0), int(terms, 0));
    let (zero, length) = (terms.int(0), terms.apply(Operator::Length, &[s]));
    let is_inside = terms.apply(Operator::UnsignedLess, &[n, length]);
    vec![
        terms.apply(Operator::SignedLessEqual, &[zero, n]),
        terms.apply(Operator::SignedLess, &[n, length]),
        terms.not(is_inside),
    ]
}

/// `s.charAt(2)` throws although `s.length() > 2` and `s.charAt(1) == '-'`.
fn constant_index_outside(terms: &mut Terms) -> Vec<TermId> {
    let s = text(terms, 0);
    let (two, length) = (terms.int(2), terms.apply(Operator::Length, &[s]));
    let unit = char_at(terms, s, 1);
    let is_inside = terms.apply(Operator::UnsignedLess, &[two, length]);
    vec![
        equals_int(terms, unit, '-' as i32),
        terms.apply(Operator::SignedLess, &[two, length]),
        terms.not(is_inside),
    ]
}

/// `s.substring(s.indexOf(';'))` throws although there is one.
fn found_outside(terms: &mut Terms) -> Vec<TermId> {
    let s = text(terms, 0);
    let (zero, semicolon) = (terms.int(0), terms.int(';' as i32));
    let place = terms.apply(Operator::IndexOfCharacter, &[s, semicolon, zero]);
    let length = terms.apply(Operator::Length, &[s]);
    let is_inside = terms.apply(Operator::UnsignedLessEqual, &[place, length]);
    vec![terms.apply(Operator::SignedLessEqual, &[zero, place]), terms.not(is_inside)]
}

/// All problems.
pub(crate) const CASES: &[Case] = &[
    Case {
        name: "linear-with-remainder",
        conditions: linear_with_remainder,
        expected: Expected::Satisfiable,
    },
    Case { name: "product", conditions: product, expected: Expected::Satisfiable },
    Case { name: "identity", conditions: identity, expected: Expected::Unsatisfiable },
    Case { name: "hash-of-four", conditions: hash_of_four, expected: Expected::Satisfiable },
    Case { name: "hash-of-six", conditions: hash_of_six, expected: Expected::Satisfiable },
    Case { name: "affine-double", conditions: affine_double, expected: Expected::Satisfiable },
    Case { name: "absorbed", conditions: absorbed, expected: Expected::Satisfiable },
    Case { name: "lost-precision", conditions: lost_precision, expected: Expected::Satisfiable },
    Case { name: "ordered-both-ways", conditions: ordered_both_ways, expected: Expected::Unsatisfiable },
    Case { name: "unordered", conditions: unordered, expected: Expected::Satisfiable },
    Case { name: "address", conditions: address, expected: Expected::Satisfiable },
    Case {
        name: "expression-with-length",
        conditions: expression_with_length,
        expected: Expected::Satisfiable,
    },
    Case {
        name: "disjoint-expressions",
        conditions: disjoint_expressions,
        expected: Expected::Unsatisfiable,
    },
    Case { name: "date", conditions: date, expected: Expected::Satisfiable },
    Case { name: "luhn", conditions: luhn, expected: Expected::Satisfiable },
    Case { name: "isbn", conditions: isbn, expected: Expected::Satisfiable },
    Case { name: "shifts", conditions: shifts, expected: Expected::Satisfiable },
    Case { name: "remainders", conditions: remainders, expected: Expected::Satisfiable },
    Case { name: "together", conditions: together, expected: Expected::Satisfiable },
    Case { name: "length-and-last", conditions: length_and_last, expected: Expected::Satisfiable },
    Case { name: "negative-absolute", conditions: negative_absolute, expected: Expected::Satisfiable },
    Case { name: "root-of-two", conditions: root_of_two, expected: Expected::Unsatisfiable },
    Case { name: "triangle", conditions: triangle, expected: Expected::Satisfiable },
    Case { name: "parsed-double", conditions: parsed_double, expected: Expected::Satisfiable },
    Case { name: "trimmed", conditions: trimmed, expected: Expected::Satisfiable },
    Case { name: "parsed-with-length", conditions: parsed_with_length, expected: Expected::Satisfiable },
    Case { name: "found-outside", conditions: found_outside, expected: Expected::Unsatisfiable },
    Case { name: "index-outside", conditions: index_outside, expected: Expected::Unsatisfiable },
    Case {
        name: "constant-index-outside",
        conditions: constant_index_outside,
        expected: Expected::Unsatisfiable,
    },
];
