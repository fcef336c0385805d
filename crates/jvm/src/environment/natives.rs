//! Replacing native methods of the JDK: functions of ours note what a run touches and call the original.
//!
//! The JVM announces each binding to the agent. Before it can tell a method's name, bindings are recognized by
//! the address of the function (the clock, which the JDK reads while it starts) or remembered and made again once
//! names can be told.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use jvmti_bindings::sys::jni::JNINativeMethod;
use smallvec::{SmallVec, smallvec};
use testcase::execution::Touched;

use super::native_table::{NATIVES, Native, PathArgument, Touch};
use super::paths::WORKING_FOLDER;
use super::steady::{self, AttributeFields};
use super::time_natives::{ROLES, Role, TIME_NATIVES, TimeNative};
use crate::agent::{Agent, MethodName};
use crate::jni::{Env, FieldId, JNIEnv, MethodId, Ref, java_name, table};
use crate::process::Process;

/// Longest path that is looked at, in bytes or code units; that of Linux.
const LONGEST_PATH: usize = 4096;

/// Arguments that a forwarded native method may have besides environment and receiver. `forkAndExec` has ten.
const WORDS: usize = 12;

/// The method that tells whether a file is there and a folder, and what it says of one that is both (`java.io.FileSystem`).
const KIND: &str = "getBooleanAttributes0";
const THERE: usize = 1;
const FOLDER: usize = 4;

/// A native function with arguments enough for every method of the table.
type Forwarded = unsafe extern "system" fn(
    *mut JNIEnv,
    *mut c_void,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
) -> usize;

/// The native methods of the JVM that were replaced.
#[derive(Debug)]
pub(crate) struct Natives {
    version: u16,
    /// Functions of the JVM, known by address before names are, and what stands in for them.
    by_address: Vec<(usize, Role)>,
    /// Bound while names could not be told: method and function.
    early: Mutex<Vec<(MethodId, usize)>>,
    /// Originals of [`NATIVES`].
    originals: Vec<AtomicPtr<c_void>>,
    /// Originals of the roles of [`TIME_NATIVES`].
    time_originals: Vec<AtomicPtr<c_void>>,
    /// The field of `java.io.File` that holds its path.
    file_path: OnceLock<Option<FieldId>>,
    /// Where attributes of files are put.
    pub(super) attributes: OnceLock<AttributeFields>,
}

impl Natives {
    /// Nothing is bound yet. `symbol` gives the address of a function of the JVM library.
    pub(crate) fn new(version: u16, symbol: impl Fn(&str) -> Option<usize>) -> Self {
        let by_address =
            TIME_NATIVES.iter().filter_map(|native| Some((symbol(native.symbol?)?, native.role))).collect();
        let empty = |count: usize| (0..count).map(|_| AtomicPtr::new(ptr::null_mut())).collect();
        Self {
            version,
            by_address,
            early: Mutex::default(),
            originals: empty(NATIVES.len()),
            time_originals: empty(ROLES),
            file_path: OnceLock::new(),
            attributes: OnceLock::new(),
        }
    }

    /// A native method is being bound to a function: gives the one to bind instead.
    pub(crate) fn bind(
        &self,
        method: MethodId,
        name: Option<&MethodName>,
        address: *mut c_void,
    ) -> Option<*mut c_void> {
        if let Some((_, role)) = self.by_address.iter().find(|(known, _)| *known == address as usize) {
            return self.stand_in(*role, address);
        }
        if let Some(name) = name {
            self.replacement(name, address)
        } else {
            self.early.lock().unwrap_or_else(PoisonError::into_inner).push((method, address as usize));
            None
        }
    }

    /// The function that stands in for a method, if any.
    fn replacement(&self, name: &MethodName, address: *mut c_void) -> Option<*mut c_void> {
        let is_time = |native: &&TimeNative| {
            native.class == name.class
                && native.method == name.name
                && native.versions.contains(&self.version)
        };
        if let Some(native) = TIME_NATIVES.iter().find(is_time) {
            return self.stand_in(native.role, address);
        }
        let is_named = |native: &Native| native.class == name.class && native.method == name.name;
        let slot = NATIVES.iter().position(is_named)?;
        let forward = *FORWARDERS.get(slot)? as *mut c_void;
        if address == forward {
            return None;
        }
        self.originals.get(slot)?.store(address, Relaxed);
        Some(forward)
    }

    fn stand_in(&self, role: Role, address: *mut c_void) -> Option<*mut c_void> {
        let function = role.function();
        if address == function {
            return None;
        }
        self.time_originals.get(role as usize)?.store(address, Relaxed);
        Some(function)
    }

    /// The function that a role stands in for; null while it is not bound.
    pub(crate) fn original(&self, role: Role) -> *mut c_void {
        self.time_originals.get(role as usize).map_or(ptr::null_mut(), |original| original.load(Relaxed))
    }

    /// Binds what was bound before names could be told.
    pub(crate) fn bind_early(&self, env: Env<'_>, agent: Agent) {
        let early = std::mem::take(&mut *self.early.lock().unwrap_or_else(PoisonError::into_inner));
        for (method, address) in early {
            let Some(name) = agent.method_name(env, method) else { continue };
            let Some(function) = self.replacement(&name, address as *mut c_void) else { continue };
            let Some(class) = agent.declaring_class(env, method) else { continue };
            let (method_name, descriptor) = (java_name(&name.name), java_name(&name.descriptor));
            let native = JNINativeMethod {
                name: method_name.as_ptr().cast_mut(),
                signature: descriptor.as_ptr().cast_mut(),
                fnPtr: function,
            };
            table!(env, RegisterNatives, class.raw(), &raw const native, 1);
            env.clear();
            env.delete_local(class);
        }
    }

    /// Roles for which this JVM has no method, as sentences. `has` tells whether it has one.
    pub(crate) fn missing(&self, has: impl Fn(&TimeNative) -> bool) -> Vec<String> {
        let of_version = |native: &&TimeNative| native.versions.contains(&self.version);
        let unfilled = |roles: &&&[Role]| {
            !TIME_NATIVES.iter().filter(of_version).any(|native| roles.contains(&native.role) && has(native))
        };
        let sentence = |roles: &&[Role]| {
            let what = roles.first().map(Role::to_string).unwrap_or_default();
            format!("this JDK has no known native method to {what}, so tests that do are not repeatable")
        };
        Role::REQUIRED.iter().filter(unfilled).map(sentence).collect()
    }

    fn path_field(&self, env: Env<'_>, file: Ref<'_>) -> Option<FieldId> {
        *self.file_path.get_or_init(|| {
            let class = env.class_of(file);
            env.field(class, "path", "Ljava/lang/String;").inspect_err(|_| env.clear()).ok()
        })
    }

    /// The files that a call is about, as bytes; none where it does not tell.
    fn paths(&self, env: Env<'_>, argument: PathArgument, words: &[usize; WORDS]) -> SmallVec<[Vec<u8>; 2]> {
        let path = |argument: PathArgument| self.path(env, argument, words);
        let both = |one, other| path(one).zip(path(other)).map(|(one, other)| smallvec![one, other]);
        let found = match argument {
            PathArgument::Files => both(PathArgument::File(0), PathArgument::File(1)),
            PathArgument::Addresses => both(PathArgument::Address(0), PathArgument::Address(1)),
            one @ (PathArgument::Untold
            | PathArgument::Text(_)
            | PathArgument::File(_)
            | PathArgument::Address(_)) => path(one).map(|path| smallvec![path]),
        };
        found.unwrap_or_default()
    }

    /// The file that one argument names.
    fn path(&self, env: Env<'_>, argument: PathArgument, words: &[usize; WORDS]) -> Option<Vec<u8>> {
        let word = |index: usize| words.get(index).copied().unwrap_or(0);
        let text = |string: Ref<'_>| {
            // SAFETY: a string, by the native method's descriptor or the field's.
            String::from_utf16_lossy(&unsafe { env.string_units(string, LONGEST_PATH) }).into_bytes()
        };
        match argument {
            PathArgument::Untold | PathArgument::Files | PathArgument::Addresses => None,
            // SAFETY: a reference that the JVM passed to the native method, or null.
            PathArgument::Text(index) => unsafe { Ref::new(word(index) as *mut c_void) }.map(text),
            PathArgument::File(index) => {
                // SAFETY: as above.
                let file = unsafe { Ref::new(word(index) as *mut c_void) }?;
                let field = self.path_field(env, file)?;
                // SAFETY: the field was found in the class of such a file, and is a string.
                let path = unsafe { env.get_object(file, field) }?;
                let bytes = text(path);
                env.delete_local(path);
                Some(bytes)
            }
            PathArgument::Address(index) => {
                let address = word(index) as *const c_char;
                // SAFETY: the JDK passes the address of a path that ends with a zero.
                (!address.is_null()).then(|| unsafe { CStr::from_ptr(address) }.to_bytes().to_vec())
            }
        }
    }
}

/// What a call of a native method touches.
fn touched(touch: Touch, words: &[usize; WORDS]) -> Touched {
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    match touch {
        Touch::Always(what) => what,
        Touch::Machine => Touched::NETWORK,
        Touch::OpenFlags(index) => {
            let writes = rustix::fs::OFlags::WRONLY
                | rustix::fs::OFlags::RDWR
                | rustix::fs::OFlags::CREATE
                | rustix::fs::OFlags::TRUNC;
            let flags = rustix::fs::OFlags::from_bits_retain(word(index) as u32);
            if flags.intersects(writes) { Touched::FILE_WRITE } else { Touched::FILE_READ }
        }
        Touch::RandomAccessMode(index) => {
            if word(index) & 1 == 1 {
                Touched::FILE_READ
            } else {
                Touched::FILE_WRITE
            }
        }
    }
}

/// What a call is about.
enum About {
    /// A file in the folder of the test.
    OwnFile(Vec<u8>),
    /// The folder that a test is said to work in.
    WorkingFolder,
    /// Anything else.
    Other,
}

/// Notes the call of a native method; gives what it is about.
fn note(process: &Process, native: &Native, env: *mut JNIEnv, words: &[usize; WORDS]) -> About {
    if !process.is_running() {
        return About::Other;
    }
    let mut what = touched(native.touch, words);
    if what == Touched::THREAD {
        // SAFETY: the JVM passes the environment of the calling thread to native methods.
        unsafe { process.waiting.thread_started(env) };
    }
    if what == Touched::FILE_READ || what == Touched::FILE_WRITE {
        if what == Touched::FILE_WRITE {
            // Not every method tells which files it changes, and a link may be made in the folder.
            process.folder.note_use();
        }
        // SAFETY: the JVM passes the environment of the calling thread to native methods.
        let env = unsafe { Env::new(env) };
        let paths = env.map_or_else(SmallVec::new, |env| process.natives.paths(env, native.path, words));
        if let Some(first) = paths.first()
            && paths.iter().all(|path| process.folder.contains(path))
        {
            process.folder.note_use();
            process.touch(steady::touched(native, first));
            if what == Touched::FILE_WRITE {
                process.folder.dates().change(&paths);
            }
            return paths.into_iter().next().map_or(About::Other, About::OwnFile);
        }
        if let (Touched::FILE_READ, [path]) = (what, paths.as_slice()) {
            let asks_kind = native.method == KIND;
            if asks_kind && path == WORKING_FOLDER {
                return About::WorkingFolder;
            }
            if process.known_paths.contain(path) || (asks_kind && process.known_paths.is_everywhere(path)) {
                return About::Other;
            }
            if path == b"/dev/random" || path == b"/dev/urandom" {
                what = Touched::CLOCK;
            }
        }
    }
    process.touch(what);
    About::Other
}

/// Stands in for the native method at a place of [`NATIVES`].
///
/// All arguments of those methods are whole numbers and references, so each is one word, and the original takes
/// as many of them as it has. Words beyond the caller's arguments hold whatever the registers and its stack hold;
/// nothing uses them.
///
/// # Safety
/// Called by the JVM only, as that native method.
unsafe extern "system" fn forward<const SLOT: usize>(
    env: *mut JNIEnv,
    receiver: *mut c_void,
    w0: usize,
    w1: usize,
    w2: usize,
    w3: usize,
    w4: usize,
    w5: usize,
    w6: usize,
    w7: usize,
    w8: usize,
    w9: usize,
    w10: usize,
    w11: usize,
) -> usize {
    let Some(process) = Process::get() else { return 0 };
    let (Some(native), Some(original)) = (NATIVES.get(SLOT), process.natives.originals.get(SLOT)) else {
        return 0;
    };
    if matches!(native.touch, Touch::Machine) {
        // SAFETY: the JVM passes the environment of the calling thread to native methods, and these arguments.
        let answer = unsafe { process.machine.answer(env, native, [w0, w1, w2]) };
        if let Some(answer) = answer {
            process.ask_machine();
            return answer;
        }
    }
    let file = match note(process, native, env, &[w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11]) {
        About::WorkingFolder => return THERE | FOLDER,
        About::OwnFile(file) => Some(file),
        About::Other => None,
    };
    if let Some(answer) = file.as_ref().and_then(|file| steady::instead(process, native, file, w1)) {
        return answer;
    }
    let original = original.load(Relaxed);
    // SAFETY: the JVM had bound this function to the method, and the arguments are those the method was called
    // with; see above for those that it does not have.
    unsafe {
        let original: Forwarded = std::mem::transmute(original);
        let answer = original(env, receiver, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11);
        match file {
            Some(file) => steady::answer(process, native, env, (&file, w1), answer),
            None => answer,
        }
    }
}

/// One forwarder per place of [`NATIVES`], and some to spare.
macro_rules! forwarders {
    ($($slot:literal)*) => { &[$(forward::<$slot>),*] };
}

static FORWARDERS: &[Forwarded] = forwarders!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39
    40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76
    77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109
    110 111 112 113 114 115 116 117 118 119
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_native_method_has_a_forwarder() {
        assert!(NATIVES.len() <= FORWARDERS.len(), "{}", NATIVES.len());
    }

    #[test]
    fn files_are_written_by_how_they_are_opened() {
        let check = |touch: Touch, argument: usize, expect: Touched| {
            let mut words = [0; WORDS];
            words[1] = argument;
            assert_eq!(touched(touch, &words), expect, "{touch:?} {argument:#x}");
        };
        check(Touch::OpenFlags(1), 0, Touched::FILE_READ);
        check(Touch::OpenFlags(1), 0o101, Touched::FILE_WRITE);
        check(Touch::OpenFlags(1), 0o2, Touched::FILE_WRITE);
        check(Touch::OpenFlags(1), 0o2_000_000, Touched::FILE_READ);
        check(Touch::RandomAccessMode(1), 1, Touched::FILE_READ);
        check(Touch::RandomAccessMode(1), 2, Touched::FILE_WRITE);
        check(Touch::Always(Touched::NETWORK), 7, Touched::NETWORK);
    }
}
