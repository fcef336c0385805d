//! The method of a test class that gives an object what its container would, where the project has none for that.

use bytecode::name::ClassName;
use testcase::cluster::TestCluster;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use super::ast::{Expr, Receiver, Stmt};
use super::imports::ClassNames;

/// Its name.
pub(crate) const METHOD: &str = "inject";

/// What Spring's tests do it by: the class, and its method.
const SPRING: (&str, &str) = ("org/springframework/test/util/ReflectionTestUtils", "setField");

/// How tests do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Injecting {
    /// By a method of the test class.
    #[default]
    ByMethod,
    /// As Spring's tests do it, whose classes the project has.
    BySpring,
}

impl Injecting {
    /// The class and its method that do it; `None` for the method of the test class.
    pub(crate) fn library(self) -> Option<(ClassName, &'static str)> {
        match self {
            Self::ByMethod => None,
            Self::BySpring => Some((ClassName::new(SPRING.0), SPRING.1)),
        }
    }
}

/// The object that a statement gives what its container would, if that is what it does.
pub(crate) fn injected_object(statement: &Stmt) -> Option<&str> {
    if let (Expr::Variable(object), _) = injection(statement)? { Some(object) } else { None }
}

/// Which field of which object a statement gives what its container would, as the arguments that say so, if that is what it does.
pub(crate) fn injected_field(statement: &Stmt) -> Option<Vec<Expr>> {
    let (_, arguments) = injection(statement)?;
    arguments.split_last().map(|(_, field)| field.to_vec())
}

/// The object that a statement gives what its container would, and all arguments.
fn injection(statement: &Stmt) -> Option<(&Expr, &[Expr])> {
    let Stmt::Evaluate(Expr::Call { receiver, name, arguments, .. }) = statement else { return None };
    let is_spring = |class: &ClassName| (class.as_str(), &**name) == SPRING;
    match (receiver, arguments.as_slice()) {
        (Receiver::Own, [_, object, _, _]) if name == METHOD => Some((object, arguments)),
        (Receiver::Class(class), [object, _, _]) if is_spring(class) => Some((object, arguments)),
        _ => None,
    }
}

/// Whether one of these tests calls the method.
pub(crate) fn is_needed(cluster: &TestCluster, injecting: Injecting, tests: &[&TestCase]) -> bool {
    let is_hidden = |statement: &Statement| matches!(statement, Statement::FieldWrite { field, .. } if cluster.is_hidden(*field));
    injecting == Injecting::ByMethod && tests.iter().any(|test| test.statements().iter().any(is_hidden))
}

/// Classes that it names.
pub(crate) fn classes() -> [ClassName; 1] {
    ["java/lang/reflect/Field"].map(ClassName::new)
}

/// Its lines, without their indentation.
pub(crate) fn lines(names: &dyn ClassNames) -> [String; 7] {
    let [field] = classes().map(|class| names.class(&class));
    [
        "/** Gives an object what its container would. */".to_owned(),
        format!("private static void {METHOD}(Class<?> declaring, Object object, String name, Object value)"),
        "        throws ReflectiveOperationException {".to_owned(),
        format!("    {field} field = declaring.getDeclaredField(name);"),
        "    field.setAccessible(true);".to_owned(),
        "    field.set(object, value);".to_owned(),
        "}".to_owned(),
    ]
}
