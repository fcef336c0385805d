//! Replacing what a test gives by what it was compared with.
//!
//! Aschermann, Schumilo, Blazytko, Gawlik and Holz 2019, "REDQUEEN: Fuzzing with Input-to-State Correspondence", §3.1:
//! values that are compared are often parts of the input as they are. Where a run compared `a` with `b` at a branch
//! that is open, and `a` is found in a value of the test, `b` (or a neighbour, for `<`) takes its place.
//!
//! # Differences
//! Encodings are those of Java source: a number may be the number itself, a character of a string in either case, the
//! decimal digits in a string, or its length. The place is drawn, not tried one after the other.

use std::ops::Range;

use super::values::Values;
use crate::random::Random;
use crate::value::{JavaString, Value};

/// Part of the strings in which a number is looked for first.
const NUMBERS: f64 = 0.5;

/// Longest string that is made by giving it another length.
const LONGEST: usize = 2000;

impl Values<'_> {
    /// The value with something in it replaced by what it was compared with; `None` where no comparison fits. The type
    /// stays.
    pub(super) fn replaced(self, value: &Value, random: &mut Random) -> Option<Value> {
        match value {
            Value::Boolean(_) | Value::Float(_) | Value::Double(_) => None,
            whole @ (Value::Byte(_) | Value::Short(_) | Value::Char(_) | Value::Int(_) | Value::Long(_)) => {
                let (number, primitive) = (whole.as_integer()?, whole.primitive_type()?);
                let (_, wanted) = self.pools.find_integers(random, |given, _| given == number)?;
                Some(Value::from_integer(primitive, near(wanted, random)))
            }
            Value::String(text) => {
                let number = if random.chance(NUMBERS) { self.other_number(text, random) } else { None };
                let replaced = number.or_else(|| match random.below(4) {
                    0 => self.other_part(text, random).or_else(|| self.other_character(text, random)),
                    1 => self.other_length(text, random).or_else(|| self.other_character(text, random)),
                    _ => self.other_character(text, random).or_else(|| self.other_part(text, random)),
                });
                replaced.map(Value::String)
            }
        }
    }

    /// A number in decimal digits that was compared gives way to what it was compared with, in as many digits where it had zeros in
    /// front, and now and then where it had not: code may cut a text at fixed places.
    fn other_number(self, text: &JavaString, random: &mut Random) -> Option<JavaString> {
        let numbers = numbers_in(text.units());
        if numbers.is_empty() {
            return None;
        }
        let is_at = |given: i64| numbers.iter().any(|(_, number)| *number == given);
        let (given, wanted) = self.pools.find_integers(random, |given, _| is_at(given))?;
        let places: Vec<&Range<usize>> =
            numbers.iter().filter(|(_, number)| *number == given).map(|(place, _)| place).collect();
        let place = (*random.choose(&places)?).clone();
        let units = text.units();
        let is_padded = units[place.start] == u16::from(b'0') || random.chance(0.5);
        let width = if is_padded { place.len() } else { 0 };
        let digits = format!("{:0width$}", near(wanted, random));
        let mut units = units.to_vec();
        units.splice(place, digits.encode_utf16());
        (units.len() <= self.options.max_string).then(|| JavaString::new(units))
    }

    /// A character that was compared gives way to what it was compared with.
    fn other_character(self, text: &JavaString, random: &mut Random) -> Option<JavaString> {
        let units = text.units();
        let is_at = |given: i64, unit: u16| i64::from(unit) == given || other_case(unit) == Some(given);
        let (given, wanted) = self.pools.find_integers(random, |given, wanted| {
            u16::try_from(wanted).is_ok() && units.iter().any(|&unit| is_at(given, unit))
        })?;
        let wanted = u16::try_from(near(wanted, random)).ok()?;
        let places: Vec<usize> = (0..units.len()).filter(|&place| is_at(given, units[place])).collect();
        let place = *random.choose(&places)?;
        let mut units = units.to_vec();
        units[place] = wanted;
        Some(JavaString::new(units))
    }

    /// A part that was compared gives way to the string that it was compared with.
    fn other_part(self, text: &JavaString, random: &mut Random) -> Option<JavaString> {
        let (given, wanted) =
            self.pools.find_strings(random, |given, _| position_of(given.units(), text.units()).is_some())?;
        let place = position_of(given.units(), text.units())?;
        let mut units = text.units().to_vec();
        units.splice(place..place + given.len(), wanted.units().iter().copied());
        (units.len() <= self.options.max_string).then(|| JavaString::new(units))
    }

    /// The length that was compared gives way to the one that it was compared with.
    fn other_length(self, text: &JavaString, random: &mut Random) -> Option<JavaString> {
        let length = text.len() as i64;
        let fits = |wanted: i64| usize::try_from(wanted).is_ok_and(|wanted| wanted <= LONGEST);
        let (_, wanted) =
            self.pools.find_integers(random, |given, wanted| given == length && fits(wanted))?;
        let wanted = usize::try_from(near(wanted, random)).ok()?;
        let mut units = text.units().to_vec();
        // Made longer, a string goes on as it ends: a long number stays a number.
        let filler = units.last().copied();
        units.resize_with(wanted, || filler.unwrap_or_else(|| self.character(random)));
        Some(JavaString::new(units))
    }
}

/// The numbers in decimal digits of a text: where each is, and what it says. Behind a minus sign there are two, with it and without.
fn numbers_in(units: &[u16]) -> Vec<(Range<usize>, i64)> {
    let is_digit = |unit: &u16| (u16::from(b'0')..=u16::from(b'9')).contains(unit);
    let mut found = Vec::new();
    let mut end = 0;
    while let Some(start) = units[end..].iter().position(is_digit).map(|at| end + at) {
        end = units[start..].iter().position(|unit| !is_digit(unit)).map_or(units.len(), |at| start + at);
        let begins = [Some(start), start.checked_sub(1).filter(|&at| units[at] == u16::from(b'-'))];
        for begin in begins.into_iter().flatten() {
            let number = String::from_utf16_lossy(&units[begin..end]).parse();
            found.extend(number.ok().map(|number| (begin..end, number)));
        }
    }
    found
}

/// The number, or one of its neighbours.
fn near(number: i64, random: &mut Random) -> i64 {
    match random.below(4) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        _ => number,
    }
}

/// The same ASCII letter in the other case.
fn other_case(unit: u16) -> Option<i64> {
    let letter = u8::try_from(unit).ok().filter(u8::is_ascii_alphabetic)?;
    Some(i64::from(letter ^ 0x20))
}

/// Where a part begins in a string; the empty part is in none.
fn position_of(part: &[u16], text: &[u16]) -> Option<usize> {
    if part.is_empty() {
        // Only the empty string is nothing but it.
        return text.is_empty().then_some(0);
    }
    text.windows(part.len()).position(|window| window[0] == part[0] && window == part)
}

#[cfg(test)]
mod tests {
    use bytecode::probe_map::ProbeId;

    use super::super::options::FactoryOptions;
    use super::*;
    use crate::cluster::StaticConstants;
    use crate::constant_pools::ConstantPools;
    use crate::execution::ComparisonOperand;

    /// Checks which values can come of one when these were compared with each other.
    fn check(value: &Value, compared: [Value; 2], expect: &[Value]) {
        let mut pools = ConstantPools::new(&StaticConstants::default(), &FactoryOptions::default());
        pools.observe(&compared.map(|value| ComparisonOperand { probe: ProbeId(0), hit: ProbeId(0), value }));
        let options = FactoryOptions::default();
        let values = Values { options: &options, pools: &pools };
        let mut random = Random::new(1, 0);
        let mut found: Vec<Value> = (0..200).filter_map(|_| values.replaced(value, &mut random)).collect();
        found.sort();
        found.dedup();
        assert_eq!(found, expect, "{value:?}");
    }

    fn text(text: &str) -> Value {
        Value::String(text.into())
    }

    #[test]
    fn numbers_become_what_they_were_compared_with_or_a_neighbour() {
        let compared = || [Value::Int(7), Value::Int(4000)];
        check(&Value::Long(7), compared(), &[3999, 4000, 4001].map(Value::Long));
        check(&Value::Int(4000), compared(), &[6, 7, 8].map(Value::Int));
        check(&Value::Int(8), compared(), &[]);
        check(&Value::Double(7.0), compared(), &[]);
    }

    #[test]
    fn characters_digits_and_lengths_are_found_in_strings() {
        let characters = || [Value::Int(65), Value::Int(69)];
        check(&text("xA"), characters(), &["xD", "xE", "xF"].map(text));
        check(&text("xa"), characters(), &["xD", "xE", "xF"].map(text));
        check(&text("65"), characters(), &["68", "69", "70"].map(text));
        check(&text("xy"), characters(), &[]);
        check(&text("x=65;"), characters(), &["x=68;", "x=69;", "x=70;"].map(text));
        check(&text("065-1"), characters(), &["068-1", "069-1", "070-1"].map(text));
        check(
            &text("2-7"),
            [Value::Int(-7), Value::Int(5)],
            &["204", "205", "206", "24", "25", "26"].map(text),
        );
        check(&text("13"), [Value::Int(13), Value::Int(8)], &["07", "08", "09", "7", "8", "9"].map(text));
        check(&text("abc"), [Value::Int(3), Value::Int(5)], &["abcc", "abccc", "abcccc"].map(text));
    }

    #[test]
    fn parts_of_strings_are_replaced_as_a_whole() {
        check(&text("the key here"), [text("key"), text("lock")], &[text("the lock here")]);
        check(&text("lock"), [text("key"), text("lock")], &[text("key")]);
        check(&text(""), [text(""), text("key")], &[text("key")]);
        check(&text("x"), [text(""), text("key")], &[]);
    }
}
