//! What was called of an object that the test implements itself: its methods write into a list, which is asserted.

use std::collections::BTreeSet;

use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, TypeArgument};
use testcase::assertion::{Container, ObservedValue};
use testcase::cluster::{Stub, StubMethod};
use testcase::statement::VarRef;
use testcase::value::Value;

use super::body::Body;
use super::mock_calls::calls_of;
use crate::junit::ast::{Expr, Receiver, Stmt};
use crate::junit::naming::variables::wishes;

impl Body<'_> {
    /// Declares the list of calls of a stub, where these are asserted.
    pub(super) fn declare_calls(&mut self, stub: VarRef) {
        if self.recorded_methods(stub).is_empty() || self.context.is_mock(self.test, stub) {
            return;
        }
        let of = wishes(self.context.cluster, self.context.view.hierarchy, &self.test.test, stub);
        let of = of.first().map_or("stub", String::as_str);
        let name = self.scope.give(&format!("{of}Calls"));
        let string = GenericType::class("java/lang/String");
        let of = ClassType {
            arguments: vec![TypeArgument::Exact(string)],
            ..ClassType::new(ClassName::new("java/util/List"))
        };
        let class = ClassName::new("java/util/ArrayList");
        let value = Expr::New { outer: None, class, diamond: true, arguments: Vec::new() };
        self.push(Stmt::Declare { of: GenericType::Class(of), name: name.clone(), value });
        self.calls.insert(stub, name);
    }

    /// The methods of a stub whose calls are recorded: those that are expected to be called.
    fn recorded_methods(&self, stub: VarRef) -> BTreeSet<u16> {
        calls_of(self.test, stub).iter().map(|call| call.method).collect()
    }

    /// What a method of a stub does first, with these names of its parameters; `None` where its calls are not asserted.
    pub(super) fn recording(
        &self,
        variable: VarRef,
        stub: &Stub,
        method: &StubMethod,
        parameters: &[String],
    ) -> Option<Expr> {
        let list = self.calls.get(&variable)?;
        let number = stub.methods.iter().position(|other| other == method)?;
        if !self.recorded_methods(variable).contains(&u16::try_from(number).ok()?) {
            return None;
        }
        let cluster = self.context.cluster;
        let told = method.parameters.iter().zip(parameters);
        let told = told.filter(|(parameter, _)| cluster.is_told_by_text(parameter.of));
        let mut parts: Vec<Expr> = Vec::new();
        let mut text = format!("{}(", method.name);
        for (index, (_, name)) in told.enumerate() {
            text.push_str(if index == 0 { "" } else { ", " });
            parts.push(Expr::Text(std::mem::take(&mut text).as_str().into()));
            parts.push(Expr::Variable(name.clone()));
        }
        parts.push(Expr::Text(format!("{text})").as_str().into()));
        let receiver = Receiver::Object(Box::new(Expr::Variable(list.clone())));
        let told = if parts.len() == 1 { parts.remove(0) } else { Expr::Concat(parts) };
        let arguments = vec![told];
        Some(Expr::Call { receiver, type_arguments: Vec::new(), name: "add".to_owned(), arguments })
    }

    /// That the calls of a stub were these.
    pub(super) fn calls_equality(&self, stub: VarRef, expected: &ObservedValue) -> Option<Expr> {
        let ObservedValue::Calls(calls) = expected else { return None };
        let text = |text: &testcase::value::JavaString| ObservedValue::Primitive(Value::String(text.clone()));
        let texts: Vec<ObservedValue> = calls.iter().map(|call| text(&call.text)).collect();
        let expected = self.container(Container::List, &texts)?;
        let actual = Expr::Variable(self.calls.get(&stub)?.clone());
        Some(Expr::assertion("assertEquals", vec![expected, actual]))
    }
}
