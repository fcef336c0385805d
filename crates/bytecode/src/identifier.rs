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
pub fn words(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let mut before = rest.chars().next()?;
        let begins = |(index, this): (usize, char)| {
            let follows = rest[index + this.len_utf8()..].chars().next();
            let ends_capitals = follows.is_some_and(char::is_lowercase);
            let is_first = this.is_uppercase() && (!before.is_uppercase() || ends_capitals)
                || this.is_ascii_digit() != before.is_ascii_digit();
            before = this;
            is_first.then_some(index)
        };
        let end = rest.char_indices().skip(1).find_map(begins).unwrap_or(rest.len());
        let (word, left) = rest.split_at(end);
        rest = left;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_camel_case_are_words() {
        for (name, expect) in [
            ("unsetBitDepth8", "unset Bit Depth 8"),
            ("URLParser", "URL Parser"),
            ("getRGB", "get RGB"),
            ("x", "x"),
            ("", ""),
        ] {
            assert_eq!(words(name).collect::<Vec<_>>().join(" "), expect);
        }
    }

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
