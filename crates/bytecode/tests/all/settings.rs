//! Which settings of the JVM code reads, and under which names.

use bytecode::class_file::ClassFile;
use bytecode::settings::Setting::{Input, Locale, Property, Zone};
use bytecode::settings::SettingsRead;

const CLASSES: &str = r#"
//- /p/Site.java
package p;
import java.util.*;
public class Site {
    static final String KEY = "site.key";
    static final String EARLY = System.getProperty("site.early");
    static String named() { return System.getProperty(KEY); }
    static String defaulted(String other) { return "other" + System.getProperty("site.name", other); }
    static boolean flag() { return Boolean.getBoolean("site.flag"); }
    static long number() { return Integer.getInteger("site.int", 5) + Long.getLong("site.long", 5L); }
    static String unnamed(String name) { return System.getProperty(name); }
    static String inner() { return System.getProperty("site.a", System.getProperty("site.b")); }
    static String own() { return System.getProperty("java.version") + System.getProperty("line.separator"); }
    static int read() throws Exception { return System.in.read(); }
    static String locale() { return Locale.getDefault().getLanguage(); }
    static String zone() { return TimeZone.getDefault().getID(); }
    static Object id() { return java.time.ZoneId.systemDefault(); }
    static String relying(Object date) { return String.format("%s %.2f", new java.text.SimpleDateFormat().format(date), 1.5); }
    static String steady() { return String.format(Locale.US, "%.2f", 1.5); }
    static String none() { System.setProperty("site.set", "a"); return Locale.US.getLanguage(); }
}
"#;

/// The methods of a class with this name, with their descriptors.
fn methods_called(class: &ClassFile<'_>, name: Option<&str>) -> Vec<(String, String)> {
    let text = |index| class.constants.utf8(index).expect("a text").into_owned();
    let methods = class.methods.iter().map(|method| (text(method.name), text(method.descriptor)));
    methods.filter(|(method, _)| Some(method.as_str()) == name).collect()
}

#[test]
fn what_code_reads_of_the_jvm_is_found_with_its_names() {
    let compiled = fixture::compile(CLASSES);
    let bytes = compiled.bytes("p/Site");
    let class = ClassFile::parse(&bytes).expect("a class file");
    let read = |method: Option<&str>| {
        let mut read = SettingsRead::default();
        let methods = methods_called(&class, method);
        read.add(&class, method.map(|_| methods.as_slice()));
        (
            read.settings.into_iter().collect::<Vec<_>>(),
            read.properties.into_iter().collect::<Vec<_>>().join(" "),
        )
    };
    for (method, settings, names) in [
        ("named", &[Property][..], "site.key"),
        ("defaulted", &[Property], "site.name"),
        ("flag", &[Property], "site.flag"),
        ("number", &[Property], "site.int site.long"),
        ("unnamed", &[Property], ""),
        ("inner", &[Property], "site.b"),
        ("own", &[], ""),
        ("read", &[Input], ""),
        ("locale", &[Locale], ""),
        ("zone", &[Zone], ""),
        ("id", &[Zone], ""),
        ("none", &[], ""),
    ] {
        assert_eq!(read(Some(method)), (settings.to_vec(), names.to_owned()), "{method}");
    }
    let relies = |method: &str| {
        let mut read = SettingsRead::default();
        let of = methods_called(&class, Some(method));
        read.add(&class, Some(&of));
        read.relied_on.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(relies("relying"), [Locale, Zone]);
    assert!(relies("steady").is_empty() && relies("locale").is_empty());
    let all = "site.b site.flag site.int site.key site.long site.name";
    assert_eq!(read(None), (vec![Property, Input, Locale, Zone], all.to_owned()));
}
