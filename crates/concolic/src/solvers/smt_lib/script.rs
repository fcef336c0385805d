//! Terms in the language of SMT-LIB 2.6. Each register of a plan is a definition of its own, so that the text is as long as the plan;
//! floats come in and go out as their raw bits.
//!
//! Where there are texts, what is measured of them is an integer, and so are the inputs that are compared with it: see
//! `integers`. A register `r7` that is an integer is called `n7` as such.
//!
//! Some operators on texts are said of some texts alone, and have any value for others. A script with [`Script::narrow`] is about the former: its models
//! hold. Without it, "unsatisfiable" is true.

use std::fmt::Write as _;

use crate::solvers::smt_lib::integers::{Range, is_said_as_integer, numeral};
use crate::solvers::smt_lib::languages::{literal, of_units};
use crate::term::{Operator, Plan, Register, Sort, Value, mask};

/// The most code units of an input: a constant of a class file is no longer (JVMS 4.4.7).
const LONGEST: u32 = 65_535;

/// What a solver is told.
#[derive(Debug)]
pub(super) struct Script {
    /// Declarations, definitions and assertions.
    pub(super) text: String,
    /// Assertions under which all operators are said exactly; empty if they are anyway.
    pub(super) narrow: String,
    /// Assertions that characters are code units; solvers seldom choose others, and are slower with these.
    pub(super) units: String,
    /// Whether it is about texts.
    pub(super) has_texts: bool,
}

/// The script of a plan; what it cannot say otherwise.
pub(super) fn script(plan: &Plan<'_>) -> Result<Script, &'static str> {
    let has_texts = plan.registers().any(|register| sort_of(plan, register) == Sort::Text);
    let is_integer = is_said_as_integer(plan, has_texts);
    let ranges = vec![None; plan.len()];
    let [text, narrow, units] = [(); 3].map(|()| String::new());
    let script = Script { text, narrow, units, has_texts };
    let mut writer = Writer { plan, script, is_integer, ranges, fresh: 0 };
    for register in plan.registers() {
        writer.define(register)?;
    }
    for root in plan.roots() {
        writer.assert(&format!("r{}", root.index()));
    }
    Ok(writer.script)
}

/// A script that can be read by itself, with all assertions.
pub(crate) fn written(plan: &Plan<'_>) -> Result<String, &'static str> {
    let script = script(plan)?;
    let logic = script.logic();
    Ok(format!("(set-logic {logic})\n{}{}{}(check-sat)\n", script.text, script.narrow, script.units))
}

impl Script {
    /// The logic that it is in.
    pub(super) fn logic(&self) -> &'static str {
        if self.has_texts { "ALL" } else { "QF_BVFP" }
    }
}

pub(super) fn sort_of(plan: &Plan<'_>, register: Register) -> Sort {
    plan.terms().sort(plan.term(register))
}

/// What a register is defined as.
#[derive(Debug)]
pub(super) enum Body {
    /// A term of the sort of the register.
    Plain(String),
    /// An integer of a range whose low bits are the register.
    Integer(String, Range),
}

/// Writes a script.
#[derive(Debug)]
pub(super) struct Writer<'p> {
    pub(super) plan: &'p Plan<'p>,
    script: Script,
    /// Which registers are said as integers.
    pub(super) is_integer: Vec<bool>,
    /// The ranges of these, as far as they are defined.
    pub(super) ranges: Vec<Option<Range>>,
    /// Number of names that are no register.
    fresh: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        line(&mut self.script.text, text);
    }

    pub(super) fn assert(&mut self, condition: &str) {
        self.line(&format!("(assert {condition})"));
    }

    /// Asserts what makes all operators exact.
    pub(super) fn narrow(&mut self, condition: &str) {
        line(&mut self.script.narrow, &format!("(assert {condition})"));
    }

    /// A new constant of a sort.
    pub(super) fn declare(&mut self, sort: &str) -> String {
        self.fresh += 1;
        let name = format!("x{}", self.fresh);
        self.line(&format!("(declare-const {name} {sort})"));
        name
    }

    /// A new name for a term.
    pub(super) fn name(&mut self, sort: &str, body: &str) -> String {
        self.fresh += 1;
        let name = format!("x{}", self.fresh);
        self.line(&format!("(define-fun {name} () {sort} {body})"));
        name
    }

    fn define(&mut self, register: Register) -> Result<(), &'static str> {
        let (own, sort) = (register.index(), sort_of(self.plan, register));
        let body = match self.body(register)? {
            Body::Plain(body) => body,
            Body::Integer(body, range) => {
                self.ranges[own] = Some(range);
                self.line(&format!("(define-fun n{own} () Int {body})"));
                let constant = self.plan.terms().constant_of(self.plan.operator(register));
                constant
                    .map_or_else(|| format!("((_ int2bv {}) n{own})", sort.width()), |it| constant_of(&it))
            }
        };
        self.line(&format!("(define-fun r{own} () {} {body})", name(sort)));
        Ok(())
    }

    fn body(&mut self, register: Register) -> Result<Body, &'static str> {
        let (plan, own, sort) = (self.plan, register.index(), sort_of(self.plan, register));
        let operator = plan.operator(register);
        if let Operator::Input(..) = operator {
            return Ok(self.input(register));
        }
        if let Some(value) = plan.terms().constant_of(operator) {
            if let (Value::Bits { .. }, true) = (&value, self.is_integer[own]) {
                let number = i128::from(value.signed());
                return Ok(Body::Integer(numeral(number), Range::of(number)));
            }
            return Ok(Body::Plain(constant_of(&value)));
        }
        if let Some(body) = self.integer(register) {
            return Ok(body);
        }
        if let Some(body) = self.on_text(register)? {
            return Ok(body);
        }
        let of: Vec<String> =
            plan.operands(register).iter().map(|operand| format!("r{}", operand.index())).collect();
        if operator == Operator::ToRawBits {
            return Ok(Body::Plain(self.raw_bits(&of[0], sort_of(plan, plan.operands(register)[0]))));
        }
        let sorts: Vec<Sort> =
            plan.operands(register).iter().map(|&operand| sort_of(plan, operand)).collect();
        applied(operator, &of, &sorts, sort).map(Body::Plain)
    }

    fn input(&mut self, register: Register) -> Body {
        let (own, sort) = (register.index(), sort_of(self.plan, register));
        match sort {
            Sort::Bits(width) if self.is_integer[own] => {
                let range = Range::of_input(width);
                self.line(&format!("(declare-const i{own} Int)"));
                self.assert(&format!("(<= {} i{own} {})", numeral(range.low), numeral(range.high)));
                Body::Integer(format!("i{own}"), range)
            }
            Sort::Bool | Sort::Bits(_) => {
                self.line(&format!("(declare-const i{own} {})", name(sort)));
                Body::Plain(format!("i{own}"))
            }
            Sort::Float | Sort::Double => {
                self.line(&format!("(declare-const i{own} (_ BitVec {}))", float_width(sort)));
                Body::Plain(format!("({} i{own})", to_float(sort)))
            }
            Sort::Text => {
                self.line(&format!("(declare-const i{own} String)"));
                let is_of_units = format!("(assert (str.in_re i{own} {}))", of_units());
                line(&mut self.script.units, &is_of_units);
                self.assert(&format!("(<= (str.len i{own}) {LONGEST})"));
                Body::Plain(format!("i{own}"))
            }
        }
    }

    fn raw_bits(&mut self, of: &str, from: Sort) -> String {
        let width = float_width(from);
        let raw = self.declare(&format!("(_ BitVec {width})"));
        self.assert(&format!("(= ({} {raw}) {of})", to_float(from)));
        let nan = if from == Sort::Float { bits(32, 0x7fc0_0000) } else { bits(64, 0x7ff8 << 48) };
        self.assert(&format!("(=> (fp.isNaN {of}) (= {raw} {nan}))"));
        raw
    }
}

fn line(script: &mut String, text: &str) {
    writeln!(script, "{text}").expect("a string takes what is written");
}

fn name(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Float => "(_ FloatingPoint 8 24)".to_owned(),
        Sort::Double => "(_ FloatingPoint 11 53)".to_owned(),
        Sort::Text => "String".to_owned(),
    }
}

/// The conversion to a sort of floats.
fn to_float(sort: Sort) -> &'static str {
    if sort == Sort::Float { "(_ to_fp 8 24)" } else { "(_ to_fp 11 53)" }
}

fn float_width(sort: Sort) -> u8 {
    if sort == Sort::Float { 32 } else { 64 }
}

pub(super) fn bits(width: u8, bits: u64) -> String {
    format!("(_ bv{} {width})", bits & mask(width))
}

fn constant_of(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Bits { width, bits: number } => bits(*width, *number),
        Value::Float(number) => format!("((_ to_fp 8 24) {})", bits(32, u64::from(number.to_bits()))),
        Value::Double(number) => format!("((_ to_fp 11 53) {})", bits(64, number.to_bits())),
        Value::Text(units) => literal(units.iter().copied()),
    }
}

/// An operator with its operands.
fn applied(operator: Operator, of: &[String], sorts: &[Sort], to: Sort) -> Result<String, &'static str> {
    let from = sorts[0];
    let plain = |name: &str| Ok(format!("({name} {})", of.join(" ")));
    // tidy: constants and inputs are said elsewhere, and so are texts
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
        _ => Err("an operator in SMT-LIB"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{InputId, Terms};

    fn check(terms: &Terms, condition: crate::term::TermId, expected: &str) {
        let script = script(&Plan::new(terms, &[condition])).expect("it can be said");
        assert_eq!((script.text.as_str(), script.narrow.as_str()), (expected, ""));
    }

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
        check(&terms, condition, expected);
    }

    #[test]
    fn what_is_measured_of_texts_is_an_integer() {
        let mut terms = Terms::new();
        let text = terms.input(InputId(0), Sort::Text);
        let limit = terms.input(InputId(1), Sort::Bits(32));
        let length = terms.apply(Operator::Length, &[text]);
        let condition = terms.apply(Operator::SignedLess, &[length, limit]);
        let expected = "(declare-const i0 String)\n(assert (<= (str.len i0) 65535))\n(define-fun r0 () String i0)\n\
                        (declare-const i1 Int)\n(assert (<= (- 2147483648) i1 2147483647))\n\
                        (define-fun n1 () Int i1)\n(define-fun r1 () (_ BitVec 32) ((_ int2bv 32) n1))\n\
                        (define-fun n2 () Int (str.len r0))\n(define-fun r2 () (_ BitVec 32) ((_ int2bv 32) n2))\n\
                        (define-fun r3 () Bool (< n2 n1))\n(assert r3)\n";
        check(&terms, condition, expected);
    }
}
