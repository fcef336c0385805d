//! Numbers that tell more than others.
//!
//! With a 0 or a 1 most mutants of arithmetic give what the original gives, and so do those that take one of two equal numbers for the
//! other. Of different primes hardly any: a call that gets them kills at once what took ten tests with plain numbers.

use testcase::test_case::TestCase;
use testcase::value::Value;

use crate::inputs::with_own_inputs;

/// The numbers, in the order in which a test passes them.
const PRIMES: [i64; 40] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
    107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173,
];

/// Fewer numbers do not tell more.
const FEWEST: usize = 2;

/// Which numbers become others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Those with a fraction: whole ones are often indices and sizes.
    Floating,
    /// All.
    All,
}

impl Numbers {
    pub(super) const ALL: [Self; 2] = [Self::Floating, Self::All];

    /// A number of the same type as a value; `None` where the value is to stay.
    fn like(self, value: &Value, number: i64) -> Option<Value> {
        match value {
            Value::Float(_) => Some(Value::Float(number as f32)),
            Value::Double(_) => Some(Value::Double(number as f64)),
            Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) => match self {
                Self::Floating => None,
                Self::All => Some(Value::from_integer(value.primitive_type()?, number)),
            },
            Value::Boolean(_) | Value::Char(_) | Value::String(_) => None,
        }
    }
}

/// The test with another prime in the place of each such number that it passes; `None` where it passes too few or too many.
pub(super) fn telling(test: &TestCase, numbers: Numbers) -> Option<TestCase> {
    let mut primes = PRIMES.iter();
    let (mut passed, mut have_primes) = (0, true);
    let changed = with_own_inputs(test, &mut |place| {
        numbers.like(place.value, 0)?;
        let prime = primes.next().and_then(|prime| numbers.like(place.value, *prime));
        have_primes &= prime.is_some();
        passed += 1;
        prime
    });
    (have_primes && passed >= FEWEST && changed != *test).then_some(changed)
}

#[cfg(test)]
mod tests {
    use testcase::statement::{Statement, VarRef};

    use super::*;

    #[test]
    fn each_number_that_is_passed_becomes_another_prime() {
        let input = |value: Value| Statement::Primitive { value, boxed: false };
        let write = |value: usize| {
            let (array, value) = (VarRef::from(0), VarRef::from(value));
            Statement::ArrayWrite { array, index: 0, value }
        };
        let array = Statement::Array { of: testcase::cluster::TypeId::OBJECT, length: 3 };
        // The first number is passed twice, the text stays.
        let test = |values: [Value; 3], uses: &[usize]| {
            let mut statements = vec![array.clone()];
            statements.extend(values.map(input));
            statements.extend(uses.iter().map(|&value| write(value)));
            TestCase::new(statements)
        };
        let (zero, text) = (Value::Double(0.0), Value::String("a".into()));
        let before = test([zero.clone(), Value::Int(1), text.clone()], &[1, 1, 2, 3]);
        let passed = |test: &TestCase| {
            let value = |statement: &Statement| {
                let Statement::ArrayWrite { value, .. } = statement else { return None };
                let Statement::Primitive { value, .. } = test.statement(*value) else { return None };
                Some(value.clone())
            };
            test.statements().iter().filter_map(value).collect::<Vec<Value>>()
        };
        let [two, three] = [2.0, 3.0].map(Value::Double);
        let floating = telling(&before, Numbers::Floating).unwrap();
        assert_eq!(passed(&floating), [two.clone(), three.clone(), Value::Int(1), text.clone()]);
        let all = telling(&before, Numbers::All).unwrap();
        assert_eq!(passed(&all), [two, three, Value::Int(5), text.clone()]);
        assert_eq!(all.len(), 9, "nothing is left of the numbers before: {all:?}");
        assert_eq!(telling(&all, Numbers::All), None);
        // One number tells no more than another.
        assert_eq!(telling(&test([zero, Value::Int(1), text], &[1, 3]), Numbers::All), None);
    }
}
