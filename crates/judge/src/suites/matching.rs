//! Which of our mutants are PIT's: by class, method, line, what is replaced by what, and order in the code where that
//! leaves a choice.

use std::collections::BTreeMap;

use anyhow::Result;
use bytecode::analysis::{AnalysisOptions, ProbeIds, analyze};
use bytecode::class_file::ClassFile;
use bytecode::method_code::MethodCode;
use bytecode::mutate::operator::MutationOperator;
use bytecode::name::ClassName;
use bytecode::opcode::{ARETURN, IRETURN};

use super::pit::PitMutant;

/// One of our mutants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnMutant {
    /// Binary name.
    pub(crate) class: String,
    /// Name and descriptor.
    pub(crate) method: String,
    /// Its number among those of the method.
    pub(crate) ordinal: usize,
    pub(crate) line: Option<u32>,
    /// The change in words.
    pub(crate) words: String,
    instruction: u32,
    operator: MutationOperator,
    from: String,
    to: String,
    /// Whether the instruction behind it returns a value.
    precedes_return: bool,
}

/// What pairs a mutant of PIT with one of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pair {
    /// Ours, by its place in the list.
    Own(usize),
    /// None of ours does the same there.
    Missing,
    /// Several do, and not as many as PIT has.
    Ambiguous,
}

/// What each conditions boundary is, and what its negation.
const CONDITIONS: [(&str, &str, &str); 6] = [
    ("<", "<=", ">="),
    ("<=", "<", ">"),
    (">", ">=", "<="),
    (">=", ">", "<"),
    ("==", "", "!="),
    ("!=", "", "=="),
];

/// What negates a condition on a size as well.
const SIZES: [(&str, &str); 2] = [(">", "=="), ("<=", "!=")];

/// How PIT describes what it does to operators. The first that fits counts.
const MATHS: [(&str, &str, &str); 11] = [
    ("addition with subtraction", "+", "-"),
    ("subtraction with addition", "-", "+"),
    ("multiplication with division", "*", "/"),
    ("division with multiplication", "/", "*"),
    ("modulus with multiplication", "%", "*"),
    ("bitwise AND with OR", "&", "|"),
    ("bitwise OR with AND", "|", "&"),
    ("XOR with AND", "^", "&"),
    ("Unsigned Shift Right with Shift Left", ">>>", "<<"),
    ("Shift Left with Shift Right", "<<", ">>"),
    ("Shift Right with Shift Left", ">>", "<<"),
];

/// Our mutants of classes, in the order of the code.
pub(crate) fn own_mutants(nest: &[(ClassName, Vec<u8>)]) -> Result<Vec<OwnMutant>> {
    let mut found = Vec::new();
    let options = AnalysisOptions { mutants: true, ..AnalysisOptions::default() };
    for (name, bytes) in nest {
        let class = ClassFile::parse(bytes)?;
        let map = analyze(&class, options, &mut ProbeIds::default())?.map;
        let mut codes = BTreeMap::new();
        for index in 0..class.methods.len() {
            if let Ok(Some(code)) = MethodCode::read(&class, index) {
                codes.insert(format!("{}{}", code.name, code.descriptor), code);
            }
        }
        for method in map.methods.iter().filter(|method| method.is_goal) {
            let signature = format!("{}{}", method.name, method.descriptor);
            let code = codes.get(&signature);
            for (ordinal, mutant) in method.mutants.iter().enumerate() {
                let next = mutant.instruction.0 as usize + 1;
                let returns = |code: &&MethodCode<'_>| {
                    next < code.len() && (IRETURN..=ARETURN).contains(&code.opcode(next))
                };
                found.push(OwnMutant {
                    class: name.binary(),
                    method: signature.clone(),
                    ordinal,
                    line: mutant.line,
                    words: mutant.words.to_string(),
                    instruction: mutant.instruction.0,
                    operator: mutant.operator,
                    from: mutant.from.to_string(),
                    to: mutant.to.to_string(),
                    precedes_return: code.is_some_and(|code| returns(&code)),
                });
            }
        }
    }
    Ok(found)
}

/// For each of PIT's mutants the one of ours that does the same.
pub(crate) fn pair(own: &[OwnMutant], pit: &[PitMutant]) -> Vec<Pair> {
    let mut pairs = vec![Pair::Missing; pit.len()];
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, mutant) in pit.iter().enumerate() {
        let key = (&mutant.class, &mutant.method, mutant.line, &mutant.mutator, &mutant.description);
        groups.entry(key).or_default().push(index);
    }
    for ((class, method, line, ..), mut group) in groups {
        group.sort_by_key(|&index| pit.get(index).map(|mutant| mutant.indexes.clone()));
        let Some(first) = group.first().and_then(|&index| pit.get(index)) else { continue };
        // By the instruction that PIT changes; the return itself before what stands before it.
        let mut ours: BTreeMap<u32, (u8, usize)> = BTreeMap::new();
        let of_line = own.iter().enumerate().filter(|(_, mutant)| {
            (&mutant.class, &mutant.method, mutant.line) == (class, method, Some(line))
        });
        for (index, mutant) in of_line {
            if let Some((place, rank)) = coincides(mutant, first) {
                let best = ours.entry(place).or_insert((rank, index));
                *best = (*best).min((rank, index));
            }
        }
        let found: Vec<Pair> = match ours.len() {
            0 => continue,
            count if count == group.len() => ours.values().map(|&(_, index)| Pair::Own(index)).collect(),
            _ => vec![Pair::Ambiguous; group.len()],
        };
        for (index, pair) in group.into_iter().zip(found) {
            if let Some(place) = pairs.get_mut(index) {
                *place = pair;
            }
        }
    }
    pairs
}

/// The instruction that PIT changes, and how directly ours does the same, if it does.
fn coincides(own: &OwnMutant, pit: &PitMutant) -> Option<(u32, u8)> {
    let change = (own.from.as_str(), own.to.as_str());
    let here = |fits: bool| fits.then_some((own.instruction, 0));
    match pit.mutator.as_str() {
        "ConditionalsBoundaryMutator" => {
            here(CONDITIONS.iter().any(|&(from, boundary, _)| change == (from, boundary)))
        }
        "NegateConditionalsMutator" => {
            let negates = own.words == "negated the condition"
                || CONDITIONS.iter().any(|&(from, _, negation)| change == (from, negation));
            // Sizes are never negative: there the shorter one is kept of two that are the same.
            here(negates).or_else(|| SIZES.contains(&change).then_some((own.instruction, 1)))
        }
        "MathMutator" => {
            let math = MATHS.iter().find(|(words, ..)| pit.description.contains(words))?;
            here(change == (math.1, math.2))
        }
        "IncrementsMutator" => here(own.operator == MutationOperator::Increment),
        "InvertNegsMutator" => here(own.operator == MutationOperator::Negative),
        "VoidMethodCallMutator" | "NonVoidMethodCallMutator" => {
            let name = pit.description.rsplit_once("::")?.1;
            here(own.operator == MutationOperator::Call && own.from == format!("call of {name}"))
        }
        mutator => {
            let to = match mutator {
                "BooleanFalseReturnValsMutator" => &["false", "0"][..],
                "BooleanTrueReturnValsMutator" => &["true", "1"][..],
                "PrimitiveReturnsMutator" => &["0"][..],
                "NullReturnValsMutator" => &["null"][..],
                "EmptyObjectReturnValsMutator" => empty_of(&pit.description),
                _ => return None,
            };
            if !to.contains(&change.1) {
                return None;
            }
            if own.operator == MutationOperator::Returns {
                here(true)
            } else {
                own.precedes_return.then_some((own.instruction + 1, 1))
            }
        }
    }
}

/// What we call what PIT returns in place of an object.
fn empty_of(description: &str) -> &'static [&'static str] {
    const EMPTY: [(&str, &[&str]); 9] = [
        ("with \"\"", &["\"\""]),
        ("Collections.emptyList", &["an empty list"]),
        ("Collections.emptySet", &["an empty set"]),
        ("Collections.emptyMap", &["an empty map"]),
        ("Optional.empty", &["an empty Optional"]),
        ("Stream.empty", &["an empty stream"]),
        ("with 0", &["0"]),
        ("with False", &["false"]),
        ("with True", &["true"]),
    ];
    EMPTY.iter().find(|(words, _)| description.contains(words)).map_or(&[], |(_, to)| to)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn own(
        instruction: u32,
        operator: MutationOperator,
        from: &str,
        to: &str,
        precedes_return: bool,
    ) -> OwnMutant {
        OwnMutant {
            class: "A".to_owned(),
            method: "m()V".to_owned(),
            ordinal: 0,
            line: Some(1),
            words: format!("replaced {from} by {to}"),
            instruction,
            operator,
            from: from.to_owned(),
            to: to.to_owned(),
            precedes_return,
        }
    }

    fn pit(index: u32, mutator: &str, description: &str) -> PitMutant {
        PitMutant {
            class: "A".to_owned(),
            method: "m()V".to_owned(),
            line: 1,
            mutator: mutator.to_owned(),
            description: description.to_owned(),
            indexes: vec![index],
            status: "KILLED".to_owned(),
            killing: BTreeSet::new(),
            covering: BTreeSet::new(),
        }
    }

    #[test]
    fn mutants_are_paired_in_the_order_of_the_code() {
        let ours = [
            own(2, MutationOperator::Comparison, "<", "<=", false),
            own(2, MutationOperator::Comparison, "<", ">=", false),
            own(5, MutationOperator::Comparison, ">", ">=", false),
            own(8, MutationOperator::Arithmetic, "+", "-", true),
            own(9, MutationOperator::Constant, "5", "0", true),
            own(20, MutationOperator::Returns, "the return value", "0", false),
        ];
        let boundary = |index| pit(index, "ConditionalsBoundaryMutator", "changed conditional boundary");
        let check = |pits: &[PitMutant], expect: &[Pair]| assert_eq!(pair(&ours, pits), expect);
        check(&[boundary(31), boundary(12)], &[Pair::Own(2), Pair::Own(0)]);
        check(&[boundary(31)], &[Pair::Ambiguous]);
        check(&[pit(9, "NegateConditionalsMutator", "negated conditional")], &[Pair::Own(1)]);
        check(&[pit(9, "MathMutator", "Replaced integer addition with subtraction")], &[Pair::Own(3)]);
        check(&[pit(9, "MathMutator", "Replaced long division with multiplication")], &[Pair::Missing]);
        // What stands before a return may do what PIT does to the return.
        let zero = |index| pit(index, "PrimitiveReturnsMutator", "replaced int return with 0 for A::m");
        check(&[zero(4), zero(7)], &[Pair::Own(4), Pair::Own(5)]);
    }
}
