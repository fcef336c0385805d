//! A thin layer over the function table of JNI: references that cannot outlive their frame, ids, calls that give
//! a pending exception as an error.
//!
//! JNI checks nothing, so what Rust's types cannot rule out (ids that fit their class, arguments that fit their
//! descriptor) makes a function `unsafe`, with what it asks for under `# Safety`.

mod array;
mod call;
mod env;
mod reference;
mod text;

pub(crate) use call::{Kind, ZERO};
pub(crate) use env::{Env, FieldId, Java, MethodId, Pending, java_name, table};
pub(crate) use jvmti_bindings::sys::jni::{JNIEnv, JavaVM, jvalue};
pub(crate) use reference::{Global, Ref};
