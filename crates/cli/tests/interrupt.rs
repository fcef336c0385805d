//! Signals in earnest: this program starts itself and interrupts what it started.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use cli::exit_code::ExitCode;
use cli::interrupt::Interrupt;
use rustix::process::{Pid, Signal, kill_process};

fn main() {
    if std::env::args().nth(1).is_some_and(|role| role == "interrupt") {
        be_interrupted();
    } else {
        the_first_signal_asks_and_the_second_ends();
    }
}

fn start() -> Child {
    let mut command = Command::new(std::env::current_exe().expect("a program knows its path"));
    command.arg("interrupt").stdout(Stdio::piped()).spawn().expect("it starts")
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

fn the_first_signal_asks_and_the_second_ends() {
    for signals in [[Signal::INT, Signal::INT], [Signal::TERM, Signal::INT]] {
        let mut child = start();
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
