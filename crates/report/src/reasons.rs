//! Why goals are open, summed up over a project, and what to do about it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::{OpenReason, ProjectReport};
use crate::tally::classes;

/// A kind of reason, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Its word in [`OpenReason::kind`].
    pub word: &'static str,
    /// What it is, as a heading.
    pub title: &'static str,
    /// What may help, as a request.
    pub advice: &'static str,
}

/// The kinds of reasons.
pub const KINDS: &[Kind] = &[
    Kind {
        word: "no_object",
        title: "No object can be made",
        advice: "Give tests a way to make the type that is named: an accessible constructor or factory, or an implementation on \
                 the class path.",
    },
    Kind {
        word: "no_value",
        title: "Never came out so",
        advice: "Look whether the outcome is possible at all, above all where the distance was always the same; if it is, give \
                 --budget more.",
    },
    Kind {
        word: "no_call",
        title: "No test may call it",
        advice: "What nothing calls may be dead code; what is private to others is tested through them.",
    },
    Kind {
        word: "exception",
        title: "An exception comes first",
        advice: "Look at the exception and its place: most often something has to be set up that tests cannot set up.",
    },
    Kind {
        word: "undeliverable",
        title: "Its tests cannot be delivered",
        advice: "Keep code that touches files, the network or the JVM itself apart from what it computes; then that can be tested.",
    },
    Kind {
        word: "uncarried",
        title: "Its mutants cannot be put into the code",
        advice: "The method is too large to be measured so; a smaller one can be.",
    },
    Kind { word: "budget", title: "The budget was spent", advice: "Give --budget more." },
    Kind {
        word: "lost",
        title: "Covered, and lost on the way to the file",
        advice: "The cause says where; if that is time, give --budget more.",
    },
];

/// The kind of a reason, if it is one of ours.
pub fn kind(word: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.word == word)
}

/// The title of a kind; the word itself where it is none of ours.
pub fn title(word: &str) -> String {
    kind(word).map_or_else(|| word.replace('_', " "), |kind| kind.title.to_owned())
}

/// Open goals of one kind of reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The kind, as in [`OpenReason::kind`].
    pub kind: String,
    /// Goals that are open for it.
    pub goals: usize,
    /// Classes that hold these.
    pub classes: usize,
    /// What goals have in common, each with their number; those with most goals first, then by name.
    pub causes: Vec<(String, usize)>,
}

impl Summary {
    /// The most frequent causes in words: `switch (66), null check (3) and 2 more`.
    pub fn causes_in_words(&self, most: usize) -> String {
        let named: Vec<&(String, usize)> =
            self.causes.iter().filter(|(cause, _)| !cause.is_empty()).collect();
        let words: Vec<String> =
            named.iter().take(most).map(|(cause, goals)| format!("{cause} ({goals})")).collect();
        match named.len().saturating_sub(most) {
            0 => words.join(", "),
            more => format!("{} and {more} more", words.join(", ")),
        }
    }
}

/// Why goals are open: the kinds with most goals first, then by name.
pub fn summaries(report: &ProjectReport) -> Vec<Summary> {
    let mut found: BTreeMap<&str, (usize, usize, BTreeMap<&str, usize>)> = BTreeMap::new();
    for class in classes(report) {
        let mut here: BTreeSet<&str> = BTreeSet::new();
        for OpenReason { kind, cause, .. } in class.goals.iter().filter_map(|goal| goal.open()) {
            let (goals, classes, causes) = found.entry(kind).or_default();
            *goals += 1;
            *classes += usize::from(here.insert(kind));
            *causes.entry(cause).or_default() += 1;
        }
    }
    let summary = |(kind, (goals, classes, causes)): (&str, (usize, usize, BTreeMap<&str, usize>))| {
        let mut causes: Vec<(String, usize)> =
            causes.into_iter().map(|(cause, goals)| (cause.to_owned(), goals)).collect();
        causes.sort_by_key(|(_, goals)| Reverse(*goals));
        Summary { kind: kind.to_owned(), goals, classes, causes }
    };
    let mut summaries: Vec<Summary> = found.into_iter().map(summary).collect();
    summaries.sort_by_key(|summary| Reverse(summary.goals));
    summaries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_causes_are_named() {
        let causes = [("switch", 66), ("null check", 3), ("instanceof", 1), ("", 9)];
        let causes = causes.map(|(cause, goals)| (cause.to_owned(), goals)).to_vec();
        let summary = Summary { causes, ..Summary::default() };
        assert_eq!(summary.causes_in_words(2), "switch (66), null check (3) and 1 more");
        assert_eq!(summary.causes_in_words(3), "switch (66), null check (3), instanceof (1)");
        assert_eq!(Summary::default().causes_in_words(3), "");
    }
}
