//! `java.lang.StringBuilder` (documentation of JDK 17).

use bytecode::descriptor::ErasedType;

use crate::interpreter::heap::{Content, Text};
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::models::strings;
use crate::interpreter::models::table::Row;
use crate::interpreter::slot::Known;
use crate::interpreter::{Slot, Why};
use crate::term::Operator;

type Result<T> = std::result::Result<T, Abrupt>;

/// The rows of the class.
pub(super) const STRING_BUILDER: &[Row] = &[
    ("<init>", "()V", |_, _| Ok(Modelled::Nothing)),
    ("<init>", "(I)V", |it, slots| {
        let capacity = Interpreter::known(slots[1])?;
        let is_possible = it.compute(Operator::SignedLessEqual, &[&Known::int(0), &capacity]);
        it.require(&is_possible, "java/lang/NegativeArraySizeException")?;
        Ok(Modelled::Nothing)
    }),
    ("<init>", "(Ljava/lang/String;)V", |it, slots| {
        // A null text throws here, unlike one that is appended.
        it.object(slots[1])?;
        append(it, slots, "Ljava/lang/String;").map(|done| match done {
            Modelled::Value(_) | Modelled::Nothing => Modelled::Nothing,
            Modelled::Declined => Modelled::Declined,
        })
    }),
    ("append", "(Z)Ljava/lang/StringBuilder;", |it, slots| append(it, slots, "Z")),
    ("append", "(C)Ljava/lang/StringBuilder;", |it, slots| append(it, slots, "C")),
    ("append", "(I)Ljava/lang/StringBuilder;", |it, slots| append(it, slots, "I")),
    ("append", "(J)Ljava/lang/StringBuilder;", |it, slots| append(it, slots, "J")),
    ("append", "(F)Ljava/lang/StringBuilder;", |it, slots| append(it, slots, "F")),
    ("append", "(D)Ljava/lang/StringBuilder;", |it, slots| append(it, slots, "D")),
    ("append", "(Ljava/lang/String;)Ljava/lang/StringBuilder;", |it, slots| {
        append(it, slots, "Ljava/lang/String;")
    }),
    ("append", "(Ljava/lang/Object;)Ljava/lang/StringBuilder;", |it, slots| {
        append(it, slots, "Ljava/lang/Object;")
    }),
    ("append", "(Ljava/lang/CharSequence;)Ljava/lang/StringBuilder;", |it, slots| {
        append(it, slots, "Ljava/lang/CharSequence;")
    }),
    ("toString", "()Ljava/lang/String;", to_string),
    ("length", "()I", |it, slots| it.operate(Operator::Length, slots, &[])),
    ("charAt", "(I)C", |it, slots| strings::char_at(it, slots)),
];

fn append(it: &mut Interpreter<'_>, slots: &[Slot], descriptor: &str) -> Result<Modelled> {
    if it.text(slots[0])?.is_none() {
        return Ok(Modelled::Declined);
    }
    let erased = ErasedType::parse(descriptor).map_err(|_| Why::Malformed)?;
    let appended = it.text_for(slots[1], &erased)?;
    // Read behind the conversion, which may have been asked for.
    let Some(before) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let text: Known = it.compute(Operator::Concat, &[&before, &appended]);
    let object = it.object(slots[0])?;
    it.heap.get_mut(object).content = Content::Builder(Text { units: text.units(), term: text.term });
    Ok(Modelled::Value(slots[0]))
}

fn to_string(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    match it.text(slots[0])? {
        Some(text) => it.returned(&text),
        None => Ok(Modelled::Declined),
    }
}
