//! What tests of a project cover, in a real JVM with both versions of JUnit.

use std::time::Duration;

use bytecode::analysis::{AnalysisOptions, ProbeIds, number_direct};
use bytecode::instrument::{StaticFields, WatchedCalls, bridge_calls, instrument_calls, instrument_full};
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::ProbeMap;
use bytecode::values::{ValueOf, ValueOptions, add_value_probes};
use project::junit::{Framework, Junit};
use project::request::JunitChoice;
use verify::measure::{Asked, Measured};

/// A class, and tests of it by people.
const SOURCES: &str = r#"
//- /p/Word.java
package p;
public class Word {
    public int sign(int x) { return x < 0 ? -1 : x > 100 ? 2 : 1; }
    public int outer(int x) { return inner(x); }
    public int inner(int x) { return x == 7 ? 1 : 0; }
    public void never() { }
}
//- /p/Store.java
package p;
public class Store {
    private final int size;
    public Store(int size) { if (size < 0) { throw new IllegalArgumentException(); } this.size = size; }
    public int getSize() { return size; }
    public int same(Store other) { return other.getSize(); }
    public static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
    int parse(String text) { return Integer.parseInt(text); }
    public String name(Integer number, String text, double[] all, char letter, long wide, boolean is, Object other)
            throws java.io.IOException {
        if (text == null) { throw new java.io.IOException(); }
        return is ? null : text.trim();
    }
}
//- /p/CallsTest.java
package p;
import org.junit.jupiter.api.*;
import static org.junit.jupiter.api.Assertions.*;
class CallsTest {
    private final Store store = new Store(3);
    @Test void values() throws Exception {
        assertEquals(5, Store.clamp(5, 0, 10));
        assertEquals("a", store.name(null, " a", new double[0], '7', -1L, false, this));
        assertEquals(3, new Store(store == null ? 1 : 0).same(store));
        assertEquals(8, new Store(8) { @Override public int same(Store other) { return 8; } }.same(null));
    }
    @Test void exceptions() {
        assertThrows(IllegalArgumentException.class, () -> new Store(-1));
        assertThrows(java.io.IOException.class, () -> store.name(1, null, null, 'a', 0L, true, null));
        String told = "";
        try {
            fail("came " + store.parse(told));
        } catch (NumberFormatException expected) {
            told += expected.getMessage().length() > 0;
        }
        assertEquals("true", told);
    }
    @Test void fails() { assertEquals(1, Store.clamp(-5, -3, -1)); }
}
//- /p/FiveTest.java
package p;
import org.junit.jupiter.api.*;
import static org.junit.jupiter.api.Assertions.*;
class FiveTest {
    @Test void holds() { assertEquals(-1, new Word().sign(-5)); }
    @Test void fails() { assertEquals(0, new Word().sign(200)); }
    @Nested class Deep { @Test void calls() { assertEquals(1, new Word().outer(7)); } }
}
//- /p/FourTest.java
package p;
import org.junit.*;
public class FourTest {
    @Test public void holds() { Assert.assertThat(new Word().sign(5), org.hamcrest.CoreMatchers.is(1)); }
    @Test public void later() { Assert.assertEquals(0, new Word().inner(3)); }
    @Test public void skipped() { Assume.assumeTrue(false); }
    @Ignore @Test public void ignored() { new Word().sign(200); }
}
//- /p/HangingTest.java
package p;
import org.junit.jupiter.api.*;
class HangingTest { @Test void hangs() { for (;;) { } } }
//- /p/EndingTest.java
package p;
import org.junit.jupiter.api.*;
class EndingTest { @Test void ends() { Runtime.getRuntime().halt(3); } }
//- /p/BrokenTest.java
package p;
import org.junit.jupiter.api.*;
class BrokenTest { @BeforeAll static void breaks() { throw new IllegalStateException(); } @Test void test() { } }
"#;

/// Both versions of JUnit on one class path.
fn both() -> Junit {
    let (mut junit, four) = (
        crate::support::machine::junit(JunitChoice::Jupiter),
        crate::support::machine::junit(JunitChoice::Junit4),
    );
    junit.class_path.extend(four.class_path);
    junit
}

/// What these test classes cover, with the probes of the class.
fn measure(classes: &[(&str, Framework)]) -> (Measured, Vec<ProbeMap>, ProbeLayout) {
    let junit = both();
    let class_path = std::env::join_paths(&junit.class_path).unwrap().into_string().unwrap();
    let compiled = fixture::compile_with(SOURCES, &["-g", "-cp", &class_path]);
    let options = AnalysisOptions { direct: true, ..AnalysisOptions::default() };
    let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::default());
    let classes_with_goals = ["p/Word", "p/Store"];
    let done = classes_with_goals
        .map(|class| instrument_full(&compiled.bytes(class), options, &mut ids, &mut statics).unwrap());
    let mut maps: Vec<ProbeMap> = done.iter().map(|done| done.map.clone()).collect();
    let values = ValueOptions { inputs: true, outputs: true };
    add_value_probes(&mut maps, &compiled.hierarchy(), values, &mut ids);
    number_direct(&mut maps, ids);
    let layout = ProbeLayout::new(&maps, ids);
    let signatures = layout.signatures();
    let runtime = fixture::runtime();
    let mut files: Vec<(String, Vec<u8>)> = runtime
        .classes()
        .iter()
        .map(|name| (format!("{}.class", name.as_str()), runtime.bytes(name.as_str())))
        .collect();
    files.extend(
        classes_with_goals.iter().zip(done).map(|(class, done)| (format!("{class}.class"), done.bytes)),
    );
    let calls = WatchedCalls::of(&maps, true);
    for test in [
        "CallsTest",
        "CallsTest$1",
        "FiveTest",
        "FiveTest$Deep",
        "FourTest",
        "HangingTest",
        "EndingTest",
        "BrokenTest",
    ] {
        let bridged = bridge_calls(&compiled.bytes(&format!("p/{test}")), &calls).unwrap();
        let bytes = instrument_calls(&bridged, &signatures).unwrap();
        files.push((format!("p/{test}.class"), bytes));
    }
    let asked = Asked {
        files,
        sizes: [layout.probes() as u32, layout.outcomes() as u32, statics.len() as u32],
        shift: layout.direct().unwrap().0,
        signatures: signatures.by_probe().to_vec(),
        calls: calls.table().to_owned(),
        class_path: vec![compiled.folder],
        classes: classes.iter().map(|(name, framework)| ((*name).to_owned(), *framework)).collect(),
        test_limit: Duration::from_secs(2),
        limit: Duration::from_mins(2),
    };
    let pool = crate::support::pool(JunitChoice::Jupiter);
    let measured = pool.measurer(junit, None).unwrap().measure(&asked).unwrap();
    (measured, maps, layout)
}

#[test]
fn what_calls_pass_and_return_and_throw_is_told() {
    let (measured, maps, _) = measure(&[("p.CallsTest", Framework::Jupiter)]);
    assert_eq!((measured.passed, measured.failed, measured.incomplete.as_slice()), (2, 1, &[][..]));
    let of_method = |method: &bytecode::probe_map::MethodProbes| {
        let told = method.values.iter().flat_map(|value| {
            let of = match value.of {
                ValueOf::Parameter(number) => number.to_string(),
                ValueOf::Result => "result".to_owned(),
            };
            let asked = value.inspector.as_ref().map(|inspector| format!(".{inspector}")).unwrap_or_default();
            let taken = value.outcomes().filter(|(_, outcome)| measured.taken.contains(&outcome.0));
            taken.map(move |(partition, _)| format!(" {of}{asked}:{partition:?}"))
        });
        format!("{}{}", method.name, told.collect::<String>())
    };
    let told: Vec<String> = maps[1].methods.iter().map(of_method).filter(|told| told.contains(':')).collect();
    let expect = [
        // The one whose argument branches is left as it is; that of a subclass is called by the subclass.
        "<init> 0:Negative 0:Positive",
        // Not the override in the test.
        "same 0:NonNull 0.getSize():Positive result:Positive",
        "clamp 0:Positive 1:Zero 2:Positive result:Positive",
        "parse 0:Empty",
        "name 0:Null 0:Positive 1:Null 1:NonEmpty 2:Null 2:Empty 3:Alphabetic 3:Digit 4:Negative 4:Zero 5:False 5:True \
         6:Null 6:NonNull result:NonEmpty",
    ];
    assert_eq!(told, expect);
    let thrown: Vec<String> = measured.thrown.iter().map(|told| told.replace('\t', " ")).collect();
    assert_eq!(
        thrown,
        [
            "p/Store <init>(I)V java/lang/IllegalArgumentException E",
            "p/Store name(Ljava/lang/Integer;Ljava/lang/String;[DCJZLjava/lang/Object;)Ljava/lang/String; \
             java/io/IOException D",
            "p/Store parse(Ljava/lang/String;)I java/lang/NumberFormatException I",
        ]
    );
}

#[test]
fn what_passes_covers_and_what_the_test_calls_itself_is_told_apart() {
    let (measured, maps, layout) =
        measure(&[("p.FiveTest", Framework::Jupiter), ("p.FourTest", Framework::Junit4)]);
    // The two that JUnit 4 skips cover nothing.
    assert_eq!((measured.passed, measured.failed, measured.incomplete.as_slice()), (4, 3, &[][..]));
    let method = |name: &str| maps[0].methods.iter().find(|method| &*method.name == name).unwrap();
    let direct = layout.direct().unwrap().0;
    let taken = |name: &str, branch: usize| {
        let branch = &method(name).branches[branch];
        let outcomes = branch.outcomes.iter();
        let is_taken = |shift: u32| {
            outcomes
                .clone()
                .map(|outcome| measured.taken.contains(&(outcome.id.0 + shift)))
                .collect::<Vec<_>>()
        };
        (is_taken(0), is_taken(direct))
    };
    let entered = |name: &str| {
        let entry = method(name).entry.0;
        (measured.hits.contains(&entry), measured.hits.contains(&(entry + direct)))
    };
    // A failing test calls it with what is above 100: that counts for nothing.
    assert_eq!(taken("sign", 0), (vec![false; 2], vec![true; 2]));
    assert_eq!(taken("sign", 1), (vec![false; 2], vec![true, false]));
    assert_eq!((entered("outer"), entered("inner")), ((false, true), (true, true)));
    assert_eq!(entered("never"), (false, false));
}

#[test]
fn a_test_that_hangs_or_ends_the_jvm_costs_its_class_alone() {
    let (measured, ..) = measure(&[
        ("p.HangingTest", Framework::Jupiter),
        ("p.EndingTest", Framework::Jupiter),
        ("p.BrokenTest", Framework::Jupiter),
        ("p.GoneTest", Framework::Jupiter),
        ("p.FourTest", Framework::Junit4),
    ]);
    let incomplete: Vec<(&str, &str)> =
        measured.incomplete.iter().map(|(class, why)| (class.as_str(), why.as_str())).collect();
    assert_eq!(
        incomplete,
        [
            ("p.HangingTest", "a test took too long"),
            ("p.EndingTest", "a test ended the JVM"),
            ("p.GoneTest", "JUnit could not run it (java.lang.ClassNotFoundException: p.GoneTest)"),
        ]
    );
    assert_eq!((measured.passed, measured.failed), (2, 3));
}
