//! Members as callables and fields with concrete types.

use std::rc::Rc;
use std::sync::Arc;

use bytecode::access::Access;
use bytecode::class_info::{ClassInfo, FieldInfo, MethodInfo};
use bytecode::code_files::CodeFiles;
use bytecode::descriptor::ErasedType;
use bytecode::identifier::is_identifier;
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use bytecode::narrowed::narrowed_parameters;
use bytecode::parameter_uses::ParameterUses;
use bytecode::signature::{ClassType, GenericType, Substitution, TypeParameter};

use super::hints::{Valid, has_hints, valid};
use super::instantiate::Scope;
use super::listing::GenericText;
use super::types::{MissingClass, TypeTable, nesting, normalized};
use super::world::World;
use super::{Call, Callable, CallableId, CallableKind, Field, FieldId, MemberId, Parameter, TypeId};

/// A static method of a class of ours.
pub(super) struct Helper<'a> {
    pub(super) class: &'static str,
    pub(super) name: &'static str,
    pub(super) descriptor: &'a str,
    pub(super) parameters: Vec<Parameter>,
    pub(super) result: Option<TypeId>,
    pub(super) exceptions: Vec<ClassName>,
}

/// What makes two callables the same: owner, declaring class, name, descriptor, type arguments of the method.
type CallableKey = (TypeId, ClassName, Arc<str>, Arc<str>, Vec<TypeId>);

/// Why a member cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unusable {
    /// Its types name a class that is not on the class path.
    Missing(ClassName),
    /// Only `null` could be passed, its types nest too deep, or there is no room for new types.
    Unfit,
}

impl From<MissingClass> for Unusable {
    fn from(missing: MissingClass) -> Self {
        Self::Missing(missing.0)
    }
}

/// Steps from a test call to what it takes.
const DEPTH_OF_INPUTS: usize = 1;

/// Whether new types may be added for a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// They may, without limit: for test calls.
    Free,
    /// They may, up to a number of parameterizations per class.
    Open,
    /// Only members are used whose parameters are known types.
    Closed,
}

/// What was collected so far: members as callables and fields, and the types of these.
#[derive(Debug)]
pub(super) struct Members<'a> {
    pub(super) world: &'a World<'a>,
    uses: ParameterUses<'a>,
    pub(super) files: Rc<CodeFiles<'a>>,
    pub(super) types: TypeTable,
    pub(super) callables: Vec<Callable>,
    callable_ids: Lookup<CallableKey, CallableId>,
    pub(super) fields: Vec<Field>,
    field_ids: Lookup<(TypeId, ClassName, Arc<str>), FieldId>,
    member_ids: Lookup<(ClassName, Arc<str>, Arc<str>), MemberId>,
}

/// Types of a member as its receiver sees them.
struct MemberTypes {
    parameters: Vec<GenericType>,
    result: Option<GenericType>,
}

impl<'a> Members<'a> {
    /// None yet.
    pub(super) fn new(world: &'a World<'a>, files: Rc<CodeFiles<'a>>) -> Self {
        Self {
            world,
            uses: ParameterUses::of(Rc::clone(&files)),
            files,
            types: TypeTable::new(),
            callables: Vec::new(),
            callable_ids: Lookup::default(),
            fields: Vec::new(),
            field_ids: Lookup::default(),
            member_ids: Lookup::default(),
        }
    }

    /// Whether members found at this depth may bring new types.
    pub(super) fn room(&self, depth: usize, limit: usize) -> Room {
        let open = depth <= limit && self.types.new_types() < self.world.options.max_types;
        if open { Room::Open } else { Room::Closed }
    }

    /// As [`Members::room`], for members that make values. What the test calls themselves take is made, however many
    /// types that are.
    pub(super) fn room_to_make(&self, depth: usize) -> Room {
        if depth <= DEPTH_OF_INPUTS { Room::Open } else { self.room(depth, self.world.options.max_depth) }
    }

    /// As [`Members::room`], for calls that set what the code under test asks for: they are few.
    pub(super) fn room_to_set(&self, depth: usize) -> Room {
        let options = self.world.options;
        let open = depth <= options.max_depth && self.types.new_types() < options.max_types_with_results;
        if open { Room::Open } else { Room::Closed }
    }

    /// Interns a type that is concrete and in its normal form.
    pub(super) fn intern(&mut self, generic: &GenericType) -> TypeId {
        self.types.intern(&self.world.access, generic)
    }

    /// The callable of a method or constructor of `class`, called through `owner` (constructed, for a
    /// constructor; ignored for a static method), with types for the method's own type parameters.
    pub(super) fn callable(
        &mut self,
        class: &ClassInfo,
        method: &MethodInfo,
        owner: &ClassType,
        arguments: &Substitution,
        room: Room,
    ) -> Result<CallableId, Unusable> {
        let kind = kind_of(method);
        let owner = if kind == CallableKind::StaticMethod {
            ClassType::new(class.name.clone())
        } else {
            owner.clone()
        };
        let owner = normalized(self.world.hierarchy, &GenericType::Class(owner))?;
        let GenericType::Class(owner_class) = &owner else {
            return Err(Unusable::Unfit);
        };
        if !self.world.access.class_type(owner_class) {
            return Err(Unusable::Unfit);
        }
        let types = self.world.member_types(class, method, kind, owner_class, arguments)?;
        self.check_room(&owner, &types, room)?;
        let owner_id = self.intern(&owner);
        let type_arguments: Vec<TypeId> = method
            .generic
            .type_parameters
            .iter()
            .filter_map(|parameter| arguments.get(&parameter.name))
            .map(|argument| self.types.intern(&self.world.access, argument))
            .collect();
        let key = (
            owner_id,
            class.name.clone(),
            method.name.clone(),
            method.descriptor.clone(),
            type_arguments.clone(),
        );
        if let Some(&known) = self.callable_ids.get(&key) {
            return Ok(known);
        }
        let takes_enclosing_instance = kind == CallableKind::Constructor && class.is_inner();
        let (result, result_cast) = match (kind, &types.result) {
            (CallableKind::Constructor, _) => (Some(owner_id), None),
            (_, None) => (None, None),
            (_, Some(result)) => self.result(result, method.erased.result.as_ref()),
        };
        let parameters = self.parameters(class, method, &types.parameters, (takes_enclosing_instance, room));
        let id = CallableId::from(self.callables.len());
        self.callable_ids.insert(key, id);
        let callable = Callable {
            member: self.member(&class.name, &method.name, &method.descriptor),
            kind,
            owner: owner_id,
            declared_in: class.name.clone(),
            in_interface: class.is_interface(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
            access: method.access,
            parameters,
            result,
            result_cast,
            type_arguments,
            takes_enclosing_instance,
            exceptions: method
                .exceptions
                .iter()
                .filter(|name| self.world.is_checked(name))
                .cloned()
                .collect(),
            deprecated: method.deprecated.max(class.deprecated),
        };
        self.callables.push(callable);
        Ok(id)
    }

    fn check_room(&self, owner: &GenericType, types: &MemberTypes, room: Room) -> Result<(), Unusable> {
        let all = || types.parameters.iter().chain([owner]);
        // What the class under test declares is taken as it is, within reason: results may feed calls again.
        let deepest = self.world.options.max_type_nesting * if room == Room::Free { 2 } else { 1 };
        if all().chain(&types.result).any(|generic| nesting(generic) > deepest) {
            return Err(Unusable::Unfit);
        }
        let fits = all().all(|generic| {
            let new = self.types.id(generic).is_none();
            match (room, generic) {
                (Room::Free, _) => true,
                (Room::Open, GenericType::Class(class)) if new && !class.arguments.is_empty() => {
                    self.types.parameterizations(&class.name) < self.world.options.max_parameterizations
                }
                (Room::Open, _) => true,
                (Room::Closed, _) => !new,
            }
        });
        let full = room != Room::Free && self.types.new_types() >= self.world.options.max_types_with_results;
        let result_fits = !full || types.result.as_ref().is_none_or(|of| self.types.id(of).is_some());
        if fits && result_fits { Ok(()) } else { Err(Unusable::Unfit) }
    }

    /// The type of a result as a test sees it, and the cast that this takes.
    fn result(
        &mut self,
        result: &GenericType,
        declared: Option<&ErasedType>,
    ) -> (Option<TypeId>, Option<ErasedType>) {
        let seen = self.world.nearest_accessible(result);
        let id = self.intern(&seen);
        let wanted = &self.types.get(id).erased;
        let fits = declared.is_none_or(|declared| self.world.lineage.is_erased_subtype(declared, wanted));
        (Some(id), (!fits).then(|| wanted.clone()))
    }

    fn parameters(
        &mut self,
        class: &ClassInfo,
        method: &MethodInfo,
        types: &[GenericType],
        (enclosing, room): (bool, Room),
    ) -> Vec<Parameter> {
        let mut parameters = Vec::with_capacity(types.len());
        let hinted = class.name.is_exported_by_platform() && has_hints(&class.name);
        let uses = if types.len() == method.erased.parameters.len() {
            self.uses.of_method(&class.name, &method.name, &method.descriptor)
        } else {
            0
        };
        // The platform's own files are made in the folder themselves.
        let takes_paths = self.world.is_project(&class.name);
        for (index, generic) in types.iter().enumerate() {
            let name = method.parameter_names.get(index);
            let name = name.filter(|name| is_identifier(name) && !(enclosing && index == 0)).cloned();
            let valid =
                if hinted { valid(&class.name, &method.name, &method.descriptor, index) } else { Valid::Any };
            let of = self.intern(generic);
            let is_used = index < 64 && uses >> index & 1 == 1;
            let is_text = of == TypeId::STRING;
            let (is_size, is_path) = (is_used && !is_text, is_used && is_text && takes_paths);
            let is_size = is_size || matches!(valid, Valid::Size(_));
            let hints = valid.values();
            parameters.push(Parameter { name, hints, is_size, is_path, ..Parameter::new(of) });
        }
        if types.len() == method.erased.parameters.len() && self.world.goals.contains(&class.name) {
            let called = (&*method.name, &*method.descriptor);
            let narrowed = narrowed_parameters(&self.files, &class.name, called);
            for (position, parameter) in parameters.iter_mut().enumerate() {
                let types = narrowed.iter().filter(|(at, _)| *at == position).map(|(_, of)| of);
                parameter.narrowed = self.narrowed(parameter.of, types, room);
            }
        }
        parameters
    }

    /// Adds a callable of no class file, once for its owner.
    fn add_callable(&mut self, callable: Callable) -> CallableId {
        let key = (
            callable.owner,
            callable.declared_in.clone(),
            callable.name.clone(),
            callable.descriptor.clone(),
            Vec::new(),
        );
        let next = CallableId::from(self.callables.len());
        let id = *self.callable_ids.entry(key).or_insert(next);
        if id == next {
            self.callables.push(callable);
        }
        id
    }

    /// A static method of a class of ours that stands beside the code under test in a run, made once.
    pub(super) fn helper(&mut self, owner: TypeId, helper: Helper<'_>) -> CallableId {
        let Helper { class, name, descriptor, parameters, result, exceptions } = helper;
        let (class, name, descriptor) = (ClassName::from(class), Arc::from(name), Arc::from(descriptor));
        let member = self.member(&class, &name, &descriptor);
        self.add_callable(Callable {
            member,
            kind: CallableKind::StaticMethod,
            owner,
            declared_in: class,
            in_interface: false,
            name,
            descriptor,
            access: Access(0x0009),
            parameters,
            result,
            result_cast: None,
            type_arguments: Vec::new(),
            takes_enclosing_instance: false,
            exceptions,
            deprecated: None,
        })
    }

    pub(super) fn member(&mut self, class: &ClassName, name: &Arc<str>, descriptor: &Arc<str>) -> MemberId {
        let next = MemberId::from(self.member_ids.len());
        *self.member_ids.entry((class.clone(), name.clone(), descriptor.clone())).or_insert(next)
    }

    /// The field of `class`, accessed through `owner` (ignored for a static field).
    pub(super) fn field(
        &mut self,
        class: &ClassInfo,
        field: &FieldInfo,
        owner: &ClassType,
        room: Room,
    ) -> Result<FieldId, Unusable> {
        let is_static = field.access.is_static();
        let owner = if is_static { ClassType::new(class.name.clone()) } else { owner.clone() };
        let owner = normalized(self.world.hierarchy, &GenericType::Class(owner))?;
        let GenericType::Class(owner_class) = &owner else {
            return Err(Unusable::Unfit);
        };
        if !self.world.access.class_type(owner_class) {
            return Err(Unusable::Unfit);
        }
        let kind = if is_static { CallableKind::StaticMethod } else { CallableKind::InstanceMethod };
        let generic = match self.world.scope_of_call(class, kind, owner_class)? {
            Scope::Raw => GenericType::from(&field.erased),
            // What is read may also be written, so wildcards must not stand in the way.
            scope @ Scope::Of(_) if field.access.is_final() => scope.result(&field.generic),
            scope @ Scope::Of(_) => scope.parameter(&field.generic).ok_or(Unusable::Unfit)?,
        };
        let generic = normalized(self.world.hierarchy, &generic)?;
        let types = MemberTypes { parameters: Vec::new(), result: Some(generic.clone()) };
        self.check_room(&owner, &types, room)?;
        let owner = self.intern(&owner);
        let key = (owner, class.name.clone(), field.name.clone());
        if let Some(&known) = self.field_ids.get(&key) {
            return Ok(known);
        }
        let (of, result_cast) = self.result(&generic, Some(&field.erased));
        let id = FieldId::from(self.fields.len());
        self.field_ids.insert(key, id);
        self.fields.push(Field {
            owner,
            declared_in: class.name.clone(),
            name: field.name.clone(),
            descriptor: field.erased.descriptor().into(),
            access: field.access,
            of: of.unwrap_or(TypeId::OBJECT),
            result_cast,
        });
        Ok(id)
    }

    /// Whether a value of one type may stand where the other is wanted.
    pub(super) fn is_subtype(&self, sub: TypeId, sup: TypeId) -> bool {
        self.world.lineage.is_subtype(&self.types.get(sub).generic, &self.types.get(sup).generic)
    }

    /// The type of the object that a call needs; `None` for constructors and static members.
    pub(super) fn receiver_of(&self, call: Call) -> Option<TypeId> {
        call.receiver(&self.callables, &self.fields)
    }

    /// The type as messages call it.
    pub(super) fn name_of(&self, ty: TypeId) -> String {
        let generic = &self.types.get(ty).generic;
        if let GenericType::Class(class) = generic
            && class.arguments.is_empty()
        {
            return class.name.binary();
        }
        GenericText(generic).to_string()
    }
}

impl World<'_> {
    fn member_types(
        &self,
        class: &ClassInfo,
        method: &MethodInfo,
        kind: CallableKind,
        owner: &ClassType,
        arguments: &Substitution,
    ) -> Result<MemberTypes, Unusable> {
        let scope = self.scope_of_call(class, kind, owner)?;
        let normal = |generic: &GenericType| Ok::<_, Unusable>(normalized(self.hierarchy, generic)?);
        if let Scope::Raw = scope {
            let erased = |ty: &ErasedType| normal(&GenericType::from(ty));
            return Ok(MemberTypes {
                parameters: method.erased.parameters.iter().map(erased).collect::<Result<_, _>>()?,
                result: method.erased.result.as_ref().map(erased).transpose()?,
            });
        }
        let mut parameters = Vec::with_capacity(method.generic.parameters.len());
        for (index, parameter) in method.generic.parameters.iter().enumerate() {
            let enclosing = index == 0 && kind == CallableKind::Constructor && class.is_inner();
            let parameter = match &owner.outer {
                Some(outer) if enclosing => GenericType::Class((**outer).clone()),
                _ => scope.parameter(&parameter.substitute(arguments)).ok_or(Unusable::Unfit)?,
            };
            parameters.push(normal(&parameter)?);
        }
        let result = method.generic.result.as_ref().map(|result| scope.result(&result.substitute(arguments)));
        if let Some(missing) = method.exceptions.iter().find(|name| self.class(name).is_none()) {
            return Err(Unusable::Missing(missing.clone()));
        }
        Ok(MemberTypes { parameters, result: result.as_ref().map(normal).transpose()? })
    }

    /// What the class's type variables stand for in a call through `owner`.
    pub(super) fn scope_of_call(
        &self,
        class: &ClassInfo,
        kind: CallableKind,
        owner: &ClassType,
    ) -> Result<Scope, Unusable> {
        match kind {
            CallableKind::StaticMethod => Ok(Scope::Of(Vec::new())),
            CallableKind::Constructor => Ok(self.scope(owner)),
            CallableKind::InstanceMethod => {
                let sup = self.hierarchy.as_super(owner, &class.name).ok_or(Unusable::Unfit)?;
                Ok(self.scope(&sup))
            }
        }
    }

    /// The ways in which the type parameters of a method are replaced when it is called through `owner`.
    pub(super) fn instantiations_of_method(
        &self,
        class: &ClassInfo,
        method: &MethodInfo,
        owner: &ClassType,
    ) -> Vec<Substitution> {
        if method.generic.type_parameters.is_empty() {
            return vec![Substitution::new()];
        }
        match self.scope_of_call(class, kind_of(method), owner) {
            // Members of raw types are not generic.
            Ok(Scope::Raw) => vec![Substitution::new()],
            Ok(scope) => {
                let limit = if owner.arguments.is_empty() {
                    self.options.instantiations
                } else {
                    self.options.instantiations.div_ceil(2)
                };
                self.instantiations(&scope.bounds_of(&method.generic.type_parameters), limit)
            }
            Err(_) => Vec::new(),
        }
    }
}

impl Scope {
    /// Type parameters of a method with the class's variables replaced in their bounds.
    pub(super) fn bounds_of(&self, parameters: &[TypeParameter]) -> Vec<TypeParameter> {
        // The method's own variables stay: they stand for themselves here.
        let own: Substitution = parameters
            .iter()
            .map(|parameter| (parameter.name.clone(), GenericType::Variable(parameter.name.clone())))
            .collect();
        let within = self.substitution(&own);
        let bounds = |parameter: &TypeParameter| TypeParameter {
            name: parameter.name.clone(),
            bounds: parameter.bounds.iter().map(|bound| bound.substitute(&within)).collect(),
        };
        parameters.iter().map(bounds).collect()
    }
}

/// What kind of callable a method is.
pub(super) fn kind_of(method: &MethodInfo) -> CallableKind {
    if method.is_constructor() {
        CallableKind::Constructor
    } else if method.access.is_static() {
        CallableKind::StaticMethod
    } else {
        CallableKind::InstanceMethod
    }
}
