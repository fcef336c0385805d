//! Names of classes that are left out, as users write them.

use crate::failure::Failure;

/// A class or package with all below it, or with `*` a text in which that stands for any characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassPattern {
    /// What lies between the stars.
    parts: Vec<String>,
}

impl ClassPattern {
    /// Reads the value of `--exclude`.
    ///
    /// # Errors
    /// It is no text that a name could have.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let is_legal = |c: char| !c.is_whitespace() && !c.is_control() && !";[/<>:".contains(c);
        if text.is_empty() || !text.chars().all(is_legal) {
            return Err(Failure::usage(format!(
                "--exclude {text} is no pattern; give a class or package such as com.acme.gen, or with stars such as *Dto"
            )));
        }
        Ok(Self { parts: text.split('*').map(str::to_owned).collect() })
    }

    /// Whether a class of this binary name is meant.
    pub fn matches(&self, binary: &str) -> bool {
        match self.parts.as_slice() {
            [] => false,
            [name] => binary
                .strip_prefix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '$']) || name.ends_with('.')),
            [first, middle @ .., last] => {
                let Some(mut rest) = binary.strip_prefix(first.as_str()) else { return false };
                // The first place of each part leaves the most for those behind it.
                for part in middle {
                    let Some(place) = rest.find(part.as_str()) else { return false };
                    rest = &rest[place + part.len()..];
                }
                rest.ends_with(last.as_str())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_name_or_has_stars() {
        let check = |pattern: &str, binary: &str, expect: bool| {
            let found = ClassPattern::parse(pattern).unwrap().matches(binary);
            assert_eq!(found, expect, "{pattern} {binary}");
        };
        check("com.acme.gen", "com.acme.gen.Foo", true);
        check("com.acme.gen", "com.acme.generic.Foo", false);
        check("com.acme.Foo", "com.acme.Foo", true);
        check("com.acme.Foo", "com.acme.Foo$Inner", true);
        check("com.acme.Foo", "com.acme.FooBar", false);
        check("*Dto", "com.acme.UserDto", true);
        check("*Dto", "com.acme.UserDtos", false);
        check("com.*.gen.*", "com.acme.x.gen.Foo", true);
        check("com.*.gen.*", "com.gen.Foo", false);
        check("*a*a*", "a", false);
        check("*", "p.A", true);
    }

    #[test]
    fn what_no_name_can_be_is_refused() {
        for text in ["", "a/B", "a b"] {
            assert!(ClassPattern::parse(text).unwrap_err().sentence.starts_with("--exclude "), "{text}");
        }
    }
}
