//! The environment of a thread: classes, ids, references, exceptions.

use std::ffi::{CStr, CString, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

use jvmti_bindings::sys::jni::{JNIEnv, jobject};

use super::reference::{Global, Ref};

/// A Java exception is pending. Until it is taken or cleared only a few functions may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pending;

/// What a call gave, or an exception.
pub(crate) type Java<T> = Result<T, Pending>;

/// A method of a class, for the life of that class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MethodId(NonNull<c_void>);

/// A field of a class, for the life of that class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldId(NonNull<c_void>);

// SAFETY: ids are plain numbers to the caller; JNI allows them on every thread.
unsafe impl Send for MethodId {}
// SAFETY: as above.
unsafe impl Sync for MethodId {}
// SAFETY: as above.
unsafe impl Send for FieldId {}
// SAFETY: as above.
unsafe impl Sync for FieldId {}

impl MethodId {
    /// Wraps a raw id that is not null.
    pub(crate) fn new(raw: *mut c_void) -> Option<Self> {
        NonNull::new(raw).map(Self)
    }

    /// For JNI.
    pub(crate) fn raw(self) -> *mut c_void {
        self.0.as_ptr()
    }
}

impl FieldId {
    /// Wraps a raw id that is not null.
    pub(crate) fn new(raw: *mut c_void) -> Option<Self> {
        NonNull::new(raw).map(Self)
    }

    /// For JNI.
    pub(crate) fn raw(self) -> *mut c_void {
        self.0.as_ptr()
    }
}

/// JNI on the thread that made it. Local references that it gives live as long as the frame `'f`.
///
/// Inside [`Env::frame`] only the environment given there may make references.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Env<'f> {
    raw: NonNull<JNIEnv>,
    frame: PhantomData<&'f ()>,
}

/// Calls a function of the table.
macro_rules! table {
    ($env:expr, $function:ident $(, $argument:expr)* $(,)?) => {{
        let raw = $env.raw();
        // SAFETY: the environment belongs to this thread and its table lives as long as the JVM (invariant of
        // `Env`); references are valid in a frame of this thread (invariant of `Ref` and `Global`); ids and
        // arguments fit what they are used on, by the contract of the function that holds this call.
        unsafe { ((**raw).$function)(raw $(, $argument)*) }
    }};
}
pub(crate) use table;

impl<'f> Env<'f> {
    /// Wraps the environment of this thread.
    ///
    /// # Safety
    /// `raw` is the JNI environment of the calling thread, which stays attached for `'f`; references made with it
    /// die with the innermost frame, which the caller keeps for `'f`.
    pub(crate) unsafe fn new(raw: *mut JNIEnv) -> Option<Self> {
        NonNull::new(raw).map(|raw| Self { raw, frame: PhantomData })
    }

    /// For calls that have no wrapper.
    pub(crate) fn raw(self) -> *mut JNIEnv {
        self.raw.as_ptr()
    }

    /// Wraps a local reference that JNI returned to this thread, null included.
    pub(super) fn local(self, raw: jobject) -> Option<Ref<'f>> {
        let _ = self;
        // SAFETY: JNI made it in the innermost frame of this thread, which lives for 'f (contract of `new`).
        unsafe { Ref::new(raw) }
    }

    /// Runs something in a frame of its own: references made in it are freed at its end.
    pub(crate) fn frame<R>(self, capacity: usize, run: impl FnOnce(Env<'_>) -> R) -> R {
        let capacity = i32::try_from(capacity).unwrap_or(i32::MAX);
        if table!(self, PushLocalFrame, capacity) != 0 {
            // Out of memory for references: HotSpot only warns of too few, and they are freed with the outer frame.
            self.clear();
            return run(self);
        }
        let result = run(Env { raw: self.raw, frame: PhantomData });
        table!(self, PopLocalFrame, std::ptr::null_mut());
        result
    }

    // ---- exceptions

    /// An error when an exception is pending.
    pub(crate) fn check(self) -> Java<()> {
        if table!(self, ExceptionCheck) == 0 { Ok(()) } else { Err(Pending) }
    }

    /// Takes the pending exception.
    pub(crate) fn take_exception(self) -> Option<Ref<'f>> {
        let exception = self.local(table!(self, ExceptionOccurred));
        if exception.is_some() {
            table!(self, ExceptionClear);
        }
        exception
    }

    /// Forgets a pending exception.
    pub(crate) fn clear(self) {
        table!(self, ExceptionClear);
    }

    /// Makes an exception pending; for native methods.
    pub(crate) fn throw(self, exception: Ref<'_>) {
        table!(self, Throw, exception.raw());
    }

    /// Turns null with a pending exception into an error.
    fn found<T>(self, found: Option<T>) -> Java<T> {
        found
            .ok_or(Pending)
            .inspect_err(|_| debug_assert!(self.check().is_err(), "null without an exception"))
    }

    // ---- classes and ids

    /// A class of the boot loader or, without a Java caller, of the class path. It is initialized.
    pub(crate) fn find_class(self, name: &CStr) -> Java<Ref<'f>> {
        self.found(self.local(table!(self, FindClass, name.as_ptr())))
    }

    /// Defines a class in a loader, the boot loader for `None`.
    pub(crate) fn define_class(self, name: &CStr, loader: Option<Ref<'_>>, bytes: &[u8]) -> Java<Ref<'f>> {
        let length = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
        let data = bytes.as_ptr().cast::<i8>();
        let loader = loader.map_or(std::ptr::null_mut(), Ref::raw);
        self.found(self.local(table!(self, DefineClass, name.as_ptr(), loader, data, length)))
    }

    /// A method of instances, or a constructor. Initializes the class.
    pub(crate) fn method(self, class: Ref<'_>, name: &str, descriptor: &str) -> Java<MethodId> {
        let (name, descriptor) = (java_name(name), java_name(descriptor));
        let id = table!(self, GetMethodID, class.raw(), name.as_ptr(), descriptor.as_ptr());
        self.found(NonNull::new(id)).map(MethodId)
    }

    /// A static method. Initializes the class.
    pub(crate) fn static_method(self, class: Ref<'_>, name: &str, descriptor: &str) -> Java<MethodId> {
        let (name, descriptor) = (java_name(name), java_name(descriptor));
        let id = table!(self, GetStaticMethodID, class.raw(), name.as_ptr(), descriptor.as_ptr());
        self.found(NonNull::new(id)).map(MethodId)
    }

    /// A field of instances. Initializes the class.
    pub(crate) fn field(self, class: Ref<'_>, name: &str, descriptor: &str) -> Java<FieldId> {
        let (name, descriptor) = (java_name(name), java_name(descriptor));
        let id = table!(self, GetFieldID, class.raw(), name.as_ptr(), descriptor.as_ptr());
        self.found(NonNull::new(id)).map(FieldId)
    }

    /// A static field. Initializes the class.
    pub(crate) fn static_field(self, class: Ref<'_>, name: &str, descriptor: &str) -> Java<FieldId> {
        let (name, descriptor) = (java_name(name), java_name(descriptor));
        let id = table!(self, GetStaticFieldID, class.raw(), name.as_ptr(), descriptor.as_ptr());
        self.found(NonNull::new(id)).map(FieldId)
    }

    // ---- references

    /// A reference that lives on.
    pub(crate) fn global(self, reference: Ref<'_>) -> Global {
        let raw = table!(self, NewGlobalRef, reference.raw());
        // SAFETY: made here, and deleted by nobody while it is in use.
        let global = unsafe { Ref::new(raw).map(|global| Global::new(global)) };
        // The JVM ends the process when it has no memory for a handle, so null does not come back.
        global.expect("a global reference to an object is not null")
    }

    /// Frees a reference.
    ///
    /// # Safety
    /// No copy of it is used afterwards.
    pub(crate) unsafe fn delete_global(self, global: Global) {
        table!(self, DeleteGlobalRef, global.raw());
    }

    /// Frees a local reference before its frame ends.
    pub(crate) fn delete_local(self, reference: Ref<'_>) {
        table!(self, DeleteLocalRef, reference.raw());
    }

    /// Whether two references are of one object; null equals null.
    pub(crate) fn is_same(self, one: Option<Ref<'_>>, other: Option<Ref<'_>>) -> bool {
        let raw = |reference: Option<Ref<'_>>| reference.map_or(std::ptr::null_mut(), Ref::raw);
        table!(self, IsSameObject, raw(one), raw(other)) != 0
    }

    /// Whether an object could be cast to a class.
    pub(crate) fn is_instance(self, object: Ref<'_>, class: Ref<'_>) -> bool {
        table!(self, IsInstanceOf, object.raw(), class.raw()) != 0
    }

    /// Whether what is of the one class is of the other.
    pub(crate) fn is_assignable(self, from: Ref<'_>, to: Ref<'_>) -> bool {
        table!(self, IsAssignableFrom, from.raw(), to.raw()) != 0
    }

    /// The superclass; `None` for `Object` and interfaces.
    pub(crate) fn superclass(self, class: Ref<'_>) -> Option<Ref<'f>> {
        self.local(table!(self, GetSuperclass, class.raw()))
    }

    /// The class of an object.
    pub(crate) fn class_of(self, object: Ref<'_>) -> Ref<'f> {
        self.local(table!(self, GetObjectClass, object.raw())).expect("every object has a class")
    }
}

/// A name or descriptor as JNI wants it: modified UTF-8 (JVM specification §4.4.7), ended by zero.
pub(crate) fn java_name(name: &str) -> CString {
    let mut bytes = Vec::with_capacity(name.len() + 1);
    for unit in name.encode_utf16() {
        match unit {
            0x01..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => bytes.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
            0x800.. => bytes.extend([
                0xe0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3f) as u8,
                0x80 | (unit & 0x3f) as u8,
            ]),
        }
    }
    CString::new(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_modified_utf_8() {
        let check = |name: &str, bytes: &[u8]| assert_eq!(java_name(name).as_bytes(), bytes, "{name:?}");
        check("foo", b"foo");
        check("()V", b"()V");
        check("é", &[0xc3, 0xa9]);
        check("€", &[0xe2, 0x82, 0xac]);
        check("\0", &[0xc0, 0x80]);
        check("😀", &[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
    }
}
