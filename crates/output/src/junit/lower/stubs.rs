//! What a test implements itself: a lambda where one answer is all there is to say, else a mock where the project has
//! Mockito ([`super::mocks`]), else an anonymous class. Of a type with many methods that class extends one of the file
//! ([`super::shared_stubs`]).
//!
//! Both stand in a variable of the type that they implement. A lambda among the arguments of a call would take part in
//! the choice between overloads (Java language specification §15.12.2.1), a variable of a declared type does so like
//! any other value.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytecode::access::Access;
use bytecode::class_info::Deprecation;
use bytecode::descriptor::PrimitiveType;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType};
use testcase::cluster::{Parameter, SilentMethod, Stub, StubId, StubMethod, TypeId};
use testcase::statement::{Answer, Answers, Script, Statement, VarRef};

use super::body::Body;
use super::callbacks::called_back;
use super::calls::member_name;
use super::{Lowering, Unprintable, is_reifiable};
use crate::asserted_test::AssertedTest;
use crate::junit::ast::{Expr, StubClass, StubConstructor, Warning, classes_of};
use crate::junit::implementations::{Anonymous, Extended, Implementation, Reply, for_each_class_inside};
use crate::junit::imports::source_path;
use crate::junit::literals::Context;
use crate::junit::naming::variables::{Scope, parameter_name, type_word};
use crate::junit::naming::words::capitalized;

/// Keeps variables of the test from getting the names of fields that the anonymous classes of the test inherit, and
/// that would hide them there (Java language specification §6.4.1).
pub(super) fn reserve_members(context: &Lowering<'_>, test: &AssertedTest, scope: &mut Scope<'_>) {
    let mut seen = BTreeSet::new();
    for (position, statement) in test.test.statements().iter().enumerate() {
        let Statement::Stub { stub, script } = statement else {
            continue;
        };
        let stub = context.cluster.stub(*stub);
        let has_class = !is_lambda(context, stub, script) && !context.is_mock(test, VarRef::from(position));
        if has_class && seen.insert(stub.of) {
            for sup in supertypes(context, stub.of).iter() {
                for field in context.view.hierarchy.class(sup).iter().flat_map(|info| &info.fields) {
                    scope.reserve(&field.name);
                }
            }
        }
    }
}

pub(super) fn supertypes(context: &Lowering<'_>, of: TypeId) -> Arc<[ClassName]> {
    match context.cluster.ty(of).generic.as_class() {
        Some(class) => context.view.hierarchy.supertypes(&class.name),
        None => Arc::default(),
    }
}

/// Checked exceptions, as they are declared, by name and descriptor of the method that throws them.
pub(super) type ThrownByMethod = BTreeMap<(Arc<str>, Arc<str>), BTreeSet<ClassName>>;

/// A method that a test writes, up to its brace.
struct Head<'m> {
    name: &'m str,
    descriptor: &'m str,
    access: Access,
    parameters: Vec<(GenericType, String)>,
    result: Option<GenericType>,
    is_erased: bool,
}

/// What a field of a type has that nothing was written to.
fn nothing(of: &GenericType) -> Expr {
    let text = match of {
        GenericType::Primitive(PrimitiveType::Boolean) => "false",
        GenericType::Primitive(_) => "0",
        GenericType::Class(_) | GenericType::Array(_) | GenericType::Variable(_) => "null",
    };
    Expr::Literal(text.to_owned())
}

/// What a method does of which nothing is told.
pub(super) fn nothing_of(result: Option<&GenericType>) -> Reply {
    result.map_or(Reply::Nothing, |of| Reply::Value(nothing(of)))
}

/// Whether a method does what it does in the class of the file as well.
fn gives_nothing(method: &Implementation) -> bool {
    if method.recording.is_some() {
        return false;
    }
    match (method.replies.as_slice(), &method.result) {
        ([Reply::Value(value)], Some(of)) => *value == nothing(of),
        ([] | [Reply::Nothing], _) => true,
        ([..], _) => false,
    }
}

/// The methods that the class of a stub writes: those with a body only where something is told of them.
fn overriding<'a>(stub: &'a Stub, script: &'a Script) -> impl Iterator<Item = (&'a StubMethod, &'a Answers)> {
    let all = stub.methods.iter().zip(&script.answers);
    all.filter(|(method, answers)| !method.has_body || !answers.is_empty())
}

/// Whether a lambda says it all, which has no name for itself.
pub(super) fn is_lambda(context: &Lowering<'_>, stub: &Stub, script: &Script) -> bool {
    let may_be_told = |(method, answers): (&StubMethod, &Answers)| {
        answers.len() < 2
            && !answers.contains(&Answer::Itself)
            && !context.thrown_by_called(method, answers).1
    };
    stub.is_functional && stub.methods.iter().zip(&script.answers).all(may_be_told)
}

impl Body<'_> {
    /// A stub as the expression that makes it.
    pub(super) fn stub(&mut self, position: usize, id: StubId, script: &Script) -> Result<Expr, Unprintable> {
        let stub = self.context.cluster.stub(id);
        let variable = VarRef::from(position);
        if self.context.is_mock(self.test, variable) {
            return Ok(self.mock(stub));
        }
        if let ([method], true) = (stub.methods.as_slice(), is_lambda(&self.context, stub, script)) {
            let parameters = self.parameter_names(&method.parameters, &[]);
            let reply = match script.answers.first().and_then(|answers| answers.first()) {
                Some(answer) => self.reply(method, *answer, &parameters)?,
                None => nothing_of(method.result.map(|of| &self.context.cluster.ty(of).generic)),
            };
            let (recording, reply) = match (reply, self.recording(variable, stub, method, &parameters)) {
                (Reply::Nothing, Some(recording)) => (None, Reply::Value(recording)),
                (reply, recording) => (recording.map(Box::new), reply),
            };
            return Ok(Expr::Lambda { parameters, recording, body: Box::new(reply) });
        }
        let shared = self.context.shared.get(id)?;
        let warning = shared.and_then(|class| class.suppressed.get(&Warning::Unchecked));
        let shared = shared
            .map(|class| Extended { name: class.name.clone(), is_generic: !class.parameters.is_empty() });
        let class = self.anonymous(variable, stub, script, shared)?;
        // What a class inherits is looked at once more; an object of the class itself is no class.
        self.suppressed.extend(warning.filter(|_| !class.methods.is_empty()));
        self.check_names_inside(stub, &class.methods)?;
        Ok(Expr::Anonymous(Box::new(class)))
    }

    /// The class of a file that the stubs of a type extend: it gives nothing. Its methods declare what those of tests throw
    /// in their place.
    pub(super) fn stub_class(
        mut self,
        stub: &Stub,
        name: String,
        thrown: &ThrownByMethod,
    ) -> Result<StubClass, Unprintable> {
        let of = self.class_of(stub);
        self.name_type(&GenericType::Class(of.clone()))?;
        let throws = |name: &Arc<str>, descriptor: &Arc<str>| {
            let thrown = thrown.get(&(name.clone(), descriptor.clone()));
            thrown.map_or_else(Vec::new, |thrown| thrown.iter().cloned().collect())
        };
        let mut methods = Vec::with_capacity(stub.methods.len() + stub.silent.len());
        for method in &stub.methods {
            let throws = throws(&method.name, &method.descriptor);
            methods.push(Implementation { throws, ..self.scripted(stub, method, &[])? });
        }
        for method in &stub.silent {
            let throws = throws(&method.name, &method.descriptor);
            methods.push(Implementation { throws, ..self.silent(stub, method)? });
        }
        self.check_names_inside(stub, &methods)?;
        let constructor = self.stub_constructor(stub)?;
        let suppressed = self.suppressed;
        let is_interface = stub.constructor().is_none();
        Ok(StubClass { name, parameters: Vec::new(), of, is_interface, suppressed, constructor, methods })
    }

    /// The constructor of the class of a file; `None` where it is the one that Java gives it.
    fn stub_constructor(&mut self, stub: &Stub) -> Result<Option<StubConstructor>, Unprintable> {
        let Some(constructor) = stub.constructor() else { return Ok(None) };
        let callable = self.context.cluster.callable(constructor);
        self.note(callable);
        if callable.parameters.is_empty() && callable.exceptions.is_empty() {
            return Ok(None);
        }
        let names = self.parameter_names(&callable.parameters, &[]);
        let mut parameters = Vec::with_capacity(names.len());
        for (parameter, name) in callable.parameters.iter().zip(names) {
            let of = self.context.cluster.ty(parameter.of).generic.clone();
            self.name_in_head(&of)?;
            parameters.push((of, name));
        }
        let throws = callable.exceptions.clone();
        for class in &throws {
            self.name_class(class)?;
        }
        Ok(Some(StubConstructor { parameters, varargs: callable.access.is_varargs(), throws }))
    }

    /// Notes the checked exceptions that a stub throws.
    pub(super) fn note_thrown(&self, stub: &Stub, script: &Script, found: &mut ThrownByMethod) {
        for (method, answers) in stub.methods.iter().zip(&script.answers) {
            let thrown = self.thrown_by(method, answers);
            if !thrown.is_empty() {
                let key = (method.name.clone(), method.descriptor.clone());
                found.entry(key).or_default().extend(thrown);
            }
        }
    }

    /// The class or interface of a stub.
    pub(super) fn class_of(&self, stub: &Stub) -> ClassType {
        let of = self.context.cluster.ty(stub.of).generic.as_class().cloned();
        of.unwrap_or_else(|| ClassType::new(ClassName::object()))
    }

    /// The class of one stub, which extends the class of the file that is `shared`, should there be one.
    fn anonymous(
        &mut self,
        variable: VarRef,
        stub: &Stub,
        script: &Script,
        shared: Option<Extended>,
    ) -> Result<Anonymous, Unprintable> {
        let of = self.class_of(stub);
        let (outer, arguments) = match stub.constructor() {
            Some(constructor) => {
                let made = self.constructor(constructor, &script.arguments)?;
                if let Expr::New { outer, arguments, .. } = made {
                    (outer.map(|outer| *outer), arguments)
                } else {
                    (None, Vec::new())
                }
            }
            None => (None, Vec::new()),
        };
        let counted = script.answers.iter().filter(|answers| answers.len() > 1).count();
        let (mut methods, mut counters) = (Vec::new(), Vec::new());
        for (method, answers) in overriding(stub, script) {
            if answers.len() > 1 {
                let wished = if counted == 1 {
                    "calls".to_owned()
                } else {
                    format!("callsOf{}", capitalized(&method.name))
                };
                counters.push(self.scope.lend(&wished, &counters));
            }
            let counter = if answers.len() > 1 { counters.last().cloned() } else { None };
            let mut written = self.implementation(stub, method, answers, counter, &counters)?;
            let names: Vec<String> = written.parameters.iter().map(|(_, name)| name.clone()).collect();
            written.recording = self.recording(variable, stub, method, &names);
            methods.push(written);
        }
        if shared.is_some() {
            methods.retain(|method| !gives_nothing(method));
        } else {
            for method in &stub.silent {
                methods.push(self.silent(stub, method)?);
            }
        }
        Ok(Anonymous { outer, of, shared, arguments, methods })
    }

    fn implementation(
        &mut self,
        stub: &Stub,
        method: &StubMethod,
        answers: &Answers,
        counter: Option<String>,
        counters: &[String],
    ) -> Result<Implementation, Unprintable> {
        let scripted = self.scripted(stub, method, counters)?;
        if answers.is_empty() {
            return Ok(scripted);
        }
        let names: Vec<String> = scripted.parameters.iter().map(|(_, name)| name.clone()).collect();
        let mut replies = Vec::with_capacity(answers.len());
        for answer in answers {
            replies.push(self.reply(method, *answer, &names)?);
        }
        let throws = self.thrown_by(method, answers);
        Ok(Implementation { counter, throws, replies, ..scripted })
    }

    /// A method of a script as it is without one: it gives nothing.
    fn scripted(
        &mut self,
        stub: &Stub,
        method: &StubMethod,
        counters: &[String],
    ) -> Result<Implementation, Unprintable> {
        let cluster = self.context.cluster;
        let names = self.parameter_names(&method.parameters, counters);
        let types = method.parameters.iter().map(|parameter| cluster.ty(parameter.of).generic.clone());
        let head = Head {
            name: &method.name,
            descriptor: &method.descriptor,
            access: method.access,
            parameters: types.zip(names).collect(),
            result: method.result.map(|of| cluster.ty(of).generic.clone()),
            is_erased: method.is_erased,
        };
        self.head(stub, head)
    }

    /// A method that no script speaks for.
    fn silent(&mut self, stub: &Stub, method: &SilentMethod) -> Result<Implementation, Unprintable> {
        let mut names: Vec<String> = Vec::with_capacity(method.parameters.len());
        for of in &method.parameters {
            let wished = type_word(self.context.view.hierarchy, of);
            names.push(self.scope.lend(&wished, &names));
        }
        let head = Head {
            name: &method.name,
            descriptor: &method.descriptor,
            access: method.access,
            parameters: method.parameters.iter().cloned().zip(names).collect(),
            result: method.result.clone(),
            is_erased: method.is_erased,
        };
        self.head(stub, head)
    }

    /// A method that gives nothing.
    fn head(&mut self, stub: &Stub, head: Head<'_>) -> Result<Implementation, Unprintable> {
        let Head { name, descriptor, access, parameters, result, is_erased } = head;
        for of in parameters.iter().map(|(of, _)| of).chain(&result) {
            self.name_in_head(of)?;
        }
        let last = parameters.last().map(|(of, _)| of);
        let varargs = access.is_varargs() && matches!(last, Some(GenericType::Array(_)));
        if is_erased || varargs && last.is_some_and(|of| !is_reifiable(of)) {
            self.suppressed.insert(Warning::Unchecked);
        }
        self.suppressed.extend(self.deprecation(stub, name, descriptor).map(Warning::from));
        let access = if access.is_public() {
            "public "
        } else if access.is_protected() {
            "protected "
        } else {
            ""
        };
        let name = member_name(name)?;
        let replies = result.iter().map(|of| Reply::Value(nothing(of))).collect();
        let (counter, throws) = (None, Vec::new());
        let recording = None;
        Ok(Implementation { counter, recording, access, result, name, parameters, varargs, throws, replies })
    }

    /// Names a type in the head of a member. A class of the file has no statement that does.
    fn name_in_head(&mut self, of: &GenericType) -> Result<(), Unprintable> {
        self.name_type(of)?;
        let mut warned = BTreeSet::new();
        classes_of(of, &mut |class| warned.extend(self.context.view.warnings_of(class)));
        self.suppressed.extend(warned);
        Ok(())
    }

    pub(super) fn reply(
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
            (Answer::Itself, _) => Reply::Value(Expr::Variable("this".to_owned())),
            (Answer::CallBack(_, passed), _) => {
                let called = called_back(method, &answer);
                let receiver = called.and_then(|called| parameters.get(usize::from(called.parameter)));
                let (Some(called), Some(receiver)) = (called, receiver) else { return Ok(Reply::Nothing) };
                if self.context.thrown_by_called(method, &[answer]).1 {
                    return Err(Unprintable::Thrown(
                        self.context.cluster.callable(called.callable).name.to_string(),
                    ));
                }
                let receiver = Expr::Variable(receiver.clone());
                self.call_back(method, called, passed.into_iter().flatten(), receiver)?
            }
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
        let view = &self.context.view;
        let thrown = answers.iter().filter_map(|answer| {
            let Answer::Throw(thrown) = answer else { return None };
            self.variable_type(*thrown).as_class().map(|class| class.name.clone())
        });
        let (called, _) = self.context.thrown_by_called(method, answers);
        let mut found: Vec<ClassName> = Vec::new();
        for class in thrown.chain(called).filter(|class| view.is_checked(class)) {
            let declared = method.exceptions.iter().find(|sup| view.hierarchy.is_subclass(&class, sup));
            let name = declared.filter(|sup| view.can_name(sup)).unwrap_or(&class);
            if !found.contains(name) {
                found.push(name.clone());
            }
        }
        found
    }

    /// Overriding a deprecated method is warned of like calling it.
    pub(super) fn deprecation(&self, stub: &Stub, name: &str, descriptor: &str) -> Option<Deprecation> {
        let hierarchy = self.context.view.hierarchy;
        let sups = supertypes(&self.context, stub.of);
        sups.iter()
            .filter_map(|sup| hierarchy.class(sup))
            .filter_map(|info| info.method(name, descriptor)?.deprecated)
            .max()
    }

    /// A member class that an anonymous class inherits hides a class of the same simple name in its body.
    fn check_names_inside(&self, stub: &Stub, methods: &[Implementation]) -> Result<(), Unprintable> {
        let hierarchy = self.context.view.hierarchy;
        let sups = supertypes(&self.context, stub.of);
        let members: Vec<ClassName> = sups
            .iter()
            .filter_map(|sup| hierarchy.class(sup))
            .flat_map(|info| info.member_classes.clone())
            .collect();
        let mut hidden = None;
        for_each_class_inside(methods, &mut |used| {
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
