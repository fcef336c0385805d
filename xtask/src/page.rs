//! Pages that hold a table between two marks, which tasks write anew.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// Where the table lies in a page.
const MARKS: [&str; 2] = ["<!-- table: begin -->", "<!-- table: end -->"];

/// Writes a page with another table.
///
/// # Errors
/// A page that cannot be read or written, or has no marks.
pub(crate) fn replace_table(page: &Path, table: &str) -> anyhow::Result<()> {
    let text = fs::read_to_string(page).with_context(|| format!("{} cannot be read", page.display()))?;
    let text = replaced(&text, table).with_context(|| format!("{} has no {}", page.display(), MARKS[0]))?;
    fs::write(page, text).with_context(|| format!("{} cannot be written", page.display()))
}

/// The page with another table between the marks.
fn replaced(page: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    Some(format!("{before}{}\n\n{table}\n\n{}{after}", MARKS[0], MARKS[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_table_of_the_page_is_replaced() {
        let page = format!("# Title\n\n{}\nold\n{}\n\nrest\n", MARKS[0], MARKS[1]);
        let expect = format!("# Title\n\n{}\n\nnew\n\n{}\n\nrest\n", MARKS[0], MARKS[1]);
        assert_eq!(replaced(&page, "new"), Some(expect));
        assert_eq!(replaced("# Title\n", "new"), None);
    }
}
