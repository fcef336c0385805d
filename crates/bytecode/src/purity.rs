//! Which methods only tell: they write nothing that was there before they were called.
//!
//! Sălcianu and Rinard 2005 (*Purity and Side Effect Analysis for Java Programs*) call a method pure that changes no
//! object that exists when it is called. Their points-to graphs are simplified to one bit for each slot of the operand
//! stack and of the local variables: whether the object there was made by the method itself ([`fresh`]).
//!
//! # Differences
//! * What is read from a field, an element or a call is never known to be new, so that fewer methods are pure.
//! * A method may initialize classes, whose initializers write what nobody has seen.
//! * A field that is filled when it is first asked for (`String.hashCode`) is no purity but [`Effect::Fills`]: that
//!   computing the value again gives the same is not shown. `output` goals do without such methods, assertions ask
//!   them, since they look again.
//! * Methods of the JDK are pure by a table, not by their code; implementations of its interfaces on the class path are
//!   looked into.
//! * Abstract methods are unknown even if all their implementations are pure: tests implement them as well.

mod fresh;
mod platform;

use std::rc::Rc;
use std::sync::Arc;

use crate::class_info::ClassInfo;
use crate::code_files::CodeFiles;
use crate::descriptor::MethodDescriptor;
use crate::hierarchy::ClassHierarchy;
use crate::lookup::Lookup;
use crate::method_code::MethodCode;
use crate::name::ClassName;
use crate::slots::follow;
use fresh::Step;
use platform::Contract;

/// What a method does to objects that were there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing; `loops` tells whether it may take more than a moment.
    Pure {
        /// Whether it has a loop or a recursion, its callees included.
        loops: bool,
    },
    /// It writes only fields of objects, and only where it found them null or 0: values kept for later.
    Fills,
    /// It calls what cannot be looked into.
    Unknown,
    /// It writes a field, a static field or an array.
    Writes,
}

impl Effect {
    /// Nothing at all.
    pub const NONE: Self = Self::Pure { loops: false };
}

/// Longest method that is looked into, in instructions.
const LONGEST_METHOD: usize = 3000;
/// How deep calls are followed.
const DEEPEST: usize = 24;
/// Most implementations that a virtual call is looked up in.
const MOST_OVERRIDES: usize = 48;

/// A method: class, name, descriptor.
type Key = (ClassName, Arc<str>, Arc<str>);

/// Finds out, and keeps what it found.
#[derive(Debug)]
pub struct Purity<'h> {
    hierarchy: &'h ClassHierarchy,
    files: Rc<CodeFiles<'h>>,
    known: Lookup<Key, Effect>,
    /// Classes of the class path below types of the platform.
    below: Lookup<ClassName, Arc<[ClassName]>>,
    /// Methods that are being looked into, outermost first.
    open: Vec<Key>,
    /// The outermost of [`Self::open`] that one of them came back to.
    back_to: usize,
    /// Methods of circles that are not closed yet, in the order in which they were found.
    circling: Vec<Key>,
    /// What is known of them: their effect but for what the rest of the circle does, and how far out it goes back.
    provisional: Lookup<Key, (Effect, usize)>,
}

impl<'h> Purity<'h> {
    /// For these classes.
    pub fn new(hierarchy: &'h ClassHierarchy) -> Self {
        Self::of(Rc::new(CodeFiles::new(hierarchy)))
    }

    /// For the classes of these files, which others look into as well.
    pub fn of(files: Rc<CodeFiles<'h>>) -> Self {
        Self {
            hierarchy: files.hierarchy(),
            files,
            known: Lookup::new(),
            below: Lookup::new(),
            open: Vec::new(),
            back_to: usize::MAX,
            circling: Vec::new(),
            provisional: Lookup::new(),
        }
    }

    /// The classes.
    pub fn hierarchy(&self) -> &'h ClassHierarchy {
        self.hierarchy
    }

    /// The effect of calling a method of an object whose class is this one or any below it on the class path.
    pub fn of_call(&mut self, class: &ClassName, name: &str, descriptor: &str) -> Effect {
        let hierarchy = self.hierarchy;
        let Some((info, is_fixed)) = self.selected(class, name, descriptor) else { return Effect::Unknown };
        let mut effect = self.of_method(&info.name, name, descriptor);
        // Nothing is worse than writing, whatever overrides do.
        if is_fixed || effect == Effect::Writes {
            return effect;
        }
        let Some(below) = hierarchy.subtypes_up_to(class, MOST_OVERRIDES) else { return Effect::Unknown };
        for sub in below {
            let overrides = hierarchy.class(&sub).is_some_and(|info| info.method(name, descriptor).is_some());
            if overrides {
                effect = effect.max(self.of_method(&sub, name, descriptor));
                if effect == Effect::Writes {
                    break;
                }
            }
        }
        effect
    }

    /// The class whose method a class has under a name, and whether no class below can have another.
    fn selected(&self, class: &ClassName, name: &str, descriptor: &str) -> Option<(Arc<ClassInfo>, bool)> {
        let info = self.hierarchy.class(class)?;
        let supertypes = self.hierarchy.supertypes(class);
        supertypes.iter().find_map(|sup| {
            let declaring = self.hierarchy.class(sup)?;
            let method = declaring.method(name, descriptor)?;
            let access = method.access;
            let is_fixed =
                info.access.is_final() || access.is_final() || access.is_private() || access.is_static();
            Some((declaring.clone(), is_fixed))
        })
    }

    /// The effect of exactly the method that a class declares. A constructor may write its own object.
    pub fn of_method(&mut self, class: &ClassName, name: &str, descriptor: &str) -> Effect {
        let key: Key = (class.clone(), name.into(), descriptor.into());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if let Some(&(effect, back_to)) = self.provisional.get(&key) {
            self.back_to = self.back_to.min(back_to);
            return effect;
        }
        if let Some(at) = self.open.iter().position(|open| *open == key) {
            // What else the circle does decides.
            self.back_to = self.back_to.min(at);
            return Effect::Pure { loops: true };
        }
        if self.open.len() == DEEPEST {
            return Effect::Unknown;
        }
        let (depth, first) = (self.open.len(), self.circling.len());
        let before = std::mem::replace(&mut self.back_to, usize::MAX);
        self.open.push(key.clone());
        let effect = self.look_into(class, name, descriptor);
        self.open.pop();
        if self.back_to >= depth {
            // The outermost method of a circle has seen everything, and the others do what it does.
            for member in self.circling.drain(first..) {
                let own = self.provisional.remove(&member).map_or(effect, |(own, _)| own.max(effect));
                self.known.insert(member, own);
            }
            self.known.insert(key, effect);
            self.back_to = before;
        } else {
            self.provisional.insert(key.clone(), (effect, self.back_to));
            self.circling.push(key);
            self.back_to = self.back_to.min(before);
        }
        effect
    }

    fn look_into(&mut self, class: &ClassName, name: &str, descriptor: &str) -> Effect {
        if !self.hierarchy.source().is_on_class_path(class) {
            return match platform::contract(class, name, descriptor, self.hierarchy) {
                Some(Contract::Tells) => Effect::NONE,
                Some(Contract::ChangesReceiver) | None => Effect::Unknown,
            };
        }
        let files = Rc::clone(&self.files);
        let effect = files.look(class, name, descriptor, |code| {
            if code.len() <= LONGEST_METHOD { self.of_code(code) } else { Effect::Unknown }
        });
        effect.unwrap_or(Effect::Unknown)
    }

    /// The effect of code: every instruction that can be reached, with what is new where it stands.
    fn of_code(&mut self, code: &MethodCode<'_>) -> Effect {
        let Ok(descriptor) = MethodDescriptor::parse(&code.descriptor) else { return Effect::Unknown };
        let mut effects: Vec<Effect> = vec![Effect::NONE; code.len()];
        let followed = follow(code, fresh::at_entry(code, &descriptor), |slots, index| {
            let (step, result) = fresh::step(slots, code, index)?;
            let effect = match step {
                Step::Nothing => Effect::NONE,
                Step::Writes { field: true } if is_filling(code, index) => Effect::Fills,
                Step::Writes { .. } => Effect::Writes,
                Step::Calls { receiver_is_new } => self.of_site(code, index, receiver_is_new),
            };
            let instruction = &code.instructions[index];
            let is_loop = instruction.targets().any(|target| target <= instruction.offset);
            let floor = if is_loop { Effect::Pure { loops: true } } else { Effect::NONE };
            effects[index] = effect.max(floor);
            (effect != Effect::Writes).then_some(result)
        });
        let all = effects.into_iter().max().unwrap_or(Effect::NONE);
        if followed.is_none() && all != Effect::Writes { Effect::Unknown } else { all }
    }

    /// The effect of a call. Of a new object, what changes it alone is nothing that was there before.
    fn of_site(&mut self, code: &MethodCode<'_>, index: usize, receiver_is_new: bool) -> Effect {
        use crate::opcode::{INVOKEDYNAMIC, INVOKESPECIAL, INVOKESTATIC};
        let opcode = code.opcode(index);
        if opcode == INVOKEDYNAMIC {
            return if fresh::concatenates_values(code, index) { Effect::NONE } else { Effect::Unknown };
        }
        let Some(member) = code.member(index) else { return Effect::Unknown };
        if member.owner.starts_with('[') {
            // `clone` of an array makes another.
            return Effect::NONE;
        }
        let (owner, name, descriptor) = (ClassName::new(&*member.owner), &*member.name, &*member.descriptor);
        let is_exact = matches!(opcode, INVOKESPECIAL | INVOKESTATIC);
        if is_exact {
            match self.selected(&owner, name, descriptor) {
                // A constructor writes its own object, which must be new, or the caller's while that is made.
                Some(_) if name == "<init>" && !receiver_is_new => Effect::Writes,
                Some((info, _)) => self.of_method(&info.name, name, descriptor),
                None => Effect::Unknown,
            }
        } else if self.hierarchy.source().is_on_class_path(&owner) {
            self.of_call(&owner, name, descriptor)
        } else {
            self.of_platform_call(&owner, name, descriptor, receiver_is_new)
        }
    }

    /// A virtual call of a method of the platform: by its table, and by what the class path overrides it with.
    fn of_platform_call(
        &mut self,
        owner: &ClassName,
        name: &str,
        descriptor: &str,
        receiver_is_new: bool,
    ) -> Effect {
        let hierarchy = self.hierarchy;
        let mut effect = match platform::contract(owner, name, descriptor, hierarchy) {
            Some(Contract::Tells) => Effect::NONE,
            // Made here, so of a class of the platform.
            Some(Contract::ChangesReceiver) if receiver_is_new => return Effect::NONE,
            Some(Contract::ChangesReceiver) => return Effect::Writes,
            None => return Effect::Unknown,
        };
        if hierarchy.class(owner).is_some_and(|info| info.access.is_final()) {
            return effect;
        }
        let below = self.below.entry(owner.clone());
        let below = below.or_insert_with(|| hierarchy.subtypes_of_platform_type(owner).into()).clone();
        if below.len() > MOST_OVERRIDES {
            return Effect::Unknown;
        }
        for class in below.iter() {
            if hierarchy.class(class).is_some_and(|info| info.method(name, descriptor).is_some()) {
                effect = effect.max(self.of_method(class, name, descriptor));
            }
        }
        effect
    }
}

/// Whether a write of a field stands between a jump that leads behind it when the same field is not null (or not 0) and
/// that place.
fn is_filling(code: &MethodCode<'_>, write: usize) -> bool {
    use crate::opcode::{GETFIELD, IFNE, IFNONNULL};
    let field = code.member_bytes(write);
    (1..write).any(|jump| {
        matches!(code.opcode(jump), IFNE | IFNONNULL)
            && code.opcode(jump - 1) == GETFIELD
            && code.member_bytes(jump - 1) == field
            && code.jump_target(jump).is_some_and(|target| target > write)
    })
}
