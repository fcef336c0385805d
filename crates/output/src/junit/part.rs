//! A method of the file under construction, and the tests that it stands for.

use super::ast::Method;
use super::naming::test_names::TestWords;

/// A method to be printed.
#[derive(Debug)]
pub(crate) struct Part {
    /// The method.
    pub method: Method,
    /// What its name can be made of.
    pub words: TestWords,
    /// The name that a file has it by already.
    pub given: Option<String>,
    /// The tests that it stands for: one, or a row each.
    pub tests: Vec<Row>,
}

/// A test within a method.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// Its number in the suite.
    pub test: usize,
    /// By line of the method's body: number of its assertion there.
    pub assertions: Vec<Option<usize>>,
    /// Numbers of assertions that Java cannot say.
    pub unsaid: Vec<usize>,
}

impl Part {
    /// What the file calls a test of it: rows have numbers, from 1.
    pub(crate) fn name_of(&self, row: usize) -> String {
        match self.method.table {
            Some(_) => row_name(&self.method.name, row + 1),
            None => self.method.name.clone(),
        }
    }
}

/// The name of a row of a parameterized test.
fn row_name(method: &str, row: usize) -> String {
    format!("{method}[{row}]")
}

/// The method and the number of the row of such a name; `None` for those of other tests.
pub fn row_of(name: &str) -> Option<(&str, usize)> {
    let (method, row) = name.strip_suffix(']')?.split_once('[')?;
    Some((method, row.parse().ok()?))
}
