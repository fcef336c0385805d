//! No glob re-exports: what a module offers is said by name.

use syn::spanned::Spanned as _;
use syn::visit::Visit;

use crate::tidy::Finding;
use crate::tidy::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, syntax) in tree.rust() {
        let mut uses = Uses { lines: Vec::new() };
        uses.visit_file(syntax);
        findings.extend(uses.lines.into_iter().map(|line| Finding {
            path: file.path.clone(),
            line,
            what: "a glob re-export; name what is offered".to_owned(),
        }));
    }
    findings
}

struct Uses {
    lines: Vec<usize>,
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !matches!(item.vis, syn::Visibility::Inherited) && has_glob(&item.tree) {
            self.lines.push(item.span().start().line);
        }
    }
}

fn has_glob(tree: &syn::UseTree) -> bool {
    match tree {
        syn::UseTree::Path(path) => has_glob(&path.tree),
        syn::UseTree::Group(group) => group.items.iter().any(has_glob),
        syn::UseTree::Glob(_) => true,
        syn::UseTree::Name(_) | syn::UseTree::Rename(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_globs_are_found() {
        let text = "use a::*;\npub use b::{c, d::*};\npub(crate) use e::*;\npub use f::G;\n";
        let found: Vec<usize> =
            check(&Tree::of(&[("a.rs", text)])).iter().map(|finding| finding.line).collect();
        assert_eq!(found, [2, 3]);
    }
}
