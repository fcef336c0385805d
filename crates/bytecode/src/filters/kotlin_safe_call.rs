//! Safe calls (`a?.b()?.c()`): each check for null jumps to one place, which is covered once for all of them.

use std::collections::BTreeMap;

use super::{Branches, ClassContext, Filtered, Target};
use crate::method_code::{Marks, MethodCode};
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    for (null_target, chain) in chains(code) {
        let Some(before) = null_target.checked_sub(1) else { continue };
        let ends_in_check = code.opcode(before) == IFNONNULL;
        if chain.len() == 1 && !ends_in_check {
            continue;
        }
        for jump in chain {
            let mut branches = Branches::default();
            branches.add(Target::Instruction(jump), jump, 0);
            branches.add(Target::Instruction(null_target), null_target, 0);
            filtered.replace(jump, branches);
        }
        if ends_in_check {
            let mut branches = Branches::default();
            branches.add(Target::Instruction(null_target), null_target, 0);
            branches.add(Target::Instruction(before), before, 1);
            filtered.replace(before, branches);
        }
    }
}

/// The checks for null of each chain of safe calls, by the place that they jump to.
fn chains(code: &MethodCode<'_>) -> BTreeMap<usize, Vec<usize>> {
    let mut chains: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for jump in (0..code.len()).filter(|&index| code.opcode(index) == IFNULL) {
        let Some(target) = code.jump_target(jump) else { continue };
        let first = !chains.contains_key(&target);
        let belongs = match code.opcode(target) {
            // dup; ifnull; …; target: pop
            POP => is(code, jump.checked_sub(1), DUP) && code.marks(jump) == Marks::default(),
            ACONST_NULL => loads_variable(code, jump, first),
            opcode if opcode == GOTO || opcode == GOTO_W => false,
            opcode if is_conditional_jump(opcode) || is_switch(opcode) => false,
            _ => loads_variable(code, jump, first) && (!first || elvis_precedes(code, jump, target)),
        };
        if belongs {
            chains.entry(target).or_default().push(jump);
        }
    }
    chains
}

/// Whether a variable is loaded before the jump, and, if it is not the first of its chain, was stored right before.
fn loads_variable(code: &MethodCode<'_>, jump: usize, first: bool) -> bool {
    let (load, store) = (jump.checked_sub(1), jump.checked_sub(2));
    is(code, load, ALOAD) && (first || is(code, store, ASTORE) && local(code, load) == local(code, store))
}

/// `x = …; if (x == null) goto target; load x; goto …; target:`
fn elvis_precedes(code: &MethodCode<'_>, jump: usize, target: usize) -> bool {
    let at = |back: usize| target.checked_sub(back);
    is(code, at(1), GOTO)
        && is(code, at(2), ALOAD)
        && is(code, at(3), IFNULL)
        && is(code, at(4), ALOAD)
        && is(code, at(5), ASTORE)
        && at(3).and_then(|check| code.jump_target(check)) == code.jump_target(jump)
        && local(code, at(2)) == local(code, at(4))
        && local(code, at(2)) == local(code, at(5))
}

fn is(code: &MethodCode<'_>, index: Option<usize>, opcode: u8) -> bool {
    index.is_some_and(|index| general_form(code.opcode(index)) == opcode)
}

fn local(code: &MethodCode<'_>, index: Option<usize>) -> Option<u16> {
    code.local(index?)
}

#[cfg(test)]
mod tests {
    use super::super::what_counts_in_kotlin;

    #[test]
    fn a_chain_has_one_place_for_null() {
        let call = "dup\nifnull none\ninvokevirtual p/A.a:()Lp/A;\n";
        let source = format!(
            "static f ()V\naload_0\n{call}{call}goto out\nnone:\npop\naconst_null\nout:\npop\nreturn"
        );
        // Both checks have two branches still, but that for null is the one of `pop`.
        assert_eq!(what_counts_in_kotlin(&source).1, [(2, 2), (5, 2)]);
        let single =
            format!("static f ()V\naload_0\n{call}goto out\nnone:\npop\naconst_null\nout:\npop\nreturn");
        assert_eq!(what_counts_in_kotlin(&single).1, []);
    }
}
