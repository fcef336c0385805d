//! Circuits compute what evaluation computes.

use crate::solver::{Answer, Limits, Problem, Solver, Why};
use crate::solvers::bit_blasting::BitBlasting;
use crate::solvers::smt_lib;
use crate::term::tests::{Generator, Theme};
use crate::term::{Model, Operator, TermId};

/// Demands certain inputs, and of some terms that they have, or one that it does not have, the value that evaluation gives.
fn check(theme: Theme, seeds: std::ops::Range<u64>) {
    check_solver(&mut BitBlasting, theme, seeds);
}

/// [`check`] of any solver. What it does not model it may leave open. False if it does not run here.
fn check_solver(solver: &mut dyn Solver, theme: Theme, seeds: std::ops::Range<u64>) -> bool {
    for seed in seeds {
        let mut generator = Generator::new(theme, seed);
        let pairs: Vec<(TermId, TermId)> = (0..40).filter_map(|_| generator.step()).collect();
        let model = generator.model();
        let mut inputs = Vec::new();
        for (input, value) in model.values() {
            let term = generator.terms.input(input, value.sort());
            let constant = generator.terms.constant(value);
            inputs.push(generator.terms.intern(Operator::Equal, &[term, constant]));
        }
        let mut same = inputs.clone();
        let mut last = None;
        for &(asked, _) in &pairs {
            let value = generator.terms.value(asked, &model);
            let constant = generator.terms.constant(&value);
            let equal = generator.terms.intern(Operator::Equal, &[asked, constant]);
            same.push(equal);
            last = Some(equal);
        }
        let Some(last) = last else { continue };
        let answer = solve(solver, &generator, &same, &model);
        match answer {
            Answer::Unknown(Why::Absent) => return false,
            Answer::Unknown(Why::NotModelled("the remainder of floats in SMT-LIB") | Why::Time) => continue,
            Answer::Model(_) | Answer::Unsatisfiable | Answer::Unknown(_) => {}
        }
        assert!(
            matches!(&answer, Answer::Model(found) if *found == model),
            "{theme:?} {seed} {answer:?} {model:?} {:?}",
            culprit(solver, &generator, &inputs, &same, &model)
        );
        let other = generator.terms.intern(Operator::Not, &[last]);
        inputs.push(other);
        let answer = solve(solver, &generator, &inputs, &model);
        let is_known = answer == Answer::Unsatisfiable
            || theme == Theme::Texts && matches!(answer, Answer::Unknown(Why::Bounded | Why::NotModelled(_)));
        assert!(is_known, "{theme:?} {seed} {answer:?}");
    }
    true
}

fn solve(solver: &mut dyn Solver, generator: &Generator, conditions: &[TermId], seed: &Model) -> Answer {
    let limits = Limits::default();
    solver.solve(&Problem { terms: &generator.terms, conditions, seed, limits })
}

/// The first operator whose circuit does not agree.
fn culprit(
    solver: &mut dyn Solver,
    generator: &Generator,
    inputs: &[TermId],
    same: &[TermId],
    seed: &Model,
) -> Option<(Operator, String)> {
    same[inputs.len()..].iter().find_map(|&condition| {
        let conditions = [inputs, &[condition]].concat();
        let is_wrong = !matches!(solve(solver, generator, &conditions, seed), Answer::Model(_));
        let asked = generator.terms.operands(condition)[0];
        let operands = generator.terms.operands(asked).iter();
        let values: Vec<_> = operands.map(|&operand| generator.terms.value(operand, seed)).collect();
        is_wrong.then(|| (generator.terms.operator(asked), format!("{values:?}")))
    })
}

#[test]
fn circuits_of_bits_agree_with_evaluation() {
    check(Theme::Bits(8), 0..60);
    check(Theme::Bits(1), 0..20);
    check(Theme::Bits(12), 0..20);
    check(Theme::Bits(32), 0..25);
    check(Theme::Bits(64), 0..10);
}

#[test]
fn circuits_of_floats_agree_with_evaluation() {
    check(Theme::Conversions, 0..50);
    check(Theme::Floats, 0..30);
}

#[test]
fn circuits_of_texts_agree_with_evaluation() {
    check(Theme::Texts, 0..60);
}

#[test]
#[expect(clippy::print_stderr, reason = "says why it compared nothing")]
fn an_installed_solver_agrees_with_evaluation() {
    let mut solver = (smt_lib::ENTRY.make)();
    for theme in [Theme::Bits(8), Theme::Bits(32), Theme::Bits(64), Theme::Conversions, Theme::Floats] {
        if !check_solver(&mut *solver, theme, 0..12) {
            eprintln!("no solver that reads SMT-LIB is installed");
            return;
        }
    }
}
