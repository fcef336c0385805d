//! Classes by name, and how they extend one another.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use foldhash::fast::FixedState;
use indexmap::{IndexMap, IndexSet};

use crate::class_file::ClassFileError;
use crate::class_info::{ClassInfo, FieldInfo};
use crate::lookup::Lookup;
use crate::name::ClassName;
use crate::source::ClassSource;

/// Last part of the package of tests for classes into whose package no other class may come.
const BESIDE_CLOSED: &str = "covolve";

/// All classes that a source can give, decoded when first asked for.
#[derive(Debug)]
pub struct ClassHierarchy {
    source: Arc<dyn ClassSource>,
    classes: RwLock<Lookup<ClassName, Option<Arc<ClassInfo>>>>,
    /// What [`Self::supertypes`] has found. Generic subtyping asks again and again, and a class of Scala's
    /// collections has sixty supertypes.
    supertypes: RwLock<Lookup<ClassName, Arc<[ClassName]>>>,
    index: Arc<OnceLock<Index>>,
}

/// Classes of the class path by others that they name, sorted.
type ByNamed = IndexMap<ClassName, Vec<ClassName>, FixedState>;

/// What is found by looking at all classes of the class path.
#[derive(Debug, Default)]
struct Index {
    /// Those that name a class as superclass or direct superinterface.
    below: ByNamed,
    /// Public ones whose public static methods give objects of another class.
    makers: ByNamed,
}

/// Names in the order in which they were found, each once.
pub type Names = IndexSet<ClassName, FixedState>;

impl ClassHierarchy {
    /// A hierarchy over `source`; nothing is read yet.
    pub fn new(source: Arc<dyn ClassSource>) -> Self {
        let (classes, supertypes) = (RwLock::default(), RwLock::default());
        Self { source, classes, supertypes, index: Arc::default() }
    }

    /// A hierarchy over a source with the same class path and another platform: what lies below a class is looked up once for both.
    pub fn beside(&self, source: Arc<dyn ClassSource>) -> Self {
        Self { index: Arc::clone(&self.index), ..Self::new(source) }
    }

    /// Where the class files come from.
    pub fn source(&self) -> &Arc<dyn ClassSource> {
        &self.source
    }

    /// The class of this name; `None` when it is missing or malformed.
    pub fn class(&self, name: &ClassName) -> Option<Arc<ClassInfo>> {
        if let Some(known) = self.classes.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return known.clone();
        }
        let info = self.read(name).and_then(Result::ok).filter(|info| info.name == *name).map(Arc::new);
        let mut classes = self.classes.write().unwrap_or_else(PoisonError::into_inner);
        classes.entry(name.clone()).or_insert(info).clone()
    }

    /// Reads a class anew, with the reason when it cannot be read; `None` when there is no such class.
    pub fn read(&self, name: &ClassName) -> Option<Result<ClassInfo, ClassFileError>> {
        self.source.class_bytes(name).map(|bytes| ClassInfo::read(&bytes))
    }

    /// The package of tests for a class, in internal form: its own, or one below it where no
    /// other class may be in that.
    pub fn package_of_tests(&self, class: &ClassName) -> String {
        let own = class.package();
        if self.source.is_closed(class) && !own.is_empty() {
            format!("{own}/{BESIDE_CLOSED}")
        } else {
            own.to_owned()
        }
    }

    /// Superclasses, nearest first, `java/lang/Object` last, the class itself not included. A missing class
    /// ends the list.
    pub fn superclasses(&self, name: &ClassName) -> Vec<ClassName> {
        let mut found = Vec::new();
        let mut next = self.class(name).and_then(|class| class.superclass.clone());
        while let Some(name) = next {
            if found.contains(&name) {
                break; // a cycle; the JVM would refuse these classes
            }
            next = self.class(&name).and_then(|class| class.superclass.clone());
            found.push(name);
        }
        found
    }

    /// All supertypes, the class itself first, then breadth first: superclass, superinterfaces in order.
    pub fn supertypes(&self, name: &ClassName) -> Arc<[ClassName]> {
        if let Some(known) = self.supertypes.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return known.clone();
        }
        let found: Arc<[ClassName]> = self.find_supertypes(name).into_iter().collect();
        let mut supertypes = self.supertypes.write().unwrap_or_else(PoisonError::into_inner);
        supertypes.entry(name.clone()).or_insert(found).clone()
    }

    fn find_supertypes(&self, name: &ClassName) -> Names {
        let mut found = Names::default();
        found.insert(name.clone());
        let mut position = 0;
        while position < found.len() {
            if let Some(class) = self.class(&found[position]) {
                found.extend(class.superclass.iter().chain(&class.interfaces).cloned());
            }
            position += 1;
        }
        found
    }

    /// Whether `sub` is `sup` or extends or implements it. Everything is below `java/lang/Object`.
    pub fn is_subclass(&self, sub: &ClassName, sup: &ClassName) -> bool {
        sub == sup || sup.as_str() == "java/lang/Object" || self.supertypes(sub).contains(sup)
    }

    /// What anybody may read of the objects of a class, with the class that declares each: public fields of the class and
    /// of what it extends on the class path, own ones first. Fields that another one hides, that the compiler made, that
    /// are deprecated or that never have another value are left out.
    pub fn public_fields(&self, name: &ClassName) -> Vec<(Arc<ClassInfo>, FieldInfo)> {
        let mut found = Vec::new();
        let mut hidden: BTreeSet<Arc<str>> = BTreeSet::new();
        for owner in std::iter::once(name.clone()).chain(self.superclasses(name)) {
            let info = self.class(&owner).filter(|_| self.source.is_on_class_path(&owner));
            let Some(info) = info else { continue };
            for field in &info.fields {
                let is_told = field.access.is_public()
                    && !field.access.is_static()
                    && !field.access.is_synthetic()
                    && !field.is_constant
                    && field.deprecated.is_none();
                if hidden.insert(field.name.clone()) && is_told {
                    found.push((info.clone(), field.clone()));
                }
            }
        }
        found
    }

    /// Classes of the class path that name this class as superclass or direct superinterface, sorted. The
    /// first call asks the source for the supertypes of every class on the class path.
    pub fn direct_subtypes(&self, name: &ClassName) -> &[ClassName] {
        self.index().below.get(name).map_or(&[], Vec::as_slice)
    }

    /// Classes of the class path below this one, breadth first, the class itself not included.
    pub fn subtypes(&self, name: &ClassName) -> Names {
        self.below(name).collect()
    }

    /// As [`Self::subtypes`]; `None` as soon as there are more than `most`: an interface of a large library may have
    /// thousands.
    pub fn subtypes_up_to(&self, name: &ClassName, most: usize) -> Option<Names> {
        let found: Names = self.below(name).take(most.saturating_add(1)).collect();
        (found.len() <= most).then_some(found)
    }

    /// As [`Self::subtypes`], one after the other: what is not asked for is not looked up.
    pub fn below(&self, name: &ClassName) -> impl Iterator<Item = ClassName> {
        let mut found: Names = self.direct_subtypes(name).iter().cloned().collect();
        let mut position = 0;
        std::iter::from_fn(move || {
            let next = found.get_index(position)?.clone();
            position += 1;
            found.extend(self.direct_subtypes(&next).iter().cloned());
            Some(next)
        })
    }

    /// Classes of the class path below a type of the platform, sorted: [`Self::subtypes`] stops at types of the
    /// platform in between.
    pub fn subtypes_of_platform_type(&self, name: &ClassName) -> Vec<ClassName> {
        let between = self
            .index()
            .below
            .keys()
            .filter(|key| !self.source.is_on_class_path(key) && self.is_subclass(key, name));
        let found: BTreeSet<ClassName> = between.flat_map(|key| self.subtypes(key)).collect();
        found.into_iter().collect()
    }

    /// Public classes of the class path, sorted, of which public static methods say that they give objects of this class; the class itself
    /// is not among them, nor is any for a class of the package `java` or below.
    pub fn makers(&self, name: &ClassName) -> &[ClassName] {
        self.index().makers.get(name).map_or(&[], Vec::as_slice)
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            for (class, outline) in self.source.outlines() {
                for sup in outline.supertypes {
                    index.below.entry(sup).or_default().push(class.clone());
                }
                for given in outline.gives {
                    index.makers.entry(given).or_default().push(class.clone());
                }
            }
            for classes in index.below.values_mut().chain(index.makers.values_mut()) {
                classes.sort();
                classes.dedup();
            }
            index
        })
    }
}
