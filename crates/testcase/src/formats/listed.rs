//! Texts of which the platform has a few kinds each: time zones, charsets, addresses, identifiers.
//!
//! Where the code calls what [`crate::cluster::hints`] knows the arguments of, these are its words; the calls named here are those that
//! make no object of a test cluster.

use super::{Format, Vocabulary, unchanged, word};
use crate::random::Random;

/// Texts from lists.
pub(super) const LISTED: Format = Format {
    name: "listed",
    readers: &[
        ("java/lang/Boolean", &["parseBoolean", "valueOf"]),
        ("java/util/UUID", &["fromString"]),
        ("java/util/Base64$Decoder", &["decode"]),
    ],
    vocabulary: Vocabulary::Hints,
    text,
    changed: unchanged,
};

/// A truth value, an identifier, and bytes in Base64 (RFC 4648 §4).
const COMMON: [&str; 5] = ["true", "false", "123e4567-e89b-12d3-a456-426614174000", "AQID", "YQ=="];

fn text(words: &[String], random: &mut Random) -> String {
    if words.is_empty() || random.chance(0.25) {
        return (*random.choose(&COMMON).unwrap_or(&COMMON[0])).to_owned();
    }
    word(words, COMMON[0], random).to_owned()
}
