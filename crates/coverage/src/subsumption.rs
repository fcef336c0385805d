//! Which mutants of one instruction subsume the others: who kills these kills all.
//!
//! Zhou et al. 2023 (smart selection), §3.4: of the key operators for relations, arithmetic and bits only subsuming
//! mutants guide. The paper takes its tables from elsewhere; those here are derived. A mutant is infected by the operands
//! for which it gives another result than the original; it is subsumed by another one that is infected by fewer of them,
//! and by the first of several that are infected by the same.
//!
//! For relations the derivation is complete: all that counts is the order of the operands. For arithmetic and bits it
//! goes through all pairs of 8 bits, overflow and shift distances as in the JVM; where the second operand of `/` or `%`
//! is 0 there is no result to tell from another. `cargo xtask subsumption` has an SMT solver prove each claim of the table
//! for 32 and 64 bits.

/// Signs of an operator, and of those that replace it in subsuming mutants.
const SUBSUMING: [(&str, &[&str]); 17] = [
    ("==", &["<=", ">=", "false"]),
    ("!=", &["<", ">", "true"]),
    ("<", &["!=", "<=", "false"]),
    (">=", &["==", ">", "true"]),
    (">", &["!=", ">=", "false"]),
    ("<=", &["==", "<", "true"]),
    ("+", &["-", "*", "/", "%"]),
    ("-", &["+", "*", "/", "%"]),
    ("*", &["+", "-", "/", "%"]),
    ("/", &["+", "-", "*", "%"]),
    ("%", &["+", "-", "*", "/"]),
    ("<<", &[">>>"]),
    (">>", &[">>>"]),
    (">>>", &["<<", ">>"]),
    ("&", &["|"]),
    ("|", &["&", "^"]),
    ("^", &["|"]),
];

/// Operators that replace each other, by their signs; `true` and `false` take the place of relations only.
pub const FAMILIES: [&[&str]; 4] = [
    &["==", "!=", "<", "<=", ">", ">=", "true", "false"],
    &["+", "-", "*", "/", "%"],
    &["<<", ">>", ">>>"],
    &["&", "|", "^"],
];

/// Whether a sign of [`FAMILIES`] stands in code, and not for a mutant alone.
pub fn is_operator(sign: &str) -> bool {
    !matches!(sign, "true" | "false")
}

/// Whether the mutant that replaces one operator by another subsumes others of its kind, or is subsumed by none.
pub fn is_subsuming(from: &str, to: &str) -> bool {
    SUBSUMING.iter().any(|(own, others)| *own == from && others.contains(&to))
}

#[cfg(test)]
mod tests {
    use fixedbitset::FixedBitSet;

    use super::*;

    fn result(sign: &str, a: i8, b: i8) -> Option<i8> {
        let distance = u32::from(b.cast_unsigned() & 7);
        Some(match sign {
            "==" => i8::from(a == b),
            "!=" => i8::from(a != b),
            "<" => i8::from(a < b),
            "<=" => i8::from(a <= b),
            ">" => i8::from(a > b),
            ">=" => i8::from(a >= b),
            "true" => 1,
            "false" => 0,
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "/" if b == 0 => return None,
            "/" => a.wrapping_div(b),
            "%" if b == 0 => return None,
            "%" => a.wrapping_rem(b),
            "<<" => a.wrapping_shl(distance),
            ">>" => a.wrapping_shr(distance),
            ">>>" => a.cast_unsigned().wrapping_shr(distance).cast_signed(),
            "&" => a & b,
            "|" => a | b,
            "^" => a ^ b,
            other => panic!("{other}"),
        })
    }

    /// Pairs of operands that infect the mutant. Where the original throws nothing is told apart.
    fn infecting(from: &str, to: &str) -> FixedBitSet {
        let pairs = (i8::MIN..=i8::MAX).flat_map(|a| (i8::MIN..=i8::MAX).map(move |b| (a, b)));
        let infects = |(a, b)| result(from, a, b).is_some_and(|own| result(to, a, b) != Some(own));
        pairs.enumerate().filter(|(_, pair)| infects(*pair)).map(|(index, _)| index).collect()
    }

    #[test]
    fn the_table_is_what_all_pairs_of_operands_of_8_bits_show() {
        for family in FAMILIES {
            for from in family.iter().filter(|sign| is_operator(sign)) {
                let others: Vec<&&str> = family.iter().filter(|to| *to != from).collect();
                let sets: Vec<FixedBitSet> = others.iter().map(|to| infecting(from, to)).collect();
                for (index, to) in others.iter().enumerate() {
                    let own = &sets[index];
                    let is_subsumed = (0..sets.len()).any(|other| {
                        other != index
                            && !sets[other].is_clear()
                            && sets[other].is_subset(own)
                            && (!own.is_subset(&sets[other]) || other < index)
                    });
                    assert_eq!(is_subsuming(from, to), !is_subsumed && !own.is_clear(), "{from} by {to}");
                }
            }
        }
    }
}
