//! Makes the values of a test natural: what a person would write where any value does.
//!
//! What a text is passed for, words of the code, small numbers, short words, boundaries. Not zero, empty and null first: the assertions of
//! `add(0, 0)` and `append("")` notice less than those of `add(1, 2)` and `append("a")`. Inputs of one kind therefore
//! become different from one another, too.
//!
//! Most values of most tests may be any. So all of a test are replaced at once first, in one run, and parts of them where
//! that fails; only what is left is worked on value by value. Values that are equal change together, since often that is
//! what matters of them.

use coverage::goal::GoalId;
use testcase::cluster::{TestCluster, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::{JavaString, Value};

use super::roles::{is_named, role};
use super::runner::{Candidate, Runner};
use super::statements::plain_generators;

/// Largest whole number that needs no reason.
const SMALL: i64 = 20;
/// Longest string that needs no reason.
const SHORT: usize = 12;
/// Longest string that nobody would make shorter.
const FIRST_LENGTH: usize = 3;
/// Longest texts of the code that take the place of others, and how many are tried.
const LONGEST_WORD: usize = 20;
const MOST_WORDS: usize = 6;
/// Most texts that calls are known to ask for that are tried.
const MOST_HINTS: usize = 6;
/// Longest array that needs no reason.
const FEW: u16 = 3;

/// Makes the values of a test natural while it covers `required` and ends no worse.
pub(super) struct Simplifier<'a, 'b> {
    runner: &'a mut Runner<'b>,
    cluster: &'a TestCluster,
    /// The test as far as it has come.
    pub best: Candidate,
    required: &'a [GoalId],
    /// Executions left for the statement at hand.
    left: u64,
}

impl<'a, 'b> Simplifier<'a, 'b> {
    pub(super) fn of(
        runner: &'a mut Runner<'b>,
        cluster: &'a TestCluster,
        start: Candidate,
        required: &'a [GoalId],
    ) -> Self {
        runner.is_long = start.is_long;
        Self { runner, cluster, best: start, required, left: 0 }
    }
}

impl Simplifier<'_, '_> {
    /// Simplifies each value in turn.
    pub(super) fn one_by_one(mut self) -> Self {
        self.spell();
        let mut position = 0;
        while position < self.best.test.len() && !self.runner.stopped {
            self.left = self.runner.options.executions_per_value;
            self.simplify_at(position);
            position += 1;
        }
        self
    }

    /// Replaces all values that a person would not choose first, in one run where that will do.
    pub(super) fn at_once(mut self) -> Self {
        let mut instead: Vec<(usize, Value)> = Vec::new();
        for (position, statement) in self.best.test.statements().iter().enumerate() {
            let Statement::Primitive { value, .. } = statement else { continue };
            let role = role(self.cluster, &self.best.test, position);
            if role.as_ref().map_or_else(|| self.is_first_choice(value), |role| role == value) {
                continue;
            }
            let equal = instead.iter().find(|(other, _)| value_at(&self.best.test, *other) == Some(value));
            let chosen = role.or_else(|| equal.map(|(_, chosen)| chosen.clone()));
            let chosen = chosen.or_else(|| self.first_choice(position, value));
            instead.extend(chosen.map(|chosen| (position, chosen)));
        }
        self.replace_all(&instead);
        self
    }

    /// Puts letters in the place of what nobody would have written in texts.
    fn spell(&mut self) {
        for changed in spelled(self.cluster, &self.best.test) {
            if let Some(accepted) = self.runner.accept(changed, self.required, self.best.ending) {
                self.best = accepted;
                return;
            }
        }
    }

    /// Replaces these values together, else each half of them.
    fn replace_all(&mut self, instead: &[(usize, Value)]) {
        if instead.is_empty() || self.runner.stopped {
            return;
        }
        let mut changed: TestCase = self.best.test.clone();
        for (position, chosen) in instead {
            // An accepted test may have been cut before the position by an exception.
            if let Some(Statement::Primitive { value, .. }) = changed.statements_mut().get_mut(*position) {
                *value = chosen.clone();
            }
        }
        if let Some(accepted) = self.runner.accept(changed, self.required, self.best.ending) {
            self.best = accepted;
        } else if instead.len() > 1 {
            let (one, other) = instead.split_at(instead.len() / 2);
            self.replace_all(one);
            self.replace_all(other);
        }
    }

    /// What takes the place of a value first: of a negative number what it is without its sign, for which a reader would look for a reason.
    fn first_choice(&self, position: usize, value: &Value) -> Option<Value> {
        let unsigned = without_sign(value);
        let is_free =
            |other: &Value| (0..position).all(|before| value_at(&self.best.test, before) != Some(other));
        match &unsigned {
            Some(unsigned) if self.is_natural(unsigned) && is_free(unsigned) => Some(unsigned.clone()),
            _ => {
                let value = unsigned.as_ref().unwrap_or(value);
                candidates(value, self.alike_before(position, value)).into_iter().next()
            }
        }
    }

    /// Values that nobody would exchange for simpler ones. Of numbers these are all natural ones: 1 and 2 are simpler, but
    /// what comes of them shows less. Of texts a few letters, and readable ones of the code.
    fn is_first_choice(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => {
                let is_plain = |&unit: &u16| is_lowercase(unit) || is_digit(unit);
                let is_short = text.len() <= FIRST_LENGTH && text.units().iter().all(is_plain);
                is_short || is_readable(text.units()) && self.is_of_code(value)
            }
            Value::Char(unit) => *unit == u16::from(b' ') || is_alphanumeric(*unit) || self.is_of_code(value),
            Value::Boolean(_)
            | Value::Byte(_)
            | Value::Short(_)
            | Value::Int(_)
            | Value::Long(_)
            | Value::Float(_)
            | Value::Double(_) => self.is_natural(value) && without_sign(value).is_none(),
        }
    }

    fn is_of_code(&self, value: &Value) -> bool {
        is_of_code(self.cluster, value)
    }

    fn simplify_at(&mut self, position: usize) {
        match self.best.test.statement(VarRef::from(position)).clone() {
            Statement::Primitive { value, boxed } => self.simplify_value(position, &value, boxed),
            Statement::Null { of } => self.replace_null(position, of),
            Statement::Array { of, length } if length > FEW => self.shorten_array(position, of, length),
            Statement::Array { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => {}
        }
    }

    /// Tries another statement at a position.
    fn attempt(&mut self, position: usize, statement: Statement) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut changed: TestCase = self.best.test.clone();
        changed.statements_mut()[position] = statement;
        match self.runner.accept(changed, self.required, self.best.ending) {
            Some(accepted) => {
                self.best = accepted;
                true
            }
            None => false,
        }
    }

    fn attempt_value(&mut self, position: usize, value: Value, boxed: bool) -> bool {
        // An accepted test may have been cut before the position by an exception.
        position < self.best.test.len() && self.attempt(position, Statement::Primitive { value, boxed })
    }

    /// Tries another value at a position together with those behind it that are equal to its own; then there alone.
    fn attempt_together(&mut self, position: usize, value: &Value, boxed: bool) -> bool {
        let Some(own) = value_at(&self.best.test, position).cloned() else { return false };
        let mut changed: TestCase = self.best.test.clone();
        let mut equal = 0;
        for statement in changed.statements_mut().iter_mut().skip(position) {
            if let Statement::Primitive { value: other, .. } = statement
                && *other == own
            {
                *other = value.clone();
                equal += 1;
            }
        }
        if equal > 1 && self.left > 0 {
            self.left -= 1;
            if let Some(accepted) = self.runner.accept(changed, self.required, self.best.ending) {
                self.best = accepted;
                return true;
            }
        }
        self.attempt_value(position, value.clone(), boxed)
    }

    fn simplify_value(&mut self, position: usize, value: &Value, boxed: bool) {
        let is_string = matches!(value, Value::String(_));
        if boxed && is_string && self.attempt_value(position, value.clone(), false) {
            return self.simplify_value(position, value, false);
        }
        if is_string && self.takes_hint(position, value, boxed) {
            return;
        }
        let ordinal = self.alike_before(position, value);
        if is_named(self.cluster, &self.best.test, position) {
            return;
        }
        if self.is_natural(value) {
            self.tell_apart(position, value, boxed, ordinal);
            return;
        }
        for candidate in candidates(value, ordinal).into_iter().chain(self.words_of_code(value)) {
            if self.attempt_together(position, &candidate, boxed) {
                return;
            }
        }
        match value {
            Value::String(text) if !boxed => self.shrink_string(position, text.units().to_vec()),
            Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) => {
                self.bisect(position, value, boxed);
            }
            Value::String(_) | Value::Boolean(_) | Value::Char(_) | Value::Float(_) | Value::Double(_) => {}
        }
    }

    /// Puts a text that a call is known to ask for in the place of another one, where there are any: a date pattern, a language.
    fn takes_hint(&mut self, position: usize, value: &Value, boxed: bool) -> bool {
        let hints = hints(self.cluster, &self.best.test, VarRef::from(position));
        hints.contains(value)
            || hints.into_iter().take(MOST_HINTS).any(|hint| self.attempt_value(position, hint, boxed))
    }

    /// Gives a value that an earlier input has already another one: what becomes of equal inputs does not show which
    /// of them was used.
    fn tell_apart(&mut self, position: usize, value: &Value, boxed: bool, ordinal: usize) {
        let has = |test: &TestCase, wanted: &Value| {
            test.statements()
                .iter()
                .take(position)
                .any(|statement| matches!(statement, Statement::Primitive { value, .. } if value == wanted))
        };
        if !has(&self.best.test, value) {
            return;
        }
        for candidate in candidates(value, ordinal) {
            if !has(&self.best.test, &candidate) && self.attempt_value(position, candidate, boxed) {
                return;
            }
        }
    }

    fn alike_before(&self, position: usize, value: &Value) -> usize {
        alike_before(&self.best.test, position, value)
    }

    /// Values that a person might have written.
    fn is_natural(&self, value: &Value) -> bool {
        is_natural(self.cluster, value)
    }

    /// Readable texts that the class under test has: those within the text first, since the rest may be what the search
    /// put around them.
    fn words_of_code(&self, value: &Value) -> Vec<Value> {
        let Value::String(text) = value else { return Vec::new() };
        let of_code = self.cluster.constants.class_under_test.iter().filter_map(|constant| {
            let Value::String(word) = constant else { return None };
            (!word.is_empty() && word.len() <= LONGEST_WORD).then_some(word)
        });
        let mut words: Vec<&JavaString> = of_code.collect();
        let is_within = |word: &JavaString| text.units().windows(word.len()).any(|part| part == word.units());
        words.sort_by_key(|word| !is_within(word));
        words.into_iter().take(MOST_WORDS).cloned().map(Value::String).collect()
    }

    /// Moves a number toward zero to where the goals begin to hold, often a boundary of the code; where no step
    /// succeeds, at least its digits become fewer.
    fn bisect(&mut self, position: usize, value: &Value, boxed: bool) {
        let (Some(of), Some(mut holds)) = (value.primitive_type(), value.as_integer()) else {
            return;
        };
        let (mut fails, start) = (0, holds);
        while holds.abs_diff(fails) > 1 {
            let middle = fails + (holds - fails) / 2;
            if self.attempt_value(position, Value::from_integer(of, middle), boxed) {
                holds = middle;
            } else if self.left == 0 || self.runner.stopped {
                return;
            } else {
                fails = middle;
            }
        }
        if holds == start {
            for number in rounded(start) {
                if self.attempt_value(position, Value::from_integer(of, number), boxed) {
                    return;
                }
            }
        }
    }

    /// Takes out ever smaller parts of a string, then makes what is left plain, character by character.
    fn shrink_string(&mut self, position: usize, mut text: Vec<u16>) {
        let mut part = text.len().div_ceil(2);
        while part > 0 {
            let mut start = 0;
            while start < text.len() {
                let mut shorter = text.clone();
                shorter.drain(start..(start + part).min(text.len()));
                if self.attempt_value(position, string(&shorter), false) {
                    text = shorter;
                } else {
                    start += part;
                }
                if self.left == 0 || self.runner.stopped {
                    return;
                }
            }
            part /= 2;
        }
        for index in 0..text.len() {
            if is_readable(&text) {
                return;
            }
            if !is_lowercase(text[index]) {
                let mut plainer = text.clone();
                plainer[index] = u16::from(b'a');
                if self.attempt_value(position, string(&plainer), false) {
                    text = plainer;
                }
            }
        }
    }

    /// Puts a value in the place of `null`: most readers would have passed one.
    fn replace_null(&mut self, position: usize, of: TypeId) {
        let ordinal = self.alike_before(position, &Value::String("".into()));
        for statement in in_place_of_null(self.cluster, of, ordinal) {
            if position < self.best.test.len() && self.attempt(position, statement) {
                return;
            }
        }
    }

    /// Cuts an array behind the last element written, or to one element.
    fn shorten_array(&mut self, position: usize, of: TypeId, length: u16) {
        let array = VarRef::from(position);
        let written = self.best.test.statements().iter().filter_map(|statement| {
            let Statement::ArrayWrite { array: written, index, .. } = statement else { return None };
            (*written == array).then_some(*index + 1)
        });
        let needed = written.max().unwrap_or(1);
        if needed < length {
            self.attempt(position, Statement::Array { of, length: needed });
        }
    }
}

/// What could be passed where null is: a text, a number, a constant, an object made of nothing.
pub(super) fn in_place_of_null(cluster: &TestCluster, of: TypeId, ordinal: usize) -> Vec<Statement> {
    let mut instead: Vec<Statement> = Vec::new();
    if cluster.is_assignable(TypeId::STRING, of) {
        instead.push(Statement::Primitive { value: word(ordinal), boxed: false });
    }
    if let Some(boxed) = of.as_boxed() {
        instead.push(Statement::Primitive { value: Value::from_integer(boxed, 1), boxed: true });
    }
    let declared = cluster.ty(of);
    instead.extend(declared.enum_constants.first().map(|&field| Statement::EnumConstant { field }));
    if declared.element.is_some() {
        instead.push(Statement::Array { of, length: 0 });
    }
    instead.extend(plain_generators(cluster, of).take(1));
    instead
}

/// The test with letters in the place of characters and texts that nobody would have written, the same for the same wherever they
/// stand: most code asks which characters are equal and not which they are. First all of them, then those that the code does not mention.
pub(crate) fn spelled(cluster: &TestCluster, test: &TestCase) -> Vec<TestCase> {
    let mentioned: Vec<u16> = cluster.constants.class_under_test.iter().flat_map(units).copied().collect();
    let mut found: Vec<TestCase> = Vec::new();
    for kept in [&[][..], &mentioned] {
        if let Some(changed) = respelled(cluster, test, kept)
            && changed != *test
            && !found.contains(&changed)
        {
            found.push(changed);
        }
    }
    found
}

/// The test with letters in the place of all characters of such texts but those that are kept; `None` where there are too many.
fn respelled(cluster: &TestCluster, test: &TestCase, kept: &[u16]) -> Option<TestCase> {
    let letters = (b'a'..=b'z').chain(b'A'..=b'Z').map(u16::from);
    let (mut odd, mut others): (Vec<u16>, Vec<u16>) = (Vec::new(), kept.to_vec());
    let is_fine =
        |position: usize, value: &Value| is_natural(cluster, value) || is_named(cluster, test, position);
    for (position, statement) in test.statements().iter().enumerate() {
        let Statement::Primitive { value, .. } = statement else { continue };
        if is_fine(position, value) { &mut others } else { &mut odd }.extend(units(value));
    }
    let mut letters = letters.filter(|letter| !others.contains(letter));
    let mut instead: Vec<(u16, u16)> = Vec::new();
    for unit in odd {
        if !kept.contains(&unit) && !instead.iter().any(|(known, _)| *known == unit) {
            instead.push((unit, letters.next()?));
        }
    }
    let other =
        |unit: u16| instead.iter().find(|(known, _)| *known == unit).map_or(unit, |(_, other)| *other);
    let mut changed = test.clone();
    for (position, statement) in changed.statements_mut().iter_mut().enumerate() {
        let Statement::Primitive { value, .. } = statement else { continue };
        if is_named(cluster, test, position) {
            continue;
        }
        if let Value::Char(unit) = value {
            *unit = other(*unit);
        } else if matches!(value, Value::String(_)) && !is_of_code(cluster, value) {
            *value = string(&units(value).iter().map(|&unit| other(unit)).collect::<Vec<u16>>());
        }
    }
    Some(changed)
}

/// The characters of a value, in UTF-16 code units.
fn units(value: &Value) -> &[u16] {
    if let Value::Char(unit) = value {
        return std::slice::from_ref(unit);
    }
    if let Value::String(text) = value { text.units() } else { &[] }
}

/// What the calls that a variable is passed to are known to ask for there.
fn hints(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<Value> {
    let calls = test.statements().iter().filter_map(|statement| {
        let (Statement::Method { callable, arguments, .. } | Statement::Constructor { callable, arguments }) =
            statement
        else {
            return None;
        };
        Some((cluster.callable(*callable), arguments))
    });
    let asked = calls.flat_map(|(callable, arguments)| {
        let passed = callable.parameters.iter().zip(arguments).filter(|(_, passed)| **passed == variable);
        passed.flat_map(|(parameter, _)| &parameter.hints)
    });
    asked.cloned().collect()
}

/// How many inputs of the same type stand before a position, so that each gets another value.
pub(crate) fn alike_before(test: &TestCase, position: usize, value: &Value) -> usize {
    let same = |statement: &&Statement| {
        matches!(statement, Statement::Primitive { value: other, .. }
            if std::mem::discriminant(other) == std::mem::discriminant(value))
    };
    test.statements().iter().take(position).filter(same).count()
}

/// Whether the class under test has that constant.
fn is_of_code(cluster: &TestCluster, value: &Value) -> bool {
    cluster.constants.class_under_test.binary_search(value).is_ok()
}

/// Whether a person might have written a value.
fn is_natural(cluster: &TestCluster, value: &Value) -> bool {
    match value {
        Value::Boolean(_) => true,
        Value::Char(unit) => (0x20..0x7f).contains(unit),
        Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) => {
            let number = value.as_integer().unwrap_or_default();
            number.unsigned_abs() <= SMALL as u64 || is_round(number) || is_limit(value)
        }
        Value::Float(number) => is_natural_fraction(f64::from(*number)),
        Value::Double(number) => is_natural_fraction(*number),
        Value::String(text) => text.len() <= SHORT && is_readable(text.units()) || is_of_code(cluster, value),
    }
}

/// What to try in the place of a value that nobody would have written, the most natural first: of a text its halves and what is
/// left without a quarter at last. In the place of others only what they are without a sign. `ordinal` values of its type stand before it.
pub(crate) fn plainer(cluster: &TestCluster, value: &Value, ordinal: usize) -> Vec<Value> {
    let mut found: Vec<Value> = without_sign(value).into_iter().collect();
    found.retain(|unsigned| is_natural(cluster, unsigned));
    if is_natural(cluster, value) {
        return found;
    }
    found.extend(candidates(value, ordinal));
    if let Value::String(text) = value {
        let units = text.units();
        for part in [2, 4] {
            let length = units.len().div_ceil(part).max(1);
            let parts = (0..units.len()).step_by(length);
            found.extend(parts.map(|start| {
                let mut shorter = units.to_vec();
                shorter.drain(start..(start + length).min(units.len()));
                string(&shorter)
            }));
        }
    }
    found.retain(|plainer| plainer != value);
    found
}

/// A negative number without its sign; `None` for all else, and for the least number of a type.
fn without_sign(value: &Value) -> Option<Value> {
    match value {
        Value::Byte(number) => number.checked_abs().map(Value::Byte),
        Value::Short(number) => number.checked_abs().map(Value::Short),
        Value::Int(number) => number.checked_abs().map(Value::Int),
        Value::Long(number) => number.checked_abs().map(Value::Long),
        Value::Float(number) => Some(Value::Float(number.abs())),
        Value::Double(number) => Some(Value::Double(number.abs())),
        Value::Boolean(_) | Value::Char(_) | Value::String(_) => None,
    }
    .filter(|unsigned| unsigned != value)
}

/// Values to try in the place of one, the most natural first.
pub(super) fn candidates(value: &Value, ordinal: usize) -> Vec<Value> {
    let small = 1 + ordinal as i64 % SMALL;
    match value {
        Value::Boolean(_) => Vec::new(),
        Value::Char(_) => {
            let letter = u16::from(b'a') + (ordinal % 26) as u16;
            [letter, 0x41, 0x30, 0x20].into_iter().map(Value::Char).collect()
        }
        Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) => {
            let (Some(of), Some(number)) = (value.primitive_type(), value.as_integer()) else {
                return Vec::new();
            };
            let sign = if number < 0 { -1 } else { 1 };
            // Narrowing must not make another number of it.
            let fitting = |&number: &i64| Value::from_integer(of, number).as_integer() == Some(number);
            let numbers = [sign * small, sign * 10, sign * 100, 0, -sign].into_iter();
            numbers.filter(fitting).map(|number| Value::from_integer(of, number)).collect()
        }
        Value::Float(number) => fractions(f64::from(*number), small)
            .into_iter()
            .map(|number| Value::Float(number as f32))
            .collect(),
        Value::Double(number) => fractions(*number, small).into_iter().map(Value::Double).collect(),
        Value::String(_) => vec![word(ordinal), Value::String("abc".into()), Value::String("".into())],
    }
}

fn word(ordinal: usize) -> Value {
    let letter = char::from(b'a' + (ordinal % 26) as u8);
    Value::String(letter.to_string().as_str().into())
}

/// The number with fewer and fewer digits that are not zero, fewest first.
fn rounded(number: i64) -> Vec<i64> {
    let mut found = Vec::new();
    let mut step: i64 = 10;
    while step <= number.unsigned_abs().min(i64::MAX as u64) as i64 {
        found.push(number / step * step);
        match step.checked_mul(10) {
            Some(next) => step = next,
            None => break,
        }
    }
    found.reverse();
    found
}

fn fractions(number: f64, small: i64) -> Vec<f64> {
    let sign = if number.is_sign_negative() { -1.0 } else { 1.0 };
    let small = small as f64;
    let mut found = vec![sign * small, sign * (small - 0.5), sign * 10.0, sign * 100.0, 0.0, -sign];
    if number.is_finite() {
        found.push(number.trunc());
        for digits in 0..4_usize {
            // Rust prints the nearest decimal of that many digits, and reads it back exactly.
            found.extend(format!("{number:.digits$e}").parse::<f64>().ok());
        }
    }
    found.retain(|found| found.to_bits() != number.to_bits());
    found
}

fn is_round(number: i64) -> bool {
    let mut rest = number.unsigned_abs();
    while rest >= 10 && rest.is_multiple_of(10) {
        rest /= 10;
    }
    rest < 10
}

/// The limits of a type: written as constants.
fn is_limit(value: &Value) -> bool {
    match value {
        Value::Byte(number) => matches!(*number, i8::MIN | i8::MAX),
        Value::Short(number) => matches!(*number, i16::MIN | i16::MAX),
        Value::Int(number) => matches!(*number, i32::MIN | i32::MAX),
        Value::Long(number) => matches!(*number, i64::MIN | i64::MAX),
        Value::Boolean(_) | Value::Char(_) | Value::Float(_) | Value::Double(_) | Value::String(_) => false,
    }
}

/// Whole numbers as for integers, and few digits behind the point.
fn is_natural_fraction(number: f64) -> bool {
    let is_small = number.abs() <= SMALL as f64;
    match number == number.trunc() {
        _ if !number.is_finite() => true,
        true => is_small || is_round(number as i64),
        false => is_small && format!("{}", number.abs()).len() <= 4,
    }
}

fn value_at(test: &TestCase, position: usize) -> Option<&Value> {
    let Statement::Primitive { value, .. } = test.statements().get(position)? else { return None };
    Some(value)
}

/// Whether a text looks as if a person had written it: words in lower or upper case or with a capital, numbers, and one kind
/// of punctuation, never twice in a row.
fn is_readable(units: &[u16]) -> bool {
    let mut marks: Vec<u16> = units.iter().copied().filter(|&unit| !is_alphanumeric(unit)).collect();
    marks.retain(|&unit| unit != u16::from(b' '));
    marks.sort_unstable();
    marks.dedup();
    let is_word = |word: &[u16]| {
        let characters: Vec<char> = word.iter().filter_map(|&unit| char::from_u32(u32::from(unit))).collect();
        let is_all = |is: fn(&char) -> bool| characters.iter().all(is);
        let is_capitalized = characters.first().is_some_and(char::is_ascii_alphabetic)
            && characters.iter().skip(1).all(char::is_ascii_lowercase);
        is_all(char::is_ascii_digit) || is_all(char::is_ascii_uppercase) || is_capitalized
    };
    let is_doubled =
        |pair: &[u16]| pair[0] == pair[1] && !is_alphanumeric(pair[0]) && pair[0] != u16::from(b' ');
    units.iter().all(|&unit| is_plain(unit))
        && marks.len() <= 1
        && !units.windows(2).any(is_doubled)
        && units.split(|&unit| !is_alphanumeric(unit)).filter(|word| !word.is_empty()).all(is_word)
}

fn is_alphanumeric(unit: u16) -> bool {
    char::from_u32(u32::from(unit)).is_some_and(|character| character.is_ascii_alphanumeric())
}

fn is_digit(unit: u16) -> bool {
    (u16::from(b'0')..=u16::from(b'9')).contains(&unit)
}

fn is_lowercase(unit: u16) -> bool {
    (u16::from(b'a')..=u16::from(b'z')).contains(&unit)
}

/// ASCII that is printed as it is and needs no escape.
pub(super) fn is_plain(unit: u16) -> bool {
    (0x20..0x7f).contains(&unit) && unit != u16::from(b'"') && unit != u16::from(b'\\')
}

fn string(units: &[u16]) -> Value {
    Value::String(JavaString::new(units))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_of_one_kind_become_different_small_values() {
        assert_eq!(candidates(&Value::Int(123_456), 0)[0], Value::Int(1));
        assert_eq!(candidates(&Value::Int(-123_456), 1)[0], Value::Int(-2));
        assert_eq!(candidates(&Value::String("?!".into()), 1)[0], Value::String("b".into()));
        assert_eq!(candidates(&Value::Double(0.123_456), 2)[0], Value::Double(3.0));
    }

    #[test]
    fn of_values_that_a_person_might_have_written_only_the_sign_goes() {
        let builder = testcase::cluster::testing::ClusterBuilder::new("p/Foo");
        builder.class_under_test();
        let cluster = builder.build();
        assert_eq!(plainer(&cluster, &Value::Int(-4), 0), [Value::Int(4)]);
        assert_eq!(plainer(&cluster, &Value::Int(4), 0), []);
        assert_eq!(plainer(&cluster, &Value::Int(-1_234), 2)[0], Value::Int(-3), "1,234 is no better");
    }

    #[test]
    fn negative_numbers_lose_their_sign_where_there_is_a_number_without() {
        for (value, expect) in [
            (Value::Int(-7), Some(Value::Int(7))),
            (Value::Int(7), None),
            (Value::Byte(i8::MIN), None),
            (Value::Long(-1), Some(Value::Long(1))),
            (Value::Double(-2.5), Some(Value::Double(2.5))),
            (Value::Float(-0.0), Some(Value::Float(0.0))),
            (Value::Double(f64::INFINITY), None),
            (Value::Char(65), None),
        ] {
            assert_eq!(without_sign(&value), expect, "{value:?}");
        }
    }

    #[test]
    fn readable_texts_are_words_and_numbers_with_one_kind_of_punctuation() {
        for text in ["", "a", "abc", "Foo bar", "YES", "12", "-q", "a,b,c", "2024-01-01"] {
            assert!(is_readable(JavaString::from(text).units()), "{text}");
        }
        for text in ["n[0&|W", "yLL", "a1b2", "\u{7}", "\"a\"", "]]", "R]]"] {
            assert!(!is_readable(JavaString::from(text).units()), "{text}");
        }
    }

    #[test]
    fn odd_characters_become_letters_the_same_for_the_same() {
        let input = |value| Statement::Primitive { value, boxed: false };
        let text = |text: &str| Value::String(text.into());
        let builder = testcase::cluster::testing::ClusterBuilder::new("p/Foo");
        builder.class_under_test();
        let mut cluster = builder.build();
        cluster.constants.class_under_test = vec![Value::Char(u16::from(b';')), text("a#b")];
        let test = |values: [Value; 5]| TestCase::new(values.map(input).to_vec());
        let values = |texts: [&str; 2], characters: [u16; 2]| {
            let [one, other] = characters.map(Value::Char);
            test([text(texts[0]), text(texts[1]), one, other, text("a#b")])
        };
        let odd = values(["]]US;", "S"], [u16::from(b']'), 0]);
        let all = values(["ccdef", "e"], [u16::from(b'c'), u16::from(b'g')]);
        let but_of_code = values(["ccde;", "e"], [u16::from(b'c'), u16::from(b'f')]);
        assert_eq!(spelled(&cluster, &odd), [all.clone(), but_of_code]);
        assert_eq!(spelled(&cluster, &all), Vec::<TestCase>::new());
    }

    #[test]
    fn numbers_with_a_point_are_natural_as_whole_ones_are() {
        for (number, expect) in [
            (2.0, true),
            (0.25, true),
            (-2.5, true),
            (100.0, true),
            (126.0, false),
            (7434.0, false),
            (0.1234, false),
        ] {
            assert_eq!(is_natural_fraction(number), expect, "{number}");
        }
    }

    #[test]
    fn candidates_never_leave_the_range_of_the_type() {
        for candidate in candidates(&Value::Byte(-77), 0) {
            assert!(matches!(candidate, Value::Byte(-100..=10)), "{candidate:?}");
        }
    }

    #[test]
    fn numbers_lose_digits_from_the_right() {
        assert_eq!(rounded(87_342), [80_000, 87_000, 87_300, 87_340]);
        assert_eq!(rounded(i64::MIN)[0], -9_000_000_000_000_000_000);
        assert!(is_round(700) && is_round(-5000) && !is_round(120));
    }
}
