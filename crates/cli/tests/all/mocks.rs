//! Tests implement interfaces with the project's Mockito, where that is there.

#![expect(clippy::disallowed_methods, reason = "tests write files")]

use std::fs;

use crate::support;
use crate::support::folder::{Folder, text};
use cli::check::CheckedClass;
use project::request::JunitChoice;

/// A gate answers twice, throws, has a list, and a method with a body; how often a ticket is named is told.
const GATES: &str = r#"
//- /p/Turnstile.java
package p;
import java.io.IOException;
import java.util.List;
public class Turnstile {
    public static int pass(Gate gate, String ticket) throws IOException {
        if (!gate.isOpen()) return -1;
        if (gate.doubled() > 100) return 1;
        List<String> names = gate.names(ticket);
        if (names == null) return 2;
        gate.close();
        return gate.isOpen() ? 3 : 4;
    }
}
//- /p/Gate.java
package p;
import java.io.IOException;
import java.util.List;
public interface Gate {
    boolean isOpen(); int price(String ticket); List<String> names(String ticket); void close() throws IOException;
    default int doubled() { return 2 * price("a"); }
}
"#;

/// A command takes a line, whose constructor wants a socket that speaks, and a final session that nothing but a line makes.
const DIAL: &str = r#"
//- /p/Dial.java
package p;
import java.io.IOException;
public class Dial {
    public static String call(Line line, Session session) throws IOException {
        if (!line.isOpen()) throw new IllegalStateException("closed");
        if (session.user() == null) { line.send("who"); return "nobody"; }
        String said = line.read();
        if (line.reach("a", "b") > 7) return "far";
        if ("bye".equals(said)) { session.end(); return "ended"; }
        return line.count() > 3 ? "busy" : session.user() + said;
    }
}
//- /p/Line.java
package p;
import java.io.IOException;
import java.net.Socket;
public class Line {
    private final Socket socket;
    public Line(Socket socket) throws IOException { this.socket = socket; socket.getInputStream().read(); }
    public boolean isOpen() { return !socket.isClosed(); }
    public String read() throws IOException { return "" + socket.getInputStream().read(); }
    public void send(String text) throws IOException { socket.getOutputStream().write(text.length()); }
    int count() { return socket.getPort(); }
    public int reach(String... names) { return socket.getPort() / names.length; }
}
//- /p/Session.java
package p;
public final class Session {
    private final String user;
    Session(Line line) throws java.io.IOException { user = line.read(); }
    public String user() { return user; }
    public void end() { }
}
"#;

/// A list that no mock is told of, since the code asks for it far from the class under test: a class gives null there, a mock an empty list.
const FAR: &str = r#"
//- /p/Far.java
package p;
public class Far {
    public static String rows(Wide wide) { return wide.a() > 1 ? "many" : Near.rows(wide); }
}
//- /p/Near.java
package p;
class Near { static String rows(Wide wide) { return Nearer.rows(wide); } }
//- /p/Nearer.java
package p;
class Nearer { static String rows(Wide wide) { return There.rows(wide); } }
//- /p/There.java
package p;
class There { static String rows(Wide wide) { return wide.rows() == null ? "none" : "some"; } }
//- /p/Wide.java
package p;
import java.util.List;
public interface Wide {
    int a(); int b(); int c(); int d(); int e(); int f(); int g(); int h(); int i(); int j(); int k(); int l(); int m(); List<String> rows();
}
"#;

/// A client that is not connected gives `null` for its store, and nothing can connect it.
const CLIENT: &str = r#"
//- /p/Report.java
package p;
public class Report {
    private final Client client;
    public Report(Client client) { this.client = client; }
    public String of(String key) {
        String found = client.store().find(key);
        if (found == null) { client.count(key); return "missing"; }
        return client.isOpen() ? "open: " + found : found;
    }
}
//- /p/Client.java
package p;
public class Client {
    private Store store;
    public Client(java.net.URL at, int port) { }
    Client() { }
    public void connect() throws java.io.IOException { throw new java.io.IOException("no network"); }
    public Store store() { return store; }
    protected boolean isOpen() { return store != null; }
    void count(String key) { throw new IllegalStateException("not connected"); }
    public final String name() { return "client"; }
}
//- /p/Store.java
package p;
public interface Store { String find(String key); }
"#;

/// Code that runs within a transaction, and a listener that the class hands out.
const ORDERS: &str = r#"
//- /p/Orders.java
package p;
public class Orders {
    private int booked;
    public int booked() { return booked; }
    public String save(Transactions transactions, String name) {
        return transactions.within(status -> {
            if (name.isEmpty()) { status.rollBack(); return "empty"; }
            return status.isNew() ? "new " + name : "joined " + name;
        });
    }
    public void listen(Bus bus, int most) {
        bus.subscribe("orders", new Bus.Listener() {
            @Override public void received(int amount) { if (amount > most) { throw new IllegalStateException("too many: " + amount); } booked += amount; }
            @Override public void closed() { booked = -1; }
        });
    }
}
//- /p/Transactions.java
package p;
public interface Transactions {
    <T> T within(Work<T> work);
    interface Work<T> { T on(Status status); }
    interface Status { boolean isNew(); void rollBack(); }
}
//- /p/Bus.java
package p;
public interface Bus {
    boolean subscribe(String topic, Listener listener);
    boolean isOpen();
    interface Listener { void received(int amount); void closed(); }
}
"#;

/// Where Mockito lies, as words of a class path.
fn mockito() -> String {
    let jars = std::env::join_paths(support::mockito()).unwrap();
    jars.to_str().unwrap().to_owned()
}

/// The file of a class, after so many executions and with these further words.
fn generate(folder: &Folder, class: &str, words: &[&str]) -> String {
    let named = format!("p.{class}");
    let first = ["generate", "--class", &named, "--budget", "3000executions"];
    let output = folder.covolve(&[&first[..], words].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    folder.test(class)
}

/// Options under which `javac` accepts no warning.
const STRICT: &[&str] = &["-Xlint:all", "-Werror"];

/// Compiles the file of a class with JUnit and Mockito on the class path.
fn compile(folder: &Folder, class: &str, (file, junit): (&str, JunitChoice), options: &[&str]) {
    let jars = [vec![folder.path("classes")], support::junit(junit).class_path, support::mockito()].concat();
    let class_path = std::env::join_paths(jars).unwrap();
    let source = format!("//- /p/{class}CovolveTest.java\n{file}");
    fixture::compile_with(&source, &[options, &["-cp", class_path.to_str().unwrap()]].concat());
}

fn check_forms(file: &str, forms: &[&str]) {
    for form in forms {
        assert!(file.contains(form), "{form}: {file}");
    }
}

#[test]
fn tests_with_mocks_hold_for_javac_junit_and_check() {
    let jars = mockito();
    let with_mockito = ["--junit-cp", &*jars];
    for (junit, choice) in [("5", JunitChoice::Jupiter), ("4", JunitChoice::Junit4)] {
        let folder = Folder::new(GATES);
        let file = generate(&folder, "Turnstile", &[&with_mockito[..], &["--junit", junit]].concat());
        let mocks = file.matches("Gate gate = mock(Gate.class, Answers.CALLS_REAL_METHODS);").count();
        assert!(mocks >= 5, "{file}");
        check_forms(&file, &["when(gate.isOpen()).thenReturn(true", ".verify(gate"]);
        assert_eq!(file.matches("new Gate").count(), 0, "{file}");
        compile(&folder, "Turnstile", (&file, choice), &[]);
        let checked =
            folder.covolve(&[&["check", "--json"], &with_mockito[..], &["--junit", junit]].concat());
        let checked = text(&checked.stdout);
        let checked: Vec<CheckedClass> =
            checked.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(checked.iter().all(|class| class.changes.is_empty()), "{checked:?}");
        let tests = file.matches("    @Test").count();
        assert!(checked.iter().any(|class| class.tests == tests), "{checked:?}: {file}");
    }
}

#[test]
fn what_no_constructor_makes_is_a_mock() {
    let jars = mockito();
    let words = ["--junit-cp", &*jars, "--junit", "5"];
    let file = generate(&Folder::new(DIAL), "Dial", &words);
    let forms = [
        "Line line = mock(Line.class);",
        "Session session = mock(Session.class);",
        "when(line.isOpen()).thenReturn(true);",
        "assertEquals(\"nobody\", Dial.call(line, session));",
        "assertEquals(\"ended\", Dial.call(line, session));",
        "assertEquals(\"busy\", Dial.call(line, session));",
        "when(line.reach(any(String[].class))).thenReturn(",
        "assertEquals(\"far\", Dial.call(line, ",
        "(line).send(\"who\");",
        "(session).end();",
    ];
    check_forms(&file, &forms);
    let file = generate(&Folder::new(DIAL), "Dial", &[&words[..], &["--mocks", "none"]].concat());
    assert!(!file.contains("mock"), "{file}");
}

#[test]
fn mocks_are_fields_where_the_tests_of_the_project_have_them_so() {
    const HAND: &str =
        "package p;\nimport org.mockito.Mock;\nclass HandTest {\n    @Mock\n    Runnable runnable;\n}\n";
    let jars = mockito();
    let folder = Folder::new(DIAL);
    fs::create_dir_all(folder.path("covolve-tests/p")).unwrap();
    fs::write(folder.path("covolve-tests/p/HandTest.java"), HAND).unwrap();
    let file = generate(&folder, "Dial", &["--junit-cp", &*jars, "--junit", "5"]);
    let forms = [
        "@ExtendWith(MockitoExtension.class)\nclass DialCovolveTest {\n    @Mock\n    private Line line;\n\n    @Mock\n    private Session session;\n\n    @Test\n",
        "when(line.isOpen()).thenReturn(true);",
        "assertEquals(\"nobody\", Dial.call(line, session));",
    ];
    check_forms(&file, &forms);
    assert_eq!(file.matches("mock(").count(), 0, "{file}");
    // As the user's build runs it: no answer is told in vain.
    let checked = folder.covolve(&["check", "--json", "--junit-cp", &*jars, "--junit", "5"]);
    let checked: Vec<CheckedClass> =
        text(&checked.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(checked.iter().all(|class| class.changes.is_empty() && class.tests > 3), "{checked:?}");
}

#[test]
fn where_a_mock_does_something_else_a_test_has_a_class() {
    let jars = mockito();
    let file = generate(&Folder::new(FAR), "Far", &["--junit-cp", &*jars]);
    let forms = [
        "Wide wide = mock(Wide.class);",
        "when(wide.a()).thenReturn(",
        "assertEquals(\"many\", Far.rows(wide));",
        "assertEquals(\"none\", Far.rows(",
        "class WideStub implements Wide",
    ];
    check_forms(&file, &forms);
}

#[test]
fn without_mockito_a_test_overrides_what_the_code_calls_of_a_class() {
    let folder = Folder::new(CLIENT);
    let file = generate(&folder, "Report", &[]);
    let forms = [
        "new Client() {\n",
        "            @Override\n            public Store store() {\n                return ",
        "            @Override\n            protected boolean isOpen() {\n                return true;\n",
        "            @Override\n            void count(String key) {\n",
        "assertEquals(\"missing\", ",
        "assertEquals(\"open: ",
    ];
    check_forms(&file, &forms);
    for absent in ["connect()", "name()", "URL", "new Client() {\n        }"] {
        assert!(!file.contains(absent), "{absent}: {file}");
    }
    compile(&folder, "Report", (&file, JunitChoice::Jupiter), STRICT);
}

#[test]
fn without_mockito_or_where_nobody_wants_it_tests_have_classes() {
    let jars = mockito();
    let folder = Folder::new(GATES);
    for words in [&[][..], &["--junit-cp", &*jars, "--mocks", "none"]] {
        let file = generate(&folder, "Turnstile", &[words, &["--fresh"]].concat());
        assert!(!file.contains("mock") && file.contains("new Gate"), "{file}");
    }
    let output = folder.covolve(&["generate", "--mocks", "mockito"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert_eq!(
        said.lines().last(),
        Some(
            "covolve: --mocks mockito asks for Mockito 2 or later, and neither the class path nor --junit-cp has it with Byte Buddy \
         and Objenesis; add it to the dependencies of the tests, or leave the option out"
        )
    );
}

#[test]
fn what_the_class_hands_to_a_stub_is_called() {
    let jars = mockito();
    let with_mockito = ["--junit-cp", &*jars];
    let forms = [
        "assertEquals(\"empty\", ",
        "assertEquals(\"new ",
        "assertEquals(\"joined ",
        "assertThrows(IllegalStateException.class, () -> orders.listen(bus, ",
        "assertEquals(-1, orders.booked());",
    ];
    let told = [
        "doAnswer(call -> call.<Transactions.Work<?>>getArgument(0).on(status))\n                .when(transactions)\n                .within(any());",
        "when(bus.subscribe(any(), any())).thenAnswer(call -> {\n            call.<Bus.Listener>getArgument(1).received(",
        ");\n            return false;\n        });\n        orders.listen(bus, ",
    ];
    let written = [
        "                return work.on(status);",
        "                listener.received(",
        "\n                return false;\n",
    ];
    for (words, own) in [(&with_mockito[..], told), (&[], written)] {
        let folder = Folder::new(ORDERS);
        let file = generate(&folder, "Orders", words);
        check_forms(&file, &forms);
        check_forms(&file, &own);
        compile(&folder, "Orders", (&file, JunitChoice::Jupiter), STRICT);
    }
}
