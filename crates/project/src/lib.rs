//! What the user has and where tests go: JDK, Maven, class path, classes, JUnit, folder. It knows class files, and no search,
//! no JVM that runs and no flags.
//!
//! * [`request`]: what is asked for; [`project`]: what was found
//! * [`jdk`]: which JDK
//! * [`class_path`], [`signed`]: entries of the class path, and as JVMs get them
//! * [`maven`], [`local_repository`]: artifacts and their dependencies
//! * [`targets`]: the classes to test, with their nests; [`class_pattern`]: those that are left out on demand; [`changes`]: those that
//!   git says changed; [`measured`]: which the project's own tests cover least; [`untestable`]: why others are not
//! * [`junit`]: the JUnit to write for and to verify with
//! * [`own_tests`]: which of the project's own tests are about a class
//! * [`test_sources`]: test files on disk; [`style`]: how they look; [`dependencies`]: what the result of a class depends on
//! * [`build`]: the modules of a Maven or Gradle build, or of a plain folder
//! * [`environment`]: the one door to environment variables; [`failure`]: what is wrong, in one sentence; [`nearest`]: names
//!   that were meant

pub mod build;
pub mod changes;
pub mod class_path;
pub mod class_pattern;
pub mod dependencies;
pub mod environment;
pub mod failure;
pub mod jdk;
pub mod junit;
pub mod local_repository;
pub mod maven;
pub mod measured;
pub mod nearest;
pub mod own_tests;
pub mod project;
pub mod request;
pub mod signed;
pub mod style;
pub mod targets;
pub mod test_sources;
pub mod untestable;
