//! The algorithms, one file each, and what families of them share.

pub(crate) mod adynamosa;
pub(crate) mod auto;
pub(crate) mod dse;
pub(crate) mod dynamosa;
pub(crate) mod dynamosa_pref;
pub(crate) mod dynamosa_rank;
pub(crate) mod hybrid;
pub(crate) mod ma;
mod many_objective;
pub(crate) mod mio;
pub(crate) mod mosa;
pub(crate) mod nsga2;
pub(crate) mod random;
pub(crate) mod whole_suite;
pub(crate) mod ws;
pub(crate) mod wsa;
