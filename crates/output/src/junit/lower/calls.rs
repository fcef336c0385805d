//! Calls and field accesses that mean the very member that the test case names, with as few casts as that takes.

use bytecode::class_info::ClassInfo;
use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::identifier::is_identifier;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, TypeArgument};
use testcase::cluster::{Callable, CallableId, CallableKind, Field, FieldId, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

use super::body::Body;
use super::{Unprintable, is_reifiable};
use crate::junit::ast::{Expr, Receiver, Warning};
use crate::junit::literals::{Context, boxed_literal, literal};
use crate::junit::overload::{Member, Phase, Shape, mentions, resolve};

/// A form in which an argument can be written, and its static type.
#[derive(Debug, Clone)]
struct Form {
    expr: Expr,
    shape: Shape,
}

/// An argument in all its forms, the plainest first. The last one is of the parameter's own type.
type Forms = Vec<Form>;

/// An argument that stands for itself, and the type of the parameter that it is passed for.
#[derive(Debug, Clone, Copy)]
enum Passed {
    Variable(VarRef, TypeId),
    /// An unwritten element of an array that is passed element by element.
    Default(TypeId),
}

/// How a receiver is written.
#[derive(Debug, Clone)]
struct View {
    object: Expr,
    class: ClassType,
    /// Its generic class is used raw, so the result is erased.
    raw: bool,
    /// It was made raw to get past a wildcard or a clash.
    forced: bool,
    /// Its cast cannot be checked.
    unchecked: bool,
}

impl Body<'_> {
    /// A method call. `used` tells whether anything reads the result.
    pub(super) fn method(
        &mut self,
        id: CallableId,
        receiver: Option<VarRef>,
        arguments: &[VarRef],
        used: bool,
    ) -> Result<Expr, Unprintable> {
        match receiver {
            Some(receiver) => {
                let object = self.operand(receiver, Context::Argument)?;
                let of = self.variable_type(receiver);
                self.method_on(id, object, &of, arguments, used)
            }
            None => self.static_method(id, arguments),
        }
    }

    fn static_method(&mut self, id: CallableId, arguments: &[VarRef]) -> Result<Expr, Unprintable> {
        let callable = self.context.cluster.callable(id);
        self.note(callable);
        self.note_source(callable);
        let class = self.static_class(callable.owner, &callable.declared_in, callable.in_interface)?;
        let members = self.context.view.methods(&ClassType::new(class.clone()), &callable.name);
        let arguments = self.resolved(callable, members, &ClassType::new(class.clone()), arguments)?;
        Ok(Expr::Call {
            receiver: Receiver::Class(class),
            type_arguments: Vec::new(),
            name: member_name(&callable.name)?,
            arguments,
        })
    }

    /// Notes a result that is declared raw.
    fn note_source(&mut self, callable: &Callable) {
        let hierarchy = self.context.view.hierarchy;
        let result = hierarchy.class(&callable.declared_in).and_then(|info| {
            info.method(&callable.name, &callable.descriptor).and_then(|method| method.generic.result.clone())
        });
        if let Some(declared) = result {
            self.note_source_type(&declared, callable.result);
        }
    }

    /// The class through which a static member is named: the one that declares it, if the test may name that.
    fn static_class(
        &self,
        owner: TypeId,
        declared_in: &ClassName,
        in_interface: bool,
    ) -> Result<ClassName, Unprintable> {
        if self.context.view.can_name(declared_in) || in_interface {
            self.name_class(declared_in)?;
            return Ok(declared_in.clone());
        }
        let owner = self.context.cluster.ty(owner).generic.as_class().map(|class| class.name.clone());
        let owner = owner.unwrap_or_else(|| declared_in.clone());
        self.name_class(&owner)?;
        Ok(owner)
    }

    /// A method called on an object of static type `of`.
    pub(super) fn method_on(
        &mut self,
        id: CallableId,
        object: Expr,
        of: &GenericType,
        arguments: &[VarRef],
        used: bool,
    ) -> Result<Expr, Unprintable> {
        let cluster = self.context.cluster;
        let callable = cluster.callable(id);
        self.note(callable);
        self.note_source(callable);
        let name = member_name(&callable.name)?;
        let mut failure = Unprintable::Hidden(shown(callable));
        for view in self.views(object, of, callable.owner, &callable.declared_in) {
            if !view.forced && self.is_captured(callable, &view.class, arguments) {
                continue;
            }
            let members = self.context.view.methods(&view.class, &callable.name);
            match self.resolved(callable, members, &view.class, arguments) {
                Ok(arguments) => {
                    self.note_view(&view);
                    let call = Expr::Call {
                        receiver: Receiver::Object(Box::new(view.object)),
                        type_arguments: Vec::new(),
                        name,
                        arguments,
                    };
                    return self.result_of_raw(callable, call, view.raw, used);
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    /// The ways to write a receiver, plainest first: as it is, as the owner of the member, as the class that
    /// declares it, and that class without type arguments.
    fn views(&mut self, object: Expr, of: &GenericType, owner: TypeId, declared_in: &ClassName) -> Vec<View> {
        let own = of.as_class().cloned().unwrap_or_else(|| ClassType::new(ClassName::object()));
        let mut views = vec![self.view(object.clone(), own.clone(), &own)];
        let hierarchy = self.context.view.hierarchy;
        let owner = self.context.cluster.ty(owner).generic.as_class().cloned();
        let declaring = hierarchy.as_super(&own, declared_in);
        for class in owner.into_iter().chain(declaring) {
            let cast = GenericType::Class(class.clone());
            let known = views.iter().any(|view| view.class == class);
            if !known
                && self.context.view.can_name_type(&cast)
                && hierarchy.is_subclass(&own.name, &class.name)
            {
                views.push(self.view(object.clone().cast(cast), class, &own));
            }
        }
        if !own.arguments.is_empty() {
            let raw = ClassType::new(own.name.clone());
            let object = object.cast(GenericType::Class(raw.clone()));
            views.push(View { forced: true, ..self.view(object, raw, &own) });
        }
        views
    }

    fn view(&self, object: Expr, class: ClassType, own: &ClassType) -> View {
        let as_type = |class: &ClassType| GenericType::Class(class.clone());
        let checked = self.context.view.hierarchy.is_subtype(&as_type(own), &as_type(&class));
        View {
            object,
            raw: class.arguments.is_empty() && self.context.is_raw(&as_type(&class)),
            class,
            forced: false,
            unchecked: !checked,
        }
    }

    /// Notes the warnings that a cast of a receiver brings.
    fn note_view(&mut self, view: &View) {
        if view.unchecked {
            self.suppressed.insert(Warning::Unchecked);
        }
        if view.raw && matches!(view.object, Expr::Cast { .. }) {
            self.suppressed.insert(Warning::RawTypes);
        }
    }

    /// What a call on a raw receiver needs: its arguments are unchecked, and its result is erased.
    fn result_of_raw(
        &mut self,
        callable: &Callable,
        call: Expr,
        raw: bool,
        used: bool,
    ) -> Result<Expr, Unprintable> {
        if !raw {
            return Ok(call);
        }
        let Some(info) = self.context.view.hierarchy.class(&callable.declared_in) else {
            return Ok(call);
        };
        let Some(method) = info.method(&callable.name, &callable.descriptor) else {
            return Ok(call);
        };
        if method.generic.parameters.iter().any(|parameter| mentions_any(&info, parameter)) {
            self.suppressed.insert(Warning::Unchecked);
        }
        let wanted = callable.result.map(|of| self.context.cluster.ty(of));
        match (wanted, &method.erased.result) {
            (Some(wanted), Some(erased)) if used && wanted.generic != GenericType::from(erased) => {
                let of = wanted.generic.clone();
                self.name_type(&of)?;
                self.suppressed.insert(Warning::Unchecked);
                Ok(call.cast(of))
            }
            _ => Ok(call),
        }
    }

    /// Whether a wildcard of the receiver's type keeps an argument out.
    fn is_captured(&self, callable: &Callable, receiver: &ClassType, arguments: &[VarRef]) -> bool {
        let hierarchy = self.context.view.hierarchy;
        let Some(info) = hierarchy.class(&callable.declared_in) else {
            return false;
        };
        let Some(method) = info.method(&callable.name, &callable.descriptor) else {
            return false;
        };
        arguments.iter().zip(&method.generic.parameters).any(|(&argument, parameter)| {
            let null = self.is_inline(argument)
                && matches!(self.test.test.statement(argument), Statement::Null { .. });
            !null && self.context.view.is_captured(receiver, &info, parameter, &self.variable_type(argument))
        })
    }

    /// A constructor call.
    pub(super) fn constructor(&mut self, id: CallableId, arguments: &[VarRef]) -> Result<Expr, Unprintable> {
        let cluster = self.context.cluster;
        let callable = cluster.callable(id);
        self.note(callable);
        let owner = &cluster.ty(callable.owner).generic;
        let Some(class) = owner.as_class().cloned() else {
            return Err(Unprintable::Hidden(shown(callable)));
        };
        self.name_class(&class.name)?;
        let inner = usize::from(callable.takes_enclosing_instance).min(arguments.len());
        let outer = match arguments.first() {
            Some(&outer) if inner == 1 => Some(Box::new(self.operand(outer, Context::Argument)?)),
            _ => None,
        };
        let members = self.context.view.constructors(&class);
        let arguments = self.resolved(callable, members, &class, &arguments[inner..])?;
        let diamond = match self.context.view.hierarchy.class(&class.name) {
            Some(info) => !info.signature.parameters.is_empty(),
            None => !class.arguments.is_empty(),
        };
        Ok(Expr::New { outer, class: class.name, diamond, arguments })
    }

    /// Arguments written so that the call resolves to the callable among these members. Without members, the
    /// class file being missing, it is taken to resolve.
    fn resolved(
        &mut self,
        callable: &Callable,
        members: Option<Vec<Member>>,
        receiver: &ClassType,
        arguments: &[VarRef],
    ) -> Result<Vec<Expr>, Unprintable> {
        let skipped = callable.parameters.len().saturating_sub(arguments.len());
        let parameters = callable.parameters.iter().skip(skipped).map(|parameter| parameter.of);
        let passed: Vec<Passed> =
            arguments.iter().zip(parameters).map(|(&argument, of)| Passed::Variable(argument, of)).collect();
        self.note_unchecked(callable, &passed);
        let Some(members) = members else {
            let forms = self.forms(&passed, None, false)?;
            return Ok(forms
                .into_iter()
                .filter_map(|forms| forms.into_iter().next())
                .map(|form| form.expr)
                .collect());
        };
        let target =
            self.target(callable, &members, receiver).ok_or_else(|| Unprintable::Hidden(shown(callable)))?;
        if members[target].varargs
            && let Some(spread) = self.spread(&passed, callable)
            && let Some(arguments) = self.choose(&spread, &members, target, true)?
        {
            return Ok(arguments);
        }
        let chosen = self.choose(&passed, &members, target, false)?;
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
            let parameterized = wanted.into_iter().chain(declared.get(skipped + index)).any(is_parameterized);
            if parameterized && self.context.is_raw(&self.variable_type(variable)) {
                self.suppressed.insert(Warning::Unchecked);
            }
        }
    }

    /// The callable among the members that a call site sees.
    fn target(&self, callable: &Callable, members: &[Member], receiver: &ClassType) -> Option<usize> {
        let exact = members.iter().position(|member| {
            member.declared_in == callable.declared_in && member.descriptor == callable.descriptor
        });
        if exact.is_some() || callable.kind != CallableKind::InstanceMethod {
            return exact; // a static method of a subclass hides, it does not override
        }
        let info = self.context.view.hierarchy.class(&callable.declared_in)?;
        let method = info.method(&callable.name, &callable.descriptor)?;
        let wanted = self.context.view.member(receiver, &info, method);
        members.iter().position(|member| member.parameters == wanted.parameters)
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

    /// The forms of each argument. `target` gives the erased types that the member declares; `varargs` asks for
    /// forms of the elements of its last parameter.
    fn forms(
        &mut self,
        passed: &[Passed],
        target: Option<&Member>,
        spread: bool,
    ) -> Result<Vec<Forms>, Unprintable> {
        let mut all = Vec::with_capacity(passed.len());
        for (index, &argument) in passed.iter().enumerate() {
            let declared = target.and_then(|member| {
                let last = member.parameters.len().checked_sub(1)?;
                match &member.parameters[index.min(last)] {
                    ErasedType::Array(element) if spread && index >= last => Some((**element).clone()),
                    parameter => Some(parameter.clone()),
                }
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
            match self.test.test.statement(variable) {
                Statement::Null { .. } => shape = Shape::Null,
                Statement::Primitive { value, boxed: true } => {
                    let of = value.primitive_type().map(ErasedType::Primitive);
                    forms.extend(of.map(|of| Form { expr: plain.clone(), shape: Shape::Typed(of) }));
                    castable = boxed_literal(value);
                }
                _ => {}
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
        members: &[Member],
        target: usize,
        spread: bool,
    ) -> Result<Option<Vec<Expr>>, Unprintable> {
        let forms = self.forms(passed, Some(&members[target]), spread)?;
        let hierarchy = self.context.view.hierarchy;
        let array = match passed.last() {
            Some(Passed::Variable(_, of) | Passed::Default(of)) if members[target].varargs && !spread => {
                Some(&self.context.cluster.ty(*of).erased)
            }
            _ => None,
        };
        let hits = |picked: &[usize]| {
            let shapes: Vec<Shape> =
                picked.iter().zip(&forms).map(|(&pick, forms)| forms[pick].shape.clone()).collect();
            let vague = array.is_some_and(|array| is_vague(array, shapes.last(), hierarchy));
            let resolved = resolve(members, &shapes, &|sub, sup| hierarchy.is_erased_subtype(sub, sup));
            !vague
                && resolved
                    .is_some_and(|(member, phase)| member == target && (phase == Phase::Variable) == spread)
        };
        let picked = search(&forms, &hits);
        let Some(picked) = picked else {
            return Ok(None);
        };
        let chosen: Vec<Expr> =
            picked.iter().zip(&forms).map(|(&pick, forms)| forms[pick].expr.clone()).collect();
        for expr in &chosen {
            if let Expr::Cast { to, .. } = expr {
                self.name_type(to)?;
            }
        }
        Ok(Some(chosen))
    }

    /// A field, of an object or static. `write` where it is assigned to.
    pub(super) fn field(
        &mut self,
        id: FieldId,
        receiver: Option<VarRef>,
        write: bool,
    ) -> Result<Expr, Unprintable> {
        let field = self.context.cluster.field(id);
        let name = member_name(&field.name)?;
        if let Some(info) = self.context.view.hierarchy.class(&field.declared_in)
            && let Some(found) = info.field(&field.name)
        {
            if found.deprecated {
                self.suppressed.insert(Warning::Deprecation);
            }
            self.note_source_type(&found.generic, Some(field.of));
        }
        let Some(receiver) = receiver else {
            let class = self.static_class(field.owner, &field.declared_in, false)?;
            if !self.finds(field, &ClassType::new(class.clone())) {
                return Err(Unprintable::Hidden(format!("{}.{name}", class.binary())));
            }
            return Ok(Expr::Constant { class, name });
        };
        let object = self.operand(receiver, Context::Argument)?;
        let of = self.variable_type(receiver);
        for view in self.views(object, &of, field.owner, &field.declared_in) {
            let captured = write && !view.forced && self.is_captured_field(field, &view.class);
            if captured || !self.finds(field, &view.class) {
                continue;
            }
            if view.raw && self.is_generic_field(field) {
                self.suppressed.insert(Warning::Unchecked);
            }
            self.note_view(&view);
            let access = Expr::Field { object: Box::new(view.object), name };
            let of = self.context.cluster.ty(field.of).generic.clone();
            let erased = view.raw && !write && self.is_generic_field(field);
            return Ok(if erased { access.cast(of) } else { access });
        }
        Err(Unprintable::Hidden(format!("{}.{name}", field.declared_in.binary())))
    }

    /// Whether the name means the field in a class: no other field between hides it (Java language specification
    /// §8.3, §6.5.6.2).
    fn finds(&self, field: &Field, class: &ClassType) -> bool {
        let hierarchy = self.context.view.hierarchy;
        if hierarchy.class(&class.name).is_none() {
            return true;
        }
        let declaring = hierarchy.supertypes(&class.name).into_iter().find(|name| {
            let found = hierarchy.class(name);
            found.is_some_and(|info| {
                let visible =
                    |access| *name == class.name || self.context.view.inherits(&class.name, name, access);
                info.field(&field.name)
                    .is_some_and(|found| !found.access.is_synthetic() && visible(found.access))
            })
        });
        declaring.as_ref() == Some(&field.declared_in)
    }

    fn is_generic_field(&self, field: &Field) -> bool {
        let info = self.context.view.hierarchy.class(&field.declared_in);
        info.is_some_and(|info| {
            info.field(&field.name).is_some_and(|found| mentions_any(&info, &found.generic))
        })
    }

    fn is_captured_field(&self, field: &Field, receiver: &ClassType) -> bool {
        let info = self.context.view.hierarchy.class(&field.declared_in);
        info.is_some_and(|info| {
            let of = &self.context.cluster.ty(field.of).generic;
            info.field(&field.name)
                .is_some_and(|found| self.context.view.is_captured(receiver, &info, &found.generic, of))
        })
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
fn is_parameterized(of: &GenericType) -> bool {
    of.as_class().is_some_and(|class| {
        class.arguments.iter().any(|argument| !matches!(argument, TypeArgument::Unbounded))
    })
}

fn mentions_any(info: &ClassInfo, of: &GenericType) -> bool {
    info.signature.parameters.iter().any(|variable| mentions(of, &variable.name))
}

/// The name of a member, if Java can write it.
fn member_name(name: &str) -> Result<String, Unprintable> {
    if is_identifier(name) { Ok(name.to_owned()) } else { Err(Unprintable::Name(name.to_owned())) }
}

/// A callable for messages.
fn shown(callable: &Callable) -> String {
    format!("{}.{}{}", callable.declared_in.binary(), callable.name, callable.descriptor)
}
