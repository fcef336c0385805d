//! Files of at most 800 lines and functions of at most 80, unless a comment `// tidy: <reason>` says why: on top of the
//! file, or directly above the function.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use crate::tidy::Finding;
use crate::tidy::tree::{File, REASON, Tree, is_of_kind};

const FILE_LINES: usize = 800;
const FUNCTION_LINES: usize = 80;

/// A reason for a long file stands within so many lines from the top.
const TOP: usize = 20;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_code = |path: &str| is_of_kind(path, "rs") || is_of_kind(path, "java");
    for file in tree.files.iter().filter(|file| is_code(&file.path)) {
        let lines = file.text.lines().count();
        if lines > FILE_LINES && !file.text.lines().take(TOP).any(|line| line.starts_with(REASON)) {
            let what = format!("{lines} lines; split the file, or say on top why not: `{REASON}<reason>`");
            findings.push(Finding { path: file.path.clone(), line: 0, what });
        }
    }
    for (file, syntax) in tree.rust() {
        let mut functions = Functions { file, findings: &mut findings };
        functions.visit_file(syntax);
    }
    findings
}

struct Functions<'a> {
    file: &'a File,
    findings: &'a mut Vec<Finding>,
}

impl Functions<'_> {
    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let (first, last) = (signature.span().start().line, block.span().end().line);
        let length = last + 1 - first;
        if length > FUNCTION_LINES && !self.file.has_reason(first) {
            let what = format!(
                "`{}` has {length} lines; split it, or say above it why not: `{REASON}<reason>`",
                signature.ident
            );
            self.findings.push(Finding { path: self.file.path.clone(), line: first, what });
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.function(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.function(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.function(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_functions_need_a_reason() {
        let body = "    x();\n".repeat(FUNCTION_LINES - 1);
        let text = format!(
            "fn long() {{\n{body}}}\n\n/// Doc.\n// tidy: a table\n#[inline]\nfn table() {{\n{body}}}\n\nimpl A {{\nfn \
             method() {{\n{body}}}\n}}\nfn short() {{\n{}}}\n",
            "    x();\n".repeat(FUNCTION_LINES - 2)
        );
        let found: Vec<usize> =
            check(&Tree::of(&[("a.rs", &text)])).iter().map(|finding| finding.line).collect();
        assert_eq!(found, [1, 2 * FUNCTION_LINES + 9]);
    }

    #[test]
    fn long_files_need_a_reason() {
        let text = "//! Doc.\n".repeat(FILE_LINES + 1);
        let reasoned = format!("// tidy: one long table\n{text}");
        let tree = Tree::of(&[("a.rs", &text), ("b.rs", &reasoned), ("c.java", &text), ("d.csv", &text)]);
        let found: Vec<String> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(found, ["a.rs", "c.java"]);
    }
}
