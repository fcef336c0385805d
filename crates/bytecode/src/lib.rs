//! Class files in and out, and what can be computed from them alone: hierarchy, control flow, control
//! dependence, probes. It must never know that there is a JVM, a test or a search.
//!
//! Start with [`class_file::ClassFile`] (located, zero copy) and [`class_info::ClassInfo`] (decoded, owned).
//!
//! * [`access`], [`name`], [`identifier`], [`descriptor`], [`signature`]: names and types
//! * [`class_file`], [`opcode`], [`instruction`]: the format
//! * [`class_info`], [`source`], [`hierarchy`], [`subtyping`]: classes and how they relate
//! * [`class_path`], [`jimage`]: folders, jars, and the run-time image in which a JDK keeps its classes
//! * [`probe_map`]: what instrumentation reports of a class

pub mod access;
pub mod class_file;
pub mod class_info;
pub mod class_path;
pub mod descriptor;
pub mod hierarchy;
pub mod identifier;
pub mod instruction;
pub mod jimage;
pub mod name;
pub mod opcode;
pub mod probe_map;
pub mod signature;
pub mod source;
pub mod subtyping;
