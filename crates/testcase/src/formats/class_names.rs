//! Names of classes, where the code loads classes by name.

use super::{Format, Vocabulary, unchanged, word};
use crate::random::Random;

/// Binary names of classes.
pub(super) const CLASS_NAMES: Format = Format {
    name: "class-names",
    readers: &[
        ("java/lang/Class", &["forName"]),
        ("java/lang/ClassLoader", &["loadClass"]),
        ("java/net/URLClassLoader", &["loadClass"]),
    ],
    vocabulary: Vocabulary::Classes,
    text,
    changed: unchanged,
};

/// Classes that every JVM has: of objects that can be made, of none, and of an exception.
const PLATFORM: [&str; 4] =
    ["java.lang.Object", "java.util.ArrayList", "java.lang.Runnable", "java.lang.IllegalStateException"];

fn text(words: &[String], random: &mut Random) -> String {
    if random.chance(0.25) {
        return (*random.choose(&PLATFORM).unwrap_or(&PLATFORM[0])).to_owned();
    }
    word(words, PLATFORM[0], random).to_owned()
}
