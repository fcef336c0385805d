//! What the code of a class may carry whose instrumented code a JVM has refused: less each time, until nothing is left.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What a method may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Nothing: its code stays as it was compiled.
    Nothing,
    /// The light set of probes.
    Light,
    /// The full set of probes, but no mutants.
    WithoutMutants,
    /// Everything.
    Everything,
}

impl Level {
    /// One step less; `None` below nothing.
    fn weaker(self) -> Option<Self> {
        match self {
            Self::Everything => Some(Self::WithoutMutants),
            Self::WithoutMutants => Some(Self::Light),
            Self::Light => Some(Self::Nothing),
            Self::Nothing => None,
        }
    }
}

/// Methods of a class that are weakened alone; when another one is refused, the class is weakened as a whole, so that a
/// class is not started anew for each of its methods.
const MOST_METHODS: usize = 4;

/// What the methods of a class may carry: everything, but for what was refused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    class: Option<Level>,
    /// By name and descriptor, `name(I)V`.
    methods: BTreeMap<Arc<str>, Level>,
}

impl Limits {
    /// What a method may carry.
    pub fn of(&self, name: &str, descriptor: &str) -> Level {
        if self.methods.is_empty() {
            return self.of_class();
        }
        self.of_method(&format!("{name}{descriptor}"))
    }

    fn of_method(&self, method: &str) -> Level {
        let own = self.methods.get(method).copied().unwrap_or(Level::Everything);
        own.min(self.of_class())
    }

    fn of_class(&self) -> Level {
        self.class.unwrap_or(Level::Everything)
    }

    /// The JVM refused a method (`name(I)V`), or the class where it did not say which one. Gives what is now left to it;
    /// `None` where nothing was left before, so that what was refused is the code as it was compiled.
    pub fn weaken(&mut self, method: Option<&str>) -> Option<Level> {
        match method {
            Some(method) if self.methods.contains_key(method) || self.methods.len() < MOST_METHODS => {
                let weaker = self.of_method(method).weaker()?;
                self.methods.insert(method.into(), weaker);
                Some(weaker)
            }
            _ => {
                let weaker = self.of_class().weaker()?;
                self.class = Some(weaker);
                Some(weaker)
            }
        }
    }

    /// Whether what was refused (as for [`Limits::weaken`]) is the code as it was compiled.
    pub fn is_as_compiled(&self, method: Option<&str>) -> bool {
        self.clone().weaken(method).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::Level::*;
    use super::*;

    #[test]
    fn a_method_carries_less_each_time_it_is_refused_and_the_others_carry_everything() {
        let mut limits = Limits::default();
        for left in [WithoutMutants, Light, Nothing] {
            assert!(!limits.is_as_compiled(Some("f(I)V")));
            assert_eq!(limits.weaken(Some("f(I)V")), Some(left));
            assert_eq!((limits.of("f", "(I)V"), limits.of("g", "(I)V")), (left, Everything));
        }
        assert!(limits.is_as_compiled(Some("f(I)V")));
        assert_eq!(limits.weaken(Some("f(I)V")), None);
    }

    #[test]
    fn a_class_is_weakened_as_a_whole_when_no_method_is_named_or_many_are_refused() {
        let mut limits = Limits::default();
        assert_eq!(limits.weaken(None), Some(WithoutMutants));
        assert_eq!(limits.of("f", "()V"), WithoutMutants);
        assert_eq!(limits.weaken(Some("f()V")), Some(Light));
        assert_eq!((limits.of("f", "()V"), limits.of("g", "()V")), (Light, WithoutMutants));

        let mut limits = Limits::default();
        for method in ["a()V", "b()V", "c()V", "d()V"] {
            assert_eq!(limits.weaken(Some(method)), Some(WithoutMutants));
        }
        assert_eq!(limits.of("e", "()V"), Everything);
        assert_eq!(limits.weaken(Some("e()V")), Some(WithoutMutants));
        assert_eq!(limits.of("f", "()V"), WithoutMutants);
    }
}
