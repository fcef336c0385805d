//! What was called of a mock: each call is verified, in order where there are several, and that there were no others where the
//! interface has no default methods and the test tells all calls.
//!
//! A test case tells calls by their text, and by the variables that were passed. Where the text does not say what was passed, as one of
//! several strings may hold a comma, the stub is no mock. What reads `null` is taken for no object: who runs the test finds out
//! whether it was that word.

use bytecode::descriptor::PrimitiveType;
use bytecode::signature::GenericType;
use testcase::assertion::{Assertion, ObservationTarget, ObservedValue, StubCall};
use testcase::cluster::{Parameter, Stub, StubMethod, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

use super::assertions::named_type;
use super::body::Body;
use super::calls::member_name;
use super::mocks::is_open_ended;
use super::{Lowering, Unprintable};
use crate::asserted_test::AssertedTest;
use crate::junit::ast::{Expr, IN_ORDER, Stmt, Warning};
use crate::junit::literals::{Context, literal};

impl Lowering<'_> {
    /// Whether all calls of a stub that a test asserts can be verified.
    pub(super) fn can_verify(&self, test: &AssertedTest, variable: VarRef, stub: &Stub) -> bool {
        calls_of(test, variable).iter().all(|call| {
            let method = stub.methods.get(usize::from(call.method));
            method.is_some_and(|method| self.can_match(method) && self.arguments(method, call).is_some())
        })
    }

    /// By parameter what was passed in a call, `None` where its text does not tell; `None` where it cannot be read. What looks like a text is
    /// taken for one where any object may be passed, unless it is the name of an enum constant: should it have been another object, the assertion
    /// does not hold when the test is verified, and is left out.
    fn arguments(&self, method: &StubMethod, call: &StubCall) -> Option<Vec<Option<Expr>>> {
        let text = call.text.to_string();
        if text.contains(char::REPLACEMENT_CHARACTER) {
            return None;
        }
        let inside = text.strip_prefix(&*method.name)?.strip_prefix('(')?.strip_suffix(')')?;
        let is_told = |parameter: &Parameter| self.cluster.is_told_by_text(parameter.of);
        let told = method.parameters.iter().filter(|parameter| is_told(parameter)).count();
        let parts: Vec<&str> = match told {
            0 => Vec::new(),
            1 => vec![inside],
            _ => inside.split(", ").collect(),
        };
        if parts.len() != told {
            return None;
        }
        let mut parts = parts.into_iter();
        let value = |parameter: &Parameter| {
            if !is_told(parameter) {
                return Some(None);
            }
            let text = parts.next()?;
            if parameter.of == TypeId::OBJECT && text != "null" {
                let is_text = is_words(text) && !self.is_constant(text);
                return Some(is_text.then(|| Expr::Text(text.into())));
            }
            self.value_of(parameter.of, text).map(Some)
        };
        method.parameters.iter().map(value).collect()
    }

    /// Whether an enum of the cluster has a constant of this name.
    fn is_constant(&self, name: &str) -> bool {
        let mut constants = self.cluster.types.iter().flat_map(|of| &of.enum_constants);
        constants.any(|&constant| &*self.cluster.field(constant).name == name)
    }

    /// The value of a type with this text.
    fn value_of(&self, of: TypeId, text: &str) -> Option<Expr> {
        if of.as_primitive().is_none() && text == "null" {
            return Some(Expr::null());
        }
        if of == TypeId::STRING {
            return Some(Expr::Text(text.into()));
        }
        if of.index() >= TypeId::WELL_KNOWN {
            let cluster = self.cluster;
            if cluster.ty(of).is_of_classes() {
                let of = named_type(text.rsplit_once(' ').map_or(text, |(_, name)| name))?;
                return self.view.can_name_type(&of).then_some(Expr::ClassLiteral(of));
            }
            let constants = cluster.ty(of).enum_constants.iter().map(|&constant| cluster.field(constant));
            let constant = constants.into_iter().find(|constant| *constant.name == *text)?;
            return Some(Expr::Constant { class: constant.declared_in.clone(), name: text.to_owned() });
        }
        let value = match of.as_primitive().or_else(|| of.as_boxed())? {
            PrimitiveType::Boolean => Value::Boolean(text.parse().ok()?),
            PrimitiveType::Byte => Value::Byte(text.parse().ok()?),
            PrimitiveType::Char => Value::Char(only_unit(text)?),
            PrimitiveType::Short => Value::Short(text.parse().ok()?),
            PrimitiveType::Int => Value::Int(text.parse().ok()?),
            PrimitiveType::Long => Value::Long(text.parse().ok()?),
            PrimitiveType::Float | PrimitiveType::Double => return None,
        };
        Some(literal(&value, Context::Argument))
    }
}

/// Whether a text reads like a string: it is no number, truth value or single character, nor the class and hash code of an object.
fn is_words(text: &str) -> bool {
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    letters > 1 && !text.contains('@') && !["true", "false"].contains(&text)
}

impl Body<'_> {
    /// The statements that verify the calls of a mock; `None` for other assertions.
    pub(super) fn verified_calls(&mut self, assertion: &Assertion) -> Result<Option<Vec<Stmt>>, Unprintable> {
        let (ObservationTarget::Calls(variable, _), ObservedValue::Calls(calls)) =
            (assertion.target, &assertion.expected)
        else {
            return Ok(None);
        };
        if calls.is_empty() {
            return Ok(None);
        }
        let Statement::Stub { stub, .. } = self.test.test.statement(variable) else { return Ok(None) };
        let name = self.names.get(variable.index()).cloned().flatten();
        let Some(mock) = name.filter(|_| self.context.is_mock(self.test, variable)).map(Expr::Variable)
        else {
            return Ok(None);
        };
        let stub = self.context.cluster.stub(*stub);
        let mut groups: Vec<(&StubCall, usize)> = Vec::new();
        for call in calls {
            match groups.last_mut() {
                Some((last, times)) if *last == call => *times += 1,
                Some(_) | None => groups.push((call, 1)),
            }
        }
        let mut statements = Vec::with_capacity(groups.len() + 2);
        let mut in_order = None;
        if groups.len() > 1 {
            let of = GenericType::class(IN_ORDER);
            let name = self.scope.give("inOrder");
            let value = Expr::mocking("inOrder", vec![mock.clone()]);
            statements.push(Stmt::Declare { of, name: name.clone(), value });
            in_order = Some(Expr::Variable(name));
        }
        for (call, times) in groups {
            let Some(method) = stub.methods.get(usize::from(call.method)) else { return Ok(None) };
            let Some(arguments) = self.verified_arguments(stub, method, call)? else { return Ok(None) };
            self.note_exceptions(&method.exceptions);
            let deprecated = self.deprecation(stub, &method.name, &method.descriptor);
            self.suppressed.extend(deprecated.map(Warning::from));
            if self.context.view.is_raw(&self.context.cluster.ty(stub.of).generic) && !arguments.is_empty() {
                self.suppressed.insert(Warning::Unchecked);
            }
            let mut verified = vec![mock.clone()];
            if times > 1 {
                verified.push(Expr::mocking("times", vec![Expr::Literal(times.to_string())]));
            }
            let verified = match &in_order {
                Some(in_order) => in_order.clone().call_with("verify", verified),
                None => Expr::mocking("verify", verified),
            };
            statements.push(Stmt::Evaluate(verified.call_with(&member_name(&method.name)?, arguments)));
        }
        // Calls of methods with bodies are interactions as well, and the test case does not tell of them. Where it tells of what was
        // done alone, it does not tell of what was asked.
        let tells_all = !calls.iter().all(|call| call.is_command(stub))
            || stub.methods.iter().all(StubMethod::is_command);
        if !stub.calls_default && tells_all {
            statements.push(Stmt::Evaluate(Expr::mocking("verifyNoMoreInteractions", vec![mock])));
        }
        Ok(Some(statements))
    }

    /// The variable of the test that was passed, where it is written as one.
    fn passed(&self, object: VarRef) -> Option<Expr> {
        let name = self.names.get(object.index()).cloned().flatten();
        name.map(Expr::Variable)
    }

    /// What was passed, matchers where neither the text of the call nor a variable tells it.
    fn verified_arguments(
        &mut self,
        stub: &Stub,
        method: &StubMethod,
        call: &StubCall,
    ) -> Result<Option<Vec<Expr>>, Unprintable> {
        let cluster = self.context.cluster;
        let Some(told) = self.context.arguments(method, call) else { return Ok(None) };
        let is_overloaded = self.is_overloaded(stub, method);
        let mut objects = call.objects.iter().copied();
        let told = told.into_iter().enumerate().map(|(index, told)| {
            told.or_else(|| self.passed(objects.next().flatten()?)).filter(|_| !is_open_ended(method, index))
        });
        let told: Vec<Option<Expr>> = told.collect();
        let has_matcher = told.iter().any(Option::is_none);
        let mut arguments = Vec::with_capacity(told.len());
        for (index, (parameter, told)) in method.parameters.iter().zip(told).enumerate() {
            arguments.push(match told {
                Some(value) => {
                    // Calls of several methods may look alike.
                    let is_open = parameter.of.as_boxed().is_some() || value == Expr::null();
                    let of = &cluster.ty(parameter.of).generic;
                    let value = if is_overloaded && is_open { value.cast(of.clone()) } else { value };
                    if has_matcher { Expr::mocking("eq", vec![value]) } else { value }
                }
                None => self.matcher(method, index, is_overloaded)?,
            });
        }
        Ok(Some(arguments))
    }
}

/// The code unit that a text consists of.
fn only_unit(text: &str) -> Option<u16> {
    let mut units = text.encode_utf16();
    units.next().filter(|_| units.next().is_none())
}

/// The calls of a stub that a test asserts.
pub(super) fn calls_of(test: &AssertedTest, stub: VarRef) -> Vec<&StubCall> {
    let of_stub = test.assertions.iter().filter(
        |assertion| matches!(assertion.target, ObservationTarget::Calls(variable, _) if variable == stub),
    );
    let calls = of_stub.filter_map(|assertion| {
        if let ObservedValue::Calls(calls) = &assertion.expected { Some(calls) } else { None }
    });
    calls.flatten().collect()
}
