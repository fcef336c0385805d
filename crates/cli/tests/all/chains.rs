//! Classes that are passed what a builder makes, end to end: tests call it in chains, with JUnit itself as the judge.

use crate::support::generated;

const HOST: &str = r#"
//- /p/Session.java
package p;

public final class Session {
    final int port;
    final String user;

    private Session(int port, String user) { this.port = port; this.user = user; }
    public static Builder builder() { return new Builder(); }

    public static final class Builder {
        private int port;
        private String user;
        private Builder() {}
        public Builder port(int port) { this.port = port; return this; }
        public Builder user(String user) { this.user = user; return this; }
        public Session build() { return new Session(port, user); }
    }
}
//- /p/Host.java
package p;

public class Host {
    public String reach(Session session) {
        return session.port > 0 && session.user.isEmpty() ? "guest" : "refused";
    }
}
"#;

#[test]
fn what_a_builder_makes_is_made_in_a_chain() {
    let compiled = fixture::compile(HOST);
    let (_, file) = generated(&compiled, &["--class", "p.Host", "--budget", "3000executions"]);
    let guest =
        file.split("@Test").find(|test| test.contains("\"guest\"")).expect("both results are covered");
    assert!(guest.contains("Session.builder().") && !guest.contains("Builder "), "{guest}");
    let [port, user] = [".port(", ".user(\"\")"].map(|call| guest.find(call).is_some());
    assert!(port && user && guest.contains(".build()"), "{guest}");
}
