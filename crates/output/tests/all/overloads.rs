//! The judge of overloads: random calls of the JDK's and of fixture classes are printed and compiled, and the compiled
//! calls must name the members that the test cases name.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::common::{ClusterBuilder, TestBuilder, junit_stub, print};
use bytecode::class_file::ClassFile;
use bytecode::descriptor::MethodDescriptor;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::instruction::{Operand, decode};
use bytecode::opcode;
use bytecode::signature::{GenericType, TypeArgument};
use coverage::goal::GoalSet;
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::cluster::{CallableId, CallableKind, TypeId};
use testcase::random::Random;
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

const FIXTURE: &str = r"
//- /p/Over.java
package p;
import java.util.*;
public class Over extends Base {
    public Over() {}
    public Over(Object a) {}
    public Over(String a) {}
    public Over(int... a) {}
    public Over(Integer a, Object b) {}
    public Over(Object a, Integer b) {}
    public static void f(Object a) {}
    public static void f(String a) {}
    public static void f(CharSequence a) {}
    public static void f(int a) {}
    public static void f(long a) {}
    public static void f(Integer a) {}
    public static void f(char a) {}
    public static void f(double a) {}
    public static void f(int[] a) {}
    public static void f(Object... a) {}
    public static void f(Object a, String b) {}
    public static void f(String a, Object b) {}
    public static void f(Object a, Object b) {}
    public static void f(int a, Object b) {}
    public static void f(Object a, int b) {}
    public static void b(byte a) {}
    public static void b(short a) {}
    public static void b(float a) {}
    public static void b(Byte a) {}
    public static void b(Number a) {}
    public static <T> void g(T a) {}
    public static void g(String a) {}
    public static <T extends Comparable<T>> void g(T a, T b) {}
    public static void g(Object a, Object b) {}
    public static void v(String... a) {}
    public static void v(Object... a) {}
    public static void v(String a, Object... b) {}
    public static void v(int... a) {}
    @SafeVarargs public static <T> void w(T... a) {}
    public static void w(Object a) {}
    public static void l(List<String> a) {}
    public static void l(Collection<String> a) {}
    public static void l(Iterable<String> a) {}
    public void h(String a) {}
    public void h(Integer a) {}
    public static void s() {}
    public class Inner {
        public Inner(Object a) {}
        public Inner(String a) {}
    }
}
//- /p/Base.java
package p;
class Base {
    public void h(Object a) {}
    public void h(CharSequence a) {}
    void q(long a) {}
    void q(Long a) {}
    public static void s() {}
    public static void t(Object a) {}
}
//- /p/Box.java
package p;
public class Box<T> implements Comparable<Box<T>> {
    public Box() {}
    public Box(T a) {}
    public void set(T a) {}
    public void set(CharSequence a) {}
    public void set(T a, int b) {}
    public void set(Object a, long b) {}
    public int compareTo(Box<T> other) { return 0; }
    public void add(T[] a) {}
}
";

const STRINGS: &str = "Ljava/lang/String;";
const CLASSES: [&str; 26] = [
    "Lp/Over;",
    "Lp/Base;",
    "Lp/Over$Inner;",
    "Lp/Box<Ljava/lang/String;>;",
    "Lp/Box<Ljava/lang/Integer;>;",
    "Ljava/lang/StringBuilder;",
    "Ljava/lang/String;",
    "Ljava/lang/Math;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Character;",
    "Ljava/util/Arrays;",
    "Ljava/util/Objects;",
    "Ljava/util/ArrayList<Ljava/lang/String;>;",
    "Ljava/util/List<Ljava/lang/Integer;>;",
    "Ljava/util/HashMap<Ljava/lang/String;Ljava/lang/Integer;>;",
    "Ljava/util/TreeSet<Ljava/lang/String;>;",
    "Ljava/util/ArrayDeque<Ljava/lang/String;>;",
    "Ljava/util/Optional<Ljava/lang/String;>;",
    "Ljava/math/BigDecimal;",
    "Ljava/math/BigInteger;",
    "Ljava/io/PrintStream;",
    "Ljava/io/StringWriter;",
    "Ljava/io/ByteArrayOutputStream;",
    "Ljava/text/DecimalFormat;",
    "Ljava/time/LocalDate;",
    "Ljava/nio/CharBuffer;",
];

/// A type as source code writes it, in full.
fn source(of: &GenericType) -> String {
    match of {
        GenericType::Primitive(primitive) => primitive.keyword().to_owned(),
        GenericType::Variable(name) => name.to_string(),
        GenericType::Array(element) => format!("{}[]", source(element)),
        GenericType::Class(class) => {
            let arguments: Vec<String> = class
                .arguments
                .iter()
                .map(|argument| match argument {
                    TypeArgument::Exact(of) => source(of),
                    TypeArgument::Extends(of) => format!("? extends {}", source(of)),
                    TypeArgument::Super(of) => format!("? super {}", source(of)),
                    TypeArgument::Unbounded => "?".to_owned(),
                })
                .collect();
            let name = class.name.binary().replace('$', ".");
            if arguments.is_empty() { name } else { format!("{name}<{}>", arguments.join(", ")) }
        }
    }
}

/// A factory `Make.make12()` for each type, so that variables of every type can be had.
fn add_factories(builder: &mut ClusterBuilder) -> (String, BTreeMap<TypeId, CallableId>) {
    let mut text = String::from(
        "//- /p/Make.java\npackage p;\n@SuppressWarnings({\"rawtypes\", \"deprecation\"})\npublic class Make {\n",
    );
    let mut factories = BTreeMap::new();
    let types: Vec<_> =
        builder.cluster.types.iter().map(|of| (of.generic.clone(), of.erased.clone())).collect();
    for (index, (generic, erased)) in types.iter().enumerate() {
        let name = format!("make{index}");
        let id = builder.static_method("Lp/Make;", &name, &format!("(){}", erased.descriptor()));
        let of = TypeId::from(index);
        builder.change(id, |callable| callable.result = Some(of));
        factories.insert(of, id);
        let zero = if of.as_primitive().is_none() {
            "null"
        } else if index == 0 {
            "false"
        } else {
            "0"
        };
        writeln!(text, "    public static {} {name}() {{ return {zero}; }}", source(generic)).unwrap();
    }
    text.push_str("}\n");
    (text, factories)
}

/// Instantiations that no bound allows would be errors of the cluster, not of the printer.
fn within_bounds(hierarchy: &ClassHierarchy, builder: &ClusterBuilder, id: CallableId) -> bool {
    let callable = builder.cluster.callable(id);
    let info = hierarchy.class(&callable.declared_in).unwrap();
    let method = info.method(&callable.name, &callable.descriptor).unwrap();
    let string = GenericType::class("java/lang/String");
    method.generic.type_parameters.iter().all(|parameter| {
        parameter.bounds.iter().all(|bound| match bound {
            GenericType::Class(class) if class.name.as_str() == "java/lang/Comparable" => true,
            bound => *bound == GenericType::object() || hierarchy.is_subtype(&string, bound),
        })
    })
}

struct Caller<'a> {
    builder: &'a ClusterBuilder,
    factories: &'a BTreeMap<TypeId, CallableId>,
    random: Random,
}

impl Caller<'_> {
    fn argument(&mut self, test: &mut TestBuilder, of: TypeId) -> VarRef {
        let cluster = &self.builder.cluster;
        let literals = [
            Value::Boolean(true),
            Value::Byte(3),
            Value::Short(4),
            Value::Char(0x63),
            Value::Int(500),
            Value::Long(6),
            Value::Float(0.5),
            Value::Double(0.25),
        ];
        let fitting: Vec<usize> = cluster
            .assignable
            .iter()
            .enumerate()
            .filter(|(_, row)| row.contains(of.index()))
            .map(|(index, _)| index)
            .collect();
        match self.random.below(4) {
            0 if of.as_primitive().is_none() => test.push(Statement::Null { of }),
            1 | 2 => match (of.as_primitive(), self.random.below(3)) {
                (Some(primitive), _) => test.value(literals[primitive as usize].clone()),
                (None, 0) if cluster.is_assignable(TypeId::STRING, of) => test.string("abc"),
                (None, 1) => match self.boxed(of) {
                    Some(index) => test.boxed(literals[index].clone()),
                    None => self.variable(test, of),
                },
                _ => match cluster.ty(of).element {
                    Some(element) => self.array(test, of, element),
                    None => self.variable(test, of),
                },
            },
            _ => {
                let sub = self.random.choose(&fitting).copied().unwrap_or(of.index());
                self.variable(test, TypeId::from(sub))
            }
        }
    }

    fn boxed(&mut self, of: TypeId) -> Option<usize> {
        let fitting: Vec<usize> =
            (0..8).filter(|&index| self.builder.cluster.is_assignable(TypeId::from(index + 8), of)).collect();
        self.random.choose(&fitting).copied()
    }

    fn variable(&mut self, test: &mut TestBuilder, of: TypeId) -> VarRef {
        test.call_static(self.factories[&of], &[])
    }

    fn array(&mut self, test: &mut TestBuilder, of: TypeId, element: TypeId) -> VarRef {
        let length = self.random.below(3) as u16;
        let elements: Vec<VarRef> = (0..length).map(|_| self.argument(test, element)).collect();
        let array = test.array(of, length);
        for (index, element) in elements.into_iter().enumerate() {
            test.write(array, index as u16, element);
        }
        array
    }

    fn call(&mut self, id: CallableId) -> TestBuilder {
        let mut test = TestBuilder::default();
        let callable = self.builder.cluster.callable(id).clone();
        let receiver =
            (callable.kind == CallableKind::InstanceMethod).then(|| self.variable(&mut test, callable.owner));
        let outer =
            callable.takes_enclosing_instance.then(|| self.variable(&mut test, callable.parameters[0].of));
        let rest = &callable.parameters[usize::from(outer.is_some())..];
        let mut arguments: Vec<VarRef> = outer.into_iter().collect();
        for parameter in rest {
            arguments.push(self.argument(&mut test, parameter.of));
        }
        let arguments = arguments.into_iter().collect();
        test.push(match callable.kind {
            CallableKind::Constructor => Statement::Constructor { callable: id, arguments },
            CallableKind::StaticMethod | CallableKind::InstanceMethod => {
                Statement::Method { callable: id, receiver, arguments }
            }
        });
        test
    }
}

/// The last call in each method of a compiled class: name and parameters.
fn last_calls(bytes: &[u8]) -> BTreeMap<String, (String, MethodDescriptor)> {
    let class = ClassFile::parse(bytes).unwrap();
    let mut found = BTreeMap::new();
    for method in &class.methods {
        let Some(code) = class.code(method).unwrap() else {
            continue;
        };
        for instruction in decode(code.code()).unwrap() {
            let Operand::Constant(index) = instruction.operand else {
                continue;
            };
            if (opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE).contains(&instruction.opcode) {
                let member = class.constants.member(index).unwrap();
                let call = (member.name.to_string(), MethodDescriptor::parse(&member.descriptor).unwrap());
                found.insert(class.constants.utf8(method.name).unwrap().to_string(), call);
            }
        }
    }
    found
}

#[test]
fn every_printed_call_means_the_member_that_the_test_names() {
    let fixture = fixture::compile(FIXTURE);
    let hierarchy = fixture.hierarchy();
    let mut builder = ClusterBuilder::new("p/Over");
    let string = GenericType::class("java/lang/String");
    let mut callables = Vec::new();
    for class in CLASSES {
        callables.extend(builder.add_class(&hierarchy, class, "p", &string));
    }
    for more in ["Ljava/util/LinkedList<Ljava/lang/String;>;", STRINGS, "Lp/Box<-Ljava/lang/Integer;>;"] {
        builder.ty(more);
    }
    callables.retain(|&id| within_bounds(&hierarchy, &builder, id));
    builder.relate(&hierarchy);
    let (factory_source, factories) = add_factories(&mut builder);
    let mut caller = Caller { builder: &builder, factories: &factories, random: Random::new(7, 0) };
    let mut suite = Vec::new();
    let mut wanted = Vec::new();
    for &id in &callables {
        for _ in 0..4 {
            suite.push(caller.call(id).finish());
            wanted.push(id);
        }
    }
    assert!(suite.len() > 4_000, "{}", suite.len());
    let printed = print(&builder, &hierarchy, JunitStyle::Jupiter, &suite);
    let refused: Vec<String> = printed.refused.iter().map(|refused| refused.reason.to_string()).collect();
    assert!(refused.is_empty(), "{refused:?}");
    let classes = format!("{}\n{factory_source}\n{FIXTURE}", junit_stub::sources());
    let compiled = fixture::compile_with(&classes, &["-g"]);
    let path = compiled.folder.to_str().unwrap();
    let source = format!("//- /p/OverCovolveTest.java\n{}", printed.text);
    let tests = fixture::compile_strictly(&source, &["-cp", path]);
    let calls = last_calls(&tests.bytes("p/OverCovolveTest"));
    for test in &printed.tests {
        let callable = builder.cluster.callable(wanted[test.test]);
        let parameters = MethodDescriptor::parse(&callable.descriptor).unwrap().parameters;
        let (name, descriptor) = &calls[&test.method];
        let lines: Vec<&str> = printed.lines_of(test).collect();
        assert_eq!(
            (name.as_str(), &descriptor.parameters),
            (&*callable.name, &parameters),
            "{}",
            lines.join("\n")
        );
    }
}

#[test]
fn a_cast_beside_primitive_overloads_leaves_the_types_of_others_inferable() {
    const BETWEEN: &str = r"
//- /p/Between.java
package p;
public class Between {
    public static <T> void between(T start, T end, Comparable<T> value) {}
    public static void between(long start, long end, long value) {}
    public static void between(double start, double end, double value) {}
}
";
    const GENERIC: &str = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Comparable;)V";
    let fixture = fixture::compile(BETWEEN);
    let hierarchy = fixture.hierarchy();
    let mut builder = ClusterBuilder::new("p/Between");
    let integer = GenericType::class("java/lang/Integer");
    let callables = builder.add_class(&hierarchy, "Lp/Between;", "p", &integer);
    builder.relate(&hierarchy);
    let generic =
        callables.into_iter().find(|&id| &*builder.cluster.callable(id).descriptor == GENERIC).unwrap();
    let mut test = TestBuilder::default();
    let arguments = [1, 2, 3].map(|number| test.boxed(Value::Int(number)));
    test.call_static(generic, &arguments);
    let printed = print(&builder, &hierarchy, JunitStyle::Jupiter, &[test.finish()]);
    assert!(printed.refused.is_empty(), "{:?}", printed.refused);
    assert!(
        printed.text.contains("between(1, 2, (Comparable<Integer>) Integer.valueOf(3))"),
        "{}",
        printed.text
    );
    let compiled = fixture::compile_with(&format!("{}\n{BETWEEN}", junit_stub::sources()), &["-g"]);
    let source = format!("//- /p/BetweenCovolveTest.java\n{}", printed.text);
    let tests = fixture::compile_strictly(&source, &["-cp", compiled.folder.to_str().unwrap()]);
    let calls = last_calls(&tests.bytes("p/BetweenCovolveTest"));
    assert_eq!(calls[&printed.tests[0].method].1, MethodDescriptor::parse(GENERIC).unwrap());
}

/// `Properties` is a `Map`, and no `Map<String, V>` whatever `V` is: with `null` `javac` finds neither more specific.
#[test]
fn null_is_cast_where_type_arguments_leave_no_overload_most_specific() {
    const FILLER: &str = r"
//- /p/Filler.java
package p;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
public class Filler {
    public static <V> void fill(Object source, Map<String, V> values) {}
    public static void fill(Object source, Properties values) {}
    public static <V> void copy(Map<String, V> values) {}
    public static void copy(HashMap<String, Integer> values) {}
}
";
    let calls = [
        ("(Ljava/lang/Object;Ljava/util/Map;)V", "fill(null, (Map<String, "),
        ("(Ljava/lang/Object;Ljava/util/Properties;)V", "fill(null, (Properties) null)"),
        ("(Ljava/util/HashMap;)V", "copy(null)"),
    ];
    let fixture = fixture::compile(FILLER);
    let hierarchy = fixture.hierarchy();
    let mut builder = ClusterBuilder::new("p/Filler");
    let string = GenericType::class("java/lang/String");
    let callables = builder.add_class(&hierarchy, "Lp/Filler;", "p", &string);
    builder.relate(&hierarchy);
    let suite = calls.map(|(descriptor, _)| {
        let is_called = |&id: &CallableId| &*builder.cluster.callable(id).descriptor == descriptor;
        let called = callables.iter().copied().find(is_called).expect(descriptor);
        let mut test = TestBuilder::default();
        let of: Vec<TypeId> =
            builder.cluster.callable(called).parameters.iter().map(|parameter| parameter.of).collect();
        let nulls: Vec<VarRef> = of.into_iter().map(|of| test.push(Statement::Null { of })).collect();
        test.call_static(called, &nulls);
        test.finish()
    });
    let printed = print(&builder, &hierarchy, JunitStyle::Jupiter, &suite);
    assert!(printed.refused.is_empty(), "{:?}", printed.refused);
    let compiled = fixture::compile_with(&format!("{}\n{FILLER}", junit_stub::sources()), &["-g"]);
    let source = format!("//- /p/FillerCovolveTest.java\n{}", printed.text);
    let tests = fixture::compile_strictly(&source, &["-cp", compiled.folder.to_str().unwrap()]);
    let found = last_calls(&tests.bytes("p/FillerCovolveTest"));
    for (test, (descriptor, text)) in printed.tests.iter().zip(calls) {
        assert_eq!(found[&test.method].1, MethodDescriptor::parse(descriptor).unwrap());
        assert!(printed.text.contains(text), "{text}: {}", printed.text);
    }
}

/// A build may name a release, or a source level alone, or nothing: then overloads that came later are seen as well.
#[test]
fn calls_mean_the_same_member_against_every_release_that_a_build_may_see() {
    const NAMES: &str = r"
//- /p/Names.java
package p;
public class Names extends java.util.ArrayList<String> {
    private static final long serialVersionUID = 1;
    public Names() {}
}
";
    let fixture = fixture::compile(NAMES);
    let (of_java_8, hierarchy) = (fixture.hierarchy_of_java_8(), fixture.hierarchy());
    let mut builder = ClusterBuilder::new("p/Names");
    for class in ["Lp/Names;", "Ljava/util/ArrayList<Ljava/lang/String;>;"] {
        builder.add_class(&of_java_8, class, "p", &GenericType::class("java/lang/String"));
    }
    builder.relate(&of_java_8);
    let new = builder.find("<init>", "()V");
    let to_array = builder.find("toArray", "([Ljava/lang/Object;)[Ljava/lang/Object;");
    let of = builder.cluster.callable(to_array).parameters[0].of;
    let mut test = TestBuilder::default();
    let names = test.new_object(new, &[]);
    let null = test.null(of);
    test.call(to_array, names, &[null]);
    test.throws("java/lang/NullPointerException");
    let goals = GoalSet::default();
    let class = builder.cluster.class_under_test.clone().unwrap();
    let printed = JunitWriter::new(&builder.cluster, &of_java_8, &goals, class, JunitStyle::Jupiter)
        .compiled_against(&hierarchy)
        .write(&[test.finish()]);
    let source = format!("//- /p/NamesCovolveTest.java\n{}", printed.text);
    let classes = format!("{}\n{NAMES}", junit_stub::sources());
    let classes = fixture::compile_with(&classes, &["-g", "--release", "8"]);
    let path = classes.folder.to_str().unwrap();
    let ways: [&[&str]; 3] = [&["--release", "8"], &["-source", "8", "-target", "8"], &[]];
    for way in ways {
        fixture::compile_with(&source, &[way, &["-cp", path]].concat());
    }
}
