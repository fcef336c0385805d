//! Numbers with decimals.

use super::{Format, Vocabulary, unchanged};
use crate::random::Random;

/// Numbers with decimals, or an exponent.
pub(super) const DECIMALS: Format = Format {
    name: "decimals",
    readers: &[
        ("java/lang/Double", &["parseDouble", "valueOf"]),
        ("java/lang/Float", &["parseFloat", "valueOf"]),
        ("java/math/BigDecimal", &["<init>"]),
        ("java/text/DecimalFormat", &["parse"]),
        ("java/text/NumberFormat", &["parse"]),
        ("java/util/Scanner", &["nextDouble", "nextFloat"]),
    ],
    vocabulary: Vocabulary::Nothing,
    text,
    changed: unchanged,
};

fn text(_: &[String], random: &mut Random) -> String {
    let (whole, part) = (random.below(100), random.below(1_000));
    match random.below(8) {
        0 => "0".to_owned(),
        1 => format!("-{whole}.{part}"),
        2 => format!("{whole}.{part}E{}", random.below(20)),
        3 => format!("{whole}"),
        4 => format!(".{}", 1 + part),
        _ => format!("{whole}.{}", 1 + random.below(9)),
    }
}
