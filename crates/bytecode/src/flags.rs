//! Flags: booleans, references that may be null and `Optional`s that are decided at one place and asked at another
//! (testability transformation: Harman et al. 2004; on bytecode, Li and Fraser 2011).
//!
//! Where a conditional jump asks for a value that was put together from constants, the distance to its other outcome
//! is that to the code that would have made the other value: the branches on which that code control-depends, nearest
//! first, each level as far as all that a branch can be. What calls return comes with the distance that the callee
//! or the predicate left.
//!
//! # Differences
//! The papers transform the program; here the class stays as it is, and the probe of the jump looks at what the
//! branches before it recorded in the same call of the method.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::cdg::ControlDependenceGraph;
use crate::cfg::{BlockId, ControlFlowGraph};
use crate::class_file::tag;
use crate::instruction::InstructionIndex;
use crate::method_code::{MethodCode, instruction_index};
use crate::opcode::*;
use crate::predicate::{self, PredicateKind, ResultKind};
use crate::probe_map::{OutcomeId, ProbeId};

/// Levels of control dependence that are looked at.
const LEVELS: u32 = 5;

/// Branches that are looked at for one flag.
const MOST_WAYS: usize = 32;

/// Instructions that are looked at for one flag, and those of methods that are looked at.
const MOST_STEPS: usize = 2_000;

/// The flags of a method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodFlags {
    /// Conditional jumps that ask for a flag, in code order.
    pub asks: Vec<Ask>,
    /// Instructions that return one, in code order, with what all of them tell alike.
    pub returns: Vec<InstructionIndex>,
    /// What decides on the value that is returned.
    pub returned: Decided,
    /// Calls that return what flags are made of, in code order.
    pub calls: Vec<FlagCall>,
    /// Conditional jumps whose distances are asked for, ascending.
    pub decisions: Vec<InstructionIndex>,
}

/// A conditional jump that asks for a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The jump.
    pub jump: InstructionIndex,
    /// What decides on the flag.
    pub decided: Decided,
}

/// What decides on a flag.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decided {
    /// Whether the jump sees the negation, as behind `Optional.isEmpty`.
    pub is_negated: bool,
    /// What leads to constants.
    pub ways: Vec<Way>,
    /// Probes under which calls keep the distance of what they returned.
    pub kept: Vec<ProbeId>,
}

impl Decided {
    fn is_nothing(&self) -> bool {
        self.ways.is_empty() && self.kept.is_empty()
    }
}

/// An outcome that must be taken for a constant to become the flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    /// The constant.
    pub value: bool,
    /// Branches between the outcome and the constant.
    pub level: u32,
    /// Probe of the branch.
    pub probe: ProbeId,
    /// First outcome of the branch.
    pub first: OutcomeId,
    /// Which of its outcomes.
    pub outcome: u32,
}

/// A call whose result becomes a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlagCall {
    /// The call.
    pub call: InstructionIndex,
    /// Probe under which the distance is kept.
    pub kept: ProbeId,
    /// Whether it returns a reference.
    pub is_reference: bool,
    /// A predicate tells the distance by itself; other methods leave theirs under this name.
    pub predicate: Option<PredicateKind>,
    /// See [`tag`].
    pub tag: i32,
}

/// What methods of one name and descriptor have in common, and hardly others.
pub(crate) fn tag(name: &[u8], descriptor: &[u8]) -> i32 {
    let hash = |hash: i32, &byte: &u8| hash.wrapping_mul(31).wrapping_add(i32::from(byte));
    name.iter().chain(descriptor).fold(17, hash)
}

/// What a value may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Constant(BlockId, bool),
    Call(usize),
}

/// What is asked of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// The boolean itself.
    Truth,
    /// Whether the reference is not null, or the `Optional` not empty.
    Presence,
}

/// Finds the flags of a method. `number` tells the probe and the first outcome of a conditional jump.
pub(crate) fn find(
    (code, cfg, cdg): (&MethodCode<'_>, &ControlFlowGraph, &ControlDependenceGraph),
    entry: ProbeId,
    number: impl Fn(usize) -> Option<(ProbeId, OutcomeId)>,
) -> MethodFlags {
    let mut flags = MethodFlags::default();
    if code.len() > MOST_STEPS {
        return flags;
    }
    let mut finder = Finder {
        code,
        cfg,
        cdg,
        number,
        predecessors: Vec::new(),
        calls: BTreeMap::new(),
        decisions: BTreeSet::new(),
    };
    for index in 0..code.len() {
        if let Some(decided) = finder.asked(index) {
            flags.asks.push(Ask { jump: instruction_index(index), decided });
        }
    }
    let (returns, returned) = finder.returned(entry);
    if !returned.is_nothing() {
        flags.returns = returns.into_iter().map(instruction_index).collect();
        flags.returned = returned;
    }
    flags.calls = finder.calls.into_values().collect();
    flags.decisions = finder.decisions.into_iter().map(instruction_index).collect();
    flags
}

struct Finder<'f, 'a, N> {
    code: &'f MethodCode<'a>,
    cfg: &'f ControlFlowGraph,
    cdg: &'f ControlDependenceGraph,
    number: N,
    /// By instruction; made when first asked for.
    predecessors: Vec<Vec<usize>>,
    calls: BTreeMap<usize, FlagCall>,
    decisions: BTreeSet<usize>,
}

impl<N: Fn(usize) -> Option<(ProbeId, OutcomeId)>> Finder<'_, '_, N> {
    /// What decides on the flag that a conditional jump asks for, if it does.
    fn asked(&mut self, jump: usize) -> Option<Decided> {
        let sort = match self.code.opcode(jump) {
            IFEQ | IFNE => Sort::Truth,
            IFNULL | IFNONNULL => Sort::Presence,
            _ => return None,
        };
        if predicate::decided_by(self.code, jump).is_some() {
            return None;
        }
        let before = jump.checked_sub(1)?;
        let opcode = self.code.opcode(before);
        let may_be = match sort {
            Sort::Truth => {
                is_load(opcode, ILOAD) || is_invoke(opcode) || opcode == GOTO || is_boolean_constant(opcode)
            }
            Sort::Presence => is_load(opcode, ALOAD) || is_invoke(opcode) || opcode == CHECKCAST,
        };
        let (probe, _) = may_be.then(|| (self.number)(jump))??;
        let optional = (!self.code.is_join(jump)).then(|| self.is_optional_asked(before)).flatten();
        let (sources, is_negated) = match optional {
            Some(is_empty) => (self.sources(before, Sort::Presence), is_empty),
            None => (self.sources(jump, sort), false),
        };
        let above = self.controls_of(self.cfg.block_of(jump));
        let decided = Decided { is_negated, ..self.decided(&sources, probe, &above) };
        (!decided.is_nothing()).then_some(decided)
    }

    /// Whether `isPresent` (false) or `isEmpty` (true) of an `Optional` is called.
    fn is_optional_asked(&self, call: usize) -> Option<bool> {
        let (owner, name, _) =
            (self.code.opcode(call) == INVOKEVIRTUAL).then(|| self.code.member_bytes(call))??;
        match (owner, name) {
            (b"java/util/Optional", b"isPresent") => Some(false),
            (b"java/util/Optional", b"isEmpty") => Some(true),
            _ => None,
        }
    }

    /// Instructions that return a flag, and what decides on it.
    fn returned(&mut self, entry: ProbeId) -> (Vec<usize>, Decided) {
        let returned = self.code.descriptor.rsplit(')').next().unwrap_or_default();
        let (opcode, sort) = match returned.as_bytes().first() {
            Some(b'Z') => (IRETURN, Sort::Truth),
            Some(b'L' | b'[') => (ARETURN, Sort::Presence),
            _ => return (Vec::new(), Decided::default()),
        };
        let returns: Vec<usize> =
            (0..self.code.len()).filter(|&index| self.code.opcode(index) == opcode).collect();
        let mut sources: Vec<Source> = returns.iter().flat_map(|&index| self.sources(index, sort)).collect();
        sources.sort_unstable();
        sources.dedup();
        if !self.is_called() {
            sources.clear();
        }
        let is_absent = |source: &Source| matches!(source, Source::Constant(_, false) | Source::Call(_));
        if sort == Sort::Presence && !sources.iter().any(is_absent) {
            sources.clear();
        }
        let decided = self.decided(&sources, entry, &BTreeSet::new());
        (returns, decided)
    }

    /// Whether a class that is looked at may ask for what the method returns: its own, as far as its constants tell,
    /// or another one of the nest, if there are any.
    fn is_called(&self) -> bool {
        let class = self.code.class;
        let has_nest = class.attribute(&class.attributes, "InnerClasses").is_some();
        let Some(method) = class.methods.get(self.code.method) else { return false };
        let names = (method.name, method.descriptor);
        let is_named = |index: u16| {
            matches!(class.constants.tag(index), Some(tag::METHOD | tag::INTERFACE_METHOD))
                && class.constants.member_names(index).is_some_and(|(_, name, of)| (name, of) == names)
        };
        has_nest || (1..class.constants.len() as u16).any(is_named)
    }

    fn decided(&mut self, sources: &[Source], probe: ProbeId, above: &BTreeSet<usize>) -> Decided {
        let mut decided = Decided::default();
        for source in sources {
            match *source {
                Source::Constant(block, value) => self.add_ways(block, value, above, &mut decided.ways),
                Source::Call(call) => decided.kept.extend(self.add_call(call, probe)),
            }
        }
        decided.ways.sort_unstable();
        decided.ways.dedup();
        decided.ways.truncate(MOST_WAYS);
        decided.kept.sort_unstable();
        decided.kept.dedup();
        decided
    }

    /// Adds the outcomes on which a block depends, level by level, but for branches that are decided anyway.
    fn add_ways(&mut self, block: BlockId, value: bool, above: &BTreeSet<usize>, ways: &mut Vec<Way>) {
        let mut seen = above.clone();
        let mut blocks = VecDeque::from([(block, 0)]);
        while let Some((block, level)) = blocks.pop_front() {
            for dependence in self.cdg.of(block) {
                let Some(branch) = self.cfg.branch(self.code, dependence.branch) else { continue };
                if level == LEVELS || !seen.insert(branch) {
                    continue;
                }
                blocks.push_back((dependence.branch, level + 1));
                if is_conditional_jump(self.code.opcode(branch))
                    && let Some((probe, first)) = (self.number)(branch)
                {
                    ways.push(Way { value, level, probe, first, outcome: dependence.outcome });
                    self.decisions.insert(branch);
                }
            }
        }
    }

    /// The branches on which a block depends in the end, its own included.
    fn controls_of(&self, block: BlockId) -> BTreeSet<usize> {
        let mut branches: BTreeSet<usize> = self.cfg.branch(self.code, block).into_iter().collect();
        let mut blocks = vec![block];
        while let Some(block) = blocks.pop() {
            for dependence in self.cdg.of(block) {
                if let Some(branch) = self.cfg.branch(self.code, dependence.branch)
                    && branches.insert(branch)
                {
                    blocks.push(dependence.branch);
                }
            }
        }
        branches
    }

    /// Notes a call; the probe under which it keeps its distance.
    fn add_call(&mut self, call: usize, probe: ProbeId) -> Option<ProbeId> {
        let (owner, name, descriptor) = self.code.member_bytes(call)?;
        let predicate =
            predicate::find(owner, name, descriptor).or_else(|| predicate::presence(owner, name, descriptor));
        let made = FlagCall {
            call: instruction_index(call),
            kept: probe,
            is_reference: !descriptor.ends_with(b")Z"),
            predicate: predicate.map(|found| found.kind),
            tag: tag(name, descriptor),
        };
        Some(self.calls.entry(call).or_insert(made).kept)
    }

    // ---- where a value comes from

    /// Where the value on top of the stack may come from when control comes to an instruction.
    fn sources(&mut self, consumer: usize, sort: Sort) -> Vec<Source> {
        self.make_predecessors();
        let mut search = Search { sort, steps: 0, seen: BTreeSet::new(), found: BTreeSet::new() };
        self.follow_stack(consumer, &mut search);
        search.found.into_iter().collect()
    }

    fn follow_stack(&self, consumer: usize, search: &mut Search) {
        for &at in &self.predecessors[consumer] {
            if search.steps < MOST_STEPS && search.seen.insert((at, None)) {
                search.steps += 1;
                self.follow_instruction(at, search);
            }
        }
    }

    /// Where the value that an instruction leaves on top of the stack comes from.
    fn follow_instruction(&self, at: usize, search: &mut Search) {
        let opcode = self.code.opcode(at);
        let block = self.cfg.block_of(at);
        match (search.sort, general_form(opcode)) {
            (_, GOTO) => self.follow_stack(at, search),
            (Sort::Truth, _) if is_boolean_constant(opcode) => {
                search.found.insert(Source::Constant(block, opcode == ICONST_1));
            }
            (Sort::Truth, ILOAD) | (Sort::Presence, ALOAD) => {
                let known = search.found.len();
                if let Some(local) = self.code.local(at) {
                    self.follow_local(at, local, search);
                }
                // A parameter: something, most of the time.
                if search.sort == Sort::Presence && search.found.len() == known {
                    search.found.insert(Source::Constant(block, true));
                }
            }
            (Sort::Presence, ACONST_NULL) => {
                search.found.insert(Source::Constant(block, false));
            }
            (Sort::Presence, CHECKCAST) => self.follow_stack(at, search),
            (_, INVOKEVIRTUAL..=INVOKEINTERFACE) => self.follow_call(at, block, search),
            (Sort::Presence, _) => {
                search.found.insert(Source::Constant(block, true));
            }
            (Sort::Truth, _) => {}
        }
    }

    fn follow_call(&self, at: usize, block: BlockId, search: &mut Search) {
        let Some((owner, name, descriptor)) = self.code.member_bytes(at) else { return };
        let is_of_jdk = owner.starts_with(b"java/");
        match search.sort {
            // Boxed and taken out again.
            Sort::Truth if owner == b"java/lang/Boolean" && matches!(name, b"valueOf" | b"booleanValue") => {
                self.follow_stack(at, search);
            }
            Sort::Truth => {
                let predicate = predicate::find(owner, name, descriptor);
                let is_predicate = predicate.is_some_and(|found| found.kind.result() == ResultKind::Truth);
                if descriptor.ends_with(b")Z") && (is_predicate || !is_of_jdk) {
                    search.found.insert(Source::Call(at));
                }
            }
            Sort::Presence => {
                let is_empty = owner == b"java/util/Optional" && name == b"empty";
                let is_asked = predicate::presence(owner, name, descriptor).is_some();
                let is_known = !is_asked && (is_of_jdk || !returns_reference(descriptor));
                let source = if is_known { Source::Constant(block, !is_empty) } else { Source::Call(at) };
                search.found.insert(source);
            }
        }
    }

    /// Where a local variable may have its value from, at an instruction.
    fn follow_local(&self, from: usize, local: u16, search: &mut Search) {
        let store = if search.sort == Sort::Truth { ISTORE } else { ASTORE };
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for &before in &self.predecessors[at] {
                search.steps += 1;
                if search.steps > MOST_STEPS || !search.seen.insert((before, Some(local))) {
                    continue;
                }
                let is_same = self.code.local(before) == Some(local);
                match general_form(self.code.opcode(before)) {
                    opcode if is_same && opcode == store => self.follow_stack(before, search),
                    // Another type, or a count.
                    ISTORE..=ASTORE | IINC if is_same => {}
                    _ => open.push(before),
                }
            }
        }
    }

    fn make_predecessors(&mut self) {
        if !self.predecessors.is_empty() {
            return;
        }
        let mut predecessors = vec![Vec::new(); self.code.len()];
        for index in 0..self.code.len() {
            let mut add = |target: usize| {
                if let Some(list) = predecessors.get_mut(target) {
                    list.push(index);
                }
            };
            if !ends_flow(self.code.opcode(index)) {
                add(index + 1);
            }
            if let Some(target) = self.code.jump_target(index) {
                add(target);
            }
            if let Some(switch) = self.code.switch(index) {
                self.code.switch_outcomes(switch).iter().for_each(|outcome| add(outcome.target));
            }
        }
        self.predecessors = predecessors;
    }
}

/// A search for sources.
struct Search {
    sort: Sort,
    steps: usize,
    /// Instructions, and the local variables whose values were looked for there.
    seen: BTreeSet<(usize, Option<u16>)>,
    found: BTreeSet<Source>,
}

fn returns_reference(descriptor: &[u8]) -> bool {
    let returned = descriptor.rsplit(|&byte| byte == b')').next().and_then(<[u8]>::first);
    matches!(returned, Some(b'L' | b'['))
}

fn is_load(opcode: u8, general: u8) -> bool {
    general_form(opcode) == general
}

fn is_boolean_constant(opcode: u8) -> bool {
    matches!(opcode, ICONST_0 | ICONST_1)
}
