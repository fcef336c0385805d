//! Instrumentation: probes put into the methods of a class, so that a run reports what it did.
//!
//! [`instrument_full`] gives a class the probes that goals need and tells where they are, [`instrument_again`] leaves out
//! mutation points that nobody asks about any more, and [`instrument_light`] gives other classes those that keep a
//! run under control. [`instrument_recorded`] adds those that log a run for its replay, and [`instrument_calls`] lets tests that others wrote tell what
//! they call, [`bridge_calls`] what they pass, get and see thrown. What the probes call, and what they report, is described in `docs/design/probes.md`.
//!
//! * `PROBES` and `probes`: what goes where, one file and one line each
//! * `class_editor`: a class file with its methods rewritten
//! * `code_editor`, `frames`, `debug_tables`: a method rewritten around insertions
//! * `bridges`: methods through which tests that others wrote call
//! * `opened`: classes and methods that are final no more, for stubs of what Mockito mocks
//! * `limits`: what is left out where a JVM has refused the rest
//! * `constants`, `runtime`: what inserted code refers to
//! * `branch`, `switch_table`: what a branch decides on

mod branch;
mod bridges;
mod class_editor;
mod code_editor;
mod constants;
mod debug_tables;
mod frames;
mod goal_class;
mod insertions;
mod limits;
mod method;
mod opened;
mod probes;
mod recorded;
mod runtime;
mod scan;
mod static_fields;
mod switch_table;

pub use bridges::{WatchedCalls, bridge_calls};
pub use class_editor::{
    Instrumented, instrument_again, instrument_analyzed, instrument_calls, instrument_full, instrument_light,
    instrument_limited, instrument_recorded,
};
pub use goal_class::GoalClass;
pub use limits::{Level, Limits};
pub use opened::open_class;
pub(crate) use probes::size::size_parameter;
pub use recorded::{LoggedMethod, LoggedMethods};
pub use runtime::{STOP_CLASS, called_methods};
pub use static_fields::{StaticField, StaticFields};

use branch::BranchSite;
use code_editor::EditError;
use method::{Edits, Method};

/// The set that a kind of probe stands in. Which of them a class gets is said in `docs/design/probes.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProbeSet {
    /// That of classes with goals.
    Full,
    /// That of all classes of the class path.
    Light,
    /// That of classes whose runs are recorded, beside one of the others.
    Recorded,
    /// That of tests that others wrote, and no other.
    Calls,
}

/// A kind of probe.
#[derive(Debug)]
pub(crate) struct Probe {
    /// Which classes get it.
    pub(crate) set: ProbeSet,
    /// Where it may go.
    pub(crate) sites: Sites,
}

/// Where a kind of probe may go, and the function that puts it there.
#[derive(Debug)]
pub(crate) enum Sites {
    /// Looked for in the method as a whole.
    Method(fn(&Method<'_>, &mut Edits<'_>) -> Result<(), EditError>),
    /// At instructions with one of these opcodes; the function gets the instruction's index.
    Instructions(&'static [u8], fn(&Method<'_>, usize, &mut Edits<'_>) -> Result<(), EditError>),
    /// At branches that are reported; a function leaves those of another shape alone.
    Branches(fn(&Method<'_>, &BranchSite<'_>, &mut Edits<'_>) -> Result<(), EditError>),
}

/// All probes. Where several stand before one instruction, they stand in this order.
pub(crate) const PROBES: &[Probe] = &[
    // Before everything else at the entry and in a handler.
    probes::record_entry::PROBE,
    probes::record_handler::PROBE,
    probes::initializer::PROBE,
    probes::entry::PROBE,
    probes::handler::PROBE,
    probes::block::PROBE,
    probes::step::PROBE,
    probes::exit::PROBE,
    probes::calls::PROBE,
    probes::size::PROBE,
    probes::throw::PROBE,
    probes::static_write::PROBE,
    probes::mutant::PROBE,
    probes::jump::PROBE,
    probes::compare::PROBE,
    probes::predicate::PROBE,
    probes::instance_of::PROBE,
    probes::matcher::PROBE,
    probes::flag::ASKED,
    probes::switch::PROBE,
    // Behind those of the jumps that decide.
    probes::flag::DECIDED,
    probes::record_return::PROBE,
    probes::record_call::PROBE,
    probes::record_read::PROBE,
    probes::record_made::PROBE,
    // Right before the jump.
    probes::record_decision::PROBE,
];
