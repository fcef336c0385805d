//! A cluster, and tests over it, as text for people and for tests.

use std::fmt::{self, Display, Formatter};

use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, TypeArgument};

use crate::statement::{Answer, Script, Statement, VarRef};
use crate::test_case::TestCase;

use super::keyed::Entry;
use super::{
    Call, CallableId, CallableKind, FieldId, Generator, Stub, StubId, StubKind, TestCluster, TypeId,
};

/// Prints a cluster: test calls by group, then each type with generators, modifiers and inspectors. Classes appear
/// without their package.
#[derive(Debug, Clone, Copy)]
pub struct Listing<'a>(pub &'a TestCluster);

impl Display for Listing<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let cluster = self.0;
        writeln!(out, "test calls")?;
        for group in &cluster.test_calls {
            for (index, call) in group.iter().enumerate() {
                writeln!(out, "  {} {}", if index == 0 { "*" } else { " " }, CallText(cluster, *call))?;
            }
        }
        for index in 0..cluster.types.len() {
            self.fmt_type(out, TypeId::from(index))?;
        }
        if !cluster.entries.is_empty() {
            writeln!(out, "keys")?;
        }
        for Entry { key, of } in &cluster.entries {
            write!(out, "  ")?;
            TestText(cluster, &TestCase::default()).fmt_statement(out, &cluster.key(key))?;
            writeln!(out, ": {}", TypeText(cluster, *of))?;
        }
        for sentence in &cluster.diagnostics {
            writeln!(out, "! {sentence}")?;
        }
        Ok(())
    }
}

impl Listing<'_> {
    fn fmt_type(self, out: &mut Formatter<'_>, id: TypeId) -> fmt::Result {
        let cluster = self.0;
        let constants = &cluster.ty(id).enum_constants;
        let (generators, modifiers) = (cluster.generators(id), cluster.modifiers(id));
        let (inspectors, fields) = (cluster.inspectors(id), cluster.public_fields(id));
        let element = cluster.element_getter(id);
        let tells = !inspectors.is_empty() || !fields.is_empty() || element.is_some();
        if constants.is_empty() && generators.is_empty() && modifiers.is_empty() && !tells {
            return Ok(());
        }
        writeln!(out, "{}", TypeText(cluster, id))?;
        for field in constants {
            writeln!(out, "  = {}", FieldText(cluster, *field))?;
        }
        for generator in generators {
            match *generator {
                Generator::Callable(id) => writeln!(out, "  = {}", CallableText(cluster, id))?,
                Generator::Field(id) => writeln!(out, "  = {}", FieldText(cluster, id))?,
                Generator::Of(id) => writeln!(out, "  = any {}", TypeText(cluster, id))?,
                Generator::Stub(id) => writeln!(out, "  = {}", StubText(cluster, id))?,
            }
        }
        for call in modifiers {
            writeln!(out, "  ~ {}", CallText(cluster, *call))?;
        }
        for inspector in inspectors {
            writeln!(out, "  ? {}", CallableText(cluster, *inspector))?;
        }
        for field in fields {
            writeln!(out, "  ? {}", FieldText(cluster, *field))?;
        }
        if let Some(getter) = element {
            writeln!(out, "  ? element: {}", CallableText(cluster, getter))?;
        }
        Ok(())
    }
}

/// A type as source code says it.
#[derive(Debug, Clone, Copy)]
pub struct TypeText<'a>(pub &'a TestCluster, pub TypeId);

impl Display for TypeText<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        fmt_generic(out, &self.0.ty(self.1).generic)
    }
}

/// A test case, one line per statement: `v2 = Foo.bar(v0, v1)`. For people; the printed Java is another matter.
#[derive(Debug, Clone, Copy)]
pub struct TestText<'a>(pub &'a TestCluster, pub &'a TestCase);

impl Display for TestText<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for (position, statement) in self.1.statements().iter().enumerate() {
            match self.0.type_of(statement) {
                Some(of) => write!(out, "{} v{position} = ", TypeText(self.0, of))?,
                None => out.write_str("  ")?,
            }
            self.fmt_statement(out, statement)?;
            out.write_str("\n")?;
        }
        Ok(())
    }
}

impl TestText<'_> {
    fn fmt_statement(self, out: &mut Formatter<'_>, statement: &Statement) -> fmt::Result {
        let cluster = self.0;
        let object = |receiver: &Option<VarRef>, owner: TypeId| match receiver {
            Some(receiver) => format!("v{}", receiver.0),
            None => TypeText(cluster, owner).to_string(),
        };
        match statement {
            Statement::Primitive { value, .. } => write!(out, "{value:?}"),
            Statement::Null { .. } => out.write_str("null"),
            Statement::EnumConstant { field } => out.write_str(&cluster.field(*field).name),
            Statement::ClassLiteral { class, .. } => write!(out, "{}.class", TypeText(cluster, *class)),
            Statement::Constructor { callable, arguments } => {
                write!(out, "new {}", TypeText(cluster, cluster.callable(*callable).owner))?;
                fmt_arguments(out, arguments)
            }
            Statement::Method { callable, receiver, arguments } => {
                let callable = cluster.callable(*callable);
                write!(out, "{}.{}", object(receiver, callable.owner), callable.name)?;
                fmt_arguments(out, arguments)
            }
            Statement::FieldRead { field, receiver } => {
                let field = cluster.field(*field);
                write!(out, "{}.{}", object(receiver, field.owner), field.name)
            }
            Statement::FieldWrite { field, receiver, value } => {
                let field = cluster.field(*field);
                write!(out, "{}.{} = v{}", object(receiver, field.owner), field.name, value.0)
            }
            Statement::Array { length, .. } => write!(out, "array of {length}"),
            Statement::ArrayWrite { array, index, value } => {
                write!(out, "v{}[{index}] = v{}", array.0, value.0)
            }
            Statement::Stub { stub, script } => fmt_script(out, cluster.stub(*stub), script),
        }
    }
}

/// `stub(v0) {compare: 0, v1}`: arguments of the constructor, and what each method answers.
fn fmt_script(out: &mut Formatter<'_>, stub: &Stub, script: &Script) -> fmt::Result {
    out.write_str("stub")?;
    if stub.constructor().is_some() {
        fmt_arguments(out, &script.arguments)?;
    }
    out.write_str(" {")?;
    let answer = |answer: &Answer| match answer {
        Answer::Value(variable) => format!("v{}", variable.0),
        Answer::Parameter(index) => format!("parameter {index}"),
        Answer::Itself => "itself".to_owned(),
        Answer::Throw(variable) => format!("throw v{}", variable.0),
        Answer::CallBack(number, passed) => {
            let passed = passed.iter().flatten().map(|variable| format!(" v{}", variable.0));
            format!("call back {number}{}", passed.collect::<String>())
        }
        Answer::Return => "return".to_owned(),
    };
    for (index, (method, answers)) in stub.methods.iter().zip(&script.answers).enumerate() {
        write!(out, "{}{}: ", if index == 0 { "" } else { "; " }, method.name)?;
        fmt_list(out, answers.iter().map(answer))?;
    }
    out.write_str("}")
}

/// A stub as the methods that it has a script for, then how many others: `stub Runnable {run(): void}`, `stub Big {size():
/// int; 20 silent}`, `lambda Executor {execute(Runnable) calling Runnable.run()}`.
struct StubText<'a>(&'a TestCluster, StubId);

impl Display for StubText<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self(cluster, id) = *self;
        let stub = cluster.stub(id);
        let kind = match stub.kind {
            StubKind::Mock => "mock",
            StubKind::Interface if stub.is_functional => "lambda",
            StubKind::Interface | StubKind::Extension(_) => "stub",
        };
        write!(out, "{kind} {}", TypeText(cluster, stub.of))?;
        if let Some(constructor) = stub.constructor() {
            let parameters = &cluster.callable(constructor).parameters;
            out.write_str("(")?;
            fmt_list(out, parameters.iter().map(|parameter| TypeText(cluster, parameter.of)))?;
            out.write_str(")")?;
        }
        out.write_str(" {")?;
        for (index, method) in stub.methods.iter().enumerate() {
            write!(out, "{}{}(", if index == 0 { "" } else { "; " }, method.name)?;
            fmt_list(out, method.parameters.iter().map(|parameter| TypeText(cluster, parameter.of)))?;
            out.write_str(")")?;
            if let Some(result) = method.result {
                write!(out, ": {}", TypeText(cluster, result))?;
                for (index, of) in method.narrowed.iter().enumerate() {
                    let link = if index == 0 { "as" } else { "or" };
                    write!(out, " {link} {}", TypeText(cluster, *of))?;
                }
            }
            for (index, called) in method.callbacks.iter().enumerate() {
                let link = if index == 0 { "calling" } else { "or" };
                write!(out, " {link} {}", CallText(cluster, Call::Callable(called.callable)))?;
            }
        }
        if !stub.silent.is_empty() {
            write!(out, "{}{} silent", if stub.methods.is_empty() { "" } else { "; " }, stub.silent.len())?;
        }
        out.write_str("}")
    }
}

fn fmt_arguments(out: &mut Formatter<'_>, arguments: &[VarRef]) -> fmt::Result {
    out.write_str("(")?;
    fmt_list(out, arguments.iter().map(|argument| format!("v{}", argument.0)))?;
    out.write_str(")")
}

/// A generic type as source code says it.
pub(super) struct GenericText<'a>(pub(super) &'a GenericType);

impl Display for GenericText<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        fmt_generic(out, self.0)
    }
}

struct CallText<'a>(&'a TestCluster, Call);

impl Display for CallText<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            Call::Callable(id) => CallableText(self.0, id).fmt(out),
            Call::Read(id) => write!(out, "read {}", FieldText(self.0, id)),
            Call::Write(id) => write!(out, "write {}", FieldText(self.0, id)),
            Call::Implement(id) => StubText(self.0, id).fmt(out),
        }
    }
}

/// A callable as source code would declare it: owner, name, parameters, result.
#[derive(Debug, Clone, Copy)]
pub struct CallableText<'a>(pub &'a TestCluster, pub CallableId);

impl Display for CallableText<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self(cluster, id) = *self;
        let callable = cluster.callable(id);
        let owner = TypeText(cluster, callable.owner);
        match callable.kind {
            CallableKind::Constructor => write!(out, "new {owner}")?,
            CallableKind::StaticMethod => write!(out, "static {owner}.")?,
            CallableKind::InstanceMethod => write!(out, "{owner}.")?,
        }
        if !callable.type_arguments.is_empty() {
            out.write_str("<")?;
            fmt_list(out, callable.type_arguments.iter().map(|ty| TypeText(cluster, *ty)))?;
            out.write_str(">")?;
        }
        if callable.kind != CallableKind::Constructor {
            out.write_str(&callable.name)?;
        }
        out.write_str("(")?;
        fmt_list(out, callable.parameters.iter().map(|parameter| TypeText(cluster, parameter.of)))?;
        out.write_str(")")?;
        if callable.kind != CallableKind::Constructor
            && let Some(result) = callable.result
        {
            write!(out, ": {}", TypeText(cluster, result))?;
        }
        if let Some(cast) = &callable.result_cast {
            write!(out, " cast {cast:?}")?;
        }
        Ok(())
    }
}

struct FieldText<'a>(&'a TestCluster, FieldId);

impl Display for FieldText<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let field = self.0.field(self.1);
        write!(out, "{}.{}: {}", TypeText(self.0, field.owner), field.name, TypeText(self.0, field.of))
    }
}

fn fmt_list(out: &mut Formatter<'_>, items: impl Iterator<Item = impl Display>) -> fmt::Result {
    for (index, item) in items.enumerate() {
        write!(out, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}

fn simple(name: &ClassName) -> String {
    name.base_name().replace('$', ".")
}

fn fmt_generic(out: &mut Formatter<'_>, generic: &GenericType) -> fmt::Result {
    match generic {
        GenericType::Primitive(primitive) => out.write_str(primitive.keyword()),
        GenericType::Variable(name) => out.write_str(name),
        GenericType::Array(element) => {
            fmt_generic(out, element)?;
            out.write_str("[]")
        }
        GenericType::Class(class) => fmt_class(out, class),
    }
}

fn fmt_class(out: &mut Formatter<'_>, class: &ClassType) -> fmt::Result {
    match &class.outer {
        Some(outer) => {
            fmt_class(out, outer)?;
            let name = class.name.as_str();
            let inner = name.strip_prefix(outer.name.as_str()).unwrap_or(name);
            out.write_str(&inner.replace('$', "."))?;
        }
        None => out.write_str(&simple(&class.name))?,
    }
    for (index, argument) in class.arguments.iter().enumerate() {
        out.write_str(if index == 0 { "<" } else { ", " })?;
        match argument {
            TypeArgument::Exact(exact) => fmt_generic(out, exact)?,
            TypeArgument::Extends(bound) => {
                out.write_str("? extends ")?;
                fmt_generic(out, bound)?;
            }
            TypeArgument::Super(bound) => {
                out.write_str("? super ")?;
                fmt_generic(out, bound)?;
            }
            TypeArgument::Unbounded => out.write_str("?")?,
        }
    }
    out.write_str(if class.arguments.is_empty() { "" } else { ">" })
}
