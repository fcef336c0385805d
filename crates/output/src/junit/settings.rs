//! The members of a test class that set back what its tests set of the JVM: what one test leaves there would be there for all
//! behind it.

use std::collections::BTreeSet;

use bytecode::name::ClassName;
use bytecode::settings::Setting;

use super::imports::ClassNames;
use super::style::JunitStyle;

/// The method behind each test.
pub(crate) const METHOD: &str = "restoreSettings";

/// How a setting is kept and set back.
struct Kept {
    /// The class of what is kept.
    of: &'static str,
    /// The field that holds it.
    field: &'static str,
    /// The class that is asked for it, and told it again.
    class: &'static str,
    /// What asks for it.
    get: &'static str,
    /// The method that is told.
    set: &'static str,
}

fn kept(setting: Setting) -> Kept {
    let [of, field, class, get, set] = match setting {
        Setting::Property => {
            let get = "getProperties().clone()";
            ["java/util/Properties", "originalProperties", "java/lang/System", get, "setProperties"]
        }
        Setting::Input => ["java/io/InputStream", "originalInput", "java/lang/System", "in", "setIn"],
        Setting::Locale => {
            ["java/util/Locale", "originalLocale", "java/util/Locale", "getDefault()", "setDefault"]
        }
        Setting::Zone => {
            ["java/util/TimeZone", "originalZone", "java/util/TimeZone", "getDefault()", "setDefault"]
        }
    };
    Kept { of, field, class, get, set }
}

/// Classes that the members name.
pub(crate) fn classes(settings: &BTreeSet<Setting>, style: JunitStyle) -> Vec<ClassName> {
    let [_, after] = style.around_each();
    let named = settings.iter().map(|&setting| kept(setting)).flat_map(|kept| [kept.of, kept.class]);
    std::iter::once(after).chain(named).map(ClassName::new).collect()
}

/// The lines of the members, without their indentation; empty ones stand between them.
pub(crate) fn lines(settings: &BTreeSet<Setting>, style: JunitStyle, names: &dyn ClassNames) -> Vec<String> {
    let named = |class: &str| names.class(&ClassName::new(class));
    let (mut fields, mut restored) = (Vec::new(), Vec::new());
    for &setting in settings {
        let Kept { of, field, class, get, set } = kept(setting);
        let (of, class) = (named(of), named(class));
        // A copy is known as an object alone.
        let cast = if get.ends_with("clone()") { format!("({of}) ") } else { String::new() };
        fields.push(format!("private final {of} {field} = {cast}{class}.{get};"));
        restored.push(format!("    {class}.{set}({field});"));
    }
    let [_, after] = style.around_each();
    let public = if style.needs_public() { "public " } else { "" };
    let head = [String::new(), format!("@{}", named(after)), format!("{public}void {METHOD}() {{")];
    fields.into_iter().chain(head).chain(restored).chain(["}".to_owned()]).collect()
}
