//! What two solvers said of the same queries, counted.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use experiment::measure::{quantile, shown};
use serde::{Deserialize, Serialize};

/// What a solver said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Said {
    /// A model that holds.
    Model,
    Unsatisfiable,
    /// Neither, for this reason.
    Unknown(String),
    /// A model that does not hold: a defect.
    WrongModel,
}

impl Said {
    pub(super) fn is_answer(&self) -> bool {
        matches!(self, Self::Model | Self::Unsatisfiable)
    }

    fn word(&self) -> &str {
        match self {
            Self::Model => "model",
            Self::Unsatisfiable => "unsatisfiable",
            Self::Unknown(why) => why,
            Self::WrongModel => "wrong model",
        }
    }
}

/// What a solver said, and what it took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reply {
    pub(super) said: Said,
    pub(super) microseconds: u64,
    /// What the solver counted as its work, in microseconds on a usual machine.
    pub(super) counted: u64,
}

/// A query and the replies to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Asked {
    /// The branch of the negated condition.
    pub(super) site: String,
    /// Different terms that the query is made of.
    pub(super) terms: usize,
    /// The operators of the terms, each once, in the order of their names.
    pub(super) operators: String,
    pub(super) built_in: Reply,
    pub(super) installed: Reply,
    /// The query in SMT-LIB, if the installed solver alone answered.
    pub(super) script: Option<String>,
}

impl Asked {
    fn is_contradiction(&self) -> bool {
        matches!(
            (&self.built_in.said, &self.installed.said),
            (Said::Model, Said::Unsatisfiable) | (Said::Unsatisfiable, Said::Model)
        )
    }

    /// A line of `queries.csv`.
    pub(super) fn line<'a>(&'a self, class: &'a str) -> QueryLine<'a> {
        QueryLine {
            class,
            site: &self.site,
            terms: self.terms,
            built_in: self.built_in.said.word(),
            built_in_us: self.built_in.microseconds,
            built_in_counted_us: self.built_in.counted,
            installed: self.installed.said.word(),
            installed_us: self.installed.microseconds,
            operators: &self.operators,
        }
    }
}

/// A line of `queries.csv`.
#[derive(Debug, Serialize)]
pub(super) struct QueryLine<'a> {
    class: &'a str,
    site: &'a str,
    terms: usize,
    built_in: &'a str,
    built_in_us: u64,
    built_in_counted_us: u64,
    installed: &'a str,
    installed_us: u64,
    operators: &'a str,
}

/// What one solver said.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct OfSolver {
    /// Queries with an answer: a model that holds, or that there is none.
    pub(super) answered: usize,
    /// Of these, those with a model.
    pub(super) models: usize,
    /// Milliseconds: the median of all queries, and what nine of ten take at most; `None` of no queries.
    pub(super) median: Option<f64>,
    pub(super) most: Option<f64>,
    /// Why the others have no answer.
    pub(super) unknown: BTreeMap<String, usize>,
}

impl OfSolver {
    fn of<'a>(replies: impl Iterator<Item = &'a Reply>) -> Self {
        let mut solver = Self::default();
        let mut times = Vec::new();
        for reply in replies {
            times.push(reply.microseconds as f64 / 1e3);
            solver.answered += usize::from(reply.said.is_answer());
            solver.models += usize::from(reply.said == Said::Model);
            if !reply.said.is_answer() {
                *solver.unknown.entry(reply.said.word().to_owned()).or_insert(0) += 1;
            }
        }
        (solver.median, solver.most) = (quantile(&times, 0.5), quantile(&times, 0.9));
        solver
    }

    fn sentence(&self) -> String {
        let mut sentence = format!(
            "{} answered, {} of them with a model, median {} ms, nine of ten within {} ms",
            self.answered,
            self.models,
            shown(self.median),
            shown(self.most)
        );
        for (why, count) in &self.unknown {
            write!(sentence, "; {count} unknown: {why}").expect("a string takes what is written");
        }
        sentence
    }
}

/// What came of queries.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) queries: usize,
    pub(super) built_in: OfSolver,
    pub(super) installed: OfSolver,
    /// Queries that both answered, that the one or the other answered alone, that neither did.
    pub(super) both: usize,
    pub(super) only_built_in: usize,
    pub(super) only_installed: usize,
    pub(super) neither: usize,
    /// Queries of which both have a model.
    pub(super) both_models: usize,
    /// Queries of which one says that they cannot hold and the other has a model.
    pub(super) contradictions: usize,
    /// Models that do not hold.
    pub(super) wrong_models: usize,
    /// The queries that the installed solver alone answered: by its answer and the reason of the built-in one.
    pub(super) missed: BTreeMap<(String, String), usize>,
}

impl Tally {
    pub(super) fn of(asked: &[&Asked]) -> Self {
        let mut tally = Self {
            queries: asked.len(),
            built_in: OfSolver::of(asked.iter().map(|asked| &asked.built_in)),
            installed: OfSolver::of(asked.iter().map(|asked| &asked.installed)),
            ..Self::default()
        };
        for asked in asked {
            let (built_in, installed) = (&asked.built_in.said, &asked.installed.said);
            match (built_in.is_answer(), installed.is_answer()) {
                (true, true) => tally.both += 1,
                (true, false) => tally.only_built_in += 1,
                (false, true) => {
                    tally.only_installed += 1;
                    let key = (installed.word().to_owned(), built_in.word().to_owned());
                    *tally.missed.entry(key).or_insert(0) += 1;
                }
                (false, false) => tally.neither += 1,
            }
            tally.both_models += usize::from(*built_in == Said::Model && *installed == Said::Model);
            tally.contradictions += usize::from(asked.is_contradiction());
            tally.wrong_models +=
                [built_in, installed].into_iter().filter(|said| **said == Said::WrongModel).count();
        }
        tally
    }

    /// The shares of what the installed solver answers, and of what it has a model of, of which the same is true for the built-in one,
    /// in percent; `None` of nothing.
    pub(super) fn shares(&self) -> [Option<f64>; 2] {
        [(self.both, self.installed.answered), (self.both_models, self.installed.models)]
            .map(|(both, all)| (all > 0).then(|| 100.0 * both as f64 / all as f64))
    }

    /// In one line.
    pub(super) fn brief(&self) -> String {
        format!(
            "{} queries, {} answered by both, {} by the built-in solver alone, {} by the installed one alone, {} by neither, {} \
             contradictions",
            self.queries,
            self.both,
            self.only_built_in,
            self.only_installed,
            self.neither,
            self.contradictions
        )
    }

    /// For people.
    pub(super) fn page(&self) -> String {
        let [answers, models] = self.shares();
        let mut page = format!(
            "{}. The built-in solver answers {} % of what the installed one answers, and has a model of {} % of what that has a \
             model of.\n\n* built-in: {}\n* installed: {}\n",
            self.brief(),
            shown(answers),
            shown(models),
            self.built_in.sentence(),
            self.installed.sentence()
        );
        if !self.missed.is_empty() {
            page.push_str("\nWhat the installed solver alone answers:\n\n");
        }
        for ((answer, why), count) in &self.missed {
            writeln!(page, "* {count} × {answer}; the built-in solver: {why}")
                .expect("a string takes what is written");
        }
        page
    }

    /// A line of `raw.csv`.
    pub(super) fn line<'a>(
        &self,
        class: &'a str,
        (tests, conditions): (usize, usize),
        error: &'a str,
    ) -> Line<'a> {
        Line {
            class,
            tests,
            conditions,
            queries: self.queries,
            built_in: self.built_in.answered,
            built_in_models: self.built_in.models,
            built_in_median_ms: self.built_in.median,
            built_in_ninth_decile_ms: self.built_in.most,
            installed: self.installed.answered,
            installed_models: self.installed.models,
            installed_median_ms: self.installed.median,
            installed_ninth_decile_ms: self.installed.most,
            both: self.both,
            only_built_in: self.only_built_in,
            only_installed: self.only_installed,
            neither: self.neither,
            contradictions: self.contradictions,
            wrong_models: self.wrong_models,
            error,
        }
    }
}

/// A line of `raw.csv`.
#[derive(Debug, Serialize)]
pub(super) struct Line<'a> {
    class: &'a str,
    tests: usize,
    conditions: usize,
    queries: usize,
    built_in: usize,
    built_in_models: usize,
    built_in_median_ms: Option<f64>,
    built_in_ninth_decile_ms: Option<f64>,
    installed: usize,
    installed_models: usize,
    installed_median_ms: Option<f64>,
    installed_ninth_decile_ms: Option<f64>,
    both: usize,
    only_built_in: usize,
    only_installed: usize,
    neither: usize,
    contradictions: usize,
    wrong_models: usize,
    error: &'a str,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(why: &str) -> Said {
        Said::Unknown(why.to_owned())
    }

    /// The tally of queries with these replies, which took 1 ms, 2 ms and so on of the built-in solver and ten times as long of the other.
    fn tally(replies: &[(Said, Said)]) -> Tally {
        let asked: Vec<Asked> = (1..)
            .zip(replies)
            .map(|(number, (built_in, installed))| Asked {
                site: String::new(),
                terms: 1,
                operators: String::new(),
                built_in: Reply { said: built_in.clone(), microseconds: number * 1_000, counted: 0 },
                installed: Reply { said: installed.clone(), microseconds: number * 10_000, counted: 0 },
                script: None,
            })
            .collect();
        Tally::of(&asked.iter().collect::<Vec<_>>())
    }

    #[test]
    fn answers_are_counted_by_who_gave_them() {
        let tally = tally(&[
            (Said::Model, Said::Model),
            (Said::Unsatisfiable, Said::Unsatisfiable),
            (Said::Model, unknown("time")),
            (unknown("conflicts"), Said::Unsatisfiable),
            (unknown("conflicts"), unknown("operator")),
        ]);
        assert_eq!((tally.both, tally.only_built_in, tally.only_installed, tally.neither), (2, 1, 1, 1));
        assert_eq!((tally.contradictions, tally.wrong_models), (0, 0));
        assert_eq!((tally.built_in.answered, tally.built_in.models), (3, 2));
        assert_eq!((tally.built_in.median, tally.built_in.most), (Some(3.0), Some(5.0)));
        assert_eq!(tally.installed.median, Some(30.0));
        assert_eq!(tally.built_in.unknown, BTreeMap::from([("conflicts".to_owned(), 2)]));
        let key = ("unsatisfiable".to_owned(), "conflicts".to_owned());
        assert_eq!(tally.missed, BTreeMap::from([(key, 1)]));
        assert_eq!(tally.shares().map(shown), ["66.67", "100.00"]);
    }

    #[test]
    fn a_model_where_there_is_none_is_a_contradiction() {
        for (replies, contradictions, wrong_models) in [
            ((Said::Model, Said::Unsatisfiable), 1, 0),
            ((Said::Unsatisfiable, Said::Model), 1, 0),
            ((Said::Unsatisfiable, Said::WrongModel), 0, 1),
            ((Said::WrongModel, unknown("time")), 0, 1),
        ] {
            let tally = tally(&[replies]);
            assert_eq!((tally.contradictions, tally.wrong_models), (contradictions, wrong_models));
        }
    }

    #[test]
    fn of_no_queries_there_are_no_figures() {
        let tally = tally(&[]);
        assert_eq!((tally.queries, tally.built_in.median, tally.shares()), (0, None, [None; 2]));
        assert!(tally.page().contains("answers - %"));
    }
}
