//! One file per format.

pub mod cobertura;
pub mod html;
pub mod lcov;
pub mod markdown;
pub mod sarif;
