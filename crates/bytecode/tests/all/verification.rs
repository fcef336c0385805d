//! Types before instructions, compared with those that compilers declare.

use bytecode::class_file::ClassFile;
use bytecode::method_code::MethodCode;
use bytecode::opcode::ends_flow;
use bytecode::verification::VerificationType::{Null, Object, Top};
use bytecode::verification::{declared_frames, frames};

const SOURCE: &str = "
//- /p/A.java
package p;
import java.util.*;
public class A {
long total; double[][] grid = new double[2][3]; static String name = \"a\";
A(int n) { this(n > 0 ? (long) n : 1L); }
A(long n) { total += n++; }
static <T extends Comparable<T>> T most(List<T> list, float f, double d) {
    T best = null;
    for (T one : list) { if (best == null || one.compareTo(best) > 0) best = one; }
    try { best.toString(); } catch (RuntimeException e) { System.out.println(e); } finally { d += f; }
    return best;
}
Object mix(Object[] all, int i) {
    all[i] = new StringBuilder().append(all[0] == null ? \"x\" : all[i]).append(grid[0][i]--).toString();
    long[] longs = { 1, total++ };
    Runnable r = () -> System.out.println(longs[0]);
    switch (name) { case \"a\": return r; default: synchronized (this) { return int[].class; } }
}
}
";

#[test]
fn what_is_followed_agrees_with_the_frames_that_the_compiler_declares() {
    let compiled = fixture::compile(SOURCE);
    let bytes = compiled.bytes("p/A");
    let class = ClassFile::parse(&bytes).unwrap();
    let mut compared = 0;
    for method in 0..class.methods.len() {
        let Some(code) = MethodCode::read(&class, method).unwrap() else { continue };
        let found = frames(&code);
        assert!(found.iter().all(Option::is_some), "{}", code.name);
        for (index, declared) in declared_frames(&code).unwrap() {
            let Some(before) = index.checked_sub(1).filter(|&before| !ends_flow(code.opcode(before))) else {
                continue;
            };
            let mut followed = found[before].clone().unwrap();
            followed.execute(&code, before).unwrap();
            assert_eq!(followed.stack.len(), declared.stack.len(), "{} {index}", code.name);
            for (followed, declared) in followed.locals.iter().zip(&declared.locals) {
                let fits = declared == followed
                    || *declared == Top
                    || matches!((declared, followed), (Object(_), Object(_) | Null));
                assert!(fits, "{} {index}: {followed:?} for {declared:?}", code.name);
            }
            compared += 1;
        }
    }
    assert!(compared > 5, "{compared}");
}
