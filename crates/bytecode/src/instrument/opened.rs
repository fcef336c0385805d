//! Final classes and methods made such that a stub may extend and override them.

use crate::class_file::{ClassFile, ClassFileError};

/// `ACC_FINAL` (JVM specification, Tables 4.1-B and 4.6-A).
const FINAL: u16 = 0x0010;

/// A class whose `final` is dropped, its own and that of its methods. What runs is the same: `javac` has made sure already that
/// nothing extends or overrides it. Its fields keep theirs, and so does what `InnerClasses` says of it.
///
/// # Errors
/// Bytes that are no class file.
pub fn open_class(bytes: &[u8]) -> Result<Vec<u8>, ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    let methods = class.methods.iter().map(|method| (method.range.start, method.access));
    let mut opened = bytes.to_vec();
    for (place, access) in methods.chain([(class.body, class.access)]) {
        if let Some(flags) = opened.get_mut(place..place + 2) {
            flags.copy_from_slice(&(access & !FINAL).to_be_bytes());
        }
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let access =
            |class: &ClassFile<'_>| class.methods.iter().map(|method| method.access).collect::<Vec<_>>();
        assert_eq!(
            (access(&before), access(&after)),
            (vec![0x0001, 0x0011, 0x0018], vec![0x0001, 0x0001, 0x0008])
        );
        assert_eq!(after.fields[0].access, 0x0012);
        let differences = bytes.iter().zip(&opened).filter(|(before, after)| before != after).count();
        assert_eq!((differences, bytes.len()), (3, opened.len()));
    }
}
