//! Rows of literals as records of `@CsvSource`: only what every release of JUnit reads back as it was.

use bytecode::descriptor::PrimitiveType;
use testcase::value::JavaString;

use crate::junit::ast::Expr;

/// The word that stands for `null`.
pub(crate) const NULL: &str = "null";

/// A record per row, and whether one has a `null`; `None` where CSV cannot carry a value.
pub(super) fn records(rows: &[Vec<Expr>]) -> Option<(Vec<String>, bool)> {
    let has_null = rows.iter().flatten().any(|value| *value == Expr::null());
    let record = |row: &Vec<Expr>| {
        let cells: Option<Vec<String>> = row.iter().map(cell).collect();
        cells.map(|cells| cells.join(", "))
    };
    // Quotes or not, the word for `null` is read as `null`.
    let null = JavaString::from(NULL);
    let is_word = |value: &Expr| matches!(value, Expr::Text(text) if *text == null);
    if has_null && rows.iter().flatten().any(is_word) {
        return None;
    }
    Some((rows.iter().map(record).collect::<Option<_>>()?, has_null))
}

fn cell(value: &Expr) -> Option<String> {
    match value {
        Expr::Literal(text) if text.starts_with('\'') => text_cell(&character(text)?.to_string()),
        Expr::Literal(text) => Some(text.trim_end_matches(['L', 'F']).to_owned()),
        Expr::Cast { operand, .. } => cell(operand),
        Expr::Constant { class, name } => match PrimitiveType::unboxed(class) {
            Some(of) => number(of, name).map(str::to_owned),
            None => text_cell(name),
        },
        Expr::Text(text) => text_cell(&ascii(text)?),
        Expr::Variable(_)
        | Expr::ClassLiteral(_)
        | Expr::Call { .. }
        | Expr::New { .. }
        | Expr::Field { .. }
        | Expr::NewArray { .. }
        | Expr::ArrayLiteral { .. }
        | Expr::Element { .. }
        | Expr::Lambda { .. }
        | Expr::MethodReference { .. }
        | Expr::Concat(_)
        | Expr::Anonymous(_) => None,
    }
}

/// A text as a cell: in single quotes unless it is plainly a word or words.
fn text_cell(text: &str) -> Option<String> {
    let is_printable = text.chars().all(|character| matches!(character, ' '..='~'));
    let is_plain = |character: char| character.is_ascii_alphanumeric() || " _.-+/:@$%".contains(character);
    let is_bare = !text.is_empty() && text.trim() == text && text.chars().all(is_plain);
    let quoted = || format!("'{}'", text.replace('\'', "''"));
    is_printable.then(|| if is_bare { text.to_owned() } else { quoted() })
}

fn ascii(text: &JavaString) -> Option<String> {
    text.units().iter().map(|&unit| u8::try_from(unit).ok().filter(u8::is_ascii).map(char::from)).collect()
}

/// The character of a literal in single quotes, unless it is written as a number.
fn character(literal: &str) -> Option<char> {
    let inside = literal.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut characters = inside.chars();
    match (characters.next()?, characters.next(), characters.next()) {
        ('\\', Some(escaped @ ('\'' | '"' | '\\')), None) => Some(escaped),
        (plain, None, None) if plain != '\\' => Some(plain),
        _ => None,
    }
}

/// A constant of a boxed type in digits, as `valueOf` and `decode` read them.
fn number(of: PrimitiveType, name: &str) -> Option<&'static str> {
    Some(match (of, name) {
        (PrimitiveType::Byte, "MIN_VALUE") => "-128",
        (PrimitiveType::Byte, "MAX_VALUE") => "127",
        (PrimitiveType::Short, "MIN_VALUE") => "-32768",
        (PrimitiveType::Short, "MAX_VALUE") => "32767",
        (PrimitiveType::Int, "MIN_VALUE") => "-2147483648",
        (PrimitiveType::Int, "MAX_VALUE") => "2147483647",
        (PrimitiveType::Long, "MIN_VALUE") => "-9223372036854775808",
        (PrimitiveType::Long, "MAX_VALUE") => "9223372036854775807",
        (PrimitiveType::Float, "MIN_VALUE") => "1.4E-45",
        (PrimitiveType::Float, "MAX_VALUE") => "3.4028235E38",
        (PrimitiveType::Double, "MIN_VALUE") => "4.9E-324",
        (PrimitiveType::Double, "MAX_VALUE") => "1.7976931348623157E308",
        (PrimitiveType::Float | PrimitiveType::Double, "NaN") => "NaN",
        (PrimitiveType::Float | PrimitiveType::Double, "POSITIVE_INFINITY") => "Infinity",
        (PrimitiveType::Float | PrimitiveType::Double, "NEGATIVE_INFINITY") => "-Infinity",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::junit::literals::{Context, literal};
    use testcase::value::Value;

    fn check(value: &Value, expect: Option<&str>) {
        for context in [Context::Argument, Context::Assignment] {
            assert_eq!(cell(&literal(value, context)).as_deref(), expect, "{value:?}");
        }
    }

    #[test]
    fn numbers_and_characters_are_written_as_they_are_read_back() {
        for (value, expect) in [
            (Value::Boolean(true), "true"),
            (Value::Byte(-5), "-5"),
            (Value::Byte(i8::MIN), "-128"),
            (Value::Short(300), "300"),
            (Value::Int(i32::MIN), "-2147483648"),
            (Value::Long(7), "7"),
            (Value::Long(i64::MAX), "9223372036854775807"),
            (Value::Float(0.5), "0.5"),
            (Value::Float(f32::MAX), "3.4028235E38"),
            (Value::Double(-0.0), "-0.0"),
            (Value::Double(1e16), "1.0E16"),
            (Value::Double(f64::NAN), "NaN"),
            (Value::Double(f64::NEG_INFINITY), "-Infinity"),
            (Value::Char(0x41), "A"),
            (Value::Char(0x20), "' '"),
            (Value::Char(0x2c), "','"),
            (Value::Char(0x27), "''''"),
            (Value::Char(0x5c), "'\\'"),
        ] {
            check(&value, Some(expect));
        }
        for value in [Value::Char(0x0a), Value::Char(0xe9), Value::Char(0xd800)] {
            check(&value, None);
        }
        assert_eq!(f32::MAX.to_string().parse::<f32>(), "3.4028235E38".parse());
    }

    #[test]
    fn texts_are_quoted_where_they_are_no_plain_words() {
        for (text, expect) in [
            ("abc", "abc"),
            ("two words", "two words"),
            ("null", "null"),
            ("12", "12"),
            ("", "''"),
            (" a", "' a'"),
            ("a ", "'a '"),
            ("a,b", "'a,b'"),
            ("it's", "'it''s'"),
            ("#a", "'#a'"),
            ("a\\b", "'a\\b'"),
        ] {
            check(&Value::String(text.into()), Some(expect));
        }
        for text in ["a\nb", "\t", "é", "\0"] {
            check(&Value::String(text.into()), None);
        }
        check(&Value::String(JavaString::new([0xd800])), None);
    }

    #[test]
    fn the_word_for_null_cannot_stand_beside_null() {
        let text = |text: &str| Expr::Text(text.into());
        let records = |values: [Expr; 2]| records(&values.map(|value| vec![value]));
        assert_eq!(records([text("null"), text("a")]), Some((vec!["null".into(), "a".into()], false)));
        assert_eq!(records([Expr::null(), text("a")]), Some((vec!["null".into(), "a".into()], true)));
        assert_eq!(records([Expr::null(), text("null")]), None);
    }
}
