//! Draws classes of libraries by seed: a list of subjects that nobody chose. Every top-level class with a goal can be
//! drawn, abstract classes and interfaces with code as well.

use bytecode::analysis::AnalysisOptions;
use experiment::console::{parse, say};
use experiment::maven;
use experiment::repository::root;
use experiment::subject;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use ::subject::nest::Nest;
use anyhow::{Context as _, bail, ensure};
use bytecode::class_info::Nesting;
use bytecode::class_path::ClassPath;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::source::ClassSource as _;
use clap::Parser;
use coverage::criterion;
use jvm::home::JavaHome;
use testcase::random::Random;

/// Draw classes of libraries by seed.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask draw-subjects")]
struct Options {
    /// Libraries, `group:artifact:version`.
    #[arg(long, value_delimiter = ',', required = true)]
    coordinates: Vec<String>,

    /// Classes in all, as many of each library as of the others.
    #[arg(long, default_value_t = 300)]
    number: usize,

    /// Seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Only classes with at most so many branches, those of what is nested in them counted.
    #[arg(long)]
    most_branches: Option<usize>,

    /// Lists of subjects whose classes are not drawn.
    #[arg(long)]
    except: Vec<PathBuf>,

    /// JDK. Default: `JAVA_HOME`, else the one on the path.
    #[arg(long)]
    java_home: Option<PathBuf>,

    /// The list to write: a CSV with the columns project, coords, class, branches, lines.
    #[arg(long)]
    out: PathBuf,
}

/// A class that was drawn, with the numbers of its goals.
#[derive(Debug, PartialEq, Eq)]
struct Drawn {
    class: ClassName,
    branches: usize,
    lines: usize,
}

pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let home = options.java_home.clone().unwrap_or_else(fixture::java_home);
    let home = JavaHome::find(&home)?;
    let mut excepted: Vec<String> = Vec::new();
    for list in &options.except {
        excepted.extend(subject::read(list, "")?.into_iter().map(|subject| subject.class));
    }
    let mut text = "project,coords,class,branches,lines\n".to_owned();
    for (number, (coordinates, share)) in
        options.coordinates.iter().zip(shares(options.number, options.coordinates.len())).enumerate()
    {
        let jars = maven::resolve(coordinates)?;
        let project = coordinates.split(':').nth(1).context("coordinates are group:artifact:version")?;
        let own = maven::own_jar(&jars, coordinates);
        let own = own.with_context(|| format!("{coordinates} has no jar of its own"))?;
        let library = ClassPath::open(home.path(), home.version(), std::slice::from_ref(own))?;
        let mut names = library.class_path_classes().to_vec();
        names.retain(|name| !excepted.contains(&name.binary()));
        let hierarchy = ClassHierarchy::new(Arc::new(ClassPath::open(home.path(), home.version(), &jars)?));
        // Each library draws for itself: one more library changes nothing for the others.
        Random::new(options.seed, number as u64).shuffle(&mut names);
        let most = options.most_branches.unwrap_or(usize::MAX);
        let mut drawn: Vec<Drawn> =
            names.iter().filter_map(|name| goals(&hierarchy, name, most)).take(share).collect();
        ensure!(drawn.len() == share, "{coordinates} has only {} such classes, not {share}", drawn.len());
        drawn.sort_by(|one, other| one.class.cmp(&other.class));
        say(&format!("{coordinates}: {} classes", drawn.len()));
        for Drawn { class, branches, lines } in drawn {
            writeln!(text, "{project},{coordinates},{},{branches},{lines}", class.binary())?;
        }
    }
    let out = root().join(&options.out);
    if let Some(folder) = out.parent() {
        fs::create_dir_all(folder)?;
    }
    let Ok(mut file) = fs::File::create_new(&out) else {
        bail!("{} is there already or cannot be written", out.display());
    };
    file.write_all(text.as_bytes())?;
    Ok(())
}

/// So many items in parts that differ by one at most, the larger ones first.
fn shares(items: usize, parts: usize) -> impl Iterator<Item = usize> {
    (0..parts).map(move |part| items / parts + usize::from(part < items % parts))
}

/// The goals of a top-level class and all that is nested in it; `None` if it has none or more than `most` branches.
fn goals(hierarchy: &ClassHierarchy, name: &ClassName, most: usize) -> Option<Drawn> {
    let info = hierarchy.read(name)?.ok()?;
    if !matches!(info.nesting, Nesting::TopLevel) || info.access.is_synthetic() {
        return None;
    }
    let nest = Nest::of(hierarchy, name, AnalysisOptions::default());
    let count = |criterion: &str| {
        let goals = criterion::goals(&[criterion.to_owned()], &nest.maps);
        goals.map_or(0, |goals| goals.len())
    };
    let (branches, lines) = (count("branch"), count("line"));
    (branches + lines > 0 && branches <= most).then(|| Drawn { class: name.clone(), branches, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: &str = "
//- /p/A.java
package p;
public class A { static int sign(int i) { return i < 0 ? -1 : 1; } static class Inner { int one() { return 1; } } }
//- /p/Nothing.java
package p;
public interface Nothing { void nothing(); }
//- /p/WithCode.java
package p;
public interface WithCode { default int one() { return 1; } }
";

    #[test]
    fn top_level_classes_with_goals_can_be_drawn() {
        let hierarchy = fixture::compile(CLASSES).hierarchy();
        let of = |name: &str, most: usize| goals(&hierarchy, &ClassName::new(name), most);
        assert_eq!(of("p/A", 9).map(|drawn| drawn.branches), Some(2 + 3));
        assert_eq!(of("p/A", 1), None);
        assert!(of("p/WithCode", 9).is_some());
        for name in ["p/Nothing", "p/A$Inner", "p/Missing"] {
            assert_eq!(of(name, 9), None, "{name}");
        }
    }

    #[test]
    fn libraries_share_evenly() {
        assert_eq!(shares(11, 3).collect::<Vec<_>>(), [4, 4, 3]);
    }
}
