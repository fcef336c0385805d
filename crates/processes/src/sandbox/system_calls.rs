//! Seccomp: system calls that fail with "operation not permitted".

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter_all_threads,
};

use super::confine::SandboxOptions;

/// Refused whatever the arguments.
const REFUSED: &[libc::c_long] = &[
    // The network. Pairs of sockets stay: they lead nowhere.
    libc::SYS_socket,
    libc::SYS_io_uring_setup,
    // Modes, owners, times and attributes of files, for which Landlock has no right.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // Other processes.
    libc::SYS_tkill,
    libc::SYS_pidfd_send_signal,
    libc::SYS_pidfd_getfd,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    libc::SYS_setpriority,
    // What outlives the process.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The system.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_open_by_handle_at,
];

/// Old calls that other machines than x86 never had.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_iopl,
    libc::SYS_ioperm,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[libc::c_long] = &[];

/// Starting programs.
const PROGRAMS: &[libc::c_long] = &[libc::SYS_execve, libc::SYS_execveat];

/// Refused unless the first argument is the own process: a JVM signals its own threads.
const OWN_PROCESS: &[libc::c_long] =
    &[libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo];

/// Installs the filter; gives what stays open.
pub(super) fn filter_system_calls(options: &SandboxOptions) -> Vec<String> {
    let process = rustix::process::getpid().as_raw_nonzero().get();
    let installed = program(options, process.unsigned_abs().into())
        .and_then(|program| apply_filter_all_threads(&program).map_err(|error| error.to_string()));
    match installed {
        Ok(()) => Vec::new(),
        Err(error) => vec![format!(
            "the network, signals to other processes and modes of files are not confined: seccomp: {error}"
        )],
    }
}

fn program(options: &SandboxOptions, process: u64) -> Result<BpfProgram, String> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    let programs = if options.programs { &[] } else { PROGRAMS };
    for call in REFUSED.iter().chain(REFUSED_HERE).chain(programs) {
        rules.insert(*call, Vec::new());
    }
    for call in OWN_PROCESS {
        rules.insert(*call, vec![unless_first_is(&[process])?]);
    }
    // Limits of other processes: 0 is the own one as well.
    rules.insert(libc::SYS_prlimit64, vec![unless_first_is(&[0, process])?]);
    let architecture: TargetArch =
        std::env::consts::ARCH.try_into().map_err(|error: seccompiler::BackendError| error.to_string())?;
    let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture);
    filter.and_then(BpfProgram::try_from).map_err(|error| error.to_string())
}

/// Matches when the first argument is none of these.
fn unless_first_is(values: &[u64]) -> Result<SeccompRule, String> {
    let conditions: Result<Vec<_>, _> = values
        .iter()
        .map(|value| SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, *value))
        .collect();
    conditions.and_then(SeccompRule::new).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_compiles_with_and_without_programs() {
        let mut options = SandboxOptions::new("/nowhere".into());
        let without = program(&options, 7).unwrap().len();
        options.programs = true;
        let with = program(&options, 7).unwrap().len();
        assert!(with < without, "{with} {without}");
    }
}
