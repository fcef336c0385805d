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
