//! A source of tests of `int`s and static calls: the operators of the real factory in small.

use fixedbitset::FixedBitSet;
use testcase::cluster::{Call, CallableId, TestCluster};
use testcase::execution::ComparisonOperand;
use testcase::random::Random;
use testcase::statement::{Arguments, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use search::source::TestSource;

use super::Landscape;

const LONGEST: usize = 40;

/// Makes tests for a landscape.
#[derive(Debug)]
pub(crate) struct IntSource<'a> {
    cluster: &'a TestCluster,
    /// Weights as set last.
    pub(crate) weights: Vec<f64>,
    /// Values seen.
    pub(crate) pool: Vec<i32>,
    /// Whether values seen are used.
    pub(crate) has_pool: bool,
    /// Branches with an uncovered outcome.
    pub(crate) open: FixedBitSet,
}

impl<'a> IntSource<'a> {
    /// Nothing seen yet.
    pub(crate) fn new(landscape: &'a Landscape) -> Self {
        let weights = vec![1.0; landscape.cluster.test_calls.len()];
        Self {
            cluster: &landscape.cluster,
            weights,
            pool: Vec::new(),
            has_pool: true,
            open: FixedBitSet::new(),
        }
    }

    fn value(&self, random: &mut Random) -> Value {
        if self.has_pool
            && random.chance(0.25)
            && let Some(&value) = random.choose(&self.pool)
        {
            return Value::Int(value);
        }
        Value::Int((random.gaussian() * 2048.0) as i32)
    }

    fn primitive(&self, random: &mut Random) -> Statement {
        Statement::Primitive { value: self.value(random), boxed: false }
    }

    /// A call drawn by weight.
    fn draw(&self, random: &mut Random) -> CallableId {
        let mut left = random.unit() * self.weights.iter().sum::<f64>();
        let group = self.weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        match self.cluster.test_calls[group.unwrap_or(0)][0] {
            Call::Callable(id) => id,
            other => panic!("{other:?} is no call"),
        }
    }

    /// Inserts a call with its inputs; whether there was room.
    fn insert_call(&self, test: &mut TestCase, mut position: usize, random: &mut Random) -> bool {
        let callable = self.draw(random);
        let parameters = self.cluster.callable(callable).parameters.len();
        if test.len() + parameters + 1 > LONGEST {
            return false;
        }
        let mut arguments = Arguments::new();
        for _ in 0..parameters {
            let reused = variables(test, position);
            if random.chance(0.5) && !reused.is_empty() {
                arguments.push(*random.choose(&reused).unwrap());
            } else {
                test.insert(position, self.primitive(random));
                arguments.push(VarRef::from(position));
                position += 1;
            }
        }
        test.insert(position, Statement::Method { callable, receiver: None, arguments });
        true
    }

    fn delete(test: &mut TestCase, random: &mut Random) {
        let length = test.len();
        for position in (0..length).rev() {
            if !random.chance(1.0 / length as f64) {
                continue;
            }
            let variable = VarRef::from(position);
            let others: Vec<_> = variables(test, position);
            if test.is_used(variable) {
                let Some(&other) = random.choose(&others) else { continue };
                for later in &mut test.statements_mut()[position + 1..] {
                    later.for_each_use_mut(|used| {
                        if *used == variable {
                            *used = other;
                        }
                    });
                }
            }
            test.remove(position);
        }
    }

    fn change(&self, test: &mut TestCase, random: &mut Random) {
        let length = test.len();
        for position in 0..length {
            if !random.chance(1.0 / length as f64) {
                continue;
            }
            let others = variables(test, position);
            let fresh = self.value(random);
            match &mut test.statements_mut()[position] {
                Statement::Primitive { value, .. } => {
                    let number = value.as_integer().unwrap() as i32;
                    *value = if random.chance(0.2) {
                        fresh
                    } else {
                        let step = if random.chance(0.5) { 50.0 } else { 1.5 };
                        Value::Int(number.wrapping_add((random.gaussian() * step).round() as i32))
                    };
                }
                Statement::Method { arguments, .. } if !arguments.is_empty() && !others.is_empty() => {
                    let argument = random.below(arguments.len());
                    arguments[argument] = *random.choose(&others).unwrap();
                }
                _ => {}
            }
        }
    }
}

/// Variables in front of a position.
fn variables(test: &TestCase, position: usize) -> Vec<VarRef> {
    let is_variable = |index: &usize| matches!(test.statements()[*index], Statement::Primitive { .. });
    (0..position).filter(is_variable).map(VarRef::from).collect()
}

impl TestSource for IntSource<'_> {
    fn random_test(&mut self, random: &mut Random) -> TestCase {
        let length = 1 + random.below(LONGEST - 1);
        let mut test = TestCase::default();
        while test.len() < length {
            let end = test.len();
            if !self.insert_call(&mut test, end, random) {
                break;
            }
        }
        test
    }

    fn mutate(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        let before = test.clone();
        let mut chance = || random.chance(1.0 / 3.0);
        let (delete, change, mut insert) = (chance(), chance(), chance());
        if delete {
            Self::delete(test, random);
        }
        if change {
            self.change(test, random);
        }
        while insert {
            let position = random.below(executed.min(test.len()) + 1);
            insert = self.insert_call(test, position, random) && random.chance(0.5);
        }
        *test != before
    }

    fn append(
        &mut self,
        test: &mut TestCase,
        other: &TestCase,
        position: usize,
        random: &mut Random,
    ) -> bool {
        let mut moved = vec![None; other.len()];
        for (index, statement) in other.statements().iter().enumerate().skip(position) {
            let mut statement = statement.clone();
            let mut missing = Vec::new();
            statement.for_each_use(|used| missing.push(moved[used.index()]));
            let mut inputs = missing
                .into_iter()
                .map(|known: Option<VarRef>| {
                    let reused = variables(test, test.len());
                    known
                        .or_else(|| random.choose(&reused).copied())
                        .unwrap_or_else(|| test.push(self.primitive(random)))
                })
                .collect::<Vec<_>>()
                .into_iter();
            statement.for_each_use_mut(|used| *used = inputs.next().unwrap());
            moved[index] = Some(test.push(statement));
        }
        position < other.len()
    }

    fn insert_random(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        let position = executed.min(test.len());
        self.insert_call(test, position, random)
    }

    fn transfer(&mut self, test: &mut TestCase, from: &Value, to: &Value, random: &mut Random) -> bool {
        let is_from = |statement: &Statement| matches!(statement, Statement::Primitive { value, .. } if value.as_integer() == from.as_integer());
        let found: Vec<usize> = (0..test.len()).filter(|&at| is_from(&test.statements()[at])).collect();
        let (Some(&at), Value::Int(_)) = (random.choose(&found), to) else { return false };
        test.statements_mut()[at] = Statement::Primitive { value: to.clone(), boxed: false };
        true
    }

    fn remove_unused(&mut self, test: &mut TestCase) {
        for position in (0..test.len()).rev() {
            let is_primitive = matches!(test.statements()[position], Statement::Primitive { .. });
            if is_primitive && !test.is_used(VarRef::from(position)) {
                test.remove(position);
            }
        }
    }

    fn set_call_weights(&mut self, weights: &[f64]) {
        self.weights = weights.to_vec();
    }

    fn set_open_branches(&mut self, open: &FixedBitSet) {
        self.open.clone_from(open);
    }

    fn observe(&mut self, operands: &[ComparisonOperand]) {
        for operand in operands.iter().filter(|operand| self.open.contains(operand.probe.index())) {
            let value = operand.value.as_integer().unwrap() as i32;
            if !self.pool.contains(&value) {
                self.pool.push(value);
                if self.pool.len() > 64 {
                    self.pool.remove(0);
                }
            }
        }
    }
}
