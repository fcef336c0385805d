//! Circuits of gates, each of which becomes clauses of a SAT solver (Tseitin 1968), and the words and arithmetic made of
//! them. Words have the lowest bit first.

use std::cell::Cell;
use std::fmt;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface as _, SolverOpts, Var, lbool};
use bytecode::lookup::Lookup;

use crate::solver::{Limits, Why, Work};
use crate::term::{Value, mask};

/// Gates of a circuit; a larger one is given up.
const GATES: usize = 4_000_000;

/// Gates for each conflict that there may be: who has little to spend shall not spend it on what comes before.
const GATES_PER_CONFLICT: usize = 30;

/// Gates of a circuit in which a conflict costs what it is counted as; in one that is so many times as large it is counted as often,
/// since each goes through a share of all gates.
const GATES_OF_A_CONFLICT: usize = 5_000;

/// Decisions that cost what a conflict does.
const DECISIONS_OF_A_CONFLICT: u64 = 32;

/// Nanoseconds that a gate takes to be made, and a decision in a circuit of some thousand gates.
const GATE: u64 = 450;
const DECISION: u64 = 150;

/// How often the deadline is looked at, in decisions.
const DECISIONS_PER_LOOK: u64 = 1024;

/// The output of a gate, or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Bit(u32);

/// Always true.
pub(super) const TRUE: Bit = Bit(0);

/// Always false.
pub(super) const FALSE: Bit = Bit(1);

/// A number: bits from the lowest to the highest.
pub(super) type Word = Vec<Bit>;

impl std::ops::Not for Bit {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl Bit {
    fn literal(self) -> Lit {
        Lit::new(Var::unsafe_from_idx(self.0 >> 1), self.0 & 1 == 0)
    }

    /// The bit that is always of a truth value.
    pub(super) fn constant(truth: bool) -> Self {
        if truth { TRUE } else { FALSE }
    }
}

/// Counts conflicts and decisions by what they cost, and looks at the deadline.
struct Watch {
    /// What was spent, in decisions of a circuit of some thousand gates.
    work: Cell<u64>,
    /// What a decision costs in the circuit as it is.
    cost: u64,
    decisions: Cell<u64>,
    limits: Limits,
}

impl Watch {
    fn spend(&self, decisions: u64) {
        self.work.set(self.work.get() + decisions * self.cost);
    }

    /// What was spent, in conflicts of a circuit of some thousand gates.
    fn spent(&self) -> u64 {
        self.work.get() / DECISIONS_OF_A_CONFLICT
    }
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _clause: &[Lit], kind: ClauseKind) {
        if matches!(kind, ClauseKind::Learnt) {
            self.spend(DECISIONS_OF_A_CONFLICT);
        }
    }

    fn stop(&self) -> bool {
        let decisions = self.decisions.get() + 1;
        self.decisions.set(decisions);
        self.spend(1);
        self.spent() >= self.limits.conflicts
            || decisions.is_multiple_of(DECISIONS_PER_LOOK) && self.limits.is_late()
    }
}

/// What solving a circuit came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The bits have values.
    Satisfied,
    /// There are none.
    Unsatisfiable,
    /// It could not be found out.
    Unknown(Why),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Bit, Bit),
    Xor(Bit, Bit),
    Choice(Bit, Bit, Bit),
}

/// A circuit and the SAT solver that holds its clauses.
pub(super) struct Circuit {
    solver: batsat::Solver<Watch>,
    gates: Lookup<Gate, Bit>,
    count: usize,
}

impl fmt::Debug for Circuit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Circuit({} gates)", self.count)
    }
}

impl Circuit {
    /// Without gates.
    pub(super) fn new(limits: Limits) -> Self {
        let watch = Watch { work: Cell::new(0), cost: 1, decisions: Cell::new(0), limits };
        let mut circuit = Self {
            solver: batsat::Solver::new(SolverOpts::default(), watch),
            gates: Lookup::new(),
            count: 0,
        };
        let truth = circuit.fresh();
        circuit.clause(&[truth]);
        circuit
    }

    /// A bit that may have either value.
    pub(super) fn fresh(&mut self) -> Bit {
        self.count += 1;
        Bit(self.solver.new_var_default().idx() << 1)
    }

    /// A word of bits that may have either value.
    pub(super) fn fresh_word(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.fresh()).collect()
    }

    /// Whether it has become too large.
    pub(super) fn is_full(&self) -> bool {
        let conflicts = usize::try_from(self.solver.cb().limits.conflicts).unwrap_or(usize::MAX);
        self.count > conflicts.saturating_mul(GATES_PER_CONFLICT).min(GATES)
    }

    /// Counts what it was to make it and to look for values.
    pub(super) fn count_work(&self, work: &Work) {
        work.count(self.count as u64, GATE);
        work.count(self.solver.cb().work.get(), DECISION);
    }

    /// What was spent of the conflicts that there may be.
    pub(super) fn spent(&self) -> u64 {
        self.solver.cb().spent()
    }

    /// Demands that one of some bits is true.
    pub(super) fn clause(&mut self, bits: &[Bit]) {
        let mut literals: Vec<Lit> = bits.iter().map(|bit| bit.literal()).collect();
        self.solver.add_clause_reuse(&mut literals);
    }

    /// Looks for values.
    pub(super) fn solve(&mut self) -> Outcome {
        if self.is_full() {
            return Outcome::Unknown(Why::TooLarge);
        }
        if self.solver.cb().limits.is_late() {
            return Outcome::Unknown(Why::Time);
        }
        self.solver.cb_mut().cost = 1 + (self.count / GATES_OF_A_CONFLICT) as u64;
        let result = self.solver.solve_limited(&[]);
        if result == lbool::TRUE {
            Outcome::Satisfied
        } else if result == lbool::FALSE {
            Outcome::Unsatisfiable
        } else if self.spent() >= self.solver.cb().limits.conflicts {
            Outcome::Unknown(Why::Conflicts)
        } else {
            Outcome::Unknown(Why::Time)
        }
    }

    /// The value of a bit in the last model.
    pub(super) fn truth(&self, bit: Bit) -> bool {
        self.solver.value_lit(bit.literal()) == lbool::TRUE
    }

    /// The value of a word of at most 64 bits in the last model.
    pub(super) fn number(&self, word: &[Bit]) -> u64 {
        word.iter().rev().fold(0, |number, &bit| number << 1 | u64::from(self.truth(bit)))
    }

    fn gate(&mut self, gate: Gate) -> Bit {
        if let Some(&known) = self.gates.get(&gate) {
            return known;
        }
        if self.is_full() {
            return FALSE;
        }
        let output = self.fresh();
        match gate {
            Gate::And(a, b) => {
                self.clause(&[!output, a]);
                self.clause(&[!output, b]);
                self.clause(&[output, !a, !b]);
            }
            Gate::Xor(a, b) => {
                self.clause(&[!output, a, b]);
                self.clause(&[!output, !a, !b]);
                self.clause(&[output, !a, b]);
                self.clause(&[output, a, !b]);
            }
            Gate::Choice(condition, then, otherwise) => {
                self.clause(&[!condition, !then, output]);
                self.clause(&[!condition, then, !output]);
                self.clause(&[condition, !otherwise, output]);
                self.clause(&[condition, otherwise, !output]);
                self.clause(&[!then, !otherwise, output]);
                self.clause(&[then, otherwise, !output]);
            }
        }
        self.gates.insert(gate, output);
        output
    }

    pub(super) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        match (a, b) {
            (FALSE, _) | (_, FALSE) => FALSE,
            (TRUE, other) | (other, TRUE) => other,
            _ if a == b => a,
            _ if a == !b => FALSE,
            _ => self.gate(Gate::And(a.min(b), a.max(b))),
        }
    }

    pub(super) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let is_negated = (a.0 ^ b.0) & 1 == 1;
        let (a, b) = (Bit(a.0 & !1), Bit(b.0 & !1));
        let positive = match (a, b) {
            _ if a == b => FALSE,
            (TRUE, other) | (other, TRUE) => !other,
            _ => self.gate(Gate::Xor(a.min(b), a.max(b))),
        };
        if is_negated { !positive } else { positive }
    }

    pub(super) fn choice(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        match (condition, then, otherwise) {
            (TRUE, ..) => then,
            (FALSE, ..) => otherwise,
            _ if then == otherwise => then,
            (_, TRUE, _) => self.or(condition, otherwise),
            (_, FALSE, _) => self.and(!condition, otherwise),
            (_, _, TRUE) => self.or(!condition, then),
            (_, _, FALSE) => self.and(condition, then),
            _ if then == !otherwise => !self.xor(condition, then),
            _ if condition.0 & 1 == 1 => self.gate(Gate::Choice(!condition, otherwise, then)),
            _ => self.gate(Gate::Choice(condition, then, otherwise)),
        }
    }

    pub(super) fn all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(TRUE, |all, bit| self.and(all, bit))
    }

    pub(super) fn any(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(FALSE, |any, bit| self.or(any, bit))
    }

    pub(super) fn choice_word(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Word {
        then.iter()
            .zip(otherwise)
            .map(|(&then, &otherwise)| self.choice(condition, then, otherwise))
            .collect()
    }

    /// The bits of a word where a condition holds, otherwise 0.
    pub(super) fn masked(&mut self, word: &[Bit], condition: Bit) -> Word {
        word.iter().map(|&bit| self.and(bit, condition)).collect()
    }

    pub(super) fn zip(&mut self, a: &[Bit], b: &[Bit], of: fn(&mut Self, Bit, Bit) -> Bit) -> Word {
        a.iter().zip(b).map(|(&a, &b)| of(self, a, b)).collect()
    }

    pub(super) fn equal(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let different = self.zip(a, b, Self::xor);
        !self.any(different)
    }

    pub(super) fn equals_number(&mut self, a: &[Bit], number: u64) -> Bit {
        self.equal(a, &constant(a.len(), number))
    }

    /// Sum and carry.
    pub(super) fn sum(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Word, Bit) {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let either = self.xor(a, b);
            sum.push(self.xor(either, carry));
            let (both, through) = (self.and(a, b), self.and(either, carry));
            carry = self.or(both, through);
        }
        (sum, carry)
    }

    pub(super) fn add(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.sum(a, b, FALSE).0
    }

    pub(super) fn subtract(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.sum(a, &inverted(b), TRUE).0
    }

    pub(super) fn negate(&mut self, a: &[Bit]) -> Word {
        self.subtract(&constant(a.len(), 0), a)
    }

    pub(super) fn unsigned_less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        !self.sum(a, &inverted(b), TRUE).1
    }

    pub(super) fn signed_less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        for word in [&mut a, &mut b] {
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
        }
        self.unsigned_less(&a, &b)
    }

    /// The low bits of a product, as many as `a` has.
    pub(super) fn multiply(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let width = a.len();
        let known = |word: &[Bit]| word.iter().filter(|&&bit| bit == TRUE || bit == FALSE).count();
        let (a, b) = if b.len() == width && known(a) > known(b) { (b, a) } else { (a, b) };
        let mut product = constant(width, 0);
        for (shift, &bit) in b.iter().enumerate().take(width) {
            if bit != FALSE {
                let row = self.masked(&a[..width - shift], bit);
                let high = self.add(&product[shift..], &row);
                product.splice(shift.., high);
            }
        }
        product
    }

    /// Quotient and remainder without sign; by 0 all ones and the dividend.
    pub(super) fn divide(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let width = b.len();
        let divisor = extended(b, width + 1, FALSE);
        let mut rest = constant(width, 0);
        let mut quotient = constant(a.len(), 0);
        for place in (0..a.len()).rev() {
            let mut shifted = vec![a[place]];
            shifted.extend(&rest);
            let (difference, fits) = self.sum(&shifted, &inverted(&divisor), TRUE);
            quotient[place] = fits;
            rest = self.choice_word(fits, &difference, &shifted)[..width].to_vec();
        }
        (quotient, rest)
    }

    pub(super) fn absolute(&mut self, a: &[Bit]) -> Word {
        let negated = self.negate(a);
        self.choice_word(sign(a), &negated, a)
    }

    /// Quotient and remainder as [`crate::term::Operator::Divide`] and its neighbour define them.
    pub(super) fn signed_divide(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let (x, y) = (self.absolute(a), self.absolute(b));
        let (quotient, rest) = self.divide(&x, &y);
        let differ = self.xor(sign(a), sign(b));
        let (less, rest_less) = (self.negate(&quotient), self.negate(&rest));
        (self.choice_word(differ, &less, &quotient), self.choice_word(sign(a), &rest_less, &rest))
    }

    /// Shifted to higher places by a distance; zeros come in.
    pub(super) fn shift_up(&mut self, a: &[Bit], distance: &[Bit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shift_down(&reversed, distance, FALSE);
        shifted.reverse();
        shifted
    }

    /// Shifted to lower places by a distance; `fill` comes in.
    pub(super) fn shift_down(&mut self, a: &[Bit], distance: &[Bit], fill: Bit) -> Word {
        let mut shifted = a.to_vec();
        for (stage, &bit) in distance.iter().enumerate() {
            let by = 1_usize.checked_shl(stage as u32).unwrap_or(usize::MAX);
            let moved: Word = (0..a.len())
                .map(|place| shifted.get(place.saturating_add(by)).copied().unwrap_or(fill))
                .collect();
            shifted = self.choice_word(bit, &moved, &shifted);
        }
        shifted
    }

    /// Shifted to lower places; whatever is lost is kept in the lowest bit.
    pub(super) fn shift_down_sticky(&mut self, a: &[Bit], distance: &[Bit]) -> Word {
        let mut shifted = a.to_vec();
        for (stage, &bit) in distance.iter().enumerate() {
            let by = 1_usize.checked_shl(stage as u32).unwrap_or(usize::MAX).min(a.len());
            let mut moved: Word =
                (0..a.len()).map(|place| shifted.get(place + by).copied().unwrap_or(FALSE)).collect();
            let lost = self.any(shifted[..by].to_vec());
            moved[0] = self.or(moved[0], lost);
            shifted = self.choice_word(bit, &moved, &shifted);
        }
        shifted
    }

    /// Shifted to higher places until the highest bit is set, and by how many; 0 is left alone.
    pub(super) fn normalized(&mut self, a: &[Bit]) -> (Word, Word) {
        let stages = usize::BITS - (a.len() - 1).leading_zeros();
        let mut shifted = a.to_vec();
        let mut count = constant(stages as usize, 0);
        for stage in (0..stages as usize).rev() {
            let by = 1_usize << stage;
            if by >= a.len() {
                continue;
            }
            let is_low = !self.any(shifted[a.len() - by..].to_vec());
            let mut moved = constant(by, 0);
            moved.extend(&shifted[..a.len() - by]);
            shifted = self.choice_word(is_low, &moved, &shifted);
            count[stage] = is_low;
        }
        (shifted, count)
    }
}

/// The word of a number.
pub(super) fn constant(width: usize, number: u64) -> Word {
    (0..width).map(|place| Bit::constant(place < 64 && number >> place & 1 == 1)).collect()
}

/// The word of a value that is no text: 1 bit of truth, or the raw bits of a float.
pub(super) fn of_value(value: &Value) -> Word {
    match value {
        Value::Bool(truth) => vec![Bit::constant(*truth)],
        Value::Bits { width, bits } => constant(usize::from(*width), bits & mask(*width)),
        Value::Float(number) => constant(32, u64::from(number.to_bits())),
        Value::Double(number) => constant(64, number.to_bits()),
        Value::Text(_) => Vec::new(),
    }
}

pub(super) fn inverted(a: &[Bit]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

/// The highest bit.
pub(super) fn sign(a: &[Bit]) -> Bit {
    *a.last().expect("words have bits")
}

/// Longer by some bit, or shorter.
pub(super) fn extended(a: &[Bit], width: usize, by: Bit) -> Word {
    (0..width).map(|place| a.get(place).copied().unwrap_or(by)).collect()
}
