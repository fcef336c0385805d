//! Whole numbers in decimal digits.

use super::{Format, Vocabulary};
use crate::random::Random;

/// Whole numbers.
pub(super) const WHOLE_NUMBERS: Format = Format {
    name: "whole-numbers",
    readers: &[
        ("java/lang/Byte", &["parseByte", "valueOf", "decode"]),
        ("java/lang/Integer", &["parseInt", "valueOf", "decode", "parseUnsignedInt"]),
        ("java/lang/Long", &["parseLong", "valueOf", "decode", "parseUnsignedLong"]),
        ("java/lang/Short", &["parseShort", "valueOf", "decode"]),
        ("java/math/BigInteger", &["<init>"]),
        ("java/util/Scanner", &["nextInt", "nextLong"]),
    ],
    vocabulary: Vocabulary::Nothing,
    text,
    changed,
};

/// Largest of the numbers that are drawn evenly.
const SMALL: usize = 20;

/// Numbers at the ends of types.
const ENDS: [i64; 8] = [127, 255, 256, 65_535, i32::MAX as i64, i32::MIN as i64, i64::MAX, i64::MIN];

fn text(_: &[String], random: &mut Random) -> String {
    match random.below(8) {
        0 => random.choose(&ENDS).unwrap_or(&0).to_string(),
        1 => format!("-{}", 1 + random.below(SMALL)),
        2 | 3 => random.below(10_000).to_string(),
        _ => random.below(SMALL).to_string(),
    }
}

fn changed(text: &str, _: &[String], random: &mut Random) -> Option<String> {
    let number: i64 = text.parse().ok()?;
    Some(
        match random.below(4) {
            0 => number.wrapping_neg(),
            1 => number.wrapping_mul(10),
            2 => number.wrapping_add(1 + random.below(SMALL) as i64),
            _ => number.wrapping_sub(1 + random.below(SMALL) as i64),
        }
        .to_string(),
    )
}
