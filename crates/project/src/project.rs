//! What the user has: a JDK, and the classes on a class path.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use bytecode::class_file::ClassFile;
use bytecode::class_path::{ClassPath, ClassPathError};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::source::ClassSource as _;

use crate::class_path;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::jdk::Jdk;
use crate::junit::{self, Junit};
use crate::local_repository::LocalRepository;
use crate::maven::Maven;
use crate::request::{JunitChoice, Request};
use crate::signed::RunPath;
use crate::targets::{self, Asked, Candidate, Target, Targets};

/// Is told what takes time.
pub type Note<'a> = &'a dyn Fn(&str);

/// A JDK and classes.
#[derive(Debug)]
pub struct Project {
    /// The JDK.
    pub jdk: Jdk,
    /// Entries of the class path, absolute.
    pub entries: Vec<PathBuf>,
    /// The class path.
    pub source: Arc<ClassPath>,
    /// The classes on it, and those of the JDK.
    pub hierarchy: Arc<ClassHierarchy>,
    /// Likewise with those that the JDK had at earlier levels.
    earlier: Mutex<BTreeMap<u16, Arc<ClassHierarchy>>>,
}

impl Project {
    /// Finds the JDK and opens the class path, extended by artifacts.
    ///
    /// # Errors
    /// There is no JDK, or an entry or artifact cannot be used.
    pub fn open(request: &Request, environment: &Environment, note: Note<'_>) -> Result<Self, Failure> {
        let jdk = Jdk::find(request.java_home.as_deref(), environment)?;
        let option = told_by(request);
        let mut entries = class_path::expand(&request.class_path, option)?;
        for jar in Maven::new(environment, &jdk, note).resolve(&request.maven)? {
            if !entries.contains(&jar) {
                entries.push(jar);
            }
        }
        let source = open(&jdk, &entries, option)?;
        let source = Arc::new(source.keeping_outlines(environment.cache_folder("outlines")));
        let hierarchy = Arc::new(ClassHierarchy::new(source.clone()));
        Ok(Self { jdk, entries, source, hierarchy, earlier: Mutex::default() })
    }

    /// The classes to test, and those of its packages that are not.
    ///
    /// # Errors
    /// A class that was named is not there or cannot be tested, or a package has none.
    pub fn targets(&self, request: &Request) -> Result<Targets, Failure> {
        let found = self.asked(request, |asked| targets::find(&self.hierarchy, asked));
        found.map_err(|failure| self.with_nested_jar(failure))
    }

    /// All classes that are asked for; of those that cannot be tested, why.
    ///
    /// # Errors
    /// A class that was named is not there, or a package has none.
    pub fn list(&self, request: &Request) -> Result<Vec<Candidate>, Failure> {
        self.asked(request, |asked| targets::list(&self.hierarchy, asked))
    }

    /// Bytes of code of a class and of what is nested in it: how much there is to test, whatever else its class files hold.
    pub fn size_of(&self, target: &Target) -> u64 {
        let code = |class: &ClassName| -> Option<u64> {
            let bytes = self.source.class_bytes(class)?;
            let file = ClassFile::parse(&bytes).ok()?;
            let of_method = |method| Some(file.code(method).ok()??.code.len() as u64);
            Some(file.methods.iter().filter_map(of_method).sum())
        };
        target.nest.iter().filter_map(code).sum()
    }

    /// What a request asks of the class path.
    fn asked<T>(&self, request: &Request, ask: impl FnOnce(&Asked<'_>) -> T) -> T {
        let module = request.module.as_ref();
        let entries = module.map_or(usize::MAX, |module| module.entries);
        ask(&Asked {
            classes: &request.classes,
            prefixes: &request.prefixes,
            exclude: &request.exclude,
            jdk_version: self.jdk.version,
            is_own: &|name| self.source.entry_of(name).is_some_and(|entry| entry < entries),
            generated: module.map(|module| &module.generated),
            told_by: told_by(request),
        })
    }

    /// JUnit: of the class path, of `class_path` (entries as given), of the local repository or resolved by Maven.
    ///
    /// # Errors
    /// It is nowhere, or an entry cannot be used.
    pub fn junit(
        &self,
        choice: JunitChoice,
        class_path: &[PathBuf],
        environment: &Environment,
        note: Note<'_>,
    ) -> Result<Junit, Failure> {
        let entries = class_path::expand(class_path, "--junit-cp")?;
        let source = open(&self.jdk, &entries, "--junit-cp")?;
        let maven = Maven::new(environment, &self.jdk, note);
        let repository = LocalRepository::find(environment);
        let sources = junit::Sources {
            class_path: (&self.source, &self.entries),
            junit_class_path: (&source, &entries),
            repository: repository.as_ref(),
            resolve: &|artifacts| maven.resolve(artifacts),
            jdk_version: self.jdk.version,
        };
        junit::find(choice, sources)
    }

    /// The class path as JVMs of ours get it.
    pub fn run_path(&self, environment: &Environment, note: Note<'_>) -> RunPath {
        RunPath::new(&self.entries, &self.source, environment, note)
    }

    /// The classes as source code of some level sees them: with the JDK's own of that time.
    ///
    /// # Errors
    /// The JDK does not know that level.
    pub fn hierarchy_at(&self, source_level: u16) -> Result<Arc<ClassHierarchy>, Failure> {
        if source_level >= self.jdk.version {
            return Ok(Arc::clone(&self.hierarchy));
        }
        // Held while one is opened: others that want the same wait for it instead of opening it as well.
        let mut known = self.earlier.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hierarchy) = known.get(&source_level) {
            return Ok(Arc::clone(hierarchy));
        }
        let class_path = self.source.at_release(&self.jdk.home, source_level).map_err(|error| {
            Failure::input(format!("the JDK's record of earlier releases cannot be read: {error}"))
        })?;
        let hierarchy = Arc::new(self.hierarchy.beside(Arc::new(class_path)));
        known.insert(source_level, Arc::clone(&hierarchy));
        Ok(hierarchy)
    }

    /// Adds to what is missing that an entry holds jars, which nobody looks into.
    fn with_nested_jar(&self, failure: Failure) -> Failure {
        let nested = |(entry, path)| Some((path, self.source.nested_jar(entry)?));
        let found: Option<(&PathBuf, _)> = self.entries.iter().enumerate().find_map(nested);
        match found {
            Some((path, jar)) => Failure {
                sentence: format!(
                    "{} ({} holds jars such as {jar}, and no JVM looks into those: unpack it)",
                    failure.sentence,
                    path.display()
                ),
                ..failure
            },
            None => failure,
        }
    }
}

/// What says where classes are.
fn told_by(request: &Request) -> &'static str {
    request.module.as_ref().map_or("--cp", |module| module.told_by)
}

fn open(jdk: &Jdk, entries: &[PathBuf], option: &str) -> Result<ClassPath, Failure> {
    ClassPath::open(&jdk.home, jdk.version, entries).map_err(|error| match error {
        ClassPathError::Missing(_) | ClassPathError::Jar { .. } | ClassPathError::Io { .. } => {
            Failure::input(format!("{error}; check {option}"))
        }
        ClassPathError::Platform(_) | ClassPathError::Image { .. } => {
            Failure::input(format!("{error}; give another JDK with --java-home"))
        }
    })
}
