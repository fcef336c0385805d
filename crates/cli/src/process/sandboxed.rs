//! `covolve sandboxed`: confines itself to a scratch folder, then becomes another program. Its descriptors, rules
//! and process id are those of the program afterwards.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::args::SandboxedArgs;
use crate::process::streams;

/// An argument of the program that stands for the file with its commands when streams are private: which descriptor
/// it is depends on those that this process inherited from whoever started the command.
pub const COMMANDS: &str = "@commands";
/// An argument that stands for the file that takes its answers.
pub const ANSWERS: &str = "@answers";

/// What becomes of the standard streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streams {
    /// They stay.
    Inherited,
    /// Input and output become the files that replace the arguments [`COMMANDS`] and [`ANSWERS`].
    Private,
}

/// Confines the calling process, and so its children, to writing below a folder: no network, no signals to others.
pub type Confine<'a> = &'a dyn Fn(&Path);

/// Makes `command`, which names this program, run what is added to its arguments under the sandbox.
pub fn prepare(command: &mut Command, scratch: &Path, streams: Streams) {
    command.arg("sandboxed").arg("--scratch").arg(scratch);
    match streams {
        Streams::Inherited => {}
        Streams::Private => {
            command.arg("--private-streams");
        }
    }
    command.arg("--");
}

/// The subcommand: returns only if it fails.
///
/// # Errors
/// The streams cannot be moved, or the program does not start.
pub fn run(arguments: &SandboxedArgs, confine: Confine<'_>) -> anyhow::Result<()> {
    let Some((program, rest)) = arguments.command.split_first() else {
        bail!("there is no command to run");
    };
    let mut rest = rest.to_vec();
    let private = if arguments.private_streams { Some(streams::make_private()?) } else { None };
    if let Some(streams) = &private {
        streams.keep_open()?;
        for (place, fd) in [(COMMANDS, &streams.input), (ANSWERS, &streams.output)] {
            let name = OsString::from(format!("/proc/self/fd/{}", fd.as_raw_fd()));
            rest.iter_mut().filter(|word| *word == place).for_each(|word| word.clone_from(&name));
        }
    }
    let mut command = Command::new(program);
    command.args(rest);
    confine(&arguments.scratch);
    let error: io::Error = command.exec();
    Err(error).with_context(|| format!("{} does not start", program.to_string_lossy()))
}
