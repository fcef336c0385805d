//! Strings.

use super::env::{Env, Java, table};
use super::reference::Ref;

impl<'f> Env<'f> {
    /// Makes a string of UTF-16 code units.
    pub(crate) fn new_string(self, units: &[u16]) -> Java<Option<Ref<'f>>> {
        let length = i32::try_from(units.len()).unwrap_or(i32::MAX);
        let raw = table!(self, NewString, units.as_ptr(), length);
        self.check()?;
        Ok(self.local(raw))
    }

    /// The code units of a string, at most that many.
    ///
    /// # Safety
    /// It is a `java.lang.String`.
    pub(crate) unsafe fn string_units(self, string: Ref<'_>, most: usize) -> Vec<u16> {
        let length = usize::try_from(table!(self, GetStringLength, string.raw())).unwrap_or(0).min(most);
        let mut units = vec![0; length];
        table!(self, GetStringRegion, string.raw(), 0, length as i32, units.as_mut_ptr());
        units
    }

    /// The length of a string in code units.
    ///
    /// # Safety
    /// It is a `java.lang.String`.
    pub(crate) unsafe fn string_length(self, string: Ref<'_>) -> usize {
        usize::try_from(table!(self, GetStringLength, string.raw())).unwrap_or(0)
    }

    /// A string as text, unpaired surrogates replaced.
    ///
    /// # Safety
    /// It is a `java.lang.String`.
    pub(crate) unsafe fn text(self, string: Ref<'_>) -> String {
        // SAFETY: the contract is passed on.
        String::from_utf16_lossy(&unsafe { self.string_units(string, usize::MAX) })
    }
}
