//! Writers: calls that write a field which the code of an open goal reads, on the objects that a call gets, before it.
//!
//! # Differences
//! The paper draws calls at random (§4.1.4); so does [`super::references`], behind what makes an object and not before what needs it.

use testcase::cluster::Call;
use testcase::statement::{Statement, VarRef};

use super::LocalSearch;
use super::climb::{Climb, Reaction};

/// Writers that are tried for a call.
const MOST_WRITERS: usize = 8;

/// Times that each is tried: its arguments are drawn.
const TIMES: usize = 2;

/// The operator.
#[derive(Debug)]
pub(super) struct Writers;

impl LocalSearch for Writers {
    fn name(&self) -> &'static str {
        "writers"
    }

    fn applies(&self, statement: &Statement) -> bool {
        matches!(statement, Statement::Constructor { .. } | Statement::Method { .. })
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        let mut at = position;
        let mut writers = climb.writers();
        climb.random().shuffle(&mut writers);
        for writer in writers.into_iter().take(MOST_WRITERS) {
            for _ in 0..TIMES {
                for object in receivers(writer, at, climb) {
                    if !call(writer, object, &mut at, climb) {
                        return;
                    }
                }
            }
        }
    }
}

/// What a writer may be called on before a call: the variables that it uses, each once; nothing where it takes no receiver.
fn receivers(writer: Call, position: usize, climb: &Climb<'_>) -> Vec<Option<VarRef>> {
    if climb.cluster().receiver_of(writer).is_none() {
        return vec![None];
    }
    let mut objects = Vec::new();
    if let Some(statement) = climb.test().statements().get(position) {
        statement.for_each_use(|used| {
            if !objects.contains(&Some(used)) {
                objects.push(Some(used));
            }
        });
    }
    objects
}

/// Calls a writer right before a statement, which moves by what that needs if it helps. Whether to go on.
fn call(writer: Call, receiver: Option<VarRef>, at: &mut usize, climb: &mut Climb<'_>) -> bool {
    let position = *at;
    let (test, is_new) =
        climb.changed(|test, source, random| source.call_before(test, position, writer, receiver, random));
    let grown = test.len().saturating_sub(climb.test().len());
    if !is_new {
        return true;
    }
    match climb.attempt(test) {
        Reaction::Better => *at += grown,
        Reaction::Changed | Reaction::Same => {}
        Reaction::Over => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use testcase::factory::TestFactory;
    use testcase::factory::options::FactoryOptions;
    use testcase::test_case::TestCase;

    use super::super::options::Operators;
    use super::super::testing::{Hill, Things};
    use super::*;

    #[test]
    fn what_an_open_goal_reads_is_written_before_the_call_that_leads_there() {
        let things = Things::new();
        let add = things.add;
        let fills_first = move |test: &TestCase| {
            let calls: Vec<_> = test.statements().iter().filter(|it| it.callable() == Some(add)).collect();
            let is_last = test.statements().last().and_then(Statement::callable) != Some(add);
            is_last && calls.iter().any(|call| call.receiver() == Some(VarRef(1)))
        };
        let start = TestCase::new(vec![things.make_foo(), things.make_list(), things.take(0, 1)]);
        let mut hill = Hill::new(start, move |test| f64::from(u8::from(!fills_first(test))));
        hill = hill.with_source(TestFactory::new(&things.cluster, FactoryOptions::default()));
        hill.writers = vec![Call::Callable(add)];
        hill.options.operators = Operators::parse("writers").unwrap();
        hill.improve(&things.cluster);
        assert!(fills_first(&hill.best), "{:?}", hill.best);
        assert_eq!(hill.best.validate(&things.cluster), Ok(()));
        assert!(hill.attempts <= 2, "{} attempts", hill.attempts);
    }
}
