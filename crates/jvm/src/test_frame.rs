//! Runs of tests take place in a method of a test class, as a user's do. Called from outside Java, a test would have no caller:
//! what `Class.forName` and loggers ask for, and the frames of an exception that a test makes, would be missing.

use std::panic::{self, AssertUnwindSafe};
use std::ptr;

use bytecode::name::ClassName;
use bytecode::test_class::{TEST_DESCRIPTOR, TEST_METHOD, test_class};
use jvmti_bindings::sys::jni::{JNINativeMethod, jclass, jlong};

use crate::jdk::Jdk;
use crate::jni::{Env, Global, JNIEnv, Java, MethodId, Pending, java_name, jvalue, table};
use crate::transform::Transformer;

/// Local references that defining the class needs.
const REFERENCES: usize = 16;

/// What runs in the method: its address is what the method is called with.
type Body<'a> = &'a mut dyn FnMut(Env<'_>);

/// The test class and its method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TestFrame {
    pub(crate) class: Global,
    method: MethodId,
}

impl TestFrame {
    /// Defines the class in the loader of the class path; `None` if it cannot be had: its package may be sealed or signed.
    pub(crate) fn make(env: Env<'_>, jdk: &Jdk, transformer: &Transformer, name: &ClassName) -> Option<Self> {
        let made = env.frame(REFERENCES, |env| Self::define(env, jdk, transformer, name).ok());
        env.clear();
        made
    }

    fn define(env: Env<'_>, jdk: &Jdk, transformer: &Transformer, name: &ClassName) -> Java<Self> {
        let Ok(bytes) = test_class(name) else { return Err(Pending) };
        transformer.leave_alone(name.clone());
        let class = env.define_class(&java_name(name.as_str()), Some(jdk.loader.get()), &bytes)?;
        let (method, descriptor) = (java_name(TEST_METHOD), java_name(TEST_DESCRIPTOR));
        let native = JNINativeMethod {
            name: method.as_ptr().cast_mut(),
            signature: descriptor.as_ptr().cast_mut(),
            fnPtr: run_body as *mut _,
        };
        table!(env, RegisterNatives, class.raw(), &raw const native, 1);
        env.check()?;
        let method = env.static_method(class, TEST_METHOD, TEST_DESCRIPTOR)?;
        Ok(Self { class: env.global(class), method })
    }

    /// Runs in the method. What is pending afterwards is nobody's.
    pub(crate) fn run<R>(self, env: Env<'_>, run: impl FnOnce(Env<'_>) -> R) -> R {
        let (mut run, mut result) = (Some(run), None);
        {
            let mut body = |env: Env<'_>| {
                if let Some(run) = run.take() {
                    // No panic may pass through frames of the JVM.
                    result = Some(panic::catch_unwind(AssertUnwindSafe(|| run(env))));
                }
            };
            let mut body: Body<'_> = &mut body;
            let place = (&raw mut body).expose_provenance() as jlong;
            // SAFETY: a static method of that class that takes a `long`; what lies there outlives the call.
            let _ = unsafe { env.call_static(self.class.get(), self.method, &[jvalue { j: place }], None) };
        }
        env.clear();
        match (run, result) {
            (_, Some(Ok(result))) => result,
            (_, Some(Err(cause))) => panic::resume_unwind(cause),
            (Some(run), None) => run(env),
            (None, None) => unreachable!("what was run has a result"),
        }
    }
}

/// The native method: runs what lies at the place.
extern "system" fn run_body(env: *mut JNIEnv, _class: jclass, place: jlong) {
    // SAFETY: the JVM calls it with its environment.
    let Some(env) = (unsafe { Env::new(env) }) else { return };
    let body = ptr::with_exposed_provenance_mut::<Body<'_>>(place as usize);
    // SAFETY: [`TestFrame::run`] is the only caller, and waits for the end of this call with what lies there.
    if let Some(body) = unsafe { body.as_mut() } {
        body(env);
    }
}
