//! Texts that are read as numbers: `Integer.parseInt`, `Long.parseLong`, `Double.parseDouble` (documentation of JDK 17).

use crate::term::text::trimmed;

/// The zeros of the decimal digits of the Basic Multilingual Plane (Unicode category Nd), which `Character.digit` knows;
/// nine further digits follow each.
const ZEROS: [u16; 37] = [
    0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
    0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50,
    0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// `Character.digit(unit, 10)`.
fn digit(unit: u16) -> Option<u16> {
    ZEROS.iter().map(|&zero| unit.wrapping_sub(zero)).find(|&digit| digit < 10)
}

/// What `Integer.parseInt` (width 32) or `Long.parseLong` (width 64) returns; `None` where it throws.
pub(crate) fn integer(units: &[u16], width: u8) -> Option<i64> {
    let (is_negative, digits) = match units {
        [sign, rest @ ..] if *sign == u16::from(b'-') => (true, rest),
        [sign, rest @ ..] if *sign == u16::from(b'+') => (false, rest),
        _ => (false, units),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0_i128;
    for &unit in digits {
        value = value * 10 + i128::from(digit(unit)?);
        if value > 1 << 64 {
            return None;
        }
    }
    let value = if is_negative { -value } else { value };
    let half = 1_i128 << (width - 1);
    (-half..half).contains(&value).then_some(value as i64)
}

/// What `Double.parseDouble` returns; `None` where it throws.
pub(crate) fn double(units: &[u16]) -> Option<f64> {
    let units = trimmed(units, |unit| unit <= 0x20);
    let text: Option<String> =
        units.iter().map(|&unit| u8::try_from(unit).ok().filter(u8::is_ascii).map(char::from)).collect();
    let text = text?;
    let (is_negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let value = match rest {
        "NaN" => return Some(f64::NAN),
        "Infinity" => f64::INFINITY,
        _ if rest.starts_with("0x") || rest.starts_with("0X") => hexadecimal(&rest[2..])?,
        _ => decimal(rest)?,
    };
    Some(if is_negative { -value } else { value })
}

/// A decimal floating-point literal (JLS 3.10.2) or one that is an integer; a suffix is allowed.
fn decimal(text: &str) -> Option<f64> {
    let text = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    let has_exponent = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && is_number(digits)
    });
    let is_valid =
        is_number(whole) && is_number(fraction) && whole.len() + fraction.len() > 0 && has_exponent;
    is_valid.then(|| text.parse().ok()).flatten()
}

/// A hexadecimal floating-point literal behind its `0x` (JLS 3.10.2), rounded to nearest, ties to even.
fn hexadecimal(text: &str) -> Option<f64> {
    let text = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    // Far beyond what a mantissa of any length in memory could make up for.
    let size: i64 = digits.parse().unwrap_or(i64::MAX).min(1 << 40);
    let mut exponent = if exponent.starts_with('-') { -size } else { size };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() == 0 {
        return None;
    }
    let mut significand = 0_u64;
    let mut is_inexact = false;
    for (position, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(digit.to_digit(16)?);
        let is_fraction = position >= whole.len();
        if significand >> 58 == 0 {
            significand = significand << 4 | digit;
            exponent -= if is_fraction { 4 } else { 0 };
        } else {
            is_inexact |= digit != 0;
            exponent += if is_fraction { 0 } else { 4 };
        }
    }
    Some(scaled(significand, is_inexact, exponent))
}

/// `significand * 2^exponent`, a little more if inexact, rounded once.
fn scaled(significand: u64, is_inexact: bool, exponent: i64) -> f64 {
    if significand == 0 {
        return 0.0;
    }
    let shift = significand.leading_zeros();
    let normal = significand << shift;
    // The value is 1.xxx * 2^top.
    let top = exponent + 63 - i64::from(shift);
    if top > 1023 {
        return f64::INFINITY;
    }
    let kept = if top >= -1022 { 53 } else { 53 - (-1022 - top) };
    if kept < 0 {
        return 0.0;
    }
    let dropped = 64 - kept as u32;
    let wide = u128::from(normal);
    let (mut result, rest) = ((wide >> dropped) as u64, wide & ((1 << dropped) - 1));
    let half = 1_u128 << (dropped - 1);
    if rest > half || rest == half && (is_inexact || result & 1 == 1) {
        result += 1;
    }
    // A carry out of the significand raises the exponent by itself.
    let biased = if top >= -1022 { (top + 1022) as u64 } else { 0 };
    f64::from_bits((biased << 52) + result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn integers_are_read_as_java_reads_them() {
        let cases = [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("+7", Some(7)),
            ("2147483647", Some(2_147_483_647)),
            ("2147483648", None),
            ("-2147483648", Some(-2_147_483_648)),
            ("", None),
            ("-", None),
            (" 1", None),
            ("1_0", None),
            ("\u{661}\u{ff12}", Some(12)),
            ("00000000000000000000000000000000000001", Some(1)),
        ];
        for (text, expected) in cases {
            assert_eq!(integer(&units(text), 32), expected, "{text}");
        }
        assert_eq!(integer(&units("-9223372036854775808"), 64), Some(i64::MIN));
        assert_eq!(integer(&units("9223372036854775808"), 64), None);
    }

    #[test]
    fn doubles_are_read_as_java_reads_them() {
        let cases = [
            (" 1.5\n", Some(1.5)),
            ("1.", Some(1.0)),
            (".5e1f", Some(5.0)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("infinity", None),
            ("inf", None),
            ("1e", None),
            (".", None),
            ("", None),
            ("1d", Some(1.0)),
            ("1dd", None),
            ("1 d", None),
            ("0x1p3", Some(8.0)),
            ("0x.8p1", Some(1.0)),
            ("0x1.fffffffffffff8p0", Some(2.0)),
            ("0x1.fffffffffffff7fffp0", Some(1.999_999_999_999_999_8)),
            ("0x1p-1075", Some(0.0)),
            ("0x1.8p-1075", Some(f64::from_bits(1))),
            ("0x1.fffffffffffffp1023", Some(f64::MAX)),
            ("0x1.fffffffffffff8p1023", Some(f64::INFINITY)),
            ("0x1", None),
        ];
        for (text, expected) in cases {
            assert_eq!(double(&units(text)).map(f64::to_bits), expected.map(f64::to_bits), "{text}");
        }
        assert!(double(&units("-NaN")).is_some_and(f64::is_nan));
    }
}
