//! What Mockito makes, in test clusters of compiled fixtures, as text: see the tests of clusters.

use crate::sections::{build_with, sections};
use testcase::cluster::Stub;
use testcase::cluster::build::Mockable;

/// A desk takes what is hard to make: a line wants a socket that nothing makes, a clerk wants a line. A ticket is filled and asked, a post
/// does something and takes a few statements, a printer takes one, a server asks for the name of its machine.
const DESK: &str = r#"
//- /p/Desk.java
package p;
public class Desk {
    public String serve(Line line, Clerk clerk, Ticket ticket, Vault vault, Bell bell, Old old, Post post, Printer printer, Server server) throws java.io.IOException {
        ticket.setNumber(2);
        post.send("a");
        printer.print("a");
        server.name();
        line.all("a", "b");
        line.<String>kept("a");
        return line.next(1) + line.hint() + line.described() + clerk.name() + ticket.number + vault.open("a") + bell.ring() + old.age();
    }
}
//- /p/Line.java
package p;
public class Line extends Source {
    private final java.net.Socket socket;
    public Line(java.net.Socket socket) { this.socket = socket; if (socket == null) throw new IllegalStateException(); }
    public String next(int count) throws java.io.IOException { return "" + socket.getInputStream().read(); }
    String hint() { return ""; }
    protected void hidden() { }
    public int all(String... names) { return names.length; }
    public <T> T kept(T of) { return of; }
    public void unused() { }
    public final int last() { return 1; }
    @Override public boolean equals(Object other) { return other == this; }
    @Override public int hashCode() { return 1; }
    @Override public String toString() { return "line"; }
}
//- /p/Source.java
package p;
public abstract class Source { public String described() { return toString(); } private void secret() { } static void make() { } }
//- /p/Post.java
package p;
public class Post { public Post(String to, String from) { } public int open() { return 1; } public void send(String text) { } }
//- /p/Printer.java
package p;
public class Printer { public Printer() { } public void print(String text) { } }
//- /p/Server.java
package p;
public class Server {
    private final String name = Host.name();
    public Server() { }
    public String name() { return name; }
}
//- /p/Host.java
package p;
class Host { static String name() { try { return java.net.InetAddress.getLocalHost().getHostName(); } catch (java.io.IOException e) { return ""; } } }
//- /p/Clerk.java
package p;
public class Clerk {
    private final Line line;
    public Clerk(Line line) { this.line = line; }
    public String name() { return line.toString(); }
}
//- /p/Ticket.java
package p;
public class Ticket { public int number; public Ticket(int number, String name, long time) { this.number = number; } public int half() { return number / 2; } public void setNumber(int number) { } }
//- /p/Vault.java
package p;
public final class Vault { public Vault(java.net.Socket to) { } public String open(String key) { return key; } }
//- /p/Bell.java
package p;
public class Bell { public Bell(java.net.Socket to) { } public final String ring() { return ""; } }
//- /p/Old.java
package p;
public class Old { public Old(java.net.Socket to) { } public int age() { return 1; } @Override @Deprecated protected void finalize() { } }
"#;

const TYPES: [&str; 9] = ["Line", "Clerk", "Ticket", "Vault", "Bell", "Old", "Post", "Printer", "Server"];

/// Checks the mocks of the cluster, and what is made such that they may extend it.
fn check(mockable: Mockable, expect: &str, opened: &[&str]) {
    let hierarchy = fixture::compile(DESK).hierarchy_of_java_8();
    let cluster = build_with(&hierarchy, "p/Desk", &[], mockable).expect("a cluster is built");
    let listed = sections(&cluster, &TYPES);
    let mocks = listed.lines().filter(|line| line.starts_with("  = mock ")).map(str::trim);
    let expect = expect.lines().map(str::trim).filter(|line| !line.is_empty());
    assert_eq!(mocks.collect::<Vec<_>>(), expect.collect::<Vec<_>>(), "\n{listed}");
    assert_eq!(listed.matches("  = new ").count(), TYPES.len(), "real objects are made as well: {listed}");
    assert_eq!(cluster.mockable, mockable);
    let names: Vec<&str> = cluster.opened.iter().map(bytecode::name::ClassName::as_str).collect();
    assert_eq!(names, opened);
}

#[test]
fn mocks_stand_for_what_takes_much_to_make_and_answer_for_what_the_code_calls() {
    check(
        Mockable::Open,
        "
  = mock Line {described(): String; hint(): String; kept(Object): Object; next(int): String; 3 silent}
  = mock Clerk {name(): String}
  = mock Post {send(String); 1 silent}
  = mock Server {name(): String}
",
        &[],
    );
}

#[test]
fn what_is_final_is_mocked_where_mockito_does_so() {
    check(
        Mockable::Final,
        "
  = mock Line {all(String[]): int; described(): String; hint(): String; kept(Object): Object; next(int): String; 3 silent}
  = mock Clerk {name(): String}
  = mock Vault {open(String): String}
  = mock Bell {ring(): String}
  = mock Post {send(String); 1 silent}
  = mock Server {name(): String}
",
        &["p/Bell", "p/Line", "p/Vault"],
    );
}

#[test]
fn without_mockito_there_are_no_mocks() {
    check(Mockable::Nothing, "", &[]);
}

#[test]
fn without_mockito_what_the_code_calls_is_overridden_where_it_does_more_than_give_a_value() {
    let hierarchy = fixture::compile(DESK).hierarchy_of_java_8();
    let cluster = build_with(&hierarchy, "p/Desk", &[], Mockable::Nothing).expect("a cluster is built");
    let listed = sections(&cluster, &TYPES);
    let stubs: Vec<&str> =
        listed.lines().filter(|line| line.starts_with("  = stub ")).map(str::trim).collect();
    let expect = [
        "= stub Line(Socket) {all(String[]): int; described(): String; hint(): String; next(int): String}",
        "= stub Post(String, String) {send(String)}",
        "= stub Printer() {print(String)}",
    ];
    assert_eq!(stubs, expect, "\n{listed}");
    let has_body = |stub: &Stub| stub.methods.iter().all(|method| method.has_body);
    assert!(cluster.stubs.iter().filter(|stub| stub.constructor().is_some()).all(has_body));
}

/// An account whose `equals` asks the other one whether it may be equal; a pair whose `equals` asks nobody.
const ACCOUNT: &str = r"
//- /p/Account.java
package p;
public class Account {
    private final int number;
    private final Pair pair;
    public Account(int number, Pair pair) { this.number = number; this.pair = pair; }
    @Override public boolean equals(Object o) {
        return o instanceof Account && ((Account) o).canEqual(this) && ((Account) o).getNumber() == getNumber() && ((Account) o).pair.equals(pair);
    }
    public int getNumber() { return number; }
    protected boolean canEqual(Object other) { return other instanceof Account; }
    @Override public int hashCode() { return number; }
}
//- /p/Pair.java
package p;
public class Pair {
    public Pair(int left) { }
    protected boolean canEqual(Object other) { return other instanceof Pair; }
}
";

#[test]
fn of_a_class_with_goals_a_test_overrides_what_equals_asks_another_object() {
    let hierarchy = fixture::compile(ACCOUNT).hierarchy_of_java_8();
    for mockable in [Mockable::Nothing, Mockable::Open] {
        let cluster = build_with(&hierarchy, "p/Account", &[], mockable).expect("a cluster is built");
        let listed = sections(&cluster, &["Account", "Pair"]);
        let stubs: Vec<&str> =
            listed.lines().filter(|line| line.starts_with("  = stub ")).map(str::trim).collect();
        assert_eq!(stubs, ["= stub Account(int, Pair) {canEqual(Object): boolean}"], "\n{listed}");
    }
}
