//! The interpreter: replays a run with symbolic values beside the concrete ones and collects the conditions of its path.
//! Sections are those of the Java Virtual Machine Specification (JVMS, edition 17).
//!
//! Start with `machine` ([`Interpreter`]), then [`Outside`].
//!
//! * `slot`, `heap`: values and objects
//! * `outside`: what is asked for because it is not interpreted, and what recordings are told; `following`: recordings
//! * `statements`: what statements of tests do; `scripts`: answers of stubs
//! * `path`: conditions, ends, limits
//! * `code`: methods made ready; `selection`: which one a call runs; `machine`: frames and the loop
//! * `constants`, `locals`, `stack`, `arithmetic`, `branches`, `arrays`, `fields`, `objects`, `calls`, `dynamic`,
//!   `exceptions`: a file per family of opcodes
//! * `models`: calls that are modelled and not interpreted; `platform`: calls of the platform's code that is

mod arithmetic;
mod arrays;
mod branches;
mod calls;
mod code;
mod constants;
mod dynamic;
mod exceptions;
mod fields;
mod following;
mod heap;
mod locals;
mod machine;
mod models;
mod objects;
mod outside;
mod path;
mod platform;
mod scripts;
mod selection;
mod slot;
mod stack;
mod statements;

pub use code::Code;
pub use following::Following;
pub use heap::{Content, FieldCell, FieldName, Heap, Lambda, Object, ObjectId, Text};
pub use machine::Interpreter;
pub use outside::{Call, Difference, Happening, Mismatch, Outcome, Outside};
pub use path::{
    End, Limits, MethodName, Outcomes, PathCondition, Replay, Site, TypeFact, Unmodelled, Way, Why,
};
pub use scripts::{ScriptedAnswer, ScriptedMethod};
pub use selection::Dispatch;
pub use slot::{Concrete, Slot, sort_of};
