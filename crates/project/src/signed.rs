//! Signed jars as the JVMs of a run get them: copies without signatures.
//!
//! A JVM checks the signature of every class that it loads from a signed jar, which takes a worker seconds of its search.
//! What a class does is the same without; that nobody may add classes to its packages is heeded where tests are given a
//! package.
//!
//! # Differences
//! A class that asks for its own signers finds none.

#![expect(clippy::disallowed_methods, reason = "reads the user's jars to copy them")]

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use bytecode::class_path::ClassPath;
use tempfile::{NamedTempFile, TempDir};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::environment::Environment;

const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// A class path for the JVMs of a run.
#[derive(Debug, Default)]
pub struct RunPath {
    /// Its entries.
    pub entries: Vec<PathBuf>,
    /// Holds the copies where there is no cache folder.
    folder: Option<TempDir>,
}

impl RunPath {
    /// The entries of a class path, signed jars replaced by copies. These are kept in the cache folder; a jar that cannot be
    /// copied stays as it is. `note` is told what takes time.
    pub fn new(
        entries: &[PathBuf],
        source: &ClassPath,
        environment: &Environment,
        note: &dyn Fn(&str),
    ) -> Self {
        let signed = source.signed_entries();
        let mut path = Self { entries: entries.to_vec(), folder: None };
        if signed.is_empty() {
            return path;
        }
        let cache = environment.cache_folder("unsigned").filter(|folder| fs::create_dir_all(folder).is_ok());
        let folder = cache.or_else(|| {
            path.folder = tempfile::tempdir().ok();
            path.folder.as_ref().map(|folder| folder.path().to_owned())
        });
        let Some(folder) = folder else { return path };
        for number in signed {
            if let Ok(copy) = copy_in(&folder, &path.entries[number], note) {
                path.entries[number] = copy;
            }
        }
        path
    }
}

/// The copy of a jar in a folder, made if it is not there. Its name changes with the jar.
fn copy_in(folder: &Path, jar: &Path, note: &dyn Fn(&str)) -> io::Result<PathBuf> {
    let metadata = fs::metadata(jar)?;
    let mut hasher = DefaultHasher::new();
    (jar, metadata.len(), metadata.modified()?).hash(&mut hasher);
    let stem = jar.file_stem().unwrap_or_default().to_string_lossy();
    let place = folder.join(format!("{stem}-{:016x}.jar", hasher.finish()));
    if !place.is_file() {
        note(&format!("copying {} without its signatures, before the budget begins", jar.display()));
        let fresh = NamedTempFile::new_in(folder)?;
        copy_without_signatures(jar, fresh.as_file())?;
        fresh.persist(&place).map_err(|error| error.error)?;
    }
    Ok(place)
}

fn copy_without_signatures(jar: &Path, to: &File) -> io::Result<()> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(jar)?))?;
    let mut copy = ZipWriter::new(BufWriter::new(to));
    for index in 0..archive.len() {
        let member = archive.by_index_raw(index)?;
        let name = member.name()?.into_owned();
        if is_signature(&name) {
            continue;
        }
        if name == MANIFEST {
            drop(member);
            let mut text = Vec::new();
            archive.by_index(index)?.read_to_end(&mut text)?;
            copy.start_file(name, SimpleFileOptions::default())?;
            copy.write_all(main_section(&text))?;
        } else {
            copy.raw_copy_file(member)?;
        }
    }
    copy.finish()?.flush()
}

/// Whether a member of a jar is a signature file or what belongs to one (JAR file specification, "Signed JAR file").
fn is_signature(name: &str) -> bool {
    let file = name.strip_prefix("META-INF/").filter(|file| !file.contains('/'));
    file.is_some_and(|file| {
        let upper = file.to_ascii_uppercase();
        upper.starts_with("SIG-") || [".SF", ".RSA", ".DSA", ".EC"].iter().any(|end| upper.ends_with(end))
    })
}

/// A manifest up to its first empty line: what follows are the digests of the members.
fn main_section(manifest: &[u8]) -> &[u8] {
    let mut start = 0;
    for line in manifest.split_inclusive(|&byte| byte == b'\n') {
        if line.iter().all(u8::is_ascii_whitespace) {
            return &manifest[..start + line.len()];
        }
        start += line.len();
    }
    manifest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_signature_is_known_by_its_name() {
        for name in
            ["META-INF/ECLIPSE_.SF", "META-INF/x.rsa", "META-INF/A.DSA", "META-INF/A.EC", "META-INF/SIG-A"]
        {
            assert!(is_signature(name), "{name}");
        }
        for name in
            ["META-INF/MANIFEST.MF", "META-INF/services/a.SF", "a.SF", "META-INF/LICENSE", "p/A.class"]
        {
            assert!(!is_signature(name), "{name}");
        }
    }

    #[test]
    fn of_a_manifest_the_main_section_is_left() {
        let manifest =
            b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\nName: p/A.class\r\nSHA-256-Digest: x\r\n";
        assert_eq!(main_section(manifest), b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n");
        assert_eq!(main_section(b"A: b\n"), b"A: b\n");
    }
}
