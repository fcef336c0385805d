//! The pool of terms. Each term exists once, so that equal terms have equal numbers, and operands have lower numbers than
//! the terms that they belong to.

use std::sync::Arc;

use bytecode::lookup::Lookup;

use crate::term::arithmetic::{apply, double_bits, float_bits, mask, result_sort};
use crate::term::pattern::{Expression, Pattern, PatternError};
use crate::term::{Model, Operator, PatternId, Plan, Sort, TextId, Value};

/// A term of a pool, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

/// An input of a run, by number: what a solver may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputId(pub u32);

impl TermId {
    /// What stands for no operand.
    const NONE: Self = Self(u32::MAX);

    /// The position in the pool.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// As many operands as an operator takes at most.
pub(crate) const MOST_OPERANDS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    operator: Operator,
    operands: [TermId; MOST_OPERANDS],
}

#[derive(Debug, Clone, Copy)]
struct Facts {
    sort: Sort,
    count: u8,
    size: u32,
}

/// The patterns that a text must match, and with true those that it must not; or why there are none.
type PatternsOf = Result<Arc<[(PatternId, bool)]>, PatternError>;

/// The pool. Terms are never removed.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    numbers: Lookup<Node, TermId>,
    texts: Vec<Arc<[u16]>>,
    text_numbers: Lookup<Arc<[u16]>, TextId>,
    patterns: Vec<Arc<Pattern>>,
    pattern_numbers: Lookup<Expression, PatternsOf>,
}

impl Terms {
    /// Without terms.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operator of a term.
    pub fn operator(&self, term: TermId) -> Operator {
        self.nodes[term.index()].operator
    }

    /// The operands of a term.
    pub fn operands(&self, term: TermId) -> &[TermId] {
        &self.nodes[term.index()].operands[..usize::from(self.facts[term.index()].count)]
    }

    /// The sort of a term.
    pub fn sort(&self, term: TermId) -> Sort {
        self.facts[term.index()].sort
    }

    /// Number of operators of a term, written out as a tree, up to `u32::MAX`.
    pub fn size(&self, term: TermId) -> u32 {
        self.facts[term.index()].size
    }

    /// The code units of a constant text.
    pub fn units(&self, text: TextId) -> &Arc<[u16]> {
        &self.texts[text.0 as usize]
    }

    /// The automaton of [`Operator::Matches`].
    pub fn pattern(&self, pattern: PatternId) -> &Pattern {
        &self.patterns[pattern.0 as usize]
    }

    /// The value of a term that is a constant.
    pub fn constant_value(&self, term: TermId) -> Option<Value> {
        self.constant_of(self.operator(term))
    }

    /// The value of an operator that is a constant.
    pub(crate) fn constant_of(&self, operator: Operator) -> Option<Value> {
        if !operator.is_constant() {
            return None;
        }
        // tidy: the constants stand above, and the check before leaves nothing else
        Some(match operator {
            Operator::Bool(truth) => Value::Bool(truth),
            Operator::Bits { width, bits } => Value::Bits { width, bits },
            Operator::Float(bits) => Value::Float(f32::from_bits(bits)),
            Operator::Double(bits) => Value::Double(f64::from_bits(bits)),
            Operator::Text(text) => Value::Text(self.units(text).clone()),
            _ => return None,
        })
    }

    /// The value of a term, given those of its inputs; one that the model does not name is zero, false or empty.
    pub fn value(&self, term: TermId, model: &Model) -> Value {
        let plan = Plan::new(self, &[term]);
        let mut values = plan.run(model);
        values.swap_remove(plan.roots()[0].index())
    }

    /// The term of an input. An input has one sort.
    pub fn input(&mut self, input: InputId, sort: Sort) -> TermId {
        self.intern(Operator::Input(input, sort), &[])
    }

    /// The term of a value.
    pub fn constant(&mut self, value: &Value) -> TermId {
        let operator = match value {
            Value::Bool(truth) => Operator::Bool(*truth),
            Value::Bits { width, bits } => Operator::Bits { width: *width, bits: bits & mask(*width) },
            Value::Float(value) => Operator::Float(float_bits(*value)),
            Value::Double(value) => Operator::Double(double_bits(*value)),
            Value::Text(units) => Operator::Text(self.text_number(units)),
        };
        self.intern(operator, &[])
    }

    fn text_number(&mut self, units: &Arc<[u16]>) -> TextId {
        if let Some(&known) = self.text_numbers.get(units) {
            return known;
        }
        let number = TextId(self.texts.len() as u32);
        self.texts.push(units.clone());
        self.text_numbers.insert(units.clone(), number);
        number
    }

    /// The term of a truth value.
    pub fn bool(&mut self, truth: bool) -> TermId {
        self.constant(&Value::Bool(truth))
    }

    /// The term of an `int`.
    pub fn int(&mut self, value: i32) -> TermId {
        self.constant(&Value::int(value))
    }

    /// The term of a `long`.
    pub fn long(&mut self, value: i64) -> TermId {
        self.constant(&Value::long(value))
    }

    /// The term of a `char`, of 16 bits.
    pub fn character(&mut self, unit: u16) -> TermId {
        self.constant(&Value::bits(16, u64::from(unit)))
    }

    /// The term of a `double`.
    pub fn double(&mut self, value: f64) -> TermId {
        self.constant(&Value::Double(value))
    }

    /// The term of a `float`.
    pub fn float(&mut self, value: f32) -> TermId {
        self.constant(&Value::Float(value))
    }

    /// The term of a text.
    pub fn text(&mut self, text: &str) -> TermId {
        self.constant(&Value::text(text))
    }

    /// `!a`.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.apply(Operator::Not, &[a])
    }

    /// `a & b`.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.apply(Operator::And, &[a, b])
    }

    /// `a | b`.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.apply(Operator::Or, &[a, b])
    }

    /// Whether two terms of one sort have the same value.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        self.apply(Operator::Equal, &[a, b])
    }

    /// `condition ? then : otherwise`.
    pub fn if_then_else(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.apply(Operator::IfThenElse, &[condition, then, otherwise])
    }

    /// `String.isEmpty`.
    pub fn is_empty_text(&mut self, text: TermId) -> TermId {
        let length = self.apply(Operator::Length, &[text]);
        let zero = self.int(0);
        self.equal(length, zero)
    }

    /// Whether a text has a match, as `String.matches` and the methods of `Matcher` say; an expression without automata is refused.
    pub fn matches(&mut self, text: TermId, expression: &Expression) -> Result<TermId, PatternError> {
        let mut all = self.constant(&Value::Bool(true));
        for &(pattern, is_refused) in &*self.patterns_of(expression)? {
            let matches = self.apply(Operator::Matches(pattern), &[text]);
            let holds = if is_refused { self.not(matches) } else { matches };
            all = self.and(all, holds);
        }
        Ok(all)
    }

    fn patterns_of(&mut self, expression: &Expression) -> PatternsOf {
        if let Some(known) = self.pattern_numbers.get(expression) {
            return known.clone();
        }
        let made = Pattern::of(expression).map(|patterns| {
            let numbered = patterns.into_iter().map(|(pattern, is_refused)| {
                self.patterns.push(Arc::new(pattern));
                (PatternId(self.patterns.len() as u32 - 1), is_refused)
            });
            numbered.collect()
        });
        self.pattern_numbers.insert(expression.clone(), made.clone());
        made
    }

    /// A term of an operator and operands. Constants are folded and the obvious identities applied, so the result may be
    /// another term of the same value.
    ///
    /// # Panics
    /// If the operator does not take operands of these sorts.
    pub fn apply(&mut self, operator: Operator, operands: &[TermId]) -> TermId {
        self.sort_of(operator, operands);
        if !operands.is_empty() && operands.iter().all(|&operand| self.operator(operand).is_constant()) {
            let values: Vec<Value> =
                operands.iter().filter_map(|&operand| self.constant_value(operand)).collect();
            let borrowed: Vec<&Value> = values.iter().collect();
            let folded = self.compute(operator, &borrowed);
            return self.constant(&folded);
        }
        let mut ordered = [TermId::NONE; MOST_OPERANDS];
        ordered[..operands.len()].copy_from_slice(operands);
        let operands = &mut ordered[..operands.len()];
        if operator.is_commutative() {
            let rank = |term: &TermId| (self.operator(*term).is_constant(), term.0);
            operands.sort_by_key(rank);
        }
        match self.simplified(operator, operands) {
            Some(simpler) => simpler,
            None => self.intern(operator, operands),
        }
    }

    /// The sort of a term of an operator and operands.
    ///
    /// # Panics
    /// If the operator does not take operands of these sorts.
    fn sort_of(&self, operator: Operator, operands: &[TermId]) -> Sort {
        let mut sorts = [Sort::Bool; MOST_OPERANDS];
        for (sort, &operand) in sorts.iter_mut().zip(operands) {
            *sort = self.sort(operand);
        }
        result_sort(operator, &sorts[..operands.len()])
    }

    /// What an operator computes of values.
    pub(crate) fn compute(&self, operator: Operator, operands: &[&Value]) -> Value {
        let pattern =
            if let Operator::Matches(pattern) = operator { Some(self.pattern(pattern)) } else { None };
        apply(operator, operands, pattern)
    }

    /// The term of an operator and operands, as it is.
    pub(crate) fn intern(&mut self, operator: Operator, operands: &[TermId]) -> TermId {
        let mut node = Node { operator, operands: [TermId::NONE; MOST_OPERANDS] };
        node.operands[..operands.len()].copy_from_slice(operands);
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let sort = self.sort_of(operator, operands);
        let size = operands.iter().fold(1_u32, |size, &operand| size.saturating_add(self.size(operand)));
        let term = TermId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.facts.push(Facts { sort, count: operands.len() as u8, size });
        self.numbers.insert(node, term);
        term
    }
}
