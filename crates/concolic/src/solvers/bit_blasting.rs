//! Bit-blasting: conditions as a circuit, the circuit as clauses, the clauses to a SAT solver (batsat).
//!
//! Texts are of bounded length; the bound grows from what the seed and the conditions mention. An operator that has no
//! circuit is left open: its result may be anything, which keeps "unsatisfiable" true, and where the values that it got do not
//! fit its operands, what it computes of these is added and the circuit is solved again.
//!
//! Where texts are not bounded, it is asked first whether numbers alone contradict each other, whatever is measured of texts: an index
//! below a length is not behind it, for texts of any length.

use std::sync::Arc;

use crate::solver::{Answer, Limits, Problem, Solver, SolverEntry, Why};
use crate::solvers::circuit::{Bit, Circuit, FALSE, Outcome, TRUE, Word, constant, extended, of_value, sign};
use crate::solvers::circuit_floats::Format;
use crate::solvers::circuit_texts::{Space, TextWord};
use crate::solvers::lengths::longest_text;
use crate::term::{Model, Operator, Plan, Register, Sort, Value};

/// The row of the table.
pub(crate) const ENTRY: SolverEntry = SolverEntry {
    name: "bit-blasting",
    about: "circuits of bits, floats and texts of bounded length, solved by a SAT solver",
    make: || Box::new(BitBlasting),
};

/// Longest text.
const LONGEST: usize = 160;

/// How often the bound of texts grows.
const ROUNDS: usize = 4;

/// After how many bounds under which there is no model no larger one is tried.
const VAIN_ROUNDS: usize = 2;

/// How often what open operators compute is added.
const REFINEMENTS: usize = 24;

/// One of so many conflicts may be spent where texts are left out.
const SHARE_WITHOUT_TEXTS: u64 = 4;

/// Largest problem, in terms.
const TERMS: usize = 200_000;

/// Bit-blasting. It keeps nothing from one problem to the next: equal problems have equal answers.
#[derive(Debug)]
pub(crate) struct BitBlasting;

impl Solver for BitBlasting {
    fn solve(&mut self, problem: &Problem<'_>) -> Answer {
        let plan = Plan::new(problem.terms, problem.conditions);
        if plan.len() > TERMS {
            return Answer::Unknown(Why::TooLarge);
        }
        let has_texts = plan.inputs().iter().any(|&(_, sort, _)| sort == Sort::Text);
        // Texts that cannot be longer need no larger bound, and "unsatisfiable" is true of them.
        let longest = longest_text(&plan).filter(|&longest| longest <= LONGEST);
        let is_bounded = !has_texts || longest.is_some();
        let mut bound = longest.map_or_else(|| first_bound(problem, &plan), |longest| longest.max(1));
        let mut vain = 0;
        let mut last = Answer::Unknown(Why::Bounded);
        let mut limits = problem.limits;
        if !is_bounded {
            let conflicts = limits.conflicts / SHARE_WITHOUT_TEXTS;
            let share = Problem { limits: Limits { conflicts, ..limits }, ..*problem };
            let mut encoding = Encoding::new(&share, &plan, Texts::Open);
            let outcome = encoding.circuit.solve();
            encoding.circuit.count_work(problem.work);
            if matches!(outcome, Outcome::Unsatisfiable) {
                return Answer::Unsatisfiable;
            }
            limits.conflicts = limits.conflicts.saturating_sub(encoding.circuit.spent());
        }
        for _ in 0..ROUNDS {
            let mut encoding = Encoding::new(&Problem { limits, ..*problem }, &plan, Texts::Bounded(bound));
            last = encoding.solve(problem);
            encoding.circuit.count_work(problem.work);
            if !is_bounded && last == Answer::Unsatisfiable {
                last = Answer::Unknown(Why::Bounded);
                vain += 1;
            }
            limits.conflicts = limits.conflicts.saturating_sub(encoding.circuit.spent());
            // Longer texts are other texts, whatever it was that shorter ones did not do.
            let is_worth_more = matches!(last, Answer::Unknown(Why::Bounded | Why::NotModelled(_)));
            if is_bounded || !is_worth_more || bound >= LONGEST || vain >= VAIN_ROUNDS {
                break;
            }
            bound = (bound * 2 + 1).min(LONGEST);
        }
        last
    }
}

/// A little more than the longest text of seed and conditions.
fn first_bound(problem: &Problem<'_>, plan: &Plan<'_>) -> usize {
    // tidy: the question is how long texts are that stand there
    let of_registers = plan.registers().map(|register| match plan.operator(register) {
        Operator::Text(text) => problem.terms.units(text).len(),
        Operator::Input(input, _) => match problem.seed.get(input) {
            Some(Value::Text(units)) => units.len(),
            Some(Value::Bool(_) | Value::Bits { .. } | Value::Float(_) | Value::Double(_)) | None => 0,
        },
        _ => 0,
    });
    (of_registers.max().unwrap_or(0) + 1).clamp(4, LONGEST)
}

/// The bits of a term.
#[derive(Debug, Clone)]
enum Encoded {
    /// A truth value (1 bit), bits, or the raw bits of a float.
    Word(Word),
    Text(TextWord),
}

/// What becomes of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Texts {
    /// They have so many code units at most.
    Bounded(usize),
    /// Their characters are left out: what operators make of these may be anything.
    Open,
}

struct Encoding<'p> {
    plan: &'p Plan<'p>,
    circuit: Circuit,
    encoded: Vec<Encoded>,
    texts: Texts,
    /// Operators without circuit.
    open: Vec<(Register, &'static str)>,
    /// Why "unsatisfiable" need not be true.
    inexact: Option<&'static str>,
}

impl<'p> Encoding<'p> {
    fn new(problem: &Problem<'_>, plan: &'p Plan<'p>, texts: Texts) -> Self {
        let mut encoding = Self {
            plan,
            circuit: Circuit::new(problem.limits),
            encoded: Vec::with_capacity(plan.len()),
            texts,
            open: Vec::new(),
            inexact: None,
        };
        for register in plan.registers() {
            let encoded = if encoding.circuit.is_full() || problem.limits.is_late() {
                encoding.fresh(plan.terms().sort(plan.term(register)))
            } else {
                encoding.register(register)
            };
            encoding.encoded.push(encoded);
        }
        for root in plan.roots() {
            let bit = encoding.word(*root)[0];
            encoding.circuit.clause(&[bit]);
        }
        encoding
    }

    fn word(&self, register: Register) -> Word {
        match &self.encoded[register.index()] {
            Encoded::Word(word) => word.clone(),
            Encoded::Text(text) => text.length.clone(),
        }
    }

    fn text(&self, register: Register) -> TextWord {
        match &self.encoded[register.index()] {
            Encoded::Word(_) => TextWord::constant(&[]),
            Encoded::Text(text) => text.clone(),
        }
    }

    fn sort(&self, register: Register) -> Sort {
        self.plan.terms().sort(self.plan.term(register))
    }

    fn fresh(&mut self, sort: Sort) -> Encoded {
        match sort {
            Sort::Bool => Encoded::Word(self.circuit.fresh_word(1)),
            Sort::Bits(width) => Encoded::Word(self.circuit.fresh_word(usize::from(width))),
            Sort::Float | Sort::Double => {
                let word = self.circuit.fresh_word(if sort == Sort::Float { 32 } else { 64 });
                self.circuit.demand_one_nan(Format::of(sort), &word);
                Encoded::Word(word)
            }
            Sort::Text => match self.texts {
                Texts::Bounded(bound) => Encoded::Text(self.circuit.fresh_text(bound)),
                Texts::Open => {
                    let length = self.circuit.fresh_word(32);
                    self.circuit.clause(&[!sign(&length)]);
                    Encoded::Text(TextWord { length, units: Vec::new() })
                }
            },
        }
    }

    /// Leaves the result of an operator open.
    fn left_open(&mut self, register: Register, what: &'static str) -> Encoded {
        self.open.push((register, what));
        if self.sort(register) == Sort::Text {
            self.inexact = Some(what);
        }
        self.fresh(self.sort(register))
    }

    /// Any value that an operator may have, whatever the characters of the texts are that it is given or gives: of texts, only
    /// lengths are known.
    fn of_any_texts(&mut self, register: Register) -> Encoded {
        let encoded = self.fresh(self.sort(register));
        let operands = self.plan.operands(register).to_vec();
        let [text, part] = [0, 1].map(|place| operands.get(place).map(|&operand| self.text(operand).length));
        let (Some(text), part) = (text, part.unwrap_or_default()) else { return encoded };
        let circuit = &mut self.circuit;
        // tidy: nothing is known of all others
        match (self.plan.operator(register), &encoded) {
            (Operator::Length, _) => return Encoded::Word(text),
            (Operator::Equal, Encoded::Word(holds)) => {
                let same = circuit.equal(&text, &part);
                circuit.clause(&[!holds[0], same]);
            }
            (Operator::StartsWith | Operator::EndsWith | Operator::Contains, Encoded::Word(holds)) => {
                let is_longer = circuit.signed_less(&text, &part);
                circuit.clause(&[!holds[0], !is_longer]);
            }
            (
                Operator::IndexOf
                | Operator::LastIndexOf
                | Operator::IndexOfCharacter
                | Operator::LastIndexOfCharacter,
                Encoded::Word(place),
            ) => {
                let is_behind = circuit.signed_less(&text, place);
                let is_before = circuit.signed_less(place, &constant(place.len(), u64::MAX));
                circuit.clause(&[!is_behind]);
                circuit.clause(&[!is_before]);
            }
            (Operator::Substring | Operator::Trim | Operator::Strip, Encoded::Text(made)) => {
                let is_longer = circuit.signed_less(&text, &made.length);
                circuit.clause(&[!is_longer]);
            }
            _ => {}
        }
        encoded
    }

    fn register(&mut self, register: Register) -> Encoded {
        let operator = self.plan.operator(register);
        if let Some(value) = self.plan.terms().constant_of(operator) {
            return match &value {
                Value::Text(units) => Encoded::Text(TextWord::constant(units)),
                Value::Bool(_) | Value::Bits { .. } | Value::Float(_) | Value::Double(_) => {
                    Encoded::Word(of_value(&value))
                }
            };
        }
        let operands = self.plan.operands(register).to_vec();
        let mut all = operands.iter().chain([&register]);
        if self.texts == Texts::Open && all.any(|&it| self.sort(it) == Sort::Text) {
            return self.of_any_texts(register);
        }
        match (operator, operands.as_slice()) {
            (Operator::Input(_, sort), _) => self.fresh(sort),
            (Operator::IfThenElse, &[condition, then, otherwise]) if self.sort(then) == Sort::Text => {
                let condition = self.word(condition)[0];
                let (then, otherwise) = (self.text(then), self.text(otherwise));
                Encoded::Text(self.circuit.text_choice(condition, &then, &otherwise))
            }
            _ if operands.iter().any(|&operand| self.sort(operand) == Sort::Text) => {
                self.of_texts(register, operator, &operands)
            }
            _ => {
                let words: Vec<Word> = operands.iter().map(|&operand| self.word(operand)).collect();
                let sort = operands.first().map_or(Sort::Bool, |&operand| self.sort(operand));
                match sort {
                    Sort::Float | Sort::Double if operator != Operator::Equal => {
                        self.of_floats(register, operator, Format::of(sort), &words)
                    }
                    Sort::Bool | Sort::Bits(_) | Sort::Float | Sort::Double | Sort::Text => {
                        self.of_words(register, operator, &words)
                    }
                }
            }
        }
    }

    fn of_words(&mut self, register: Register, operator: Operator, words: &[Word]) -> Encoded {
        let circuit = &mut self.circuit;
        let truth = |bit: Bit| Encoded::Word(vec![bit]);
        match (operator, words) {
            (Operator::Not, [a]) => truth(!a[0]),
            (Operator::And, [a, b]) => truth(circuit.and(a[0], b[0])),
            (Operator::Or, [a, b]) => truth(circuit.or(a[0], b[0])),
            (Operator::IfThenElse, [condition, then, otherwise]) => {
                Encoded::Word(circuit.choice_word(condition[0], then, otherwise))
            }
            (Operator::Equal, [a, b]) => truth(circuit.equal(a, b)),
            (Operator::Add, [a, b]) => Encoded::Word(circuit.add(a, b)),
            (Operator::Subtract, [a, b]) => Encoded::Word(circuit.subtract(a, b)),
            (Operator::Multiply, [a, b]) => Encoded::Word(circuit.multiply(a, b)),
            (Operator::Divide, [a, b]) => Encoded::Word(circuit.signed_divide(a, b).0),
            (Operator::Remainder, [a, b]) => Encoded::Word(circuit.signed_divide(a, b).1),
            (Operator::Negate, [a]) => Encoded::Word(circuit.negate(a)),
            (Operator::BitAnd, [a, b]) => Encoded::Word(circuit.zip(a, b, Circuit::and)),
            (Operator::BitOr, [a, b]) => Encoded::Word(circuit.zip(a, b, Circuit::or)),
            (Operator::BitXor, [a, b]) => Encoded::Word(circuit.zip(a, b, Circuit::xor)),
            (Operator::ShiftLeft, [a, b]) => Encoded::Word(circuit.shift_up(a, distance(a, b))),
            (Operator::ShiftRight, [a, b]) => Encoded::Word(circuit.shift_down(a, distance(a, b), sign(a))),
            (Operator::UnsignedShiftRight, [a, b]) => {
                Encoded::Word(circuit.shift_down(a, distance(a, b), FALSE))
            }
            (Operator::SignedLess, [a, b]) => truth(circuit.signed_less(a, b)),
            (Operator::SignedLessEqual, [a, b]) => truth(!circuit.signed_less(b, a)),
            (Operator::UnsignedLess, [a, b]) => truth(circuit.unsigned_less(a, b)),
            (Operator::UnsignedLessEqual, [a, b]) => truth(!circuit.unsigned_less(b, a)),
            (Operator::SignExtend(to), [a]) => Encoded::Word(extended(a, usize::from(to), sign(a))),
            (Operator::ZeroExtend(to) | Operator::Truncate(to), [a]) => {
                Encoded::Word(extended(a, usize::from(to), FALSE))
            }
            (Operator::SignedToFloat, [a]) => {
                Encoded::Word(circuit.float_of_signed(Format::of(Sort::Float), a))
            }
            (Operator::SignedToDouble, [a]) => {
                Encoded::Word(circuit.float_of_signed(Format::of(Sort::Double), a))
            }
            (Operator::FromRawBits, [a]) => {
                let format = Format::of(if a.len() == 32 { Sort::Float } else { Sort::Double });
                Encoded::Word(circuit.with_one_nan(format, a))
            }
            (Operator::CharacterToText, [a]) => {
                Encoded::Text(TextWord { length: constant(32, 1), units: vec![a.clone()] })
            }
            (Operator::BoolToText, [a]) => Encoded::Text(circuit.text_of_truth(a[0])),
            (Operator::SignedToText, [a]) => Encoded::Text(circuit.decimal(a)),
            _ => self.left_open(register, "an operator on numbers"),
        }
    }

    fn of_floats(
        &mut self,
        register: Register,
        operator: Operator,
        format: Format,
        words: &[Word],
    ) -> Encoded {
        let circuit = &mut self.circuit;
        let truth = |bit: Bit| Encoded::Word(vec![bit]);
        match (operator, words) {
            (Operator::FloatNegate, [a]) => Encoded::Word(circuit.float_negate(format, a)),
            (Operator::FloatLess, [a, b]) => truth(circuit.float_less(format, a, b, false)),
            (Operator::FloatLessEqual, [a, b]) => truth(circuit.float_less(format, a, b, true)),
            (Operator::FloatEqual, [a, b]) => truth(circuit.float_equal(format, a, b)),
            (Operator::IsNan, [a]) => truth(circuit.is_nan(format, a)),
            (Operator::ToRawBits, [a]) => Encoded::Word(a.clone()),
            (Operator::FloatToSigned(width), [a]) => {
                Encoded::Word(circuit.float_to_signed(format, a, usize::from(width)))
            }
            (Operator::FloatToDouble, [a]) => {
                Encoded::Word(circuit.float_to_float(format, Format::of(Sort::Double), a))
            }
            (Operator::DoubleToFloat, [a]) => {
                Encoded::Word(circuit.float_to_float(format, Format::of(Sort::Float), a))
            }
            (Operator::FloatAdd, [a, b]) => Encoded::Word(circuit.float_add(format, a, b)),
            (Operator::FloatSubtract, [a, b]) => {
                let negated = circuit.float_negate(format, b);
                Encoded::Word(circuit.float_add(format, a, &negated))
            }
            (Operator::FloatMultiply, [a, b]) => Encoded::Word(circuit.float_multiply(format, a, b)),
            (Operator::FloatDivide, [a, b]) => Encoded::Word(circuit.float_divide(format, a, b)),
            _ => self.left_open(register, "the remainder of floats"),
        }
    }

    fn of_texts(&mut self, register: Register, operator: Operator, operands: &[Register]) -> Encoded {
        let text = self.text(operands[0]);
        let other = operands.get(1).map(|&operand| self.text(operand));
        let word = |place: usize| operands.get(place).map(|&operand| self.word(operand)).unwrap_or_default();
        let (first, second) = (word(1), word(2));
        let circuit = &mut self.circuit;
        let truth = |bit: Bit| Encoded::Word(vec![bit]);
        let part = other.unwrap_or_else(|| TextWord::constant(&[]));
        // tidy: all others take no text, and terms are typed when they are made
        match operator {
            Operator::Length => Encoded::Word(text.length),
            Operator::Equal => truth(circuit.text_equal(&text, &part)),
            Operator::CharAt => Encoded::Word(circuit.char_at(&text, &first)),
            Operator::Concat if text.units.len() + part.units.len() > 2 * LONGEST => {
                self.left_open(register, "a text as long as that")
            }
            Operator::Concat => Encoded::Text(circuit.text_concat(&text, &part)),
            Operator::Substring => Encoded::Text(circuit.substring(&text, &first, &second)),
            Operator::StartsWith => truth(circuit.starts_with(&text, &part, &second)),
            Operator::EndsWith => truth(circuit.ends_with(&text, &part)),
            Operator::Contains => truth(circuit.contains(&text, &part)),
            Operator::IndexOf => Encoded::Word(circuit.index_of(&text, &part, &second)),
            Operator::LastIndexOf => Encoded::Word(circuit.last_index_of(&text, &part, &second)),
            Operator::IndexOfCharacter | Operator::LastIndexOfCharacter => {
                if first[16..].iter().any(|&bit| bit != FALSE) {
                    return self.left_open(register, "an index of a character beyond 16 bits");
                }
                let part = TextWord { length: constant(32, 1), units: vec![first[..16].to_vec()] };
                Encoded::Word(if operator == Operator::IndexOfCharacter {
                    circuit.index_of(&text, &part, &second)
                } else {
                    circuit.last_index_of(&text, &part, &second)
                })
            }
            Operator::HashCode => Encoded::Word(circuit.hash_code(&text)),
            Operator::CompareTo => Encoded::Word(circuit.text_compare(&text, &part)),
            Operator::Trim => Encoded::Text(circuit.trimmed(&text, Space::Trim)),
            Operator::Strip => Encoded::Text(circuit.trimmed(&text, Space::Strip)),
            Operator::IsBlank => truth(circuit.is_blank(&text)),
            Operator::ReplaceCharacter => Encoded::Text(circuit.replaced(&text, &first, &second)),
            Operator::EqualsIgnoreCase => {
                let (one, another) = (circuit.text_case(&text, true), circuit.text_case(&part, true));
                let equal = circuit.text_equal(&one, &another);
                self.limit_to_ascii(&[&text, &part], "cases beyond Latin-1");
                truth(equal)
            }
            Operator::ToLowerCase | Operator::ToUpperCase => {
                self.limit_to_ascii(&[&text], "cases beyond Latin-1");
                Encoded::Text(self.circuit.text_case(&text, operator == Operator::ToLowerCase))
            }
            Operator::Matches(pattern) => {
                self.limit_to_ascii(&[&text], "characters beyond 16 bits");
                truth(self.circuit.matched(&text, self.plan.terms().pattern(pattern)))
            }
            Operator::IsInteger(width) => {
                self.limit_to_ascii(&[&text], "digits beyond ASCII");
                truth(self.circuit.parsed(&text, usize::from(width)).0)
            }
            Operator::ParseInteger(width) => {
                self.limit_to_ascii(&[&text], "digits beyond ASCII");
                Encoded::Word(self.circuit.parsed(&text, usize::from(width)).1)
            }
            Operator::IsDouble | Operator::ParseDouble => self.left_open(register, "texts of floats"),
            _ => self.left_open(register, "an operator on texts"),
        }
    }

    /// Notes what is exact of ASCII texts alone.
    fn limit_to_ascii(&mut self, texts: &[&TextWord], what: &'static str) {
        if texts.iter().any(|text| !text.is_ascii()) {
            self.inexact = Some(what);
        }
    }

    fn solve(&mut self, problem: &Problem<'_>) -> Answer {
        for _ in 0..REFINEMENTS {
            match self.circuit.solve() {
                Outcome::Unknown(why) => return Answer::Unknown(why),
                Outcome::Unsatisfiable => {
                    return self
                        .inexact
                        .map_or(Answer::Unsatisfiable, |what| Answer::Unknown(Why::NotModelled(what)));
                }
                Outcome::Satisfied => {
                    let model = self.model();
                    if problem.holds(&problem.seed.with(&model)) {
                        return Answer::Model(model);
                    }
                    if !self.refine(&model) {
                        return Answer::Unknown(self.inexact.map_or(Why::WrongModel, Why::NotModelled));
                    }
                }
            }
        }
        let what = self.open.first().map_or("an operator", |&(_, what)| what);
        Answer::Unknown(Why::NotModelled(what))
    }

    fn model(&self) -> Model {
        let inputs = self.plan.inputs().iter();
        inputs.map(|&(input, sort, register)| (input, self.value(sort, register))).collect()
    }

    fn value(&self, sort: Sort, register: Register) -> Value {
        let number = |word: &[Bit]| self.circuit.number(word);
        match (sort, &self.encoded[register.index()]) {
            (Sort::Bool, Encoded::Word(word)) => Value::Bool(self.circuit.truth(word[0])),
            (Sort::Bits(width), Encoded::Word(word)) => Value::bits(width, number(word)),
            (Sort::Float, Encoded::Word(word)) => Value::Float(f32::from_bits(number(word) as u32)),
            (Sort::Double, Encoded::Word(word)) => Value::Double(f64::from_bits(number(word))),
            (_, Encoded::Text(text)) => {
                let length = (number(&text.length) as usize).min(text.units.len());
                let units: Arc<[u16]> = text.units[..length].iter().map(|unit| number(unit) as u16).collect();
                Value::Text(units)
            }
            (Sort::Text, Encoded::Word(_)) => Value::zero(sort),
        }
    }

    /// Adds what open operators compute of the values that their operands had. False if none of them was the reason.
    fn refine(&mut self, model: &Model) -> bool {
        let values = self.plan.run(model);
        let mut demands = Vec::new();
        for &(register, _) in &self.open {
            let said = self.value(self.sort(register), register);
            if said != values[register.index()] && self.sort(register) != Sort::Text {
                demands.push(register);
            }
        }
        for &register in &demands {
            let mut same = TRUE;
            for &operand in self.plan.operands(register) {
                let here = match &values[operand.index()] {
                    Value::Text(units) => {
                        let (known, text) = (TextWord::constant(units), self.text(operand));
                        self.circuit.text_equal(&known, &text)
                    }
                    value @ (Value::Bool(_) | Value::Bits { .. } | Value::Float(_) | Value::Double(_)) => {
                        let word = self.word(operand);
                        self.circuit.equal(&of_value(value), &word)
                    }
                };
                same = self.circuit.and(same, here);
            }
            let result = self.word(register);
            let computed = self.circuit.equal(&of_value(&values[register.index()]), &result);
            self.circuit.clause(&[!same, computed]);
        }
        !demands.is_empty()
    }
}

/// The bits of a distance that shifts look at.
fn distance<'w>(a: &Word, distance: &'w Word) -> &'w [Bit] {
    let bits = (usize::BITS - (a.len() - 1).leading_zeros()) as usize;
    &distance[..bits.min(distance.len())]
}
