//! Which classes are recorded: redefining a class stops the JVM and throws compiled code away, and in a class path with hundreds of
//! loaded classes most are far from any goal.

use std::collections::{BTreeSet, VecDeque};

use bytecode::class_file::{ClassFile, tag};
use bytecode::name::ClassName;

/// Loaded classes that are recorded at most, those with goals not counted. What is not recorded is other code to a replay, as the
/// platform is: it sees what its calls returned.
pub(crate) const MOST_NEARBY: usize = 32;

/// The classes nearest to some: these, what they mention, what that mentions, and so on, as long as there are at most so many more
/// that are loaded. `mentions` says what a class mentions, and `None` if it is not loaded; of such classes those are near that
/// the first ones mention.
pub(crate) fn nearby<'c>(
    first: impl IntoIterator<Item = &'c ClassName>,
    most: usize,
    mentions: impl Fn(&ClassName) -> Option<Vec<ClassName>>,
) -> BTreeSet<ClassName> {
    let mut near: BTreeSet<ClassName> = first.into_iter().cloned().collect();
    let mut seen = near.clone();
    let mut queue = VecDeque::new();
    for class in near.iter().filter_map(&mentions).flatten().collect::<Vec<_>>() {
        if !seen.insert(class.clone()) {
            continue;
        }
        match mentions(&class) {
            Some(mentioned) => queue.push_back((class, mentioned)),
            None => drop(near.insert(class)),
        }
    }
    let mut left = most;
    while let Some((class, mentioned)) = queue.pop_front().filter(|_| left > 0) {
        left -= 1;
        near.insert(class);
        for other in mentioned {
            if seen.insert(other.clone())
                && let Some(mentioned) = mentions(&other)
            {
                queue.push_back((other, mentioned));
            }
        }
    }
    near
}

/// The classes that a class file mentions; none if it cannot be read.
pub(crate) fn mentioned(bytes: &[u8]) -> Vec<ClassName> {
    let Ok(file) = ClassFile::parse(bytes) else { return Vec::new() };
    let classes =
        (1..file.constants.len() as u16).filter(|&index| file.constants.tag(index) == Some(tag::CLASS));
    classes.filter_map(|index| file.constants.class(index).ok()).map(|name| ClassName::new(&*name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is near `a`, where each word says what its first letter mentions; capital letters are not loaded.
    fn near(most: usize, classes: &[&str]) -> String {
        let name = |letter: char| ClassName::new(letter.to_string());
        let mentions = |class: &ClassName| {
            let word = classes.iter().find(|word| word.starts_with(class.as_str()))?;
            Some(word.chars().skip(1).map(name).collect())
        };
        nearby(&[name('a')], most, mentions).iter().map(ClassName::as_str).collect()
    }

    #[test]
    fn the_nearest_come_first_as_long_as_there_is_room() {
        assert_eq!(near(0, &["abc", "bd", "c", "d"]), "a");
        assert_eq!(near(2, &["abc", "bd", "c", "d"]), "abc");
        assert_eq!(near(9, &["abc", "bda", "cb", "d"]), "abcd");
    }

    #[test]
    fn what_is_loaded_later_counts_if_the_first_ones_mention_it() {
        assert_eq!(near(1, &["aXbc", "bY", "cZ"]), "Xab");
        assert_eq!(near(0, &["aXX"]), "Xa");
    }
}
