//! Replaces a constant by 0, 1, -1, itself less 1 and itself plus 1; 0 and 1, which may be booleans, by each other alone;
//! a string by the empty one.

use super::replacement::{EMPTY_STRING, LESS, MINUS_ONE, MORE, ONE, ZERO};
use super::site::{Pushed, Site};
use super::{Change, Means, Operator, Proposals};

pub(super) const OPERATOR: Operator = Operator { name: "replace constant", find };

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let Some(pushed) = site.pushed(index) else { return };
    let mut add = |number: u8, from: String, to: String| {
        let class = matches!(pushed, Pushed::String(_)).then(|| "java/lang/String".into());
        let change = Change::new(from, to).class(class).always();
        proposals.add(index, Means::Result, pushed.kind(), number, change);
    };
    match pushed {
        Pushed::Int(0) => add(ONE, "0".into(), "1".into()),
        Pushed::Int(1) => add(ZERO, "1".into(), "0".into()),
        Pushed::Int(value) => {
            let values = [0, 1, -1, value.wrapping_sub(1), value.wrapping_add(1)];
            each(value, values, |number, to| add(number, value.to_string(), to.to_string()));
        }
        Pushed::Long(value) => {
            let values = [0, 1, -1, value.wrapping_sub(1), value.wrapping_add(1)];
            each(value, values, |number, to| add(number, format!("{value}L"), format!("{to}L")));
        }
        Pushed::Float(value) => {
            let values = [0.0, 1.0, -1.0, value - 1.0, value + 1.0].map(f32::to_bits);
            each(value.to_bits(), values, |number, to| {
                add(number, format!("{value:?}f"), format!("{:?}f", f32::from_bits(to)));
            });
        }
        Pushed::Double(value) => {
            let values = [0.0, 1.0, -1.0, value - 1.0, value + 1.0].map(f64::to_bits);
            each(value.to_bits(), values, |number, to| {
                add(number, format!("{value:?}"), format!("{:?}", f64::from_bits(to)));
            });
        }
        Pushed::String(false) => add(EMPTY_STRING, "the string".into(), "\"\"".into()),
        Pushed::String(true) => {}
    }
}

/// Each value that is neither the original nor one before it.
fn each<T: PartialEq + Copy>(own: T, values: [T; 5], mut add: impl FnMut(u8, T)) {
    for (place, number) in [ZERO, ONE, MINUS_ONE, LESS, MORE].into_iter().enumerate() {
        if values[place] != own && !values[..place].contains(&values[place]) {
            add(number, values[place]);
        }
    }
}
