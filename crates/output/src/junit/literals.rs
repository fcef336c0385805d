//! Values as Java source writes them (Java language specification §3.10).

use std::fmt::Write as _;

use bytecode::descriptor::PrimitiveType;
use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use testcase::value::{JavaString, Value};

use super::ast::{Expr, Receiver};

/// Where a literal stands: only some contexts narrow an `int` constant by themselves (§5.2, §5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    /// The right side of an assignment or declaration, or an element of an array initializer.
    Assignment,
    /// An argument of a call.
    Argument,
}

/// Most bytes of modified UTF-8 that a constant may have is 65,535 (JVM specification §4.4.7); a code unit takes
/// three at most.
const CONSTANT_UNITS: usize = 20_000;

/// A value as an expression of its own type.
pub(crate) fn literal(value: &Value, context: Context) -> Expr {
    match value {
        Value::Boolean(value) => Expr::Literal(value.to_string()),
        Value::Byte(i8::MIN) => constant(PrimitiveType::Byte, "MIN_VALUE"),
        Value::Byte(i8::MAX) => constant(PrimitiveType::Byte, "MAX_VALUE"),
        Value::Byte(value) => narrow(i64::from(*value), PrimitiveType::Byte, context),
        Value::Short(i16::MIN) => constant(PrimitiveType::Short, "MIN_VALUE"),
        Value::Short(i16::MAX) => constant(PrimitiveType::Short, "MAX_VALUE"),
        Value::Short(value) => narrow(i64::from(*value), PrimitiveType::Short, context),
        Value::Char(unit) => Expr::Literal(char_literal(*unit)),
        Value::Int(i32::MIN) => constant(PrimitiveType::Int, "MIN_VALUE"),
        Value::Int(i32::MAX) => constant(PrimitiveType::Int, "MAX_VALUE"),
        Value::Int(value) => Expr::Literal(value.to_string()),
        Value::Long(i64::MIN) => constant(PrimitiveType::Long, "MIN_VALUE"),
        Value::Long(i64::MAX) => constant(PrimitiveType::Long, "MAX_VALUE"),
        Value::Long(value) => Expr::Literal(format!("{value}L")),
        Value::Float(value) => float_literal(*value),
        Value::Double(value) => double_literal(*value),
        Value::String(text) => string_literal(text),
    }
}

fn constant(of: PrimitiveType, name: &str) -> Expr {
    Expr::Constant { class: of.boxed(), name: name.to_owned() }
}

fn narrow(value: i64, to: PrimitiveType, context: Context) -> Expr {
    let literal = Expr::Literal(value.to_string());
    match context {
        Context::Assignment => literal,
        Context::Argument => literal.cast(GenericType::Primitive(to)),
    }
}

fn float_literal(value: f32) -> Expr {
    let canonical = f32::from_bits(0x7fc0_0000);
    if value.to_bits() == canonical.to_bits() {
        constant(PrimitiveType::Float, "NaN")
    } else if value.is_nan() {
        from_bits(PrimitiveType::Float, "intBitsToFloat", &Value::Int(value.to_bits() as i32))
    } else if value == f32::INFINITY {
        constant(PrimitiveType::Float, "POSITIVE_INFINITY")
    } else if value == f32::NEG_INFINITY {
        constant(PrimitiveType::Float, "NEGATIVE_INFINITY")
    } else if value == f32::MAX {
        constant(PrimitiveType::Float, "MAX_VALUE")
    } else if value.to_bits() == 1 {
        constant(PrimitiveType::Float, "MIN_VALUE")
    } else {
        Expr::Literal(format!("{}F", scientific(&format!("{value:?}"))))
    }
}

fn double_literal(value: f64) -> Expr {
    let canonical = f64::from_bits(0x7ff8_0000_0000_0000);
    if value.to_bits() == canonical.to_bits() {
        constant(PrimitiveType::Double, "NaN")
    } else if value.is_nan() {
        from_bits(PrimitiveType::Double, "longBitsToDouble", &Value::Long(value.to_bits() as i64))
    } else if value == f64::INFINITY {
        constant(PrimitiveType::Double, "POSITIVE_INFINITY")
    } else if value == f64::NEG_INFINITY {
        constant(PrimitiveType::Double, "NEGATIVE_INFINITY")
    } else if value == f64::MAX {
        constant(PrimitiveType::Double, "MAX_VALUE")
    } else if value.to_bits() == 1 {
        constant(PrimitiveType::Double, "MIN_VALUE")
    } else {
        Expr::Literal(scientific(&format!("{value:?}")))
    }
}

fn from_bits(of: PrimitiveType, method: &str, bits: &Value) -> Expr {
    static_call(of.boxed(), method, vec![literal(bits, Context::Argument)])
}

/// A static method of a class of the platform.
pub(crate) fn static_call(class: ClassName, method: &str, arguments: Vec<Expr>) -> Expr {
    Expr::Call {
        receiver: Receiver::Class(class),
        type_arguments: Vec::new(),
        name: method.to_owned(),
        arguments,
    }
}

/// Rust's shortest exact digits in Java's form: `1e16` becomes `1.0E16`.
fn scientific(digits: &str) -> String {
    match digits.split_once('e') {
        Some((mantissa, exponent)) if mantissa.contains('.') => format!("{mantissa}E{exponent}"),
        Some((mantissa, exponent)) => format!("{mantissa}.0E{exponent}"),
        None => digits.to_owned(),
    }
}

/// `Integer.valueOf(5)`: a boxed value where a literal alone would be taken for a primitive one; `new String("a")`.
pub(crate) fn boxed_literal(value: &Value) -> Expr {
    match value.primitive_type() {
        Some(of) => static_call(of.boxed(), "valueOf", vec![literal(value, Context::Argument)]),
        None => Expr::New {
            outer: None,
            class: ClassName::string(),
            diamond: false,
            arguments: vec![literal(value, Context::Argument)],
        },
    }
}

/// Longer strings than a constant can hold are joined at run time: `+` of literals would be folded into one.
fn string_literal(text: &JavaString) -> Expr {
    if text.len() <= CONSTANT_UNITS {
        return Expr::Text(text.clone());
    }
    let empty = Expr::Text(JavaString::from(""));
    let parts = text.units().chunks(CONSTANT_UNITS).map(|part| Expr::Text(JavaString::new(part)));
    static_call(ClassName::string(), "join", std::iter::once(empty).chain(parts).collect())
}

/// A character in single quotes.
pub(crate) fn char_literal(unit: u16) -> String {
    match unit {
        0x27 => "'\\''".to_owned(),
        0x22 => "'\"'".to_owned(),
        _ => {
            let mut text = String::from("'");
            escape(unit, &mut text);
            text.push('\'');
            text
        }
    }
}

/// Code units escaped for a string literal, each on its own, so that a literal can be split between any two.
pub(crate) fn escaped_units(text: &JavaString) -> impl Iterator<Item = String> {
    text.units().iter().map(|&unit| {
        let mut escaped = String::new();
        escape(unit, &mut escaped);
        escaped
    })
}

/// A code unit as it stands in a string literal. Everything outside ASCII becomes `\uXXXX`, so the file means the
/// same whatever encoding `javac` assumes; line ends never do, for that escape is read before the literal (§3.3).
fn escape(unit: u16, text: &mut String) {
    match unit {
        0x08 => text.push_str("\\b"),
        0x09 => text.push_str("\\t"),
        0x0a => text.push_str("\\n"),
        0x0c => text.push_str("\\f"),
        0x0d => text.push_str("\\r"),
        0x22 => text.push_str("\\\""),
        0x5c => text.push_str("\\\\"),
        0x20..=0x7e => text.push(char::from(unit as u8)),
        _ => write!(text, "\\u{unit:04x}").expect("writing to a string does not fail"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::junit::layout::flat;

    fn check(value: impl std::borrow::Borrow<Value>, expect: &str) {
        assert_eq!(flat(&literal(value.borrow(), Context::Argument)), expect);
    }

    #[test]
    fn whole_numbers_have_suffixes_casts_and_named_limits() {
        check(Value::Boolean(true), "true");
        check(Value::Byte(-5), "(byte) -5");
        check(Value::Byte(127), "Byte.MAX_VALUE");
        check(Value::Short(300), "(short) 300");
        check(Value::Short(i16::MIN), "Short.MIN_VALUE");
        check(Value::Int(-42), "-42");
        check(Value::Int(i32::MIN), "Integer.MIN_VALUE");
        check(Value::Long(7), "7L");
        check(Value::Long(i64::MIN), "Long.MIN_VALUE");
        assert_eq!(flat(&literal(&Value::Byte(-5), Context::Assignment)), "-5");
        assert_eq!(flat(&boxed_literal(&Value::Byte(-5))), "Byte.valueOf((byte) -5)");
    }

    #[test]
    fn floating_point_numbers_are_exact() {
        check(Value::Double(0.1), "0.1");
        check(Value::Double(-0.0), "-0.0");
        check(Value::Double(1e16), "1.0E16");
        check(Value::Double(1.5e-7), "1.5E-7");
        check(Value::Double(f64::NAN), "Double.NaN");
        check(Value::Double(f64::NEG_INFINITY), "Double.NEGATIVE_INFINITY");
        check(Value::Double(f64::from_bits(1)), "Double.MIN_VALUE");
        check(
            Value::Double(f64::from_bits(0x7ff8_0000_0000_0001)),
            "Double.longBitsToDouble(9221120237041090561L)",
        );
        check(Value::Float(0.1), "0.1F");
        check(Value::Float(f32::MAX), "Float.MAX_VALUE");
        check(Value::Float(f32::from_bits(0xffc0_0000)), "Float.intBitsToFloat(-4194304)");
    }

    #[test]
    fn characters_and_strings_are_escaped() {
        check(Value::Char(0x41), "'A'");
        check(Value::Char(0x27), "'\\''");
        check(Value::Char(0x22), "'\"'");
        check(Value::Char(0x0a), "'\\n'");
        check(Value::Char(0), "'\\u0000'");
        check(Value::Char(0xd800), "'\\ud800'");
        check(Value::String("a\"\\u0041\r\n\té".into()), "\"a\\\"\\\\u0041\\r\\n\\t\\u00e9\"");
        check(Value::String(JavaString::new([0x61, 0xdc00])), "\"a\\udc00\"");
    }

    #[test]
    fn strings_beyond_the_limit_of_constants_are_joined() {
        let long = JavaString::new(vec![0x20ac; 45_000]);
        let Expr::Call { name, arguments, .. } = literal(&Value::String(long), Context::Argument) else {
            panic!("no call");
        };
        assert_eq!((name.as_str(), arguments.len()), ("join", 4));
    }
}
