//! Reduces a test to the statements that its goals need.

use std::collections::BTreeSet;

use bytecode::descriptor::PrimitiveType;
use coverage::goal::GoalId;
use testcase::assertion::ObservedValue;
use testcase::cluster::{CallableId, CallableKind, Generator, TestCluster, TypeId};
use testcase::execution::Thrown;
use testcase::statement::{Arguments, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::{JavaString, Value};

use super::results::result_at;
use super::runner::{Candidate, Runner};
use super::scripts::{reduce_script, without_repetition};
use super::stand_ins::stand_ins;
use super::values::is_plain;

/// Passes over a test; what one removes may free what an earlier one could not.
const PASSES: usize = 4;
/// From here on a number says nothing to a reader; a text that is longer neither.
const ODD_NUMBER: u64 = 10_000;
const LONGEST_TEXT: usize = 12;
/// Variables tried in the place of another.
pub(super) const REPLACEMENTS: usize = 2;

/// Reduces a test to what it needs for the goals `required`.
pub(super) fn reduce(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    start: Candidate,
    required: &[GoalId],
) -> Candidate {
    runner.is_long = start.is_long;
    let mut best = shortest_prefix(runner, start, required);
    if let Some(sliced) = sliced(&best.test)
        && let Some(accepted) = runner.accept(sliced, required, best.ending)
    {
        best = accepted;
    }
    for _ in 0..PASSES {
        let length = best.test.len();
        best = pass(runner, cluster, best, required);
        if best.test.len() == length || runner.stopped {
            break;
        }
    }
    best
}

/// Cuts what stands behind the last useful statement. A longer prefix covers no less, so the cut is found by
/// bisection.
fn shortest_prefix(runner: &mut Runner<'_>, start: Candidate, required: &[GoalId]) -> Candidate {
    let mut best = start;
    let (mut fails, mut holds) = (0, best.test.len());
    while holds - fails > 1 {
        let length = usize::midpoint(fails, holds);
        let mut prefix = best.test.clone();
        prefix.truncate(length);
        match runner.accept(prefix, required, best.ending) {
            Some(shorter) => {
                best = shorter;
                holds = best.test.len().min(length);
            }
            None => fails = length,
        }
    }
    best
}

/// The last statement with those that it uses, directly or not: what many goals need, found in one run. It is a backward slice (Weiser 1981),
/// but leaves out what other calls do to the same objects. `None` where that is all of the test.
fn sliced(test: &TestCase) -> Option<TestCase> {
    let mut is_needed = vec![false; test.len()];
    *is_needed.last_mut()? = true;
    for position in (0..test.len()).rev() {
        if is_needed[position] {
            test.statement(VarRef::from(position)).for_each_use(|used| is_needed[used.index()] = true);
        }
    }
    if is_needed.iter().all(|is_needed| *is_needed) {
        return None;
    }
    let mut sliced = test.clone();
    for position in (0..test.len()).rev().filter(|&position| !is_needed[position]) {
        sliced.remove(position);
    }
    Some(sliced)
}

/// One pass from the last statement to the first.
fn pass(runner: &mut Runner<'_>, cluster: &TestCluster, start: Candidate, required: &[GoalId]) -> Candidate {
    let mut best = start;
    let tidy = without_idle(cluster, &best.test, &mut best.thrown.clone());
    if tidy != best.test
        && let Some(accepted) = runner.accept(tidy, required, best.ending)
    {
        best = accepted;
    }
    let mut position = best.test.len();
    while position > 0 && !runner.stopped {
        position -= 1;
        if position >= best.test.len() {
            continue;
        }
        let accepted = changes(cluster, &best.test, position)
            .into_iter()
            .find_map(|changed| runner.accept(changed, required, best.ending))
            .or_else(|| {
                let changed = as_observed(runner, cluster, &best.test, position)?;
                runner.accept(changed, required, best.ending)
            });
        if let Some(accepted) = accepted {
            best = accepted;
        }
        best = reduce_script(runner, cluster, best, position, required);
    }
    best
}

/// Ways to do without a statement, boldest first: leave it and all that needs it out; let an earlier variable stand
/// in, or a literal; make the object in a simpler way, or of numbers where it holds the present or chance, or the project gave it; let one
/// of the JDK stand in for a stream or collection that the test implements, and an array of its own for one that it did not make.
fn changes(cluster: &TestCluster, test: &TestCase, position: usize) -> Vec<TestCase> {
    let variable = VarRef::from(position);
    if is_input(test.statement(variable)) {
        return Vec::new(); // goes with what uses it
    }
    let mut changed: Vec<TestCase> = without(test, position).into_iter().collect();
    if test.is_used(variable) {
        changed.extend(replaced(cluster, test, variable));
        changed.extend(literal(cluster, test, variable));
        changed.extend(simpler(cluster, test, variable));
        changed.extend(stand_ins(cluster, test, variable));
    }
    changed
}

/// Statements that only provide a value: they do nothing and can always be left out when nobody uses them.
pub(super) fn is_input(statement: &Statement) -> bool {
    match statement {
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. } => true,
        Statement::Array { .. }
        | Statement::Constructor { .. }
        | Statement::Method { .. }
        | Statement::FieldRead { .. }
        | Statement::FieldWrite { .. }
        | Statement::ArrayWrite { .. }
        | Statement::Stub { .. } => false,
    }
}

/// The test without a statement, without those that use it, directly or not, and without inputs left unused; `None`
/// when nothing would be left.
pub(super) fn without(test: &TestCase, position: usize) -> Option<TestCase> {
    let mut gone = BTreeSet::from([position]);
    for (later, statement) in test.statements().iter().enumerate().skip(position + 1) {
        let mut uses = false;
        statement.for_each_use(|used| uses |= gone.contains(&used.index()));
        if uses {
            gone.insert(later);
        }
    }
    let mut left = test.clone();
    for &position in gone.iter().rev() {
        left.remove(position);
    }
    let left = without_unused(&left).unwrap_or(left);
    (!left.is_empty()).then_some(left)
}

/// The test without inputs that nobody uses; `None` when there are none.
pub(super) fn without_unused(test: &TestCase) -> Option<TestCase> {
    let is_meant =
        |statement: &Statement| is_input(statement) || matches!(statement, Statement::Array { .. });
    let tidy = without_all(test, &mut None, &is_meant);
    (tidy.len() < test.len()).then_some(tidy)
}

/// The test with another statement in the place of one, without inputs that nobody uses any more.
pub(super) fn with(test: &TestCase, variable: VarRef, statement: Statement) -> TestCase {
    let mut changed = test.clone();
    changed.statements_mut()[variable.index()] = statement;
    without_unused(&changed).unwrap_or(changed)
}

/// The test without what does nothing that anybody could see: inputs, stubs and plain objects of the platform that nobody uses, and answers that say again what was said. It needs
/// no run: the statement that throws, should there be one, stays, and `thrown` is told where it stands then.
pub(super) fn without_idle(cluster: &TestCluster, test: &TestCase, thrown: &mut Option<Thrown>) -> TestCase {
    without_all(&without_repetition(cluster, test), thrown, &|statement| is_idle(cluster, statement))
}

/// The test without those of these statements that nobody uses. A test that is nothing but one stays one: its last statement may be what
/// throws.
fn without_all(
    test: &TestCase,
    thrown: &mut Option<Thrown>,
    is_meant: &dyn Fn(&Statement) -> bool,
) -> TestCase {
    let mut tidy = test.clone();
    for position in (0..test.len()).rev() {
        let variable = VarRef::from(position);
        let throws = thrown.as_ref().is_some_and(|thrown| thrown.position == position);
        if is_meant(tidy.statement(variable)) && !tidy.is_used(variable) && !throws && tidy.len() > 1 {
            tidy.remove(position);
            if let Some(thrown) = thrown.as_mut().filter(|thrown| thrown.position > position) {
                thrown.position -= 1;
            }
        }
    }
    tidy
}

/// Whether a statement only makes something, which nobody would miss.
fn is_idle(cluster: &TestCluster, statement: &Statement) -> bool {
    const PLAIN: [&str; 3] = ["java/lang/", "java/util/", "java/math/"];
    const BUSY: [&str; 4] = ["java/lang/Thread", "java/lang/Process", "java/util/Timer", "java/util/Scanner"];
    match statement {
        Statement::Array { .. } => true,
        Statement::Stub { stub, .. } => cluster.stub(*stub).constructor().is_none(),
        Statement::Constructor { callable, .. } => {
            let made = cluster.callable(*callable).declared_in.as_str();
            let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| made.starts_with(prefix));
            begins(&PLAIN) && !begins(&BUSY)
        }
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::Method { .. }
        | Statement::FieldRead { .. }
        | Statement::FieldWrite { .. }
        | Statement::ArrayWrite { .. } => is_input(statement),
    }
}

/// The test with an earlier variable of a type that fits in the place of this one, nearest first; no array takes the place of one of
/// its elements.
fn replaced(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<TestCase> {
    let Some(wanted) = test.variable_type(cluster, variable) else {
        return Vec::new();
    };
    let fits = |&earlier: &usize| {
        let statement = test.statement(VarRef::from(earlier));
        let holds = |one: &Statement| {
            matches!(one, Statement::ArrayWrite { array, value, .. }
                if array.index() == earlier && *value == variable)
        };
        !matches!(statement, Statement::Null { .. })
            && !test.statements().iter().any(holds)
            && cluster.type_of(statement).is_some_and(|of| cluster.is_assignable(of, wanted))
    };
    (0..variable.index())
        .rev()
        .filter(fits)
        .take(REPLACEMENTS)
        .map(|earlier| {
            let mut changed = test.clone();
            for statement in &mut changed.statements_mut()[variable.index() + 1..] {
                statement.for_each_use_mut(|used| {
                    if *used == variable {
                        *used = VarRef::from(earlier);
                    }
                });
            }
            changed.remove(variable.index());
            without_unused(&changed).unwrap_or(changed)
        })
        .collect()
}

/// The test with a literal in the place of a text or number that a call gives: `"a"`, 1, zero or `null`. A reader would look for a reason why
/// `map.put("b", "c")` or `account.hashCode()` is what is passed.
pub(crate) fn literal(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<TestCase> {
    let Some(of) = test.statement(variable).callable().and(test.variable_type(cluster, variable)) else {
        return Vec::new();
    };
    let is_primitive = of.as_primitive().is_some();
    let (some, zero) = match of.as_primitive().or_else(|| of.as_boxed()) {
        Some(PrimitiveType::Boolean | PrimitiveType::Float | PrimitiveType::Double) => (None, None),
        Some(PrimitiveType::Char) => (Some(Value::Char(u16::from(b'a'))), None),
        Some(
            integer @ (PrimitiveType::Byte | PrimitiveType::Short | PrimitiveType::Int | PrimitiveType::Long),
        ) => (Some(Value::from_integer(integer, 1)), is_primitive.then(|| Value::from_integer(integer, 0))),
        None if of == TypeId::STRING => (Some(Value::String(JavaString::from("a"))), None),
        None => return Vec::new(),
    };
    let boxed = of.as_boxed().is_some();
    let values = some.into_iter().chain(zero).map(|value| Statement::Primitive { value, boxed });
    let literals = values.chain((!is_primitive).then_some(Statement::Null { of }));
    literals.map(|literal| with(test, variable, literal)).collect()
}

/// The test with what a call gave as a literal in its place, where a person would write it: `printUsage(3)` says what
/// `printUsage(formatter.getDescPadding())` does not.
fn as_observed(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    test: &TestCase,
    position: usize,
) -> Option<TestCase> {
    let variable = VarRef::from(position);
    if !test.is_used(variable) || literal(cluster, test, variable).is_empty() {
        return None;
    }
    let of = test.variable_type(cluster, variable)?;
    let observed = runner.observe(test, &[result_at(position)]).into_iter().next().flatten()?;
    let (ObservedValue::Primitive(value) | ObservedValue::Boxed(value)) = observed else { return None };
    let value = match (of.as_primitive().or_else(|| of.as_boxed()), &value) {
        (Some(integer), _) => {
            let number = value.as_integer().filter(|number| number.unsigned_abs() < ODD_NUMBER)?;
            Value::from_integer(integer, number)
        }
        (None, Value::String(text))
            if text.len() <= LONGEST_TEXT && text.units().iter().copied().all(is_plain) =>
        {
            value
        }
        (None, _) => return None,
    };
    Some(with(test, variable, Statement::Primitive { value, boxed: of.as_boxed().is_some() }))
}

/// The test with the variable made by a constructor or factory without parameters.
pub(super) fn simpler(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<TestCase> {
    let statement = test.statement(variable);
    let mut needs_something = false;
    statement.for_each_use(|_| needs_something = true);
    let Some(of) = cluster.type_of(statement).filter(|_| needs_something) else {
        return Vec::new();
    };
    plain_generators(cluster, of).take(REPLACEMENTS).map(|made| with(test, variable, made)).collect()
}

/// Statements that make a value of a type from nothing, and do not ask for the present or for chance, in the order of the cluster's
/// generators.
pub(super) fn plain_generators(cluster: &TestCluster, of: TypeId) -> impl Iterator<Item = Statement> + '_ {
    cluster.generators(of).iter().filter_map(|generator| {
        let Generator::Callable(id) = *generator else {
            return None;
        };
        let callable = cluster.callable(id);
        if !callable.parameters.is_empty() || cluster.is_fleeting(*generator) {
            return None;
        }
        made_by(cluster, id, Arguments::new())
    })
}

/// The call of a constructor or static method; `None` for what needs an object.
pub(super) fn made_by(
    cluster: &TestCluster,
    callable: CallableId,
    arguments: Arguments,
) -> Option<Statement> {
    match cluster.callable(callable).kind {
        CallableKind::Constructor => Some(Statement::Constructor { callable, arguments }),
        CallableKind::StaticMethod => Some(Statement::Method { callable, receiver: None, arguments }),
        CallableKind::InstanceMethod => None,
    }
}

#[cfg(test)]
mod tests {
    use bytecode::signature::GenericType;
    use testcase::cluster::testing::{ClusterBuilder, taking_objects};
    use testcase::execution::ThrowOrigin;

    use super::*;

    #[test]
    fn a_slice_has_what_the_last_statement_uses() {
        let mut builder = ClusterBuilder::new("p/Pipe");
        let pipe = builder.class_under_test();
        let (new, join) =
            (builder.constructor(pipe, &[]), builder.method(pipe, "join", &[pipe, pipe], Some(pipe)));
        let new = Statement::Constructor { callable: new, arguments: Arguments::new() };
        let call = |receiver: usize, arguments: [usize; 2]| Statement::Method {
            callable: join,
            receiver: Some(VarRef::from(receiver)),
            arguments: arguments.into_iter().map(VarRef::from).collect(),
        };
        // The first call is for the last one, the second is for nothing.
        let begin = [new.clone(), new.clone(), new.clone(), call(0, [0, 2]), call(0, [1, 1])];
        let test = TestCase::new([&begin[..], &[call(3, [2, 2])]].concat());
        let expect = TestCase::new(vec![new.clone(), new, call(0, [0, 1]), call(2, [1, 1])]);
        assert_eq!(sliced(&test), Some(expect.clone()));
        assert_eq!(sliced(&expect), None);
    }

    #[test]
    fn what_a_call_gives_gives_way_to_a_literal() {
        let mut builder = ClusterBuilder::new("p/Account");
        let account = builder.class_under_test();
        let (int, long) = (TypeId::primitive(PrimitiveType::Int), TypeId::boxed(PrimitiveType::Long));
        let double = TypeId::primitive(PrimitiveType::Double);
        let calls = [int, long, TypeId::STRING, double].map(|of| {
            [builder.method(account, "get", &[], Some(of)), builder.method(account, "set", &[of], None)]
        });
        let new = builder.constructor(account, &[]);
        let cluster = builder.build();
        let value = |value, boxed| Statement::Primitive { value, boxed };
        let expect = [
            vec![value(Value::Int(1), false), value(Value::Int(0), false)],
            vec![value(Value::Long(1), true), Statement::Null { of: long }],
            vec![value(Value::String("a".into()), false), Statement::Null { of: TypeId::STRING }],
            Vec::new(),
        ];
        let call = |callable, arguments: &[usize]| Statement::Method {
            callable,
            receiver: Some(VarRef(0)),
            arguments: arguments.iter().copied().map(VarRef::from).collect(),
        };
        for ([get, set], expect) in calls.into_iter().zip(expect) {
            let made = Statement::Constructor { callable: new, arguments: Arguments::new() };
            let test = TestCase::new(vec![made, call(get, &[]), call(set, &[1])]);
            let changed = literal(&cluster, &test, VarRef(1));
            let instead = changed.iter().map(|test| test.statement(VarRef(1)).clone());
            assert_eq!(instead.collect::<Vec<_>>(), expect);
        }
    }

    #[test]
    fn what_does_nothing_goes_without_a_run_and_what_throws_stays() {
        let mut builder = ClusterBuilder::new("p/Pipe");
        let pipe = builder.class_under_test();
        let made = |builder: &mut ClusterBuilder, class: &str| {
            let class = builder.class(class);
            builder.constructor(class, &[])
        };
        let [list, thread] =
            ["java/util/ArrayList", "java/lang/Thread"].map(|class| made(&mut builder, class));
        let own = builder.constructor(pipe, &[]);
        let cluster = builder.build();
        let new = |callable| Statement::Constructor { callable, arguments: Arguments::new() };
        let number = Statement::Primitive { value: Value::Int(1), boxed: false };
        let test = TestCase::new(vec![new(list), number, new(thread), new(own), new(list)]);
        let at = |position| Thrown { position, class: "p/Full".into(), origin: ThrowOrigin::Project };
        let mut thrown = Some(at(4));
        let tidy = without_idle(&cluster, &test, &mut thrown);
        assert_eq!((tidy, thrown), (TestCase::new(vec![new(thread), new(own), new(list)]), Some(at(2))));
        let tidy = without_idle(&cluster, &test, &mut None);
        assert_eq!(tidy, TestCase::new(vec![new(thread), new(own)]));
    }

    #[test]
    fn texts_and_numbers_that_calls_give_become_literals() {
        let mut builder = ClusterBuilder::new("p/Desk");
        let desk = builder.class_under_test();
        let int = builder.ty(GenericType::Primitive(PrimitiveType::Int));
        let text = builder.static_method(desk, "text", &[int], Some(TypeId::STRING));
        let take = builder.static_method(desk, "take", &[TypeId::STRING], Some(int));
        let cluster = builder.build();
        let call = |callable, argument: u16| Statement::Method {
            callable,
            receiver: None,
            arguments: [VarRef(argument)].into_iter().collect(),
        };
        let literal_of = |value| Statement::Primitive { value, boxed: false };
        let test = TestCase::new(vec![literal_of(Value::Int(7)), call(text, 0), call(take, 1)]);
        let taking = |literal| TestCase::new(vec![literal, call(take, 0)]);
        let shorter = taking(literal_of(Value::String("a".into())));
        let expect = [shorter.clone(), taking(Statement::Null { of: TypeId::STRING })];
        assert_eq!(literal(&cluster, &test, VarRef(1)), expect);
        assert_eq!(literal(&cluster, &shorter, VarRef(0)), []);
        // Nobody uses what the last call gives.
        assert!(!changes(&cluster, &test, 2).contains(&shorter));
    }

    #[test]
    fn no_array_takes_the_place_of_its_element() {
        let (cluster, objects, compute) = taking_objects();
        let array = |length| Statement::Array { of: objects, length };
        let write = |value: u16| Statement::ArrayWrite { array: VarRef(0), index: 0, value: VarRef(value) };
        let call = Statement::Method {
            callable: compute,
            receiver: None,
            arguments: [VarRef(0)].into_iter().collect(),
        };
        let test = TestCase::new(vec![array(2), array(1), write(1), call.clone()]);
        assert_eq!(replaced(&cluster, &test, VarRef(1)), []);
        let test = TestCase::new(vec![array(2), array(1), call]);
        assert_eq!(replaced(&cluster, &test, VarRef(1)).len(), 1);
    }
}
