//! Texts that say what they are: what `setCity` gets is a `"city"`.
//!
//! A word of the code before a letter, and another one for each property: with `"a"` for all of them a test would not show which of
//! them comes out where, and a reader would look up which is which.

use testcase::cluster::{Callable, CallableKind, TestCluster, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use crate::junit::naming::words::{behind_verb, decapitalized};

/// Fewest and most letters of a word that says what something is.
const LETTERS: std::ops::RangeInclusive<usize> = 3..=20;
/// Names of parameters that say no more than that there is one.
const EMPTY: [&str; 9] = ["arg", "object", "param", "parameter", "str", "string", "text", "val", "value"];
/// What setters begin with.
const SETTING: [&str; 2] = ["set", "with"];

/// The word for a text of a test, if it is passed once, to a setter, or to a constructor whose parameters have names.
pub(super) fn role(cluster: &TestCluster, test: &TestCase, position: usize) -> Option<Value> {
    let variable = VarRef::from(position);
    let Statement::Primitive { value: Value::String(_), boxed: false } = test.statement(variable) else {
        return None;
    };
    let mut uses = test.statements().iter().filter(|statement| statement.uses(variable));
    let (taking, None) = (uses.next()?, uses.next()) else { return None };
    let (Statement::Method { callable, arguments, .. } | Statement::Constructor { callable, arguments }) =
        taking
    else {
        return None;
    };
    let mut passed = arguments.iter().enumerate().filter(|(_, passed)| **passed == variable);
    let (Some((index, _)), None) = (passed.next(), passed.next()) else { return None };
    let callable = cluster.callable(*callable);
    let parameter = callable.parameters.get(index)?;
    let is_any_text = parameter.of == TypeId::STRING && parameter.hints.is_empty() && !parameter.is_path;
    let word = if is_any_text { word(callable, index)? } else { return None };
    Some(Value::String(word.as_str().into()))
}

/// Whether a text says what it is.
pub(crate) fn is_named(cluster: &TestCluster, test: &TestCase, position: usize) -> bool {
    let Statement::Primitive { value, .. } = test.statement(VarRef::from(position)) else { return false };
    role(cluster, test, position).as_ref() == Some(value)
}

/// The test with such words in the place of its texts; `None` where it has none. A text that is passed several times becomes one for
/// each.
pub(crate) fn named(cluster: &TestCluster, test: &TestCase) -> Option<TestCase> {
    let apart = apart(test);
    let mut changed = apart.clone();
    for position in 0..changed.len() {
        if let Some(word) = role(cluster, &changed, position)
            && let Statement::Primitive { value, .. } = &mut changed.statements_mut()[position]
        {
            *value = word;
        }
    }
    (changed != apart).then_some(changed)
}

/// The test with a text of its own for each place to which a call passes one.
fn apart(test: &TestCase) -> TestCase {
    let mut apart = test.clone();
    for position in (0..test.len()).rev() {
        let text = test.statement(VarRef::from(position));
        if !matches!(text, Statement::Primitive { value: Value::String(_), boxed: false }) {
            continue;
        }
        // From the last use on: what stands before stays where it is.
        let uses = (0..apart.len()).rev().flat_map(|user| {
            let used = apart.statement(VarRef::from(user)).used();
            let places = used.into_iter().enumerate().filter(|(_, used)| used.index() == position);
            places.map(|(place, _)| (user, place)).collect::<Vec<_>>().into_iter().rev()
        });
        let mut uses: Vec<(usize, usize)> = uses.collect();
        uses.pop();
        for (index, &(user, place)) in uses.iter().enumerate() {
            let moved = uses[..index].iter().filter(|(other, _)| *other == user).count();
            apart.insert(user, text.clone());
            apart.statements_mut()[user + 1 + moved].redirect(place, VarRef::from(user));
        }
    }
    apart
}

/// What a parameter is, by the name of its setter or its own.
fn word(callable: &Callable, index: usize) -> Option<String> {
    let word = match callable.kind {
        CallableKind::Constructor => callable.parameters.get(index)?.name.as_deref()?.to_owned(),
        CallableKind::InstanceMethod if callable.parameters.len() == 1 => {
            decapitalized(behind_verb(&callable.name, &SETTING)?)
        }
        CallableKind::InstanceMethod | CallableKind::StaticMethod => return None,
    };
    let says_something = word.chars().all(|letter| letter.is_ascii_alphabetic())
        && LETTERS.contains(&word.len())
        && !EMPTY.contains(&word.as_str());
    says_something.then_some(word)
}

#[cfg(test)]
mod tests {
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::statement::Arguments;

    use super::*;

    #[test]
    fn a_text_is_called_by_what_it_is_passed_for() {
        let mut builder = ClusterBuilder::new("Order");
        let (order, string) = (builder.class_under_test(), TypeId::STRING);
        let new = builder.constructor(order, &[string]);
        let whole = builder.constructor(order, &[string, string]);
        let city = builder.method(order, "setCity", &[string], None);
        let value = builder.method(order, "setValue", &[string], None);
        let settle = builder.method(order, "settle", &[string], None);
        let fluent = builder.method(order, "withZipCode", &[string], Some(order));
        let mut cluster = builder.build();
        cluster.callables[new.index()].parameters[0].name = Some("customer".into());
        cluster.callables[whole.index()].parameters[0].name = Some("customer".into());
        cluster.callables[whole.index()].parameters[1].name = Some("city".into());
        let text = |word: &str| Statement::Primitive { value: Value::String(word.into()), boxed: false };
        let passed = |of: usize| [VarRef::from(of)].into_iter().collect::<Arguments>();
        let call = |callable, argument: usize| Statement::Method {
            callable,
            receiver: Some(VarRef(1)),
            arguments: passed(argument),
        };
        let of = |words: [&str; 5]| {
            TestCase::new(vec![
                text(words[0]),
                Statement::Constructor { callable: new, arguments: passed(0) },
                text(words[1]),
                call(city, 2),
                text(words[2]),
                call(value, 4),
                text(words[3]),
                call(fluent, 6),
                text(words[4]),
                call(settle, 8),
            ])
        };
        let named_so = of(["customer", "city", "b", "zipCode", "d"]);
        assert_eq!(named(&cluster, &of(["/x", "a", "b", "c", "d"])), Some(named_so.clone()));
        assert_eq!(named(&cluster, &named_so), None);
        let is_so: Vec<usize> =
            (0..named_so.len()).filter(|&text| is_named(&cluster, &named_so, text)).collect();
        assert_eq!(is_so, [0, 2, 6]);
        // Words are no odd texts.
        let odd = |word: &str| of(["customer", "city", "b", word, "d/9"]);
        let spelled = |test: &TestCase| super::super::values::spelled(&cluster, test);
        assert_eq!(spelled(&odd("zipCode")), []);
        assert_ne!(spelled(&odd("zipSign")), []);
        // One text for two places, of one call or two.
        let twice = |city_at: usize, first: &str, second: Option<&str>| {
            let mut statements = vec![
                text(first),
                Statement::Constructor { callable: new, arguments: passed(0) },
                call(city, city_at),
            ];
            statements.splice(2..2, second.map(text));
            TestCase::new(statements)
        };
        assert_eq!(named(&cluster, &twice(0, "a", None)), Some(twice(2, "customer", Some("city"))));
        let both = |texts: &[&str], passed: [usize; 2]| {
            let mut statements: Vec<Statement> = texts.iter().copied().map(text).collect();
            let arguments = passed.into_iter().map(VarRef::from).collect();
            statements.push(Statement::Constructor { callable: whole, arguments });
            TestCase::new(statements)
        };
        let expect = both(&["customer", "city"], [0, 1]);
        assert_eq!(named(&cluster, &both(&["a"], [0, 0])), Some(expect));
    }
}
