//! Evaluation of terms without recursion: all that some terms depend on, in an order in which operands come first.

use std::collections::BTreeMap;

use crate::term::{InputId, Model, Operator, Sort, TermId, Terms, Value};

/// A place in a [`Plan`] and in the values that it computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Register(u32);

impl Register {
    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The terms that some terms, the roots, depend on. Operands have lower registers than what they belong to.
#[derive(Debug)]
pub struct Plan<'t> {
    terms: &'t Terms,
    steps: Vec<Step>,
    roots: Vec<Register>,
    inputs: Vec<(InputId, Sort, Register)>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    term: TermId,
    operands: [Register; 3],
    count: u8,
}

impl<'t> Plan<'t> {
    /// A plan for some terms.
    pub fn new(terms: &'t Terms, roots: &[TermId]) -> Self {
        let reached = reached(terms, roots);
        let register =
            |term: &TermId| Register(reached.binary_search(term).expect("operands are reached") as u32);
        let mut steps = Vec::with_capacity(reached.len());
        let mut inputs = Vec::new();
        for &term in &reached {
            let operands = terms.operands(term);
            let mut step = Step { term, operands: [Register(0); 3], count: operands.len() as u8 };
            for (place, operand) in step.operands.iter_mut().zip(operands) {
                *place = register(operand);
            }
            if let Operator::Input(input, sort) = terms.operator(term) {
                inputs.push((input, sort, Register(steps.len() as u32)));
            }
            steps.push(step);
        }
        Self { terms, roots: roots.iter().map(register).collect(), steps, inputs }
    }

    /// The pool.
    pub fn terms(&self) -> &'t Terms {
        self.terms
    }

    /// The registers of the roots, in their order.
    pub fn roots(&self) -> &[Register] {
        &self.roots
    }

    /// The inputs that the roots depend on.
    pub fn inputs(&self) -> &[(InputId, Sort, Register)] {
        &self.inputs
    }

    /// Number of registers.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are no roots.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// All registers, operands first.
    pub fn registers(&self) -> impl Iterator<Item = Register> + use<> {
        (0..self.steps.len() as u32).map(Register)
    }

    /// The term of a register.
    pub fn term(&self, register: Register) -> TermId {
        self.steps[register.index()].term
    }

    /// The operator of a register.
    pub fn operator(&self, register: Register) -> Operator {
        self.terms.operator(self.term(register))
    }

    /// The operands of a register.
    pub fn operands(&self, register: Register) -> &[Register] {
        let step = &self.steps[register.index()];
        &step.operands[..usize::from(step.count)]
    }

    /// The values of all registers.
    pub fn run(&self, model: &Model) -> Vec<Value> {
        let mut values = Vec::with_capacity(self.steps.len());
        for register in self.registers() {
            // tidy: the question is whether it is an input
            let value = match self.operator(register) {
                Operator::Input(input, sort) => {
                    model.get(input).cloned().unwrap_or_else(|| Value::zero(sort))
                }
                operator => self.step(operator, register, &values),
            };
            values.push(value);
        }
        values
    }

    /// Computes again what depends on an input, whose register has its new value.
    pub(crate) fn update(&self, values: &mut [Value], dependents: &[Register]) {
        for &register in dependents {
            values[register.index()] = self.step(self.operator(register), register, values);
        }
    }

    fn step(&self, operator: Operator, register: Register, values: &[Value]) -> Value {
        if let Some(constant) = self.terms.constant_of(operator) {
            return constant;
        }
        match *self.operands(register) {
            [a] => self.terms.compute(operator, &[&values[a.index()]]),
            [a, b] => self.terms.compute(operator, &[&values[a.index()], &values[b.index()]]),
            [a, b, c] => {
                self.terms.compute(operator, &[&values[a.index()], &values[b.index()], &values[c.index()]])
            }
            _ => unreachable!("constants and inputs have values of their own"),
        }
    }

    /// For each input, in their order, the registers that depend on it, in order.
    pub(crate) fn dependents(&self) -> Vec<Vec<Register>> {
        let places: BTreeMap<Register, usize> =
            self.inputs.iter().enumerate().map(|(place, &(_, _, register))| (register, place)).collect();
        let words = self.inputs.len().div_ceil(64);
        let mut sets: Vec<u64> = vec![0; words * self.steps.len()];
        let mut dependents = vec![Vec::new(); self.inputs.len()];
        for register in self.registers() {
            let own = register.index() * words;
            if let Some(place) = places.get(&register) {
                sets[own + place / 64] |= 1 << (place % 64);
                continue;
            }
            for &operand in self.operands(register) {
                for word in 0..words {
                    sets[own + word] |= sets[operand.index() * words + word];
                }
            }
            for (place, list) in dependents.iter_mut().enumerate() {
                if sets[own + place / 64] >> (place % 64) & 1 == 1 {
                    list.push(register);
                }
            }
        }
        dependents
    }
}

/// All terms that some terms depend on, ascending.
fn reached(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let highest = roots.iter().map(|root| root.index() + 1).max().unwrap_or(0);
    let mut is_reached = vec![false; highest];
    let mut open = Vec::new();
    let mut reached = Vec::new();
    let mut visit = |term: TermId, open: &mut Vec<TermId>| {
        if !std::mem::replace(&mut is_reached[term.index()], true) {
            open.push(term);
            reached.push(term);
        }
    };
    for &root in roots {
        visit(root, &mut open);
    }
    while let Some(term) = open.pop() {
        for &operand in terms.operands(term) {
            visit(operand, &mut open);
        }
    }
    reached.sort_unstable();
    reached
}
