//! What solvers print.

use crate::term::text::units_of;
use crate::term::{Sort, Value};

/// The values of inputs of these sorts in an answer to `get-value`, in their order:
/// `((i0 #x00ff) (i1 true) (i2 (_ bv3 8)) (i3 "a\u{b}") (i4 (- 5)))`. Floats are printed as their raw bits.
pub(super) fn read_values(answer: &str, sorts: &[Sort]) -> Option<Vec<Value>> {
    let words = words(answer)?;
    let mut words = words.iter().filter(|word| !matches!(word, Word::Open | Word::Close));
    let mut values = Vec::with_capacity(sorts.len());
    for &sort in sorts {
        let Word::Atom(input) = words.next()? else { return None };
        input.strip_prefix('i')?.parse::<u32>().ok()?;
        values.push(match words.next()? {
            Word::Text(units) if sort == Sort::Text => Value::Text(units.as_slice().into()),
            Word::Atom("-") => {
                let Word::Atom(digits) = words.next()? else { return None };
                of_number(sort, digits.parse::<u64>().ok()?.wrapping_neg())?
            }
            Word::Atom("_") => {
                let (Word::Atom(value), Word::Atom(_)) = (words.next()?, words.next()?) else { return None };
                of_number(sort, value.strip_prefix("bv")?.parse().ok()?)?
            }
            Word::Atom(atom) => of_number(sort, number(atom)?)?,
            Word::Text(_) | Word::Open | Word::Close => return None,
        });
    }
    words.next().is_none().then_some(values)
}

fn number(atom: &str) -> Option<u64> {
    if let Some(digits) = atom.strip_prefix("#x") {
        u64::from_str_radix(digits, 16).ok()
    } else if let Some(digits) = atom.strip_prefix("#b") {
        u64::from_str_radix(digits, 2).ok()
    } else if let Ok(truth) = atom.parse::<bool>() {
        Some(u64::from(truth))
    } else {
        atom.parse().ok()
    }
}

/// The value of a sort that is printed as a number: truth, bits, raw bits.
fn of_number(sort: Sort, number: u64) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(number != 0)),
        Sort::Bits(width) => Some(Value::bits(width, number)),
        Sort::Float => Some(Value::Float(f32::from_bits(number as u32))),
        Sort::Double => Some(Value::Double(f64::from_bits(number))),
        Sort::Text => None,
    }
}

/// A part of what is printed.
#[derive(Debug, PartialEq)]
enum Word<'a> {
    Open,
    Close,
    Text(Vec<u16>),
    Atom(&'a str),
}

/// The words of an answer; `None` if a literal has no end.
fn words(answer: &str) -> Option<Vec<Word<'_>>> {
    let mut words = Vec::new();
    let mut rest = answer.trim_start();
    while let Some(first) = rest.chars().next() {
        match first {
            '(' | ')' => {
                words.push(if first == '(' { Word::Open } else { Word::Close });
                rest = &rest[1..];
            }
            '"' => {
                let (units, behind) = text(&rest[1..])?;
                words.push(Word::Text(units));
                rest = behind;
            }
            _ => {
                let end = rest.find(|character: char| {
                    character.is_whitespace() || matches!(character, '(' | ')' | '"')
                });
                let (atom, behind) = rest.split_at(end.unwrap_or(rest.len()));
                words.push(Word::Atom(atom));
                rest = behind;
            }
        }
        rest = rest.trim_start();
    }
    Some(words)
}

/// The code units of a literal, of a character beyond 16 bits a pair, and what stands behind it. A quotation mark is written twice; `\u{b}` and `\u000b` are escapes, and
/// a backslash before anything else is itself.
fn text(mut rest: &str) -> Option<(Vec<u16>, &str)> {
    let mut units = Vec::new();
    loop {
        if let Some(behind) = rest.strip_prefix("\"\"") {
            units.push(u16::from(b'"'));
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix('"') {
            return Some((units, behind));
        } else if let Some((unit, behind)) = escape(rest) {
            units.extend_from_slice(&units_of(i32::try_from(unit).ok()?)?);
            rest = behind;
        } else {
            let character = rest.chars().next()?;
            units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            rest = &rest[character.len_utf8()..];
        }
    }
}

fn escape(text: &str) -> Option<(u32, &str)> {
    let behind = text.strip_prefix("\\u")?;
    let (digits, behind) = match behind.strip_prefix('{') {
        Some(behind) => behind.split_once('}').filter(|(digits, _)| (1..=5).contains(&digits.len()))?,
        None => behind.split_at_checked(4)?,
    };
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    Some((u32::from_str_radix(digits, 16).ok()?, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        let answer = "((i0 #x00ff)\n (i12 true) (i3 (_ bv7 8)) (i4 #b10) (i5 (- 2)) (i6 17))";
        let sorts =
            [Sort::Bits(16), Sort::Bool, Sort::Bits(8), Sort::Bits(2), Sort::Bits(32), Sort::Bits(32)];
        let expected = [
            Value::bits(16, 255),
            Value::Bool(true),
            Value::bits(8, 7),
            Value::bits(2, 2),
            Value::int(-2),
            Value::int(17),
        ];
        assert_eq!(read_values(answer, &sorts).as_deref(), Some(&expected[..]));
        assert_eq!(read_values("((i0 #x3f800000))", &[Sort::Float]), Some(vec![Value::Float(1.0)]));
    }

    #[test]
    fn literals_are_read() {
        for (literal, expected) in [
            ("\"\"", ""),
            ("\"a b) \"\"c\"\"\"", "a b) \"c\""),
            ("\"\\u{e9}\\u00e9\\u{1}\"", "éé\u{1}"),
            ("\"\\u{d83d}\\u{de00}\\u{1f600}\"", "\u{1f600}\u{1f600}"),
            ("\"\\x\\u{}\\u12\"", "\\x\\u{}\\u12"),
        ] {
            let answer = format!("((i0 {literal}))");
            assert_eq!(read_values(&answer, &[Sort::Text]), Some(vec![Value::text(expected)]), "{literal}");
        }
    }

    #[test]
    fn nonsense_is_not_read() {
        for nonsense in [
            "",
            "(error \"no\")",
            "((i0 #xzz))",
            "((x #x00))",
            "((i0 #x00) (i1 #x00))",
            "((i0 \"a\"))",
            "((i0 \"a))",
        ] {
            assert_eq!(read_values(nonsense, &[Sort::Bits(8)]), None, "{nonsense}");
        }
    }
}
