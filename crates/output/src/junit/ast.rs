//! The Java that a test file can say: a small syntax tree without layout. Classes are named by [`ClassName`], so
//! that [`super::imports`] can choose between simple and qualified names once the whole file is known.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::name::ClassName;
use bytecode::settings::Setting;
use bytecode::signature::{ClassType, GenericType};
use testcase::assertion::StandardStream;
use testcase::value::JavaString;

use super::fixtures::mock_fields::MockField;
use super::implementations::{Anonymous, Implementation, Reply, for_each_class_inside};
use super::statics::Kept;
pub(crate) use super::warning::Warning;

/// A compilation unit with one class.
#[derive(Debug)]
pub(crate) struct Unit {
    /// Internal name of the package, empty for the unnamed one.
    pub package: String,
    /// Simple name of the class.
    pub name: String,
    /// Warnings suppressed on the whole class.
    pub suppressed: BTreeSet<Warning>,
    /// Whether no other test class may run meanwhile.
    pub is_isolated: bool,
    /// Whether tests use the folder that each has to itself.
    pub has_folder: bool,
    /// The standard streams that tests look at.
    pub streams: BTreeSet<StandardStream>,
    /// The static state that tests change.
    pub statics: Vec<Kept>,
    /// What tests set of the JVM.
    pub settings: BTreeSet<Setting>,
    /// Mocks that are fields.
    pub mock_fields: Vec<MockField>,
    /// What is done before each test.
    pub set_ups: Vec<SetUp>,
    /// The tests.
    pub methods: Vec<Method>,
    /// Whether tests give objects what a container would by a method of the class.
    pub injects: bool,
    /// Methods behind them that make what several of them begin with.
    pub helpers: Vec<Helper>,
    /// Classes behind them that they share.
    pub stubs: Vec<StubClass>,
}

impl Unit {
    /// All statements of its methods.
    pub(crate) fn statements(&self) -> impl Iterator<Item = &Stmt> {
        let tests = self.methods.iter().flat_map(|method| &method.body).map(|line| &line.statement);
        let shared = self.set_ups.iter().map(|set_up| &set_up.body);
        tests.chain(shared.chain(self.helpers.iter().map(|helper| &helper.body)).flatten())
    }
}

/// Fields of a test class, and the method before each test that sets them.
#[derive(Debug)]
pub(crate) struct SetUp {
    /// Simple name of the class within that of the file that holds it; `None` where that class itself does.
    pub nested: Option<String>,
    /// Types and names of the fields.
    pub fields: Vec<(GenericType, String)>,
    /// `throws X`.
    pub throws: Option<ClassName>,
    /// Its body.
    pub body: Vec<Stmt>,
}

/// A static method that makes an object which several tests begin with.
#[derive(Debug)]
pub(crate) struct Helper {
    /// Its name.
    pub name: String,
    /// Type of the object.
    pub result: GenericType,
    /// Warnings that the API under test makes unavoidable.
    pub suppressed: BTreeSet<Warning>,
    /// `throws X`.
    pub throws: Option<ClassName>,
    /// What comes before `return`.
    pub body: Vec<Stmt>,
    /// What it returns.
    pub value: Expr,
}

impl SetUp {
    /// Calls `visit` on each class named in it.
    pub(crate) fn for_each_class(&self, visit: &mut dyn FnMut(&ClassName)) {
        self.fields.iter().for_each(|(of, _)| classes_of(of, visit));
        self.throws.iter().for_each(&mut *visit);
        self.body.iter().for_each(|statement| statement.for_each_class(visit));
    }
}

impl Helper {
    /// Calls `visit` on each class named in it.
    pub(crate) fn for_each_class(&self, visit: &mut dyn FnMut(&ClassName)) {
        classes_of(&self.result, visit);
        self.throws.iter().for_each(&mut *visit);
        self.body.iter().for_each(|statement| statement.for_each_class(visit));
        self.value.for_each_class(visit);
    }
}

/// A static class within the class of the tests, which some of them extend.
#[derive(Debug)]
pub(crate) struct StubClass {
    /// Its simple name.
    pub name: String,
    /// Its type parameters, none of which has a bound.
    pub parameters: Vec<Arc<str>>,
    /// What it implements or extends.
    pub of: ClassType,
    /// Whether that is an interface.
    pub is_interface: bool,
    /// Warnings that `of` makes unavoidable.
    pub suppressed: BTreeSet<Warning>,
    /// Its constructor, where that takes or throws something.
    pub constructor: Option<StubConstructor>,
    /// Its methods.
    pub methods: Vec<Implementation>,
}

/// A constructor that hands all that it takes to the one of the superclass.
#[derive(Debug)]
pub(crate) struct StubConstructor {
    /// Types and names of the parameters.
    pub parameters: Vec<(GenericType, String)>,
    /// Whether the last parameter is written with `...`.
    pub varargs: bool,
    /// Checked exceptions that the superclass declares.
    pub throws: Vec<ClassName>,
}

impl StubClass {
    /// Calls `visit` on each class named in it.
    pub(crate) fn for_each_class(&self, visit: &mut dyn FnMut(&ClassName)) {
        classes_of_class(&self.of, visit);
        if let Some(constructor) = &self.constructor {
            constructor.parameters.iter().for_each(|(of, _)| classes_of(of, visit));
            constructor.throws.iter().for_each(&mut *visit);
        }
        for_each_class_inside(&self.methods, visit);
    }
}

/// A test method.
#[derive(Debug)]
pub(crate) struct Method {
    /// Its name.
    pub name: String,
    /// The sentence that JUnit shows in place of the name.
    pub display_name: Option<String>,
    /// Simple name of the class within that of the file that holds it; `None` where that class itself does.
    pub nested: Option<String>,
    /// What it is run with, where that is more than once.
    pub table: Option<Table>,
    /// Warnings that the API under test makes unavoidable.
    pub suppressed: BTreeSet<Warning>,
    /// `@Test(expected = X.class)` of JUnit 4.
    pub expected: Option<ClassName>,
    /// `throws X`.
    pub throws: Option<ClassName>,
    /// Its body.
    pub body: Vec<Line>,
}

/// What a parameterized test is run with.
#[derive(Debug)]
pub(crate) struct Table {
    /// Types and names of the parameters.
    pub parameters: Vec<(GenericType, String)>,
    /// The rows, in order.
    pub rows: Rows,
}

/// Rows of a parameterized test.
#[derive(Debug)]
pub(crate) enum Rows {
    /// `@ValueSource(ints = {1, 2})`
    Values {
        /// The attribute that the type asks for.
        attribute: &'static str,
        /// A value per row.
        values: Vec<Expr>,
    },
    /// `@CsvSource({"a, 1", "b, 2"})`
    Csv {
        /// A record per row.
        records: Vec<String>,
        /// Whether the word `null` stands for `null`.
        has_null: bool,
    },
    /// `@MethodSource`: what CSV cannot carry as it is.
    Method(Vec<Vec<Expr>>),
}

impl Table {
    /// Calls `visit` on each class named in it, annotations included.
    pub(crate) fn for_each_class(&self, visit: &mut dyn FnMut(&ClassName)) {
        visit(&PARAMETERIZED_TEST.into());
        for (of, _) in &self.parameters {
            classes_of(of, visit);
        }
        match &self.rows {
            Rows::Values { values, .. } => {
                visit(&VALUE_SOURCE.into());
                for value in values {
                    value.for_each_class(visit);
                }
            }
            Rows::Csv { .. } => visit(&CSV_SOURCE.into()),
            Rows::Method(rows) => {
                for class in [ARGUMENTS, METHOD_SOURCE, STREAM] {
                    visit(&class.into());
                }
                for value in rows.iter().flatten() {
                    value.for_each_class(visit);
                }
            }
        }
    }
}

/// The assertion that a statement completes: of JUnit 5.2 and later.
pub(crate) const COMPLETES: &str = "assertDoesNotThrow";

/// Annotations of Jupiter.
pub(crate) const DISPLAY_NAME: &str = "org/junit/jupiter/api/DisplayName";
pub(crate) const NESTED: &str = "org/junit/jupiter/api/Nested";
pub(crate) const PARAMETERIZED_TEST: &str = "org/junit/jupiter/params/ParameterizedTest";
pub(crate) const VALUE_SOURCE: &str = "org/junit/jupiter/params/provider/ValueSource";
pub(crate) const CSV_SOURCE: &str = "org/junit/jupiter/params/provider/CsvSource";
pub(crate) const METHOD_SOURCE: &str = "org/junit/jupiter/params/provider/MethodSource";

/// Classes of Mockito: its static methods, what stands for any argument, what a mock does where nobody said, calls in order.
pub(crate) const MOCKITO: &str = "org/mockito/Mockito";
pub(crate) const ARGUMENT_MATCHERS: &str = "org/mockito/ArgumentMatchers";
pub(crate) const ANSWERS: &str = "org/mockito/Answers";
pub(crate) const IN_ORDER: &str = "org/mockito/InOrder";

/// The classes of the arguments of a row, and of what gives all rows.
pub(crate) const ARGUMENTS: &str = "org/junit/jupiter/params/provider/Arguments";
pub(crate) const STREAM: &str = "java/util/stream/Stream";

/// A statement of a test's body, with the assertion that it stands for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    /// The statement.
    pub statement: Stmt,
    /// Index of the assertion of the test case.
    pub assertion: Option<usize>,
    /// What the method that holds it must say because of it.
    pub needs: Needs,
}

/// What statements ask of the method that holds them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Warnings to suppress.
    pub suppressed: BTreeSet<Warning>,
    /// Checked exceptions that it lets through.
    pub checked: BTreeSet<ClassName>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stmt {
    /// An empty line.
    Blank,
    /// `Foo foo = …;`
    Declare {
        /// Declared type.
        of: GenericType,
        /// The variable.
        name: String,
        /// Its value.
        value: Expr,
    },
    /// An expression statement.
    Evaluate(Expr),
    /// `target = value;`
    Assign {
        /// A field or array element.
        target: Expr,
        /// The new value.
        value: Expr,
    },
    /// The action throws: by `assertThrows`, or by try, fail and catch.
    Throws {
        /// The exception.
        exception: ClassName,
        /// What throws it; never itself `Blank` or `Throws`.
        action: Box<Stmt>,
        /// How it is said.
        form: ThrowsForm,
        /// The variable that holds the exception, where the lines behind it assert something of it: none in the form of an annotation. In
        /// that of a `catch` these lines stand in it, up to [`Stmt::EndCatch`].
        name: Option<String>,
    },
    /// The end of a `catch` with lines in it.
    EndCatch,
    /// `assertDoesNotThrow(() -> action);`
    Completes(Box<Stmt>),
}

/// How a test says that an exception is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThrowsForm {
    /// `assertThrows(X.class, () -> …)`
    AssertThrows,
    /// `try { … fail(…); } catch (X expected) { }`
    TryFailCatch,
    /// The action alone; [`Method::expected`] says the rest.
    Annotation,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    /// A number, character, boolean or `null`, as it is written.
    Literal(String),
    /// A string literal.
    Text(JavaString),
    /// A local variable.
    Variable(String),
    /// A static field: `Color.RED`.
    Constant {
        /// The class through which it is named.
        class: ClassName,
        /// The field.
        name: String,
    },
    /// `Foo.class`
    ClassLiteral(GenericType),
    /// A method call.
    Call {
        /// What it is called on.
        receiver: Receiver,
        /// Explicit type arguments.
        type_arguments: Vec<GenericType>,
        /// The method.
        name: String,
        /// Arguments.
        arguments: Vec<Self>,
    },
    /// `new Foo(…)`
    New {
        /// The enclosing instance of an inner class.
        outer: Option<Box<Self>>,
        /// The class.
        class: ClassName,
        /// Whether `<>` stands behind its name.
        diamond: bool,
        /// Arguments, the enclosing instance not included.
        arguments: Vec<Self>,
    },
    /// `object.field`
    Field {
        /// The object.
        object: Box<Self>,
        /// The field.
        name: String,
    },
    /// `new int[3]`
    NewArray {
        /// Type of the array, not of its elements; may only be generic in unbounded wildcards.
        of: GenericType,
        /// Its length.
        length: u16,
    },
    /// `new int[] {1, 2}`, or `{1, 2}` where the context gives the type.
    ArrayLiteral {
        /// Type of the array; `None` where the context gives it.
        of: Option<GenericType>,
        /// Its elements.
        elements: Vec<Self>,
    },
    /// `array[index]`
    Element {
        /// The array.
        array: Box<Self>,
        /// The index.
        index: u16,
    },
    /// `(Foo) operand`
    Cast {
        /// The type.
        to: GenericType,
        /// What is cast.
        operand: Box<Self>,
    },
    /// `(a, b) -> value`; with something that it does first it stands only as the value of a declaration.
    Lambda {
        /// Names of the parameters.
        parameters: Vec<String>,
        /// What it does first: writes its call into a list.
        recording: Option<Box<Self>>,
        /// What it does.
        body: Box<Reply>,
    },
    /// `items::add`
    MethodReference {
        /// The local variable whose method it is.
        object: String,
        /// The method.
        name: String,
    },
    /// `"visit(" + name + ")"`: strings and variables in turn.
    Concat(Vec<Self>),
    /// `new Foo<Bar>(…) { … }`, `new FooStub()`; stands only as the value of a declaration.
    Anonymous(Box<Anonymous>),
}

/// What a method is called on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Receiver {
    /// Nothing: a statically imported method of JUnit's assertions.
    Assertions,
    /// Nothing: a statically imported method of Mockito.
    Mocks,
    /// Nothing: a method of the test class.
    Own,
    /// A class, for static methods.
    Class(ClassName),
    /// An object.
    Object(Box<Expr>),
}

impl Expr {
    /// `null`
    pub(crate) fn null() -> Self {
        Self::Literal("null".to_owned())
    }

    /// A call of a static method of JUnit's assertions.
    pub(crate) fn assertion(name: &str, arguments: Vec<Self>) -> Self {
        Self::Call {
            receiver: Receiver::Assertions,
            type_arguments: Vec::new(),
            name: name.to_owned(),
            arguments,
        }
    }

    /// A call of a static method of Mockito.
    pub(crate) fn mocking(name: &str, arguments: Vec<Self>) -> Self {
        Self::Call { receiver: Receiver::Mocks, type_arguments: Vec::new(), name: name.to_owned(), arguments }
    }

    /// A method without arguments called on an object.
    pub(crate) fn call_on(object: Self, name: &str) -> Self {
        object.call_with(name, Vec::new())
    }

    /// A method called on this object.
    pub(crate) fn call_with(self, name: &str, arguments: Vec<Self>) -> Self {
        Self::Call {
            receiver: Receiver::Object(Box::new(self)),
            type_arguments: Vec::new(),
            name: name.to_owned(),
            arguments,
        }
    }

    /// A cast.
    pub(crate) fn cast(self, to: GenericType) -> Self {
        Self::Cast { to, operand: Box::new(self) }
    }

    /// Calls `visit` on each class named in it.
    pub(crate) fn for_each_class(&self, visit: &mut dyn FnMut(&ClassName)) {
        match self {
            Self::Literal(_) | Self::Text(_) | Self::Variable(_) | Self::MethodReference { .. } => {}
            Self::Constant { class, .. } => visit(class),
            Self::ClassLiteral(of) | Self::NewArray { of, .. } => classes_of(of, visit),
            Self::Call { receiver, type_arguments, arguments, .. } => {
                match receiver {
                    Receiver::Assertions | Receiver::Mocks | Receiver::Own => {}
                    Receiver::Class(class) => visit(class),
                    Receiver::Object(object) => object.for_each_class(visit),
                }
                for of in type_arguments {
                    classes_of(of, visit);
                }
                for argument in arguments {
                    argument.for_each_class(visit);
                }
            }
            Self::New { outer, class, arguments, .. } => {
                match outer {
                    Some(outer) => outer.for_each_class(visit),
                    None => visit(class),
                }
                for argument in arguments {
                    argument.for_each_class(visit);
                }
            }
            Self::Field { object: inner, .. } | Self::Element { array: inner, .. } => {
                inner.for_each_class(visit);
            }
            Self::ArrayLiteral { of, elements } => {
                if let Some(of) = of {
                    classes_of(of, visit);
                }
                for element in elements {
                    element.for_each_class(visit);
                }
            }
            Self::Cast { to, operand } => {
                classes_of(to, visit);
                operand.for_each_class(visit);
            }
            Self::Lambda { recording, body, .. } => {
                for value in recording.as_deref().into_iter().chain(body.expressions()) {
                    value.for_each_class(visit);
                }
            }
            Self::Concat(parts) => parts.iter().for_each(|part| part.for_each_class(visit)),
            Self::Anonymous(class) => class.for_each_class(visit),
        }
    }

    /// Calls `visit` on the name of each method of JUnit's assertions called in it.
    pub(crate) fn for_each_assertion(&self, visit: &mut dyn FnMut(&str)) {
        if let Self::Call { receiver: Receiver::Assertions, name, .. } = self {
            visit(name); // never nested in one another
        }
    }

    /// Calls `visit` on the name of each static method of Mockito called in it: they are called in calls alone.
    pub(crate) fn for_each_mocking(&self, visit: &mut dyn FnMut(&str)) {
        let Self::Call { receiver, name, arguments, .. } = self else { return };
        match receiver {
            Receiver::Mocks => visit(name),
            Receiver::Object(object) => object.for_each_mocking(visit),
            Receiver::Assertions | Receiver::Own | Receiver::Class(_) => {}
        }
        for argument in arguments {
            argument.for_each_mocking(visit);
        }
    }

    /// Calls `visit` on the name of each parameter of a lambda in it: a parameter of the method must not have it.
    fn for_each_name(&self, visit: &mut dyn FnMut(&str)) {
        match self {
            Self::Lambda { parameters, recording, body } => {
                for name in parameters {
                    visit(name);
                }
                for value in recording.as_deref().into_iter().chain(body.expressions()) {
                    value.for_each_name(visit);
                }
            }
            Self::Call { receiver, arguments, .. } => {
                if let Receiver::Object(object) = receiver {
                    object.for_each_name(visit);
                }
                for argument in arguments {
                    argument.for_each_name(visit);
                }
            }
            Self::New { outer, arguments, .. } => {
                if let Some(outer) = outer {
                    outer.for_each_name(visit);
                }
                for argument in arguments {
                    argument.for_each_name(visit);
                }
            }
            Self::Field { object: inner, .. }
            | Self::Element { array: inner, .. }
            | Self::Cast { operand: inner, .. } => inner.for_each_name(visit),
            Self::ArrayLiteral { elements: parts, .. } | Self::Concat(parts) => {
                for part in parts {
                    part.for_each_name(visit);
                }
            }
            // Members of a class may have the names of variables around it.
            Self::Anonymous(_)
            | Self::Literal(_)
            | Self::Text(_)
            | Self::Variable(_)
            | Self::MethodReference { .. }
            | Self::Constant { .. }
            | Self::ClassLiteral(_)
            | Self::NewArray { .. } => {}
        }
    }
}

impl Stmt {
    /// Whether the lines behind it stand in its `catch`.
    pub(crate) fn opens_catch(&self) -> bool {
        matches!(self, Self::Throws { form: ThrowsForm::TryFailCatch, name: Some(_), .. })
    }

    /// Calls `visit` on each class named in it.
    pub(crate) fn for_each_class(&self, visit: &mut dyn FnMut(&ClassName)) {
        match self {
            Self::Blank | Self::EndCatch => {}
            Self::Declare { of, value, .. } => {
                classes_of(of, visit);
                value.for_each_class(visit);
            }
            Self::Evaluate(value) => value.for_each_class(visit),
            Self::Assign { target, value } => {
                target.for_each_class(visit);
                value.for_each_class(visit);
            }
            Self::Throws { exception, action, form, name: _ } => {
                if *form != ThrowsForm::Annotation {
                    visit(exception);
                }
                action.for_each_class(visit);
            }
            Self::Completes(action) => action.for_each_class(visit),
        }
    }

    /// Calls `visit` on the name of each method of JUnit's assertions called in it.
    pub(crate) fn for_each_assertion(&self, visit: &mut dyn FnMut(&str)) {
        match self {
            Self::Evaluate(value) => value.for_each_assertion(visit),
            Self::Completes(_) => visit(COMPLETES),
            Self::Throws { form: ThrowsForm::AssertThrows, .. } => visit("assertThrows"),
            Self::Throws { form: ThrowsForm::TryFailCatch, .. } => visit("fail"),
            Self::Throws { form: ThrowsForm::Annotation, .. }
            | Self::EndCatch
            | Self::Blank
            | Self::Declare { .. }
            | Self::Assign { .. } => {}
        }
    }
}

impl Stmt {
    /// Calls `visit` on the name of each static method of Mockito called in it: mocks are made and told what to answer on their
    /// own, in fields as well.
    pub(crate) fn for_each_mocking(&self, visit: &mut dyn FnMut(&str)) {
        match self {
            Self::Declare { value, .. } | Self::Assign { value, .. } | Self::Evaluate(value) => {
                value.for_each_mocking(visit);
            }
            Self::Completes(_) | Self::Throws { .. } | Self::EndCatch | Self::Blank => {}
        }
    }

    /// Calls `visit` on the name of each variable that it declares.
    pub(crate) fn for_each_name(&self, visit: &mut dyn FnMut(&str)) {
        match self {
            Self::Blank | Self::EndCatch => {}
            Self::Declare { name, value, .. } => {
                visit(name);
                value.for_each_name(visit);
            }
            Self::Evaluate(value) => value.for_each_name(visit),
            Self::Assign { target, value } => {
                target.for_each_name(visit);
                value.for_each_name(visit);
            }
            Self::Throws { action, name, .. } => {
                if let Some(name) = name {
                    visit(name);
                }
                action.for_each_name(visit);
            }
            Self::Completes(action) => action.for_each_name(visit),
        }
    }
}

/// Calls `visit` on each class that a type names.
pub(crate) fn classes_of(of: &GenericType, visit: &mut dyn FnMut(&ClassName)) {
    match of {
        GenericType::Primitive(_) | GenericType::Variable(_) => {}
        GenericType::Array(element) => classes_of(element, visit),
        GenericType::Class(class) => classes_of_class(class, visit),
    }
}

pub(crate) fn classes_of_class(class: &ClassType, visit: &mut dyn FnMut(&ClassName)) {
    match &class.outer {
        Some(outer) => classes_of_class(outer, visit),
        None => visit(&class.name),
    }
    classes_of_arguments(class, visit);
}

pub(crate) fn classes_of_arguments(class: &ClassType, visit: &mut dyn FnMut(&ClassName)) {
    for bound in class.arguments.iter().filter_map(|argument| argument.bound()) {
        classes_of(bound, visit);
    }
}
