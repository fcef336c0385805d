//! Which method `javac` picks for a call (Java language specification §15.12.2).
//!
//! A statement of a test names a member by its exact descriptor; source code names it by its name and the static
//! types of the arguments. The writer prints a call only when both agree, and adds casts until they do.
//!
//! # Differences
//! Types are compared by their erasure and type parameters of methods stand for their bounds: more members count as
//! applicable than `javac` would find. (Among those to which `null` is passed the most specific one is found by type
//! arguments as well: `Properties` is no `Map<String, V>`.) Since the wanted member is applicable, that can only ask for a cast that was
//! not needed. Arguments are never lambdas or method references.

use std::sync::Arc;

use bytecode::class_info::{ClassInfo, Deprecation, MethodInfo};
use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, TypeArgument, TypeParameter};

use super::access::Viewpoint;

/// A method or constructor as a call site sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// The class that declares it.
    pub declared_in: ClassName,
    /// Its descriptor as declared.
    pub descriptor: Arc<str>,
    /// Its parameter types as members of the receiver's type, erased.
    pub parameters: Vec<ErasedType>,
    /// Whether it takes a variable number of arguments.
    pub varargs: bool,
    /// The same with type arguments, where type parameters of the method itself may be anything.
    pub generic: Vec<GenericType>,
    /// Parameters whose types mention type parameters of the method itself, where these are at least two: what is
    /// inferred from one then decides whether the others fit.
    pub correlated: Vec<usize>,
    /// How calling it is warned of, if it is.
    pub deprecated: Option<Deprecation>,
}

/// What is above what.
pub(crate) trait Subtyping {
    /// Whether a reference of erased type `sub` needs no cast to be used as `sup`.
    fn is_erased_subtype(&self, sub: &ErasedType, sup: &ErasedType) -> bool;

    /// The same of types with arguments, without an unchecked warning.
    fn is_subtype(&self, sub: &GenericType, sup: &GenericType) -> bool;
}

impl Subtyping for ClassHierarchy {
    fn is_erased_subtype(&self, sub: &ErasedType, sup: &ErasedType) -> bool {
        Self::is_erased_subtype(self, sub, sup)
    }

    fn is_subtype(&self, sub: &GenericType, sup: &GenericType) -> bool {
        Self::is_subtype(self, sub, sup)
    }
}

/// Static type of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `null`
    Null,
    /// A type, erased.
    Typed(ErasedType),
}

/// The phase in which a member was found applicable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// By subtyping alone (§15.12.2.2).
    Strict,
    /// With boxing (§15.12.2.3).
    Loose,
    /// With a variable number of arguments (§15.12.2.4).
    Variable,
}

const PHASES: [Phase; 3] = [Phase::Strict, Phase::Loose, Phase::Variable];

/// The member that a call resolves to, by its index, and the phase; `None` when none is applicable or several are
/// and none of them is the most specific.
pub(crate) fn resolve(
    members: &[Member],
    arguments: &[Shape],
    types: &dyn Subtyping,
) -> Option<(usize, Phase)> {
    let judge = Judge { types };
    for phase in PHASES {
        let applicable: Vec<usize> =
            (0..members.len()).filter(|&index| judge.applies(&members[index], arguments, phase)).collect();
        if !applicable.is_empty() {
            return judge.most_specific(members, &applicable, arguments, phase).map(|best| (best, phase));
        }
    }
    None
}

struct Judge<'a> {
    types: &'a dyn Subtyping,
}

impl Judge<'_> {
    fn applies(&self, member: &Member, arguments: &[Shape], phase: Phase) -> bool {
        if phase != Phase::Variable {
            return member.parameters.len() == arguments.len()
                && arguments
                    .iter()
                    .zip(&member.parameters)
                    .all(|(argument, parameter)| self.accepts(parameter, argument, phase));
        }
        member.varargs
            && arguments.len() + 1 >= member.parameters.len()
            && arguments.iter().enumerate().all(|(index, argument)| {
                expanded(member, index).is_some_and(|parameter| self.accepts(parameter, argument, phase))
            })
    }

    fn accepts(&self, parameter: &ErasedType, argument: &Shape, phase: Phase) -> bool {
        let Shape::Typed(argument) = argument else {
            return !matches!(parameter, ErasedType::Primitive(_));
        };
        if self.is_more_specific_type(argument, parameter) {
            return true;
        }
        if phase == Phase::Strict {
            return false;
        }
        match (argument, parameter) {
            (ErasedType::Primitive(argument), ErasedType::Class(_)) => {
                self.types.is_erased_subtype(&ErasedType::Class(argument.boxed()), parameter)
            }
            (ErasedType::Class(argument), ErasedType::Primitive(parameter)) => {
                PrimitiveType::unboxed(argument).is_some_and(|unboxed| unboxed.widens_to(*parameter))
            }
            _ => false,
        }
    }

    /// Subtyping, among primitive types too (§4.10.1).
    fn is_more_specific_type(&self, sub: &ErasedType, sup: &ErasedType) -> bool {
        match (sub, sup) {
            (ErasedType::Primitive(sub), ErasedType::Primitive(sup)) => sub.widens_to(*sup),
            (ErasedType::Primitive(_), _) | (_, ErasedType::Primitive(_)) => false,
            _ => self.types.is_erased_subtype(sub, sup),
        }
    }

    /// §15.12.2.5; members overridden by others are not among the candidates.
    fn most_specific(
        &self,
        members: &[Member],
        applicable: &[usize],
        arguments: &[Shape],
        phase: Phase,
    ) -> Option<usize> {
        let better = |one: usize, other: usize| {
            self.is_more_specific(&members[one], &members[other], arguments, phase)
        };
        let mut maximal = applicable.iter().copied().filter(|&one| {
            applicable.iter().all(|&other| one == other || !better(other, one) || better(one, other))
        });
        let best = maximal.next();
        if maximal.next().is_some() { None } else { best }
    }

    fn is_more_specific(&self, one: &Member, other: &Member, arguments: &[Shape], phase: Phase) -> bool {
        // Erased, `f(Object, Function)` of `<T> f(T, Function<T, T>)` is above `f(Supplier, Function)`, but no
        // `T` makes it so. Arguments with types usually rule one of the two out; `null` does not.
        if other.correlated.iter().any(|&index| arguments.get(index) == Some(&Shape::Null)) {
            return false;
        }
        let mut nulls = (0..arguments.len()).filter(|&index| arguments[index] == Shape::Null);
        if nulls.any(|index| !self.fits_type_arguments(one, other, index)) {
            return false;
        }
        let arguments = arguments.len();
        if phase != Phase::Variable {
            return one
                .parameters
                .iter()
                .zip(&other.parameters)
                .all(|(one, other)| self.is_more_specific_type(one, other));
        }
        let compared = if other.parameters.len() == arguments + 1 { arguments + 1 } else { arguments };
        (0..compared).all(|index| match (expanded(one, index), expanded(other, index)) {
            (Some(one), Some(other)) => self.is_more_specific_type(one, other),
            _ => false,
        })
    }

    /// Whether type arguments let a parameter be as specific as that of another member. They decide between members to
    /// which `null` is passed, both of which apply.
    fn fits_type_arguments(&self, one: &Member, other: &Member, index: usize) -> bool {
        let (Some(one), Some(other)) = (one.generic.get(index), other.generic.get(index)) else {
            return true;
        };
        let has_arguments = other.as_class().is_some_and(|class| !class.arguments.is_empty());
        !has_arguments || self.types.is_subtype(one, other)
    }
}

/// The parameter type for an argument when the last parameter is expanded to as many as needed.
fn expanded(member: &Member, index: usize) -> Option<&ErasedType> {
    let last = member.parameters.len().checked_sub(1)?;
    match (member.parameters.get(index.min(last))?, index >= last) {
        (ErasedType::Array(element), true) => Some(element),
        (_, true) => None,
        (parameter, false) => Some(parameter),
    }
}

impl Viewpoint<'_> {
    /// Member methods of that name of a receiver's type that the test may call, overridden ones left out;
    /// `None` when the class file of the receiver is missing.
    pub(crate) fn methods(&self, receiver: &ClassType, name: &str) -> Option<Vec<Member>> {
        self.hierarchy.class(&receiver.name)?;
        let mut found: Vec<Member> = Vec::new();
        // Overriders that the test may not access hide what they override all the same.
        let mut hiding: Vec<(ClassName, Vec<ErasedType>)> = Vec::new();
        let supertypes = self.hierarchy.supertypes(&receiver.name);
        let object = ClassName::object();
        let implied = (!supertypes.contains(&object)).then_some(&object);
        for declared_in in supertypes.iter().chain(implied) {
            let Some(info) = self.hierarchy.class(declared_in) else {
                continue;
            };
            let inherited = *declared_in != receiver.name;
            for method in info.methods.iter().filter(|method| &*method.name == name) {
                let not_inherited = inherited && info.is_interface() && method.access.is_static();
                // Kotlin's bridges are not marked synthetic; `javac` prefers what they bridge to.
                let bridge = method.access.is_bridge()
                    && info.methods.iter().any(|other| {
                        !other.access.is_bridge()
                            && other.name == method.name
                            && other.erased.parameters == method.erased.parameters
                    });
                if not_inherited || bridge || method.access.is_synthetic() || method.access.is_private() {
                    continue;
                }
                let member = self.member(receiver, &info, method);
                let overridden = hiding
                    .iter()
                    .any(|(class, parameters)| class != declared_in && *parameters == member.parameters);
                if overridden {
                    continue;
                }
                hiding.push((declared_in.clone(), member.parameters.clone()));
                if self.inherits(&receiver.name, declared_in, method.access) {
                    found.push(member);
                }
            }
        }
        Some(found)
    }

    /// Constructors of a class that the test may call, those of an abstract class by an anonymous subclass; `None`
    /// when its class file is missing. The enclosing instance of an inner class is no parameter of theirs.
    pub(crate) fn constructors(&self, class: &ClassType) -> Option<Vec<Member>> {
        let info = self.hierarchy.class(&class.name)?;
        let constructors = info.methods.iter().filter(|method| {
            method.is_constructor()
                && !method.access.is_synthetic()
                && (self.can_access(class.name.package(), method.access)
                    || info.access.is_abstract() && method.access.is_protected())
        });
        let skip = usize::from(info.is_inner());
        Some(
            constructors
                .map(|method| {
                    let mut member = self.member(class, &info, method);
                    member.parameters.drain(..skip.min(member.parameters.len()));
                    member.generic.drain(..skip.min(member.generic.len()));
                    member
                })
                .collect(),
        )
    }

    /// A method seen as a member of the receiver's type: its type variables replaced by what they stand for there.
    pub(crate) fn member(&self, receiver: &ClassType, info: &ClassInfo, method: &MethodInfo) -> Member {
        let substitution = self
            .hierarchy
            .as_super(receiver, &info.name)
            .filter(|_| !method.access.is_static())
            .and_then(|class| self.hierarchy.substitution_of(info, &class));
        let own = &method.generic.type_parameters;
        let declared = method.generic.parameters.iter();
        let generic = declared.map(|parameter| {
            let parameter = inferable(parameter, own);
            substitution.as_ref().map_or_else(|| parameter.clone(), |known| parameter.substitute(known))
        });
        let generic = generic.collect();
        let parameters = match substitution {
            Some(substitution) => {
                let bounds = |parameter: &TypeParameter| TypeParameter {
                    name: parameter.name.clone(),
                    bounds: parameter.bounds.iter().map(|bound| bound.substitute(&substitution)).collect(),
                };
                let scope: Vec<TypeParameter> = method.generic.type_parameters.iter().map(bounds).collect();
                let parameters = method.generic.parameters.iter();
                parameters.map(|parameter| parameter.substitute(&substitution).erase(&scope)).collect()
            }
            None => method.erased.parameters.clone(),
        };
        Member {
            declared_in: info.name.clone(),
            descriptor: method.descriptor.clone(),
            parameters,
            generic,
            varargs: method.access.is_varargs(),
            correlated: correlated(method),
            deprecated: method.deprecated.max(info.deprecated),
        }
    }

    /// Whether a wildcard in the receiver's type keeps `javac` from accepting an argument that is not `null`: the
    /// parameter is declared with a type variable that a wildcard stands for (§5.1.10), and no type but a subtype of
    /// a lower bound is known to fit.
    pub(crate) fn is_captured(
        &self,
        receiver: &ClassType,
        info: &ClassInfo,
        parameter: &GenericType,
        argument: &GenericType,
    ) -> bool {
        let Some(class) = self.hierarchy.as_super(receiver, &info.name) else {
            return false;
        };
        info.signature.parameters.iter().zip(&class.arguments).any(|(variable, bound)| {
            let whole = *parameter == GenericType::Variable(variable.name.clone());
            mentions(parameter, &variable.name)
                && match bound {
                    TypeArgument::Exact(_) => false,
                    TypeArgument::Extends(_) | TypeArgument::Unbounded => true,
                    TypeArgument::Super(bound) => !(whole && self.hierarchy.is_subtype(argument, bound)),
                }
        })
    }
}

fn correlated(method: &MethodInfo) -> Vec<usize> {
    let own = &method.generic.type_parameters;
    let parameters = method.generic.parameters.iter().enumerate();
    let found: Vec<usize> = parameters
        .filter(|(_, parameter)| own.iter().any(|variable| mentions(parameter, &variable.name)))
        .map(|(index, _)| index)
        .collect();
    if found.len() > 1 { found } else { Vec::new() }
}

/// A type whose arguments that mention one of these type parameters are wildcards: whatever is inferred.
fn inferable(of: &GenericType, own: &[TypeParameter]) -> GenericType {
    let GenericType::Class(class) = of else { return of.clone() };
    let mut class = class.clone();
    for argument in &mut class.arguments {
        let mentions = |parameter: &TypeParameter| {
            argument.bound().is_some_and(|bound| mentions(bound, &parameter.name))
        };
        if own.iter().any(mentions) {
            *argument = TypeArgument::Unbounded;
        }
    }
    GenericType::Class(class)
}

/// Whether a type variable occurs in a type.
pub(crate) fn mentions(of: &GenericType, variable: &str) -> bool {
    match of {
        GenericType::Primitive(_) => false,
        GenericType::Variable(name) => &**name == variable,
        GenericType::Array(element) => mentions(element, variable),
        GenericType::Class(class) => {
            let arguments =
                class.arguments.iter().chain(class.outer.iter().flat_map(|outer| &outer.arguments));
            arguments.filter_map(|argument| argument.bound()).any(|bound| mentions(bound, variable))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `O` is above all, `C` above `S` (think of `Object`, `CharSequence`, `String`).
    struct Sketch;

    impl Subtyping for Sketch {
        fn is_erased_subtype(&self, sub: &ErasedType, sup: &ErasedType) -> bool {
            is_subtype(sub, sup)
        }

        fn is_subtype(&self, _: &GenericType, _: &GenericType) -> bool {
            unreachable!("nothing has arguments")
        }
    }

    fn is_subtype(sub: &ErasedType, sup: &ErasedType) -> bool {
        let rank = |of: &ErasedType| match of.descriptor().as_str() {
            "Ljava/lang/Object;" => Some(0),
            "LC;" => Some(1),
            "LS;" => Some(2),
            _ => None,
        };
        match (sub, sup) {
            (ErasedType::Array(sub), ErasedType::Array(sup)) => is_subtype(sub, sup),
            (ErasedType::Primitive(_), _) => sub == sup,
            _ => sub == sup || rank(sup) == Some(0) || (rank(sub) >= rank(sup) && rank(sup).is_some()),
        }
    }

    fn member(parameters: &str, varargs: bool) -> Member {
        let descriptor = format!("({parameters})V");
        let parsed = bytecode::descriptor::MethodDescriptor::parse(&descriptor).unwrap();
        Member {
            declared_in: ClassName::new("Foo"),
            descriptor: descriptor.into(),
            parameters: parsed.parameters,
            varargs,
            generic: Vec::new(),
            correlated: Vec::new(),
            deprecated: None,
        }
    }

    /// Candidates separated by spaces, `...` behind a varargs one; `null` or descriptors of the arguments.
    fn check(candidates: &str, arguments: &str, expect: Option<(usize, Phase)>) {
        let object = |text: &str| text.replace('O', "Ljava/lang/Object;");
        let members: Vec<Member> = candidates
            .split(' ')
            .map(|text| member(&object(text.trim_end_matches("...")), text.ends_with("...")))
            .collect();
        let shapes: Vec<Shape> = arguments
            .split_whitespace()
            .map(|text| match text {
                "null" => Shape::Null,
                _ => Shape::Typed(ErasedType::parse(&object(text)).unwrap()),
            })
            .collect();
        assert_eq!(resolve(&members, &shapes, &Sketch), expect, "{candidates} called with {arguments}");
    }

    #[test]
    fn the_most_specific_of_the_applicable_members_is_chosen() {
        check("O LC; LS;", "LS;", Some((2, Phase::Strict)));
        check("O LC; LS;", "LC;", Some((1, Phase::Strict)));
        check("O LC; LS;", "null", Some((2, Phase::Strict)));
        check("J D O", "I", Some((0, Phase::Strict)));
        check("S I J", "B", Some((0, Phase::Strict)));
    }

    #[test]
    fn boxing_comes_second_and_varargs_last() {
        check("J Ljava/lang/Integer;", "I", Some((0, Phase::Strict)));
        check("Ljava/lang/Integer; O", "I", Some((0, Phase::Loose)));
        check("J O", "Ljava/lang/Integer;", Some((1, Phase::Strict)));
        check("[I... O", "I", Some((1, Phase::Loose)));
        check("[O... LS;", "LS; LS;", Some((0, Phase::Variable)));
        check("[O... I[O...", "", Some((0, Phase::Variable)));
    }

    #[test]
    fn an_array_is_passed_as_it_is_where_it_can_be() {
        check("[O...", "[LS;", Some((0, Phase::Strict)));
        check("[O...", "[I", Some((0, Phase::Variable)));
        check("[O...", "null", Some((0, Phase::Strict)));
    }

    #[test]
    fn calls_that_no_member_is_best_for_are_refused() {
        check("LS; Ljava/lang/Integer;", "null", None);
        check("OLS; LS;O", "LS; LS;", None);
        check("I", "J", None);
        check("I...", "I", Some((0, Phase::Strict)));
        check("[I... [J...", "I I", Some((0, Phase::Variable)));
        check("[I... [Ljava/lang/Integer;...", "I", None);
    }
}
