//! Stubs as the project's own tests write them: mocks of its Mockito, told what to answer. Of an interface only where a mock does
//! what the stub did: else the test has a class of its own ([`super::stubs`]). An object whose constructor does not run is always one.

use std::collections::BTreeSet;

use bytecode::descriptor::PrimitiveType;
use bytecode::name::ClassName;
use bytecode::signature::{GenericType, TypeArgument};
use bytecode::subtyping::raw;
use testcase::cluster::build::Mockable;
use testcase::cluster::{Stub, StubKind, StubMethod, TypeId};
use testcase::statement::{Answer, Answers, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::body::Body;
use super::callbacks::called_back;
use super::calls::member_name;
use super::mock_calls::calls_of;
use super::stubs::{is_lambda, nothing_of, supertypes};
use super::{Lowering, Unprintable, is_reifiable};
use crate::asserted_test::AssertedTest;
use crate::junit::ast::{ANSWERS, ARGUMENT_MATCHERS, Expr, Receiver, Stmt, Warning};
use crate::junit::implementations::Reply;
use crate::junit::literals::Context;

/// Methods of `Object` that a mock answers in its own way, whatever it is told.
const OF_OBJECT: [(&str, &str); 3] =
    [("equals", "(Ljava/lang/Object;)Z"), ("hashCode", "()I"), ("toString", "()Ljava/lang/String;")];

impl Lowering<'_> {
    /// Whether one call of Mockito stands for all calls of a method: it takes as many arguments as it has parameters, or all that it takes in a
    /// variable number are matched together, as from Mockito 5 on.
    pub(super) fn can_match(&self, method: &StubMethod) -> bool {
        !method.access.is_varargs() || self.cluster.mockable == Mockable::Final
    }

    /// Whether a variable of a test is a mock.
    pub(super) fn is_mock(&self, test: &AssertedTest, variable: VarRef) -> bool {
        let Statement::Stub { stub, script } = test.test.statement(variable) else { return false };
        let stub = self.cluster.stub(*stub);
        match stub.kind {
            StubKind::Mock => return true,
            StubKind::Extension(_) => return false,
            StubKind::Interface => {}
        }
        let is_told = !calls_of(test, variable).is_empty();
        // A lambda has no line for what it does first.
        let is_lambda = is_lambda(self, stub, script)
            && !(is_told && stub.methods.iter().any(|method| method.result.is_some()));
        let names = stub.methods.iter().map(|method| (&*method.name, &*method.descriptor));
        let names = names.chain(stub.silent.iter().map(|method| (&*method.name, &*method.descriptor)));
        self.mocks
            && !is_lambda
            && self.can_verify(test, variable, stub)
            && names.into_iter().all(|name| !OF_OBJECT.contains(&name))
            && stub.methods.iter().zip(&script.answers).all(|(method, answers)| {
                answers_by_itself(&test.test, method, answers)
                    || self.can_match(method) && can_be_told(method, answers)
            })
    }
}

/// Whether a method of a mock gives what a script says without being told: null, zero or nothing. Mockito has empty collections,
/// and the like, for types of the platform and zero for boxed numbers, and tells by it whether objects are the same.
fn answers_by_itself(test: &TestCase, method: &StubMethod, answers: &[Answer]) -> bool {
    const NOT_NULL: [&str; 9] = [
        "java/lang/Boolean;",
        "java/lang/Byte;",
        "java/lang/Character;",
        "java/lang/Double;",
        "java/lang/Float;",
        "java/lang/Integer;",
        "java/lang/Iterable;",
        "java/lang/Long;",
        "java/lang/Short;",
    ];
    let result = method.descriptor.rsplit_once(")L").map(|(_, result)| result);
    let is_null = result.is_none_or(|result| {
        !NOT_NULL.contains(&result) && !result.starts_with("java/util/") && !result.starts_with("java/time/")
    });
    if &*method.name == "compareTo" {
        return false;
    }
    match answers {
        // Of what is not told nobody asks, or it gives nothing.
        [] | [Answer::Return] => true,
        [Answer::Value(value)] => {
            let statement = test.statement(*value);
            let is_zero = |value: &Value| value.primitive_type().is_some_and(|of| *value == Value::zero(of));
            if is_primitive(method.result) {
                matches!(statement, Statement::Primitive { value, boxed: false } if is_zero(value))
            } else {
                is_null && matches!(statement, Statement::Null { .. })
            }
        }
        [..] => false,
    }
}

fn is_primitive(of: Option<TypeId>) -> bool {
    of.is_some_and(|of| of.as_primitive().is_some())
}

/// Whether Mockito can be told the answers of a method: it gives on a parameter only what is of the result's own type.
fn can_be_told(method: &StubMethod, answers: &[Answer]) -> bool {
    let is_same = |index: u8| {
        let given = method.parameters.get(usize::from(index)).map(|parameter| parameter.of);
        !is_primitive(method.result) || given == method.result
    };
    let is_known =
        |answer: &Answer| if let Answer::Parameter(index) = answer { is_same(*index) } else { true };
    answers.iter().all(is_known)
}

impl Body<'_> {
    /// A mock. What has a body in the interface keeps it where the code under test calls that.
    pub(super) fn mock(&mut self, stub: &Stub) -> Expr {
        let of = self.class_of(stub);
        if !is_reifiable(&GenericType::Class(of.clone())) {
            self.suppressed.insert(Warning::Unchecked);
        }
        let mut arguments = vec![Expr::ClassLiteral(GenericType::class(of.name))];
        if stub.calls_default {
            let name = "CALLS_REAL_METHODS".to_owned();
            arguments.push(Expr::Constant { class: ANSWERS.into(), name });
        }
        Expr::mocking("mock", arguments)
    }

    /// Tells a mock what to answer; does nothing for other variables.
    pub(super) fn stubbing(&mut self, variable: VarRef) -> Result<(), Unprintable> {
        let Statement::Stub { stub, script } = self.test.test.statement(variable) else { return Ok(()) };
        let (Some(name), true) =
            (self.names.get(variable.index()).cloned().flatten(), self.context.is_mock(self.test, variable))
        else {
            return Ok(());
        };
        let stub = self.context.cluster.stub(*stub);
        for (method, answers) in stub.methods.iter().zip(&script.answers) {
            if !answers_by_itself(&self.test.test, method, answers) {
                let told = self.told(&name, stub, method, answers)?;
                self.push(Stmt::Evaluate(told));
            }
        }
        Ok(())
    }

    /// `when(mock.method(any())).thenReturn(…)`, or `doThrow(…).when(mock).method(any())` where the call is no value, or one
    /// whose type nobody can name or that is inferred.
    fn told(
        &mut self,
        mock: &str,
        stub: &Stub,
        method: &StubMethod,
        answers: &Answers,
    ) -> Result<Expr, Unprintable> {
        let cluster = self.context.cluster;
        let name = member_name(&method.name)?;
        let is_overloaded = self.is_overloaded(stub, method);
        let mut matchers = Vec::with_capacity(method.parameters.len());
        for index in 0..method.parameters.len() {
            matchers.push(self.matcher(method, index, is_overloaded)?);
        }
        self.note_exceptions(&method.exceptions);
        let deprecated = self.deprecation(stub, &method.name, &method.descriptor);
        self.suppressed.extend(deprecated.map(Warning::from));
        if self.context.view.is_raw(&cluster.ty(stub.of).generic) && !method.parameters.is_empty() {
            self.suppressed.insert(Warning::Unchecked);
        }
        let receiver = Expr::Variable(mock.to_owned());
        let result = method.result.map(|of| &cluster.ty(of).generic);
        // What a method with type parameters of its own gives is inferred from the matchers.
        let has_type = |result: &&GenericType| !method.is_erased && !has_wildcard(result);
        let Some(result) = result.filter(has_type) else {
            let mut told: Option<Expr> = None;
            for reply in self.answers(mock, method, answers)? {
                let (verb, arguments) = match reply {
                    Reply::Value(value @ Expr::Lambda { .. }) => ("doAnswer", vec![value]),
                    Reply::Value(value) => ("doReturn", vec![value]),
                    Reply::Throw(thrown) => ("doThrow", vec![thrown]),
                    Reply::Nothing | Reply::Call { .. } => ("doNothing", Vec::new()),
                };
                told = Some(match told {
                    Some(before) => before.call_with(verb, arguments),
                    None => Expr::mocking(verb, arguments),
                });
            }
            let told = told.unwrap_or_else(|| Expr::mocking("doNothing", Vec::new()));
            return Ok(told.call_with("when", vec![receiver]).call_with(&name, matchers));
        };
        let mut told = Expr::mocking("when", vec![receiver.call_with(&name, matchers)]);
        let mut values: Vec<Expr> = Vec::new();
        for reply in self.answers(mock, method, answers)? {
            let (verb, value) = match reply {
                Reply::Value(value @ Expr::Lambda { .. }) => ("thenAnswer", value),
                Reply::Value(value) => {
                    if may_stand_with_others(result, &value) {
                        values.push(value);
                    } else {
                        told = returning(told, &mut values).call_with("thenReturn", vec![value]);
                    }
                    continue;
                }
                Reply::Throw(thrown) => ("thenThrow", thrown),
                Reply::Nothing | Reply::Call { .. } => continue,
            };
            told = returning(told, &mut values).call_with(verb, vec![value]);
        }
        Ok(returning(told, &mut values))
    }

    /// What the calls of a method do, one after the other.
    fn answers(
        &mut self,
        mock: &str,
        method: &StubMethod,
        answers: &Answers,
    ) -> Result<Vec<Reply>, Unprintable> {
        if answers.is_empty() {
            return Ok(vec![nothing_of(method.result.map(|of| &self.context.cluster.ty(of).generic))]);
        }
        answers.iter().map(|answer| self.answer(mock, method, *answer)).collect()
    }

    /// What a call does, with a lambda where it gives a parameter on. Mockito takes objects: a number has the type of the result.
    fn answer(&mut self, mock: &str, method: &StubMethod, answer: Answer) -> Result<Reply, Unprintable> {
        if answer == Answer::Itself {
            return Ok(Reply::Value(Expr::Variable(mock.to_owned())));
        }
        if let (Some(called), Answer::CallBack(_, passed)) = (called_back(method, &answer), answer) {
            return self.told_to_call(method, called, passed.into_iter().flatten());
        }
        if let Answer::Parameter(index) = answer {
            let call = self.scope.lend("call", &[]);
            let argument =
                Expr::Variable(call.clone()).call_with("getArgument", vec![Expr::Literal(index.to_string())]);
            let body = Box::new(Reply::Value(argument));
            return Ok(Reply::Value(Expr::Lambda { parameters: vec![call], recording: None, body }));
        }
        let (Answer::Value(value), Some(result)) = (answer, method.result) else {
            return self.reply(method, answer, &[]);
        };
        let given = self.operand(value, Context::Argument)?;
        let result = &self.context.cluster.ty(result).generic;
        let is_as_given =
            !matches!(result, GenericType::Primitive(_)) || self.variable_type(value) == *result;
        Ok(Reply::Value(if is_as_given { given } else { given.cast(result.clone()) }))
    }

    /// What stands for any argument of a parameter; with its type where calls of several methods look alike, and with the class of the array
    /// for all that are passed in a variable number.
    pub(super) fn matcher(
        &mut self,
        method: &StubMethod,
        index: usize,
        is_overloaded: bool,
    ) -> Result<Expr, Unprintable> {
        let of = &self.context.cluster.ty(method.parameters[index].of).generic;
        if is_open_ended(method, index) {
            self.name_type(of)?;
            return Ok(Expr::mocking("any", vec![Expr::ClassLiteral(raw(of))]));
        }
        if let GenericType::Primitive(of) = of {
            return Ok(Expr::mocking(any_of(*of), Vec::new()));
        }
        if !is_overloaded {
            return Ok(Expr::mocking("any", Vec::new()));
        }
        let of = self.context.view.with_wildcards(of);
        self.name_type(&of)?;
        Ok(Expr::Call {
            receiver: Receiver::Class(ARGUMENT_MATCHERS.into()),
            type_arguments: vec![of],
            name: "any".to_owned(),
            arguments: Vec::new(),
        })
    }

    /// Whether a type has another method of that name which takes as many arguments.
    pub(super) fn is_overloaded(&self, stub: &Stub, method: &StubMethod) -> bool {
        let hierarchy = self.context.view.hierarchy;
        let mut found = BTreeSet::new();
        for info in supertypes(&self.context, stub.of).iter().filter_map(|sup| hierarchy.class(sup)) {
            let alike = info.methods.iter().filter(|other| {
                let takes_as_many = other.erased.parameters.len() == method.parameters.len();
                other.name == method.name && (takes_as_many || other.access.is_varargs())
            });
            found.extend(alike.map(|other| other.erased.parameters.clone()));
        }
        found.len() > 1
    }
}

/// Whether a parameter takes a variable number of arguments.
pub(super) fn is_open_ended(method: &StubMethod, index: usize) -> bool {
    method.access.is_varargs() && index + 1 == method.parameters.len()
}

/// Values that were given one after the other, as one call.
fn returning(told: Expr, values: &mut Vec<Expr>) -> Expr {
    if values.is_empty() { told } else { told.call_with("thenReturn", std::mem::take(values)) }
}

/// Whether a value may be one of several in `thenReturn(first, others…)`, which puts the others into an array of the type of
/// results: not where that is one of arrays or of a type with arguments, nor `null`, which could be the array itself.
fn may_stand_with_others(result: &GenericType, value: &Expr) -> bool {
    let is_plain = match result {
        GenericType::Primitive(_) => true,
        GenericType::Class(class) => class.name != ClassName::object() && is_reifiable(result),
        GenericType::Array(_) | GenericType::Variable(_) => false,
    };
    is_plain && *value != Expr::null()
}

/// Whether a call of this type has one that nobody can name (Java language specification §5.1.10).
fn has_wildcard(of: &GenericType) -> bool {
    match of {
        GenericType::Primitive(_) | GenericType::Variable(_) => false,
        GenericType::Array(element) => has_wildcard(element),
        GenericType::Class(class) => class.arguments.iter().any(|argument| match argument {
            TypeArgument::Exact(_) => false,
            TypeArgument::Extends(_) | TypeArgument::Super(_) | TypeArgument::Unbounded => true,
        }),
    }
}

/// The matcher of any argument of a primitive type.
fn any_of(of: PrimitiveType) -> &'static str {
    match of {
        PrimitiveType::Boolean => "anyBoolean",
        PrimitiveType::Byte => "anyByte",
        PrimitiveType::Char => "anyChar",
        PrimitiveType::Double => "anyDouble",
        PrimitiveType::Float => "anyFloat",
        PrimitiveType::Int => "anyInt",
        PrimitiveType::Long => "anyLong",
        PrimitiveType::Short => "anyShort",
    }
}
