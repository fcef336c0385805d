//! What is passed where any object will do: a text, `"a"`, in the place of an object of the project that somebody would look for a
//! reason for.
//!
//! `map.put(map, map)` and `converter.applyFrom(new Function[1])` cover their code, but nobody would have written that.

use bytecode::signature::GenericType;
use coverage::goal::GoalId;
use testcase::cluster::{TestCluster, TypeId};
use testcase::statement::{Answer, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::runner::{Candidate, Runner};
use super::statements::reduce;

/// Gives calls a text, array elements and answers of stubs as well, where they take any object and get one of the project, the same for the
/// same, while the test covers `required` and ends no worse: all at once, else each by itself. What nobody needs then goes.
pub(super) fn plainer(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    start: Candidate,
    required: &[GoalId],
) -> Candidate {
    runner.is_long = start.is_long;
    let odd = odd(cluster, &start.test);
    let Some(all) = with_texts(cluster, &start.test) else { return start };
    let mut best = start.clone();
    match runner.accept(all, required, best.ending) {
        Some(accepted) => best = accepted,
        // From behind: what stands in front keeps its position.
        None if odd.len() > 1 => {
            for &variable in odd.iter().rev() {
                let changed = with_text(cluster, &best.test, variable);
                best = runner.accept(changed, required, best.ending).unwrap_or(best);
            }
        }
        None => {}
    }
    if best.test == start.test { best } else { reduce(runner, cluster, best, required) }
}

/// The test with texts for all objects of the project that are passed as any object; `None` if none is.
pub(crate) fn with_texts(cluster: &TestCluster, test: &TestCase) -> Option<TestCase> {
    let odd = odd(cluster, test);
    // From behind: what stands in front keeps its position.
    let changed = odd.iter().rev().fold(test.clone(), |test, &variable| with_text(cluster, &test, variable));
    (!odd.is_empty()).then_some(changed)
}

/// The variables that are passed as any object, and that a person would not have made for that.
fn odd(cluster: &TestCluster, test: &TestCase) -> Vec<VarRef> {
    let mut found: Vec<VarRef> = Vec::new();
    for statement in test.statements() {
        let receiver = if let Statement::Method { receiver, .. } = statement { *receiver } else { None };
        for (place, used) in uses(statement).into_iter().enumerate() {
            let is_odd = || Some(used) == receiver || is_of_project(cluster, test, used);
            if takes_anything(cluster, test, statement, place) && !found.contains(&used) && is_odd() {
                found.push(used);
            }
        }
    }
    found.sort();
    found
}

/// Whether a variable is an object of the project, or an array of a type that says more than that anything may be in it.
fn is_of_project(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> bool {
    match test.statement(variable) {
        Statement::Constructor { .. }
        | Statement::Method { .. }
        | Statement::FieldRead { .. }
        | Statement::Stub { .. } => {}
        Statement::Array { of, .. } => {
            let element = cluster.ty(*of).element;
            return element.is_some_and(|element| {
                element != TypeId::OBJECT && element != TypeId::STRING && element.as_primitive().is_none()
            });
        }
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::FieldWrite { .. }
        | Statement::ArrayWrite { .. } => return false,
    }
    let of = test.variable_type(cluster, variable).map(|of| &cluster.ty(of).generic);
    matches!(of, Some(GenericType::Class(class)) if !class.name.is_exported_by_platform())
}

/// The test with a text for a variable wherever it is passed as any object.
fn with_text(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> TestCase {
    let passes = |statement: &Statement| {
        let uses = uses(statement);
        uses.iter()
            .enumerate()
            .any(|(place, used)| *used == variable && takes_anything(cluster, test, statement, place))
    };
    let Some(first) = test.statements().iter().position(passes) else { return test.clone() };
    let mut changed = test.clone();
    changed.insert(
        first,
        Statement::Primitive { value: Value::String(text(test).as_str().into()), boxed: false },
    );
    let with_input = changed.clone();
    for (position, statement) in changed.statements_mut().iter_mut().enumerate().skip(first + 1) {
        let before = with_input.statement(VarRef::from(position));
        let mut place = 0;
        statement.for_each_use_mut(|used| {
            if *used == variable && takes_anything(cluster, &with_input, before, place) {
                *used = VarRef::from(first);
            }
            place += 1;
        });
    }
    changed
}

/// The first letter that the test has no text of.
fn text(test: &TestCase) -> String {
    let has = |text: &str| {
        let is_it = |statement: &Statement| matches!(statement, Statement::Primitive { value: Value::String(other), .. } if *other == text.into());
        test.statements().iter().any(is_it)
    };
    let free = ('a'..='z').map(String::from).find(|text| !has(text));
    free.unwrap_or_else(|| "a".to_owned())
}

fn uses(statement: &Statement) -> Vec<VarRef> {
    let mut uses = Vec::new();
    statement.for_each_use(|used| uses.push(used));
    uses
}

/// Whether a statement takes any object in one of its uses, counted from 0 in the order of evaluation.
fn takes_anything(cluster: &TestCluster, test: &TestCase, statement: &Statement, place: usize) -> bool {
    let is_any = |callable, receivers: usize| {
        let parameters = &cluster.callable(callable).parameters;
        let parameter = place.checked_sub(receivers).and_then(|index| parameters.get(index));
        parameter.is_some_and(|parameter| parameter.of == TypeId::OBJECT)
    };
    match statement {
        Statement::Constructor { callable, .. } => is_any(*callable, 0),
        Statement::Method { callable, receiver, .. } => is_any(*callable, usize::from(receiver.is_some())),
        Statement::ArrayWrite { array, .. } => {
            let of = test.variable_type(cluster, *array);
            place == 1 && of.is_some_and(|of| cluster.ty(of).element == Some(TypeId::OBJECT))
        }
        Statement::Stub { stub, script } => {
            let stub = cluster.stub(*stub);
            let Some(answer) = place.checked_sub(script.arguments.len()) else {
                return stub.constructor.is_some_and(|callable| is_any(callable, 0));
            };
            let answers = stub.methods.iter().zip(&script.answers).flat_map(|(method, answers)| {
                let given = answers.iter().filter(|answer| answer.variable().is_some());
                given
                    .map(|answer| matches!(answer, Answer::Value(_)) && method.result == Some(TypeId::OBJECT))
            });
            answers.into_iter().nth(answer) == Some(true)
        }
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::Array { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::FieldRead { .. }
        | Statement::FieldWrite { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use testcase::cluster::testing::ClusterBuilder;

    use super::*;

    /// `p.Bag` with `void put(Object, Bag, Object)`, and calls of it.
    fn check(
        calls: &[(usize, [usize; 3])],
        bags: usize,
        expect: &[(usize, [usize; 3])],
        texts: &[(usize, &str)],
    ) {
        let mut cluster = ClusterBuilder::new("p/Bag");
        let bag = cluster.class_under_test();
        let put = cluster.method(bag, "put", &[TypeId::OBJECT, bag, TypeId::OBJECT], None);
        let new = cluster.constructor(bag, &[]);
        let cluster = cluster.build();
        let made = Statement::Constructor { callable: new, arguments: [].into_iter().collect() };
        let call = |(receiver, arguments): &(usize, [usize; 3])| Statement::Method {
            callable: put,
            receiver: Some(VarRef::from(*receiver)),
            arguments: arguments.iter().copied().map(VarRef::from).collect(),
        };
        let test = |calls: &[(usize, [usize; 3])]| {
            let bags = vec![made.clone(); bags];
            TestCase::new(bags.into_iter().chain(calls.iter().map(call)).collect())
        };
        let start = test(calls);
        let changed = with_texts(&cluster, &start).unwrap();
        let mut expect = test(expect);
        for (position, text) in texts {
            let text = Value::String((*text).into());
            expect.statements_mut().insert(*position, Statement::Primitive { value: text, boxed: false });
        }
        assert_eq!(changed, expect);
        assert_eq!(with_texts(&cluster, &changed), None);
    }

    #[test]
    fn objects_of_the_project_that_are_passed_as_any_object_give_way_to_texts() {
        // Positions as they are with the texts in front of the first call.
        check(&[(0, [0, 0, 0]), (0, [0, 0, 0])], 1, &[(0, [1, 0, 1]), (0, [1, 0, 1])], &[(1, "a")]);
        check(&[(0, [1, 0, 0])], 2, &[(0, [2, 0, 3])], &[(2, "a"), (3, "b")]);
    }
}
