//! Suites written as text.

use bytecode::name::ClassName;
use output::junit::printed::{PrintedAssertion, PrintedSuite, PrintedTest};
use project::request::JunitChoice;
use verify::suite::{Selection, SuiteSource};

/// Tests written as lines of Java; lines that begin with `assert` are assertions.
pub struct Written {
    pub class: &'static str,
    pub junit: JunitChoice,
    pub tests: Vec<&'static str>,
}

impl SuiteSource for Written {
    fn test_count(&self) -> usize {
        self.tests.len()
    }

    fn print(&self, selection: &Selection) -> PrintedSuite {
        let (test_import, assertions) = match self.junit {
            JunitChoice::Junit4 => ("org.junit.Test", "org.junit.Assert"),
            JunitChoice::Jupiter | JunitChoice::Auto => {
                ("org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions")
            }
        };
        let (package, name) = self.class.rsplit_once('.').expect("a package");
        let mut lines = vec![
            format!("package {package};"),
            format!("import {test_import};"),
            format!("import static {assertions}.*;"),
            format!("public class {name} {{"),
        ];
        let mut tests = Vec::new();
        for (test, body) in self.tests.iter().enumerate().filter(|(test, _)| selection.keeps_test(*test)) {
            let method = format!("test{test}");
            let first = lines.len() as u32 + 1;
            lines.push("@Test".to_owned());
            lines.push(format!("public void {method}() throws Throwable {{"));
            let (mut assertions, mut assertion) = (Vec::new(), 0);
            for line in body.lines().map(str::trim) {
                if line.starts_with("assert") {
                    if selection.keeps_assertion(test, assertion) {
                        lines.push(line.to_owned());
                        let number = lines.len() as u32;
                        assertions.push(PrintedAssertion { assertion, lines: number..=number });
                    }
                    assertion += 1;
                } else {
                    lines.push(line.to_owned());
                }
            }
            lines.push("}".to_owned());
            let (lines, unsaid) = (first..=lines.len() as u32, Vec::new());
            tests.push(PrintedTest { test, method, nested: None, lines, assertions, unsaid });
        }
        lines.push("}\n".to_owned());
        let class = ClassName::from_binary(self.class);
        PrintedSuite { class, text: lines.join("\n"), tests, refused: Vec::new() }
    }
}
