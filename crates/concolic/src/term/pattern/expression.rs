//! What a text is asked for.

use std::sync::Arc;

use bytecode::predicate::MatchMode;

/// A regular expression, and which part of a text is to match it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Expression {
    /// As `java.util.regex.Pattern.compile` takes it, in UTF-16 code units.
    pub units: Arc<[u16]>,
    /// The flags of `java.util.regex.Pattern`.
    pub flags: i32,
    /// The whole text, its beginning, or any part of it.
    pub extent: MatchMode,
}

impl Expression {
    /// What `String.matches` asks.
    pub fn whole(units: &[u16]) -> Self {
        Self { units: units.into(), flags: 0, extent: MatchMode::Whole }
    }
}
