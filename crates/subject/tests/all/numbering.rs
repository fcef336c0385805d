//! Goals and probes are numbered by name and place, whatever the order in which anything is found or seen.

use std::collections::BTreeSet;

use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use coverage::goal::Goal;
use subject::examine::Asked;
use subject::nest::Weakened;
use subject::{Identity, Subject};
use testcase::execution::{ExceptionKind, SeenException};

const NESTED: &str = "
//- /p/Outer.java
package p;
public class Outer {
    public int positive(int a) { return a > 0 ? new Late().negative(a) : new Early().zero(a); }
    static class Late { int negative(int a) { return a < 0 ? 1 : 2; } }
    static class Early { int zero(int a) { while (a != 0) { a /= 2; } return a; } }
}
";

const NEST: [&str; 3] = ["p/Outer", "p/Outer$Early", "p/Outer$Late"];

fn subject(hierarchy: ClassHierarchy, nest: &[ClassName]) -> Subject {
    let identity = Identity { class: "p/Outer".into(), test_class: "p/OuterTest".into(), source_level: 8 };
    let criteria = ["branch", "line", "weak-mutation", "output", "exception"].map(str::to_owned);
    Subject::new(identity, hierarchy.into(), nest, Asked::criteria(&criteria), Weakened::new(), &|_, _| {
        BTreeSet::new()
    })
    .unwrap()
}

fn seen(exception: &str) -> SeenException {
    SeenException {
        class: "p/Outer".into(),
        method: "positive(I)I".into(),
        exception: exception.into(),
        kind: ExceptionKind::Implicit,
    }
}

#[test]
fn goals_and_probes_do_not_depend_on_the_order_in_which_classes_are_named_or_read() {
    let compiled = fixture::compile(NESTED);
    let expected = subject(compiled.hierarchy(), &NEST.map(ClassName::from));
    assert!(expected.goals().len() > 20);
    for order in [[2, 1, 0], [1, 2, 0], [2, 0, 1]] {
        let hierarchy = compiled.hierarchy();
        let nest = order.map(|index| ClassName::from(NEST[index]));
        // What was read before has no effect either.
        assert!(nest.iter().all(|class| hierarchy.class(class).is_some()));
        let found = subject(hierarchy, &nest);
        assert_eq!(found.goals().goals(), expected.goals().goals());
        assert_eq!(format!("{:?}", found.nest.maps), format!("{:?}", expected.nest.maps));
    }
}

#[test]
fn goals_of_exceptions_come_behind_all_others_in_the_order_in_which_they_are_seen() {
    let compiled = fixture::compile(NESTED);
    let nest = NEST.map(ClassName::from);
    let without = subject(compiled.hierarchy(), &nest).goals();
    for order in [["a/E", "a/F"], ["a/F", "a/E"]] {
        let subject = subject(compiled.hierarchy(), &nest);
        subject.add_exceptions(vec![seen(order[0])]);
        subject.add_exceptions(vec![seen(order[1])]);
        let goals = subject.goals();
        let (before, behind): (&[Goal], &[Goal]) = goals.goals().split_at(without.len());
        assert_eq!(before, without.goals());
        let names: Vec<String> = behind.iter().map(ToString::to_string).collect();
        let expected = order.map(|class| format!("exception p/Outer#positive(I)I@Implicit:{class}"));
        assert_eq!(names, expected);
    }
}
