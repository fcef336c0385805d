//! Arrays.

use std::ops::{Deref, DerefMut};

use jvmti_bindings::sys::jni::{jobject, jvalue};

use super::call::{Kind, ZERO};
use super::env::{Env, Java, table};
use super::reference::Ref;

/// A primitive array held in place: as long as it lives, the garbage collector waits, so nothing that could
/// allocate or block may be called.
#[derive(Debug)]
pub(crate) struct Critical<'a, T> {
    env: Env<'a>,
    array: jobject,
    elements: &'a mut [T],
}

impl<T> Deref for Critical<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.elements
    }
}

impl<T> DerefMut for Critical<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.elements
    }
}

impl<T> Drop for Critical<'_, T> {
    fn drop(&mut self) {
        let data = self.elements.as_mut_ptr().cast();
        table!(self.env, ReleasePrimitiveArrayCritical, self.array, data, 0);
    }
}

impl<'f> Env<'f> {
    /// Number of elements.
    pub(crate) fn array_length(self, array: Ref<'_>) -> usize {
        usize::try_from(table!(self, GetArrayLength, array.raw())).unwrap_or(0)
    }

    /// Makes an array of primitive values, all zero.
    pub(crate) fn new_primitive_array(self, kind: Kind, length: usize) -> Java<Option<Ref<'f>>> {
        let length = i32::try_from(length).unwrap_or(i32::MAX);
        let raw = match kind {
            Kind::Boolean => table!(self, NewBooleanArray, length),
            Kind::Byte => table!(self, NewByteArray, length),
            Kind::Char => table!(self, NewCharArray, length),
            Kind::Short => table!(self, NewShortArray, length),
            Kind::Int => table!(self, NewIntArray, length),
            Kind::Long => table!(self, NewLongArray, length),
            Kind::Float => table!(self, NewFloatArray, length),
            Kind::Double => table!(self, NewDoubleArray, length),
            Kind::Object => std::ptr::null_mut(),
        };
        self.check()?;
        Ok(self.local(raw))
    }

    /// Makes an array of references, all null.
    pub(crate) fn new_object_array(self, element: Ref<'_>, length: usize) -> Java<Option<Ref<'f>>> {
        let length = i32::try_from(length).unwrap_or(i32::MAX);
        let raw = table!(self, NewObjectArray, length, element.raw(), std::ptr::null_mut());
        self.check()?;
        Ok(self.local(raw))
    }

    /// Reads an element of an array of references.
    ///
    /// # Safety
    /// It is such an array.
    pub(crate) unsafe fn element(self, array: Ref<'_>, index: usize) -> Java<Option<Ref<'f>>> {
        let index = i32::try_from(index).unwrap_or(i32::MAX);
        let raw = table!(self, GetObjectArrayElement, array.raw(), index);
        self.check()?;
        Ok(self.local(raw))
    }

    /// Reads an element of an array of references, without asking whether the index was out of range: in half the time.
    ///
    /// # Safety
    /// It is such an array, and has so many elements.
    pub(crate) unsafe fn element_within(self, array: Ref<'_>, index: usize) -> Option<Ref<'f>> {
        let index = i32::try_from(index).unwrap_or(i32::MAX);
        self.local(table!(self, GetObjectArrayElement, array.raw(), index))
    }

    /// Writes an element of an array. Throws where the index is out of range or the reference does not fit.
    ///
    /// # Safety
    /// The elements are of that kind, and so is the value.
    pub(crate) unsafe fn set_element(
        self,
        array: Ref<'_>,
        index: usize,
        kind: Kind,
        value: jvalue,
    ) -> Java<()> {
        let index = i32::try_from(index).unwrap_or(i32::MAX);
        let array = array.raw();
        match kind {
            Kind::Boolean => table!(self, SetBooleanArrayRegion, array, index, 1, &raw const value.z),
            Kind::Byte => table!(self, SetByteArrayRegion, array, index, 1, &raw const value.b),
            Kind::Char => table!(self, SetCharArrayRegion, array, index, 1, &raw const value.c),
            Kind::Short => table!(self, SetShortArrayRegion, array, index, 1, &raw const value.s),
            Kind::Int => table!(self, SetIntArrayRegion, array, index, 1, &raw const value.i),
            Kind::Long => table!(self, SetLongArrayRegion, array, index, 1, &raw const value.j),
            Kind::Float => table!(self, SetFloatArrayRegion, array, index, 1, &raw const value.f),
            Kind::Double => table!(self, SetDoubleArrayRegion, array, index, 1, &raw const value.d),
            Kind::Object => {
                // SAFETY: the member of the union is that of the kind (contract).
                let value = unsafe { value.l };
                table!(self, SetObjectArrayElement, array, index, value);
            }
        }
        self.check()
    }

    /// Reads an element of an array of primitive values.
    ///
    /// # Safety
    /// The elements are of that kind.
    pub(crate) unsafe fn primitive_element(self, array: Ref<'_>, index: usize, kind: Kind) -> Java<jvalue> {
        let index = i32::try_from(index).unwrap_or(i32::MAX);
        let array = array.raw();
        let mut value = ZERO;
        match kind {
            Kind::Boolean => table!(self, GetBooleanArrayRegion, array, index, 1, &raw mut value.z),
            Kind::Byte => table!(self, GetByteArrayRegion, array, index, 1, &raw mut value.b),
            Kind::Char => table!(self, GetCharArrayRegion, array, index, 1, &raw mut value.c),
            Kind::Short => table!(self, GetShortArrayRegion, array, index, 1, &raw mut value.s),
            Kind::Int => table!(self, GetIntArrayRegion, array, index, 1, &raw mut value.i),
            Kind::Long => table!(self, GetLongArrayRegion, array, index, 1, &raw mut value.j),
            Kind::Float => table!(self, GetFloatArrayRegion, array, index, 1, &raw mut value.f),
            Kind::Double => table!(self, GetDoubleArrayRegion, array, index, 1, &raw mut value.d),
            Kind::Object => {}
        }
        self.check().map(|()| value)
    }

    /// Copies the first elements of an `int` array into a slice.
    ///
    /// # Safety
    /// It is an `int` array, and as long as the slice.
    pub(crate) unsafe fn read_ints(self, array: Ref<'_>, into: &mut [i32]) {
        table!(self, GetIntArrayRegion, array.raw(), 0, into.len() as i32, into.as_mut_ptr());
    }

    /// The first elements of arrays of references as words of type `T`, one array behind the other: equal words are the same
    /// object, and 0 is null. `None` when the JVM has no memory.
    ///
    /// HotSpot gives the address of the first element of such arrays as it does of primitive ones, and lets the garbage
    /// collector wait as well; JNI does not promise that, and a JVM that checks the use of JNI ends the process.
    ///
    /// # Safety
    /// The arrays are of references that are not narrower than `T`, and at least that long. This JVM does not check the use
    /// of JNI.
    pub(crate) unsafe fn reference_words<T: Copy + Into<u64>>(
        self,
        arrays: &[(Ref<'_>, usize)],
    ) -> Option<Vec<u64>> {
        let mut held = Vec::with_capacity(arrays.len());
        for &(array, length) in arrays {
            // SAFETY: HotSpot treats the array as one of words; references are words of this type, or of twice its width
            // where the caller looks for that (contract). Nothing else of JNI is called until all are let go.
            held.push(unsafe { self.critical::<T>(array, length) }?);
        }
        Some(held.iter().flat_map(|words| words.iter().map(|word| (*word).into())).collect())
    }

    /// Holds a primitive array in place. `None` when the JVM has no memory.
    ///
    /// # Safety
    /// The elements are of type `T`, nothing else holds the array, and until it is let go the thread calls nothing
    /// of JNI but this function, and does not wait.
    pub(crate) unsafe fn critical<'a, T>(self, array: Ref<'a>, length: usize) -> Option<Critical<'a, T>>
    where
        'f: 'a,
    {
        let data: *mut T = table!(self, GetPrimitiveArrayCritical, array.raw(), std::ptr::null_mut()).cast();
        if data.is_null() {
            return None;
        }
        // SAFETY: the JVM gives the address of `length` elements of type T, which nothing else writes (contract).
        let elements = unsafe { std::slice::from_raw_parts_mut(data, length) };
        Some(Critical { env: self, array: array.raw(), elements })
    }
}
