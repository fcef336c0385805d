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
    use crate::class_file::ClassFile;

    const SOURCE: &str = r#"
//- /Results.java
class Results {
    Object field;
    static int number;
    Results never_itself() { number++; return this; }
    Results never_new(int a) { if (a > 0) return new Results(); return this; }
    String never_text(boolean a) { if (a) return "a"; return "b".concat("c").trim(); }
    Object never_boxed(int a) { return a; }
    String never_valued(char a) { return String.valueOf(a); }
    String never_built(int a) { return new StringBuilder().append(a).toString(); }
    Object never_array() { return new int[2]; }
    Object[] never_arrays() { return new Object[3]; }
    Class<?> never_class() { return Results.class; }
    int maybe_number() { return 0; }
    void maybe_nothing() { }
    Object maybe_field() { return field; }
    Object maybe_null(int a) { if (a > 0) return this; return null; }
    Object maybe_one(boolean a) { return a ? this : null; }
    static Object maybe_parameter(Object a) { return a; }
    String maybe_valued(Object a) { return String.valueOf(a); }
    Object maybe_called() { return maybe_field(); }
    Object maybe_thrown() { throw new IllegalStateException(); }
    Integer maybe_looked_up(java.util.Map<String, Integer> a) { return a.get("a"); }
}
"#;

    #[test]
    fn results_are_never_null_where_every_return_shows_it() {
        let bytes = fixture::compile(SOURCE).bytes("Results");
        let class = ClassFile::parse(&bytes).unwrap();
        let mut seen = 0;
        for index in 0..class.methods.len() {
            let code = MethodCode::read(&class, index).unwrap().unwrap();
            if let Some((kind, _)) = code.name.split_once('_') {
                assert_eq!(never_returns_null(&code), kind == "never", "{}", code.name);
                seen += 1;
            }
        }
        assert_eq!(seen, 19);
    }
}
