//! What an executor has done so far.

/// Counts of an executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Runs in the JVM: of tests, once more where classes that a test was the first to use read clocks or properties, and
    /// of code that prepares them.
    pub runs: u64,
    /// Redefinitions of classes, which change where code has probes for mutants, and nothing that a run reports.
    pub redefinitions: u64,
    /// Classes that the JVM has begun to load, those of the JDK and those that failed included.
    pub loads: u64,
}
