//! The sandbox holds what it promises: each escape is tried in a process of its own.

#![expect(
    clippy::disallowed_methods,
    reason = "escapes are tried with the functions that code under test uses"
)]

use std::fs;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{PASSED, child, is_child, text};
use processes::sandbox::{SandboxOptions, confine};

/// Tries something in a confined process. `escape` gets the folder that it may write to and one that it may not;
/// the test passes when it gives true.
fn check(name: &str, programs: bool, escape: fn(&Path, &Path) -> bool) {
    if is_child(name) {
        let folder = PathBuf::from(std::env::var_os("COVOLVE_FOLDER").expect("set by the parent"));
        let (scratch, foreign) = (folder.join("scratch"), folder.join("foreign"));
        let report = confine(&SandboxOptions {
            programs,
            memory_mb: Some(2048),
            ..SandboxOptions::new(scratch.clone())
        });
        assert!(report.open.is_empty(), "{report:?}");
        let held = escape(&scratch, &foreign);
        jvm::watchdog::leave_process(if held { PASSED } else { 1 });
    }
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["scratch", "foreign"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
        fs::write(folder.path().join(name).join("file"), "content").expect("a file");
    }
    let path = folder.path().to_str().expect("a path");
    let output = child(name, &[("COVOLVE_FOLDER", path)]);
    assert_eq!(output.status.code(), Some(PASSED), "{name}: {}: {}", output.status, text(&output));
    let foreign = fs::read_to_string(folder.path().join("foreign/file")).expect("it is still there");
    assert_eq!(foreign, "content");
}

fn is_refused<T>(result: &std::io::Result<T>) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

#[test]
fn the_scratch_folder_can_be_written() {
    check("sandbox::the_scratch_folder_can_be_written", false, |scratch, _| {
        fs::write(scratch.join("new"), "x").is_ok()
            && fs::remove_file(scratch.join("file")).is_ok()
            && fs::create_dir(scratch.join("folder")).is_ok()
            && fs::write("/dev/null", "x").is_ok()
    });
}

#[test]
fn other_folders_can_be_read_but_not_written() {
    check("sandbox::other_folders_can_be_read_but_not_written", false, |scratch, foreign| {
        let file = foreign.join("file");
        fs::read_to_string(&file).is_ok()
            && is_refused(&fs::write(foreign.join("new"), "x"))
            && is_refused(&fs::write(&file, "x"))
            && is_refused(&fs::OpenOptions::new().append(true).open(&file))
            && is_refused(&fs::remove_file(&file))
            && is_refused(&fs::create_dir(foreign.join("folder")))
            && fs::rename(&file, scratch.join("stolen")).is_err()
            && fs::hard_link(&file, scratch.join("linked")).is_err()
    });
}

#[test]
fn links_do_not_lead_out_of_the_scratch_folder() {
    check("sandbox::links_do_not_lead_out_of_the_scratch_folder", false, |scratch, foreign| {
        let link = scratch.join("link");
        std::os::unix::fs::symlink(foreign, &link).is_ok()
            && is_refused(&fs::write(link.join("new"), "x"))
            && is_refused(&fs::write(scratch.join("../foreign/file"), "x"))
    });
}

#[test]
fn modes_and_times_cannot_be_changed() {
    check("sandbox::modes_and_times_cannot_be_changed", false, |_, foreign| {
        let file = foreign.join("file");
        let opened = fs::File::open(&file).expect("it can be read");
        is_refused(&fs::set_permissions(&file, fs::Permissions::from_mode(0o777)))
            && is_refused(&opened.set_permissions(fs::Permissions::from_mode(0o777)))
            && is_refused(&opened.set_modified(std::time::UNIX_EPOCH))
    });
}

#[test]
fn there_is_no_network() {
    check("sandbox::there_is_no_network", false, |scratch, _| {
        is_refused(&TcpStream::connect(("127.0.0.1", 9)))
            && is_refused(&TcpListener::bind(("127.0.0.1", 0)))
            && is_refused(&UdpSocket::bind(("127.0.0.1", 0)))
            && is_refused(&UnixDatagram::unbound())
            && is_refused(&UnixListener::bind(scratch.join("socket")))
    });
}

#[test]
fn other_processes_get_no_signals() {
    check("sandbox::other_processes_get_no_signals", true, |_, _| {
        let parent = rustix::process::getppid().expect("it has a parent");
        // A signal that does nothing but ask whether it may be sent.
        let asked = rustix::process::test_kill_process(parent);
        let own = rustix::process::test_kill_process(rustix::process::getpid());
        asked == Err(rustix::io::Errno::PERM)
            && own.is_ok()
            && rustix::process::test_kill_process_group(parent).is_err()
            && Command::new("sh")
                .args(["-c", &format!("kill -0 {}", parent.as_raw_nonzero())])
                .status()
                .is_ok_and(|status| !status.success())
    });
}

#[test]
fn a_worker_starts_no_programs() {
    check("sandbox::a_worker_starts_no_programs", false, |_, _| is_refused(&Command::new("true").status()));
}

#[test]
fn programs_that_may_start_are_confined_as_well() {
    check("sandbox::programs_that_may_start_are_confined_as_well", true, |scratch, foreign| {
        let shell = |script: String| {
            Command::new("sh").args(["-c", &script]).status().is_ok_and(|status| status.success())
        };
        shell(format!("echo x > {}/new", scratch.display()))
            && !shell(format!("echo x > {}/file", foreign.display()))
    });
}

#[test]
fn resources_are_limited() {
    use rustix::process::{Resource, getrlimit};
    check("sandbox::resources_are_limited", false, |_, _| {
        getrlimit(Resource::Fsize).maximum == Some(256 << 20)
            && getrlimit(Resource::Nofile).maximum.is_some_and(|most| most <= 4096)
            && getrlimit(Resource::Core).maximum == Some(0)
            && getrlimit(Resource::Data).current == Some(2 << 30)
            && getrlimit(Resource::Data).maximum == Some((2 << 30) + (256 << 20))
    });
}
