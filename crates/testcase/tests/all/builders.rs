//! Builders and other classes that are made by methods, as text: see the tests of clusters.

use crate::sections::{build_within, check};
use crate::sources::{BUILDER, GENERIC_MAKERS};
use testcase::cluster::build::ClusterOptions;

#[test]
fn builders_singletons_and_what_cannot_be_made() {
    check(
        BUILDER,
        "p/Builder",
        &["test calls", "House", "House.Maker", "Single", "Impossible"],
        "
test calls
  * new Builder()
  * static Builder.use(House, Single, Impossible)
  * static Builder.build(House.Maker)
House
  = House.Maker.build(): House
Single
  = static Single.getInstance(): Single
Impossible
  ~ Impossible.copy(): Impossible
House.Maker
  = static House.maker(): House.Maker
  ~ House.Maker.rooms(int): House.Maker
  ~ House.Maker.build(): House
! no value of type p.Impossible can be made; only null is passed
",
    );
}

#[test]
fn generic_methods_of_builders_make_what_they_are_asked_for() {
    check(
        GENERIC_MAKERS,
        "p/Shop",
        &["test calls", "Many<String, Integer>", "Many.Maker<Integer>", "Table<?, ?>"],
        "
test calls
  * new Shop()
  * static Shop.count(Many<String, Integer>, Table<?, ?>): int
Many<String, Integer>
  = Many.Maker<Integer>.<String, Integer>empty(): Many<String, Integer>
Table<?, ?>
  = Table.Maker<String>.<String, String>build(): Table<String, String>
  = stub Table<String, String>() {}
Many.Maker<Integer>
  = new Many.Maker<Integer>()
  = static Many.<Integer>with(): Many.Maker<Integer>
  ~ Many.Maker<Integer>.<String, Integer>empty(): Many<String, Integer>
  ~ Many.Maker<Integer>.<String>hidden(): Many<String, String>
",
    );
}

const WRITES_INTO_WHAT_IT_BUILDS: &str = r#"//- /p/Reader.java
package p;

class Statement {
    private String[] keys;
    private String name = "";
    private Statement() { }
    String[] getKeys() { return keys; }

    static class Builder {
        private final Statement statement = new Statement();
        Builder name(String name) { statement.name = name; return this; }
        Builder key(String key) { statement.keys = new String[] {key}; return this; }
        Statement build() { return statement; }
    }
}
class Day {
    private final int number;
    Day(int number) { this.number = number; }
    Day next() { return new Day(number + 1); }
}
class Reader {
    int read(Statement statement, Day day) { return statement.getKeys().length; }
}
"#;

#[test]
fn a_builder_that_writes_into_what_it_builds_is_changed_by_its_calls() {
    check(
        WRITES_INTO_WHAT_IT_BUILDS,
        "p/Reader",
        &["Statement", "Statement.Builder", "Day"],
        "
Statement
  = Statement.Builder.build(): Statement
  ~ Statement.getKeys(): String[]
  ? Statement.getKeys(): String[]
Day
  = new Day(int)
  = Day.next(): Day
Statement.Builder
  = new Statement.Builder()
  ~ Statement.Builder.name(String): Statement.Builder
  ~ Statement.Builder.key(String): Statement.Builder
  ~ Statement.Builder.build(): Statement
",
    );
}

const REALMS: &str = "//- /p/Desk.java
package p;

class Realm {
    final String user;
    private Realm(String user) { this.user = user; }
    static class Builder {
        private String user;
        Builder user(String user) { this.user = user; return this; }
        Realm build() { return new Realm(user); }
    }
}
class Source { Realm realm() { return null; } }
class Answer {
    private Realm realm;
    Realm getRealm() { return realm; }
    void setRealm(Realm realm) { this.realm = realm; }
}
class Desk {
    String user(Answer answer) { return answer.getRealm().user; }
}
";

#[test]
fn a_builder_is_known_however_many_types_there_are() {
    let options = ClusterOptions { max_types: 0, ..ClusterOptions::default() };
    let hierarchy = fixture::compile(REALMS).hierarchy_of_java_8();
    let cluster = build_within(&hierarchy, "p/Desk", &[], &options).expect("a cluster is built");
    let expect = "Realm
  = Realm.Builder.build(): Realm
Realm.Builder
  = new Realm.Builder()
";
    let text = crate::sections::sections(&cluster, &["Realm", "Realm.Builder"]);
    let makers = text.lines().filter(|line| !line.starts_with("  ~") && !line.starts_with("  ?"));
    assert_eq!(makers.collect::<Vec<_>>(), expect.lines().collect::<Vec<_>>());
}
