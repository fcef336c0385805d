//! What the user has: JDK, Maven, class path, classes, JUnit.
//!
//! * [`jdk`]: which JDK
//! * [`class_path`]: entries of the class path
//! * [`maven`], [`local_repository`]: artifacts and their dependencies
//! * [`targets`]: the classes to test, with their nests; [`untestable`]: why others are not
//! * [`junit`]: the JUnit to write for and to verify with

pub mod class_path;
pub mod jdk;
pub mod junit;
pub mod local_repository;
pub mod maven;
pub mod signed;
pub mod targets;
pub mod untestable;
