//! Signals in earnest: this program starts itself and interrupts what it started.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use cli::exit_code::ExitCode;
use cli::interrupt::Interrupt;
use rustix::process::{Pid, Signal, kill_process};

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("interrupt") => be_interrupted(),
        Some("idle") => be_idle(),
        _ => {
            the_first_signal_asks_and_the_second_ends();
            the_first_signal_ends_who_is_idle();
        }
    }
}

fn start(role: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("a program knows its path"));
    command.arg(role).stdout(Stdio::piped()).spawn().expect("it starts")
}

/// Says that it listens, says when it is asked to end, and goes on.
fn be_interrupted() {
    let interrupt = Interrupt::listen().expect("signals can be listened to");
    assert!(!interrupt.is_set());
    let mut out = std::io::stdout();
    writeln!(out, "listening").expect("the parent listens");
    while !interrupt.is_set() {
        std::thread::yield_now();
    }
    writeln!(out, "asked").expect("the parent listens");
    loop {
        std::thread::park();
    }
}

/// Is idle for a moment, then for ever.
fn be_idle() {
    let interrupt = Interrupt::listen().expect("signals can be listened to");
    interrupt.while_idle(&mut || ());
    assert!(!interrupt.is_set());
    interrupt.while_idle(&mut || {
        writeln!(std::io::stdout(), "idle").expect("the parent listens");
        loop {
            std::thread::park();
        }
    });
}

fn the_first_signal_ends_who_is_idle() {
    let mut child = start("idle");
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a small number")).expect("a process");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert_eq!(lines.next().expect("a line").expect("text"), "idle");
    kill_process(pid, Signal::TERM).expect("it lives");
    assert_eq!(child.wait().expect("it ends").code(), Some(i32::from(ExitCode::Killed.number())));
}

fn the_first_signal_asks_and_the_second_ends() {
    for signals in [[Signal::INT, Signal::INT], [Signal::TERM, Signal::INT]] {
        let mut child = start("interrupt");
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a small number")).expect("a process");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut expect = |text: &str| assert_eq!(lines.next().expect("a line").expect("text"), text);
        expect("listening");
        kill_process(pid, signals[0]).expect("it lives");
        expect("asked");
        kill_process(pid, signals[1]).expect("it lives");
        assert_eq!(child.wait().expect("it ends").code(), Some(i32::from(ExitCode::Killed.number())));
    }
}
