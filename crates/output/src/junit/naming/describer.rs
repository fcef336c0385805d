//! Makes the words of a test's name.

use std::collections::{BTreeMap, BTreeSet};

use coverage::goal::GoalSet;
use testcase::assertion::{Assertion, ObservationTarget};
use testcase::cluster::{Callable, Parameter, TestCluster};
use testcase::statement::{Statement, VarRef};

use super::outcomes::{exact_outcome, said};
use super::test_names::{Detail, TestWords};
use super::variables::parameter_name;
use super::words::{capitalized, decapitalized, number, plain};
use crate::asserted_test::AssertedTest;
use crate::junit::access::Viewpoint;
use crate::junit::layout::simple_name;

/// Most arguments that names tell of.
const MOST_ARGUMENTS: usize = 8;
/// Most of what is asserted besides that names tell of.
const MOST_EFFECTS: usize = 3;
/// Most special arguments that are told in any case.
const MOST_SPECIAL: usize = 2;

/// Makes the words of a test's name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Describer<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// The test's package.
    pub view: Viewpoint<'a>,
    /// The session's goals.
    pub goals: &'a GoalSet,
}

/// The call that a test is about.
struct Subject<'a> {
    name: String,
    callable: Option<&'a Callable>,
    receiver: Option<VarRef>,
    parameters: &'a [Parameter],
    arguments: &'a [VarRef],
}

impl<'a> Describer<'a> {
    /// The words of a test.
    pub(crate) fn describe(&self, test: &'a AssertedTest) -> TestWords {
        let Some(position) = self.subject(test) else {
            return self.shown(test);
        };
        let mut subject = self.subject_call(test.test.statement(VarRef::from(position)));
        let asked = self.asked(test, position);
        if let Some((inspector, _)) = asked {
            subject.name = decapitalized(&plain(&inspector.name));
        }
        let mut words = TestWords {
            subject: if subject.name.is_empty() { "test".to_owned() } else { subject.name.clone() },
            outcome: match asked {
                Some((_, assertion)) => self.result(test, assertion),
                None => self.outcome(test, position),
            },
            kind: self.kind_of_outcome(test, position).unwrap_or_default(),
            ..TestWords::default()
        };
        words.is_declared = words.outcome == self.returns_declared(test, VarRef::from(position));
        self.tell_arguments(test, &subject, &mut words);
        self.tell_state(test, position, &subject, &mut words);
        let effects = self.effects(test, asked.map(|(_, assertion)| assertion));
        for (index, effect) in (0..).zip(effects.into_iter().take(MOST_EFFECTS)) {
            if !words.outcome.ends_with(&effect) {
                words.details.insert(Detail::Effect(index), effect);
            }
        }
        let exact = exact_outcome(test, position).filter(|exact| *exact != words.outcome);
        words.details.extend(exact.map(|exact| (Detail::Result, exact)));
        words.details.extend(said(test).map(|said| (Detail::Message, said)));
        if test.expected.is_some() && words.special.is_empty() {
            words.special.extend(reason_of_exception(&words.details, subject.arguments.len()));
        }
        words
    }

    /// The words of a test that calls nothing itself: what it asserts first of a constant, or of an object that it implements.
    fn shown(&self, test: &AssertedTest) -> TestWords {
        let shown = test.assertions.iter().find_map(|assertion| {
            let member = self.cluster.member_of_state(assertion.target).map(|(_, member)| member);
            let constant = || {
                let ObservationTarget::Value(of) = assertion.target else { return None };
                let Statement::FieldRead { field, .. } = test.test.statement(of) else { return None };
                Some(&*self.cluster.field(*field).name)
            };
            Some((decapitalized(&plain(member.or_else(constant)?)), assertion))
        });
        let Some((subject, assertion)) = shown else {
            return TestWords { subject: "test".to_owned(), ..TestWords::default() };
        };
        let mut words = TestWords { subject, outcome: self.result(test, assertion), ..TestWords::default() };
        if let ObservationTarget::Value(_) = assertion.target {
            // A constant is read and not called.
            words.outcome = words.outcome.replacen("Returns", "Is", 1);
        }
        let effects = self.effects(test, Some(assertion));
        for (index, effect) in (0..).zip(effects.into_iter().take(MOST_EFFECTS)) {
            words.details.insert(Detail::Effect(index), effect);
        }
        words
    }

    /// The method under test that only an assertion calls, with that assertion, where the test itself gets the object from another class:
    /// `getRecordNumber` of `parser.nextRecord()`.
    fn asked(&self, test: &'a AssertedTest, position: usize) -> Option<(&'a Callable, &'a Assertion)> {
        let called = self.cluster.callable(test.test.statement(VarRef::from(position)).callable()?);
        if self.is_under_test(called) || test.expected.is_some() {
            return None;
        }
        test.assertions.iter().find_map(|assertion| {
            let ObservationTarget::Inspector(object, inspector) = assertion.target else { return None };
            let inspector = self.cluster.callable(inspector);
            (object.index() == position && self.is_under_test(inspector)).then_some((inspector, assertion))
        })
    }

    /// Whether a callable is a member of a class with goals.
    fn is_under_test(&self, callable: &Callable) -> bool {
        self.cluster.goal_classes.binary_search(&callable.declared_in).is_ok()
    }

    fn subject_call(&self, statement: &'a Statement) -> Subject<'a> {
        let of_constructor = |callable: &'a Callable, arguments: &'a [VarRef]| {
            let skipped = usize::from(callable.takes_enclosing_instance).min(arguments.len());
            Subject {
                name: self.constructor(callable),
                callable: Some(callable),
                receiver: None,
                parameters: callable.parameters.get(skipped..).unwrap_or(&[]),
                arguments: &arguments[skipped..],
            }
        };
        let without_call =
            |name: String| Subject { name, callable: None, receiver: None, parameters: &[], arguments: &[] };
        match statement {
            Statement::Constructor { callable, arguments } => {
                of_constructor(self.cluster.callable(*callable), arguments)
            }
            Statement::Method { callable, receiver, arguments } => {
                let callable = self.cluster.callable(*callable);
                Subject {
                    name: decapitalized(&plain(&callable.name)),
                    callable: Some(callable),
                    receiver: *receiver,
                    parameters: &callable.parameters,
                    arguments,
                }
            }
            Statement::FieldRead { field, .. } | Statement::FieldWrite { field, .. } => {
                without_call(decapitalized(&plain(&self.cluster.field(*field).name)))
            }
            Statement::Stub { stub, script } => match self.cluster.stub(*stub).constructor() {
                Some(constructor) => of_constructor(self.cluster.callable(constructor), &script.arguments),
                None => without_call("test".to_owned()),
            },
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Array { .. }
            | Statement::ArrayWrite { .. } => without_call("test".to_owned()),
        }
    }

    /// The statement that the test is about: the one that throws, else the last call of a method that holds goals
    /// of the test, else the last call of a class with goals, else the last call; a constructor only where no method of a class with
    /// goals, nor one of the object, is called behind it, which would not be there if making the object were the point. When no result of that is asserted
    /// but that of another call is, it is the other one.
    fn subject(&self, test: &AssertedTest) -> Option<usize> {
        if test.expected.is_some() {
            return test.test.len().checked_sub(1);
        }
        let asserted = test.assertions.iter().filter_map(|assertion| match assertion.target {
            // Behind another statement it is no result, but what that left: `params` behind `putAll(params)`.
            ObservationTarget::Value(variable)
            | ObservationTarget::Same(variable, _)
            | ObservationTarget::Elements(variable, _) => (variable == assertion.after).then_some(variable),
            ObservationTarget::Inspector(..)
            | ObservationTarget::Nested(..)
            | ObservationTarget::Field(..)
            | ObservationTarget::Calls(..)
            | ObservationTarget::Printed(_)
            | ObservationTarget::Files
            | ObservationTarget::Message
            | ObservationTarget::Cause => None,
        });
        let asserted: BTreeSet<usize> = asserted
            .filter(|&variable| test.test.statement(variable).callable().is_some())
            .map(VarRef::index)
            .collect();
        let called = self.last_call(test);
        match called {
            Some(call) if asserted.contains(&call) => called,
            _ => asserted.last().copied().or(called),
        }
    }

    fn last_call(&self, test: &AssertedTest) -> Option<usize> {
        let goal_methods: BTreeSet<(&str, &str)> = test
            .goals
            .iter()
            .filter(|&&goal| goal.index() < self.goals.len())
            .map(|&goal| self.goals.goal(goal))
            .map(|goal| (goal.class.as_str(), &*goal.method))
            .collect();
        let calls: Vec<(usize, &Callable)> = test
            .test
            .statements()
            .iter()
            .enumerate()
            .filter_map(|(position, statement)| {
                Some((position, self.cluster.callable(self.cluster.called_by(statement)?)))
            })
            .collect();
        let holds_goal = |callable: &Callable| {
            let method = format!("{}{}", callable.name, callable.descriptor);
            goal_methods.contains(&(callable.declared_in.as_str(), method.as_str()))
        };
        let last = |wanted: &dyn Fn(&Callable) -> bool| {
            calls.iter().rev().find(|(_, callable)| wanted(callable)).map(|(position, _)| *position)
        };
        let is_made =
            |call: &usize| matches!(test.test.statement(VarRef::from(*call)), Statement::Constructor { .. });
        let with_goal = last(&holds_goal).filter(|call| !is_made(call));
        // What is called of an object behind its making is declared by what it extends.
        let of_class = last(&|callable| self.is_under_test(callable)).map(|call| {
            let made = Some(call).filter(is_made);
            made.and_then(|made| last_of_object(test, VarRef::from(made))).unwrap_or(call)
        });
        with_goal.or(of_class).or_else(|| last(&|_| true))
    }

    fn constructor(&self, callable: &Callable) -> String {
        if self.cluster.class_under_test.as_ref() == Some(&callable.declared_in) {
            return "constructor".to_owned();
        }
        let simple = simple_name(self.view.hierarchy, &callable.declared_in);
        format!("{}Constructor", decapitalized(&plain(&simple)))
    }

    fn tell_arguments(&self, test: &AssertedTest, subject: &Subject<'_>, words: &mut TestWords) {
        let overload = subject.callable.and_then(|callable| self.overload(callable, subject.parameters));
        words.details.extend(overload.map(|word| (Detail::Overload, word)));
        let nulls = subject
            .arguments
            .iter()
            .filter(|&&argument| matches!(test.test.statement(argument), Statement::Null { .. }));
        if subject.arguments.len() > 2 && nulls.count() == subject.arguments.len() {
            words.details.insert(Detail::Relation, "OnlyNulls".to_owned());
            words.special.insert(Detail::Relation);
            return;
        }
        for (index, &argument) in subject.arguments.iter().enumerate().take(MOST_ARGUMENTS) {
            let place = index as u8;
            let word = if Some(argument) == subject.receiver {
                Some("Itself".to_owned())
            } else {
                self.value(test, argument, subject.parameters.get(index))
            };
            let name = subject.parameters.get(index).and_then(parameter_name);
            let name = name.filter(|_| subject.arguments.len() > 1).map(|name| plain(&capitalized(&name)));
            let told = word.map(|word| match name {
                Some(name) if word == "Null" => format!("Null{name}"),
                Some(name) if matches!(word.as_str(), "EmptyString" | "EmptyArray") => format!("Empty{name}"),
                Some(_) | None => word,
            });
            words.details.extend(told.map(|word| (Detail::Argument(place), word)));
            let prepared = self.prepared(test, argument, subject.parameters.get(index));
            words.details.extend(prepared.map(|word| (Detail::Prepared(place), word)));
            let of = self.argument_type(test, argument, subject.parameters.get(index));
            words.details.extend(of.map(|word| (Detail::Type(place), word)));
            let exact = self.exact_value(test, argument);
            words.details.extend(exact.map(|word| (Detail::Exact(place), word)));
            if words.special.len() < MOST_SPECIAL && self.is_special(test, argument) {
                words.special.insert(Detail::Argument(place));
            }
        }
        let relation = self.relation(test, subject.parameters, subject.arguments);
        words.details.extend(relation.map(|word| (Detail::Relation, word)));
    }

    fn tell_state(&self, test: &AssertedTest, position: usize, subject: &Subject<'_>, words: &mut TestWords) {
        let mut tell = |detail: Detail, word: Option<String>| {
            words.details.extend(word.filter(|word| !word.is_empty()).map(|word| (detail, word)));
        };
        if let Some(receiver) = subject.receiver {
            let of = test.test.variable_type(self.cluster, receiver);
            let class =
                of.and_then(|of| self.cluster.ty(of).generic.as_class().map(|class| class.name.clone()));
            let class = class.filter(|class| self.cluster.class_under_test.as_ref() != Some(class));
            tell(Detail::Owner, class.map(|class| plain(&simple_name(self.view.hierarchy, &class))));
            tell(Detail::Receiver, self.maker(test, receiver));
            tell(Detail::Origin, self.origin(test, receiver));
            tell(Detail::Field, self.written(test, position, receiver));
        }
        let before = self.calls_before(test, position, subject.receiver);
        if let Some((callable, arguments)) = before.last() {
            let name = plain(&capitalized(&callable.name));
            let told = arguments.iter().zip(&callable.parameters).find_map(|(&argument, parameter)| {
                self.value(test, argument, Some(parameter)).or_else(|| self.exact_value(test, argument))
            });
            tell(Detail::BeforeWith, told.map(|word| format!("{name}{word}")));
            let earlier = before.iter().rev().find(|(other, _)| other.name != callable.name);
            let calls = match (earlier, number(before.len() as u64)) {
                (Some((earlier, _)), _) => Some(format!("{}And{name}", plain(&capitalized(&earlier.name)))),
                (None, Some(count)) if before.len() > 1 => Some(format!("{count}Calls")),
                (None, Some(_) | None) => None,
            };
            tell(Detail::Calls, calls);
            tell(Detail::Before, Some(name));
        }
    }

    /// What a field of the object was given last.
    fn written(&self, test: &AssertedTest, position: usize, object: VarRef) -> Option<String> {
        let written = test.test.statements()[..position].iter().rev().find_map(|statement| {
            let Statement::FieldWrite { receiver, value, .. } = statement else { return None };
            (*receiver == Some(object)).then_some(*value)
        })?;
        let is_stub = matches!(test.test.statement(written), Statement::Stub { .. });
        let exact = if is_stub { self.exact_value(test, written) } else { None };
        let word = exact.or_else(|| self.value(test, written, None));
        word.or_else(|| Some(self.type_noun(test.test.variable_type(self.cluster, written)?)))
    }

    /// The calls before, on the same object, or if there is none those whose result nothing uses.
    fn calls_before(
        &self,
        test: &'a AssertedTest,
        position: usize,
        receiver: Option<VarRef>,
    ) -> Vec<(&'a Callable, &'a [VarRef])> {
        let statements = &test.test.statements()[..position];
        let calls = statements.iter().enumerate().filter_map(|(index, statement)| {
            let Statement::Method { callable, receiver: on, arguments } = statement else { return None };
            let is_meant = match receiver {
                Some(receiver) => *on == Some(receiver),
                None => !test.test.statements().iter().any(|other| other.uses(VarRef::from(index))),
            };
            is_meant.then(|| (self.cluster.callable(*callable), &arguments[..]))
        });
        calls.collect()
    }
}

/// The last call of a method of an object.
fn last_of_object(test: &AssertedTest, object: VarRef) -> Option<usize> {
    let is_call_of = |statement: &Statement| matches!(statement, Statement::Method { receiver: Some(receiver), .. } if *receiver == object);
    test.test.statements().iter().rposition(is_call_of)
}

/// What is told of a call that throws when none of its arguments is special: how they relate, the only one there is, or
/// where there is none what the object has been through.
fn reason_of_exception(details: &BTreeMap<Detail, String>, arguments: usize) -> Option<Detail> {
    let reasons: &[Detail] = match arguments {
        0 => &[Detail::Before, Detail::Receiver, Detail::Origin],
        1 => &[Detail::Argument(0)],
        _ => &[Detail::Relation],
    };
    let has: BTreeSet<Detail> = details.keys().copied().collect();
    reasons.iter().copied().find(|reason| has.contains(reason))
}
