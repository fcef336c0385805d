//! Mutants of a landscape's conditions and sums, as the instrumented class has them: operators, words and distances to
//! infection (`docs/design/mutants.md`).

use std::sync::Arc;

use bytecode::instruction::InstructionIndex;
use bytecode::mutate::operator::MutationOperator;
use bytecode::mutate::sign::Sign;
use bytecode::probe_map::{Mutant, MutantId, OutcomeId, ProbeId};

use super::{Comparison, Operand};

/// What a mutant does in place of the original.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    /// Holds below (1), at (2) and above (4) the second operand.
    Holds(u8),
    /// Another sum of the operands.
    Sum(Sign),
    /// Negates the first operand.
    Negated,
    /// The second operand in place of the first.
    Variable,
    /// Differs wherever it is executed.
    Always,
}

/// A mutant before it is numbered.
#[derive(Debug)]
pub(crate) struct Proposal {
    operator: MutationOperator,
    /// What it replaces.
    from: String,
    /// What it puts there.
    to: String,
    signs: Option<(Sign, Sign)>,
    /// What it does.
    pub(crate) change: Change,
}

impl Proposal {
    fn new(operator: MutationOperator, from: &str, to: &str, change: Change) -> Self {
        Self { operator, from: from.to_owned(), to: to.to_owned(), signs: None, change }
    }

    fn of_sign(operator: MutationOperator, from: Sign, to: Sign, change: Change) -> Self {
        Self { signs: Some((from, to)), ..Self::new(operator, from.text(), to.text(), change) }
    }
}

/// Comparisons with where they hold.
const SIGNS: [(Sign, u8); 8] = [
    (Sign::Equal, 2),
    (Sign::NotEqual, 5),
    (Sign::Less, 1),
    (Sign::GreaterOrEqual, 6),
    (Sign::Greater, 4),
    (Sign::LessOrEqual, 3),
    (Sign::True, 7),
    (Sign::False, 0),
];

fn holds(comparison: Comparison) -> (Sign, u8) {
    match comparison {
        Comparison::Equal => SIGNS[0],
        Comparison::Less => SIGNS[2],
    }
}

/// Mutants of `left ? right`.
pub(crate) fn of_condition(left: Operand, comparison: Comparison, right: Operand) -> Vec<Proposal> {
    let (own, own_holds) = holds(comparison);
    let mut proposals = Vec::new();
    for (sign, other) in SIGNS.into_iter().filter(|(sign, _)| *sign != own) {
        let change = if own_holds ^ other == 7 { Change::Always } else { Change::Holds(other) };
        proposals.push(Proposal::of_sign(MutationOperator::Comparison, own, sign, change));
    }
    proposals.extend([left, right].into_iter().flat_map(of_operand));
    proposals
}

/// Mutants of `left + right`.
pub(crate) fn of_sum(left: Operand, right: Operand) -> Vec<Proposal> {
    let replacement =
        |sign| Proposal::of_sign(MutationOperator::Arithmetic, Sign::Add, sign, Change::Sum(sign));
    let operands = [left, right].into_iter().flat_map(of_operand);
    let others = [Sign::Subtract, Sign::Multiply, Sign::Divide, Sign::Remainder];
    others.into_iter().map(replacement).chain(operands).collect()
}

/// Mutants of a use of `left` where the variable `right` is at hand.
pub(crate) fn of_use(left: Operand) -> Vec<Proposal> {
    let mut proposals = of_operand(left);
    proposals.push(Proposal::new(MutationOperator::Variable, "x", "y", Change::Variable));
    proposals
}

fn of_operand(operand: Operand) -> Vec<Proposal> {
    match operand {
        Operand::Constant(own) => {
            let mut values = Vec::new();
            for value in [0, 1, -1, own - 1, own + 1] {
                if value != own && !values.contains(&value) {
                    values.push(value);
                }
            }
            let proposal = |value: i64| {
                Proposal::new(
                    MutationOperator::Constant,
                    &own.to_string(),
                    &value.to_string(),
                    Change::Always,
                )
            };
            values.into_iter().map(proposal).collect()
        }
        Operand::Argument(_) | Operand::State(_) => {
            [("-x", Change::Negated), ("x - 1", Change::Always), ("x + 1", Change::Always)]
                .map(|(to, change)| Proposal::new(MutationOperator::Unary, "x", to, change))
                .into()
        }
    }
}

/// The mutant of a proposal.
pub(crate) fn mutant(
    proposal: &Proposal,
    id: usize,
    (probe, infection): (ProbeId, OutcomeId),
    controlled_by: &[OutcomeId],
) -> Mutant {
    let Proposal { operator, from, to, signs, change } = proposal;
    let words: Arc<str> = format!("replaced {from} by {to}").into();
    Mutant {
        id: MutantId(id as u32),
        instruction: InstructionIndex(0),
        line: None,
        operator: *operator,
        from: from.as_str().into(),
        to: to.as_str().into(),
        signs: *signs,
        words,
        always_infected: matches!(change, Change::Always),
        probe,
        infection,
        propagation: infection,
        controlled_by: controlled_by.to_vec(),
    }
}

/// The distance to infection of a mutant of a condition or sum over these operands.
pub(crate) fn infection(change: Change, comparison: Option<Comparison>, left: i64, right: i64) -> f64 {
    match change {
        Change::Always => 0.0,
        Change::Negated => f64::from(u8::from(left == 0)),
        Change::Variable => f64::from(u8::from(left == right)),
        Change::Sum(sign) => {
            let other = match sign {
                Sign::Subtract => Some(left - right),
                Sign::Multiply => Some(left * right),
                Sign::Divide => left.checked_div(right),
                Sign::Remainder => left.checked_rem(right),
                other => panic!("{other} replaces no sum"),
            };
            f64::from(u8::from(other == Some(left + right)))
        }
        Change::Holds(other) => {
            let differs = other ^ comparison.map_or(0, |comparison| holds(comparison).1);
            let difference = (left - right) as f64;
            let places = [(1, difference + 1.0), (2, difference.abs()), (4, 1.0 - difference)];
            let distances = places.into_iter().filter(|(place, _)| differs & place != 0);
            distances.map(|(_, distance)| distance.max(0.0)).fold(f64::INFINITY, f64::min)
        }
    }
}
