//! Methods whose results cannot be `null`, as far as the instructions before their returns tell: what returns `this`, a new
//! object, a constant, or what the JDK never gives as `null`.

use crate::class_file::Constant;
use crate::instruction::Operand;
use crate::method_code::MethodCode;
use crate::opcode::*;

/// Classes of the JDK none of whose methods returns `null`.
const NEVER_NULL: [&str; 3] = ["java/lang/String", "java/lang/StringBuilder", "java/lang/StringBuffer"];

/// Whether no return of a method gives `null`. `false` where that is not known, and of a method that returns no reference.
pub(crate) fn never_returns_null(code: &MethodCode<'_>) -> bool {
    let mut returns = (0..code.len()).filter(|&index| code.opcode(index) == ARETURN).peekable();
    returns.peek().is_some()
        && returns.all(|index| code.only_predecessor(index).is_some_and(|it| is_never_null(code, it)))
}

/// Whether what an instruction leaves on top of the stack is not `null`.
fn is_never_null(code: &MethodCode<'_>, index: usize) -> bool {
    let opcode = code.opcode(index);
    match general_form(opcode) {
        NEWARRAY | ANEWARRAY | MULTIANEWARRAY => true,
        CHECKCAST => code.only_predecessor(index).is_some_and(|before| is_never_null(code, before)),
        ALOAD => code.local(index) == Some(0) && !code.access.is_static() && !stores_this(code),
        LDC => is_constant(code, index),
        INVOKEVIRTUAL => code.member(index).is_some_and(|method| NEVER_NULL.contains(&&*method.owner)),
        INVOKESTATIC => is_valued(code, index),
        // A constructor leaves what was copied before it.
        INVOKESPECIAL => {
            code.member(index).is_some_and(|method| method.name == "<init>") && copies_what_it_makes(code)
        }
        _ => false,
    }
}

fn stores_this(code: &MethodCode<'_>) -> bool {
    (0..code.len()).any(|index| general_form(code.opcode(index)) == ASTORE && code.local(index) == Some(0))
}

/// Whether each new object is copied before its constructor is called, as compilers do with what is used afterwards.
fn copies_what_it_makes(code: &MethodCode<'_>) -> bool {
    (0..code.len()).all(|index| code.opcode(index) != NEW || code.opcode(index + 1) == DUP)
}

fn is_constant(code: &MethodCode<'_>, index: usize) -> bool {
    let Some(Operand::Constant(constant)) = code.instructions.get(index).map(|it| &it.operand) else {
        return false;
    };
    let loaded = code.class.constants.loadable(*constant);
    matches!(loaded, Ok(Constant::String(_) | Constant::Class(_)))
}

/// Whether a call boxes a primitive value or makes a string of it: `Integer.valueOf(int)`, `String.valueOf(char)`.
fn is_valued(code: &MethodCode<'_>, index: usize) -> bool {
    code.member(index).is_some_and(|method| {
        method.owner.starts_with("java/lang/")
            && method.name == "valueOf"
            && method.descriptor.len() > 2
            && method.descriptor.as_bytes()[2] == b')'
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::with_method;

    #[test]
    fn results_are_never_null_where_every_return_shows_it() {
        const A_TEXT: &str = "()Ljava/lang/String;";
        const AN_OBJECT: &str = "()Ljava/lang/Object;";
        let check = |head: &str, body: &str, expect: bool| {
            let lines = body.replace("; ", "\n");
            with_method(&format!(".class A java/lang/Object\n.method {head}\n{lines}"), |code| {
                assert_eq!(never_returns_null(code), expect, "{body}");
            });
        };
        let never = |head: &str, body: &str| check(head, body, true);
        let maybe = |head: &str, body: &str| check(head, body, false);
        let (text, object) = (&format!("static f {A_TEXT}"), &format!("static f {AN_OBJECT}"));
        let method = &format!("public f {AN_OBJECT}");

        never(method, "aload_0; areturn");
        never(
            method,
            "iconst_1; ifeq this; new A; dup; invokespecial A.<init>:()V; areturn; this:; aload_0; areturn",
        );
        never(text, "ldc \"a\"; areturn");
        never(
            text,
            "ldc \"b\"; ldc \"c\"; invokevirtual java/lang/String.concat:(Ljava/lang/String;)Ljava/lang/String;; areturn",
        );
        never(object, "iconst_1; invokestatic java/lang/Integer.valueOf:(I)Ljava/lang/Integer;; areturn");
        never(text, "iconst_1; invokestatic java/lang/String.valueOf:(C)Ljava/lang/String;; areturn");
        never(object, "iconst_2; newarray 10; areturn");
        never(object, "iconst_3; anewarray java/lang/Object; areturn");
        never(object, "ldc A; areturn");

        maybe("static f ()I", "iconst_0; ireturn");
        maybe("static f ()V", "return");
        maybe(method, "aload_0; getfield A.field:Ljava/lang/Object;; areturn");
        maybe(method, "iconst_1; ifeq null; aload_0; areturn; null:; aconst_null; areturn");
        maybe(method, "iconst_1; ifeq null; aload_0; goto end; null:; aconst_null; end:; areturn");
        maybe("static f (Ljava/lang/Object;)Ljava/lang/Object;", "aload_0; areturn");
        maybe(method, "aconst_null; astore_0; aload_0; areturn");
        maybe(
            text,
            "aconst_null; invokestatic java/lang/String.valueOf:(Ljava/lang/Object;)Ljava/lang/String;; areturn",
        );
        maybe(method, "aload_0; invokevirtual A.g:()Ljava/lang/Object;; areturn");
        maybe(method, "aconst_null; athrow");
        maybe(object, "aconst_null; checkcast java/lang/Integer; areturn");
    }
}
