//! From options to a JVM that is ready to run tests.

use std::time::Duration;

use crate::agent::Agent;
use crate::environment::time_natives::TimeNative;
use crate::error::JvmError;
use crate::jdk::Jdk;
use crate::jni::{Env, java_name};
use crate::options::JvmOptions;
use crate::process::Process;
use crate::reset::JvmState;
use crate::runtime::{Arrays, Runtime, describe_pending};
use crate::threads::Threads;
use crate::transform::Transformer;
use crate::vm::Vm;
use crate::watchdog::{Means, Watchdog};

/// Local references that starting needs.
const REFERENCES: usize = 1024;

/// Numbers of probes, outcomes and static fields to make room for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) probes: usize,
    pub(crate) outcomes: usize,
    pub(crate) statics: usize,
}

/// The JVM of this process, with what everything that is done in it needs.
#[derive(Debug)]
pub(crate) struct Jvm {
    pub(crate) vm: Vm,
    pub(crate) agent: Agent,
    pub(crate) runtime: Runtime,
    pub(crate) jdk: &'static Jdk,
}

impl Jvm {
    /// JNI on the thread that runs tests.
    pub(crate) fn env(&self) -> Env<'static> {
        self.vm.env()
    }

    /// What callbacks of the JVM work with.
    pub(crate) fn process(&self) -> &'static Process {
        self.vm.process
    }

    /// What instruments classes.
    pub(crate) fn transformer(&self) -> &'static Transformer {
        &self.vm.process.transformer
    }
}

/// A JVM with everything in place.
#[derive(Debug)]
pub(crate) struct Booted {
    pub(crate) jvm: Jvm,
    pub(crate) arrays: Arrays,
    pub(crate) state: JvmState,
    pub(crate) threads: Threads,
    pub(crate) watchdog: Watchdog,
    /// What could not be put in place, one sentence each.
    pub(crate) diagnostics: Vec<String>,
}

/// Starts the JVM on the calling thread and puts everything in place.
pub(crate) fn boot(options: &JvmOptions, transformer: Transformer, sizes: Sizes) -> Result<Booted, JvmError> {
    let vm = Vm::create(options, transformer)?;
    let agent = *vm.process.agent.get().ok_or(JvmError::NoAgent)?;
    vm.env().frame(REFERENCES, |env| prepare(env, &vm, agent, options, sizes)).map(|prepared| {
        let Prepared { runtime, jdk, arrays, state, threads, watchdog, diagnostics } = prepared;
        let jvm = Jvm { vm, agent, runtime, jdk };
        Booted { jvm, arrays, state, threads, watchdog, diagnostics }
    })
}

/// What [`boot`] puts in place.
struct Prepared {
    runtime: Runtime,
    jdk: &'static Jdk,
    arrays: Arrays,
    state: JvmState,
    threads: Threads,
    watchdog: Watchdog,
    diagnostics: Vec<String>,
}

fn prepare(
    env: Env<'_>,
    vm: &Vm,
    agent: Agent,
    options: &JvmOptions,
    sizes: Sizes,
) -> Result<Prepared, JvmError> {
    let process = vm.process;
    process.natives.bind_early(env, agent);
    let runtime = Runtime::define(env)?;
    let found = Jdk::find(env)?;
    let jdk = process.jdk.get_or_init(|| found);
    process.waiting.set_stop(runtime.stop());
    process.transformer.set_loaders(jdk.loader, jdk.platform_loader);
    let mut diagnostics = process.natives.missing(|native| has_native(env, native));
    if !agent.hook_classes() {
        diagnostics.push("this JVM does not let classes be instrumented, so nothing can be covered".into());
    }
    let initializer_steps = i32::try_from(options.initializer_steps).unwrap_or(i32::MAX);
    let arrays = runtime
        .install(env, sizes, initializer_steps, jdk.loader.get(), &process.folder.path().to_string_lossy())
        .map_err(|_| JvmError::Unsupported { what: describe_pending(env) })?;
    let watchdog = Watchdog::start(Means {
        invocation: vm.invocation(),
        agent,
        stop: runtime.stop(),
        test_thread: jdk.thread,
        limit: Duration::from_millis(options.limit_ms.into()),
        initializers: options.initializer_limits,
        loading: Duration::from_millis(options.loading_ms.into()),
        grace: Duration::from_millis(options.grace_ms.into()),
    })?;
    let state = JvmState::take(env, jdk, &runtime, options.random_seed);
    // Last, so that every thread of ours and of the JVM is among them.
    let threads = Threads::new(env, jdk, agent);
    Ok(Prepared { runtime, jdk, arrays, state, threads, watchdog, diagnostics })
}

/// Whether the JDK has a native method. Looking it up initializes its class, which the JDK did while it started.
fn has_native(env: Env<'_>, native: &TimeNative) -> bool {
    let found = env.find_class(&java_name(native.class)).and_then(|class| {
        if native.is_static {
            env.static_method(class, native.method, native.descriptor)
        } else {
            env.method(class, native.method, native.descriptor)
        }
    });
    found.inspect_err(|_| env.clear()).is_ok()
}
