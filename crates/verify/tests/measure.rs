//! What tests of a project cover, in a real JVM with both versions of JUnit.

mod support;

use std::time::Duration;

use bytecode::analysis::{AnalysisOptions, ProbeIds, number_direct};
use bytecode::instrument::{StaticFields, instrument_calls, instrument_full};
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::ProbeMap;
use project::junit::{Framework, Junit};
use project::request::JunitChoice;
use verify::measure::{Asked, Measured};

/// A class, and tests of it by people.
const SOURCES: &str = "
//- /p/Word.java
package p;
public class Word {
    public int sign(int x) { return x < 0 ? -1 : x > 100 ? 2 : 1; }
    public int outer(int x) { return inner(x); }
    public int inner(int x) { return x == 7 ? 1 : 0; }
    public void never() { }
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
";

/// Both versions of JUnit on one class path.
fn both() -> Junit {
    let (mut junit, four) =
        (support::machine::junit(JunitChoice::Jupiter), support::machine::junit(JunitChoice::Junit4));
    junit.class_path.extend(four.class_path);
    junit
}

/// What these test classes cover, with the probes of the class.
fn measure(classes: &[(&str, Framework)]) -> (Measured, ProbeMap, ProbeLayout) {
    let junit = both();
    let class_path = std::env::join_paths(&junit.class_path).unwrap().into_string().unwrap();
    let compiled = fixture::compile_with(SOURCES, &["-g", "-cp", &class_path]);
    let options = AnalysisOptions { direct: true, ..AnalysisOptions::default() };
    let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::default());
    let done = instrument_full(&compiled.bytes("p/Word"), options, &mut ids, &mut statics).unwrap();
    let mut maps = vec![done.map];
    number_direct(&mut maps, ids);
    let layout = ProbeLayout::new(&maps, ids);
    let signatures = layout.signatures();
    let runtime = fixture::runtime();
    let mut files: Vec<(String, Vec<u8>)> = runtime
        .classes()
        .iter()
        .map(|name| (format!("{}.class", name.as_str()), runtime.bytes(name.as_str())))
        .collect();
    files.push(("p/Word.class".into(), done.bytes));
    for test in ["FiveTest", "FiveTest$Deep", "FourTest", "HangingTest", "EndingTest", "BrokenTest"] {
        let bytes = instrument_calls(&compiled.bytes(&format!("p/{test}")), &signatures).unwrap();
        files.push((format!("p/{test}.class"), bytes));
    }
    let asked = Asked {
        files,
        sizes: [layout.probes() as u32, layout.outcomes() as u32, statics.len() as u32],
        shift: layout.direct().unwrap().0,
        signatures: signatures.by_probe().to_vec(),
        class_path: vec![compiled.folder],
        classes: classes.iter().map(|(name, framework)| ((*name).to_owned(), *framework)).collect(),
        test_limit: Duration::from_secs(2),
        limit: Duration::from_mins(2),
    };
    let pool = support::pool(JunitChoice::Jupiter);
    let measured = pool.measurer(junit, None).unwrap().measure(&asked).unwrap();
    (measured, maps.remove(0), layout)
}

#[test]
fn what_passes_covers_and_what_the_test_calls_itself_is_told_apart() {
    let (measured, map, layout) =
        measure(&[("p.FiveTest", Framework::Jupiter), ("p.FourTest", Framework::Junit4)]);
    // The two that JUnit 4 skips cover nothing.
    assert_eq!((measured.passed, measured.failed, measured.incomplete.as_slice()), (4, 3, &[][..]));
    let method = |name: &str| map.methods.iter().find(|method| &*method.name == name).unwrap();
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
