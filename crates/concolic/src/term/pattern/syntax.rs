//! The syntax of `java.util.regex.Pattern` (documentation of JDK 17), as far as it is regular.

use regex_syntax::hir::{self, HirKind};

use crate::term::pattern::{Class, Expression};

/// How deep groups may be nested.
const DEPTH: usize = 100;

/// Repetitions are written out; a bound above this makes too much of it.
const REPETITIONS: u32 = 1000;

/// Why an expression has no automaton here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// A back reference: what it matches is not regular.
    #[error("a back reference is not regular")]
    BackReference,
    /// Looking behind, or ahead from elsewhere than the beginning.
    #[error("looking behind, or ahead from the middle of an expression, is not modelled")]
    LookAround,
    /// `\b`, `\B`, `\G`, `\X` or `\R`.
    #[error("boundaries and sequences of lines and graphemes are not modelled")]
    Boundary,
    /// An anchor that something may stand before or behind.
    #[error("an anchor inside of an expression is not modelled")]
    AnchorInside,
    /// A possessive quantifier or an atomic group that does not match what the greedy one matches, as far as is known.
    #[error("giving nothing back matters in this expression")]
    Possessive,
    /// A flag other than `i`, `s` and `d`.
    #[error("a flag of this expression is not modelled")]
    Flag,
    /// A property of characters that is neither a POSIX class nor one of Unicode's categories, scripts and binary properties.
    #[error("a property of characters is not modelled")]
    Property,
    /// Too many states or too deep.
    #[error("the automaton is too large")]
    TooLarge,
    /// Java refuses it too, or might.
    #[error("the expression is malformed")]
    Syntax,
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// The empty text.
    Empty,
    /// One of a set of code points.
    Class(Class),
    /// One behind the other.
    Sequence(Vec<Tree>),
    /// Any one of them.
    Alternatives(Vec<Tree>),
    /// A number of times.
    Repetition {
        /// What is repeated.
        of: Box<Tree>,
        /// The least number of times.
        least: u32,
        /// The greatest number of times, if there is one.
        most: Option<u32>,
        /// Whether it gives nothing back.
        is_possessive: bool,
    },
    /// `^`, `\A`.
    Start,
    /// `\z`.
    End,
    /// `$`, `\Z`: the end, or before what ends a line there.
    LastLine,
}

/// Flags of `java.util.regex.Pattern`.
const UNIX_LINES: i32 = 0x01;
const CASE_INSENSITIVE: i32 = 0x02;
const LITERAL: i32 = 0x10;
const DOTALL: i32 = 0x20;

/// What an expression asks of a text.
pub(super) struct Parsed {
    /// What is to come at the beginning (`(?=...)`), or is not to (`(?!...)`, true).
    pub(super) ahead: Vec<(Tree, bool)>,
    /// What is matched.
    pub(super) tree: Tree,
    /// What ends a line.
    pub(super) line_end: Tree,
}

/// Parses an expression.
pub(super) fn parse(expression: &Expression) -> Result<Parsed, PatternError> {
    let text: Result<Vec<char>, _> = char::decode_utf16(expression.units.iter().copied()).collect();
    let text = text.map_err(|_| PatternError::Syntax)?;
    let has = |flag: i32| expression.flags & flag != 0;
    if expression.flags & !(UNIX_LINES | CASE_INSENSITIVE | LITERAL | DOTALL) != 0 {
        return Err(PatternError::Flag);
    }
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        ignores_case: has(CASE_INSENSITIVE),
        dot_matches_all: has(DOTALL),
        unix_lines: has(UNIX_LINES),
        ahead: Vec::new(),
    };
    let tree = if has(LITERAL) { parser.literals()? } else { parser.alternatives()? };
    if parser.at < parser.text.len() {
        return Err(PatternError::Syntax);
    }
    // Each of several alternatives would have to look ahead for itself.
    if !parser.ahead.is_empty() && matches!(tree, Tree::Alternatives(_)) {
        return Err(PatternError::LookAround);
    }
    Ok(Parsed { ahead: parser.ahead, tree, line_end: line_end(has(UNIX_LINES)) })
}

/// What `$` and `\Z` pass over at the end.
fn line_end(unix_lines: bool) -> Tree {
    let single = |ranges: &[(u32, u32)]| Tree::Class(Class::new(ranges));
    if unix_lines {
        return single(&[(0x0a, 0x0a)]);
    }
    let pair = Tree::Sequence(vec![single(&[(0x0d, 0x0d)]), single(&[(0x0a, 0x0a)])]);
    Tree::Alternatives(vec![pair, single(&[(0x0a, 0x0a), (0x0d, 0x0d), (0x85, 0x85), (0x2028, 0x2029)])])
}

struct Parser {
    text: Vec<char>,
    at: usize,
    depth: usize,
    ignores_case: bool,
    dot_matches_all: bool,
    unix_lines: bool,
    ahead: Vec<(Tree, bool)>,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Result<char, PatternError> {
        let next = self.peek().ok_or(PatternError::Syntax)?;
        self.at += 1;
        Ok(next)
    }

    fn takes(&mut self, wanted: &str) -> bool {
        let is_next = self.text[self.at..].iter().copied().take(wanted.chars().count()).eq(wanted.chars());
        if is_next {
            self.at += wanted.chars().count();
        }
        is_next
    }

    fn alternatives(&mut self) -> Result<Tree, PatternError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(PatternError::TooLarge);
        }
        let mut alternatives = vec![self.sequence()?];
        while self.takes("|") {
            alternatives.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(if alternatives.len() == 1 {
            alternatives.swap_remove(0)
        } else {
            Tree::Alternatives(alternatives)
        })
    }

    fn sequence(&mut self) -> Result<Tree, PatternError> {
        let mut parts = Vec::new();
        while let Some(next) = self.peek() {
            if matches!(next, '|' | ')') {
                break;
            }
            if self.takes("\\Q") {
                self.quoted(&mut parts)?;
                continue;
            }
            let is_at_start =
                self.depth == 1 && parts.iter().all(|part| matches!(part, Tree::Start | Tree::Empty));
            if is_at_start && self.looks_ahead()? {
                continue;
            }
            let atom = self.atom()?;
            parts.push(self.quantified(atom)?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Tree::Sequence(parts) })
    }

    /// Reads what looks ahead, if that comes next.
    fn looks_ahead(&mut self) -> Result<bool, PatternError> {
        let is_refused = self.takes("(?!");
        if !is_refused && !self.takes("(?=") {
            return Ok(false);
        }
        let flags = (self.ignores_case, self.dot_matches_all, self.unix_lines);
        let tree = self.alternatives()?;
        if !self.takes(")") {
            return Err(PatternError::Syntax);
        }
        (self.ignores_case, self.dot_matches_all, self.unix_lines) = flags;
        self.ahead.push((tree, is_refused));
        Ok(true)
    }

    /// An expression that stands for itself.
    fn literals(&mut self) -> Result<Tree, PatternError> {
        let mut parts = Vec::new();
        while self.peek().is_some() {
            let literal = self.next()?;
            parts.push(self.literal(u32::from(literal)));
        }
        Ok(Tree::Sequence(parts))
    }

    /// What stands between `\Q` and `\E`; a quantifier behind it is of the last character.
    fn quoted(&mut self, parts: &mut Vec<Tree>) -> Result<(), PatternError> {
        while self.peek().is_some() && !self.takes("\\E") {
            let literal = self.next()?;
            parts.push(self.literal(u32::from(literal)));
        }
        match parts.pop() {
            Some(last) => {
                let last = self.quantified(last)?;
                parts.push(last);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn literal(&self, code_point: u32) -> Tree {
        self.class_tree(Class::new(&[(code_point, code_point)]))
    }

    fn class_tree(&self, class: Class) -> Tree {
        Tree::Class(if self.ignores_case { class.without_case() } else { class })
    }

    fn atom(&mut self) -> Result<Tree, PatternError> {
        match self.next()? {
            '(' => self.group(),
            '[' => {
                let class = self.class()?;
                Ok(Tree::Class(class))
            }
            '.' => Ok(Tree::Class(if self.dot_matches_all {
                Class::all()
            } else if self.unix_lines {
                Class::new(&[(0x0a, 0x0a)]).complement()
            } else {
                Class::new(&[(0x0a, 0x0a), (0x0d, 0x0d), (0x85, 0x85), (0x2028, 0x2029)]).complement()
            })),
            '^' => Ok(Tree::Start),
            '$' => Ok(Tree::LastLine),
            '\\' => self.escape(),
            '*' | '+' | '?' | '{' => Err(PatternError::Syntax),
            literal => Ok(self.literal(u32::from(literal))),
        }
    }

    fn escape(&mut self) -> Result<Tree, PatternError> {
        match self.peek().ok_or(PatternError::Syntax)? {
            'A' => {
                self.at += 1;
                Ok(Tree::Start)
            }
            'z' => {
                self.at += 1;
                Ok(Tree::End)
            }
            'Z' => {
                self.at += 1;
                Ok(Tree::LastLine)
            }
            'b' | 'B' | 'G' | 'X' | 'R' => Err(PatternError::Boundary),
            'k' | '1'..='9' => Err(PatternError::BackReference),
            _ => {
                let class = self.escaped_class()?;
                Ok(self.class_tree(class))
            }
        }
    }

    /// What stands behind a backslash and means a set of characters, inside of brackets or outside.
    fn escaped_class(&mut self) -> Result<Class, PatternError> {
        let single = |code_point: u32| Ok(Class::new(&[(code_point, code_point)]));
        let escape = self.next()?;
        match escape {
            'd' => Ok(posix("Digit")),
            'D' => Ok(posix("Digit").complement()),
            'w' => Ok(word()),
            'W' => Ok(word().complement()),
            's' => Ok(posix("Space")),
            'S' => Ok(posix("Space").complement()),
            'h' | 'H' => {
                let class = Class::new(&[
                    (9, 9),
                    (0x20, 0x20),
                    (0xa0, 0xa0),
                    (0x1680, 0x1680),
                    (0x180e, 0x180e),
                    (0x2000, 0x200a),
                    (0x202f, 0x202f),
                    (0x205f, 0x205f),
                    (0x3000, 0x3000),
                ]);
                Ok(if escape == 'h' { class } else { class.complement() })
            }
            'v' | 'V' => {
                let class = Class::new(&[(0x0a, 0x0d), (0x85, 0x85), (0x2028, 0x2029)]);
                Ok(if escape == 'v' { class } else { class.complement() })
            }
            'p' | 'P' => {
                let name = self.property()?;
                let class = if POSIX.contains(&name.as_str()) {
                    posix(&name)
                } else {
                    unicode(&name).ok_or(PatternError::Property)?
                };
                Ok(if escape == 'p' { class } else { class.complement() })
            }
            't' => single(9),
            'n' => single(10),
            'r' => single(13),
            'f' => single(12),
            'a' => single(7),
            'e' => single(27),
            'c' => {
                let control = u32::from(self.next()?);
                single(control ^ 64)
            }
            '0' => {
                let code_point = self.octal()?;
                single(code_point)
            }
            'x' if self.takes("{") => {
                let mut code_point = 0_u32;
                while !self.takes("}") {
                    let digit = self.next()?.to_digit(16).ok_or(PatternError::Syntax)?;
                    code_point = code_point.checked_mul(16).ok_or(PatternError::Syntax)? + digit;
                }
                character(code_point).and_then(single)
            }
            'x' => self.hexadecimal(2).and_then(single),
            'u' => self.hexadecimal(4).and_then(character).and_then(single),
            other if other.is_ascii_alphanumeric() => Err(PatternError::Syntax),
            other => single(u32::from(other)),
        }
    }

    /// The name of a property: one letter, or what stands in braces.
    fn property(&mut self) -> Result<String, PatternError> {
        if !self.takes("{") {
            return Ok(self.next()?.to_string());
        }
        let mut name = String::new();
        while !self.takes("}") {
            name.push(self.next()?);
        }
        Ok(name)
    }

    fn hexadecimal(&mut self, digits: usize) -> Result<u32, PatternError> {
        (0..digits).try_fold(0, |value, _| {
            let digit = self.next()?.to_digit(16).ok_or(PatternError::Syntax)?;
            Ok(value * 16 + digit)
        })
    }

    /// One to three octal digits, up to 0377.
    fn octal(&mut self) -> Result<u32, PatternError> {
        let mut value = self.next()?.to_digit(8).ok_or(PatternError::Syntax)?;
        for _ in 0..2 {
            let digit = self.peek().and_then(|next| next.to_digit(8));
            let Some(longer) = digit.map(|digit| value * 8 + digit).filter(|&longer| longer <= 0o377) else {
                break;
            };
            value = longer;
            self.at += 1;
        }
        Ok(value)
    }

    /// What stands between brackets. Intersections bind less than unions, and a negation is of the whole, as since JDK 9.
    fn class(&mut self) -> Result<Class, PatternError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(PatternError::TooLarge);
        }
        let is_negated = self.takes("^");
        let mut intersection: Option<Class> = None;
        let mut union = Class::default();
        let mut is_first = true;
        loop {
            if self.takes("&&") {
                intersection = Some(intersection.map_or(union.clone(), |before| before.intersection(&union)));
                union = Class::default();
                continue;
            }
            if self.takes("[") {
                union = union.union(&self.class()?);
            } else if !is_first && self.takes("]") {
                break;
            } else {
                union = union.union(&self.member()?);
            }
            is_first = false;
        }
        self.depth -= 1;
        let class = intersection.map_or(union.clone(), |before| before.intersection(&union));
        Ok(if is_negated { class.complement() } else { class })
    }

    /// A character, a range, or an escape inside of brackets.
    fn member(&mut self) -> Result<Class, PatternError> {
        let low = self.bound()?;
        let is_range =
            self.peek() == Some('-') && !matches!(self.text.get(self.at + 1), None | Some(']' | '['));
        let class = match (is_range, low.ranges()) {
            (false, _) => low,
            (true, &[(low, last)]) if low == last => {
                self.at += 1;
                let high = self.bound()?;
                match high.ranges() {
                    &[(high, last)] if high == last && low <= high => Class::new(&[(low, high)]),
                    _ => return Err(PatternError::Syntax),
                }
            }
            (true, _) => return Err(PatternError::Syntax),
        };
        Ok(if self.ignores_case { class.without_case() } else { class })
    }

    fn bound(&mut self) -> Result<Class, PatternError> {
        match self.next()? {
            '\\' if matches!(self.peek(), Some('Q' | 'E')) => Err(PatternError::Syntax),
            '\\' => self.escaped_class(),
            literal => Ok(Class::new(&[(u32::from(literal), u32::from(literal))])),
        }
    }

    fn group(&mut self) -> Result<Tree, PatternError> {
        let flags = (self.ignores_case, self.dot_matches_all, self.unix_lines);
        let mut is_atomic = false;
        if self.takes("?") {
            if self.takes(">") {
                is_atomic = true;
            } else if ["=", "!", "<=", "<!"].iter().any(|look| self.takes(look)) {
                return Err(PatternError::LookAround);
            } else if self.takes("<") {
                while self.next()? != '>' {}
            } else if !self.takes(":") && self.flags()? {
                return Ok(Tree::Empty);
            }
        }
        let tree = self.alternatives()?;
        if !self.takes(")") {
            return Err(PatternError::Syntax);
        }
        (self.ignores_case, self.dot_matches_all, self.unix_lines) = flags;
        Ok(if is_atomic {
            Tree::Repetition { of: Box::new(tree), least: 1, most: Some(1), is_possessive: true }
        } else {
            tree
        })
    }

    /// Flags of the rest of the group (true) or of a group that they begin (false).
    fn flags(&mut self) -> Result<bool, PatternError> {
        let mut value = true;
        loop {
            match self.next()? {
                'i' => self.ignores_case = value,
                's' => self.dot_matches_all = value,
                'd' => self.unix_lines = value,
                '-' => value = false,
                ':' => return Ok(false),
                ')' => return Ok(true),
                _ => return Err(PatternError::Flag),
            }
        }
    }

    fn quantified(&mut self, mut of: Tree) -> Result<Tree, PatternError> {
        loop {
            let (least, most) = match self.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => {
                    self.at += 1;
                    let least = self.number()?;
                    let most = if self.takes(",") {
                        if self.peek() == Some('}') { None } else { Some(self.number()?) }
                    } else {
                        Some(least)
                    };
                    if most.is_some_and(|most| most < least) || self.peek() != Some('}') {
                        return Err(PatternError::Syntax);
                    }
                    (least, most)
                }
                _ => return Ok(of),
            };
            self.at += 1;
            let is_possessive = !self.takes("?") && self.takes("+");
            of = Tree::Repetition { of: Box::new(of), least, most, is_possessive };
        }
    }

    fn number(&mut self) -> Result<u32, PatternError> {
        let mut value = None;
        while let Some(digit) = self.peek().and_then(|next| next.to_digit(10)) {
            self.at += 1;
            value = Some(value.unwrap_or(0) * 10 + digit);
            if value > Some(REPETITIONS) {
                return Err(PatternError::TooLarge);
            }
        }
        value.ok_or(PatternError::Syntax)
    }
}

/// Code points that stand for themselves: halves of pairs are left out.
fn character(code_point: u32) -> Result<u32, PatternError> {
    char::from_u32(code_point).map(u32::from).ok_or(PatternError::Syntax)
}

const POSIX: [&str; 13] = [
    "Lower", "Upper", "ASCII", "Alpha", "Digit", "Alnum", "Punct", "Graph", "Print", "Blank", "Cntrl",
    "XDigit", "Space",
];

/// The POSIX classes of US-ASCII.
fn posix(name: &str) -> Class {
    let ascii = |holds: fn(&u8) -> bool| {
        let members: Vec<(u32, u32)> =
            (0..128_u8).filter(holds).map(|byte| (u32::from(byte), u32::from(byte))).collect();
        Class::new(&members)
    };
    match name {
        "Lower" => ascii(u8::is_ascii_lowercase),
        "Upper" => ascii(u8::is_ascii_uppercase),
        "Alpha" => ascii(u8::is_ascii_alphabetic),
        "Digit" => ascii(u8::is_ascii_digit),
        "Alnum" => ascii(u8::is_ascii_alphanumeric),
        "Punct" => ascii(u8::is_ascii_punctuation),
        "Graph" => ascii(u8::is_ascii_graphic),
        "Print" => ascii(|byte| byte.is_ascii_graphic() || *byte == b' '),
        "Blank" => ascii(|byte| matches!(byte, b' ' | b'\t')),
        "Cntrl" => ascii(u8::is_ascii_control),
        "XDigit" => ascii(u8::is_ascii_hexdigit),
        "Space" => ascii(|byte| matches!(byte, b' ' | 0x09..=0x0d)),
        _ => ascii(|_| true),
    }
}

/// A category, script or binary property of Unicode: `L`, `IsL`, `gc=Mn`, `IsLatin`, `script=Latin`, `IsAlphabetic`. Nothing of blocks
/// (`InGreek`) and what Java alone has (`javaLowerCase`).
///
/// # Differences
/// The version of Unicode is the library's, not the JDK's: a character that only one of them knows is in no class of the other.
fn unicode(name: &str) -> Option<Class> {
    let name = name.strip_prefix("Is").unwrap_or(name);
    if !name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '=')) {
        return None;
    }
    let parsed = regex_syntax::parse(&format!("\\p{{{name}}}")).ok()?;
    let HirKind::Class(hir::Class::Unicode(class)) = parsed.kind() else { return None };
    let ranges: Vec<(u32, u32)> =
        class.iter().map(|range| (u32::from(range.start()), u32::from(range.end()))).collect();
    Some(Class::new(&ranges))
}

/// `\w`.
fn word() -> Class {
    posix("Alnum").union(&Class::new(&[(u32::from(b'_'), u32::from(b'_'))]))
}
