//! Random terms of all operators, on which constructors, evaluation and solvers are compared.

use std::sync::Arc;

use testcase::random::Random;

use crate::term::{InputId, Model, Operator, Sort, TermId, Terms, Value};

const OF_BITS: [Operator; 13] = [
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Divide,
    Operator::Remainder,
    Operator::Negate,
    Operator::BitAnd,
    Operator::BitOr,
    Operator::BitXor,
    Operator::ShiftLeft,
    Operator::ShiftRight,
    Operator::UnsignedShiftRight,
    Operator::IfThenElse,
];

const OF_TRUTH: [Operator; 9] = [
    Operator::Not,
    Operator::And,
    Operator::Or,
    Operator::Equal,
    Operator::SignedLess,
    Operator::SignedLessEqual,
    Operator::UnsignedLess,
    Operator::UnsignedLessEqual,
    Operator::IfThenElse,
];

const OF_FLOAT: [Operator; 8] = [
    Operator::FloatAdd,
    Operator::FloatSubtract,
    Operator::FloatMultiply,
    Operator::FloatDivide,
    Operator::FloatRemainder,
    Operator::FloatNegate,
    Operator::IfThenElse,
    Operator::FromRawBits,
];

const OF_COMPARED_FLOATS: [Operator; 5] =
    [Operator::FloatLess, Operator::FloatLessEqual, Operator::FloatEqual, Operator::IsNan, Operator::Equal];

const OF_TEXT: [Operator; 10] = [
    Operator::Concat,
    Operator::Substring,
    Operator::ToLowerCase,
    Operator::ToUpperCase,
    Operator::Trim,
    Operator::Strip,
    Operator::ReplaceCharacter,
    Operator::CharacterToText,
    Operator::SignedToText,
    Operator::IfThenElse,
];

const OF_ASKED_TEXTS: [Operator; 9] = [
    Operator::Equal,
    Operator::EqualsIgnoreCase,
    Operator::StartsWith,
    Operator::EndsWith,
    Operator::Contains,
    Operator::IsBlank,
    Operator::IsInteger(32),
    Operator::IsInteger(64),
    Operator::IsDouble,
];

const OF_MEASURED_TEXTS: [Operator; 9] = [
    Operator::Length,
    Operator::IndexOfCharacter,
    Operator::LastIndexOfCharacter,
    Operator::IndexOf,
    Operator::LastIndexOf,
    Operator::CompareTo,
    Operator::HashCode,
    Operator::ParseInteger(32),
    Operator::CharAt,
];

/// What random terms are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Theme {
    /// Bit-vectors of a width.
    Bits(u8),
    /// Comparisons and conversions of floats.
    Conversions,
    /// Floats with arithmetic.
    Floats,
    /// Texts.
    Texts,
}

/// Random terms, each as the constructors make it and as it was asked for.
pub(crate) struct Generator {
    pub(crate) terms: Terms,
    /// Asked for and made, with the sort.
    made: Vec<(TermId, TermId, Sort)>,
    random: Random,
    theme: Theme,
    inputs: Vec<(InputId, Sort)>,
}

impl Generator {
    pub(crate) fn new(theme: Theme, seed: u64) -> Self {
        let mut generator = Self {
            terms: Terms::new(),
            made: Vec::new(),
            random: Random::new(seed, 0),
            theme,
            inputs: Vec::new(),
        };
        let sorts: &[Sort] = match theme {
            Theme::Bits(width) => &[Sort::Bits(width), Sort::Bits(width), Sort::Bool],
            Theme::Conversions | Theme::Floats => &[
                Sort::Float,
                Sort::Double,
                Sort::Float,
                Sort::Double,
                Sort::Bits(32),
                Sort::Bits(64),
                Sort::Bool,
            ],
            Theme::Texts => &[Sort::Text, Sort::Text, Sort::Bits(32), Sort::Bits(16), Sort::Bool],
        };
        for (number, &sort) in sorts.iter().enumerate() {
            let input = InputId(number as u32);
            let term = generator.terms.input(input, sort);
            generator.inputs.push((input, sort));
            generator.made.push((term, term, sort));
            let value = generator.value(sort);
            let term = generator.terms.constant(&value);
            generator.made.push((term, term, sort));
        }
        generator
    }

    /// A value of which the interesting ones are likely.
    pub(crate) fn value(&mut self, sort: Sort) -> Value {
        const DOUBLES: [f64; 12] = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            5e-324,
            f64::MAX,
            2_147_483_648.0,
            9.223_372_036_854_775e18,
        ];
        let bits = self.random.bits();
        let choice = self.random.below(6);
        match sort {
            Sort::Bool => Value::Bool(bits & 1 == 1),
            Sort::Bits(width) => match choice {
                0 => Value::bits(width, bits),
                1 => Value::bits(width, 1 << (width - 1)),
                2 => Value::bits(width, u64::MAX),
                _ => Value::bits(width, (bits % 40).wrapping_sub(8)),
            },
            Sort::Float => match choice {
                0 => Value::Float(f32::from_bits(bits as u32)),
                1 => Value::Float((bits % 1000) as f32 / 8.0),
                _ => Value::Float(DOUBLES[self.random.below(DOUBLES.len())] as f32),
            },
            Sort::Double => match choice {
                0 => Value::Double(f64::from_bits(bits)),
                1 => Value::Double((bits % 1000) as f64 / 8.0),
                _ => Value::Double(DOUBLES[self.random.below(DOUBLES.len())]),
            },
            Sort::Text => {
                let units: Vec<u16> = "aAbB 1-2+".encode_utf16().collect();
                let length = self.random.below(4);
                Value::Text((0..length).map(|_| units[self.random.below(units.len())]).collect())
            }
        }
    }

    pub(crate) fn model(&mut self) -> Model {
        let inputs = self.inputs.clone();
        inputs.into_iter().map(|(input, sort)| (input, self.value(sort))).collect()
    }

    fn operator(&mut self) -> Operator {
        let random = &mut self.random;
        let mut pick = |operators: &[Operator]| operators[random.below(operators.len())];
        let conversions = [
            Operator::SignedToFloat,
            Operator::SignedToDouble,
            Operator::FloatToSigned(32),
            Operator::FloatToSigned(64),
            Operator::FloatToDouble,
            Operator::DoubleToFloat,
            Operator::ToRawBits,
            Operator::FromRawBits,
            Operator::FloatNegate,
        ];
        let sizes = [
            Operator::SignExtend(64),
            Operator::ZeroExtend(64),
            Operator::Truncate(8),
            Operator::SignExtend(32),
            Operator::ZeroExtend(32),
        ];
        let group: [&[Operator]; 4] = match self.theme {
            Theme::Bits(_) => [&OF_BITS, &OF_BITS, &OF_TRUTH, &sizes],
            Theme::Conversions => [&conversions, &OF_COMPARED_FLOATS, &conversions, &OF_TRUTH],
            Theme::Floats => [&OF_FLOAT, &OF_FLOAT, &OF_COMPARED_FLOATS, &conversions],
            Theme::Texts => [&OF_TEXT, &OF_ASKED_TEXTS, &OF_MEASURED_TEXTS, &OF_TRUTH],
        };
        let group = group[pick_group(&mut pick)];
        group[self.random.below(group.len())]
    }

    /// Adds a term; none if the operands drawn do not fit. Gives the one asked for and the one made.
    pub(crate) fn step(&mut self) -> Option<(TermId, TermId)> {
        let operator = self.operator();
        let drawn: Vec<(TermId, TermId, Sort)> =
            (0..3).map(|_| self.made[self.random.below(self.made.len())]).collect();
        for count in 1..=3 {
            let sorts: Vec<Sort> = drawn[..count].iter().map(|term| term.2).collect();
            if let Some(sort) = operator.sort(&sorts) {
                let asked: Vec<TermId> = drawn[..count].iter().map(|term| term.0).collect();
                let simple: Vec<TermId> = drawn[..count].iter().map(|term| term.1).collect();
                let asked = self.terms.intern(operator, &asked);
                let simple = self.terms.apply(operator, &simple);
                self.made.push((asked, simple, sort));
                return Some((asked, simple));
            }
        }
        None
    }
}

fn pick_group(pick: &mut impl FnMut(&[Operator]) -> Operator) -> usize {
    let four = [Operator::Bool(false), Operator::Bool(true), Operator::Not, Operator::And];
    let picked = pick(&four);
    four.iter().position(|&operator| operator == picked).unwrap_or(0)
}

#[test]
fn identities_keep_the_value() {
    let themes = [
        Theme::Bits(8),
        Theme::Bits(32),
        Theme::Bits(64),
        Theme::Bits(1),
        Theme::Conversions,
        Theme::Floats,
        Theme::Texts,
    ];
    for theme in themes {
        for seed in 0..60 {
            let mut generator = Generator::new(theme, seed);
            let pairs: Vec<(TermId, TermId)> = (0..120).filter_map(|_| generator.step()).collect();
            let models: Vec<Model> = (0..6).map(|_| generator.model()).collect();
            for model in &models {
                for &(asked, made) in &pairs {
                    let terms = &generator.terms;
                    assert_eq!(
                        terms.value(asked, model),
                        terms.value(made, model),
                        "{theme:?} {seed} {:?} {model:?}",
                        terms.operator(asked)
                    );
                }
            }
        }
    }
}

#[test]
fn float_operators_are_those_of_the_processor() {
    let mut generator = Generator::new(Theme::Floats, 5);
    for _ in 0..2000 {
        let (a, b) = (generator.value(Sort::Double), generator.value(Sort::Double));
        let (Value::Double(x), Value::Double(y)) = (&a, &b) else { panic!("they are doubles") };
        let terms = &mut generator.terms;
        let (left, right) = (terms.constant(&a), terms.constant(&b));
        let mut of = |operator: Operator, operands: &[TermId]| {
            let term = terms.apply(operator, operands);
            terms.constant_value(term).expect("constants are folded")
        };
        assert_eq!(of(Operator::FloatAdd, &[left, right]), Value::Double(x + y));
        assert_eq!(of(Operator::FloatRemainder, &[left, right]), Value::Double(x % y));
        assert_eq!(of(Operator::DoubleToFloat, &[left]), Value::Float(*x as f32));
        assert_eq!(of(Operator::FloatToSigned(32), &[left]), Value::int(*x as i32));
        assert_eq!(of(Operator::FloatToSigned(64), &[right]), Value::long(*y as i64));
    }
}

#[test]
fn a_million_operators_are_evaluated_without_recursion() {
    let mut terms = Terms::new();
    let input = terms.input(InputId(0), Sort::Bits(32));
    let model: Model = [(InputId(0), Value::int(3))].into_iter().collect();
    let (mut term, mut value) = (input, 3_i32);
    for number in 0..500_000 {
        let constant = terms.int(number);
        term = terms.apply(Operator::Multiply, &[term, input]);
        term = terms.apply(Operator::BitXor, &[term, constant]);
        value = value.wrapping_mul(3) ^ number;
    }
    assert!(terms.size(term) > 1_000_000);
    assert_eq!(terms.value(term, &model), Value::int(value));
}

#[test]
fn comparisons_of_the_jvm_become_comparisons() {
    let mut terms = Terms::new();
    let (a, b) = (terms.input(InputId(0), Sort::Bits(64)), terms.input(InputId(1), Sort::Bits(64)));
    let less = terms.apply(Operator::SignedLess, &[a, b]);
    let equal = terms.equal(a, b);
    let (minus, zero, one) = (terms.int(-1), terms.int(0), terms.int(1));
    let rest = terms.if_then_else(equal, zero, one);
    let compared = terms.if_then_else(less, minus, rest);
    let is_less = terms.apply(Operator::SignedLess, &[compared, zero]);
    assert_eq!(is_less, less);
}

#[test]
fn equal_values_have_equal_terms() {
    let mut terms = Terms::new();
    let nan = terms.double(f64::NAN);
    let other = terms.constant(&Value::Double(f64::from_bits(0xfff8_0000_0000_0001)));
    assert_eq!(nan, other);
    assert_ne!(terms.double(0.0), terms.double(-0.0));
    let text = terms.text("ab");
    assert_eq!(terms.constant(&Value::Text(Arc::new([97, 98]))), text);
}
