//! What terms are made with. Each operator says which part of the Java Language Specification (JLS, edition 17), of the
//! Java Virtual Machine Specification (JVMS, edition 17) or of the documentation of `java.base` it means.

use crate::term::{InputId, Sort};

/// A text of a pool of terms, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextId(pub(crate) u32);

/// A regular expression of a pool of terms, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PatternId(pub(crate) u32);

/// An operator. The operands are named in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Something that a solver may choose. No operands.
    Input(InputId, Sort),
    /// A truth value. No operands.
    Bool(bool),
    /// A bit-vector. No operands.
    Bits {
        /// 1 to 64.
        width: u8,
        /// The value; the bits above the width are 0.
        bits: u64,
    },
    /// A `float` by its bits; NaN has those of `Float.NaN`. No operands.
    Float(u32),
    /// A `double` by its bits; NaN has those of `Double.NaN`. No operands.
    Double(u64),
    /// A constant text. No operands.
    Text(TextId),

    /// Negation of a truth value (JLS 15.15.6).
    Not,
    /// Conjunction (JLS 15.22.2).
    And,
    /// Disjunction (JLS 15.22.2).
    Or,
    /// Condition, then, else; of any sort (JLS 15.25).
    IfThenElse,
    /// Whether two values of any one sort are the same datum: `==` of integers and booleans (JLS 15.21),
    /// `String.equals`, `Float.equals` and `Double.equals`. Numeric equality is [`Operator::FloatEqual`].
    Equal,

    /// `iadd`, `ladd` (JVMS 6.5, JLS 15.18.2).
    Add,
    /// `isub`, `lsub`.
    Subtract,
    /// `imul`, `lmul` (JLS 15.17.1).
    Multiply,
    /// `idiv`, `ldiv` (JLS 15.17.2): rounds to 0, the minimum by -1 is itself. A division by 0 is a branch of its own
    /// for Java; its value here is that of SMT-LIB: 1 below 0, otherwise -1.
    Divide,
    /// `irem`, `lrem` (JLS 15.17.3): the sign is that of the dividend. By 0 it is the dividend, as in SMT-LIB.
    Remainder,
    /// `ineg`, `lneg` (JLS 15.15.4).
    Negate,
    /// `iand`, `land` (JLS 15.22.1).
    BitAnd,
    /// `ior`, `lor` (JLS 15.22.1).
    BitOr,
    /// `ixor`, `lxor` (JLS 15.22.1).
    BitXor,
    /// `ishl`, `lshl` (JLS 15.19): value, distance of any width. The low 5 bits of the distance count for 32 bits, the
    /// low 6 for 64; for other widths the fewest that reach every bit.
    ShiftLeft,
    /// `ishr`, `lshr` (JLS 15.19), with sign.
    ShiftRight,
    /// `iushr`, `lushr` (JLS 15.19), without sign.
    UnsignedShiftRight,
    /// `<` (JLS 15.20.1).
    SignedLess,
    /// `<=` (JLS 15.20.1).
    SignedLessEqual,
    /// `Integer.compareUnsigned(a, b) < 0`.
    UnsignedLess,
    /// `Integer.compareUnsigned(a, b) <= 0`.
    UnsignedLessEqual,
    /// To more bits, with sign: `i2l` (JVMS 6.5, JLS 5.1.2).
    SignExtend(u8),
    /// To more bits, without sign: a `char` becoming an `int` (JLS 5.1.2).
    ZeroExtend(u8),
    /// To the low bits: `l2i` and the first half of `i2b`, `i2s`, `i2c` (JLS 5.1.3).
    Truncate(u8),

    /// `fadd`, `dadd` (JVMS 2.8, JLS 15.18.2); this and the following take floats or doubles.
    FloatAdd,
    /// `fsub`, `dsub`.
    FloatSubtract,
    /// `fmul`, `dmul` (JLS 15.17.1).
    FloatMultiply,
    /// `fdiv`, `ddiv` (JLS 15.17.2).
    FloatDivide,
    /// `frem`, `drem` (JVMS 6.5, JLS 15.17.3): C's `fmod`, not the IEEE remainder.
    FloatRemainder,
    /// `fneg`, `dneg` (JLS 15.15.4).
    FloatNegate,
    /// `<` (JLS 15.20.1): false of NaN.
    FloatLess,
    /// `<=` (JLS 15.20.1): false of NaN.
    FloatLessEqual,
    /// `==` (JLS 15.21.1): 0.0 equals -0.0, NaN equals nothing.
    FloatEqual,
    /// `Float.isNaN`, `Double.isNaN`.
    IsNan,
    /// `i2f`, `l2f`: to nearest, ties to even (JLS 5.1.2).
    SignedToFloat,
    /// `i2d`, `l2d`: to nearest, ties to even (JLS 5.1.2).
    SignedToDouble,
    /// `f2i`, `f2l`, `d2i`, `d2l` (JLS 5.1.3): to 0, saturating, NaN to 0.
    FloatToSigned(u8),
    /// `f2d` (JLS 5.1.2): exact.
    FloatToDouble,
    /// `d2f` (JLS 5.1.3): to nearest, ties to even.
    DoubleToFloat,
    /// `Float.floatToIntBits`, `Double.doubleToLongBits`. The raw conversions agree but for NaN, of which there is one.
    ToRawBits,
    /// `Float.intBitsToFloat` of 32 bits, `Double.longBitsToDouble` of 64.
    FromRawBits,

    /// `String.length`: 32 bits.
    Length,
    /// `String.charAt`: text, index of 32 bits; 16 bits. An index outside is a branch of its own for Java; here it
    /// gives 0.
    CharAt,
    /// `String.concat`.
    Concat,
    /// `String.substring`: text, begin, end. Indices outside are a branch of their own for Java; here they are moved to
    /// the nearest that are not.
    Substring,
    /// `String.equalsIgnoreCase`.
    EqualsIgnoreCase,
    /// `String.startsWith`: text, prefix, offset.
    StartsWith,
    /// `String.endsWith`: text, suffix.
    EndsWith,
    /// `String.contains`: text, part.
    Contains,
    /// `String.indexOf(int, int)`: text, code point of 32 bits, from.
    IndexOfCharacter,
    /// `String.lastIndexOf(int, int)`: text, code point of 32 bits, from.
    LastIndexOfCharacter,
    /// `String.indexOf(String, int)`: text, part, from.
    IndexOf,
    /// `String.lastIndexOf(String, int)`: text, part, from.
    LastIndexOf,
    /// `String.compareTo`: 32 bits.
    CompareTo,
    /// `String.toLowerCase(Locale.ROOT)`; beyond Latin-1 by the Unicode tables of Rust's library.
    ToLowerCase,
    /// `String.toUpperCase(Locale.ROOT)`; beyond Latin-1 by the Unicode tables of Rust's library.
    ToUpperCase,
    /// `String.trim`.
    Trim,
    /// `String.strip`.
    Strip,
    /// `String.isBlank`.
    IsBlank,
    /// `String.replace(char, char)`: text, old and new of 16 bits.
    ReplaceCharacter,
    /// `String.hashCode`: 32 bits.
    HashCode,
    /// `String.matches`.
    Matches(PatternId),
    /// Whether `Integer.parseInt` (32) or `Long.parseLong` (64) returns.
    IsInteger(u8),
    /// What it returns; 0 where it throws.
    ParseInteger(u8),
    /// Whether `Double.parseDouble` returns.
    IsDouble,
    /// What it returns; 0.0 where it throws.
    ParseDouble,
    /// `String.valueOf(int)`, `String.valueOf(long)`.
    SignedToText,
    /// `String.valueOf(char)`, of 16 bits.
    CharacterToText,
    /// `String.valueOf(boolean)`.
    BoolToText,
}

impl Operator {
    /// The sort of a term, given those of its operands; `None` if they do not fit.
    pub(crate) fn sort(self, operands: &[Sort]) -> Option<Sort> {
        let bits = |width: u8| Sort::Bits(width);
        // tidy: those on texts have a function of their own
        match self {
            Self::Input(_, sort) => operands.is_empty().then_some(sort),
            Self::Bool(_) => operands.is_empty().then_some(Sort::Bool),
            Self::Bits { width, .. } => operands.is_empty().then_some(bits(width)),
            Self::Float(_) => operands.is_empty().then_some(Sort::Float),
            Self::Double(_) => operands.is_empty().then_some(Sort::Double),
            Self::Text(_) => operands.is_empty().then_some(Sort::Text),
            Self::Not => fits(operands, &[Sort::Bool], Sort::Bool),
            Self::And | Self::Or => fits(operands, &[Sort::Bool; 2], Sort::Bool),
            Self::IfThenElse => match operands {
                [Sort::Bool, then, other] if then == other => Some(*then),
                _ => None,
            },
            Self::Equal => matches!(operands, [one, other] if one == other).then_some(Sort::Bool),
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Remainder => {
                same_bits(operands)
            }
            Self::BitAnd | Self::BitOr | Self::BitXor => same_bits(operands),
            Self::Negate => matches!(operands, [Sort::Bits(_)]).then(|| operands[0]),
            Self::ShiftLeft | Self::ShiftRight | Self::UnsignedShiftRight => {
                matches!(operands, [Sort::Bits(_), Sort::Bits(_)]).then(|| operands[0])
            }
            Self::SignedLess | Self::SignedLessEqual | Self::UnsignedLess | Self::UnsignedLessEqual => {
                same_bits(operands).map(|_| Sort::Bool)
            }
            Self::SignExtend(to) | Self::ZeroExtend(to) => {
                matches!(operands, [Sort::Bits(from)] if *from <= to && to <= 64).then_some(bits(to))
            }
            Self::Truncate(to) => {
                matches!(operands, [Sort::Bits(from)] if to <= *from && to > 0).then_some(bits(to))
            }
            Self::FloatAdd | Self::FloatSubtract | Self::FloatMultiply => same_float(operands),
            Self::FloatDivide | Self::FloatRemainder => same_float(operands),
            Self::FloatNegate => matches!(operands, [Sort::Float | Sort::Double]).then(|| operands[0]),
            Self::FloatLess | Self::FloatLessEqual | Self::FloatEqual => {
                same_float(operands).map(|_| Sort::Bool)
            }
            Self::IsNan => matches!(operands, [Sort::Float | Sort::Double]).then_some(Sort::Bool),
            Self::SignedToFloat => matches!(operands, [Sort::Bits(_)]).then_some(Sort::Float),
            Self::SignedToDouble => matches!(operands, [Sort::Bits(_)]).then_some(Sort::Double),
            Self::FloatToSigned(width) => {
                matches!(operands, [Sort::Float | Sort::Double]).then_some(bits(width))
            }
            Self::FloatToDouble => fits(operands, &[Sort::Float], Sort::Double),
            Self::DoubleToFloat => fits(operands, &[Sort::Double], Sort::Float),
            Self::ToRawBits => match operands {
                [Sort::Float] => Some(bits(32)),
                [Sort::Double] => Some(bits(64)),
                _ => None,
            },
            Self::FromRawBits => match operands {
                [Sort::Bits(32)] => Some(Sort::Float),
                [Sort::Bits(64)] => Some(Sort::Double),
                _ => None,
            },
            text => text.sort_of_text(operands),
        }
    }

    /// [`Operator::sort`] of the operators on texts.
    fn sort_of_text(self, operands: &[Sort]) -> Option<Sort> {
        const TEXT: Sort = Sort::Text;
        const INT: Sort = Sort::Bits(32);
        const CHAR: Sort = Sort::Bits(16);
        // tidy: all others are numbers, and their caller's
        let (wanted, result): (&[Sort], Sort) = match self {
            Self::Length | Self::HashCode => (&[TEXT], INT),
            Self::CharAt => (&[TEXT, INT], CHAR),
            Self::Concat => (&[TEXT, TEXT], TEXT),
            Self::Substring => (&[TEXT, INT, INT], TEXT),
            Self::EqualsIgnoreCase | Self::EndsWith | Self::Contains => (&[TEXT, TEXT], Sort::Bool),
            Self::StartsWith => (&[TEXT, TEXT, INT], Sort::Bool),
            Self::IndexOfCharacter | Self::LastIndexOfCharacter => (&[TEXT, INT, INT], INT),
            Self::IndexOf | Self::LastIndexOf => (&[TEXT, TEXT, INT], INT),
            Self::CompareTo => (&[TEXT, TEXT], INT),
            Self::ToLowerCase | Self::ToUpperCase | Self::Trim | Self::Strip => (&[TEXT], TEXT),
            Self::IsBlank | Self::Matches(_) | Self::IsInteger(_) | Self::IsDouble => (&[TEXT], Sort::Bool),
            Self::ReplaceCharacter => (&[TEXT, CHAR, CHAR], TEXT),
            Self::ParseInteger(width) => return fits(operands, &[TEXT], Sort::Bits(width)),
            Self::ParseDouble => (&[TEXT], Sort::Double),
            Self::SignedToText => return matches!(operands, [Sort::Bits(_)]).then_some(TEXT),
            Self::CharacterToText => (&[CHAR], TEXT),
            Self::BoolToText => (&[Sort::Bool], TEXT),
            _ => return None,
        };
        fits(operands, wanted, result)
    }

    /// Whether the operands may be exchanged.
    pub(crate) fn is_commutative(self) -> bool {
        matches!(
            self,
            Self::And
                | Self::Or
                | Self::Equal
                | Self::Add
                | Self::Multiply
                | Self::BitAnd
                | Self::BitOr
                | Self::BitXor
                | Self::FloatAdd
                | Self::FloatMultiply
                | Self::FloatEqual
                | Self::EqualsIgnoreCase
        )
    }

    /// Whether it is a constant.
    pub(crate) fn is_constant(self) -> bool {
        matches!(self, Self::Bool(_) | Self::Bits { .. } | Self::Float(_) | Self::Double(_) | Self::Text(_))
    }
}

fn fits(operands: &[Sort], wanted: &[Sort], result: Sort) -> Option<Sort> {
    (operands == wanted).then_some(result)
}

fn same_bits(operands: &[Sort]) -> Option<Sort> {
    matches!(operands, [Sort::Bits(one), Sort::Bits(other)] if one == other).then(|| operands[0])
}

fn same_float(operands: &[Sort]) -> Option<Sort> {
    matches!(operands, [Sort::Float, Sort::Float] | [Sort::Double, Sort::Double]).then(|| operands[0])
}
