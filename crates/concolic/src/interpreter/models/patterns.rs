//! `java.util.regex.Pattern` and `Matcher` (documentation of JDK 17). Whether something matches is known of each text; what a group has
//! is asked for, and its place in the text is held at what it is.

use bytecode::predicate::MatchMode;

use crate::interpreter::heap::{Content, Matching, Text};
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::models::table::Row;
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, MethodName, ObjectId, Outcome, Slot, Why};
use crate::term::pattern::Expression;
use crate::term::{Operator, Value};

type Result<T> = std::result::Result<T, Abrupt>;

/// The rows of `Pattern`.
pub(super) const PATTERN: &[Row] = &[
    ("compile", "(Ljava/lang/String;)Ljava/util/regex/Pattern;", compile),
    ("compile", "(Ljava/lang/String;I)Ljava/util/regex/Pattern;", compile),
    ("matcher", "(Ljava/lang/CharSequence;)Ljava/util/regex/Matcher;", matcher),
    ("matches", "(Ljava/lang/String;Ljava/lang/CharSequence;)Z", |it, slots| whole(it, slots[1], slots[0])),
    ("pattern", "()Ljava/lang/String;", expression),
    ("toString", "()Ljava/lang/String;", expression),
];

/// The rows of `Matcher`.
pub(super) const MATCHER: &[Row] = &[
    ("matches", "()Z", |it, slots| searched(it, slots, MatchMode::Whole)),
    ("lookingAt", "()Z", |it, slots| searched(it, slots, MatchMode::Start)),
    ("find", "()Z", |it, slots| searched(it, slots, MatchMode::Part)),
    ("group", "()Ljava/lang/String;", |it, slots| group(it, slots, "()Ljava/lang/String;")),
    ("group", "(I)Ljava/lang/String;", |it, slots| group(it, slots, "(I)Ljava/lang/String;")),
    ("group", "(Ljava/lang/String;)Ljava/lang/String;", |it, slots| {
        group(it, slots, "(Ljava/lang/String;)Ljava/lang/String;")
    }),
    ("start", "()I", |it, slots| looked_at(it, slots, "start", "()I")),
    ("start", "(I)I", |it, slots| looked_at(it, slots, "start", "(I)I")),
    ("end", "()I", |it, slots| looked_at(it, slots, "end", "()I")),
    ("end", "(I)I", |it, slots| looked_at(it, slots, "end", "(I)I")),
    ("groupCount", "()I", |it, slots| looked_at(it, slots, "groupCount", "()I")),
    ("hitEnd", "()Z", |it, slots| looked_at(it, slots, "hitEnd", "()Z")),
    ("reset", "()Ljava/util/regex/Matcher;", |it, slots| {
        let Some((object, matching)) = matching(it, slots[0])? else { return Ok(Modelled::Declined) };
        it.heap.get_mut(object).content = Content::Matcher(Matching { is_fresh: true, ..matching });
        Ok(Modelled::Value(slots[0]))
    }),
];

/// Whether a whole text is matched. The expression is held at what it is; one without automata is not modelled.
pub(super) fn whole(it: &mut Interpreter<'_>, text: Slot, expression: Slot) -> Result<Modelled> {
    let (Some(expression), Some(text)) = (it.text(expression)?, it.text(text)?) else {
        return Ok(Modelled::Declined);
    };
    let Some(result) = matches(it, &text, &Expression::whole(&expression.units()))? else {
        return Ok(Modelled::Declined);
    };
    it.pin(&expression);
    it.returned(&result)
}

/// Whether a text has a match; `None` if the expression has no automata.
fn matches(it: &mut Interpreter<'_>, text: &Known, expression: &Expression) -> Result<Option<Known>> {
    let constant = it.terms.constant(&text.value);
    let Ok(folded) = it.terms.matches(constant, expression) else { return Ok(None) };
    let value = it.terms.constant_value(folded).ok_or(Why::Malformed)?;
    let term = text.term.and_then(|term| it.terms.matches(term, expression).ok());
    let term = term.filter(|&term| it.terms.constant_value(term).is_none());
    Ok(Some(Known { value, term }))
}

/// An expression that its class refuses, or that has no automata, is the platform's. The platform's own code makes its own.
fn compile(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let flags = slots.get(1).map_or(Ok(Known::int(0)), |&flags| Interpreter::known(flags))?;
    let expression = Expression { flags: flags.value.signed() as i32, ..Expression::whole(&text.units()) };
    let empty = it.terms.text("");
    if it.is_in_platform() || it.terms.matches(empty, &expression).is_err() {
        return Ok(Modelled::Declined);
    }
    it.pin(&text);
    it.pin(&flags);
    Ok(Modelled::Value(Slot::reference(it.heap.pattern(expression))))
}

fn pattern_of(it: &mut Interpreter<'_>, slot: Slot) -> Result<Option<Expression>> {
    let object = it.object(slot)?;
    let content = &it.heap.get(object).content;
    Ok(if let Content::Pattern(expression) = content { Some(expression.clone()) } else { None })
}

fn expression(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    match pattern_of(it, slots[0])? {
        Some(expression) => it.returned(&Known::of(Value::Text(expression.units))),
        None => Ok(Modelled::Declined),
    }
}

/// Of a builder, whose text may change, nothing is known.
fn matcher(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(expression) = pattern_of(it, slots[0])? else { return Ok(Modelled::Declined) };
    let object = it.object(slots[1])?;
    let Some(text) = it.heap.text_of(object).filter(|text| text.term.is_some()).cloned() else {
        return Ok(Modelled::Declined);
    };
    let matching = Matching { expression, text, is_fresh: true };
    Ok(Modelled::Value(Slot::reference(it.heap.matcher(matching))))
}

fn matching(it: &mut Interpreter<'_>, slot: Slot) -> Result<Option<(ObjectId, Matching)>> {
    let object = it.object(slot)?;
    let content = &it.heap.get(object).content;
    Ok(if let Content::Matcher(matching) = content { Some((object, matching.clone())) } else { None })
}

/// `matches`, `lookingAt`, and `find` where nothing was sought before.
fn searched(it: &mut Interpreter<'_>, slots: &[Slot], extent: MatchMode) -> Result<Modelled> {
    let Some((object, matching)) = matching(it, slots[0])? else { return Ok(Modelled::Declined) };
    it.heap.get_mut(object).content = Content::Matcher(Matching { is_fresh: false, ..matching.clone() });
    let name = match extent {
        MatchMode::Whole => "matches",
        MatchMode::Start => "lookingAt",
        MatchMode::Part if matching.is_fresh => "find",
        MatchMode::Part => return looked_at(it, slots, "find", "()Z"),
    };
    let Matching { expression, text, .. } = matching;
    let text = Known { value: Value::Text(text.units), term: text.term };
    let Some(result) = matches(it, &text, &Expression { extent, ..expression })? else {
        return looked_at(it, slots, name, "()Z");
    };
    let modelled = it.returned(&result)?;
    let Modelled::Value(slot) = modelled else { return Ok(Modelled::Declined) };
    // The version of Unicode may be another one, and flags may stand in the expression.
    if it.outside.agrees(&Outcome::Returned(Some(slot)), it.frames.is_empty(), &it.heap) {
        Ok(modelled)
    } else {
        looked_at(it, slots, name, "()Z")
    }
}

/// Asks for what a method gives that leaves expression and text of the matcher as they are.
fn looked_at(it: &mut Interpreter<'_>, slots: &[Slot], name: &str, descriptor: &str) -> Result<Modelled> {
    let object = it.object(slots[0])?;
    let before = it.heap.get(object).content.clone();
    let method = MethodName {
        class: bytecode::name::ClassName::new("java/util/regex/Matcher"),
        name: name.into(),
        descriptor: descriptor.into(),
    };
    let result = it.ask(&method, slots)?;
    it.heap.get_mut(object).content = before;
    Ok(result.map_or(Modelled::Nothing, Modelled::Value))
}

/// What a group has is a part of the text, if there is only one place for it.
fn group(it: &mut Interpreter<'_>, slots: &[Slot], descriptor: &str) -> Result<Modelled> {
    let Some((_, matching)) = matching(it, slots[0])? else { return Ok(Modelled::Declined) };
    let modelled = looked_at(it, slots, "group", descriptor)?;
    let Modelled::Value(Slot { concrete: Concrete::Reference(object), .. }) = modelled else {
        return Ok(modelled);
    };
    let Some(part) = it.heap.text_of(object).map(|text| text.units.clone()) else { return Ok(modelled) };
    let Text { units, term } = matching.text;
    let mut places = units.windows(part.len().max(1)).enumerate().filter(|(_, window)| **window == *part);
    let (Some((place, _)), None) = (places.next(), places.next()) else { return Ok(modelled) };
    let text = Known { value: Value::Text(units.clone()), term };
    let (begin, end) = (place as i32, (place + part.len()) as i32);
    let is_all = part.len() == units.len();
    let part = it.compute(Operator::Substring, &[&text, &Known::int(begin), &Known::int(end)]);
    it.returned(if is_all { &text } else { &part })
}
