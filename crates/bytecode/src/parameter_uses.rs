//! What methods do with some of their parameters: which numbers are sizes, as much as they say is allocated, filled or repeated;
//! which strings are paths of files.
//!
//! A forward analysis over the slots of the operand stack and of the local variables, each with the parameters that its
//! value was computed from: numbers by adding, subtracting, multiplying and converting, strings by nothing but passing them on. A
//! parameter is a size if it reaches the length of a new array, a parameter of a method of the JDK that work grows with (those that
//! probes charge steps for), the comparison by which a loop ends, or a size of another method. It is a path if it reaches a
//! parameter of a method of the JDK that is one, or of another method.
//!
//! What is stored in a field and read by another method is not followed: what is found is a hint for who draws numbers, no
//! proof.

use std::rc::Rc;
use std::sync::Arc;

use crate::code_files::CodeFiles;
use crate::descriptor::{ErasedType, MethodDescriptor, PrimitiveType};
use crate::instruction::Operand;
use crate::instrument::size_parameter;
use crate::lookup::Lookup;
use crate::method_code::MethodCode;
use crate::name::ClassName;
use crate::opcode::*;
use crate::purity::frame::{dynamic_descriptor, effect, falls_through, shuffle};

/// Longest method that is looked into, in instructions.
const LONGEST_METHOD: usize = 1000;
/// How deep calls are followed.
const DEEPEST: usize = 4;

/// Members of the JDK whose first parameter is the path of a file where it is a string: class, name.
const PATHS: [(&str, &str); 15] = [
    ("java/io/File", "<init>"),
    ("java/io/FileInputStream", "<init>"),
    ("java/io/FileOutputStream", "<init>"),
    ("java/io/FileReader", "<init>"),
    ("java/io/FileWriter", "<init>"),
    ("java/io/PrintStream", "<init>"),
    ("java/io/PrintWriter", "<init>"),
    ("java/io/RandomAccessFile", "<init>"),
    ("java/nio/file/FileSystem", "getPath"),
    ("java/nio/file/Path", "of"),
    ("java/nio/file/Paths", "get"),
    ("java/util/Formatter", "<init>"),
    ("java/util/jar/JarFile", "<init>"),
    ("java/util/logging/FileHandler", "<init>"),
    ("java/util/zip/ZipFile", "<init>"),
];

/// Whether a parameter of this type may be one: a number is a size, a string a path.
fn may_be_used(of: &ErasedType) -> bool {
    is_number(of) || matches!(of, ErasedType::Class(class) if *class == ClassName::string())
}

/// The parameters of a method of the JDK.
fn of_platform(class: &ClassName, name: &str, descriptor: &str) -> Parameters {
    let size = size_parameter(class.as_str(), name, descriptor).map_or(0, |index| 1 << index.min(63));
    let is_path = PATHS.contains(&(class.as_str(), name)) && descriptor.starts_with("(Ljava/lang/String;");
    size | u64::from(is_path)
}

/// A set of parameters, by position; those from 64 on are in none.
type Parameters = u64;

/// A method: class, name, descriptor.
type Key = (ClassName, Arc<str>, Arc<str>);

/// Finds out, and keeps what it found.
#[derive(Debug)]
pub struct ParameterUses<'h> {
    files: Rc<CodeFiles<'h>>,
    /// None yet of a method that is being looked into.
    known: Lookup<Key, Parameters>,
    depth: usize,
}

impl<'h> ParameterUses<'h> {
    /// For the classes of these files, which others look into as well.
    pub fn of(files: Rc<CodeFiles<'h>>) -> Self {
        Self { files, known: Lookup::new(), depth: 0 }
    }

    /// The parameters that are sizes or paths, bit 0 for the first, of a method that a class declares: which of the two, the type
    /// says. Methods that cannot be looked into have none.
    pub fn of_method(&mut self, class: &ClassName, name: &str, descriptor: &str) -> u64 {
        let Ok(parsed) = MethodDescriptor::parse(descriptor) else { return 0 };
        if !parsed.parameters.iter().any(may_be_used) {
            return 0;
        }
        if !self.files.hierarchy().source().is_on_class_path(class) {
            return of_platform(class, name, descriptor);
        }
        let key: Key = (class.clone(), name.into(), descriptor.into());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        if self.depth == DEEPEST {
            return 0;
        }
        self.known.insert(key.clone(), 0);
        self.depth += 1;
        let found = self.look_into(class, (name, descriptor), &parsed).unwrap_or(0);
        self.depth -= 1;
        self.known.insert(key, found);
        found
    }

    fn look_into(
        &mut self,
        class: &ClassName,
        (name, descriptor): (&str, &str),
        parsed: &MethodDescriptor,
    ) -> Option<Parameters> {
        let files = Rc::clone(&self.files);
        files.look(class, name, descriptor, |code| self.of_code(code, parsed))?
    }

    fn of_code(&mut self, code: &MethodCode<'_>, parsed: &MethodDescriptor) -> Option<Parameters> {
        if code.len() > LONGEST_METHOD {
            return None;
        }
        let mut frames: Vec<Option<Frame>> = vec![None; code.len()];
        *frames.first_mut()? = Some(Frame::at_entry(parsed, code.access.is_static()));
        let (mut pending, mut found) = (vec![0], 0);
        while let Some(index) = pending.pop() {
            let Some(mut frame) = frames[index].clone() else { continue };
            for handler in code.handlers.iter().filter(|handler| handler.range.contains(&index)) {
                flow(&mut frames, &mut pending, handler.handler, &frame.at_handler());
            }
            found |= self.execute(&mut frame, code, index)?;
            let instruction = &code.instructions[index];
            for target in instruction.targets().filter_map(|target| code.at(target)) {
                flow(&mut frames, &mut pending, target, &frame);
            }
            if falls_through(instruction.opcode) && index + 1 < code.len() {
                flow(&mut frames, &mut pending, index + 1, &frame);
            }
        }
        Some(found)
    }

    /// Executes an instruction and gives the parameters that it uses; `None` of code that cannot be followed.
    fn execute(&mut self, frame: &mut Frame, code: &MethodCode<'_>, index: usize) -> Option<Parameters> {
        let opcode = match code.opcode(index) {
            LDC2_W => LDC2_W, // two slots
            opcode => general_form(opcode),
        };
        let mut used = 0;
        match opcode {
            ACONST_NULL | NEW => frame.push(1, 0),
            ILOAD..=ALOAD => {
                let slots = 1 + usize::from(matches!(opcode, LLOAD | DLOAD));
                let from = frame.locals.get(usize::from(code.local(index)?)).copied().unwrap_or(0);
                frame.push(slots, from);
            }
            ISTORE..=ASTORE => {
                let slots = 1 + usize::from(matches!(opcode, LSTORE | DSTORE));
                let local = usize::from(code.local(index)?);
                let from = frame.peek(0)?;
                if frame.locals.len() < local + slots {
                    frame.locals.resize(local + slots, 0);
                }
                frame.locals[local..local + slots].fill(from);
                frame.pop(slots)?;
            }
            IASTORE..=SASTORE => frame.pop(3 + usize::from(matches!(opcode, LASTORE | DASTORE)))?,
            DUP..=SWAP => shuffle(&mut frame.stack, opcode)?,
            IADD | LADD | ISUB | LSUB | IMUL | LMUL => {
                let (pops, pushes) = effect(opcode)?;
                let from = frame.peek(0)? | frame.peek(pops - 1)?;
                frame.pop(pops)?;
                frame.push(pushes, from);
            }
            I2L..=I2S | INEG | LNEG => {
                let (pops, pushes) = effect(opcode)?;
                let from = frame.peek(0)?;
                frame.pop(pops)?;
                frame.push(pushes, from);
            }
            NEWARRAY | ANEWARRAY => {
                used = frame.peek(0)?;
                frame.pop(1)?;
                frame.push(1, 0);
            }
            MULTIANEWARRAY => {
                let Operand::MultiArray(_, dimensions) = code.instructions.get(index)?.operand else {
                    return None;
                };
                for below in 0..usize::from(dimensions) {
                    used |= frame.peek(below)?;
                }
                frame.pop(usize::from(dimensions))?;
                frame.push(1, 0);
            }
            GETSTATIC | PUTSTATIC | GETFIELD | PUTFIELD => frame.field(code, index, opcode)?,
            INVOKEVIRTUAL..=INVOKEDYNAMIC => used = self.call(frame, code, index, opcode)?,
            CHECKCAST | IRETURN..=RETURN | ATHROW => {}
            JSR | RET | JSR_W => return None,
            _ => {
                if ends_loop(code, index, opcode) {
                    used = frame.peek(0)?;
                    if opcode >= IF_ICMPEQ {
                        used |= frame.peek(1)?;
                    }
                }
                let (pops, pushes) = effect(opcode)?;
                frame.pop(pops)?;
                frame.push(pushes, 0);
            }
        }
        Some(used)
    }

    fn call(
        &mut self,
        frame: &mut Frame,
        code: &MethodCode<'_>,
        index: usize,
        opcode: u8,
    ) -> Option<Parameters> {
        let (descriptor, member) = if opcode == INVOKEDYNAMIC {
            (dynamic_descriptor(code, index)?, None)
        } else {
            let member = code.member(index)?;
            (MethodDescriptor::parse(&member.descriptor).ok()?, Some(member))
        };
        let mut used = 0;
        let all = usize::from(descriptor.parameter_slots());
        let passes_any = (0..all).any(|below| frame.peek(below).is_some_and(|from| from != 0));
        if passes_any && let Some(member) = member.filter(|member| !member.owner.starts_with('[')) {
            let uses = self.of_called(&ClassName::new(&*member.owner), &member.name, &member.descriptor);
            let mut below = all;
            for (position, parameter) in descriptor.parameters.iter().enumerate() {
                below -= usize::from(parameter.slots());
                if position < 64 && uses >> position & 1 == 1 {
                    used |= frame.peek(below)?;
                }
            }
        }
        frame.pop(all + usize::from(!matches!(opcode, INVOKESTATIC | INVOKEDYNAMIC)))?;
        if let Some(result) = &descriptor.result {
            frame.push(usize::from(result.slots()), 0);
        }
        Some(used)
    }

    /// Of the method that a class declares or inherits.
    fn of_called(&mut self, class: &ClassName, name: &str, descriptor: &str) -> Parameters {
        if !self.files.hierarchy().source().is_on_class_path(class) {
            return self.of_method(class, name, descriptor);
        }
        let hierarchy = self.files.hierarchy();
        let declares = |sup: &&ClassName| {
            hierarchy.class(sup).is_some_and(|info| info.method(name, descriptor).is_some())
        };
        let supertypes = hierarchy.supertypes(class);
        let declaring = supertypes.iter().find(declares).cloned();
        declaring.map_or(0, |declaring| self.of_method(&declaring, name, descriptor))
    }
}

/// Whether numbers of a type can be sizes.
fn is_number(of: &ErasedType) -> bool {
    matches!(
        of,
        ErasedType::Primitive(
            PrimitiveType::Int | PrimitiveType::Long | PrimitiveType::Short | PrimitiveType::Byte
        )
    )
}

/// Whether a jump compares by less or greater and leaves a loop, or goes back in one.
fn ends_loop(code: &MethodCode<'_>, index: usize, opcode: u8) -> bool {
    if !matches!(opcode, IFLT..=IFLE | IF_ICMPLT..=IF_ICMPLE) {
        return false;
    }
    let Some(target) = code.jump_target(index) else { return false };
    if target <= index {
        return true;
    }
    // A jump behind it goes back before it, and it leaves what that jump repeats.
    (index + 1..target)
        .any(|back| code.jump_target(back).is_some_and(|to| to <= index && code.opcode(back) != JSR))
}

/// Slots, each with the parameters that the value in it was computed from.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Frame {
    stack: Vec<Parameters>,
    locals: Vec<Parameters>,
}

impl Frame {
    fn at_entry(descriptor: &MethodDescriptor, is_static: bool) -> Self {
        let mut locals = vec![0; usize::from(!is_static)];
        for (position, parameter) in descriptor.parameters.iter().enumerate() {
            let from = if position < 64 && may_be_used(parameter) { 1 << position } else { 0 };
            locals.resize(locals.len() + usize::from(parameter.slots()), from);
        }
        Self { stack: Vec::new(), locals }
    }

    fn at_handler(&self) -> Self {
        Self { stack: vec![0], ..self.clone() }
    }

    fn push(&mut self, slots: usize, from: Parameters) {
        self.stack.resize(self.stack.len() + slots, from);
    }

    fn pop(&mut self, slots: usize) -> Option<()> {
        self.stack.truncate(self.stack.len().checked_sub(slots)?);
        Some(())
    }

    /// What is read from a field comes from no parameter.
    fn field(&mut self, code: &MethodCode<'_>, index: usize, opcode: u8) -> Option<()> {
        let slots = usize::from(ErasedType::parse(&code.member(index)?.descriptor).ok()?.slots());
        let (pops, pushes) = match opcode {
            GETSTATIC => (0, slots),
            GETFIELD => (1, slots),
            PUTSTATIC => (slots, 0),
            _ => (slots + 1, 0),
        };
        self.pop(pops)?;
        self.push(pushes, 0);
        Some(())
    }

    fn peek(&self, below: usize) -> Option<Parameters> {
        self.stack.len().checked_sub(below + 1).map(|at| self.stack[at])
    }

    /// Adds what reaches it on another way; whether that changed anything.
    fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        // Variables that only one way assigns are not used behind.
        self.locals.truncate(other.locals.len());
        self.stack.truncate(other.stack.len());
        let slots = self.locals.iter_mut().zip(&other.locals);
        for (slot, other) in slots.chain(self.stack.iter_mut().zip(&other.stack)) {
            *slot |= other;
        }
        *self != before
    }
}

/// Joins a frame into that of an instruction, and looks at the instruction (again) if that changes something.
fn flow(frames: &mut [Option<Frame>], pending: &mut Vec<usize>, to: usize, frame: &Frame) {
    let Some(slot) = frames.get_mut(to) else { return };
    let changed = if let Some(known) = slot {
        known.join(frame)
    } else {
        *slot = Some(frame.clone());
        true
    };
    if changed {
        pending.push(to);
    }
}
