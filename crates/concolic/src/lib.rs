//! concolic
