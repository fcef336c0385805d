//! Java source as tokens (JLS, chapter 3), so far as it takes to read what we print and what formatters make of it.
//!
//! # Differences
//! Unicode escapes are not translated, numbers with a point or a sign are several tokens, and so are operators other than `++`, `--`
//! and `::`. Nothing is an error: what is no Java has tokens as well, and they change when it does.

use std::iter::Peekable;
use std::str::CharIndices;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name, a keyword or digits.
    Word,
    /// A string with its quotes.
    Text,
    /// A character or a text block, with its quotes.
    Literal,
    /// `++`, `--`, `::`, or any other character alone.
    Symbol,
    /// A comment with what it begins and ends with.
    Comment,
}

/// A token of a source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind,
    /// Its characters.
    pub text: &'a str,
    /// The line that it begins on, from 1.
    pub line: u32,
}

impl Token<'_> {
    /// The line that it ends on, from 1.
    pub fn last_line(&self) -> u32 {
        self.line + line_feeds(self.text)
    }

    /// Whether it is this name, keyword or symbol.
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Symbol) && self.text == text
    }
}

/// The tokens of a source text, comments included, in their order.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let (kind, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else {
            let (kind, length) = first_token(rest, first);
            (Some(kind), length)
        };
        let text = &rest[..length];
        tokens.extend(kind.map(|kind| Token { kind, text, line }));
        line += line_feeds(text);
        at += length;
    }
    tokens
}

/// What a text begins with that begins with this character, and its length in bytes.
fn first_token(text: &str, first: char) -> (TokenKind, usize) {
    let until = |end: &str, from: usize| text[from..].find(end).map(|at| from + at);
    if text.starts_with("//") {
        return (TokenKind::Comment, until("\n", 0).map_or(text.len(), |end| text[..end].trim_end().len()));
    }
    if text.starts_with("/*") {
        return (TokenKind::Comment, until("*/", 2).map_or(text.len(), |end| end + 2));
    }
    if text.starts_with("\"\"\"") {
        return (TokenKind::Literal, quoted(text, "\"\"\""));
    }
    match first {
        '"' => (TokenKind::Text, quoted(text, "\"")),
        '\'' => (TokenKind::Literal, quoted(text, "'")),
        _ if is_of_word(first) => {
            (TokenKind::Word, text.find(|character| !is_of_word(character)).unwrap_or(text.len()))
        }
        _ if ["++", "--", "::"].iter().any(|pair| text.starts_with(pair)) => (TokenKind::Symbol, 2),
        _ => (TokenKind::Symbol, first.len_utf8()),
    }
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// The length of the literal that a text begins with, quotes included. One that is not a text block ends with its line.
fn quoted(text: &str, quote: &str) -> usize {
    let mut characters: Peekable<CharIndices<'_>> = text.char_indices().peekable();
    let begin = characters.nth(quote.len() - 1).map_or(0, |(at, first)| at + first.len_utf8());
    while let Some((at, character)) = characters.next() {
        if character == '\n' && quote.len() == 1 {
            return at;
        }
        if at >= begin && text[at..].starts_with(quote) {
            return at + quote.len();
        }
        if character == '\\' {
            characters.next_if(|(_, escaped)| *escaped != '\n');
        }
    }
    text.len()
}

fn line_feeds(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// What a source text says, whatever a formatter made of it: white space between tokens, the order of imports, the breaks and
/// marks of comments, and where a long string is broken into a sum of strings make no difference. Other texts have another form.
pub fn form(source: &str) -> String {
    let (imports, others) = parted(tokens(source));
    let mut form = String::with_capacity(source.len());
    for import in imports {
        form.push_str(&import);
    }
    let mut others = joined(&others).into_iter().peekable();
    while let Some((kind, text)) = others.next() {
        if kind != TokenKind::Comment {
            push(&mut form, kind, &text);
            continue;
        }
        for word in words_of_comment(&text) {
            push(&mut form, kind, word);
        }
        // Where a comment of several lines begins and ends is a matter of width as well.
        while let Some((_, more)) = others.next_if(|(kind, _)| *kind == TokenKind::Comment) {
            for word in words_of_comment(&more) {
                push(&mut form, kind, word);
            }
        }
    }
    form
}

/// Adds a token, so that no two lists of them are the same text.
fn push(form: &mut String, kind: TokenKind, text: &str) {
    form.push(match kind {
        TokenKind::Comment => '#',
        TokenKind::Word | TokenKind::Text | TokenKind::Literal | TokenKind::Symbol => ' ',
    });
    form.push_str(text);
    form.push('\0');
}

/// The imports of a file in the order of their forms, and all other tokens.
fn parted(tokens: Vec<Token<'_>>) -> (Vec<String>, Vec<Token<'_>>) {
    let (mut imports, mut others) = (Vec::new(), Vec::new());
    let mut import: Option<String> = None;
    let mut is_in_class = false;
    for token in tokens {
        is_in_class |= token.is("{");
        if token.is("import") && !is_in_class {
            import = Some(String::new());
        }
        let Some(form) = import.as_mut().filter(|_| token.kind != TokenKind::Comment) else {
            others.push(token);
            continue;
        };
        push(form, token.kind, token.text);
        if token.is(";") {
            imports.extend(import.take());
        }
    }
    imports.extend(import);
    imports.sort();
    (imports, others)
}

/// Tokens with the sums of strings in one, unless something of the last one is asked for.
fn joined(tokens: &[Token<'_>]) -> Vec<(TokenKind, String)> {
    let mut joined: Vec<(TokenKind, String)> = Vec::with_capacity(tokens.len());
    for (index, token) in tokens.iter().enumerate() {
        let is_asked = tokens.get(index + 1).is_some_and(|next| next.is(".") || next.is("::"));
        if token.kind == TokenKind::Text
            && !is_asked
            && let [.., (TokenKind::Text, first), (TokenKind::Symbol, plus)] = joined.as_mut_slice()
            && plus == "+"
        {
            first.truncate(first.trim_end_matches('"').len());
            first.push_str(&token.text[1..]);
            joined.pop();
            continue;
        }
        joined.push((token.kind, token.text.to_owned()));
    }
    joined
}

/// The words of a comment without what marks it as one.
fn words_of_comment(comment: &str) -> impl Iterator<Item = &str> {
    let inner = match comment.strip_prefix("//") {
        Some(line) => line,
        None => comment.trim_start_matches('/').trim_end_matches('/').trim_end_matches('*'),
    };
    inner.lines().flat_map(|line| line.trim_start().trim_start_matches('*').split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_its_tokens() {
        use TokenKind::{Comment, Literal, Symbol, Text, Word};

        let check = |source: &str, expect: &[(TokenKind, &str, u32)]| {
            let found: Vec<_> =
                tokens(source).into_iter().map(|token| (token.kind, token.text, token.line)).collect();
            assert_eq!(found, expect, "{source}");
        };
        check("", &[]);
        check(
            "int a_1\n=b;",
            &[(Word, "int", 1), (Word, "a_1", 1), (Symbol, "=", 2), (Word, "b", 2), (Symbol, ";", 2)],
        );
        check("a+++b", &[(Word, "a", 1), (Symbol, "++", 1), (Symbol, "+", 1), (Word, "b", 1)]);
        check(
            "List<List<A>>",
            &[
                (Word, "List", 1),
                (Symbol, "<", 1),
                (Word, "List", 1),
                (Symbol, "<", 1),
                (Word, "A", 1),
                (Symbol, ">", 1),
                (Symbol, ">", 1),
            ],
        );
        check(
            r#""a \" // b" '"' '\''"#,
            &[(Text, r#""a \" // b""#, 1), (Literal, "'\"'", 1), (Literal, r"'\''", 1)],
        );
        check(
            "\"\"\"\n a \" \\\"\"\" b\n\"\"\" c",
            &[(Literal, "\"\"\"\n a \" \\\"\"\" b\n\"\"\"", 1), (Word, "c", 3)],
        );
        check("\"\" a", &[(Text, "\"\"", 1), (Word, "a", 1)]);
        check(
            "// a \"\r\n/* b\n*/ /**/ c /",
            &[
                (Comment, "// a \"", 1),
                (Comment, "/* b\n*/", 2),
                (Comment, "/**/", 3),
                (Word, "c", 3),
                (Symbol, "/", 3),
            ],
        );
        // Whatever is no Java.
        check("\"a\n'b\n/* c", &[(Text, "\"a", 1), (Literal, "'b", 2), (Comment, "/* c", 3)]);
        check("\"\\", &[(Text, "\"\\", 1)]);
        check("\"\"\"\\", &[(Literal, "\"\"\"\\", 1)]);
        check("grö\u{df}er →", &[(Word, "grö\u{df}er", 1), (Symbol, "→", 1)]);
        assert_eq!(tokens("a\n/* b\n\n*/")[1].last_line(), 4);
    }
}
