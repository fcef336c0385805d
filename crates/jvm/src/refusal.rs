//! What the JVM says when it refuses the code of a class.

use bytecode::name::ClassName;
use serde::{Deserialize, Serialize};

/// Errors by which the JVM refuses a class file.
const REFUSALS: [&str; 2] = ["java.lang.VerifyError", "java.lang.ClassFormatError"];

/// A class that the JVM refuses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The class.
    pub class: ClassName,
    /// The method that is wrong, by name and descriptor, `name(I)V`; `None` where the JVM does not say.
    pub method: Option<String>,
    /// What is wrong, in the JVM's words, on one line.
    pub message: String,
    /// Whether the code is refused as it was compiled: there is nothing of ours in it.
    pub is_as_compiled: bool,
}

impl Refusal {
    /// Reads what `toString` of an error gives; `None` where it refuses no class, or does not name it.
    ///
    /// The verifier of class files with frames names the method behind `Location:`, the one of older class files in
    /// parentheses before the message, the reader of class files names the class at the end.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let message = text.lines().next()?.trim();
        let (error, _) = message.split_once(':')?;
        REFUSALS.contains(&error).then_some(())?;
        let (class, method) = located(text).or_else(|| in_parentheses(text)).or_else(|| at_end(message))?;
        let class = ClassName::new(class.replace('.', "/"));
        Some(Self { class, method, message: message.to_owned(), is_as_compiled: false })
    }

    /// Whether an error of this class may be a refusal.
    pub(crate) fn is_by(error: &ClassName) -> bool {
        REFUSALS.contains(&&*error.binary())
    }
}

/// `Location:`, then `p/A.name(I)V @5: ireturn`.
fn located(text: &str) -> Option<(&str, Option<String>)> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != "Location:");
    let place = lines.nth(1)?.split(" @").next()?;
    let (head, _) = place.split_once('(')?;
    let (class, name) = head.rsplit_once('.')?;
    Some((class, Some(format!("{name}{}", &place[head.len()..]))))
}

/// `(class: p/A, method: name signature: (I)V) Expecting …`.
fn in_parentheses(text: &str) -> Option<(&str, Option<String>)> {
    let (_, rest) = text.split_once("(class: ")?;
    let (class, rest) = rest.split_once(", method: ")?;
    let (name, rest) = rest.split_once(" signature: ")?;
    let (descriptor, _) = rest.split_once(") ")?;
    Some((class, Some(format!("{name}{descriptor}"))))
}

/// `… in class file p/A`, `… in class p.A`.
fn at_end(message: &str) -> Option<(&str, Option<String>)> {
    let (_, rest) = message.rsplit_once(" in class ")?;
    let name = rest.strip_prefix("file ").unwrap_or(rest);
    Some((name.split_whitespace().next()?, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_and_the_method_are_read_from_what_the_jvm_says() {
        let check = |text: &str, expect: Option<(&str, Option<&str>)>| {
            let found = Refusal::read(text);
            let found = found.as_ref().map(|found| (found.class.as_str(), found.method.as_deref()));
            assert_eq!(found, expect, "{text}");
        };
        let located = "java.lang.VerifyError: Bad type on operand stack\nException Details:\n  Location:\n    \
                       p/A.f(Ljava/lang/Object;I)V @1: ireturn\n  Reason:\n    Type";
        check(located, Some(("p/A", Some("f(Ljava/lang/Object;I)V"))));
        let located = located.replace("A.f", "A$B.<init>");
        check(&located, Some(("p/A$B", Some("<init>(Ljava/lang/Object;I)V"))));
        let old = "java.lang.VerifyError: (class: p/A, method: f signature: (I)I) Expecting to find integer on stack";
        check(old, Some(("p/A", Some("f(I)I"))));
        let format = "java.lang.ClassFormatError: Invalid method Code length 70000 in class file p/A";
        check(format, Some(("p/A", None)));
        check("java.lang.ClassFormatError: Truncated class file", None);
        check("java.lang.NoSuchMethodError: 'void p.A.f()' in class p.A", None);
        check("java.lang.VerifyError", None);
    }
}
