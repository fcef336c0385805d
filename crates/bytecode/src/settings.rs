//! Settings of the whole JVM that code reads: what a person sets before a test of it, and sets back behind it.

use std::collections::BTreeSet;

use crate::class_file::ClassFile;
use crate::constants::{is_one_of, methods};
use crate::descriptor::MethodDescriptor;
use crate::method_code::MethodCode;
use crate::opcode::*;

/// A setting of the JVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Setting {
    /// A system property.
    Property,
    /// What comes from standard input.
    Input,
    /// The default locale.
    Locale,
    /// The default time zone.
    Zone,
}

/// What reads a setting: class, method or static field, setting.
const READERS: [(&str, &str, Setting); 9] = [
    ("java/lang/Boolean", "getBoolean", Setting::Property),
    ("java/lang/Integer", "getInteger", Setting::Property),
    ("java/lang/Long", "getLong", Setting::Property),
    ("java/lang/System", "getProperties", Setting::Property),
    ("java/lang/System", "getProperty", Setting::Property),
    ("java/lang/System", "in", Setting::Input),
    ("java/time/ZoneId", "systemDefault", Setting::Zone),
    ("java/util/Locale", "getDefault", Setting::Locale),
    ("java/util/TimeZone", "getDefault", Setting::Zone),
];

/// What relies on the default locale or zone without asking for it: class, method, how its descriptor begins, setting.
const RELYING: [(&str, &str, &str, Setting); 34] = [
    ("java/io/PrintStream", "format", "(Ljava/lang/String;", Setting::Locale),
    ("java/io/PrintStream", "printf", "(Ljava/lang/String;", Setting::Locale),
    ("java/io/PrintWriter", "format", "(Ljava/lang/String;", Setting::Locale),
    ("java/io/PrintWriter", "printf", "(Ljava/lang/String;", Setting::Locale),
    ("java/lang/String", "format", "(Ljava/lang/String;", Setting::Locale),
    ("java/lang/String", "formatted", "(", Setting::Locale),
    ("java/lang/String", "toLowerCase", "()", Setting::Locale),
    ("java/lang/String", "toUpperCase", "()", Setting::Locale),
    ("java/sql/Date", "valueOf", "(", Setting::Zone),
    ("java/sql/Timestamp", "toString", "()", Setting::Zone),
    ("java/sql/Timestamp", "valueOf", "(", Setting::Zone),
    ("java/text/Collator", "getInstance", "()", Setting::Locale),
    ("java/text/DateFormat", "getDateInstance", "(", Setting::Locale),
    ("java/text/DateFormat", "getDateTimeInstance", "(", Setting::Locale),
    ("java/text/DateFormat", "getInstance", "(", Setting::Locale),
    ("java/text/DateFormat", "getTimeInstance", "(", Setting::Locale),
    ("java/text/DecimalFormat", "<init>", "()", Setting::Locale),
    ("java/text/DecimalFormat", "<init>", "(Ljava/lang/String;)", Setting::Locale),
    ("java/text/DecimalFormatSymbols", "getInstance", "()", Setting::Locale),
    ("java/text/MessageFormat", "<init>", "(Ljava/lang/String;)", Setting::Locale),
    ("java/text/MessageFormat", "format", "(Ljava/lang/String;", Setting::Locale),
    ("java/text/NumberFormat", "getCurrencyInstance", "()", Setting::Locale),
    ("java/text/NumberFormat", "getInstance", "()", Setting::Locale),
    ("java/text/NumberFormat", "getIntegerInstance", "()", Setting::Locale),
    ("java/text/NumberFormat", "getNumberInstance", "()", Setting::Locale),
    ("java/text/NumberFormat", "getPercentInstance", "()", Setting::Locale),
    ("java/text/SimpleDateFormat", "<init>", "(", Setting::Zone),
    ("java/text/SimpleDateFormat", "<init>", "(Ljava/lang/String;)", Setting::Locale),
    ("java/time/format/DateTimeFormatter", "ofPattern", "(Ljava/lang/String;)", Setting::Locale),
    ("java/util/Calendar", "getInstance", "(", Setting::Zone),
    ("java/util/Date", "toString", "()", Setting::Zone),
    ("java/util/GregorianCalendar", "<init>", "(", Setting::Zone),
    ("java/util/ResourceBundle", "getBundle", "(Ljava/lang/String;)", Setting::Locale),
    ("java/util/Scanner", "<init>", "(", Setting::Locale),
];

/// How names of system properties begin that are the JVM's own: it, or the test's JUnit, would not work with other values.
const OF_THE_JVM: [&str; 11] = [
    "file.",
    "ftp.",
    "http",
    "java.",
    "javax.",
    "jdk.",
    "line.separator",
    "native.",
    "path.",
    "sun.",
    "user.dir",
];

/// The settings that code reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsRead {
    /// What it asks for, each once.
    pub settings: BTreeSet<Setting>,
    /// What of the JDK it calls relies on, each once: the default locale in which it formats, the default zone in which it dates.
    pub relied_on: BTreeSet<Setting>,
    /// Names of system properties, as far as they stand where they are asked for; none of the JVM's own.
    pub properties: BTreeSet<String>,
}

impl SettingsRead {
    /// Adds what the methods of a class read, all or those with these names and descriptors. Class initializers do not count: they have read
    /// it before any test sets it.
    pub fn add(&mut self, class: &ClassFile<'_>, of: Option<&[(String, String)]>) {
        let is_meant =
            |code: &MethodCode<'_>| code.name != "<clinit>" && of.is_none_or(|of| is_one_of(code, of));
        for code in methods(class).filter(is_meant) {
            self.add_method(&code);
        }
    }

    fn add_method(&mut self, code: &MethodCode<'_>) {
        for index in 0..code.len() {
            if !matches!(code.opcode(index), GETSTATIC | INVOKEVIRTUAL..=INVOKEINTERFACE) {
                continue;
            }
            let Some(member) = code.member(index) else { continue };
            let relies = |(owner, name, descriptor, _): &&(&str, &str, &str, Setting)| {
                *owner == member.owner && *name == member.name && member.descriptor.starts_with(descriptor)
            };
            self.relied_on.extend(RELYING.iter().filter(relies).map(|(.., setting)| *setting));
            let reader =
                READERS.iter().find(|(owner, name, _)| *owner == member.owner && *name == member.name);
            let Some((_, _, setting)) = reader else { continue };
            if *setting == Setting::Property && member.descriptor.starts_with("(Ljava/lang/String;") {
                let name = name_before(code, index, &member.descriptor);
                if name.as_ref().is_some_and(|name| OF_THE_JVM.iter().any(|own| name.starts_with(own))) {
                    continue;
                }
                self.properties.extend(name);
            }
            self.settings.insert(*setting);
        }
    }
}

/// The text that a call takes first, where each of its arguments is one instruction.
fn name_before(code: &MethodCode<'_>, call: usize, descriptor: &str) -> Option<String> {
    let arguments = MethodDescriptor::parse(descriptor).ok()?.parameters.len();
    code.string_constant(call.checked_sub(arguments)?).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(READERS.is_sorted() && RELYING.is_sorted() && OF_THE_JVM.is_sorted());
    }
}
