//! Work of the JDK that grows with a number: the number is charged as steps before it begins, since nothing in there
//! spends any. What a small number starts costs nothing.

use crate::descriptor::MethodDescriptor;
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::*;

const OPCODES: &[u8] = &[NEWARRAY, ANEWARRAY, MULTIANEWARRAY, INVOKEVIRTUAL, INVOKESPECIAL, INVOKESTATIC];

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Light, sites: Sites::Instructions(OPCODES, place) };

/// Where the number lies on the operand stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lies {
    /// On top.
    Top,
    /// Below one value of a slot.
    Second,
}

use Lies::{Second, Top};

/// What a step stands for where memory is filled: elements, or bytes. A brief run gets five million of them, which take some
/// milliseconds; the tables of a compressor are as large as that.
const MEMORY: i32 = 256;

/// Methods of the JDK by owner, name and descriptor; where the number lies, and how much of it is a step.
///
/// Powers and scales of big numbers take more than linear time, so their unit is small.
const METHODS: &[(&str, &str, &str, Lies, i32)] = &[
    ("java/lang/String", "repeat", "(I)Ljava/lang/String;", Top, MEMORY),
    ("java/lang/StringBuffer", "<init>", "(I)V", Top, MEMORY),
    ("java/lang/StringBuffer", "ensureCapacity", "(I)V", Top, MEMORY),
    ("java/lang/StringBuffer", "setLength", "(I)V", Top, MEMORY),
    ("java/lang/StringBuilder", "<init>", "(I)V", Top, MEMORY),
    ("java/lang/StringBuilder", "ensureCapacity", "(I)V", Top, MEMORY),
    ("java/lang/StringBuilder", "setLength", "(I)V", Top, MEMORY),
    ("java/math/BigDecimal", "movePointLeft", "(I)Ljava/math/BigDecimal;", Top, 1),
    ("java/math/BigDecimal", "movePointRight", "(I)Ljava/math/BigDecimal;", Top, 1),
    ("java/math/BigDecimal", "pow", "(I)Ljava/math/BigDecimal;", Top, 1),
    ("java/math/BigDecimal", "setScale", "(I)Ljava/math/BigDecimal;", Top, 1),
    ("java/math/BigDecimal", "setScale", "(II)Ljava/math/BigDecimal;", Second, 1),
    ("java/math/BigDecimal", "setScale", "(ILjava/math/RoundingMode;)Ljava/math/BigDecimal;", Second, 1),
    ("java/math/BigInteger", "pow", "(I)Ljava/math/BigInteger;", Top, 1),
    ("java/math/BigInteger", "setBit", "(I)Ljava/math/BigInteger;", Top, 8 * MEMORY),
    ("java/math/BigInteger", "shiftLeft", "(I)Ljava/math/BigInteger;", Top, 8 * MEMORY),
    ("java/nio/ByteBuffer", "allocate", "(I)Ljava/nio/ByteBuffer;", Top, MEMORY),
    ("java/nio/ByteBuffer", "allocateDirect", "(I)Ljava/nio/ByteBuffer;", Top, MEMORY),
    ("java/util/ArrayDeque", "<init>", "(I)V", Top, MEMORY),
    ("java/util/ArrayList", "<init>", "(I)V", Top, MEMORY),
    ("java/util/ArrayList", "ensureCapacity", "(I)V", Top, MEMORY),
    ("java/util/BitSet", "<init>", "(I)V", Top, 8 * MEMORY),
    ("java/util/BitSet", "set", "(I)V", Top, 8 * MEMORY),
    ("java/util/PriorityQueue", "<init>", "(I)V", Top, MEMORY),
    ("java/util/Vector", "<init>", "(I)V", Top, MEMORY),
    ("java/util/concurrent/ArrayBlockingQueue", "<init>", "(I)V", Top, MEMORY),
];

/// The parameter of a method of the JDK by which its work grows, counted from 0.
pub(crate) fn size_parameter(owner: &str, name: &str, descriptor: &str) -> Option<usize> {
    let row = METHODS.iter().find(|row| (row.0, row.1, row.2) == (owner, name, descriptor))?;
    let parameters = MethodDescriptor::parse(descriptor).ok()?.parameters.len();
    match row.3 {
        Top => parameters.checked_sub(1),
        Second => parameters.checked_sub(2),
    }
}

fn place(method: &Method<'_>, index: usize, edits: &mut Edits<'_>) -> Result<(), EditError> {
    if method.opcode(index) == Some(MULTIANEWARRAY) && method.dimensions(index) > Some(1) {
        // The last two numbers alone: they are those of the arrays that are made most often.
        edits.insert(method.offset(index)?, Arrival::Any, 3, |code| {
            code.op(DUP2);
            code.push(MEMORY);
            code.call(RuntimeMethod::Matrix);
        });
        return Ok(());
    }
    let Some((lies, unit)) = number(method, index).filter(|_| !is_small_constant(method, index)) else {
        return Ok(());
    };
    let stack = match lies {
        Top => 2,
        Second => 3,
    };
    edits.insert(method.offset(index)?, Arrival::Any, stack, |code| {
        match lies {
            Top => code.op(DUP),
            Second => {
                code.op(DUP2);
                code.op(POP);
            }
        }
        code.push(unit);
        code.call(RuntimeMethod::Size);
    });
    Ok(())
}

fn number(method: &Method<'_>, index: usize) -> Option<(Lies, i32)> {
    match method.opcode(index)? {
        NEWARRAY | ANEWARRAY | MULTIANEWARRAY => Some((Top, MEMORY)),
        _ => {
            let constant = method.constant(index)?;
            let (owner, name, descriptor) = method.class.constants.member_bytes(constant)?;
            // Most calls are none of the JDK.
            owner.strip_prefix(b"java/")?;
            let row = METHODS.iter().find(|row| {
                row.0.as_bytes() == owner && row.1.as_bytes() == name && row.2.as_bytes() == descriptor
            })?;
            Some((row.3, row.4))
        }
    }
}

/// Whether the number on top was pushed by an instruction that has it in itself, or in a byte or two behind it.
fn is_small_constant(method: &Method<'_>, index: usize) -> bool {
    let before = method.only_predecessor(index).and_then(|before| method.opcode(before));
    before.is_some_and(|before| (ICONST_M1..=ICONST_5).contains(&before) || matches!(before, BIPUSH | SIPUSH))
}
