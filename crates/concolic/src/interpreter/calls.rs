//! Calls and returns (JVMS 6.5, `invokestatic` to `invokeinterface`, `ireturn` to `return`).

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::name::ClassName;
use bytecode::opcode::*;

use crate::interpreter::code::{Prepared, Resolved};
use crate::interpreter::heap::Content;
use crate::interpreter::machine::{Abrupt, Done, Frame, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::outside::{Call, Outcome};
use crate::interpreter::selection::{Callee, Dispatch};
use crate::interpreter::{Concrete, End, Happening, MethodName, ObjectId, Slot, Why};

/// What becomes of the result of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Then {
    /// The replay ends.
    End,
    /// It is pushed.
    Push,
    /// It is dropped.
    Discard,
    /// A class has been initialized.
    Initialized,
    /// An object that was constructed is pushed.
    Constructed(Slot),
    /// It is boxed and pushed.
    Box(PrimitiveType),
    /// It is unboxed and pushed.
    Unbox(PrimitiveType),
}

impl Interpreter<'_> {
    pub(super) fn invoke_instruction(&mut self, instruction: &Prepared) -> Done {
        let Resolved::Member(member) = &instruction.constant else { return Err(Why::Malformed.into()) };
        let method = member.method.as_ref().ok_or(Why::Malformed)?;
        let class = match &member.owner {
            ErasedType::Class(class) => class.clone(),
            ErasedType::Array(_) | ErasedType::Primitive(_) => ClassName::object(),
        };
        let dispatch = match instruction.opcode {
            INVOKESTATIC => Dispatch::Static,
            INVOKESPECIAL => Dispatch::Special,
            _ => Dispatch::Virtual,
        };
        let named = MethodName { class, name: member.name.clone(), descriptor: member.descriptor.clone() };
        if dispatch == Dispatch::Static {
            let callee = self.code.callee(self.hierarchy, &named.class, &named, dispatch);
            if self.initialize(&callee.method.class)? {
                return Ok(());
            }
            let arguments = self.pop_arguments(method.parameters.len())?;
            return self.run_callee(&callee, &named.class, &named, arguments, Then::Push);
        }
        let arguments = self.pop_arguments(method.parameters.len() + 1)?;
        self.call(dispatch, &named, arguments, Then::Push)
    }

    pub(super) fn pop_arguments(&mut self, count: usize) -> Result<Vec<Slot>, Abrupt> {
        let stack = &mut self.frame()?.stack;
        let start = stack.len().checked_sub(count).ok_or(Why::Malformed)?;
        Ok(stack.split_off(start))
    }

    /// Calls a method; receiver first.
    pub(super) fn call(
        &mut self,
        dispatch: Dispatch,
        named: &MethodName,
        arguments: Vec<Slot>,
        then: Then,
    ) -> Done {
        let mut class = named.class.clone();
        if dispatch != Dispatch::Static {
            let object = self.object(*arguments.first().ok_or(Why::Malformed)?)?;
            if dispatch == Dispatch::Virtual {
                if let Content::Lambda(lambda) = &self.heap.get(object).content
                    && lambda.name == named.name
                {
                    let lambda = lambda.clone();
                    return self.call_lambda(object, &lambda, named, &arguments[1..], then);
                }
                class = self.heap.class_of(object).cloned().unwrap_or_else(ClassName::object);
            }
        }
        let callee = self.code.callee(self.hierarchy, &class, named, dispatch);
        self.run_callee(&callee, &class, named, arguments, then)
    }

    /// Runs what a call was found to run in a class: interprets it, or does what its model or the recording says.
    fn run_callee(
        &mut self,
        callee: &Callee,
        class: &ClassName,
        named: &MethodName,
        arguments: Vec<Slot>,
        then: Then,
    ) -> Done {
        let entered = if self.outside.has_recording() {
            self.entered_for(class, named, callee)
        } else {
            (callee.has_code && callee.is_interpreted).then(|| callee.method.clone())
        };
        if let Some(entered) = entered {
            return self.enter(&entered, arguments, then);
        }
        let constructed = if *named.name == *"<init>" { Self::referred(&arguments) } else { None };
        if let Some(model) = callee.model {
            match model(self, &arguments) {
                // What keeps the JVM from doing what the model did (a negative capacity, a cast) is not modelled.
                Ok(Modelled::Value(_) | Modelled::Nothing)
                    if !self.is_in_platform() && self.outside.next_threw() => {}
                Ok(Modelled::Value(slot)) => return self.complete(then, Some(slot)),
                Ok(Modelled::Nothing) => return self.complete_call(then, None, constructed),
                Ok(Modelled::Declined) | Err(Abrupt::Declined) => {}
                Err(abrupt) => return Err(abrupt),
            }
        }
        if callee.has_code && !callee.is_interpreted {
            if self.is_in_platform() {
                return self.enter(&callee.method, arguments, then);
            }
            match self.try_platform(&callee.method, &arguments) {
                Some(Outcome::Returned(result)) => return self.complete_call(then, result, constructed),
                Some(Outcome::Threw(object)) => return Err(Abrupt::Throw(object)),
                None => {}
            }
        }
        let result = self.ask(&MethodName { class: class.clone(), ..named.clone() }, &arguments)?;
        self.complete_call(then, result, constructed)
    }

    /// The method that a recording says was entered by a call: the one that was found, if it is interpreted. Where the receiver is
    /// of a class that no class file tells of, any of that name that it may inherit. Code of the platform that was found enters
    /// nothing: what it calls back may have the same name, as the map behind a synchronized one has.
    fn entered_for(&self, class: &ClassName, named: &MethodName, callee: &Callee) -> Option<MethodName> {
        let next = self.outside.next_entered()?;
        let is_it = if callee.is_found && callee.is_interpreted {
            next == callee.method
        } else {
            !callee.has_code
                && next.name == named.name
                && next.descriptor == named.descriptor
                && self.may_inherit(class, &next.class)
        };
        (is_it && self.is_interpreted(&next.class)).then_some(next)
    }

    /// Whether a class that a call runs in may have the methods of another one. Of classes made while the program runs the name
    /// says it: a proxy gives all calls to its handler (`java.lang.reflect.Proxy`), and what that calls may have the same name;
    /// a lambda has nothing but the default methods of its interfaces.
    fn may_inherit(&self, class: &ClassName, from: &ClassName) -> bool {
        if self.hierarchy.class(class).is_some() {
            return true;
        }
        let is_proxy = class.base_name().starts_with("$Proxy");
        let is_lambda = class.as_str().contains("$$Lambda");
        !is_proxy && (!is_lambda || self.hierarchy.class(from).is_some_and(|info| info.is_interface()))
    }

    fn referred(arguments: &[Slot]) -> Option<ObjectId> {
        let first = arguments.first()?;
        if let Concrete::Reference(object) = first.concrete { Some(object) } else { None }
    }

    /// Asks what code did that is neither interpreted nor modelled.
    pub(super) fn ask(&mut self, method: &MethodName, arguments: &[Slot]) -> Result<Option<Slot>, Abrupt> {
        if self.is_in_platform() {
            return Err(Why::Platform.into());
        }
        if arguments.iter().any(|&slot| self.depends_on_inputs(slot)) {
            self.unmodelled.count(method.clone());
            self.is_exact = false;
        }
        self.heap.escape(arguments);
        if *method.name == *"<init>"
            && let Some(object) = Self::referred(arguments)
        {
            self.heap.forget_value(object);
        }
        let scripted = self.scripted(method, arguments);
        let recorded =
            if self.frames.is_empty() { self.outside.statement_outcome(&mut self.heap) } else { None };
        let call =
            Call { class: &method.class, name: &method.name, descriptor: &method.descriptor, arguments };
        match recorded.or_else(|| self.outside.call(&call, &mut self.heap)) {
            None => scripted.map(Some).ok_or_else(|| Why::Call(method.clone()).into()),
            Some(Outcome::Returned(Some(slot))) => {
                let same = scripted.filter(|&scripted| self.is_same_value(scripted, slot));
                Ok(Some(same.unwrap_or(slot)))
            }
            Some(Outcome::Returned(None)) => Ok(None),
            Some(Outcome::Threw(object)) => Err(Abrupt::Throw(object)),
        }
    }

    /// Whether a value, or the text or number that it stands for, has a term.
    fn depends_on_inputs(&self, slot: Slot) -> bool {
        let Concrete::Reference(object) = slot.concrete else { return slot.term.is_some() };
        match &self.heap.get(object).content {
            Content::Text(text) | Content::Builder(text) => text.term.is_some(),
            Content::Boxed(boxed) => boxed.term.is_some(),
            Content::Array { elements, .. } => elements.values().any(|cell| cell.0.slot.term.is_some()),
            Content::Matcher(matching) => matching.text.term.is_some(),
            Content::Fields(_) | Content::Class(_) | Content::Lambda(_) | Content::Pattern(_) => {
                slot.term.is_some()
            }
        }
    }

    /// Puts a frame on top.
    pub(super) fn enter(&mut self, name: &MethodName, arguments: Vec<Slot>, then: Then) -> Done {
        if self.frames.len() >= self.limits.depth {
            return Err(Abrupt::End(End::TooDeep));
        }
        let method = self.method(name)?;
        let mut locals = Vec::with_capacity(arguments.len() + 8);
        for slot in arguments {
            locals.push(slot);
            if slot.is_wide() {
                locals.push(Slot::NULL);
            }
        }
        let constructed = if *name.name == *"<init>" { Self::referred(&locals) } else { None };
        let activation = self.frames.last_mut().map_or(0, Frame::next_activation);
        let is_platform = !self.is_interpreted(&name.class);
        self.frames.push(Frame {
            method,
            locals,
            stack: Vec::new(),
            current: 0,
            next: 0,
            then,
            constructed,
            activation,
            calls: BTreeMap::new(),
            is_platform,
        });
        self.happened(&Happening::Entered(name))
    }

    pub(super) fn return_from(&mut self, code: u8) -> Done {
        let result = if code == RETURN { None } else { Some(self.pop()?) };
        let method = self.frame()?.method.clone();
        let result = match (result, &method.result) {
            (Some(slot), Some(erased)) => Some(self.narrowed(slot, erased)?),
            (result, _) => result,
        };
        self.happened(&Happening::Left)?;
        match self.frames.pop() {
            Some(frame) => self.complete_call(frame.then, result, frame.constructed),
            None => self.complete(Then::End, result),
        }
    }

    /// As [`Self::complete`], of a call that may be one of a constructor.
    fn complete_call(&mut self, then: Then, result: Option<Slot>, constructed: Option<ObjectId>) -> Done {
        if then == Then::Push && result.is_none() {
            return self.happened(&Happening::Returned(None, constructed));
        }
        self.complete(then, result)
    }

    /// Does with a result what the caller wants.
    pub(super) fn complete(&mut self, then: Then, result: Option<Slot>) -> Done {
        let pushed = match (then, result) {
            (Then::End, result) => return Err(Abrupt::End(End::Returned(result))),
            (Then::Initialized, _) => return Ok(()),
            (Then::Push, result) => result,
            (Then::Discard, _) => None,
            (Then::Constructed(object), _) => Some(object),
            (Then::Box(primitive), Some(slot)) => {
                Some(Slot::reference(self.heap.boxed(primitive.boxed(), slot)))
            }
            (Then::Unbox(primitive), Some(slot)) => Some(self.unboxed(slot, primitive)?),
            (Then::Box(_) | Then::Unbox(_), None) => return Err(Why::Malformed.into()),
        };
        self.happened(&Happening::Returned(pushed, None))?;
        match pushed {
            Some(slot) => self.push(slot),
            None => Ok(()),
        }
    }

    /// The number that a reference boxes; of null, a `NullPointerException`.
    pub(super) fn unboxed(&mut self, reference: Slot, primitive: PrimitiveType) -> Result<Slot, Abrupt> {
        let object = self.object(reference)?;
        if let Content::Boxed(slot) = &self.heap.get(object).content {
            return Ok(*slot);
        }
        let name: Arc<str> = format!("{}Value", primitive.keyword()).into();
        let descriptor = format!("(){}", primitive.descriptor());
        let method = MethodName { class: primitive.boxed(), name, descriptor: descriptor.into() };
        self.ask(&method, &[reference])?.ok_or_else(|| Why::Malformed.into())
    }
}
