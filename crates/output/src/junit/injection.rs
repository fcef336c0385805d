//! The method of a test class that gives an object what its container would, where the project has none for that.

use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use testcase::cluster::TestCluster;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use super::imports::ClassNames;

/// Its name.
pub(crate) const METHOD: &str = "inject";

/// What Spring's tests do it by: the class, and its method.
const SPRING: (&str, &str) = ("org/springframework/test/util/ReflectionTestUtils", "setField");

/// Spring's own way, where the class path has it.
pub(crate) fn spring(hierarchy: &ClassHierarchy) -> Option<(&'static str, &'static str)> {
    hierarchy.class(&SPRING.0.into()).map(|_| SPRING)
}

/// Whether one of these tests calls the method.
pub(crate) fn is_needed(cluster: &TestCluster, hierarchy: &ClassHierarchy, tests: &[&TestCase]) -> bool {
    let is_hidden = |statement: &Statement| matches!(statement, Statement::FieldWrite { field, .. } if cluster.is_hidden(*field));
    spring(hierarchy).is_none() && tests.iter().any(|test| test.statements().iter().any(is_hidden))
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
