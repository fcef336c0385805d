//! Calls that mean the very member that the test case names.

use bytecode::class_info::ClassInfo;
use bytecode::identifier::is_identifier;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType};
use testcase::cluster::folder::FolderCall;
use testcase::cluster::settings::setting_of;
use testcase::cluster::{Callable, CallableId, TypeId};
use testcase::statement::{Statement, VarRef};

use super::Unprintable;
use super::body::Body;
use crate::junit::access::Viewpoint;
use crate::junit::ast::{Expr, Receiver, Warning};
use crate::junit::layout::simple_name;
use crate::junit::literals::Context;
use crate::junit::overload::mentions;

/// How a receiver is written.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub object: Expr,
    pub class: ClassType,
    /// Its generic class is used raw, so the result is erased.
    pub raw: bool,
    /// It was made raw to get past a wildcard or a clash.
    pub forced: bool,
    /// Its cast cannot be checked.
    pub unchecked: bool,
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
        if let Some(receiver) = receiver {
            let object = self.operand(receiver, Context::Argument)?;
            let of = self.variable_type(receiver);
            return self.method_on(id, object, &of, arguments, used);
        }
        let callable = self.context.cluster.callable(id);
        if let Some(setting) = setting_of(callable) {
            return self.setting_call(setting, callable, arguments);
        }
        match FolderCall::of(callable) {
            Some(call) => self.folder_call(call, callable, arguments, used),
            None => self.static_method(id, arguments),
        }
    }

    fn static_method(&mut self, id: CallableId, arguments: &[VarRef]) -> Result<Expr, Unprintable> {
        let callable = self.context.cluster.callable(id);
        self.note(callable);
        self.note_source(callable);
        let class = self.static_class(callable.owner, &callable.declared_in, callable.in_interface)?;
        let of = ClassType::new(class.clone());
        let methods = |view: Viewpoint<'_>| view.methods(&of, &callable.name);
        let arguments = self.resolved(callable, &methods, &of, arguments)?;
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
    pub(super) fn static_class(
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
            let methods = |from: Viewpoint<'_>| from.methods(&view.class, &callable.name);
            match self.resolved(callable, &methods, &view.class, arguments) {
                Ok(arguments) => {
                    self.note_view(&view);
                    let call = Expr::Call {
                        receiver: Receiver::Object(Box::new(view.object)),
                        type_arguments: Vec::new(),
                        name,
                        arguments,
                    };
                    if view.raw {
                        return self.result_of_raw(callable, call, used);
                    }
                    if used && self.gives_raw(callable, &view.class.name) {
                        self.suppressed.insert(Warning::Unchecked);
                    }
                    return Ok(call);
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    /// The ways to write a receiver, plainest first: as it is, as the owner of the member, as the class that
    /// declares it, and that class without type arguments.
    pub(super) fn views(
        &mut self,
        object: Expr,
        of: &GenericType,
        owner: TypeId,
        declared_in: &ClassName,
    ) -> Vec<View> {
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
            raw: class.arguments.is_empty() && self.context.view.is_raw(&as_type(&class)),
            class,
            forced: false,
            unchecked: !checked,
        }
    }

    /// Notes the warnings that a cast of a receiver brings.
    pub(super) fn note_view(&mut self, view: &View) {
        if view.unchecked {
            self.suppressed.insert(Warning::Unchecked);
        }
        if view.raw && matches!(view.object, Expr::Cast { .. }) {
            self.suppressed.insert(Warning::RawTypes);
        }
    }

    /// What a call on a raw receiver needs: its arguments are unchecked, and its result is erased.
    fn result_of_raw(&mut self, callable: &Callable, call: Expr, used: bool) -> Result<Expr, Unprintable> {
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

    /// Whether the method that `javac` finds in a class is declared to give a raw type, where the one that it overrides gives one with
    /// arguments: `Iterator iterator()` of an `Iterable<String>`.
    fn gives_raw(&self, callable: &Callable, class: &ClassName) -> bool {
        let has_arguments = |of: &GenericType| of.as_class().is_some_and(|class| !class.arguments.is_empty());
        let wanted = callable.result.map(|of| &self.context.cluster.ty(of).generic);
        if !wanted.is_some_and(has_arguments) {
            return false;
        }
        let hierarchy = self.context.view.hierarchy;
        let nearest = hierarchy.supertypes(class).iter().find_map(|class| {
            let info = hierarchy.class(class)?;
            info.method(&callable.name, &callable.descriptor)?.generic.result.clone()
        });
        nearest.is_some_and(|result| result.as_class().is_some() && !has_arguments(&result))
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

    /// An enclosing instance: cast to the class that declares the inner one where a subclass has another member class
    /// of that name (Java language specification §8.5).
    fn enclosing(
        &mut self,
        object: Expr,
        of: &GenericType,
        wanted: Option<TypeId>,
        inner: &ClassName,
    ) -> Result<Expr, Unprintable> {
        let hierarchy = self.context.view.hierarchy;
        let name = simple_name(hierarchy, inner);
        let found = of.as_class().and_then(|class| {
            hierarchy.supertypes(&class.name).iter().find_map(|class| {
                let members = hierarchy.class(class)?.member_classes.clone();
                members.into_iter().find(|member| simple_name(hierarchy, member) == name)
            })
        });
        match wanted {
            Some(wanted) if found.is_some_and(|found| found != *inner) => {
                let wanted = self.context.cluster.ty(wanted).generic.clone();
                self.name_type(&wanted)?;
                Ok(object.cast(wanted))
            }
            _ => Ok(object),
        }
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
            Some(&outer) if inner == 1 => {
                let object = self.operand(outer, Context::Argument)?;
                let wanted = callable.parameters.first().map(|parameter| parameter.of);
                Some(Box::new(self.enclosing(object, &self.variable_type(outer), wanted, &class.name)?))
            }
            _ => None,
        };
        let constructors = |view: Viewpoint<'_>| view.constructors(&class);
        let arguments = self.resolved(callable, &constructors, &class, &arguments[inner..])?;
        let diamond = match self.context.view.hierarchy.class(&class.name) {
            Some(info) => !info.signature.parameters.is_empty(),
            None => !class.arguments.is_empty(),
        };
        Ok(Expr::New { outer, class: class.name, diamond, arguments })
    }
}

pub(super) fn mentions_any(info: &ClassInfo, of: &GenericType) -> bool {
    info.signature.parameters.iter().any(|variable| mentions(of, &variable.name))
}

/// The name of a member, if Java can write it.
pub(super) fn member_name(name: &str) -> Result<String, Unprintable> {
    if is_identifier(name) { Ok(name.to_owned()) } else { Err(Unprintable::Name(name.to_owned())) }
}

/// A callable for messages.
pub(super) fn shown(callable: &Callable) -> String {
    format!("{}.{}{}", callable.declared_in.binary(), callable.name, callable.descriptor)
}
