//! Source maps (JSR 45) as the Kotlin compiler writes them.
//!
//! ```text
//! SMAP
//! Main.kt
//! Kotlin
//! *S Kotlin
//! *F
//! + 1 Main.kt
//! org/acme/MainKt
//! + 2 Strings.kt
//! kotlin/text/StringsKt__StringsKt
//! *L
//! 1#1,20:1
//! 108#2:21
//! *E
//! ```
//!
//! A line `108#2:21` says that line 108 of file 2 has number 21 in this class.

use std::collections::BTreeMap;

/// The least number that does not stand for a line of the class's own file; none if all do, or if the map is not of
/// this form.
pub(super) fn first_inlined_line(map: &str, class: &str) -> Option<u32> {
    let mut lines = map.lines();
    if lines.next()? != "SMAP"
        || lines.nth(1)? != "Kotlin"
        || lines.next()? != "*S Kotlin"
        || lines.next()? != "*F"
    {
        return None;
    }
    let mut files = BTreeMap::new();
    loop {
        let line = lines.next()?;
        if line == "*L" {
            break;
        }
        let number = line.strip_prefix("+ ")?.split(' ').next()?;
        files.insert(number, lines.next()?);
    }
    let mut first = None;
    loop {
        let line = lines.next()?;
        if line == "*E" || line == "*S KotlinDebug" {
            return first;
        }
        let (input, output) = line.split_once(':')?;
        let (start, file) = input.split_once('#')?;
        let file = file.split(',').next()?;
        let output: u32 = output.split(',').next()?.parse().ok()?;
        let stands_for_itself = files.get(file) == Some(&class) && start.parse() == Ok(output);
        if !stands_for_itself {
            first = Some(first.map_or(output, |first: u32| first.min(output)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inlined_code_is_numbered_behind_the_file() {
        let check = |lines: &str, expect: Option<u32>| {
            let map =
                format!("SMAP\nA.kt\nKotlin\n*S Kotlin\n*F\n+ 1 A.kt\np/A\n+ 2 B.kt\np/B\n*L\n{lines}*E\n");
            assert_eq!(first_inlined_line(&map, "p/A"), expect, "{lines}");
        };
        check("1#1,20:1\n", None);
        check("1#1,20:1\n7#2:25\n108#2,3:21\n", Some(21));
        check("1#1,20:1\n5#1:21\n", Some(21));
        check("1#1,20\n", None);
    }

    #[test]
    fn other_maps_say_nothing() {
        assert_eq!(first_inlined_line("SMAP\nA.jsp\nJSP\n*S JSP\n*F\n*L\n*E\n", "p/A"), None);
        assert_eq!(first_inlined_line("", "p/A"), None);
    }
}
