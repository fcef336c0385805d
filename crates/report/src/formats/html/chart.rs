//! Coverage over time as SVG: a step for every point at which more goals were covered.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::model::{Class, Point, ProjectReport};
use crate::tally::{Tally, classes, grouped};

/// Units of the drawing.
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 24.0;

/// Steps that are drawn: more cannot be told apart.
const MOST_STEPS: usize = 160;

/// The chart of a class; `None` where there is no timeline.
pub(super) fn of_class(class: &Class) -> Option<Markup> {
    let steps = class.timeline.iter().map(|Point { seconds, covered, .. }| (*seconds, *covered)).collect();
    chart(steps, Tally::of(class).goals)
}

/// The chart of all classes together, each counted from its own start.
pub(super) fn of_project(report: &ProjectReport) -> Option<Markup> {
    let mut changes: Vec<(f64, usize, usize)> = Vec::new();
    for class in classes(report) {
        let mut before = 0;
        for Point { seconds, covered, .. } in &class.timeline {
            changes.push((*seconds, before, *covered));
            before = *covered;
        }
    }
    changes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0;
    let steps = changes.into_iter().map(|(seconds, before, covered)| {
        sum = sum + covered - before;
        (seconds, sum)
    });
    chart(steps.collect(), classes(report).map(|class| Tally::of(class).goals).sum())
}

fn chart(steps: Vec<(f64, usize)>, goals: usize) -> Option<Markup> {
    let last = *steps.last()?;
    let goals = goals.max(last.1);
    if goals == 0 {
        return None;
    }
    // A run in no time is a line, too.
    let end = last.0.max(0.001);
    let x = |seconds: f64| LEFT + seconds.clamp(0.0, end) / end * (WIDTH - LEFT - RIGHT);
    let y = |covered: usize| HEIGHT - BOTTOM - covered as f64 / goals as f64 * (HEIGHT - TOP - BOTTOM);
    let mut path = format!("M{:.1} {:.1}", x(0.0), y(0));
    for (seconds, covered) in thinned(steps) {
        // A string takes everything.
        let _ = write!(path, "H{:.1}V{:.1}", x(seconds), y(covered));
    }
    let area = format!("{path}V{:.1}H{:.1}Z", y(0), x(0.0));
    let label = format!("{} of {} goals covered after {end:.1} seconds", last.1, goals);
    Some(html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
            @for covered in [0, goals] {
                line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(format!("{:.1}", y(covered))) y2=(format!("{:.1}", y(covered))) {}
                text x=(LEFT - 8.0) y=(format!("{:.1}", y(covered) + 4.0)) text-anchor="end" { (grouped(covered as u64)) }
            }
            path.area d=(area) {}
            path.curve d=(path) {}
            text x=(LEFT) y=(HEIGHT - 6.0) { "0 s" }
            text x=(WIDTH - RIGHT) y=(HEIGHT - 6.0) text-anchor="end" { (format!("{end:.1} s")) }
        }
    })
}

/// At most [`MOST_STEPS`] of these, the last among them.
fn thinned(steps: Vec<(f64, usize)>) -> Vec<(f64, usize)> {
    let every = steps.len().div_ceil(MOST_STEPS).max(1);
    let last = steps.len().saturating_sub(1);
    let is_kept = |index: usize| (last - index).is_multiple_of(every);
    steps.into_iter().enumerate().filter(|(index, _)| is_kept(*index)).map(|(_, step)| step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_steps_some_are_drawn_and_the_last_one_always() {
        let steps = |number: usize| (0..number).map(|step| (step as f64, step)).collect::<Vec<_>>();
        for (number, expect) in [(1, 1), (160, 160), (161, 81), (1000, 143)] {
            let thinned = thinned(steps(number));
            assert_eq!((thinned.len(), thinned.last()), (expect, steps(number).last()), "{number}");
        }
        assert_eq!(thinned(Vec::new()), []);
    }

    #[test]
    fn classes_add_up_each_from_its_own_start() {
        let class = |points: &[(f64, usize)]| Class {
            timeline: points
                .iter()
                .map(|&(seconds, covered)| Point { seconds, covered, executions: 0 })
                .collect(),
            criteria: vec![crate::model::Criterion { name: "line".into(), goals: 10, covered: 5 }],
            ..Class::default()
        };
        let module = crate::model::Module {
            classes: vec![class(&[(1.0, 4), (4.0, 6)]), class(&[(2.0, 3)])],
            ..crate::model::Module::default()
        };
        let report = ProjectReport { modules: vec![module], ..ProjectReport::default() };
        let drawn = of_project(&report).unwrap().into_string();
        assert!(drawn.contains("9 of 20 goals covered after 4.0 seconds"), "{drawn}");
    }
}
