//! The alternating variable method (Korel 1990) on the inputs of a problem, guided by branch distances, as the solver of
//! paper 001 (§IV-A): numbers by exploratory and pattern moves, floats over precisions (Harman and `McMinn` 2007), texts as
//! arrays of characters.
//!
//! # Differences
//! Values that conditions mention are tried as they are, members of regular expressions are taken from their automata, and
//! inputs of equal values are moved together as well.

use testcase::random::Random;

use crate::solver::{Answer, Problem, Solver, SolverEntry, Why};
use crate::solvers::distance::{self, Pair};
use crate::solvers::moves::{Candidates, drawn, moved, patterns, shifted};
use crate::term::pattern::Pattern;
use crate::term::{Model, Plan, Register, Sort, Value};

/// The row of the table.
pub(crate) const ENTRY: SolverEntry = SolverEntry {
    name: "search",
    about: "the alternating variable method on numbers and characters, guided by branch distances",
    make: || Box::new(Search),
};

/// Longest text that is tried.
const LONGEST_TEXT: usize = 4096;

/// Terms that depend on an input, and units of its text, for which one step more is counted.
const TERMS_PER_STEP: usize = 128;
const UNITS_PER_STEP: usize = 64;

/// Nanoseconds that a term takes to be prepared, and to be computed anew in a step.
const PREPARED: u64 = 400;
const COMPUTED: u64 = 40;

/// How often the deadline is looked at, in steps.
const STEPS_PER_LOOK: u64 = 64;

/// The search. It keeps nothing from one problem to the next: equal problems have equal answers.
#[derive(Debug)]
pub(crate) struct Search;

impl Solver for Search {
    fn solve(&mut self, problem: &Problem<'_>) -> Answer {
        let plan = Plan::new(problem.terms, problem.conditions);
        problem.work.count(plan.len() as u64, PREPARED);
        let mut climb = Climb::new(problem, &plan);
        climb.run();
        if climb.cost == 0 {
            Answer::Model(climb.model())
        } else if climb.is_late {
            Answer::Unknown(Why::Time)
        } else {
            Answer::Unknown(Why::Steps)
        }
    }
}

struct Climb<'p, 't> {
    problem: &'p Problem<'p>,
    plan: &'p Plan<'t>,
    dependents: Vec<Vec<Register>>,
    patterns: Vec<&'t Pattern>,
    values: Vec<Value>,
    pairs: Vec<Pair>,
    /// The sum of the positions of the distances among the doubles: exact, so that every difference counts.
    cost: u128,
    steps: u64,
    is_late: bool,
    random: Random,
}

impl<'p, 't> Climb<'p, 't> {
    fn new(problem: &'p Problem<'p>, plan: &'p Plan<'t>) -> Self {
        let mut climb = Self {
            problem,
            plan,
            dependents: plan.dependents(),
            patterns: patterns(plan),
            values: plan.run(problem.seed),
            pairs: vec![[1.0, 0.0]; plan.len()],
            cost: 0,
            steps: problem.limits.steps,
            is_late: false,
            random: Random::new(plan.len() as u64, 0),
        };
        for register in plan.registers() {
            if let Value::Bool(truth) = climb.values[register.index()] {
                climb.pairs[register.index()] = if truth { [0.0, 1.0] } else { [1.0, 0.0] };
            }
        }
        climb.measure_all();
        climb
    }

    fn model(&self) -> Model {
        self.plan
            .inputs()
            .iter()
            .map(|&(input, _, place)| (input, self.values[place.index()].clone()))
            .collect()
    }

    fn is_done(&self) -> bool {
        self.cost == 0 || self.steps == 0 || self.is_late
    }

    fn register(&self, input: usize) -> Register {
        self.plan.inputs()[input].2
    }

    fn value(&self, input: usize) -> Value {
        self.values[self.register(input).index()].clone()
    }

    fn measure_all(&mut self) {
        let inner = self.plan.registers().filter(|&register| !self.plan.operands(register).is_empty());
        distance::update(self.plan, &self.values, inner, &mut self.pairs);
        self.cost = self.sum();
    }

    fn sum(&self) -> u128 {
        self.plan.roots().iter().map(|root| u128::from(self.pairs[root.index()][0].to_bits())).sum()
    }

    /// Counts a step for each change, and more where terms are many and texts are long: what depends on them is computed anew.
    fn count(&mut self, changes: &[(usize, Value)]) {
        let of_change = |(input, value): &(usize, Value)| {
            let units = if let Value::Text(units) = value { units.len() } else { 0 };
            (self.dependents[*input].len() / TERMS_PER_STEP + units / UNITS_PER_STEP) as u64
        };
        let count = 1 + changes.iter().map(of_change).sum::<u64>();
        let dependents: usize = changes.iter().map(|(input, _)| self.dependents[*input].len()).sum();
        self.problem.work.count(dependents as u64, COMPUTED);
        let looks = self.steps / STEPS_PER_LOOK;
        self.steps = self.steps.saturating_sub(count);
        if self.steps / STEPS_PER_LOOK != looks {
            self.is_late = self.problem.limits.is_late();
        }
    }

    /// Gives inputs values.
    fn place(&mut self, changes: &[(usize, Value)]) {
        for (input, value) in changes {
            let register = self.register(*input);
            if let Value::Bool(truth) = value {
                self.pairs[register.index()] = if *truth { [0.0, 1.0] } else { [1.0, 0.0] };
            }
            self.values[register.index()] = value.clone();
            self.plan.update(&mut self.values, &self.dependents[*input]);
            let dependents = self.dependents[*input].iter().copied();
            distance::update(self.plan, &self.values, dependents, &mut self.pairs);
        }
        self.cost = self.sum();
    }

    /// Gives inputs values if the cost falls, otherwise leaves all as it is.
    fn tries(&mut self, changes: &[(usize, Value)]) -> bool {
        if self.is_done() {
            return false;
        }
        self.count(changes);
        if changes.iter().all(|(input, value)| self.values[self.register(*input).index()] == *value) {
            return false;
        }
        let before = self.cost;
        let old: Vec<(Register, Value, Pair)> = changes
            .iter()
            .flat_map(|(input, _)| self.dependents[*input].iter().copied().chain([self.register(*input)]))
            .map(|register| (register, self.values[register.index()].clone(), self.pairs[register.index()]))
            .collect();
        self.place(changes);
        if self.cost < before {
            return true;
        }
        for (register, value, pair) in old {
            self.values[register.index()] = value;
            self.pairs[register.index()] = pair;
        }
        self.cost = before;
        false
    }

    fn try_one(&mut self, input: usize, value: Value) -> bool {
        self.tries(&[(input, value)])
    }

    fn run(&mut self) {
        while !self.is_done() {
            let mut is_better = false;
            for input in 0..self.plan.inputs().len() {
                is_better |= self.improve(input);
            }
            is_better |= !self.is_done() && self.improve_together();
            if !is_better && !self.is_done() {
                self.restart();
            }
        }
    }

    /// Goes elsewhere: some inputs get other values, the others those that they have or had at first.
    fn restart(&mut self) {
        let candidates = Candidates::new(self.plan, &self.values);
        let inputs = self.plan.inputs();
        let from_seed = self.random.chance(0.3);
        let share = [0.1, 0.3, 1.0][self.random.below(3)];
        let forced = self.random.below(inputs.len().max(1));
        let mut changes = Vec::new();
        for (place, &(input, sort, _)) in inputs.iter().enumerate() {
            if place == forced || self.random.chance(share) {
                changes.push((place, drawn(sort, &candidates, &mut self.random)));
            } else if from_seed {
                let seed = self.problem.seed.get(input).cloned();
                changes.push((place, seed.unwrap_or_else(|| Value::zero(sort))));
            }
        }
        self.count(&changes);
        self.place(&changes);
    }

    /// Improves one input as far as its own moves go.
    fn improve(&mut self, input: usize) -> bool {
        let sort = self.plan.inputs()[input].1;
        let candidates = Candidates::new(self.plan, &self.values);
        let mut is_better = false;
        for value in candidates.values(sort) {
            is_better |= self.try_one(input, value);
        }
        match sort {
            Sort::Bool => is_better,
            Sort::Bits(width) => self.improve_bits(input, width) || is_better,
            Sort::Float | Sort::Double => self.improve_float(input) || is_better,
            Sort::Text => self.improve_text(input, &candidates) || is_better,
        }
    }

    /// Exploratory moves by 1, pattern moves that double, and single bits.
    fn improve_bits(&mut self, input: usize, width: u8) -> bool {
        let mut is_better = self.climb(&[input]);
        for bit in (0..width).rev() {
            let flipped = Value::bits(width, self.value(input).unsigned() ^ 1 << bit);
            is_better |= self.try_one(input, flipped);
        }
        is_better
    }

    /// Moves inputs in the same way while that helps.
    fn climb(&mut self, inputs: &[usize]) -> bool {
        let mut is_better = false;
        for direction in [1_i64, -1] {
            let mut step = direction;
            while !self.is_done() {
                let changes: Option<Vec<(usize, Value)>> =
                    inputs.iter().map(|&input| Some((input, moved(&self.value(input), step)?))).collect();
                if changes.is_some_and(|changes| self.tries(&changes)) {
                    is_better = true;
                    step = step.saturating_mul(2);
                } else if step == direction {
                    break;
                } else {
                    step = direction;
                }
            }
        }
        is_better
    }

    /// Moves along the order of the floats, by powers of two and of ten.
    fn improve_float(&mut self, input: usize) -> bool {
        let mut is_better = self.climb(&[input]);
        for exponent in (-12_i32..=12).rev() {
            for direction in [1.0, -1.0] {
                let mut step = direction * 10_f64.powi(exponent);
                while let Some(value) = shifted(&self.value(input), step) {
                    if !self.try_one(input, value) {
                        break;
                    }
                    is_better = true;
                    step *= 2.0;
                }
            }
        }
        for shift in 0..62_u32 {
            for direction in [1, -1] {
                let value = moved(&self.value(input), direction << shift);
                is_better |= value.is_some_and(|value| self.try_one(input, value));
            }
        }
        is_better
    }

    fn units(&self, input: usize) -> Vec<u16> {
        self.value(input).units().to_vec()
    }

    fn try_text(&mut self, input: usize, text: Vec<u16>) -> bool {
        if text.len() > LONGEST_TEXT {
            return false;
        }
        self.try_one(input, Value::Text(text.into()))
    }

    /// Members of regular expressions, texts of conditions within the text, and characters: deleted, changed, inserted.
    fn improve_text(&mut self, input: usize, candidates: &Candidates) -> bool {
        let mut is_better = false;
        for pattern in self.patterns.clone() {
            let near = pattern.nearest(&self.units(input)).map(|(_, near)| near);
            is_better |= near.is_some_and(|near| self.try_text(input, near));
            let length = self.units(input).len() + self.random.below(4);
            let member = pattern.draw(length, &mut self.random);
            is_better |= member.is_some_and(|member| self.try_text(input, member));
        }
        for text in candidates.changed_texts(&self.units(input)) {
            is_better |= self.try_text(input, text);
        }
        is_better |= self.delete_units(input);
        let units = candidates.units();
        for at in 0..self.units(input).len() {
            if self.is_done() {
                return is_better;
            }
            is_better |= self.change_unit(input, at, &units);
        }
        self.insert_units(input, &units) || is_better
    }

    fn delete_units(&mut self, input: usize) -> bool {
        let mut is_better = false;
        for at in (0..self.units(input).len()).rev() {
            if self.is_done() {
                return is_better;
            }
            let mut text = self.units(input);
            text.remove(at);
            is_better |= self.try_text(input, text);
        }
        is_better
    }

    /// The alternating variable method on one character.
    fn change_unit(&mut self, input: usize, at: usize, candidates: &[u16]) -> bool {
        let mut is_better = false;
        let with = |text: &[u16], unit: u16| {
            let mut text = text.to_vec();
            text[at] = unit;
            text
        };
        for &unit in candidates {
            let text = with(&self.units(input), unit);
            is_better |= self.try_text(input, text);
        }
        for direction in [1_i32, -1] {
            let mut step = direction;
            while !self.is_done() {
                let text = self.units(input);
                let unit = u16::try_from(i32::from(text[at]) + step);
                if unit.is_ok_and(|unit| self.try_text(input, with(&text, unit))) {
                    is_better = true;
                    step = step.saturating_mul(2);
                } else if step == direction {
                    break;
                } else {
                    step = direction;
                }
            }
        }
        is_better
    }

    fn insert_units(&mut self, input: usize, candidates: &[u16]) -> bool {
        let mut is_better = false;
        let mut at = 0;
        while at <= self.units(input).len() && !self.is_done() {
            let mut is_inserted = false;
            for &unit in candidates {
                let mut text = self.units(input);
                text.insert(at, unit);
                if self.try_text(input, text) {
                    is_inserted = true;
                    self.change_unit(input, at, candidates);
                    break;
                }
            }
            is_better |= is_inserted;
            at += 1;
        }
        is_better
    }

    /// Moves inputs of one sort and value together, and gives them one value: what conditions hold equal stays so.
    fn improve_together(&mut self) -> bool {
        let inputs = self.plan.inputs();
        let mut is_better = false;
        let mut is_grouped = vec![false; inputs.len()];
        for first in 0..inputs.len() {
            if is_grouped[first] {
                continue;
            }
            let value = self.value(first);
            let group: Vec<usize> =
                (first..inputs.len()).filter(|&other| self.value(other) == value).collect();
            for &member in &group {
                is_grouped[member] = true;
            }
            if group.len() > 1 {
                for value in Candidates::new(self.plan, &self.values).values(inputs[first].1) {
                    let changes: Vec<(usize, Value)> =
                        group.iter().map(|&member| (member, value.clone())).collect();
                    is_better |= self.tries(&changes);
                }
                is_better |= self.climb(&group);
            }
        }
        is_better
    }
}
