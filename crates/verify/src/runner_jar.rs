//! The runner as a jar on disk. Class data archives name the jars of the class path with size and time, so the
//! jar is written once and then left alone.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Member names and bytes of the runner's classes, sorted.
const CLASSES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/runner_classes.rs"));

/// Main class of the runner; it takes the files to read commands from and to write events to.
pub const MAIN_CLASS: &str = "covolve.runner.Main";

/// Puts the jar into the folder, under a name that tells versions apart, unless it is there.
///
/// # Errors
/// The folder cannot be written.
pub fn install(folder: &Path) -> io::Result<PathBuf> {
    let bytes = jar().map_err(io::Error::other)?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let path = folder.join(format!("runner-{:016x}.jar", hasher.finish()));
    if fs::metadata(&path).is_ok_and(|metadata| metadata.len() == bytes.len() as u64) {
        return Ok(path);
    }
    let mut aside = tempfile::NamedTempFile::new_in(folder)?;
    aside.write_all(&bytes)?;
    aside.persist(&path)?;
    Ok(path)
}

fn jar() -> zip::result::ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in CLASSES {
        writer.start_file(*name, options)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use super::*;

    #[test]
    fn the_jar_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let first = install(folder.path()).unwrap();
        let time = fs::metadata(&first).unwrap().modified().unwrap();
        let second = install(folder.path()).unwrap();
        assert_eq!(first, second);
        assert_eq!(fs::metadata(&second).unwrap().modified().unwrap(), time);
        let archive = zip::ZipArchive::new(fs::File::open(&first).unwrap()).unwrap();
        assert!(archive.index_for_name("covolve/runner/Main.class").is_some());
    }
}
