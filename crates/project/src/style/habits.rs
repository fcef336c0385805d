//! What the source files of a module have in common.

#![expect(clippy::disallowed_methods, reason = "reads source files of the user")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use output::junit::header::{EditState, is_unedited};

use crate::build::freshness::files_below;

use super::encoding::Encoding;
use super::licence::Licence;
use super::{Indent, LineEnd};

/// So many files are looked at: they agree, or no number of them would.
const FILES: usize = 20;
/// Most files among which those with mocks are looked for.
const FILES_WITH_MOCKS: usize = 200;
/// What files name that have mocks, and how they make one that is in no field with `@Mock`.
const MOCKITO: &str = "org.mockito.";
const MADE: &str = "mock(";

/// What most source files of a module are like; `None` for what none of them tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Habits {
    /// A level of indentation.
    pub indent: Option<Indent>,
    /// How lines end.
    pub line_end: Option<LineEnd>,
    /// Whether the last line has an end.
    pub final_line_end: Option<bool>,
    /// The comment that most of them begin with.
    pub licence: Option<Licence>,
    /// Whether most tests that have mocks have them in fields with `@Mock`.
    pub mock_fields: bool,
    /// How the compiler of the build reads files.
    pub encoding: Option<Encoding>,
}

impl Habits {
    /// The habits of the tests below this root that people wrote, else of the main code below these. The encoding is told by the
    /// build.
    pub fn of(tests: &Path, main: &[PathBuf], encoding: Option<&str>) -> Self {
        let encoding = encoding.map(Encoding::named);
        let tests = [tests.to_owned()];
        let mut texts = Vec::new();
        let mut with_mocks = Vec::new();
        for (number, text) in written(&tests, encoding).take(FILES_WITH_MOCKS).enumerate() {
            if text.contains(MOCKITO) && (has_mock_field(&text) || text.contains(MADE)) {
                with_mocks.push(has_mock_field(&text));
            }
            if number < FILES {
                texts.push(text);
            } else if with_mocks.len() == FILES {
                break;
            }
        }
        let mock_fields = most(with_mocks.into_iter()) == Some(true);
        let texts = if texts.is_empty() { written(main, encoding).take(FILES).collect() } else { texts };
        Self {
            indent: most(texts.iter().filter_map(|text| indent(text))),
            line_end: most(texts.iter().filter_map(|text| line_end(text))),
            final_line_end: most(texts.iter().map(|text| text.ends_with('\n'))),
            licence: licence(&texts),
            mock_fields,
            encoding,
        }
    }
}

/// The texts below these roots, by path, that people wrote.
fn written(roots: &[PathBuf], encoding: Option<Encoding>) -> impl Iterator<Item = String> {
    let encoding = encoding.unwrap_or(Encoding::Bytes);
    let files = roots.iter().flat_map(|root| files_below(root));
    let sources = files.filter(|file| {
        let has_package = !file.ends_with("package-info.java") && !file.ends_with("module-info.java");
        file.extension().is_some_and(|extension| extension == "java") && has_package
    });
    let texts = sources.filter_map(move |file| encoding.decode(&fs::read(file).ok()?));
    texts.filter(|text| is_unedited(text) == EditState::Foreign)
}

/// Whether a test has a mock in a field with `@Mock`.
fn has_mock_field(text: &str) -> bool {
    let mut behind = text.split("@Mock").skip(1);
    behind.any(|behind| !behind.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

/// What is there most often; of several the first in their order.
fn most<T: Ord>(items: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    // Of equal ones `max_by_key` takes the last.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(item, _)| item)
}

/// How much deeper most lines lie than the opening brace above them.
fn indent(text: &str) -> Option<Indent> {
    let space = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let below_braces = lines.windows(2).filter(|pair| pair[0].trim_end().ends_with('{'));
    most(below_braces.filter_map(|pair| {
        let (outer, inner) = (&pair[0][..space(pair[0])], &pair[1][..space(pair[1])]);
        let deeper = inner.strip_prefix(outer).filter(|deeper| !deeper.is_empty())?;
        Some(if deeper.contains('\t') { Indent::Tab } else { Indent::Spaces(deeper.len()) })
    }))
}

/// How the first line of a text ends.
fn line_end(text: &str) -> Option<LineEnd> {
    let first = text.find('\n')?;
    Some(if text[..first].ends_with('\r') { LineEnd::CrLf } else { LineEnd::Lf })
}

/// The licence of more than half of the texts, whatever its years: as most of these have it, of several the latest.
fn licence(texts: &[String]) -> Option<Licence> {
    let licences: Vec<Licence> = texts.iter().filter_map(|text| Licence::of(text)).collect();
    let common = most(licences.iter().map(Licence::without_years))?;
    let mut of_them: Vec<&Licence> =
        licences.iter().filter(|licence| licence.without_years() == common).collect();
    if of_them.len() * 2 <= texts.len() {
        return None;
    }
    of_them.sort_by(|one, other| other.text().cmp(one.text()));
    let count = |licence: &Licence| of_them.iter().filter(|other| other.text() == licence.text()).count();
    // Of equal ones `max_by_key` takes the last.
    of_them.iter().rev().max_by_key(|licence| count(licence)).map(|&licence| licence.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn habits(tests: &[&[u8]], main: &[&[u8]], encoding: Option<&str>) -> Habits {
        let folder = tempfile::tempdir().unwrap();
        let write = |root: &str, texts: &[&[u8]]| {
            let root = folder.path().join(root);
            fs::create_dir_all(root.join("p")).unwrap();
            for (number, text) in texts.iter().enumerate() {
                fs::write(root.join(format!("p/A{number}.java")), text).unwrap();
            }
            root
        };
        let (tests, main) = (write("tests", tests), write("main", main));
        Habits::of(&tests, &[main], encoding)
    }

    const TABS: &str = "package p;\r\n\r\nclass A {\r\n\tint a() {\r\n\t\treturn 1;\r\n\t}\r\n}\r\n";
    const TWO: &str = "package p;\nclass A {\n  // x\n  int a() {\n    return 1;\n  }\n}";

    #[test]
    fn most_files_decide() {
        let check = |texts: &[&str], expect: (Option<Indent>, Option<LineEnd>, Option<bool>)| {
            let bytes: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
            let found = habits(&bytes, &[], None);
            assert_eq!((found.indent, found.line_end, found.final_line_end), expect, "{texts:?}");
        };
        check(&[], (None, None, None));
        check(&["class A {}"], (None, None, Some(false)));
        check(&[TABS, TWO, TABS], (Some(Indent::Tab), Some(LineEnd::CrLf), Some(true)));
        check(&[TABS, TWO, TWO], (Some(Indent::Spaces(2)), Some(LineEnd::Lf), Some(false)));
    }

    #[test]
    fn main_code_is_looked_at_where_nobody_wrote_tests() {
        let ours = "// Generated by Covolve 0; content hash 0\n//\npackage p;\nclass A {\n  int a;\n}\n";
        assert_eq!(habits(&[ours.as_bytes()], &[TABS.as_bytes()], None).indent, Some(Indent::Tab));
        assert_eq!(habits(&[TWO.as_bytes()], &[TABS.as_bytes()], None).indent, Some(Indent::Spaces(2)));
    }

    #[test]
    fn the_licence_is_that_of_most_files_in_whatever_year() {
        let check = |comments: &[&str], expect: Option<&str>| {
            let texts: Vec<String> =
                comments.iter().map(|comment| format!("{comment}\npackage p;\n")).collect();
            let bytes: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
            let found = habits(&bytes, &[], None);
            assert_eq!(found.licence.as_ref().map(Licence::text), expect, "{comments:?}");
        };
        check(&["/* (c) 2019 A */", "/* (c) 2020 A */", "/* (c) 2020 A */"], Some("/* (c) 2020 A */"));
        check(&["/* (c) 2019 A */", "/* (c) 2021 A */", ""], Some("/* (c) 2021 A */"));
        check(&["/* (c) 2019 A */", "/* (c) 2019 B */", "/* (c) 2019 A */"], Some("/* (c) 2019 A */"));
        check(&["/* (c) 2019 A */", "/* (c) 2019 B */"], None);
        check(&["/* (c) 2019 A */", "", ""], None);
    }

    #[test]
    fn mocks_are_in_fields_where_most_tests_that_have_some_have_them_so() {
        const FIELD: &str = "import org.mockito.Mock;\nclass A {\n    @Mock\n    Gate gate;\n}\n";
        const CALL: &str = "import org.mockito.Mockito;\nclass A {\n    @MockBean Gate gate = Mockito.mock(Gate.class);\n}\n";
        const OF_SPRING: &str =
            "import static org.mockito.BDDMockito.given;\nclass A {\n    @MockitoBean\n    Gate gate;\n}\n";
        let check = |texts: &[&str], expect: bool| {
            let bytes: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
            assert_eq!(habits(&bytes, &[], None).mock_fields, expect, "{texts:?}");
        };
        check(&[], false);
        check(&[TABS, TWO, FIELD], true);
        check(&[TABS, CALL], false);
        check(&[FIELD, CALL], false);
        check(&[FIELD, CALL, FIELD], true);
        check(&[FIELD, OF_SPRING, OF_SPRING], true);
    }

    #[test]
    fn files_are_read_as_the_compiler_reads_them() {
        let text: Vec<u8> = TABS.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(habits(&[&text], &[], Some("UTF-16LE")).indent, Some(Indent::Tab));
    }
}
