//! Fields and methods that tests share: what several of them begin with.

use coverage::goal::GoalSet;
use output::asserted_test::AssertedTest;
use output::junit::arrangement::{Arrangement, FixtureForm};
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::assertion::ObservationTarget;
use testcase::statement::VarRef;
use testcase::value::Value;

use super::{World, text, value, world};
use crate::common::TestBuilder;

/// A shop with that name in it and another one.
fn filled(world: &World, test: &mut TestBuilder, name: &str) -> VarRef {
    let shop = world.shop(test);
    let add = world.find("add", "(Ljava/lang/String;)Lp/Shop;");
    for name in [name, "b"] {
        let name = test.value(text(name));
        test.call(add, shop, &[name]);
    }
    shop
}

/// A filled shop has two names, and so many behind another call.
fn counting(world: &World, name: &str, more: usize) -> AssertedTest {
    let mut test = TestBuilder::default();
    let shop = filled(world, &mut test, name);
    for _ in 0..more {
        let name = test.value(text("c"));
        test.call(world.find("add", "(Ljava/lang/String;)Lp/Shop;"), shop, &[name]);
    }
    let size = test.call(world.find("size", "()I"), shop, &[]);
    test.assert_value(size, Value::Int(i32::try_from(2 + more).unwrap()));
    test.finish()
}

/// A filled shop fails.
fn failing(world: &World, name: &str) -> AssertedTest {
    let mut test = TestBuilder::default();
    let shop = filled(world, &mut test, name);
    let message = test.value(text("no"));
    test.call(world.find("fail", "(Ljava/lang/String;)V"), shop, &[message]);
    test.throws("java/io/IOException");
    test.finish()
}

/// A box without type arguments that holds a text, which a shop gives again.
fn raw(world: &World, held: &str) -> AssertedTest {
    let mut test = TestBuilder::default();
    let raw = test.call_static(world.find("raw", "()Lp/Box;"), &[]);
    let other = test.call_static(world.find("raw", "()Lp/Box;"), &[]);
    let shop = filled(world, &mut test, "a");
    let held = test.value(text(held));
    let of_any = world.find("any", "(Ljava/lang/Object;)Ljava/lang/Object;");
    for object in [raw, other, held, shop] {
        test.call_static(of_any, &[object]);
    }
    let size = test.call(world.find("size", "()I"), shop, &[]);
    test.assert(ObservationTarget::Value(size), value(Value::Int(2)));
    test.finish()
}

/// Compiles and runs a suite in all styles; gives the texts.
fn check(world: &World, suite: &[AssertedTest], has_set_up: bool, helpers: usize) -> Vec<String> {
    let check = |style| {
        let (class, goals) = (world.builder.cluster.class_under_test.clone().unwrap(), GoalSet::default());
        let writer = JunitWriter::new(&world.builder.cluster, &world.hierarchy, &goals, class, style);
        let fixtures = Arrangement { fixtures: FixtureForm::Shared, ..Arrangement::default() };
        let text = world.run(&writer.arranged(fixtures).write(suite));
        let found = (text.contains("void setUp()"), text.matches("    private static ").count());
        assert_eq!(found, (has_set_up, helpers), "{text}");
        text
    };
    [JunitStyle::Jupiter, JunitStyle::Junit413, JunitStyle::Junit4].map(check).to_vec()
}

#[test]
fn fields_are_set_before_each_test() {
    let world = world();
    let suite = [counting(&world, "a", 0), counting(&world, "a", 1), failing(&world, "a")];
    check(&world, &suite, true, 0);
}

#[test]
fn methods_make_what_some_tests_begin_with() {
    let world = world();
    let of = |name: &str| [counting(&world, name, 0), counting(&world, name, 1), failing(&world, name)];
    check(&world, &[of("a"), of("z")].concat(), false, 2);
}

#[test]
fn warnings_go_along() {
    let world = world();
    let suite = ["a", "b", "c", "d", "e", "f", "g"].map(|held| raw(&world, held));
    for text in check(&world, &suite, false, 1) {
        let helper = "    @SuppressWarnings(\"rawtypes\")\n    private static Shop preparedShop() {\n";
        assert!(text.contains(helper) && text.matches("@SuppressWarnings").count() == 1, "{text}");
    }
}
