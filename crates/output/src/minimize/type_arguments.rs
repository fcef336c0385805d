//! Type arguments that differ from test to test for no reason: `new Cache<Integer, String>()` in one, `new Cache<String, Integer>()` in the
//! next. A reader looks for the reason, and what the tests have in common can be shared no more.

use std::collections::BTreeMap;

use bytecode::signature::{GenericType, TypeArgument};
use testcase::cluster::{CallableId, MemberId, TestCluster, TypeId};
use testcase::statement::Statement;
use testcase::test_case::TestCase;

/// What stands for the type parameters of a class or method.
type Arguments<'c> = Vec<&'c GenericType>;

/// The type arguments that tests of a suite have.
#[derive(Debug)]
pub(super) struct Usual<'c> {
    cluster: &'c TestCluster,
    /// Those that most tests have first.
    ranked: Vec<Arguments<'c>>,
    /// The instantiations of a member.
    instantiations: BTreeMap<MemberId, Vec<CallableId>>,
}

impl<'c> Usual<'c> {
    /// Those of these tests.
    pub(super) fn of<'t>(cluster: &'c TestCluster, tests: impl Iterator<Item = &'t TestCase>) -> Self {
        let mut counts: Vec<(usize, Arguments<'c>)> = Vec::new();
        for arguments in tests.flat_map(|test| arguments_in(cluster, test)) {
            match counts.iter_mut().find(|(_, known)| *known == arguments) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, arguments)),
            }
        }
        counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let ranked: Vec<Arguments<'c>> = counts.into_iter().map(|(_, arguments)| arguments).collect();
        let mut instantiations: BTreeMap<MemberId, Vec<CallableId>> = BTreeMap::new();
        for (index, callable) in cluster.callables.iter().enumerate() {
            instantiations.entry(callable.member).or_default().push(CallableId::from(index));
        }
        Self { cluster, ranked, instantiations }
    }

    /// The test with type arguments that more tests have, once for each that fit, those of most tests first.
    pub(super) fn instead_in(&self, test: &TestCase) -> impl Iterator<Item = TestCase> {
        let own = arguments_in(self.cluster, test);
        let rank = |arguments: &Arguments<'c>| self.ranked.iter().position(|known| known == arguments);
        let better = self.ranked.iter().enumerate().filter(move |(index, usual)| {
            let others = own.iter().filter(|own| own.len() == usual.len() && own != usual);
            others.filter_map(rank).any(|own| own > *index)
        });
        better.filter_map(|(_, usual)| self.with_arguments(test, usual))
    }

    /// The test with these arguments wherever there are as many others; `None` where they do not fit.
    fn with_arguments(&self, test: &TestCase, usual: &Arguments<'c>) -> Option<TestCase> {
        let mut changed = test.clone();
        for statement in changed.statements_mut() {
            if let Statement::Constructor { callable, .. } | Statement::Method { callable, .. } = statement {
                *callable = self.instantiation(*callable, usual)?;
            } else if let Statement::Null { of } = statement {
                *of = self.type_with(*of, usual)?;
            }
        }
        (changed != *test && changed.validate(self.cluster).is_ok()).then_some(changed)
    }

    /// The instantiation of the same member with these arguments; itself where it has not as many.
    fn instantiation(&self, of: CallableId, usual: &Arguments<'c>) -> Option<CallableId> {
        let own = arguments_of(self.cluster, of);
        if own.len() != usual.len() || own == *usual {
            return Some(of);
        }
        let all = &self.instantiations[&self.cluster.callable(of).member];
        let owner = &self.cluster.ty(self.cluster.callable(of).owner).erased;
        let fits = |other: &&CallableId| {
            arguments_of(self.cluster, **other) == *usual
                && self.cluster.ty(self.cluster.callable(**other).owner).erased == *owner
        };
        all.iter().find(fits).copied()
    }

    /// The same class with these arguments; itself where it has not as many.
    fn type_with(&self, of: TypeId, usual: &Arguments<'c>) -> Option<TypeId> {
        let own = arguments_of_type(self.cluster, of);
        if own.len() != usual.len() || own == *usual {
            return Some(of);
        }
        let erased = &self.cluster.ty(of).erased;
        let fits = |other: &TypeId| {
            self.cluster.ty(*other).erased == *erased && arguments_of_type(self.cluster, *other) == *usual
        };
        (0..self.cluster.types.len()).map(TypeId::from).find(fits)
    }
}

/// The different type arguments that a test has.
fn arguments_in<'c>(cluster: &'c TestCluster, test: &TestCase) -> Vec<Arguments<'c>> {
    let mut found: Vec<Arguments<'c>> = Vec::new();
    for callable in test.statements().iter().filter_map(Statement::callable) {
        let arguments = arguments_of(cluster, callable);
        if !arguments.is_empty() && !found.contains(&arguments) {
            found.push(arguments);
        }
    }
    found
}

/// What stands for the type parameters of a method, else for those of the class that it is called through.
fn arguments_of(cluster: &TestCluster, of: CallableId) -> Arguments<'_> {
    let callable = cluster.callable(of);
    if callable.type_arguments.is_empty() {
        return arguments_of_type(cluster, callable.owner);
    }
    callable.type_arguments.iter().map(|argument| &cluster.ty(*argument).generic).collect()
}

/// None of a type with a wildcard: that is what a call gave.
fn arguments_of_type(cluster: &TestCluster, of: TypeId) -> Arguments<'_> {
    let GenericType::Class(class) = &cluster.ty(of).generic else { return Vec::new() };
    let exact = class.arguments.iter().map(|argument| match argument {
        TypeArgument::Exact(exact) => Some(exact),
        TypeArgument::Extends(_) | TypeArgument::Super(_) | TypeArgument::Unbounded => None,
    });
    exact.collect::<Option<_>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use bytecode::name::ClassName;
    use bytecode::signature::ClassType;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::statement::VarRef;
    use testcase::value::Value;

    use super::*;

    /// A class with two type parameters, instantiated in two ways: constructor, `size` and `get`, of each.
    struct Cache {
        cluster: TestCluster,
        by_text: [CallableId; 3],
        by_number: [CallableId; 3],
    }

    impl Cache {
        fn new() -> Self {
            let mut builder = ClusterBuilder::new("p/Cache");
            let [text, number] = ["java/lang/String", "java/lang/Integer"].map(GenericType::class);
            let mut instantiation = |key: &GenericType, value: &GenericType| {
                let arguments = [key, value].map(|argument| TypeArgument::Exact(argument.clone()));
                let class =
                    ClassType { arguments: arguments.to_vec(), ..ClassType::new(ClassName::from("p/Cache")) };
                let owner = builder.ty(GenericType::Class(class));
                let key = builder.ty(key.clone());
                let int = builder.ty(GenericType::Primitive(bytecode::descriptor::PrimitiveType::Int));
                [
                    builder.constructor(owner, &[]),
                    builder.method(owner, "size", &[], Some(int)),
                    builder.method(owner, "get", &[key], None),
                ]
            };
            let (by_text, by_number) = (instantiation(&text, &number), instantiation(&number, &text));
            let mut cluster = builder.build();
            for (one, other) in by_text.iter().zip(by_number) {
                cluster.callables[other.index()].member = cluster.callable(*one).member;
            }
            Self { cluster, by_text, by_number }
        }

        fn size([make, size, _]: [CallableId; 3]) -> TestCase {
            TestCase::new(vec![
                Statement::Constructor { callable: make, arguments: Vec::new().into() },
                Statement::Method { callable: size, receiver: Some(VarRef(0)), arguments: Vec::new().into() },
            ])
        }

        fn get([make, _, get]: [CallableId; 3], key: Value) -> TestCase {
            let boxed = !matches!(key, Value::String(_));
            TestCase::new(vec![
                Statement::Constructor { callable: make, arguments: Vec::new().into() },
                Statement::Primitive { value: key, boxed },
                Statement::Method {
                    callable: get,
                    receiver: Some(VarRef(0)),
                    arguments: vec![VarRef(1)].into(),
                },
            ])
        }
    }

    #[test]
    fn tests_have_the_type_arguments_of_most_others_where_these_fit() {
        let cache = Cache::new();
        let tests = [
            Cache::size(cache.by_number),
            Cache::get(cache.by_text, Value::String("a".into())),
            Cache::size(cache.by_text),
            Cache::get(cache.by_number, Value::Int(1)),
            Cache::get(cache.by_text, Value::String("b".into())),
        ];
        for test in &tests {
            assert_eq!(test.validate(&cache.cluster), Ok(()));
        }
        let usual = Usual::of(&cache.cluster, tests.iter());
        let changed: Vec<Vec<TestCase>> = tests.iter().map(|test| usual.instead_in(test).collect()).collect();
        // A number is no text, and what most tests have stays.
        assert_eq!(changed, [vec![Cache::size(cache.by_text)], vec![], vec![], vec![], vec![]]);
    }
}
