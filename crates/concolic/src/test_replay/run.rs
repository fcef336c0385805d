//! Executes the statements of a test.

use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use testcase::cluster::{Callable, CallableKind, FieldId, Stub, TestCluster, TypeId};
use testcase::statement::{Answer, Script, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value as Literal;

use super::inputs::{Input, Inputs, LENGTH, concrete_of, value_of};
use super::{ReplayedTest, TestCondition, TestEnd, built};
use crate::interpreter::{
    Code, Concrete, Dispatch, End, Heap, Interpreter, Limits, MethodName, ObjectId, Outcome, Outside,
    ScriptedAnswer, ScriptedMethod, Slot,
};
use crate::term::{Operator, Sort, Terms, Value};

/// Elements of a new array up to which those that are not written are inputs.
const MOST_ELEMENTS: u16 = 8;

/// What a replay of a test works with.
#[derive(Debug)]
pub struct Replaying<'r> {
    /// What tests may use.
    pub cluster: &'r TestCluster,
    /// The classes.
    pub hierarchy: &'r ClassHierarchy,
    /// What was read of them.
    pub code: &'r Arc<Code>,
    /// How much it may do.
    pub limits: Limits,
}

/// Replays the statements that a run began, the first `begun` ones.
pub fn replay_test(
    test: &TestCase,
    begun: usize,
    replaying: &Replaying<'_>,
    outside: &mut dyn Outside,
    terms: &mut Terms,
) -> ReplayedTest {
    let interpreter =
        Interpreter::new(terms, replaying.hierarchy, outside, Heap::default(), replaying.limits)
            .with_code(replaying.code.clone());
    let variables = vec![None; test.len()];
    let mut run =
        Run { interpreter, cluster: replaying.cluster, inputs: Inputs::default(), variables, statement: 0 };
    let mut owners = Vec::new();
    let mut end = TestEnd::Completed;
    for (position, statement) in test.statements().iter().enumerate().take(begun) {
        run.statement = position;
        let stopped = run.execute(statement).err();
        owners.resize(run.interpreter.conditions().len(), position);
        if let Some(stopped) = stopped {
            end = TestEnd::Stopped { statement: position, end: stopped };
            break;
        }
    }
    let inputs = run.inputs;
    let replay = run.interpreter.finish(End::Returned(None));
    let conditions = replay.conditions.into_iter().zip(owners);
    ReplayedTest {
        conditions: conditions.map(|(condition, statement)| TestCondition { condition, statement }).collect(),
        inputs,
        end,
        unmodelled: replay.unmodelled,
        oversized: replay.oversized,
        steps: replay.steps,
    }
}

/// A test that is replayed.
struct Run<'r> {
    interpreter: Interpreter<'r>,
    cluster: &'r TestCluster,
    inputs: Inputs,
    /// What the variables hold; `None` of those that were not defined.
    variables: Vec<Option<Slot>>,
    statement: usize,
}

impl Run<'_> {
    fn execute(&mut self, statement: &Statement) -> Result<(), End> {
        self.interpreter.begin(self.statement)?;
        let outcome = self.outcome(statement)?;
        if let Outcome::Returned(slot) = outcome {
            self.variables[self.statement] = slot;
        }
        self.interpreter.complete_statement(outcome)
    }

    fn outcome(&mut self, statement: &Statement) -> Result<Outcome, End> {
        let returned = |slot: Slot| Ok(Outcome::Returned(Some(slot)));
        match statement {
            Statement::Primitive { value, boxed } => returned(self.literal(value, *boxed)),
            Statement::Null { .. } => returned(Slot::NULL),
            Statement::EnumConstant { field } => self.read(*field, None),
            Statement::ClassLiteral { class, .. } => {
                let erased = self.cluster.ty(*class).erased.clone();
                returned(Slot::reference(self.interpreter.heap().class_object(erased)))
            }
            Statement::Constructor { callable, arguments } => {
                let callable = self.cluster.callable(*callable);
                let object = self.interpreter.make_object(callable.declared_in.clone());
                let mut slots = vec![Slot::reference(object)];
                slots.extend(self.arguments(callable, arguments)?);
                let outcome = self.call(callable, Dispatch::Special, slots)?;
                Ok(match outcome {
                    Outcome::Returned(None) => Outcome::Returned(Some(Slot::reference(object))),
                    Outcome::Returned(Some(_)) | Outcome::Threw(_) => outcome,
                })
            }
            Statement::Method { callable, receiver, arguments } => {
                let callable = self.cluster.callable(*callable);
                let dispatch = match callable.kind {
                    CallableKind::StaticMethod => Dispatch::Static,
                    CallableKind::InstanceMethod | CallableKind::Constructor => Dispatch::Virtual,
                };
                let mut slots = Vec::new();
                if let Some(receiver) = receiver {
                    slots.push(self.variable(*receiver)?);
                }
                slots.extend(self.arguments(callable, arguments)?);
                self.call(callable, dispatch, slots)
            }
            Statement::FieldRead { field, receiver } => self.read(*field, *receiver),
            Statement::FieldWrite { field, receiver, value } => self.write(*field, *receiver, *value),
            Statement::Array { of, length } => self.array(*of, *length),
            Statement::ArrayWrite { array, index, value } => self.write_element(*array, *index, *value),
            Statement::Stub { stub, script } => self.stub(self.cluster.stub(*stub), script),
        }
    }

    fn variable(&self, variable: VarRef) -> Result<Slot, End> {
        let slot = self.variables.get(variable.index()).copied().flatten();
        slot.ok_or(End::Unknown(crate::interpreter::Why::Malformed))
    }

    fn object(&self, variable: VarRef) -> Result<Option<ObjectId>, End> {
        let slot = self.variable(variable)?;
        Ok(if let Concrete::Reference(object) = slot.concrete { Some(object) } else { None })
    }

    fn literal(&mut self, literal: &Literal, boxed: bool) -> Slot {
        let value = value_of(literal);
        let sort = value.sort();
        let input = self.inputs.add(Input::Literal(self.statement), value);
        let interpreter = &mut self.interpreter;
        let Some(primitive) = literal.primitive_type() else {
            let term = interpreter.terms().input(input, sort);
            let units =
                if let Literal::String(text) = literal { text.units().into() } else { Vec::new().into() };
            let heap = interpreter.heap();
            let object = if boxed { heap.text(units, Some(term)) } else { heap.chosen_literal(units, term) };
            return Slot::reference(object);
        };
        let slot = Slot::input(interpreter.terms(), input, primitive, concrete_of(literal));
        if !boxed {
            return slot;
        }
        Slot::reference(interpreter.heap().boxed(primitive.boxed(), slot))
    }

    /// What is passed to a call: whether a reference is null is an input of its own in each place.
    fn arguments(&mut self, callable: &Callable, arguments: &[VarRef]) -> Result<Vec<Slot>, End> {
        let mut slots = Vec::with_capacity(arguments.len());
        for (number, &argument) in arguments.iter().enumerate() {
            let mut slot = self.variable(argument)?;
            let is_null = slot.concrete == Concrete::Null;
            let is_reference = is_null || matches!(slot.concrete, Concrete::Reference(_));
            let is_enclosing = callable.takes_enclosing_instance && number == 0;
            let of = callable.parameters.get(number).map_or(TypeId::OBJECT, |parameter| parameter.of);
            let may_change = !is_null || built::something(self.cluster, of).is_some();
            if is_reference && !is_enclosing && may_change {
                let input = Input::IsNull { statement: self.statement, argument: number };
                let input = self.inputs.add(input, Value::Bool(is_null));
                slot.term = Some(self.interpreter.terms().input(input, Sort::Bool));
            }
            slots.push(slot);
        }
        Ok(slots)
    }

    fn call(&mut self, callable: &Callable, dispatch: Dispatch, slots: Vec<Slot>) -> Result<Outcome, End> {
        let method = MethodName {
            class: callable.declared_in.clone(),
            name: callable.name.clone(),
            descriptor: callable.descriptor.clone(),
        };
        outcome(self.interpreter.call_from_test(dispatch, &method, slots))
    }

    fn read(&mut self, field: FieldId, receiver: Option<VarRef>) -> Result<Outcome, End> {
        let field = self.cluster.field(field);
        let erased = &self.cluster.ty(field.of).erased;
        let object = self.accessed(&field.declared_in, receiver)?;
        let name = (field.declared_in.clone(), field.name.clone());
        if receiver.is_some() && object.is_none() {
            return self.recorded();
        }
        match self.interpreter.field_from_test(object, &name, erased) {
            Some(slot) => Ok(Outcome::Returned(Some(slot))),
            None => self.recorded(),
        }
    }

    /// The object whose field is accessed; the class of a static field is initialized.
    fn accessed(&mut self, class: &ClassName, receiver: Option<VarRef>) -> Result<Option<ObjectId>, End> {
        match receiver {
            Some(receiver) => self.object(receiver),
            None => self.interpreter.initialize_from_test(class).map(|()| None),
        }
    }

    fn write(&mut self, field: FieldId, receiver: Option<VarRef>, value: VarRef) -> Result<Outcome, End> {
        let field = self.cluster.field(field);
        let object = self.accessed(&field.declared_in, receiver)?;
        if receiver.is_some() && object.is_none() {
            return self.recorded();
        }
        let slot = self.variable(value)?;
        let name = (field.declared_in.clone(), field.name.clone());
        self.interpreter.write_from_test(object, name, slot);
        Ok(Outcome::Returned(None))
    }

    /// What the recording says of a statement that did not complete.
    fn recorded(&mut self) -> Result<Outcome, End> {
        let unknown = End::Unknown(crate::interpreter::Why::RecordingEnds);
        self.interpreter.recorded_outcome().ok_or(unknown)
    }

    fn array(&mut self, of: TypeId, length: u16) -> Result<Outcome, End> {
        let ErasedType::Array(element) = self.cluster.ty(of).erased.clone() else { return self.recorded() };
        let value = Value::bits(16, length.into());
        let input = self.inputs.add(Input::Length(self.statement), value);
        let terms = self.interpreter.terms();
        let term = terms.input(input, LENGTH);
        let term = Some(terms.apply(Operator::ZeroExtend(32), &[term]));
        let array = self
            .interpreter
            .make_array((*element).clone(), Slot { concrete: Concrete::Int(length.into()), term });
        if let (ErasedType::Primitive(primitive), true) = (*element, length <= MOST_ELEMENTS) {
            let default = Literal::zero(primitive);
            for index in 0..length {
                let element = Input::Element { array: self.statement, index };
                let input = self.inputs.add(element, value_of(&default));
                let slot = Slot::input(self.interpreter.terms(), input, primitive, concrete_of(&default));
                self.interpreter.heap().write_element(array, index.into(), slot);
            }
        }
        Ok(Outcome::Returned(Some(Slot::reference(array))))
    }

    fn write_element(&mut self, array: VarRef, index: u16, value: VarRef) -> Result<Outcome, End> {
        let slot = self.variable(value)?;
        let Some(object) = self.object(array)? else { return self.recorded() };
        let length = self.interpreter.heap().length(object).map(|length| length.concrete);
        let is_inside = matches!(length, Some(Concrete::Int(length)) if i32::from(index) < length);
        let ErasedType::Array(element) = self.interpreter.heap().get(object).class.clone() else {
            return self.recorded();
        };
        if !is_inside || !self.interpreter.fits(slot, &element) {
            return self.recorded();
        }
        self.interpreter.heap().write_element(object, index.into(), slot);
        Ok(Outcome::Returned(None))
    }

    fn stub(&mut self, stub: &Stub, script: &Script) -> Result<Outcome, End> {
        let ErasedType::Class(class) = self.cluster.ty(stub.of).erased.clone() else {
            return self.recorded();
        };
        let object = self.interpreter.heap().seen(class);
        let mut methods = Vec::new();
        for (method, answers) in stub.methods.iter().zip(&script.answers) {
            let mut scripted = Vec::new();
            for answer in answers {
                scripted.push(match *answer {
                    Answer::Value(variable) => ScriptedAnswer::Value(self.variable(variable)?),
                    Answer::Parameter(number) => ScriptedAnswer::Parameter(number.into()),
                    Answer::Itself => ScriptedAnswer::Itself,
                    // What it calls is followed in the recording.
                    Answer::Throw(_) | Answer::CallBack(..) | Answer::Return => ScriptedAnswer::Nothing,
                });
            }
            let descriptors = std::iter::once(&method.descriptor).chain(&method.bridges).cloned().collect();
            methods.push(ScriptedMethod::new(method.name.clone(), descriptors, scripted));
        }
        self.interpreter.script(object, methods.clone());
        if let Some(constructor) = stub.constructor() {
            let callable = self.cluster.callable(constructor);
            let mut slots = vec![Slot::reference(object)];
            slots.extend(self.arguments_of_stub(&script.arguments)?);
            match self.call(callable, Dispatch::Special, slots)? {
                Outcome::Threw(object) => return Ok(Outcome::Threw(object)),
                // Other code constructed it, and the recording knows the object.
                Outcome::Returned(Some(Slot { concrete: Concrete::Reference(recorded), .. })) => {
                    self.interpreter.script(recorded, methods);
                    return Ok(Outcome::Returned(Some(Slot::reference(recorded))));
                }
                Outcome::Returned(_) => {}
            }
        }
        Ok(Outcome::Returned(Some(Slot::reference(object))))
    }

    fn arguments_of_stub(&self, arguments: &[VarRef]) -> Result<Vec<Slot>, End> {
        arguments.iter().map(|&argument| self.variable(argument)).collect()
    }
}

/// What a call of a statement came to; every other end ends the replay.
fn outcome(end: End) -> Result<Outcome, End> {
    match end {
        End::Returned(slot) => Ok(Outcome::Returned(slot)),
        End::Threw { object, .. } => Ok(Outcome::Threw(object)),
        end @ (End::Unknown(_) | End::OutOfSteps | End::TooDeep | End::Diverged { .. }) => Err(end),
    }
}
