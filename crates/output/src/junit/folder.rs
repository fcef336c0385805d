//! The field of a test class for the folder that each test has to itself: JUnit makes it anew for each test, and removes it
//! with all that is in it.

use bytecode::name::ClassName;

use super::imports::ClassNames;
use super::style::JunitStyle;

/// Its name.
pub(crate) const FIELD: &str = "folder";

/// Classes that the field names.
pub(crate) fn classes(style: JunitStyle) -> [ClassName; 2] {
    if style.gives_path() {
        ["org/junit/jupiter/api/io/TempDir", "java/nio/file/Path"].map(ClassName::new)
    } else {
        ["org/junit/Rule", "org/junit/rules/TemporaryFolder"].map(ClassName::new)
    }
}

/// The lines of the field.
pub(crate) fn lines(style: JunitStyle, names: &dyn ClassNames) -> [String; 2] {
    let [annotation, of] = classes(style).map(|class| names.class(&class));
    let declaration = if style.gives_path() {
        format!("{of} {FIELD};")
    } else {
        format!("public final {of} {FIELD} = new {of}();")
    };
    [format!("@{annotation}"), declaration]
}
