//! How source files of a project look: line ends, indentation, encoding, and the licence that they begin with. What is printed
//! has one form, on which hashes and lines count; it gets this form when it is written, and loses it when it is read.
//!
//! * [`habits`]: what the files of a module have in common
//! * [`licence`]: the comment that they begin with
//! * [`encoding`]: their bytes

pub mod encoding;
pub mod habits;
pub mod licence;

use std::path::Path;

use ec4rs::property::{Charset, EndOfLine, FinalNewline, IndentSize, IndentStyle, TabWidth};

use encoding::Encoding;
use habits::Habits;
use licence::Licence;

/// Columns of a level of indentation as it is printed.
const PRINTED: usize = 4;

/// A level of indentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Indent {
    /// So many spaces.
    Spaces(usize),
    /// A tab.
    Tab,
}

/// How lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineEnd {
    /// With a line feed.
    Lf,
    /// With a carriage return and a line feed.
    CrLf,
}

/// The form of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceStyle {
    indent: Indent,
    line_end: LineEnd,
    final_line_end: bool,
    encoding: Encoding,
    licence: Option<Licence>,
}

impl SourceStyle {
    /// The form of a file: as `.editorconfig` files around it say, else as the files of the module are; the encoding as the
    /// build says, since its compiler reads the file.
    pub fn of(file: &Path, habits: &Habits) -> Self {
        // One that cannot be read says nothing: it is for editors, and no run should end for it.
        let absolute = std::path::absolute(file).ok();
        let told = absolute.and_then(|file| ec4rs::properties_of(file).ok()).unwrap_or_default();
        let indent = match told.get::<IndentStyle>().ok() {
            Some(IndentStyle::Tabs) => Some(Indent::Tab),
            Some(IndentStyle::Spaces) => Some(Indent::Spaces(width(&told).unwrap_or(PRINTED))),
            None => width(&told).filter(|_| habits.indent != Some(Indent::Tab)).map(Indent::Spaces),
        };
        let line_end = match told.get::<EndOfLine>().ok() {
            Some(EndOfLine::Lf) => Some(LineEnd::Lf),
            Some(EndOfLine::CrLf) => Some(LineEnd::CrLf),
            // Nothing that reads Java has lines that end so.
            Some(EndOfLine::Cr) | None => None,
        };
        let encoding = match told.get::<Charset>().ok() {
            Some(Charset::Utf16Le) => Some(Encoding::named("UTF-16LE")),
            Some(Charset::Utf16Be) => Some(Encoding::named("UTF-16BE")),
            // `javac` takes no mark in front of UTF-8.
            Some(Charset::Utf8 | Charset::Utf8Bom | Charset::Latin1) => Some(Encoding::Bytes),
            None => None,
        };
        let final_line_end = told.get::<FinalNewline>().ok().map(|FinalNewline::Value(is_there)| is_there);
        Self {
            indent: indent.or(habits.indent).unwrap_or(Indent::Spaces(PRINTED)),
            line_end: line_end.or(habits.line_end).unwrap_or(LineEnd::Lf),
            final_line_end: final_line_end.or(habits.final_line_end).unwrap_or(true),
            encoding: habits.encoding.or(encoding).unwrap_or(Encoding::Bytes),
            licence: habits.licence.clone(),
        }
    }

    /// What is written for a printed text: ASCII, with line feeds and four spaces a level.
    pub fn apply(&self, printed: &str) -> Vec<u8> {
        let end = match self.line_end {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
        };
        let mut lines: Vec<String> = Vec::new();
        if let Some(licence) = &self.licence {
            lines.extend(licence.text().lines().map(str::to_owned));
            lines.extend(vec![String::new(); licence.blank_lines()]);
        }
        lines.extend(printed.lines().map(|line| self.indented(line)));
        let mut text = lines.join(end);
        if self.final_line_end {
            text.push_str(end);
        }
        self.encoding.encode(&text)
    }

    fn indented(&self, line: &str) -> String {
        let bare = line.trim_start_matches(' ');
        let columns = line.len() - bare.len();
        let (levels, rest) = (columns / PRINTED, columns % PRINTED);
        let indentation = match self.indent {
            Indent::Tab => "\t".repeat(levels),
            Indent::Spaces(width) => " ".repeat(levels * width),
        };
        format!("{indentation}{:rest$}{bare}", "")
    }

    /// The text of a file without the licence of the module, by which it is told whether it is as it was written; `None` where
    /// it is no text that was ever printed.
    pub fn read(&self, bytes: &[u8]) -> Option<String> {
        let text = self.encoding.decode(bytes)?.replace("\r\n", "\n");
        let rest = self.licence.as_ref().and_then(|licence| licence.behind(&text)).unwrap_or(&text);
        rest.is_ascii().then(|| rest.to_owned())
    }
}

/// Columns of a level, if they are told.
fn width(told: &ec4rs::Properties) -> Option<usize> {
    let width = match told.get::<IndentSize>().ok()? {
        IndentSize::Value(width) => Some(width),
        IndentSize::UseTabWidth => match told.get::<TabWidth>().ok()? {
            TabWidth::Value(width) => Some(width),
        },
    };
    // Beyond that it is a slip, and lines would have no room.
    width.filter(|width| (1..=16).contains(width))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use std::fs;

    use super::*;

    const PRINTED_TEXT: &str =
        "// Generated\npackage p;\n\nclass T {\n    void f() {\n        g();\n    }\n}\n";

    /// What is written for a text where an `.editorconfig` says this and the files of the module are so.
    fn check(told: &str, habits: &Habits, expect: &str) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".editorconfig"), format!("root = true\n{told}")).unwrap();
        let style = SourceStyle::of(&folder.path().join("p/T.java"), habits);
        let written = style.apply(PRINTED_TEXT);
        assert_eq!(String::from_utf8(written.clone()).unwrap(), expect, "{told}");
        let read = style.read(&written).unwrap();
        let bare = |text: &str| text.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
        assert_eq!(bare(&read), bare(PRINTED_TEXT), "{told}");
    }

    #[test]
    fn files_are_written_as_the_project_has_them() {
        let none = Habits::default();
        let tabs = Habits {
            indent: Some(Indent::Tab),
            line_end: Some(LineEnd::CrLf),
            final_line_end: Some(false),
            ..Habits::default()
        };
        check("", &none, PRINTED_TEXT);
        check("[*.java]\nindent_style = tab\n", &none, &PRINTED_TEXT.replace("    ", "\t"));
        check("[*.java]\nindent_size = 2\n", &none, &PRINTED_TEXT.replace("    ", "  "));
        check("[*.java]\nindent_size = 900\n", &none, PRINTED_TEXT);
        check("[*.xml]\nindent_style = tab\n", &none, PRINTED_TEXT);
        check(
            "[p/**.java]\nindent_style = space\nindent_size = tab\ntab_width = 3\n",
            &none,
            &PRINTED_TEXT.replace("    ", "   "),
        );
        check("[*]\nend_of_line = crlf\n", &none, &PRINTED_TEXT.replace('\n', "\r\n"));
        check("[*]\ninsert_final_newline = false\n", &none, PRINTED_TEXT.trim_end());
        let by_habit = PRINTED_TEXT.trim_end().replace("    ", "\t").replace('\n', "\r\n");
        check("", &tabs, &by_habit);
        check("[*]\nindent_size = 8\n", &tabs, &by_habit);
        check(
            "[*]\nindent_style = space\nend_of_line = lf\ninsert_final_newline = true\n",
            &tabs,
            PRINTED_TEXT,
        );
        check("this is no such file", &tabs, &by_habit);
    }

    #[test]
    fn the_licence_stands_on_top_and_is_no_edit() {
        let source = Encoding::Bytes.decode("/*\n * © 2019 Acme\n */\n\npackage p;".as_bytes()).unwrap();
        let licence = Licence::of(&source);
        let habits = Habits { licence, ..Habits::default() };
        check("", &habits, &format!("/*\n * © 2019 Acme\n */\n\n{PRINTED_TEXT}"));
        let style = SourceStyle::of(Path::new("/T.java"), &habits);
        let read = |text: &str| style.read(text.as_bytes());
        assert_eq!(read("/*\n * © 2024 Acme\n */\n\nours"), Some("ours".to_owned()), "of another year");
        assert_eq!(read("/* mine */\n\nours"), Some("/* mine */\n\nours".to_owned()));
        assert_eq!(read("gr\u{f6}\u{df}er"), None, "never printed");
    }

    #[test]
    fn the_encoding_is_that_of_the_build_and_else_of_the_editor() {
        let check = |told: &str, encoding: Option<&str>, expect: &[u8]| {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(".editorconfig"), format!("root = true\n[*]\n{told}\n")).unwrap();
            let habits = Habits { encoding: encoding.map(Encoding::named), ..Habits::default() };
            let style = SourceStyle::of(&folder.path().join("T.java"), &habits);
            assert_eq!(style.apply("A\n"), expect, "{told} {encoding:?}");
            assert_eq!(style.read(expect), Some("A\n".to_owned()));
        };
        check("", None, b"A\n");
        check("charset = utf-16le", None, b"A\0\n\0");
        check("charset = utf-16le", Some("ISO-8859-1"), b"A\n");
        check("charset = utf-8-bom", None, b"A\n");
        check("", Some("UTF-16"), b"\xfe\xff\0A\0\n");
    }
}
