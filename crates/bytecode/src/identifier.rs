//! Which names of class files are names in Java source (Java language specification §3.8, §3.9).
//!
//! The JVM allows nearly any text as the name of a class or member (JVM specification §4.2.2); compilers of other
//! languages use that (`value-impl`, `is-empty?`), and no Java source can call what they name so.

/// Reserved words, `true`, `false`, `null` and `_`, sorted: no level of the language from 9 on takes them as
/// identifiers.
const RESERVED: [&str; 54] = [
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// Contextual keywords that may name anything but a type (Java language specification §3.9).
const NO_TYPE_NAMES: [&str; 5] = ["permits", "record", "sealed", "var", "yield"];

/// Whether a text is a Java identifier at every source level from 8 to 25: no keyword, no literal, not `_`.
///
/// # Differences
/// Letters and digits are those of Unicode as Rust knows it, a subset of `Character.isJavaIdentifierPart` of any
/// newer Java; connecting punctuation and currency signs other than `_` and `$` are not accepted.
pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    let starts = characters.next().is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '$'));
    starts
        && characters.all(|next| next.is_alphanumeric() || matches!(next, '_' | '$'))
        && RESERVED.binary_search(&text).is_err()
}

/// Whether a text can be the simple name of a class in source: an identifier, and no contextual keyword that is
/// kept from types (`record`, `var` …).
pub fn is_type_identifier(text: &str) -> bool {
    is_identifier(text) && NO_TYPE_NAMES.binary_search(&text).is_err()
}

/// The words of a name in camel case: `unsetBitDepth8` has `unset`, `Bit`, `Depth` and `8`, `URLParser` has `URL` and `Parser`.
pub fn words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let begins = |&index: &usize| {
        let (before, this) = (characters[index - 1], characters[index]);
        let ends_capitals = characters.get(index + 1).is_some_and(|next| next.is_lowercase());
        this.is_uppercase() && (!before.is_uppercase() || ends_capitals)
            || this.is_ascii_digit() != before.is_ascii_digit()
    };
    let mut starts = vec![0];
    starts.extend((1..characters.len()).filter(begins));
    let ends = starts.iter().skip(1).copied().chain([characters.len()]);
    starts.iter().zip(ends).map(|(&start, end)| characters[start..end].iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        assert!(RESERVED.is_sorted() && NO_TYPE_NAMES.is_sorted());
    }

    #[test]
    fn names_of_other_languages_are_told_from_java_identifiers() {
        for name in ["foo", "_x", "$anonfun", "Größe", "x1", "yield", "record", "__"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["", "1x", "foo-impl", "is empty", "class", "true", "_", "a.b", "<init>", "💡"] {
            assert!(!is_identifier(name), "{name}");
        }
        assert!(is_type_identifier("Foo") && !is_type_identifier("record") && !is_type_identifier("var"));
    }
}
