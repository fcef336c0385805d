//! Applying all parts, and telling what is left open.

use std::path::PathBuf;

use super::files::confine_files;
use super::limits::limit_resources;
use super::system_calls::filter_system_calls;

/// What a confined process may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxOptions {
    /// The folder that it may write to.
    pub scratch: PathBuf,
    /// Further folders that it may write to.
    pub writable: Vec<PathBuf>,
    /// Whether it may start programs, which are confined as it is. A worker never needs to.
    pub programs: bool,
    /// Largest file that it may write, in MiB. Default 256: a test that fills the disk ends soon.
    pub file_mb: u64,
    /// Most files that it may have open. Default 4096: a JVM with a long class path needs some hundred.
    pub open_files: u64,
    /// Most memory that it may write to, in MiB, the heap of a JVM included. Default none: a JVM whose heap may take a part
    /// of the machine bounds itself.
    pub memory_mb: Option<u64>,
}

impl SandboxOptions {
    /// Writing to one folder and nothing else.
    pub fn new(scratch: PathBuf) -> Self {
        Self {
            scratch,
            writable: Vec::new(),
            programs: false,
            file_mb: 256,
            open_files: 4096,
            memory_mb: None,
        }
    }
}

/// What the kernel could not confine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SandboxReport {
    /// One sentence each. Empty: all is confined.
    pub open: Vec<String>,
}

/// Confines this thread, and every thread and process made from here on. Parts that the kernel lacks are reported,
/// not an error.
pub fn confine(options: &SandboxOptions) -> SandboxReport {
    let mut open = Vec::new();
    open.extend(limit_resources(options));
    open.extend(confine_files(options));
    // Last, since it forbids what the others need.
    open.extend(filter_system_calls(options));
    SandboxReport { open }
}
