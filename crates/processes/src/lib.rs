//! Child processes: the sandbox around what runs code of others, the messages between the parent and a worker, and what
//! watches and ends them. It must never know what a worker does, nor what is verified: jobs and events are bytes here.
//!
//! Start with [`supervisor::supervise`], the parent's side of a worker.
//!
//! * [`sandbox`]: what a process and its children may do; [`sandboxed`]: a program that is started inside of it
//! * [`supervisor`]: the parent's side: start, watch, restart, kill; [`worker`]: the worker's side
//! * [`message`]: what they say; [`channel`]: how; [`streams`]: moving that out of the reach of the code under test
//! * [`group`]: a child with all that it starts; [`meter`]: time that a child could make use of
//! * [`scratch`]: the folders that children may write

pub mod channel;
pub mod group;
pub mod message;
pub mod meter;
pub mod sandbox;
pub mod sandboxed;
pub mod scratch;
pub mod streams;
pub mod supervisor;
pub mod worker;

/// Variables that would change every JVM started below us, whatever its command line says.
pub const JVM_VARIABLES: [&str; 4] = ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"];
