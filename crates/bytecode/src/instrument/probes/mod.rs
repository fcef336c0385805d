//! One file per kind of probe: where it goes and what it calls.

#![expect(clippy::unnecessary_wraps, reason = "all rows of the table have one signature")]

pub(super) mod block;
pub(super) mod calls;
pub(super) mod compare;
pub(super) mod entry;
pub(super) mod exit;
pub(super) mod flag;
pub(super) mod handler;
pub(super) mod initializer;
pub(super) mod instance_of;
pub(super) mod jump;
pub(super) mod matcher;
pub(super) mod mutant;
pub(super) mod predicate;
pub(super) mod record_call;
pub(super) mod record_decision;
pub(super) mod record_entry;
pub(super) mod record_handler;
pub(super) mod record_made;
pub(super) mod record_read;
pub(super) mod record_return;
pub(super) mod size;
pub(super) mod static_write;
pub(super) mod step;
pub(super) mod switch;
pub(super) mod throw;
