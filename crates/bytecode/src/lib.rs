//! Class files in and out, and what can be computed from them alone: hierarchy, control flow, control
//! dependence, probes. It must never know that there is a JVM, a test or a search.
//!
//! Start with [`class_file::ClassFile`] (located, zero copy) and [`class_info::ClassInfo`] (decoded, owned).
//!
//! * [`access`], [`name`], [`identifier`], [`descriptor`], [`signature`]: names and types
//! * [`class_file`], [`opcode`], [`instruction`]: the format
//! * [`class_info`], [`source`], [`hierarchy`], [`outlines`], [`subtyping`]: classes and how they relate
//! * [`class_path`], [`jimage`]: folders, jars, and the run-time image in which a JDK keeps its classes
//! * [`method_code`], [`cfg`](mod@cfg), [`dominators`], [`loops`], [`cdg`]: the code of a method and its flow of control
//! * [`verification`](mod@verification): types before each instruction
//! * [`predicate`], [`flags`], [`string_switch`], [`constants`]: what branches decide on, which values and types they ask for
//! * [`analysis`]: the entry point to all that; it numbers probes and says what they mean in a [`probe_map`]
//! * [`instrument`]: classes with the probes in their code
//! * [`mutate`]: mutants of code
//! * [`purity`](mod@purity): which methods only tell
//! * [`parameter_uses`]: which numbers are sizes of what a method makes, which texts are paths
//! * [`keyed`], [`narrowed`]: what code expects under a key, and to which types it casts what it gets
//! * [`settings`]: which settings of the JVM code reads
//! * [`code_files`]: the class files that both look into
//! * [`values`]: partitions of values, for goals on what calls take and give
//! * [`generated`]: whether a program wrote the source of a class
//! * [`lookup`]: a hash map without an order; [`side_by_side`](mod@side_by_side): work on all processors
//! * [`probe_layout`]: what a reader of traces must know of each probe
//! * [`stub_class`]: classes of objects whose methods answer from a script; [`test_class`]: the class that tests run in

pub mod access;
pub mod analysis;
#[cfg(test)]
mod assembler;
pub mod cdg;
pub mod cfg;
pub mod class_file;
pub mod class_info;
pub mod class_path;
mod class_writer;
pub mod code_files;
pub mod constants;
pub mod descriptor;
pub mod dominators;
mod evidence;
mod filters;
pub mod flags;
pub mod fleeting;
pub mod generated;
mod goals;
pub mod graph;
pub mod hierarchy;
pub mod identifier;
mod injected;
pub mod instruction;
pub mod instrument;
mod jacoco;
pub mod jimage;
pub mod keyed;
pub mod lookup;
pub mod loops;
mod manifest;
pub mod method_code;
pub mod mutate;
pub mod name;
mod names;
pub mod narrowed;
mod nullness;
pub mod opcode;
pub mod outlines;
pub mod parameter_uses;
pub mod predicate;
pub mod probe_layout;
pub mod probe_map;
pub mod purity;
pub mod settings;
pub mod side_by_side;
pub mod signature;
mod slots;
pub mod source;
pub mod static_state;
pub mod string_switch;
pub mod stub_class;
pub mod subtyping;
pub mod test_class;
pub mod values;
pub mod verification;
