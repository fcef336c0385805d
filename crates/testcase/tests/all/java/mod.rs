//! The plainest Java for a test: every variable declared with its full type, nothing inlined. `javac` judges with it
//! whether a cluster offers only what source code may say.

#![allow(unreachable_pub, reason = "shared by tests and an example")]

use std::fmt::Write as _;

use bytecode::access::Access;
use bytecode::descriptor::PrimitiveType;
use bytecode::signature::{ClassType, GenericType, TypeArgument};
use testcase::cluster::{CallableKind, Parameter, Stub, StubMethod, TestCluster, TypeId};
use testcase::statement::{Answer, Script, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

/// A class with one method per test.
pub fn class(cluster: &TestCluster, name: &str, tests: &[TestCase]) -> String {
    let mut text = String::new();
    let package = cluster.class_under_test.as_ref().map_or("", |class| class.package());
    if !package.is_empty() {
        let _ = writeln!(text, "package {};", package.replace('/', "."));
    }
    let _ = writeln!(text, "public class {name} {{");
    for (number, test) in tests.iter().enumerate() {
        let unchecked = if is_unchecked(cluster, test) { "@SuppressWarnings(\"unchecked\") " } else { "" };
        let _ = writeln!(text, "  {unchecked}void test{number}() throws Throwable {{");
        for (position, statement) in test.statements().iter().enumerate() {
            if is_unnamed(cluster, statement) {
                continue;
            }
            let declared = match cluster.type_of(statement) {
                Some(of) => format!("{} v{position} = ", ty(cluster, of)),
                None => String::new(),
            };
            let _ = writeln!(text, "    {declared}{};", expression(cluster, test, statement));
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}

/// The methods of an anonymous class; of several answers to a call `javac` sees each.
fn bodies(cluster: &TestCluster, stub: &Stub, script: &Script) -> String {
    let mut text = String::new();
    for (number, (method, answers)) in stub.methods.iter().zip(&script.answers).enumerate() {
        let parameter =
            |(index, parameter): (usize, &Parameter)| format!("{} p{index}", ty(cluster, parameter.of));
        let parameters: Vec<String> = method.parameters.iter().enumerate().map(parameter).collect();
        let access = modifier(method.access);
        let result = method.result.map_or_else(|| "void".to_owned(), |of| ty(cluster, of));
        let throws: Vec<String> =
            method.exceptions.iter().map(|class| class.binary().replace('$', ".")).collect();
        let throws = if throws.is_empty() { String::new() } else { format!(" throws {}", throws.join(", ")) };
        let _ = write!(text, " int n{number}; @Override {access}{result} {}", method.name);
        let _ = write!(text, "({}){throws} {{ switch (n{number}++) {{", parameters.join(", "));
        for (call, answer) in answers.iter().enumerate() {
            let last = call + 1 == answers.len();
            let label = if last { "default".to_owned() } else { format!("case {call}") };
            let does = match answer {
                Answer::Value(variable) => format!("return v{}", variable.0),
                Answer::Parameter(index) => format!("return p{index}"),
                Answer::Itself => "return this".to_owned(),
                Answer::Throw(variable) => format!("throw v{}", variable.0),
                Answer::CallBack(called, passed) => call_back(cluster, method, *called, passed),
                Answer::Return => "return".to_owned(),
            };
            let end = if does.ends_with('}') { "" } else { ";" };
            let _ = write!(text, " {label}: {does}{end}");
        }
        text.push_str(" } }");
    }
    for method in &stub.silent {
        let parameters = method.parameters.iter().enumerate();
        let parameters: Vec<String> =
            parameters.map(|(index, of)| format!("{} p{index}", generic(of))).collect();
        let result = method.result.as_ref().map_or_else(|| "void".to_owned(), generic);
        let gives = match &method.result {
            None => "",
            Some(GenericType::Primitive(PrimitiveType::Boolean)) => "return false;",
            Some(GenericType::Primitive(_)) => "return 0;",
            Some(_) => "return null;",
        };
        let access = modifier(method.access);
        let _ = write!(text, " @Override {access}{result} {}", method.name);
        let _ = write!(text, "({}) {{ {gives} }}", parameters.join(", "));
    }
    text
}

/// A call of what a method is passed, whatever that may throw.
fn call_back(cluster: &TestCluster, method: &StubMethod, called: u8, passed: &[Option<VarRef>]) -> String {
    let called = &method.callbacks[usize::from(called)];
    let callable = cluster.callable(called.callable);
    let arguments = passed
        .iter()
        .flatten()
        .zip(&callable.parameters)
        .map(|(passed, parameter)| format!("({}) v{}", ty(cluster, parameter.of), passed.0));
    let arguments: Vec<String> = arguments.collect();
    let call = format!("p{}.{}({})", called.parameter, callable.name, arguments.join(", "));
    let (gives, then) = match method.result {
        _ if called.gives => ("return ", ""),
        None => ("", " return"),
        Some(of) if of == TypeId::primitive(PrimitiveType::Boolean) => ("", " return false"),
        Some(of) if of.as_primitive().is_some() => ("", " return 0"),
        Some(_) => ("", " return null"),
    };
    format!("try {{ {gives}{call}; }} catch (Throwable t) {{ throw new IllegalStateException(t); }}{then}")
}

/// Whether a statement is null of a type that the test may not name: it is written where it is passed.
fn is_unnamed(cluster: &TestCluster, statement: &Statement) -> bool {
    matches!(statement, Statement::Null { of } if !cluster.ty(*of).accessible)
}

/// Whether a test implements a method with erased types, which `javac` warns of where the class is made.
fn is_unchecked(cluster: &TestCluster, test: &TestCase) -> bool {
    test.statements().iter().any(|statement| match statement {
        Statement::Stub { stub, .. } => {
            let Stub { methods, silent, .. } = cluster.stub(*stub);
            methods.iter().any(|method| method.is_erased) || silent.iter().any(|method| method.is_erased)
        }
        _ => false,
    })
}

fn modifier(access: Access) -> &'static str {
    if access.is_public() {
        "public "
    } else if access.is_protected() {
        "protected "
    } else {
        ""
    }
}

fn expression(cluster: &TestCluster, test: &TestCase, statement: &Statement) -> String {
    // A member that is not public is no member of a subclass in another package, and the methods of a raw type have
    // other parameters than those of a parameterized one; so the receiver is cast to the owner where they differ.
    let object = |receiver: &Option<VarRef>, owner: TypeId, access: Access| match receiver {
        None => raw(cluster, owner),
        Some(receiver) => {
            let declared = test.variable_type(cluster, *receiver);
            let is_plain = cluster.ty(owner).generic == GenericType::from(&cluster.ty(owner).erased);
            if declared == Some(owner) || access.is_public() && !is_plain {
                format!("v{}", receiver.0)
            } else {
                format!("(({}) v{})", ty(cluster, owner), receiver.0)
            }
        }
    };
    let passed = |variable: &VarRef| {
        let is_unnamed = is_unnamed(cluster, test.statement(*variable));
        if is_unnamed { "null".to_owned() } else { format!("v{}", variable.0) }
    };
    let list = |arguments: &[VarRef]| arguments.iter().map(passed).collect::<Vec<_>>().join(", ");
    match statement {
        Statement::Primitive { value, .. } => literal(value),
        Statement::Null { .. } => "null".to_owned(),
        Statement::EnumConstant { field } => {
            let field = cluster.field(*field);
            format!("{}.{}", raw(cluster, field.owner), field.name)
        }
        Statement::ClassLiteral { class, .. } => format!("{}.class", raw(cluster, *class)),
        Statement::Constructor { callable, arguments } => {
            let callable = cluster.callable(*callable);
            if callable.takes_enclosing_instance {
                let inner = cluster.ty(callable.owner).generic.as_class().expect("a class");
                let simple = inner.name.as_str().rsplit('$').next().unwrap_or_default();
                let own = arguments_of(&inner.arguments);
                return format!("v{}.new {simple}{own}({})", arguments[0].0, list(&arguments[1..]));
            }
            format!("new {}({})", ty(cluster, callable.owner), list(arguments))
        }
        Statement::Method { callable, receiver, arguments } => {
            let callable = cluster.callable(*callable);
            assert_eq!(receiver.is_some(), callable.kind == CallableKind::InstanceMethod);
            let given: Vec<String> = callable.type_arguments.iter().map(|of| ty(cluster, *of)).collect();
            let given = if given.is_empty() { String::new() } else { format!("<{}>", given.join(", ")) };
            format!(
                "{}.{given}{}({})",
                object(receiver, callable.owner, callable.access),
                callable.name,
                list(arguments)
            )
        }
        Statement::FieldRead { field, receiver } => {
            let field = cluster.field(*field);
            format!("{}.{}", object(receiver, field.owner, field.access), field.name)
        }
        Statement::FieldWrite { field, receiver, value } => {
            let field = cluster.field(*field);
            format!("{}.{} = {}", object(receiver, field.owner, field.access), field.name, passed(value))
        }
        Statement::Array { of, length } => array(cluster, *of, *length),
        Statement::ArrayWrite { array, index, value } => {
            assert!(array.index() < test.len());
            format!("v{}[{index}] = v{}", array.0, value.0)
        }
        Statement::Stub { stub, script } => {
            let stub = cluster.stub(*stub);
            let constructor = stub.constructor().map(|id| cluster.callable(id));
            if constructor.is_some_and(|constructor| constructor.takes_enclosing_instance) {
                let inner = cluster.ty(stub.of).generic.as_class().expect("a class");
                let simple = inner.name.as_str().rsplit('$').next().unwrap_or_default();
                let own = arguments_of(&inner.arguments);
                let (outer, rest) = (script.arguments[0].0, list(&script.arguments[1..]));
                return format!("v{outer}.new {simple}{own}({rest}) {{{}}}", bodies(cluster, stub, script));
            }
            let arguments = list(&script.arguments);
            format!("new {}({arguments}) {{{}}}", ty(cluster, stub.of), bodies(cluster, stub, script))
        }
    }
}

/// `new int[2][]`: the element type of the innermost array, raw, then the dimensions.
fn array(cluster: &TestCluster, of: TypeId, length: u16) -> String {
    let mut dimensions = String::new();
    let mut element = cluster.ty(of).element.expect("an array type");
    while let Some(inner) = cluster.ty(element).element {
        dimensions.push_str("[]");
        element = inner;
    }
    format!("new {}[{length}]{dimensions}", raw(cluster, element))
}

fn literal(value: &Value) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Byte(value) => format!("(byte) {value}"),
        Value::Short(value) => format!("(short) {value}"),
        Value::Char(value) => format!("(char) {value}"),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => format!("{value}L"),
        Value::Float(value) => format!("Float.intBitsToFloat({})", value.to_bits() as i32),
        Value::Double(value) => format!("Double.longBitsToDouble({}L)", value.to_bits() as i64),
        Value::String(text) => {
            // Octal: unlike `\\u` escapes these are not replaced before the source is read.
            let units = text.units().iter().map(|unit| match unit {
                0x20..0x7F if !matches!(unit, 0x22 | 0x5C) => char::from(*unit as u8).to_string(),
                0..0x100 => format!("\\{unit:03o}"),
                _ => format!("\\u{unit:04x}"),
            });
            format!("\"{}\"", units.collect::<String>())
        }
    }
}

fn ty(cluster: &TestCluster, id: TypeId) -> String {
    generic(&cluster.ty(id).generic)
}

fn raw(cluster: &TestCluster, id: TypeId) -> String {
    generic(&GenericType::from(&cluster.ty(id).erased))
}

fn generic(ty: &GenericType) -> String {
    match ty {
        GenericType::Primitive(primitive) => primitive.keyword().to_owned(),
        GenericType::Array(element) => format!("{}[]", generic(element)),
        GenericType::Variable(name) => panic!("a test has no type variables, but {name}"),
        GenericType::Class(class) => class_type(class),
    }
}

fn class_type(class: &ClassType) -> String {
    let name = match &class.outer {
        Some(outer) => {
            let own = class.name.as_str().strip_prefix(outer.name.as_str()).expect("nested");
            format!("{}{}", class_type(outer), own.replace('$', "."))
        }
        None => class.name.binary().replace('$', "."),
    };
    format!("{name}{}", arguments_of(&class.arguments))
}

fn arguments_of(arguments: &[TypeArgument]) -> String {
    let text = |argument: &TypeArgument| match argument {
        TypeArgument::Exact(exact) => generic(exact),
        TypeArgument::Extends(bound) => format!("? extends {}", generic(bound)),
        TypeArgument::Super(bound) => format!("? super {}", generic(bound)),
        TypeArgument::Unbounded => "?".to_owned(),
    };
    if arguments.is_empty() {
        return String::new();
    }
    format!("<{}>", arguments.iter().map(text).collect::<Vec<_>>().join(", "))
}
