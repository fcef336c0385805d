//! LCOV trace files, as `geninfo` writes them: lines, branches and functions by source file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::format::{Choice, Format};
use crate::lines::{Branch, LinesOfClass, classes};
use crate::model::ProjectReport;

/// LCOV.
pub const FORMAT: Format = Format {
    name: "lcov",
    summary: "lines, branches and functions for whatever reads LCOV",
    file: "covolve.info",
    needs_all_goals: true,
    render,
};

fn render(report: &ProjectReport, _: &Choice) -> String {
    let mut files: BTreeMap<String, Vec<LinesOfClass>> = BTreeMap::new();
    for module in &report.modules {
        for class in &module.classes {
            files.entry(module.path_of(&class.source)).or_default().extend(classes(class));
        }
    }
    let mut text = String::new();
    for (path, classes) in &files {
        file(&mut text, path, classes);
    }
    text
}

/// The records of a source file.
fn file(text: &mut String, path: &str, classes: &[LinesOfClass]) {
    let mut put = |line: std::fmt::Arguments<'_>| {
        // A string takes everything.
        let _ = writeln!(text, "{line}");
    };
    put(format_args!("TN:covolve"));
    put(format_args!("SF:{path}"));
    let functions = || {
        classes.iter().flat_map(|class| {
            class.methods.iter().map(move |(name, method)| (format!("{}.{name}", class.name), method))
        })
    };
    for (name, method) in functions() {
        put(format_args!("FN:{},{name}", method.first_line()));
    }
    for (name, method) in functions() {
        put(format_args!("FNDA:{},{name}", method.hits()));
    }
    put(format_args!("FNF:{}", functions().count()));
    put(format_args!("FNH:{}", functions().filter(|(_, method)| method.hits() > 0).count()));
    let lines = lines(classes);
    let (mut found, mut hit) = (0, 0);
    for (number, line) in &lines {
        for (block, branch) in line.branches.iter().enumerate() {
            for (outcome, hits) in &branch.outcomes {
                // A branch that was not come to has no count.
                let taken = if line.executed { hits.to_string() } else { "-".to_owned() };
                put(format_args!("BRDA:{number},{block},{outcome},{taken}"));
                found += 1;
                hit += usize::from(*hits > 0);
            }
        }
    }
    put(format_args!("BRF:{found}"));
    put(format_args!("BRH:{hit}"));
    for (number, line) in &lines {
        put(format_args!("DA:{number},{}", line.hits));
    }
    put(format_args!("LF:{}", lines.len()));
    put(format_args!("LH:{}", lines.values().filter(|line| line.hits > 0).count()));
    put(format_args!("end_of_record"));
}

/// A line of a file, with what several methods and classes have there.
#[derive(Debug, Default)]
struct LineOfFile<'a> {
    hits: u64,
    executed: bool,
    branches: Vec<&'a Branch>,
}

fn lines(classes: &[LinesOfClass]) -> BTreeMap<u32, LineOfFile<'_>> {
    let mut lines: BTreeMap<u32, LineOfFile<'_>> = BTreeMap::new();
    let methods = classes.iter().flat_map(|class| class.methods.values());
    for (number, line) in methods.flat_map(|method| &method.lines) {
        let of_file = lines.entry(*number).or_default();
        of_file.hits = of_file.hits.max(line.hits);
        of_file.executed |= line.hits > 0 || line.outcomes().covered > 0;
        of_file.branches.extend(&line.branches);
    }
    lines
}
