//! Arguments written so that `javac` picks the member that the test case names, with as few casts as that takes.

use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::signature::{ClassType, GenericType, TypeArgument};
use bytecode::subtyping::raw;
use testcase::cluster::{Callable, CallableKind, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

use super::body::Body;
use super::calls::shown;
use super::{Unprintable, is_reifiable};
use crate::junit::access::Viewpoint;
use crate::junit::ast::{Expr, Warning};
use crate::junit::literals::{Context, boxed_literal, literal};
use crate::junit::overload::{Member, Phase, Shape, resolve};

/// A form in which an argument can be written, and its static type.
#[derive(Debug, Clone)]
struct Form {
    expr: Expr,
    shape: Shape,
}

/// An argument in all its forms, the plainest first. The last one is of the parameter's own type.
type Forms = Vec<Form>;

/// Which casts are among the forms of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Casts {
    /// To the parameter's type as the test case has it.
    Inferable,
    /// Also to the erasure of the parameter's declared type.
    All,
}

/// An argument that stands for itself, and the type of the parameter that it is passed for.
#[derive(Debug, Clone, Copy)]
enum Passed {
    Variable(VarRef, TypeId),
    /// An unwritten element of an array that is passed element by element.
    Default(TypeId),
}

/// What a call may mean where it is compiled against one release of the platform.
struct Candidates<'a> {
    members: Vec<Member>,
    /// The member that is meant.
    target: usize,
    /// Whether it is called on a raw type, so that type arguments of its parameters count for nothing.
    is_raw: bool,
    types: &'a ClassHierarchy,
}

impl Candidates<'_> {
    fn wanted(&self) -> &Member {
        &self.members[self.target]
    }

    /// Whether arguments of these static types call the member that is meant, spread over its last parameter or not.
    fn pick_target(&self, shapes: &[Shape], spread: bool) -> bool {
        let resolved = resolve(&self.members, shapes, self.types);
        resolved.is_some_and(|(member, phase)| member == self.target && (phase == Phase::Variable) == spread)
    }
}

/// The callable among the members that a call site sees.
fn target(
    view: Viewpoint<'_>,
    callable: &Callable,
    members: &[Member],
    receiver: &ClassType,
) -> Option<usize> {
    let exact = members.iter().position(|member| {
        member.declared_in == callable.declared_in && member.descriptor == callable.descriptor
    });
    if exact.is_some() || callable.kind != CallableKind::InstanceMethod {
        return exact; // a static method of a subclass hides, it does not override
    }
    let info = view.hierarchy.class(&callable.declared_in)?;
    let method = info.method(&callable.name, &callable.descriptor)?;
    let wanted = view.member(receiver, &info, method);
    members.iter().position(|member| member.parameters == wanted.parameters)
}

impl Body<'_> {
    /// Arguments written so that the call resolves to the callable among the members that are seen, whichever release
    /// of the platform it is compiled against. Without members, the class file being missing, it is taken to resolve.
    pub(super) fn resolved(
        &mut self,
        callable: &Callable,
        members: &dyn Fn(Viewpoint<'_>) -> Option<Vec<Member>>,
        receiver: &ClassType,
        arguments: &[VarRef],
    ) -> Result<Vec<Expr>, Unprintable> {
        let skipped = callable.parameters.len().saturating_sub(arguments.len());
        let parameters = callable.parameters.iter().skip(skipped).map(|parameter| parameter.of);
        let passed: Vec<Passed> =
            arguments.iter().zip(parameters).map(|(&argument, of)| Passed::Variable(argument, of)).collect();
        self.note_unchecked(callable, &passed);
        let mut candidates = Vec::new();
        for view in std::iter::once(self.context.view).chain(self.context.later) {
            if let Some(members) = members(view) {
                let target = target(view, callable, &members, receiver);
                let target = target.ok_or_else(|| Unprintable::Hidden(shown(callable)))?;
                let is_raw =
                    callable.kind == CallableKind::InstanceMethod && self.context.view.is_raw_class(receiver);
                candidates.push(Candidates { members, target, is_raw, types: view.hierarchy });
            }
        }
        let Some(first) = candidates.first() else {
            let forms = self.forms(&passed, None, false, Casts::All)?;
            return Ok(forms
                .into_iter()
                .filter_map(|forms| forms.into_iter().next())
                .map(|form| form.expr)
                .collect());
        };
        let deprecated = candidates.iter().filter_map(|candidates| candidates.wanted().deprecated);
        self.suppressed.extend(deprecated.map(Warning::from));
        if first.wanted().varargs
            && let Some(spread) = self.spread(&passed, callable)
            && let Some(arguments) = self.choose(&spread, &candidates, true)?
        {
            return Ok(arguments);
        }
        let chosen = self.choose(&passed, &candidates, false)?;
        chosen.ok_or_else(|| Unprintable::Overload(shown(callable)))
    }

    /// Passing a raw type where a parameterized one is wanted, in the cluster or in the declaration, is unchecked
    /// (Java language specification §5.1.9).
    fn note_unchecked(&mut self, callable: &Callable, passed: &[Passed]) {
        let info = self.context.view.hierarchy.class(&callable.declared_in);
        let method = info.as_ref().and_then(|info| info.method(&callable.name, &callable.descriptor));
        let declared = method.map_or(&[][..], |method| &method.generic.parameters);
        let skipped = declared.len().saturating_sub(passed.len());
        for (index, argument) in passed.iter().enumerate() {
            let Passed::Variable(variable, parameter) = *argument else {
                continue;
            };
            let wanted = Some(&self.context.cluster.ty(parameter).generic);
            let own = self.variable_type(variable);
            let mut wanted = wanted.into_iter().chain(declared.get(skipped + index));
            if wanted.any(|wanted| self.converts_unchecked(&own, wanted)) {
                self.suppressed.insert(Warning::Unchecked);
            }
        }
    }

    /// Whether a type is parameterized, and the other one's supertype of that class raw.
    pub(super) fn converts_unchecked(&self, from: &GenericType, to: &GenericType) -> bool {
        match (from, to) {
            (GenericType::Array(from), GenericType::Array(to)) => self.converts_unchecked(from, to),
            (GenericType::Class(from), GenericType::Class(to)) if is_parameterized(to) => {
                let found = self.context.view.hierarchy.as_super(from, &to.name);
                found.is_some_and(|found| found.arguments.is_empty())
            }
            _ => false,
        }
    }

    /// The arguments with the elements of a last array in its place, where the array is written only here.
    fn spread(&self, passed: &[Passed], callable: &Callable) -> Option<Vec<Passed>> {
        let (Passed::Variable(array, _), fixed) = passed.split_last().map(|(last, fixed)| (*last, fixed))?
        else {
            return None;
        };
        let cluster = self.context.cluster;
        let &Statement::Array { of, length } = self.test.test.statement(array) else {
            return None;
        };
        let element = cluster.ty(of).element?;
        let plan = self.plan.arrays.get(&array.index())?;
        let listed = plan.has_initializer() || length == 0;
        if !self.is_inline(array) || !listed || !is_reifiable(&cluster.ty(of).generic) {
            return None;
        }
        // The array that `javac` makes must be of the same class: for `T...` that follows from the elements.
        let declared_variable = !callable.type_arguments.is_empty();
        let same = |variable: &VarRef| self.type_of(*variable) == Some(element);
        if declared_variable
            && (length == 0 || !plan.elements.iter().all(|value| value.as_ref().is_some_and(same)))
        {
            return None;
        }
        let elements = plan.elements.iter().map(|value| match value {
            Some(variable) => Passed::Variable(*variable, element),
            None => Passed::Default(element),
        });
        Some(fixed.iter().copied().chain(elements).collect())
    }

    /// The forms of each argument. `target` gives the erased types that the member declares.
    fn forms(
        &mut self,
        passed: &[Passed],
        target: Option<&Member>,
        spread: bool,
        casts: Casts,
    ) -> Result<Vec<Forms>, Unprintable> {
        let mut all = Vec::with_capacity(passed.len());
        for (index, &argument) in passed.iter().enumerate() {
            let declared = target.and_then(|member| {
                if casts == Casts::Inferable && member.correlated.contains(&index) {
                    return None;
                }
                let last = member.parameters.len().checked_sub(1)?;
                let parameter = &member.parameters[index.min(last)];
                if let ErasedType::Array(element) = parameter
                    && spread
                    && index >= last
                {
                    return Some((**element).clone());
                }
                Some(parameter.clone())
            });
            all.push(match argument {
                Passed::Variable(variable, of) => self.variable_forms(variable, of, declared)?,
                Passed::Default(of) => vec![self.default_form(of)],
            });
        }
        Ok(all)
    }

    fn default_form(&self, of: TypeId) -> Form {
        if let Some(primitive) = of.as_primitive() {
            return Form {
                expr: literal(&Value::zero(primitive), Context::Argument),
                shape: Shape::Typed(ErasedType::Primitive(primitive)),
            };
        }
        let declared = self.context.cluster.ty(of);
        Form {
            expr: Expr::null().cast(declared.generic.clone()),
            shape: Shape::Typed(declared.erased.clone()),
        }
    }

    fn variable_forms(
        &mut self,
        variable: VarRef,
        parameter: TypeId,
        declared: Option<ErasedType>,
    ) -> Result<Forms, Unprintable> {
        let cluster = self.context.cluster;
        let plain = self.operand(variable, Context::Argument)?;
        let own = self.type_of(variable).map_or_else(|| cluster.ty(TypeId::OBJECT), |of| cluster.ty(of));
        let mut forms = Vec::new();
        let (mut shape, mut castable) = (Shape::Typed(own.erased.clone()), plain.clone());
        if self.is_inline(variable) {
            let statement = self.test.test.statement(variable);
            if let Statement::Null { .. } = statement {
                shape = Shape::Null;
            } else if let Statement::Primitive { value, boxed: true } = statement {
                let of = value.primitive_type().map(ErasedType::Primitive);
                forms.extend(of.map(|of| Form { expr: plain.clone(), shape: Shape::Typed(of) }));
                castable = boxed_literal(value);
            }
        }
        forms.push(Form { expr: castable.clone(), shape: shape.clone() });
        if matches!(shape, Shape::Typed(ErasedType::Primitive(_))) {
            return Ok(forms);
        }
        let wanted = cluster.ty(parameter);
        let erased = declared.map(|of| (GenericType::from(&of), of));
        let casts = std::iter::once((wanted.generic.clone(), wanted.erased.clone())).chain(erased);
        for (of, erased) in casts {
            let known = forms.iter().any(|form| form.shape == Shape::Typed(erased.clone()));
            // A cast chooses an overload, it never asks for what the value may not be.
            let upward =
                shape == Shape::Null || self.context.view.hierarchy.is_erased_subtype(&own.erased, &erased);
            if !known && upward && self.context.view.can_name_type(&of) {
                forms.push(Form { expr: castable.clone().cast(of), shape: Shape::Typed(erased) });
            }
        }
        Ok(forms)
    }

    /// The plainest forms with which the call resolves to the target: none changed, one changed, or all changed
    /// and as many as possible changed back.
    fn choose(
        &mut self,
        passed: &[Passed],
        candidates: &[Candidates<'_>],
        spread: bool,
    ) -> Result<Option<Vec<Expr>>, Unprintable> {
        // Where one argument is cast to the bound of a type parameter, `Object`, the others no longer fit if what is
        // inferred from them is a narrower type: such casts are the last resort.
        if candidates.iter().any(|candidates| !candidates.wanted().correlated.is_empty()) {
            let chosen = self.choose_among(Casts::Inferable, passed, candidates, spread)?;
            if chosen.is_some() {
                return Ok(chosen);
            }
        }
        self.choose_among(Casts::All, passed, candidates, spread)
    }

    fn choose_among(
        &mut self,
        casts: Casts,
        passed: &[Passed],
        candidates: &[Candidates<'_>],
        spread: bool,
    ) -> Result<Option<Vec<Expr>>, Unprintable> {
        let wanted = candidates.first().map(Candidates::wanted);
        let forms = self.forms(passed, wanted, spread, casts)?;
        let hierarchy = self.context.view.hierarchy;
        let array = match passed.last() {
            Some(Passed::Variable(_, of) | Passed::Default(of))
                if wanted.is_some_and(|wanted| wanted.varargs) && !spread =>
            {
                Some(&self.context.cluster.ty(*of).erased)
            }
            _ => None,
        };
        let hits = |picked: &[usize]| {
            let shapes: Vec<Shape> =
                picked.iter().zip(&forms).map(|(&pick, forms)| forms[pick].shape.clone()).collect();
            let vague = array.is_some_and(|array| is_vague(array, shapes.last(), hierarchy));
            !vague && candidates.iter().all(|candidates| candidates.pick_target(&shapes, spread))
        };
        let picked = search(&forms, &hits);
        let Some(picked) = picked else {
            return Ok(None);
        };
        let mut chosen: Vec<Expr> =
            picked.iter().zip(&forms).map(|(&pick, forms)| forms[pick].expr.clone()).collect();
        let is_raw = candidates.first().is_none_or(|candidates| candidates.is_raw);
        if let Some(wanted) = wanted.filter(|_| !spread && !is_raw) {
            self.take_raw(passed, wanted, &mut chosen);
        }
        for expr in &chosen {
            if let Expr::Cast { to, .. } = expr {
                self.name_type(to)?;
            }
        }
        Ok(Some(chosen))
    }
}

impl Body<'_> {
    /// Has arguments be of the raw type of their parameter where their own type arguments keep them out of it: the test case may know
    /// the member from a raw type, which takes more than the one that it is called on here.
    fn take_raw(&mut self, passed: &[Passed], wanted: &Member, arguments: &mut [Expr]) {
        for ((argument, parameter), expr) in passed.iter().zip(&wanted.generic).zip(arguments) {
            let Passed::Variable(variable, _) = *argument else { continue };
            let own = if let Expr::Cast { to, .. } = expr {
                to.clone()
            } else if self.follows_its_target(variable) {
                continue;
            } else {
                self.variable_type(variable)
            };
            if self.is_refused(&own, parameter) {
                let plain = std::mem::replace(expr, Expr::null());
                *expr = plain.cast(raw(parameter));
                self.suppressed.insert(Warning::RawTypes);
                self.suppressed.insert(Warning::Unchecked);
            }
        }
    }

    /// Whether an argument is written as what takes its type arguments from where it is passed (Java language specification §15.2):
    /// `null`, a generic object made there, a call of a generic method, a lambda.
    pub(super) fn follows_its_target(&self, variable: VarRef) -> bool {
        if !self.is_inline(variable) {
            return false;
        }
        let statement = self.test.test.statement(variable);
        let is_plain_object = matches!(statement, Statement::Constructor { .. })
            && self.variable_type(variable).as_class().is_some_and(|class| class.arguments.is_empty());
        !is_plain_object && !matches!(statement, Statement::ClassLiteral { .. } | Statement::FieldRead { .. })
    }

    /// Whether a type is kept out of another one by type arguments alone.
    pub(super) fn is_refused(&self, own: &GenericType, wanted: &GenericType) -> bool {
        let hierarchy = self.context.view.hierarchy;
        matches!(wanted, GenericType::Class(class) if is_parameterized(class))
            && wanted.is_concrete()
            && hierarchy.is_subtype(own, &raw(wanted))
            && !hierarchy.is_subtype(own, wanted)
            && !self.converts_unchecked(own, wanted)
    }
}

/// Whether an argument for the array of a varargs method, instantiated, could as well be meant as one element of it:
/// that compiles with a warning that asks for a cast.
fn is_vague(array: &ErasedType, shape: Option<&Shape>, hierarchy: &ClassHierarchy) -> bool {
    match (array, shape) {
        (_, Some(Shape::Null)) => true,
        (ErasedType::Array(element), Some(Shape::Typed(of))) => {
            array != of && hierarchy.is_erased_subtype(of, element)
        }
        _ => false,
    }
}

/// Searches for the plainest choice of forms that hits.
fn search(forms: &[Forms], hits: &dyn Fn(&[usize]) -> bool) -> Option<Vec<usize>> {
    let plain = vec![0; forms.len()];
    if hits(&plain) {
        return Some(plain);
    }
    for (index, all) in forms.iter().enumerate() {
        for pick in 1..all.len() {
            let mut picked = plain.clone();
            picked[index] = pick;
            if hits(&picked) {
                return Some(picked);
            }
        }
    }
    let mut picked: Vec<usize> = forms.iter().map(|forms| forms.len() - 1).collect();
    if !hits(&picked) {
        return None;
    }
    for index in 0..picked.len() {
        for plainer in 0..picked[index] {
            let kept = std::mem::replace(&mut picked[index], plainer);
            if hits(&picked) {
                break;
            }
            picked[index] = kept;
        }
    }
    Some(picked)
}

/// Whether a type has arguments other than unbounded wildcards.
fn is_parameterized(of: &ClassType) -> bool {
    of.arguments.iter().any(|argument| !matches!(argument, TypeArgument::Unbounded))
}
