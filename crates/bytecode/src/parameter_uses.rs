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
use crate::slots::{Known, Slots, called, follow};

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

/// The parameters that the value in a slot was computed from.
impl Known for Parameters {
    const NOTHING: Self = 0;

    fn join(self, other: Self) -> Self {
        self | other
    }
}

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
        let this = (!code.access.is_static()).then_some(0);
        let entry = Slots::at_entry(parsed, this, |position, parameter| {
            if position < 64 && may_be_used(parameter) { 1 << position } else { 0 }
        });
        let mut found = 0;
        follow(code, entry, |slots, index| {
            found |= self.used(slots, code, index)?;
            result(slots, code.opcode(index))
        })?;
        Some(found)
    }

    /// The parameters that an instruction uses; `None` of code that cannot be followed.
    fn used(&mut self, slots: &Slots<Parameters>, code: &MethodCode<'_>, index: usize) -> Option<Parameters> {
        let opcode = code.opcode(index);
        Some(match opcode {
            NEWARRAY | ANEWARRAY => slots.peek(0)?,
            MULTIANEWARRAY => {
                let Operand::MultiArray(_, dimensions) = code.instructions.get(index)?.operand else {
                    return None;
                };
                let mut lengths = (0..usize::from(dimensions)).map(|below| slots.peek(below));
                lengths.try_fold(0, |all, length| Some(all | length?))?
            }
            INVOKEVIRTUAL..=INVOKEINTERFACE => self.call(slots, code, index)?,
            _ if ends_loop(code, index, opcode) => {
                let other = if opcode >= IF_ICMPEQ { slots.peek(1)? } else { 0 };
                slots.peek(0)? | other
            }
            _ => 0,
        })
    }

    fn call(&mut self, slots: &Slots<Parameters>, code: &MethodCode<'_>, index: usize) -> Option<Parameters> {
        let (descriptor, member) = (called(code, index)?, code.member(index)?);
        let mut used = 0;
        let mut below = usize::from(descriptor.parameter_slots());
        let passes_any = (0..below).any(|below| slots.peek(below).is_some_and(|from| from != 0));
        if passes_any && !member.owner.starts_with('[') {
            let uses = self.of_called(&ClassName::new(&*member.owner), &member.name, &member.descriptor);
            for (position, parameter) in descriptor.parameters.iter().enumerate() {
                below -= usize::from(parameter.slots());
                if position < 64 && uses >> position & 1 == 1 {
                    used |= slots.peek(below)?;
                }
            }
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

/// The parameters that the result of an instruction is computed from.
fn result(slots: &Slots<Parameters>, opcode: u8) -> Option<Parameters> {
    Some(match opcode {
        IADD | ISUB | IMUL => slots.peek(0)? | slots.peek(1)?,
        LADD | LSUB | LMUL => slots.peek(0)? | slots.peek(3)?,
        I2L..=I2S | INEG | LNEG => slots.peek(0)?,
        _ => 0,
    })
}
