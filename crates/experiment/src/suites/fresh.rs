//! What a suite takes in a fresh JVM (Grano et al. 2019, section 4.2): `crates/experiment/java/fresh/Fresh.java` runs it once
//! and looks at its counters before and after each test.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::{Bench, JUNIT};
use crate::maven;
use crate::repository::root;
use crate::tools::{joined, run};

/// What a test took.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Whether it passed.
    pub passed: bool,
    /// Time of the clock, in ns.
    pub clock: u64,
    /// Processor time of the thread, in ns.
    pub thread: u64,
    /// Bytes that the thread allocated.
    pub allocated: u64,
    /// Growth of the used heap, in bytes; says nothing where there were collections.
    pub heap: i64,
    /// Collections of garbage meanwhile.
    pub collections: u64,
}

/// Tests by name.
pub type Costs = BTreeMap<String, Cost>;

/// What a suite took in one JVM: the sum of its tests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Total {
    /// Time of the clock, in ms.
    pub clock: f64,
    /// Processor time of the thread, in ms.
    pub thread: f64,
    /// Allocated, in KiB.
    pub allocated: f64,
    /// Growth of the used heap, in KiB. Tests with a collection count with the median of the JVMs in which they had none.
    pub heap: f64,
    /// Tests whose growth was replaced so.
    pub replaced: usize,
    /// Tests that failed.
    pub failed: usize,
}

impl Bench {
    /// Compiles what runs suites; once, before the first of them.
    pub fn prepare_fresh(&self) -> Result<()> {
        let mut javac = Command::new(self.java_home.join("bin/javac"));
        javac.args(["-Xlint:none", "-cp"]).arg(joined(&maven::resolve(JUNIT)?)).arg("-d").arg(self.tests());
        run(javac.arg(root().join("crates/experiment/java/fresh/Fresh.java")))
    }

    /// Runs a suite of this bench in a JVM of its own.
    pub fn fresh(&self, suite: &str) -> Result<Costs> {
        let mut path = vec![self.tests()];
        path.extend(self.class_path.iter().cloned());
        path.extend(maven::resolve(JUNIT)?);
        let out = self.work.join("costs");
        let mut java = Command::new(self.java_home.join("bin/java"));
        // One collector for all machines. The used heap grows by allocation buffers, which are to be far smaller than what a
        // suite takes.
        java.args(["-ea", "-XX:+UseSerialGC", "-Xms512m", "-XX:TLABSize=4k", "-XX:-ResizeTLAB"])
            .arg("-Djava.awt.headless=true")
            .args(["-Duser.language=en", "-Duser.country=US", "-cp"])
            .arg(joined(&path))
            .arg("Fresh")
            .arg(&out)
            .arg(suite)
            .current_dir(&self.work);
        run(&mut java)?;
        read(&fs::read_to_string(&out).context("the JVM wrote nothing")?)
    }
}

fn read(text: &str) -> Result<Costs> {
    let mut costs = Costs::new();
    for line in text.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        match *parts.as_slice() {
            [name, passed, clock, thread, allocated, heap, collections] => {
                let cost = Cost {
                    passed: passed.parse()?,
                    clock: clock.parse()?,
                    thread: thread.parse()?,
                    allocated: allocated.parse()?,
                    heap: heap.parse()?,
                    collections: collections.parse()?,
                };
                costs.insert(name.to_owned(), cost);
            }
            ["DONE"] => return Ok(costs),
            _ => bail!("\"{line}\" is nothing that a test took"),
        }
    }
    bail!("the JVM ended before the suite did")
}

/// What the suite took in each JVM. A test that had a collection in every JVM counts with what it had.
pub fn totals(runs: &[Costs]) -> Vec<Total> {
    let usual = |name: &str| {
        let costs = runs.iter().filter_map(|costs| costs.get(name));
        let mut valid: Vec<i64> = costs.filter(|cost| cost.collections == 0).map(|cost| cost.heap).collect();
        valid.sort_unstable();
        valid.get(valid.len() / 2).copied()
    };
    let total = |costs: &Costs| {
        let sum = |of: &dyn Fn(&Cost) -> u64| costs.values().map(of).sum::<u64>() as f64;
        let (mut heap, mut replaced) = (0, 0);
        for (name, cost) in costs {
            let other = if cost.collections == 0 { None } else { usual(name) };
            heap += other.unwrap_or(cost.heap);
            replaced += usize::from(other.is_some());
        }
        Total {
            clock: sum(&|cost| cost.clock) / 1e6,
            thread: sum(&|cost| cost.thread) / 1e6,
            allocated: sum(&|cost| cost.allocated) / 1024.0,
            heap: heap as f64 / 1024.0,
            replaced,
            failed: costs.values().filter(|cost| !cost.passed).count(),
        }
    };
    runs.iter().map(total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_took_is_read_to_the_end() {
        let text = "a()\ttrue\t5\t4\t3\t-2\t1\nb()\tfalse\t1\t1\t1\t1\t0\nDONE\n";
        let costs = read(text).unwrap();
        let first = Cost { passed: true, clock: 5, thread: 4, allocated: 3, heap: -2, collections: 1 };
        assert_eq!((costs.len(), costs["a()"]), (2, first));
        for broken in ["a()\ttrue\t5\t4\t3\t2\t1\n", "a()\ttrue\t5\nDONE\n", ""] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn growth_of_the_heap_under_a_collection_is_that_of_other_runs() {
        let cost = |heap: i64, collections: u64| Cost {
            passed: collections == 0,
            clock: 2_000_000,
            heap: heap * 1024,
            collections,
            ..Cost::default()
        };
        let run = |a: Cost, b: Cost| Costs::from([("a".to_owned(), a), ("b".to_owned(), b)]);
        let runs = [run(cost(4, 0), cost(1, 0)), run(cost(-90, 1), cost(1, 0)), run(cost(6, 0), cost(2, 0))];
        let totals = totals(&runs);
        let heaps: Vec<(f64, usize, usize)> =
            totals.iter().map(|total| (total.heap, total.replaced, total.failed)).collect();
        assert_eq!(heaps, [(5.0, 0, 0), (7.0, 1, 1), (8.0, 0, 0)]);
        assert_eq!(totals[0].clock, 4.0);
        // Nothing to replace it with.
        assert_eq!(super::totals(&[run(cost(-90, 1), cost(1, 0))])[0].heap, -89.0);
    }
}
