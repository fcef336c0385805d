//! What is said to the runner in a verification JVM, and what it answers: big-endian numbers, strings as a length
//! in bytes and UTF-8, lists as a length and the elements. The Java side is `java/covolve/runner/Wire.java`.

use std::io::{self, Read};
use std::path::PathBuf;

use project::junit::Framework;

/// Source files to compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compilation {
    /// Options for `javac`, `-d` and the class path aside.
    pub options: Vec<String>,
    /// Class path, JUnit included.
    pub class_path: Vec<PathBuf>,
    /// Whether class files are wanted, and not the errors alone.
    pub writes: bool,
    /// Existing folder for the class files.
    pub folder: PathBuf,
    /// Path below a source root, and text, of each file.
    pub files: Vec<(String, String)>,
}

/// What the classes of a run have seen when its tests begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Nothing has used them.
    Fresh,
    /// All tests of the run have used them once, which nobody is told of: caches are full, pools hold what was handed
    /// back.
    Used,
    /// Each test has classes of its own, which nothing has used.
    Alone,
}

/// Tests to run, one after another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Which JUnit.
    pub framework: Framework,
    /// What their classes have seen.
    pub start: Start,
    /// Time for one test, in milliseconds.
    pub limit_millis: u32,
    /// System properties that make it the run of another machine, as far as one JVM can be two; none, and it is this one's.
    pub elsewhere: Vec<(&'static str, String)>,
    /// Class path of tests and classes, without JUnit.
    pub class_path: Vec<PathBuf>,
    /// Test class (binary name) and method of each test.
    pub tests: Vec<(String, String)>,
}

/// Test classes of the project whose tests are run for what they cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measurement {
    /// How many probes, outcomes of branches and static fields there are.
    pub sizes: [u32; 3],
    /// What second numbers are made with; 0 where there are none.
    pub shift: u32,
    /// Numbers of signatures by probe; empty where no direct calls are told apart.
    pub signatures: Vec<i32>,
    /// What is looked at of the calls of tests, as the run time reads it; empty for nothing.
    pub calls: String,
    /// Time for a test, and for what comes before the first, in milliseconds.
    pub limit_millis: u32,
    /// Class path of tests and classes, those with probes in front, without JUnit.
    pub class_path: Vec<PathBuf>,
    /// The test classes (binary names), each with its JUnit.
    pub classes: Vec<(String, Framework)>,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Answered by [`Event::Diagnostics`].
    Compile(Compilation),
    /// Answered by [`Event::Started`] and [`Event::Finished`] per test, then [`Event::Done`].
    Run(Run),
    /// Answered by [`Event::Started`], [`Event::Measured`] per test and [`Event::Finished`] per class, then [`Event::Done`].
    Measure(Measurement),
    /// End the JVM in good order.
    Quit,
}

/// An error of `javac`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Path of the file as given; empty if it blames none.
    pub path: String,
    /// Line from 1; 0 if it blames none.
    pub line: u32,
    /// What `javac` says.
    pub message: String,
}

/// How a test ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It threw.
    Failed {
        /// Class of the exception, binary name.
        exception: String,
        /// Its message, possibly cut.
        message: String,
        /// Line of the test method, 0 if unknown.
        line: u32,
    },
    /// JUnit did not run it.
    Skipped {
        /// JUnit's reason.
        reason: String,
    },
    /// It took too long; the JVM has ended itself.
    Hung {
        /// Line of the test method, 0 if unknown.
        line: u32,
    },
}

/// What a test of a measurement has shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// Number of its class.
    pub class: usize,
    /// Whether it passed.
    pub has_passed: bool,
    /// Probes that it is the first to hit, among those that passed.
    pub hits: Vec<u32>,
    /// Outcomes that it is the first to take.
    pub taken: Vec<u32>,
    /// Exceptions that its calls are the first to let through, as the run time tells them.
    pub thrown: Vec<String>,
}

/// What the runner says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The JVM is up.
    Ready {
        /// Its `java.specification.version`.
        version: String,
    },
    /// The errors of a compilation; none if the class files are there.
    Diagnostics(Vec<Problem>),
    /// A test of the run, by number, is about to run; a class of a measurement.
    Started(usize),
    /// It has ended.
    Finished(usize, Outcome),
    /// A test of a measurement has ended.
    Measured(Shown),
    /// The run is over.
    Done {
        /// Why it could not be carried out; empty if it was.
        problem: String,
    },
}

impl Command {
    /// As bytes for the runner.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Compile(compilation) => {
                out.push(1);
                put_list(&mut out, &compilation.options);
                put_paths(&mut out, &compilation.class_path);
                out.push(compilation.writes.into());
                put(&mut out, &compilation.folder.to_string_lossy());
                put_number(&mut out, compilation.files.len() as u32);
                for (path, text) in &compilation.files {
                    put(&mut out, path);
                    put(&mut out, text);
                }
            }
            Self::Run(run) => {
                out.push(2);
                out.push(number_of(run.framework));
                out.push(match run.start {
                    Start::Fresh => 0,
                    Start::Used => 1,
                    Start::Alone => 2,
                });
                put_number(&mut out, run.limit_millis);
                put_number(&mut out, run.elsewhere.len() as u32);
                for (name, value) in &run.elsewhere {
                    put(&mut out, name);
                    put(&mut out, value);
                }
                put_paths(&mut out, &run.class_path);
                put_number(&mut out, run.tests.len() as u32);
                for (class, method) in &run.tests {
                    put(&mut out, class);
                    put(&mut out, method);
                }
            }
            Self::Quit => out.push(3),
            Self::Measure(measurement) => measurement.encode(&mut out),
        }
        out
    }
}

impl Measurement {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(4);
        for number in self.sizes.into_iter().chain([self.shift, self.signatures.len() as u32]) {
            put_number(out, number);
        }
        for &signature in &self.signatures {
            put_number(out, signature as u32);
        }
        put(out, &self.calls);
        put_number(out, self.limit_millis);
        put_paths(out, &self.class_path);
        put_number(out, self.classes.len() as u32);
        for (class, framework) in &self.classes {
            put(out, class);
            out.push(number_of(*framework));
        }
    }
}

/// As the runner knows it.
fn number_of(framework: Framework) -> u8 {
    match framework {
        Framework::Jupiter => 1,
        Framework::Junit4 => 0,
    }
}

fn put_number(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_be_bytes());
}

fn put(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u32);
    out.extend(text.as_bytes());
}

fn put_list(out: &mut Vec<u8>, texts: &[String]) {
    put_number(out, texts.len() as u32);
    for text in texts {
        put(out, text);
    }
}

fn put_paths(out: &mut Vec<u8>, paths: &[PathBuf]) {
    put_number(out, paths.len() as u32);
    for path in paths {
        put(out, &path.to_string_lossy());
    }
}

/// Reads the next event.
///
/// # Errors
/// The end of the stream, and bytes that are no event.
pub fn read_event(from: &mut impl Read) -> io::Result<Event> {
    Ok(match read_byte(from)? {
        1 => Event::Ready { version: read_text(from)? },
        2 => {
            let count = read_number(from)?;
            let mut problems = Vec::new();
            for _ in 0..count {
                let (path, line, message) = (read_text(from)?, read_number(from)?, read_text(from)?);
                problems.push(Problem { path, line, message });
            }
            Event::Diagnostics(problems)
        }
        3 => Event::Started(read_number(from)? as usize),
        4 => {
            let test = read_number(from)? as usize;
            let kind = read_byte(from)?;
            let (exception, message, line) = (read_text(from)?, read_text(from)?, read_number(from)?);
            Event::Finished(
                test,
                match kind {
                    0 => Outcome::Passed,
                    1 => Outcome::Failed { exception, message, line },
                    2 => Outcome::Skipped { reason: message },
                    3 => Outcome::Hung { line },
                    _ => return Err(io::ErrorKind::InvalidData.into()),
                },
            )
        }
        5 => Event::Done { problem: read_text(from)? },
        6 => Event::Measured(Shown {
            class: read_number(from)? as usize,
            has_passed: read_byte(from)? != 0,
            hits: read_numbers(from)?,
            taken: read_numbers(from)?,
            thrown: read_texts(from)?,
        }),
        _ => return Err(io::ErrorKind::InvalidData.into()),
    })
}

fn read_byte(from: &mut impl Read) -> io::Result<u8> {
    let mut byte = [0];
    from.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn read_number(from: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_be_bytes(bytes))
}

fn read_numbers(from: &mut impl Read) -> io::Result<Vec<u32>> {
    let count = read_number(from)?;
    (0..count).map(|_| read_number(from)).collect()
}

fn read_texts(from: &mut impl Read) -> io::Result<Vec<String>> {
    let count = read_number(from)?;
    (0..count).map(|_| read_text(from)).collect()
}

fn read_text(from: &mut impl Read) -> io::Result<String> {
    let length = u64::from(read_number(from)?);
    let mut bytes = Vec::new();
    if from.by_ref().take(length).read_to_end(&mut bytes)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_lengths_and_bytes() {
        let run = Run {
            framework: Framework::Jupiter,
            start: Start::Used,
            limit_millis: 5,
            elsewhere: vec![("p", "v".into())],
            class_path: vec!["ä".into()],
            tests: vec![("T".into(), "m".into())],
        };
        assert_eq!(
            Command::Run(run).encode(),
            b"\x02\x01\x01\0\0\0\x05\0\0\0\x01\0\0\0\x01p\0\0\0\x01v\0\0\0\x01\0\0\0\x02\xc3\xa4\0\0\0\x01\0\0\0\x01T\0\0\0\x01m"
        );
        assert_eq!(Command::Quit.encode(), [3]);
    }

    #[test]
    fn a_measurement_names_classes_with_their_junit() {
        let measurement = Measurement {
            sizes: [1, 2, 3],
            shift: 4,
            signatures: vec![7],
            calls: "v".into(),
            limit_millis: 5,
            class_path: vec!["c".into()],
            classes: vec![("T".into(), Framework::Jupiter)],
        };
        assert_eq!(
            Command::Measure(measurement).encode(),
            b"\x04\0\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\x04\0\0\0\x01\0\0\0\x07\0\0\0\x01v\0\0\0\x05\0\0\0\x01\0\0\0\x01c\0\0\0\x01\0\0\0\x01T\x01"
        );
        let mut bytes: &[u8] = b"\x06\0\0\0\x02\x01\0\0\0\x01\0\0\0\x09\0\0\0\0\0\0\0\x01\0\0\0\x01E";
        let event = Event::Measured(Shown {
            class: 2,
            has_passed: true,
            hits: vec![9],
            taken: Vec::new(),
            thrown: vec!["E".into()],
        });
        assert_eq!(read_event(&mut bytes).unwrap(), event);
    }

    #[test]
    fn events_are_read_one_by_one() {
        let mut bytes: &[u8] =
            b"\x03\0\0\0\x07\x04\0\0\0\x07\x01\0\0\0\x01E\0\0\0\x01m\0\0\0\x09\x05\0\0\0\0";
        assert_eq!(read_event(&mut bytes).unwrap(), Event::Started(7));
        let failed = Outcome::Failed { exception: "E".into(), message: "m".into(), line: 9 };
        assert_eq!(read_event(&mut bytes).unwrap(), Event::Finished(7, failed));
        assert_eq!(read_event(&mut bytes).unwrap(), Event::Done { problem: String::new() });
        assert_eq!(read_event(&mut bytes).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn garbage_is_no_event() {
        let check = |mut bytes: &[u8]| assert!(read_event(&mut bytes).is_err());
        check(b"\xff");
        check(b"\x01\xff\xff\xff\xffshort");
        check(b"\x04\0\0\0\0\x09\0\0\0\0\0\0\0\0\0\0\0\0");
    }
}
