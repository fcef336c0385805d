//! What the code under test uses of other classes: the methods that it calls, and the constants that it reads.
//!
//! A type with many abstract methods is implemented with a script for those that matter: what the goal classes call, and
//! what the methods call that they call, two steps further. Everything else gives null, zero or false. Without that,
//! a test of a class that takes a request, a connection or a result set would have nothing to pass.
//!
//! A constant that the code reads is what it compares with, or the value that it knows how to handle: `Methods.CONNECT`
//! among the values of `HttpString`, which the class of strings does not hold itself. What it asks an object for is read
//! in the method of that object as often (`widget.getBorder()` looks under `Names.BORDER`), so methods that it calls
//! count as well.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytecode::class_file::ClassFile;
use bytecode::class_info::ClassInfo;
use bytecode::constants::{
    called_by, called_methods, lambda_interfaces, read_static_fields, static_fields_read_by, written_fields,
};
use bytecode::descriptor::ErasedType;
use bytecode::keyed::{KeyedUse, keyed_uses, keyed_uses_of};
use bytecode::name::ClassName;
use bytecode::narrowed::{NarrowedResult, narrowed_results, narrowed_results_of};
use bytecode::settings::SettingsRead;

use super::build::Builder;
use super::producers::Wanted;
use super::properties::Properties;
use super::world::World;

/// Methods by name and descriptor, with the number of calls between them and the code under test.
pub(super) type Called = BTreeMap<(Arc<str>, Arc<str>), usize>;

/// Class named, method, descriptor.
pub(super) type Member = (String, String, String);

/// Methods by the class that declares them: names and descriptors.
type MethodsByClass = BTreeMap<ClassName, Vec<(String, String)>>;

/// How far calls are followed into other classes of the class path.
const STEPS: usize = 2;

/// Most methods of other classes that are read in one step.
const MAX_READ: usize = 150;

impl Builder<'_> {
    /// Constants that the code under test reads, where they fit: at most `limit`. Where a type of the class path is wanted,
    /// those of a type below it are one way together, so that a hundred names leave a share to all else.
    pub(super) fn by_read_fields(&mut self, wanted: &Wanted, limit: usize) {
        let mut left = limit;
        let is_project = self.world.is_project(&wanted.class.name);
        for (class, field) in &self.world.uses().fields {
            if left == 0 {
                return;
            }
            let field = &class.fields[*field];
            let before = self.belongings.generators_of(wanted.ty).len();
            let is_wanted = matches!(&field.erased, ErasedType::Class(of) if *of == wanted.class.name);
            if is_wanted || !is_project {
                self.by_static_field(wanted, class, field);
            } else {
                self.make_of(wanted, &field.generic);
            }
            left -= self.belongings.generators_of(wanted.ty).len() - before;
        }
    }

    /// For [`super::TestCluster::read_constants`]: of types of the class path alone, since a type of the platform has more to
    /// it than what a library names.
    pub(super) fn read_constants(&mut self) -> BTreeSet<(ClassName, Arc<str>)> {
        let of_project = |class: &ClassInfo, field: usize| {
            let is_own = self.world.goals.contains(&class.name);
            !is_own
                && matches!(&class.fields[field].erased, ErasedType::Class(of) if self.world.is_project(of))
        };
        let kept = self.world.uses().fields.iter().filter(|(class, field)| of_project(class, *field));
        kept.map(|(class, field)| (class.name.clone(), class.fields[*field].name.clone())).collect()
    }
}

/// What the code under test does with other classes.
#[derive(Debug)]
pub(super) struct Uses {
    /// Constants that it reads.
    pub(super) fields: Vec<(Arc<ClassInfo>, usize)>,
    /// Settings of the JVM that it reads.
    pub(super) settings: SettingsRead,
    /// Methods without parameters that it calls, or what it calls, directly first.
    pub(super) suppliers: Vec<Member>,
    /// The types to which it casts what it gets under keys.
    pub(super) keyed: BTreeSet<KeyedUse>,
    /// The types to which it casts what calls give.
    pub(super) narrowed: BTreeSet<NarrowedResult>,
    /// Methods that it calls, or what it calls.
    pub(super) called: Called,
    /// Methods that it calls itself.
    pub(super) called_directly: BTreeSet<Member>,
    /// What it asks objects for, and what it sets.
    pub(super) properties: Properties,
    /// Types of which it hands objects to others that these may call: interfaces of its lambdas, and all that it is a subtype of.
    pub(super) handed_out: BTreeSet<ClassName>,
}

impl World<'_> {
    /// What the code under test does with other classes, directly or by way of others; found when somebody first asks.
    pub(super) fn uses(&self) -> &Uses {
        self.uses.get_or_init(|| self.find_uses())
    }

    /// Goes through the code of the goals, of the methods that it calls, and of those that these call. Of the last no constants and
    /// settings are looked for: these are read near to where they matter.
    fn find_uses(&self) -> Uses {
        let (mut read, mut settings) = (BTreeSet::new(), SettingsRead::default());
        let (mut keyed, mut next, mut written) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut narrowed = BTreeSet::new();
        let mut handed_out: BTreeSet<ClassName> =
            self.goals.iter().flat_map(|goal| self.lineage.supertypes(goal).to_vec()).collect();
        for goal in &self.goals {
            self.read(goal, &mut |class| {
                read.extend(read_static_fields(class));
                settings.add(class, None);
                keyed.extend(keyed_uses(class));
                narrowed.extend(narrowed_results(class));
                next.extend(called_methods(class));
                written.extend(written_fields(class));
                handed_out.extend(lambda_interfaces(class));
            });
        }
        let called_directly = next.clone();
        let (mut called, mut seen) = (Called::new(), BTreeSet::new());
        let mut further = BTreeSet::new();
        let mut suppliers = Vec::new();
        for step in 0..=STEPS {
            for (_, name, descriptor) in &next {
                called.entry((name.as_str().into(), descriptor.as_str().into())).or_insert(step);
            }
            if step == STEPS {
                break;
            }
            let fresh: Vec<Member> = next.into_iter().filter(|it| seen.insert(it.clone())).collect();
            suppliers.extend(fresh.iter().filter(|(.., descriptor)| descriptor.starts_with("()")).cloned());
            next = BTreeSet::new();
            for (class, methods) in &self.by_class(fresh) {
                self.read(class, &mut |class| {
                    if step == 0 {
                        further.extend(static_fields_read_by(class, methods));
                        settings.add(class, Some(methods));
                    }
                    keyed.extend(keyed_uses_of(class, methods));
                    narrowed.extend(narrowed_results_of(class, methods));
                    next.extend(called_by(class, methods));
                });
            }
        }
        let fields = self.constants(read.iter().chain(further.difference(&read)));
        let properties = Properties::of(&called, &written);
        Uses { fields, settings, suppliers, keyed, narrowed, called, called_directly, properties, handed_out }
    }

    /// The constants of these classes and names, each once.
    fn constants<'m>(
        &self,
        members: impl Iterator<Item = &'m (String, String)>,
    ) -> Vec<(Arc<ClassInfo>, usize)> {
        let mut found: Vec<(Arc<ClassInfo>, usize)> = Vec::new();
        for (owner, name) in members {
            let constant = self.constant(&ClassName::new(&**owner), name);
            let is_known = |(class, field): &(Arc<ClassInfo>, usize)| {
                found.iter().any(|known| known.1 == *field && known.0.name == class.name)
            };
            found.extend(constant.filter(|constant| !is_known(constant)));
        }
        found
    }

    /// The constant that a class, or the nearest of its supertypes, declares under a name.
    pub(super) fn constant(&self, owner: &ClassName, name: &str) -> Option<(Arc<ClassInfo>, usize)> {
        let supertypes = self.lineage.supertypes(owner);
        let (class, field) = std::iter::once(owner).chain(supertypes.iter()).find_map(|class| {
            let class = self.class(class)?;
            let field = class.fields.iter().position(|field| *field.name == *name)?;
            Some((class, field))
        })?;
        self.is_readable_constant(&class, &class.fields[field]).then_some((class, field))
    }

    /// What methods of the class path call that are no goals.
    pub(super) fn calls_of(&self, methods: &[Member]) -> BTreeSet<Member> {
        let mut found = BTreeSet::new();
        for (class, methods) in &self.by_class(methods.iter().cloned()) {
            self.read(class, &mut |class| found.extend(called_by(class, methods)));
        }
        found
    }

    /// Methods of the class path that are no goals, by the class whose code runs.
    fn by_class(&self, methods: impl IntoIterator<Item = Member>) -> MethodsByClass {
        let mut by_class = MethodsByClass::new();
        let with_code = methods.into_iter().filter_map(|(owner, name, descriptor)| {
            Some((self.class_with_code(&owner, &name, &descriptor)?, (name, descriptor)))
        });
        for (class, method) in with_code.take(MAX_READ) {
            by_class.entry(class).or_default().push(method);
        }
        by_class
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
