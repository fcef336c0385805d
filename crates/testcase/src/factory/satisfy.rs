//! Parameter satisfaction: variables for a wanted type, reused from the test or made by new statements.
//!
//! New statements are collected beside the test and only put into it when all went well, so a failure costs nothing.

use bytecode::descriptor::PrimitiveType;
use smallvec::SmallVec;

use super::entries::Place;
use super::insisting::Insisting;
use super::options::FactoryOptions;
use super::plan::{Fillers, Plan, Shape};
use super::stubs::READ;
use super::values::Values;
use crate::cluster::{
    Call, Callable, CallableId, CallableKind, FieldId, Generator, Parameter, TestCluster, TypeId,
};
use crate::constant_pools::ConstantPools;
use crate::random::Random;
use crate::statement::{Arguments, Statement, VarRef};
use crate::test_case::TestCase;

/// Part of the calls by which an object is filled or changed that set what the code under test asks for, where some do: of twenty methods of a
/// builder one matters.
const ASKED: f64 = 0.5;

/// Of new builders that are known to insist on more than others, the part that are given all that they may be asked for.
const FILL_OF_INSISTING: f64 = 0.8;

/// What a variable is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Passed or stored; may be `null`.
    Argument,
    /// Something is called on it, or it is the enclosing instance: must not be `null`.
    Receiver,
}

/// Type of a variable, and whether it is a `null` of that type; nothing for statements that define none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot(u32);

impl Slot {
    const NOTHING: Self = Self(u32::MAX);
    const NULL: u32 = 1 << 31;

    pub(super) fn of(cluster: &TestCluster, statement: &Statement) -> Self {
        match (statement, cluster.type_of(statement)) {
            (_, None) => Self::NOTHING,
            (Statement::Null { .. }, Some(of)) => Self(of.0 | Self::NULL),
            (_, Some(of)) => Self(of.0),
        }
    }

    pub(super) fn ty(self) -> Option<TypeId> {
        (self != Self::NOTHING).then_some(TypeId(self.0 & !Self::NULL))
    }

    pub(super) fn is_null(self) -> bool {
        self.0 & Self::NULL != 0
    }

    /// Whether the variable may be used where `wanted` is.
    pub(super) fn fits(self, plan: &Plan, wanted: TypeId, role: Role) -> bool {
        match self.ty() {
            Some(of) => plan.fits(wanted, of) && !(role == Role::Receiver && self.is_null()),
            None => false,
        }
    }
}

/// Buffers that are kept from one operation to the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// By position: the variables before the insertion, then those of the pending statements.
    pub(super) slots: Vec<Slot>,
    /// New statements.
    pub(super) pending: Vec<Statement>,
    pub(super) candidates: Vec<u16>,
    /// By position, for deletion and for carrying statements over.
    pub(super) marks: Vec<bool>,
    pub(super) map: Vec<u16>,
    pub(super) wanted: Vec<(TypeId, Role)>,
}

/// New statements for one position of a test.
#[derive(Debug)]
pub(super) struct Draft<'f> {
    pub(super) cluster: &'f TestCluster,
    pub(super) plan: &'f Plan,
    pub(super) options: &'f FactoryOptions,
    pub(super) pools: &'f ConstantPools,
    pub(super) insisting: &'f Insisting,
    pub(super) scratch: &'f mut Scratch,
    pub(super) random: &'f mut Random,
    /// Number of statements before the position.
    pub(super) position: usize,
    /// Most new statements.
    pub(super) room: usize,
    /// A collection, builder or array that is being filled: it is not put into itself, where its hash code or text would
    /// never end, or be another in each run.
    pub(super) filled: Option<VarRef>,
    /// The place that the next call is to fill.
    pub(super) place: Option<Place>,
}

impl<'f> Draft<'f> {
    /// Takes note of the variables before the position.
    pub(super) fn start(&mut self, test: &TestCase) {
        let earlier = &test.statements()[..self.position];
        self.scratch.slots.clear();
        self.scratch.slots.extend(earlier.iter().map(|statement| Slot::of(self.cluster, statement)));
        self.scratch.pending.clear();
    }

    fn values(&self) -> Values<'f> {
        Values { options: self.options, pools: self.pools }
    }

    /// Adds a statement; `None` when there is no room.
    pub(super) fn push(&mut self, statement: Statement) -> Option<VarRef> {
        if self.scratch.pending.len() >= self.room {
            return None;
        }
        self.scratch.slots.push(Slot::of(self.cluster, &statement));
        self.scratch.pending.push(statement);
        Some(VarRef::from(self.scratch.slots.len() - 1))
    }

    /// Drops the new statements from the given number on.
    fn roll_back(&mut self, to: usize) {
        self.scratch.pending.truncate(to);
        self.scratch.slots.truncate(self.position + to);
    }

    /// A variable for the wanted type, reused or new.
    pub(super) fn variable(&mut self, wanted: TypeId, role: Role, depth: usize) -> Option<VarRef> {
        let reuse = if self.plan.is_literal(wanted) {
            self.options.primitive_reuse
        } else {
            self.options.object_reuse
        };
        if self.random.chance(reuse)
            && let Some(known) = self.known(wanted, role, None)
        {
            return Some(known);
        }
        self.create(wanted, role, depth).or_else(|| self.known(wanted, role, None))
    }

    /// A variable that is there already, uniform among those that fit.
    pub(super) fn known(&mut self, wanted: TypeId, role: Role, but: Option<VarRef>) -> Option<VarRef> {
        let Scratch { slots, candidates, .. } = &mut *self.scratch;
        candidates.clear();
        for (position, slot) in slots.iter().enumerate() {
            if slot.fits(self.plan, wanted, role) {
                candidates.push(position as u16);
            }
        }
        let filled = self.filled.filter(|_| role == Role::Argument);
        for but in but.into_iter().chain(filled) {
            candidates.retain(|candidate| *candidate != but.0);
        }
        self.random.choose(candidates).map(|candidate| VarRef(*candidate))
    }

    /// A new variable for the wanted type. Nothing stays behind when it cannot be made.
    pub(super) fn create(&mut self, wanted: TypeId, role: Role, depth: usize) -> Option<VarRef> {
        let nullable = role == Role::Argument && !matches!(self.plan.shape(wanted), Shape::Primitive(_));
        if nullable && self.random.chance(self.options.null_probability) {
            return self.push(Statement::Null { of: wanted });
        }
        let before = self.scratch.pending.len();
        let made = self.create_value(wanted, depth);
        if made.is_none() {
            self.roll_back(before);
            return if nullable { self.push(Statement::Null { of: wanted }) } else { None };
        }
        made
    }

    /// A new variable that is not `null`.
    fn create_value(&mut self, wanted: TypeId, depth: usize) -> Option<VarRef> {
        match self.plan.shape(wanted) {
            Shape::Primitive(primitive) => self.push_value(Some(primitive), false),
            Shape::Boxed(primitive) => self.push_value(Some(primitive), true),
            Shape::String => self.push_value(None, false),
            Shape::Array(element) => self.create_array(wanted, element, depth),
            Shape::Enum => {
                let read = self.plan.read_enum_constants(wanted);
                let from_read = !read.is_empty() && self.random.chance(READ);
                let constants = if from_read { read } else { &self.cluster.ty(wanted).enum_constants };
                let field = *self.random.choose(constants)?;
                self.push(Statement::EnumConstant { field })
            }
            Shape::ClassLiteral => {
                let class = *self.random.choose(self.plan.literals(wanted))?;
                self.push(Statement::ClassLiteral { of: wanted, class })
            }
            Shape::Object => self.create_object(wanted, depth),
        }
    }

    fn push_value(&mut self, primitive: Option<PrimitiveType>, boxed: bool) -> Option<VarRef> {
        let value = self.values().draw(primitive, self.random);
        self.push(Statement::Primitive { value, boxed })
    }

    /// A new array, and writes of its elements as far as there is room: always for references, whose default is
    /// `null`, and as often as the options say for primitive types, unless it is longer than arrays are as a rule.
    fn create_array(&mut self, of: TypeId, element: TypeId, depth: usize) -> Option<VarRef> {
        if let Some(array) = self.text_array(of, depth) {
            return Some(array);
        }
        let length = if self.cluster.is_reference(element) {
            self.values().short_length(self.random)
        } else {
            self.values().length(self.random)
        };
        let array = self.push(Statement::Array { of, length })?;
        if usize::from(length) <= self.options.max_array {
            self.fill_array(array, element, length, depth);
        }
        Some(array)
    }

    /// The bytes or characters of a new string, in the first charset that there is, as often as the options say.
    fn text_array(&mut self, of: TypeId, depth: usize) -> Option<VarRef> {
        let &Generator::Callable(id) = self.cluster.generators(of).first()? else { return None };
        let chance = self.options.text_arrays;
        if chance <= 0.0 || !self.random.chance(chance) {
            return None;
        }
        let before = self.scratch.pending.len();
        let made = self.call_of_text(id, depth);
        if made.is_none() {
            self.roll_back(before);
        }
        made
    }

    fn call_of_text(&mut self, id: CallableId, depth: usize) -> Option<VarRef> {
        let text = self.push_value(None, false)?;
        let mut arguments = Arguments::new();
        for parameter in &self.cluster.callable(id).parameters {
            let first = *self.cluster.generators(parameter.of).first()?;
            arguments.push(self.generate(first, depth + 1)?);
        }
        self.push(Statement::Method { callable: id, receiver: Some(text), arguments })
    }

    fn fill_array(&mut self, array: VarRef, element: TypeId, length: u16, depth: usize) {
        let filled = self.cluster.is_reference(element) || self.random.chance(self.options.array_fill);
        if filled && depth < self.options.max_recursion {
            let outer = self.filled.replace(array);
            for index in 0..length {
                let before = self.scratch.pending.len();
                let value = self.variable(element, Role::Argument, depth + 1);
                let write = value.and_then(|value| self.push(Statement::ArrayWrite { array, index, value }));
                if write.is_none() {
                    self.roll_back(before);
                    break;
                }
            }
            self.filled = outer;
        }
    }

    fn create_object(&mut self, wanted: TypeId, depth: usize) -> Option<VarRef> {
        if depth > self.options.max_recursion {
            return None;
        }
        let shortest = self.plan.shortest(wanted)?;
        let chosen = if depth < self.options.shortest_from {
            self.chosen_generator(wanted)?
        } else {
            // No way is shorter than a constant.
            let read = self.random.choose(self.plan.read_constants(wanted)).copied();
            read.unwrap_or(shortest)
        };
        let before = self.scratch.pending.len();
        let mut made = self.generate(chosen, depth);
        if made.is_none() && chosen != shortest {
            self.roll_back(before);
            made = self.generate(shortest, depth);
        }
        if let Some(made) = made {
            self.fill(made, depth);
        }
        made
    }

    /// A value by one generator.
    pub(super) fn generate(&mut self, generator: Generator, depth: usize) -> Option<VarRef> {
        match generator {
            Generator::Callable(id) => self.call(id, None, depth),
            Generator::Field(field) => self.read(field, depth),
            Generator::Of(of) => self.create_value(of, depth + 1),
            Generator::Stub(id) => self.stub(id, depth),
        }
    }

    /// Reading a field, through a variable for its owner unless it is static.
    pub(super) fn read(&mut self, id: FieldId, depth: usize) -> Option<VarRef> {
        let field = self.cluster.field(id);
        let receiver = if field.access.is_static() {
            None
        } else {
            Some(self.variable(field.owner, Role::Receiver, depth + 1)?)
        };
        self.push(Statement::FieldRead { field: id, receiver })
    }

    /// Writing a field; `receiver` is made or found when the field needs one and none is given.
    pub(super) fn write(&mut self, id: FieldId, receiver: Option<VarRef>, depth: usize) -> Option<VarRef> {
        let field = self.cluster.field(id);
        let receiver = match receiver {
            _ if field.access.is_static() => None,
            Some(receiver) => Some(receiver),
            None => Some(self.variable(field.owner, Role::Receiver, depth + 1)?),
        };
        let value = self.variable(field.of, Role::Argument, depth + 1)?;
        self.push(Statement::FieldWrite { field: id, receiver, value })
    }

    /// A constructor or method call with its inputs, on a variable if there is one that it must have to do with: as its
    /// receiver, else as its first argument that takes it. Whatever else it needs is made or found. Its
    /// position, which is its variable when it has a result; `None` when that fails.
    pub(super) fn call(&mut self, id: CallableId, on: Option<VarRef>, depth: usize) -> Option<VarRef> {
        let callable = self.cluster.callable(id);
        let is_method = callable.kind == CallableKind::InstanceMethod;
        let fits =
            |on: &VarRef| self.scratch.slots[on.index()].fits(self.plan, callable.owner, Role::Receiver);
        let given = on.filter(|on| is_method && fits(on));
        let passed = match on.filter(|_| given.is_none()) {
            Some(passed) => Some((self.place_of(callable, passed)?, passed)),
            None => None,
        };
        let receiver = match given {
            None if is_method => Some(self.variable(callable.owner, Role::Receiver, depth + 1)?),
            given => given,
        };
        let mut arguments = self.arguments(id, depth, passed.map(|(place, _)| place))?;
        if let Some((place, passed)) = passed {
            arguments.insert(place, passed);
        }
        let statement = match callable.kind {
            CallableKind::Constructor => Statement::Constructor { callable: id, arguments },
            CallableKind::InstanceMethod | CallableKind::StaticMethod => {
                Statement::Method { callable: id, receiver, arguments }
            }
        };
        self.push(statement)
    }

    /// The first parameter that takes a variable.
    fn place_of(&self, callable: &Callable, passed: VarRef) -> Option<usize> {
        let slot = self.scratch.slots[passed.index()];
        callable.parameters.iter().position(|parameter| slot.fits(self.plan, parameter.of, Role::Argument))
    }

    /// Variables for the parameters of a call, `but` one if there is one.
    pub(super) fn arguments(
        &mut self,
        id: CallableId,
        depth: usize,
        but: Option<usize>,
    ) -> Option<Arguments> {
        let callable = self.cluster.callable(id);
        let place = self.place(id, but);
        let mut arguments: Arguments = SmallVec::with_capacity(callable.parameters.len());
        for (index, parameter) in callable.parameters.iter().enumerate() {
            if but == Some(index) {
                continue;
            }
            let role =
                if index == 0 && callable.takes_enclosing_instance { Role::Receiver } else { Role::Argument };
            let placed = self.placed(place, index, depth);
            let known = placed.or_else(|| self.hinted(parameter, depth)).or_else(|| self.sized(parameter));
            let known = known.or_else(|| self.path(parameter, depth));
            let argument = match known.or_else(|| self.narrowed(&parameter.narrowed, depth)) {
                Some(argument) => argument,
                None => self.variable(parameter.of, role, depth + 1)?,
            };
            arguments.push(argument);
        }
        Some(arguments)
    }

    /// A value that the call is known to ask for, often; `None` where nothing is known.
    fn hinted(&mut self, parameter: &Parameter, depth: usize) -> Option<VarRef> {
        if parameter.hints.is_empty() || !self.random.chance(self.options.hint) {
            return None;
        }
        let value = self.random.choose(&parameter.hints)?.clone();
        match (self.plan.shape(parameter.of), value.as_integer()) {
            (Shape::Array(element), Some(length)) => {
                let length = u16::try_from(length).ok()?;
                let array = self.push(Statement::Array { of: parameter.of, length })?;
                self.fill_array(array, element, length, depth);
                Some(array)
            }
            (Shape::Primitive(_) | Shape::String, _) => {
                self.push(Statement::Primitive { value, boxed: false })
            }
            (Shape::Boxed(_) | Shape::Array(_) | Shape::Enum | Shape::ClassLiteral | Shape::Object, _) => {
                None
            }
        }
    }

    /// A small number where the call makes as much as it says, nearly always.
    fn sized(&mut self, parameter: &Parameter) -> Option<VarRef> {
        if !parameter.is_size || !self.random.chance(self.options.small_sizes) {
            return None;
        }
        let Shape::Primitive(primitive) = self.plan.shape(parameter.of) else { return None };
        let value = self.values().size(primitive, self.random);
        self.push(Statement::Primitive { value, boxed: false })
    }

    /// The path of a file in the folder of the test where the call takes one, as often as the options say.
    fn path(&mut self, parameter: &Parameter, depth: usize) -> Option<VarRef> {
        let paths = self.plan.paths();
        if !parameter.is_path || paths.is_empty() || !self.random.chance(self.options.files) {
            return None;
        }
        let before = self.scratch.pending.len();
        let made = self.random.choose(paths).copied().and_then(|path| self.generate(path, depth + 1));
        if made.is_none() {
            self.roll_back(before);
        }
        made
    }

    /// Puts something into a new collection or builder, now and then and as far as there is room; at times all that it may be asked
    /// for: a builder that insists on four things makes nothing of three.
    fn fill(&mut self, made: VarRef, depth: usize) {
        let Some(of) = self.scratch.slots[made.index()].ty() else {
            return;
        };
        let Fillers { injecting, injected: _, all, asked, each } = self.plan.fillers(of);
        if depth >= self.options.max_recursion {
            return;
        }
        self.inject(made, depth);
        let outer = self.filled.replace(made);
        let all = if injecting.is_empty() { all } else { injecting };
        let all_rate = if self.insisting.insists(of) { FILL_OF_INSISTING } else { self.options.fill_all };
        if !each.is_empty() && self.options.fill_all > 0.0 && self.random.chance(all_rate) {
            for filler in each {
                self.fill_by(Some(*filler), made, depth);
            }
        } else if let Some(filler) = self.keyed_filler(asked) {
            self.fill_keys(filler, made, depth);
        } else if !all.is_empty() && self.random.chance(self.options.fill) {
            for _ in 0..=self.random.below(self.options.max_fill.max(1)) {
                let filler = self.asked_call(asked).or_else(|| self.random.choose(all).copied());
                if !self.fill_by(filler, made, depth) {
                    break;
                }
            }
        }
        self.filled = outer;
    }

    /// Gives a new object what its container would, nearly always and as far as there is room.
    fn inject(&mut self, made: VarRef, depth: usize) {
        let Some(of) = self.scratch.slots[made.index()].ty() else { return };
        for call in &self.plan.fillers(of).injected {
            if !self.random.chance(self.options.inject) {
                continue;
            }
            let field = match *call {
                Call::Write(field) => field,
                Call::Callable(setter) => {
                    self.fill_by(Some(setter), made, depth);
                    continue;
                }
                Call::Read(_) | Call::Implement(_) => continue,
            };
            let before = self.scratch.pending.len();
            let value = self.variable(self.cluster.field(field).of, Role::Receiver, depth + 1);
            let write = value
                .and_then(|value| self.push(Statement::FieldWrite { field, receiver: Some(made), value }));
            if write.is_none() {
                self.roll_back(before);
            }
        }
    }

    /// A call on a new object, as far as there is room; whether it was made.
    fn fill_by(&mut self, filler: Option<CallableId>, made: VarRef, depth: usize) -> bool {
        let before = self.scratch.pending.len();
        let is_made = filler.and_then(|filler| self.call(filler, Some(made), depth + 1)).is_some();
        if !is_made {
            self.roll_back(before);
        }
        is_made
    }

    /// A call that puts something under a key, when all keys that the code names are to be there, as often as the options say.
    fn keyed_filler(&mut self, asked: &[CallableId]) -> Option<CallableId> {
        let filler = asked.iter().copied().find(|filler| !self.plan.places(*filler).is_empty())?;
        let is_all = self.options.entries > 0.0
            && self.options.fill_all > 0.0
            && self.random.chance(self.options.fill_all);
        is_all.then_some(filler)
    }

    /// Puts something under each key that the code names, from any of them on, as far as there is room.
    fn fill_keys(&mut self, filler: CallableId, made: VarRef, depth: usize) {
        let plan = self.plan;
        let places = plan.places(filler);
        let (before, from) = places.split_at(self.random.below(places.len()));
        for place in from.iter().chain(before) {
            self.place = Some(*place);
            if !self.fill_by(Some(filler), made, depth) {
                break;
            }
        }
        self.place = None;
    }

    /// One of the calls that set what the code under test asks for, every other time.
    pub(super) fn asked_call(&mut self, asked: &[CallableId]) -> Option<CallableId> {
        if asked.is_empty() || !self.random.chance(ASKED) { None } else { self.random.choose(asked).copied() }
    }

    /// Any call, as the test cluster lists it; static and new ones with all their inputs. Whether it was added.
    pub(super) fn any_call(&mut self, call: Call, receiver: Option<VarRef>) -> bool {
        match call {
            Call::Callable(id) => {
                let called = self.call(id, receiver, 0);
                if let Some(made) = called.filter(|_| self.makes(id)) {
                    self.inject(made, 0);
                }
                called.is_some()
            }
            Call::Read(id) => self.read(id, 0).is_some(),
            Call::Write(id) => self.write(id, receiver, 0).is_some(),
            Call::Implement(id) => self.stub(id, 0).is_some(),
        }
    }

    fn makes(&self, id: CallableId) -> bool {
        self.cluster.callable(id).kind == CallableKind::Constructor
    }

    /// `array[index] = value` for an array of this length.
    pub(super) fn write_element(&mut self, array: VarRef, element: TypeId, length: u16) -> bool {
        if length == 0 {
            return false;
        }
        let index = self.random.below(usize::from(length)) as u16;
        self.filled = Some(array);
        let value = self.variable(element, Role::Argument, 1);
        value.and_then(|value| self.push(Statement::ArrayWrite { array, index, value })).is_some()
    }
}

#[cfg(test)]
mod tests {
    use crate::cluster::testing::ClusterBuilder;
    use crate::factory::options::FactoryOptions;

    use super::super::TestFactory;
    use super::*;

    /// How many calls set something of a builder before it builds, in each test that has it build.
    fn calls_before_build(is_nested: bool, fill_all: f64) -> Vec<usize> {
        let mut builder = ClusterBuilder::new("p/House");
        let house = builder.class_under_test();
        let maker = builder.class(if is_nested { "p/House$Maker" } else { "p/HouseMaker" });
        builder.constructor(maker, &[]);
        builder.method(maker, "floors", &[TypeId::STRING], Some(maker));
        builder.method(maker, "rooms", &[TypeId::STRING, TypeId::STRING], Some(maker));
        builder.method(maker, "rooms", &[TypeId::STRING], Some(maker));
        builder.method(maker, "owner", &[TypeId::STRING], Some(maker));
        let build = builder.method(maker, "build", &[], Some(house));
        builder.generator(house, Generator::Callable(build));
        builder.static_method(house, "visit", &[house], None);
        let mut cluster = builder.build();
        if is_nested {
            cluster.goal_classes.push("p/House$Maker".into());
        }
        let options = FactoryOptions { fill_all, null_probability: 0.0, ..FactoryOptions::default() };
        let mut factory = TestFactory::new(&cluster, options);
        let mut random = Random::new(0, 0);
        let mut counts = Vec::new();
        for _ in 0..50 {
            let test = factory.random_test(&mut random);
            let calls: Vec<CallableId> = test.statements().iter().filter_map(Statement::callable).collect();
            if let Some(built) = calls.iter().position(|call| *call == build) {
                let names = calls[..built].iter().map(|call| &cluster.callable(*call).name);
                counts.push(names.filter(|name| ["floors", "rooms", "owner"].contains(&&***name)).count());
            }
        }
        assert!(counts.len() > 20, "{counts:?}");
        counts
    }

    #[test]
    fn a_builder_is_at_times_given_all_that_it_may_be_asked_for() {
        // Those few that have less are made where no value may lead to others, or are the receivers of what is tested.
        let complete =
            |counts: &[usize]| counts.iter().filter(|count| **count >= 3).count() * 100 / counts.len();
        for is_nested in [false, true] {
            let (always, never) = (calls_before_build(is_nested, 1.0), calls_before_build(is_nested, 0.0));
            assert!(complete(&always) > 80 && complete(&never) < 50, "{always:?} {never:?}");
        }
    }
}
