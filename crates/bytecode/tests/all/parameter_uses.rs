//! What methods do with their parameters: a fixture of sizes with a member per reason, and paths of files.

use std::rc::Rc;

use bytecode::code_files::CodeFiles;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::parameter_uses::ParameterUses;

const SIZES: &str = include_str!("../../../../fixtures/sizes/Sizes.java");

fn uses(hierarchy: &ClassHierarchy) -> ParameterUses<'_> {
    ParameterUses::of(Rc::new(CodeFiles::new(hierarchy)))
}

#[test]
fn numbers_that_reach_an_allocation_or_the_end_of_a_loop_are_sizes() {
    let hierarchy = fixture::compile(&format!("//- /p/Sizes.java\n{SIZES}")).hierarchy();
    let class = hierarchy.class(&"p/Sizes".into()).unwrap();
    // In the order of the source.
    let expected = SIZES.lines().filter_map(|line| line.trim().strip_prefix("// "));
    let expected: Vec<&str> = expected.collect();
    assert_eq!(expected.len(), class.methods.len());
    for (method, expect) in class.methods.iter().zip(expected) {
        let mut sizes = uses(&hierarchy);
        let found = sizes.of_method(&class.name, &method.name, &method.descriptor);
        let positions: Vec<String> = (0..64)
            .filter(|position| found >> position & 1 == 1)
            .map(|position| position.to_string())
            .collect();
        let found = if positions.is_empty() { "none".to_owned() } else { positions.join(" ") };
        assert_eq!(found, expect, "{}{}", method.name, method.descriptor);
    }
}

#[test]
fn what_the_platform_makes_as_large_as_a_number_says_is_known_by_a_table() {
    let hierarchy = fixture::compile("//- /p/Empty.java\npackage p; class Empty { }").hierarchy();
    let mut sizes = uses(&hierarchy);
    let mut check = |class: &str, name: &str, descriptor: &str, expect: u64| {
        assert_eq!(sizes.of_method(&class.into(), name, descriptor), expect, "{class}.{name}");
    };
    check("java/util/ArrayList", "<init>", "(I)V", 1);
    check("java/math/BigDecimal", "setScale", "(II)Ljava/math/BigDecimal;", 1);
    check("java/util/ArrayList", "get", "(I)Ljava/lang/Object;", 0);
}

#[test]
fn strings_that_reach_a_file_are_paths() {
    let source = "
//- /p/Loader.java
package p;
import java.io.*;
import java.nio.file.*;
public class Loader {
    private final File file;
    private String name;
    public Loader(String file, String name) { this(new File(file)); this.name = name; }
    private Loader(File file) { this.file = file; }
    static byte[] load(String name, String charset) throws IOException {
        String path = name == null ? charset : name;
        return Files.readAllBytes(Paths.get(name));
    }
    static Object open(boolean quiet, String path) throws IOException { return open(path); }
    static Reader open(String path) throws IOException { return new BufferedReader(new FileReader(path)); }
    static byte[] both(String path, int size) throws IOException { new FileReader(path); return new byte[size]; }
    static int length(String text) { return text.length(); }
    static File in(String text) { return new File(new File(\"a\"), text); }
}
";
    let hierarchy = fixture::compile(source).hierarchy();
    let mut paths = uses(&hierarchy);
    for (name, descriptor, expect) in [
        ("<init>", "(Ljava/lang/String;Ljava/lang/String;)V", 0b1),
        ("load", "(Ljava/lang/String;Ljava/lang/String;)[B", 0b1),
        ("open", "(ZLjava/lang/String;)Ljava/lang/Object;", 0b10),
        ("open", "(Ljava/lang/String;)Ljava/io/Reader;", 0b1),
        ("both", "(Ljava/lang/String;I)[B", 0b11),
        ("length", "(Ljava/lang/String;)I", 0),
        ("in", "(Ljava/lang/String;)Ljava/io/File;", 0),
    ] {
        assert_eq!(paths.of_method(&"p/Loader".into(), name, descriptor), expect, "{name}{descriptor}");
    }
}
