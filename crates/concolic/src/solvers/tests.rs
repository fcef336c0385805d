//! Circuits compute what evaluation computes.

use crate::solver::{Answer, Limits, Problem, Solver as _, Why};
use crate::solvers::bit_blasting::BitBlasting;
use crate::term::tests::{Generator, Theme};
use crate::term::{Model, Operator, TermId};

/// Demands certain inputs, and of some terms that they have, or one that it does not have, the value that evaluation gives.
fn check(theme: Theme, seeds: std::ops::Range<u64>) {
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
        let answer = solve(&generator, &same, &model);
        assert!(
            matches!(&answer, Answer::Model(found) if *found == model),
            "{theme:?} {seed} {answer:?} {model:?} {:?}",
            culprit(&generator, &inputs, &same, &model)
        );
        let other = generator.terms.intern(Operator::Not, &[last]);
        inputs.push(other);
        let answer = solve(&generator, &inputs, &model);
        let is_known = answer == Answer::Unsatisfiable
            || theme == Theme::Texts && matches!(answer, Answer::Unknown(Why::Bounded | Why::NotModelled(_)));
        assert!(is_known, "{theme:?} {seed} {answer:?}");
    }
}

fn solve(generator: &Generator, conditions: &[TermId], seed: &Model) -> Answer {
    let limits = Limits::default();
    BitBlasting.solve(&Problem { terms: &generator.terms, conditions, seed, limits })
}

/// The first operator whose circuit does not agree.
fn culprit(
    generator: &Generator,
    inputs: &[TermId],
    same: &[TermId],
    seed: &Model,
) -> Option<(Operator, String)> {
    same[inputs.len()..].iter().find_map(|&condition| {
        let conditions = [inputs, &[condition]].concat();
        let is_wrong = !matches!(solve(generator, &conditions, seed), Answer::Model(_));
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
