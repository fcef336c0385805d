//! What covolve says of its suites: the table `goals.csv` of `--report`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// A goal and what became of it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Claim {
    /// Class that was to be tested.
    #[serde(rename = "TARGET_CLASS")]
    pub(crate) target: String,
    pub(crate) criterion: String,
    pub(crate) id: String,
    /// The goal as a sentence.
    pub(crate) goal: String,
    /// Class that has the goal.
    pub(crate) class: String,
    /// Name and descriptor of the method that has it.
    pub(crate) method: String,
    pub(crate) line: Option<u32>,
    status: String,
    /// The test that covers it.
    pub(crate) test: String,
}

impl Claim {
    /// Whether covolve says that the suite covers it.
    pub(crate) fn is_covered(&self) -> bool {
        self.status == "covered"
    }

    /// Class and line.
    pub(crate) fn place(&self) -> Option<(String, u32)> {
        self.line.map(|line| (self.class.clone(), line))
    }

    /// Class and method.
    pub(crate) fn method(&self) -> (String, String) {
        (self.class.clone(), self.method.clone())
    }

    /// The number of its mutant.
    fn mutant(&self) -> Option<u32> {
        self.id.rsplit_once("@mutant")?.1.parse().ok()
    }
}

/// Reads the goals of a folder of `--report`, those for the criteria that were asked for and those that guided alike.
pub(crate) fn read(report: &Path) -> Result<Vec<Claim>> {
    let path = report.join("goals.csv");
    let mut reader =
        csv::Reader::from_path(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    reader
        .deserialize()
        .collect::<Result<Vec<Claim>, _>>()
        .with_context(|| format!("{} is no table of goals", path.display()))
}

/// The mutants of a criterion: by class and method, in the order of the code.
pub(crate) fn mutants<'c>(
    claims: &[&'c Claim],
    criterion: &str,
) -> BTreeMap<(String, String), Vec<&'c Claim>> {
    let mut found: BTreeMap<_, Vec<&Claim>> = BTreeMap::new();
    for claim in claims.iter().filter(|claim| claim.criterion == criterion && claim.mutant().is_some()) {
        found.entry(claim.method()).or_default().push(claim);
    }
    for claims in found.values_mut() {
        claims.sort_by_key(|claim| claim.mutant());
    }
    found
}
