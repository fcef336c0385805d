//! The analysis of a class under test: its probe map, and where the instrumenter has to put probes for it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::cdg::{ControlDependence, ControlDependenceGraph};
use crate::cfg::{BlockId, ControlFlowGraph};
use crate::class_file::{ClassFile, ClassFileError};
use crate::evidence::{Place, Sign};
use crate::filters::{ClassContext, Filtered};
use crate::flags::{self, MethodFlags};
use crate::goals::MethodGoals;
use crate::instruction::{InstructionIndex, Operand};
use crate::loops::{BackEdge, back_edges, loops};
use crate::method_code::{MethodCode, instruction_index};
use crate::mutate::{self, MethodMutants, MutationPoint};
use crate::name::ClassName;
use crate::names::Names;
use crate::nullness::never_returns_null;
use crate::opcode::*;
use crate::predicate;
use crate::probe_map::{
    Block, Branch, BranchKind, CallSite, DirectIds, Evidence, FieldUse, Line, MethodProbes, Outcome,
    OutcomeId, ProbeId, ProbeMap, Returns, SkipReason, SkippedMethod, StatementRun,
};
use crate::string_switch::{StringSwitch, string_switches};

/// What is found out beside what the criteria of branches and lines need. Each costs probes.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own, and any combination makes sense"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AnalysisOptions {
    /// Calls by the test itself are told apart from others, and returns from exceptions
    /// ([`MethodProbes::direct`], [`MethodProbes::returns`]).
    pub direct: bool,
    /// Evidence for statements ([`MethodProbes::statements`]).
    pub statements: bool,
    /// A probe per basic block ([`MethodProbes::blocks`]), and which branches are in loops.
    pub blocks: bool,
    /// Mutants in the code that counts ([`MethodProbes::mutants`]).
    pub mutants: bool,
}

impl AnalysisOptions {
    /// Everything.
    pub const ALL: Self = Self { direct: true, statements: true, blocks: true, mutants: true };

    /// What either asks for.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            direct: self.direct || other.direct,
            statements: self.statements || other.statements,
            blocks: self.blocks || other.blocks,
            mutants: self.mutants || other.mutants,
        }
    }
}

/// The next free ids. Classes are analyzed one after the other, in an order that does not change between runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProbeIds {
    /// Next [`ProbeId`].
    pub probes: u32,
    /// Next [`OutcomeId`].
    pub outcomes: u32,
    /// Next [`crate::probe_map::MutantId`].
    pub mutants: u32,
}

impl ProbeIds {
    pub(crate) fn probe(&mut self) -> ProbeId {
        self.probes += 1;
        ProbeId(self.probes - 1)
    }

    /// The second numbers of everything before these ids.
    pub fn direct(self) -> DirectIds {
        DirectIds(self.probes.max(self.outcomes))
    }
}

/// Gives methods whose direct calls are told apart their second numbers, once all classes of a run are analyzed.
pub fn number_direct(maps: &mut [ProbeMap], ids: ProbeIds) {
    for direct in maps.iter_mut().flat_map(|map| &mut map.methods).filter_map(|method| method.direct.as_mut())
    {
        *direct = ids.direct();
    }
}

/// What is known of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassAnalysis {
    /// Goals, guidance and evidence.
    pub map: ProbeMap,
    /// Where probes go, parallel to [`ProbeMap::methods`].
    pub placements: Vec<MethodPlacements>,
}

/// Where probes go in a method, beside those of its entry and its branches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodPlacements {
    /// Index into [`ClassFile::methods`].
    pub method: usize,
    /// Probes that count in straight-line code, in code order. They stand where JaCoCo has a probe that nothing
    /// else in the trace tells about.
    pub blocks: Vec<BlockPlacement>,
    /// Instructions that close a loop, ascending: jumps and switches; the first instruction of the loop's head
    /// where control falls through to it or comes to it by an exception.
    pub back_edges: Vec<InstructionIndex>,
    /// First instruction of each exception handler, ascending.
    pub handlers: Vec<InstructionIndex>,
    /// Switches over strings, in code order.
    pub string_switches: Vec<StringSwitch>,
    /// Values that are decided at one place and asked at another.
    pub flags: MethodFlags,
    /// Where mutants are, in code order.
    pub(crate) mutants: Vec<MutationPoint>,
}

/// A probe in straight-line code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockPlacement {
    /// The probe.
    pub probe: ProbeId,
    /// Instruction that it stands before.
    pub before: InstructionIndex,
    /// Whether only control that falls through from the instruction before passes it, jumps do not.
    pub fallthrough_only: bool,
}

/// Analyzes a class and gives ids to its probes: for each method the entry, branches in code order, and probes in
/// straight-line code in code order, then what `options` ask for. Methods that are skipped get none.
///
/// # Errors
/// A class whose name, or the name or descriptor of whose methods, cannot be read. Code that cannot be decoded is
/// no error: the method goes to [`ProbeMap::skipped`].
pub fn analyze(
    class: &ClassFile<'_>,
    options: AnalysisOptions,
    ids: &mut ProbeIds,
) -> Result<ClassAnalysis, ClassFileError> {
    let name = ClassName::new(&*class.name()?);
    let context = ClassContext::new(class);
    let mut names = Names::new(&class.constants);
    let top_level = top_level(&name);
    let map = ProbeMap { class: name, hash: fnv_1a(class.bytes), methods: Vec::new(), skipped: Vec::new() };
    let mut analysis = ClassAnalysis { map, placements: Vec::new() };
    for (index, member) in class.methods.iter().enumerate() {
        let reason = match MethodCode::read(class, index) {
            Ok(None) => continue,
            Ok(Some(code)) if code.has_subroutines() => SkipReason::Subroutine,
            Ok(Some(code)) => {
                let (probes, placements) =
                    MethodAnalysis::new(&context, &code, &top_level, options).finish(ids, &mut names);
                analysis.map.methods.push(probes);
                analysis.placements.push(placements);
                continue;
            }
            Err(_) => SkipReason::Malformed,
        };
        let constants = &class.constants;
        let method = [constants.utf8(member.name)?, constants.utf8(member.descriptor)?].concat();
        analysis.map.skipped.push(SkippedMethod { method: method.into(), reason });
    }
    Ok(analysis)
}

/// The top-level class by name: what stands before the first `$` inside the name.
fn top_level(class: &ClassName) -> ClassName {
    let package = class.as_str().len() - class.base_name().len();
    let inside = class.base_name().char_indices().skip(1).find(|&(_, letter)| letter == '$');
    match inside {
        Some((position, _)) => ClassName::new(&class.as_str()[..package + position]),
        None => class.clone(),
    }
}

/// FNV-1a with 64 bits (Fowler, Noll, Vo): the hash of a class file in [`ProbeMap::hash`].
pub fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// One method on its way to a probe map.
struct MethodAnalysis<'c, 'a> {
    options: AnalysisOptions,
    code: &'c MethodCode<'a>,
    top_level: &'c ClassName,
    cfg: ControlFlowGraph,
    cdg: ControlDependenceGraph,
    filtered: Filtered,
    is_goal: bool,
    goals: MethodGoals,
}

/// Ids given so far.
struct Numbering {
    entry: ProbeId,
    /// Probe and first outcome of each branch, by instruction.
    branches: Vec<(usize, (ProbeId, OutcomeId))>,
    /// Sorted.
    places: Vec<(Place, ProbeId)>,
    /// Of the `return` instructions together.
    returns: Option<ProbeId>,
    /// By block.
    blocks: Vec<ProbeId>,
}

impl<'c, 'a> MethodAnalysis<'c, 'a> {
    fn new(
        context: &ClassContext<'_>,
        code: &'c MethodCode<'a>,
        top_level: &'c ClassName,
        options: AnalysisOptions,
    ) -> Self {
        let cfg = ControlFlowGraph::new(code);
        let cdg = ControlDependenceGraph::new(code, &cfg);
        let filtered = Filtered::new(context, code);
        let is_goal = !filtered.is_all_ignored();
        let goals = if is_goal {
            MethodGoals::new(code, &filtered, options.statements.then_some(&cfg))
        } else {
            MethodGoals::default()
        };
        Self { options, code, top_level, cfg, cdg, filtered, is_goal, goals }
    }

    fn finish(self, ids: &mut ProbeIds, names: &mut Names<'_, 'a>) -> (MethodProbes, MethodPlacements) {
        let member = &self.code.class.methods[self.code.method];
        let numbering = self.number(ids);
        let string_switches = string_switches(self.code);
        let mutants = self.mutants(&numbering, ids);
        let probes = MethodProbes {
            name: names.text(member.name).unwrap_or_else(|| (&*self.code.name).into()),
            descriptor: names.text(member.descriptor).unwrap_or_else(|| (&*self.code.descriptor).into()),
            access: self.code.access,
            entry: numbering.entry,
            is_goal: self.is_goal,
            first_line: self.code.lines[0].map(u32::from),
            branches: self.branches(&numbering, &string_switches),
            lines: self.lines(&numbering),
            statements: self.statements(&numbering),
            direct: self.is_direct().then(DirectIds::default),
            returns: self.returns(&numbering),
            blocks: self.blocks(&numbering),
            calls: self.calls(&numbering, names),
            fields: self.fields(names),
            mutants: mutants.mutants,
            lacks_mutants: false,
            never_returns_null: never_returns_null(self.code),
            values: Vec::new(),
        };
        let places = numbering.places.iter().map(|&(place, probe)| BlockPlacement {
            probe,
            before: instruction_index(place.before),
            fallthrough_only: place.fallthrough_only,
        });
        let any = |probe, index| BlockPlacement {
            probe,
            before: instruction_index(index),
            fallthrough_only: false,
        };
        let starts = self.cfg.blocks().map(|block| self.cfg.instructions(block).start);
        let blocks = numbering.blocks.iter().zip(starts).map(|(&probe, start)| any(probe, start));
        let returns = numbering.returns.into_iter();
        let returns =
            returns.flat_map(|probe| self.return_instructions().map(move |index| any(probe, index)));
        let mut handlers: Vec<_> =
            self.code.handlers.iter().map(|entry| instruction_index(entry.handler)).collect();
        handlers.sort_unstable();
        handlers.dedup();
        let placements = MethodPlacements {
            method: self.code.method,
            blocks: places.chain(blocks).chain(returns).collect(),
            back_edges: self.back_edges(),
            handlers,
            string_switches,
            flags: flags::find((self.code, &self.cfg, &self.cdg), numbering.entry, |branch| {
                numbering.branch(branch)
            }),
            mutants: mutants.points,
        };
        (probes, placements)
    }

    fn mutants(&self, numbering: &Numbering, ids: &mut ProbeIds) -> MethodMutants {
        if !self.options.mutants || !self.is_goal {
            return MethodMutants::default();
        }
        let mut found = mutate::find(self.code, |index| !self.filtered.is_ignored(index), ids);
        for mutant in &mut found.mutants {
            let block = self.cfg.block_of(mutant.instruction.index());
            mutant.controlled_by = self.controlled_by(block, numbering);
        }
        found
    }

    /// Whether it counts who calls it: only of public methods.
    fn is_direct(&self) -> bool {
        let access = self.code.access;
        self.options.direct && self.is_goal && access.is_public() && !access.is_synthetic()
    }

    fn return_instructions(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.code.len()).filter(|&index| is_return(self.code.opcode(index)))
    }

    fn branch_instructions(&self) -> impl Iterator<Item = (BlockId, usize)> + '_ {
        self.cfg.blocks().filter_map(|block| Some((block, self.cfg.branch(self.code, block)?)))
    }

    fn number(&self, ids: &mut ProbeIds) -> Numbering {
        let mut numbering = Numbering {
            entry: ids.probe(),
            branches: Vec::new(),
            places: Vec::new(),
            returns: None,
            blocks: Vec::new(),
        };
        for (block, branch) in self.branch_instructions() {
            let probe = ids.probe();
            let first = OutcomeId(ids.outcomes);
            ids.outcomes += self.cfg.normal().successors(block.0).len() as u32;
            numbering.branches.push((branch, (probe, first)));
        }
        let place = |sign: &Sign| if let Sign::Place(place) = sign { Some(*place) } else { None };
        let mut places: Vec<Place> = self.goals.all_signs().filter_map(place).collect();
        places.sort_unstable();
        places.dedup();
        numbering.places = places.into_iter().map(|place| (place, ids.probe())).collect();
        let wants_returns =
            self.options.direct && self.is_goal && self.return_instructions().next().is_some();
        numbering.returns = wants_returns.then(|| ids.probe());
        if self.options.blocks {
            numbering.blocks = self.cfg.blocks().map(|_| ids.probe()).collect();
        }
        numbering
    }

    fn branches(&self, numbering: &Numbering, string_switches: &[StringSwitch]) -> Vec<Branch> {
        let mut looping = vec![false; self.cfg.len()];
        if self.options.blocks {
            for block in loops(&self.cfg).iter().flat_map(|found| &found.body) {
                looping[block.index()] = true;
            }
        }
        let of = |((block, instruction), &(_, (probe, first))): ((BlockId, usize), &(usize, _))| {
            let outcome = |index: u32, keys: Vec<i32>| {
                let OutcomeId(first) = first;
                let id = OutcomeId(first + index);
                let goal = self.goals.outcome((instruction, index));
                let covered_by = match goal {
                    Some(signs) => numbering.evidence(signs),
                    None => vec![Evidence::Taken(id)],
                };
                Outcome { id, keys, is_goal: goal.is_some(), covered_by }
            };
            let outcomes = match self.code.switch(instruction) {
                Some(switch) => {
                    let outcomes = (0..).zip(self.code.switch_outcomes(switch));
                    outcomes.map(|(index, found)| outcome(index, found.keys)).collect()
                }
                None => vec![outcome(0, Vec::new()), outcome(1, Vec::new())],
            };
            Branch {
                instruction: instruction_index(instruction),
                line: self.code.lines[instruction].map(u32::from),
                probe,
                kind: self.kind(instruction, string_switches),
                outcomes,
                controlled_by: self.controlled_by(block, numbering),
                in_loop: looping[block.index()],
            }
        };
        let mut branches = Vec::with_capacity(numbering.branches.len());
        branches.extend(self.branch_instructions().zip(&numbering.branches).map(of));
        branches
    }

    fn kind(&self, branch: usize, string_switches: &[StringSwitch]) -> BranchKind {
        match self.code.opcode(branch) {
            TABLESWITCH | LOOKUPSWITCH if string_switches.iter().any(|it| it.switch.index() == branch) => {
                BranchKind::StringSwitch
            }
            TABLESWITCH | LOOKUPSWITCH => BranchKind::Switch,
            IFNULL | IFNONNULL => BranchKind::Null,
            IF_ACMPEQ | IF_ACMPNE => BranchKind::Reference,
            opcode @ IFEQ..=IFLE if branch > 0 && !self.code.is_join(branch) => {
                match self.code.opcode(branch - 1) {
                    LCMP..=DCMPG => BranchKind::Wide,
                    INSTANCEOF if matches!(opcode, IFEQ | IFNE) => BranchKind::InstanceOf,
                    _ => self.kind_of_number(branch),
                }
            }
            _ => self.kind_of_number(branch),
        }
    }

    fn kind_of_number(&self, branch: usize) -> BranchKind {
        match predicate::decided_by(self.code, branch) {
            Some(_) => BranchKind::Predicate,
            None => BranchKind::Integer,
        }
    }

    /// The outcomes that a block depends on, as ids.
    fn controlled_by(&self, block: BlockId, numbering: &Numbering) -> Vec<OutcomeId> {
        let mut outcomes = Vec::with_capacity(self.cdg.of(block).len());
        self.add_controlled_by(block, numbering, &mut outcomes);
        outcomes
    }

    fn add_controlled_by(&self, block: BlockId, numbering: &Numbering, outcomes: &mut Vec<OutcomeId>) {
        let id = |dependence: &ControlDependence| {
            let branch = self.cfg.branch(self.code, dependence.branch)?;
            let (_, first) = numbering.branch(branch)?;
            Some(OutcomeId(first.0 + dependence.outcome))
        };
        outcomes.extend(self.cdg.of(block).iter().filter_map(id));
    }

    fn lines(&self, numbering: &Numbering) -> Vec<Line> {
        let mut lines = Vec::with_capacity(self.goals.lines.len());
        for goal in &self.goals.lines {
            let mut controlled_by = Vec::new();
            let mut last = None;
            for index in self.goals.instructions(goal) {
                let block = self.cfg.block_of(index);
                if last.replace(block) == Some(block) {
                    continue;
                }
                let known = controlled_by.len();
                self.add_controlled_by(block, numbering, &mut controlled_by);
                if controlled_by.len() == known {
                    controlled_by.clear();
                    break;
                }
            }
            controlled_by.sort_unstable();
            controlled_by.dedup();
            let covered_by = numbering.evidence(self.goals.signs(goal));
            lines.push(Line { number: goal.number.into(), covered_by, controlled_by });
        }
        lines
    }

    fn statements(&self, numbering: &Numbering) -> Vec<StatementRun> {
        let run = |(first, signs): (usize, &[Sign])| StatementRun {
            instruction: instruction_index(first),
            block: self.cfg.block_of(first).0,
            line: self.code.lines[first].map(u32::from),
            covered_by: numbering.evidence(signs),
            controlled_by: self.controlled_by(self.cfg.block_of(first), numbering),
        };
        self.goals.statements().map(run).collect()
    }

    fn returns(&self, numbering: &Numbering) -> Option<Returns> {
        let mut controlled_by = Vec::new();
        for index in self.return_instructions() {
            let known = controlled_by.len();
            self.add_controlled_by(self.cfg.block_of(index), numbering, &mut controlled_by);
            if controlled_by.len() == known {
                controlled_by.clear();
                break;
            }
        }
        controlled_by.sort_unstable();
        controlled_by.dedup();
        Some(Returns { probe: numbering.returns?, controlled_by })
    }

    fn blocks(&self, numbering: &Numbering) -> Vec<Block> {
        let allocates =
            |&index: &usize| matches!(self.code.opcode(index), NEW | NEWARRAY | ANEWARRAY | MULTIANEWARRAY);
        let block = |(&probe, block): (&ProbeId, BlockId)| {
            let instructions = self.cfg.instructions(block);
            Block {
                probe,
                instructions: instructions.len() as u32,
                allocations: instructions.filter(allocates).count() as u32,
            }
        };
        numbering.blocks.iter().zip(self.cfg.blocks()).map(block).collect()
    }

    fn calls(&self, numbering: &Numbering, names: &mut Names<'_, 'a>) -> Vec<CallSite> {
        let mut calls = Vec::new();
        for (index, instruction) in self.code.instructions.iter().enumerate() {
            let &Operand::Constant(constant) = &instruction.operand else { continue };
            if !is_invoke(instruction.opcode) {
                continue;
            }
            if instruction.opcode == INVOKEDYNAMIC {
                for constant in self.linked_methods(constant) {
                    calls.extend(self.call(index, constant, numbering, names));
                }
            } else {
                calls.extend(self.call(index, constant, numbering, names));
            }
        }
        calls
    }

    /// The call of a method, if that is in the nest.
    fn call(
        &self,
        index: usize,
        method: u16,
        numbering: &Numbering,
        names: &mut Names<'_, 'a>,
    ) -> Option<CallSite> {
        let constants = &self.code.class.constants;
        let (owner, name, descriptor) = constants.member_names(method)?;
        // Spares most calls the copy of a name.
        let top_level = self.top_level.as_str();
        if top_level.is_ascii() && !constants.utf8_bytes(owner).ok()?.starts_with(top_level.as_bytes()) {
            return None;
        }
        let owner = ClassName::new(names.text(owner)?);
        if !owner.is_in_nest_of(self.top_level) {
            return None;
        }
        let (name, descriptor) = (names.text(name)?, names.text(descriptor)?);
        let controlled_by = self.controlled_by(self.cfg.block_of(index), numbering);
        Some(CallSite { owner, name, descriptor, controlled_by })
    }

    /// Methods that the bootstrap method of an `invokedynamic` constant is given, as member references: for a lambda
    /// expression or a method reference the one that implements it.
    fn linked_methods(&self, constant: u16) -> Vec<u16> {
        let class = self.code.class;
        let linkage = class.constants.invoke_dynamic(constant).ok();
        let bootstrap = linkage.and_then(|(bootstrap, _, _)| class.bootstrap_method(bootstrap));
        let arguments = bootstrap.map_or_else(Vec::new, |bootstrap| bootstrap.arguments);
        let handles = arguments.iter().filter_map(|&argument| class.constants.method_handle_parts(argument));
        // Kinds 1 to 4 are fields (JVM specification, Table 5.4.3.5-A).
        handles.filter(|&(kind, _)| kind >= 5).map(|(_, method)| method).collect()
    }

    fn fields(&self, names: &mut Names<'_, 'a>) -> Vec<FieldUse> {
        let mut fields: Vec<FieldUse> = Vec::new();
        for instruction in &self.code.instructions {
            let (GETSTATIC..=PUTFIELD, &Operand::Constant(constant)) =
                (instruction.opcode, &instruction.operand)
            else {
                continue;
            };
            let written = matches!(instruction.opcode, PUTSTATIC | PUTFIELD);
            if !names.is_first_use(constant, written, self.code.method) {
                continue;
            }
            let Some((owner, name, _)) = self.code.class.constants.member_names(constant) else { continue };
            if let (Some(owner), Some(name)) = (names.text(owner), names.text(name)) {
                fields.push(FieldUse { owner: ClassName::new(owner), name, written });
            }
        }
        fields
    }

    fn back_edges(&self) -> Vec<InstructionIndex> {
        let place = |edge: BackEdge| {
            let head = self.cfg.instructions(edge.to).start;
            let Range { end, .. } = self.cfg.instructions(edge.from);
            let jumps = self.code.jump_target(end - 1) == Some(head) || self.code.switch(end - 1).is_some();
            instruction_index(if jumps && !edge.exceptional { end - 1 } else { head })
        };
        let mut places: Vec<_> = back_edges(&self.cfg).into_iter().map(place).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl Numbering {
    /// Probe and first outcome of the branch at an instruction.
    fn branch(&self, instruction: usize) -> Option<(ProbeId, OutcomeId)> {
        let place = self.branches.binary_search_by_key(&instruction, |&(branch, _)| branch).ok()?;
        Some(self.branches[place].1)
    }

    fn place(&self, place: &Place) -> Option<ProbeId> {
        let index = self.places.binary_search_by_key(place, |&(place, _)| place).ok()?;
        Some(self.places[index].1)
    }

    fn evidence(&self, signs: &[Sign]) -> Vec<Evidence> {
        let id = |sign: &Sign| match sign {
            Sign::Entry => Some(Evidence::Hit(self.entry)),
            Sign::Branch(branch) => self.branch(*branch).map(|(probe, _)| Evidence::Hit(probe)),
            Sign::Outcome(branch, outcome) => {
                self.branch(*branch).map(|(_, first)| Evidence::Taken(OutcomeId(first.0 + outcome)))
            }
            Sign::Place(place) => self.place(place).map(Evidence::Hit),
        };
        let mut evidence = Vec::with_capacity(signs.len());
        evidence.extend(signs.iter().filter_map(id));
        evidence.sort_unstable();
        evidence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nest_is_named_by_what_stands_before_the_first_dollar() {
        let check = |class: &str, expect: &str| assert_eq!(top_level(&class.into()).as_str(), expect);
        check("a/b/Outer$Inner$1", "a/b/Outer");
        check("Outer", "Outer");
        check("a/$Proxy", "a/$Proxy");
        check("a$b/C", "a$b/C");
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv_1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv_1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
