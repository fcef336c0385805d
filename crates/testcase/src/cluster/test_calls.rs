//! The calls of the class under test: members of the goal classes that a test may use, and calls through which the
//! goal classes that it may not name are reached.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::class_info::{ClassInfo, ClassKind, FieldInfo, MethodInfo, Nesting};
use bytecode::descriptor::ErasedType;
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType};

use super::build::Builder;
use super::denied;
use super::members::{Room, Unusable};
use super::world::World;
use super::{Call, CallableKind, Parameter, TypeId};

/// How many calls are added to reach goal classes that a test may not name.
const MAX_HIDDEN_CALLS: usize = 96;

/// The calls that tests are made of, see [`super::TestCluster::test_calls`].
#[derive(Debug, Default)]
pub(super) struct TestCalls {
    pub(super) groups: Vec<Vec<Call>>,
    /// Goal classes that can be named, and whose objects come under another type alone.
    pub(super) given_as_another: BTreeSet<ClassName>,
    /// By class, member and descriptor, the number of the group.
    numbers: Lookup<(ClassName, Arc<str>, Arc<str>), usize>,
}

impl Builder<'_> {
    /// Fills [`super::TestCluster::test_calls`].
    pub(super) fn collect_test_calls(&mut self) {
        let goals: Vec<Arc<ClassInfo>> =
            self.world.goals.iter().filter_map(|name| self.world.class(name)).collect();
        let (named, mut hidden): (Vec<_>, Vec<_>) =
            goals.into_iter().partition(|class| self.world.access.class(&class.name));
        for class in &named {
            self.members_of(class);
            self.inherited_members_of(class);
        }
        for class in &hidden {
            self.members_of_nearest_named(class);
        }
        for class in &named {
            for (descriptor, stub) in self.stubs.stub_calls_of(&mut self.members, class) {
                self.test_calls
                    .push((class.name.clone(), "<init>".into(), descriptor), Call::Implement(stub));
            }
        }
        for class in &named {
            if self.is_given_as_another(class) {
                self.test_calls.given_as_another.insert(class.name.clone());
                hidden.push(class.clone());
            } else if self.constructors_below(class) {
                hidden.push(class.clone());
            }
        }
        if self.test_calls.groups.is_empty() {
            for class in &named {
                self.constants_of(class);
            }
        }
        self.calls_on_results(&named);
        self.calls_into_hidden(&hidden);
        self.note_modifiers();
    }

    /// Members of goal classes through the parameterizations in which test calls give their objects: with
    /// `static Parser<Boolean> of()` and a private constructor there is no other.
    fn calls_on_results(&mut self, named: &[Arc<ClassInfo>]) {
        let mut results: Vec<ClassType> = Vec::new();
        let of_calls =
            self.members.callables.iter().filter(|callable| callable.kind != CallableKind::Constructor);
        let given = of_calls
            .filter_map(|callable| callable.result)
            .chain(self.members.fields.iter().map(|field| field.of));
        for class in given.filter_map(|ty| self.members.types.class(ty)) {
            if !class.arguments.is_empty() && !results.contains(class) {
                results.push(class.clone());
            }
        }
        // Where a test can construct objects, those of other arguments would run the same code.
        let constructs = |class: &ClassInfo| {
            class
                .methods
                .iter()
                .any(|method| method.is_constructor() && self.world.is_callable(class, method))
        };
        let given_only: Vec<&Arc<ClassInfo>> = named.iter().filter(|class| !constructs(class)).collect();
        for class in given_only {
            let known = self.world.instantiations_of(class, self.world.options.instantiations);
            let others = results.iter().filter(|ty| ty.name == class.name && !known.contains(ty));
            let others: Vec<ClassType> = others.take(self.world.options.instantiations).cloned().collect();
            for method in class.methods.iter().filter(|_| !others.is_empty()) {
                let instance = !method.is_constructor() && !method.access.is_static();
                if instance
                    && self.world.is_callable(class, method)
                    && !self.world.is_only_declared(class, method)
                {
                    self.test_call(class, method, &others);
                }
            }
        }
    }

    /// Members that a goal class declares.
    fn members_of(&mut self, class: &Arc<ClassInfo>) {
        let owners = self.world.instantiations_of(class, self.world.options.instantiations);
        let is_meant = |method: &&MethodInfo| {
            self.world.is_callable(class, method) && !self.world.is_only_declared(class, method)
        };
        let methods: Vec<&MethodInfo> = class.methods.iter().filter(is_meant).collect();
        // An enum that has nothing else gives its constants, all at once. One whose constants have bodies is not final: they are called.
        let values = class.method("values", &format!("()[L{};", class.name.as_str()));
        if let Some(values) =
            values.filter(|_| class.kind == ClassKind::Enum && class.access.is_final() && methods.is_empty())
        {
            self.test_call(class, values, &owners);
            return;
        }
        for method in methods {
            self.test_call(class, method, &owners);
        }
        for field in &class.fields {
            if self.world.access.member(field.access, &field.name, &class.name) {
                self.field_call(class, field, &owners);
            }
        }
        for owner in &owners {
            self.injected_of(class, owner, (1, Room::Free));
        }
    }

    /// Constants of a class that has nothing else: reading one may at least initialize it.
    fn constants_of(&mut self, class: &Arc<ClassInfo>) {
        let owner = ClassType::new(class.name.clone());
        for field in class.fields.iter().filter(|field| field.access.is_static()) {
            if self.world.access.member(field.access, &field.name, &class.name)
                && let Ok(id) = self.members.field(class, field, &owner, Room::Free)
            {
                self.test_calls.push((class.name.clone(), "".into(), "".into()), Call::Read(id));
            }
        }
    }

    /// Methods inherited from superclasses that users cannot name, and from goal classes that tests cannot name:
    /// to users they belong to the class.
    fn inherited_members_of(&mut self, class: &Arc<ClassInfo>) {
        let owners = self.world.instantiations_of(class, self.world.options.instantiations);
        let mut seen: Vec<(Arc<str>, Vec<ErasedType>)> = signatures(class);
        for name in self.world.hierarchy.superclasses(&class.name) {
            let Some(sup) = self.world.class(&name).filter(|_| self.world.is_project(&name)) else {
                break;
            };
            let is_goal = self.world.goals.contains(&name);
            let belongs = if is_goal { !self.world.access.class(&name) } else { !sup.access.is_public() };
            for method in &sup.methods {
                let signature = (method.name.clone(), method.erased.parameters.clone());
                if seen.contains(&signature) {
                    continue;
                }
                seen.push(signature);
                let instance = !method.is_constructor() && !method.access.is_static();
                if belongs && instance && !method.access.is_abstract() && self.world.is_callable(&sup, method)
                {
                    self.test_call(&sup, method, &owners);
                }
            }
        }
    }

    /// A goal class that a test may not name is reached through the class around it: its members count too.
    fn members_of_nearest_named(&mut self, class: &Arc<ClassInfo>) {
        let mut outer = Self::enclosing_name(class);
        while let Some(name) = outer {
            if self.world.goals.contains(&name) && self.world.access.class(&name) {
                return;
            }
            let Some(class) = self.world.class(&name) else {
                return;
            };
            if self.world.access.class(&name) {
                self.members_of(&class);
                return;
            }
            outer = Self::enclosing_name(&class);
        }
    }

    /// The class around a nested one; of local and anonymous classes by name, the only trace that every compiler
    /// leaves.
    fn enclosing_name(class: &ClassInfo) -> Option<ClassName> {
        match &class.nesting {
            Nesting::TopLevel => None,
            Nesting::Member { outer, .. } => Some(outer.clone()),
            Nesting::Local | Nesting::Anonymous => {
                let (outer, _) = class.name.as_str().rsplit_once('$')?;
                Some(ClassName::new(outer))
            }
        }
    }

    /// Constructors of concrete subclasses of a goal class that has no instances of its own among the goals: they run
    /// its constructors. Where they are private, static factories; then the objects are known by other types, as those
    /// of hidden classes are. Whether that is so.
    fn constructors_below(&mut self, class: &Arc<ClassInfo>) -> bool {
        if !class.access.is_abstract() || class.kind == ClassKind::Enum {
            return false;
        }
        let below = self.catalogue.concrete_subtypes(&class.name, self.world.options.max_subtypes);
        if below.iter().any(|sub| self.world.goals.contains(&sub.name)) {
            return false;
        }
        let mut by_factory = false;
        for sub in below.iter().filter(|sub| sub.kind != ClassKind::Enum) {
            let usable: Vec<&MethodInfo> =
                sub.methods.iter().filter(|method| self.world.is_callable(sub, method)).collect();
            let owners = self.world.instantiations_of(sub, self.world.options.instantiations);
            let has_constructors = usable.iter().any(|method| method.is_constructor());
            for method in usable {
                if method.is_constructor() {
                    self.test_call(sub, method, &owners);
                } else if !has_constructors && self.world.is_factory_of(sub, method) {
                    by_factory = true;
                    self.test_call(sub, method, &[]);
                }
            }
        }
        by_factory
    }

    /// Whether a class can be named, and its objects are given under another type alone:
    /// `static DefaultHandler of(Writer)`, and a private constructor.
    fn is_given_as_another(&self, class: &ClassInfo) -> bool {
        let results = self.members.callables.iter().filter_map(|callable| callable.result);
        let given = results.chain(self.members.fields.iter().map(|field| field.of));
        let mut given = given.filter_map(|of| self.members.types.class(of)).map(|of| &of.name);
        let lineage = &self.world.lineage;
        let is_above = |of: &ClassName| *of != ClassName::object() && lineage.is_subclass(&class.name, of);
        class.kind == ClassKind::Class
            && !class.access.is_abstract()
            && given.clone().any(is_above)
            && !given.any(|of| lineage.is_subclass(of, &class.name))
    }

    /// Calls of methods that goal classes without a usable name override, that may give objects of such classes, or
    /// that lambdas implement, through the types in which the other calls give them away.
    fn calls_into_hidden(&mut self, hidden: &[Arc<ClassInfo>]) {
        let lambdas = self.world.goals.iter().filter_map(|name| self.world.class(name)).any(|class| {
            class
                .methods
                .iter()
                .any(|method| method.access.is_synthetic() && method.name.starts_with("lambda$"))
        });
        let mut results: Vec<TypeId> = Vec::new();
        let (mut next_callable, mut position, before) = (0, 0, self.members.callables.len());
        for field in &self.members.fields {
            push_new(&mut results, field.of);
        }
        loop {
            while next_callable < self.members.callables.len() {
                if let Some(result) = self.members.callables[next_callable].result {
                    push_new(&mut results, result);
                }
                next_callable += 1;
            }
            let Some(&result) = results.get(position) else {
                break;
            };
            position += 1;
            if self.members.callables.len() - before < MAX_HIDDEN_CALLS {
                self.hidden_calls_through(result, hidden, lambdas);
            }
        }
    }

    fn hidden_calls_through(&mut self, through: TypeId, hidden: &[Arc<ClassInfo>], lambdas: bool) {
        let Some(owner) = self.members.types.class(through).cloned() else {
            return;
        };
        // `Object` gives nothing away, and the methods of boxed types and strings are no goals.
        if through.index() < TypeId::WELL_KNOWN || !self.members.types.get(through).accessible {
            return;
        }
        let lineage = &self.world.lineage;
        let below: Vec<&Arc<ClassInfo>> =
            hidden.iter().filter(|class| lineage.is_subclass(&class.name, &owner.name)).collect();
        let functional = if lambdas { self.world.functional_method(&owner.name) } else { None };
        let is_goal = self.world.goals.contains(&owner.name);
        if below.is_empty() && functional.is_none() && !is_goal {
            return;
        }
        // A view of a view: what gives it may stand in a superclass outside the goals.
        let may_give = |method: &MethodInfo| match &method.erased.result {
            Some(ErasedType::Class(result)) => {
                *result != ClassName::object()
                    && hidden.iter().any(|class| lineage.is_subclass(&class.name, result))
            }
            Some(ErasedType::Primitive(_) | ErasedType::Array(_)) | None => false,
        };
        let supertypes = lineage.supertypes(&owner.name);
        let mut seen: Vec<(Arc<str>, Vec<ErasedType>)> = Vec::new();
        let infos: Vec<Arc<ClassInfo>> =
            supertypes.iter().filter_map(|name| self.world.class(name)).collect();
        for sup in infos {
            for method in sup.methods.iter().filter(|method| !method.is_constructor()) {
                let signature = (method.name.clone(), method.erased.parameters.clone());
                if method.access.is_static()
                    || !self.world.is_callable(&sup, method)
                    || seen.contains(&signature)
                {
                    continue;
                }
                let overridden = below.iter().any(|class| implements(class, method));
                let by_lambda = functional.as_ref().is_some_and(|(class, name)| {
                    *class == sup.name && *name == method.name && method.access.is_abstract()
                });
                let is_own = self.world.goals.contains(&sup.name);
                let gives = (is_goal || !below.is_empty())
                    && may_give(method)
                    && !is_own
                    && !denied::is_denied(&sup, method, &self.world.lineage);
                if is_own || overridden || by_lambda || gives {
                    seen.push(signature);
                }
                if overridden || by_lambda || gives {
                    self.test_call(&sup, method, std::slice::from_ref(&owner));
                }
            }
        }
    }

    /// Adds a method or constructor to the test calls, for each owner and each instantiation.
    fn test_call(&mut self, class: &Arc<ClassInfo>, method: &MethodInfo, owners: &[ClassType]) {
        let by_class = [ClassType::new(class.name.clone())];
        let owners = if method.access.is_static() { &by_class } else { owners };
        let key = (class.name.clone(), method.name.clone(), method.descriptor.clone());
        for owner in owners {
            for arguments in self.world.instantiations_of_method(class, method, owner) {
                match self.members.callable(class, method, owner, &arguments, Room::Free) {
                    Ok(id) => self.test_calls.push(key.clone(), Call::Callable(id)),
                    Err(Unusable::Missing(missing)) => self.diagnose(format!(
                        "{}.{}{} is left out: {} is not on the class path",
                        class.name.binary(),
                        method.name,
                        method.descriptor,
                        missing.binary()
                    )),
                    Err(Unusable::Unfit) => {}
                }
            }
        }
    }

    /// Adds a field to the test calls. Writable fields are a group each; all that can only be read share one per
    /// class, since reading runs no code beyond the initializer of the class.
    fn field_call(&mut self, class: &Arc<ClassInfo>, field: &FieldInfo, owners: &[ClassType]) {
        let is_constant = field.access.is_static() && field.access.is_final();
        let simple = matches!(field.erased, ErasedType::Primitive(_))
            || field.erased == ErasedType::Class(ClassName::string());
        let by_class = [ClassType::new(class.name.clone())];
        let owners = if field.access.is_static() { &by_class } else { owners };
        for owner in owners {
            let Ok(id) = self.members.field(class, field, owner, Room::Free) else {
                continue;
            };
            let of = self.members.fields[id.index()].of;
            let fits =
                self.world.lineage.is_erased_subtype(&self.members.types.get(of).erased, &field.erased);
            if !field.access.is_final() && fits {
                let key = (class.name.clone(), field.name.clone(), "".into());
                self.test_calls.push(key.clone(), Call::Write(id));
                self.test_calls.push(key, Call::Read(id));
            } else if !(is_constant && simple) {
                // `javac` copies constants into the test, so reading those does not even initialize the class.
                self.test_calls.push((class.name.clone(), "".into(), "".into()), Call::Read(id));
            }
        }
    }

    /// Calls on instances change them, as far as anyone knows.
    fn note_modifiers(&mut self) {
        let calls: Vec<Call> = self.test_calls.groups.iter().flatten().copied().collect();
        for call in calls {
            let owner = match call {
                Call::Callable(id) => {
                    let callable = &self.members.callables[id.index()];
                    (callable.kind == CallableKind::InstanceMethod).then_some(callable.owner)
                }
                Call::Write(id) => {
                    let field = &self.members.fields[id.index()];
                    (!field.access.is_static()).then_some(field.owner)
                }
                Call::Read(_) | Call::Implement(_) => None,
            };
            if let Some(owner) = owner {
                self.belongings.push_modifier(owner, call);
            }
        }
    }

    /// Queues receivers, parameters and results of the test calls.
    pub(super) fn want_inputs_of_test_calls(&mut self) {
        let calls: Vec<Call> = self.test_calls.groups.iter().flatten().copied().collect();
        for call in calls {
            self.want_inputs_of(call, 1);
        }
        let results: Vec<TypeId> =
            self.members.callables.iter().filter_map(|callable| callable.result).collect();
        for result in results {
            self.needs.know(result, 1);
        }
    }

    /// Queues receiver, parameters and result of a call.
    pub(super) fn want_inputs_of(&mut self, call: Call, depth: usize) {
        match call {
            Call::Callable(id) => {
                let callable = &self.members.callables[id.index()];
                let receiver = (callable.kind == CallableKind::InstanceMethod).then_some(callable.owner);
                let inputs: Vec<TypeId> = receiver
                    .into_iter()
                    .chain(callable.parameters.iter().flat_map(Parameter::types))
                    .collect();
                let result = callable.result;
                for input in inputs {
                    self.needs.want(input, depth);
                }
                if let Some(result) = result {
                    self.needs.know(result, depth);
                }
            }
            Call::Read(id) | Call::Write(id) => {
                let field = self.members.fields[id.index()].clone();
                if !field.access.is_static() {
                    self.needs.want(field.owner, depth);
                }
                if matches!(call, Call::Write(_)) {
                    self.needs.want(field.of, depth);
                }
                self.needs.know(field.of, depth);
            }
            Call::Implement(id) => self.want_inputs_of_stub(id, depth),
        }
    }

    /// Adds what a generic type of the class under test asks for in `Object` places: its instantiations.
    pub(super) fn instances_of_goals(&mut self) -> Vec<TypeId> {
        let mut found = Vec::new();
        let under_test = self.world.class_under_test.clone();
        let names: Vec<ClassName> =
            std::iter::once(under_test).chain(self.world.goals.iter().cloned()).collect();
        for name in names {
            let Some(class) = self.world.class(&name).filter(|_| self.world.access.class(&name)) else {
                continue;
            };
            if let Some(owner) = self.world.instantiations_of(&class, 1).into_iter().next()
                && let Some(normal) = self.world.normal(&GenericType::Class(owner))
            {
                let id = self.members.intern(&normal);
                push_new(&mut found, id);
            }
        }
        found
    }
}

impl TestCalls {
    /// Adds a call to the group of its member, once.
    fn push(&mut self, key: (ClassName, Arc<str>, Arc<str>), call: Call) {
        let next = self.groups.len();
        let group = *self.numbers.entry(key).or_insert(next);
        if group == next {
            self.groups.push(Vec::new());
        }
        if !self.groups[group].contains(&call) {
            self.groups[group].push(call);
        }
    }
}

impl World<'_> {
    /// Whether a static method of a class gives, by its type, what may be an object of it.
    fn is_factory_of(&self, class: &ClassInfo, method: &MethodInfo) -> bool {
        let fits = match &method.erased.result {
            Some(ErasedType::Class(result)) => {
                *result != ClassName::object() && self.lineage.is_subclass(&class.name, result)
            }
            Some(ErasedType::Primitive(_) | ErasedType::Array(_)) | None => false,
        };
        fits && method.access.is_static()
    }

    /// Whether a method is abstract and no goal class implements it: calling it runs no code that counts.
    fn is_only_declared(&self, class: &ClassInfo, method: &MethodInfo) -> bool {
        let implemented = |name: &ClassName| {
            *name != class.name
                && self.lineage.is_subclass(name, &class.name)
                && self.class(name).is_some_and(|goal| implements(&goal, method))
        };
        method.access.is_abstract() && !self.goals.iter().any(implemented)
    }
}

/// Whether a class has a body for the method, its bridges included.
fn implements(class: &ClassInfo, method: &MethodInfo) -> bool {
    class.methods.iter().any(|own| {
        own.name == method.name
            && own.erased.parameters == method.erased.parameters
            && !own.access.is_abstract()
            && !own.access.is_static()
    })
}

/// What a class declares or overrides. A bridge without a method that it leads to only makes a method of a superclass
/// visible that users cannot name.
fn signatures(class: &ClassInfo) -> Vec<(Arc<str>, Vec<ErasedType>)> {
    let declared = |method: &&MethodInfo| {
        !method.access.is_bridge()
            || class.methods.iter().any(|other| {
                !other.access.is_bridge()
                    && other.name == method.name
                    && other.erased.parameters.len() == method.erased.parameters.len()
            })
    };
    let declared = class.methods.iter().filter(declared);
    declared.map(|method| (method.name.clone(), method.erased.parameters.clone())).collect()
}

fn push_new(list: &mut Vec<TypeId>, ty: TypeId) {
    if !list.contains(&ty) {
        list.push(ty);
    }
}
