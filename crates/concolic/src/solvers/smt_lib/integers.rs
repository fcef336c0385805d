//! Bits that are said as integers: of theories of strings, lengths and positions are integers, and solvers are slow where bits and
//! integers are converted into each other. An integer stands for a register if its low bits are the register; the range of the integer
//! tells where it has to be wrapped.

use crate::solvers::smt_lib::script::{Body, Writer, sort_of};
use crate::term::{Operator, Plan, Register, Sort};

/// Bounds beyond which a sum or a product is left to bits.
const FARTHEST: i128 = 1 << 90;

/// The values that an integer may have, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: i128,
    pub(super) high: i128,
}

impl Range {
    pub(super) fn new(low: i128, high: i128) -> Self {
        Self { low, high }
    }

    /// Of one number.
    pub(super) fn of(number: i128) -> Self {
        Self::new(number, number)
    }

    /// Of numbers with sign.
    pub(super) fn signed(width: u8) -> Self {
        let half = 1_i128 << (width - 1);
        Self::new(-half, half - 1)
    }

    /// Of numbers without.
    pub(super) fn unsigned(width: u8) -> Self {
        Self::new(0, (1_i128 << width) - 1)
    }

    /// Of an input: those of 16 bits are characters more often than not.
    pub(super) fn of_input(width: u8) -> Self {
        if width == 16 { Self::unsigned(width) } else { Self::signed(width) }
    }

    fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    fn is_number(self) -> bool {
        self.low == self.high
    }

    /// What numbers of two ranges give, if a function is monotonic in each of them.
    fn combined(self, other: Self, function: impl Fn(i128, i128) -> Option<i128>) -> Option<Self> {
        let mut corners = Vec::with_capacity(4);
        for one in [self.low, self.high] {
            for another in [other.low, other.high] {
                corners.push(function(one, another).filter(|corner| corner.abs() <= FARTHEST)?);
            }
        }
        Some(Self::new(*corners.iter().min()?, *corners.iter().max()?))
    }
}

/// A number as SMT-LIB has it.
pub(super) fn numeral(number: i128) -> String {
    if number < 0 { format!("(- {})", number.unsigned_abs()) } else { number.to_string() }
}

/// Which registers are said as integers: those that are measured of texts, constants, and what is made of inputs and these by operators
/// that integers have. What meets another operator remains bits, with all that it is compared with.
pub(super) fn is_said_as_integer(plan: &Plan<'_>, has_texts: bool) -> Vec<bool> {
    let is_bits = |register: Register| matches!(sort_of(plan, register), Sort::Bits(_));
    if !has_texts {
        return vec![false; plan.len()];
    }
    let mut remains: Vec<bool> = vec![false; plan.len()];
    loop {
        let before = remains.iter().filter(|remains| **remains).count();
        let registers: Vec<Register> = plan.registers().collect();
        for &register in registers.iter().chain(registers.iter().rev()) {
            let use_of = usage(plan, register);
            let own = is_bits(register).then_some(register);
            let operands = plan.operands(register).iter().copied().filter(|&operand| is_bits(operand));
            let group: Vec<Register> = operands.chain(own).collect();
            let spreads = match use_of {
                Usage::Integers => group.iter().any(|member| remains[member.index()]),
                Usage::Bits => true,
                Usage::Source => false,
            };
            if spreads {
                let taken = group.iter().filter(|&&member| usage(plan, member) != Usage::Source);
                taken.for_each(|member| remains[member.index()] = true);
            }
        }
        if remains.iter().filter(|remains| **remains).count() == before {
            break;
        }
    }
    plan.registers().map(|register| is_bits(register) && !remains[register.index()]).collect()
}

/// What an operator wants and gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Usage {
    /// Integers, if its operands are.
    Integers,
    /// Bits.
    Bits,
    /// It takes either, and gives an integer, if it gives a number.
    Source,
}

fn usage(plan: &Plan<'_>, register: Register) -> Usage {
    let operands = plan.operands(register);
    let constant = |operand: usize| constant(plan, operands[operand]);
    let by_condition = |condition: bool| if condition { Usage::Integers } else { Usage::Bits };
    // tidy: all others are about bits or floats
    match plan.operator(register) {
        Operator::Input(..)
        | Operator::Add
        | Operator::Subtract
        | Operator::Negate
        | Operator::SignExtend(_)
        | Operator::ZeroExtend(_)
        | Operator::Truncate(_)
        | Operator::IfThenElse
        | Operator::Equal
        | Operator::SignedLess
        | Operator::SignedLessEqual
        | Operator::UnsignedLess
        | Operator::UnsignedLessEqual => Usage::Integers,
        Operator::Multiply => by_condition(constant(0).is_some() || constant(1).is_some()),
        Operator::Divide | Operator::Remainder => by_condition(constant(1).is_some_and(|by| by > 0)),
        Operator::ShiftLeft | Operator::ShiftRight | Operator::UnsignedShiftRight => {
            by_condition(constant(1).is_some())
        }
        Operator::BitAnd => by_condition(low_mask(plan, operands).is_some()),
        Operator::Bits { .. }
        | Operator::Not
        | Operator::And
        | Operator::Or
        | Operator::Length
        | Operator::CharAt
        | Operator::Substring
        | Operator::StartsWith
        | Operator::IndexOfCharacter
        | Operator::LastIndexOfCharacter
        | Operator::IndexOf
        | Operator::LastIndexOf
        | Operator::CompareTo
        | Operator::ReplaceCharacter
        | Operator::ParseInteger(_)
        | Operator::SignedToText
        | Operator::CharacterToText => Usage::Source,
        _ => Usage::Bits,
    }
}

/// The value of a register of constant bits, with sign.
pub(super) fn constant(plan: &Plan<'_>, register: Register) -> Option<i128> {
    let is_bits = matches!(sort_of(plan, register), Sort::Bits(_));
    let value = plan.terms().constant_of(plan.operator(register)).filter(|_| is_bits);
    value.map(|value| value.signed().into())
}

/// The other operand of a conjunction of bits with so many low ones, and their number.
fn low_mask(plan: &Plan<'_>, operands: &[Register]) -> Option<(Register, u32)> {
    let &[one, other] = operands else { return None };
    [(one, other), (other, one)].into_iter().find_map(|(of, mask)| {
        let mask = constant(plan, mask)?;
        let is_low = mask > 0 && (mask + 1).count_ones() == 1;
        is_low.then(|| (of, mask.count_ones()))
    })
}

impl Writer<'_> {
    /// The register as an integer of a range, or as what is compared of integers; `None` if it is neither.
    pub(super) fn integer(&self, register: Register) -> Option<Body> {
        let plan = self.plan;
        let operands = plan.operands(register);
        let are_integers =
            |operands: &[Register]| operands.iter().all(|it| self.ranges[it.index()].is_some());
        let compared = |name: &str, is_signed: bool| {
            let &[one, other] = operands else { return None };
            are_integers(operands).then(|| {
                let (one, other) = (self.wrapped(one, is_signed), self.wrapped(other, is_signed));
                Body::Plain(format!("({name} {one} {other})"))
            })
        };
        // tidy: all others are no numbers, or bits
        match plan.operator(register) {
            Operator::Equal => return compared("=", self.is_equality_signed(operands)),
            Operator::SignedLess => return compared("<", true),
            Operator::SignedLessEqual => return compared("<=", true),
            Operator::UnsignedLess => return compared("<", false),
            Operator::UnsignedLessEqual => return compared("<=", false),
            _ => {}
        }
        if !self.is_integer[register.index()] {
            return None;
        }
        let (body, range) = match *operands {
            [condition, then, other] if plan.operator(register) == Operator::IfThenElse => {
                let ranges = (self.ranges[then.index()]?, self.ranges[other.index()]?);
                let range = Range::new(ranges.0.low.min(ranges.1.low), ranges.0.high.max(ranges.1.high));
                (format!("(ite r{} n{} n{})", condition.index(), then.index(), other.index()), range)
            }
            [one, other] => self.of_two(register, one, other)?,
            [of] => self.of_one(register, of)?,
            _ => return None,
        };
        Some(Body::Integer(body, range))
    }

    fn of_one(&self, register: Register, of: Register) -> Option<(String, Range)> {
        let range = self.ranges[of.index()]?;
        // tidy: all others are of texts
        match self.plan.operator(register) {
            Operator::Negate => Some((format!("(- n{})", of.index()), Range::new(-range.high, -range.low))),
            Operator::SignExtend(_) => Some((self.wrapped(of, true), self.range_of(of, true))),
            Operator::ZeroExtend(_) => Some((self.wrapped(of, false), self.range_of(of, false))),
            Operator::Truncate(_) => Some((format!("n{}", of.index()), range)),
            _ => None,
        }
    }

    fn of_two(&self, register: Register, one: Register, other: Register) -> Option<(String, Range)> {
        let (a, b) = (format!("n{}", one.index()), format!("n{}", other.index()));
        let ranges = (self.ranges[one.index()]?, self.ranges[other.index()]?);
        let width = sort_of(self.plan, one).width();
        let distance = || {
            let mask = i128::from(width).unsigned_abs().next_power_of_two() as i128 - 1;
            constant(self.plan, other).map(|distance| 1_i128 << (distance & mask).min(64))
        };
        let plain =
            |name: &str, range: Option<Range>| range.map(|range| (format!("({name} {a} {b})"), range));
        // tidy: all others are of texts
        match self.plan.operator(register) {
            Operator::Add => plain("+", ranges.0.combined(ranges.1, i128::checked_add)),
            Operator::Subtract => plain("-", ranges.0.combined(ranges.1, i128::checked_sub)),
            Operator::Multiply => plain("*", ranges.0.combined(ranges.1, i128::checked_mul)),
            Operator::ShiftLeft => {
                let factor = distance()?;
                let range = ranges.0.combined(Range::of(factor), i128::checked_mul)?;
                Some((format!("(* {a} {factor})"), range))
            }
            Operator::ShiftRight | Operator::UnsignedShiftRight => {
                let is_signed = self.plan.operator(register) == Operator::ShiftRight;
                let (by, range) = (distance()?, self.range_of(one, is_signed));
                let range = Range::new(range.low.div_euclid(by), range.high.div_euclid(by));
                Some((format!("(div {} {by})", self.wrapped(one, is_signed)), range))
            }
            Operator::BitAnd => {
                let (of, ones) = low_mask(self.plan, &[one, other])?;
                let modulus = 1_i128 << ones;
                Some((format!("(mod n{} {modulus})", of.index()), Range::new(0, modulus - 1)))
            }
            Operator::Divide => {
                let (by, range) = (constant(self.plan, other)?, self.range_of(one, true));
                let quotient = Range::new(range.low / by, range.high / by);
                Some((self.to_zero("div", one, by), quotient))
            }
            Operator::Remainder => {
                let (by, range) = (constant(self.plan, other)?, self.range_of(one, true));
                let least = if range.low < 0 { 1 - by } else { 0 };
                Some((self.to_zero("mod", one, by), Range::new(least, (by - 1).min(range.high.max(0)))))
            }
            _ => None,
        }
    }

    /// A quotient or a remainder by a positive number, rounded to 0.
    fn to_zero(&self, name: &str, of: Register, by: i128) -> String {
        let number = self.wrapped(of, true);
        if self.range_of(of, true).low >= 0 {
            return format!("({name} {number} {by})");
        }
        format!("(ite (<= 0 {number}) ({name} {number} {by}) (- ({name} (- {number}) {by})))")
    }

    /// Which of the two ways to wrap fits both operands.
    fn is_equality_signed(&self, operands: &[Register]) -> bool {
        let fits = |window: fn(u8) -> Range| {
            operands.iter().all(|&operand| {
                let Some(range) = self.ranges[operand.index()] else { return true };
                range.is_number() || range.is_within(window(sort_of(self.plan, operand).width()))
            })
        };
        fits(Range::signed) || !fits(Range::unsigned)
    }

    /// The range of [`Self::wrapped`].
    pub(super) fn range_of(&self, register: Register, is_signed: bool) -> Range {
        let width = sort_of(self.plan, register).width();
        let window = if is_signed { Range::signed(width) } else { Range::unsigned(width) };
        match self.ranges[register.index()] {
            Some(range) if range.is_within(window) => range,
            Some(range) if range.is_number() => Range::of(wrapped(range.low, window)),
            Some(_) | None => window,
        }
    }

    /// The number of a register, with its sign or without.
    pub(super) fn wrapped(&self, register: Register, is_signed: bool) -> String {
        let (own, width) = (register.index(), sort_of(self.plan, register).width());
        let size = 1_i128 << width;
        let window = if is_signed { Range::signed(width) } else { Range::unsigned(width) };
        let Some(range) = self.ranges[own] else {
            if !is_signed {
                return format!("(bv2nat r{own})");
            }
            return format!(
                "(ite (< (bv2nat r{own}) {}) (bv2nat r{own}) (- (bv2nat r{own}) {size}))",
                window.high + 1
            );
        };
        let Range { low, high } = window;
        if range.is_within(window) {
            format!("n{own}")
        } else if range.is_number() {
            numeral(wrapped(range.low, window))
        } else if range.is_within(Range::new(low - size, high + size)) {
            format!(
                "(ite (< n{own} {}) (+ n{own} {size}) (ite (< {} n{own}) (- n{own} {size}) n{own}))",
                numeral(low),
                numeral(high)
            )
        } else if is_signed {
            let half = size / 2;
            format!("(- (mod (+ n{own} {half}) {size}) {half})")
        } else {
            format!("(mod n{own} {size})")
        }
    }
}

/// The number of a window with the same low bits.
fn wrapped(number: i128, window: Range) -> i128 {
    (number - window.low).rem_euclid(window.high - window.low + 1) + window.low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{InputId, TermId, Terms};

    /// The last definition as an integer of a term of a text's length and two `int`s, in their order.
    fn check(make: fn(&mut Terms, [TermId; 3]) -> TermId, expected: Option<&str>) {
        let mut terms = Terms::new();
        let text = terms.input(InputId(0), Sort::Text);
        let (x, y) = (terms.input(InputId(1), Sort::Bits(32)), terms.input(InputId(2), Sort::Bits(32)));
        let length = terms.apply(Operator::Length, &[text]);
        let made = make(&mut terms, [length, x, y]);
        let script = crate::solvers::smt_lib::script::script(&Plan::new(&terms, &[made]));
        let script = script.expect("it can be said").text;
        let last = script.lines().rfind(|line| line.contains(" () Bool "));
        assert_eq!(last.and_then(|line| line.split_once(" () Bool ")).map(|(_, body)| body), expected);
    }

    #[test]
    fn sums_are_wrapped_where_they_may_overflow() {
        let wrapped = "(< (ite (< n4 (- 2147483648)) (+ n4 4294967296) (ite (< 2147483647 n4) (- n4 4294967296) n4)) n2))";
        check(
            |terms, [length, x, _]| {
                let five = terms.int(5);
                let sum = terms.apply(Operator::Add, &[x, five]);
                terms.apply(Operator::SignedLess, &[sum, length])
            },
            Some(wrapped),
        );
    }

    #[test]
    fn what_meets_bits_remains_bits() {
        check(
            |terms, [length, x, y]| {
                let mixed = terms.apply(Operator::BitXor, &[x, y]);
                terms.equal(mixed, length)
            },
            Some("(= r3 r4))"),
        );
    }
}
