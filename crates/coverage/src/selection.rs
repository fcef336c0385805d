//! Which of the goals asked for guide the search: the choices and their names.
//!
//! Zhou et al. 2024 (smart selection), section 3. All goals asked for are reported, whichever guided.

use serde::{Deserialize, Serialize};

/// Lines of the shortest basic block whose last line guides under [`GoalSelection::Smart`] (section 4.1: 8).
pub const LINE_THRESHOLD: u32 = 8;

/// A choice of the goals that guide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GoalSelection {
    /// All goals of all criteria asked for (section 2.3).
    #[default]
    Combine,
    /// The representative criterion of each group, and goals of the others that no representative subsumes
    /// (sections 3.2 to 3.4).
    Smart,
    /// The representative criterion of each group alone (sections 3.2 and 3.3).
    Representatives,
}

impl GoalSelection {
    /// All of them; the first is the default.
    pub const ALL: &[Self] = &[Self::Combine, Self::Smart, Self::Representatives];

    /// The name by which users ask for it, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Combine => "combine",
            Self::Smart => "smart",
            Self::Representatives => "representatives",
        }
    }

    /// The choice of a name; `None` where there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|selection| selection.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_one_choice_each() {
        for &selection in GoalSelection::ALL {
            assert_eq!(GoalSelection::from_name(selection.name()), Some(selection));
        }
        assert_eq!(GoalSelection::from_name("Smart"), None);
        assert_eq!(GoalSelection::ALL.first(), Some(&GoalSelection::default()));
    }
}
