//! `unsafe` appears in `crates/jvm/src` alone, where clippy asks for a `// SAFETY:` above each block.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use crate::tidy::Finding;
use crate::tidy::tree::Tree;

/// The one folder with unsafe code, and the file that asks for the comments.
const ROOM: &str = "crates/jvm/src/";
const LINTS: &str = "crates/jvm/src/lib.rs";
const COMMENTED: &str = "#![warn(clippy::undocumented_unsafe_blocks)]";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(file) = tree.file(LINTS).filter(|file| !file.text.lines().any(|line| line == COMMENTED)) {
        let what = format!("blocks of unsafe code need no comment any more; add `{COMMENTED}`");
        findings.push(Finding { path: file.path.clone(), line: 0, what });
    }
    for (file, syntax) in tree.rust().filter(|(file, _)| !file.path.starts_with(ROOM)) {
        let mut places = Places { lines: Vec::new() };
        places.visit_file(syntax);
        findings.extend(places.lines.into_iter().map(|line| Finding {
            path: file.path.clone(),
            line,
            what: format!("unsafe code belongs into {ROOM}"),
        }));
    }
    findings
}

struct Places {
    lines: Vec<usize>,
}

impl<'ast> Visit<'ast> for Places {
    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        self.lines.push(block.span().start().line);
        visit::visit_expr_unsafe(self, block);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        if matches!(signature.safety, syn::Safety::Unsafe(_)) {
            self.lines.push(signature.span().start().line);
        }
        visit::visit_signature(self, signature);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if item.unsafety.is_some() {
            self.lines.push(item.span().start().line);
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_foreign_mod(&mut self, item: &'ast syn::ItemForeignMod) {
        self.lines.push(item.span().start().line);
        visit::visit_item_foreign_mod(self, item);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if attribute.path().is_ident("unsafe") {
            self.lines.push(attribute.span().start().line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_code_is_found_outside_its_crate() {
        let text = "fn a() { unsafe { b() } }\nunsafe fn c() {}\nunsafe impl Send for D {}\n\
                    unsafe extern \"C\" { fn e(); }\n#[unsafe(no_mangle)]\nfn f() {}\nfn g() { \"unsafe\"; }\n";
        let tree = Tree::of(&[("crates/a/src/a.rs", text), ("crates/jvm/src/a.rs", text)]);
        let found: Vec<usize> = check(&tree).iter().map(|finding| finding.line).collect();
        assert_eq!(found, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn blocks_without_a_comment_are_refused_by_clippy() {
        let check = |text: &str, expect: usize| {
            assert_eq!(check(&Tree::of(&[("crates/jvm/src/lib.rs", text)])).len(), expect, "{text}");
        };
        check("#![warn(clippy::undocumented_unsafe_blocks)]\nmod a;\n", 0);
        check("mod a;\n", 1);
    }
}
