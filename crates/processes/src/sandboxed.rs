//! A program inside of the sandbox: a launcher, which is the command started again, confines itself to a scratch folder and
//! then becomes that program. Its descriptors, rules and process id are those of the program afterwards.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use crate::sandbox::{SandboxOptions, confine};
use crate::streams::{self, PrivateStreams};

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

/// Makes `command`, which names the launcher, run what is added to its arguments under the sandbox.
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

/// What the launcher does: becomes the program `command`, confined to writing below `scratch`. Returns only if it fails.
///
/// # Errors
/// The streams cannot be moved, or the program does not start.
pub fn become_program(scratch: &Path, streams: Streams, command: &[OsString]) -> io::Error {
    match confined(scratch, streams, command) {
        Ok((mut program, private)) => {
            let error = program.exec();
            // They were open for the program, until here.
            drop(private);
            let name = program.get_program().to_string_lossy();
            io::Error::new(error.kind(), format!("{name} does not start: {error}"))
        }
        Err(error) => error,
    }
}

/// Moves the streams, confines this process, and gives what it is to become, with the private streams, which have to stay
/// open until it has.
fn confined(
    scratch: &Path,
    streams: Streams,
    command: &[OsString],
) -> io::Result<(Command, Option<PrivateStreams>)> {
    let Some((program, rest)) = command.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no command to run"));
    };
    let mut rest = rest.to_vec();
    let mut private = None;
    if streams == Streams::Private {
        let streams = private.insert(streams::make_private()?);
        streams.keep_open()?;
        for (place, fd) in [(COMMANDS, &streams.input), (ANSWERS, &streams.output)] {
            let name = OsString::from(format!("/proc/self/fd/{}", fd.as_raw_fd()));
            rest.iter_mut().filter(|word| *word == place).for_each(|word| word.clone_from(&name));
        }
    }
    let mut command = Command::new(program);
    command.args(rest);
    // What is open is reported by the workers, which the kernel confines by the same means.
    let _reported_by_workers =
        confine(&SandboxOptions { programs: true, ..SandboxOptions::new(scratch.to_owned()) });
    Ok((command, private))
}
