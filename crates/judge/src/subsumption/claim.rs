//! What the tables of subsuming mutants claim, as questions to a solver.

use std::fmt;

use bytecode::mutate::sign::Sign;
use coverage::subsumption::{FAMILIES, is_subsuming};

use super::term::Term;

/// What a mutant is claimed to be or to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Some operands infect the mutant.
    Infectable,
    /// No operands infect the mutant.
    Equivalent,
    /// Whatever infects the other mutant infects this one.
    SubsumedBy(Sign),
    /// Something infects the other mutant and not this one.
    NotSubsumedBy(Sign),
}

/// A claim about the mutant that replaces one operator by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Claim {
    /// The operator of the code.
    pub(super) from: Sign,
    /// That of the mutant.
    pub(super) to: Sign,
    /// What is claimed.
    pub(super) kind: Kind,
}

/// Prints it as a sentence.
impl fmt::Display for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, kind } = self;
        write!(formatter, "`{from}` to `{to}` ")?;
        match kind {
            Kind::Infectable => formatter.write_str("can be infected"),
            Kind::Equivalent => formatter.write_str("cannot be infected"),
            Kind::SubsumedBy(other) => write!(formatter, "is subsumed by `{from}` to `{other}`"),
            Kind::NotSubsumedBy(other) => write!(formatter, "is not subsumed by `{from}` to `{other}`"),
        }
    }
}

/// Bits at which it is looked for which claims are to be made. Shifts need 8 to show their order.
const SMALL: u32 = 8;

impl Claim {
    /// All that the tables rest on: that mutants in them can be infected and that no other one subsumes them, and that
    /// what is not in them is subsumed by one that is, or cannot be infected. Of two that are infected by the same the
    /// first counts, and both subsume each other.
    pub(super) fn all() -> Vec<Self> {
        let mut claims = Vec::new();
        for family in FAMILIES {
            for &from in family.iter().filter(|sign| sign.is_operator()) {
                let others = || family.iter().copied().filter(move |&to| to != from);
                for to in others() {
                    let claim = |kind| Self { from, to, kind };
                    let rivals = || others().filter(move |&other| other != to);
                    if is_subsuming(from, to) {
                        claims.push(claim(Kind::Infectable));
                        claims.extend(rivals().flat_map(|other| claim(Kind::Infectable).against(other)));
                    } else {
                        let mut subsuming = rivals().filter(|&other| is_subsuming(from, other));
                        let subsumes = |other: &Sign| claim(Kind::SubsumedBy(*other)).holds_small();
                        claims.push(match subsuming.find(subsumes) {
                            Some(other) => claim(Kind::SubsumedBy(other)),
                            None => claim(Kind::Equivalent),
                        });
                    }
                }
            }
        }
        claims
    }

    /// What makes this mutant one that no other subsumes: the other cannot be infected, or something infects it alone, or
    /// both are infected by the same and the other comes later.
    fn against(self, other: Sign) -> Vec<Self> {
        let kind = |kind| Self { kind, ..self };
        let rival = |kind| Self { to: other, kind, ..self };
        if rival(Kind::Equivalent).holds_small() {
            vec![rival(Kind::Equivalent)]
        } else if kind(Kind::SubsumedBy(other)).holds_small() {
            vec![kind(Kind::SubsumedBy(other)), rival(Kind::SubsumedBy(self.to))]
        } else {
            vec![kind(Kind::NotSubsumedBy(other))]
        }
    }

    fn holds_small(self) -> bool {
        self.is_satisfied_by_some(SMALL) == self.expects_operands()
    }

    /// Whether the claim holds where there are operands that satisfy [`Claim::question`].
    pub(super) fn expects_operands(self) -> bool {
        match self.kind {
            Kind::Infectable | Kind::NotSubsumedBy(_) => true,
            Kind::Equivalent | Kind::SubsumedBy(_) => false,
        }
    }

    /// What operands are asked for.
    pub(super) fn question(self) -> Term {
        let own = infects(self.from, self.to);
        match self.kind {
            Kind::Infectable | Kind::Equivalent => own,
            Kind::SubsumedBy(other) | Kind::NotSubsumedBy(other) => {
                Term::of("and", infects(self.from, other), own.not())
            }
        }
    }

    /// Whether any operands of that many bits satisfy [`Claim::question`]: all are tried.
    pub(super) fn is_satisfied_by_some(self, width: u32) -> bool {
        let question = self.question();
        let values = || 0..1_u64 << width;
        values().any(|first| values().any(|second| question.value(width, first, second) == 1))
    }

    /// The question as a script for a solver.
    pub(super) fn script(self, width: u32) -> String {
        format!(
            "; {self}\n(set-logic QF_BV)\n(declare-const a (_ BitVec {width}))\n(declare-const b (_ BitVec {width}))\n\
             (assert {})\n(check-sat)\n",
            self.question().written(width)
        )
    }
}

/// Whether the operands infect a mutant: the original gives a result, and the mutant another one or none.
fn infects(from: Sign, to: Sign) -> Term {
    let divides = |sign: Sign| matches!(sign, Sign::Divide | Sign::Remainder);
    let by_zero = || Term::of("=", Term::Second, Term::Zero);
    let differs = Term::of("=", result(from), result(to)).not();
    match (divides(from), divides(to)) {
        (true, _) => Term::of("and", by_zero().not(), differs),
        (false, true) => Term::of("or", by_zero(), differs),
        (false, false) => differs,
    }
}

/// The result of an operator, as the JVM has it.
fn result(sign: Sign) -> Term {
    let of = |function| Term::of(function, Term::First, Term::Second);
    let swapped = |function| Term::of(function, Term::Second, Term::First);
    let shift = |function| Term::of(function, Term::First, Term::of("bvand", Term::Second, Term::Mask));
    match sign {
        Sign::Equal => of("="),
        Sign::NotEqual => of("=").not(),
        Sign::Less => of("bvslt"),
        Sign::LessOrEqual => of("bvsle"),
        Sign::Greater => swapped("bvslt"),
        Sign::GreaterOrEqual => swapped("bvsle"),
        Sign::True => Term::Apply("true", Vec::new()),
        Sign::False => Term::Apply("false", Vec::new()),
        Sign::Add => of("bvadd"),
        Sign::Subtract => of("bvsub"),
        Sign::Multiply => of("bvmul"),
        Sign::Divide => of("bvsdiv"),
        Sign::Remainder => of("bvsrem"),
        Sign::ShiftLeft => shift("bvshl"),
        Sign::ShiftRight => shift("bvashr"),
        Sign::UnsignedShiftRight => shift("bvlshr"),
        Sign::And => of("bvand"),
        Sign::Or => of("bvor"),
        Sign::Xor => of("bvxor"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a claim holds at a small width, by trying all operands of its question.
    fn check(from: Sign, to: Sign, kind: Kind, width: u32, expect: bool) {
        let claim = Claim { from, to, kind };
        assert_eq!(claim.is_satisfied_by_some(width) == claim.expects_operands(), expect, "{claim}");
    }

    #[test]
    fn true_claims_hold_and_false_ones_do_not_at_small_widths() {
        for width in [4, 5] {
            check(Sign::Less, Sign::True, Kind::SubsumedBy(Sign::LessOrEqual), width, true);
            check(Sign::Less, Sign::LessOrEqual, Kind::SubsumedBy(Sign::True), width, false);
            check(Sign::Less, Sign::LessOrEqual, Kind::NotSubsumedBy(Sign::True), width, true);
            check(Sign::And, Sign::Xor, Kind::SubsumedBy(Sign::Or), width, true);
            check(Sign::Or, Sign::Xor, Kind::SubsumedBy(Sign::And), width, false);
            check(Sign::Add, Sign::Subtract, Kind::NotSubsumedBy(Sign::Multiply), width, true);
            check(Sign::Multiply, Sign::Divide, Kind::Infectable, width, true);
            check(Sign::Multiply, Sign::Divide, Kind::Equivalent, width, false);
        }
        check(Sign::ShiftLeft, Sign::ShiftRight, Kind::SubsumedBy(Sign::UnsignedShiftRight), 4, true);
        check(Sign::ShiftLeft, Sign::UnsignedShiftRight, Kind::SubsumedBy(Sign::ShiftRight), 8, false);
    }

    #[test]
    fn every_claim_holds_at_8_bits() {
        let claims = Claim::all();
        assert!(claims.len() > 200, "{}", claims.len());
        for claim in claims {
            assert!(claim.holds_small(), "{claim}");
        }
    }

    #[test]
    fn what_throws_infects_and_where_the_original_throws_nothing_does() {
        let check = |from, to, second: u64, expect: u64| {
            assert_eq!(infects(from, to).value(8, 7, second), expect, "{from} {to}");
        };
        check(Sign::Add, Sign::Divide, 0, 1);
        check(Sign::Divide, Sign::Add, 0, 0);
        check(Sign::Divide, Sign::Remainder, 0, 0);
        check(Sign::Divide, Sign::Multiply, 1, 0);
    }

    #[test]
    fn a_script_is_read_by_any_solver() {
        let claim = Claim {
            from: Sign::ShiftLeft,
            to: Sign::ShiftRight,
            kind: Kind::SubsumedBy(Sign::UnsignedShiftRight),
        };
        assert_eq!(
            claim.script(32),
            "; `<<` to `>>` is subsumed by `<<` to `>>>`\n\
             (set-logic QF_BV)\n\
             (declare-const a (_ BitVec 32))\n\
             (declare-const b (_ BitVec 32))\n\
             (assert (and (not (= (bvshl a (bvand b (_ bv31 32))) (bvlshr a (bvand b (_ bv31 32))))) \
             (not (not (= (bvshl a (bvand b (_ bv31 32))) (bvashr a (bvand b (_ bv31 32))))))))\n\
             (check-sat)\n"
        );
    }
}
