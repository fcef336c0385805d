//! Which methods ask for the present moment or for chance, so that what they make is another thing in each run.
//!
//! Calls are followed as far as the class that they name declares the method: constructors, static and private methods, and
//! what is not overridden. So does what makes a clock: an object that has such a method in the place of an abstract one. What is found
//! is a hint for who chooses between several ways to make an object, no proof.

use std::rc::Rc;
use std::sync::Arc;

use crate::code_files::CodeFiles;
use crate::lookup::Lookup;
use crate::method_code::MethodCode;
use crate::name::ClassName;
use crate::opcode::{INVOKEINTERFACE, INVOKEVIRTUAL, NEW};

/// Longest method that is looked into, in instructions.
const LONGEST_METHOD: usize = 1000;
/// How deep calls are followed.
const DEEPEST: usize = 5;

/// Members of the platform that give another value in each run, by class, name and the start of the descriptor; `<init>`
/// stands for constructors.
pub const FLEETING: &[(&str, &str, &str)] = &[
    ("java/lang/Math", "random", ""),
    ("java/lang/StrictMath", "random", ""),
    ("java/lang/System", "currentTimeMillis", ""),
    ("java/lang/System", "nanoTime", ""),
    ("java/security/SecureRandom", "<init>", ""),
    ("java/time/Clock", "system", ""),
    ("java/time/Clock", "systemDefaultZone", ""),
    ("java/time/Clock", "systemUTC", ""),
    ("java/time/Instant", "now", ""),
    ("java/time/LocalDate", "now", ""),
    ("java/time/LocalDateTime", "now", ""),
    ("java/time/LocalTime", "now", ""),
    ("java/time/MonthDay", "now", ""),
    ("java/time/OffsetDateTime", "now", ""),
    ("java/time/OffsetTime", "now", ""),
    ("java/time/Year", "now", ""),
    ("java/time/YearMonth", "now", ""),
    ("java/time/ZonedDateTime", "now", ""),
    ("java/util/Calendar", "getInstance", ""),
    ("java/util/Date", "<init>", "()"),
    ("java/util/GregorianCalendar", "<init>", "()"),
    ("java/util/GregorianCalendar", "<init>", "(Ljava/util/"),
    ("java/util/Random", "<init>", "()"),
    ("java/util/SplittableRandom", "<init>", "()"),
    ("java/util/UUID", "randomUUID", ""),
    ("java/util/concurrent/ThreadLocalRandom", "current", ""),
];

/// Whether a member is one of those in a table: by class, by name unless that is empty, and by the start of the descriptor.
pub fn is_listed(table: &[(&str, &str, &str)], owner: &str, name: &str, descriptor: &str) -> bool {
    table.iter().any(|(class, member, start)| {
        owner == *class && (member.is_empty() || name == *member) && descriptor.starts_with(start)
    })
}

/// A method: class, name, descriptor.
type Key = (ClassName, Arc<str>, Arc<str>);

/// Finds out, and keeps what it found.
#[derive(Debug)]
pub struct Fleeting<'h> {
    files: Rc<CodeFiles<'h>>,
    /// Whether a method does, and how many calls deep it was looked into: from fewer calls deep, more of it may be seen. One that is being
    /// looked into does not so far.
    known: Lookup<Key, (bool, usize)>,
    depth: usize,
}

impl<'h> Fleeting<'h> {
    /// For the classes of these files, which others look into as well.
    pub fn of(files: Rc<CodeFiles<'h>>) -> Self {
        Self { files, known: Lookup::new(), depth: 0 }
    }

    /// Whether a method that a class declares asks for the present or for chance. Methods that cannot be looked into do not.
    pub fn is_method(&mut self, class: &ClassName, name: &str, descriptor: &str) -> bool {
        if !self.files.hierarchy().source().is_on_class_path(class) {
            return is_listed(FLEETING, class.as_str(), name, descriptor);
        }
        let key: Key = (class.clone(), name.into(), descriptor.into());
        if let Some(&(known, depth)) = self.known.get(&key)
            && (known || depth <= self.depth)
        {
            return known;
        }
        if self.depth == DEEPEST {
            return false;
        }
        self.known.insert(key.clone(), (false, self.depth));
        self.depth += 1;
        let files = Rc::clone(&self.files);
        let found = files.look(class, name, descriptor, |code| self.is_code(code)).unwrap_or(false);
        self.depth -= 1;
        self.known.insert(key, (found, self.depth));
        found
    }

    fn is_code(&mut self, code: &MethodCode<'_>) -> bool {
        code.len() <= LONGEST_METHOD
            && (0..code.len()).any(|index| match code.opcode(index) {
                INVOKEVIRTUAL..=INVOKEINTERFACE => code.member(index).is_some_and(|called| {
                    let owner = ClassName::new(&*called.owner);
                    self.is_method(&owner, &called.name, &called.descriptor)
                }),
                NEW => code.class_operand(index).is_some_and(|made| self.is_clock(&ClassName::new(&*made))),
                _ => false,
            })
    }

    /// Whether objects of a class ask for the present or for chance in a method that a supertype leaves to them.
    fn is_clock(&mut self, class: &ClassName) -> bool {
        let files = Rc::clone(&self.files);
        let hierarchy = files.hierarchy();
        let Some(info) = hierarchy.class(class).filter(|_| hierarchy.source().is_on_class_path(class)) else {
            return false;
        };
        let supertypes = info.superclass.iter().chain(&info.interfaces);
        let declared = supertypes.filter(|sup| hierarchy.source().is_on_class_path(sup));
        let left: Vec<(Arc<str>, Arc<str>)> = declared
            .filter_map(|sup| hierarchy.class(sup))
            .flat_map(|sup| {
                let left = sup.methods.iter().filter(|method| method.access.is_abstract());
                left.map(|method| (method.name.clone(), method.descriptor.clone())).collect::<Vec<_>>()
            })
            .collect();
        left.iter().any(|(name, descriptor)| {
            info.method(name, descriptor).is_some() && self.is_method(class, name, descriptor)
        })
    }
}
