//! Landlock: where files may be written, and what the kernel adds for the network and signals.

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd, RestrictionStatus,
    Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};

use super::confine::SandboxOptions;

/// Devices that take everything and keep nothing.
const SINKS: [&str; 2] = ["/dev/null", "/dev/zero"];

/// The newest rights that are asked for; older kernels give what they have.
const NEWEST: ABI = ABI::V6;

/// Confines writing to the folders of the options; gives what stays open.
pub(super) fn confine_files(options: &SandboxOptions) -> Vec<String> {
    let everything = "files outside the scratch folder can be written";
    match restrict(options) {
        Err(error) => vec![format!("{everything}: {error}")],
        Ok(status) => {
            match (status.ruleset, status.landlock) {
                (RulesetStatus::NotEnforced, LandlockStatus::NotEnabled) => {
                    vec![format!("{everything}: Landlock is not enabled in this kernel")]
                }
                (RulesetStatus::NotEnforced, _) => vec![format!("{everything}: this kernel has no Landlock")],
                (_, LandlockStatus::Available { effective_abi, .. }) if effective_abi < ABI::V3 => {
                    vec!["files outside the scratch folder can be cut to length: Landlock of Linux 6.2 is needed".into()]
                }
                (RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced, _) => Vec::new(),
            }
        }
    }
}

fn restrict(options: &SandboxOptions) -> Result<RestrictionStatus, RulesetError> {
    let writing: BitFlags<AccessFs> = AccessFs::from_write(NEWEST);
    let mut rules = Ruleset::default()
        .handle_access(writing)?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    for folder in std::iter::once(&options.scratch).chain(&options.writable) {
        // A folder that does not exist cannot be written to, so there is nothing to allow.
        if let Ok(folder) = PathFd::new(folder) {
            rules = rules.add_rule(PathBeneath::new(folder, writing))?;
        }
    }
    for sink in SINKS {
        if let Ok(sink) = PathFd::new(sink) {
            let access = AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
            rules = rules.add_rule(PathBeneath::new(sink, access))?;
        }
    }
    rules.restrict_self()
}
