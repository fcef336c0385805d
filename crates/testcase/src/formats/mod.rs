//! Formats of text that code has read for it: documents, numbers, dates, names of classes. One file each, and a line in
//! [`FORMATS`].
//!
//! Of random strings hardly any is a document, and what reads one ends in the same exception for all others, so that no
//! distance leads there. Which formats a class asks for is seen from the calls of its code ([`Format::reads`]); the words in
//! a text, such as names of elements, are those that the code mentions ([`Asked::words`]).

mod class_names;
mod dates;
mod decimals;
mod json;
mod listed;
mod properties;
mod whole_numbers;
mod xml;

use serde::{Deserialize, Serialize};

use crate::random::Random;
use crate::value::JavaString;

/// A format of text.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// The calls that have a text read in it.
    pub readers: &'static [Reader],
    /// Which words its texts are made of.
    pub vocabulary: Vocabulary,
    /// A text.
    text: fn(&[String], &mut Random) -> String,
    /// The text with one part changed, which stays in the format; `None` where it is in another one, or where parts are not
    /// told apart.
    changed: fn(&str, &[String], &mut Random) -> Option<String>,
}

/// Calls by which texts are read: the class, or with a slash at the end the package and those below it; the members by
/// name, all where empty.
pub type Reader = (&'static str, &'static [&'static str]);

/// The words that texts of a format are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vocabulary {
    /// None.
    Nothing,
    /// Strings of the code that can be names: letters, digits, `_`, `-`, `.`, `:`, with a letter in front.
    Names,
    /// Strings of the code, as they are.
    Constants,
    /// Binary names of classes that the code can load: its own, and those of the kinds that it casts to.
    Classes,
    /// What the platform's calls that read it are known to take ([`crate::cluster::hints`]).
    Hints,
}

/// All formats.
pub const FORMATS: &[Format] = &[
    class_names::CLASS_NAMES,
    dates::DATES,
    decimals::DECIMALS,
    json::JSON,
    listed::LISTED,
    properties::PROPERTIES,
    whole_numbers::WHOLE_NUMBERS,
    xml::XML,
];

/// A format that the code of a class asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Its place in [`FORMATS`].
    format: usize,
    /// The words that its texts are made of.
    pub words: Vec<String>,
}

impl Asked {
    /// The format at this place of [`FORMATS`], with these words.
    pub fn new(format: usize, words: Vec<String>) -> Self {
        Self { format, words }
    }

    /// The format.
    pub fn format(&self) -> &'static Format {
        &FORMATS[self.format]
    }

    /// A text in the format.
    pub fn text(&self, random: &mut Random) -> JavaString {
        JavaString::from((self.format().text)(&self.words, random).as_str())
    }

    /// The text with one part changed; `None` where the format has no part to change in it.
    pub fn changed(&self, text: &JavaString, random: &mut Random) -> Option<JavaString> {
        let text = String::from_utf16(text.units()).ok()?;
        (self.format().changed)(&text, &self.words, random).map(|text| JavaString::from(text.as_str()))
    }
}

impl Format {
    /// Whether a call has a text read in this format: the class that it names, the member and its descriptor. Calls without
    /// parameters read nothing, and of those with primitive parameters alone (`Integer.valueOf(int)`) no text.
    pub fn reads(&self, owner: &str, member: &str, descriptor: &str) -> bool {
        let parameters = descriptor.split(')').next().unwrap_or_default();
        let takes_text = parameters.contains(['L', '[']);
        let is_owner = |named: &str| {
            if named.ends_with('/') { owner.starts_with(named) } else { owner == named }
        };
        takes_text
            && self
                .readers
                .iter()
                .any(|(named, members)| is_owner(named) && (members.is_empty() || members.contains(&member)))
    }
}

/// A word, or this one where there is none.
fn word<'a>(words: &'a [String], otherwise: &'a str, random: &mut Random) -> &'a str {
    random.choose(words).map_or(otherwise, String::as_str)
}

/// A value as documents hold them: a word, a number, a truth value, nothing.
fn value(words: &[String], random: &mut Random) -> String {
    match random.below(8) {
        0..=2 => word(words, "a", random).to_owned(),
        3 => String::new(),
        4 => random.chance(0.5).to_string(),
        5 => (decimals::DECIMALS.text)(words, random),
        _ => (whole_numbers::WHOLE_NUMBERS.text)(words, random),
    }
}

/// For formats whose texts have no parts to change.
fn unchanged(_: &str, _: &[String], _: &mut Random) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 3] = ["item", "size", "yyyy-MM-dd"];

    fn words() -> Vec<String> {
        WORDS.map(str::to_owned).to_vec()
    }

    fn by_name(name: &str) -> &'static Format {
        FORMATS.iter().find(|format| format.name == name).expect("a format of this name")
    }

    #[test]
    fn names_are_in_order_and_unique() {
        assert!(FORMATS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn calls_tell_of_formats() {
        const STRING: &str = "(Ljava/lang/String;)V";
        for (owner, member, descriptor, names) in [
            ("java/lang/Integer", "parseInt", STRING, &["whole-numbers"][..]),
            ("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", &[]),
            ("java/lang/Integer", "parseInt", "()I", &[]),
            ("java/lang/Double", "parseDouble", STRING, &["decimals"]),
            ("java/lang/Class", "forName", STRING, &["class-names"]),
            ("java/util/Properties", "load", "(Ljava/io/InputStream;)V", &["properties"]),
            ("java/util/Properties", "getProperty", STRING, &[]),
            ("javax/xml/parsers/DocumentBuilder", "parse", "(Ljava/io/InputStream;)V", &["xml"]),
            ("com/google/gson/Gson", "fromJson", STRING, &["json"]),
            ("com/fasterxml/jackson/databind/ObjectMapper", "readTree", STRING, &["json"]),
            ("java/time/LocalDate", "parse", STRING, &["dates"]),
            ("java/util/UUID", "fromString", STRING, &["listed"]),
            ("java/util/ArrayList", "add", "(Ljava/lang/Object;)Z", &[]),
        ] {
            let found: Vec<&str> = FORMATS
                .iter()
                .filter(|format| format.reads(owner, member, descriptor))
                .map(|format| format.name)
                .collect();
            assert_eq!(found, names, "{owner}.{member}{descriptor}");
        }
    }

    /// What stands for the reader of each format here.
    fn is_in(name: &str, text: &str) -> bool {
        match name {
            "whole-numbers" => text.parse::<i128>().is_ok(),
            "decimals" => text.parse::<f64>().is_ok(),
            "json" => serde_json::from_str::<serde_json::Value>(text).is_ok(),
            "xml" => xmltree::Element::parse(text.as_bytes()).is_ok(),
            "properties" => text.lines().all(|line| line.contains(['=', ':']) || line.starts_with('#')),
            _ => true,
        }
    }

    #[test]
    fn texts_are_in_their_format() {
        let mut random = Random::new(1, 0);
        for (place, format) in FORMATS.iter().enumerate() {
            for words in [Vec::new(), words()] {
                let asked = Asked::new(place, words);
                let mut different = std::collections::BTreeSet::new();
                for _ in 0..200 {
                    let text = asked.text(&mut random);
                    assert!(is_in(format.name, &text.to_string()), "{}: {text}", format.name);
                    different.insert(text);
                }
                assert!(different.len() > 1, "{} has one text only", format.name);
            }
        }
    }

    #[test]
    fn changes_stay_in_the_format_and_change_something() {
        let mut random = Random::new(2, 0);
        for name in ["json", "xml", "whole-numbers", "properties"] {
            let place = FORMATS.iter().position(|format| format.name == name).expect("a format");
            let asked = Asked::new(place, words());
            let mut text = asked.text(&mut random);
            let mut changes = 0;
            for _ in 0..300 {
                if let Some(changed) = asked.changed(&text, &mut random) {
                    assert!(is_in(name, &changed.to_string()), "{name}: {changed}");
                    changes += usize::from(changed != text);
                    text = changed;
                }
                assert!(text.len() < 20_000, "{name} grows without end");
            }
            assert!(changes > 100, "{name}: {changes}");
            let other = JavaString::from("<{no such format");
            assert_eq!(asked.changed(&other, &mut random), None, "{name}");
        }
    }

    #[test]
    fn documents_are_made_of_the_words_of_the_code() {
        let mut random = Random::new(3, 0);
        for name in ["json", "xml", "properties"] {
            let text = by_name(name).text;
            let texts: String = (0..50).map(|_| text(&words(), &mut random)).collect();
            assert!(texts.contains("item") && texts.contains("size"), "{name}: {texts}");
        }
    }
}
