//! Goals, and how many of them are covered.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::model::{Class, Criterion, ProjectReport};

/// Goals and covered goals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub goals: usize,
    /// Those that are covered.
    pub covered: usize,
}

impl Tally {
    /// Those of a class by all criteria.
    pub fn of(class: &Class) -> Self {
        class.criteria.iter().map(Self::from).sum()
    }

    /// Those of a class by one criterion; none where it was not asked for.
    pub fn by(class: &Class, criterion: &str) -> Self {
        class.criteria.iter().filter(|row| row.name == criterion).map(Self::from).sum()
    }

    /// Goals that are not covered.
    pub fn open(self) -> usize {
        self.goals.saturating_sub(self.covered)
    }

    /// Covered goals in thousandths, rounded down: only where all are covered it is a thousand. `None` where there are no
    /// goals.
    pub fn thousandths(self) -> Option<usize> {
        (self.covered.min(self.goals) * 1000).checked_div(self.goals)
    }

    /// Covered goals in per cent with one decimal, rounded down; a dash where there are no goals.
    pub fn percent(self) -> String {
        self.thousandths()
            .map_or_else(|| "\u{2013}".to_owned(), |share| format!("{}.{} %", share / 10, share % 10))
    }
}

impl From<&Criterion> for Tally {
    fn from(criterion: &Criterion) -> Self {
        Self { goals: criterion.goals, covered: criterion.covered }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.goals += other.goals;
        self.covered += other.covered;
    }
}

impl std::iter::Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut sum, tally| {
            sum += tally;
            sum
        })
    }
}

/// The goals of a project by criterion, in the order in which criteria come up first.
pub fn by_criterion(report: &ProjectReport) -> Vec<(String, Tally)> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rows: Vec<(String, Tally)> = Vec::new();
    for criterion in classes(report).flat_map(|class| &class.criteria) {
        let place = *places.entry(&criterion.name).or_insert_with(|| {
            rows.push((criterion.name.clone(), Tally::default()));
            rows.len() - 1
        });
        rows[place].1 += criterion.into();
    }
    rows
}

/// All classes of a project, in their order.
pub fn classes(report: &ProjectReport) -> impl Iterator<Item = &Class> {
    report.modules.iter().flat_map(|module| &module.classes)
}

/// The criteria that have a column of their own beside all goals together: those of these that the project has, three at most.
pub fn shown_criteria(report: &ProjectReport) -> Vec<&'static str> {
    let known = by_criterion(report);
    let is_known = |name: &&str| known.iter().any(|(known, _)| known == name);
    ["line", "branch", "strong-mutation", "weak-mutation"].into_iter().filter(is_known).take(3).collect()
}

/// A criterion as a heading: `Weak mutation`.
pub fn title(criterion: &str) -> String {
    let mut letters = criterion.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).map(|letter| if letter == '-' { ' ' } else { letter }).collect()
}

/// A number with thin spaces between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digits.len() > 4 {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_goals_are_a_hundred_per_cent() {
        for (covered, goals, expect) in [
            (0, 0, "\u{2013}"),
            (0, 7, "0.0 %"),
            (2, 3, "66.6 %"),
            (9_999, 10_000, "99.9 %"),
            (10_000, 10_000, "100.0 %"),
        ] {
            assert_eq!(Tally { goals, covered }.percent(), expect, "{covered}/{goals}");
        }
    }

    #[test]
    fn numbers_beyond_four_digits_are_grouped() {
        for (number, expect) in
            [(0, "0"), (9_999, "9999"), (10_000, "10\u{202f}000"), (1_234_567, "1\u{202f}234\u{202f}567")]
        {
            assert_eq!(grouped(number), expect);
        }
    }

    #[test]
    fn criteria_read_as_headings() {
        assert_eq!(title("weak-mutation"), "Weak mutation");
        assert_eq!(title(""), "");
    }
}
