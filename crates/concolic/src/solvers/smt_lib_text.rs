//! Terms in the language of SMT-LIB 2.6, and the values that solvers print. Each register of a plan is a definition of its own,
//! so that the text is as long as the plan; floats come in and go out as their raw bits.

use std::fmt::Write as _;

use crate::term::{Operator, Plan, Register, Sort, Value, mask};

/// The declarations and assertions of a plan; what it cannot say otherwise.
pub(super) fn script(plan: &Plan<'_>) -> Result<String, &'static str> {
    let mut script = String::new();
    for register in plan.registers() {
        define(plan, register, &mut script)?;
    }
    for root in plan.roots() {
        line(&mut script, &format!("(assert r{})", root.index()));
    }
    Ok(script)
}

fn line(script: &mut String, text: &str) {
    writeln!(script, "{text}").expect("a string takes what is written");
}

fn sort_of(plan: &Plan<'_>, register: Register) -> Sort {
    plan.terms().sort(plan.term(register))
}

fn name(sort: Sort) -> Result<String, &'static str> {
    match sort {
        Sort::Bool => Ok("Bool".to_owned()),
        Sort::Bits(width) => Ok(format!("(_ BitVec {width})")),
        Sort::Float => Ok("(_ FloatingPoint 8 24)".to_owned()),
        Sort::Double => Ok("(_ FloatingPoint 11 53)".to_owned()),
        Sort::Text => Err("texts in SMT-LIB"),
    }
}

/// The conversion to a sort of floats.
fn to_float(sort: Sort) -> &'static str {
    if sort == Sort::Float { "(_ to_fp 8 24)" } else { "(_ to_fp 11 53)" }
}

fn float_width(sort: Sort) -> u8 {
    if sort == Sort::Float { 32 } else { 64 }
}

fn define(plan: &Plan<'_>, register: Register, script: &mut String) -> Result<(), &'static str> {
    let sort = sort_of(plan, register);
    let own = register.index();
    let of: Vec<String> =
        plan.operands(register).iter().map(|operand| format!("r{}", operand.index())).collect();
    let operator = plan.operator(register);
    let body = if let Operator::Input(..) = operator {
        match sort {
            Sort::Bool | Sort::Bits(_) => {
                line(script, &format!("(declare-const i{own} {})", name(sort)?));
                format!("i{own}")
            }
            Sort::Float | Sort::Double => {
                line(script, &format!("(declare-const i{own} (_ BitVec {}))", float_width(sort)));
                format!("({} i{own})", to_float(sort))
            }
            Sort::Text => return Err("texts in SMT-LIB"),
        }
    } else if let Some(value) = plan.terms().constant_of(operator) {
        constant(&value)?
    } else if operator == Operator::ToRawBits {
        let (from, width) = (sort_of(plan, plan.operands(register)[0]), sort.width());
        line(script, &format!("(declare-const b{own} (_ BitVec {width}))"));
        line(script, &format!("(assert (= ({} b{own}) {}))", to_float(from), of[0]));
        let nan = if from == Sort::Float { bits(32, 0x7fc0_0000) } else { bits(64, 0x7ff8 << 48) };
        line(script, &format!("(assert (=> (fp.isNaN {}) (= b{own} {nan})))", of[0]));
        format!("b{own}")
    } else {
        let sorts: Vec<Sort> =
            plan.operands(register).iter().map(|&operand| sort_of(plan, operand)).collect();
        applied(operator, &of, &sorts, sort)?
    };
    line(script, &format!("(define-fun r{own} () {} {body})", name(sort)?));
    Ok(())
}

fn bits(width: u8, bits: u64) -> String {
    format!("(_ bv{} {width})", bits & mask(width))
}

fn constant(value: &Value) -> Result<String, &'static str> {
    match value {
        Value::Bool(truth) => Ok(truth.to_string()),
        Value::Bits { width, bits: number } => Ok(bits(*width, *number)),
        Value::Float(number) => Ok(format!("((_ to_fp 8 24) {})", bits(32, u64::from(number.to_bits())))),
        Value::Double(number) => Ok(format!("((_ to_fp 11 53) {})", bits(64, number.to_bits()))),
        Value::Text(_) => Err("texts in SMT-LIB"),
    }
}

/// An operator with its operands.
fn applied(operator: Operator, of: &[String], sorts: &[Sort], to: Sort) -> Result<String, &'static str> {
    let from = sorts[0];
    let plain = |name: &str| Ok(format!("({name} {})", of.join(" ")));
    // tidy: those on texts are refused together
    match operator {
        Operator::Not => plain("not"),
        Operator::And => plain("and"),
        Operator::Or => plain("or"),
        Operator::IfThenElse => plain("ite"),
        Operator::Equal => plain("="),
        Operator::Add => plain("bvadd"),
        Operator::Subtract => plain("bvsub"),
        Operator::Multiply => plain("bvmul"),
        Operator::Divide => plain("bvsdiv"),
        Operator::Remainder => plain("bvsrem"),
        Operator::Negate => plain("bvneg"),
        Operator::BitAnd => plain("bvand"),
        Operator::BitOr => plain("bvor"),
        Operator::BitXor => plain("bvxor"),
        Operator::SignedLess => plain("bvslt"),
        Operator::SignedLessEqual => plain("bvsle"),
        Operator::UnsignedLess => plain("bvult"),
        Operator::UnsignedLessEqual => plain("bvule"),
        Operator::SignExtend(width) => plain(&format!("(_ sign_extend {})", width - from.width())),
        Operator::ZeroExtend(width) => plain(&format!("(_ zero_extend {})", width - from.width())),
        Operator::Truncate(width) => plain(&format!("(_ extract {} 0)", width - 1)),
        Operator::FloatAdd => plain("fp.add RNE"),
        Operator::FloatSubtract => plain("fp.sub RNE"),
        Operator::FloatMultiply => plain("fp.mul RNE"),
        Operator::FloatDivide => plain("fp.div RNE"),
        Operator::FloatRemainder => Err("the remainder of floats in SMT-LIB"),
        Operator::FloatNegate => plain("fp.neg"),
        Operator::FloatLess => plain("fp.lt"),
        Operator::FloatLessEqual => plain("fp.leq"),
        Operator::FloatEqual => plain("fp.eq"),
        Operator::IsNan => plain("fp.isNaN"),
        Operator::SignedToFloat
        | Operator::SignedToDouble
        | Operator::FloatToDouble
        | Operator::DoubleToFloat => plain(&format!("{} RNE", to_float(to))),
        Operator::FromRawBits => plain(to_float(to)),
        Operator::FloatToSigned(width) => Ok(to_signed(&of[0], from, width)),
        Operator::ShiftLeft => Ok(shifted("bvshl", of, sorts)),
        Operator::ShiftRight => Ok(shifted("bvashr", of, sorts)),
        Operator::UnsignedShiftRight => Ok(shifted("bvlshr", of, sorts)),
        _ => Err("texts in SMT-LIB"),
    }
}

/// A shift, its distance brought to the width of the value and masked.
fn shifted(name: &str, of: &[String], sorts: &[Sort]) -> String {
    let (width, distance_width) = (sorts[0].width(), sorts[1].width());
    let distance = match distance_width.cmp(&width) {
        std::cmp::Ordering::Less => format!("((_ zero_extend {}) {})", width - distance_width, of[1]),
        std::cmp::Ordering::Equal => of[1].clone(),
        std::cmp::Ordering::Greater => format!("((_ extract {} 0) {})", width - 1, of[1]),
    };
    let masked = bits(width, u64::from(width).next_power_of_two() - 1);
    format!("({name} {} (bvand {distance} {masked}))", of[0])
}

/// To a signed number: to 0, saturating, NaN to 0 (JLS 5.1.3).
fn to_signed(of: &str, from: Sort, width: u8) -> String {
    let limit = 2_f64.powi(i32::from(width) - 1);
    let number = |value: f64| match from {
        Sort::Float => format!("((_ to_fp 8 24) {})", bits(32, u64::from((value as f32).to_bits()))),
        Sort::Bool | Sort::Bits(_) | Sort::Double | Sort::Text => {
            format!("((_ to_fp 11 53) {})", bits(64, value.to_bits()))
        }
    };
    let (highest, lowest) = (bits(width, mask(width) >> 1), bits(width, 1 << (width - 1)));
    format!(
        "(ite (fp.isNaN {of}) {} (ite (fp.geq {of} {}) {highest} (ite (fp.leq {of} {}) {lowest} ((_ fp.to_sbv {width}) RTZ {of}))))",
        bits(width, 0),
        number(limit),
        number(-limit)
    )
}

/// The numbers of an answer to `get-value`, in their order: `((i0 #x00ff) (i1 true) (i2 (_ bv3 8)))`.
pub(super) fn read_numbers(answer: &str, count: usize) -> Option<Vec<u64>> {
    let spaced = answer.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> =
        spaced.split_whitespace().filter(|word| !matches!(*word, "(" | ")" | "_")).collect();
    let mut numbers = Vec::new();
    let mut words = words.into_iter();
    while let Some(input) = words.next() {
        input.strip_prefix('i')?.parse::<u32>().ok()?;
        let value = words.next()?;
        let number = if let Some(digits) = value.strip_prefix("#x") {
            u64::from_str_radix(digits, 16).ok()?
        } else if let Some(digits) = value.strip_prefix("#b") {
            u64::from_str_radix(digits, 2).ok()?
        } else if let Some(digits) = value.strip_prefix("bv") {
            words.next()?;
            digits.parse().ok()?
        } else {
            u64::from(value.parse::<bool>().ok()?)
        };
        numbers.push(number);
    }
    (numbers.len() == count).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{InputId, Terms};

    #[test]
    fn terms_are_printed_one_definition_each() {
        let mut terms = Terms::new();
        let x = terms.input(InputId(0), Sort::Bits(64));
        let distance = terms.input(InputId(1), Sort::Bits(32));
        let shifted = terms.apply(Operator::ShiftLeft, &[x, distance]);
        let condition = terms.apply(Operator::SignedLess, &[shifted, x]);
        let expected = "(declare-const i0 (_ BitVec 64))\n(define-fun r0 () (_ BitVec 64) i0)\n\
                        (declare-const i1 (_ BitVec 32))\n(define-fun r1 () (_ BitVec 32) i1)\n\
                        (define-fun r2 () (_ BitVec 64) (bvshl r0 (bvand ((_ zero_extend 32) r1) (_ bv63 64))))\n\
                        (define-fun r3 () Bool (bvslt r2 r0))\n(assert r3)\n";
        assert_eq!(script(&Plan::new(&terms, &[condition])).as_deref(), Ok(expected));
    }

    #[test]
    fn values_are_read_and_nonsense_is_not() {
        assert_eq!(
            read_numbers("((i0 #x00ff)\n (i12 true) (i3 (_ bv7 8)) (i4 #b10))", 4),
            Some(vec![255, 1, 7, 2])
        );
        for nonsense in ["", "(error \"no\")", "((i0 #xzz))", "((x #x00))", "((i0 #x00) (i1 #x00))"] {
            assert_eq!(read_numbers(nonsense, 1), None, "{nonsense}");
        }
    }
}
