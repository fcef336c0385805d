//! Terms over two operands of a fixed number of bits: printed as SMT-LIB 2, or evaluated.

use std::fmt;

/// A term; truth is 1 or 0 when it is evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Term {
    /// The first operand.
    First,
    /// The second operand.
    Second,
    /// 0.
    Zero,
    /// The number of bits less 1: what counts of a shift distance.
    Mask,
    /// A function of SMT-LIB by its name, over terms.
    Apply(&'static str, Vec<Term>),
}

impl Term {
    /// A function of two terms.
    pub(super) fn of(function: &'static str, left: Self, right: Self) -> Self {
        Self::Apply(function, vec![left, right])
    }

    /// The opposite.
    pub(super) fn not(self) -> Self {
        Self::Apply("not", vec![self])
    }

    /// Its value for operands of `width` bits, of 64 at most; bits above the width are 0.
    pub(super) fn value(&self, width: u32, first: u64, second: u64) -> u64 {
        let low = u64::MAX >> (64 - width);
        let signed = |value: u64| (value << (64 - width)).cast_signed() >> (64 - width);
        match self {
            Self::First => first,
            Self::Second => second,
            Self::Zero => 0,
            Self::Mask => u64::from(width) - 1,
            Self::Apply(function, terms) => {
                let argument =
                    |index: usize| terms.get(index).map_or(0, |term: &Self| term.value(width, first, second));
                let (left, right) = (argument(0), argument(1));
                let (left_signed, right_signed) = (signed(left), signed(right));
                let value = match *function {
                    "true" => 1,
                    "false" => 0,
                    "not" => 1 - left,
                    "and" => left & right,
                    "or" => left | right,
                    "=" => u64::from(left == right),
                    "bvslt" => u64::from(left_signed < right_signed),
                    "bvsle" => u64::from(left_signed <= right_signed),
                    "bvadd" => left.wrapping_add(right),
                    "bvsub" => left.wrapping_sub(right),
                    "bvmul" => left.wrapping_mul(right),
                    // By SMT-LIB, a number by 0 is -1, or 1 where it is negative, and the rest is the number.
                    "bvsdiv" if right == 0 => (if left_signed < 0 { 1 } else { -1_i64 }).cast_unsigned(),
                    "bvsdiv" => left_signed.wrapping_div(right_signed).cast_unsigned(),
                    "bvsrem" if right == 0 => left,
                    "bvsrem" => left_signed.wrapping_rem(right_signed).cast_unsigned(),
                    "bvand" => left & right,
                    "bvor" => left | right,
                    "bvxor" => left ^ right,
                    "bvshl" => left.checked_shl(right as u32).unwrap_or(0),
                    "bvlshr" => left.checked_shr(right as u32).unwrap_or(0),
                    "bvashr" => (left_signed >> right.min(63)).cast_unsigned(),
                    other => unreachable!("{other} is not among the functions that results have"),
                };
                value & low
            }
        }
    }

    /// As SMT-LIB 2 for operands of that many bits, `a` and `b`.
    pub(super) fn written(&self, width: u32) -> Written<'_> {
        Written { term: self, width }
    }
}

/// A term as SMT-LIB 2.
#[derive(Debug)]
pub(super) struct Written<'a> {
    term: &'a Term,
    width: u32,
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width;
        match self.term {
            Term::First => formatter.write_str("a"),
            Term::Second => formatter.write_str("b"),
            Term::Zero => write!(formatter, "(_ bv0 {width})"),
            Term::Mask => write!(formatter, "(_ bv{} {width})", width - 1),
            Term::Apply(function, terms) if terms.is_empty() => formatter.write_str(function),
            Term::Apply(function, terms) => {
                write!(formatter, "({function}")?;
                for term in terms {
                    write!(formatter, " {}", term.written(width))?;
                }
                formatter.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_written_in_smt_lib() {
        let shifted = Term::of("bvshl", Term::First, Term::of("bvand", Term::Second, Term::Mask));
        let term = Term::of("=", shifted, Term::Zero).not();
        assert_eq!(term.written(32).to_string(), "(not (= (bvshl a (bvand b (_ bv31 32))) (_ bv0 32)))");
        assert_eq!(Term::Apply("true", vec![]).written(8).to_string(), "true");
    }

    #[test]
    fn values_wrap_at_the_width() {
        let check = |function, expect: u64| {
            let value = Term::of(function, Term::First, Term::Second).value(4, 0b1000, 0b1111);
            assert_eq!(value, expect, "{function}");
        };
        // -8 and -1.
        check("bvadd", 0b0111);
        check("bvsub", 0b1001);
        check("bvmul", 0b1000);
        check("bvsdiv", 0b1000);
        check("bvsrem", 0);
        check("bvslt", 1);
        check("bvsle", 1);
        check("bvxor", 0b0111);
        let shift =
            |function, distance| Term::of(function, Term::First, Term::Second).value(4, 0b1010, distance);
        assert_eq!([shift("bvshl", 1), shift("bvlshr", 1), shift("bvashr", 1)], [0b0100, 0b0101, 0b1101]);
        assert_eq!([shift("bvshl", 9), shift("bvlshr", 9), shift("bvashr", 9)], [0, 0, 0b1111]);
    }
}
