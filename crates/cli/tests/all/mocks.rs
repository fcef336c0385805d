//! Tests implement interfaces with the project's Mockito, where that is there.

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

/// Where Mockito lies, as words of a class path.
fn mockito() -> String {
    let jars = std::env::join_paths(support::mockito()).unwrap();
    jars.to_str().unwrap().to_owned()
}

fn generate(folder: &Folder, words: &[&str]) -> String {
    let output = folder.covolve(&[&["generate", "--budget", "3000executions"], words].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    folder.test("Turnstile")
}

#[test]
fn tests_with_mocks_hold_for_javac_junit_and_check() {
    let jars = mockito();
    let with_mockito = ["--junit-cp", &*jars];
    for (junit, choice) in [("5", JunitChoice::Jupiter), ("4", JunitChoice::Junit4)] {
        let folder = Folder::new(GATES);
        let file = generate(&folder, &[&with_mockito[..], &["--junit", junit]].concat());
        let mocks = file.matches("Gate gate = mock(Gate.class, Answers.CALLS_REAL_METHODS);").count();
        assert!(mocks >= 5, "{file}");
        for form in ["when(gate.isOpen()).thenReturn(true", ".verify(gate"] {
            assert!(file.contains(form), "{form}: {file}");
        }
        assert_eq!(file.matches("new Gate").count(), 0, "{file}");
        let mut class_path = vec![folder.path("classes")];
        class_path.extend(support::junit(choice).class_path);
        class_path.extend(support::mockito());
        let class_path = std::env::join_paths(class_path).unwrap();
        let source = format!("//- /p/TurnstileCovolveTest.java\n{file}");
        fixture::compile_with(&source, &["-cp", class_path.to_str().unwrap()]);
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
fn without_mockito_or_where_nobody_wants_it_tests_have_classes() {
    let jars = mockito();
    let folder = Folder::new(GATES);
    for words in [&[][..], &["--junit-cp", &*jars, "--mocks", "none"]] {
        let file = generate(&folder, &[words, &["--fresh"]].concat());
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
