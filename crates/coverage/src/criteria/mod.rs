//! The criteria, one file each.

pub mod branch;
pub(crate) mod direct_branch;
pub(crate) mod exception;
pub(crate) mod input;
pub(crate) mod line;
pub(crate) mod method;
pub(crate) mod method_no_exception;
pub(crate) mod method_trace;
pub(crate) mod output;
pub(crate) mod statement;
pub(crate) mod strong_mutation;
pub(crate) mod weak_mutation;
