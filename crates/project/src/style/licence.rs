//! The comment that source files of a project begin with.

/// The comment that a file begins with, before its package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Licence {
    /// The comment, with line feeds.
    text: String,
    /// Blank lines between it and the package.
    blank_lines: usize,
}

impl Licence {
    /// The licence of a source file; `None` where no comment is in front of its package.
    pub fn of(source: &str) -> Option<Self> {
        let (comment, rest) = first_comment(source)?;
        let package = rest.find("package ").filter(|&at| rest[..at].trim().is_empty())?;
        let line_feeds = rest[..package].matches('\n').count();
        // The line feed of a last line of comment is taken with it.
        let is_block = comment.starts_with("/*");
        Some(Self {
            text: comment.replace("\r\n", "\n"),
            blank_lines: line_feeds.saturating_sub(usize::from(is_block)),
        })
    }

    /// Blank lines between it and the package.
    pub(super) fn blank_lines(&self) -> usize {
        self.blank_lines
    }

    /// The comment.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The licence with a mark in place of each year or range of years: what files of different years have in common.
    pub(super) fn without_years(&self) -> String {
        without_years(&self.text)
    }

    /// What stands behind it in a text with line feeds that begins with it, in whatever year.
    pub(super) fn behind<'a>(&self, text: &'a str) -> Option<&'a str> {
        let (comment, rest) = first_comment(text)?;
        (without_years(comment) == self.without_years()).then(|| rest.trim_start_matches('\n'))
    }
}

/// The block comment, or the lines of comment, that a text begins with, and what follows.
fn first_comment(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with("/*") {
        let end = text.find("*/")? + 2;
        return Some(text.split_at(end));
    }
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim_start().starts_with("//") {
            break;
        }
        end += line.len();
    }
    let (comment, rest) = text.split_at(end);
    (end > 0).then(|| (comment.trim_end(), rest))
}

/// The text with `#` in place of numbers such as 2019 and of ranges such as 2019-2024.
fn without_years(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|character: char| character.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let digits = from.find(|character: char| !character.is_ascii_digit()).unwrap_or(from.len());
        let (number, behind) = from.split_at(digits);
        let is_year = number.len() == 4 && (number.starts_with("19") || number.starts_with("20"));
        words.push_str(before);
        if !is_year {
            words.push_str(number);
        } else if let Some(joined) = words.trim_end().strip_suffix('-').map(str::trim_end)
            && joined.ends_with('#')
        {
            words.truncate(joined.len());
        } else {
            words.push('#');
        }
        rest = behind;
    }
    words.push_str(rest);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_is_the_comment_in_front_of_the_package() {
        let check = |source: &str, expect: Option<&str>| {
            assert_eq!(Licence::of(source).as_ref().map(Licence::text), expect, "{source}");
        };
        check("/* L */\npackage p;", Some("/* L */"));
        check("\n// L\n// M\n\npackage p;", Some("// L\n// M"));
        check("/*\r\n * L\r\n */\r\npackage p;", Some("/*\n * L\n */"));
        check("package p;\n/** Doc. */ class A {}", None);
        check("/** Doc. */ class A {}", None);
        check("/* L", None);
        check("", None);
    }

    #[test]
    fn the_blank_lines_behind_a_licence_belong_to_it() {
        for (source, expect) in [
            ("/* L */\npackage p;", 0),
            ("/* L */\r\n\r\npackage p;", 1),
            ("// L\n// M\npackage p;", 0),
            ("// L\n\n\npackage p;", 2),
            ("/* L */ package p;", 0),
        ] {
            assert_eq!(Licence::of(source).map(|licence| licence.blank_lines()), Some(expect), "{source}");
        }
    }

    #[test]
    fn years_make_no_difference() {
        let check = |text: &str, expect: &str| assert_eq!(without_years(text), expect);
        check("(c) 2019 Acme", "(c) # Acme");
        check("(c) 2019-2024 Acme 42, 12345", "(c) # Acme 42, 12345");
        check("(c) 2012 - 2024, 1999", "(c) #, #");
        check("Apache 2.0", "Apache 2.0");
    }
}
