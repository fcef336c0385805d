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

use bytecode::mutate::sign::Sign;

/// Operators that replace each other; `true` and `false` take the place of relations only.
pub const FAMILIES: [&[Sign]; 4] = [
    &[
        Sign::Equal,
        Sign::NotEqual,
        Sign::Less,
        Sign::LessOrEqual,
        Sign::Greater,
        Sign::GreaterOrEqual,
        Sign::True,
        Sign::False,
    ],
    &[Sign::Add, Sign::Subtract, Sign::Multiply, Sign::Divide, Sign::Remainder],
    &[Sign::ShiftLeft, Sign::ShiftRight, Sign::UnsignedShiftRight],
    &[Sign::And, Sign::Or, Sign::Xor],
];

/// The operators that replace one in subsuming mutants: those that subsume others of their family, or that none subsumes.
pub fn subsuming(from: Sign) -> &'static [Sign] {
    match from {
        Sign::Equal => &[Sign::LessOrEqual, Sign::GreaterOrEqual, Sign::False],
        Sign::NotEqual => &[Sign::Less, Sign::Greater, Sign::True],
        Sign::Less => &[Sign::NotEqual, Sign::LessOrEqual, Sign::False],
        Sign::GreaterOrEqual => &[Sign::Equal, Sign::Greater, Sign::True],
        Sign::Greater => &[Sign::NotEqual, Sign::GreaterOrEqual, Sign::False],
        Sign::LessOrEqual => &[Sign::Equal, Sign::Less, Sign::True],
        // They stand in no code.
        Sign::True | Sign::False => &[],
        Sign::Add => &[Sign::Subtract, Sign::Multiply, Sign::Divide, Sign::Remainder],
        Sign::Subtract => &[Sign::Add, Sign::Multiply, Sign::Divide, Sign::Remainder],
        Sign::Multiply => &[Sign::Add, Sign::Subtract, Sign::Divide, Sign::Remainder],
        Sign::Divide => &[Sign::Add, Sign::Subtract, Sign::Multiply, Sign::Remainder],
        Sign::Remainder => &[Sign::Add, Sign::Subtract, Sign::Multiply, Sign::Divide],
        Sign::ShiftLeft | Sign::ShiftRight => &[Sign::UnsignedShiftRight],
        Sign::UnsignedShiftRight => &[Sign::ShiftLeft, Sign::ShiftRight],
        Sign::And | Sign::Xor => &[Sign::Or],
        Sign::Or => &[Sign::And, Sign::Xor],
    }
}

/// Whether the mutant that replaces one operator by another subsumes others of its family, or is subsumed by none.
pub fn is_subsuming(from: Sign, to: Sign) -> bool {
    subsuming(from).contains(&to)
}

#[cfg(test)]
mod tests {
    use fixedbitset::FixedBitSet;

    use super::*;

    fn result(sign: Sign, a: i8, b: i8) -> Option<i8> {
        let distance = u32::from(b.cast_unsigned() & 7);
        Some(match sign {
            Sign::Equal => i8::from(a == b),
            Sign::NotEqual => i8::from(a != b),
            Sign::Less => i8::from(a < b),
            Sign::LessOrEqual => i8::from(a <= b),
            Sign::Greater => i8::from(a > b),
            Sign::GreaterOrEqual => i8::from(a >= b),
            Sign::True => 1,
            Sign::False => 0,
            Sign::Add => a.wrapping_add(b),
            Sign::Subtract => a.wrapping_sub(b),
            Sign::Multiply => a.wrapping_mul(b),
            Sign::Divide if b == 0 => return None,
            Sign::Divide => a.wrapping_div(b),
            Sign::Remainder if b == 0 => return None,
            Sign::Remainder => a.wrapping_rem(b),
            Sign::ShiftLeft => a.wrapping_shl(distance),
            Sign::ShiftRight => a.wrapping_shr(distance),
            Sign::UnsignedShiftRight => a.cast_unsigned().wrapping_shr(distance).cast_signed(),
            Sign::And => a & b,
            Sign::Or => a | b,
            Sign::Xor => a ^ b,
        })
    }

    /// Pairs of operands that infect the mutant. Where the original throws nothing is told apart.
    fn infecting(from: Sign, to: Sign) -> FixedBitSet {
        let pairs = (i8::MIN..=i8::MAX).flat_map(|a| (i8::MIN..=i8::MAX).map(move |b| (a, b)));
        let infects = |(a, b)| result(from, a, b).is_some_and(|own| result(to, a, b) != Some(own));
        pairs.enumerate().filter(|(_, pair)| infects(*pair)).map(|(index, _)| index).collect()
    }

    #[test]
    fn the_table_is_what_all_pairs_of_operands_of_8_bits_show() {
        for family in FAMILIES {
            for &from in family.iter().filter(|sign| sign.is_operator()) {
                let others: Vec<Sign> = family.iter().copied().filter(|&to| to != from).collect();
                let sets: Vec<FixedBitSet> = others.iter().map(|&to| infecting(from, to)).collect();
                for (index, &to) in others.iter().enumerate() {
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
