//! The members of a test class that set back what its tests set of the JVM: what one test leaves there would be there for all
//! behind it.

use bytecode::name::ClassName;
use bytecode::settings::Setting;

use super::imports::ClassNames;
use super::style::JunitStyle;

/// The method behind each test.
pub(crate) const METHOD: &str = "restoreSettings";

/// Classes that the members name.
pub(crate) fn classes(settings: &[Setting], style: JunitStyle) -> Vec<ClassName> {
    let [_, after] = style.around_each();
    let mut classes = vec![after];
    for setting in settings {
        classes.extend(match setting {
            Setting::Property => ["java/util/Properties", "java/lang/System"].as_slice(),
            Setting::Input => &["java/io/InputStream", "java/lang/System"],
            Setting::Locale => &["java/util/Locale"],
            Setting::Zone => &["java/util/TimeZone"],
        });
    }
    classes.into_iter().map(ClassName::new).collect()
}

/// The lines of the members, without their indentation; empty ones stand between them.
pub(crate) fn lines(settings: &[Setting], style: JunitStyle, names: &dyn ClassNames) -> Vec<String> {
    let named = |class: &str| names.class(&ClassName::new(class));
    let (mut fields, mut restored) = (Vec::new(), Vec::new());
    for setting in settings {
        let system = || named("java/lang/System");
        let (of, name, now, restore) = match setting {
            Setting::Property => {
                let properties = named("java/util/Properties");
                let copy = format!("({properties}) {}.getProperties().clone()", system());
                (properties, "originalProperties", copy, format!("{}.setProperties", system()))
            }
            Setting::Input => (
                named("java/io/InputStream"),
                "originalInput",
                format!("{}.in", system()),
                format!("{}.setIn", system()),
            ),
            Setting::Locale => {
                let locale = named("java/util/Locale");
                let (now, restore) = (format!("{locale}.getDefault()"), format!("{locale}.setDefault"));
                (locale, "originalLocale", now, restore)
            }
            Setting::Zone => {
                let zone = named("java/util/TimeZone");
                let (now, restore) = (format!("{zone}.getDefault()"), format!("{zone}.setDefault"));
                (zone, "originalZone", now, restore)
            }
        };
        fields.push(format!("private final {of} {name} = {now};"));
        restored.push(format!("    {restore}({name});"));
    }
    let [_, after] = style.around_each();
    let public = if style.needs_public() { "public " } else { "" };
    let head = [String::new(), format!("@{}", named(after)), format!("{public}void {METHOD}() {{")];
    fields.into_iter().chain(head).chain(restored).chain(["}".to_owned()]).collect()
}
