//! What is observed of a value, and what a test asserts of it: data shared by output goals, assertion
//! generation and the JUnit writer.

use bytecode::name::ClassName;
use serde::{Deserialize, Serialize};

use crate::cluster::{CallableId, FieldId};
use crate::execution::Thrown;
use crate::statement::VarRef;
use crate::test_case::TestCase;
use crate::value::Value;

/// Types of the JDK whose values are asserted by their size, as `size()` tells it.
pub const SIZED: [&str; 2] = ["java/util/Collection", "java/util/Map"];

/// When and what to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObservationPoint {
    /// The statement behind which the value is read.
    pub after: VarRef,
    /// What is read.
    pub target: ObservationTarget,
}

/// What is read of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ObservationTarget {
    /// The value itself.
    Value(VarRef),
    /// The result of a method without parameters called on it.
    Inspector(VarRef, CallableId),
    /// A public field of it.
    Field(VarRef, FieldId),
    /// Whether two references are the same object.
    Same(VarRef, VarRef),
}

/// A value as a test can assert it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ObservedValue {
    /// `null`
    Null,
    /// A primitive value or a string.
    Primitive(Value),
    /// A value of a boxed type.
    Boxed(Value),
    /// An enum constant: class and name.
    EnumConstant(ClassName, String),
    /// A `java.lang.Class`: its binary name, as `Class.getName` gives it.
    Class(String),
    /// An array whose elements can all be asserted, up to a length the executor bounds.
    Array(Vec<ObservedValue>),
    /// Another object: its class, and its size where it is a collection, map or array too long to list.
    Object {
        /// The run-time class.
        class: ClassName,
        /// Number of elements.
        size: Option<u32>,
    },
}

/// Something a test asserts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Assertion {
    /// The statement behind which it stands.
    pub after: VarRef,
    /// What it reads.
    pub target: ObservationTarget,
    /// What it expects. For [`ObservationTarget::Same`] a boolean.
    pub expected: ObservedValue,
}

/// A test case with what it asserts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssertedTest {
    /// The statements. When an exception is expected, its statement is the last one.
    pub test: TestCase,
    /// Assertions, ascending by position.
    pub assertions: Vec<Assertion>,
    /// The exception that the last statement throws.
    pub expected: Option<Thrown>,
    /// Goals that it covers, as indices into the session's goals, ascending.
    pub goals: Vec<u32>,
    /// The goals among these that only assertions cover, ascending, each with the indices of the assertions of which any
    /// does.
    pub kills: Vec<(u32, Vec<usize>)>,
}

impl AssertedTest {
    /// Goals that it covers with these assertions alone, ascending.
    pub fn goals_with(&self, assertions: &[usize]) -> Vec<u32> {
        let is_left = |goal: &&u32| {
            let kills = self.kills.binary_search_by_key(*goal, |(goal, _)| *goal);
            kills.map_or(true, |index| self.kills[index].1.iter().any(|by| assertions.contains(by)))
        };
        self.goals.iter().filter(is_left).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_that_assertions_cover_goes_with_the_last_of_them() {
        let test = AssertedTest {
            test: TestCase::default(),
            assertions: Vec::new(),
            expected: None,
            goals: vec![2, 3, 5],
            kills: vec![(3, vec![0, 2]), (5, vec![1])],
        };
        for (assertions, expect) in
            [(vec![0, 1, 2], vec![2, 3, 5]), (vec![2], vec![2, 3]), (vec![1], vec![2, 5]), (vec![], vec![2])]
        {
            assert_eq!(test.goals_with(&assertions), expect, "{assertions:?}");
        }
    }
}
