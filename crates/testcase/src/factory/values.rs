//! Random values and their mutation.
//!
//! Numbers are gaussian or from a pool, and are shifted by gaussian steps; strings change as Fraser et al. (2015,
//! §3.3) define: each of deleting, changing and inserting with probability 1/3.
//!
//! # Differences
//! A mutation always changes the value. By default characters that the class under test mentions are preferred, and
//! numbers take the extremes now and then; the options say how often.

use bytecode::descriptor::PrimitiveType;

use super::options::FactoryOptions;
use crate::constant_pools::{ConstantPools, PoolKind};
use crate::random::Random;
use crate::value::{JavaString, Value};

/// Largest step by which a size changes.
const LARGEST_SIZE_STEP: usize = 3;

/// Longest array that a constant of the code asks for: longer ones are seldom meant as lengths, and take time.
const LONGEST_ARRAY: u16 = 256;

/// Largest number of decimals to which random floating-point numbers are rounded.
const DECIMALS: usize = 8;

/// Part of the constants of the code that comes from the project's own tests, where there are such: people put there what the code is
/// about, and what they put there for other classes is among it.
const OWN_TESTS: f64 = 0.25;

/// Makes and changes values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values<'a> {
    pub(super) options: &'a FactoryOptions,
    pub(super) pools: &'a ConstantPools,
}

impl Values<'_> {
    /// A value of a primitive type, or a string (`None`).
    pub(super) fn draw(self, primitive: Option<PrimitiveType>, random: &mut Random) -> Value {
        if primitive == Some(PrimitiveType::Boolean) {
            return Value::Boolean(random.chance(0.5));
        }
        if primitive.is_none()
            && self.keeps_to_formats(random)
            && let Some(text) = self.pools.draw_text(random)
        {
            return Value::String(text);
        }
        if let Some(kind) = self.pool(primitive, random)
            && let Some(value) = self.pools.draw(kind, primitive, random)
        {
            return value;
        }
        match primitive {
            Some(PrimitiveType::Char) => Value::Char(self.character(random)),
            Some(primitive) if random.chance(self.options.extreme) => extreme(primitive, random),
            Some(PrimitiveType::Float) => Value::Float(self.floating(random) as f32),
            Some(PrimitiveType::Double) => Value::Double(self.floating(random)),
            Some(primitive) => Value::from_integer(primitive, self.gaussian(random).round() as i64),
            None => {
                let length = random.below(self.options.string_length + 1);
                let units: Vec<u16> = (0..length).map(|_| self.character(random)).collect();
                Value::String(JavaString::new(units))
            }
        }
    }

    /// Whether a text is drawn, or changed, in a format that the code has texts read in.
    fn keeps_to_formats(self, random: &mut Random) -> bool {
        self.options.format_texts > 0.0
            && self.pools.has_formats()
            && random.chance(self.options.format_texts)
    }

    /// The pool that a value comes from, if from one.
    fn pool(self, primitive: Option<PrimitiveType>, random: &mut Random) -> Option<PoolKind> {
        let FactoryOptions { static_pool, project_pool, dynamic_pool, .. } = *self.options;
        let any = static_pool + dynamic_pool;
        if !random.chance(any) {
            return None;
        }
        Some(if random.chance(dynamic_pool / any) {
            PoolKind::Dynamic
        } else if self.is_of_construction(primitive, random) {
            PoolKind::Construction
        } else if self.pools.has_own_tests(primitive) && random.chance(OWN_TESTS) {
            PoolKind::OwnTests
        } else if random.chance(1.0 - project_pool) {
            PoolKind::ClassUnderTest
        } else {
            PoolKind::Project
        })
    }

    /// The length of a new array of a primitive type: drawn from the short ones, or a constant of the code.
    pub(super) fn length(self, random: &mut Random) -> u16 {
        self.constant_length(random).unwrap_or_else(|| self.short_length(random))
    }

    /// The length of a new array, drawn from the short ones.
    pub(super) fn short_length(self, random: &mut Random) -> u16 {
        let bound = self.options.max_array + 1;
        let mut length = random.below(bound);
        if self.options.short_arrays {
            length = length.min(random.below(bound));
        }
        length as u16
    }

    /// A constant of the code that an array may be as long as, as often as the options say.
    pub(super) fn constant_length(self, random: &mut Random) -> Option<u16> {
        let FactoryOptions { constant_lengths, project_pool, .. } = *self.options;
        if constant_lengths <= 0.0 || !random.chance(constant_lengths) {
            return None;
        }
        let kind = if random.chance(project_pool) { PoolKind::Project } else { PoolKind::ClassUnderTest };
        let constant = self.pools.draw(kind, Some(PrimitiveType::Int), random)?.as_integer()?;
        u16::try_from(constant).ok().filter(|length| *length <= LONGEST_ARRAY)
    }

    /// A small size.
    pub(super) fn size(self, primitive: PrimitiveType, random: &mut Random) -> Value {
        Value::from_integer(primitive, random.below(self.options.max_array + 1) as i64)
    }

    /// Another value of a number that something is made as large as: replaced by what it was compared with, as others are,
    /// else small or a little larger or smaller.
    pub(super) fn mutate_size(self, value: &Value, random: &mut Random) -> Value {
        let (Some(number), Some(primitive)) = (value.as_integer(), value.primitive_type()) else {
            return self.mutate(value, random);
        };
        if !random.chance(self.options.small_sizes) {
            return self.mutate(value, random);
        }
        if random.chance(self.options.replace)
            && let Some(replaced) = self.replaced(value, random)
            && replaced != *value
        {
            return replaced;
        }
        let step = 1 + random.below(LARGEST_SIZE_STEP) as i64;
        let moved = if random.chance(self.options.redraw) {
            self.size(primitive, random)
        } else {
            let step = if random.chance(0.5) { step } else { -step };
            Value::from_integer(primitive, number.wrapping_add(step))
        };
        if moved == *value { Value::from_integer(primitive, number.wrapping_add(1)) } else { moved }
    }

    fn floating(self, random: &mut Random) -> f64 {
        let number = self.gaussian(random);
        rounded(number, random.below(DECIMALS))
    }

    fn gaussian(self, random: &mut Random) -> f64 {
        let small = random.chance(self.options.small);
        random.gaussian() * if small { self.options.small_int } else { self.options.max_int }
    }

    pub(super) fn character(self, random: &mut Random) -> u16 {
        if random.chance(self.options.mentioned_characters)
            && let Some(Value::Char(unit)) = self.mentioned_character(random)
            && (0x09..0x7F).contains(&unit)
        {
            return unit;
        }
        if random.chance(self.options.exotic_characters) {
            random.bits() as u16
        } else {
            0x20 + random.below(0x5F) as u16
        }
    }

    /// A character that the code mentions, or what must be passed on the way to an object.
    fn mentioned_character(self, random: &mut Random) -> Option<Value> {
        let character = Some(PrimitiveType::Char);
        let is_on_the_way = self.is_of_construction(character, random);
        let kind = if is_on_the_way { PoolKind::Construction } else { PoolKind::ClassUnderTest };
        self.pools.draw(kind, character, random)
    }

    /// Whether a constant comes from what must be passed on the way to an object, where there is one.
    fn is_of_construction(self, primitive: Option<PrimitiveType>, random: &mut Random) -> bool {
        self.options.construction_pool > 0.0
            && self.pools.has_construction(primitive)
            && random.chance(self.options.construction_pool)
    }

    /// Another value of the same type.
    pub(super) fn mutate(self, value: &Value, random: &mut Random) -> Value {
        if random.chance(self.options.replace)
            && let Some(replaced) = self.replaced(value, random)
            && replaced != *value
        {
            return replaced;
        }
        if let Value::String(text) = value
            && self.keeps_to_formats(random)
            && let Some(changed) = self.pools.change_text(text, random)
            && changed != *text
        {
            return Value::String(changed);
        }
        if random.chance(self.options.redraw) {
            let drawn = self.draw(value.primitive_type(), random);
            if drawn != *value {
                return drawn;
            }
        }
        match value {
            Value::Boolean(value) => Value::Boolean(!value),
            Value::Float(number) => Value::Float(self.shifted_float(*number, random)),
            Value::Double(number) => Value::Double(self.shifted_double(*number, random)),
            Value::String(text) => Value::String(self.changed_text(text, random)),
            whole @ (Value::Byte(_) | Value::Short(_) | Value::Char(_) | Value::Int(_) | Value::Long(_)) => {
                let (Some(number), Some(primitive)) = (whole.as_integer(), whole.primitive_type()) else {
                    return whole.clone();
                };
                let step = (random.gaussian() * self.options.max_delta).round() as i64;
                let step = if step == 0 { if random.chance(0.5) { 1 } else { -1 } } else { step };
                let shifted = Value::from_integer(primitive, number.wrapping_add(step));
                // A step may come back to the same value once it is cut to the type.
                if shifted == *whole {
                    Value::from_integer(primitive, number.wrapping_add(1))
                } else {
                    shifted
                }
            }
        }
    }

    /// One of three moves: a wide step, a narrow one, fewer decimals.
    fn shifted_double(self, number: f64, random: &mut Random) -> f64 {
        let moved = match random.below(3) {
            0 => number + random.gaussian() * self.options.max_delta,
            1 => number + random.gaussian(),
            _ => rounded(number, random.below(DECIMALS)),
        };
        if moved.to_bits() == number.to_bits() {
            return if number.is_finite() { next_double(number) } else { random.gaussian() };
        }
        moved
    }

    fn shifted_float(self, number: f32, random: &mut Random) -> f32 {
        let moved = self.shifted_double(f64::from(number), random) as f32;
        if moved.to_bits() != number.to_bits() {
            return moved;
        }
        if number.is_finite() { number + number.abs().max(1.0) * f32::EPSILON * 2.0 } else { 0.0 }
    }

    fn changed_text(self, text: &JavaString, random: &mut Random) -> JavaString {
        let mut units: Vec<u16> = text.units().to_vec();
        // Each round changes something with a probability above one half.
        for _ in 0..64 {
            if random.chance(1.0 / 3.0) && !units.is_empty() {
                let each = 1.0 / units.len() as f64;
                units.retain(|_| !random.chance(each));
            }
            if random.chance(1.0 / 3.0) && !units.is_empty() {
                let each = 1.0 / units.len() as f64;
                for unit in &mut units {
                    if random.chance(each) {
                        *unit = self.character(random);
                    }
                }
            }
            if random.chance(1.0 / 3.0) {
                let mut again = 0.5;
                while units.len() < self.options.max_string && random.chance(again) {
                    let character = self.character(random);
                    units.insert(random.below(units.len() + 1), character);
                    again *= 0.5;
                }
            }
            if units != text.units() {
                break;
            }
        }
        JavaString::new(units)
    }
}

/// The ends of a type's range, and what is no number.
fn extreme(primitive: PrimitiveType, random: &mut Random) -> Value {
    const DOUBLES: [f64; 8] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        f64::MAX,
        f64::MIN,
        // The smallest positive one, `Double.MIN_VALUE`.
        5e-324,
    ];
    const FLOATS: [f32; 8] =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, f32::MAX, f32::MIN, 1e-45];
    let lowest = random.chance(0.5);
    let end = |low: i64, high: i64| Value::from_integer(primitive, if lowest { low } else { high });
    match primitive {
        PrimitiveType::Boolean => Value::Boolean(lowest),
        PrimitiveType::Byte => end(i8::MIN.into(), i8::MAX.into()),
        PrimitiveType::Short => end(i16::MIN.into(), i16::MAX.into()),
        PrimitiveType::Char => end(0, u16::MAX.into()),
        PrimitiveType::Int => end(i32::MIN.into(), i32::MAX.into()),
        PrimitiveType::Long => end(i64::MIN, i64::MAX),
        PrimitiveType::Float => Value::Float(FLOATS[random.below(FLOATS.len())]),
        PrimitiveType::Double => Value::Double(DOUBLES[random.below(DOUBLES.len())]),
    }
}

fn rounded(number: f64, decimals: usize) -> f64 {
    let scale = 10_f64.powi(decimals as i32);
    let scaled = (number * scale).round() / scale;
    if scaled.is_finite() { scaled } else { number }
}

/// The next number away from zero in a step that a person would see.
fn next_double(number: f64) -> f64 {
    number + number.abs().max(1.0) * f64::EPSILON * 2.0
}

#[cfg(test)]
mod tests {
    use bytecode::probe_map::ProbeId;

    use super::*;
    use crate::cluster::StaticConstants;
    use crate::execution::ComparisonOperand;

    fn values() -> (FactoryOptions, ConstantPools) {
        let constants = StaticConstants {
            class_under_test: vec![
                Value::String("{key}".into()),
                Value::Int(4711),
                Value::Char(u16::from(b'{')),
            ],
            ..StaticConstants::default()
        };
        (FactoryOptions::default(), ConstantPools::new(&constants, &FactoryOptions::default()))
    }

    #[test]
    fn constants_of_tests_are_some_of_those_that_are_drawn() {
        let drawn = |own_tests: &[i32]| {
            let constants = StaticConstants {
                class_under_test: vec![Value::Int(4711)],
                own_tests: own_tests.iter().copied().map(Value::Int).collect(),
                ..StaticConstants::default()
            };
            let options = FactoryOptions::default();
            let pools = ConstantPools::new(&constants, &options);
            let (values, mut random) = (Values { options: &options, pools: &pools }, Random::new(5, 0));
            let all: Vec<Value> =
                (0..2000).map(|_| values.draw(Some(PrimitiveType::Int), &mut random)).collect();
            [4711, 1_234_567_891]
                .map(|number| all.iter().filter(|value| **value == Value::Int(number)).count())
        };
        let [of_code, of_tests] = drawn(&[1_234_567_891]);
        // The pool of the code has the common numbers as well.
        assert!(of_tests > 20 && of_code > 20, "{of_code} {of_tests}");
        assert_eq!(drawn(&[])[1], 0);
    }

    #[test]
    fn a_mutation_keeps_the_type_and_changes_the_value() {
        let (options, pools) = values();
        let values = Values { options: &options, pools: &pools };
        let mut random = Random::new(5, 0);
        let starts = [
            Value::Boolean(true),
            Value::Byte(127),
            Value::Short(-1),
            Value::Char(65),
            Value::Int(i32::MAX),
            Value::Long(i64::MIN),
            Value::Float(f32::NAN),
            Value::Float(1.5),
            Value::Double(f64::INFINITY),
            Value::Double(-0.0),
            Value::Double(1e300),
            Value::String("".into()),
            Value::String("text".into()),
        ];
        for start in starts {
            let mut value = start.clone();
            for _ in 0..500 {
                let next = values.mutate(&value, &mut random);
                assert_eq!(next.primitive_type(), start.primitive_type());
                assert_ne!(next, value);
                value = next;
            }
        }
    }

    #[test]
    fn constants_and_extremes_are_drawn() {
        let (options, pools) = values();
        let values = Values { options: &options, pools: &pools };
        let mut random = Random::new(1, 0);
        let mut seen = |primitive, wanted: &dyn Fn(&Value) -> bool| {
            (0..5000).any(|_| wanted(&values.draw(primitive, &mut random)))
        };
        assert!(seen(Some(PrimitiveType::Int), &|value| *value == Value::Int(4711)));
        assert!(seen(Some(PrimitiveType::Int), &|value| *value == Value::Int(i32::MIN)));
        assert!(seen(Some(PrimitiveType::Double), &|value| matches!(value, Value::Double(x) if x.is_nan())));
        assert!(seen(None, &|value| *value == Value::String("{key}".into())));
        assert!(seen(Some(PrimitiveType::Boolean), &|value| *value == Value::Boolean(true)));
    }

    #[test]
    fn constants_on_the_way_to_an_object_have_a_share() {
        let constants = StaticConstants {
            class_under_test: vec![Value::Int(4711)],
            construction: vec![Value::Int(589_824)],
            ..StaticConstants::default()
        };
        for (construction_pool, expect) in [(0.0, 0..1), (0.1, 400..600), (1.0, 4_800..5_200)] {
            let options = FactoryOptions { static_pool: 0.5, construction_pool, ..FactoryOptions::default() };
            let pools = ConstantPools::new(&constants, &options);
            let values = Values { options: &options, pools: &pools };
            let mut random = Random::new(7, 0);
            let drawn = (0..10_000).map(|_| values.draw(Some(PrimitiveType::Int), &mut random));
            let share = drawn.filter(|value| *value == Value::Int(589_824)).count();
            assert!(expect.contains(&share), "{construction_pool}: {share}");
        }
    }

    #[test]
    fn each_pool_has_its_own_rate() {
        let constants = StaticConstants {
            class_under_test: vec![Value::Int(4711)],
            project: vec![Value::Int(815)],
            ..StaticConstants::default()
        };
        let share = |static_pool, project_pool, dynamic_pool| {
            let options = FactoryOptions {
                static_pool,
                construction_pool: 0.0,
                project_pool,
                dynamic_pool,
                extreme: 0.0,
                ..FactoryOptions::default()
            };
            let mut pools = ConstantPools::new(&constants, &options);
            pools.observe(&[ComparisonOperand {
                probe: ProbeId(0),
                hit: ProbeId(0),
                value: Value::Int(1_000_003),
            }]);
            let values = Values { options: &options, pools: &pools };
            let mut random = Random::new(7, 0);
            let drawn: Vec<Value> =
                (0..10_000).map(|_| values.draw(Some(PrimitiveType::Int), &mut random)).collect();
            // Of the class under test there are 0, 1 and -1 as well.
            [4711, 815, 1_000_003]
                .map(|number| drawn.iter().filter(|value| **value == Value::Int(number)).count())
        };
        let [own, project, dynamic] = share(0.2, 0.0, 0.0);
        assert!((400..600).contains(&own) && project < 20 && dynamic == 0, "{own} {project} {dynamic}");
        let [own, project, dynamic] = share(0.0, 0.0, 0.3);
        assert!(own < 20 && project < 20 && (2800..3200).contains(&dynamic), "{own} {project} {dynamic}");
        let [own, project, dynamic] = share(0.4, 0.5, 0.6);
        assert!((400..600).contains(&own), "{own}");
        assert!((1800..2200).contains(&project) && (5800..6200).contains(&dynamic), "{project} {dynamic}");
        let [own, project, dynamic] = share(0.0, 0.5, 0.0);
        assert!(own < 20 && project < 20 && dynamic == 0, "{own} {project} {dynamic}");
    }

    #[test]
    fn characters_are_mostly_printable_and_prefer_those_that_the_code_mentions() {
        let (options, pools) = values();
        let values = Values { options: &options, pools: &pools };
        let mut random = Random::new(9, 0);
        let drawn: Vec<u16> = (0..4000).map(|_| values.character(&mut random)).collect();
        let printable = drawn.iter().filter(|unit| (0x20..0x7F).contains(*unit)).count();
        let braces = drawn.iter().filter(|unit| **unit == u16::from(b'{')).count();
        assert!(printable > 3800 && braces > 200, "{printable} {braces}");
    }

    #[test]
    fn strings_do_not_outgrow_their_limit() {
        let (mut options, pools) = values();
        options.max_string = 3;
        let values = Values { options: &options, pools: &pools };
        let mut random = Random::new(2, 0);
        let mut text = JavaString::from("abc");
        for _ in 0..200 {
            text = values.changed_text(&text, &mut random);
            assert!(text.len() <= 3);
        }
    }
}
