//! Mutants: calls that get the operands of an instruction, tell how far its mutants are from being infected, and give
//! what the selected one makes of it. A call that can be left out is jumped over; nothing else needs a jump.

use crate::instrument::code_editor::EditError;
use crate::instrument::frames::RawFrame;
use crate::instrument::insertions::{Arrival, Detour, Writer};
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::mutate::{Kind, Means, MutationPoint, condition_of, operator_of};
use crate::opcode::*;
use crate::verification::Frame;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Full, sites: Sites::Method(place) };

/// Local variables that hold operands while others are copied.
const SCRATCH: u16 = 4;

/// Where the condition of a jump, or the number of an operator, lies in the shape of a point.
const HIGH: u32 = 16;

/// Says that a comparison with NaN counts as above.
const NAN_IS_ABOVE: i32 = 1 << 19;

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    for point in method.report.map_or(&[][..], |report| report.mutants) {
        let at = Place {
            method,
            point,
            index: point.instruction.index(),
            offset: method.offset(point.instruction.index())?,
        };
        match point.means {
            Means::Condition => at.condition(edits),
            Means::Operator => at.operator(edits),
            Means::Result => at.result(edits)?,
            Means::Increment => at.increment(edits)?,
            Means::Return => at.replace_value(edits, at.offset, Arrival::Any),
            Means::Variable(other) => at.variable(edits, other)?,
            Means::Call => at.call(edits)?,
        }
    }
    Ok(())
}

/// A point on its way into the code.
#[derive(Debug, Clone, Copy)]
struct Place<'p> {
    method: &'p Method<'p>,
    point: &'p MutationPoint,
    index: usize,
    offset: u32,
}

impl Place<'_> {
    fn shape(self, high: i32) -> i32 {
        i32::from(self.point.mask) | high << HIGH
    }

    fn ids(self, code: &mut Writer<'_>, high: i32) {
        code.push(self.point.probe.0 as i32);
        self.outcome_and_shape(code, high);
    }

    fn outcome_and_shape(self, code: &mut Writer<'_>, high: i32) {
        code.push(self.point.first.0 as i32);
        code.push(self.shape(high));
    }

    fn behind(self) -> Result<u32, EditError> {
        self.method.offset(self.index + 1)
    }

    fn opcode(self) -> u8 {
        self.method.opcode(self.index).unwrap_or(NOP)
    }

    fn condition(self, edits: &mut Edits<'_>) {
        let opcode = self.opcode();
        match opcode {
            LCMP..=DCMPG => self.wide_condition(edits, opcode),
            IF_ICMPEQ..=IF_ICMPLE => edits.insert(self.offset, Arrival::Any, 3, |code| {
                self.ids(code, high_of(opcode));
                code.call(RuntimeMethod::ConditionInts);
                // The operands in the halves of a long.
                code.op(DUP2);
                code.push(32);
                code.op(LUSHR);
                code.op(L2I);
                code.op(DUP_X2);
                code.op(POP);
                code.op(L2I);
            }),
            IF_ACMPEQ | IF_ACMPNE => edits.insert(self.offset, Arrival::Any, 5, |code| {
                code.op(DUP2);
                self.ids(code, 0);
                code.call(RuntimeMethod::ConditionReferences);
                code.op(SWAP);
                code.op(POP);
            }),
            _ => edits.insert(self.offset, Arrival::Any, 3, |code| {
                self.ids(code, high_of(opcode));
                code.call(match self.point.kind {
                    Kind::Reference => RuntimeMethod::ConditionReference,
                    Kind::Int | Kind::Long | Kind::Float | Kind::Double => RuntimeMethod::ConditionInt,
                });
            }),
        }
    }

    /// Both operands of a comparison in front of a jump are replaced.
    fn wide_condition(self, edits: &mut Edits<'_>, opcode: u8) {
        let jump = self.method.opcode(self.index + 1).unwrap_or(IFEQ);
        let above = if matches!(opcode, FCMPG | DCMPG) { NAN_IS_ABOVE >> HIGH } else { 0 };
        let high = high_of(jump) | above;
        let (store, load, first, second) = match opcode {
            LCMP => (LSTORE, LLOAD, RuntimeMethod::FirstLong, RuntimeMethod::SecondLong),
            FCMPL | FCMPG => (FSTORE, FLOAD, RuntimeMethod::FirstFloat, RuntimeMethod::SecondFloat),
            _ => (DSTORE, DLOAD, RuntimeMethod::FirstDouble, RuntimeMethod::SecondDouble),
        };
        let scratch = self.scratch(edits);
        edits.insert(self.offset, Arrival::Any, 3, |code| {
            code.local(store, scratch.wrapping_add(2));
            code.local(store, scratch);
            code.local(load, scratch);
            code.local(load, scratch.wrapping_add(2));
            self.ids(code, high);
            code.call(first);
            code.local(load, scratch.wrapping_add(2));
            self.outcome_and_shape(code, high);
            code.call(second);
        });
    }

    /// The first of the scratch variables. One beyond the range is refused when the method is rewritten.
    fn scratch(self, edits: &mut Edits<'_>) -> u16 {
        edits.insertions.need_locals(SCRATCH);
        self.method.scratch()
    }

    fn operator(self, edits: &mut Edits<'_>) {
        let opcode = self.opcode();
        match opcode {
            IDIV | IREM => {
                edits.insert(self.offset, Arrival::Any, 5, |code| {
                    code.op(DUP2);
                    self.ids(code, number_of(opcode));
                    code.call(RuntimeMethod::DivisorInt);
                    code.op(SWAP);
                    code.op(POP);
                });
                self.quotient(edits, RuntimeMethod::QuotientInt);
            }
            LDIV | LREM => {
                let scratch = self.scratch(edits);
                edits.insert(self.offset, Arrival::Any, 5, |code| {
                    code.local(LSTORE, scratch);
                    code.op(DUP2);
                    code.local(LLOAD, scratch);
                    self.ids(code, number_of(opcode));
                    code.call(RuntimeMethod::DivisorLong);
                });
                self.quotient(edits, RuntimeMethod::QuotientLong);
            }
            _ => {
                if let Some(call) = RuntimeMethod::of_operator(opcode) {
                    edits.insert(self.offset, Arrival::Instead, 3, |code| {
                        self.ids(code, 0);
                        code.call(call);
                    });
                }
            }
        }
    }

    fn quotient(self, edits: &mut Edits<'_>, call: RuntimeMethod) {
        // There is always a next instruction behind one that goes on.
        if let Ok(behind) = self.behind() {
            edits.insert(behind, Arrival::Fallthrough, 2, |code| {
                self.outcome_and_shape(code, 0);
                code.call(call);
            });
        }
    }

    fn result(self, edits: &mut Edits<'_>) -> Result<(), EditError> {
        self.replace_value(edits, self.behind()?, Arrival::Fallthrough);
        Ok(())
    }

    fn replace_value(self, edits: &mut Edits<'_>, before: u32, arrival: Arrival) {
        edits.insert(before, arrival, 3, |code| {
            self.ids(code, 0);
            code.call(match self.point.kind {
                Kind::Int => RuntimeMethod::ValueInt,
                Kind::Long => RuntimeMethod::ValueLong,
                Kind::Float => RuntimeMethod::ValueFloat,
                Kind::Double => RuntimeMethod::ValueDouble,
                Kind::Reference => RuntimeMethod::ValueReference,
            });
            self.cast(code);
        });
    }

    fn cast(self, code: &mut Writer<'_>) {
        if let Some(class) = &self.point.class {
            code.cast(class);
        }
    }

    fn increment(self, edits: &mut Edits<'_>) -> Result<(), EditError> {
        let Some((variable, amount)) = self.method.increment(self.index) else { return Ok(()) };
        edits.insert(self.behind()?, Arrival::Fallthrough, 4, |code| {
            code.local(ILOAD, variable);
            self.ids(code, amount.into());
            code.call(RuntimeMethod::ValueInt);
            code.local(ISTORE, variable);
        });
        Ok(())
    }

    fn variable(self, edits: &mut Edits<'_>, other: u16) -> Result<(), EditError> {
        let (load, call) = match self.point.kind {
            Kind::Int => (ILOAD, RuntimeMethod::VariableInt),
            Kind::Long => (LLOAD, RuntimeMethod::VariableLong),
            Kind::Float => (FLOAD, RuntimeMethod::VariableFloat),
            Kind::Double => (DLOAD, RuntimeMethod::VariableDouble),
            Kind::Reference => (ALOAD, RuntimeMethod::VariableReference),
        };
        edits.insert(self.behind()?, Arrival::Fallthrough, 5, |code| {
            code.local(load, other);
            self.ids(code, 0);
            code.call(call);
            self.cast(code);
        });
        Ok(())
    }

    fn call(self, edits: &mut Edits<'_>) -> Result<(), EditError> {
        let Some(frames) = &self.point.frames else { return Ok(()) };
        let (before, behind) = &**frames;
        let call = RawFrame::of(before, edits.constants);
        let after = RawFrame::of(behind, edits.constants);
        let jumps_to = self.behind()?;
        let method = self.method.constant(self.index);
        let method = method.and_then(|method| self.method.class.constants.member_bytes(method));
        let returns = method.is_some_and(|(_, _, descriptor)| !descriptor.ends_with(b"V"));
        let mut goto_at = 0;
        edits.insert(self.offset, Arrival::Any, 3, |code| {
            let start = code.position();
            self.ids(code, 0);
            code.call(RuntimeMethod::Omits);
            let leaves_at = code.position();
            code.short(IFEQ, 0);
            instead_of_call(code, before, behind, returns);
            goto_at = code.position() - start;
            code.short(GOTO, 0);
            // To what stands behind the piece.
            code.patch_jump(leaves_at);
        });
        edits.insertions.detour(Detour { goto_at, jumps_to, call, after });
        Ok(())
    }
}

/// Takes the arguments of a call from the stack and leaves what it would.
fn instead_of_call(code: &mut Writer<'_>, before: &Frame, behind: &Frame, returns: bool) {
    use crate::verification::VerificationType::{
        Double, Float, Int, Long, Null, Object, Top, Uninitialized, UninitializedThis,
    };
    let result = behind.stack.last().filter(|_| returns);
    let kept = behind.stack.len() - usize::from(result.is_some());
    for argument in before.stack.iter().skip(kept).rev() {
        code.op(if argument.is_wide() { POP2 } else { POP });
    }
    match result {
        Some(Int) => code.op(ICONST_0),
        Some(Long) => code.op(LCONST_0),
        Some(Float) => code.op(FCONST_0),
        Some(Double) => code.op(DCONST_0),
        Some(Null | Object(_) | Top | Uninitialized(_) | UninitializedThis) => code.op(ACONST_NULL),
        None => {}
    }
}

/// The high bits of the shape of a condition.
fn high_of(jump: u8) -> i32 {
    i32::from(condition_of(jump).unwrap_or_default())
}

/// The high bits of the shape of a division.
fn number_of(opcode: u8) -> i32 {
    i32::from(operator_of(opcode).unwrap_or_default())
}
