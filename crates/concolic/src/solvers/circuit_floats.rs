//! Circuits of IEEE 754 binary formats, rounding to nearest, ties to even, with one NaN.

use crate::solvers::circuit::{Bit, Circuit, FALSE, TRUE, Word, constant, extended, sign};
use crate::term::Sort;

/// A binary format (IEEE 754-2019, 3.4).
#[derive(Debug, Clone, Copy)]
pub(super) struct Format {
    /// Bits of the exponent.
    exponent: usize,
    /// Bits of the significand, with the hidden one.
    precision: usize,
}

/// Exponents are computed with so many bits.
const EXPONENT: usize = 14;

impl Format {
    /// The format of a sort of floats.
    pub(super) fn of(sort: Sort) -> Self {
        if sort == Sort::Float {
            Self { exponent: 8, precision: 24 }
        } else {
            Self { exponent: 11, precision: 53 }
        }
    }

    fn width(self) -> usize {
        self.exponent + self.precision
    }

    fn bias(self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }

    fn infinity(self, sign: Bit) -> Word {
        let mut word = constant(self.precision - 1, 0);
        word.extend(vec![TRUE; self.exponent]);
        word.push(sign);
        word
    }

    fn nan(self) -> Word {
        let mut word = self.infinity(FALSE);
        word[self.precision - 2] = TRUE;
        word
    }

    fn zero(self, sign: Bit) -> Word {
        let mut word = constant(self.width() - 1, 0);
        word.push(sign);
        word
    }
}

/// A float taken apart: `significand / 2^(precision - 1) * 2^exponent`, with the highest bit of the significand set unless
/// it is 0.
struct Parts {
    sign: Bit,
    exponent: Word,
    significand: Word,
    is_nan: Bit,
    is_infinite: Bit,
    is_zero: Bit,
}

impl Circuit {
    pub(super) fn is_nan(&mut self, format: Format, a: &[Bit]) -> Bit {
        let field = self.all(a[format.precision - 1..format.width() - 1].to_vec());
        let fraction = self.any(a[..format.precision - 1].to_vec());
        self.and(field, fraction)
    }

    /// A float input has one NaN.
    pub(super) fn demand_one_nan(&mut self, format: Format, a: &[Bit]) {
        let is_nan = self.is_nan(format, a);
        let is_one = self.equal(a, &format.nan());
        self.clause(&[!is_nan, is_one]);
    }

    /// The float of raw bits, with one NaN.
    pub(super) fn with_one_nan(&mut self, format: Format, a: &[Bit]) -> Word {
        let is_nan = self.is_nan(format, a);
        self.choice_word(is_nan, &format.nan(), a)
    }

    pub(super) fn float_negate(&mut self, format: Format, a: &[Bit]) -> Word {
        let is_nan = self.is_nan(format, a);
        let mut negated = a.to_vec();
        let last = negated.len() - 1;
        negated[last] = self.choice(is_nan, a[last], !a[last]);
        negated
    }

    /// `<`, or `<=`.
    pub(super) fn float_less(&mut self, format: Format, a: &[Bit], b: &[Bit], or_equal: bool) -> Bit {
        let equal = self.float_equal(format, a, b);
        let is_nan = {
            let (x, y) = (self.is_nan(format, a), self.is_nan(format, b));
            self.or(x, y)
        };
        let last = a.len() - 1;
        let below = self.unsigned_less(&a[..last], &b[..last]);
        let above = self.unsigned_less(&b[..last], &a[..last]);
        let same_sign = self.choice(a[last], above, below);
        let differ = self.xor(a[last], b[last]);
        let less = self.choice(differ, a[last], same_sign);
        let less = self.and(less, !equal);
        let holds = if or_equal { self.or(less, equal) } else { less };
        self.and(holds, !is_nan)
    }

    pub(super) fn float_equal(&mut self, format: Format, a: &[Bit], b: &[Bit]) -> Bit {
        let is_nan = self.is_nan(format, a);
        let same = self.equal(a, b);
        let last = a.len() - 1;
        let magnitudes = [a[..last].to_vec(), b[..last].to_vec()].concat();
        let zeros = !self.any(magnitudes);
        let equal = self.or(same, zeros);
        self.and(equal, !is_nan)
    }

    fn parts(&mut self, format: Format, a: &[Bit]) -> Parts {
        let fraction = &a[..format.precision - 1];
        let field = &a[format.precision - 1..format.width() - 1];
        let is_normal = self.any(field.to_vec());
        let is_top = self.all(field.to_vec());
        let has_fraction = self.any(fraction.to_vec());
        let mut significand = fraction.to_vec();
        significand.push(is_normal);
        let (significand, shift) = self.normalized(&significand);
        // That of a subnormal is that of the smallest normal, less what it takes to set the highest bit.
        let field = extended(field, EXPONENT, FALSE);
        let field = self.choice_word(is_normal, &field, &constant(EXPONENT, 1));
        let unbiased = self.subtract(&field, &constant(EXPONENT, format.bias()));
        let exponent = self.subtract(&unbiased, &extended(&shift, EXPONENT, FALSE));
        Parts {
            sign: sign(a),
            exponent,
            significand,
            is_nan: self.and(is_top, has_fraction),
            is_infinite: self.and(is_top, !has_fraction),
            is_zero: {
                let some = self.or(is_normal, has_fraction);
                !some
            },
        }
    }

    /// The float nearest to `significand / 2^(its length - 1) * 2^exponent`, whose highest bit is set; the lowest bit also
    /// stands for whatever lies below it.
    fn rounded(&mut self, format: Format, sign: Bit, exponent: &[Bit], significand: &[Bit]) -> Word {
        let precision = format.precision;
        let missing = (precision + 2).saturating_sub(significand.len());
        let mut significand = [constant(missing, 0), significand.to_vec()].concat();
        let biased = self.add(exponent, &constant(EXPONENT, format.bias()));
        let is_subnormal = self.signed_less(&biased, &constant(EXPONENT, 1));
        let below = self.subtract(&constant(EXPONENT, 1), &biased);
        let below = self.masked(&below, is_subnormal);
        significand = self.shift_down_sticky(&significand, &below[..EXPONENT - 1]);
        let kept = significand.len() - precision;
        let half = significand[kept - 1];
        let rest = self.any(significand[..kept - 1].to_vec());
        let odd = significand[kept];
        let decides = self.or(rest, odd);
        let goes_up = self.and(half, decides);
        let field = self.masked(&biased[..format.exponent], !is_subnormal);
        let mut word = significand[kept..kept + precision - 1].to_vec();
        word.extend(field);
        let width = word.len();
        // A carry out of the fraction raises the exponent by itself, up to infinity.
        let word = self.sum(&word, &constant(width, 0), goes_up).0;
        let top = constant(EXPONENT, (1 << format.exponent) - 1);
        let is_below_top = self.signed_less(&biased, &top);
        let mut word = self.choice_word(is_below_top, &word, &format.infinity(sign)[..width]);
        word.push(sign);
        word
    }

    /// Of a signed number.
    pub(super) fn float_of_signed(&mut self, format: Format, a: &[Bit]) -> Word {
        let absolute = self.absolute(a);
        let is_zero = !self.any(a.to_vec());
        let (significand, shift) = self.normalized(&absolute);
        let top = constant(EXPONENT, a.len() as u64 - 1);
        let exponent = self.subtract(&top, &extended(&shift, EXPONENT, FALSE));
        let rounded = self.rounded(format, sign(a), &exponent, &significand);
        self.choice_word(is_zero, &format.zero(FALSE), &rounded)
    }

    /// To another format.
    pub(super) fn float_to_float(&mut self, from: Format, to: Format, a: &[Bit]) -> Word {
        let parts = self.parts(from, a);
        let rounded = self.rounded(to, parts.sign, &parts.exponent, &parts.significand);
        let rounded = self.choice_word(parts.is_zero, &to.zero(parts.sign), &rounded);
        let rounded = self.choice_word(parts.is_infinite, &to.infinity(parts.sign), &rounded);
        self.choice_word(parts.is_nan, &to.nan(), &rounded)
    }

    /// To a signed number: to 0, saturating, NaN to 0.
    pub(super) fn float_to_signed(&mut self, format: Format, a: &[Bit], width: usize) -> Word {
        let parts = self.parts(format, a);
        let wide = extended(&parts.significand, format.precision - 1 + width, FALSE);
        let shifted = self.shift_up(&wide, &parts.exponent[..7]);
        let magnitude = shifted[format.precision - 1..].to_vec();
        let negated = self.negate(&magnitude);
        let value = self.choice_word(parts.sign, &negated, &magnitude);
        let is_large = !self.signed_less(&parts.exponent, &constant(EXPONENT, width as u64 - 1));
        let is_large = self.or(is_large, parts.is_infinite);
        let mut saturated = vec![!parts.sign; width - 1];
        saturated.push(parts.sign);
        let value = self.choice_word(is_large, &saturated, &value);
        let is_fraction = self.or(sign(&parts.exponent), parts.is_zero);
        let is_nothing = self.or(is_fraction, parts.is_nan);
        self.masked(&value, !is_nothing)
    }

    pub(super) fn float_multiply(&mut self, format: Format, a: &[Bit], b: &[Bit]) -> Word {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let sign = self.xor(x.sign, y.sign);
        let length = 2 * format.precision;
        let product = self.multiply(&extended(&x.significand, length, FALSE), &y.significand);
        let exponent = self.add(&x.exponent, &y.exponent);
        let rounded = self.rounded_pair(format, sign, &exponent, &product);
        let (is_zero, is_infinite) = (self.or(x.is_zero, y.is_zero), self.or(x.is_infinite, y.is_infinite));
        let is_undefined = self.and(is_zero, is_infinite);
        let is_nan = self.any([x.is_nan, y.is_nan, is_undefined]);
        let result = self.choice_word(is_zero, &format.zero(sign), &rounded);
        let result = self.choice_word(is_infinite, &format.infinity(sign), &result);
        self.choice_word(is_nan, &format.nan(), &result)
    }

    pub(super) fn float_divide(&mut self, format: Format, a: &[Bit], b: &[Bit]) -> Word {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let sign = self.xor(x.sign, y.sign);
        // One more than what rounding looks at, since the quotient may begin one place lower.
        let more = format.precision + 2;
        let dividend = [constant(more, 0), x.significand.clone()].concat();
        let (quotient, rest) = self.divide(&dividend, &y.significand);
        let sticky = self.any(rest);
        let mut significand = vec![sticky];
        significand.extend(&quotient[..=more]);
        // The highest bit of the quotient, if it is set, is worth 1.
        let difference = self.subtract(&x.exponent, &y.exponent);
        let exponent = self.subtract(&difference, &constant(EXPONENT, 1));
        let rounded = self.rounded_pair(format, sign, &exponent, &significand);
        let undefined = [self.and(x.is_zero, y.is_zero), self.and(x.is_infinite, y.is_infinite)];
        let undefined = self.any(undefined);
        let is_nan = self.any([x.is_nan, y.is_nan, undefined]);
        let (is_zero, is_infinite) = (self.or(x.is_zero, y.is_infinite), self.or(x.is_infinite, y.is_zero));
        let result = self.choice_word(is_infinite, &format.infinity(sign), &rounded);
        let result = self.choice_word(is_zero, &format.zero(sign), &result);
        self.choice_word(is_nan, &format.nan(), &result)
    }

    /// Rounds what lies between 1 and 4 times a power of two: one of the highest two bits is set.
    fn rounded_pair(&mut self, format: Format, sign: Bit, exponent: &[Bit], significand: &[Bit]) -> Word {
        let top = *significand.last().expect("it has bits");
        let mut low = vec![FALSE];
        low.extend(&significand[..significand.len() - 1]);
        let significand = self.choice_word(top, significand, &low);
        let exponent = self.sum(exponent, &constant(EXPONENT, 0), top).0;
        self.rounded(format, sign, &exponent, &significand)
    }

    pub(super) fn float_add(&mut self, format: Format, a: &[Bit], b: &[Bit]) -> Word {
        let last = a.len() - 1;
        let is_swapped = self.unsigned_less(&a[..last], &b[..last]);
        let (large, small) = (self.choice_word(is_swapped, b, a), self.choice_word(is_swapped, a, b));
        let (x, y) = (self.parts(format, &large), self.parts(format, &small));
        let widened = |significand: &[Bit]| [constant(3, 0), significand.to_vec(), vec![FALSE]].concat();
        let distance = self.subtract(&x.exponent, &y.exponent);
        let aligned = self.shift_down_sticky(&widened(&y.significand), &distance[..EXPONENT - 1]);
        let aligned = self.masked(&aligned, !y.is_zero);
        let differ = self.xor(x.sign, y.sign);
        let addend: Word = aligned.iter().map(|&bit| self.xor(bit, differ)).collect();
        let sum = self.sum(&widened(&x.significand), &addend, differ).0;
        let is_nothing = !self.any(sum.clone());
        let (significand, shift) = self.normalized(&sum);
        let raised = self.add(&x.exponent, &constant(EXPONENT, 1));
        let exponent = self.subtract(&raised, &extended(&shift, EXPONENT, FALSE));
        let rounded = self.rounded(format, x.sign, &exponent, &significand);
        let sign_of_nothing = self.and(x.sign, y.sign);
        let result = self.choice_word(is_nothing, &format.zero(sign_of_nothing), &rounded);
        let is_unchanged = self.and(y.is_zero, !x.is_zero);
        let result = self.choice_word(is_unchanged, &large, &result);
        let result = self.choice_word(x.is_infinite, &format.infinity(x.sign), &result);
        let opposite = self.and(x.is_infinite, y.is_infinite);
        let undefined = self.and(opposite, differ);
        let is_nan = self.any([x.is_nan, y.is_nan, undefined]);
        self.choice_word(is_nan, &format.nan(), &result)
    }
}
