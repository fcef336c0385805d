//! Whole sets of classes: the modules of a JDK, and jars.

#![expect(clippy::disallowed_methods, reason = "chores read files and the environment")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use bytecode::class_path::ClassPath;
use bytecode::jimage::JImage;
use bytecode::name::ClassName;
use bytecode::source::ClassSource;
use experiment::tools;

/// Which classes a chore is about.
#[derive(Debug, clap::Args)]
pub(crate) struct Selection {
    /// JDK whose classes are taken, and whose JVM is the judge. Default: `JAVA_HOME`.
    #[arg(long)]
    pub(crate) java_home: Option<PathBuf>,
    /// Jars to take instead of the modules of the JDK. Repeatable.
    #[arg(long = "jar")]
    pub(crate) jars: Vec<PathBuf>,
    /// Take only this module of the JDK. Repeatable.
    #[arg(long = "module")]
    pub(crate) modules: Vec<String>,
}

/// Classes that belong together.
#[derive(Debug)]
pub(crate) struct ClassSet {
    /// Name of the module or file.
    pub(crate) name: String,
    /// The classes in order.
    pub(crate) classes: Vec<(ClassName, Vec<u8>)>,
}

impl Selection {
    /// The JDK.
    pub(crate) fn java_home(&self) -> Result<PathBuf> {
        tools::java_home(self.java_home.as_deref())
    }

    /// The sets, sorted by name.
    pub(crate) fn sets(&self) -> Result<Vec<ClassSet>> {
        let home = self.java_home()?;
        if self.jars.is_empty() {
            let mut sets = modules(&home)?;
            sets.retain(|set| self.modules.is_empty() || self.modules.contains(&set.name));
            if sets.is_empty() {
                bail!("the JDK at {} has no such module", home.display());
            }
            return Ok(sets);
        }
        self.jars.iter().map(|path| jar(&home, path)).collect()
    }
}

fn modules(home: &Path) -> Result<Vec<ClassSet>> {
    let path = home.join("lib/modules");
    let file = File::open(&path).with_context(|| format!("{} is no JDK 9 or newer", home.display()))?;
    let mut header = [0; JImage::HEADER];
    file.read_exact_at(&mut header, 0)?;
    let mut index = vec![0; JImage::index_size(&header)?];
    file.read_exact_at(&mut index, 0)?;
    let image = JImage::parse(index)?;
    let read = |range: std::ops::Range<u64>| {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        file.read_exact_at(&mut bytes, range.start).ok()?;
        Some(bytes)
    };
    let mut sets: BTreeMap<String, Vec<(ClassName, Vec<u8>)>> = BTreeMap::new();
    for (module, path) in image.resources() {
        let Some(class) = path.strip_suffix(".class").filter(|name| !name.ends_with("module-info")) else {
            continue;
        };
        let bytes = image.resource(&format!("/{module}/{path}"), &read);
        let bytes = bytes.with_context(|| format!("{path} of {module} cannot be read"))?;
        sets.entry(module.to_owned()).or_default().push((ClassName::new(class), bytes));
    }
    let sort = |(name, mut classes): (String, Vec<(ClassName, Vec<u8>)>)| {
        classes.sort();
        ClassSet { name, classes }
    };
    Ok(sets.into_iter().map(sort).collect())
}

fn jar(home: &Path, path: &Path) -> Result<ClassSet> {
    let class_path = ClassPath::open(home, java_version(home)?, &[path.to_owned()])?;
    let of_class = |class: &ClassName| {
        let bytes = class_path.class_bytes(class).with_context(|| format!("{class} cannot be read"))?;
        Ok((class.clone(), bytes.into_owned()))
    };
    let classes = class_path.class_path_classes().iter().map(of_class).collect::<Result<_>>()?;
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.display().to_string());
    Ok(ClassSet { name, classes })
}

/// Feature version of a JDK (8, 17, 25 …).
fn java_version(home: &Path) -> Result<u16> {
    let release = fs::read_to_string(home.join("release")).context("a JDK has a file `release`")?;
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""));
    let version = version.context("the file `release` names a version")?;
    let version = version.strip_prefix("1.").unwrap_or(version);
    let feature = version.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
    feature.parse().context("the version begins with a number")
}
