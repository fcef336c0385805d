//! What the result of a class can depend on of the user's code, as one hash: its own class files, those in folders of the class
//! path that it can reach, and the jars as wholes.
//!
//! A class reaches what its constant pool names, in whatever form, and the subtypes of what it reaches: tests make arguments of
//! them. Resources are left out. Builds write the time or the revision into them, which would change every class.

#![expect(clippy::disallowed_methods, reason = "reads the user's jars")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use bytecode::class_file::{ClassFile, ConstantPool, tag};
use bytecode::name::ClassName;
use bytecode::side_by_side::side_by_side;
use bytecode::source::ClassSource as _;
use sha2::{Digest as _, Sha256};

use crate::failure::Failure;
use crate::project::Project;

/// The classes in folders of a class path, with what they name.
#[derive(Debug)]
pub struct Dependencies {
    classes: Vec<Class>,
    numbers: BTreeMap<String, usize>,
    /// Of everything that no class file in a folder says.
    rest: Hash,
}

/// Bytes of a file that are read at once.
const BUFFER: usize = 1 << 18;

/// A hash, 256 bits.
type Hash = [u8; 32];

#[derive(Debug)]
struct Class {
    hash: Hash,
    /// Classes that it reaches directly, by number.
    reaches: Vec<usize>,
}

impl Dependencies {
    /// Reads the classes in folders and the jars of a class path.
    ///
    /// # Errors
    /// A jar or the JDK cannot be read.
    pub fn new(project: &Project) -> Result<Self, Failure> {
        let is_in_folder = |name: &&ClassName| {
            let entry = project.source.entry_of(name).and_then(|entry| project.entries.get(entry));
            entry.is_some_and(|entry| entry.is_dir())
        };
        let names: Vec<&ClassName> =
            project.source.class_path_classes().iter().filter(is_in_folder).collect();
        let numbers =
            names.iter().enumerate().map(|(number, name)| (name.as_str().to_owned(), number)).collect();
        let files: Vec<Vec<u8>> = names
            .iter()
            .map(|name| project.source.class_bytes(name).unwrap_or_default().into_owned())
            .collect();
        // What lies in it decides which classes of the JDK there are, and what they do.
        let release = project.jdk.home.join("release");
        let jars = project.entries.iter().filter(|entry| !entry.is_dir());
        let others: Vec<&PathBuf> = std::iter::once(&release).chain(jars).collect();
        let mut rest = Sha256::new();
        for content in side_by_side(&others, 1, |file| content(file)) {
            let Some((length, hash)) = content? else { continue };
            rest.update(length.to_be_bytes());
            rest.update(hash);
        }
        Ok(Self { classes: linked(&files, &numbers), numbers, rest: rest.finalize().into() })
    }

    /// Hash of these classes alone, with the jars and the JDK, as text.
    pub fn hash_of_own(&self, nest: &[ClassName]) -> String {
        let mut is_own = vec![false; self.classes.len()];
        self.numbers_of(nest).for_each(|class| is_own[class] = true);
        self.hash_of_all(&is_own)
    }

    /// Hash of everything that the result of these classes can depend on, as text.
    pub fn hash(&self, nest: &[ClassName]) -> String {
        let mut open: Vec<usize> = self.numbers_of(nest).collect();
        let mut is_reached = vec![false; self.classes.len()];
        while let Some(class) = open.pop() {
            if !std::mem::replace(&mut is_reached[class], true) {
                open.extend(&self.classes[class].reaches);
            }
        }
        self.hash_of_all(&is_reached)
    }

    fn numbers_of(&self, nest: &[ClassName]) -> impl Iterator<Item = usize> {
        nest.iter().filter_map(|name| self.numbers.get(name.as_str()).copied())
    }

    fn hash_of_all(&self, counts: &[bool]) -> String {
        let mut hash = Sha256::new();
        hash.update(self.rest);
        for (name, &number) in &self.numbers {
            if counts[number] {
                hash.update(name.as_bytes());
                hash.update(self.classes[number].hash);
            }
        }
        hex(hash.finalize().into())
    }
}

/// Hash of a text, as text.
pub fn hash_of(bytes: impl AsRef<[u8]>) -> String {
    hex(Sha256::digest(bytes).into())
}

fn hex(hash: Hash) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or_default();
    hash.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Length and hash of a file; `None` where it is not there: a JDK may come without its own.
fn content(path: &Path) -> Result<Option<(u64, Hash)>, Failure> {
    let mut hash = Sha256::new();
    let read = File::open(path)
        .and_then(|file| io::copy(&mut BufReader::with_capacity(BUFFER, file), &mut Writer(&mut hash)));
    match read {
        Ok(length) => Ok(Some((length, hash.finalize().into()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::input(format!("{} cannot be read: {error}", path.display()))),
    }
}

/// A hash that is written to.
struct Writer<'a>(&'a mut Sha256);

impl io::Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Classes with what they reach. One that cannot be read reaches nothing, and says so when it is to be tested.
fn linked(files: &[Vec<u8>], numbers: &BTreeMap<String, usize>) -> Vec<Class> {
    let class = |bytes: &Vec<u8>| Class { hash: Sha256::digest(bytes).into(), reaches: Vec::new() };
    let mut classes: Vec<Class> = files.iter().map(class).collect();
    for (number, bytes) in files.iter().enumerate() {
        let Ok(file) = ClassFile::parse(bytes) else { continue };
        named_in(&file.constants, &mut |name| {
            classes[number].reaches.extend(numbers.get(name));
        });
        let supertypes = file.interfaces.iter().chain(std::iter::once(&file.super_class));
        for supertype in supertypes.filter_map(|&index| file.constants.class(index).ok()) {
            if let Some(&supertype) = numbers.get(&*supertype) {
                classes[supertype].reaches.push(number);
            }
        }
    }
    for class in &mut classes {
        class.reaches.sort_unstable();
        class.reaches.dedup();
    }
    classes
}

/// Everything in a constant pool that may be the name of a class: names themselves, the names in descriptors and signatures, and
/// texts that name a class for reflection.
pub(crate) fn named_in(constants: &ConstantPool<'_>, found: &mut dyn FnMut(&str)) {
    for index in 1..constants.len() as u16 {
        if constants.tag(index) != Some(tag::UTF8) {
            continue;
        }
        let Ok(text) = constants.utf8(index) else { continue };
        found(&text);
        if text.contains('.') {
            found(&text.replace('.', "/"));
        }
        for part in text.split([';', '(', ')', '<', '>', '[', ':', '+', '-', '*', '^']) {
            // Types without a name stand before it: `(IJLp/A;)`.
            if let Some(name) =
                part.trim_start_matches(['B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z', 'V']).strip_prefix('L')
            {
                found(name);
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use std::fs;

    use super::*;
    use crate::environment::Environment;
    use crate::request::Request;

    const CLASSES: &str = "
//- /p/Uses.java
package p;
public class Uses {
    int call() { return Called.one(); }
    void take(Shape shape, java.util.List<Listed> all) {}
    Object load() throws Exception { return Class.forName(\"p.Loaded\"); }
    static class Inner {}
}
//- /p/Called.java
package p;
public class Called { static int one() { return Further.TWO[0]; } }
//- /p/Further.java
package p;
public class Further { static final int[] TWO = {2}; }
//- /p/Shape.java
package p;
public interface Shape {}
//- /p/Circle.java
package p;
public class Circle implements Shape { double area() { return 3; } }
//- /p/Listed.java
package p;
public class Listed {}
//- /p/Loaded.java
package p;
public class Loaded {}
//- /p/Apart.java
package p;
public class Apart {}
";

    /// Whether the hash of `p.Uses` changes with a class, and that of its own code.
    fn changes_with(changed: &str) -> [bool; 2] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("p");
        fs::create_dir(&root).unwrap();
        for file in fs::read_dir(fixture::compile(CLASSES).folder.join("p")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), root.join(file.file_name())).unwrap();
        }
        let hash = || {
            let request = Request { class_path: vec![folder.path().to_owned()], ..Request::default() };
            let environment = Environment { java_home: Some(fixture::java_home()), ..Environment::default() };
            let project = Project::open(&request, &environment, &|_| ()).unwrap();
            let dependencies = Dependencies::new(&project).unwrap();
            let nest = ["p/Uses".into(), "p/Uses$Inner".into()];
            [dependencies.hash(&nest), dependencies.hash_of_own(&nest)]
        };
        let before = hash();
        assert_eq!(hash(), before);
        let file = root.join(format!("{changed}.class"));
        // Behind the end of the class: that it cannot be read any more is for those who test it.
        let bytes = [fs::read(&file).unwrap(), vec![0]].concat();
        fs::write(file, bytes).unwrap();
        let after = hash();
        [after[0] != before[0], after[1] != before[1]]
    }

    #[test]
    fn a_class_depends_on_what_it_reaches() {
        for (changed, expect) in [
            ("Uses", [true, true]),
            ("Uses$Inner", [true, true]),
            ("Called", [true, false]),
            ("Further", [true, false]),
            ("Shape", [true, false]),
            ("Circle", [true, false]),
            ("Listed", [true, false]),
            ("Loaded", [true, false]),
            ("Apart", [false, false]),
        ] {
            assert_eq!(changes_with(changed), expect, "{changed}");
        }
    }

    #[test]
    fn jars_count_by_what_is_in_them() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("a.jar");
        let hash = |text: &str| {
            fs::write(&jar, text).unwrap();
            content(&jar).unwrap()
        };
        assert_eq!(hash("a"), hash("a"));
        assert_ne!(hash("a"), hash("b"));
        assert_eq!(content(&folder.path().join("b.jar")).unwrap(), None);
    }
}
