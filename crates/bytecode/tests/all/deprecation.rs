//! How class files mark what is deprecated.

use bytecode::class_info::Deprecation::{ForRemoval, Ordinary};

const OLD: &str = r#"
//- /p/Old.java
package p;
@Marked(forRemoval = true)
@Deprecated(since = "2", forRemoval = true)
public class Old {
    @Deprecated public void ordinary() { }
    @Deprecated(forRemoval = false) public void kept() { }
    @Deprecated(forRemoval = true, since = "3") public void removed() { }
    @Marked(forRemoval = true) public void other() { }
    @Marked(forRemoval = true) @Deprecated(since = "1") public void marked() { }
    @Deprecated(forRemoval = true) public int field;
}
//- /p/Marked.java
package p;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME)
@interface Marked { boolean forRemoval(); int[] numbers() default {}; }
"#;

#[test]
fn what_is_to_be_removed_is_told_from_what_is_deprecated() {
    let hierarchy = fixture::compile_with(OLD, &["--release", "17"]).hierarchy();
    let old = hierarchy.class(&"p/Old".into()).expect("a class");
    assert_eq!(old.deprecated, Some(ForRemoval));
    for (method, expect) in [
        ("<init>", None),
        ("ordinary", Some(Ordinary)),
        ("kept", Some(Ordinary)),
        ("removed", Some(ForRemoval)),
        ("other", None),
        ("marked", Some(Ordinary)),
    ] {
        assert_eq!(old.method(method, "()V").expect(method).deprecated, expect, "{method}");
    }
    assert_eq!(old.field("field").expect("a field").deprecated, Some(ForRemoval));
}
