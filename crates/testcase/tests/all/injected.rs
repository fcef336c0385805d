//! Fields that a container fills: which these are, and that new objects get them.

use std::collections::BTreeSet;

use crate::sections::{build_from, build_with, random_tests, sections};
use testcase::cluster::TestCluster;
use testcase::cluster::build::Mockable;
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::statement::Statement;

const SOURCES: &str = r#"
//- /p/Inject.java
package p;

import java.lang.annotation.*;

@Retention(RetentionPolicy.RUNTIME)
public @interface Inject { }
//- /p/Base.java
package p;

public class Base {
    @Inject private Clock clock;
    protected String now() { return clock.now(); }
}
//- /p/Shop.java
package p;

public class Shop extends Base {
    @Inject private Stock stock;
    @Inject Clock own;
    @Inject private static Clock shared;
    @Inject private final Clock fixed = null;
    private Stock other;

    public String sell(String name) { return stock.take(name) + now() + own.now() + other; }
}
//- /p/Stock.java
package p;

public interface Stock { int take(String name); }
//- /p/Clock.java
package p;

public class Clock { public String now() { return "now"; } }
"#;

fn cluster() -> TestCluster {
    build_from(&fixture::compile(SOURCES).hierarchy_of_java_8(), "p/Shop", &[]).expect("a cluster is built")
}

#[test]
fn annotated_fields_of_objects_are_filled_and_those_that_a_test_may_not_write_are_hidden() {
    let cluster = cluster();
    let names = |fields: &[_]| -> Vec<String> {
        let name = |id| {
            let field = cluster.field(id);
            format!("{}.{}", field.declared_in.binary(), field.name)
        };
        let mut names: Vec<String> = fields.iter().copied().map(name).collect();
        names.sort();
        names
    };
    assert_eq!(names(&cluster.injected), ["p.Base.clock", "p.Shop.own", "p.Shop.stock"]);
    assert_eq!(names(&cluster.hidden), ["p.Base.clock", "p.Shop.stock"]);
}

#[test]
fn tests_may_be_longer_by_what_a_container_gives_the_object() {
    let cluster = cluster();
    let length = |inject| {
        let options = FactoryOptions { inject, max_length: 10, ..FactoryOptions::default() };
        TestFactory::new(&cluster, options).options().max_length
    };
    assert_eq!((length(0.9), length(0.0)), (16, 10));
}

#[test]
fn a_new_object_is_given_what_its_container_would_give_it() {
    let cluster = cluster();
    let filled = |inject: f64| {
        let (mut shops, mut writes) = (0, 0);
        for test in random_tests(&cluster, FactoryOptions { inject, ..FactoryOptions::default() }, 100) {
            for (position, statement) in test.statements().iter().enumerate() {
                let made = |id| cluster.callable(id).declared_in.as_str() == "p/Shop";
                if matches!(statement, Statement::Constructor { callable, .. } if made(*callable)) {
                    shops += 1;
                    let of_shop = |other: &&Statement| {
                        matches!(other, Statement::FieldWrite { field, receiver: Some(shop), .. }
                            if shop.index() == position && cluster.injected.contains(field))
                    };
                    writes += test.statements()[position..].iter().filter(of_shop).count();
                }
            }
        }
        assert!(shops > 30, "{shops}");
        writes * 100 / shops
    };
    // Calls on an object write its fields as well.
    let (always, never) = (filled(1.0), filled(0.0));
    assert!(always > never + 100, "{always} {never}");
}

const DESK: &str = r"
//- /p/Inject.java
package p;

import java.lang.annotation.*;

@Retention(RetentionPolicy.RUNTIME)
public @interface Inject { }
//- /p/Desk.java
package p;

public class Desk {
    @Inject private Stock stock;
    private final Ledger ledger;

    private Till till;

    @Inject public Desk(Ledger ledger) { this.ledger = ledger; }
    @Inject public void use(Till till) { this.till = till; }

    public int sell(String name, Label label) { return stock.count(name) + ledger.pages() + label.size() + till.coins(); }
}
//- /p/Till.java
package p;

public class Till { public int coins() { return 1; } }
//- /p/Stock.java
package p;

public abstract class Stock { public abstract int count(String name); }
//- /p/Shelf.java
package p;

public class Shelf extends Stock { public int count(String name) { return 0; } }
//- /p/Ledger.java
package p;

public class Ledger { public int pages() { return 1; } }
//- /p/Label.java
package p;

public class Label { public int size() { return 1; } }
";

#[test]
fn what_a_container_hands_in_has_a_mock_however_easily_it_is_made() {
    let hierarchy = fixture::compile(DESK).hierarchy_of_java_8();
    let cluster = build_with(&hierarchy, "p/Desk", &[], Mockable::Open).expect("a cluster is built");
    let listed = sections(&cluster, &["Stock", "Ledger", "Label", "Till"]);
    let mocks = listed.lines().filter(|line| line.starts_with("  = mock ")).map(str::trim);
    assert_eq!(
        mocks.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>(),
        ["= mock Ledger {pages(): int}", "= mock Stock {count(String): int}", "= mock Till {coins(): int}"],
        "\n{listed}"
    );
    assert!(!listed.contains("= stub Stock"), "a mock takes the place of a subclass: {listed}");
}

#[test]
fn a_new_object_has_the_methods_called_by_which_its_container_hands_things_in() {
    let hierarchy = fixture::compile(DESK).hierarchy_of_java_8();
    let cluster = build_with(&hierarchy, "p/Desk", &[], Mockable::Open).expect("a cluster is built");
    let names: Vec<&str> = cluster.injecting.iter().map(|id| &*cluster.callable(*id).name).collect();
    assert_eq!(names, ["use"]);
    let called = |inject: f64| {
        let options = FactoryOptions { inject, ..FactoryOptions::default() };
        let is_called = |statement: &Statement| {
            statement.callable().is_some_and(|callable| cluster.injecting.contains(&callable))
        };
        let tests = random_tests(&cluster, options, 100);
        tests.iter().filter(|test| test.statements().iter().any(is_called)).count()
    };
    let (always, never) = (called(1.0), called(0.0));
    assert!(always > never + 10, "{always} {never}");
}
