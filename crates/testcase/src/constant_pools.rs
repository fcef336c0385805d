//! Pools of constants that values are drawn from: static ones from the code, and a dynamic one of operands that
//! were compared at run time (Fraser and Arcuri 2012, "The Seed is Strong"; Fraser et al. 2015, §5.1).
//!
//! # Differences
//! An operand remembers the branch it was compared at. By default, once the search says which branches are open,
//! operands of other branches are no longer kept, and those of open branches are preferred
//! ([`FactoryOptions::open_operands`]): with tens of thousands of tests a second a plain ring would hold nothing but the
//! last test's values.
//!
//! Operands that were compared with each other are also kept as pairs, from which values are replaced
//! (`factory/replace.rs`), as many as [`FactoryOptions::operand_pairs`] says; characters of short strings count as
//! constants ([`FactoryOptions::token_length`]).

use bytecode::descriptor::PrimitiveType;
use bytecode::probe_map::ProbeId;
use fixedbitset::FixedBitSet;

use crate::cluster::StaticConstants;
use crate::execution::ComparisonOperand;
use crate::factory::options::FactoryOptions;
use crate::formats::Asked;
use crate::random::Random;
use crate::value::{JavaString, Value};

/// Longest string kept, in code units; `EvoSuite`'s `max_string`.
const MAX_STRING: usize = 1000;

/// Tries to find an operand that fits the type asked for.
const TRIES: usize = 4;

/// Where a draw comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolKind {
    /// Constants of the class under test.
    ClassUnderTest,
    /// Constants of the code that objects of the class under test must pass while they are made.
    Construction,
    /// Constants of other classes of the project.
    Project,
    /// Constants of the project's own tests.
    OwnTests,
    /// Operands compared at run time.
    Dynamic,
}

/// The pools of one search.
#[derive(Debug, Clone)]
pub struct ConstantPools {
    class_under_test: StaticPool,
    construction: StaticPool,
    project: StaticPool,
    own_tests: StaticPool,
    formats: Vec<Asked>,
    integers: Ring<i64>,
    floats: Ring<u64>,
    strings: Ring<JavaString>,
    integer_pairs: Ring<(i64, i64)>,
    string_pairs: Ring<(JavaString, JavaString)>,
    keeps_pairs: bool,
    /// Probability that an operand of an open branch is looked for first.
    open_first: f64,
    open: Option<FixedBitSet>,
    /// Numbers that switches wait for, by probe.
    wanted: Vec<Vec<i64>>,
    /// Which of them is next.
    turn: usize,
}

/// Constants by the type they are drawn for.
#[derive(Debug, Clone, Default)]
struct StaticPool {
    /// In the order of [`PrimitiveType::ALL`].
    primitives: [Vec<Value>; 8],
    strings: Vec<JavaString>,
    /// Longest string whose characters count as constants.
    token_length: usize,
}

impl ConstantPools {
    /// Pools over the constants of the code. The dynamic pool keeps as many values as the options say, at least one, each
    /// of whole numbers, floating-point numbers and strings.
    pub fn new(constants: &StaticConstants, options: &FactoryOptions) -> Self {
        let size = options.dynamic_pool_size.max(1);
        let empty = || StaticPool { token_length: options.token_length, ..StaticPool::default() };
        let mut class_under_test = empty();
        for common in [0, 1, -1] {
            class_under_test.add(&Value::Int(common));
        }
        class_under_test.add(&Value::String(JavaString::from("")));
        constants.class_under_test.iter().for_each(|value| class_under_test.add(value));
        let mut construction = empty();
        constants.construction.iter().for_each(|value| construction.add(value));
        let mut project = empty();
        constants.project.iter().for_each(|value| project.add(value));
        let mut own_tests = empty();
        constants.own_tests.iter().for_each(|value| own_tests.add(value));
        Self {
            class_under_test,
            construction,
            project,
            own_tests,
            formats: constants.formats.clone(),
            integers: Ring::new(size),
            floats: Ring::new(size),
            strings: Ring::new(size),
            integer_pairs: Ring::new((options.operand_pairs * size).max(1)),
            string_pairs: Ring::new(size),
            keeps_pairs: options.operand_pairs > 0,
            open_first: options.open_operands,
            open: None,
            wanted: Vec::new(),
            turn: 0,
        }
    }

    /// Names the branches that still have an outcome to cover, by probe. From now on only their operands are kept, unless
    /// the options want no difference made ([`FactoryOptions::open_operands`]).
    pub fn set_open(&mut self, open: FixedBitSet) {
        if self.open_first > 0.0 {
            self.open = Some(open);
        }
    }

    /// Takes in the operands of a run; those of one comparison follow each other.
    pub fn observe(&mut self, operands: &[ComparisonOperand]) {
        if self.keeps_pairs {
            self.observe_pairs(operands);
            self.observe_switches(operands);
        }
        for operand in operands {
            if !self.is_open(operand.probe) {
                continue;
            }
            match &operand.value {
                Value::Float(value) => self.floats.push(f64::from(*value).to_bits(), operand.probe),
                Value::Double(value) => self.floats.push(value.to_bits(), operand.probe),
                Value::String(value) if value.len() <= MAX_STRING => {
                    self.strings.push(value.clone(), operand.probe);
                }
                Value::String(_) | Value::Boolean(_) => {}
                whole @ (Value::Byte(_)
                | Value::Short(_)
                | Value::Char(_)
                | Value::Int(_)
                | Value::Long(_)) => {
                    if let Some(number) = whole.as_integer() {
                        self.integers.push(number, operand.probe);
                    }
                }
            }
        }
    }

    /// Names the numbers that switches wait for, by the probe of the branch. What such a switch is given counts as
    /// compared with each of them in turn.
    pub fn set_wanted(&mut self, wanted: &[(ProbeId, i64)]) {
        self.wanted.iter_mut().for_each(Vec::clear);
        for &(probe, number) in wanted {
            if self.wanted.len() <= probe.index() {
                self.wanted.resize_with(probe.index() + 1, Vec::new);
            }
            self.wanted[probe.index()].push(number);
        }
    }

    fn observe_switches(&mut self, operands: &[ComparisonOperand]) {
        for ComparisonOperand { probe, value, .. } in operands {
            let Some(wanted) = self.wanted.get(probe.index()).filter(|wanted| !wanted.is_empty()) else {
                continue;
            };
            let number = wanted[self.turn % wanted.len()];
            self.turn = self.turn.wrapping_add(1);
            if let Some(given) = value.as_integer().filter(|&given| given != number) {
                self.integer_pairs.push((given, number), *probe);
            }
        }
    }

    fn observe_pairs(&mut self, operands: &[ComparisonOperand]) {
        for compared in operands.chunk_by(|one, other| one.hit == other.hit) {
            let (one, other) = match compared {
                [] => continue,
                [one] => {
                    self.observe_alone(one);
                    continue;
                }
                [one, other, ..] => (one, other),
            };
            if !self.is_open(one.probe) || one.value == other.value {
                continue;
            }
            match (&one.value, &other.value) {
                (Value::String(left), Value::String(right)) => {
                    if left.len() <= MAX_STRING && right.len() <= MAX_STRING {
                        self.string_pairs.push((left.clone(), right.clone()), one.probe);
                    }
                }
                (left, right) => {
                    if let (Some(left), Some(right)) = (left.as_integer(), right.as_integer()) {
                        self.integer_pairs.push((left, right), one.probe);
                    }
                }
            }
        }
    }

    /// A number that a branch compares with zero, which leaves no operand; switches compare with their keys.
    fn observe_alone(&mut self, operand: &ComparisonOperand) {
        let is_switch = self.wanted.get(operand.probe.index()).is_some_and(|wanted| !wanted.is_empty());
        if !is_switch
            && self.is_open(operand.probe)
            && let Some(number) = operand.value.as_integer().filter(|number| *number != 0)
        {
            self.integer_pairs.push((number, 0), operand.probe);
        }
    }

    /// The whole numbers of a comparison, those of open branches alone, that `accept`s: the first from a random one
    /// on, in the order in which they were compared or the other way round.
    pub fn find_integers(
        &self,
        random: &mut Random,
        accept: impl Fn(i64, i64) -> bool,
    ) -> Option<(i64, i64)> {
        self.find(&self.integer_pairs, random, |&(left, right)| {
            if accept(left, right) {
                return Some((left, right));
            }
            accept(right, left).then_some((right, left))
        })
    }

    /// As [`ConstantPools::find_integers`] for strings.
    pub fn find_strings(
        &self,
        random: &mut Random,
        accept: impl Fn(&JavaString, &JavaString) -> bool,
    ) -> Option<(JavaString, JavaString)> {
        self.find(&self.string_pairs, random, |(left, right)| {
            if accept(left, right) {
                return Some((left.clone(), right.clone()));
            }
            accept(right, left).then(|| (right.clone(), left.clone()))
        })
    }

    fn find<T: Seen, R>(
        &self,
        ring: &Ring<T>,
        random: &mut Random,
        fitting: impl Fn(&T) -> Option<R>,
    ) -> Option<R> {
        if ring.is_empty() {
            return None;
        }
        let (before, after) = ring.entries.split_at(random.below(ring.entries.len()));
        let mut entries = after.iter().chain(before).filter(|entry| self.is_open(entry.probe));
        entries.find_map(|entry| fitting(&entry.value))
    }

    fn is_open(&self, probe: ProbeId) -> bool {
        self.open.as_ref().is_none_or(|open| open.contains(probe.index()))
    }

    /// Whether making an object of the class under test runs code with constants of a primitive type, or strings (`None`);
    /// most classes have none.
    pub fn has_construction(&self, primitive: Option<PrimitiveType>) -> bool {
        self.construction.has(primitive)
    }

    /// Whether the project's own tests have constants of a primitive type, or strings (`None`); where nobody asked for them, they
    /// have none.
    pub fn has_own_tests(&self, primitive: Option<PrimitiveType>) -> bool {
        self.own_tests.has(primitive)
    }

    /// A value of a primitive type, or a string (`None`), from one pool. `None` when the pool has none that fits:
    /// whole numbers convert among the integral types where they fit, and to floating point.
    pub fn draw(
        &self,
        kind: PoolKind,
        primitive: Option<PrimitiveType>,
        random: &mut Random,
    ) -> Option<Value> {
        let pool = match kind {
            PoolKind::ClassUnderTest => &self.class_under_test,
            PoolKind::Construction => &self.construction,
            PoolKind::Project => &self.project,
            PoolKind::OwnTests => &self.own_tests,
            PoolKind::Dynamic => return self.draw_dynamic(primitive, random),
        };
        match primitive {
            Some(primitive) => random.choose(&pool.primitives[primitive as usize]).cloned(),
            None => random.choose(&pool.strings).cloned().map(Value::String),
        }
    }

    /// Whether the code has texts read in some format.
    pub fn has_formats(&self) -> bool {
        !self.formats.is_empty()
    }

    /// A text in one of the formats that the code has texts read in.
    pub fn draw_text(&self, random: &mut Random) -> Option<JavaString> {
        random.choose(&self.formats).map(|asked| asked.text(random))
    }

    /// The text with a part changed, in the first of the formats of the code that it is in and that has parts.
    pub fn change_text(&self, text: &JavaString, random: &mut Random) -> Option<JavaString> {
        self.formats.iter().find_map(|asked| asked.changed(text, random))
    }

    fn draw_dynamic(&self, primitive: Option<PrimitiveType>, random: &mut Random) -> Option<Value> {
        let Some(primitive) = primitive else {
            return self.pick(&self.strings, random, |_| true).cloned().map(Value::String);
        };
        let is_floating = matches!(primitive, PrimitiveType::Float | PrimitiveType::Double);
        if is_floating && (self.integers.is_empty() || random.chance(0.5)) {
            let bits = self.pick(&self.floats, random, |_| true)?;
            let number = f64::from_bits(*bits);
            return Some(if primitive == PrimitiveType::Float {
                Value::Float(number as f32)
            } else {
                Value::Double(number)
            });
        }
        let number = self.pick(&self.integers, random, |number| fits(primitive, *number))?;
        Some(Value::from_integer(primitive, *number))
    }

    fn pick<'r, T: Seen>(
        &self,
        ring: &'r Ring<T>,
        random: &mut Random,
        accept: impl Fn(&T) -> bool,
    ) -> Option<&'r T> {
        let entries = &ring.entries;
        if entries.is_empty() {
            return None;
        }
        if let Some(open) = &self.open
            && random.chance(self.open_first)
        {
            let start = random.below(entries.len());
            let mut order = entries[start..].iter().chain(&entries[..start]);
            let found = order.find(|entry| open.contains(entry.probe.index()) && accept(&entry.value));
            if let Some(entry) = found {
                return Some(&entry.value);
            }
        }
        for _ in 0..TRIES {
            let entry = random.choose(entries)?;
            if accept(&entry.value) {
                return Some(&entry.value);
            }
        }
        None
    }
}

impl StaticPool {
    fn has(&self, primitive: Option<PrimitiveType>) -> bool {
        match primitive {
            Some(primitive) => !self.primitives[primitive as usize].is_empty(),
            None => !self.strings.is_empty(),
        }
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Boolean(_) => {}
            Value::Float(number) => self.add_floating(f64::from(*number)),
            Value::Double(number) => self.add_floating(*number),
            Value::String(text) => {
                if text.len() <= MAX_STRING && !self.strings.contains(text) {
                    self.strings.push(text.clone());
                }
                if text.len() <= self.token_length {
                    text.units().iter().for_each(|unit| self.push(Value::Char(*unit)));
                }
            }
            whole @ (Value::Byte(_) | Value::Short(_) | Value::Char(_) | Value::Int(_) | Value::Long(_)) => {
                let number = whole.as_integer().unwrap_or(0);
                let targets = PrimitiveType::ALL.into_iter().filter(|primitive| fits(*primitive, number));
                targets.for_each(|primitive| self.push(Value::from_integer(primitive, number)));
            }
        }
    }

    fn add_floating(&mut self, number: f64) {
        self.push(Value::Double(number));
        self.push(Value::Float(number as f32));
    }

    fn push(&mut self, value: Value) {
        if let Some(primitive) = value.primitive_type() {
            let pool = &mut self.primitives[primitive as usize];
            if !pool.contains(&value) {
                pool.push(value);
            }
        }
    }
}

/// Whether a whole number is a value of the type. Booleans are not drawn from pools.
fn fits(primitive: PrimitiveType, number: i64) -> bool {
    match primitive {
        PrimitiveType::Boolean => false,
        PrimitiveType::Byte => i8::try_from(number).is_ok(),
        PrimitiveType::Short => i16::try_from(number).is_ok(),
        PrimitiveType::Char => u16::try_from(number).is_ok(),
        PrimitiveType::Int => i32::try_from(number).is_ok(),
        PrimitiveType::Long | PrimitiveType::Float | PrimitiveType::Double => true,
    }
}

/// Values that a ring can recognize.
trait Seen: PartialEq {
    fn hash(&self) -> u64;
}

impl Seen for i64 {
    fn hash(&self) -> u64 {
        mix(*self as u64)
    }
}

impl Seen for u64 {
    fn hash(&self) -> u64 {
        mix(*self)
    }
}

impl Seen for JavaString {
    fn hash(&self) -> u64 {
        let units = self.units().iter();
        units.fold(mix(self.len() as u64), |hash, unit| mix(hash ^ u64::from(*unit)))
    }
}

impl Seen for (i64, i64) {
    fn hash(&self) -> u64 {
        mix(mix(self.0 as u64) ^ self.1 as u64)
    }
}

impl Seen for (JavaString, JavaString) {
    fn hash(&self) -> u64 {
        mix(self.0.hash() ^ self.1.hash().rotate_left(1))
    }
}

/// The finalizer of `SplitMix64` (Steele, Lea and Flood 2014).
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}

#[derive(Debug, Clone)]
struct Entry<T> {
    value: T,
    probe: ProbeId,
}

/// Slots of the table by which a ring recognizes what it holds; a power of two, several times its usual size.
const TABLE: usize = 256;

/// The last distinct values. A value that is still in it is not pushed again, except where another one hid it in the
/// table.
#[derive(Debug, Clone)]
struct Ring<T> {
    entries: Vec<Entry<T>>,
    size: usize,
    next: usize,
    /// By hash: position of an entry plus 1, or 0.
    table: Vec<u16>,
}

impl<T: Seen> Ring<T> {
    fn new(size: usize) -> Self {
        let size = size.min(usize::from(u16::MAX) - 1);
        Self { entries: Vec::with_capacity(size), size, next: 0, table: vec![0; TABLE] }
    }

    fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn push(&mut self, value: T, probe: ProbeId) {
        let slot = value.hash() as usize % TABLE;
        if let Some(position) = usize::from(self.table[slot]).checked_sub(1)
            && self.entries[position].value == value
        {
            self.entries[position].probe = probe;
            return;
        }
        let position = self.next;
        self.next = (position + 1) % self.size;
        self.table[slot] = position as u16 + 1;
        if position == self.entries.len() {
            self.entries.push(Entry { value, probe });
            return;
        }
        let old_slot = self.entries[position].value.hash() as usize % TABLE;
        if old_slot != slot && usize::from(self.table[old_slot]) == position + 1 {
            self.table[old_slot] = 0;
        }
        self.entries[position] = Entry { value, probe };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_size(dynamic_pool_size: usize) -> FactoryOptions {
        FactoryOptions { dynamic_pool_size, ..FactoryOptions::default() }
    }

    fn operand(probe: u32, value: Value) -> ComparisonOperand {
        ComparisonOperand { probe: ProbeId(probe), hit: ProbeId(probe), value }
    }

    fn drawn(pools: &ConstantPools, kind: PoolKind, primitive: Option<PrimitiveType>) -> Vec<Value> {
        let mut random = Random::new(3, 0);
        let mut found: Vec<Value> =
            (0..400).filter_map(|_| pools.draw(kind, primitive, &mut random)).collect();
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn integral_constants_convert_to_every_type_they_fit() {
        let constants = StaticConstants {
            class_under_test: vec![Value::Int(200), Value::Long(1 << 40), Value::Double(0.5)],
            project: vec![Value::from_integer(PrimitiveType::Byte, 7)],
            ..StaticConstants::default()
        };
        let pools = ConstantPools::new(&constants, &of_size(50));
        let drawn = |primitive| drawn(&pools, PoolKind::ClassUnderTest, Some(primitive));
        assert_eq!(drawn(PrimitiveType::Byte), [Value::Byte(-1), Value::Byte(0), Value::Byte(1)]);
        assert_eq!(drawn(PrimitiveType::Char), [Value::Char(0), Value::Char(1), Value::Char(200)]);
        assert!(drawn(PrimitiveType::Long).contains(&Value::Long(1 << 40)));
        assert!(drawn(PrimitiveType::Double).contains(&Value::Double(200.0)));
        assert!(drawn(PrimitiveType::Double).contains(&Value::Double(0.5)));
        assert!(drawn(PrimitiveType::Boolean).is_empty());
    }

    #[test]
    fn the_dynamic_pool_is_a_ring_of_distinct_values() {
        let mut pools = ConstantPools::new(&StaticConstants::default(), &of_size(3));
        for number in [1, 2, 2, 3, 4] {
            pools.observe(&[operand(0, Value::Long(number))]);
        }
        let expected = [2, 3, 4].map(Value::Int);
        assert_eq!(drawn(&pools, PoolKind::Dynamic, Some(PrimitiveType::Int)), expected);
        assert!(drawn(&pools, PoolKind::Dynamic, None).is_empty());
        pools.observe(&[operand(0, Value::String("key".into()))]);
        assert_eq!(drawn(&pools, PoolKind::Dynamic, None), [Value::String("key".into())]);
    }

    #[test]
    fn operands_of_open_branches_are_kept_and_preferred() {
        let mut pools = ConstantPools::new(&StaticConstants::default(), &of_size(8));
        pools.observe(&[operand(0, Value::Int(1)), operand(1, Value::Int(2))]);
        let mut open = FixedBitSet::with_capacity(2);
        open.insert(1);
        pools.set_open(open);
        pools.observe(&[operand(0, Value::Int(3)), operand(1, Value::Int(4))]);
        assert!(!drawn(&pools, PoolKind::Dynamic, Some(PrimitiveType::Int)).contains(&Value::Int(3)));
        let mut random = Random::new(1, 0);
        let mut of_open = 0;
        for _ in 0..1000 {
            let value = pools.draw(PoolKind::Dynamic, Some(PrimitiveType::Int), &mut random);
            of_open += u32::from(value != Some(Value::Int(1)));
        }
        assert!(of_open > 850, "{of_open}");
    }

    #[test]
    fn operands_of_one_comparison_are_found_as_pairs_while_their_branch_is_open() {
        let mut pools = ConstantPools::new(&StaticConstants::default(), &of_size(8));
        let text = |text: &str| Value::String(text.into());
        pools.observe(&[
            operand(0, Value::Int(1)),
            operand(1, Value::Int(2)),
            operand(1, Value::Char(3)),
            operand(2, text("a")),
            operand(2, text("b")),
            operand(3, Value::Int(9)),
            operand(3, Value::Int(9)),
        ]);
        let check = |pools: &ConstantPools, given: i64, expect: Option<(i64, i64)>| {
            assert_eq!(pools.find_integers(&mut Random::new(1, 0), |left, _| left == given), expect);
        };
        // Alone, it was compared with zero.
        check(&pools, 1, Some((1, 0)));
        check(&pools, 2, Some((2, 3)));
        check(&pools, 3, Some((3, 2)));
        check(&pools, 9, None);
        let found = pools.find_strings(&mut Random::new(1, 0), |_, right| *right == "a".into());
        assert_eq!(found, Some(("b".into(), "a".into())));
        pools.set_open(FixedBitSet::with_capacity(4));
        check(&pools, 2, None);
    }

    #[test]
    fn what_is_compared_on_different_ways_to_a_branch_is_no_pair() {
        // A switch in a method that ran for the test itself and for other code, and a comparison there.
        let reached = |probe, hit, value| ComparisonOperand { hit: ProbeId(hit), ..operand(probe, value) };
        let mut pools = ConstantPools::new(&StaticConstants::default(), &FactoryOptions::default());
        let int = Value::Int;
        pools.observe(&[reached(1, 1, int(5)), reached(1, 11, int(7))]);
        let pair = |pools: &ConstantPools, given: i64| {
            pools.find_integers(&mut Random::new(1, 0), |left, _| left == given)
        };
        assert_eq!(pair(&pools, 5), Some((5, 0)));
        assert_eq!(pair(&pools, 7), Some((7, 0)));
        let both = [(2, int(1)), (2, int(2)), (12, int(3)), (12, int(4))];
        pools.observe(&both.map(|(hit, value)| reached(2, hit, value)));
        assert_eq!([1, 2, 3, 4].map(|given| pair(&pools, given)), [(1, 2), (2, 1), (3, 4), (4, 3)].map(Some));
    }

    #[test]
    fn what_a_switch_is_given_pairs_with_the_keys_that_it_waits_for() {
        let mut pools = ConstantPools::new(&StaticConstants::default(), &of_size(8));
        pools.set_wanted(&[(ProbeId(1), 10), (ProbeId(1), 11)]);
        let found = |pools: &mut ConstantPools| {
            pools.observe(&[operand(0, Value::Int(4)), operand(1, Value::Char(5))]);
            let wanted = |wanted: i64| {
                pools.find_integers(&mut Random::new(1, 0), |given, other| given == 5 && other == wanted)
            };
            [wanted(10).is_some(), wanted(11).is_some()]
        };
        assert_eq!(found(&mut pools), [true, false]);
        assert_eq!(found(&mut pools), [true, true]);
        pools.set_wanted(&[]);
        pools.observe(&[operand(1, Value::Char(6))]);
        assert_eq!(pools.find_integers(&mut Random::new(1, 0), |given, other| given == 6 && other > 9), None);
    }

    #[test]
    fn what_is_ours_can_be_left_out() {
        let options = FactoryOptions { open_operands: 0.0, operand_pairs: 0, token_length: 0, ..of_size(8) };
        let constants = StaticConstants {
            class_under_test: vec![Value::String("x".into())],
            ..StaticConstants::default()
        };
        let mut pools = ConstantPools::new(&constants, &options);
        let characters = drawn(&pools, PoolKind::ClassUnderTest, Some(PrimitiveType::Char));
        assert_eq!(characters, [Value::Char(0), Value::Char(1)]);
        pools.set_open(FixedBitSet::with_capacity(4));
        pools.set_wanted(&[(ProbeId(1), 10)]);
        pools.observe(&[operand(1, Value::Int(4)), operand(1, Value::Int(5))]);
        let both = [4, 5].map(Value::Int);
        assert_eq!(drawn(&pools, PoolKind::Dynamic, Some(PrimitiveType::Int)), both);
        assert_eq!(pools.find_integers(&mut Random::new(1, 0), |_, _| true), None);
    }

    #[test]
    fn a_number_that_does_not_fit_is_not_drawn() {
        let mut pools = ConstantPools::new(&StaticConstants::default(), &of_size(8));
        pools.observe(&[operand(0, Value::Long(70_000))]);
        assert!(drawn(&pools, PoolKind::Dynamic, Some(PrimitiveType::Char)).is_empty());
        assert_eq!(drawn(&pools, PoolKind::Dynamic, Some(PrimitiveType::Double)), [Value::Double(70_000.0)]);
    }

    #[test]
    fn strings_longer_than_the_limit_are_not_kept() {
        let mut pools = ConstantPools::new(&StaticConstants::default(), &of_size(8));
        pools.observe(&[operand(0, Value::String(JavaString::new(vec![65; MAX_STRING + 1])))]);
        assert!(drawn(&pools, PoolKind::Dynamic, None).is_empty());
    }
}
