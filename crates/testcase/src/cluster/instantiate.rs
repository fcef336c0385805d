//! What type variables stand for: the types of members as a receiver sees them, and the instantiations of generic
//! classes and methods (Java language specification §4.5, §15.12.2.6, §18).
//!
//! # Differences
//! Wildcards of a receiver are not captured (§5.1.10). A result is projected upwards (§4.10.5), and a method whose
//! parameter would need the captured variable is not used through that receiver, since only `null` could be passed.
//! Inference looks at the wanted type alone, never at arguments, because it runs before there are any.

use std::sync::Arc;

use bytecode::class_info::{ClassInfo, ClassKind};
use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, Substitution, TypeArgument, TypeParameter};
use bytecode::subtyping::upper_bound;

use super::types::normalized;
use super::world::World;

/// How many subtypes of a bound are tried as type arguments.
const SUBTYPES_OF_A_BOUND: usize = 8;

impl World<'_> {
    /// Notes what may stand for type variables.
    pub(super) fn collect_arguments(&mut self, referenced: &[ErasedType]) {
        let boxed = |primitive: PrimitiveType| GenericType::class(primitive.boxed());
        self.arguments =
            vec![GenericType::class(ClassName::string()), boxed(PrimitiveType::Int), GenericType::object()];
        self.arguments.extend([PrimitiveType::Double, PrimitiveType::Long].map(boxed));
        let mentioned = referenced.iter().filter_map(|ty| match ty {
            ErasedType::Class(name) => Some(name.clone()),
            ErasedType::Primitive(_) | ErasedType::Array(_) => None,
        });
        let classes: Vec<ClassName> = mentioned.chain(self.goals.iter().cloned()).collect();
        for name in classes {
            let Some(class) = self.hierarchy.class(&name).filter(|_| self.access.class(&name)) else {
                continue;
            };
            let generic = GenericType::class(name);
            if class.kind == ClassKind::Enum && !self.enums.contains(&generic) {
                self.enums.push(generic.clone());
            }
            if !self.has_parameters(&class) && !self.arguments.contains(&generic) {
                self.arguments.push(generic);
            }
        }
        self.enums.push(GenericType::class("java/util/concurrent/TimeUnit"));
    }

    /// Type parameters in scope of a class: those of enclosing classes first where it needs an enclosing
    /// instance, then its own.
    pub(super) fn class_parameters(&self, class: &ClassInfo) -> Vec<TypeParameter> {
        let mut parameters = match self.enclosing(class) {
            Some(outer) => self.class_parameters(&outer),
            None => Vec::new(),
        };
        parameters.extend(class.signature.parameters.iter().cloned());
        parameters
    }

    /// Whether there are any.
    fn has_parameters(&self, class: &ClassInfo) -> bool {
        let outer = || self.enclosing(class).is_some_and(|outer| self.has_parameters(&outer));
        !class.signature.parameters.is_empty() || outer()
    }

    /// The class of the enclosing instance of an inner class.
    pub(super) fn enclosing(&self, class: &ClassInfo) -> Option<Arc<ClassInfo>> {
        let bytecode::class_info::Nesting::Member { outer, .. } = &class.nesting else { return None };
        if class.is_inner() { self.hierarchy.class(outer) } else { None }
    }

    /// A class with all type parameters in its scope as arguments.
    pub(super) fn this_type(&self, class: &ClassInfo) -> ClassType {
        let outer = self.enclosing(class).map(|outer| self.this_type(&outer));
        let outer = outer.filter(|outer| !outer.arguments.is_empty() || outer.outer.is_some());
        ClassType { outer: outer.map(Arc::new), ..class.this_type() }
    }

    /// The parameterizations of a class that tests use, at least one: those that its subclasses extend where bounds depend on each
    /// other, as for `Reader<T, S extends Reader<T, S>>`; the raw type where no type that a test may name lies within the bounds, as
    /// for `Builder<B extends Builder<B>>` without subclasses.
    pub(super) fn instantiations_of(&self, class: &ClassInfo, limit: usize) -> Vec<ClassType> {
        let this = self.this_type(class);
        let substitutions = self.instantiations(&self.class_parameters(class), limit);
        let mut found: Vec<ClassType> =
            substitutions.iter().map(|substitution| this.substitute(substitution)).collect();
        if found.is_empty() {
            found = self.extended_by_subclasses(class, limit);
        }
        if found.is_empty() {
            found.push(ClassType::new(class.name.clone()));
        }
        found
    }

    /// The parameterizations of a class that subclasses without type parameters extend.
    fn extended_by_subclasses(&self, class: &ClassInfo, limit: usize) -> Vec<ClassType> {
        let mut found: Vec<ClassType> = Vec::new();
        for subclass in self.plain_below(&class.name) {
            let extended = self.hierarchy.as_super(&ClassType::new(subclass), &class.name);
            let extended = extended.filter(|of| !of.arguments.is_empty() && self.access.class_type(of));
            found.extend(extended.filter(|of| !found.contains(of)));
        }
        found.truncate(limit);
        found
    }

    /// The nearest classes of the class path below a class that a test may name, without type parameters.
    fn plain_below(&self, class: &ClassName) -> Vec<ClassName> {
        if !self.hierarchy.source().is_on_class_path(class) {
            return Vec::new();
        }
        let is_plain = |name: &ClassName| {
            self.access.class(name)
                && self.hierarchy.class(name).is_some_and(|class| !self.has_parameters(&class))
        };
        self.hierarchy.below(class).filter(is_plain).take(SUBTYPES_OF_A_BOUND).collect()
    }

    /// Up to `limit` ways to replace the type parameters by types within their bounds, those to be preferred
    /// first. The first two ways alternate between the first two candidates (`Map<String, Integer>`,
    /// `Map<Integer, String>`), later ones take the same candidate for each (`Map<Object, Object>`).
    pub(super) fn instantiations(&self, parameters: &[TypeParameter], limit: usize) -> Vec<Substitution> {
        let mut found: Vec<Substitution> = Vec::new();
        for round in 0..if parameters.is_empty() { 1 } else { limit } {
            let mut substitution = Substitution::new();
            for (index, parameter) in parameters.iter().enumerate() {
                let candidates = self.candidates(parameter, &substitution, limit.max(1));
                let choice = if round < 2 { (round + index) % 2 } else { round };
                let Some(chosen) = candidates.get(choice % candidates.len().max(1)) else {
                    return found;
                };
                substitution.insert(parameter.name.clone(), chosen.clone());
            }
            // What a bound says of parameters behind its own is known now.
            if self.within_bounds(parameters, &substitution) && !found.contains(&substitution) {
                found.push(substitution);
            }
        }
        found
    }

    /// Types within the bounds of a parameter, given what stands for the parameters before it.
    fn candidates(&self, parameter: &TypeParameter, chosen: &Substitution, limit: usize) -> Vec<GenericType> {
        let fits = |candidate: &&GenericType| self.satisfies(candidate, parameter, chosen);
        let mut found: Vec<GenericType> = self.arguments.iter().filter(fits).take(limit).cloned().collect();
        if found.len() < limit {
            for bound in &parameter.bounds {
                let derived = self.within_bound(&bound.substitute(chosen));
                for candidate in derived.iter().filter(fits) {
                    if found.len() < limit && !found.contains(candidate) {
                        found.push(candidate.clone());
                    }
                }
            }
        }
        found
    }

    /// Whether a type lies within the bounds of a parameter.
    pub(super) fn satisfies(
        &self,
        candidate: &GenericType,
        parameter: &TypeParameter,
        chosen: &Substitution,
    ) -> bool {
        if parameter.bounds.is_empty() {
            return !matches!(candidate, GenericType::Primitive(_));
        }
        let mut substitution = chosen.clone();
        substitution.insert(parameter.name.clone(), candidate.clone());
        parameter.bounds.iter().all(|bound| {
            let bound = bound.substitute(&substitution);
            if bound.is_concrete() {
                self.lineage.is_subtype(candidate, &bound)
            } else {
                self.lineage.is_erased_subtype(&candidate.erase(&[]), &bound.erase(&[]))
            }
        })
    }

    /// A bound itself and types below it.
    fn within_bound(&self, bound: &GenericType) -> Vec<GenericType> {
        let GenericType::Class(class) = bound else {
            return Vec::new();
        };
        if class.name.as_str() == "java/lang/Enum" {
            return self.enums.clone();
        }
        let mut found = Vec::new();
        if bound.is_concrete() && self.access.generic(bound) {
            found.push(bound.clone());
        }
        found.extend(self.plain_below(&class.name).into_iter().map(GenericType::class));
        found
    }

    /// What the variables of `made` stand for when it is to be used as `wanted`; what `wanted` does not tell
    /// is left open. False when the two cannot meet. [`World::complete`] must follow.
    pub(super) fn infer(&self, made: &GenericType, wanted: &GenericType, found: &mut Substitution) -> bool {
        match (made, wanted) {
            (GenericType::Variable(name), _) => bind(found, name, wanted),
            (GenericType::Class(made), GenericType::Class(wanted)) => {
                if !self.lineage.is_subclass(&made.name, &wanted.name) {
                    return false;
                }
                if wanted.arguments.is_empty() && wanted.outer.is_none() {
                    return true;
                }
                let Some(sup) = self.hierarchy.as_super(made, &wanted.name) else {
                    return false;
                };
                self.infer_arguments(&sup, wanted, found)
            }
            (GenericType::Array(made), GenericType::Array(wanted)) => self.infer(made, wanted, found),
            _ => self.lineage.is_subtype(made, wanted),
        }
    }

    fn infer_arguments(&self, made: &ClassType, wanted: &ClassType, found: &mut Substitution) -> bool {
        let outer = match (&made.outer, &wanted.outer) {
            (Some(made), Some(wanted)) => self.infer_arguments(made, wanted, found),
            _ => true,
        };
        outer
            && made.arguments.len() == wanted.arguments.len()
            && made
                .arguments
                .iter()
                .zip(&wanted.arguments)
                .all(|(made, wanted)| self.infer_argument(made, wanted, found))
    }

    fn infer_argument(&self, made: &TypeArgument, wanted: &TypeArgument, found: &mut Substitution) -> bool {
        use TypeArgument::{Exact, Extends, Super, Unbounded};
        match (made, wanted) {
            (_, Unbounded) => true,
            (Exact(GenericType::Variable(name)), Extends(bound)) => match found.get(name) {
                Some(known) => self.lineage.is_subtype(known, bound),
                None => bind(found, name, &self.inside(bound)),
            },
            (Exact(GenericType::Variable(name)), Exact(bound) | Super(bound)) => bind(found, name, bound),
            (Exact(made), Exact(wanted)) => self.infer_equal(made, wanted, found),
            (Exact(made) | Extends(made), Extends(wanted)) => self.infer(made, wanted, found),
            (Super(made), Super(wanted)) => self.infer_equal(made, wanted, found),
            (Exact(_), Super(_)) => true,
            (Extends(_) | Super(_) | Unbounded, _) => false,
        }
    }

    /// As [`World::infer`], for types that must come out equal.
    fn infer_equal(&self, made: &GenericType, wanted: &GenericType, found: &mut Substitution) -> bool {
        match (made, wanted) {
            (GenericType::Variable(name), _) => bind(found, name, wanted),
            (GenericType::Class(made), GenericType::Class(wanted)) => {
                made.name == wanted.name && self.infer_arguments(made, wanted, found)
            }
            (GenericType::Array(made), GenericType::Array(wanted)) => self.infer_equal(made, wanted, found),
            _ => made == wanted,
        }
    }

    /// A type that `? extends bound` contains, one that is easily made.
    fn inside(&self, bound: &GenericType) -> GenericType {
        let simple = self.arguments.iter().find(|candidate| self.lineage.is_subtype(candidate, bound));
        simple.unwrap_or(bound).clone()
    }

    /// Fills in what inference left open, `Object` where it may be and `raw` is set; `None` when a bound is
    /// not met.
    pub(super) fn complete(
        &self,
        parameters: &[TypeParameter],
        mut found: Substitution,
        raw: bool,
    ) -> Option<Substitution> {
        for parameter in parameters {
            if !found.contains_key(&parameter.name) {
                let object = GenericType::object();
                let chosen = if raw && self.satisfies(&object, parameter, &found) {
                    object
                } else {
                    self.candidates(parameter, &found, 1).pop()?
                };
                found.insert(parameter.name.clone(), chosen);
            }
        }
        self.within_bounds(parameters, &found).then_some(found)
    }

    /// Whether what stands for each of the parameters lies within its bounds.
    fn within_bounds(&self, parameters: &[TypeParameter], found: &Substitution) -> bool {
        parameters.iter().all(|parameter| self.satisfies(&found[&parameter.name], parameter, found))
    }

    /// What the type variables of a class stand for, seen through a parameterization of it.
    pub(super) fn scope(&self, class: &ClassType) -> Scope {
        let mut bindings = Vec::new();
        if self.collect_bindings(class, &mut bindings) { Scope::Of(bindings) } else { Scope::Raw }
    }

    fn collect_bindings(&self, class: &ClassType, bindings: &mut Vec<Binding>) -> bool {
        let Some(info) = self.hierarchy.class(&class.name) else {
            return false;
        };
        match (&class.outer, self.enclosing(&info)) {
            (Some(outer), _) if !self.collect_bindings(outer, bindings) => return false,
            (None, Some(outer)) if self.has_parameters(&outer) => return false,
            _ => {}
        }
        let parameters = &info.signature.parameters;
        for (parameter, argument) in parameters.iter().zip(&class.arguments) {
            bindings.push(Binding {
                name: parameter.name.clone(),
                argument: argument.clone(),
                upper: upper_bound(argument, parameter),
            });
        }
        parameters.len() == class.arguments.len()
    }

    /// The nearest type above (or equal) that a test may name; arguments that it may not name become `?`.
    pub(super) fn nearest_accessible(&self, generic: &GenericType) -> GenericType {
        match generic {
            GenericType::Primitive(_) => generic.clone(),
            GenericType::Variable(_) => GenericType::object(),
            GenericType::Array(element) => self.nearest_accessible(element).array_of(),
            GenericType::Class(class) => {
                let named = |name: &&ClassName| self.access.class(name);
                let supertypes = self.lineage.supertypes(&class.name);
                let object = ClassName::object();
                // `Object` comes before the interfaces of its subclasses, but says less than they do.
                let best = supertypes.iter().filter(|name| **name != object).find(named);
                let parameterization = best.and_then(|name| self.hierarchy.as_super(class, name));
                match parameterization {
                    Some(class) => GenericType::Class(self.with_accessible_arguments(&class)),
                    None => GenericType::object(),
                }
            }
        }
    }

    fn with_accessible_arguments(&self, class: &ClassType) -> ClassType {
        let argument = |argument: &TypeArgument| match argument.bound() {
            Some(bound) if !self.access.generic(bound) => TypeArgument::Unbounded,
            _ => argument.clone(),
        };
        ClassType {
            name: class.name.clone(),
            arguments: class.arguments.iter().map(argument).collect(),
            outer: class.outer.as_ref().map(|outer| Arc::new(self.with_accessible_arguments(outer))),
        }
    }

    /// Interns nothing, only checks and brings a type into its normal form; `None` when a class is missing.
    pub(super) fn normal(&self, generic: &GenericType) -> Option<GenericType> {
        normalized(self.hierarchy, generic).ok()
    }
}

fn bind(found: &mut Substitution, name: &Arc<str>, to: &GenericType) -> bool {
    if let Some(known) = found.get(name) {
        return known == to;
    }
    found.insert(name.clone(), to.clone());
    !matches!(to, GenericType::Primitive(_))
}

/// What the type variables of a class stand for.
#[derive(Debug, Clone)]
pub(super) enum Scope {
    /// Seen through a raw type: members have their erased types (§4.8).
    Raw,
    /// Seen through a parameterization.
    Of(Vec<Binding>),
}

/// What one type variable stands for.
#[derive(Debug, Clone)]
pub(super) struct Binding {
    name: Arc<str>,
    argument: TypeArgument,
    upper: GenericType,
}

impl Scope {
    fn binding(&self, name: &str) -> Option<&Binding> {
        match self {
            Self::Raw => None,
            Self::Of(bindings) => bindings.iter().rev().find(|binding| &*binding.name == name),
        }
    }

    /// Upper bounds of the class's variables, overridden by `own`.
    pub(super) fn substitution(&self, own: &Substitution) -> Substitution {
        let mut substitution = Substitution::new();
        if let Self::Of(bindings) = self {
            for binding in bindings {
                substitution.insert(binding.name.clone(), binding.upper.clone());
            }
        }
        substitution.extend(own.iter().map(|(name, ty)| (name.clone(), ty.clone())));
        substitution
    }

    fn is_wild(&self, generic: &GenericType) -> bool {
        match generic {
            GenericType::Primitive(_) => false,
            GenericType::Array(element) => self.is_wild(element),
            GenericType::Variable(name) => {
                self.binding(name).is_some_and(|binding| !matches!(binding.argument, TypeArgument::Exact(_)))
            }
            GenericType::Class(class) => {
                class
                    .arguments
                    .iter()
                    .any(|argument| argument.bound().is_some_and(|bound| self.is_wild(bound)))
                    || class.outer.as_ref().is_some_and(|outer| {
                        outer
                            .arguments
                            .iter()
                            .any(|argument| argument.bound().is_some_and(|bound| self.is_wild(bound)))
                    })
            }
        }
    }

    /// The type of a result: wildcards of the receiver projected upwards.
    pub(super) fn result(&self, generic: &GenericType) -> GenericType {
        match generic {
            GenericType::Primitive(_) => generic.clone(),
            GenericType::Array(element) => self.result(element).array_of(),
            GenericType::Variable(name) => {
                self.binding(name).map_or_else(GenericType::object, |binding| binding.upper.clone())
            }
            GenericType::Class(class) => GenericType::Class(self.result_class(class)),
        }
    }

    fn result_class(&self, class: &ClassType) -> ClassType {
        ClassType {
            name: class.name.clone(),
            arguments: class.arguments.iter().map(|argument| self.result_argument(argument)).collect(),
            outer: class.outer.as_ref().map(|outer| Arc::new(self.result_class(outer))),
        }
    }

    fn result_argument(&self, argument: &TypeArgument) -> TypeArgument {
        use TypeArgument::{Exact, Extends, Super, Unbounded};
        match argument {
            Exact(GenericType::Variable(name)) => {
                self.binding(name).map_or(Unbounded, |binding| binding.argument.clone())
            }
            Exact(exact) if self.is_wild(exact) => Extends(self.result(exact)),
            Exact(exact) => Exact(self.result(exact)),
            Extends(bound) => Extends(self.result(bound)),
            Super(GenericType::Variable(name)) => match self.binding(name).map(|binding| &binding.argument) {
                Some(Exact(bound) | Super(bound)) => Super(bound.clone()),
                Some(Extends(_) | Unbounded) | None => Unbounded,
            },
            Super(bound) if self.is_wild(bound) => Unbounded,
            Super(bound) => Super(self.result(bound)),
            Unbounded => Unbounded,
        }
    }

    /// The type of a parameter; `None` when nothing but `null` could be passed.
    pub(super) fn parameter(&self, generic: &GenericType) -> Option<GenericType> {
        if let GenericType::Variable(name) = generic
            && let Some(Binding { argument: TypeArgument::Super(bound), .. }) = self.binding(name)
        {
            return Some(bound.clone());
        }
        (!self.is_wild(generic)).then(|| self.result(generic))
    }
}
