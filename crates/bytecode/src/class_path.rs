//! A class path of folders and jars on top of a JDK, as its application class loader sees it.

#![expect(clippy::disallowed_methods, reason = "this is the one place where class files are read from disk")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libdeflater::Decompressor;
use thiserror::Error;
use zip::{CompressionMethod, ZipArchive};

use crate::jimage::{JImage, JImageError};
use crate::lookup::Lookup;
use crate::manifest::Manifest;
use crate::name::ClassName;
use crate::outlines::{self, LEAST_KEPT, OfJar, Outline};
use crate::source::ClassSource;

/// The manifest of a jar.
const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// Why a class path cannot be used.
#[derive(Debug, Error)]
pub enum ClassPathError {
    /// An entry does not exist.
    #[error("the class path names {}, which does not exist", .0.display())]
    Missing(PathBuf),
    /// A jar that cannot be read.
    #[error("{} cannot be read as a jar: {reason}", path.display())]
    Jar {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        reason: String,
    },
    /// A folder or file that cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// No run-time image (`lib/modules`) and no `rt.jar`.
    #[error("{} is no JDK: it has neither lib/modules nor jre/lib/rt.jar", .0.display())]
    Platform(PathBuf),
    /// A run-time image of an unknown format.
    #[error("{}: {error}", path.display())]
    Image {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: JImageError,
    },
}

/// The classes of a JDK and of a class path.
#[derive(Debug)]
pub struct ClassPath {
    opened: Arc<Opened>,
    /// The API of an earlier release, in place of the JDK's own.
    release: Option<ReleaseApi>,
    /// Folder in which supertypes are kept that were read of jars.
    kept_in: Option<PathBuf>,
}

/// What was opened once for all releases.
#[derive(Debug)]
struct Opened {
    platform: Platform,
    entries: Vec<Entry>,
    /// Every class of the class path, with the entry that defines it first.
    classes: Lookup<ClassName, (usize, Place)>,
    names: Vec<ClassName>,
}

/// What earlier releases exported, as `javac --release` sees it: `lib/ct.sym`, a zip of class files without code. The
/// folder that a file lies in names the releases that it holds for, a letter each (JEP 247).
#[derive(Debug)]
struct ReleaseApi {
    jar: Jar,
    classes: BTreeMap<ClassName, usize>,
}

#[derive(Debug)]
enum Platform {
    /// `lib/modules` of JDK 9 and newer.
    Image { image: JImage, file: File },
    /// `rt.jar` and its neighbours of JDK 8.
    Jars { jars: Vec<Jar>, classes: BTreeMap<ClassName, (usize, usize)> },
}

#[derive(Debug)]
enum Entry {
    Folder,
    Jar(Jar),
}

/// Where the bytes of a class are within its entry.
#[derive(Debug)]
enum Place {
    File(PathBuf),
    Member(usize),
}

/// A class that a jar defines, with the number of its member.
type Member = (ClassName, u32);

#[derive(Debug)]
struct Jar {
    path: PathBuf,
    archive: ZipArchive<PositionedFile>,
    is_signed: bool,
    manifest: Manifest,
}

/// A file with a position of its own, so that copies of an archive can be read side by side. Its end, where a zip has
/// its directory, is in memory: the archive reads that in small steps.
#[derive(Debug, Clone)]
struct PositionedFile {
    file: Arc<File>,
    position: u64,
    length: u64,
    tail: Arc<[u8]>,
}

impl Read for PositionedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let tail_start = self.length - self.tail.len() as u64;
        let read = match self.position.checked_sub(tail_start) {
            Some(within) => (&self.tail[(within as usize).min(self.tail.len())..]).read(buffer)?,
            None => self.file.read_at(buffer, self.position)?,
        };
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for PositionedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(delta) => self.length.checked_add_signed(delta),
            SeekFrom::Current(delta) => self.position.checked_add_signed(delta),
        };
        self.position = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

/// The end of a zip file from its central directory on, as far as the record at the end tells where that starts
/// (zip application note, §4.3.16).
fn directory_of_zip(file: &File, length: u64) -> io::Result<Vec<u8>> {
    const RECORD: usize = 22;
    const MAX_COMMENT: u64 = 0xFFFF;
    let mut end = vec![0; length.min(RECORD as u64 + MAX_COMMENT) as usize];
    let at = length - end.len() as u64;
    file.read_exact_at(&mut end, at)?;
    let record = end.windows(RECORD).rposition(|window| window.starts_with(b"PK\x05\x06"));
    let start = record.and_then(|record| end[record + 16..record + 20].first_chunk().copied());
    let start = start.map_or(length, |start| u64::from(u32::from_le_bytes(start)));
    // A large archive says elsewhere where its directory starts; reading that in small steps is slow, not wrong.
    if start + end.len() as u64 >= length {
        return Ok(end);
    }
    let mut directory = vec![0; (length - start) as usize];
    file.read_exact_at(&mut directory, start)?;
    Ok(directory)
}

impl Jar {
    fn open(path: &Path) -> Result<Self, ClassPathError> {
        let io_error = |error| ClassPathError::Io { path: path.to_owned(), error };
        let file = File::open(path).map_err(io_error)?;
        let length = file.metadata().map_err(io_error)?.len();
        let tail = directory_of_zip(&file, length).map_err(io_error)?;
        let file = PositionedFile { file: Arc::new(file), position: 0, length, tail: tail.into() };
        let archive = ZipArchive::new(file)
            .map_err(|error| ClassPathError::Jar { path: path.to_owned(), reason: error.to_string() })?;
        let is_signed = archive.file_names().filter_map(Result::ok).any(|name| is_signature(&name));
        let mut jar = Self { path: path.to_owned(), archive, is_signed, manifest: Manifest::default() };
        let manifest = jar.archive.index_for_name(MANIFEST).and_then(|index| jar.member(index));
        jar.manifest = manifest.map(|bytes| Manifest::parse(&bytes)).unwrap_or_default();
        Ok(jar)
    }

    fn member(&self, index: usize) -> Option<Vec<u8>> {
        let mut archive = self.archive.clone();
        let mut member = archive.by_index_raw(index).ok()?;
        let mut packed = Vec::with_capacity(member.compressed_size() as usize);
        member.read_to_end(&mut packed).ok()?;
        let bytes = match member.compression() {
            CompressionMethod::Stored => packed,
            CompressionMethod::Deflated => inflated(&packed, member.size() as usize)?,
            _ => return None,
        };
        (libdeflater::crc32(&bytes) == member.crc32()).then_some(bytes)
    }

    /// Classes with the members that define them; of a multi-release jar those for the given Java version
    /// (JAR file specification, "Multi-release JAR files").
    fn classes(&self, java_version: u16) -> BTreeMap<ClassName, usize> {
        let multi_release = self.manifest.is_multi_release;
        let mut versioned: BTreeMap<ClassName, (u16, usize)> = BTreeMap::new();
        for (index, name) in self.archive.file_names().enumerate() {
            let Ok(name) = name else {
                continue; // no class is named by what is not Unicode
            };
            let (version, name) = match name.strip_prefix("META-INF/versions/") {
                Some(rest) if multi_release => match rest.split_once('/') {
                    // Releases before 9 know no such jars: a folder of theirs holds for nobody.
                    Some((version, name)) => {
                        (version.parse().ok().filter(|version| *version > 8).unwrap_or(u16::MAX), name)
                    }
                    None => continue,
                },
                _ => (0, &*name),
            };
            let Some(class) = class_of_file(name).filter(|_| version <= java_version) else {
                continue;
            };
            let known = versioned.get(&class).map(|(version, _)| *version);
            if known.is_none_or(|known| version > known) {
                versioned.insert(class, (version, index));
            }
        }
        versioned.into_iter().map(|(class, (_, index))| (class, index)).collect()
    }
}

/// What was deflated from so many bytes, all at once: what a stream needs beside them takes longer to come by than a class to inflate.
fn inflated(packed: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; size];
    let written = Decompressor::new().deflate_decompress(packed, &mut bytes).ok()?;
    (written == size).then_some(bytes)
}

/// Whether a member of a jar is a signature file.
fn is_signature(path: &str) -> bool {
    let file = path.strip_prefix("META-INF/").map(Path::new);
    file.is_some_and(|file| {
        file.components().count() == 1 && file.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("sf"))
    })
}

/// The class that a file of this path (relative, with slashes) defines by its name.
fn class_of_file(path: &str) -> Option<ClassName> {
    let name = path.strip_suffix(".class")?;
    let special = name == "module-info" || name.ends_with("package-info") || name.starts_with("META-INF/");
    (!special).then(|| ClassName::new(name))
}

impl ClassPath {
    /// Opens the JDK at `java_home` and the entries of a class path, folders and jars, and lists their classes.
    /// `java_version` (8, 17, 25 …) chooses among the versions in multi-release jars.
    ///
    /// # Errors
    /// The first entry that is missing or unreadable.
    pub fn open(java_home: &Path, java_version: u16, entries: &[PathBuf]) -> Result<Self, ClassPathError> {
        let mut opened = Vec::new();
        let mut classes = BTreeMap::new();
        for (number, path) in entries.iter().enumerate() {
            let metadata = fs::metadata(path).map_err(|_| ClassPathError::Missing(path.clone()))?;
            if metadata.is_dir() {
                opened.push(Entry::Folder);
                list_folder(path, &mut |class, file| {
                    classes.entry(class).or_insert((number, Place::File(file)));
                })?;
            } else {
                let jar = Jar::open(path)?;
                for (class, member) in jar.classes(java_version) {
                    classes.entry(class).or_insert((number, Place::Member(member)));
                }
                opened.push(Entry::Jar(jar));
            }
        }
        let names = classes.keys().cloned().collect();
        // Asked for names thousands of times, most of them beginning alike.
        let classes = classes.into_iter().collect();
        let platform = Platform::open(java_home)?;
        let opened = Opened { platform, entries: opened, classes, names };
        Ok(Self { opened: Arc::new(opened), release: None, kept_in: None })
    }

    /// The same class path, which keeps in a folder the outlines that it reads of classes in jars: another one that has the same jars,
    /// later, finds them there. A folder that cannot be written to does no harm.
    pub fn keeping_outlines(self, folder: Option<PathBuf>) -> Self {
        Self { kept_in: folder, ..self }
    }

    /// The same class path with the classes of the platform as `release` (8, 11, 17 …) exported them: what source code
    /// of that level may use. Their class files have neither code nor private members. Classes that the release did
    /// not export come from the JDK as before, and so do all when the JDK is of that release, or has no record of it.
    ///
    /// # Errors
    /// The record of earlier releases is there but cannot be read.
    pub fn at_release(&self, java_home: &Path, release: u16) -> Result<Self, ClassPathError> {
        let path = java_home.join("lib/ct.sym");
        let release = if path.is_file() { ReleaseApi::open(&path, release)? } else { None };
        Ok(Self { opened: Arc::clone(&self.opened), release, kept_in: self.kept_in.clone() })
    }

    /// A jar within the jar of an entry, by its name there. Class loaders do not look into it.
    pub fn nested_jar(&self, entry: usize) -> Option<String> {
        let Some(Entry::Jar(jar)) = self.opened.entries.get(entry) else { return None };
        let is_jar = |name: &String| Path::new(name).extension().is_some_and(|kind| kind == "jar");
        jar.archive.file_names().filter_map(Result::ok).map(|name| name.to_string()).find(is_jar)
    }

    /// Numbers of the entries that are signed jars, ascending.
    pub fn signed_entries(&self) -> Vec<usize> {
        let numbered = self.opened.entries.iter().enumerate();
        let signed = numbered.filter(|(_, entry)| matches!(entry, Entry::Jar(jar) if jar.is_signed));
        signed.map(|(number, _)| number).collect()
    }

    /// Number of the entry that defines a class, `None` for classes of the platform and missing ones.
    pub fn entry_of(&self, class: &ClassName) -> Option<usize> {
        self.opened.classes.get(class).map(|(entry, _)| *entry)
    }

    /// The classes that jars define, each with the number of its member, by entry, but for those of small jars; then all others.
    fn by_jar(&self) -> (BTreeMap<usize, Vec<Member>>, Vec<ClassName>) {
        let mut of_jars: BTreeMap<usize, Vec<Member>> = BTreeMap::new();
        let mut others = Vec::new();
        for name in &self.opened.names {
            match self.opened.classes.get(name) {
                Some((entry, Place::Member(member))) => {
                    of_jars.entry(*entry).or_default().push((name.clone(), *member as u32));
                }
                Some((_, Place::File(_))) | None => others.push(name.clone()),
            }
        }
        for (_, classes) in of_jars.extract_if(.., |_, classes| classes.len() < LEAST_KEPT) {
            others.extend(classes.into_iter().map(|(class, _)| class));
        }
        (of_jars, others)
    }

    /// Keeps in a folder what was read of classes of a jar; without it the next one reads them again.
    fn keep(&self, folder: &Path, entry: usize, classes: &[Member], read: &Lookup<&ClassName, &Outline>) {
        let Some(Entry::Jar(jar)) = self.opened.entries.get(entry) else { return };
        // A class that cannot be read says nothing, the next time as well.
        let nothing = Outline::default();
        let members = classes.iter();
        let members = members.map(|(class, member)| (*member, read.get(class).copied().unwrap_or(&nothing)));
        let _ = OfJar::keep(folder, &jar.path, members);
    }
}

impl ClassSource for ClassPath {
    fn class_bytes(&self, name: &ClassName) -> Option<Cow<'_, [u8]>> {
        if let Some(release) = &self.release
            && let Some(bytes) = release.classes.get(name).and_then(|member| release.jar.member(*member))
        {
            return Some(Cow::Owned(bytes));
        }
        if let Some(bytes) = self.opened.platform.class_bytes(name) {
            return Some(Cow::Owned(bytes));
        }
        let (entry, place) = self.opened.classes.get(name)?;
        match (&self.opened.entries[*entry], place) {
            (_, Place::File(path)) => fs::read(path).ok().map(Cow::Owned),
            (Entry::Jar(jar), Place::Member(member)) => jar.member(*member).map(Cow::Owned),
            (Entry::Folder, Place::Member(_)) => None,
        }
    }

    fn class_path_classes(&self) -> &[ClassName] {
        &self.opened.names
    }

    fn outlines(&self) -> Vec<(ClassName, Outline)> {
        let read = |names: &[ClassName]| outlines::read(names, &|name| self.class_bytes(name));
        let Some(folder) = &self.kept_in else { return read(&self.opened.names) };
        let (mut of_jars, mut unknown) = self.by_jar();
        let mut found = Vec::new();
        of_jars.retain(|&entry, classes| {
            let kept = self.opened.entries.get(entry).and_then(|entry| entry.kept(classes, folder));
            let is_unknown = kept.is_none();
            found.extend(kept.into_iter().flatten());
            is_unknown
        });
        unknown.extend(of_jars.values().flatten().map(|(class, _)| class.clone()));
        let read = read(&unknown);
        let by_class = read.iter().map(|(class, outline)| (class, outline)).collect();
        for (&entry, classes) in &of_jars {
            self.keep(folder, entry, classes, &by_class);
        }
        found.extend(read);
        found
    }

    fn is_on_class_path(&self, name: &ClassName) -> bool {
        self.opened.classes.contains_key(name)
    }

    fn is_closed(&self, name: &ClassName) -> bool {
        let entry = self.entry_of(name).and_then(|entry| self.opened.entries.get(entry));
        matches!(entry, Some(Entry::Jar(jar)) if jar.is_signed || jar.manifest.is_sealed(name.package()))
    }

    fn is_of_release(&self, name: &ClassName) -> bool {
        self.release.as_ref().is_none_or(|release| release.classes.contains_key(name))
    }
}

impl Entry {
    /// What a folder has of these classes of a jar, each given with the number of its member; `None` where it lacks any.
    fn kept(&self, classes: &[Member], folder: &Path) -> Option<Vec<(ClassName, Outline)>> {
        let Self::Jar(jar) = self else { return None };
        let kept = OfJar::load(folder, &jar.path)?;
        let names = kept.names();
        let of_class = |(class, member): &Member| Some((class.clone(), kept.of_member(*member, &names)?));
        classes.iter().map(of_class).collect()
    }
}

impl ReleaseApi {
    fn open(path: &Path, release: u16) -> Result<Option<Self>, ClassPathError> {
        // 9 is `9`, 10 is `A`, 17 is `H`.
        let Some(letter) = char::from_digit(release.into(), 36) else {
            return Ok(None);
        };
        let letter = letter.to_ascii_uppercase();
        let jar = Jar::open(path)?;
        let mut classes = BTreeMap::new();
        for (index, name) in jar.archive.file_names().enumerate() {
            let Ok(name) = name else {
                continue; // no class is named by what is not Unicode
            };
            // `9A/java.base/java/lang/Object.sig`
            if let Some((releases, rest)) = name.split_once('/')
                && releases.contains(letter)
                && let Some((_module, file)) = rest.split_once('/')
                && let Some(class) = file.strip_suffix(".sig")
            {
                classes.insert(ClassName::new(class), index);
            }
        }
        // The JDK's own release is listed by name only.
        let known = classes.contains_key(&ClassName::object());
        Ok(known.then_some(Self { jar, classes }))
    }
}

impl Platform {
    fn open(java_home: &Path) -> Result<Self, ClassPathError> {
        let image = java_home.join("lib/modules");
        if image.is_file() {
            return Self::open_image(&image);
        }
        let lib = [java_home.join("jre/lib"), java_home.join("lib")];
        let Some(lib) = lib.into_iter().find(|lib| lib.join("rt.jar").is_file()) else {
            return Err(ClassPathError::Platform(java_home.to_owned()));
        };
        let mut jars = Vec::new();
        let mut classes = BTreeMap::new();
        for name in ["rt.jar", "jce.jar", "jsse.jar", "charsets.jar", "resources.jar"] {
            let path = lib.join(name);
            if path.is_file() {
                let jar = Jar::open(&path)?;
                for (class, member) in jar.classes(8) {
                    classes.entry(class).or_insert((jars.len(), member));
                }
                jars.push(jar);
            }
        }
        Ok(Self::Jars { jars, classes })
    }

    fn open_image(path: &Path) -> Result<Self, ClassPathError> {
        let io_error = |error| ClassPathError::Io { path: path.to_owned(), error };
        let image_error = |error| ClassPathError::Image { path: path.to_owned(), error };
        let file = File::open(path).map_err(io_error)?;
        let mut header = [0; JImage::HEADER];
        file.read_exact_at(&mut header, 0).map_err(io_error)?;
        let mut index = vec![0; JImage::index_size(&header).map_err(image_error)?];
        file.read_exact_at(&mut index, 0).map_err(io_error)?;
        Ok(Self::Image { image: JImage::parse(index).map_err(image_error)?, file })
    }

    fn class_bytes(&self, name: &ClassName) -> Option<Vec<u8>> {
        match self {
            Self::Image { image, file } => image.class_bytes(name, &|range| {
                let mut bytes = vec![0; usize::try_from(range.end - range.start).ok()?];
                file.read_exact_at(&mut bytes, range.start).ok()?;
                Some(bytes)
            }),
            Self::Jars { jars, classes } => {
                classes.get(name).and_then(|(jar, member)| jars[*jar].member(*member))
            }
        }
    }
}

fn list_folder(root: &Path, found: &mut dyn FnMut(ClassName, PathBuf)) -> Result<(), ClassPathError> {
    let mut open = vec![(root.to_owned(), String::new())];
    while let Some((folder, prefix)) = open.pop() {
        let io_error = |error| ClassPathError::Io { path: folder.clone(), error };
        for entry in fs::read_dir(&folder).map_err(io_error)? {
            let entry = entry.map_err(io_error)?;
            let Ok(name) = entry.file_name().into_string() else {
                continue; // no class is named by what is not Unicode
            };
            if entry.path().is_dir() {
                open.push((entry.path(), format!("{prefix}{name}/")));
            } else if let Some(class) = class_of_file(&format!("{prefix}{name}")) {
                found(class, entry.path());
            }
        }
    }
    Ok(())
}
