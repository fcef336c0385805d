//! What tests call of enums that have nothing but their constants.

use crate::sections::check;
use crate::sources::LEVEL;

#[test]
fn an_enum_without_methods_gives_its_constants() {
    check(
        LEVEL,
        "p/Level",
        &["test calls"],
        "
test calls
  * static Level.values(): Level[]
",
    );
}

const NAMED: &str = r#"
//- /p/Named.java
package p;

public interface Named { String label(); }
//- /p/Side.java
package p;

public enum Side implements Named {
    LEFT { public String label() { return "left"; } },
    RIGHT { public String label() { return "right"; } }
}
"#;

#[test]
fn an_enum_whose_constants_have_bodies_gives_what_these_override() {
    check(
        NAMED,
        "p/Side",
        &["test calls"],
        "
test calls
  * read Side.LEFT: Side
    read Side.RIGHT: Side
  * Side.label(): String
",
    );
}
