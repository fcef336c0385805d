//! Every option of the search and of the factory that makes its tests as a row of a table: name, source, range and
//! default, so that whoever takes options from users can offer all of them.

use coverage::distance::Normalization;

use crate::algorithm::SearchError;
use crate::options::{
    Individuals, LocalBudget, Operators, PreferenceTie, SearchOptions, SecondaryHeuristic, SuiteSelection,
};
use crate::performance::ProxySet;

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name by which users set it, in kebab case.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Where it and its default come from: paper and section.
    pub source: &'static str,
    /// What may be given, in words.
    pub allowed: &'static str,
    get: fn(&SearchOptions) -> String,
    set: fn(&mut SearchOptions, &str) -> Option<()>,
}

impl Parameter {
    /// Its value as text that [`Parameter::set`] takes.
    pub fn value(&self, options: &SearchOptions) -> String {
        (self.get)(options)
    }

    /// Its default as text.
    pub fn default_text(&self) -> String {
        self.value(&SearchOptions::default())
    }

    /// Sets it from text.
    pub fn set(&self, options: &mut SearchOptions, text: &str) -> Result<(), SearchError> {
        (self.set)(options, text).ok_or_else(|| SearchError::BadValue {
            parameter: self.name,
            value: text.to_owned(),
            allowed: self.allowed,
        })
    }
}

/// A parameter by name.
pub fn parameter(name: &str) -> Result<&'static Parameter, SearchError> {
    PARAMETERS.iter().find(|row| row.name == name).ok_or_else(|| {
        let names = PARAMETERS.iter().map(|row| row.name);
        SearchError::UnknownParameter { name: name.to_owned(), known: names.collect::<Vec<_>>().join(", ") }
    })
}

/// A row whose values are numbers of a range.
macro_rules! number {
    ($name:literal, $($field:ident).+: $type:ty, $range:expr, $allowed:literal, $source:literal, $summary:literal) => {
        Parameter {
            name: $name,
            summary: $summary,
            source: $source,
            allowed: $allowed,
            get: |options| options.$($field).+.to_string(),
            set: |options, text| {
                let value: $type = text.parse().ok()?;
                options.$($field).+ = $range.contains(&value).then_some(value)?;
                Some(())
            },
        }
    };
}

/// A row whose values have names.
macro_rules! choice {
    ($name:literal, $($field:ident).+: [$($text:literal => $value:expr),+], $allowed:literal, $source:literal, $summary:literal) => {
        Parameter {
            name: $name,
            summary: $summary,
            source: $source,
            allowed: $allowed,
            get: |options| {
                let own = &options.$($field).+;
                let named = [$(($text, $value)),+].into_iter().find(|(_, value)| value == own);
                named.map_or_else(String::new, |(text, _)| text.to_owned())
            },
            set: |options, text| {
                let (_, value) = [$(($text, $value)),+].into_iter().find(|(name, _)| *name == text)?;
                options.$($field).+ = value;
                Some(())
            },
        }
    };
}

/// All parameters, in the order in which the search meets them.
pub const PARAMETERS: &[Parameter] = &[
    number!("population", population: usize, (2..=10_000), "a number from 2 to 10000", "004 §4.5",
        "individuals in the population"),
    number!("crossover-probability", crossover_probability: f64, (0.0..=1.0), "a probability from 0 to 1", "004 §4.5",
        "probability that two parents are crossed"),
    number!("tournament-size", tournament_size: usize, (1..=1_000), "a number from 1 to 1000", "004 §4.5",
        "individuals that take part in a tournament"),
    number!("insertion-rate", insertion_rate: f64, (0.0..=1.0), "a share from 0 to 1", "004 §4.4 (its implementation)",
        "share of the new tests of a generation that do not descend from the population"),
    number!("insertion-from-archive", insertion_from_archive: f64, (0.0..=1.0), "a probability from 0 to 1",
        "004 §4.4 (its implementation)", "probability that such a test descends from the archive"),
    choice!("keep-first-front", keep_first_front: ["true" => true, "false" => false], "true or false",
        "ours; off in 004 Algorithm 6, line 20", "whether the whole first front survives"),
    choice!("archive-replaces-equal", archive_replaces_equal: ["true" => true, "false" => false], "true or false",
        "ours; on in 004 Algorithm 5, line 11", "whether a test replaces one of equal length in the archive"),
    choice!("watch-covered", watch_covered: ["true" => true, "false" => false], "true or false",
        "ours; on in 004 Algorithm 5", "whether covered mutants and inspected values are watched for shorter tests"),
    choice!("further-looks", further_looks: ["true" => true, "false" => false], "true or false", "ours; off in the papers",
        "whether mutants are killed by what an exception says and leaves, what the objects of an object are like, what is printed, and \
         what iterators and streams give"),
    choice!("rest-guides", rest_guides: ["true" => true, "false" => false], "true or false", "ours; off in 002",
        "whether goals that do not guide become targets once all that do are covered"),
    choice!("crossover-within-executed", crossover_within_executed: ["true" => true, "false" => false],
        "true or false", "ours; off in 004", "whether crossover cuts within what a parent executed"),
    choice!("normalization", normalization: ["ordinal" => Normalization::Ordinal, "ratio" => Normalization::Ratio],
        "ordinal or ratio", "ours; ratio in 004 §2.1", "how branch distances of a test are normalized"),
    number!("covered-call-weight", covered_call_weight: f64, (0.0..=1.0), "a weight from 0 to 1", "ours; 1 in 004",
        "how often calls are drawn that lead to no open goal"),
    number!("writer-call-weight", writer_call_weight: f64, (0.0..=1.0), "a weight from 0 to 1", "ours; 1 in 004",
        "how often calls are drawn that only write what is read on the way to an open goal"),
    number!("open-call-share", open_call_share: f64, (0.0..=0.99), "a share from 0 to 0.99", "ours; 0 in 004",
        "part of the calls that lead to open goals, at least, where there are any"),
    choice!("suite-selection", suites.selection: ["rank" => SuiteSelection::Rank,
        "tournament" => SuiteSelection::Tournament], "rank or tournament", "000 (its implementation); 004 §4.5",
        "how ws and wsa draw parents"),
    number!("rank-bias", suites.rank_bias: f64, (1.0..=2.0), "a number from 1 to 2", "000 (its implementation)",
        "how much more often than evenly the best suite is drawn by rank"),
    number!("suite-insertion", suites.insertion: f64, (0.0..=0.99), "a probability from 0 to 0.99", "000 §3.1",
        "probability that a test is added to a suite, and the decay for further ones"),
    number!("suite-initial-tests", suites.initial_tests: usize, (1..=1_000), "a number from 1 to 1000",
        "000 (its implementation)", "tests of a random suite, at most"),
    number!("suite-maximum-tests", suites.maximum_tests: usize, (1..=10_000), "a number from 1 to 10000",
        "000 (its implementation)", "tests of a suite, at most"),
    number!("suite-from-archive", suites.from_archive: f64, (0.0..=1.0), "a probability from 0 to 1",
        "004 §4.3 (its implementation)", "probability that a test that wsa adds descends from the archive"),
    number!("elite", suites.elite: usize, (0..=10_000), "a number from 0 to 10000", "000 Algorithm 1",
        "best suites that survive as they are, fewer than the population"),
    number!("bloat-factor", suites.bloat_factor: f64, (1.0..=1_000.0), "a number from 1 to 1000",
        "Fraser and Arcuri 2013, Handling Test Length Bloat",
        "length relative to the best suite beyond which an offspring is not admitted"),
    choice!("secondary-heuristic", adynamosa.secondary_heuristic: ["adaptive" => SecondaryHeuristic::Adaptive,
        "performance" => SecondaryHeuristic::Performance, "crowding" => SecondaryHeuristic::CrowdingDistance],
        "adaptive, performance or crowding", "003 Algorithm 2; §5.4 for performance",
        "what orders the tests of a front in adynamosa"),
    choice!("preference-tie", adynamosa.preference_tie: ["length" => PreferenceTie::Length,
        "performance" => PreferenceTie::Performance], "length or performance", "004 Definition 3; 003 §3.2.1",
        "what adynamosa prefers among tests that are equally near to a target"),
    Parameter {
        name: "proxies",
        summary: "performance proxies that count in adynamosa",
        source: "003 Table 1; §6 for one at a time",
        allowed: "all, or some of loops, covered-calls, test-calls, instantiations, covered-statements, \
            test-statements and test-length, separated by commas",
        get: |options| options.adynamosa.proxies.to_string(),
        set: |options, text| {
            options.adynamosa.proxies = ProxySet::parse(text)?;
            Some(())
        },
    },
    choice!("hybrid-individuals", hybrid.individuals: ["best" => Individuals::Best, "improved" => Individuals::Improved],
        "best or improved", "001 §III-C", "which suites hybrid explores by symbolic execution"),
    choice!("hybrid-keeps-all", hybrid.keeps_all: ["true" => true, "false" => false], "true or false", "001 §III-C",
        "whether tests of symbolic execution stay in a suite that they do not improve"),
    choice!("hybrid-filter", hybrid.filter: ["true" => true, "false" => false], "true or false", "001 §III-B",
        "whether symbolic execution aims only at branches that a suite takes one way"),
    number!("mio-tests-per-goal", mio.tests_per_goal: usize, (1..=1_000), "a number from 1 to 1000", "Arcuri 2017 §3",
        "tests in the population of a goal at first; 1 in the focused search"),
    number!("mio-random", mio.random: f64, (0.0..=1.0), "a probability from 0 to 1", "Arcuri 2017 §3",
        "probability of a random test at first; 0 in the focused search"),
    number!("mio-focus", mio.focus: f64, (0.0..=1.0), "a share from 0 to 1", "Arcuri 2017 §3",
        "share of the budget at which the focused search starts"),
    number!("mio-mutations", mio.mutations: usize, (1..=1_000), "a number from 1 to 1000", "Arcuri 2017 §3",
        "mutations of a test in a row in the focused search; 1 at first"),
    number!("auto-transfers", auto.transfers: u32, (0..=10_000), "a number from 0 to 10000", "ours",
        "values that auto puts in the place of compared ones for a target, before it comes nearer again"),
    number!("auto-focus", auto.focus: f64, (0.0..=1.0), "a probability from 0 to 1", "ours; Arcuri 2017 §3",
        "probability that auto draws a parent for the target that was tried least"),
    number!("auto-structure-first", auto.structure_first: f64, (0.0..=1.0), "a share from 0 to 1", "ours",
        "share of the budget that auto spends before mutants and partitions of values are targets as well"),
    choice!("auto-pursues", auto.pursues: ["true" => true, "false" => false], "true or false", "ours",
        "whether auto aims at killing mutants where they are only asked to be infected, for the oracles of compact suites"),
    number!("auto-kills-from", auto.kills_from: f64, (0.0..=1.0), "a share from 0 to 1", "ours",
        "share of the budget from which on auto aims at killing mutants, sooner where nothing else is left"),
    choice!("auto-adapts", auto.adapts: ["true" => true, "false" => false], "true or false", "ours",
        "whether auto draws ways to make tests by their recent success"),
    choice!("auto-spares", auto.spares: ["true" => true, "false" => false], "true or false", "ours",
        "whether auto prefers much cheaper tests and spares calls that were dear and brought nothing"),
    number!("local-search-rate", local_search.rate: u64, (0..=1_000_000), "a number from 0 to 1000000", "000 Algorithm 1",
        "generations from one application of local search to the next; 0 for none"),
    number!("local-search-probability", local_search.probability: f64, (0.0..=1.0), "a probability from 0 to 1",
        "000 Algorithm 1", "probability of an application in such a generation, at first"),
    number!("local-search-adaptation", local_search.adaptation: f64, (1.0..=1_000.0), "a number from 1 to 1000",
        "000 Algorithm 1", "by what that probability is multiplied after success, and divided after failure"),
    number!("local-search-least-probability", local_search.least_probability: f64, (0.0..=1.0),
        "a probability from 0 to 1", "ours; 0 in 000", "what that probability does not fall below"),
    number!("local-search-operator-adaptation", local_search.operator_adaptation: f64, (1.0..=1_000.0),
        "a number from 1 to 1000", "ours; 1 in 000", "as that, for the probability of each operator and test search"),
    number!("local-search-least-operator-probability", local_search.least_operator_probability: f64, (0.0..=1.0),
        "a probability from 0 to 1", "ours", "what the probability of an operator or test search does not fall below"),
    Parameter {
        name: "local-search-budget",
        summary: "what one application of local search may use",
        source: "000 §4.3",
        allowed: "a number with evaluations, executions, statements or individuals behind it, or a time, such as \
            1000executions, 5s or 200ms",
        get: |options| options.local_search.budget.to_string(),
        set: |options, text| {
            options.local_search.budget = LocalBudget::parse(text)?;
            Some(())
        },
    },
    number!("local-search-share", local_search.largest_share: f64, (0.0..=1.0), "a share from 0 to 1", "ours; 1 in 000",
        "part of the budget that one application of local search may use at most"),
    number!("local-search-in-vain", local_search.most_in_vain: f64, (0.0..=1.0), "a share from 0 to 1", "ours; 1 in 000",
        "share of what was used of the budget beyond which there is no local search, if that covers nothing; for operators and \
            for what changes tests as a whole each"),
    number!("local-search-in-standstill", local_search.most_in_standstill: f64, (0.0..=1.0), "a share from 0 to 1", "ours; 1 in 000",
        "the same share of what is used while nothing is covered by anyone"),
    Parameter {
        name: "local-search-operators",
        summary: "operators of local search, and what changes tests as a whole",
        source: "000 §4.1; Table 5 for one at a time",
        allowed: "all, none, or some of booleans, enumerations, integers, floating-point, strings, arrays, references, \
            pairs, restarts, swaps, nulls, identities, writers, stubs, collections and symbolic-execution, separated by commas; those from \
            pairs to collections are ours",
        get: |options| options.local_search.operators.to_string(),
        set: |options, text| {
            options.local_search.operators = Operators::parse(text)?;
            Some(())
        },
    },
    number!("local-search-probes", local_search.probes: u32, (1..=1_000), "a number from 1 to 1000", "000 §4.1.2",
        "mutations of a string that say whether it matters"),
    number!("local-search-patience", local_search.patience: u32, (1..=1_000), "a number from 1 to 1000", "000 §4.1.4",
        "mutations of a call in a row without improvement after which local search leaves it alone"),
    choice!("local-search-selective", local_search.selective: ["true" => true, "false" => false], "true or false",
        "000 §4.3; Table 7", "whether only statements are improved whose mutation changed the fitness of a suite"),
    choice!("local-search-expansion", local_search.expansion: ["true" => true, "false" => false], "true or false",
        "000 §4.2.1", "whether each use of a value gets a value of its own before local search"),
    choice!("local-search-double-execution", local_search.double_execution: ["true" => true, "false" => false],
        "true or false", "000 §4.2.2", "whether suites have predicates executed twice before local search"),
    choice!("local-search-restoring", local_search.restoring: ["true" => true, "false" => false], "true or false",
        "000 §4.2.3", "whether suites take back tests for what they have lost before local search"),
    choice!("local-search-extended", local_search.extended: ["true" => true, "false" => false], "true or false",
        "ours; off in 000", "whether operators of local search do what is not in the paper"),
    number!("maximum-length", factory.max_length: usize, (1..=1_000), "a number from 1 to 1000",
        "004 §4.5 (its implementation)", "longest test, in statements, however it grows"),
    number!("null-probability", factory.null_probability: f64, (0.0..=1.0), "a probability from 0 to 1",
        "004 §4.5 (its implementation)", "probability that a reference is null when a new one is wanted"),
    number!("object-reuse", factory.object_reuse: f64, (0.0..=1.0), "a probability from 0 to 1",
        "004 §4.5 (its implementation)", "probability that an object or array is one that the test has"),
    number!("primitive-reuse", factory.primitive_reuse: f64, (0.0..=1.0), "a probability from 0 to 1",
        "004 §4.5 (its implementation)", "probability that a number, string or constant is one that the test has"),
    number!("maximum-recursion", factory.max_recursion: usize, (0..=100), "a number from 0 to 100",
        "004 §4.5 (its implementation)", "how deep making a value may lead to making others"),
    number!("shortest-from", factory.shortest_from: usize, (0..=100), "a number from 0 to 100",
        "ours; 5 in 004 (its implementation)", "depth from which on a value is made on the shortest way"),
    number!("maximum-array", factory.max_array: usize, (0..=1_000), "a number from 0 to 1000",
        "004 §4.5 (its implementation)", "longest new array, but for lengths that the code names"),
    number!("constant-lengths", factory.constant_lengths: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that the length of a new array of a primitive type is a constant of the code"),
    number!("text-arrays", factory.text_arrays: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a new array of bytes or characters is that of a string"),
    number!("format-texts", factory.format_texts: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a new string is in a format that the code has texts read in, and that a mutation keeps to it"),
    choice!("short-arrays", factory.short_arrays: ["true" => true, "false" => false], "true or false",
        "ours; off in 004 (its implementation)", "whether the length of an array is the smaller of two draws"),
    number!("array-fill", factory.array_fill: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 1 in 004 (its implementation)", "probability that a new array of a primitive type gets elements"),
    number!("object-fill", factory.fill: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a new collection or builder is filled at once"),
    number!("maximum-fill", factory.max_fill: usize, (1..=100), "a number from 1 to 100",
        "ours", "most calls by which a new object is filled"),
    number!("complete-fill", factory.fill_all: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a new builder, or an object of which the code asks several things, is given all of them"),
    choice!("even-generators", factory.even_generators: ["true" => true, "false" => false], "true or false",
        "ours; on in 004 (its implementation)", "whether all ways to make a value are drawn equally often, and stubs only where there is no other"),
    number!("lambda", factory.lambda: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours", "probability of a lambda where there are other ways, unless these are drawn evenly"),
    number!("derived-values", factory.derive: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours", "probability of a value derived from another, unless ways are drawn evenly"),
    number!("throwing-answer", factory.throwing_answer: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a method of a stub throws, where it may"),
    number!("parameter-answer", factory.parameter_answer: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a method of a stub gives back a parameter"),
    number!("itself-answer", factory.itself_answer: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a method of a stub gives the stub itself, where it may"),
    number!("callback-answer", factory.callback_answer: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a method of a stub calls what it is passed, where it may"),
    number!("further-answer", factory.further_answer: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability of each further answer of a method of a stub"),
    number!("maximum-answers", factory.max_answers: usize, (1..=100), "a number from 1 to 100",
        "ours; 5 in 004 (its implementation)", "most answers of a method of a stub"),
    number!("string-length", factory.string_length: usize, (0..=1_000), "a number from 0 to 1000",
        "004 §4.5 (its implementation)", "longest random string"),
    number!("maximum-string", factory.max_string: usize, (1..=10_000), "a number from 1 to 10000",
        "004 §4.5 (its implementation)", "longest string that mutation makes"),
    number!("mentioned-characters", factory.mentioned_characters: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a character is one that the class under test mentions"),
    number!("exotic-characters", factory.exotic_characters: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a character may be no printable ASCII"),
    number!("number-deviation", factory.max_int: f64, (0.0..=1e9), "a number from 0 to 1000000000",
        "004 §4.5 (its implementation)", "deviation of random numbers"),
    number!("small-numbers", factory.small: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a random number is a small one"),
    number!("small-number-deviation", factory.small_int: f64, (0.0..=1e9), "a number from 0 to 1000000000",
        "ours", "deviation of small random numbers"),
    number!("small-sizes", factory.small_sizes: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a number that something is made as large as is drawn small"),
    number!("step-deviation", factory.max_delta: f64, (0.0..=1e9), "a number from 0 to 1000000000",
        "004 §4.5 (its implementation)", "deviation of the change of a number"),
    number!("static-pool", factory.static_pool: f64, (0.0..=1.0), "a probability from 0 to 1",
        "004 §4.5 (its implementation); 000 §5.2", "probability that a random value is a constant of the code"),
    number!("construction-pool", factory.construction_pool: f64, (0.0..=1.0), "a share from 0 to 1",
        "ours; 0 in 004 (its implementation)", "share of these that come from the code of other classes that making an object runs"),
    number!("project-pool", factory.project_pool: f64, (0.0..=1.0), "a share from 0 to 1",
        "004 §4.5 (its implementation); 0 in 000 §5.2", "share of these that come from other classes than the class under test"),
    number!("dynamic-pool", factory.dynamic_pool: f64, (0.0..=1.0), "a probability from 0 to 1",
        "004 §4.5 (its implementation); 0 in 000 §5.2", "probability that a random value is an operand that was compared in a run"),
    number!("dynamic-pool-size", factory.dynamic_pool_size: usize, (1..=10_000), "a number from 1 to 10000",
        "004 §4.5 (its implementation)", "operands that are kept, by kind of value"),
    number!("open-operands", factory.open_operands: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that an operand of a branch with open goals is looked for first"),
    number!("operand-pairs", factory.operand_pairs: usize, (0..=100), "a number from 0 to 100",
        "ours; 0 in 004", "pairs of operands that are kept, for each operand that is"),
    number!("token-length", factory.token_length: usize, (0..=1_000), "a number from 0 to 1000",
        "ours; 0 in 004 (its implementation)", "longest string constant whose characters count as constants"),
    number!("replaced-values", factory.replace: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004", "probability that a mutated value becomes what a value in it was compared with"),
    number!("entries", factory.entries: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a call that takes a key and something beside it gets a key that the code looks under, and what it looks for there, and that a stub answers that, or what the code casts its result to"),
    number!("files", factory.files: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a new file lies in the folder that its test has to itself; with 0 there is no such folder"),
    number!("settings", factory.settings: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that an insertion sets what the code reads of the JVM: a system property, standard input, the default locale or zone; or a context that another class keeps; with 0 none does"),
    number!("inject", factory.inject: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability of each field that a container fills (@Autowired, @Inject) that a new object is given it at once; with 0 no private field is written"),
    number!("hints", factory.hint: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004", "probability of an argument that the call is known to ask for; 0 for none in mutation either"),
    number!("redrawn-values", factory.redraw: f64, (0.0..=1.0), "a probability from 0 to 1",
        "004 §4.5 (its implementation)", "probability that a mutated value is drawn anew instead of shifted"),
    number!("extreme-values", factory.extreme: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0 in 004 (its implementation)", "probability that a random number is an end of its range or no number"),
    number!("changed-inputs", factory.change_input: f64, (0.0..=1.0), "a probability from 0 to 1",
        "ours; 0.1 in 004 (its implementation)", "probability that a changed call gets another input and is not replaced"),
    number!("test-calls", factory.test_call: f64, (0.0..=1.0), "a probability from 0 to 1",
        "004 §4.5 (its implementation)", "probability that an insertion calls the class under test"),
    choice!("calls-before-throw", factory.calls_before_throw: ["true" => true, "false" => false], "true or false",
        "ours; off in 004 (its implementation)", "whether such a call goes before the statement that threw"),
    number!("further-insertion", factory.further_insertion: f64, (0.0..=1.0), "a probability from 0 to 1",
        "004 §4.5 (its implementation)", "probability of each further insertion, to the power of its number"),
    number!("each-mutation", factory.each_mutation: f64, (0.0..=1.0), "a probability from 0 to 1",
        "000 §3.3; 004 §4.5", "probability of each of deleting, changing and inserting"),
    number!("closed-call-weight", factory.closed_weight: f64, (0.0..=1.0), "a share from 0 to 1",
        "ours; 0 in 004 (its implementation)", "weight of calls of weight 0, as a share of the mean of the others"),
    number!("construction-attempts", factory.attempts: usize, (1..=10_000), "a number from 1 to 10000",
        "ours; 1000 in 004 (its implementation)", "attempts to bring a random test to its length"),
];

#[cfg(test)]
mod tests {
    use testcase::factory::options::FactoryOptions;

    use super::*;
    use crate::options::{
        ADynamosaOptions, AutoOptions, HybridOptions, LocalSearchOptions, MioOptions, SuiteOptions,
    };
    use crate::profiles::PROFILES;

    #[test]
    fn what_is_printed_is_what_is_read() {
        let profiles = PROFILES.iter().map(|profile| (profile.options)());
        for options in profiles.chain([SearchOptions::default()]) {
            // From options that differ in every respect, every parameter together gives the same.
            let mut copy = SearchOptions {
                population: 77,
                crossover_probability: 0.01,
                tournament_size: 77,
                insertion_rate: 0.01,
                insertion_from_archive: 0.01,
                keep_first_front: !options.keep_first_front,
                archive_replaces_equal: !options.archive_replaces_equal,
                watch_covered: !options.watch_covered,
                further_looks: !options.further_looks,
                rest_guides: !options.rest_guides,
                crossover_within_executed: !options.crossover_within_executed,
                normalization: match options.normalization {
                    Normalization::Ordinal => Normalization::Ratio,
                    Normalization::Ratio => Normalization::Ordinal,
                },
                covered_call_weight: 0.01,
                writer_call_weight: 0.01,
                open_call_share: 0.01,
                suites: SuiteOptions {
                    selection: match options.suites.selection {
                        SuiteSelection::Rank => SuiteSelection::Tournament,
                        SuiteSelection::Tournament => SuiteSelection::Rank,
                    },
                    rank_bias: 1.01,
                    insertion: 0.01,
                    initial_tests: 77,
                    maximum_tests: 77,
                    from_archive: 0.01,
                    elite: 77,
                    bloat_factor: 77.0,
                },
                adynamosa: ADynamosaOptions {
                    secondary_heuristic: SecondaryHeuristic::CrowdingDistance,
                    preference_tie: PreferenceTie::Performance,
                    proxies: ProxySet::parse("loops").unwrap(),
                },
                hybrid: HybridOptions {
                    individuals: match options.hybrid.individuals {
                        Individuals::Best => Individuals::Improved,
                        Individuals::Improved => Individuals::Best,
                    },
                    keeps_all: !options.hybrid.keeps_all,
                    filter: !options.hybrid.filter,
                },
                mio: MioOptions { tests_per_goal: 77, random: 0.01, focus: 0.01, mutations: 77 },
                auto: AutoOptions {
                    transfers: 77,
                    focus: 0.01,
                    structure_first: 0.01,
                    pursues: !options.auto.pursues,
                    kills_from: 0.01,
                    adapts: !options.auto.adapts,
                    spares: !options.auto.spares,
                },
                local_search: other_local_search(&options.local_search),
                factory: other_factory(&options.factory),
            };
            for parameter in PARAMETERS {
                let text = parameter.value(&options);
                assert_ne!(parameter.value(&copy), text, "{}", parameter.name);
                parameter.set(&mut copy, &text).unwrap();
            }
            assert_eq!(copy, options);
        }
    }

    #[test]
    fn every_operator_and_test_search_may_be_asked_for_by_a_name_that_is_told() {
        let row = parameter("local-search-operators").unwrap();
        for name in Operators::names() {
            let mut options = SearchOptions::default();
            row.set(&mut options, name).unwrap();
            assert_eq!(row.value(&options), name);
            assert!(row.allowed.split([' ', ',']).any(|word| word == name), "{name}");
        }
        let error = row.set(&mut SearchOptions::default(), "magic").unwrap_err().to_string();
        assert!(error.contains("integers") && error.contains("symbolic-execution"), "{error}");
    }

    /// Options that differ in every respect.
    fn other_local_search(options: &LocalSearchOptions) -> LocalSearchOptions {
        LocalSearchOptions {
            rate: 77,
            probability: 0.03,
            adaptation: 77.0,
            least_probability: 0.01,
            operator_adaptation: 77.0,
            least_operator_probability: 0.01,
            budget: LocalBudget::Statements(77),
            largest_share: 0.01,
            most_in_vain: 0.01,
            most_in_standstill: 0.01,
            operators: Operators::parse("strings").unwrap(),
            probes: 77,
            patience: 77,
            selective: !options.selective,
            expansion: !options.expansion,
            double_execution: !options.double_execution,
            restoring: !options.restoring,
            extended: !options.extended,
        }
    }

    /// Options that differ in every respect.
    fn other_factory(options: &FactoryOptions) -> FactoryOptions {
        FactoryOptions {
            max_length: 77,
            null_probability: 0.01,
            object_reuse: 0.01,
            primitive_reuse: 0.01,
            max_recursion: 77,
            shortest_from: 77,
            max_array: 77,
            constant_lengths: 0.01,
            text_arrays: 0.01,
            format_texts: 0.01,
            short_arrays: !options.short_arrays,
            array_fill: 0.01,
            fill: 0.01,
            max_fill: 77,
            fill_all: 0.01,
            even_generators: !options.even_generators,
            lambda: 0.01,
            derive: 0.01,
            throwing_answer: 0.01,
            parameter_answer: 0.01,
            itself_answer: 0.01,
            callback_answer: 0.01,
            further_answer: 0.01,
            max_answers: 77,
            string_length: 77,
            max_string: 77,
            mentioned_characters: 0.01,
            exotic_characters: 0.01,
            max_int: 77.0,
            small: 0.01,
            small_sizes: 0.01,
            small_int: 77.0,
            max_delta: 77.0,
            static_pool: 0.01,
            construction_pool: 0.01,
            project_pool: 0.01,
            dynamic_pool: 0.01,
            dynamic_pool_size: 77,
            open_operands: 0.01,
            operand_pairs: 77,
            token_length: 77,
            replace: 0.01,
            hint: 0.01,
            entries: 0.01,
            files: 0.01,
            settings: 0.01,
            inject: 0.01,
            redraw: 0.01,
            extreme: 0.01,
            change_input: 0.01,
            test_call: 0.01,
            calls_before_throw: !options.calls_before_throw,
            further_insertion: 0.01,
            each_mutation: 0.01,
            closed_weight: 0.01,
            attempts: 77,
        }
    }

    #[test]
    fn names_are_unique_and_everything_is_said() {
        for (index, row) in PARAMETERS.iter().enumerate() {
            assert!(PARAMETERS[..index].iter().all(|other| other.name != row.name), "{}", row.name);
            assert!(
                row.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'),
                "{}",
                row.name
            );
            for text in [row.summary, row.source, row.allowed, &row.default_text()] {
                assert!(!text.is_empty(), "{}", row.name);
            }
        }
    }

    #[test]
    fn what_is_out_of_range_is_told_with_what_is_allowed() {
        let check = |name: &str, value: &str, expect: &str| {
            let mut options = SearchOptions::default();
            let error = parameter(name).unwrap().set(&mut options, value).unwrap_err();
            assert_eq!(error.to_string(), expect);
            assert_eq!(options, SearchOptions::default());
        };
        check("population", "1", "population cannot be \"1\": give a number from 2 to 10000");
        check("population", "many", "population cannot be \"many\": give a number from 2 to 10000");
        check("rank-bias", "NaN", "rank-bias cannot be \"NaN\": give a number from 1 to 2");
        check("keep-first-front", "yes", "keep-first-front cannot be \"yes\": give true or false");
        check("suite-selection", "", "suite-selection cannot be \"\": give rank or tournament");
        assert!(parameter("proxies").unwrap().set(&mut SearchOptions::default(), "heap").is_err());
    }

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let error = parameter("populaton").unwrap_err().to_string();
        assert!(error.starts_with("there is no parameter \"populaton\". There are population, "), "{error}");
    }
}
