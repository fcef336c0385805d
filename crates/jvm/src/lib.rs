//! Boots the user's JVM inside this process, instruments classes as they are loaded, and runs test cases through raw
//! JNI, one call per statement. It must never know goals, fitness or search.
//!
//! Start with [`executor::JvmExecutor`]; a process is confined by [`processes::sandbox`] before that. The only crate with
//! `unsafe` code.
//!
//! * [`home`], [`options`], [`vm`], `boot`: the JDK, and starting its JVM
//! * [`executor`], `lower`, `resolve`, `observe`, `thrown`: running a test and reporting what it did; `test_frame`: the class
//!   that its calls come from
//! * `trace_reader`, `initializers`, `runtime`: what probes recorded; [`probe_classes`]: what they call, for other JVMs; `recording`: what they logged for replays
//! * `statics`, `caches`, `checkpoint`, `reset`, `threads`: everything as before for the next test
//! * `environment`: time, chance, files, network, processes as the code under test meets them
//! * [`transform`], `agent`: classes on their way into the JVM
//! * [`watchdog`]: what holds when nothing else does; [`faults`]: what is not tried again
//! * [`shared`]: the running test, seen by the parent
//! * `jni`, `jdk`, `process`: the foundations
//!
//! # Binaries
//! Every binary that starts a JVM must export the agent: `println!("cargo::rustc-link-arg-bins=-rdynamic")` in the
//! build script of its own crate, since Cargo does not hand link arguments down. [`executor::JvmExecutor::start`] says
//! so when it is missing.

#![allow(unsafe_code, reason = "a JVM is driven through C interfaces; every block says why it is sound")]
#![warn(clippy::undocumented_unsafe_blocks)]
#![deny(clippy::unwrap_used, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by a panic"))]

mod agent;
mod boot;
mod caches;
mod carried;
mod checkpoint;
mod environment;
pub mod error;
mod exceptions;
pub mod executor;
pub mod faults;
pub mod home;
mod initializers;
mod jdk;
mod jni;
mod lower;
mod mutants;
mod observe;
pub mod options;
mod pools;
pub mod probe_classes;
mod process;
mod recording;
pub mod refusal;
mod reset;
mod resolve;
mod runtime;
pub mod shared;
mod signatures;
mod stack;
mod statics;
mod strings;
mod stubs;
mod test_frame;
mod threads;
mod thrown;
mod trace_reader;
pub mod transform;
mod values;
pub mod vm;
pub mod watchdog;
