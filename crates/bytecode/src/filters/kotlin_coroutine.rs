//! State machines of suspending functions.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

const SUSPENDED: (&str, &str, &str) =
    ("kotlin/coroutines/intrinsics/IntrinsicsKt", "getCOROUTINE_SUSPENDED", "()Ljava/lang/Object;");

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if let Some(ranges) = state_machine(code) {
        for range in ranges {
            filtered.ignore(range);
        }
    }
    for index in (1..code.len()).filter(|&index| code.opcode(index) == DUP) {
        tail_call(code, index, filtered);
        unintercepted(code, index, filtered);
    }
}

/// What surrounds the source in a function with suspension points.
fn state_machine(code: &MethodCode<'_>) -> Option<Vec<std::ops::RangeInclusive<usize>>> {
    let is_suspended = |&index: &usize| Matcher::at(code, index).member(INVOKESTATIC, SUSPENDED).matched();
    let start = (0..code.len()).find(is_suspended)?;
    let mut matcher = Matcher::at(code, start + 1);
    // A lambda without suspension points drops the value.
    let drops = code.instructions.get(start + 1)?.opcode == POP;
    if drops {
        matcher.op(POP);
    } else {
        matcher.local(ASTORE, "suspended");
    }
    let switch = matcher.local(ALOAD, "this").op(GETFIELD).op(TABLESWITCH).last()?;
    let operand = code.switch(switch)?;
    if drops && operand.cases.len() != 1 {
        return None;
    }
    matcher.op(ALOAD);
    let position = matcher.position();
    matcher.member(INVOKESTATIC, ("kotlin/ResultKt", "throwOnFailure", "(Ljava/lang/Object;)V"));
    if !matcher.matched() {
        // Before Kotlin 1.3.30.
        matcher.go_to(position).op(DUP).class(INSTANCEOF, "kotlin/Result$Failure").op(IFEQ);
        matcher.class(CHECKCAST, "kotlin/Result$Failure").op(GETFIELD).op(ATHROW).op(POP);
    }
    let first = matcher.last()?;
    let mut ranges = vec![0..=first];
    let mut states = operand.cases.iter().skip(1).peekable();
    for index in first..code.len() {
        let Some(&&(_, offset)) = states.peek() else { break };
        matcher.restart(index + 1);
        let jump = matcher.local(ALOAD, "suspended").op(IF_ACMPNE).last();
        let end = matcher.local(ALOAD, "suspended").op(ARETURN).last();
        if let (Some(jump), Some(end)) = (jump, end)
            && code.at(offset) == Some(end + 1)
        {
            ranges.push(index..=code.jump_target(jump)?.checked_sub(1)?);
            states.next();
        }
    }
    let default = code.at(operand.default)?;
    ranges.push(default..=illegal_state(code, default)?);
    Some(ranges)
}

/// The end of `throw new IllegalStateException(…)`.
fn illegal_state(code: &MethodCode<'_>, start: usize) -> Option<usize> {
    const EXCEPTION: &str = "java/lang/IllegalStateException";
    const MESSAGE: &str = "call to 'resume' before 'invoke' with coroutine";
    let mut matcher = Matcher::at(code, start);
    matcher.class(NEW, EXCEPTION).op(DUP).op(LDC);
    matcher.require(|code, index| code.string_constant(index).is_some_and(|text| text == MESSAGE));
    matcher.member(INVOKESPECIAL, (EXCEPTION, "<init>", "(Ljava/lang/String;)V")).op(ATHROW).last()
}

/// A suspending call whose result is returned as it is.
fn tail_call(code: &MethodCode<'_>, start: usize, filtered: &mut Filtered) {
    let mut matcher = Matcher::at(code, start);
    matcher.op(DUP).member(INVOKESTATIC, SUSPENDED).op(IF_ACMPNE).op(ARETURN).op(POP);
    if let Some(last) = matcher.last() {
        filtered.ignore(start..=last);
    }
}

/// An inlined call of `suspendCoroutineUninterceptedOrReturn`.
fn unintercepted(code: &MethodCode<'_>, start: usize, filtered: &mut Filtered) {
    const CONTINUATION: &str = "kotlin/coroutines/Continuation";
    const PROBE: (&str, &str, &str) = (
        "kotlin/coroutines/jvm/internal/DebugProbesKt",
        "probeCoroutineSuspended",
        "(Lkotlin/coroutines/Continuation;)V",
    );
    let mut matcher = Matcher::at(code, start);
    let jump = matcher.op(DUP).member(INVOKESTATIC, SUSPENDED).op(IF_ACMPNE).last();
    matcher.op(ALOAD);
    if matcher.peek().is_some_and(|next| code.opcode(next) == CHECKCAST && !code.marks(next).label) {
        matcher.class(CHECKCAST, CONTINUATION);
    }
    matcher.member(INVOKESTATIC, PROBE);
    if let (Some(jump), Some(last)) = (jump, matcher.last())
        && code.jump_target(jump) == Some(last + 1)
    {
        filtered.ignore(jump..=last);
    }
}

#[cfg(test)]
mod tests {
    use super::super::what_counts_in_kotlin;

    #[test]
    fn the_state_machine_is_left_out() {
        let source = "static f (Lp/S;)Ljava/lang/Object;\n\
                      invokestatic kotlin/coroutines/intrinsics/IntrinsicsKt.getCOROUTINE_SUSPENDED:()Ljava/lang/Object;\n\
                      astore_2\naload_0\ngetfield p/S.label:I\ntableswitch 0:start 1:resume default:illegal\n\
                      start:\naload_1\ninvokestatic kotlin/ResultKt.throwOnFailure:(Ljava/lang/Object;)V\n\
                      invokestatic p/A.suspending:()Ljava/lang/Object;\ndup\naload_2\nif_acmpne done\naload_2\nareturn\n\
                      resume:\naload_1\ninvokestatic kotlin/ResultKt.throwOnFailure:(Ljava/lang/Object;)V\naload_1\n\
                      done:\nareturn\n\
                      illegal:\nnew java/lang/IllegalStateException\ndup\n\
                      ldc \"call to 'resume' before 'invoke' with coroutine\"\n\
                      invokespecial java/lang/IllegalStateException.<init>:(Ljava/lang/String;)V\nathrow";
        assert_eq!(what_counts_in_kotlin(source).0, [7, 16]);
    }

    #[test]
    fn a_tail_call_is_left_out() {
        let source = "static f ()Ljava/lang/Object;\ninvokestatic p/A.suspending:()Ljava/lang/Object;\ndup\n\
                      invokestatic kotlin/coroutines/intrinsics/IntrinsicsKt.getCOROUTINE_SUSPENDED:()Ljava/lang/Object;\n\
                      if_acmpne on\nareturn\non:\npop\naconst_null\nareturn";
        assert_eq!(what_counts_in_kotlin(source).0, [0, 6, 7]);
    }
}
