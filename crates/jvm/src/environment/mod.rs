//! The world as the code under test sees it: repeatable, and with every touch noted.

pub(crate) mod clock;
pub(crate) mod folder;
pub(crate) mod machine;
pub(crate) mod native_table;
pub(crate) mod natives;
pub(crate) mod paths;
pub(crate) mod security;
mod steady;
pub(crate) mod time_natives;
pub(crate) mod waiting;
