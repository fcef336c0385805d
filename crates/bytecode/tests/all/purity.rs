//! Which methods only tell: a fixture with a method per reason, and collections of the class path.

use bytecode::purity::{Effect, Purity};

const PURITY: &str = include_str!("../../../../fixtures/values/Purity.java");

fn words(effect: Effect) -> &'static str {
    match effect {
        Effect::Pure { loops: false } => "Pure",
        Effect::Pure { loops: true } => "Loops",
        Effect::Fills => "Fills",
        Effect::Unknown => "Unknown",
        Effect::Writes => "Writes",
    }
}

#[test]
fn methods_are_pure_if_they_write_nothing_that_was_there_before() {
    let hierarchy = fixture::compile(&format!("//- /p/Purity.java\n{PURITY}")).hierarchy();
    let class = hierarchy.class(&"p/Purity".into()).unwrap();
    let lines: Vec<&str> = PURITY.lines().map(str::trim).collect();
    let mut checked = 0;
    for pair in lines.windows(2) {
        let (Some(expect), Some(head)) = (pair[0].strip_prefix("// "), pair[1].split('(').next()) else {
            continue;
        };
        let name = head.split(' ').next_back().unwrap();
        let method = class.methods.iter().find(|method| &*method.name == name).expect(name);
        // Each on its own, so that none profits from what another found.
        let found = Purity::new(&hierarchy).of_call(&class.name, name, &method.descriptor);
        assert_eq!(words(found), expect, "{name}");
        checked += 1;
    }
    assert_eq!(checked, class.methods.iter().filter(|method| !method.is_constructor()).count());
    // In any order, what is kept changes nothing.
    let mut purity = Purity::new(&hierarchy);
    let mut all = || -> Vec<Effect> {
        let methods = class.methods.iter();
        methods.map(|method| purity.of_call(&class.name, &method.name, &method.descriptor)).collect()
    };
    assert_eq!(all(), all());
}

#[test]
fn collections_of_the_class_path_are_looked_into() {
    let source = |size: &str| {
        format!(
            "//- /p/Own.java
package p;
public class Own extends java.util.AbstractList<String> {{
    private int asked;
    public String get(int index) {{ return null; }}
    public int size() {{ {size} }}
}}
//- /p/Holder.java
package p;
public class Holder {{
    java.util.Collection<String> all = new Own();
    public int count() {{ return all.size(); }}
}}
"
        )
    };
    let check = |size: &str, expect: &str| {
        let hierarchy = fixture::compile(&source(size)).hierarchy();
        let found = Purity::new(&hierarchy).of_call(&"p/Holder".into(), "count", "()I");
        assert_eq!(words(found), expect, "{size}");
    };
    check("return 3;", "Pure");
    check("return asked++;", "Writes");
}

#[test]
fn methods_that_all_call_each_other_are_looked_into_once() {
    let calls = |own: usize| -> String {
        let calls = (0..40).filter(|other| *other != own).map(|other| format!("m{other}(x - 1) + "));
        calls.collect::<Vec<_>>().concat()
    };
    let method = |own| format!("static int m{own}(int x) {{ return x < 0 ? 0 : {}0; }}\n", calls(own));
    let methods: Vec<String> = (0..40).map(method).collect();
    let source = format!("//- /p/Circle.java\npackage p;\nclass Circle {{\n{}}}\n", methods.concat());
    let hierarchy = fixture::compile(&source).hierarchy();
    let mut purity = Purity::new(&hierarchy);
    // Calls are not followed without end.
    assert_eq!(words(purity.of_call(&"p/Circle".into(), "m0", "(I)I")), "Unknown");
}
