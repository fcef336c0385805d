//! What the probes at both ends of class initializers call. Only there is what an initializer left told from what the test
//! changes afterwards, and what it changed in older classes from what the test changed before.

use std::ffi::CStr;

use jvmti_bindings::sys::jni::{JNINativeMethod, jclass};

use super::Checkpoints;
use crate::agent::Agent;
use crate::jdk::Jdk;
use crate::jni::{Env, JNIEnv, Java, Kind, Ref, jvalue, table};
use crate::process::Process;

/// Local references that a call needs.
const REFERENCES: usize = 64;

/// Frames between the native method and the initializer: its own, and that of the probe.
const FRAMES: i32 = 2;

/// A native method.
type Native = extern "system" fn(*mut JNIEnv, jclass);

/// The native methods of the probes.
const NATIVES: [(&CStr, Native); 2] = [(c"initializerBegins", begins), (c"initializerEnds", ends)];

/// Has the probes call this module.
///
/// # Errors
/// The class has no such methods.
pub(crate) fn register(env: Env<'_>, probe: Ref<'_>) -> Java<()> {
    for (name, function) in NATIVES {
        let native = JNINativeMethod {
            name: name.as_ptr().cast_mut(),
            signature: c"()V".as_ptr().cast_mut(),
            fnPtr: function as *mut _,
        };
        table!(env, RegisterNatives, probe.raw(), &raw const native, 1);
        env.check()?;
    }
    let is_driven = env.static_field(probe, "isDriven", "Z")?;
    // SAFETY: a static field of that class.
    unsafe { env.set_static(probe, is_driven, Kind::Boolean, jvalue { z: 1 }) };
    Ok(())
}

extern "system" fn begins(env: *mut JNIEnv, _probe: jclass) {
    with_checkpoints(env, |env, agent, jdk, checkpoints| checkpoints.initializer_begins(env, agent, jdk));
}

extern "system" fn ends(env: *mut JNIEnv, _probe: jclass) {
    with_checkpoints(env, |env, agent, jdk, checkpoints| {
        let class = agent.class_of_frame(env, FRAMES);
        let loaded = Process::get().map(|process| process.transformer.take_own()).unwrap_or_default();
        checkpoints.initializer_ends(env, agent, jdk, (class, loaded));
    });
}

/// Does something with the copies in a frame of its own; nothing while the process is being made, or between tests, where they
/// are in use.
fn with_checkpoints(env: *mut JNIEnv, act: impl FnOnce(Env<'_>, Agent, &Jdk, &mut Checkpoints)) {
    // SAFETY: the JVM calls native methods with its environment.
    let (Some(env), Some(process)) = (unsafe { Env::new(env) }, Process::get()) else { return };
    let (Some(agent), Some(jdk)) = (process.agent.get(), process.jdk.get()) else { return };
    let Some(mut checkpoints) = process.checkpoints.try_lock().ok() else { return };
    env.frame(REFERENCES, |env| act(env, *agent, jdk, &mut checkpoints));
    env.clear();
}
