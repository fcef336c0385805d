//! What is passed where anything will do: a text, `"a"`, in the place of an object of the project, or of a text that another call gave,
//! and a number in the place of one that another call gave. A reader would look for a reason for those.
//!
//! `map.put(map, map)`, `converter.applyFrom(new Function[1])`, `binder.bind(form.render())` and `account.setNumber(account.hashCode())`
//! cover their code, but nobody would have written that.

use bytecode::descriptor::PrimitiveType;
use bytecode::signature::GenericType;
use coverage::goal::GoalId;
use testcase::cluster::{TestCluster, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::runner::{Candidate, Runner};
use super::statements::reduce;

/// What stands in the place of something odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Plain {
    /// A text, where a text or any object is taken.
    Text,
    /// A value of a primitive type, or of the type that boxes it.
    Value(PrimitiveType, bool),
}

/// Which value stands there: one that tells something, else one that tells nothing, where only that covers the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Small,
    Empty,
}

impl Plain {
    /// What would do where a type is taken.
    fn of(wanted: TypeId) -> Option<Self> {
        if wanted == TypeId::OBJECT || wanted == TypeId::STRING {
            return Some(Self::Text);
        }
        let primitive = wanted.as_primitive().map(|of| Self::Value(of, false));
        primitive.or_else(|| wanted.as_boxed().map(|of| Self::Value(of, true)))
    }

    /// A letter or a small number, the first that the test does not have yet; or zero, `false` and `null`, if there is one. There are only
    /// two of `boolean`.
    fn statement(self, test: &TestCase, choice: Choice) -> Option<Statement> {
        let text = |letter: u8| Value::String(char::from(letter).to_string().as_str().into());
        let values: Vec<Value> = match (self, choice) {
            (Self::Text, Choice::Small) => (b'a'..=b'z').map(text).collect(),
            (Self::Value(PrimitiveType::Char, _), Choice::Small) => {
                (b'a'..=b'z').map(|letter| Value::Char(u16::from(letter))).collect()
            }
            (Self::Value(of, _), Choice::Small) => {
                (1..=9).map(|number| Value::from_integer(of, number)).collect()
            }
            (Self::Value(of, true), Choice::Empty) => {
                return Some(Statement::Null { of: TypeId::boxed(of) });
            }
            (Self::Text | Self::Value(PrimitiveType::Char, _), Choice::Empty) => Vec::new(),
            (Self::Value(of, false), Choice::Empty) => vec![Value::from_integer(of, 0)],
        };
        let boxed = matches!(self, Self::Value(_, true));
        primitive(test, &values, boxed)
    }
}

/// The first of some values that the test does not have; the first of all if it has them all.
fn primitive(test: &TestCase, values: &[Value], boxed: bool) -> Option<Statement> {
    let is_free = |value: &&Value| {
        let is_it =
            |of: &Statement| matches!(of, Statement::Primitive { value: other, .. } if other == *value);
        !test.statements().iter().any(is_it)
    };
    let value = values.iter().find(is_free).or(values.first())?.clone();
    Some(Statement::Primitive { value, boxed })
}

/// Puts texts and numbers in the place of what is [`odd`], the same for the same, while the test covers `required` and ends no worse:
/// all at once, else each by itself, or else zero and `null`. What nobody needs then goes.
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
    let (mut best, mut is_changed) = (start, false);
    let mut attempt = |part: &[(VarRef, Plain)], choice| {
        let changed = with_plain(cluster, &best.test, part, choice);
        if changed == best.test {
            return false;
        }
        let Some(accepted) = runner.accept(changed, required, best.ending) else { return false };
        (best, is_changed) = (accepted, true);
        true
    };
    if !attempt(&odd, Choice::Small) {
        // From behind: what stands in front keeps its position.
        for part in odd.chunks(1).rev() {
            let was_tried = odd.len() == 1;
            if was_tried || !attempt(part, Choice::Small) {
                attempt(part, Choice::Empty);
            }
        }
    }
    if is_changed { reduce(runner, cluster, best, required) } else { best }
}

/// The test with texts and numbers in the place of all that is odd; `None` if nothing is.
pub(crate) fn plain(cluster: &TestCluster, test: &TestCase) -> Option<TestCase> {
    let odd = odd(cluster, test);
    (!odd.is_empty()).then(|| with_plain(cluster, test, &odd, Choice::Small))
}

/// Variables that are passed where anything will do, and that a person would not have passed there: objects of the project and receivers
/// where any object is taken, what calls of the project gave where a text is, and what any call gave where a number is.
fn odd(cluster: &TestCluster, test: &TestCase) -> Vec<(VarRef, Plain)> {
    let mut found: Vec<(VarRef, Plain)> = Vec::new();
    for statement in test.statements() {
        let receiver = if let Statement::Method { receiver, .. } = statement { *receiver } else { None };
        found.extend(test.taken(cluster, statement).into_iter().filter_map(|(used, wanted)| {
            let (wanted, plain) = (wanted?, Plain::of(wanted?)?);
            let is_odd = match plain {
                Plain::Text if wanted == TypeId::OBJECT => {
                    Some(used) == receiver || is_of_project(cluster, test, used)
                }
                Plain::Text => is_given_by_project(cluster, test, used),
                Plain::Value(..) => matches!(test.statement(used), Statement::Method { .. }),
            };
            is_odd.then_some((used, plain))
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

/// The test with a text or number for each of these variables, ascending, wherever it is passed and one will do.
fn with_plain(cluster: &TestCluster, test: &TestCase, odd: &[(VarRef, Plain)], choice: Choice) -> TestCase {
    let mut changed = test.clone();
    // From behind: what stands in front keeps its position.
    for &(variable, plain) in odd.iter().rev() {
        let places = places(cluster, &changed, variable, plain);
        let Some((first, _)) = places.first().copied() else { continue };
        let Some(instead) = plain.statement(&changed, choice) else { continue };
        changed.insert(first, instead);
        for (position, place) in places {
            changed.statements_mut()[position + 1].redirect(place, VarRef::from(first));
        }
    }
    changed
}

/// Where a variable is passed and a text or number will do: positions, ascending, each with the number of the use.
fn places(cluster: &TestCluster, test: &TestCase, variable: VarRef, plain: Plain) -> Vec<(usize, usize)> {
    let of_statement = |(position, statement): (usize, &Statement)| {
        let taken = test.taken(cluster, statement).into_iter().enumerate();
        let places = taken
            .filter(|(_, (used, wanted))| *used == variable && wanted.and_then(Plain::of) == Some(plain));
        places.map(|(place, _)| (position, place)).collect::<Vec<_>>()
    };
    test.statements().iter().enumerate().flat_map(of_statement).collect()
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

    #[test]
    fn numbers_that_calls_gave_give_way_to_small_ones() {
        let mut cluster = ClusterBuilder::new("p/Account");
        let account = cluster.class_under_test();
        let (int, long) = (TypeId::primitive(PrimitiveType::Int), TypeId::boxed(PrimitiveType::Long));
        let size = cluster.method(account, "size", &[], Some(int));
        let balance = cluster.method(account, "getBalance", &[], Some(long));
        let set = cluster.method(account, "set", &[int, long, int, TypeId::OBJECT], None);
        let new = cluster.constructor(account, &[]);
        let cluster = cluster.build();
        let call = |callable, arguments: &[usize]| Statement::Method {
            callable,
            receiver: Some(VarRef(0)),
            arguments: arguments.iter().copied().map(VarRef::from).collect(),
        };
        let made = Statement::Constructor { callable: new, arguments: [].into_iter().collect() };
        let begin = [made, call(size, &[]), call(balance, &[])];
        let number = |value, boxed| Statement::Primitive { value, boxed };
        let test = TestCase::new([&begin[..], &[call(set, &[1, 2, 1, 1])]].concat());
        let plain_values = [number(Value::Long(1), true), number(Value::Int(1), false)];
        let expect = TestCase::new([&begin[..], &plain_values, &[call(set, &[4, 3, 4, 1])]].concat());
        assert_eq!(plain(&cluster, &test), Some(expect));
    }
}
