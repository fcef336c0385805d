//! What Java's methods of `String` compute, on UTF-16 code units (documentation of `java.lang.String`, JDK 17).

/// `substring`, with indices moved to the nearest that are not outside.
pub(crate) fn substring(units: &[u16], begin: i32, end: i32) -> &[u16] {
    let length = units.len();
    let begin = usize::try_from(begin).unwrap_or(0).min(length);
    let end = usize::try_from(end).unwrap_or(0).clamp(begin, length);
    &units[begin..end]
}

/// `startsWith(prefix, offset)`.
pub(crate) fn starts_with(units: &[u16], prefix: &[u16], offset: i32) -> bool {
    usize::try_from(offset)
        .ok()
        .and_then(|offset| units.get(offset..))
        .is_some_and(|rest| rest.starts_with(prefix))
}

/// `indexOf(part, from)`.
pub(crate) fn index_of(units: &[u16], part: &[u16], from: i32) -> i32 {
    let from = usize::try_from(from).unwrap_or(0).min(units.len());
    (from..=units.len()).find(|&at| units[at..].starts_with(part)).map_or(-1, |at| at as i32)
}

/// `lastIndexOf(part, from)`.
pub(crate) fn last_index_of(units: &[u16], part: &[u16], from: i32) -> i32 {
    let Ok(from) = usize::try_from(from) else { return -1 };
    let Some(last) = units.len().checked_sub(part.len()) else { return -1 };
    (0..=from.min(last)).rev().find(|&at| units[at..].starts_with(part)).map_or(-1, |at| at as i32)
}

/// The code units of a code point; `None` of what is none.
pub(crate) fn units_of(code_point: i32) -> Option<Vec<u16>> {
    let code_point = u32::try_from(code_point).ok()?;
    match char::from_u32(code_point) {
        Some(character) => Some(character.encode_utf16(&mut [0; 2]).to_vec()),
        None => u16::try_from(code_point).ok().map(|surrogate| vec![surrogate]),
    }
}

/// `indexOf(code point, from)`.
pub(crate) fn index_of_character(units: &[u16], code_point: i32, from: i32) -> i32 {
    units_of(code_point).map_or(-1, |part| index_of(units, &part, from))
}

/// `lastIndexOf(code point, from)`.
pub(crate) fn last_index_of_character(units: &[u16], code_point: i32, from: i32) -> i32 {
    units_of(code_point).map_or(-1, |part| last_index_of(units, &part, from))
}

/// `compareTo`.
pub(crate) fn compare(one: &[u16], other: &[u16]) -> i32 {
    let different = one.iter().zip(other).find(|(a, b)| a != b);
    different.map_or(one.len() as i32 - other.len() as i32, |(&a, &b)| i32::from(a) - i32::from(b))
}

/// `hashCode`.
pub(crate) fn hash_code(units: &[u16]) -> i32 {
    units.iter().fold(0_i32, |hash, &unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// Without the code units of a kind at both ends.
pub(crate) fn trimmed(units: &[u16], is_cut: impl Fn(u16) -> bool) -> &[u16] {
    let begin = units.iter().position(|&unit| !is_cut(unit)).unwrap_or(units.len());
    let end = units.iter().rposition(|&unit| !is_cut(unit)).map_or(begin, |last| last + 1);
    &units[begin..end]
}

/// `Character.isWhitespace`.
pub(crate) fn is_white_space(unit: u16) -> bool {
    matches!(unit, 0x09..=0x0d | 0x1c..=0x20 | 0x1680 | 0x2000..=0x2006 | 0x2008..=0x200a | 0x2028 | 0x2029 | 0x205f | 0x3000)
}

/// `toLowerCase(Locale.ROOT)`.
pub(crate) fn lower_case(units: &[u16]) -> Vec<u16> {
    by_runs(units, str::to_lowercase)
}

/// `toUpperCase(Locale.ROOT)`.
pub(crate) fn upper_case(units: &[u16]) -> Vec<u16> {
    by_runs(units, str::to_uppercase)
}

/// Converts what lies between surrogates that have no other half; these stay.
fn by_runs(units: &[u16], convert: impl Fn(&str) -> String) -> Vec<u16> {
    let mut converted = Vec::with_capacity(units.len());
    let mut run = String::new();
    for character in char::decode_utf16(units.iter().copied()) {
        match character {
            Ok(character) => run.push(character),
            Err(alone) => {
                converted.extend(convert(&run).encode_utf16());
                run.clear();
                converted.push(alone.unpaired_surrogate());
            }
        }
    }
    converted.extend(convert(&run).encode_utf16());
    converted
}

/// `equalsIgnoreCase`: code unit by code unit, of which the upper cases are equal, or the lower cases of these.
///
/// # Differences
/// Characters beyond 16 bits are equal only to themselves, as they were before JDK 16.
pub(crate) fn equals_ignore_case(one: &[u16], other: &[u16]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(&a, &b)| a == b || folded(a) == folded(b))
}

/// What characters have in common that differ in case alone.
pub(crate) fn folded(unit: u16) -> u16 {
    lower(upper(unit))
}

/// `Character.toUpperCase(char)`: the mapping to one character, where there is one.
fn upper(unit: u16) -> u16 {
    char::from_u32(u32::from(unit)).map_or(unit, |character| single(character.to_uppercase(), unit))
}

/// `Character.toLowerCase(char)`; that of a capital I with a dot is an i.
fn lower(unit: u16) -> u16 {
    const CAPITAL_I_WITH_DOT: u16 = 0x130;
    if unit == CAPITAL_I_WITH_DOT {
        return u16::from(b'i');
    }
    char::from_u32(u32::from(unit)).map_or(unit, |character| single(character.to_lowercase(), unit))
}

fn single(mut mapped: impl Iterator<Item = char>, otherwise: u16) -> u16 {
    match (mapped.next(), mapped.next()) {
        (Some(only), None) => u16::try_from(u32::from(only)).unwrap_or(otherwise),
        _ => otherwise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn indices_are_those_of_java() {
        let text = units("abcabc");
        let forward = [("abc", 0, 0), ("abc", 1, 3), ("", 9, 6), ("", -2, 0), ("x", 0, -1), ("c", 6, -1)];
        for (part, from, expected) in forward {
            assert_eq!(index_of(&text, &units(part), from), expected, "{part} {from}");
        }
        let backward =
            [("abc", 9, 3), ("abc", 2, 0), ("abc", -1, -1), ("", 9, 6), ("", 4, 4), ("abcabca", 9, -1)];
        for (part, from, expected) in backward {
            assert_eq!(last_index_of(&text, &units(part), from), expected, "{part} {from}");
        }
        assert_eq!(index_of_character(&units("a\u{1f600}b"), 0x1f600, 0), 1);
        assert_eq!(index_of_character(&text, -1, 0), -1);
    }

    #[test]
    fn cases_are_those_of_the_root_locale() {
        assert_eq!(upper_case(&units("straße µ ÿ")), units("STRASSE Μ Ÿ"));
        assert_eq!(lower_case(&units("ÀÞ×ßİ")), units("àþ×ßi\u{307}"));
        assert!(equals_ignore_case(&units("Éa"), &units("éA")));
        assert!(equals_ignore_case(&units("µ"), &units("Μ")));
        assert!(!equals_ignore_case(&units("ß"), &units("SS")));
    }

    #[test]
    fn space_is_cut_by_trim_and_strip_as_each_defines_it() {
        let text = units("\u{1}\u{2003} x \u{a0}");
        assert_eq!(trimmed(&text, |unit| unit <= 0x20), units("\u{2003} x \u{a0}"));
        assert_eq!(trimmed(&units("\u{2003} x \u{1c}"), is_white_space), units("x"));
        assert_eq!(trimmed(&units("  "), is_white_space), units(""));
        assert_eq!(hash_code(&units("polygenelubricants")), i32::MIN);
        assert_eq!(compare(&units("ab"), &units("abcd")), -2);
    }
}
