//! Ctrl-C and SIGTERM: the first ends the search and delivers what was found, the second ends at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

use crate::exit_code::ExitCode;

/// Whether the user wants an end.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to the signals from now on.
    pub fn listen() -> io::Result<Self> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down and puts it up, the second finds it up.
            let code = i32::from(ExitCode::Killed.number());
            flag::register_conditional_shutdown(signal, code, Arc::clone(&interrupt.0))?;
            flag::register(signal, Arc::clone(&interrupt.0))?;
        }
        // A limit on the size of files is then an error of the write, as a full disk is, and not the end of this process.
        flag::register(SIGXFSZ, Arc::default())?;
        Ok(interrupt)
    }

    /// Whether a signal has come.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Waits for something while there is nothing to deliver: the first signal ends at once, too.
    pub fn while_idle(&self, wait: &mut dyn FnMut()) {
        self.0.store(true, Ordering::Release);
        wait();
        self.0.store(false, Ordering::Release);
    }

    /// Behaves as if a signal had come.
    pub fn set(&self) {
        self.0.store(true, Ordering::Release);
    }
}
