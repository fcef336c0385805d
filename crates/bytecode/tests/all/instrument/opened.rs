//! Final classes and methods, opened for mocks.

use bytecode::class_file::ClassFile;
use bytecode::instrument::open_class;

#[test]
fn a_class_and_its_methods_are_final_no_more_and_nothing_else_changes() {
    let compiled = fixture::compile(
            "
//- /p/Closed.java
package p;
public final class Closed { private final int of = 1; public final int of() { return of; } static final void make() { } }
",
        );
    let bytes = compiled.bytes("p/Closed");
    let (before, opened) = (ClassFile::parse(&bytes).unwrap(), open_class(&bytes).unwrap());
    let after = ClassFile::parse(&opened).unwrap();
    assert_eq!((before.access, after.access), (0x0031, 0x0021));
    let access = |class: &ClassFile<'_>| class.methods.iter().map(|method| method.access).collect::<Vec<_>>();
    assert_eq!(
        (access(&before), access(&after)),
        (vec![0x0001, 0x0011, 0x0018], vec![0x0001, 0x0001, 0x0008])
    );
    assert_eq!(after.fields[0].access, 0x0012);
    let differences = bytes.iter().zip(&opened).filter(|(before, after)| before != after).count();
    assert_eq!((differences, bytes.len()), (3, opened.len()));
}
