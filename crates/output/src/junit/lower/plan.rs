//! Where each statement of a test case goes in its source: into the expression that uses it, into a variable, or
//! nowhere.
//!
//! Literals stand where they are used. An array whose elements are written first becomes an initializer. A simple
//! constructor with one use moves into the call that uses it, and a call whose result is only called on becomes the left
//! part of that call, but only when the order of evaluation stays: between the two nothing else is evaluated.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::hierarchy::ClassHierarchy;
use bytecode::signature::{ClassType, GenericType, TypeArgument};
use testcase::assertion::{ObservationTarget, ObservedValue};
use testcase::cluster::folder::{Act, FolderCall};
use testcase::cluster::{Callable, CallableId, CallableKind, FieldId, StubId, TestCluster};
use testcase::statement::{Answer, Script, Statement, VarRef};
use testcase::value::Value;

use super::folders::makers;
use super::is_reifiable;
use crate::asserted_test::AssertedTest;
use crate::assertion::fluent::is_builder;
use crate::junit::layout::flat;
use crate::junit::literals::{Context, literal};

/// Width of a statement up to which constructors move into it, estimated.
const STATEMENT_WIDTH: usize = 90;
/// The same of an object that is made of new ones, on two lines.
const OBJECTS_WIDTH: usize = 150;
/// The same of a chain of calls, which stand on a line each where they do not fit on one.
const CHAIN_WIDTH: usize = 600;
/// Widest literal that moves into a call when it is used once.
const LITERAL_WIDTH: usize = 60;
/// Widest string that is repeated rather than kept in a variable.
const REPEATED_WIDTH: usize = 16;
/// Longest array whose unwritten elements are spelled out beside the written ones.
const SPELLED_LENGTH: usize = 10;
/// Estimated width of a variable's name.
const NAME_WIDTH: usize = 8;

/// Where a statement goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Where it is used.
    Inline,
    /// Into a variable.
    Declared,
    /// A statement of its own that defines no variable.
    Evaluated,
    /// Into the first assertion behind it.
    Asserted,
    /// Into the initializer of the array that it writes.
    Folded,
    /// Nowhere: it does nothing and nobody uses it.
    Omitted,
}

/// An array and the elements that its initializer has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArrayPlan {
    /// Elements; `None` for those at their default. Empty when there is no initializer.
    pub elements: Vec<Option<VarRef>>,
    /// Position of the last write that the initializer takes in, else of the array itself.
    pub at: usize,
}

impl ArrayPlan {
    /// Whether it is written with an initializer, not as `new int[3]`.
    pub(crate) fn has_initializer(&self) -> bool {
        !self.elements.is_empty()
    }
}

/// How a variable is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Left of a dot or bracket.
    Receiver,
    /// An argument or a value written.
    Argument,
    /// What a stub's method gives: evaluated whenever that is called.
    Answered,
    /// What a stub's method passes to what it calls.
    Passed,
    /// What a stub's method throws.
    Thrown,
    /// By an assertion.
    Asserted,
}

/// The plan of a test.
#[derive(Debug)]
pub(crate) struct Plan {
    /// By position.
    pub placements: Vec<Placement>,
    /// By position of the array.
    pub arrays: BTreeMap<usize, ArrayPlan>,
}

impl Plan {
    /// Plans a test. `is_mock` says which variables are mocks.
    pub(crate) fn new(
        cluster: &TestCluster,
        hierarchy: &ClassHierarchy,
        test: &AssertedTest,
        is_mock: &dyn Fn(VarRef) -> bool,
    ) -> Self {
        let mocks = (0..test.test.len()).filter(|&position| is_mock(VarRef::from(position))).collect();
        let mut planner = Planner::new(cluster, hierarchy, test, mocks);
        planner.fold_arrays();
        planner.place();
        planner.move_calls();
        planner.plan
    }

    /// The statement that is written when the text has come to this position: the one that stands there, or an
    /// array whose last initial element is written there.
    pub(crate) fn written_at(&self, position: usize) -> Option<usize> {
        match self.placements[position] {
            Placement::Folded => self
                .arrays
                .iter()
                .find(|(_, plan)| plan.at == position)
                .map(|(&array, _)| array)
                .filter(|&array| self.placements[array] == Placement::Declared),
            Placement::Inline | Placement::Omitted => None,
            Placement::Declared | Placement::Evaluated | Placement::Asserted => {
                let later = self.arrays.get(&position).is_some_and(|plan| plan.at != position);
                (!later).then_some(position)
            }
        }
    }
}

/// Whether a field is a constant: its reading moves freely.
pub(crate) fn is_constant(cluster: &TestCluster, field: FieldId) -> bool {
    let access = cluster.field(field).access;
    access.is_static() && access.is_final()
}

struct Planner<'a> {
    cluster: &'a TestCluster,
    hierarchy: &'a ClassHierarchy,
    test: &'a AssertedTest,
    uses: Vec<Vec<(usize, Role)>>,
    plan: Plan,
    /// Position of the statement that throws, else behind the end.
    thrower: usize,
    /// Positions of mocks.
    mocks: BTreeSet<usize>,
    /// First position that is evaluated by what is written for a statement.
    first: Vec<usize>,
    /// Estimated width of what is written for a statement where it is used.
    width: Vec<usize>,
}

impl<'a> Planner<'a> {
    fn new(
        cluster: &'a TestCluster,
        hierarchy: &'a ClassHierarchy,
        test: &'a AssertedTest,
        mocks: BTreeSet<usize>,
    ) -> Self {
        let length = test.test.len();
        let mut uses = vec![Vec::new(); length];
        for position in 0..length {
            for (variable, role) in operands(cluster, test.test.statement(VarRef::from(position))) {
                uses[variable.index()].push((position, role));
            }
        }
        for assertion in &test.assertions {
            let mut used = |variable: VarRef, role| {
                if let Some(uses) = uses.get_mut(variable.index()) {
                    uses.push((assertion.after.index(), role));
                }
            };
            match assertion.target {
                ObservationTarget::Value(variable) => used(variable, Role::Asserted),
                ObservationTarget::Inspector(variable, _)
                | ObservationTarget::Nested(variable, ..)
                | ObservationTarget::Field(variable, _) => {
                    used(variable, Role::Receiver);
                }
                ObservationTarget::Elements(variable, _) => used(variable, Role::Receiver),
                ObservationTarget::Calls(variable, _) => {
                    used(variable, Role::Receiver);
                    if mocks.contains(&variable.index()) {
                        passed_in(&assertion.expected).for_each(|object| used(object, Role::Argument));
                    }
                }
                ObservationTarget::Message | ObservationTarget::Cause | ObservationTarget::Printed(_) => {}
                ObservationTarget::Files => {
                    for file in makers(cluster, &test.test, &assertion.expected) {
                        used(file, Role::Receiver);
                    }
                }
                ObservationTarget::Same(one, other) => {
                    used(one, Role::Asserted);
                    used(other, Role::Asserted);
                }
            }
        }
        Self {
            cluster,
            hierarchy,
            test,
            uses,
            plan: Plan { placements: vec![Placement::Omitted; length], arrays: BTreeMap::new() },
            mocks,
            thrower: if test.expected.is_some() { length.saturating_sub(1) } else { length },
            first: (0..length).collect(),
            width: vec![NAME_WIDTH; length],
        }
    }

    fn statement(&self, position: usize) -> &'a Statement {
        self.test.test.statement(VarRef::from(position))
    }

    /// Finds for each array the writes that come before any other use.
    fn fold_arrays(&mut self) {
        for position in 0..self.plan.placements.len() {
            let &Statement::Array { length, .. } = self.statement(position) else {
                continue;
            };
            let mut elements = vec![None; usize::from(length)];
            let (mut writes, mut at) = (Vec::new(), position);
            for &(user, _) in &self.uses[position] {
                let Statement::ArrayWrite { array, index, value } = self.statement(user) else { break };
                let folds = array.index() == position
                    && value.index() != position
                    && *index < length
                    && user < self.thrower
                    && !self.asserted_before(position, user);
                if !folds {
                    break;
                }
                elements[usize::from(*index)] = Some(*value);
                writes.push(user);
                at = user;
            }
            let written = elements.iter().flatten().count();
            let spelled = written > 0 && (elements.len() <= SPELLED_LENGTH || written * 2 >= elements.len());
            if spelled {
                for write in writes {
                    self.plan.placements[write] = Placement::Folded;
                }
            }
            let plan = if spelled {
                ArrayPlan { elements, at }
            } else {
                ArrayPlan { elements: Vec::new(), at: position }
            };
            self.plan.arrays.insert(position, plan);
        }
    }

    /// Whether an assertion reads the array before that position; such uses come last in the list of uses.
    fn asserted_before(&self, array: usize, position: usize) -> bool {
        self.uses[array].iter().any(|&(after, role)| role == Role::Asserted && after < position)
    }

    fn place(&mut self) {
        for position in 0..self.plan.placements.len() {
            if self.plan.placements[position] != Placement::Folded {
                self.plan.placements[position] = self.placement(position);
            }
            self.width[position] = self.inline_width(position);
        }
    }

    fn placement(&self, position: usize) -> Placement {
        let statement = self.statement(position);
        let folded = self.plan.arrays.get(&position).map_or(0, |plan| self.folded_into(position, plan));
        let uses = &self.uses[position][folded..];
        match statement {
            _ if position == self.thrower => Placement::Evaluated,
            Statement::FieldWrite { .. } | Statement::ArrayWrite { .. } => Placement::Evaluated,
            Statement::Stub { stub, .. } if self.cluster.stub(*stub).constructor().is_some() => {
                Placement::Declared
            }
            // The field alone is no statement.
            Statement::Method { callable, .. }
                if is_plain_file(self.cluster.callable(*callable))
                    && self.call_placement(position) == Placement::Evaluated =>
            {
                Placement::Declared
            }
            Statement::Constructor { .. } | Statement::Method { .. } => self.call_placement(position),
            Statement::FieldRead { field, .. } if is_constant(self.cluster, *field) => {
                let is_called = uses.iter().any(|(_, role)| *role == Role::Receiver);
                if uses.is_empty() || is_called && self.is_seen_as_another(*field) {
                    Placement::Declared
                } else {
                    Placement::Inline
                }
            }
            // Reading alone is no statement.
            Statement::FieldRead { .. } if self.call_placement(position) == Placement::Evaluated => {
                Placement::Declared
            }
            Statement::FieldRead { .. } => self.call_placement(position),
            Statement::Array { .. } => self.array_placement(position, uses),
            _ if uses.is_empty() => Placement::Omitted,
            Statement::Stub { .. } => Placement::Declared,
            Statement::EnumConstant { .. } | Statement::ClassLiteral { .. } => Placement::Inline,
            Statement::Null { .. } => inline_if(
                uses.iter().all(|(_, role)| matches!(role, Role::Argument | Role::Answered | Role::Passed)),
            ),
            Statement::Primitive { value, boxed } => inline_if(may_inline_value(value, *boxed, uses)),
        }
    }

    /// Whether a test cannot name the declared type of a field: members are called on what it sees it as, which a variable says.
    fn is_seen_as_another(&self, field: FieldId) -> bool {
        let field = self.cluster.field(field);
        *self.cluster.ty(field.of).erased.descriptor() != *field.descriptor
    }

    fn call_placement(&self, position: usize) -> Placement {
        match self.uses[position].as_slice() {
            [] => Placement::Evaluated,
            [(_, Role::Thrown)] if self.may_be_thrown_at_once(position) => Placement::Inline,
            [(stub, Role::Answered)]
                if self.mocks.contains(stub) && self.may_be_answered_at_once(position) =>
            {
                Placement::Inline
            }
            [(after, Role::Asserted)] if *after == position && self.may_be_asserted_at_once(position) => {
                Placement::Asserted
            }
            // Only what an assertion reads of it is used behind the statement itself.
            [(after, Role::Receiver)]
                if *after == position
                    && self.may_be_asserted_at_once(position)
                    && self.has_declared_type(position)
                    && !self.is_used_up_behind_others(position) =>
            {
                Placement::Asserted
            }
            _ => Placement::Declared,
        }
    }

    /// Whether what a statement gives is used up by an assertion that stands behind others: it must not come first.
    fn is_used_up_behind_others(&self, position: usize) -> bool {
        let behind = || {
            let assertions = self.test.assertions.iter();
            assertions.filter(|assertion| assertion.after.index() == position)
        };
        behind().count() > 1 && behind().any(|assertion| assertion.target.uses_up())
    }

    /// Exceptions of the platform with literal arguments are made where they are thrown.
    fn may_be_thrown_at_once(&self, position: usize) -> bool {
        let Statement::Constructor { callable, arguments } = self.statement(position) else {
            return false;
        };
        let is_inline = |argument: &VarRef| self.plan.placements[argument.index()] == Placement::Inline;
        self.cluster.callable(*callable).declared_in.is_platform()
            && arguments.iter().all(is_inline)
            && self.plain_width(position) <= LITERAL_WIDTH
    }

    /// What a mock is told to answer is made once, where it is told so: values of the platform are made there. Neither the project nor
    /// what takes a mock, both of which might call one, is called while a mock is told something.
    fn may_be_answered_at_once(&self, position: usize) -> bool {
        let (Statement::Constructor { callable, arguments }
        | Statement::Method { callable, receiver: None, arguments }) = self.statement(position)
        else {
            return false;
        };
        let is_no_mock = |argument: &VarRef| !self.mocks.contains(&argument.index());
        self.cluster.callable(*callable).declared_in.is_platform()
            && arguments.iter().all(is_no_mock)
            && self.plain_width(position) <= LITERAL_WIDTH
    }

    /// A generic method would have its type parameters inferred from the assertion's.
    fn may_be_asserted_at_once(&self, position: usize) -> bool {
        let generic = |id: CallableId| !self.cluster.callable(id).type_arguments.is_empty();
        let statement = self.statement(position);
        let is_new = matches!(statement, Statement::Constructor { .. });
        !is_new && !statement.callable().is_some_and(generic) && self.plain_width(position) <= STATEMENT_WIDTH
    }

    fn array_placement(&self, position: usize, uses: &[(usize, Role)]) -> Placement {
        let plan = &self.plan.arrays[&position];
        // Only a declared type makes an array of a parameterized type of a raw one.
        let creatable = !matches!(self.statement(position), Statement::Array { of, .. }
            if !is_reifiable(&self.cluster.ty(*of).generic));
        match uses {
            [] if !plan.has_initializer() => Placement::Omitted,
            [(_, Role::Argument)] if self.array_width(plan) <= LITERAL_WIDTH && creatable => {
                Placement::Inline
            }
            _ => Placement::Declared,
        }
    }

    fn folded_into(&self, position: usize, plan: &ArrayPlan) -> usize {
        if !plan.has_initializer() {
            return 0;
        }
        let uses = self.uses[position].iter();
        uses.take_while(|(user, _)| *user <= plan.at && self.plan.placements[*user] == Placement::Folded)
            .count()
    }

    /// Width of a literal or array where it is used; others are variables until they move.
    fn inline_width(&self, position: usize) -> usize {
        if self.plan.placements[position] != Placement::Inline {
            return NAME_WIDTH;
        }
        self.plain_width(position)
    }

    /// Width of the expression that a statement becomes, were it written where it is used.
    fn plain_width(&self, position: usize) -> usize {
        let arguments = |arguments: &[VarRef]| -> usize {
            arguments.iter().map(|argument| self.width[argument.index()] + 2).sum()
        };
        match self.statement(position) {
            Statement::Primitive { value, .. } => flat(&literal(value, Context::Argument)).len(),
            Statement::Null { .. } => 4,
            Statement::EnumConstant { field } | Statement::FieldRead { field, .. } => {
                self.cluster.field(*field).name.len() + NAME_WIDTH
            }
            Statement::ClassLiteral { .. } => 2 * NAME_WIDTH,
            Statement::Array { .. } => {
                self.plan.arrays.get(&position).map_or(0, |plan| self.array_width(plan))
            }
            Statement::Constructor { callable, arguments: used } => {
                4 + self.owner_width(*callable) + arguments(used)
            }
            Statement::Method { callable, receiver, arguments: used } => {
                let left = if receiver.is_some() { NAME_WIDTH } else { self.owner_width(*callable) };
                left + self.cluster.callable(*callable).name.len() + 3 + arguments(used)
            }
            Statement::FieldWrite { .. } | Statement::ArrayWrite { .. } | Statement::Stub { .. } => {
                2 * NAME_WIDTH
            }
        }
    }

    fn owner_width(&self, callable: CallableId) -> usize {
        let owner = &self.cluster.ty(self.cluster.callable(callable).owner).generic;
        owner.as_class().map_or(NAME_WIDTH, |class| class.name.base_name().len())
    }

    fn array_width(&self, plan: &ArrayPlan) -> usize {
        let element = |element: &Option<VarRef>| match element {
            Some(variable) => self.width[variable.index()] + 2,
            None => 6,
        };
        12 + plan.elements.iter().map(element).sum::<usize>()
    }

    /// Moves simple constructors into the statement that uses them, and calls before those on their results. Statements are visited in the order in which
    /// they are written, and of each the operands from last to first, so that what moves is always what was
    /// evaluated right before.
    fn move_calls(&mut self) {
        for position in 0..self.plan.placements.len() {
            let Some(unit) = self.plan.written_at(position) else {
                continue;
            };
            if position >= self.thrower {
                continue; // what throws stands alone
            }
            let mut frontier = position;
            let mut width = self.plain_width(unit);
            let mut pending = self.direct_operands(unit);
            while let Some((variable, role)) = pending.pop() {
                let defined = variable.index();
                if matches!(self.statement(defined), Statement::Array { .. })
                    && self.plan.placements[defined] == Placement::Inline
                {
                    pending.extend(self.direct_operands(defined));
                } else if self.previous_evaluated(frontier) == Some(defined)
                    && self.may_move_as(defined, role, unit)
                    && width + self.plain_width(defined) <= self.widest(unit, defined)
                {
                    width += self.plain_width(defined);
                    self.plan.placements[defined] = Placement::Inline;
                    self.width[defined] = self.plain_width(defined);
                    frontier = self.first[defined];
                }
            }
            self.first[unit] = frontier;
        }
    }

    /// The width up to which a call moves into a statement: what a new object is made of reads well on two lines, if that is new and made of
    /// nothing.
    fn widest(&self, unit: usize, moved: usize) -> usize {
        let is_plain = |position: usize| matches!(self.statement(position), Statement::Constructor { arguments, .. } if arguments.is_empty());
        let makes_object = matches!(self.statement(unit), Statement::Constructor { .. });
        match () {
            () if self.is_fluent(moved) || self.begins_chain(moved) => CHAIN_WIDTH,
            () if makes_object && is_plain(moved) => OBJECTS_WIDTH,
            () => STATEMENT_WIDTH,
        }
    }

    fn direct_operands(&self, unit: usize) -> Vec<(VarRef, Role)> {
        match self.plan.arrays.get(&unit) {
            Some(plan) => plan.elements.iter().flatten().map(|&element| (element, Role::Argument)).collect(),
            None => operands(self.cluster, self.statement(unit)),
        }
    }

    /// The last position before `frontier` whose statement does something when it is evaluated.
    fn previous_evaluated(&self, frontier: usize) -> Option<usize> {
        (0..frontier).rev().find(|&position| {
            self.plan.placements[position] != Placement::Folded
                && match self.statement(position) {
                    Statement::Constructor { .. }
                    | Statement::Method { .. }
                    | Statement::FieldWrite { .. }
                    | Statement::ArrayWrite { .. }
                    | Statement::Stub { .. } => true,
                    Statement::FieldRead { field, .. } => !is_constant(self.cluster, *field),
                    Statement::Primitive { .. }
                    | Statement::Null { .. }
                    | Statement::EnumConstant { .. }
                    | Statement::ClassLiteral { .. }
                    | Statement::Array { .. } => false,
                }
        })
    }

    fn may_move_as(&self, position: usize, role: Role, unit: usize) -> bool {
        match role {
            Role::Argument => self.may_move(position),
            Role::Receiver => {
                matches!(self.statement(unit), Statement::Method { .. }) && self.may_chain(position)
            }
            Role::Answered | Role::Passed | Role::Thrown | Role::Asserted => false,
        }
    }

    /// Calls whose result is called on once, and is of the same type without a variable as with it.
    fn may_chain(&self, position: usize) -> bool {
        let is_of_its_type = if let Statement::Constructor { callable, .. } = self.statement(position) {
            // The object that a test is about has a name.
            let callable = self.cluster.callable(*callable);
            let is_other = !self.cluster.goal_classes.contains(&callable.declared_in);
            is_other && self.begins_chain(position) && self.is_plain(callable)
        } else {
            self.has_declared_type(position)
        };
        self.uses[position].len() == 1
            && self.plan.placements[position] == Placement::Declared
            && is_of_its_type
    }

    /// Whether a call gives an object of the type of what it is called on, as those of builders do.
    fn is_fluent(&self, position: usize) -> bool {
        let Some(receiver) = self.statement(position).receiver() else { return false };
        let of = |variable| self.test.test.variable_type(self.cluster, variable);
        of(receiver).is_some() && of(receiver) == of(VarRef::from(position))
    }

    /// Whether the only use of an object is a call on it that is fluent, or that is made on a builder.
    fn begins_chain(&self, position: usize) -> bool {
        let [(user, Role::Receiver)] = self.uses[position].as_slice() else { return false };
        let is_builder = is_builder(self.cluster, &self.test.test, VarRef::from(position));
        is_builder || self.is_fluent(*user)
    }

    /// Whether a call is of the type that a variable for its result is declared with, wherever it stands: nothing of it is
    /// inferred from what it is assigned to, cast, or named by a supertype.
    fn has_declared_type(&self, position: usize) -> bool {
        let Statement::Method { callable, receiver, .. } = self.statement(position) else { return false };
        let callable = self.cluster.callable(*callable);
        let declared = self.hierarchy.class(&callable.declared_in).and_then(|info| {
            let method = info.method(&callable.name, &callable.descriptor)?;
            Some((method.generic.result.clone()?, GenericType::Class(info.this_type())))
        });
        let (Some((declared, own)), Some(result)) = (declared, callable.result) else { return false };
        let is_own = self
            .cluster
            .ty(callable.owner)
            .generic
            .as_class()
            .is_some_and(|class| class.name == callable.declared_in);
        let of = &self.cluster.ty(result).generic;
        let is_plain = of.as_class().is_some_and(|class| class.arguments.is_empty() && class.outer.is_none());
        // A fluent method of a generic class, which gives what it is called on.
        let receiver = receiver.and_then(|receiver| self.test.test.variable_type(self.cluster, receiver));
        let is_fluent = declared == own
            && receiver == Some(result)
            && of.as_class().is_some_and(|class| {
                class.outer.is_none()
                    && class.arguments.iter().all(|argument| matches!(argument, TypeArgument::Exact(_)))
            });
        is_own
            && callable.type_arguments.is_empty()
            && callable.result_cast.is_none()
            && (is_plain && declared == *of || is_fluent)
    }

    /// Constructors, and static factories of the platform, of types without parameters, whose own arguments are
    /// variables, literals or arrays of them, used once.
    fn may_move(&self, position: usize) -> bool {
        if self.uses[position].len() != 1
            || self.plan.placements[position] != Placement::Declared
            || self.first[position] != position
        {
            return false;
        }
        let Some(callable) = self.statement(position).callable().map(|id| self.cluster.callable(id)) else {
            return false;
        };
        self.is_plain(callable)
            && match callable.kind {
                CallableKind::Constructor => true,
                CallableKind::StaticMethod => callable.declared_in.is_platform() || is_plain_file(callable),
                CallableKind::InstanceMethod => false,
            }
    }

    /// Whether nothing of the type of what a call gives is inferred, and it takes no enclosing instance.
    fn is_plain(&self, callable: &Callable) -> bool {
        let is_plain = |class: &ClassType| class.arguments.is_empty() && class.outer.is_none();
        let of = callable.result.and_then(|of| self.cluster.ty(of).generic.as_class());
        callable.type_arguments.is_empty() && of.is_some_and(is_plain) && !callable.takes_enclosing_instance
    }
}

/// Whether a call gives the folder of the test, or a file in it to which it does nothing.
fn is_plain_file(callable: &Callable) -> bool {
    FolderCall::of(callable).is_some_and(|call| match call.act {
        Act::Folder | Act::File => true,
        Act::Written | Act::Made | Act::Write | Act::Put => false,
    })
}

/// Whether a literal can be written at each of its uses.
fn may_inline_value(value: &Value, boxed: bool, uses: &[(usize, Role)]) -> bool {
    if uses.iter().any(|(_, role)| *role == Role::Asserted) {
        return false;
    }
    let is_string = matches!(value, Value::String(_));
    if !is_string && uses.iter().any(|(_, role)| *role == Role::Receiver) {
        return false; // `5.intValue()` is no Java
    }
    let width = flat(&literal(value, Context::Argument)).len();
    match uses.len() {
        1 => width <= LITERAL_WIDTH,
        _ if is_string && !boxed => width <= REPEATED_WIDTH,
        // Two boxings of a value give the same object only where `valueOf` must cache it (§5.1.7).
        _ => !boxed || is_cached(value),
    }
}

fn inline_if(inline: bool) -> Placement {
    if inline { Placement::Inline } else { Placement::Declared }
}

/// Values whose boxing always gives the same object.
fn is_cached(value: &Value) -> bool {
    match value {
        Value::Boolean(_) | Value::Byte(_) => true,
        Value::Char(unit) => *unit <= 127,
        Value::Short(_) | Value::Int(_) | Value::Long(_) => {
            value.as_integer().is_some_and(|number| (-128..=127).contains(&number))
        }
        Value::Float(_) | Value::Double(_) | Value::String(_) => false,
    }
}

/// Variables that were passed in calls.
fn passed_in(calls: &ObservedValue) -> impl Iterator<Item = VarRef> {
    let calls = if let ObservedValue::Calls(calls) = calls { calls.as_slice() } else { &[] };
    calls.iter().flat_map(|call| call.objects.iter().copied().flatten())
}

/// Variables that a stub uses: the arguments of its constructor, then what its methods give and throw.
fn stub_operands(cluster: &TestCluster, stub: StubId, script: &Script) -> Vec<(VarRef, Role)> {
    let constructor = cluster.stub(stub).constructor().map(|id| cluster.callable(id));
    let enclosing = constructor.is_some_and(|constructor| constructor.takes_enclosing_instance);
    let argument = |(index, &argument): (usize, &VarRef)| {
        (argument, if enclosing && index == 0 { Role::Receiver } else { Role::Argument })
    };
    let answer = |answer: &Answer| {
        let role = match answer {
            Answer::Value(_) => Role::Answered,
            Answer::Throw(_) => Role::Thrown,
            Answer::CallBack(..) | Answer::Parameter(_) | Answer::Itself | Answer::Return => Role::Passed,
        };
        answer.variables().map(move |variable| (variable, role))
    };
    let answers = script.answers.iter().flatten().flat_map(answer);
    script.arguments.iter().enumerate().map(argument).chain(answers).collect()
}

/// Variables that a statement uses, in the order of evaluation.
fn operands(cluster: &TestCluster, statement: &Statement) -> Vec<(VarRef, Role)> {
    let mut receivers = match statement {
        Statement::Constructor { callable, .. } => {
            usize::from(cluster.callable(*callable).takes_enclosing_instance)
        }
        Statement::Method { receiver, .. } | Statement::FieldRead { receiver, .. } => {
            usize::from(receiver.is_some())
        }
        Statement::FieldWrite { receiver, .. } => usize::from(receiver.is_some()),
        Statement::ArrayWrite { .. } => 1,
        Statement::Stub { stub, script } => return stub_operands(cluster, *stub, script),
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::Array { .. } => 0,
    };
    let mut found = Vec::new();
    statement.for_each_use(|variable| {
        found.push((variable, if receivers > 0 { Role::Receiver } else { Role::Argument }));
        receivers = receivers.saturating_sub(1);
    });
    found
}
