//! Listings of instrumented methods: what each probe inserts, and where.

use crate::instrument::driver::InstrumentedClasses;
use bytecode::class_file::{ClassFile, Constant};
use bytecode::instruction::{Instruction, Operand, decode};
use bytecode::opcode::mnemonic;

/// Instructions of a method with labels and constants as text.
fn listing(bytes: &[u8], method: &str) -> String {
    let class = ClassFile::parse(bytes).unwrap();
    let named = |member: &&bytecode::class_file::Member| class.constants.utf8(member.name).unwrap() == method;
    let code = class.code(class.methods.iter().find(named).unwrap()).unwrap().unwrap();
    let decoded = decode(code.code()).unwrap();
    let mut targets: Vec<u32> = decoded.iter().flat_map(Instruction::targets).collect();
    for entry in &code.handlers {
        targets.extend([entry.start, entry.end, entry.handler].map(u32::from));
    }
    targets.sort_unstable();
    targets.dedup();
    let label = |offset: u32| format!("L{}", targets.binary_search(&offset).unwrap());
    let mut lines = vec![format!("stack {}, locals {}", code.max_stack, code.max_locals)];
    for instruction in &decoded {
        if targets.contains(&instruction.offset) {
            lines.push(format!("{}:", label(instruction.offset)));
        }
        let name = mnemonic(instruction.opcode).unwrap();
        lines.push(format!("  {name} {}", operand(&class, instruction, &label)).trim_end().to_owned());
    }
    for entry in &code.handlers {
        let caught = class.constants.class(entry.catch_type).unwrap_or("any".into());
        let [start, end, handler] = [entry.start, entry.end, entry.handler].map(|offset| {
            if usize::from(offset) == code.code().len() { "end".to_owned() } else { label(offset.into()) }
        });
        lines.push(format!("catch {caught} {start}..{end} -> {handler}"));
    }
    lines.join("\n")
}

fn operand(class: &ClassFile<'_>, instruction: &Instruction, label: &dyn Fn(u32) -> String) -> String {
    match &instruction.operand {
        Operand::None => String::new(),
        Operand::Immediate(value) => value.to_string(),
        Operand::Local(variable) => variable.to_string(),
        Operand::Increment(variable, by) => format!("{variable} {by}"),
        Operand::Jump(target) => label(*target),
        Operand::Switch(switch) => {
            let case = |(key, target): &(i32, u32)| format!("{key} -> {}, ", label(*target));
            let cases: String = switch.cases.iter().map(case).collect();
            format!("{cases}default -> {}", label(switch.default))
        }
        Operand::ArrayType(code) => code.to_string(),
        Operand::Constant(index) | Operand::MultiArray(index, _) => constant(class, *index),
    }
}

fn constant(class: &ClassFile<'_>, index: u16) -> String {
    if let Ok(member) = class.constants.member(index) {
        return format!("{}.{}{}", member.owner, member.name, member.descriptor);
    }
    match class.constants.loadable(index).unwrap() {
        Constant::Integer(value) => value.to_string(),
        Constant::String(units) => format!("{:?}", String::from_utf16_lossy(&units)),
        Constant::Class(name) => name.into_owned(),
        other => format!("{other:?}"),
    }
}

const METHODS: &str = "
//- /Listed.java
class Listed {
    static long state;
    static { state = 4; }
    static int entry() { return 1; }
    static int jump(int a) { return a > 3 ? 1 : 2; }
    static int compare(double a) { return a < 3.5 ? 1 : 2; }
    static int predicate(String a) { return a.startsWith(\"x\", 2) ? 1 : 2; }
    static int instance_of(Object a) { return a instanceof Listed ? 1 : 2; }
    static int switches(int a) { switch (a) { case 4: return 1; case 70: return 2; default: return 3; } }
    static int strings(String a) { switch (a) { case \"x\": return 1; default: return 2; } }
    static void step() { do { entry(); } while (jump(1) > 1); }
    static void handler() { try { entry(); } catch (RuntimeException e) { jump(1); } finally { jump(2); } }
    static void monitor(Object a) { synchronized (a) { entry(); } }
    static void static_write(long a) { state = a; }
    static void exit() { System.exit(3); }
    static void thrower() { throw new IllegalStateException(); }
}
";

/// One snapshot for each probe, of the method of that name.
fn check(set: &str, probe: &str, method: &str) {
    let compiled = fixture::compile(METHODS);
    let classes = if set == "full" {
        InstrumentedClasses::full(&compiled)
    } else {
        InstrumentedClasses::light(&compiled)
    };
    insta::assert_snapshot!(format!("{set}_{probe}"), listing(&classes.bytes("Listed"), method));
}

#[test]
fn the_full_set_is_where_it_belongs() {
    check("full", "entry", "entry");
    check("full", "initializer", "<clinit>");
    check("full", "jump", "jump");
    check("full", "compare", "compare");
    check("full", "predicate", "predicate");
    check("full", "instance_of", "instance_of");
    check("full", "switch", "switches");
    check("full", "string_switch", "strings");
    check("full", "step", "step");
    check("full", "handler", "handler");
    check("full", "monitor", "monitor");
    check("full", "static_write", "static_write");
    check("full", "exit", "exit");
    check("full", "throw", "thrower");
}

#[test]
fn the_light_set_is_where_it_belongs() {
    check("light", "entry", "entry");
    check("light", "initializer", "<clinit>");
    check("light", "jump", "jump");
    check("light", "step", "step");
    check("light", "handler", "handler");
    check("light", "static_write", "static_write");
}
