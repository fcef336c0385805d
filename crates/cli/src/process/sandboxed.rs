//! `covolve sandboxed`: confines itself to a scratch folder, then becomes another program. Its descriptors, rules
//! and process id are those of the program afterwards.

use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::args::SandboxedArgs;
use crate::process::streams;

/// Where the program finds the stream of commands when streams are private.
pub const COMMANDS: &str = "/proc/self/fd/3";
/// Where it finds the stream of answers.
pub const ANSWERS: &str = "/proc/self/fd/4";

/// What becomes of the standard streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streams {
    /// They stay.
    Inherited,
    /// Input and output become [`COMMANDS`] and [`ANSWERS`].
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
    let mut command = Command::new(program);
    command.args(rest);
    let private = if arguments.private_streams { Some(streams::make_private()?) } else { None };
    if let Some(streams) = &private {
        streams.keep_open()?;
        // Nobody else opened anything: the names given to the program are right.
        let names =
            [streams.input.as_raw_fd(), streams.output.as_raw_fd()].map(|fd| format!("/proc/self/fd/{fd}"));
        if names != [COMMANDS, ANSWERS] {
            bail!("the streams went to {names:?}");
        }
    }
    confine(&arguments.scratch);
    let error: io::Error = command.exec();
    Err(error).with_context(|| format!("{} does not start", program.to_string_lossy()))
}
