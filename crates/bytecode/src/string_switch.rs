//! Switches over strings, recognized in the code that compilers make of them.
//!
//! All of them switch over the hash code first and then call `equals`. javac stores the number of the case and
//! has a second switch over that; ecj and Kotlin jump to the case at once.

use crate::class_file::Constant;
use crate::instruction::{InstructionIndex, Operand};
use crate::method_code::{MethodCode, instruction_index};
use crate::opcode::*;

/// `String.hashCode`
pub(crate) const HASH_CODE: (&str, &str, &str) = ("java/lang/String", "hashCode", "()I");

/// `String.equals`
pub(crate) const EQUALS: (&str, &str, &str) = ("java/lang/String", "equals", "(Ljava/lang/Object;)Z");

/// A switch over strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringSwitch {
    /// The switch whose outcomes tell the cases apart: javac's second switch, else the one over hash codes.
    pub switch: InstructionIndex,
    /// The switch over hash codes.
    pub hash_switch: InstructionIndex,
    /// Local variable that holds the string, at both switches.
    pub local: u16,
    /// Each string that is compared with, and the key of `switch` that it leads to.
    pub cases: Vec<StringCase>,
}

/// A string of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringCase {
    /// The string, as UTF-16 code units.
    pub text: Vec<u16>,
    /// The key of [`StringSwitch::switch`] that it leads to. Several strings may share a key: cases with one
    /// body, or equal hash codes.
    pub key: i32,
}

/// All switches over strings of a method, in code order.
pub fn string_switches(code: &MethodCode<'_>) -> Vec<StringSwitch> {
    if !code.has_switches() {
        return Vec::new();
    }
    (0..code.len())
        .filter(|&index| is_switch(code.opcode(index)) && is_call(code, index.wrapping_sub(1), HASH_CODE))
        .filter_map(|index| javac(code, index).or_else(|| by_hash(code, index)))
        .collect()
}

/// The switch that javac makes, if the one at this instruction is its first half: `c = -1`, a switch over
/// `s.hashCode()`, comparisons that set `c`, and a switch over `c`.
pub(crate) fn javac(code: &MethodCode<'_>, hash_switch: usize) -> Option<StringSwitch> {
    let second = code.at(code.switch(hash_switch)?.default)?;
    let start = hash_switch.checked_sub(4)?;
    // What a line or a frame separates does not belong together.
    let apart = |index: usize| code.marks(index).line || code.marks(index).frame;
    if code.opcode(start) != ICONST_M1 || (start + 1..=hash_switch).any(apart) {
        return None;
    }
    let number = variable(code, start + 1, ISTORE)?;
    let local = variable(code, start + 2, ALOAD)?;
    if !is_call(code, start + 3, HASH_CODE) {
        return None;
    }
    let mut cases = Vec::new();
    let mut next = hash_switch + 1;
    loop {
        let text = compared_text(code, next, local)?;
        let key = int_constant(code, next + 4)?;
        if code.opcode(next + 3) != IFEQ || variable(code, next + 5, ISTORE)? != number {
            return None;
        }
        cases.push(StringCase { text, key });
        next += 6;
        if next == second {
            break;
        }
        if next >= code.len() || general_form(code.opcode(next)) != GOTO || code.jump_target(next)? != second
        {
            return None;
        }
        next += 1;
    }
    (variable(code, next, ILOAD)? == number && code.switch(next + 1).is_some()).then(|| StringSwitch {
        switch: instruction_index(next + 1),
        hash_switch: instruction_index(hash_switch),
        local,
        cases,
    })
}

/// A switch over `s.hashCode()` whose every case starts with `s.equals` of a constant.
fn by_hash(code: &MethodCode<'_>, hash_switch: usize) -> Option<StringSwitch> {
    let before = hash_switch.checked_sub(2)?;
    let stored = variable(code, before, ALOAD).or_else(|| variable(code, before, ASTORE))?;
    let operand = code.switch(hash_switch)?;
    let mut cases = Vec::new();
    for &(hash, offset) in operand.cases.iter().filter(|case| case.1 != operand.default) {
        let mut next = code.at(offset)?;
        let mut found = false;
        while let Some(text) = compared_text(code, next, stored) {
            found = true;
            cases.push(StringCase { text, key: hash });
            let behind = if code.opcode(next + 3) == IFEQ { code.jump_target(next + 3)? } else { next + 4 };
            // Comparisons follow each other in the code, so going back would be going round in circles.
            if behind <= next {
                return None;
            }
            next = behind;
        }
        if !found {
            return None;
        }
    }
    (!cases.is_empty()).then(|| StringSwitch {
        switch: instruction_index(hash_switch),
        hash_switch: instruction_index(hash_switch),
        local: stored,
        cases,
    })
}

/// The constant of `s.equals("…")` followed by a conditional jump.
fn compared_text(code: &MethodCode<'_>, start: usize, local: u16) -> Option<Vec<u16>> {
    if variable(code, start, ALOAD)? != local || !is_call(code, start + 2, EQUALS) {
        return None;
    }
    let Operand::Constant(constant) = code.instructions.get(start + 1)?.operand else { return None };
    let (LDC, Ok(Constant::String(text))) =
        (general_form(code.opcode(start + 1)), code.class.constants.loadable(constant))
    else {
        return None;
    };
    matches!(code.instructions.get(start + 3)?.opcode, IFEQ | IFNE).then_some(text)
}

fn variable(code: &MethodCode<'_>, index: usize, opcode: u8) -> Option<u16> {
    (general_form(code.instructions.get(index)?.opcode) == opcode).then(|| code.local(index)).flatten()
}

fn int_constant(code: &MethodCode<'_>, index: usize) -> Option<i32> {
    let instruction = code.instructions.get(index)?;
    match (instruction.opcode, &instruction.operand) {
        (opcode @ ICONST_M1..=ICONST_5, _) => Some(i32::from(opcode) - i32::from(ICONST_0)),
        (_, Operand::Immediate(value)) => Some(*value),
        (LDC | LDC_W, Operand::Constant(constant)) => match code.class.constants.loadable(*constant) {
            Ok(Constant::Integer(value)) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

fn is_call(code: &MethodCode<'_>, index: usize, method: (&str, &str, &str)) -> bool {
    code.is_member(index, method) && code.opcode(index) == INVOKEVIRTUAL
}
