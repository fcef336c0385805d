//! How much a test costs to run, predicted from what one run showed.
//!
//! Grano, Laaber, Panichella and Panichella 2019 (aDynaMOSA), §3.1 and Table 1: seven proxies, from a run
//! ([`ProxyTable::measure`]) and from the test itself; §3.2: two formulas over them, which serve different ends.
//!
//! | formula | over | better | decides |
//! | --- | --- | --- | --- |
//! | [`Proxies::score`] (Equation 1) | a test alone | lower | which test the archive keeps |
//! | [`heuristic`] (Equation 2) | the tests of a front | higher | which tests of a front survive |
//!
//! The text behind Equation 2 has its ends swapped: it is 0 where all proxies are the largest of the front.

use std::fmt;

use bytecode::probe_map::ProbeId;
use coverage::distance::ratio;
use coverage::method_table::MethodTable;
use testcase::execution::ExecutionTrace;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

/// Number of proxies.
pub const PROXIES: usize = 7;

/// What the proxies count, I1 to I7 of the paper's Table 1, as options name them.
pub const PROXY_NAMES: [&str; PROXIES] = [
    "loops",
    "covered-calls",
    "test-calls",
    "instantiations",
    "covered-statements",
    "test-statements",
    "test-length",
];

/// Some of the proxies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProxySet(u8);

impl ProxySet {
    /// All seven.
    pub const ALL: Self = Self((1 << PROXIES) - 1);

    /// Those of these names, separated by commas, or `all`; `None` when there is no such name, or none at all.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "all" {
            return Some(Self::ALL);
        }
        let mut set = 0;
        for name in text.split(',') {
            set |= 1 << PROXY_NAMES.iter().position(|known| *known == name.trim())?;
        }
        Some(Self(set))
    }

    fn indices(self) -> impl Iterator<Item = usize> {
        (0..PROXIES).filter(move |index| self.0 >> index & 1 == 1)
    }
}

/// Prints what [`ProxySet::parse`] reads.
impl fmt::Display for ProxySet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return formatter.write_str("all");
        }
        let names: Vec<_> = self.indices().map(|index| PROXY_NAMES[index]).collect();
        formatter.write_str(&names.join(","))
    }
}

/// The values of the proxies for a test, I1 to I7, each 0 or more.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Proxies(pub [f64; PROXIES]);

impl Proxies {
    /// Performance score (Equation 1): the sum of `I / (I + 1)`. Lower is better.
    pub fn score(&self, set: ProxySet) -> f64 {
        set.indices().map(|index| ratio(self.0[index])).sum()
    }
}

/// Performance heuristic (Equation 2) of each test of a front, in its order: the sum of `(max − I) / (max − min)` over
/// the proxies, which adds nothing where all are equal. Higher is better, from 0 to the number of proxies.
pub fn heuristic(front: &[Proxies], set: ProxySet) -> Vec<f64> {
    let mut sums = vec![0.0; front.len()];
    for index in set.indices() {
        let values = || front.iter().map(|proxies| proxies.0[index]);
        let (min, max) =
            values().fold((f64::INFINITY, 0.0_f64), |(min, max), value| (min.min(value), max.max(value)));
        if max > min {
            for (sum, value) in sums.iter_mut().zip(values()) {
                *sum += (max - value) / (max - min);
            }
        }
    }
    sums
}

/// What a hit of a probe costs.
#[derive(Debug, Clone, Copy, Default)]
struct Price {
    in_loop: bool,
    enters_method: bool,
    instructions: u32,
    allocations: u32,
}

/// What hits of probes cost. Computed once per class.
#[derive(Debug, Clone, Default)]
pub struct ProxyTable {
    /// By probe.
    prices: Vec<Price>,
}

impl ProxyTable {
    /// Of all methods of the classes with goals.
    pub fn new(methods: &MethodTable) -> Self {
        let mut table = Self::default();
        // Calls by the test itself are reported under two numbers, and count once.
        let own = methods.ids().filter(|&id| methods.method(id).original == id);
        for method in own.map(|id| methods.method(id)) {
            table.price(method.entry).enters_method = true;
            for block in &method.blocks {
                let price = table.price(block.probe);
                price.instructions += block.instructions;
                price.allocations += block.allocations;
            }
        }
        for branch in methods.branches() {
            table.price(branch.probe).in_loop |= branch.in_loop;
        }
        table
    }

    fn price(&mut self, probe: ProbeId) -> &mut Price {
        let index = probe.index();
        if self.prices.len() <= index {
            self.prices.resize(index + 1, Price::default());
        }
        &mut self.prices[index]
    }

    /// The proxies of a test of which `length` statements count, by what its run showed:
    ///
    /// * I1: hits of branches in loops, of those hit more than once
    /// * I2: calls of methods of the classes with goals
    /// * I3: calls of constructors and methods in the test
    /// * I4: objects and arrays made in blocks that were executed more than once
    /// * I5: instructions executed
    /// * I6: statements of the test that are no calls
    /// * I7: statements of the test
    pub fn measure(&self, test: &TestCase, length: usize, trace: &ExecutionTrace) -> Proxies {
        let (mut loops, mut calls, mut instantiations, mut instructions) = (0.0, 0.0, 0.0, 0.0);
        for &probe in trace.touched() {
            let Some(price) = self.prices.get(probe.index()) else { continue };
            let hits = f64::from(trace.count(probe));
            if hits > 1.0 {
                loops += if price.in_loop { hits } else { 0.0 };
                instantiations += f64::from(price.allocations) * hits;
            }
            calls += if price.enters_method { hits } else { 0.0 };
            instructions += f64::from(price.instructions) * hits;
        }
        let is_call = |statement: &&Statement| {
            matches!(statement, Statement::Constructor { .. } | Statement::Method { .. })
        };
        let test_length = length.min(test.len());
        let test_calls = test.statements().iter().take(length).filter(is_call).count();
        Proxies([
            loops,
            calls,
            test_calls as f64,
            instantiations,
            instructions,
            (test_length - test_calls) as f64,
            test_length as f64,
        ])
    }
}

#[cfg(test)]
mod tests {
    use bytecode::instruction::InstructionIndex;
    use bytecode::probe_map::{Block, Branch, BranchKind, MethodProbes, ProbeMap};
    use testcase::cluster::CallableId;
    use testcase::statement::Arguments;
    use testcase::value::Value;

    use super::*;

    fn proxies(first: f64, last: f64) -> Proxies {
        Proxies([first, 0.0, 0.0, 0.0, 0.0, 0.0, last])
    }

    #[test]
    fn the_score_is_equation_1() {
        assert_eq!(Proxies::default().score(ProxySet::ALL), 0.0);
        assert_eq!(proxies(1.0, 3.0).score(ProxySet::ALL), 0.5 + 0.75);
        assert_eq!(Proxies([1.0; 7]).score(ProxySet::ALL), 3.5);
        assert_eq!(proxies(1.0, 3.0).score(ProxySet::parse("test-length").unwrap()), 0.75);
    }

    #[test]
    fn the_heuristic_is_equation_2_and_higher_for_cheaper_tests() {
        let front = [proxies(0.0, 10.0), proxies(4.0, 20.0), proxies(1.0, 20.0)];
        assert_eq!(heuristic(&front, ProxySet::ALL), [2.0, 0.0, 0.75]);
        let only_loops = ProxySet::parse("loops").unwrap();
        assert_eq!(heuristic(&front, only_loops), [1.0, 0.0, 0.75]);
        // A proxy with max = min contributes nothing.
        assert_eq!(heuristic(&[proxies(3.0, 3.0), proxies(3.0, 3.0)], ProxySet::ALL), [0.0, 0.0]);
        assert_eq!(heuristic(&[proxies(3.0, 3.0)], ProxySet::ALL), [0.0]);
        assert!(heuristic(&[], ProxySet::ALL).is_empty());
    }

    #[test]
    fn the_two_formulas_may_disagree() {
        let front = [proxies(8.0, 1000.0), proxies(9.0, 0.0), proxies(0.0, 100_000.0)];
        let heuristics = heuristic(&front, ProxySet::ALL);
        // Each proxy is at most 1 of the score, whatever its magnitude; the heuristic looks at the range in the front.
        assert!(front[1].score(ProxySet::ALL) < front[0].score(ProxySet::ALL));
        assert!(heuristics[0] > heuristics[1]);
    }

    #[test]
    fn sets_print_as_they_are_read() {
        for text in ["all", "loops", "loops,test-length", "covered-calls,instantiations"] {
            assert_eq!(ProxySet::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(ProxySet::parse(&PROXY_NAMES.join(",")), Some(ProxySet::ALL));
        assert_eq!([ProxySet::parse(""), ProxySet::parse("loops,heap")], [None, None]);
    }

    #[test]
    fn a_run_is_measured() {
        // Probe 0: entry, 1: a branch in a loop, 2: one outside, 3: a block of 5 instructions that makes 2 objects.
        let branch = |probe, in_loop| Branch {
            instruction: InstructionIndex(probe),
            line: None,
            probe: ProbeId(probe),
            kind: BranchKind::Integer,
            in_loop,
            outcomes: Vec::new(),
            controlled_by: Vec::new(),
        };
        let method = MethodProbes {
            branches: vec![branch(1, true), branch(2, false)],
            blocks: vec![Block { probe: ProbeId(3), instructions: 5, allocations: 2 }],
            ..MethodProbes::new("m", "()V", ProbeId(0))
        };
        let map = ProbeMap { class: "Foo".into(), hash: 0, methods: vec![method], skipped: Vec::new() };
        let table = ProxyTable::new(&MethodTable::new(&[map]));
        let number = || Statement::Primitive { value: Value::Int(1), boxed: false };
        let call =
            || Statement::Method { callable: CallableId(0), receiver: None, arguments: Arguments::new() };
        let test = TestCase::new(vec![number(), number(), call(), call()]);
        let check = |hits: [u32; 4], length: usize, expect: [f64; 7]| {
            let mut trace = ExecutionTrace::new(9, 0);
            for (probe, hits) in (0..).zip(hits) {
                trace.record_hits(ProbeId(probe), hits);
            }
            trace.record_hits(ProbeId(8), 1);
            assert_eq!(table.measure(&test, length, &trace), Proxies(expect));
        };
        check([2, 10, 10, 3], 4, [10.0, 2.0, 2.0, 6.0, 15.0, 2.0, 4.0]);
        // What ran once is ignored in I1 and I4.
        check([1, 1, 1, 1], 4, [0.0, 1.0, 2.0, 0.0, 5.0, 2.0, 4.0]);
        check([1, 0, 0, 0], 3, [0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 3.0]);
    }
}
