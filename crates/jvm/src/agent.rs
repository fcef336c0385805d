//! The agent: what JVMTI tells and does. All use of JVMTI is in this file.
//!
//! It is linked into the program. HotSpot finds it through the dynamic symbol `Agent_OnLoad_covolve` when it reads
//! `-agentlib:covolve`, so every binary that starts a JVM must export it: `-rdynamic`, which Cargo does not hand
//! down from one crate's build script to another's.

use std::ffi::{CStr, c_char, c_uchar, c_void};
use std::ptr::{self, NonNull};

use jvmti_bindings::sys::jni::{JNI_OK, JNIEnv, JavaVM, jclass, jint, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_CLASS_STATUS_ERROR, JVMTI_CLASS_STATUS_INITIALIZED, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
    JVMTI_EVENT_NATIVE_METHOD_BIND, JVMTI_VERSION_1_2, jvmtiCapabilities, jvmtiClassDefinition, jvmtiEnv,
    jvmtiError, jvmtiEvent, jvmtiEventCallbacks, jvmtiInterface_1_,
};

use bytecode::name::ClassName;

use crate::jni::{Env, FieldId, Global, MethodId, Ref};
use crate::process::Process;

/// JVMTI, usable on every thread that is attached to the JVM.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Agent {
    jvmti: NonNull<jvmtiEnv>,
}

/// `JVMTI_THREAD_STATE_RUNNABLE`
const RUNNABLE: jint = 4;

// SAFETY: JVMTI environments may be used on every thread.
unsafe impl Send for Agent {}
// SAFETY: as above; the JVM does its own locking.
unsafe impl Sync for Agent {}

/// A method by its names: class as a descriptor without `L` and `;`, then name and descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MethodName {
    /// Internal name of the class.
    pub(crate) class: String,
    /// Name of the method.
    pub(crate) name: String,
    /// Its descriptor.
    pub(crate) descriptor: String,
}

/// A field as its class declares it.
#[derive(Debug, Clone)]
pub(crate) struct DeclaredField {
    /// Its id.
    pub(crate) id: FieldId,
    /// Its name.
    pub(crate) name: String,
    /// Its descriptor.
    pub(crate) descriptor: String,
    /// Its access flags.
    pub(crate) modifiers: u16,
}

/// How far a class has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClassState {
    /// Its initializer has not ended.
    Loaded,
    /// Its initializer has ended.
    Initialized,
    /// Its initializer has failed.
    Failed,
}

/// Calls a function of the JVMTI table.
macro_rules! jvmti {
    ($agent:expr, $function:ident $(, $argument:expr)* $(,)?) => {{
        let raw = $agent.jvmti.as_ptr();
        // SAFETY: the environment lives as long as the JVM; pointers passed are valid for the call, references and
        // ids are those of the JVM (types of the wrapper).
        unsafe {
            let function = $agent.table().$function;
            function.map(|function| function(raw $(, $argument)*))
        }
    }};
}

impl Agent {
    /// The function table. A function is missing only in a table that is older than the version asked for.
    unsafe fn table(&self) -> &jvmtiInterface_1_ {
        // SAFETY: the environment points to a table of the JVM, which is never freed.
        unsafe { &*(*self.jvmti.as_ptr()).functions }
    }

    fn add_capabilities(self) -> bool {
        let mut capabilities = jvmtiCapabilities::default();
        capabilities.set_can_generate_native_method_bind_events(true);
        capabilities.set_can_signal_thread(true);
        capabilities.set_can_tag_objects(true);
        capabilities.set_can_redefine_classes(true);
        succeeded(jvmti!(self, AddCapabilities, &raw const capabilities))
    }

    fn set_callbacks(self) -> bool {
        let mut callbacks = jvmtiEventCallbacks::default();
        callbacks.NativeMethodBind = Some(native_method_bind);
        callbacks.ClassFileLoadHook = Some(class_file_load_hook);
        let size = size_of::<jvmtiEventCallbacks>() as jint;
        succeeded(jvmti!(self, SetEventCallbacks, &raw const callbacks, size))
    }

    fn enable(self, event: jvmtiEvent) -> bool {
        succeeded(jvmti!(self, SetEventNotificationMode, JVMTI_ENABLE, event, ptr::null_mut()))
    }

    /// From now on, classes pass through the transformer.
    pub(crate) fn hook_classes(self) -> bool {
        self.enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)
    }

    /// The names of a method; `None` while the JVM is too young to tell.
    pub(crate) fn method_name(self, env: Env<'_>, method: MethodId) -> Option<MethodName> {
        let mut class = ptr::null_mut();
        succeeded(jvmti!(self, GetMethodDeclaringClass, method.raw(), &raw mut class)).then_some(())?;
        // SAFETY: JVMTI returned a local reference of this thread.
        let class = unsafe { Ref::new(class) }?;
        let signature = self.class_signature(class);
        env.delete_local(class);
        let (mut name, mut descriptor) = (ptr::null_mut(), ptr::null_mut());
        let found =
            jvmti!(self, GetMethodName, method.raw(), &raw mut name, &raw mut descriptor, ptr::null_mut());
        let (name, descriptor) = (self.take_text(name), self.take_text(descriptor));
        succeeded(found).then_some(())?;
        let signature = signature?;
        let class = signature.strip_prefix('L')?.strip_suffix(';')?.to_owned();
        Some(MethodName { class, name: name?, descriptor: descriptor? })
    }

    /// The class a method was declared in, as a local reference.
    pub(crate) fn declaring_class(self, env: Env<'_>, method: MethodId) -> Option<Ref<'_>> {
        let _ = env;
        let mut class = ptr::null_mut();
        succeeded(jvmti!(self, GetMethodDeclaringClass, method.raw(), &raw mut class)).then_some(())?;
        // SAFETY: JVMTI returned a local reference of this thread, in its innermost frame.
        unsafe { Ref::new(class) }
    }

    /// The class of the method in a frame of this thread, counted from the innermost, as a local reference.
    pub(crate) fn class_of_frame(self, env: Env<'_>, depth: i32) -> Option<Ref<'_>> {
        let (mut method, mut location) = (ptr::null_mut(), 0);
        let thread = ptr::null_mut();
        let found = jvmti!(self, GetFrameLocation, thread, depth, &raw mut method, &raw mut location);
        succeeded(found).then_some(())?;
        self.declaring_class(env, MethodId::new(method)?)
    }

    /// The descriptor of a class, `Lp/Foo;` or `[I`.
    pub(crate) fn class_signature(self, class: Ref<'_>) -> Option<String> {
        let mut signature = ptr::null_mut();
        let found = jvmti!(self, GetClassSignature, class.raw(), &raw mut signature, ptr::null_mut());
        let signature = self.take_text(signature);
        succeeded(found).then_some(signature).flatten()
    }

    /// Whether a class was initialized.
    pub(crate) fn class_state(self, class: Ref<'_>) -> ClassState {
        let mut status = 0;
        if !succeeded(jvmti!(self, GetClassStatus, class.raw(), &raw mut status)) {
            return ClassState::Failed;
        }
        if status & JVMTI_CLASS_STATUS_ERROR != 0 {
            ClassState::Failed
        } else if status & JVMTI_CLASS_STATUS_INITIALIZED != 0 {
            ClassState::Initialized
        } else {
            ClassState::Loaded
        }
    }

    /// The fields that a class declares itself.
    pub(crate) fn class_fields(self, env: Env<'_>, class: Ref<'_>) -> Vec<DeclaredField> {
        let _ = env;
        let (mut count, mut fields) = (0, ptr::null_mut());
        if !succeeded(jvmti!(self, GetClassFields, class.raw(), &raw mut count, &raw mut fields))
            || fields.is_null()
        {
            return Vec::new();
        }
        // SAFETY: JVMTI allocated that many ids.
        let found = unsafe { std::slice::from_raw_parts(fields, usize::try_from(count).unwrap_or(0)) };
        let declared = found.iter().filter_map(|id| self.declared_field(class, FieldId::new(*id)?)).collect();
        let _ = jvmti!(self, Deallocate, fields.cast());
        declared
    }

    fn declared_field(self, class: Ref<'_>, id: FieldId) -> Option<DeclaredField> {
        let (mut name, mut descriptor, mut modifiers) = (ptr::null_mut(), ptr::null_mut(), 0);
        let found = jvmti!(
            self,
            GetFieldName,
            class.raw(),
            id.raw(),
            &raw mut name,
            &raw mut descriptor,
            ptr::null_mut()
        );
        let (name, descriptor) = (self.take_text(name), self.take_text(descriptor));
        succeeded(found).then_some(())?;
        succeeded(jvmti!(self, GetFieldModifiers, class.raw(), id.raw(), &raw mut modifiers)).then_some(())?;
        Some(DeclaredField { id, name: name?, descriptor: descriptor?, modifiers: modifiers as u16 })
    }

    /// The number that an object was marked with; 0 when it was not.
    pub(crate) fn tag(self, object: Ref<'_>) -> i64 {
        let mut tag = 0;
        let _ = jvmti!(self, GetTag, object.raw(), &raw mut tag);
        tag
    }

    /// The identity hash code of an object.
    pub(crate) fn identity_hash(self, object: Ref<'_>) -> i32 {
        let mut hash = 0;
        let _ = jvmti!(self, GetObjectHashCode, object.raw(), &raw mut hash);
        hash
    }

    /// Marks an object with a number; 0 takes the mark away.
    pub(crate) fn set_tag(self, object: Ref<'_>, tag: i64) {
        let _ = jvmti!(self, SetTag, object.raw(), tag);
    }

    /// All live platform threads, as local references.
    pub(crate) fn threads(self, env: Env<'_>) -> Vec<Ref<'_>> {
        let _ = env;
        let (mut count, mut threads) = (0, ptr::null_mut());
        if !succeeded(jvmti!(self, GetAllThreads, &raw mut count, &raw mut threads)) || threads.is_null() {
            return Vec::new();
        }
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: JVMTI allocated that many local references of this thread.
        let found = unsafe { std::slice::from_raw_parts(threads, count) };
        // SAFETY: as above.
        let references = found.iter().filter_map(|thread| unsafe { Ref::new(*thread) }).collect();
        let _ = jvmti!(self, Deallocate, threads.cast());
        references
    }

    /// Whether a thread runs or could run: it neither waits nor sleeps nor stands before a monitor.
    pub(crate) fn is_runnable(self, thread: Ref<'_>) -> bool {
        let mut state = 0;
        succeeded(jvmti!(self, GetThreadState, thread.raw(), &raw mut state)) && state & RUNNABLE != 0
    }

    /// Throws an exception into a thread, wherever it is in Java code.
    pub(crate) fn stop_thread(self, thread: Global, exception: Global) -> bool {
        succeeded(jvmti!(self, StopThread, thread.raw(), exception.raw()))
    }

    /// The class of that name which a loader defined or was asked for, as a local reference.
    pub(crate) fn loaded_class<'f>(self, env: Env<'f>, loader: Ref<'_>, name: &ClassName) -> Option<Ref<'f>> {
        let (mut count, mut classes) = (0, ptr::null_mut());
        if !succeeded(jvmti!(self, GetClassLoaderClasses, loader.raw(), &raw mut count, &raw mut classes))
            || classes.is_null()
        {
            return None;
        }
        let signature = format!("L{};", name.as_str());
        // SAFETY: JVMTI allocated that many local references of this thread.
        let all = unsafe { std::slice::from_raw_parts(classes, usize::try_from(count).unwrap_or(0)) };
        let mut found = None;
        // SAFETY: as above.
        for class in all.iter().filter_map(|class| unsafe { Ref::new(*class) }) {
            if found.is_none() && self.class_signature(class).is_some_and(|own| own == signature) {
                found = Some(class);
            } else {
                env.delete_local(class);
            }
        }
        let _ = jvmti!(self, Deallocate, classes.cast());
        found
    }

    /// The classes that a loader defined or was asked for, as local references with their names; no arrays.
    pub(crate) fn loaded_classes<'f>(self, env: Env<'f>, loader: Ref<'_>) -> Vec<(Ref<'f>, ClassName)> {
        let (mut count, mut classes) = (0, ptr::null_mut());
        if !succeeded(jvmti!(self, GetClassLoaderClasses, loader.raw(), &raw mut count, &raw mut classes))
            || classes.is_null()
        {
            return Vec::new();
        }
        // SAFETY: JVMTI allocated that many local references of this thread.
        let all = unsafe { std::slice::from_raw_parts(classes, usize::try_from(count).unwrap_or(0)) };
        let mut named = Vec::with_capacity(all.len());
        // SAFETY: as above.
        for class in all.iter().filter_map(|class| unsafe { Ref::new(*class) }) {
            let signature = self.class_signature(class);
            let name = signature.as_deref().and_then(|text| text.strip_prefix('L')?.strip_suffix(';'));
            match name {
                Some(name) => named.push((class, ClassName::new(name))),
                None => env.delete_local(class),
            }
        }
        let _ = jvmti!(self, Deallocate, classes.cast());
        named
    }

    /// Gives a class other code; what runs in it goes on in the old code. Whether the JVM took it.
    pub(crate) fn redefine(self, class: Ref<'_>, bytes: &[u8]) -> bool {
        self.redefine_all(&[(class, bytes)])
    }

    /// As [`Agent::redefine`], for many classes at once: the JVM takes all of them or none.
    pub(crate) fn redefine_all(self, classes: &[(Ref<'_>, &[u8])]) -> bool {
        let definition = |(class, bytes): &(Ref<'_>, &[u8])| {
            let class_byte_count = jint::try_from(bytes.len()).ok()?;
            Some(jvmtiClassDefinition { klass: class.raw(), class_byte_count, class_bytes: bytes.as_ptr() })
        };
        let definitions: Option<Vec<_>> = classes.iter().map(definition).collect();
        let Some(definitions) = definitions else { return false };
        let Ok(count) = jint::try_from(definitions.len()) else { return false };
        count == 0 || succeeded(jvmti!(self, RedefineClasses, count, definitions.as_ptr()))
    }

    /// Copies text that JVMTI allocated and frees it.
    fn take_text(self, text: *mut c_char) -> Option<String> {
        if text.is_null() {
            return None;
        }
        // SAFETY: JVMTI returns text that ends with a zero.
        let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        let _ = jvmti!(self, Deallocate, text.cast());
        Some(copy)
    }

    /// Copies bytes into memory that the JVM frees.
    fn give_bytes(self, bytes: &[u8]) -> Option<NonNull<c_uchar>> {
        let mut memory: *mut c_uchar = ptr::null_mut();
        succeeded(jvmti!(self, Allocate, bytes.len() as i64, &raw mut memory)).then_some(())?;
        let memory = NonNull::new(memory)?;
        // SAFETY: JVMTI allocated that many bytes, which nothing else knows yet.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory.as_ptr(), bytes.len()) };
        Some(memory)
    }
}

fn succeeded(error: Option<jvmtiError>) -> bool {
    error == Some(jvmtiError::NONE)
}

/// Called by the JVM when it loads the agent, before it runs any bytecode. Anything but 0 ends the start.
///
/// # Safety
/// Called by the JVM only.
#[unsafe(no_mangle)]
#[expect(unreachable_pub, reason = "it is reached by its exported name")]
pub unsafe extern "system" fn Agent_OnLoad_covolve(
    vm: *mut JavaVM,
    _options: *mut c_char,
    _reserved: *mut c_void,
) -> jint {
    let Some(process) = Process::get() else { return 1 };
    let mut jvmti: *mut c_void = ptr::null_mut();
    // SAFETY: the JVM passes its own interface.
    let found = unsafe { ((**vm).GetEnv)(vm, &raw mut jvmti, JVMTI_VERSION_1_2) };
    let Some(jvmti) = NonNull::new(jvmti.cast()) else { return 1 };
    let agent = Agent { jvmti };
    let ready = found == JNI_OK && agent.add_capabilities() && agent.set_callbacks();
    if ready && process.agent.set(agent).is_ok() && agent.enable(JVMTI_EVENT_NATIVE_METHOD_BIND) {
        return 0;
    }
    1
}

/// Keeps the agent from being dropped by the linker: whoever starts a JVM refers to it.
pub(crate) static ON_LOAD: unsafe extern "system" fn(*mut JavaVM, *mut c_char, *mut c_void) -> jint =
    Agent_OnLoad_covolve;

/// A native method is about to be bound to a function; another one may be given.
unsafe extern "system" fn native_method_bind(
    _jvmti: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    _thread: jobject,
    method: *mut c_void,
    address: *mut c_void,
    new_address: *mut *mut c_void,
) {
    let Some(process) = Process::get() else { return };
    let Some(agent) = process.agent.get() else { return };
    let Some(method) = MethodId::new(method) else { return };
    // SAFETY: the JVM passes the environment of this thread; null only before there is one.
    let name = unsafe { Env::new(jni) }.and_then(|env| agent.method_name(env, method));
    if let Some(replacement) = process.natives.bind(method, name.as_ref(), address) {
        // SAFETY: the JVM reads the function from there after this call.
        unsafe { *new_address = replacement };
    }
}

/// A class is about to be parsed; other bytes may be given.
unsafe extern "system" fn class_file_load_hook(
    _jvmti: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _domain: jobject,
    length: jint,
    data: *const c_uchar,
    new_length: *mut jint,
    new_data: *mut *mut c_uchar,
) {
    let Some(process) = Process::get() else { return };
    // Ours to begin with, and no class is loaded.
    if !redefined.is_null() {
        return;
    }
    process.transformer.note_loading();
    // Boot classes have no loader, hidden ones no name; both stay as they are.
    if name.is_null() || data.is_null() {
        return;
    }
    let Some(agent) = process.agent.get() else { return };
    // SAFETY: the JVM passes the environment of this thread and a reference that is valid for this call.
    let (Some(env), Some(loader)) = (unsafe { (Env::new(jni), Ref::new(loader)) }) else { return };
    // SAFETY: the JVM passes a name that ends with a zero.
    let Ok(name) = unsafe { CStr::from_ptr(name) }.to_str() else { return };
    // SAFETY: the JVM passes that many bytes, which nothing writes during this call.
    let bytes = unsafe { std::slice::from_raw_parts(data, usize::try_from(length).unwrap_or(0)) };
    let Some(changed) = process.transformer.transform(env, loader, name, bytes) else { return };
    let Ok(changed_length) = jint::try_from(changed.len()) else { return };
    if let Some(memory) = agent.give_bytes(&changed) {
        // SAFETY: the JVM reads both from there after this call, and frees the memory.
        unsafe {
            *new_data = memory.as_ptr();
            *new_length = changed_length;
        }
    }
}
