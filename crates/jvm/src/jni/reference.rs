//! References to Java objects.

use std::marker::PhantomData;
use std::ptr::NonNull;

use jvmti_bindings::sys::jni::{jobject, jvalue};

/// A reference that is valid on this thread, never null, until its frame is popped. Of `'static` when global.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ref<'f> {
    raw: NonNull<std::ffi::c_void>,
    frame: PhantomData<&'f ()>,
}

impl Ref<'_> {
    /// Wraps what JNI returned; `None` for null.
    ///
    /// # Safety
    /// The reference is valid for the lifetime that the caller picks.
    pub(crate) unsafe fn new(raw: jobject) -> Option<Self> {
        NonNull::new(raw).map(|raw| Self { raw, frame: PhantomData })
    }

    /// For JNI.
    pub(crate) fn raw(self) -> jobject {
        self.raw.as_ptr()
    }

    /// As an argument.
    pub(crate) fn value(self) -> jvalue {
        jvalue { l: self.raw() }
    }
}

/// A reference for the life of the process. Classes, ids' owners and the like: there are few, and they are never
/// given back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Global(Ref<'static>);

// SAFETY: JNI allows the use of global references on every attached thread, and this type offers nothing else.
unsafe impl Send for Global {}
// SAFETY: as above; it is a plain pointer that is never written.
unsafe impl Sync for Global {}

impl Global {
    /// Marks a reference as global.
    ///
    /// # Safety
    /// It was returned by `NewGlobalRef` and is never deleted while a copy is in use.
    pub(crate) unsafe fn new(reference: Ref<'static>) -> Self {
        Self(reference)
    }

    /// The reference.
    pub(crate) fn get(self) -> Ref<'static> {
        self.0
    }

    /// For JNI.
    pub(crate) fn raw(self) -> jobject {
        self.0.raw()
    }

    /// As an argument.
    pub(crate) fn value(self) -> jvalue {
        self.0.value()
    }
}
