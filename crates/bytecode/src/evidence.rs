//! What in a trace shows that JaCoCo would count an instruction or an outcome as covered.
//!
//! [`crate::jacoco`] says which of JaCoCo's probes an instruction follows from. Here those probes are turned into
//! what our own instrumentation reports anyway (outcomes taken, branches and methods executed), and, where it
//! reports nothing equal, into probes of our own, as few as will do. Both steps use the same argument: between two
//! points that no exception, jump or join separates, reaching one is reaching the other.
//!
//! # Differences
//! An instruction that more than [`MOST_SIGNS`] probes can show covered keeps the first so many. What is shown is
//! still true, but might be shown too late.

use std::ops::Range;

use crate::class_file::tag;
use crate::graph::Graph;
use crate::instruction::Operand;
use crate::jacoco::{Edge, Flow, Model, ProbeSite};
use crate::method_code::MethodCode;
use crate::opcode::*;

/// Most signs that one instruction has. Code with a probe behind each of thousands of branches would have a list as
/// long for each of them; the longest found among 60,000 classes of the JDK and of libraries is 617.
const MOST_SIGNS: usize = 1024;

/// Something that a trace reports, before ids are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Sign {
    /// The method was called.
    Entry,
    /// The branch at this instruction was executed.
    Branch(usize),
    /// This outcome of the branch was taken.
    Outcome(usize, u32),
    /// A probe of our own was hit.
    Place(Place),
}

/// Where a probe of our own stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    /// Instruction that it stands before.
    pub(crate) before: usize,
    /// Whether jumps to that instruction do not pass it.
    pub(crate) fallthrough_only: bool,
}

/// What shows each instruction of a method covered.
#[derive(Debug)]
pub(crate) struct Signs<'c, 'a> {
    places: Places<'c, 'a>,
    /// Index into `sets` for each instruction.
    set_of: Vec<u32>,
    /// Each a range of `members`, sorted, without repetition; the first one is empty.
    sets: Vec<Range<usize>>,
    members: Vec<Sign>,
    /// Whether an instruction, once begun, counts as covered whatever happens then.
    sure: Vec<bool>,
}

impl<'c, 'a> Signs<'c, 'a> {
    /// Works back from the probes.
    pub(crate) fn new(code: &'c MethodCode<'a>, model: &Model) -> Self {
        let mut signs = Self {
            places: Places::new(code),
            set_of: vec![0; code.len()],
            sets: Vec::with_capacity(1 + code.len() / 2),
            members: Vec::with_capacity(code.len() / 2),
            sure: vec![false; code.len()],
        };
        signs.sets.push(0..0);
        let mut work_back = |index: usize| {
            let edges = model.edges(index);
            let ends_surely = |edge: &Edge| match edge.flow {
                Flow::Probe(_) => true,
                Flow::Instruction(target) => signs.sure[target],
            };
            signs.sure[index] = !signs.places.may_throw[index] && edges.iter().all(ends_surely);
            if let [Edge { flow: Flow::Instruction(target), .. }] = edges {
                signs.set_of[index] = signs.set_of[*target];
            } else {
                signs.add_set(index, edges);
                signs.set_of[index] = signs.sets.len() as u32 - 1;
            }
        };
        if model.leads_on() {
            (0..code.len()).rev().for_each(work_back);
        } else {
            for index in bottom_up(code, model) {
                work_back(index as usize);
            }
        }
        signs
    }

    fn add_set(&mut self, index: usize, edges: &[Edge]) {
        let start = self.members.len();
        if self.sure[index] && is_branch(self.places.code, index) {
            self.members.push(Sign::Branch(index));
        } else {
            for edge in edges {
                match self.of_edge(index, edge) {
                    EdgeSigns::One(sign) => self.members.push(sign),
                    EdgeSigns::Set(target) => {
                        let set = self.sets[self.set_of[target] as usize].clone();
                        self.members.extend_from_within(set);
                    }
                }
            }
        }
        if self.members.len() > start + 1 {
            let mut set = self.members.split_off(start);
            set.sort_unstable();
            set.dedup();
            set.truncate(MOST_SIGNS);
            self.members.append(&mut set);
        }
        self.sets.push(start..self.members.len());
    }

    fn of_edge(&self, index: usize, edge: &Edge) -> EdgeSigns {
        match edge.flow {
            Flow::Probe(site) => EdgeSigns::One(self.places.sign(site)),
            Flow::Instruction(target) if self.sure[target] && is_branch(self.places.code, index) => {
                EdgeSigns::One(Sign::Outcome(index, edge.outcome))
            }
            Flow::Instruction(target) => EdgeSigns::Set(target),
        }
    }

    /// Adds what shows that the edge of the instruction counts as covered: any of these does.
    pub(crate) fn extend_with_edge(&self, index: usize, edge: &Edge, signs: &mut Vec<Sign>) {
        match self.of_edge(index, edge) {
            EdgeSigns::One(sign) => signs.push(sign),
            EdgeSigns::Set(target) => signs.extend_from_slice(self.of(target)),
        }
    }

    /// Number of the set of an instruction: instructions with the same number have the same signs.
    pub(crate) fn set_of(&self, index: usize) -> u32 {
        self.set_of[index]
    }

    /// Any of these shows that the instruction counts as covered; sorted.
    pub(crate) fn of(&self, index: usize) -> &[Sign] {
        self.set(self.set_of[index])
    }

    /// The set with this number.
    pub(crate) fn set(&self, number: u32) -> &[Sign] {
        &self.members[self.sets[number as usize].clone()]
    }
}

/// What shows an edge covered.
enum EdgeSigns {
    /// This alone.
    One(Sign),
    /// What shows this instruction covered.
    Set(usize),
}

fn is_branch(code: &MethodCode<'_>, index: usize) -> bool {
    let opcode = code.opcode(index);
    is_conditional_jump(opcode) || is_switch(opcode)
}

/// All instructions that hang together without going round in circles, each after those it leads to.
fn bottom_up(code: &MethodCode<'_>, model: &Model) -> Vec<u32> {
    let mut edges = Vec::new();
    let mut is_root = vec![true; code.len()];
    for index in 0..code.len() {
        for edge in model.edges(index) {
            if let Flow::Instruction(target) = edge.flow {
                edges.push((index as u32, target as u32));
                is_root[target] = false;
            }
        }
    }
    let roots: Vec<u32> = (0..code.len() as u32).filter(|&index| is_root[index as usize]).collect();
    Graph::new(code.len(), &edges).postorder(&roots)
}

/// Finds the simplest sign that is equal to reaching a place.
#[derive(Debug)]
pub(crate) struct Places<'c, 'a> {
    code: &'c MethodCode<'a>,
    may_throw: Vec<bool>,
    ways_in: Vec<WaysIn>,
}

/// How control comes to an instruction, other than from the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WaysIn {
    None,
    /// By this outcome only.
    Outcome(usize, u32),
    /// By this unconditional jump only.
    Jump(usize),
    /// In several ways, or by an exception.
    Many,
}

impl<'c, 'a> Places<'c, 'a> {
    pub(crate) fn new(code: &'c MethodCode<'a>) -> Self {
        let mut ways_in = vec![WaysIn::None; code.len()];
        let mut add = |target: usize, way: WaysIn| {
            ways_in[target] = if ways_in[target] == WaysIn::None { way } else { WaysIn::Many };
        };
        for index in 0..code.len() {
            if let Some(switch) = code.switch(index) {
                for (outcome, number) in code.switch_outcomes(switch).iter().zip(0..) {
                    add(outcome.target, WaysIn::Outcome(index, number));
                }
            } else if let Some(target) = code.jump_target(index) {
                let conditional = is_conditional_jump(code.opcode(index));
                add(target, if conditional { WaysIn::Outcome(index, 0) } else { WaysIn::Jump(index) });
            }
        }
        for entry in &code.handlers {
            ways_in[entry.handler] = WaysIn::Many;
        }
        let may_throw = may_throw(code);
        Self { code, may_throw, ways_in }
    }

    /// The sign of a probe of JaCoCo.
    pub(crate) fn sign(&self, site: ProbeSite) -> Sign {
        let mut at = match site {
            ProbeSite::Outcome(index, outcome) => return Sign::Outcome(index, outcome),
            ProbeSite::Before(index) => index,
            ProbeSite::After(index) => match self.behind(index) {
                Ok(before) => before,
                Err(sign) => return sign,
            },
        };
        // Bounded, because jumps that nothing reaches can form a circle.
        for _ in 0..self.code.len() {
            let from_before = at > 0 && !ends_flow(self.code.opcode(at - 1));
            match self.ways_in[at] {
                WaysIn::None if at == 0 => return Sign::Entry,
                WaysIn::None if from_before => match self.behind(at - 1) {
                    Ok(before) => at = before,
                    Err(sign) => return sign,
                },
                WaysIn::Outcome(index, outcome) if at > 0 && !from_before => {
                    return Sign::Outcome(index, outcome);
                }
                WaysIn::Jump(index) if at > 0 && !from_before => at = index,
                WaysIn::None | WaysIn::Outcome(..) | WaysIn::Jump(_) | WaysIn::Many => break,
            }
        }
        Sign::Place(Place { before: at, fallthrough_only: false })
    }

    /// The place between an instruction and the next one: the instruction itself if it cannot fail.
    fn behind(&self, index: usize) -> Result<usize, Sign> {
        if is_conditional_jump(self.code.opcode(index)) {
            return Err(Sign::Outcome(index, 1));
        }
        if self.may_throw[index] {
            let next = index + 1;
            let joined = self.ways_in.get(next).is_some_and(|&ways| ways != WaysIn::None);
            return Err(Sign::Place(Place { before: next, fallthrough_only: joined }));
        }
        Ok(index)
    }
}

/// Whether each instruction can end in an exception before it is done. Throwing and returning count as done when
/// they are reached, as JaCoCo's probes stand before them. Errors of the JVM itself are not counted
/// (`OutOfMemoryError` when a string constant is loaded).
fn may_throw(code: &MethodCode<'_>) -> Vec<bool> {
    let receiver_is_kept = !code.access.is_static()
        && !(0..code.len())
            .any(|index| general_form(code.opcode(index)) == ASTORE && code.local(index) == Some(0));
    let constants = &code.class.constants;
    let own = constants.class_name_index(code.class.this_class).and_then(|name| constants.utf8_bytes(name));
    let own_field = |index: usize| {
        let loads_this = index > 0
            && receiver_is_kept
            && general_form(code.opcode(index - 1)) == ALOAD
            && code.local(index - 1) == Some(0)
            && !code.marks(index).label;
        loads_this
            && code
                .member_bytes(index)
                .is_some_and(|(owner, name, _)| own == Ok(owner) && declares(code, name))
    };
    (0..code.len())
        .map(|index| match code.opcode(index) {
            NOP..=SIPUSH | ILOAD..=ALOAD_3 | ISTORE..=ASTORE_3 | POP..=SWAP => false,
            IDIV | LDIV | IREM | LREM => true,
            IADD..=GOTO | TABLESWITCH | LOOKUPSWITCH | IRETURN..=RETURN | ATHROW => false,
            IFNULL | IFNONNULL | GOTO_W => false,
            LDC | LDC_W | LDC2_W => !is_plain_constant(code, index),
            GETFIELD => !own_field(index),
            _ => true,
        })
        .collect()
}

/// Whether the class itself declares an instance field of this name.
fn declares(code: &MethodCode<'_>, name: &[u8]) -> bool {
    let is_static = |access: u16| crate::access::Access(access).is_static();
    let mut fields = code.class.fields.iter();
    fields.any(|field| {
        !is_static(field.access)
            && code.class.constants.utf8_bytes(field.name).is_ok_and(|bytes| bytes == name)
    })
}

/// Whether a constant is loaded without resolving anything.
fn is_plain_constant(code: &MethodCode<'_>, index: usize) -> bool {
    let Operand::Constant(constant) = code.instructions[index].operand else { return false };
    matches!(
        code.class.constants.tag(constant),
        Some(tag::INTEGER | tag::FLOAT | tag::LONG | tag::DOUBLE | tag::STRING)
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write;

    use proptest::prelude::*;

    use super::*;
    use crate::assembler::with_method;
    use crate::graph::property;

    /// What an execution does, as JaCoCo's probes and as our own instrumentation report it.
    #[derive(Debug, Default)]
    struct Run {
        sites: BTreeSet<ProbeSite>,
        signs: BTreeSet<Sign>,
    }

    /// Goes through the code at random, throwing exceptions now and then where that is possible. `None` if it does
    /// not end.
    fn run(code: &MethodCode<'_>, choices: &[u8]) -> Option<Run> {
        let mut run = Run::default();
        let mut choices = choices.iter().map(|&choice| usize::from(choice));
        run.signs.insert(Sign::Entry);
        let mut at = 0;
        let mut fell = false;
        loop {
            run.signs.insert(Sign::Place(Place { before: at, fallthrough_only: false }));
            if fell {
                run.signs.insert(Sign::Place(Place { before: at, fallthrough_only: true }));
            }
            fell = false;
            let choice = choices.next()?;
            let opcode = code.opcode(at);
            let throws = matches!(opcode, ARRAYLENGTH | INVOKESTATIC) && choice.is_multiple_of(4);
            if ends_flow(opcode) && !is_switch(opcode) {
                run.sites.insert(ProbeSite::Before(at));
            }
            if throws || opcode == ATHROW {
                match code.handlers.iter().find(|entry| entry.range.contains(&at)) {
                    Some(entry) => at = entry.handler,
                    None => return Some(run),
                }
                continue;
            }
            if is_return(opcode) {
                return Some(run);
            }
            if is_branch(code, at) {
                run.signs.insert(Sign::Branch(at));
                let targets = match code.switch(at) {
                    Some(switch) => code.switch_outcomes(switch).iter().map(|it| it.target).collect(),
                    None => vec![code.jump_target(at)?, at + 1],
                };
                let outcome = choice % targets.len();
                run.sites.insert(ProbeSite::Outcome(at, outcome as u32));
                run.signs.insert(Sign::Outcome(at, outcome as u32));
                fell = code.switch(at).is_none() && outcome == 1;
                at = targets[outcome];
            } else if let Some(target) = code.jump_target(at) {
                at = target;
            } else {
                run.sites.insert(ProbeSite::After(at));
                fell = true;
                at += 1;
            }
        }
    }

    /// What JaCoCo concludes from its probes.
    fn is_covered(model: &Model, run: &Run, index: usize, seen: &mut BTreeSet<usize>) -> bool {
        seen.insert(index) && model.edges(index).iter().any(|edge| edge_covered(model, run, edge, seen))
    }

    fn edge_covered(model: &Model, run: &Run, edge: &Edge, seen: &mut BTreeSet<usize>) -> bool {
        match edge.flow {
            Flow::Probe(site) => run.sites.contains(&site),
            Flow::Instruction(target) => is_covered(model, run, target, seen),
        }
    }

    /// Random code: instructions as numbers, `(kind, place, place)`.
    fn source(instructions: &[(u8, usize, usize)], handlers: &[(usize, usize, usize)]) -> String {
        let count = instructions.len();
        let mut text = String::new();
        for &(a, b, handler) in handlers {
            let (start, end) = (a.min(b) % count, a.max(b) % (count + 1));
            if start < end {
                let _ = writeln!(text, ".catch any L{start} L{end} L{}", handler % count);
            }
        }
        for (index, &(kind, first, second)) in instructions.iter().enumerate() {
            let _ = writeln!(text, "L{index}:");
            let (first, second) = (first % count, second % count);
            let _ = match kind % 12 {
                0..=2 => writeln!(text, "nop"),
                3 => writeln!(text, "arraylength"),
                4 => writeln!(text, "invokestatic A.g:()V"),
                5 | 6 => writeln!(text, "ifeq L{first}"),
                7 => writeln!(text, "goto L{first}"),
                8 => writeln!(text, "lookupswitch 1:L{first} 2:L{second} 3:L{first} default:L0"),
                9 => writeln!(text, ".line {}\nnop", index + 1),
                10 => writeln!(text, "return"),
                _ => writeln!(text, "athrow"),
            };
        }
        text + &format!("L{count}:\nreturn\n")
    }

    proptest! {
        #![proptest_config(property(2000))]

        #[test]
        fn our_evidence_shows_what_jacoco_would_count(
            instructions in prop::collection::vec((any::<u8>(), 0..30_usize, 0..30_usize), 1..25),
            handlers in prop::collection::vec((0..30_usize, 0..30_usize, 0..30_usize), 0..3),
            runs in prop::collection::vec(prop::collection::vec(any::<u8>(), 200), 1..4),
        ) {
            with_method(&source(&instructions, &handlers), |code| {
                let model = Model::new(code);
                let signs = Signs::new(code, &model);
                for run in runs.iter().filter_map(|choices| run(code, choices)) {
                    let shows = |signs: &[Sign]| signs.iter().any(|sign| run.signs.contains(sign));
                    for index in 0..code.len() {
                        let expect = is_covered(&model, &run, index, &mut BTreeSet::new());
                        prop_assert_eq!(shows(signs.of(index)), expect, "instruction {}", index);
                        for edge in model.edges(index) {
                            let expect = edge_covered(&model, &run, edge, &mut BTreeSet::from([index]));
                            let mut of_edge = Vec::new();
                            signs.extend_with_edge(index, edge, &mut of_edge);
                            let found = shows(&of_edge);
                            prop_assert_eq!(found, expect, "edge {:?} of {}", edge, index);
                        }
                    }
                }
                Ok(())
            })?;
        }
    }

    fn check(source: &str, instruction: usize, expect: &[Sign]) {
        with_method(source, |code| {
            let model = Model::new(code);
            assert_eq!(Signs::new(code, &model).of(instruction), expect, "{source}");
        });
    }

    #[test]
    fn code_that_cannot_fail_needs_no_probe_of_its_own() {
        check("iconst_0\npop\nreturn", 0, &[Sign::Entry]);
        check("iconst_0\nifeq L\nnop\nreturn\nL:\nreturn", 0, &[Sign::Branch(1)]);
        check("iconst_0\nifeq L\nnop\nreturn\nL:\nreturn", 2, &[Sign::Outcome(1, 1)]);
        check("iconst_0\nifeq L\nnop\nreturn\nL:\nreturn", 4, &[Sign::Outcome(1, 0)]);
    }

    #[test]
    fn thousands_of_branches_do_not_have_thousands_of_signs_each() {
        let branch = |index: usize| format!("aload_0\narraylength\nifeq L{index}\nreturn\nL{index}:\n");
        let source = (0..5000).map(branch).collect::<String>() + "return";
        with_method(&source, |code| {
            let signs = Signs::new(code, &Model::new(code));
            assert_eq!(signs.of(0).len(), MOST_SIGNS);
            assert!(signs.of(4 * 4990).len() < 20);
        });
    }

    #[test]
    fn what_an_exception_can_cut_off_is_covered_behind_it_only() {
        let behind = |before| Sign::Place(Place { before, fallthrough_only: false });
        check("invokestatic A.g:()V\nreturn", 0, &[behind(1)]);
        // The line with a call starts with a probe of JaCoCo, so the one before it is covered without it.
        check(".line 1\nnop\n.line 2\ninvokestatic A.g:()V\nreturn", 0, &[Sign::Entry]);
        check(".line 1\nnop\n.line 2\ninvokestatic A.g:()V\nreturn", 1, &[behind(2)]);
    }

    #[test]
    fn a_probe_before_a_join_is_for_control_that_falls_through() {
        let join = "aload_0\nifnull L\naload_0\narraylength\nL:\nreturn";
        check(join, 2, &[Sign::Place(Place { before: 4, fallthrough_only: true })]);
        check(join, 4, &[Sign::Place(Place { before: 4, fallthrough_only: false })]);
    }
}
