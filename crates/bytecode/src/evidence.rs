//! What in a trace shows that JaCoCo would count an instruction or an outcome as covered.
//!
//! [`crate::jacoco`] says which of JaCoCo's probes an instruction follows from. Here those probes are turned into
//! what our own instrumentation reports anyway (outcomes taken, branches and methods executed), and, where it
//! reports nothing equal, into probes of our own, as few as will do. Both steps use the same argument: between two
//! points that no exception, jump or join separates, reaching one is reaching the other.

use crate::class_file::tag;
use crate::graph::Graph;
use crate::instruction::Operand;
use crate::jacoco::{Edge, Flow, Model, ProbeSite};
use crate::method_code::MethodCode;
use crate::opcode::*;

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
    /// Each sorted, without repetition; the first one is empty.
    sets: Vec<Vec<Sign>>,
    /// Whether an instruction, once begun, counts as covered whatever happens then.
    sure: Vec<bool>,
}

impl<'c, 'a> Signs<'c, 'a> {
    /// Works back from the probes.
    pub(crate) fn new(code: &'c MethodCode<'a>, model: &Model) -> Self {
        let mut signs = Self {
            places: Places::new(code),
            set_of: vec![0; code.len()],
            sets: vec![Vec::new()],
            sure: vec![false; code.len()],
        };
        for index in bottom_up(code, model) {
            let edges = model.edges(index);
            let ends_surely = |edge: &Edge| match edge.flow {
                Flow::Probe(_) => true,
                Flow::Instruction(target) => signs.sure[target],
            };
            signs.sure[index] = !signs.places.may_throw[index] && edges.iter().all(ends_surely);
            if let [Edge { flow: Flow::Instruction(target), .. }] = edges {
                signs.set_of[index] = signs.set_of[*target];
            } else {
                let set = signs.of_edges(index, edges);
                signs.sets.push(set);
                signs.set_of[index] = signs.sets.len() as u32 - 1;
            }
        }
        signs
    }

    fn of_edges(&self, index: usize, edges: &[Edge]) -> Vec<Sign> {
        if self.sure[index] && is_branch(self.places.code, index) {
            return vec![Sign::Branch(index)];
        }
        let mut set: Vec<_> = edges.iter().flat_map(|edge| self.of_edge(index, edge)).collect();
        set.sort_unstable();
        set.dedup();
        set
    }

    /// Any of these shows that the edge of the instruction counts as covered; sorted.
    pub(crate) fn of_edge(&self, index: usize, edge: &Edge) -> Vec<Sign> {
        match edge.flow {
            Flow::Probe(site) => vec![self.places.sign(site)],
            Flow::Instruction(target) if self.sure[target] && is_branch(self.places.code, index) => {
                vec![Sign::Outcome(index, edge.outcome)]
            }
            Flow::Instruction(target) => self.of(target).to_vec(),
        }
    }

    /// Any of these shows that the instruction counts as covered; sorted.
    pub(crate) fn of(&self, index: usize) -> &[Sign] {
        &self.sets[self.set_of[index] as usize]
    }
}

fn is_branch(code: &MethodCode<'_>, index: usize) -> bool {
    let opcode = code.opcode(index);
    is_conditional_jump(opcode) || is_switch(opcode)
}

/// All instructions that hang together without going round in circles, each after those it leads to.
fn bottom_up(code: &MethodCode<'_>, model: &Model) -> Vec<usize> {
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
    Graph::new(code.len(), &edges).postorder(&roots).into_iter().map(|index| index as usize).collect()
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
    let own = code.class.name().unwrap_or_default();
    let own_field = |index: usize| {
        let loads_this = index > 0
            && receiver_is_kept
            && general_form(code.opcode(index - 1)) == ALOAD
            && code.local(index - 1) == Some(0)
            && !code.marks(index).label;
        loads_this
            && code.member(index).is_some_and(|field| field.owner == own && declares(code, &field.name))
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
fn declares(code: &MethodCode<'_>, name: &str) -> bool {
    let is_static = |access: u16| crate::access::Access(access).is_static();
    let mut fields = code.class.fields.iter();
    fields.any(|field| {
        !is_static(field.access)
            && code.class.constants.utf8_bytes(field.name).is_ok_and(|bytes| bytes == name.as_bytes())
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
