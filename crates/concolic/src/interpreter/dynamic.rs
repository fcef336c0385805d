//! `invokedynamic` (JVMS 6.5) for lambdas and string concatenation, and calls of what lambdas are.

use bytecode::descriptor::{ErasedType, MethodDescriptor, PrimitiveType};
use bytecode::name::ClassName;

use crate::interpreter::calls::Then;
use crate::interpreter::code::{Argument, Dynamic, Prepared, Resolved};
use crate::interpreter::heap::Lambda;
use crate::interpreter::machine::{Abrupt, Done, Interpreter};
use crate::interpreter::selection::Dispatch;
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, MethodName, ObjectId, Slot, Why};
use crate::term::Operator;

/// Reference kinds of method handles (JVMS 4.4.8, Table 5.4.3.5-A).
mod kind {
    pub(super) const INVOKE_STATIC: u8 = 6;
    pub(super) const INVOKE_SPECIAL: u8 = 7;
    pub(super) const NEW_INVOKE_SPECIAL: u8 = 8;
}

/// What stands for an argument and for a constant in a recipe (documentation of `StringConcatFactory`).
const ARGUMENT: u16 = 1;
const CONSTANT: u16 = 2;

impl Interpreter<'_> {
    pub(super) fn invoke_dynamic(&mut self, instruction: &Prepared) -> Done {
        let Resolved::Dynamic(dynamic) = &instruction.constant else { return Err(Why::Malformed.into()) };
        let arguments = self.pop_arguments(dynamic.descriptor.parameters.len())?;
        match self.link(dynamic, &arguments) {
            Err(Abrupt::Declined) => {
                // The call site is code of the platform.
                let class = ClassName::new(&*dynamic.bootstrap.0);
                let (name, descriptor) = (dynamic.name.clone(), dynamic.text.clone());
                let asked = self.ask(&MethodName { class, name, descriptor }, &arguments)?;
                self.complete(Then::Push, asked)
            }
            linked => linked,
        }
    }

    fn link(&mut self, dynamic: &Dynamic, arguments: &[Slot]) -> Done {
        match (dynamic.bootstrap.0.as_str(), dynamic.bootstrap.1.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                self.make_lambda(dynamic, arguments.to_vec())
            }
            ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants") => {
                self.concatenate(dynamic, arguments)
            }
            _ if self.outside.has_recording() => Err(Abrupt::Declined),
            (class, name) => Err(Why::Bootstrap(format!("{class}.{name}")).into()),
        }
    }

    fn make_lambda(&mut self, dynamic: &Dynamic, captured: Vec<Slot>) -> Done {
        let (Some(ErasedType::Class(interface)), Some(Argument::Handle { kind, owner, name, descriptor })) =
            (&dynamic.descriptor.result, dynamic.arguments.get(1))
        else {
            return Err(Why::Malformed.into());
        };
        let lambda = Lambda {
            name: dynamic.name.clone(),
            kind: *kind,
            owner: owner.clone(),
            implementation: name.clone(),
            descriptor: descriptor.clone(),
            captured,
        };
        let object = self.heap.lambda(interface.clone(), lambda);
        self.complete(Then::Push, Some(Slot::reference(object)))
    }

    fn concatenate(&mut self, dynamic: &Dynamic, arguments: &[Slot]) -> Done {
        let Some(Argument::Constant(Resolved::Text(recipe))) = dynamic.arguments.first() else {
            return Err(Why::Malformed.into());
        };
        let mut constants = dynamic.arguments[1..].iter();
        let mut values = arguments.iter().zip(&dynamic.descriptor.parameters);
        let mut text = Known::text("");
        for part in recipe.split_inclusive(|&unit| unit == ARGUMENT || unit == CONSTANT) {
            let (plain, tag) = match part.split_last() {
                Some((&last, plain)) if last == ARGUMENT || last == CONSTANT => (plain, Some(last)),
                _ => (part, None),
            };
            let plain = Known::of(crate::term::Value::Text(plain.into()));
            text = self.compute(Operator::Concat, &[&text, &plain]);
            let next = match tag {
                None => continue,
                Some(ARGUMENT) => {
                    let (&slot, erased) = values.next().ok_or(Why::Malformed)?;
                    self.text_for(slot, erased)?
                }
                Some(_) => {
                    let Some(Argument::Constant(constant)) = constants.next() else {
                        return Err(Why::Malformed.into());
                    };
                    let slot = self.resolved(constant)?;
                    self.text_for_constant(slot)?
                }
            };
            text = self.compute(Operator::Concat, &[&text, &next]);
        }
        if !self.is_in_platform() && self.outside.next_threw() {
            return Err(Abrupt::Declined);
        }
        let object = self.heap.text(text.units(), text.term);
        self.complete(Then::Push, Some(Slot::reference(object)))
    }

    /// The text of a constant of a recipe; numbers have the type that they have in the constant pool.
    fn text_for_constant(&mut self, slot: Slot) -> Result<Known, Abrupt> {
        let erased = match slot.concrete {
            Concrete::Int(_) => ErasedType::Primitive(PrimitiveType::Int),
            Concrete::Long(_) => ErasedType::Primitive(PrimitiveType::Long),
            Concrete::Float(_) => ErasedType::Primitive(PrimitiveType::Float),
            Concrete::Double(_) => ErasedType::Primitive(PrimitiveType::Double),
            Concrete::Null | Concrete::Reference(_) => ErasedType::Class(ClassName::object()),
        };
        self.text_for(slot, &erased)
    }

    /// Calls the implementation of a lambda with what it captured and the arguments, boxed and unboxed as it wants them.
    pub(super) fn call_lambda(
        &mut self,
        receiver: ObjectId,
        lambda: &Lambda,
        called: &MethodName,
        arguments: &[Slot],
        then: Then,
    ) -> Done {
        let is_platform = self.is_in_platform() && !self.is_interpreted(&lambda.owner);
        if self.outside.has_recording() && !is_platform && !self.is_next_entered(lambda) {
            let class = called.class.clone();
            let receiver_and_arguments: Vec<Slot> =
                std::iter::once(Slot::reference(receiver)).chain(arguments.iter().copied()).collect();
            let asked = self.ask(&MethodName { class, ..called.clone() }, &receiver_and_arguments)?;
            return self.complete(then, asked);
        }
        let descriptor = MethodDescriptor::parse(&lambda.descriptor).map_err(|_| Why::Malformed)?;
        let wanted = MethodDescriptor::parse(&called.descriptor).map_err(|_| Why::Malformed)?;
        let mut values: Vec<Slot> = lambda.captured.iter().chain(arguments).copied().collect();
        let dispatch = match lambda.kind {
            kind::INVOKE_STATIC => Dispatch::Static,
            kind::INVOKE_SPECIAL | kind::NEW_INVOKE_SPECIAL => Dispatch::Special,
            _ => Dispatch::Virtual,
        };
        let has_receiver =
            usize::from(matches!(lambda.kind, kind::INVOKE_SPECIAL) || dispatch == Dispatch::Virtual);
        for (value, parameter) in values.iter_mut().skip(has_receiver).zip(&descriptor.parameters) {
            *value = self.converted(*value, parameter)?;
        }
        let mut then = match (then, &descriptor.result, &wanted.result) {
            (Then::Push, Some(_), None) => Then::Discard,
            (Then::Push, Some(ErasedType::Primitive(primitive)), Some(ErasedType::Class(_))) => {
                Then::Box(*primitive)
            }
            (Then::Push, Some(ErasedType::Class(_)), Some(ErasedType::Primitive(primitive))) => {
                Then::Unbox(*primitive)
            }
            (Then::Push, Some(ErasedType::Primitive(one)), Some(ErasedType::Primitive(other)))
                if one.widens_to(PrimitiveType::Int) != other.widens_to(PrimitiveType::Int) =>
            {
                return Err(Why::Bootstrap("a lambda whose result is widened".to_owned()).into());
            }
            (then, _, _) => then,
        };
        if lambda.kind == kind::NEW_INVOKE_SPECIAL {
            let object = Slot::reference(self.heap.made(lambda.owner.clone()));
            values.insert(0, object);
            then = if wanted.result.is_some() { Then::Constructed(object) } else { Then::Discard };
        }
        let name = MethodName {
            class: lambda.owner.clone(),
            name: lambda.implementation.clone(),
            descriptor: lambda.descriptor.clone(),
        };
        self.call(dispatch, &name, values, then)
    }

    /// Whether a recording says that the implementation of a lambda was entered next.
    fn is_next_entered(&self, lambda: &Lambda) -> bool {
        self.outside
            .next_entered()
            .is_some_and(|next| next.name == lambda.implementation && next.descriptor == lambda.descriptor)
    }

    /// A value as a parameter of a type wants it (JLS 5.1.7, 5.1.8).
    fn converted(&mut self, slot: Slot, parameter: &ErasedType) -> Result<Slot, Abrupt> {
        let is_reference = matches!(slot.concrete, Concrete::Null | Concrete::Reference(_));
        match parameter {
            ErasedType::Primitive(primitive) if is_reference => self.unboxed(slot, *primitive),
            ErasedType::Class(class) if !is_reference => {
                let primitive = PrimitiveType::unboxed(class);
                let primitive = primitive.ok_or_else(|| Why::Bootstrap("boxing for a lambda".to_owned()))?;
                Ok(Slot::reference(self.heap.boxed(primitive.boxed(), slot)))
            }
            ErasedType::Primitive(_) | ErasedType::Class(_) | ErasedType::Array(_) => Ok(slot),
        }
    }
}
