//! Names taken apart and put together.

use bytecode::identifier::words;

/// First letter in upper case: `name` becomes `Name`.
pub(crate) fn capitalized(name: &str) -> String {
    let mut characters = name.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// What stands behind the first of these verbs that a name begins with: `Title` of `setTitle` and `set`, nothing of `settle`.
pub(crate) fn behind_verb<'a>(name: &'a str, verbs: &[&str]) -> Option<&'a str> {
    let behind = |verb: &&str| name.strip_prefix(verb).filter(|rest| rest.starts_with(char::is_uppercase));
    verbs.iter().find_map(behind)
}

/// As a variable begins: `Option` becomes `option`, `URLParser` `urlParser`, `URL` `url`.
pub(crate) fn decapitalized(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let upper = characters.iter().take_while(|character| character.is_uppercase()).count();
    let lowered = match upper {
        0 | 1 => upper,
        _ if upper == characters.len() => upper,
        // The last capital begins the next word, unless what follows is no letter (`UTF8`, `A_B`).
        _ if characters[upper].is_lowercase() => upper - 1,
        _ => upper,
    };
    let head = characters[..lowered].iter().flat_map(|character| character.to_lowercase());
    head.chain(characters[lowered..].iter().copied()).collect()
}

/// A constant's name in camel case with a capital: `RED_GREEN` becomes `RedGreen`; other names keep their humps.
pub(crate) fn humps(name: &str) -> String {
    if name.chars().any(char::is_lowercase) {
        return name.split(['_', '$']).map(capitalized).collect();
    }
    name.split(['_', '$']).map(|word| capitalized(&word.to_lowercase())).collect()
}

/// The name of a test as a sentence: `parseReturnsNullForEmptyString` of `parse` becomes `parse returns null for empty string`.
pub(crate) fn sentence(subject: &str, name: &str) -> String {
    let (subject, rest) = match name.strip_prefix(subject) {
        Some(rest) => (subject, rest),
        None => ("", name),
    };
    let clauses = rest.split('_').filter(|clause| !clause.is_empty()).map(spaced);
    let separator = if subject.is_empty() {
        ""
    } else if rest.starts_with('_') {
        ": "
    } else {
        " "
    };
    format!("{subject}{separator}{}", clauses.collect::<Vec<_>>().join(", ")).trim_end().to_owned()
}

/// Words in camel case with blanks between them, in lower case unless they are capitals alone.
fn spaced(name: &str) -> String {
    let name = name.replace("NaN", "Nan");
    let words = words(&name).map(|word| {
        let is_short_form = word.chars().count() > 1 && word.chars().all(char::is_uppercase);
        if is_short_form { word.to_owned() } else { word.to_lowercase() }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The words of a text, in camel case with a capital, as long as they are few, of ASCII letters and digits and
/// short together; `None` for other texts.
pub(crate) fn words_of_text(text: &str, limit: usize) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = |word: &&str| word.chars().all(|character| character.is_ascii_alphanumeric());
    if words.is_empty() || words.len() > 3 || text.len() > limit || !words.iter().all(plain) {
        return None;
    }
    Some(words.iter().map(|word| capitalized(word)).collect())
}

/// A name reduced to the ASCII letters and digits that every tool can print.
pub(crate) fn plain(name: &str) -> String {
    let name = if name.contains(['_', '$']) { humps(name) } else { name.to_owned() };
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// English plural, good enough for the name of an array: `entry` becomes `entries`, `class` `classes`.
pub(crate) fn plural(noun: &str) -> String {
    let before = noun.chars().rev().nth(1);
    if noun.ends_with('y') && !before.is_some_and(|letter| "aeiou".contains(letter)) {
        format!("{}ies", &noun[..noun.len() - 1])
    } else if ["s", "x", "z", "ch", "sh"].iter().any(|ending| noun.ends_with(ending)) {
        format!("{noun}es")
    } else {
        format!("{noun}s")
    }
}

/// A number below hundred in words, with capitals.
pub(crate) fn number(value: u64) -> Option<String> {
    const ONES: [&str; 20] = [
        "Zero",
        "One",
        "Two",
        "Three",
        "Four",
        "Five",
        "Six",
        "Seven",
        "Eight",
        "Nine",
        "Ten",
        "Eleven",
        "Twelve",
        "Thirteen",
        "Fourteen",
        "Fifteen",
        "Sixteen",
        "Seventeen",
        "Eighteen",
        "Nineteen",
    ];
    const TENS: [&str; 8] = ["Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];
    let value = usize::try_from(value).ok()?;
    if let Some(word) = ONES.get(value) {
        return Some((*word).to_owned());
    }
    let tens = TENS.get(value / 10 - 2)?;
    let ones = if value.is_multiple_of(10) { "" } else { ONES[value % 10] };
    Some(format!("{tens}{ones}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_their_case_word_by_word() {
        for (name, expect) in [
            ("Option", "option"),
            ("URLParser", "urlParser"),
            ("URL", "url"),
            ("UTF8Reader", "utf8Reader"),
            ("X", "x"),
            ("foo", "foo"),
        ] {
            assert_eq!(decapitalized(name), expect);
        }
        assert_eq!(humps("RED_GREEN"), "RedGreen");
        assert_eq!(humps("camelCase"), "CamelCase");
    }

    #[test]
    fn names_of_tests_are_sentences() {
        for (subject, name, expect) in [
            ("parse", "parseReturnsNullForEmptyString", "parse returns null for empty string"),
            ("splitToList", "splitToListReturnsItself2", "splitToList returns itself 2"),
            ("of", "ofReturnsCSVInstance", "of returns CSV instance"),
            ("half", "halfReturnsNaN", "half returns nan"),
            ("parse", "parse_emptyString_returnsNull", "parse: empty string, returns null"),
            ("get", "anythingElse", "anything else"),
            ("get", "get", "get"),
        ] {
            assert_eq!(sentence(subject, name), expect);
        }
    }

    #[test]
    fn only_short_plain_texts_have_words() {
        assert_eq!(words_of_text("foo bar", 20).as_deref(), Some("FooBar"));
        for text in ["", "--", "a b c d", "é", "much too long for a name"] {
            assert_eq!(words_of_text(text, 20), None, "{text}");
        }
    }

    #[test]
    fn plurals_follow_the_ending() {
        for (noun, expect) in [("entry", "entries"), ("key", "keys"), ("class", "classes"), ("int", "ints")] {
            assert_eq!(plural(noun), expect);
        }
    }

    #[test]
    fn small_numbers_have_words() {
        for (value, expect) in [
            (0, Some("Zero")),
            (19, Some("Nineteen")),
            (40, Some("Forty")),
            (99, Some("NinetyNine")),
            (100, None),
        ] {
            assert_eq!(number(value).as_deref(), expect, "{value}");
        }
    }
}
