//! What git says has changed, as classes: those of changed source files, and what uses them directly.
//!
//! The user's own `git` is asked: it alone knows all of ignore rules, work trees and configuration. A class file tells the source
//! that it was compiled from (`SourceFile`, JVM specification §4.7.10), so that several classes of one file and nested ones count.

#![expect(clippy::disallowed_methods, reason = "reads the user's sources")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bytecode::class_file::ClassFile;
use bytecode::class_info::ClassInfo;
use bytecode::name::ClassName;
use bytecode::source::ClassSource as _;

use crate::dependencies::named_in;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::project::Project;
use crate::targets::Target;

/// Files that have changed since some commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The commit, as the user names it.
    pub reference: String,
    /// The files, below the root of the work tree, sorted.
    pub files: Vec<PathBuf>,
    /// Packages (in internal form) with the names of files that may be the source of their classes.
    sources: BTreeSet<(String, String)>,
}

impl Changes {
    /// What lies otherwise in the work tree around a folder than in a commit: committed or not, added to git or not.
    ///
    /// # Errors
    /// There is no git, no work tree, or no such commit.
    pub fn since(reference: &str, folder: &Path, environment: &Environment) -> Result<Self, Failure> {
        let Some(program) = environment.on_path("git") else {
            return Err(Failure::input(
                "--since asks git what has changed, and there is no git on the path; install it, or leave --since out",
            ));
        };
        let git = Git { program, folder: folder.to_owned() };
        let Ok(root) = git.ask(&["rev-parse", "--show-toplevel"])? else {
            return Err(git.no_work_tree(reference)?);
        };
        let git = Git { folder: path(root.strip_suffix(b"\n").unwrap_or(&root)), ..git };
        let commit = format!("{reference}^{{commit}}");
        // Else it is an option of git.
        let is_name = !reference.is_empty() && !reference.starts_with('-');
        if !is_name || git.ask(&["rev-parse", "--verify", "--quiet", &commit])?.is_err() {
            return Err(Failure::input(format!(
                "git knows no commit {reference} in {}; check --since, or fetch it: clones of CI often lack all but the newest \
                 commit",
                git.folder.display()
            )));
        }
        let mut files = BTreeSet::new();
        for arguments in [
            &["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", reference, "--"][..],
            &["ls-files", "--others", "--exclude-standard", "-z"],
        ] {
            let listed = git.ask(arguments)?.map_err(|said| {
                Failure::input(format!("git cannot say what has changed since {reference}: {said}"))
            })?;
            files.extend(listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(path));
        }
        let sources = files.iter().flat_map(|file| sources(&git.folder, file)).collect();
        Ok(Self { reference: reference.to_owned(), files: files.into_iter().collect(), sources })
    }

    /// Of these targets those that have changed or use directly what has, in their order.
    pub fn narrow(&self, project: &Project, targets: &[Target]) -> Vec<Target> {
        let is_in_folder = |name: &&ClassName| {
            let entry = project.source.entry_of(name).and_then(|entry| project.entries.get(entry));
            entry.is_some_and(|entry| entry.is_dir())
        };
        let nests = targets.iter().flat_map(|target| &target.nest);
        let looked_at: BTreeSet<&ClassName> =
            project.source.class_path_classes().iter().filter(is_in_folder).chain(nests).collect();
        let is_changed = |name: &&ClassName| self.concern(project, name);
        let changed: BTreeSet<&str> =
            looked_at.into_iter().filter(is_changed).map(ClassName::as_str).collect();
        let counts =
            |name: &ClassName| changed.contains(name.as_str()) || self.is_used_by(name, project, &changed);
        targets.iter().filter(|target| target.nest.iter().any(counts)).cloned().collect()
    }

    /// Whether a class comes itself from a changed source.
    pub fn concern(&self, project: &Project, class: &ClassName) -> bool {
        let bytes = project.source.class_bytes(class);
        bytes.and_then(|bytes| ClassInfo::read(&bytes).ok()).is_some_and(|info| self.hold(&info))
    }

    /// Whether a class comes from a changed source. Without what tells its source it has the name of that, up to a `$`.
    fn hold(&self, info: &ClassInfo) -> bool {
        let package = info.name.package().to_owned();
        match &info.source_file {
            Some(file) => self.sources.contains(&(package, file.to_string())),
            None => self.is_named(info.name.as_str()),
        }
    }

    /// Whether a changed source has the name of a class, or of one around it.
    fn is_named(&self, name: &str) -> bool {
        let (package, simple) = name.rsplit_once('/').unwrap_or(("", name));
        let top_level = simple.split('$').next().unwrap_or_default();
        let from = (package.to_owned(), format!("{top_level}."));
        let mut behind = self.sources.range(from.clone()..);
        behind.next().is_some_and(|(found, file)| *found == from.0 && file.starts_with(&from.1))
    }

    /// Whether a class names a changed one. Classes of jars are not read: what their name tells has to do.
    fn is_used_by(&self, user: &ClassName, project: &Project, changed: &BTreeSet<&str>) -> bool {
        let Some(bytes) = project.source.class_bytes(user) else { return false };
        let Ok(file) = ClassFile::parse(&bytes) else { return false };
        let mut uses = false;
        named_in(&file.constants, &mut |name| {
            let is_in_jar = || {
                let class = ClassName::from(name);
                self.is_named(name)
                    && project.source.entry_of(&class).is_some_and(|entry| !project.entries[entry].is_dir())
            };
            uses |= changed.contains(name) || is_in_jar();
        });
        uses
    }

    /// Says that nothing has changed.
    pub fn nothing(&self) -> Option<String> {
        let nothing = format!("nothing has changed since {}: no class is worked on", self.reference);
        self.files.is_empty().then_some(nothing)
    }

    /// Says that what has changed is the source of no class that is asked for.
    pub fn no_class(&self) -> String {
        const SHOWN: usize = 2;
        let names: Vec<String> =
            self.files.iter().take(SHOWN).map(|file| file.display().to_string()).collect();
        let more = if self.files.len() > SHOWN { ", …" } else { "" };
        let (count, are) = match self.files.len() {
            1 => ("1 file has".to_owned(), "it is not"),
            number => (format!("{number} files have"), "none of them is"),
        };
        format!(
            "{count} changed since {}, and {are} the source of a class that is asked for ({}{more}): no class is worked on; leave \
             --since out if a resource or the build changes what classes do",
            self.reference,
            names.join(", ")
        )
    }
}

/// Packages that a source file may be of, each with its name; none where it is gone: then its classes are, too, and what used
/// them has changed as well.
fn sources(root: &Path, file: &Path) -> Vec<(String, String)> {
    let (Some(name), Ok(text)) = (file.file_name().and_then(|name| name.to_str()), fs::read(root.join(file)))
    else {
        return Vec::new();
    };
    let declared = declared_package(&String::from_utf8_lossy(&text)).unwrap_or_default();
    let mut packages = vec![declared];
    // Other languages have other headers. Folders need not follow packages there, but mostly do.
    if file.extension() != Some("java".as_ref()) {
        let folders: Vec<&str> =
            file.parent().unwrap_or(Path::new("")).iter().filter_map(|part| part.to_str()).collect();
        packages.extend((0..folders.len()).map(|from| folders[from..].join("/")));
    }
    packages.into_iter().map(|package| (package, name.to_owned())).collect()
}

/// The package that a source text declares, in internal form.
fn declared_package(text: &str) -> Option<String> {
    let names = text.lines().filter_map(|line| line.trim_start().strip_prefix("package"));
    let names = names.filter(|rest| rest.starts_with(char::is_whitespace));
    let mut packages = names.map(|rest| {
        let end = rest.find([';', '/', '{']).unwrap_or(rest.len());
        rest[..end].split('.').map(str::trim).collect::<Vec<_>>().join("/")
    });
    packages.find(|package| !package.is_empty() && !package.contains(char::is_whitespace))
}

/// The user's git, at work in a folder.
struct Git {
    program: PathBuf,
    folder: PathBuf,
}

impl Git {
    /// What it answers, or says on standard error in place of an answer, in one line.
    ///
    /// # Errors
    /// It does not start.
    fn ask(&self, arguments: &[&str]) -> Result<Result<Vec<u8>, String>, Failure> {
        let mut command = Command::new(&self.program);
        command.arg("-C").arg(&self.folder).args(arguments).stdin(Stdio::null());
        // It need not refresh its index for us.
        command.env("GIT_OPTIONAL_LOCKS", "0");
        let output = command
            .output()
            .map_err(|error| Failure::input(format!("git does not start: {error}; check that it runs")))?;
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it says no more");
        Ok(if output.status.success() { Ok(output.stdout) } else { Err(line.to_owned()) })
    }

    /// Why there is no work tree.
    fn no_work_tree(&self, reference: &str) -> Result<Failure, Failure> {
        let folder = self.folder.display();
        // A repository of someone else, or one without files, is another thing than none.
        let said = self.ask(&["rev-parse", "--git-dir"])?.err();
        let said = said.filter(|said| !said.contains("not a git repository"));
        let why = said.map_or_else(String::new, |said| format!(" ({said})"));
        Ok(Failure::input(format!(
            "--since {reference} asks git what has changed, and {folder} is in no git work tree{why}; give --project a folder that \
             is in one, or leave --since out"
        )))
    }
}

fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Request;

    /// `Pair.java` holds two classes that are no member of each other.
    const CLASSES: &str = "
//- /p/Pair.java
package p;
public class Pair { static class Inner { int one() { return 1; } } }
class Beside { static int two() { return 2; } }
//- /p/Nested.java
package p;
public class Nested { Object field = new Object() { public String toString() { return \"\" + Beside.two(); } }; }
//- /p/User.java
package p;
public class User { Nested nested() { return new Nested(); } }
//- /q/Alone.java
package q;
public class Alone { int one() { return 1; } }
";

    /// Binary names of the classes that count once these files are otherwise than committed, with the text that they have then.
    fn check(changed: &[(&str, &str)], expect: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::read();
        let git = Git { program: environment.on_path("git").unwrap(), folder: folder.path().to_owned() };
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        for name in ["a/p/Pair.java", "a/p/Nested.java", "a/p/User.java"] {
            write(name, "package p;\n");
        }
        write("a/q/Alone.java", "package q;\n");
        let commit =
            ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message=first"];
        for words in [&["init", "--quiet"][..], &["add", "."], &commit] {
            git.ask(words).unwrap().unwrap();
        }
        for (name, text) in changed {
            write(name, text);
        }
        let request = Request {
            class_path: vec![fixture::compile(CLASSES).folder.clone()],
            prefixes: vec!["p".into(), "q".into()],
            ..Request::default()
        };
        let project = Project::open(&request, &environment, &|_| ()).unwrap();
        let targets = project.targets(&request).unwrap().targets;
        let changes = Changes::since("HEAD", &folder.path().join("a"), &environment).unwrap();
        assert_eq!(changes.files.len(), changed.len());
        let names: Vec<String> =
            changes.narrow(&project, &targets).iter().map(|target| target.class.binary()).collect();
        assert_eq!(names, expect, "{changed:?}");
    }

    #[test]
    fn classes_of_changed_sources_count_and_what_names_them() {
        let of_p = "package p;\n// changed\n";
        // Both classes of the file, and what an anonymous class in another names; not what uses that in turn.
        check(&[("a/p/Pair.java", of_p)], &["p.Beside", "p.Nested", "p.Pair"]);
        check(&[("a/p/Nested.java", of_p)], &["p.Nested", "p.User"]);
        check(&[("a/q/Alone.java", "package q;\n//\n")], &["q.Alone"]);
        // A source is found wherever it lies, and needs not be known to git; one that only shares the name is another.
        check(&[("b/Nested.java", of_p), ("b/q/Pair.java", "package q;\n")], &["p.Nested", "p.User"]);
        check(&[("a/p/notes.txt", "")], &[]);
    }

    #[test]
    fn a_source_tells_its_package() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(declared_package(text).as_deref(), expect, "{text}");
        };
        check("/* Licence\n * package x;\n */\npackage com.acme.a;\nclass A {}\n", Some("com/acme/a"));
        check("package com . acme ; class A {}", Some("com/acme"));
        check("@file:JvmName(\"A\")\n\npackage com.acme // here\n", Some("com/acme"));
        check("package of three\npackage p\n", Some("p"));
        check("packaged p;\nclass A { String s = \"package q\"; }\n", None);
    }
}
