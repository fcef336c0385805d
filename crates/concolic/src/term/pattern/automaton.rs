//! Automata whose states are the classes of an expression (Glushkov 1961): a text is matched by a walk from class to
//! class, one code point each.

use testcase::random::Random;

use crate::term::pattern::check::{check, is_nullable};
use crate::term::pattern::extent::of_whole_text;
use crate::term::pattern::syntax::parse;
use crate::term::pattern::{Class, Expression, PatternError, Tree};

/// Most states of an automaton.
const STATES: usize = 2000;

/// Most transitions of an automaton.
const TRANSITIONS: usize = 100_000;

/// Most work of [`Pattern::nearest`]: the square of the states for each code unit.
const EDITS: usize = 10_000_000;

/// A regular expression and its automaton, over code points. Of one that looks ahead there are several.
#[derive(Debug, Clone)]
pub struct Pattern {
    expression: Expression,
    number: usize,
    tree: Tree,
    classes: Vec<Class>,
    initial: Vec<u32>,
    following: Vec<Vec<u32>>,
    is_final: Vec<bool>,
    matches_empty: bool,
}

/// Where a part of an automaton begins and ends.
struct Part {
    first: Vec<u32>,
    last: Vec<u32>,
    is_nullable: bool,
}

impl Pattern {
    /// The automata of an expression, for whole texts: a text must match those, and must not match those that come with true. Refused is
    /// what is not regular, and what is not modelled.
    pub fn of(expression: &Expression) -> Result<Vec<(Self, bool)>, PatternError> {
        let trees = of_whole_text(parse(expression)?, expression.extent).ok_or(PatternError::LookAround)?;
        let numbered = trees.into_iter().enumerate();
        numbered
            .map(|(number, (tree, is_refused))| Ok((Self::new(expression, number, tree)?, is_refused)))
            .collect()
    }

    fn new(expression: &Expression, number: usize, tree: Tree) -> Result<Self, PatternError> {
        check(&tree)?;
        let mut pattern = Self {
            expression: expression.clone(),
            number,
            matches_empty: is_nullable(&tree),
            classes: Vec::new(),
            initial: Vec::new(),
            following: Vec::new(),
            is_final: Vec::new(),
            tree: Tree::Empty,
        };
        let whole = pattern.part(&tree)?;
        pattern.tree = tree;
        pattern.initial = whole.first;
        pattern.is_final = vec![false; pattern.classes.len()];
        for last in whole.last {
            pattern.is_final[last as usize] = true;
        }
        for following in &mut pattern.following {
            following.sort_unstable();
            following.dedup();
        }
        Ok(pattern)
    }

    /// The expression as Java has it, and the number of the automaton among those of it.
    pub fn expression(&self) -> (&Expression, usize) {
        (&self.expression, self.number)
    }

    /// What the whole text is to match.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The classes of the states.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The states of the first code point.
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// The states of the code point behind that of a state.
    pub fn following(&self, state: u32) -> &[u32] {
        &self.following[state as usize]
    }

    /// Whether the last code point may be that of a state.
    pub fn is_final(&self, state: u32) -> bool {
        self.is_final[state as usize]
    }

    /// Whether the empty text is matched.
    pub fn matches_empty(&self) -> bool {
        self.matches_empty
    }

    fn part(&mut self, tree: &Tree) -> Result<Part, PatternError> {
        match tree {
            Tree::Empty | Tree::Start | Tree::End | Tree::LastLine => Ok(empty()),
            Tree::Class(class) => {
                let state = self.classes.len() as u32;
                if self.classes.len() == STATES {
                    return Err(PatternError::TooLarge);
                }
                self.classes.push(class.clone());
                self.following.push(Vec::new());
                Ok(Part { first: vec![state], last: vec![state], is_nullable: false })
            }
            Tree::Sequence(parts) => {
                let mut whole = empty();
                for part in parts {
                    let part = self.part(part)?;
                    whole = self.joined(whole, part)?;
                }
                Ok(whole)
            }
            Tree::Alternatives(alternatives) => {
                let mut whole = Part { is_nullable: false, ..empty() };
                for alternative in alternatives {
                    let part = self.part(alternative)?;
                    whole.first.extend(part.first);
                    whole.last.extend(part.last);
                    whole.is_nullable |= part.is_nullable;
                }
                Ok(whole)
            }
            Tree::Repetition { of, least, most, .. } => self.repetition(of, *least, *most),
        }
    }

    fn repetition(&mut self, of: &Tree, least: u32, most: Option<u32>) -> Result<Part, PatternError> {
        let mut whole = empty();
        for _ in 0..least.saturating_sub(u32::from(most.is_none())) {
            let part = self.part(of)?;
            whole = self.joined(whole, part)?;
        }
        match most {
            None => {
                let mut part = self.part(of)?;
                self.connect(&part.last, &part.first)?;
                part.is_nullable |= least == 0;
                self.joined(whole, part)
            }
            Some(most) => {
                for _ in least..most {
                    let part = self.part(of)?;
                    whole = self.joined(whole, Part { is_nullable: true, ..part })?;
                }
                Ok(whole)
            }
        }
    }

    fn joined(&mut self, mut one: Part, other: Part) -> Result<Part, PatternError> {
        self.connect(&one.last, &other.first)?;
        if one.is_nullable {
            one.first.extend(&other.first);
        }
        let last = if other.is_nullable { [one.last, other.last].concat() } else { other.last };
        Ok(Part { first: one.first, last, is_nullable: one.is_nullable && other.is_nullable })
    }

    fn connect(&mut self, from: &[u32], to: &[u32]) -> Result<(), PatternError> {
        for &state in from {
            self.following[state as usize].extend(to);
        }
        let transitions: usize = self.following.iter().map(Vec::len).sum();
        if transitions > TRANSITIONS { Err(PatternError::TooLarge) } else { Ok(()) }
    }

    /// Whether the whole text is matched.
    pub fn matches(&self, units: &[u16]) -> bool {
        let text = code_points(units);
        let Some((&first, rest)) = text.split_first() else { return self.matches_empty };
        let mut reached = vec![false; self.classes.len()];
        let mut states: Vec<u32> = Vec::new();
        self.advance(&self.initial, first, &mut reached, &mut states);
        for &code_point in rest {
            let before = std::mem::take(&mut states);
            reached.fill(false);
            for state in before {
                self.advance(self.following(state), code_point, &mut reached, &mut states);
            }
        }
        states.iter().any(|&state| self.is_final(state))
    }

    fn advance(&self, to: &[u32], code_point: u32, reached: &mut [bool], states: &mut Vec<u32>) {
        for &state in to {
            if !reached[state as usize] && self.classes[state as usize].contains(code_point) {
                reached[state as usize] = true;
                states.push(state);
            }
        }
    }

    /// A text that is matched, drawn by a walk of about so many code points; `None` if there is none on the walk.
    pub fn draw(&self, length: usize, random: &mut Random) -> Option<Vec<u16>> {
        let mut text = Vec::new();
        let mut next: &[u32] = &self.initial;
        if self.matches_empty && (length == 0 || self.initial.is_empty()) {
            return Some(text);
        }
        // Long enough for any automaton that has a way out, since every state is on a way to a final one.
        for _ in 0..length + self.classes.len() {
            let &state = random.choose(next)?;
            let class = &self.classes[state as usize];
            if class.size() == 0 {
                return None;
            }
            let drawn = class.member(random.below(class.size() as usize) as u32);
            let code_point = if random.chance(0.8) { class.representative() } else { drawn };
            text.extend(crate::term::text::units_of(code_point as i32)?);
            if self.is_final(state) && (text.len() >= length || self.following(state).is_empty()) {
                return Some(text);
            }
            next = self.following(state);
        }
        None
    }

    /// The least number of edits (insertions, deletions, and changes of less than 1 each) that make the text match, and
    /// the text that they lead to; `None` if nothing is matched, or if that takes too long to find out.
    pub fn nearest(&self, units: &[u16]) -> Option<(f64, Vec<u16>)> {
        if self.classes.len().pow(2) * (units.len() + 1) > EDITS {
            return None;
        }
        Edits::new(self, code_points(units)).nearest()
    }
}

fn empty() -> Part {
    Part { first: Vec::new(), last: Vec::new(), is_nullable: true }
}

/// The code points of a text; halves of pairs without the other one are code points of their own.
pub(crate) fn code_points(units: &[u16]) -> Vec<u32> {
    char::decode_utf16(units.iter().copied())
        .map(|character| character.map_or_else(|alone| u32::from(alone.unpaired_surrogate()), u32::from))
        .collect()
}

/// Edit distance between a text and the walks of an automaton, by dynamic programming (Wagner and Fischer 1974, with states
/// for the positions of the second text). The last state is the one before the first code point.
struct Edits<'p> {
    pattern: &'p Pattern,
    text: Vec<u32>,
    /// By number of code points read and state: cost, and where it came from.
    cells: Vec<Cell>,
    states: usize,
}

#[derive(Clone, Copy)]
struct Cell {
    cost: f64,
    /// Code points read and state before; the cell itself at the start.
    from: (u32, u32),
    /// The code point that this step wrote.
    wrote: Option<u32>,
}

impl<'p> Edits<'p> {
    fn new(pattern: &'p Pattern, text: Vec<u32>) -> Self {
        let states = pattern.classes.len() + 1;
        let cell = Cell { cost: f64::INFINITY, from: (0, 0), wrote: None };
        Self { pattern, cells: vec![cell; states * (text.len() + 1)], text, states }
    }

    fn nearest(mut self) -> Option<(f64, Vec<u16>)> {
        let start = self.states - 1;
        self.cells[start] = Cell { cost: 0.0, from: (0, start as u32), wrote: None };
        for read in 0..=self.text.len() {
            self.insertions(read);
            if let Some(&code_point) = self.text.get(read) {
                self.reading(read, code_point);
            }
        }
        let end = self.text.len();
        let is_end = |state: usize| {
            if state == start { self.pattern.matches_empty } else { self.pattern.is_final[state] }
        };
        let finals = (0..self.states).filter(|&state| is_end(state));
        let best = finals.min_by(|&a, &b| self.cell(end, a).cost.total_cmp(&self.cell(end, b).cost))?;
        let cost = self.cell(end, best).cost;
        cost.is_finite().then(|| (cost, self.walk(end, best)))
    }

    fn cell(&self, read: usize, state: usize) -> Cell {
        self.cells[read * self.states + state]
    }

    fn offer(&mut self, read: usize, state: usize, cell: Cell) -> bool {
        let place = &mut self.cells[read * self.states + state];
        let is_better = cell.cost < place.cost;
        if is_better {
            *place = cell;
        }
        is_better
    }

    fn targets(&self, state: usize) -> &'p [u32] {
        if state == self.states - 1 { &self.pattern.initial } else { &self.pattern.following[state] }
    }

    /// States that are reached without reading, cheapest first.
    fn insertions(&mut self, read: usize) {
        let mut open: Vec<usize> =
            (0..self.states).filter(|&state| self.cell(read, state).cost.is_finite()).collect();
        while let Some(place) = (0..open.len())
            .min_by(|&a, &b| self.cell(read, open[a]).cost.total_cmp(&self.cell(read, open[b]).cost))
        {
            let state = open.swap_remove(place);
            let cost = self.cell(read, state).cost + 1.0;
            for &target in self.targets(state) {
                let class = &self.pattern.classes[target as usize];
                let from = (read as u32, state as u32);
                let cell = Cell { cost, from, wrote: Some(class.representative()) };
                if class.size() > 0
                    && self.offer(read, target as usize, cell)
                    && !open.contains(&(target as usize))
                {
                    open.push(target as usize);
                }
            }
        }
    }

    /// Deletes, keeps or changes the next code point.
    fn reading(&mut self, read: usize, code_point: u32) {
        for state in 0..self.states {
            let cost = self.cell(read, state).cost;
            if cost.is_infinite() {
                continue;
            }
            let from = (read as u32, state as u32);
            self.offer(read + 1, state, Cell { cost: cost + 1.0, from, wrote: None });
            for &target in self.targets(state) {
                let Some((distance, nearest)) = self.pattern.classes[target as usize].nearest(code_point)
                else {
                    continue;
                };
                let change = if distance == 0 {
                    0.0
                } else {
                    0.5 + 0.4 * f64::from(distance) / (f64::from(distance) + 8.0)
                };
                let cell = Cell { cost: cost + change, from, wrote: Some(nearest) };
                self.offer(read + 1, target as usize, cell);
            }
        }
    }

    fn walk(&self, mut read: usize, mut state: usize) -> Vec<u16> {
        let mut text = Vec::new();
        while (read, state) != (0, self.states - 1) {
            let cell = self.cell(read, state);
            text.extend(cell.wrote);
            (read, state) = (cell.from.0 as usize, cell.from.1 as usize);
        }
        text.iter()
            .rev()
            .filter_map(|&code_point| crate::term::text::units_of(code_point as i32))
            .flatten()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use bytecode::predicate::MatchMode::{self, Part, Start, Whole};

    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    /// The only automaton of an expression of whole texts.
    fn whole(expression: &str) -> Pattern {
        let mut all = Pattern::of(&Expression::whole(&units(expression))).expect(expression);
        assert_eq!(all.len(), 1, "{expression}");
        all.remove(0).0
    }

    #[test]
    fn expressions_match_what_java_matches() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("", &[""], &["a"]),
            ("a*b", &["b", "aab"], &["a", "ba"]),
            ("(?:ab|c)+?d", &["abd", "ccabd"], &["d", "abcdd"]),
            ("^\\d{2,3}$", &["12", "123"], &["1", "1234", "12\n"]),
            ("[a-c&&[^b]]x", &["ax", "cx"], &["bx"]),
            ("[^a-c]", &["d", "\n", "\u{1f600}"], &["a", "dd"]),
            (".", &["\u{1f600}", "x"], &["\n", "\u{2028}", ""]),
            ("(?s).", &["\n"], &[""]),
            ("(?i)ab[c]", &["ABC", "aBc"], &["abd"]),
            ("a(?i:b)c", &["aBc"], &["ABc"]),
            ("\\Qa.b\\E+", &["a.bbb"], &["axb"]),
            ("\\w+@\\w+\\.(com|org)", &["me_1@x.com"], &["me@x.net", "@x.com"]),
            ("\\p{Alpha}\\P{Digit}", &["ab", "a-"], &["a1"]),
            ("\\x41\\u0042\\x{43}\\0104", &["ABCD"], &["ABCC"]),
            ("[\\w.-]+", &["a-b.c"], &["a b"]),
            ("[]a]+", &["]a"], &["b"]),
            ("a++b", &["aab"], &["aa"]),
            ("(?>ab|cd)e", &["abe"], &["ab"]),
            ("x{0}y", &["y"], &["xy"]),
            ("(?<year>\\d{4})-\\d\\d", &["2024-02"], &["24-02"]),
            ("a|", &["", "a"], &["b"]),
            ("\\s\\S\\h\\v", &["\tx \n"], &["xx \n"]),
            (
                "^users\\[([\\p{L}\\p{gc=Mn}\\p{Digit} \\-@.~]+)\\]\\.(.+)",
                &["users[a~1].b", "users[ä].b"],
                &["users[].b"],
            ),
            ("\\p{Lu}\\pL\\P{IsAlphabetic}", &["Éa1"], &["éa1", "Éaa"]),
            ("\\p{IsGreek}+\\p{script=Latin}", &["αβc"], &["abc"]),
        ];
        for (expression, matched, refused) in cases {
            let pattern = whole(expression);
            for text in *matched {
                assert!(pattern.matches(&units(text)), "{expression} {text:?}");
                let (cost, same) = pattern.nearest(&units(text)).expect("it matches something");
                assert_eq!((cost, same), (0.0, units(text)), "{expression} {text:?}");
            }
            for text in *refused {
                assert!(!pattern.matches(&units(text)), "{expression} {text:?}");
                let (cost, near) = pattern.nearest(&units(text)).expect("it matches something");
                assert!(cost > 0.0 && pattern.matches(&near), "{expression} {text:?} {near:?}");
            }
        }
    }

    #[test]
    fn parts_of_texts_match_what_java_finds() {
        let check = |expression: &str, flags: i32, extent: MatchMode, found: &[&str], refused: &[&str]| {
            let expression = Expression { flags, extent, ..Expression::whole(&units(expression)) };
            let all = Pattern::of(&expression).expect("it is regular");
            let holds = |text: &str| {
                all.iter().all(|(pattern, is_refused)| pattern.matches(&units(text)) != *is_refused)
            };
            for text in found {
                assert!(holds(text), "{expression:?} {text:?}");
            }
            for text in refused {
                assert!(!holds(text), "{expression:?} {text:?}");
            }
        };
        check("b+", 0, Part, &["b", "abc", "\nb\n"], &["", "ac"]);
        check("b+", 0, Start, &["b", "bc"], &["", "ab"]);
        check("^b", 0, Part, &["b", "bc"], &["ab"]);
        check("^a|b$", 0, Part, &["ac", "cb", "cb\r\n", "cb\u{85}"], &["ca", "bc", "cb\n\n"]);
        check("b$", 1, Part, &["ab", "ab\n"], &["ab\r"]);
        check("b\\z", 0, Part, &["ab"], &["ab\n"]);
        check("(a|b$)", 0, Start, &["ac", "b", "b\n"], &["bc"]);
        check("a.b", 0x10, Part, &["xa.bx"], &["xaxbx"]);
        check("a.b", 0x22, Whole, &["A\nB"], &["AB"]);
        let password = "^(?=.*\\d)(?=.*[a-z])(?!p).{3,}$";
        check(password, 0, Whole, &["a12", "x1x"], &["a1", "abc", "123", "p12"]);
        check(password, 0, Part, &["a12\n"], &["p12"]);
    }

    #[test]
    fn what_is_not_regular_is_refused() {
        let cases = [
            ("(a)\\1", PatternError::BackReference),
            ("a(?=b)b", PatternError::LookAround),
            ("(?<=a)b", PatternError::LookAround),
            ("(?=a)a|b", PatternError::LookAround),
            ("((?=a)a)", PatternError::LookAround),
            ("a\\b", PatternError::Boundary),
            ("a^b", PatternError::AnchorInside),
            ("(a$)*", PatternError::AnchorInside),
            ("a*+a", PatternError::Possessive),
            ("(?>a|ab)c", PatternError::Possessive),
            ("(?m)a", PatternError::Flag),
            ("\\p{InGreek}", PatternError::Property),
            ("\\p{javaLowerCase}", PatternError::Property),
            ("(a{900}){900}", PatternError::TooLarge),
            ("a{2", PatternError::Syntax),
            ("*a", PatternError::Syntax),
            ("(a", PatternError::Syntax),
            ("a)", PatternError::Syntax),
            ("[a", PatternError::Syntax),
            ("[z-a]", PatternError::Syntax),
        ];
        for (expression, expected) in cases {
            let refused = Pattern::of(&Expression::whole(&units(expression))).err();
            assert_eq!(refused, Some(expected), "{expression}");
        }
    }

    #[test]
    fn drawn_texts_are_matched() {
        let mut random = Random::new(1, 0);
        for expression in ["\\d{4}-\\d{2}", "(ab|c)*d", "[^x]{3,5}", "a?"] {
            let pattern = whole(expression);
            for length in 0..8 {
                let drawn = pattern.draw(length, &mut random);
                assert!(drawn.is_none_or(|text| pattern.matches(&text)), "{expression}");
            }
        }
    }
}
