//! Contexts that classes keep: which of them tests may set, and how often they do.

use crate::sections::build_from;
use testcase::cluster::TestCluster;
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::test_case::TestCase;

const SOURCES: &str = r#"
//- /p/Orders.java
package p;

import q.*;

public class Orders {
    private static User owner;

    public static User getOwner() { return owner; }
    public static void setOwner(User user) { owner = user; }

    private static User hidden;
    private static User first = new User("first");
    public static void setHidden(User user) { hidden = user; }
    public static void setFirst(User user) { first = user; }

    private static User wide;
    private static User wideFirst = new User("first");
    public static Object wide() { return wide; }
    public static void setWide(User user) { wide = user; }
    public static Object wideFirst() { return wideFirst; }
    public static void setWideFirst(User user) { wideFirst = user; }

    public String order() { return Holder.getUser().name; }
    public String all() { return owner() + Stack.peek() + Numbers.next() + Checked.get() + Lists.get() + getOwner(); }
    private String owner() { return Tenants.name(); }
}
//- /q/User.java
package q;

public class User {
    public final String name;
    public User(String name) { this.name = name; }
}
//- /q/Holder.java
package q;

public class Holder {
    private static final ThreadLocal<User> USERS = new ThreadLocal<>();
    public static User getUser() { return USERS.get(); }
    public static void saveUser(User user) { USERS.set(user); }
    public static void removeUser(User user) { USERS.remove(); }
    public static void setUser(User user) { USERS.set(user); }
}
//- /q/Tenants.java
package q;

public class Tenants {
    private static long tenant;
    public static long current() { return tenant; }
    public static void setCurrent(long number) { tenant = number; }
    public static String name() { return "tenant " + current(); }
}
//- /q/Stack.java
package q;

public class Stack {
    private static User top;
    public static User peek() { return top; }
    public static void push(User user) { top = user; }
}
//- /q/Numbers.java
package q;

public class Numbers {
    private static int last;
    public static int next() { return ++last; }
    public void setNext(int number) { last = number; }
}
//- /q/Checked.java
package q;

public class Checked {
    private static User one;
    public static User get() { return one; }
    public static void set(User user) throws java.io.IOException { one = user; }
}
//- /q/Lists.java
package q;

import java.util.List;

public class Lists {
    private static List<User> all;
    public static List<User> get() { return all; }
    public static void set(List<String> names) { all = null; }
}
"#;

fn cluster(class: &str) -> TestCluster {
    build_from(&fixture::compile(SOURCES).hierarchy_of_java_8(), class, &[]).expect("a cluster is built")
}

#[test]
fn what_the_code_asks_other_classes_for_can_be_set_where_it_can_be_set_back() {
    for (class, expect) in [
        // What pushes, counts, declares an exception or takes something else is left alone; of its own state what nobody can set back.
        (
            "p/Orders",
            &[
                "p.Orders.setHidden",
                "p.Orders.setOwner",
                "p.Orders.setWide",
                "q.Holder.setUser",
                "q.Tenants.setCurrent",
            ][..],
        ),
        ("q/Holder", &[]),
        ("q/User", &[]),
    ] {
        let cluster = cluster(class);
        let name = |id| {
            let callable = cluster.callable(id);
            format!("{}.{}", callable.declared_in.binary(), callable.name)
        };
        let mut found: Vec<String> = cluster.contexts.iter().map(|context| name(context.set)).collect();
        found.sort();
        assert_eq!(found, expect, "{class}");
        for context in &cluster.contexts {
            let of_another = !name(context.set).starts_with("p.Orders.");
            assert_eq!(cluster.settings.contains(&context.set), of_another, "test calls are drawn as such");
            let getter = context.get.map_or_else(|| "nothing".to_owned(), name);
            assert!(
                ["getUser", "current", "getOwner", "nothing"].iter().any(|end| getter.ends_with(end)),
                "{getter}"
            );
            let set = name(context.set);
            assert_eq!(context.get.is_none(), ["setHidden", "setWide"].iter().any(|end| set.ends_with(end)));
        }
    }
}

#[test]
fn contexts_are_set_as_often_as_settings() {
    let cluster = cluster("p/Orders");
    for (settings, expect) in [(0.05, 50..400), (0.0, 0..1)] {
        let mut factory =
            TestFactory::new(&cluster, FactoryOptions { settings, ..FactoryOptions::default() });
        let mut random = Random::new(3, 0);
        let tests = (0..500).map(|_| factory.random_test(&mut random));
        let is_drawn =
            |test: &TestCase| cluster.contexts_of(test).iter().any(|one| cluster.settings.contains(&one.set));
        let setting = tests.filter(is_drawn).count();
        assert!(expect.contains(&setting), "{settings}: {setting}");
    }
}
