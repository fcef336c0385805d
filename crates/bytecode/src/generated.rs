//! Whether a class file says of itself that a program wrote the source.

use crate::class_file::ClassFile;
use crate::filters::{annotations, is_generated};
use crate::name::ClassName;

/// The annotation of a class that marks it as generated: its simple name contains `Generated`, and class files keep it. That of
/// the JDK, `javax.annotation.processing.Generated`, is for sources alone.
pub fn generated_by(class_file: &[u8]) -> Option<ClassName> {
    let class = ClassFile::parse(class_file).ok()?;
    let annotations = annotations(&class, &class.attributes);
    let found = annotations.iter().find(|descriptor| is_generated(descriptor))?;
    Some(ClassName::new(found.strip_prefix('L')?.strip_suffix(';')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_annotation_marks_a_class_as_generated() {
        let check = |annotation: &str, expect: Option<&str>| {
            let bytes =
                crate::assembler::assemble(&format!(".class public p/A java/lang/Object\n{annotation}\n"));
            assert_eq!(generated_by(&bytes), expect.map(ClassName::new), "{annotation}");
        };
        check(".annotation Lp/MadeGenerated;", Some("p/MadeGenerated"));
        check(".annotation Ljava/lang/Deprecated;", None);
        check("", None);
    }
}
