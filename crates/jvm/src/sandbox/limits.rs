//! Resource limits. Address space is left alone: HotSpot reserves far more than it uses. What can be written to is
//! bounded, for its own options do not bound what code allocates outside of the heap. So is left alone the number of processes, which counts all of the user's.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::confine::SandboxOptions;

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
        // Never above what is allowed already.
        let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
        if let Err(error) = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }) {
            open.push(format!("{sentence}: {error}"));
        }
    }
    open
}
