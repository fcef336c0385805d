//! Closed sets are matched without `_ =>`, so that the compiler lists what a new variant asks for. A comment
//! `// tidy: <reason>` directly above the `match` says why one is not.
//!
//! What counts is a `match` on one value whose arms name variants of a set and whose last arm takes the rest. `matches!`,
//! `if let`, and a `match` on a pair ask a question about certain variants and are left alone.

use std::collections::{BTreeMap, BTreeSet};

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use crate::tidy::Finding;
use crate::tidy::tree::{REASON, Tree, is_cfg_test};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut sets = Sets { variants: BTreeMap::new() };
    for (_, syntax) in tree.rust().filter(|(file, _)| file.is_source_of_crate()) {
        sets.visit_file(syntax);
    }
    let mut findings = Vec::new();
    for (file, syntax) in tree.rust().filter(|(file, _)| file.is_source_of_crate()) {
        let mut matches = Matches { sets: &sets, implemented: None, found: Vec::new() };
        matches.visit_file(syntax);
        findings.extend(matches.found.into_iter().filter(|(line, _)| !file.has_reason(*line)).map(
            |(line, set)| Finding {
                path: file.path.clone(),
                line,
                what: format!(
                    "a `match` on the closed set `{set}` takes the rest with one arm; write the variants out, or say above \
                     it why not: `{REASON}<reason>`"
                ),
            },
        ));
    }
    findings
}

/// The variants of enums by the enum's name.
struct Sets {
    variants: BTreeMap<String, BTreeSet<String>>,
}

impl<'ast> Visit<'ast> for Sets {
    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        let variants = item.variants.iter().map(|variant| variant.ident.to_string());
        self.variants.entry(item.ident.to_string()).or_default().extend(variants);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_cfg_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }
}

struct Matches<'s> {
    sets: &'s Sets,
    /// The type of the surrounding `impl`.
    implemented: Option<String>,
    /// Lines and sets.
    found: Vec<(usize, String)>,
}

impl Matches<'_> {
    /// The set of which a pattern names a variant.
    fn set(&self, pattern: &syn::Pat) -> Option<String> {
        let path = match pattern {
            syn::Pat::Path(path) => &path.path,
            syn::Pat::Struct(of) => &of.path,
            syn::Pat::TupleStruct(of) => &of.path,
            syn::Pat::Reference(of) => return self.set(&of.pat),
            syn::Pat::Paren(of) => return self.set(&of.pat),
            syn::Pat::Guard(of) => return self.set(&of.pat),
            syn::Pat::Or(of) => return of.cases.iter().find_map(|case| self.set(case)),
            syn::Pat::Ident(of) => return self.set(&of.subpat.as_ref()?.1),
            _ => return None,
        };
        let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (variant, set) = (names.next()?, names.next()?);
        let set = if set == "Self" { self.implemented.clone()? } else { set };
        self.sets.variants.get(&set).is_some_and(|variants| variants.contains(&variant)).then_some(set)
    }
}

impl<'ast> Visit<'ast> for Matches<'_> {
    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        let takes_rest = expression.arms.iter().any(|arm| takes_all(&arm.pat));
        if let Some(set) = expression.arms.iter().find_map(|arm| self.set(&arm.pat)).filter(|_| takes_rest) {
            self.found.push((expression.span().start().line, set));
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let outer = self.implemented.take();
        if let syn::Type::Path(of) = &*item.self_ty {
            self.implemented = of.path.segments.last().map(|segment| segment.ident.to_string());
        }
        visit::visit_item_impl(self, item);
        self.implemented = outer;
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_cfg_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }
}

/// Whether a pattern takes every value: `_`, or a name for it.
fn takes_all(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(name) => {
            name.subpat.is_none() && name.ident.to_string().starts_with(|first: char| first.is_lowercase())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET: (&str, &str) = ("crates/a/src/set.rs", "pub enum Kind { One, Two(u8), Three { x: u8 } }");

    #[test]
    fn the_rest_of_a_closed_set_is_not_taken_by_one_arm() {
        let check = |text: &str, expect: usize| {
            let text = format!("fn f(kind: Kind) {{\n{text}\n}}");
            let found = check(&Tree::of(&[SET, ("crates/b/src/b.rs", &text)]));
            assert_eq!(found.len(), expect, "{text}");
        };
        check("match kind { Kind::One => 1, _ => 2 }", 1);
        check("match kind { set::Kind::Two(_) | Kind::One => 1, other => 2 }", 1);
        check("match &kind { all @ Kind::Three { .. } if x => 1, _ => 2 }", 1);
        check(
            "x.map(|kind| match kind { Kind::One => 1, Kind::Two(_) => match kind { Kind::One => 1, _ => 2 } })",
            1,
        );

        check("match kind { Kind::One | Kind::Two(_) => 1, Kind::Three { .. } => 2 }", 0);
        check("match kind { Kind::One => 1, _ if x => 2, Kind::Two(_) | Kind::Three { .. } => 3 }", 0);
        check("match (kind, kind) { (Kind::One, Kind::One) => 1, _ => 2 }", 0);
        check("match other { Other::One => 1, _ => 2 }", 0);
        check("if let Kind::One = kind { 1 } else { 2 }", 0);
        check("// tidy: one is asked for\nmatch kind { Kind::One => 1, _ => 2 }", 0);
    }

    #[test]
    fn sets_know_themselves_and_tests_may_ask_for_one_variant() {
        let text = "impl Kind {\nfn f(self) { match self { Self::One => 1, _ => 2 } }\n}\n\
                    impl Other {\nfn f(self) { match self { Self::One => 1, _ => 2 } }\n}\n\
                    #[cfg(test)]\nmod tests { fn f() { match kind { Kind::One => 1, _ => 2 } } }\n";
        let tree = Tree::of(&[SET, ("crates/a/src/a.rs", text), ("crates/a/tests/a.rs", text)]);
        let found: Vec<String> = check(&tree).iter().map(|f| format!("{}:{}", f.path, f.line)).collect();
        assert_eq!(found, ["crates/a/src/a.rs:2"]);
    }
}
