//! Calls that stubs make of what they are passed: `callback -> callback.doInTransaction(status)`, or, told to a mock,
//! `call -> call.<Runnable>getArgument(0).run()`.

use bytecode::descriptor::PrimitiveType;
use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use testcase::cluster::callbacks::Callback;
use testcase::cluster::{Callable, StubMethod};
use testcase::statement::{Answer, VarRef};

use super::body::Body;
use super::calls::member_name;
use super::stubs::nothing_of;
use super::{Lowering, Unprintable};
use crate::junit::ast::{Expr, Receiver, Warning};
use crate::junit::implementations::Reply;

/// What a method of a stub calls in an answer.
pub(super) fn called_back<'m>(method: &'m StubMethod, answer: &Answer) -> Option<&'m Callback> {
    let Answer::CallBack(number, _) = answer else { return None };
    method.callbacks.get(usize::from(*number))
}

impl Lowering<'_> {
    /// The checked exceptions of what a method calls in these answers: those that it may throw itself, and whether there are others.
    pub(super) fn thrown_by_called(&self, method: &StubMethod, answers: &[Answer]) -> (Vec<ClassName>, bool) {
        let (mut found, mut has_others) = (Vec::new(), false);
        for called in answers.iter().filter_map(|answer| called_back(method, answer)) {
            for thrown in &self.cluster.callable(called.callable).exceptions {
                let may = |declared: &&ClassName| self.view.hierarchy.is_subclass(thrown, declared);
                match method.exceptions.iter().find(may) {
                    Some(_) => found.push(thrown.clone()),
                    None => has_others = true,
                }
            }
        }
        (found, has_others)
    }
}

impl Body<'_> {
    /// What a method does that calls `receiver`, which it was passed.
    pub(super) fn call_back(
        &mut self,
        method: &StubMethod,
        called: &Callback,
        passed: impl Iterator<Item = VarRef>,
        receiver: Expr,
    ) -> Result<Reply, Unprintable> {
        let callable = self.context.cluster.callable(called.callable);
        self.suppressed.extend(callable.deprecated.map(Warning::from));
        let mut arguments = Vec::with_capacity(callable.parameters.len());
        for (value, parameter) in passed.zip(&callable.parameters) {
            let context = self.context_of(value, parameter.of);
            arguments.push(self.operand(value, context)?);
        }
        let call = receiver.call_with(&member_name(&callable.name)?, arguments);
        let result = method.result.map(|of| &self.context.cluster.ty(of).generic);
        Ok(match nothing_of(result) {
            _ if called.gives => Reply::Value(call),
            Reply::Value(nothing) => Reply::Call { call, then: Some(nothing) },
            Reply::Throw(_) | Reply::Nothing | Reply::Call { .. } => Reply::Call { call, then: None },
        })
    }

    /// As [`Body::call_back`], as a lambda that a mock is told.
    pub(super) fn told_to_call(
        &mut self,
        method: &StubMethod,
        called: &Callback,
        passed: impl Iterator<Item = VarRef>,
    ) -> Result<Reply, Unprintable> {
        let parameter = self.scope.lend("call", &[]);
        let of = &self.context.cluster.ty(method.parameters[usize::from(called.parameter)].of).generic;
        let of = self.called_type(of, self.context.cluster.callable(called.callable));
        self.name_type(&of)?;
        let argument = Expr::Call {
            receiver: Receiver::Object(Box::new(Expr::Variable(parameter.clone()))),
            type_arguments: vec![of],
            name: "getArgument".to_owned(),
            arguments: vec![Expr::Literal(called.parameter.to_string())],
        };
        let result = method.result.map(|of| &self.context.cluster.ty(of).generic);
        let body = match self.call_back(method, called, passed, argument)? {
            Reply::Call { call, then: None } => Reply::Call { call, then: Some(Expr::null()) },
            // Mockito wants a number of the result's own type.
            Reply::Call { call, then: Some(zero) } if result.is_some_and(is_cast) => {
                Reply::Call { call, then: result.cloned().map(|of| zero.cast(of)) }
            }
            other @ (Reply::Value(_) | Reply::Throw(_) | Reply::Nothing | Reply::Call { .. }) => other,
        };
        Ok(Reply::Value(Expr::Lambda { parameters: vec![parameter], recording: None, body: Box::new(body) }))
    }

    /// The type under which something is called: without arguments only where its own stand in what the method takes.
    fn called_type(&mut self, of: &GenericType, callable: &Callable) -> GenericType {
        if !self.context.view.is_raw(of) {
            return of.clone();
        }
        let declared = self.context.view.hierarchy.class(&callable.declared_in);
        let declared = declared.as_ref().and_then(|class| class.method(&callable.name, &callable.descriptor));
        // A type as it is after erasure mentions no variable of the class.
        let takes_plain = declared.is_some_and(|method| {
            let erased = method.erased.parameters.iter().map(GenericType::from);
            erased.eq(method.generic.parameters.iter().cloned())
        });
        if takes_plain {
            return self.context.view.with_wildcards(of);
        }
        self.suppressed.extend([Warning::RawTypes, Warning::Unchecked]);
        of.clone()
    }
}

/// Whether a literal zero is not of this type as it stands.
fn is_cast(result: &GenericType) -> bool {
    match result {
        GenericType::Primitive(of) => !matches!(of, PrimitiveType::Boolean | PrimitiveType::Int),
        GenericType::Class(_) | GenericType::Array(_) | GenericType::Variable(_) => false,
    }
}
