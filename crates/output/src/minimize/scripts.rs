//! Reduces what the stubs of a test are told: fewer answers, and answers that need no variable.

use coverage::goal::GoalId;
use testcase::cluster::{Stub, StubId, StubMethod, TestCluster, TypeId};
use testcase::statement::{Answer, Answers, Script, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::results::{ResultKind, last_value};
use super::runner::{Candidate, Runner};
use super::statements::{is_input, without_unused};

/// Executions for one stub.
const ATTEMPTS: usize = 24;

/// Reduces the script of the stub at a position; of anything else nothing.
pub(super) fn reduce_script(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    start: Candidate,
    position: usize,
    required: &[GoalId],
) -> Candidate {
    let is_stub = |statement: &Statement| matches!(statement, Statement::Stub { .. });
    let Some(ordinal) =
        start.test.statements().get(position).filter(|it| is_stub(it)).map(|_| {
            start.test.statements()[..position].iter().filter(|statement| is_stub(statement)).count()
        })
    else {
        return start;
    };
    let mut best = start;
    let mut left = ATTEMPTS;
    loop {
        // What a shorter script no longer needs may have stood before it.
        let mut stubs = best.test.statements().iter().enumerate().filter(|(_, statement)| is_stub(statement));
        let Some((position, _)) = stubs.nth(ordinal) else {
            return best;
        };
        let mut accepted = None;
        for changed in shorter_scripts(cluster, &best.test, position) {
            if left == 0 || runner.stopped {
                return best;
            }
            left -= 1;
            accepted = runner.accept(changed, required, best.ending);
            if accepted.is_some() {
                break;
            }
        }
        match accepted {
            Some(shorter) => best = shorter,
            None => return best,
        }
    }
}

/// The test with simpler scripts of the stub at a position, boldest first; none where something else stands there.
pub(crate) fn shorter_scripts(cluster: &TestCluster, test: &TestCase, position: usize) -> Vec<TestCase> {
    let Statement::Stub { stub, script } = test.statement(VarRef::from(position)) else {
        return Vec::new();
    };
    let of = cluster.stub(*stub);
    let methods = &of.methods;
    let mut found = Vec::new();
    if let Some(plain) = without_overrides(of, script) {
        let mut other = test.clone();
        other.statements_mut()[position] = plain;
        found.push(without_unused(&other).unwrap_or(other));
    }
    let mut push = |changed: Script| {
        let mut other = test.clone();
        other.statements_mut()[position] = Statement::Stub { stub: *stub, script: Box::new(changed) };
        let other = without_unused(&other).unwrap_or(other);
        if !found.contains(&other) {
            found.push(other);
        }
    };
    let with = |answers| Script { arguments: script.arguments.clone(), answers };
    let nothing = with(vec![Answers::new(); methods.len()]);
    let plain = script.answers.iter().zip(methods).map(|(answers, method)| plainest(method, answers));
    let plain = with(plain.collect());
    if nothing != **script {
        push(nothing.clone());
    }
    if plain != **script && plain != nothing {
        push(plain);
    }
    for (index, (method, answers)) in methods.iter().zip(&script.answers).enumerate() {
        for fewer in fewer_answers(answers) {
            let mut changed = (**script).clone();
            changed.answers[index] = fewer;
            push(changed);
        }
        for (place, answer) in answers.iter().enumerate() {
            let needs_much = matches!(answer, Answer::CallBack(..))
                || answer.variables().any(|variable| !is_input(test.statement(variable)));
            let itself = method.result.filter(|result| cluster.is_assignable(of.of, *result));
            let cheap = [parameter(cluster, method), itself.map(|_| Answer::Itself)];
            for cheap in cheap.into_iter().flatten().filter(|_| needs_much) {
                let mut changed = (**script).clone();
                changed.answers[index][place] = cheap;
                push(changed);
            }
        }
    }
    for (index, method) in methods.iter().enumerate() {
        for place in 0..script.answers[index].len() {
            found.extend(with_literals(cluster, test, position, method, (index, place)));
        }
    }
    found
}

/// An object of the class itself, where a stub does no more than override methods of it.
fn without_overrides(stub: &Stub, script: &Script) -> Option<Statement> {
    let callable = stub.constructor()?;
    let only_overrides = !stub.methods.is_empty() && stub.methods.iter().all(|method| method.has_body);
    only_overrides.then(|| Statement::Constructor { callable, arguments: script.arguments.clone() })
}

/// The test whose stubs do not say at the end of a method's answers what they said before: the last one holds for all calls behind it. It needs no
/// run.
pub(super) fn without_repetition(cluster: &TestCluster, test: &TestCase) -> TestCase {
    let mut shorter = test.clone();
    for statement in shorter.statements_mut() {
        let Statement::Stub { script, .. } = statement else { continue };
        for answers in &mut script.answers {
            while let [.., before, last] = answers.as_slice()
                && is_same(cluster, test, *before, *last)
            {
                answers.pop();
            }
        }
    }
    shorter
}

/// Whether two answers give the same object or value.
fn is_same(cluster: &TestCluster, test: &TestCase, one: Answer, other: Answer) -> bool {
    let (Answer::Value(value), Answer::Value(same)) = (one, other) else { return one == other };
    let is_constant = match test.statement(value) {
        Statement::Primitive { boxed, .. } => !boxed,
        Statement::Null { .. } | Statement::EnumConstant { .. } | Statement::ClassLiteral { .. } => true,
        Statement::FieldRead { field, receiver: None } => cluster.field(*field).access.is_final(),
        Statement::FieldRead { .. }
        | Statement::FieldWrite { .. }
        | Statement::Constructor { .. }
        | Statement::Method { .. }
        | Statement::Array { .. }
        | Statement::ArrayWrite { .. }
        | Statement::Stub { .. } => false,
    };
    value == same || is_constant && test.statement(value) == test.statement(same)
}

/// One answer, or none where none need be told.
fn plainest(method: &StubMethod, answers: &Answers) -> Answers {
    if method.result.is_none() { Answers::new() } else { answers.iter().take(1).copied().collect() }
}

/// The answers without some of them.
fn fewer_answers(answers: &Answers) -> Vec<Answers> {
    let mut found: Vec<Answers> = Vec::new();
    if !answers.is_empty() {
        found.push(Answers::new());
    }
    if answers.len() > 1 {
        found.extend(answers.iter().map(|answer| std::iter::once(*answer).collect()));
    }
    if answers.len() > 2 {
        found.extend((0..answers.len()).map(|left_out| {
            let mut fewer = answers.clone();
            fewer.remove(left_out);
            fewer
        }));
    }
    found
}

/// Has stubs give back what they are passed where they give `null`, as far as the last call of the test then shows something else that says
/// more, while the test covers `required` and ends no worse: `[a]` and not `[null]`.
pub(super) fn echo(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    start: Candidate,
    required: &[GoalId],
) -> Candidate {
    runner.is_long = start.is_long;
    let silent = silent(cluster, &start.test);
    if silent.is_empty() {
        return start;
    }
    let all = silent.iter().fold(start.test.clone(), |test, place| with_answer(&test, *place, true));
    let Some(mut best) = runner.accept(all, required, start.ending) else { return start };
    let before = last_value(runner, cluster, &start);
    let shown = last_value(runner, cluster, &best);
    if shown == before || !shown.as_ref().is_some_and(|value| ResultKind::of(value).is_telling()) {
        return start;
    }
    // What is not called, or not shown, goes on to give nothing.
    for place in silent {
        let less = with_answer(&best.test, place, false);
        if let Some(less) = runner.accept(less, required, start.ending)
            && last_value(runner, cluster, &less) == shown
        {
            best = less;
        }
    }
    best
}

/// A method of a stub that gives `null` and could give back what it is passed: the position of the stub, the number of the method, and what
/// it would answer.
type Silent = (usize, usize, Answer);

fn silent(cluster: &TestCluster, test: &TestCase) -> Vec<Silent> {
    let silent =
        scripted(cluster, test).filter_map(|Scripted { variable, index, method, answers, .. }| {
            let gives_null = match answers.as_slice() {
                [] => !method.has_body && method.result.is_some_and(|of| of.as_primitive().is_none()),
                [Answer::Value(value)] => matches!(test.statement(*value), Statement::Null { .. }),
                [..] => false,
            };
            let answer = parameter(cluster, method).filter(|_| gives_null)?;
            Some((variable.index(), index, answer))
        });
    silent.collect()
}

/// A method that a test scripts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scripted<'a> {
    /// The stub.
    pub variable: VarRef,
    pub stub: StubId,
    /// Which of its methods.
    pub index: usize,
    pub method: &'a StubMethod,
    /// What is told of it.
    pub answers: &'a Answers,
}

/// The methods that the stubs of a test script, in their order.
pub(crate) fn scripted<'a>(
    cluster: &'a TestCluster,
    test: &'a TestCase,
) -> impl Iterator<Item = Scripted<'a>> {
    test.statements().iter().enumerate().flat_map(move |(position, statement)| {
        let Statement::Stub { stub, script } = statement else { return Vec::new() };
        let methods = cluster.stub(*stub).methods.iter().zip(&script.answers).enumerate();
        let variable = VarRef::from(position);
        let scripted =
            |(index, (method, answers))| Scripted { variable, stub: *stub, index, method, answers };
        methods.map(scripted).collect()
    })
}

/// The test in which a method of a stub gives back what it is passed, or nothing is told of it.
fn with_answer(test: &TestCase, (position, index, answer): Silent, is_told: bool) -> TestCase {
    let mut changed = test.clone();
    if let Some(Statement::Stub { script, .. }) = changed.statements_mut().get_mut(position) {
        script.answers[index] = is_told.then_some(answer).into_iter().collect();
    }
    changed
}

/// The first parameter that a method may give back.
fn parameter(cluster: &TestCluster, method: &StubMethod) -> Option<Answer> {
    let result = method.result?;
    let fits = method.parameters.iter().position(|parameter| cluster.is_assignable(parameter.of, result))?;
    u8::try_from(fits).ok().map(Answer::Parameter)
}

/// The test with a literal in the place of something else that a method gives.
fn with_literals(
    cluster: &TestCluster,
    test: &TestCase,
    position: usize,
    method: &StubMethod,
    (index, place): (usize, usize),
) -> Vec<TestCase> {
    let Statement::Stub { script, .. } = test.statement(VarRef::from(position)) else {
        return Vec::new();
    };
    let (Answer::Value(value), Some(of)) = (script.answers[index][place], method.result) else {
        return Vec::new();
    };
    if is_input(test.statement(value)) {
        return Vec::new();
    }
    let with = |literal: Statement| {
        let mut other = test.clone();
        other.insert(position, literal);
        if let Statement::Stub { script, .. } = &mut other.statements_mut()[position + 1] {
            script.answers[index][place] = Answer::Value(VarRef::from(position));
        }
        without_unused(&other).unwrap_or(other)
    };
    literals(cluster, of).into_iter().map(with).collect()
}

/// The plainest literals of a type.
fn literals(cluster: &TestCluster, of: TypeId) -> Vec<Statement> {
    match of.as_primitive().or_else(|| of.as_boxed()) {
        Some(primitive) => {
            let boxed = of.as_primitive().is_none();
            let values = [Value::zero(primitive), Value::from_integer(primitive, 1)];
            values.into_iter().map(|value| Statement::Primitive { value, boxed }).collect()
        }
        None if cluster.ty(of).accessible => vec![Statement::Null { of }],
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use testcase::cluster::testing::ClusterBuilder;

    use super::*;

    /// `p.Step` with `int apply(int)` and `void close()`, and a test that makes one.
    fn step(apply: &[Answer], close: &[Answer]) -> (TestCluster, StubId, TestCase) {
        let mut builder = ClusterBuilder::new("p/Foo");
        let (step, exception) = (builder.class("p/Step"), builder.class("java/lang/RuntimeException"));
        let constructor = builder.constructor(exception, &[]);
        let int = TypeId::primitive(PrimitiveType::Int);
        let methods = [("apply", &[int][..], Some(int)), ("close", &[], None)];
        let id = builder.stub(step, None, &methods, &[exception]);
        let test = TestCase::new(vec![
            Statement::Primitive { value: Value::Int(7), boxed: false },
            Statement::Constructor { callable: constructor, arguments: [].into_iter().collect() },
            stub(id, apply, close),
        ]);
        (builder.build(), id, test)
    }

    fn stub(id: StubId, apply: &[Answer], close: &[Answer]) -> Statement {
        let answers = vec![apply.iter().copied().collect(), close.iter().copied().collect()];
        let script = Script { arguments: [].into_iter().collect(), answers };
        Statement::Stub { stub: id, script: Box::new(script) }
    }

    #[test]
    fn the_first_attempt_tells_nothing_and_the_second_one_answer() {
        let (value, throw) = (Answer::Value(VarRef(0)), Answer::Throw(VarRef(1)));
        let (cluster, id, test) = step(&[value, throw], &[Answer::Return, throw]);
        let shorter = shorter_scripts(&cluster, &test, 2);
        assert_eq!(shorter[0].statements().last(), Some(&stub(id, &[], &[])));
        assert_eq!(shorter[1].statements().last(), Some(&stub(id, &[value], &[])));
        for shorter in &shorter {
            assert_eq!(shorter.validate(&cluster), Ok(()));
            assert_ne!(*shorter, test);
        }
    }

    #[test]
    fn what_a_stub_says_to_all_later_calls_is_said_once() {
        let [value, throw, again] =
            [Answer::Value(VarRef(0)), Answer::Throw(VarRef(1)), Answer::Value(VarRef(2))];
        for (apply, expect) in [
            (vec![value, value, value], vec![value]),
            (vec![value, again], vec![value]),
            (vec![value, throw, throw], vec![value, throw]),
            (vec![throw, throw, value], vec![throw, throw, value]),
            (vec![value, Answer::Value(VarRef(3))], vec![value, Answer::Value(VarRef(3))]),
        ] {
            let (cluster, id, test) = step(&apply, &[Answer::Return, Answer::Return]);
            let mut statements = test.statements()[..2].to_vec();
            let number = |value| Statement::Primitive { value: Value::Int(value), boxed: false };
            statements.extend([number(7), number(8)]);
            let test = |last| TestCase::new(statements.iter().cloned().chain([last]).collect());
            let shorter =
                without_repetition(&cluster, &test(stub(id, &apply, &[Answer::Return, Answer::Return])));
            assert_eq!(shorter, test(stub(id, &expect, &[Answer::Return])), "{apply:?}");
        }
    }

    #[test]
    fn methods_that_give_null_may_give_back_what_they_are_passed() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let convert = builder.class("p/Convert");
        let (object, string) = (TypeId::OBJECT, TypeId::STRING);
        let methods = [
            ("to", &[string, object][..], Some(object)),
            ("from", &[object], Some(string)),
            ("size", &[], None),
        ];
        let id = builder.stub(convert, None, &methods, &[]);
        let cluster = builder.build();
        let script = |to: &[Answer]| {
            let answers =
                vec![to.iter().copied().collect(), [].into_iter().collect(), [].into_iter().collect()];
            Statement::Stub {
                stub: id,
                script: Box::new(Script { arguments: [].into_iter().collect(), answers }),
            }
        };
        let null = Statement::Null { of: object };
        let told = TestCase::new(vec![null.clone(), script(&[Answer::Value(VarRef(0))])]);
        let found = silent(&cluster, &told);
        assert_eq!(found, [(1, 0, Answer::Parameter(0))], "a text is an object, an object no text");
        let echoing = with_answer(&told, found[0], true);
        assert_eq!(echoing.statements()[1], script(&[Answer::Parameter(0)]));
        assert_eq!(with_answer(&echoing, found[0], false).statements()[1], script(&[]));
        assert_eq!(silent(&cluster, &echoing), []);
    }

    #[test]
    fn another_stub_gives_way_to_the_stub_itself() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let query = builder.class("p/Query");
        let id = builder.stub(query, None, &[("limited", &[], Some(query))], &[]);
        let cluster = builder.build();
        let script = |answers: &[Answer]| {
            let answers = vec![answers.iter().copied().collect()];
            let script = Script { arguments: [].into_iter().collect(), answers };
            Statement::Stub { stub: id, script: Box::new(script) }
        };
        let test = TestCase::new(vec![script(&[]), script(&[Answer::Value(VarRef(0))])]);
        let shorter = shorter_scripts(&cluster, &test, 1);
        let last: Vec<_> = shorter.iter().filter_map(|shorter| shorter.statements().last()).collect();
        assert_eq!(last[..2], [&script(&[]), &script(&[Answer::Itself])]);
        assert!(shorter.iter().all(|shorter| shorter.validate(&cluster).is_ok()));
    }

    #[test]
    fn what_is_thrown_gives_way_to_the_parameter_and_what_tells_nothing_stays() {
        let (cluster, id, test) = step(&[Answer::Throw(VarRef(1))], &[]);
        let shorter = shorter_scripts(&cluster, &test, 2);
        let last: Vec<_> = shorter.iter().filter_map(|shorter| shorter.statements().last()).collect();
        assert_eq!(last, [&stub(id, &[], &[]), &stub(id, &[Answer::Parameter(0)], &[])]);
        let (cluster, _, test) = step(&[], &[]);
        assert_eq!(shorter_scripts(&cluster, &test, 2), []);
    }
}
