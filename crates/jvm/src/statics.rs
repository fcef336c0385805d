//! Static fields that a run wrote, set back after it.

use bytecode::descriptor::ErasedType;
use bytecode::name::ClassName;

use crate::jdk::Jdk;
use crate::jni::{Env, FieldId, Global, Kind, Ref, jvalue};
use crate::lower::{OldValue, StaticWrite};
use crate::runtime::{Runtime, UndoLog};
use crate::transform::Transformer;

/// A static field that instrumented code writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written {
    pub(crate) class: Global,
    pub(crate) field: FieldId,
    pub(crate) kind: Kind,
}

/// A field that a run wrote.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoggedField<'f> {
    /// Number of the field.
    pub(crate) number: u32,
    pub(crate) field: Written,
    /// The reference that it held before; `None` as well for other kinds of fields.
    pub(crate) old: Option<Ref<'f>>,
}

/// A field by its number.
#[derive(Debug, Clone, Copy)]
enum LookedUp {
    NotYet,
    Found(Written),
    /// Its class is not that of the class path, or has no such field.
    Unknown,
}

/// Sets static fields back.
#[derive(Debug, Default)]
pub(crate) struct Statics {
    /// Fields by their number, looked up when first restored.
    fields: Vec<LookedUp>,
    /// Numbers of the last run.
    numbers: Vec<i32>,
}

impl Statics {
    /// How many fields the undo log has now.
    pub(crate) fn log_length(env: Env<'_>, runtime: &Runtime) -> usize {
        runtime.undo_log(env).map_or(0, |log| Self::length_of(env, log))
    }

    fn length_of(env: Env<'_>, log: UndoLog<'_>) -> usize {
        let mut length = [0];
        // SAFETY: an array of ints with at least one element.
        unsafe { env.read_ints(log.fields, &mut length) };
        usize::try_from(length[0]).unwrap_or(0)
    }

    /// Restores what probes logged and what statements wrote, the last write first.
    pub(crate) fn restore(
        &mut self,
        env: Env<'_>,
        jdk: &Jdk,
        runtime: &Runtime,
        transformer: &Transformer,
        writes: &mut Vec<StaticWrite>,
    ) {
        let Some(log) = runtime.undo_log(env) else { return };
        let length = Self::length_of(env, log);
        if length == 0 && writes.is_empty() {
            return;
        }
        self.read_numbers(env, log);
        for at in (0..length).rev() {
            while let Some(write) = writes.pop_if(|write| write.log_length > at) {
                undo(env, &write);
            }
            let number = self.numbers.get(at + 1).map_or(0, |number| number.unsigned_abs());
            if let Some(field) = self.field(env, jdk, transformer, number) {
                restore(env, field, log, number as usize);
            }
        }
        while let Some(write) = writes.pop() {
            undo(env, &write);
        }
    }

    /// The fields that a run has written so far by code, with what they held; `None` when one cannot be told.
    pub(crate) fn logged<'f>(
        &mut self,
        env: Env<'f>,
        jdk: &Jdk,
        runtime: &Runtime,
        transformer: &Transformer,
    ) -> Option<Vec<LoggedField<'f>>> {
        let log = runtime.undo_log(env)?;
        let length = self.read_numbers(env, log);
        (1..=length)
            .map(|at| {
                let number = self.numbers.get(at)?.unsigned_abs();
                let field = self.field(env, jdk, transformer, number)?;
                let old = if field.kind == Kind::Object {
                    // SAFETY: an array of references.
                    unsafe { env.element(log.references, number as usize) }.ok()?
                } else {
                    None
                };
                Some(LoggedField { number, field, old })
            })
            .collect()
    }

    /// Reads which fields the log has, into `numbers` from 1 on; how many.
    fn read_numbers(&mut self, env: Env<'_>, log: UndoLog<'_>) -> usize {
        let length = Self::length_of(env, log);
        self.numbers.resize(length + 1, 0);
        // SAFETY: an array of ints, and longer than the number of its entries.
        unsafe { env.read_ints(log.fields, &mut self.numbers) };
        length
    }

    fn field(&mut self, env: Env<'_>, jdk: &Jdk, transformer: &Transformer, number: u32) -> Option<Written> {
        let index = number as usize;
        if self.fields.len() <= index {
            self.fields.resize(index + 1, LookedUp::NotYet);
        }
        let slot = self.fields.get_mut(index)?;
        if matches!(slot, LookedUp::NotYet) {
            let found = look_up(env, jdk, transformer, number);
            env.clear();
            *slot = found.map_or(LookedUp::Unknown, LookedUp::Found);
        }
        match slot {
            LookedUp::Found(field) => Some(*field),
            LookedUp::NotYet | LookedUp::Unknown => None,
        }
    }
}

fn look_up(env: Env<'_>, jdk: &Jdk, transformer: &Transformer, number: u32) -> Option<Written> {
    let field = transformer.with_statics(|statics| statics.get(number).cloned())?;
    let class = jdk.load(env, &ErasedType::Class(ClassName::new(&*field.class)), false).ok()??;
    let kind = Kind::from(&ErasedType::parse(&field.descriptor).ok()?);
    let id = env.static_field(class, &field.name, &field.descriptor).ok()?;
    Some(Written { class: env.global(class), field: id, kind })
}

fn restore(env: Env<'_>, field: Written, log: UndoLog<'_>, number: usize) {
    let value = if field.kind == Kind::Object {
        // SAFETY: an array of references.
        let Ok(old) = (unsafe { env.element(log.references, number) }) else {
            env.clear();
            return;
        };
        old.map_or(crate::jni::ZERO, Ref::value)
    } else {
        // SAFETY: an array of longs.
        let Ok(bits) = (unsafe { env.primitive_element(log.bits, number, Kind::Long) }) else {
            env.clear();
            return;
        };
        // SAFETY: read as a long.
        narrow(unsafe { bits.j }, field.kind)
    };
    // SAFETY: the field was found as a static one of the class, and held this value before.
    unsafe { env.set_static(field.class.get(), field.field, field.kind, value) };
}

/// A value as the undo log has it: whole numbers, and the bits of floating-point numbers.
fn narrow(bits: i64, kind: Kind) -> jvalue {
    match kind {
        Kind::Boolean => jvalue { z: u8::from(bits & 1 != 0) },
        Kind::Byte => jvalue { b: bits as i8 },
        Kind::Char => jvalue { c: bits as u16 },
        Kind::Short => jvalue { s: bits as i16 },
        Kind::Int => jvalue { i: bits as i32 },
        Kind::Long | Kind::Object => jvalue { j: bits },
        Kind::Float => jvalue { f: f32::from_bits(bits as u32) },
        Kind::Double => jvalue { d: f64::from_bits(bits as u64) },
    }
}

/// Gives static fields the values that they had before these writes of one test, which are still to be undone behind the row: what
/// code wrote in between is set back by what its log says.
pub(crate) fn put_back<'a>(env: Env<'_>, writes: impl DoubleEndedIterator<Item = &'a StaticWrite>) {
    writes.rev().for_each(|write| set_old(env, write));
}

fn undo(env: Env<'_>, write: &StaticWrite) {
    set_old(env, write);
    if let OldValue::Reference(Some(old)) = write.old {
        // SAFETY: it was made for this write alone.
        unsafe { env.delete_global(old) };
    }
}

fn set_old(env: Env<'_>, write: &StaticWrite) {
    let value = match write.old {
        OldValue::Bits(bits) => jvalue { j: bits },
        OldValue::Reference(old) => old.map_or(crate::jni::ZERO, Global::value),
    };
    let field = &write.field;
    // SAFETY: the field was found as a static one of the class, and held this value before.
    unsafe { env.set_static(field.class.get(), field.field, field.kind, value) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logged_bits_become_values_of_the_field() {
        // SAFETY: the members that were set.
        unsafe {
            assert_eq!(narrow(-1, Kind::Byte).b, -1);
            assert_eq!(narrow(0xffff, Kind::Char).c, 0xffff);
            assert_eq!(narrow(i64::from(1.5f32.to_bits()), Kind::Float).f, 1.5);
            assert_eq!(narrow(2.5f64.to_bits() as i64, Kind::Double).d, 2.5);
            assert_eq!(narrow(1, Kind::Boolean).z, 1);
        }
    }
}
