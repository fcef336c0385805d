//! How the JVM is started, and the limits that runs have.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytecode::name::ClassName;

use crate::error::JvmError;
use crate::home::JavaHome;

/// How to start the JVM and how to run tests in it.
#[derive(Debug, Clone)]
pub struct JvmOptions {
    /// The JDK.
    pub java_home: JavaHome,
    /// Folders and jars of the class path, in order.
    pub class_path: Vec<PathBuf>,
    /// A folder of this worker alone: `java.io.tmpdir`, crash reports, the files of the JVM. It must exist.
    pub scratch: PathBuf,
    /// A folder of this worker alone, made if it is missing. The one that each test has to itself is made below it, with a fixed
    /// name, and code may see where that is. Default the folder `files` in the scratch folder.
    pub files: PathBuf,
    /// Whether tests are to see another machine: names of files in that folder come in descending order, not in ascending order
    /// (which order a file system has is its own affair), and the machine has another name, address and network interfaces.
    /// Default false.
    pub is_elsewhere: bool,
    /// How long the test's thread gives way behind each statement, in milliseconds, where the run has started threads: what these do
    /// comes before the next statement then, and not beside it. At most [`MOST_TURNS`] times a run. Default 0.
    pub gives_way_ms: u32,
    /// The class that calls what tests call, and that stands in the frames of exceptions. Default `CovolveTest`.
    pub test_class: ClassName,
    /// Maximal size of the Java heap in MiB. Default 512: tests are small, and several workers share a machine.
    pub heap_mb: u32,
    /// Maximal size of class metadata in MiB. Default 256: with the heap, compiled code and the command itself that stays
    /// below 1 GiB, and workers were seen to hold some 120 MiB in all.
    pub metaspace_mb: u32,
    /// Steps (method entries and loop back edges) that a test may take. Default 40 million: the constructor that
    /// all tests of `org.apache.commons.math3.dfp.DfpDec` need takes more than 20 million.
    pub steps: u32,
    /// Steps of a run that is to be brief, at most [`JvmOptions::steps`]. Default 20,000. Classes that compute much
    /// feel it: on `SchurTransformer` it cuts three tests in a hundred short, where 100,000 cuts four in a thousand.
    pub brief_steps: u32,
    /// Steps that the class initializers a test triggers may take. Default 10 million: they fill tables, and one
    /// that is cut short loses its class.
    pub initializer_steps: u32,
    /// What the clock shows when a test begins, in milliseconds since 1970. Default 2020-01-01 12:00:00 UTC.
    pub clock_ms: i64,
    /// Where the JDK's sources of randomness start, those that no seed of the class under test fixes. Default 0.
    pub random_seed: u64,
    /// Language of the default locale. Default `en`.
    pub language: String,
    /// Country of the default locale. Default `US`.
    pub country: String,
    /// Default time zone. Default `UTC`.
    pub time_zone: String,
    /// Identity hash codes. Default constant.
    pub identity_hash: IdentityHash,
    /// Which compilers of HotSpot run. Default the first tier alone.
    pub compilers: Compilers,
    /// Wall-clock limit of a brief execution in milliseconds, the second line behind steps; one that may take all
    /// steps has ten times as long. Default 1000.
    pub limit_ms: u32,
    /// The least that [`JvmOptions::limit_ms`] becomes, which is halved with each call that a run had to be ended in. What
    /// other runs took counts as well: it stays far above them. Default as the limit, so that it stays what it is.
    pub least_limit_ms: u32,
    /// Limits of a brief execution that the class initializers have which a test triggers. Default 3.
    pub initializer_limits: u32,
    /// Time of an execution in milliseconds that does not count if classes were loaded in it. Default 0: the limit has room
    /// for it.
    pub loading_ms: u32,
    /// How long a test may sleep and wait in all by its own clock, in milliseconds, before its run counts as one that waits
    /// ([`testcase::execution::Touched::WAIT`]). Default 2500.
    pub longest_sleep_ms: u32,
    /// How long an execution above its limit may take to end in milliseconds, once for the stop flag, once for an
    /// asynchronous exception, before the process ends. Default 500.
    pub grace_ms: u32,
    /// Whether every reference is checked against its declared type before it is passed, also where the types of
    /// the test cluster prove it. Default false.
    pub check_references: bool,
    /// Whether the JVM checks every JNI call (`-Xcheck:jni`). Slow, for tests of this crate. Default false.
    pub check_jni: bool,
    /// Classes of the class path without goals that stay as they are, since a JVM has refused them with probes. Default
    /// none.
    pub unwatched: BTreeSet<ClassName>,
    /// Further options of the JVM, behind those of this crate. Default none.
    pub extra: Vec<String>,
}

/// Where identity hash codes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentityHash {
    /// All objects have the same one (`-XX:hashCode=2`): nothing depends on what ran before.
    Constant,
    /// Counted up over the life of the JVM (`-XX:hashCode=3`): repeatable for a whole sequence of tests only. To
    /// tell apart what depends on them.
    Counted,
}

/// Which compilers HotSpot uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compilers {
    /// The fast one (`-XX:TieredStopAtLevel=1`).
    First,
    /// Both, with profiling in between.
    Tiered,
}

/// How often the test's thread gives way in a run, see [`JvmOptions::gives_way_ms`].
pub const MOST_TURNS: u32 = 3;

/// Default of [`JvmOptions::limit_ms`].
const LIMIT_MS: u32 = 1000;

/// Default of [`JvmOptions::grace_ms`].
const GRACE_MS: u32 = 500;

/// Parts of a time budget: what the first call may take that runs have to be ended in, the least that later ones may, and
/// each measure to end one.
const LIMIT_PART: u32 = 20;
const LEAST_LIMIT_PART: u32 = 200;
const GRACE_PART: u32 = 50;

/// Bounds of these parts in milliseconds from below: a thread may wait so long for its turn.
const LEAST_MS: u32 = 50;

impl JvmOptions {
    /// Limits for so much time in all: what has to be ended must leave time for what has not.
    pub fn limit_to(&mut self, time: Duration) {
        let time = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        let part = |part: u32, most: u32| (time / part).clamp(LEAST_MS, most);
        self.limit_ms = part(LIMIT_PART, LIMIT_MS);
        self.least_limit_ms = part(LEAST_LIMIT_PART, LIMIT_MS);
        self.grace_ms = part(GRACE_PART, GRACE_MS);
        self.loading_ms = LIMIT_MS - self.limit_ms;
        // One that is cut short loses its class: with little time as well they have a third of it.
        self.initializer_limits = (time / 3).min(3 * LIMIT_MS).div_ceil(self.limit_ms).max(1);
    }

    /// The defaults for a JDK, a class path and a scratch folder.
    pub fn new(java_home: JavaHome, class_path: Vec<PathBuf>, scratch: PathBuf) -> Self {
        Self {
            java_home,
            class_path,
            files: scratch.join("files"),
            is_elsewhere: false,
            gives_way_ms: 0,
            scratch,
            test_class: "CovolveTest".into(),
            heap_mb: 512,
            metaspace_mb: 256,
            steps: 40_000_000,
            brief_steps: 20_000,
            initializer_steps: 10_000_000,
            clock_ms: 1_577_880_000_000,
            random_seed: 0,
            language: "en".into(),
            country: "US".into(),
            time_zone: "UTC".into(),
            identity_hash: IdentityHash::Constant,
            compilers: Compilers::First,
            limit_ms: LIMIT_MS,
            least_limit_ms: LIMIT_MS,
            initializer_limits: 3,
            loading_ms: 0,
            grace_ms: GRACE_MS,
            longest_sleep_ms: 2500,
            check_references: false,
            check_jni: false,
            unwatched: BTreeSet::new(),
            extra: Vec::new(),
        }
    }

    /// The class path with absolute entries, so that a change of folder does not matter.
    pub(crate) fn absolute_class_path(&self) -> Result<Vec<PathBuf>, JvmError> {
        let absolute = |entry: &PathBuf| {
            std::path::absolute(entry).map_err(|reason| JvmError::System {
                what: "a class path entry has no absolute path",
                reason,
            })
        };
        self.class_path.iter().map(absolute).collect()
    }

    /// The options for `JNI_CreateJavaVM`.
    pub(crate) fn arguments(&self, security: &Path) -> Result<Vec<String>, JvmError> {
        let entries: Vec<String> =
            self.absolute_class_path()?.iter().map(|entry| entry.display().to_string()).collect();
        let scratch = self.scratch.display();
        let hash = match self.identity_hash {
            IdentityHash::Constant => 2,
            IdentityHash::Counted => 3,
        };
        let mut arguments = vec![
            // Versions know different flags; unknown ones are left out instead of ending the start.
            "-XX:+IgnoreUnrecognizedVMOptions".to_owned(),
            "-XX:+UnlockDiagnosticVMOptions".into(),
            "-XX:+UnlockExperimentalVMOptions".into(),
            "-agentlib:covolve".into(),
            format!("-Djava.class.path={}", entries.join(":")),
            format!("-Djava.io.tmpdir={scratch}"),
            format!("-XX:ErrorFile={scratch}/hs_err_%p.log"),
            "-XX:-CreateCoredumpOnCrash".into(),
            "-XX:-UsePerfData".into(),
            "-XX:+DisableAttachMechanism".into(),
            format!("-Xmx{}m", self.heap_mb),
            format!("-Xms{}m", self.heap_mb.min(64)),
            format!("-Xmn{}m", (self.heap_mb / 2).clamp(1, 32)),
            format!("-XX:MaxMetaspaceSize={}m", self.metaspace_mb),
            "-XX:MaxDirectMemorySize=64m".into(),
            "-XX:+UseSerialGC".into(),
            "-XX:+DisableExplicitGC".into(),
            "-XX:-DontCompileHugeMethods".into(),
            "-XX:-OmitStackTraceInFastThrow".into(),
            "-XX:DisableIntrinsic=_currentTimeMillis,_nanoTime".into(),
            format!("-XX:hashCode={hash}"),
            "-ea".into(),
            "-Dfile.encoding=UTF-8".into(),
            "-Dsun.jnu.encoding=UTF-8".into(),
            "-Dstdout.encoding=UTF-8".into(),
            "-Dstderr.encoding=UTF-8".into(),
            format!("-Duser.language={}", self.language),
            format!("-Duser.country={}", self.country),
            format!("-Duser.timezone={}", self.time_zone),
            "-Djava.awt.headless=true".into(),
            format!("-Djava.security.properties={}", security.display()),
            // Only to keep what the JVM says of itself off the standard streams.
            "-Xlog:disable".into(),
        ];
        if self.compilers == Compilers::First {
            arguments.push("-XX:TieredStopAtLevel=1".into());
        }
        if self.check_jni {
            arguments.push("-Xcheck:jni".into());
        }
        arguments.extend(self.extra.iter().cloned());
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_parts_of_the_time_there_is() {
        let check = |milliseconds, limit, least, grace, initializer: u32| {
            let home = JavaHome::find(&fixture::java_home()).unwrap();
            let mut options = JvmOptions::new(home, Vec::new(), PathBuf::new());
            options.limit_to(Duration::from_millis(milliseconds));
            let JvmOptions { limit_ms, least_limit_ms, grace_ms, loading_ms, initializer_limits, .. } =
                options;
            assert_eq!((limit_ms, least_limit_ms, grace_ms), (limit, least, grace), "{milliseconds}");
            assert_eq!(loading_ms + limit_ms, LIMIT_MS, "{milliseconds}");
            assert_eq!(initializer_limits * limit_ms, initializer, "{milliseconds}");
        };
        check(60_000, 1000, 300, 500, 3000);
        check(10_000, 500, 50, 200, 3000);
        check(2_000, 100, 50, 50, 700);
        check(0, 50, 50, 50, 50);
    }
}
