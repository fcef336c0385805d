//! What the code under test asks objects for: what lies under keys, and properties. Tests put it there.

use crate::sections::{check, cluster, random_tests, share_of};
use testcase::cluster::CallableKind;
use testcase::cluster::listing::TestText;
use testcase::factory::options::FactoryOptions;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

const SOURCES: &str = r#"//- /p/Page.java
package p;

class Names {
    static final Name SIZE = new Name("size");
    static final Name COLOR = new Name("color");
}
final class Name {
    private final String text;
    Name(String text) { this.text = text; }
}
class User {
    String name() { return "a"; }
}
enum Field { USER, AGE }
class Session {
    private final java.util.Map<String, Object> all = new java.util.HashMap<>();
    void set(String key, Object value) { all.put(key, value); }
    <T> T get(String key) { return (T) all.get(key); }
}
class Dictionary {
    private final java.util.Map<Name, Object> all = new java.util.HashMap<>();
    void put(Name key, Object value) { all.put(key, value); }
    Object get(Name key) { return all.get(key); }
}
class Sizes {
    static int of(Dictionary dictionary) { return deep(dictionary); }
    private static int deep(Dictionary dictionary) { return (Integer) dictionary.get(Names.SIZE); }
}
final class Absent {
    private Absent() { }
}
class Other {
    static final double[] KEY = {1};
    static Object get(double key, int[] all) { return all; }
}
class Page {
    int size(Dictionary dictionary) { return Sizes.of(dictionary); }
    String user(Session session) {
        User user = session.get(Field.USER.name());
        return user == null ? "nobody" : user.name();
    }
    boolean unknown(Session session) { return session.get("any").equals("a") || (Object) session.get("text") instanceof String; }
    boolean never(Session session) { return session.get("none") instanceof Absent; }
    boolean nowhere(int[] all) { return Other.get(1.0, all) instanceof Page; }
}
"#;

#[test]
fn what_the_code_casts_lies_under_the_key_that_it_asked_with() {
    check(
        SOURCES,
        "p/Page",
        &["keys"],
        r#"
keys
  String("USER"): User
  String("text"): String
  Names.SIZE: Integer
"#,
    );
}

#[test]
fn half_of_what_is_put_under_a_key_is_what_the_code_looks_for_there() {
    let cluster = cluster(SOURCES, "p/Page", &[]);
    let set = |statement: &Statement| {
        let Statement::Method { callable, arguments, .. } = statement else { return None };
        let callable = cluster.callable(*callable);
        let is_set = &*callable.name == "set" && callable.kind == CallableKind::InstanceMethod;
        is_set.then(|| (arguments[0], arguments[1]))
    };
    let shares = |entries: f64| {
        let (mut all, mut together) = (0, 0);
        for test in random_tests(&cluster, FactoryOptions { entries, ..FactoryOptions::default() }, 400) {
            for (key, value) in test.statements().iter().filter_map(set) {
                let is_user = matches!(test.statement(key), Statement::Primitive { value, .. }
                    if *value == testcase::value::Value::String("USER".into()));
                let of = test.variable_type(&cluster, value).map(|of| cluster.ty(of).erased.descriptor());
                all += 1;
                together += usize::from(is_user && of.as_deref() == Some("Lp/User;"));
            }
        }
        (all, together)
    };
    let (all, together) = shares(0.5);
    assert!(all > 100 && together > all / 8, "{together} of {all}");
    assert_eq!(shares(0.0).1, 0);
}

const FILTERS: &str = r#"//- /p/Filter.java
package p;
import java.util.Map;

class Arguments {
    static String getRequired(String key, Map<String, String> all) {
        String found = all.get(key);
        if (found == null) throw new IllegalArgumentException(key);
        return found;
    }
}
public class Filter {
    public int filter(Map<String, String> all) {
        return Arguments.getRequired("wordFrom", all).length() + Arguments.getRequired("tag", all).length();
    }
    public boolean compare(String one, String other) { return one.equals(other); }
}
"#;

#[test]
fn what_a_getter_gives_for_a_text_is_put_under_it_and_two_texts_elsewhere_mean_anything() {
    check(
        FILTERS,
        "p/Filter",
        &["keys"],
        r#"
keys
  String("tag"): String
  String("wordFrom"): String
"#,
    );
    let cluster = cluster(FILTERS, "p/Filter", &[]);
    let shares = |entries: f64, method: &str| {
        let (mut all, mut keyed) = (0, 0);
        for test in random_tests(&cluster, FactoryOptions { entries, ..FactoryOptions::default() }, 600) {
            for statement in test.statements() {
                let Statement::Method { callable, arguments, .. } = statement else { continue };
                if &*cluster.callable(*callable).name == method {
                    all += 1;
                    keyed += usize::from(
                        matches!(test.statement(arguments[0]), Statement::Primitive { value, .. }
                        if *value == testcase::value::Value::String("wordFrom".into())),
                    );
                }
            }
        }
        (all, keyed)
    };
    let (all, keyed) = shares(0.5, "put");
    assert!(all > 50 && keyed > all / 5, "{keyed} of {all}");
    // Only where a text that is there already is used again.
    let (all, keyed) = shares(0.5, "compare");
    assert!(keyed < all / 20, "{keyed} of {all}");
    assert_eq!(shares(0.0, "put").1, 0);
}

#[test]
fn a_new_map_at_times_has_something_under_each_key() {
    let cluster = cluster(FILTERS, "p/Filter", &[]);
    let filled = |fill_all: f64| {
        let options = FactoryOptions { fill_all, ..FactoryOptions::default() };
        let has_all = |test: &&TestCase| {
            let text = TestText(&cluster, test).to_string();
            text.contains("new HashMap") && ["wordFrom", "tag"].iter().all(|key| text.contains(key))
        };
        random_tests(&cluster, options, 400).iter().filter(has_all).count()
    };
    let (always, never) = (filled(1.0), filled(0.0));
    assert!(always > 2 * never && always > 100, "{always}, and {never} by chance");
}

const ORDERS: &str = r"//- /p/Desk.java
package p;

class Person { }
class Order {
    private Person owner;
    private String note;
    public Person getOwner() { return owner; }
    public void setOwner(Person owner) { this.owner = owner; }
    public String getNote() { return note; }
    public void setNote(String note) { this.note = note; }
}
class Owners {
    static Person of(Order order) { return order.getOwner(); }
}
class Desk {
    boolean isFree(Order order) { return Owners.of(order) == null; }
}
";

#[test]
fn new_objects_are_set_up_with_what_the_code_asks_them_for() {
    let cluster = cluster(ORDERS, "p/Desk", &[]);
    let tests = random_tests(&cluster, FactoryOptions::default(), 400);
    let calls = |name: &str| {
        let statements = tests.iter().flat_map(TestCase::statements);
        let called = statements.filter_map(Statement::callable).map(|id| cluster.callable(id));
        called.filter(|callable| &*callable.name == name).count()
    };
    let [owner, note] = ["setOwner", "setNote"].map(calls);
    assert!(note > 0 && owner > 3 * note, "{owner} {note}");
}

const REPOSITORIES: &str = r"//- /p/Service.java
package p;

interface Repository { int count(); }
interface Clock { long now(); }
class Service {
    private Repository repository;
    private Clock clock;
    private String name;
    void setRepository(Repository repository) { this.repository = repository; }
    void setClock(Clock clock) { this.clock = clock; }
    void setName(String name) { this.name = name; }
    void setA(int a) { }
    void setB(int b) { }
    void setC(String c) { }
    void setD(boolean d) { }
    void setE(long e) { }
    void setF(char f) { }
    long ask() { return repository.count() + clock.now(); }
}
";

#[test]
fn new_objects_of_the_class_are_handed_what_they_work_with() {
    let cluster = cluster(REPOSITORIES, "p/Service", &[]);
    let share = |fill: f64, fill_all: f64| {
        let options = FactoryOptions { fill, fill_all, ..FactoryOptions::default() };
        let is_ready = |test: &&TestCase| {
            let called = test.statements().iter().filter_map(Statement::callable);
            let names: Vec<&str> = called.map(|id| &*cluster.callable(id).name).collect();
            let Some(ask) = names.iter().position(|name| *name == "ask") else { return false };
            ["setRepository", "setClock"].iter().all(|wanted| names[..ask].contains(wanted))
        };
        random_tests(&cluster, options, 400).iter().filter(is_ready).count()
    };
    let (filled, complete, empty) = (share(0.5, 0.0), share(0.0, 1.0), share(0.0, 0.0));
    assert!(filled > 2 * empty && complete > 4 * empty && filled > 50, "{filled} {complete} {empty}");
}

#[test]
fn a_builder_of_many_things_is_given_at_once_what_the_code_asks_for() {
    let other = |number: usize| format!("Builder other{number}(int a) {{ return this; }}");
    let others = (0..20).map(other).collect::<Vec<String>>().join(" ");
    let sources = format!(
        "//- /p/Desk.java
package p;
class Realm {{
    private String user, scheme, nonce;
    private Realm() {{ }}
    String getUser() {{ return user; }}
    String getScheme() {{ return scheme; }}
    String getNonce() {{ return nonce; }}
    static class Builder {{
        private final Realm realm = new Realm();
        Builder setUser(String user) {{ realm.user = user; return this; }}
        Builder setScheme(String scheme) {{ realm.scheme = scheme; return this; }}
        Builder setNonce(String nonce) {{ realm.nonce = nonce; return this; }}
        {others}
        Realm build() {{ return realm; }}
    }}
}}
class Desk {{
    String read(Realm realm) {{ return realm.getUser() + realm.getScheme() + realm.getNonce(); }}
}}
"
    );
    let cluster = cluster(&sources, "p/Desk", &[]);
    let complete = |fill_all: f64| {
        let options = FactoryOptions { fill: 0.0, fill_all, ..FactoryOptions::default() };
        let is_complete = |test: &&TestCase| {
            let called = test.statements().iter().filter_map(Statement::callable);
            let names: Vec<&str> = called.map(|id| &*cluster.callable(id).name).collect();
            ["setUser", "setScheme", "setNonce", "build"].iter().all(|wanted| names.contains(wanted))
                && !names.iter().any(|name| name.starts_with("other"))
        };
        random_tests(&cluster, options, 100).iter().filter(is_complete).count()
    };
    let (always, never) = (complete(1.0), complete(0.0));
    assert!(always > 50 && always > 3 * never, "{always} {never}");
}

const ERRORS: &str = "//- /p/Errors.java
package p;
public class Errors {
    public static boolean isInterrupt(Throwable error) {
        return !(error instanceof java.net.SocketTimeoutException) && error instanceof InterruptedException;
    }
    public static boolean isStamp(java.util.Date date) { return date instanceof java.sql.Timestamp; }
    public static boolean asksForName(javax.security.auth.callback.Callback callback) {
        return callback instanceof javax.security.auth.callback.NameCallback;
    }
}
";

const CALLBACK: &str = "javax/security/auth/callback/NameCallback";

#[test]
fn what_the_code_checks_for_is_made_where_a_class_of_the_platform_above_it_is_wanted() {
    let checked =
        ["java/net/SocketTimeoutException", "java/lang/InterruptedException", "java/sql/Timestamp", CALLBACK];
    let checked = checked.map(|class| format!("L{class};"));
    let cluster = cluster(ERRORS, "p/Errors", &checked.each_ref().map(String::as_str));
    let wanted = ["Throwable", "SocketTimeoutException", "Date", "Callback", "NameCallback"];
    let text = crate::sections::sections(&cluster, &wanted);
    let expect = "
Throwable
  = new Exception(String)
  = new RuntimeException(String)
  = new Error(String)
  = any SocketTimeoutException
  = any InterruptedException
  ? Throwable.getMessage(): String
SocketTimeoutException
  = new SocketTimeoutException(String)
  ? SocketTimeoutException.getMessage(): String
Date
  = new Date(long)
  = any Timestamp
  ~ Date.setTime(long)
  ? Date.getTime(): long
Callback
  = any NameCallback
NameCallback
  = new NameCallback(String)
  ~ NameCallback.setName(String)
  ? NameCallback.getName(): String
  ? NameCallback.getPrompt(): String
";
    assert_eq!(text.trim(), expect.trim(), "\n{text}");
}

const PRINCIPALS: &str = r#"//- /p/Page.java
package p;

interface Person { String name(); }
class User implements Person {
    public String name() { return "user"; }
    long id() { return 1; }
}
class Guest implements Person { public String name() { return "guest"; } }
interface Context { Person person(); }
class Base {
    static long idOf(Context context) { return ((User) context.person()).id(); }
}
class Page extends Base {
    boolean isFirst(Context context) { return idOf(context) == 1; }
    boolean isGuest(Object of) { return of instanceof Guest; }
}
"#;

#[test]
fn what_a_stub_answers_is_often_what_the_code_casts_it_to() {
    let cluster = cluster(PRINCIPALS, "p/Page", &[]);
    assert_eq!(
        crate::sections::sections(&cluster, &["Context"]).trim(),
        "Context\n  = lambda Context {person(): Person as User}\n  ~ Context.person(): Person"
    );
    let answers = |statement: &Statement| match statement {
        Statement::Stub { stub, script } if !cluster.stub(*stub).methods[0].narrowed.is_empty() => {
            script.answers.iter().flatten().flat_map(|answer| answer.variables()).collect()
        }
        _ => Vec::new(),
    };
    let users = |entries: f64| {
        share_of(&cluster, (FactoryOptions { entries, ..FactoryOptions::default() }, "Lp/User;"), answers)
    };
    let (often, seldom) = (users(0.8), users(0.0));
    assert!(often > 70 && seldom < 50, "{often} {seldom}");
}

#[test]
fn what_a_method_casts_a_parameter_to_is_often_passed() {
    let cluster = cluster(PRINCIPALS, "p/Page", &[]);
    let argument = |statement: &Statement| match statement {
        Statement::Method { callable, arguments, .. } if &*cluster.callable(*callable).name == "isGuest" => {
            arguments.to_vec()
        }
        _ => Vec::new(),
    };
    let guests = |entries: f64| {
        share_of(&cluster, (FactoryOptions { entries, ..FactoryOptions::default() }, "Lp/Guest;"), argument)
    };
    let (often, seldom) = (guests(0.8), guests(0.0));
    assert!(often > 60 && seldom < 40, "{often} {seldom}");
}
