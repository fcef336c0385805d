//! Reading classes of the JDK and of compiled fixtures.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytecode::class_info::{ClassKind, Nesting};
use bytecode::class_path::ClassPath;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, parse_type};
use bytecode::source::ClassSource;

const SHAPES: &str = "
//- /p/Shape.java
package p;
import java.util.*;
public interface Shape<T extends Comparable<T>> extends Iterable<T> {
    enum Color { RED, GREEN { void x() {} } }
    class Box<E> { public class Lid { Lid(E content) {} } protected static class Base {} }
    abstract class Round implements Shape<String> { abstract Map<String, ? super Integer> map(int[] first, List<T2> second); static class T2 {} }
}
";

#[test]
fn generic_supertypes_are_instantiated() {
    let hierarchy = fixture::compile(SHAPES).hierarchy();
    let as_super = |from: &str, to: &str| {
        let from = parse_type(from).unwrap().as_class().cloned().unwrap();
        hierarchy.as_super(&from, &ClassName::from(to))
    };
    let of = |name: &str, argument: &str| Some(ClassType::of(name.into(), [GenericType::class(argument)]));
    assert_eq!(
        as_super("Lp/Shape$Round;", "java/lang/Iterable"),
        of("java/lang/Iterable", "java/lang/String")
    );
    assert_eq!(
        as_super("Ljava/util/ArrayList<Lp/Shape;>;", "java/util/Collection"),
        of("java/util/Collection", "p/Shape")
    );
    assert_eq!(
        as_super("Ljava/util/ArrayList;", "java/util/List"),
        Some(ClassType::new("java/util/List".into()))
    );
    assert_eq!(as_super("Ljava/lang/String;", "java/util/List"), None);
}

#[test]
fn subtyping_follows_containment() {
    let hierarchy = fixture::compile(SHAPES).hierarchy();
    let check =
        |sub: &str, sup: &str| hierarchy.is_subtype(&parse_type(sub).unwrap(), &parse_type(sup).unwrap());
    assert!(check(
        "Ljava/util/ArrayList<Ljava/lang/String;>;",
        "Ljava/util/List<+Ljava/lang/CharSequence;>;"
    ));
    assert!(check("Ljava/util/ArrayList<Ljava/lang/String;>;", "Ljava/lang/Iterable<*>;"));
    assert!(check(
        "Ljava/util/Comparator<Ljava/lang/Object;>;",
        "Ljava/util/Comparator<-Ljava/lang/String;>;"
    ));
    assert!(!check("Ljava/util/List<Ljava/lang/String;>;", "Ljava/util/List<Ljava/lang/Object;>;"));
    assert!(!check("Ljava/util/List;", "Ljava/util/List<Ljava/lang/Object;>;"));
    assert!(check("[Ljava/lang/String;", "[Ljava/lang/Object;"));
    assert!(check("[I", "Ljava/lang/Object;") && !check("[I", "[Ljava/lang/Object;") && !check("I", "J"));
}

#[test]
fn nested_classes_know_their_declaration() {
    let hierarchy = fixture::compile(SHAPES).hierarchy();
    let class = |name: &str| hierarchy.class(&name.into()).unwrap();
    assert_eq!(class("p/Shape$Color").kind, ClassKind::Enum);
    assert_eq!(class("p/Shape$Color$1").nesting, Nesting::Anonymous);
    let lid = class("p/Shape$Box$Lid");
    assert!(lid.is_inner() && lid.access.is_public());
    let constructor = lid.methods.iter().find(|method| method.is_constructor()).unwrap();
    assert_eq!(constructor.generic.parameters[1], GenericType::Variable("E".into()));
    assert!(class("p/Shape$Box$Base").access.is_static());
    assert!(hierarchy.subtypes(&"p/Shape".into()).iter().eq([&ClassName::from("p/Shape$Round")]));
    let map = class("p/Shape$Round").methods.iter().find(|method| &*method.name == "map").cloned().unwrap();
    assert_eq!(map.parameter_names.iter().map(|name| &**name).collect::<Vec<_>>(), ["first", "second"]);
}

#[test]
fn every_class_of_the_run_time_image_can_be_read() {
    let hierarchy = fixture::compile(SHAPES).hierarchy();
    for name in ["java/lang/Object", "java/util/Map$Entry", "javax/xml/parsers/SAXParser", "java/sql/Date"] {
        assert_eq!(hierarchy.class(&name.into()).expect(name).name.as_str(), name);
    }
    assert!(hierarchy.class(&"java/lang/Missing".into()).is_none());
    assert!(hierarchy.is_subclass(&"java/util/ArrayList".into(), &"java/util/Collection".into()));
}

#[test]
fn an_earlier_release_shows_its_own_api() {
    let compiled = fixture::compile(SHAPES);
    let (own, earlier) = (compiled.hierarchy(), compiled.hierarchy_of_java_8());
    let has = |hierarchy: &ClassHierarchy, class: &str, method: &str| {
        let class = hierarchy.class(&class.into()).expect("a class of the platform");
        class.methods.iter().any(|candidate| &*candidate.name == method)
    };
    assert!(has(&own, "java/util/List", "of") && !has(&earlier, "java/util/List", "of"));
    assert!(has(&earlier, "java/util/List", "add") && has(&earlier, "p/Shape$Round", "map"));
    let comparable = |hierarchy: &ClassHierarchy| {
        hierarchy.is_subclass(&"java/lang/StringBuilder".into(), &"java/lang/Comparable".into())
    };
    assert!(comparable(&own) && !comparable(&earlier));
    // What Java 8 did not have is still known, and so is what no release exports.
    assert!(earlier.class(&"java/lang/StackWalker".into()).is_some());
    assert!(earlier.class(&"java/lang/AbstractStringBuilder".into()).is_some());
    let is_there = |hierarchy: &ClassHierarchy, class: &str| hierarchy.source().is_of_release(&class.into());
    assert!(is_there(&own, "java/lang/StackWalker") && !is_there(&earlier, "java/lang/StackWalker"));
    assert!(is_there(&earlier, "java/lang/String"));
}

/// A jar of a folder, made with these options of the JDK's tool.
fn jar_of(folder: &Path, options: &str) -> PathBuf {
    let jar = folder.with_extension(format!("{options}.jar"));
    let tool = fixture::java_home().join("bin/jar");
    let mut command = std::process::Command::new(tool);
    command.arg(options).arg(&jar).arg("-C").arg(folder).arg(".");
    assert!(command.status().expect("jar starts").success());
    jar
}

#[test]
fn a_jar_gives_the_same_classes_as_its_folder() {
    let compiled = fixture::compile(SHAPES);
    let folder = compiled.class_path();
    for options in ["cf", "cf0"] {
        let jar = fixture::class_path(&[jar_of(&compiled.folder, options)]);
        assert!(!jar.class_path_classes().is_empty());
        assert_eq!(jar.class_path_classes(), folder.class_path_classes());
        for name in jar.class_path_classes() {
            assert!(jar.class_bytes(name) == folder.class_bytes(name), "{name} {options}");
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
fn a_class_of_a_damaged_jar_is_not_there() {
    let compiled = fixture::compile(SHAPES);
    let sound = fs::read(jar_of(&compiled.folder, "cf0")).unwrap();
    let magic = sound.windows(4).position(|window| window == 0xCAFE_BABE_u32.to_be_bytes()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("damaged.jar");
    let mut bytes = sound;
    bytes[magic + 20] ^= 1;
    fs::write(&jar, bytes).unwrap();
    let jar = fixture::class_path(&[jar]);
    let lost = jar.class_path_classes().iter().filter(|name| jar.class_bytes(name).is_none()).count();
    assert_eq!(lost, 1);
}

/// The classes of a class path over these entries, which keeps outlines in a folder.
fn keeping(entries: &[PathBuf], folder: &Path) -> ClassHierarchy {
    let home = fixture::java_home();
    let class_path = ClassPath::open(&home, fixture::java_version(&home), entries).unwrap();
    ClassHierarchy::new(Arc::new(class_path.keeping_outlines(Some(folder.to_owned()))))
}

/// What lies below `p.Shape`.
fn below_shape(entries: &[PathBuf], folder: &Path) -> Vec<String> {
    let hierarchy = keeping(entries, folder);
    hierarchy.subtypes(&"p/Shape".into()).iter().map(ToString::to_string).collect()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
fn supertypes_are_kept_as_long_as_the_jar_stays_the_same() {
    let (folder, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let jar = folder.path().join("shapes.jar");
    // Beside so many other classes that it is worth while.
    let write_jar = |source: &str, others: usize| {
        let others: Vec<String> = (0..others).map(|number| format!(" class C{number} {{}}")).collect();
        let compiled = fixture::compile(&format!(
            "{source}//- /p/Many.java\npackage p; class Many {{{} }}\n",
            others.concat()
        ));
        fs::copy(jar_of(&compiled.folder, "cf"), &jar).unwrap();
    };
    write_jar(SHAPES, 60);
    let entries = [jar.clone()];
    let expect = ["p/Shape$Round"];
    assert_eq!(below_shape(&entries, kept.path()), expect);
    let files: Vec<PathBuf> = fs::read_dir(kept.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [file] = files.as_slice() else { panic!("{files:?}") };

    // What is kept is what counts: nothing of it is read again.
    let known = fs::read(file).unwrap();
    let mut changed = known.clone();
    let at = known.windows(8).position(|bytes| bytes == b"\x07p/Shape").unwrap();
    changed[at..at + 8].copy_from_slice(b"\x07p/Other");
    fs::write(file, &changed).unwrap();
    assert_eq!(below_shape(&entries, kept.path()), [""; 0]);

    for damaged in [known[..known.len() / 2].to_vec(), Vec::new(), vec![0xff; 64]] {
        fs::write(file, damaged).unwrap();
        assert_eq!(below_shape(&entries, kept.path()), expect);
        assert_eq!(fs::read(file).unwrap(), known, "it is made anew");
    }

    fs::write(file, &changed).unwrap();
    let other = "//- /p/Shape.java\npackage p; public class Shape { static class Box extends Shape {} }\n";
    write_jar(other, 61);
    assert_eq!(below_shape(&entries, kept.path()), ["p/Shape$Box"]);
    assert_eq!(below_shape(&entries, &kept.path().join("gone")), ["p/Shape$Box"]);
    let empty = tempfile::tempdir().unwrap();
    write_jar(other, 3);
    assert_eq!(below_shape(&entries, empty.path()), ["p/Shape$Box"]);
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0, "a small jar is read as fast");
}

#[test]
fn makers_are_public_and_have_public_static_methods_that_say_what_they_give() {
    let others: Vec<String> = (0..60).map(|number| format!(" class C{number} {{}}")).collect();
    let compiled = fixture::compile(&format!(
        "
//- /p/Order.java
package p;
public class Order {{
    public static Order empty() {{ return null; }}
    public static class Lines {{ public static Order first() {{ return null; }} }}
    static class Hidden {{ public static Order first() {{ return null; }} }}
}}
//- /q/Orders.java
package q;
public class Orders {{
    public static p.Order blank(int lines) {{ return null; }}
    public static String name() {{ return null; }}
    static p.Order.Lines lines() {{ return null; }}
    public p.Order.Lines ofThis() {{ return null; }}
    public static p.Order.Lines[] many() {{ return null; }}
}}
//- /q/Many.java
package q; class Many {{{} }}
",
        others.concat()
    ));
    let jar = [jar_of(&compiled.folder, "cf")];
    let kept = tempfile::tempdir().unwrap();
    for _ in ["read", "kept"] {
        let hierarchy = keeping(&jar, kept.path());
        let makers = |of: &str| hierarchy.makers(&of.into()).iter().map(ToString::to_string).collect();
        let (orders, lines, names): (Vec<String>, Vec<String>, Vec<String>) =
            (makers("p/Order"), makers("p/Order$Lines"), makers("java/lang/String"));
        assert_eq!((orders, lines, names), (vec!["p/Order$Lines".into(), "q/Orders".into()], vec![], vec![]));
    }
}
