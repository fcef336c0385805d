//! Arrays: loads, stores, `newarray`, `anewarray`, `multianewarray`, `arraylength` (JVMS 6.5).

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::opcode::*;

use crate::interpreter::machine::{Abrupt, Done, Interpreter};
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, Happening, ObjectId, Slot, Way, Why};
use crate::term::Operator;

/// Arrays that one `multianewarray` may make.
const MOST_ARRAYS: usize = 1 << 16;

/// The element type of a code of `newarray` (JVMS 6.5, Table 6.5.newarray-A).
pub(super) fn element_type(code: u8) -> Option<ErasedType> {
    use PrimitiveType::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
    let types = [Boolean, Char, Float, Double, Byte, Short, Int, Long];
    types.get(usize::from(code.checked_sub(4)?)).copied().map(ErasedType::Primitive)
}

impl Interpreter<'_> {
    pub(super) fn array_load(&mut self, _code: u8) -> Done {
        let (index, slot) = self.pop_int()?;
        let array = self.pop()?;
        let array = self.object(array)?;
        let position = self.in_bounds(array, slot)?;
        let known = self.known_element(array, index)?;
        let element = self.element(array, index)?;
        if position.term.is_none() {
            return self.push(element);
        }
        // What other code has written says nothing of the other elements.
        let is_as_known = known.is_none_or(|slot| slot.concrete == element.concrete);
        if is_as_known && let Some(chosen) = self.element_of_all(array, &position, element)? {
            return self.push_known(&chosen);
        }
        self.pin(&position);
        self.push(element)
    }

    pub(super) fn array_store(&mut self, code: u8) -> Done {
        let value = self.pop()?;
        let (index, slot) = self.pop_int()?;
        let array = self.pop()?;
        let array = self.object(array)?;
        let position = self.in_bounds(array, slot)?;
        self.pin(&position);
        let ErasedType::Array(element) = self.heap.get(array).class.clone() else {
            return Err(Why::Malformed.into());
        };
        if code == AASTORE {
            self.check_store(value, &element)?;
        }
        let value = self.narrowed(value, &element)?;
        self.heap.set_element(array, index, value);
        Ok(())
    }

    /// A reference may only be stored where its type fits (JVMS 6.5, `aastore`).
    fn check_store(&mut self, value: Slot, element: &ErasedType) -> Done {
        let Concrete::Reference(object) = value.concrete else { return Ok(()) };
        if self.is_instance(object, element) {
            return Ok(());
        }
        Err(self.throw("java/lang/ArrayStoreException"))
    }

    /// The index, if it is one of the array's; otherwise an exception.
    fn in_bounds(&mut self, array: ObjectId, index: Slot) -> Result<Known, Abrupt> {
        let length = self.heap.length(array).ok_or(Why::Malformed)?;
        let (position, length) = (Self::known(index)?, Self::known(length)?);
        // Lengths are not negative, and negative indices are large without sign.
        let is_inside = self.compute(Operator::UnsignedLess, &[&position, &length]);
        if self.decide(&is_inside, Way::Completed, Way::Threw) {
            return Ok(position);
        }
        Err(self.throw("java/lang/ArrayIndexOutOfBoundsException"))
    }

    /// An element that an instruction reads.
    fn element(&mut self, array: ObjectId, index: i32) -> Result<Slot, Abrupt> {
        let cell = self.heap.element(array, index);
        let is_certain = cell.is_none_or(|cell| cell.is_certain);
        let known = self.known_element(array, index)?.or(cell.map(|cell| cell.slot));
        let slot = self.read(known, is_certain, |outside, heap| {
            outside.element(array, index, heap).ok_or(Why::Element(index))
        })?;
        self.heap.set_element(array, index, slot);
        Ok(slot)
    }

    /// An element, as far as the replay knows it without being told.
    pub(super) fn known_element(&self, array: ObjectId, index: i32) -> Result<Option<Slot>, Abrupt> {
        if let Some(cell) = self.heap.element(array, index).filter(|cell| cell.is_certain) {
            return Ok(Some(cell.slot));
        }
        let object = self.heap.get(array);
        if !object.is_own {
            return Ok(None);
        }
        let ErasedType::Array(element) = &object.class else { return Err(Why::Malformed.into()) };
        Ok(Some(Slot::default_of(element)))
    }

    /// An element of a small array of numbers at an index that depends on an input, as a term of all elements.
    fn element_of_all(
        &mut self,
        array: ObjectId,
        position: &Known,
        element: Slot,
    ) -> Result<Option<Known>, Abrupt> {
        let length = self.heap.length(array).ok_or(Why::Malformed)?;
        let Concrete::Int(count) = length.concrete else { return Err(Why::Malformed.into()) };
        let is_number = !matches!(element.concrete, Concrete::Null | Concrete::Reference(_));
        if !is_number || count > self.limits.elements {
            return Ok(None);
        }
        let mut elements = Vec::new();
        for index in 0..count {
            let Some(slot) = self.known_element(array, index)? else { return Ok(None) };
            elements.push(Self::known(slot)?);
        }
        if length.term.is_some() {
            // The term speaks of the elements that there were.
            let is_among = self.compute(Operator::UnsignedLess, &[position, &Known::int(count)]);
            self.note(is_among.term, Way::Pinned);
        }
        let Some(mut chosen) = elements.pop() else { return Ok(None) };
        for (index, element) in elements.iter().enumerate().rev() {
            let here = self.compute(Operator::Equal, &[position, &Known::int(index as i32)]);
            chosen = self.choose(&here, element, &chosen);
        }
        Ok(Some(chosen))
    }

    /// A new array; a negative length throws.
    pub(super) fn new_array(&mut self, element: ErasedType, length: Slot) -> Result<ObjectId, Abrupt> {
        let known = Self::known(length)?;
        let is_negative = self.compute(Operator::SignedLess, &[&known, &Known::int(0)]);
        if self.decide(&is_negative, Way::Threw, Way::Completed) {
            return Err(self.throw("java/lang/NegativeArraySizeException"));
        }
        Ok(self.heap.made_array(element, length))
    }

    /// `multianewarray`: all lengths are looked at before anything is made.
    pub(super) fn new_arrays(&mut self, erased: &ErasedType, dimensions: u8) -> Done {
        let mut lengths = Vec::new();
        for _ in 0..dimensions {
            lengths.push(self.pop()?);
        }
        lengths.reverse();
        let mut arrays = 1_usize;
        for (depth, &length) in lengths.iter().enumerate() {
            let Concrete::Int(count) = length.concrete else { return Err(Why::Malformed.into()) };
            if count < 0 {
                self.new_array(ErasedType::Primitive(PrimitiveType::Int), length)?;
            }
            if depth + 1 < lengths.len() {
                arrays = arrays.saturating_mul(count as usize);
            }
        }
        if arrays > MOST_ARRAYS {
            return Err(Why::TooLarge.into());
        }
        let array = self.nested(erased, &lengths)?;
        if let Concrete::Reference(object) = array.concrete {
            self.happened(&Happening::Made(object))?;
        }
        self.push(array)
    }

    fn nested(&mut self, erased: &ErasedType, lengths: &[Slot]) -> Result<Slot, Abrupt> {
        let (ErasedType::Array(element), Some((&length, rest))) = (erased, lengths.split_first()) else {
            return Err(Why::Malformed.into());
        };
        let array = self.new_array((**element).clone(), length)?;
        if let (false, Concrete::Int(count)) = (rest.is_empty(), length.concrete) {
            for index in 0..count {
                let inner = self.nested(element, rest)?;
                self.heap.set_element(array, index, inner);
            }
            let known = Self::known(length)?;
            self.pin(&known);
        }
        Ok(Slot::reference(array))
    }

    pub(super) fn array_length(&mut self) -> Done {
        let array = self.pop()?;
        let array = self.object(array)?;
        let length = self.heap.length(array).ok_or(Why::Malformed)?;
        self.push(length)
    }
}
