//! Why goals are open, summed up over a project, and what to do about it.

use std::collections::BTreeMap;

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

/// Open goals of one cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// The kind of reason.
    pub kind: String,
    /// What the goals have in common; may be empty.
    pub cause: String,
    /// Goals that are open for it.
    pub goals: usize,
    /// Classes that hold these.
    pub classes: usize,
}

/// The causes of open goals, those with most goals first, then by name.
pub fn causes(report: &ProjectReport) -> Vec<Cause> {
    let mut found: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for class in classes(report) {
        let mut here: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for OpenReason { kind, cause, .. } in class.goals.iter().filter_map(|goal| goal.open()) {
            *here.entry((kind, cause)).or_default() += 1;
        }
        for (cause, goals) in here {
            let (all, classes) = found.entry(cause).or_default();
            *all += goals;
            *classes += 1;
        }
    }
    let mut causes: Vec<Cause> = found
        .into_iter()
        .map(|((kind, cause), (goals, classes))| Cause {
            kind: kind.to_owned(),
            cause: cause.to_owned(),
            goals,
            classes,
        })
        .collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.goals));
    causes
}
