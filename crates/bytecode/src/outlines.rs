//! What class files say of their classes that others look for: what they name as supertypes, and of which classes their static factories
//! give objects. Read from all class files of a class path, and kept for jars.
//!
//! To say what lies below a class, or who makes its objects, takes all of these. A project may have 300 jars with 60,000 classes, which take
//! a second to inflate and read; what was read of a jar is kept in a folder, and holds as long as the jar has the same size and time.

#![expect(clippy::disallowed_methods, reason = "keeps what was read of jars")]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::access::Access;
use crate::class_file::{ClassFile, Member};
use crate::lookup::Lookup;
use crate::name::ClassName;
use crate::side_by_side::side_by_side;

/// What the class file of one class says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Superclass and direct superinterfaces; `java.lang.Object` is left out.
    pub supertypes: Vec<ClassName>,
    /// Other classes, sorted, of which public static methods give objects; those of the package `java` and below are left out. Empty where
    /// the class is not public.
    pub gives: Vec<ClassName>,
}

/// Gives the class file of a class.
pub(crate) type ClassBytes<'a> = dyn Fn(&ClassName) -> Option<Cow<'a, [u8]>> + Sync + 'a;

/// Fewest names that a thread reads.
const LEAST_PART: usize = 64;

/// Of these classes, in their order; what cannot be read is left out.
pub(crate) fn read(names: &[ClassName], bytes: &ClassBytes<'_>) -> Vec<(ClassName, Outline)> {
    let one = |name: &ClassName| Some((name.clone(), of_file(&bytes(name)?)?));
    side_by_side(names, LEAST_PART, one).into_iter().flatten().collect()
}

fn of_file(bytes: &[u8]) -> Option<Outline> {
    let class = ClassFile::parse(bytes).ok()?;
    let supers = std::iter::once(class.super_class).chain(class.interfaces.iter().copied());
    let supers = supers.filter_map(|index| class.constants.class(index).ok());
    let supers = supers.filter(|name| *name != "java/lang/Object").map(|name| ClassName::new(&*name));
    let own = class.name().ok()?;
    let given = |method: &Member| {
        let access = Access(method.access);
        let is_factory = access.is_public() && access.is_static() && !access.is_synthetic();
        let descriptor = class.constants.utf8(method.descriptor).ok().filter(|_| is_factory)?;
        let (_, result) = descriptor.split_once(")L")?;
        let result = result.strip_suffix(';')?;
        (result != own && !result.starts_with("java/")).then(|| ClassName::new(result))
    };
    let is_public = Access(class.access).is_public();
    let gives: BTreeSet<ClassName> = class.methods.iter().filter(|_| is_public).filter_map(given).collect();
    Some(Outline { supertypes: supers.collect(), gives: gives.into_iter().collect() })
}

/// Fewest classes of a jar of which anything is kept: a smaller one is read as fast.
pub(crate) const LEAST_KEPT: usize = 50;

/// What was read of a jar.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct OfJar {
    /// Size of the jar in bytes.
    size: u64,
    /// When it was written, in seconds and nanoseconds since 1970.
    modified: (i64, i64),
    /// Names of the classes that outlines name.
    names: Vec<String>,
    /// By number of a member, its supertypes and what it gives, by their numbers in `names`.
    members: BTreeMap<u32, (Vec<u32>, Vec<u32>)>,
}

impl OfJar {
    /// What a folder has of a jar; `None` where it has nothing, or something of another state of the jar.
    pub(crate) fn load(folder: &Path, jar: &Path) -> Option<Self> {
        let kept: Self = postcard::from_bytes(&fs::read(place(folder, jar)).ok()?).ok()?;
        let metadata = fs::metadata(jar).ok()?;
        (kept.size == metadata.len() && kept.modified == modified(&metadata)).then_some(kept)
    }

    /// Keeps in a folder what was read of these members of a jar.
    ///
    /// # Errors
    /// The jar is gone, or the folder cannot be written to.
    pub(crate) fn keep<'a>(
        folder: &Path,
        jar: &Path,
        members: impl IntoIterator<Item = (u32, &'a Outline)>,
    ) -> io::Result<()> {
        let metadata = fs::metadata(jar)?;
        let mut kept = Self { size: metadata.len(), modified: modified(&metadata), ..Self::default() };
        let mut numbers: Lookup<ClassName, u32> = Lookup::default();
        let mut numbered = |classes: &[ClassName]| {
            let number = |name: &ClassName| {
                *numbers.entry(name.clone()).or_insert_with(|| {
                    kept.names.push(name.as_str().to_owned());
                    kept.names.len() as u32 - 1
                })
            };
            classes.iter().map(number).collect()
        };
        for (member, outline) in members {
            kept.members.insert(member, (numbered(&outline.supertypes), numbered(&outline.gives)));
        }
        let bytes = postcard::to_stdvec(&kept).map_err(io::Error::other)?;
        let mut fresh = NamedTempFile::new_in(folder)?;
        fresh.write_all(&bytes)?;
        fresh.persist(place(folder, jar)).map_err(|error| error.error)?;
        Ok(())
    }

    /// The names that outlines name, by their numbers.
    pub(crate) fn names(&self) -> Vec<ClassName> {
        self.names.iter().map(|name| ClassName::new(&**name)).collect()
    }

    /// The outline of a member with these names; `None` for one that was not read.
    pub(crate) fn of_member(&self, member: u32, names: &[ClassName]) -> Option<Outline> {
        let named = |numbers: &[u32]| -> Option<Vec<ClassName>> {
            numbers.iter().map(|&number| names.get(number as usize).cloned()).collect()
        };
        let (supertypes, gives) = self.members.get(&member)?;
        Some(Outline { supertypes: named(supertypes)?, gives: named(gives)? })
    }
}

fn modified(metadata: &Metadata) -> (i64, i64) {
    (metadata.mtime(), metadata.mtime_nsec())
}

/// Extension of the files, another one for each form of what is in them.
const FORMAT: &str = "outlines-1";

/// Where it is kept: one file for a jar, whatever becomes of that.
fn place(folder: &Path, jar: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    jar.hash(&mut hasher);
    let stem = jar.file_stem().unwrap_or_default().to_string_lossy();
    folder.join(format!("{stem}-{:016x}.{FORMAT}", hasher.finish()))
}
