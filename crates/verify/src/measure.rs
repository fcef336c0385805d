//! What the project's own tests cover: they run once in a JVM as those that verify, against classes that carry probes. What the
//! probes mean is not known here.

#![expect(clippy::disallowed_methods, reason = "puts classes with probes where the JVM finds them")]

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use processes::scratch::Scratch;
use project::junit::Framework;
use testcase::clock::Clock;

use crate::jvm::{JvmError, JvmSetup, TestEnd, VerificationJvm};
use crate::protocol::{Measurement, Outcome, Shown};
use crate::surroundings::Role;

/// What is to be run, and against what.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Class files with probes or in place of others on the class path, and what probes call: path below a root, and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// How many probes, outcomes of branches and static fields there are.
    pub sizes: [u32; 3],
    /// What second numbers are made with; 0 where there are none.
    pub shift: u32,
    /// Numbers of signatures by probe; empty where no direct calls are told apart.
    pub signatures: Vec<i32>,
    /// What is looked at of the calls of tests that are led through bridges, as the run time reads it; empty for nothing.
    pub calls: String,
    /// Class path of the tests, without JUnit.
    pub class_path: Vec<PathBuf>,
    /// The test classes (binary names), each with its JUnit.
    pub classes: Vec<(String, Framework)>,
    /// Time for a test that the JVM could use, and for what comes before the first of a class.
    pub test_limit: Duration,
    /// Time for all.
    pub limit: Duration,
}

/// What test classes came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Measured {
    /// Probes that tests hit which passed.
    pub hits: BTreeSet<u32>,
    /// Outcomes that they took, those of values among them.
    pub taken: BTreeSet<u32>,
    /// Exceptions that calls in such tests let through, as the run time tells them.
    pub thrown: BTreeSet<String>,
    /// Number of tests that passed.
    pub passed: usize,
    /// Number of those that did not.
    pub failed: usize,
    /// Classes whose tests did not all run, each with the reason, in words.
    pub incomplete: Vec<(String, String)>,
}

/// A JVM that runs the project's own tests, for one class under test after the other.
#[derive(Debug)]
pub struct Measurer {
    setup: JvmSetup,
    scratch: Scratch,
    jvm: Option<VerificationJvm>,
    /// Measurements so far.
    number: usize,
}

impl Measurer {
    /// One whose JVM is started when it is needed.
    ///
    /// # Errors
    /// There is no folder that it may write.
    pub(crate) fn new(setup: JvmSetup) -> io::Result<Self> {
        Ok(Self { setup, scratch: Scratch::new("own-tests")?, jvm: None, number: 0 })
    }

    /// Runs test classes one after the other. One that hangs or ends the JVM costs what is left of it and a restart.
    ///
    /// # Errors
    /// A JVM cannot be had.
    pub fn measure(&mut self, asked: &Asked) -> Result<Measured, JvmError> {
        let clock = Clock::start();
        let root = self.put(&asked.files)?;
        let class_path: Vec<PathBuf> =
            std::iter::once(root.clone()).chain(asked.class_path.iter().cloned()).collect();
        let mut measured = Measured::default();
        let mut open: Vec<(String, Framework)> = asked.classes.clone();
        while !open.is_empty() {
            let measurement = Measurement {
                sizes: asked.sizes,
                shift: asked.shift,
                signatures: asked.signatures.clone(),
                calls: asked.calls.clone(),
                limit_millis: u32::try_from(asked.test_limit.as_millis()).unwrap_or(u32::MAX),
                class_path: class_path.clone(),
                classes: open.clone(),
            };
            let left = asked.limit.saturating_sub(clock.now());
            match self.run(measurement, left, &mut measured) {
                Ok(ends) => open = measured.take(open, &ends),
                Err(JvmError::OutOfTime) => {
                    self.jvm = None;
                    let why = "the time for the project's own tests was over".to_owned();
                    measured.incomplete.extend(open.drain(..).map(|(class, _)| (class, why.clone())));
                }
                Err(error) => return Err(error),
            }
        }
        // What cannot be removed goes with the scratch folder.
        let _ = fs::remove_dir_all(root);
        Ok(measured)
    }

    fn run(
        &mut self,
        measurement: Measurement,
        limit: Duration,
        measured: &mut Measured,
    ) -> Result<Vec<Option<TestEnd>>, JvmError> {
        if !self.jvm.as_ref().is_some_and(VerificationJvm::is_alive) {
            self.jvm = Some(VerificationJvm::start(&self.setup, Role::First, self.scratch.path(), None)?);
        }
        let Some(jvm) = &mut self.jvm else { return Err(JvmError::Ended) };
        jvm.measure(measurement, limit, &mut |Shown { has_passed, hits, taken, thrown, .. }| {
            measured.passed += usize::from(has_passed);
            measured.failed += usize::from(!has_passed);
            measured.hits.extend(hits);
            measured.taken.extend(taken);
            measured.thrown.extend(thrown);
        })
    }

    /// Writes class files below a folder of their own.
    fn put(&mut self, files: &[(String, Vec<u8>)]) -> io::Result<PathBuf> {
        self.number += 1;
        let root = self.scratch.path().join(format!("probes-{}", self.number));
        for (path, bytes) in files {
            let file = root.join(path);
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(file, bytes)?;
        }
        Ok(root)
    }
}

impl Measured {
    /// Takes in how classes ended; those that are still to be run.
    fn take(&mut self, open: Vec<(String, Framework)>, ends: &[Option<TestEnd>]) -> Vec<(String, Framework)> {
        let has_ended = ends.iter().any(Option::is_some);
        let mut left = Vec::new();
        for ((class, framework), end) in open.into_iter().zip(ends) {
            let why = match end {
                Some(TestEnd::Outcome(Outcome::Passed)) => continue,
                Some(TestEnd::Outcome(Outcome::Hung { .. })) => "a test took too long".to_owned(),
                Some(TestEnd::Outcome(Outcome::Failed { exception, message, .. })) => {
                    format!("JUnit could not run it ({exception}: {message})")
                }
                Some(TestEnd::Outcome(Outcome::Skipped { reason })) => reason.clone(),
                Some(TestEnd::Died) => "a test ended the JVM".to_owned(),
                None if has_ended => {
                    left.push((class, framework));
                    continue;
                }
                // The runner says how every class ended.
                None | Some(TestEnd::Unreached) => "it was not run".to_owned(),
            };
            self.incomplete.push((class, why));
        }
        left
    }
}
