//! Classes that ask another class for the context that it keeps, end to end: tests set it, and set it back.

use crate::support::generated;

const ORDERS: &str = r#"
//- /p/Orders.java
package p;

import q.*;

public class Orders {
    public String visible() {
        User user = Users.current();
        if (user == null) { return "nothing"; }
        return user.isAdmin() ? "all" : "those of " + user.getName();
    }
    public long owner() { return Session.id() + 1; }
}
//- /q/User.java
package q;

public class User {
    private final String name;
    private final boolean admin;
    public User(String name, boolean admin) { this.name = name; this.admin = admin; }
    public String getName() { return name; }
    public boolean isAdmin() { return admin; }
}
//- /q/Users.java
package q;

public class Users {
    private static final ThreadLocal<User> USERS = new ThreadLocal<>();
    public static User current() { return USERS.get(); }
    public static void setCurrent(User user) { USERS.set(user); }
}
//- /q/Session.java
package q;

public class Session {
    private static Long id;
    public static long id() {
        if (id == null) { throw new IllegalStateException("no session"); }
        return id;
    }
    public static void setId(long set) { id = set; }
}
"#;

#[test]
fn contexts_are_set_and_set_back_and_those_are_left_alone_that_throw_where_nobody_has_set_them() {
    let compiled = fixture::compile(ORDERS);
    for (junit, restores) in [
        (
            "5",
            "    @AfterEach\n    void restoreStaticState() {\n        Users.setCurrent(originalCurrent);\n",
        ),
        (
            "4",
            "    @After\n    public void restoreStaticState() {\n        Users.setCurrent(originalCurrent);\n",
        ),
    ] {
        let always = ["--class", "p.Orders", "--criterion", "branch,line,weak-mutation", "--junit", junit];
        let (report, file) = generated(&compiled, &[&always[..], &["--budget", "4000executions"]].concat());
        let open = report.open_goals.iter().filter(|open| open.criterion == "branch");
        let open: Vec<&str> = open.map(|open| open.goal.as_str()).collect();
        assert!(open.is_empty(), "{open:?}\n{file}");
        for line in [
            "    private final User originalCurrent = Users.current();\n",
            restores,
            "Users.setCurrent(new User(",
            "assertEquals(\"all\", ",
            "IllegalStateException",
        ] {
            assert!(file.contains(line), "{line}: {file}");
        }
        assert!(!file.contains("Session"), "{file}");
    }
}

const QUEUE: &str = r#"
//- /p/Queue.java
package p;

public class Queue {
    private static Scheduler scheduler;

    public static void setScheduler(Scheduler set) { scheduler = set; }
    public static int add(String job) { return verified().add(job); }
    public static boolean remove(String job) { return verified().remove(job); }
    public static int size() { return verified().size(); }
    private static Scheduler verified() {
        if (scheduler == null) { throw new IllegalStateException("no scheduler has been set"); }
        return scheduler;
    }
}
//- /p/Scheduler.java
package p;

public final class Scheduler {
    private final java.util.List<String> jobs = new java.util.ArrayList<>();
    public int add(String job) { jobs.add(job); return jobs.size(); }
    public boolean remove(String job) { return jobs.remove(job); }
    public int size() { return jobs.size(); }
}
"#;

#[test]
fn what_the_class_under_test_keeps_is_set_back_to_null_where_nothing_gives_it() {
    let always = ["--class", "p.Queue", "--suite", "complete", "--budget", "3000executions"];
    let (report, file) = generated(&fixture::compile(QUEUE), &always);
    let of_branches = report.open_goals.iter().filter(|open| open.criterion == "branch");
    let open: Vec<&str> = of_branches.map(|open| open.goal.as_str()).collect();
    assert!(open.is_empty(), "{open:?}\n{file}");
    let restores =
        "    @AfterEach\n    void restoreStaticState() {\n        Queue.setScheduler(null);\n    }\n";
    assert!(file.contains(restores), "{file}");
    // Each of the three calls ends both ways: nothing that one test left makes another fail.
    for call in ["Queue.add(", "Queue.remove(", "Queue.size()"] {
        assert!(file.matches(call).count() >= 2, "{call} {file}");
    }
    assert!(file.matches("assertThrows(IllegalStateException.class").count() >= 3, "{file}");
}
