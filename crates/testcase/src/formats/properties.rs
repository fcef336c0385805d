//! Files of properties, as `java.util.Properties.load` reads them.

use super::{Format, Vocabulary, value, word};
use crate::random::Random;

/// Lines of keys and values.
pub(super) const PROPERTIES: Format = Format {
    name: "properties",
    readers: &[
        ("java/util/Properties", &["load"]),
        ("java/util/PropertyResourceBundle", &["<init>"]),
        ("java/util/jar/Manifest", &["<init>", "read"]),
    ],
    vocabulary: Vocabulary::Names,
    text,
    changed,
};

/// Most lines.
const MOST_LINES: usize = 8;

fn line(words: &[String], random: &mut Random) -> String {
    let sign = if random.chance(0.8) { "=" } else { ": " };
    format!("{}{sign}{}", word(words, "key", random), value(words, random))
}

fn text(words: &[String], random: &mut Random) -> String {
    let lines: Vec<String> = (0..=random.below(4)).map(|_| line(words, random)).collect();
    lines.join("\n")
}

fn changed(text: &str, words: &[String], random: &mut Random) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() || !lines.iter().all(|line| line.contains(['=', ':'])) {
        return None;
    }
    let place = random.below(lines.len());
    match random.below(3) {
        0 if lines.len() > 1 => {
            lines.remove(place);
        }
        1 if lines.len() < MOST_LINES => lines.insert(place, line(words, random)),
        _ => lines[place] = line(words, random),
    }
    Some(lines.join("\n"))
}
