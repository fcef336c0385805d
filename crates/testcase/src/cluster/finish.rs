//! The last step: what cannot be made is dropped, what is left is numbered densely.

use std::collections::BTreeSet;

use bytecode::descriptor::ErasedType;
use bytecode::fleeting::Fleeting;
use bytecode::lookup::Lookup;
use bytecode::signature::GenericType;
use fixedbitset::FixedBitSet;

use super::build::Builder;
use super::catalogue::Catalogue;
use super::contexts::Context;
use super::cost::{self, Parts, UNMAKEABLE};
use super::folder::hint_at_names;
use super::generators::class_literal;
use super::keyed::{Entry, EntryKey};
use super::types::assignability;
use super::world::World;
use super::{
    Call, CallableId, Field, FieldId, Generator, MemberId, Parameter, StaticConstants, StubId, StubKind,
    TestCluster, TypeId,
};
use crate::assertion::{OF_THE_RELEASE, SIZED, Sequence};

/// How many types that only `null` can stand for are named to the user.
const MAX_DIAGNOSTICS: usize = 40;

/// For [`TestCluster::fleeting`].
fn fleeting_generators(cluster: &TestCluster, fleeting: &mut Fleeting<'_>) -> Vec<CallableId> {
    let choices = cluster.generators.iter().filter(|generators| generators.len() > 1).flatten();
    let callables: BTreeSet<CallableId> = choices
        .filter_map(|generator| match generator {
            Generator::Callable(id) => Some(*id),
            Generator::Field(_) | Generator::Of(_) | Generator::Stub(_) => None,
        })
        .collect();
    let mut is_fleeting = |id: &CallableId| {
        let callable = cluster.callable(*id);
        fleeting.is_method(&callable.declared_in, &callable.name, &callable.descriptor)
    };
    callables.into_iter().filter(|id| is_fleeting(id)).collect()
}

impl Builder<'_> {
    pub(super) fn costs(&self) -> Vec<u32> {
        cost::costs(self.parts())
    }

    /// As [`Builder::costs`], where only what is there counts.
    pub(super) fn costs_without_stubs(&self) -> Vec<u32> {
        cost::costs(Parts { stubs: &[], ..self.parts() })
    }

    pub(super) fn parts(&self) -> Parts<'_> {
        Parts {
            types: self.members.types.all(),
            callables: &self.members.callables,
            fields: &self.members.fields,
            stubs: &self.stubs.all,
            generators: &self.belongings.generators,
        }
    }

    /// The cluster of what was collected.
    pub(super) fn finish(mut self, constants: StaticConstants) -> TestCluster {
        self.inherit_modifiers();
        let costs = self.costs();
        self.drop_unusable(&costs);
        let keep = Kept::of(&self);
        let mut goal_classes: Vec<_> = self.world.goals.iter().cloned().collect();
        goal_classes.sort();
        self.diagnostics.truncate(MAX_DIAGNOSTICS);
        let read = self.read_constants();
        let Self {
            world,
            members,
            stubs,
            belongings,
            test_calls,
            mut catalogue,
            mut fleeting,
            entries,
            injected,
            settings,
            contexts,
            steadying,
            diagnostics,
            ..
        } = self;
        let mut cluster = TestCluster {
            class_under_test: Some(world.class_under_test.clone()),
            goal_classes,
            types: keep.types.pick(members.types.into_types()),
            callables: keep.callables.pick(members.callables),
            fields: keep.fields.pick(members.fields),
            stubs: keep.stubs.pick(stubs.all),
            test_calls: test_calls.groups,
            generators: keep.types.pick_padded(belongings.generators),
            modifiers: keep.types.pick_padded(belongings.modifiers),
            inspectors: keep.types.pick_padded(belongings.inspectors),
            public_fields: keep.types.pick_padded(belongings.public_fields),
            assignable: Vec::new(),
            sized: FixedBitSet::new(),
            changed_by_looking: FixedBitSet::new(),
            sequences: Vec::new(),
            elements: keep.types.pick_of(belongings.elements),
            constants,
            called_by_tests: Vec::new(),
            setting: Vec::new(),
            tells_of_changes: Vec::new(),
            fleeting: Vec::new(),
            read_constants: Vec::new(),
            entries,
            injected: Vec::new(),
            injecting: Vec::new(),
            hidden: Vec::new(),
            settings,
            contexts,
            steadying,
            opened: stubs.opened,
            mockable: world.options.mockable,
            diagnostics,
        };
        keep.renumber(&mut cluster);
        cluster.fleeting = fleeting_generators(&cluster, &mut fleeting);
        let properties = &world.uses().properties;
        cluster.setting = cluster.callables_that(|callable| properties.is_set(callable));
        cluster.tells_of_changes = cluster.callables_that(|callable| properties.tells_of_change(callable));
        let is_read = |field: &Field| read.contains(&(field.declared_in.clone(), field.name.clone()));
        cluster.read_constants = cluster.fields_that(is_read);
        injected.note_in(&mut cluster);
        hint_at_names(&mut cluster);
        cluster.assignable = assignability(&world.lineage, &cluster.types);
        note_containers(&mut cluster, world, &mut catalogue);
        cluster
    }

    /// Calls through a goal class serve objects of its subtypes as well.
    fn inherit_modifiers(&mut self) {
        let mut owners: Vec<TypeId> = Vec::new();
        for call in self.test_calls.groups.iter().flatten() {
            if let Some(owner) = self.members.receiver_of(*call)
                && !owners.contains(&owner)
            {
                owners.push(owner);
            }
        }
        let used: Vec<TypeId> = self.needs.used.iter().copied().collect();
        for ty in used.into_iter().filter(|ty| ty.index() >= TypeId::WELL_KNOWN) {
            for &owner in &owners {
                if ty != owner && self.members.is_subtype(ty, owner) {
                    for call in self.belongings.modifiers.get(owner.index()).cloned().unwrap_or_default() {
                        self.belongings.push_modifier(ty, call);
                    }
                }
            }
        }
    }

    fn drop_unusable(&mut self, costs: &[u32]) {
        let makeable = |ty: TypeId| costs[ty.index()] != UNMAKEABLE;
        let nullable = |ty: TypeId| ty.as_primitive().is_none();
        let inputs_fit = |call: &Call| match call {
            Call::Callable(id) => {
                let callable = &self.members.callables[id.index()];
                callable.parameters.iter().enumerate().all(|(position, parameter)| {
                    let enclosing = callable.takes_enclosing_instance && position == 0;
                    makeable(parameter.of) || !enclosing && nullable(parameter.of)
                })
            }
            Call::Read(_) => true,
            Call::Implement(id) => {
                cost::cost_of(self.parts(), costs, Generator::Stub(*id), true) != UNMAKEABLE
            }
            Call::Write(id) => {
                let of = self.members.fields[id.index()].of;
                makeable(of) || nullable(of)
            }
        };
        // Their members are called through the type under which their objects come.
        let is_given = |ty: TypeId| {
            let class = self.members.types.class(ty);
            class.is_some_and(|class| self.test_calls.given_as_another.contains(&class.name))
        };
        let mut sentences = Vec::new();
        let mut test_calls = self.test_calls.groups.clone();
        for group in &mut test_calls {
            group.retain(|call| {
                let receiver = self.members.receiver_of(*call);
                if let Some(receiver) =
                    receiver.filter(|receiver| !makeable(*receiver) && !is_given(*receiver))
                {
                    sentences
                        .push(format!("no object of type {} can be made", self.members.name_of(receiver)));
                }
                let fits = inputs_fit(call);
                if !fits {
                    let name = self.name_of_call(*call);
                    sentences
                        .push(format!("{name} is left out: a test can neither name nor make what it takes"));
                }
                receiver.is_none_or(makeable) && fits
            });
        }
        test_calls.retain(|group| !group.is_empty());
        let mut modifiers = self.belongings.modifiers.clone();
        for (index, calls) in modifiers.iter_mut().enumerate() {
            let of = TypeId::from(index);
            let is_receiver = |receiver: TypeId| self.members.is_subtype(of, receiver);
            // What an object is passed to needs a receiver besides.
            calls.retain(|call| {
                let receiver = self.members.receiver_of(*call);
                inputs_fit(call)
                    && receiver.is_none_or(|receiver| is_receiver(receiver) || makeable(receiver))
            });
        }
        let mut generators = self.belongings.generators.clone();
        for generators in &mut generators {
            generators.retain(|generator| cost::cost_of(self.parts(), costs, *generator, true) != UNMAKEABLE);
        }
        let inputs: BTreeSet<TypeId> = self.parameters_of(&test_calls).collect();
        for ty in inputs.into_iter().filter(|ty| !makeable(*ty)) {
            sentences.push(format!(
                "no value of type {} can be made; only null is passed",
                self.members.name_of(ty)
            ));
        }
        (self.test_calls.groups, self.belongings.modifiers, self.belongings.generators) =
            (test_calls, modifiers, generators);
        self.entries.retain(|entry| makeable(entry.of));
        self.retain_narrowed(makeable);
        for sentence in sentences {
            self.diagnose(sentence);
        }
    }

    /// Keeps those of the types to which the code casts something for which this holds.
    fn retain_narrowed(&mut self, is_kept: impl Fn(TypeId) -> bool) {
        for parameter in self.members.callables.iter_mut().flat_map(|callable| &mut callable.parameters) {
            parameter.narrowed.retain(|of| is_kept(*of));
        }
        for method in self.stubs.all.iter_mut().flat_map(|stub| &mut stub.methods) {
            method.narrowed.retain(|of| is_kept(*of));
        }
    }

    fn parameters_of(&self, calls: &[Vec<Call>]) -> impl Iterator<Item = TypeId> {
        calls.iter().flatten().flat_map(|call| match call {
            Call::Callable(id) => {
                self.members.callables[id.index()].parameters.iter().map(|parameter| parameter.of).collect()
            }
            Call::Write(id) => vec![self.members.fields[id.index()].of],
            Call::Read(_) | Call::Implement(_) => Vec::new(),
        })
    }

    fn name_of_call(&self, call: Call) -> String {
        let (class, name) = match call {
            Call::Callable(id) => {
                let callable = &self.members.callables[id.index()];
                (&callable.declared_in, &callable.name)
            }
            Call::Read(id) | Call::Write(id) => {
                let field = &self.members.fields[id.index()];
                (&field.declared_in, &field.name)
            }
            Call::Implement(id) => {
                return format!("implementing {}", self.members.name_of(self.stubs.all[id.index()].of));
            }
        };
        format!("{}.{name}", class.binary())
    }
}

/// Notes which types are of collections, maps and sequences.
fn note_containers(cluster: &mut TestCluster, world: &World<'_>, catalogue: &mut Catalogue<'_>) {
    for (index, of) in cluster.types.iter().enumerate() {
        let ErasedType::Class(name) = &of.erased else { continue };
        let supertypes = world.lineage.supertypes(name);
        let is_one_of = |names: &[&str]| supertypes.iter().any(|sup| names.contains(&sup.as_str()));
        if is_one_of(&SIZED) && !is_one_of(&OF_THE_RELEASE) {
            let is_changed = catalogue.is_changed_by_looking(name);
            let kind = if is_changed { &mut cluster.changed_by_looking } else { &mut cluster.sized };
            kind.grow_and_insert(index);
        }
        cluster.sequences.extend(Sequence::among(&supertypes).map(|it| (TypeId::from(index), it)));
    }
}

/// Which entries of a vector stay, and their new numbers.
#[derive(Debug)]
struct Numbering {
    new: Vec<Option<u32>>,
}

impl Numbering {
    fn new(kept: &[bool]) -> Self {
        let mut next = 0;
        let number = |&kept: &bool| {
            kept.then(|| {
                next += 1;
                next - 1
            })
        };
        Self { new: kept.iter().map(number).collect() }
    }

    fn pick<T>(&self, all: Vec<T>) -> Vec<T> {
        all.into_iter().zip(&self.new).filter_map(|(entry, new)| new.map(|_| entry)).collect()
    }

    fn pick_padded<T>(&self, mut all: Vec<Vec<T>>) -> Vec<Vec<T>> {
        all.resize_with(self.new.len(), Vec::new);
        self.pick(all)
    }

    /// Of entries of types those whose type is kept.
    fn pick_of<T>(&self, mut all: Vec<(TypeId, T)>) -> Vec<(TypeId, T)> {
        all.retain(|(of, _)| self.new.get(of.index()).is_some_and(Option::is_some));
        all
    }

    fn number(&self, old: usize) -> u32 {
        self.new[old].expect("what is kept refers to kept entries only")
    }
}

/// What the test calls need, directly or not.
#[derive(Debug)]
struct Kept {
    types: Numbering,
    callables: Numbering,
    fields: Numbering,
    stubs: Numbering,
}

/// Marks what is reachable.
struct Marker<'b, 'a> {
    builder: &'b Builder<'a>,
    types: Vec<bool>,
    callables: Vec<bool>,
    fields: Vec<bool>,
    stubs: Vec<bool>,
    open: Vec<TypeId>,
}

impl Marker<'_, '_> {
    fn ty(&mut self, ty: TypeId) {
        if !std::mem::replace(&mut self.types[ty.index()], true) {
            self.open.push(ty);
        }
    }

    fn callable(&mut self, id: CallableId) {
        if std::mem::replace(&mut self.callables[id.index()], true) {
            return;
        }
        let callable = &self.builder.members.callables[id.index()];
        self.ty(callable.owner);
        callable.parameters.iter().flat_map(Parameter::types).for_each(|ty| self.ty(ty));
        callable.result.iter().chain(&callable.type_arguments).for_each(|ty| self.ty(*ty));
    }

    fn field(&mut self, id: FieldId) {
        if !std::mem::replace(&mut self.fields[id.index()], true) {
            let field = &self.builder.members.fields[id.index()];
            self.ty(field.owner);
            self.ty(field.of);
        }
    }

    fn stub(&mut self, id: StubId) {
        if std::mem::replace(&mut self.stubs[id.index()], true) {
            return;
        }
        let stub = &self.builder.stubs.all[id.index()];
        self.ty(stub.of);
        stub.constructor().into_iter().for_each(|id| self.callable(id));
        for method in &stub.methods {
            method.parameters.iter().flat_map(Parameter::types).for_each(|ty| self.ty(ty));
            method.result.iter().chain(&method.narrowed).chain(&method.throws).for_each(|ty| self.ty(*ty));
            method.callbacks.iter().for_each(|callback| self.callable(callback.callable));
        }
    }

    fn call(&mut self, call: Call) {
        match call {
            Call::Callable(id) => self.callable(id),
            Call::Read(id) | Call::Write(id) => self.field(id),
            Call::Implement(id) => self.stub(id),
        }
    }

    fn entry(&mut self, entry: &Entry) {
        self.ty(entry.of);
        match entry.key {
            EntryKey::Text(_) => {}
            EntryKey::Constant(field) => self.field(field),
            EntryKey::Class { literal, class } => [literal, class].into_iter().for_each(|of| self.ty(of)),
        }
    }

    /// Marks what belongs to a type.
    fn belongings(&mut self, ty: TypeId) {
        let builder = self.builder;
        let info = builder.members.types.get(ty);
        info.element.into_iter().for_each(|element| self.ty(element));
        info.enum_constants.iter().for_each(|field| self.field(*field));
        for generator in builder.belongings.generators_of(ty) {
            match *generator {
                Generator::Callable(id) => self.callable(id),
                Generator::Field(id) => self.field(id),
                Generator::Of(of) => self.ty(of),
                Generator::Stub(id) => self.stub(id),
            }
        }
        for call in builder.belongings.modifiers.get(ty.index()).into_iter().flatten() {
            self.call(*call);
        }
        for callable in builder.belongings.inspectors.get(ty.index()).into_iter().flatten() {
            self.callable(*callable);
        }
        for field in builder.belongings.public_fields.get(ty.index()).into_iter().flatten() {
            self.field(*field);
        }
        for (_, getter) in builder.belongings.elements.iter().filter(|(of, _)| *of == ty) {
            self.callable(*getter);
        }
        // A class literal names its class.
        if let GenericType::Class(class) = &info.generic
            && class.name.as_str() == "java/lang/Class"
            && let [argument] = class.arguments.as_slice()
            && let Some(named) = argument.bound()
            && let Some(id) = builder.members.types.id(named)
            && class_literal(named) == info.generic
        {
            self.ty(id);
        }
    }
}

impl Kept {
    fn of(builder: &Builder<'_>) -> Self {
        let mut marker = Marker {
            builder,
            types: vec![false; builder.members.types.len()],
            callables: vec![false; builder.members.callables.len()],
            fields: vec![false; builder.members.fields.len()],
            stubs: vec![false; builder.stubs.all.len()],
            open: Vec::new(),
        };
        (0..TypeId::WELL_KNOWN).for_each(|index| marker.ty(index.into()));
        // `Object` brings in whatever may stand for it, so it is followed only where it is wanted.
        marker.open.retain(|ty| *ty != TypeId::OBJECT || builder.needs.made.contains(ty));
        builder.test_calls.groups.iter().flatten().for_each(|call| marker.call(*call));
        let getters = builder.contexts.iter().filter_map(|context| context.get.as_ref());
        let settings = builder.settings.iter().chain(&builder.steadying).chain(getters);
        settings.for_each(|id| marker.callable(*id));
        builder.entries.iter().for_each(|entry| marker.entry(entry));
        while let Some(ty) = marker.open.pop() {
            marker.belongings(ty);
        }
        Self {
            types: Numbering::new(&marker.types),
            callables: Numbering::new(&marker.callables),
            fields: Numbering::new(&marker.fields),
            stubs: Numbering::new(&marker.stubs),
        }
    }

    fn ty(&self, id: &mut TypeId) {
        id.0 = self.types.number(id.index());
    }

    fn callable(&self, id: &mut CallableId) {
        id.0 = self.callables.number(id.index());
    }

    fn field(&self, id: &mut FieldId) {
        id.0 = self.fields.number(id.index());
    }

    fn stub(&self, id: &mut StubId) {
        id.0 = self.stubs.number(id.index());
    }

    fn call(&self, call: &mut Call) {
        match call {
            Call::Callable(id) => self.callable(id),
            Call::Read(id) | Call::Write(id) => self.field(id),
            Call::Implement(id) => self.stub(id),
        }
    }

    fn renumber(&self, cluster: &mut TestCluster) {
        for ty in &mut cluster.types {
            ty.element.iter_mut().for_each(|id| self.ty(id));
            ty.enum_constants.iter_mut().for_each(|id| self.field(id));
        }
        let mut members: Lookup<MemberId, MemberId> = Lookup::new();
        for callable in &mut cluster.callables {
            self.ty(&mut callable.owner);
            callable.parameters.iter_mut().flat_map(Parameter::types_mut).for_each(|id| self.ty(id));
            callable.result.iter_mut().chain(&mut callable.type_arguments).for_each(|id| self.ty(id));
            let next = MemberId::from(members.len());
            callable.member = *members.entry(callable.member).or_insert(next);
        }
        for field in &mut cluster.fields {
            self.ty(&mut field.owner);
            self.ty(&mut field.of);
        }
        for stub in &mut cluster.stubs {
            self.ty(&mut stub.of);
            if let StubKind::Extension(constructor) = &mut stub.kind {
                self.callable(constructor);
            }
            for method in &mut stub.methods {
                method.parameters.iter_mut().flat_map(Parameter::types_mut).for_each(|id| self.ty(id));
                let types = method.result.iter_mut().chain(&mut method.narrowed).chain(&mut method.throws);
                types.for_each(|id| self.ty(id));
                method.callbacks.iter_mut().for_each(|callback| self.callable(&mut callback.callable));
            }
        }
        cluster
            .test_calls
            .iter_mut()
            .chain(&mut cluster.modifiers)
            .flatten()
            .for_each(|call| self.call(call));
        cluster
            .inspectors
            .iter_mut()
            .flatten()
            .chain(&mut cluster.settings)
            .chain(&mut cluster.steadying)
            .for_each(|id| self.callable(id));
        for (of, getter) in &mut cluster.elements {
            self.ty(of);
            self.callable(getter);
        }
        cluster.elements.sort_unstable();
        for Context { set, get } in &mut cluster.contexts {
            self.callable(set);
            if let Some(get) = get {
                self.callable(get);
            }
        }
        cluster.public_fields.iter_mut().flatten().for_each(|id| self.field(id));
        for entry in &mut cluster.entries {
            self.ty(&mut entry.of);
            match &mut entry.key {
                EntryKey::Text(_) => {}
                EntryKey::Constant(field) => self.field(field),
                EntryKey::Class { literal, class } => {
                    self.ty(literal);
                    self.ty(class);
                }
            }
        }
        for generator in cluster.generators.iter_mut().flatten() {
            match generator {
                Generator::Callable(id) => self.callable(id),
                Generator::Field(id) => self.field(id),
                Generator::Of(id) => self.ty(id),
                Generator::Stub(id) => self.stub(id),
            }
        }
    }
}
