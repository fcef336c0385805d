//! What a test implements itself: a lambda where one answer is all there is to say, else an anonymous class.
//!
//! Both stand in a variable of the type that they implement. A lambda among the arguments of a call would take part in
//! the choice between overloads (Java language specification §15.12.2.1), a variable of a declared type does so like
//! any other value.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType};
use testcase::cluster::{Parameter, Stub, StubId, StubMethod, TypeId};
use testcase::statement::{Answer, Answers, Script, Statement};
use testcase::test_case::TestCase;

use super::body::Body;
use super::calls::member_name;
use super::{Lowering, Unprintable, is_reifiable};
use crate::junit::ast::{Anonymous, Expr, Implementation, Reply, Warning};
use crate::junit::imports::source_path;
use crate::junit::literals::Context;
use crate::junit::naming::variables::{Scope, parameter_name, type_word};
use crate::junit::naming::words::capitalized;

/// Keeps variables of the test from getting the names of fields that the anonymous classes of the test inherit, and
/// that would hide them there (Java language specification §6.4.1).
pub(super) fn reserve_members(context: &Lowering<'_>, test: &TestCase, scope: &mut Scope<'_>) {
    let mut seen = BTreeSet::new();
    for statement in test.statements() {
        let Statement::Stub { stub, script } = statement else {
            continue;
        };
        let stub = context.cluster.stub(*stub);
        if !is_lambda(stub, script) && seen.insert(stub.of) {
            for sup in supertypes(context, stub.of).iter() {
                for field in context.view.hierarchy.class(sup).iter().flat_map(|info| &info.fields) {
                    scope.reserve(&field.name);
                }
            }
        }
    }
}

fn supertypes(context: &Lowering<'_>, of: TypeId) -> Arc<[ClassName]> {
    match context.cluster.ty(of).generic.as_class() {
        Some(class) => context.view.hierarchy.supertypes(&class.name),
        None => Arc::default(),
    }
}

/// Whether a lambda says it all.
fn is_lambda(stub: &Stub, script: &Script) -> bool {
    stub.is_functional && script.answers.iter().all(|answers| answers.len() < 2)
}

impl Body<'_> {
    /// A stub as the expression that makes it.
    pub(super) fn stub(&mut self, id: StubId, script: &Script) -> Result<Expr, Unprintable> {
        let stub = self.context.cluster.stub(id);
        if let ([method], true) = (stub.methods.as_slice(), is_lambda(stub, script)) {
            let parameters = self.parameter_names(&method.parameters, &[]);
            let reply = match script.answers.first().and_then(|answers| answers.first()) {
                Some(answer) => self.reply(method, *answer, &parameters)?,
                None => Reply::Nothing,
            };
            return Ok(Expr::Lambda { parameters, body: Box::new(reply) });
        }
        let class = self.anonymous(stub, script)?;
        self.check_names_inside(stub, &class)?;
        Ok(Expr::Anonymous(Box::new(class)))
    }

    fn anonymous(&mut self, stub: &Stub, script: &Script) -> Result<Anonymous, Unprintable> {
        let of = self.context.cluster.ty(stub.of).generic.as_class().cloned();
        let of = of.unwrap_or_else(|| ClassType::new(ClassName::object()));
        let (outer, arguments) = match stub.constructor {
            Some(constructor) => match self.constructor(constructor, &script.arguments)? {
                Expr::New { outer, arguments, .. } => (outer.map(|outer| *outer), arguments),
                _ => (None, Vec::new()),
            },
            None => (None, Vec::new()),
        };
        let counted = script.answers.iter().filter(|answers| answers.len() > 1).count();
        let (mut methods, mut counters) = (Vec::new(), Vec::new());
        for (method, answers) in stub.methods.iter().zip(&script.answers) {
            if answers.len() > 1 {
                let wished = if counted == 1 {
                    "calls".to_owned()
                } else {
                    format!("callsOf{}", capitalized(&method.name))
                };
                counters.push(self.scope.lend(&wished, &counters));
            }
            let counter = if answers.len() > 1 { counters.last().cloned() } else { None };
            methods.push(self.implementation(stub, method, answers, counter, &counters)?);
        }
        Ok(Anonymous { outer, of, arguments, methods })
    }

    fn implementation(
        &mut self,
        stub: &Stub,
        method: &StubMethod,
        answers: &Answers,
        counter: Option<String>,
        counters: &[String],
    ) -> Result<Implementation, Unprintable> {
        let cluster = self.context.cluster;
        let names = self.parameter_names(&method.parameters, counters);
        let mut replies = Vec::with_capacity(answers.len());
        for answer in answers {
            replies.push(self.reply(method, *answer, &names)?);
        }
        let types = || method.parameters.iter().map(|parameter| &cluster.ty(parameter.of).generic);
        let result = method.result.map(|of| &cluster.ty(of).generic);
        for of in types().chain(result) {
            self.name_type(of)?;
        }
        let varargs =
            method.access.is_varargs() && matches!(types().next_back(), Some(GenericType::Array(_)));
        if varargs && types().next_back().is_some_and(|of| !is_reifiable(of)) {
            self.suppressed.insert(Warning::Unchecked);
        }
        if self.is_deprecated(stub, method) {
            self.suppressed.insert(Warning::Deprecation);
        }
        let access = if method.access.is_public() {
            "public "
        } else if method.access.is_protected() {
            "protected "
        } else {
            ""
        };
        Ok(Implementation {
            counter,
            access,
            result: result.cloned(),
            name: member_name(&method.name)?,
            parameters: types().cloned().zip(names).collect(),
            varargs,
            throws: self.thrown_by(method, answers),
            replies,
        })
    }

    fn reply(
        &mut self,
        method: &StubMethod,
        answer: Answer,
        parameters: &[String],
    ) -> Result<Reply, Unprintable> {
        Ok(match (answer, method.result) {
            (Answer::Value(value), Some(result)) => {
                let context = self.context_of(value, result);
                Reply::Value(self.operand(value, context)?)
            }
            (Answer::Parameter(index), _) => match parameters.get(usize::from(index)) {
                Some(name) => Reply::Value(Expr::Variable(name.clone())),
                None => Reply::Nothing,
            },
            (Answer::Throw(thrown), _) => Reply::Throw(self.operand(thrown, Context::Argument)?),
            (Answer::Value(_) | Answer::Return, _) => Reply::Nothing,
        })
    }

    /// Names for parameters: those of the class file where they say something, else by their types.
    fn parameter_names(&self, parameters: &[Parameter], others: &[String]) -> Vec<String> {
        let (cluster, hierarchy) = (self.context.cluster, self.context.view.hierarchy);
        let mut taken = others.to_vec();
        let mut names = Vec::with_capacity(parameters.len());
        for (index, parameter) in parameters.iter().enumerate() {
            let alike = |other: &Parameter| other.of == parameter.of;
            let wished = match parameter_name(parameter) {
                Some(name) => name,
                None if parameters.len() == 2 && parameters.iter().all(alike) => {
                    ["first", "second"][index].to_owned()
                }
                None if parameter.of.index() < TypeId::WELL_KNOWN => "value".to_owned(),
                None => type_word(hierarchy, &cluster.ty(parameter.of).generic),
            };
            let name = self.scope.lend(&wished, &taken);
            taken.push(name.clone());
            names.push(name);
        }
        names
    }

    /// The checked exceptions among what a method throws, as it declares them.
    fn thrown_by(&self, method: &StubMethod, answers: &Answers) -> Vec<ClassName> {
        let hierarchy = self.context.view.hierarchy;
        let mut found: Vec<ClassName> = Vec::new();
        for answer in answers {
            let Answer::Throw(thrown) = answer else {
                continue;
            };
            let of = self.variable_type(*thrown);
            let Some(class) = of.as_class().filter(|class| self.context.view.is_checked(&class.name)) else {
                continue;
            };
            let declared = method.exceptions.iter().find(|sup| hierarchy.is_subclass(&class.name, sup));
            let name = declared.filter(|sup| self.context.view.can_name(sup)).unwrap_or(&class.name);
            if !found.contains(name) {
                found.push(name.clone());
            }
        }
        found
    }

    /// Overriding a deprecated method is warned of like calling it.
    fn is_deprecated(&self, stub: &Stub, method: &StubMethod) -> bool {
        let hierarchy = self.context.view.hierarchy;
        supertypes(&self.context, stub.of).iter().filter_map(|sup| hierarchy.class(sup)).any(|info| {
            info.method(&method.name, &method.descriptor).is_some_and(|declared| declared.deprecated)
        })
    }

    /// A member class that an anonymous class inherits hides a class of the same simple name in its body.
    fn check_names_inside(&self, stub: &Stub, class: &Anonymous) -> Result<(), Unprintable> {
        let hierarchy = self.context.view.hierarchy;
        let sups = supertypes(&self.context, stub.of);
        let members: Vec<ClassName> = sups
            .iter()
            .filter_map(|sup| hierarchy.class(sup))
            .flat_map(|info| info.member_classes.clone())
            .collect();
        let mut hidden = None;
        class.for_each_class_inside(&mut |used| {
            let (top, path) = source_path(hierarchy, used);
            let hides = |member: &&ClassName| {
                source_path(hierarchy, member).1.last().is_some_and(|name| name == top.base_name())
                    && !(path.is_empty() && *member == used)
            };
            if members.iter().any(|member| hides(&member)) {
                hidden = Some(used.binary());
            }
        });
        hidden.map_or(Ok(()), |name| Err(Unprintable::Hidden(name)))
    }
}
