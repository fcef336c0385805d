//! Resource limits. Address space is left alone: HotSpot reserves far more than it uses. What can be written to is
//! bounded, for its own options do not bound what code allocates outside of the heap. So is left alone the number of processes, which counts all of the user's.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::confine::SandboxOptions;

/// Memory beyond the limit that a process may allow itself, as one part of the limit in so many: enough to tell what it knows
/// when a run has used up all the rest.
const RESERVE: u64 = 8;

/// Sets the limits; gives what stays open.
pub(super) fn limit_resources(options: &SandboxOptions) -> Vec<String> {
    let memory = options.memory_mb.map(|memory| {
        (Resource::Data, memory.saturating_mul(1 << 20), "any amount of memory can be allocated")
    });
    let limits = [
        (Resource::Fsize, options.file_mb.saturating_mul(1 << 20), "files of any size can be written"),
        (Resource::Nofile, options.open_files, "any number of files can be opened"),
        (Resource::Core, 0, "a crash can leave a core file"),
    ];
    let mut open = Vec::new();
    for (resource, most, sentence) in limits.into_iter().chain(memory) {
        let reserve = if resource == Resource::Data { most / RESERVE } else { 0 };
        // Never above what is allowed already.
        let allowed = |most: u64| getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
        let limit = Rlimit { current: Some(allowed(most)), maximum: Some(allowed(most + reserve)) };
        if let Err(error) = setrlimit(resource, limit) {
            open.push(format!("{sentence}: {error}"));
        }
    }
    open
}
