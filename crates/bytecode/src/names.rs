//! Names of a class file as shared text, each decoded and copied once per class.

use std::sync::Arc;

use crate::class_file::ConstantPool;

/// Texts of a constant pool that were asked for.
#[derive(Debug)]
pub(crate) struct Names<'c, 'a> {
    constants: &'c ConstantPool<'a>,
    /// By index of the `CONSTANT_Utf8`.
    texts: Vec<Option<Arc<str>>>,
    /// For each constant, read and written, the user that asked last.
    users: Vec<[u32; 2]>,
}

impl<'c, 'a> Names<'c, 'a> {
    /// Nothing was asked for yet.
    pub(crate) fn new(constants: &'c ConstantPool<'a>) -> Self {
        let size = constants.len();
        Self { constants, texts: vec![None; size], users: vec![[0; 2]; size] }
    }

    /// The text of a `CONSTANT_Utf8`; `None` if it is none, or cannot be decoded.
    pub(crate) fn text(&mut self, index: u16) -> Option<Arc<str>> {
        let slot = self.texts.get_mut(usize::from(index))?;
        if slot.is_none() {
            *slot = Some(self.constants.utf8(index).ok()?.into());
        }
        slot.clone()
    }

    /// Whether this method, numbered from 0, has not asked for this use of the constant before. The methods come
    /// one after the other.
    pub(crate) fn is_first_use(&mut self, constant: u16, written: bool, method: usize) -> bool {
        let user = method as u32 + 1;
        let slot = self.users.get_mut(usize::from(constant)).map(|slots| &mut slots[usize::from(written)]);
        slot.is_some_and(|slot| std::mem::replace(slot, user) != user)
    }
}
