//! What is asked of a test.

use testcase::assertion::{ObservationPoint, ObservationTarget};
use testcase::cluster::{TestCluster, TypeId};
use testcase::kill_oracle::{calls, elements, files, printed};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

use super::AssertionOptions;

/// Something that could be asserted behind the last statement, and what was there before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Question {
    /// What is asked behind the last statement.
    pub target: ObservationTarget,
    /// What it is about.
    pub about: About,
    /// Whether the same can be asked before the last statement, to see whether that changed it.
    pub before: bool,
}

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// The result of the last statement.
    Result,
    /// Whether the result is an object that the last statement names.
    Identity,
    /// Whether the result is an object that was handed to one that the last statement names.
    Held,
    /// The state of the object that the last statement made or gave.
    ResultState,
    /// The state of an object that was there before, or the content of an array.
    State,
    /// The same of an object that the last statement does not name, but that was handed to one that it names.
    Connected,
    /// What was called of an object that the test implements itself.
    Calls,
    /// What was printed.
    Printed,
    /// What is in the folder of the test.
    Files,
}

/// What to ask of a test that does not throw, in the order in which it would be asserted.
pub(super) fn questions(cluster: &TestCluster, test: &TestCase, options: &AssertionOptions) -> Vec<Question> {
    let Some(last) = test.len().checked_sub(1).map(VarRef::from) else {
        return Vec::new();
    };
    let statement = test.statement(last);
    let mut asked = Vec::new();
    if options.further_looks {
        // First, since what is asked next may print and write as well.
        asked.extend(printed().map(|target| Question { target, about: About::Printed, before: false }));
        let files = files(cluster, test);
        asked.extend(files.map(|target| Question { target, about: About::Files, before: true }));
    }
    let around = |counts: Counts| {
        let named = objects(cluster, test, statement, counts);
        let connected =
            if options.further_looks { connected(cluster, test, &named, counts) } else { Vec::new() };
        (named, connected)
    };
    let (named, connected) = around(has_state);
    let result = test.variable_type(cluster, last);
    let is_call = matches!(statement, Statement::Method { .. } | Statement::FieldRead { .. });
    if let Some(of) = result.filter(|_| is_call) {
        asked.push(Question { target: ObservationTarget::Value(last), about: About::Result, before: false });
        let (named, connected) = around(if options.further_looks { is_object } else { has_state });
        for (objects, about) in [(named, About::Identity), (connected, About::Held)] {
            let same = related(cluster, test, &objects, of).map(|other| ObservationTarget::Same(last, other));
            asked.extend(same.map(|target| Question { target, about, before: false }));
        }
    }
    let inspect = |asked: &mut Vec<Question>, variable: VarRef, about, before| {
        let Some(of) = test.variable_type(cluster, variable) else {
            return;
        };
        let state = state(cluster, variable, of, statement, options);
        for target in state.into_iter().filter(|target| !is_scripted(cluster, test, *target)) {
            asked.push(Question { target, about, before });
        }
    };
    for &object in &named {
        inspect(&mut asked, object, About::State, true);
    }
    for &object in &connected {
        inspect(&mut asked, object, About::Connected, true);
    }
    let calls = calls(test, test.len());
    asked.extend(calls.map(|target| Question { target, about: About::Calls, before: true }));
    if result.is_some() {
        inspect(&mut asked, last, About::ResultState, false);
    }
    // What the last statement gives is asked about as its result.
    let again = |asked: &Question| {
        asked.about == About::ResultState && is_call && asked.target == ObservationTarget::Value(last)
    };
    asked.retain(|question| !again(question));
    // Looking uses it up, so it is asked in the end.
    let elements = elements(cluster, test, last).filter(|_| options.further_looks);
    asked.extend(elements.map(|target| Question { target, about: About::Result, before: false }));
    asked
}

/// The points of the questions, those before the last statement first, as the executor wants them; with each the
/// index of its question.
pub(super) fn points(questions: &[Question], test: &TestCase) -> Vec<(ObservationPoint, usize)> {
    let Some(last) = test.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut points = Vec::new();
    if last > 0 {
        let before = VarRef::from(last - 1);
        for (index, question) in questions.iter().enumerate().filter(|(_, question)| question.before) {
            points.push((ObservationPoint { after: before, target: question.target }, index));
        }
    }
    let after = VarRef::from(last);
    let behind = questions.iter().enumerate();
    points
        .extend(behind.map(|(index, question)| (ObservationPoint { after, target: question.target }, index)));
    points
}

/// Which variables count as objects.
type Counts = fn(&TestCluster, &TestCase, VarRef) -> bool;

/// Objects and arrays that the last statement works on: what it is called on first, then its arguments, each once.
fn objects(cluster: &TestCluster, test: &TestCase, statement: &Statement, counts: Counts) -> Vec<VarRef> {
    let mut found: Vec<VarRef> = Vec::new();
    statement.for_each_use(|variable| {
        if counts(cluster, test, variable) && !found.contains(&variable) {
            found.push(variable);
        }
    });
    found
}

/// How often objects are connected by others: a stream in a writer in what is tested.
const STEPS: usize = 2;
/// Connected objects that are asked.
const MOST_CONNECTED: usize = 4;

/// Objects that stand in one statement before the last one with these, or with one that does: what is tested may write to them, though
/// the last statement does not name them.
fn connected(cluster: &TestCluster, test: &TestCase, named: &[VarRef], counts: Counts) -> Vec<VarRef> {
    let mut found = named.to_vec();
    for _ in 0..STEPS {
        let known = found.clone();
        for position in (0..test.len().saturating_sub(1)).map(VarRef::from) {
            let mut together = objects(cluster, test, test.statement(position), counts);
            if counts(cluster, test, position) {
                together.push(position);
            }
            if together.iter().any(|object| known.contains(object)) {
                together.retain(|object| !found.contains(object));
                found.extend(together);
            }
        }
    }
    let mut connected = found.split_off(named.len());
    connected.truncate(MOST_CONNECTED);
    connected
}

/// Whether a variable may hold something whose state is the code's.
fn has_state(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> bool {
    match test.statement(variable) {
        Statement::Array { .. } | Statement::Constructor { .. } | Statement::Method { .. } => true,
        Statement::FieldRead { field, .. } => !cluster.field(*field).access.is_final(),
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::FieldWrite { .. }
        | Statement::ArrayWrite { .. } => false,
        // What an interface answers is the script's; an abstract class has state of its own.
        Statement::Stub { stub, .. } => cluster.stub(*stub).constructor().is_some(),
    }
}

/// Whether a script of the test says what a method gives that is asked.
fn is_scripted(cluster: &TestCluster, test: &TestCase, target: ObservationTarget) -> bool {
    let (ObservationTarget::Inspector(variable, id) | ObservationTarget::Nested(variable, id, _)) = target
    else {
        return false;
    };
    let Statement::Stub { stub, script } = test.statement(variable) else { return false };
    let asked = cluster.callable(id);
    let methods = cluster.stub(*stub).methods.iter().zip(&script.answers);
    let mut told = methods.filter(|(_, answers)| !answers.is_empty());
    told.any(|(method, _)| method.name == asked.name && method.descriptor == asked.descriptor)
}

/// Whether a variable may hold an object that is given back as it is: one with state, or one that the test implements itself.
fn is_object(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> bool {
    matches!(test.statement(variable), Statement::Stub { .. }) || has_state(cluster, test, variable)
}

/// Whether each call gives the object that it is called on, for those whose types allow it.
pub(super) fn identities(cluster: &TestCluster, test: &TestCase, completed: usize) -> Vec<ObservationPoint> {
    let calls = test.statements().iter().take(completed).enumerate();
    let identity = |(position, statement): (usize, &Statement)| {
        let Statement::Method { receiver: Some(receiver), .. } = statement else { return None };
        let after = VarRef::from(position);
        let of = test.variable_type(cluster, after)?;
        let same = related(cluster, test, std::slice::from_ref(receiver), of).next()?;
        Some(ObservationPoint { after, target: ObservationTarget::Same(after, same) })
    };
    calls.filter_map(identity).collect()
}

/// Those of these objects that a result of this type may be.
fn related(
    cluster: &TestCluster,
    test: &TestCase,
    objects: &[VarRef],
    of: TypeId,
) -> impl Iterator<Item = VarRef> {
    // The others are values, not objects.
    let is_object = of.index() >= TypeId::WELL_KNOWN || of == TypeId::OBJECT;
    let may_be = move |other: &VarRef| {
        let other = test.variable_type(cluster, *other);
        other.is_some_and(|other| cluster.is_assignable(of, other) || cluster.is_assignable(other, of))
    };
    objects.iter().copied().filter(move |other| is_object && may_be(other))
}

/// What is asked of the state of a variable: nothing that the last statement itself called, read or wrote.
fn state(
    cluster: &TestCluster,
    variable: VarRef,
    of: TypeId,
    last: &Statement,
    options: &AssertionOptions,
) -> Vec<ObservationTarget> {
    let mut found = cluster.state(variable, of, options.further_looks);
    if options.further_looks && found.len() > options.inspectors {
        cluster.sort_by_relevance(&mut found, last.callable());
    }
    let called = last.callable().map(|id| cluster.callable(id));
    found.retain(|target| match *target {
        ObservationTarget::Inspector(_, id) => {
            let inspector = cluster.callable(id);
            !called.is_some_and(|called| {
                called.name == inspector.name && called.descriptor == inspector.descriptor
            })
        }
        ObservationTarget::Nested(_, outer, _) => {
            let outer = cluster.callable(outer);
            !called.is_some_and(|called| called.name == outer.name && called.descriptor == outer.descriptor)
        }
        ObservationTarget::Field(_, field) => last.field() != Some(field),
        ObservationTarget::Value(_)
        | ObservationTarget::Same(..)
        | ObservationTarget::Calls(..)
        | ObservationTarget::Elements(..)
        | ObservationTarget::Printed(_)
        | ObservationTarget::Files
        | ObservationTarget::Message
        | ObservationTarget::Cause => true,
    });
    found.truncate(options.inspectors);
    found
}
