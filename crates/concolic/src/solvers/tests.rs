//! Circuits compute what evaluation computes.

use std::time::Duration;

use crate::solver::{Answer, Limits, Problem, Solver, Why, Work};
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
        let mut inputs = fixed(&mut generator, &model);
        let mut same = inputs.clone();
        let mut last = None;
        for &(asked, _) in &pairs {
            let equal = has_value(&mut generator, asked, &model);
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
            || theme == Theme::Texts
                && matches!(answer, Answer::Unknown(Why::Bounded | Why::Time | Why::NotModelled(_)));
        assert!(is_known, "{theme:?} {seed} {answer:?}");
    }
    true
}

/// Conditions under which the inputs have the values of a model.
fn fixed(generator: &mut Generator, model: &Model) -> Vec<TermId> {
    let inputs: Vec<TermId> =
        model.values().map(|(input, value)| generator.terms.input(input, value.sort())).collect();
    inputs.into_iter().map(|input| has_value(generator, input, model)).collect()
}

/// That a term has the value that evaluation gives.
fn has_value(generator: &mut Generator, term: TermId, model: &Model) -> TermId {
    let value = generator.terms.value(term, model);
    let constant = generator.terms.constant(&value);
    generator.terms.intern(Operator::Equal, &[term, constant])
}

fn solve(solver: &mut dyn Solver, generator: &Generator, conditions: &[TermId], seed: &Model) -> Answer {
    let limits = Limits::default();
    solver.solve(&Problem { terms: &generator.terms, conditions, seed, limits, work: &Work::default() })
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
    let themes =
        [Theme::Bits(8), Theme::Bits(32), Theme::Bits(64), Theme::Conversions, Theme::Floats, Theme::Texts];
    for theme in themes {
        if !check_solver(&mut *solver, theme, 0..12) {
            eprintln!("no solver that reads SMT-LIB is installed");
            return;
        }
    }
}

/// What each operator on texts says by itself: together, they take solvers longer than they are given.
#[test]
#[expect(clippy::print_stderr, reason = "says which it compared")]
fn installed_solvers_agree_with_evaluation_of_each_operator_on_texts() {
    for program in ["z3", "cvc5"] {
        let mut solver = smt_lib::installed(Some(program), Duration::from_millis(500));
        let (mut said, mut asked) = (0, 0);
        for seed in 0..20 {
            let mut generator = Generator::new(Theme::Texts, seed);
            let pairs: Vec<(TermId, TermId)> = (0..25).filter_map(|_| generator.step()).collect();
            let model = generator.model();
            let inputs = fixed(&mut generator, &model);
            for &(term, _) in &pairs {
                let equal = has_value(&mut generator, term, &model);
                let other = generator.terms.intern(Operator::Not, &[equal]);
                for (condition, expected) in
                    [(equal, Answer::Model(Model::new())), (other, Answer::Unsatisfiable)]
                {
                    let conditions = [&inputs[..], &[condition]].concat();
                    asked += 1;
                    match (solve(&mut *solver, &generator, &conditions, &model), expected) {
                        (Answer::Model(found), Answer::Model(_)) if found == model => said += 1,
                        (Answer::Unsatisfiable, Answer::Unsatisfiable) => said += 1,
                        (Answer::Unknown(Why::Time | Why::Bounded), _) => {}
                        (Answer::Unknown(Why::Absent), _) if asked == 1 => {
                            eprintln!("{program} is not installed");
                            return;
                        }
                        (answer, expected) => {
                            let (terms, operands) = (&generator.terms, generator.terms.operands(term));
                            let values: Vec<_> =
                                operands.iter().map(|&operand| terms.value(operand, &model)).collect();
                            let operator = terms.operator(term);
                            panic!("{program} {seed} {operator:?} {values:?}: {answer:?}, not {expected:?}");
                        }
                    }
                }
            }
        }
        assert!(said * 10 > asked * 9, "{program} knows {said} of {asked}");
    }
}
