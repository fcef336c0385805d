//! The hidden subcommand that runs another program.

use crate::support;
use std::io::Write as _;
use std::process::{Command, Stdio};

fn sandboxed(options: &[&str], script: &str) -> Command {
    let mut command = Command::new(support::covolve());
    command.arg("sandboxed").args(["--scratch", env!("CARGO_TARGET_TMPDIR")]).args(options);
    command.args(["--", "/bin/sh", "-c", script]);
    command
}

#[test]
fn the_program_takes_our_place() {
    let output = sandboxed(&[], "echo out; echo err >&2; exit 7").output().unwrap();
    assert_eq!(
        (output.status.code(), &*output.stdout, &*output.stderr),
        (Some(7), &b"out\n"[..], &b"err\n"[..])
    );
}

#[test]
fn private_streams_are_out_of_the_way() {
    check_private_streams(&mut private_streams());
}

/// As under `make`, which leaves the descriptors of its job server open.
#[test]
fn private_streams_make_room_for_inherited_descriptors() {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "exec 3</dev/null 4</dev/null 5</dev/null; exec \"$0\" \"$@\""]);
    let inner = private_streams();
    command.arg(inner.get_program()).args(inner.get_args());
    check_private_streams(&mut command);
}

fn private_streams() -> Command {
    let script = "read a; echo \"[$a]\"; read b <$0; echo \"<$b>\" >$1";
    let mut command = sandboxed(&["--private-streams"], script);
    command.args(["@commands", "@answers"]);
    command
}

fn check_private_streams(command: &mut Command) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"line\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "<line>\n");
}

#[test]
fn a_missing_program_is_named() {
    let output = Command::new(support::covolve())
        .args(["sandboxed", "--scratch", "/", "--", "/no/such/program"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("covolve: /no/such/program does not start: No such file"), "{text}");
    assert_eq!(output.status.code(), Some(70));
}
