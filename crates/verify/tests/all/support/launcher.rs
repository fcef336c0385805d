//! Starts a program inside of the sandbox, as the command does.

use std::ffi::OsString;
use std::path::Path;

use processes::sandboxed::{Streams, become_program};

fn main() {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let [_sandboxed, _scratch, scratch, _private, _end, command @ ..] = &words[..] else {
        panic!("{words:?} is not how lanes start JVMs");
    };
    panic!("{}", become_program(Path::new(scratch), Streams::Private, command));
}
