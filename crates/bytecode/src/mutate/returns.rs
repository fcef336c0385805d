//! Returns something empty: PIT's empty, false, true, null and primitive returns.
//!
//! | result | replaced by |
//! | --- | --- |
//! | `boolean`, `Boolean` | `true`, `false` |
//! | other primitive types, their boxes | 0 |
//! | `String`, `Optional`, `Stream`, `Map`, `Set`, `List`, `Collection`, `Iterable` | an empty one |
//! | other references | `null` |

use super::replacement::{NULL, ONE, ZERO};
use super::site::{Site, class_of};
use super::{Change, Kind, Means, Operator, Proposals};
use crate::opcode::*;

pub(super) const OPERATOR: Operator = Operator { name: "replace return value", find };

/// Class, number of the replacement as `covolve.runtime.Mutant` has it, and what to call it.
const EMPTY: &[(&str, u8, &str)] = &[
    ("java/lang/String", 1, "\"\""),
    ("java/util/Optional", 2, "an empty Optional"),
    ("java/util/List", 3, "an empty list"),
    ("java/util/Collection", 3, "an empty list"),
    ("java/lang/Iterable", 3, "an empty list"),
    ("java/util/Set", 4, "an empty set"),
    ("java/util/Map", 5, "an empty map"),
    ("java/util/stream/Stream", 6, "an empty stream"),
    ("java/lang/Integer", 7, "0"),
    ("java/lang/Short", 8, "0"),
    ("java/lang/Long", 9, "0"),
    ("java/lang/Character", 10, "0"),
    ("java/lang/Float", 11, "0"),
    ("java/lang/Double", 12, "0"),
    ("java/lang/Boolean", 13, "false"),
    ("java/lang/Boolean", 14, "true"),
];

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let IRETURN..=ARETURN = site.code.opcode(index) else { return };
    let Some((_, result)) = site.code.descriptor.rsplit_once(')') else { return };
    let Some(kind) = Kind::of(result) else { return };
    let pushed = site.code.only_predecessor(index).and_then(|before| site.pushed(before));
    let is_null =
        site.code.only_predecessor(index).is_some_and(|before| site.code.opcode(before) == ACONST_NULL);
    let mut add = |number: u8, to: &str| {
        let change = Change::new("the return value", to).class(class_of(result));
        proposals.add(index, Means::Return, kind, number, change);
    };
    let whole = pushed.and_then(super::site::Pushed::whole);
    match class_of(result).filter(|_| kind == Kind::Reference) {
        None if result == "Z" => {
            if whole != Some(0) {
                add(ZERO, "false");
            }
            if whole != Some(1) {
                add(ONE, "true");
            }
        }
        None if kind != Kind::Reference => {
            if whole != Some(0) {
                add(ZERO, "0");
            }
        }
        class => {
            let mut rows = EMPTY.iter().filter(|row| class.as_deref() == Some(row.0)).peekable();
            if rows.peek().is_none() && !is_null {
                add(NULL, "null");
            }
            rows.filter(|_| pushed != Some(super::site::Pushed::String(true)))
                .for_each(|row| add(row.1, row.2));
        }
    }
}
