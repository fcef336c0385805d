//! The machine: frames, the loop over instructions, what all families of instructions need.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::instruction::InstructionIndex;
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use bytecode::opcode;
use foldhash::fast::FixedState;

use crate::interpreter::arithmetic::Comparison;
use crate::interpreter::calls::Then;
use crate::interpreter::code::{Code, Method, Prepared};
use crate::interpreter::heap::FieldName;
use crate::interpreter::platform::Trials;
use crate::interpreter::scripts::ScriptedMethod;
use crate::interpreter::slot::Known;
use crate::interpreter::{
    Concrete, Difference, End, Happening, Heap, Limits, MethodName, Mismatch, ObjectId, Outcomes, Outside,
    PathCondition, Replay, Site, Slot, TypeFact, Unmodelled, Way, Why,
};
use crate::term::{MOST_OPERANDS, Operator, TermId, Terms, Value};

/// Why an instruction does not complete normally (JLS 14.1).
#[derive(Debug)]
pub(super) enum Abrupt {
    /// It throws.
    Throw(ObjectId),
    /// The replay ends.
    End(End),
    /// A model needs what only the recording of the whole call knows.
    Declined,
}

impl From<Why> for Abrupt {
    fn from(why: Why) -> Self {
        Self::End(End::Unknown(why))
    }
}

/// What the JVM throws where it cannot execute an instruction, whatever its operands are.
const FAILURES: [&str; 2] = ["java/lang/LinkageError", "java/lang/VirtualMachineError"];

/// What an instruction results in.
pub(super) type Done = Result<(), Abrupt>;

/// A frame (JVMS 2.6). Values of two entries are one on the stack here, and the first of two among the locals.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) method: Arc<Method>,
    pub(super) locals: Vec<Slot>,
    pub(super) stack: Vec<Slot>,
    /// The instruction that is executed.
    pub(super) current: usize,
    /// The instruction that comes next.
    pub(super) next: usize,
    /// What becomes of the result.
    pub(super) then: Then,
    /// The object of a constructor.
    pub(super) constructed: Option<ObjectId>,
    /// Tells activations apart by the calls that led here, each with its number among those of the same instruction.
    pub(super) activation: u64,
    /// How often each call of this frame was made.
    pub(super) calls: BTreeMap<usize, u32>,
    /// Whether the method is code of the platform, of which recordings have no events.
    pub(super) is_platform: bool,
}

impl Frame {
    /// What the frame of the next call is told apart by.
    pub(super) fn next_activation(&mut self) -> u64 {
        let number = self.calls.entry(self.current).or_insert(0);
        *number += 1;
        FixedState::with_seed(0).hash_one((self.activation, self.current, *number))
    }
}

/// Replays runs of methods with symbolic values beside the concrete ones.
pub struct Interpreter<'i> {
    pub(super) terms: &'i mut Terms,
    pub(super) hierarchy: &'i ClassHierarchy,
    pub(super) outside: &'i mut dyn Outside,
    pub(super) heap: Heap,
    pub(super) frames: Vec<Frame>,
    pub(super) statics: BTreeMap<FieldName, Slot>,
    /// Classes of which it is known that they are initialized; `true` for those that the replay initializes.
    pub(super) initialized: BTreeMap<ClassName, bool>,
    pub(super) facts: Vec<TypeFact>,
    pub(super) unmodelled: Unmodelled,
    pub(super) limits: Limits,
    pub(super) scripts: BTreeMap<ObjectId, Vec<ScriptedMethod>>,
    /// What `lcmp` and its like compared, by the term of the result.
    pub(super) comparisons: Lookup<TermId, Comparison>,
    pub(super) code: Arc<Code>,
    pub(super) conditions: Vec<PathCondition>,
    pub(super) trials: Trials,
    held: BTreeSet<TermId>,
    oversized: u64,
    /// Whether nothing became concrete so far that depends on inputs.
    pub(super) is_exact: bool,
    pub(super) steps: u64,
}

impl std::fmt::Debug for Interpreter<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Interpreter").field("frames", &self.frames.len()).finish_non_exhaustive()
    }
}

impl<'i> Interpreter<'i> {
    /// Interprets the classes of the class path of a hierarchy; asks `outside` for everything else.
    pub fn new(
        terms: &'i mut Terms,
        hierarchy: &'i ClassHierarchy,
        outside: &'i mut dyn Outside,
        heap: Heap,
        limits: Limits,
    ) -> Self {
        Self {
            terms,
            hierarchy,
            outside,
            heap,
            frames: Vec::new(),
            statics: BTreeMap::new(),
            initialized: BTreeMap::new(),
            facts: Vec::new(),
            unmodelled: Unmodelled::default(),
            limits,
            scripts: BTreeMap::new(),
            comparisons: Lookup::new(),
            code: Arc::default(),
            conditions: Vec::new(),
            trials: Trials::default(),
            held: BTreeSet::new(),
            oversized: 0,
            is_exact: true,
            steps: 0,
        }
    }

    /// With what other replays have read of the same hierarchy.
    #[must_use]
    pub fn with_code(mut self, code: Arc<Code>) -> Self {
        self.code = code;
        self
    }

    /// Replays a call of a method; the first argument is the receiver if it has one.
    pub fn replay(mut self, method: &MethodName, arguments: Vec<Slot>) -> Replay {
        let end = self.run(method, arguments);
        self.finish(end)
    }

    /// What the replay found, with the way in which it ended.
    pub fn finish(self, end: End) -> Replay {
        Replay {
            conditions: self.conditions,
            facts: self.facts,
            end,
            unmodelled: self.unmodelled,
            oversized: self.oversized,
            steps: self.steps,
            heap: self.heap,
        }
    }

    fn run(&mut self, method: &MethodName, arguments: Vec<Slot>) -> End {
        let step = self
            .enter(method, arguments, Then::End)
            .and_then(|()| self.initialize(&method.class).map(|_| ()));
        self.run_from(step)
    }

    /// Executes what lies on the frames, after a first step.
    pub(super) fn run_from(&mut self, mut step: Done) -> End {
        loop {
            match step {
                Ok(()) => {}
                Err(Abrupt::End(end)) => return end,
                Err(Abrupt::Declined) => return End::Unknown(Why::Malformed),
                Err(Abrupt::Throw(object)) => {
                    if let Some(end) = self.unwind(object) {
                        return end;
                    }
                }
            }
            if self.steps >= self.limits.steps {
                return End::OutOfSteps;
            }
            self.steps += 1;
            step = self.step();
        }
    }

    fn step(&mut self) -> Done {
        let Some(frame) = self.frames.last_mut() else { return Err(Why::Malformed.into()) };
        let method = frame.method.clone();
        frame.current = frame.next;
        frame.next += 1;
        let Some(instruction) = method.instructions.get(frame.current) else {
            return Err(Why::Malformed.into());
        };
        self.execute(instruction)
    }

    /// Executes an instruction; each family of opcodes has a file.
    fn execute(&mut self, instruction: &Prepared) -> Done {
        use opcode::*;
        match instruction.opcode {
            NOP..=LDC2_W => self.constant(instruction),
            ILOAD..=ALOAD_3 => self.load(instruction),
            IALOAD..=SALOAD => self.array_load(instruction.opcode),
            ISTORE..=ASTORE_3 => self.store(instruction),
            IASTORE..=SASTORE => self.array_store(instruction.opcode),
            POP..=SWAP => self.shuffle(instruction.opcode),
            IADD..=LXOR | I2L..=DCMPG => self.arithmetic(instruction.opcode),
            IINC => self.increment(instruction),
            IFEQ..=LOOKUPSWITCH | IFNULL..=JSR_W => self.branch(instruction),
            IRETURN..=RETURN => self.return_from(instruction.opcode),
            GETSTATIC..=PUTFIELD => self.access_field(instruction),
            INVOKEVIRTUAL..=INVOKEINTERFACE => self.invoke_instruction(instruction),
            INVOKEDYNAMIC => self.invoke_dynamic(instruction),
            NEW..=ARRAYLENGTH | MULTIANEWARRAY => self.make(instruction),
            ATHROW => self.throw_instruction(),
            CHECKCAST | INSTANCEOF => self.test_type(instruction),
            MONITORENTER | MONITOREXIT => self.monitor(),
            _ => Err(Why::Malformed.into()),
        }
    }

    /// The code of a method, read when first asked for.
    pub(super) fn method(&self, name: &MethodName) -> Result<Arc<Method>, Abrupt> {
        self.code.method(self.hierarchy, name).ok_or_else(|| Why::NoCode(name.clone()).into())
    }

    pub(super) fn frame(&mut self) -> Result<&mut Frame, Abrupt> {
        self.frames.last_mut().ok_or_else(|| Why::Malformed.into())
    }

    pub(super) fn push(&mut self, slot: Slot) -> Done {
        self.frame()?.stack.push(slot);
        Ok(())
    }

    pub(super) fn pop(&mut self) -> Result<Slot, Abrupt> {
        self.frame()?.stack.pop().ok_or_else(|| Why::Malformed.into())
    }

    pub(super) fn pop_int(&mut self) -> Result<(i32, Slot), Abrupt> {
        let slot = self.pop()?;
        let Concrete::Int(value) = slot.concrete else { return Err(Why::Malformed.into()) };
        Ok((value, slot))
    }

    /// Goes to an instruction of the method.
    pub(super) fn jump(&mut self, target: usize) -> Done {
        self.frame()?.next = target;
        Ok(())
    }

    /// The instruction that is executed.
    pub(super) fn site(&self) -> Option<Site> {
        let frame = self.frames.last()?;
        let instruction = InstructionIndex(frame.current as u32);
        Some(Site { method: frame.method.name.clone(), instruction })
    }

    /// Notes a condition that holds. Constants say nothing; what is there already is not repeated.
    pub(super) fn note(&mut self, term: Option<TermId>, way: Way) {
        self.note_outcome(term, way, None);
    }

    /// As [`Self::note`], of a branch.
    pub(super) fn note_outcome(&mut self, term: Option<TermId>, way: Way, outcomes: Option<Outcomes>) {
        let Some(term) = term.and_then(|term| self.kept(term)) else { return };
        let activation = self.frames.last().map_or(0, |frame| frame.activation);
        if let Some(site) = self.site()
            && self.held.insert(term)
        {
            let is_exact = self.is_exact;
            self.conditions.push(PathCondition { term, site, activation, way, outcomes, is_exact });
        }
    }

    /// Forgets all conditions but the first ones.
    pub(super) fn forget_conditions(&mut self, left: usize) {
        for condition in self.conditions.drain(left..) {
            self.held.remove(&condition.term);
        }
    }

    /// Tells the recording what happened.
    pub(super) fn happened(&mut self, happening: &Happening<'_>) -> Done {
        if self.is_in_platform() {
            return Ok(());
        }
        match self.outside.happened(happening, &mut self.heap) {
            Ok(()) => Ok(()),
            // Where an exception goes is no instruction that could throw another one.
            Err(mismatch) if matches!(happening, Happening::Caught { .. }) => Err(self.mismatched(mismatch)),
            Err(mismatch) => Err(self.failed(mismatch)),
        }
    }

    /// The end of a replay that cannot follow its recording.
    fn mismatched(&self, mismatch: Mismatch) -> Abrupt {
        match mismatch {
            Mismatch::Differs { event, difference } => {
                Abrupt::End(End::Diverged { site: self.site(), event, difference })
            }
            Mismatch::Ends => Why::RecordingEnds.into(),
        }
    }

    /// What becomes of an instruction that has no event in the recording: the JVM may not have been able to execute it. A class
    /// could not be linked or initialized (JVMS 5.4, 5.5), or there was no memory (JVMS 6.3).
    fn failed(&mut self, mismatch: Mismatch) -> Abrupt {
        let has_other_event =
            matches!(mismatch, Mismatch::Differs { difference: Difference::Event { .. }, .. });
        if has_other_event
            && !self.frames.is_empty()
            && let Some(exception) = self.outside.next_exception(&mut self.heap)
            && let Some(class) = self.heap.class_of(exception)
            && FAILURES.iter().any(|failure| self.hierarchy.is_subclass(class, &ClassName::new(*failure)))
        {
            return Abrupt::Throw(exception);
        }
        self.mismatched(mismatch)
    }

    /// What a read gives. What the replay knows stays where nothing but the replay can have written and where the recording
    /// says the same; `ask` is for replays without one.
    pub(super) fn read(
        &mut self,
        known: Option<Slot>,
        is_certain: bool,
        ask: impl FnOnce(&mut dyn Outside, &mut Heap) -> Result<Slot, Why>,
    ) -> Result<Slot, Abrupt> {
        if self.is_in_platform() {
            return known.filter(|_| is_certain).ok_or_else(|| Why::Platform.into());
        }
        let mut known = known;
        if !(self.outside.has_recording() || is_certain && known.is_some()) {
            let read = ask(self.outside, &mut self.heap)?;
            known = Some(known.filter(|slot| slot.concrete == read.concrete).unwrap_or(read));
        }
        match self.outside.read(known, &mut self.heap) {
            Ok(Some(slot)) => Ok(slot),
            Ok(None) => Err(Why::Malformed.into()),
            Err(mismatch) => Err(self.failed(mismatch)),
        }
    }

    /// Notes which way a truth value sent control.
    pub(super) fn decide(&mut self, truth: &Known, when_true: Way, when_false: Way) -> bool {
        let holds = truth.value.truth();
        let term = truth.term.map(|term| if holds { term } else { self.terms.not(term) });
        let way = if holds { when_true } else { when_false };
        let outcomes = match way {
            Way::Jumped => Some(Outcomes { taken: 0, other: Some(1) }),
            Way::FellThrough => Some(Outcomes { taken: 1, other: Some(0) }),
            Way::Case(_) | Way::Default | Way::Completed | Way::Threw | Way::Pinned => None,
        };
        self.note_outcome(term, way, outcomes);
        holds
    }

    /// Holds a value at what it is.
    pub(super) fn pin(&mut self, known: &Known) {
        if let Some(term) = known.term {
            let constant = self.terms.constant(&known.value);
            let equal = self.terms.equal(term, constant);
            self.note(Some(equal), Way::Pinned);
        }
    }

    /// A term that is no constant and not too large.
    fn kept(&mut self, term: TermId) -> Option<TermId> {
        if self.terms.constant_value(term).is_some() {
            return None;
        }
        if self.terms.size(term) > self.limits.term_size {
            self.oversized += 1;
            self.is_exact = false;
            return None;
        }
        Some(term)
    }

    /// What an operator computes, with its term if an operand has one.
    pub(super) fn compute(&mut self, operator: Operator, operands: &[&Known]) -> Known {
        let mut values = [&Value::Bool(false); MOST_OPERANDS];
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = &operand.value;
        }
        let value = self.terms.compute(operator, &values[..operands.len()]);
        if operands.iter().all(|operand| operand.term.is_none()) {
            return Known::of(value);
        }
        let terms: Vec<TermId> = operands.iter().map(|operand| operand.as_term(self.terms)).collect();
        let term = self.terms.apply(operator, &terms);
        Known { value, term: self.kept(term) }
    }

    /// `condition ? then : otherwise`.
    pub(super) fn choose(&mut self, condition: &Known, then: &Known, otherwise: &Known) -> Known {
        self.compute(Operator::IfThenElse, &[condition, then, otherwise])
    }

    pub(super) fn not(&mut self, truth: &Known) -> Known {
        self.compute(Operator::Not, &[truth])
    }

    /// A number as operators take it.
    pub(super) fn known(slot: Slot) -> Result<Known, Abrupt> {
        let value = match slot.concrete {
            Concrete::Int(value) => Value::int(value),
            Concrete::Long(value) => Value::long(value),
            Concrete::Float(value) => Value::Float(value),
            Concrete::Double(value) => Value::Double(value),
            Concrete::Null | Concrete::Reference(_) => return Err(Why::Malformed.into()),
        };
        Ok(Known { value, term: slot.term })
    }

    /// A number as slots hold it: truth values become 0 and 1, characters `int`.
    pub(super) fn slot(&mut self, known: &Known) -> Result<Slot, Abrupt> {
        let concrete = match &known.value {
            Value::Bool(_) => {
                let chosen = self.choose(known, &Known::int(1), &Known::int(0));
                return self.slot(&chosen);
            }
            Value::Bits { width: 32, .. } => Concrete::Int(known.value.signed() as i32),
            Value::Bits { width: 64, .. } => Concrete::Long(known.value.signed()),
            Value::Bits { width: 16, .. } => {
                let wide = self.compute(Operator::ZeroExtend(32), &[known]);
                return self.slot(&wide);
            }
            Value::Float(value) => Concrete::Float(*value),
            Value::Double(value) => Concrete::Double(*value),
            Value::Bits { .. } | Value::Text(_) => return Err(Why::Malformed.into()),
        };
        Ok(Slot { concrete, term: known.term })
    }

    pub(super) fn push_known(&mut self, known: &Known) -> Done {
        let slot = self.slot(known)?;
        self.push(slot)
    }

    /// The object of a reference; of null, a `NullPointerException`. Notes the condition where nullness depends on an input.
    pub(super) fn object(&mut self, reference: Slot) -> Result<ObjectId, Abrupt> {
        if reference.term.is_some() {
            let is_null = Self::is_null(reference)?;
            let is_there = self.not(&is_null);
            self.decide(&is_there, Way::Completed, Way::Threw);
        }
        match reference.concrete {
            Concrete::Reference(object) => Ok(object),
            Concrete::Null
            | Concrete::Int(_)
            | Concrete::Long(_)
            | Concrete::Float(_)
            | Concrete::Double(_) => Err(self.throw("java/lang/NullPointerException")),
        }
    }

    /// Whether a reference is null.
    pub(super) fn is_null(reference: Slot) -> Result<Known, Abrupt> {
        match reference.concrete {
            Concrete::Null => Ok(Known { value: Value::Bool(true), term: reference.term }),
            Concrete::Reference(_) => Ok(Known { value: Value::Bool(false), term: reference.term }),
            Concrete::Int(_) | Concrete::Long(_) | Concrete::Float(_) | Concrete::Double(_) => {
                Err(Why::Malformed.into())
            }
        }
    }

    /// An exception that the JVM makes itself.
    pub(super) fn throw(&mut self, class: &str) -> Abrupt {
        Abrupt::Throw(self.heap.made(ClassName::new(class)))
    }

    /// A value as a variable of a type holds it: the types below `int` keep their low bits (JVMS 6.5, `putfield`,
    /// `ireturn`, `bastore`).
    pub(super) fn narrowed(&mut self, slot: Slot, erased: &ErasedType) -> Result<Slot, Abrupt> {
        use bytecode::descriptor::PrimitiveType::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
        let ErasedType::Primitive(primitive) = erased else { return Ok(slot) };
        let (width, extension) = match primitive {
            Boolean => (1, Operator::ZeroExtend(32)),
            Byte => (8, Operator::SignExtend(32)),
            Short => (16, Operator::SignExtend(32)),
            Char => (16, Operator::ZeroExtend(32)),
            Int | Long | Float | Double => return Ok(slot),
        };
        let known = Self::known(slot)?;
        if *primitive == Boolean && matches!(slot.concrete, Concrete::Int(0 | 1)) {
            return Ok(slot);
        }
        let low = self.compute(Operator::Truncate(width), &[&known]);
        let wide = self.compute(extension, &[&low]);
        self.slot(&wide)
    }
}
