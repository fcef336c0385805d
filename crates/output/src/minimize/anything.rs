//! What is passed where anything will do: a text, `"a"`, in the place of an object of the project, or of a text that another call gave,
//! for which a reader would look for a reason.
//!
//! `map.put(map, map)`, `converter.applyFrom(new Function[1])` and `binder.bind(form.render())` cover their code, but nobody would have
//! written that.

use bytecode::signature::GenericType;
use coverage::goal::GoalId;
use testcase::cluster::{TestCluster, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::runner::{Candidate, Runner};
use super::statements::reduce;

/// Puts texts in the place of what is [`odd`], the same for the same, while the test covers `required` and ends no worse: all at
/// once, else each by itself. What nobody needs then goes.
pub(super) fn plainer(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    start: Candidate,
    required: &[GoalId],
) -> Candidate {
    runner.is_long = start.is_long;
    let odd = odd(cluster, &start.test);
    if odd.is_empty() {
        return start;
    }
    // From behind: what stands in front keeps its position.
    let each = odd.chunks(1).rev().filter(|_| odd.len() > 1);
    let (mut best, mut is_changed) = (start, false);
    for part in std::iter::once(&odd[..]).chain(each) {
        let changed = with_texts(cluster, &best.test, part);
        if let Some(accepted) = runner.accept(changed, required, best.ending) {
            (best, is_changed) = (accepted, true);
            if part.len() == odd.len() {
                break;
            }
        }
    }
    if is_changed { reduce(runner, cluster, best, required) } else { best }
}

/// The test with texts in the place of all that is odd; `None` if nothing is.
pub(crate) fn plain(cluster: &TestCluster, test: &TestCase) -> Option<TestCase> {
    let odd = odd(cluster, test);
    (!odd.is_empty()).then(|| with_texts(cluster, test, &odd))
}

/// Variables that are passed where anything will do, and that a person would not have passed there: objects of the project and receivers
/// where any object is taken, what calls of the project gave where a text is.
fn odd(cluster: &TestCluster, test: &TestCase) -> Vec<VarRef> {
    let mut found: Vec<VarRef> = Vec::new();
    for statement in test.statements() {
        let receiver = if let Statement::Method { receiver, .. } = statement { *receiver } else { None };
        found.extend(test.taken(cluster, statement).into_iter().filter_map(|(used, wanted)| {
            let is_odd = match wanted? {
                TypeId::OBJECT => Some(used) == receiver || is_of_project(cluster, test, used),
                TypeId::STRING => is_given_by_project(cluster, test, used),
                _ => false,
            };
            is_odd.then_some(used)
        }));
    }
    found.sort();
    found.dedup();
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

/// Whether a variable is what a method of the project gave.
fn is_given_by_project(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> bool {
    let Statement::Method { callable, .. } = test.statement(variable) else { return false };
    !cluster.callable(*callable).declared_in.is_exported_by_platform()
}

/// The test with a text for each of these variables, ascending, wherever it is passed where a text will do.
fn with_texts(cluster: &TestCluster, test: &TestCase, variables: &[VarRef]) -> TestCase {
    let mut changed = test.clone();
    // From behind: what stands in front keeps its position.
    for &variable in variables.iter().rev() {
        let places = places(cluster, &changed, variable);
        let Some((first, _)) = places.first().copied() else { continue };
        let text =
            Statement::Primitive { value: Value::String(text(&changed).as_str().into()), boxed: false };
        changed.insert(first, text);
        for (position, place) in places {
            changed.statements_mut()[position + 1].redirect(place, VarRef::from(first));
        }
    }
    changed
}

/// Where a variable is passed and a text will do: positions, ascending, each with the number of the use.
fn places(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<(usize, usize)> {
    let of_statement = |(position, statement): (usize, &Statement)| {
        let taken = test.taken(cluster, statement).into_iter().enumerate();
        let places = taken.filter(|(_, (used, wanted))| {
            *used == variable && matches!(*wanted, Some(TypeId::OBJECT | TypeId::STRING))
        });
        places.map(|(place, _)| (position, place)).collect::<Vec<_>>()
    };
    test.statements().iter().enumerate().flat_map(of_statement).collect()
}

/// The first letter that the test has no text of.
fn text(test: &TestCase) -> String {
    let has = |text: &Value| {
        let is_it = |of: &Statement| matches!(of, Statement::Primitive { value, .. } if value == text);
        test.statements().iter().any(is_it)
    };
    let is_free = |letter: &String| !has(&Value::String(letter.as_str().into()));
    ('a'..='z').map(String::from).find(is_free).unwrap_or_else(|| "a".to_owned())
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
        let changed = plain(&cluster, &start).unwrap();
        let mut expect = test(expect);
        for (position, text) in texts {
            let text = Value::String((*text).into());
            expect.statements_mut().insert(*position, Statement::Primitive { value: text, boxed: false });
        }
        assert_eq!(changed, expect);
        assert_eq!(plain(&cluster, &changed), None);
    }

    #[test]
    fn objects_of_the_project_that_are_passed_as_any_object_give_way_to_texts() {
        // Positions as they are with the texts in front of the first call.
        check(&[(0, [0, 0, 0]), (0, [0, 0, 0])], 1, &[(0, [1, 0, 1]), (0, [1, 0, 1])], &[(1, "a")]);
        check(&[(0, [1, 0, 0])], 2, &[(0, [2, 0, 3])], &[(2, "a"), (3, "b")]);
    }

    #[test]
    fn texts_that_calls_of_the_project_gave_give_way_to_letters() {
        let mut cluster = ClusterBuilder::new("p/Form");
        let form = cluster.class_under_test();
        let render = cluster.method(form, "render", &[], Some(TypeId::STRING));
        let bind = cluster.method(form, "bind", &[TypeId::STRING], None);
        let new = cluster.constructor(form, &[]);
        let cluster = cluster.build();
        let call = |callable, arguments: &[usize]| Statement::Method {
            callable,
            receiver: Some(VarRef(0)),
            arguments: arguments.iter().copied().map(VarRef::from).collect(),
        };
        let made = Statement::Constructor { callable: new, arguments: [].into_iter().collect() };
        let test = TestCase::new(vec![made.clone(), call(render, &[]), call(bind, &[1])]);
        let text = Statement::Primitive { value: Value::String("a".into()), boxed: false };
        let expect = TestCase::new(vec![made, call(render, &[]), text, call(bind, &[2])]);
        assert_eq!(plain(&cluster, &test), Some(expect));
    }
}
