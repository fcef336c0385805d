//! The processes of a run, by what they are for, and the memory they hold.

use std::collections::BTreeMap;
use std::fs;

/// Resident memory of a run's processes, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Resident {
    /// The command itself.
    pub(super) parent: u64,
    /// Workers, with the JVM in each.
    pub(super) workers: u64,
    /// Verification JVMs and anything else.
    pub(super) others: u64,
}

impl Resident {
    /// Parent and workers.
    pub(super) fn searching(self) -> u64 {
        self.parent + self.workers
    }
}

/// What the run with this process number holds now.
pub(super) fn resident(root: u32) -> Resident {
    let mut processes: BTreeMap<u32, (u32, u64)> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let text = fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        if let Some(process) = parse(&text) {
            processes.insert(id, process);
        }
    }
    let mut sum =
        Resident { parent: processes.get(&root).map_or(0, |(_, memory)| *memory), ..Resident::default() };
    for (&id, &(_, memory)) in processes.iter().filter(|(id, _)| descends(**id, root, &processes)) {
        let words = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        match words.split(|byte| *byte == 0).nth(1) {
            Some(b"worker") => sum.workers += memory,
            _ => sum.others += memory,
        }
    }
    sum
}

/// Parent and resident memory in bytes, from a process's `status`.
fn parse(status: &str) -> Option<(u32, u64)> {
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    Some((u32::try_from(field("PPid:")?).ok()?, field("VmRSS:")? * 1024))
}

fn descends(id: u32, root: u32, processes: &BTreeMap<u32, (u32, u64)>) -> bool {
    let mut next = id;
    // No deeper than that: numbers may be used again while they are read.
    for _ in 0..16 {
        match processes.get(&next) {
            Some(&(parent, _)) if parent == root => return true,
            Some(&(parent, _)) => next = parent,
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_names_parent_and_memory() {
        let text = "Name:\tjava\nPid:\t7\nPPid:\t3\nVmRSS:\t     1024 kB\n";
        assert_eq!(parse(text), Some((3, 1 << 20)));
        // A process that is ending has none.
        assert_eq!(parse("PPid:\t3\n"), None);
    }

    #[test]
    fn descendants_are_found_at_any_depth() {
        let processes = BTreeMap::from([(1, (0, 1)), (2, (1, 1)), (3, (2, 1)), (4, (9, 1))]);
        let found: Vec<u32> = (1..=4).filter(|id| descends(*id, 1, &processes)).collect();
        assert_eq!(found, [2, 3]);
    }

    #[test]
    fn this_process_holds_some_memory() {
        assert!(resident(std::process::id()).parent > 1 << 20);
    }
}
