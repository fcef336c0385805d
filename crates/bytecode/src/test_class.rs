//! The class that stands for a test class while its tests run: their calls come from it, as a user's come from the class that
//! is printed. Code that looks at who calls it, or at the frames of an exception, finds a test there.

use crate::class_file::ClassFileError;
use crate::class_writer::ClassWriter;
use crate::name::ClassName;

/// Name of its one method, a static native one that takes a `long`.
pub const TEST_METHOD: &str = "test";

/// Descriptor of that method.
pub const TEST_DESCRIPTOR: &str = "(J)V";

/// Flags of JVM specification, Tables 4.1-B and 4.6-A.
const STATIC: u16 = 0x0008;
const FINAL: u16 = 0x0010;
const SUPER: u16 = 0x0020;

/// The class file of a test class with this name.
///
/// # Errors
/// [`ClassFileError`] when the name is too long for a class file.
pub fn test_class(name: &ClassName) -> Result<Vec<u8>, ClassFileError> {
    let mut class = ClassWriter::new(FINAL | SUPER, name.as_str(), ClassName::object().as_str(), None);
    class.source_file(&format!("{}.java", name.base_name()));
    class.native_method(STATIC, TEST_METHOD, TEST_DESCRIPTOR);
    class.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class_file::ClassFile;

    #[test]
    fn it_has_one_native_method() {
        let bytes = test_class(&ClassName::new("p/FooCovolveTest")).unwrap();
        let class = ClassFile::parse(&bytes).unwrap();
        assert_eq!(class.name().unwrap(), "p/FooCovolveTest");
        let flags: Vec<u16> = class.methods.iter().map(|method| method.access).collect();
        assert_eq!(flags, [0x0108], "static and native");
        let attributes: Vec<_> =
            ["SourceFile", "Signature"].map(|name| class.attribute(&class.attributes, name).is_some()).into();
        assert_eq!(attributes, [true, false]);
    }
}
