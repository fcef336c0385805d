//! What makes ranking, fitness and archive fast must not show in what a search finds: all that it tells, by algorithm, as
//! one number. A change that is meant to give other results gives other numbers here; one that is not must leave them.

use crate::landscape::{
    Comparison, IntSource, Landscape, Node, Operand, Setup, if_equal, method, private, setup,
};
use search::event::SearchEvent;

/// Conditions in ten methods that most tests come near to and few meet, and some behind others.
fn landscape() -> Landscape {
    let narrow = |constant: i64| {
        let inner = if_equal(1, constant + 40, vec![Node::Line, if_equal(2, 9, vec![Node::Line])]);
        if_equal(0, constant, vec![Node::Line, inner])
    };
    let wide = |limit: i64| {
        let (left, right) = (Operand::Argument(1), Operand::Constant(limit));
        Node::If(left, Comparison::Less, right, vec![Node::Line], vec![Node::Line])
    };
    let never = |index: i64| if_equal((index % 3) as usize, (index % 2 * 2 - 1) * 1_000_000, vec![]);
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let public = (0..).zip(names).map(|(number, name)| {
        let mut body: Vec<Node> = (0..12).map(|index| never(index + number)).collect();
        body.extend([narrow(37 * number - 90), wide(400 * number - 2_000), Node::Call("helper")]);
        method(name, 3, body)
    });
    let helper = private("helper", 3, vec![narrow(700), narrow(-300)]);
    Landscape::new(&["branch", "line"], public.chain([helper]).collect())
}

/// FNV-1a: the same on all machines and with all versions of the library.
fn add(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The number of all events of a search, times apart.
fn number(landscape: &Landscape, setup: Setup<'_>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    landscape.search_with(setup, &mut IntSource::new(landscape), &mut |event| {
        hash = match event {
            SearchEvent::Archived { goals, test, covered, executions } => {
                add(hash, &format!("{goals:?} {test:?} {covered} {executions}"))
            }
            SearchEvent::Exceptions { seen } => add(hash, &format!("{seen:?}")),
            SearchEvent::Uncovered { goals, covered, executions } => {
                add(hash, &format!("{goals:?} {covered} {executions}"))
            }
            SearchEvent::Progress(progress) => {
                add(hash, &format!("{} {} {}", progress.executions, progress.statements, progress.generation))
            }
        };
    });
    hash
}

#[test]
fn a_search_finds_what_it_always_found() {
    let landscape = landscape();
    let expect = [
        ("mosa", "f1b559538c6fe1b1"),
        ("dynamosa", "7fa68e98aa630a12"),
        ("dynamosa-rank", "04ef416cc26335a0"),
        ("dynamosa-pref", "6eb1863feff15006"),
        ("nsga2", "b92b21fc0b8f81b3"),
    ];
    for (algorithm, number_before) in expect {
        let found = format!("{:016x}", number(&landscape, setup(algorithm, 4_000)));
        assert_eq!(found, number_before, "{algorithm}");
    }
}
