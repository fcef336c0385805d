//! What the code under test uses of other classes: the methods that it calls, and the constants that it reads.
//!
//! A type with many abstract methods is implemented with a script for those that matter: what the goal classes call, and
//! what the methods call that they call, two steps further. Everything else gives null, zero or false. Without that,
//! a test of a class that takes a request, a connection or a result set would have nothing to pass.
//!
//! A constant that the code reads is what it compares with, or the value that it knows how to handle: `Methods.CONNECT`
//! among the values of `HttpString`, which the class of strings does not hold itself.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use bytecode::class_file::ClassFile;
use bytecode::constants::{called_by, called_methods, read_static_fields};
use bytecode::name::ClassName;

use super::build::Builder;
use super::producers::Wanted;
use super::world::World;

/// Methods by name and descriptor, with the number of calls between them and the code under test.
pub(super) type Called = BTreeMap<(Arc<str>, Arc<str>), usize>;

/// Static fields: class named, field.
pub(super) type ReadFields = Rc<[(ClassName, String)]>;

/// Class named, method, descriptor.
type Member = (String, String, String);

/// How far calls are followed into other classes of the class path.
const STEPS: usize = 2;

/// Most methods of other classes that are read in one step.
const MAX_READ: usize = 150;

impl Builder<'_> {
    /// Constants that the code under test reads, where they fit: at most `limit`.
    pub(super) fn by_read_fields(&mut self, wanted: &Wanted, limit: usize) {
        let mut left = limit;
        for (owner, name) in self.catalogue.read_fields().iter() {
            if left == 0 {
                return;
            }
            let supertypes = self.world.lineage.supertypes(owner);
            let declared = std::iter::once(owner).chain(supertypes.iter()).find_map(|class| {
                let info = self.world.class(class)?;
                let field = info.field(name)?.clone();
                Some((info, field))
            });
            if let Some((class, field)) = declared
                && self.world.is_readable_constant(&class, &field)
            {
                let before = self.belongings.generators_of(wanted.ty).len();
                self.by_static_field(wanted, &class, &field);
                left -= self.belongings.generators_of(wanted.ty).len() - before;
            }
        }
    }
}

impl World<'_> {
    /// Constants that the code under test reads.
    pub(super) fn read_fields(&self) -> ReadFields {
        let mut found = BTreeSet::new();
        for goal in &self.goals {
            self.read(goal, &mut |class| found.extend(read_static_fields(class)));
        }
        found.into_iter().map(|(owner, name)| (ClassName::new(owner), name)).collect()
    }

    /// The methods that the code under test calls, directly or by way of others.
    pub(super) fn called(&self) -> Called {
        let mut next: BTreeSet<Member> = BTreeSet::new();
        for goal in &self.goals {
            self.read(goal, &mut |class| next.extend(called_methods(class)));
        }
        let mut found = BTreeMap::new();
        let mut seen: BTreeSet<Member> = BTreeSet::new();
        for step in 0..=STEPS {
            for (_, name, descriptor) in &next {
                found.entry((name.as_str().into(), descriptor.as_str().into())).or_insert(step);
            }
            if step < STEPS {
                let fresh: Vec<Member> = next.into_iter().filter(|it| seen.insert(it.clone())).collect();
                next = self.calls_of(&fresh);
            } else {
                break;
            }
        }
        found
    }

    /// What methods of the class path call that are no goals.
    fn calls_of(&self, methods: &[Member]) -> BTreeSet<Member> {
        let mut by_class: BTreeMap<ClassName, Vec<(String, String)>> = BTreeMap::new();
        let with_code = methods.iter().filter_map(|(owner, name, descriptor)| {
            Some((self.class_with_code(owner, name, descriptor)?, (name.clone(), descriptor.clone())))
        });
        for (class, method) in with_code.take(MAX_READ) {
            by_class.entry(class).or_default().push(method);
        }
        let mut found = BTreeSet::new();
        for (class, methods) in &by_class {
            self.read(class, &mut |class| found.extend(called_by(class, methods)));
        }
        found
    }

    /// The class of the class path whose code runs when a method is called on an object of `owner` itself.
    fn class_with_code(&self, owner: &str, name: &str, descriptor: &str) -> Option<ClassName> {
        let owner = ClassName::new(owner);
        let chain = std::iter::once(owner.clone()).chain(self.hierarchy.superclasses(&owner));
        let declaring = chain.into_iter().find_map(|class| {
            let info = self.class(&class)?;
            info.method(name, descriptor).map(|method| (class, method.access.is_abstract()))
        });
        let (class, is_abstract) = declaring?;
        let is_read = self.goals.contains(&class) || !self.is_project(&class);
        (!is_abstract && !is_read).then_some(class)
    }

    fn read(&self, class: &ClassName, visit: &mut dyn FnMut(&ClassFile<'_>)) {
        if let Some(bytes) = self.hierarchy.source().class_bytes(class)
            && let Ok(class) = ClassFile::parse(&bytes)
        {
            visit(&class);
        }
    }
}
