//! Names that somebody may have meant.

/// Up to three candidates that are spelled nearly like the name, nearest first: (spelling, what to show).
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
    let name = name.replace('/', ".");
    let limit = (name.len() / 6).clamp(1, 4);
    let mut near: Vec<(usize, String)> = candidates
        .filter(|(spelling, _)| spelling.len().abs_diff(name.len()) <= limit)
        .map(|(spelling, shown)| (strsim::osa_distance(&spelling.replace('/', "."), &name), shown))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort();
    near.into_iter().map(|(_, shown)| shown).take(3).collect()
}

/// The nearest name of a table as the end of a sentence: one that is spelled nearly like it, else one of which it is a
/// part; empty where there is none.
pub fn did_you_mean(name: &str, table: &[&str]) -> String {
    let near = nearest(name, table.iter().map(|&known| (known, known.to_owned()))).into_iter().next();
    let is_part = |known: &&&str| name.len() > 2 && known.contains(name);
    let near = near.or_else(|| table.iter().find(is_part).map(|&known| known.to_owned()));
    near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}

/// A list in words: `a, b or c`.
pub fn one_of(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_few_and_close() {
        let check = |name: &str, expect: &[&str]| {
            let known = ["com.acme.util", "com.acme.utils", "com.acme", "org.other"];
            assert_eq!(nearest(name, known.iter().map(|&known| (known, known.to_owned()))), expect);
        };
        check("com.acme.utl", &["com.acme.util", "com.acme.utils"]);
        check("com.acne", &["com.acme"]);
        check("net.nothing", &[]);
    }

    #[test]
    fn the_nearest_name_of_a_table_is_told() {
        let check = |name: &str, expect: &str| {
            assert_eq!(did_you_mean(name, &["branch", "weak-mutation", "strong-mutation", "line"]), expect);
        };
        check("brnach", "; did you mean 'branch'?");
        check("weakmutation", "; did you mean 'weak-mutation'?");
        check("mutation", "; did you mean 'weak-mutation'?");
        check("lines", "; did you mean 'line'?");
        check("x", "");
        check("coverage", "");
    }

    #[test]
    fn lists_end_with_a_word() {
        assert_eq!(one_of(&["a", "b", "c"]), "a, b or c");
        assert_eq!(one_of(&["a"]), "a");
        assert_eq!(one_of(&[]), "");
    }
}
