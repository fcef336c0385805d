//! No global state: no `static` that can change and no thread-local but the handle of the JVM. Tests may share
//! what is slow to make.

use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use crate::tidy::Finding;
use crate::tidy::tree::{Tree, is_cfg_test};

/// Types that change behind a shared reference.
const CHANGING: [&str; 9] =
    ["Mutex", "RwLock", "OnceLock", "OnceCell", "LazyLock", "LazyCell", "Cell", "RefCell", "UnsafeCell"];

/// Macros that make such statics.
const MACROS: [&str; 2] = ["thread_local", "lazy_static"];

/// The file with the handle of the JVM: there is one per process.
const HANDLE: &str = "crates/jvm/src/process.rs";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, syntax) in tree.rust() {
        if file.path == HANDLE || file.is_test() {
            continue;
        }
        let mut statics = Statics { lines: Vec::new() };
        statics.visit_file(syntax);
        let what = "global state; pass a context instead";
        findings.extend(statics.lines.into_iter().map(|line| Finding {
            path: file.path.clone(),
            line,
            what: what.to_owned(),
        }));
    }
    findings
}

struct Statics {
    lines: Vec<usize>,
}

impl<'ast> Visit<'ast> for Statics {
    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        let is_mutable = matches!(item.mutability, syn::StaticMutability::Mut(_));
        let changes = words(item.ty.to_token_stream())
            .iter()
            .any(|word| CHANGING.contains(&word.as_str()) || word.starts_with("Atomic"));
        if is_mutable || changes {
            self.lines.push(item.span().start().line);
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if call.path.segments.last().is_some_and(|name| MACROS.iter().any(|known| name.ident == known)) {
            self.lines.push(call.span().start().line);
        }
        visit::visit_macro(self, call);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_cfg_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }
}

/// All identifiers in a type.
fn words(tokens: proc_macro2::TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            proc_macro2::TokenTree::Ident(word) => vec![word.to_string()],
            proc_macro2::TokenTree::Group(group) => words(group.stream()),
            proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => Vec::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statics_that_change_are_found() {
        let text = "
            static A: u32 = 1;
            static B: std::sync::Mutex<u32> = x;
            fn f() { static C: [AtomicU32; 2] = x; }
            static mut D: u32 = 1;
            thread_local! { static E: u32 = 1; }
            #[cfg(test)] mod tests { static F: OnceLock<u32> = x; }
        ";
        let tree = Tree::of(&[
            ("crates/a/src/a.rs", text),
            ("crates/jvm/src/process.rs", text),
            ("crates/a/tests/a.rs", text),
        ]);
        let found: Vec<String> = check(&tree).iter().map(|f| format!("{}:{}", f.path, f.line)).collect();
        assert_eq!(
            found,
            ["crates/a/src/a.rs:3", "crates/a/src/a.rs:4", "crates/a/src/a.rs:5", "crates/a/src/a.rs:6"]
        );
    }
}
