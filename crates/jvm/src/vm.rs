//! Starts the JVM inside this process.

use std::ffi::{CString, c_void};
use std::fs;
use std::path::{Path, PathBuf};
use std::ptr::{self, NonNull};
use std::time::Duration;

use jvmti_bindings::sys::jni::{JNI_OK, JNI_VERSION_1_8, JavaVMInitArgs, JavaVMOption, result_name};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use processes::JVM_VARIABLES;

use crate::agent;
use crate::environment::clock::VirtualClock;
use crate::environment::folder::TestFolder;
use crate::environment::machine;
use crate::environment::natives::Natives;
use crate::environment::paths::KnownPaths;
use crate::environment::security::security_properties;
use crate::environment::waiting::Waiting;
use crate::error::JvmError;
use crate::jni::{Env, JNIEnv, JavaVM};
use crate::options::JvmOptions;
use crate::process::Process;
use crate::transform::Transformer;

/// Size of the stack that tests run on. Recursion should use up the steps of a brief run before its stack, and be
/// stopped in order. What recurses where there are no steps fills it: with 64 MiB such a test took a tenth of a second.
const STACK: usize = 16 << 20;

/// Runs something on a thread with a stack that is big enough for tests. A JVM must be started, and all its tests
/// run, within one such call.
pub fn run_on_big_stack<R: Send>(run: impl FnOnce() -> R + Send) -> Result<R, JvmError> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("jvm".into()).stack_size(STACK);
        let thread = builder
            .spawn_scoped(scope, run)
            .map_err(|reason| JvmError::System { what: "the thread of the JVM did not start", reason })?;
        match thread.join() {
            Ok(result) => Ok(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The JVM of this process, on the thread that created it.
#[derive(Debug)]
pub(crate) struct Vm {
    interface: NonNull<JavaVM>,
    env: NonNull<JNIEnv>,
    /// What the callbacks work with.
    pub(crate) process: &'static Process,
}

type CreateJavaVm = unsafe extern "system" fn(*mut *mut JavaVM, *mut *mut c_void, *mut JavaVMInitArgs) -> i32;

impl Vm {
    /// Creates the JVM on the calling thread.
    pub(crate) fn create(options: &JvmOptions, transformer: Transformer) -> Result<Self, JvmError> {
        let home = &options.java_home;
        let scratch = fs::canonicalize(&options.scratch)
            .map_err(|reason| JvmError::System { what: "the scratch folder cannot be used", reason })?;
        let security = security_properties(home, &scratch)?;
        let arguments = options.arguments(&security)?;
        let library = load(home.libjvm())?;
        let symbol = |name: &str| {
            // SAFETY: only the address is taken.
            unsafe { library.get::<*mut c_void>(name).ok().map(|symbol| symbol.into_raw().addr()) }
        };
        let natives = Natives::new(home.version(), symbol);
        let process = Process::new(
            VirtualClock::new(options.clock_ms, options.longest_sleep_ms),
            Waiting::new(Duration::from_millis(options.gives_way_ms.into())),
            natives,
            known_paths(options, security)?,
            TestFolder::new(&options.files, options.is_elsewhere)?,
            if options.is_elsewhere { machine::ELSEWHERE } else { machine::HERE },
            transformer,
        );
        let process = process.install().ok_or(JvmError::SecondJvm)?;
        scrub_environment();
        // SAFETY: the name and signature are those of the invocation API.
        let create = unsafe { library.get::<CreateJavaVm>("JNI_CreateJavaVM") };
        let create = *create
            .map_err(|error| JvmError::Load { path: home.libjvm().to_owned(), reason: error.to_string() })?;
        let (interface, env) = create_with(create, &arguments)?;
        // The library stays for the life of the process: the JVM cannot be unloaded.
        std::mem::forget(library);
        if process.agent.get().is_none() {
            return Err(JvmError::NoAgent);
        }
        Ok(Self { interface, env, process })
    }

    /// JNI on this thread. References made with it last until the end of the process, so work in frames.
    pub(crate) fn env(&self) -> Env<'static> {
        // SAFETY: the JVM gave it for this thread, which `Vm` does not leave (it is not `Send`).
        unsafe { Env::new(self.env.as_ptr()) }.expect("it is not null")
    }

    /// The invocation interface, for other threads to attach.
    pub(crate) fn invocation(&self) -> Invocation {
        Invocation(self.interface)
    }
}

/// The invocation interface: the part of JNI that works on every thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Invocation(NonNull<JavaVM>);

// SAFETY: the invocation interface may be used on every thread.
unsafe impl Send for Invocation {}

impl Invocation {
    /// Attaches this thread for the rest of its life.
    pub(crate) fn attach(self) -> Option<Env<'static>> {
        let vm = self.0.as_ptr();
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: the JVM lives as long as the process.
        let attached = unsafe { ((**vm).AttachCurrentThreadAsDaemon)(vm, &raw mut env, ptr::null_mut()) };
        if attached != JNI_OK {
            return None;
        }
        // SAFETY: the environment is that of this thread, which stays attached.
        unsafe { Env::new(env.cast()) }
    }
}

fn load(path: &Path) -> Result<Library, JvmError> {
    // The agent must survive into the program: refer to it where every JVM begins.
    std::hint::black_box(&raw const agent::ON_LOAD);
    // SAFETY: loading the JVM runs its initializers, which expect nothing of this process.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) };
    library.map_err(|error| JvmError::Load { path: path.to_owned(), reason: error.to_string() })
}

fn create_with(
    create: CreateJavaVm,
    arguments: &[String],
) -> Result<(NonNull<JavaVM>, NonNull<JNIEnv>), JvmError> {
    let texts = arguments
        .iter()
        .map(|option| CString::new(option.as_str()).map_err(|_| JvmError::Option { option: option.clone() }))
        .collect::<Result<Vec<_>, _>>()?;
    let mut options: Vec<JavaVMOption> = texts
        .iter()
        .map(|text| JavaVMOption { optionString: text.as_ptr().cast_mut(), extraInfo: ptr::null_mut() })
        .collect();
    let mut init = JavaVMInitArgs {
        version: JNI_VERSION_1_8,
        nOptions: options.len() as i32,
        options: options.as_mut_ptr(),
        ignoreUnrecognized: 1,
    };
    let (mut vm, mut env) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the arguments live through the call; HotSpot copies what it keeps.
    let code = unsafe { create(&raw mut vm, &raw mut env, &raw mut init) };
    match (code, NonNull::new(vm), NonNull::new(env.cast())) {
        (JNI_OK, Some(vm), Some(env)) => Ok((vm, env)),
        _ => Err(JvmError::Create { code: result_name(code), hint: hint(code) }),
    }
}

fn hint(code: i32) -> &'static str {
    match code {
        -4 => "there is too little memory for its heap",
        -5 => "this process has one already",
        -6 => "it does not take one of its options",
        _ => {
            "there may be too little memory for its heap, or the agent is not exported by this program (-rdynamic)"
        }
    }
}

/// What may be read without a trace: the JDK, the class path, and the file that configures security.
fn known_paths(options: &JvmOptions, security: PathBuf) -> Result<KnownPaths, JvmError> {
    let mut paths = options.absolute_class_path()?;
    paths.extend(paths.clone().iter().filter_map(|entry| fs::canonicalize(entry).ok()));
    paths.push(options.java_home.path().to_owned());
    paths.push(security);
    let known = KnownPaths::new(paths);
    Ok(match std::env::current_dir() {
        Ok(folder) => known.working_in(folder),
        // It was removed: nothing is told of it then.
        Err(_) => known,
    })
}

/// Removes variables that would put further options into the JVM.
fn scrub_environment() {
    for variable in JVM_VARIABLES {
        // SAFETY: a worker starts its JVM before it starts threads that read the environment; those of this crate
        // never do.
        unsafe { std::env::remove_var(variable) };
    }
}
