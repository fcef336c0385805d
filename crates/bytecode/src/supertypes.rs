//! What classes name as their supertypes: read from the heads of all class files of a class path, and kept for jars.
//!
//! To say what lies below a class takes all of these. A project may have 300 jars with 60,000 classes, whose heads take a second to inflate
//! and read; what was read of a jar is kept in a folder, and holds as long as the jar has the same size and time.

#![expect(clippy::disallowed_methods, reason = "keeps what was read of jars")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::class_file::ClassFile;
use crate::lookup::Lookup;
use crate::name::ClassName;
use crate::side_by_side::side_by_side;

/// A class, with its superclass and direct superinterfaces; `java.lang.Object` is left out.
pub type Supertypes = (ClassName, Vec<ClassName>);

/// Gives the class file of a class.
pub(crate) type ClassBytes<'a> = dyn Fn(&ClassName) -> Option<Cow<'a, [u8]>> + Sync + 'a;

/// Fewest names that a thread reads.
const LEAST_PART: usize = 64;

/// Of these classes, in their order; what cannot be read is left out.
pub(crate) fn read(names: &[ClassName], bytes: &ClassBytes<'_>) -> Vec<Supertypes> {
    let one = |name: &ClassName| Some((name.clone(), of_file(&bytes(name)?)?));
    side_by_side(names, LEAST_PART, one).into_iter().flatten().collect()
}

fn of_file(bytes: &[u8]) -> Option<Vec<ClassName>> {
    let class = ClassFile::parse(bytes).ok()?;
    let supers = std::iter::once(class.super_class).chain(class.interfaces.iter().copied());
    let supers = supers.filter_map(|index| class.constants.class(index).ok());
    Some(supers.filter(|name| *name != "java/lang/Object").map(|name| ClassName::new(&*name)).collect())
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
    /// Names of supertypes.
    names: Vec<String>,
    /// By number of a member, its supertypes by their numbers in `names`.
    members: BTreeMap<u32, Vec<u32>>,
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
        members: impl IntoIterator<Item = (u32, &'a [ClassName])>,
    ) -> io::Result<()> {
        let metadata = fs::metadata(jar)?;
        let mut kept = Self { size: metadata.len(), modified: modified(&metadata), ..Self::default() };
        let mut numbers: Lookup<ClassName, u32> = Lookup::default();
        for (member, supers) in members {
            let supers = supers.iter().map(|name| {
                *numbers.entry(name.clone()).or_insert_with(|| {
                    kept.names.push(name.as_str().to_owned());
                    kept.names.len() as u32 - 1
                })
            });
            let supers = supers.collect();
            kept.members.insert(member, supers);
        }
        let bytes = postcard::to_stdvec(&kept).map_err(io::Error::other)?;
        let mut fresh = NamedTempFile::new_in(folder)?;
        fresh.write_all(&bytes)?;
        fresh.persist(place(folder, jar)).map_err(|error| error.error)?;
        Ok(())
    }

    /// The names of supertypes, by their numbers.
    pub(crate) fn names(&self) -> Vec<ClassName> {
        self.names.iter().map(|name| ClassName::new(&**name)).collect()
    }

    /// The supertypes of a member among these names; `None` for one that was not read.
    pub(crate) fn of_member(&self, member: u32, names: &[ClassName]) -> Option<Vec<ClassName>> {
        self.members.get(&member)?.iter().map(|&number| names.get(number as usize).cloned()).collect()
    }
}

fn modified(metadata: &Metadata) -> (i64, i64) {
    (metadata.mtime(), metadata.mtime_nsec())
}

/// Extension of the files, another one for each form of what is in them.
const FORMAT: &str = "supertypes-1";

/// Where it is kept: one file for a jar, whatever becomes of that.
fn place(folder: &Path, jar: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    jar.hash(&mut hasher);
    let stem = jar.file_stem().unwrap_or_default().to_string_lossy();
    folder.join(format!("{stem}-{:016x}.{FORMAT}", hasher.finish()))
}
