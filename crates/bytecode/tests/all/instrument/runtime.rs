//! The classes that instrumented code calls.

use bytecode::class_file::ClassFile;
use bytecode::instrument::{STOP_CLASS, called_methods};

#[test]
fn every_method_is_there() {
    let compiled = fixture::runtime();
    assert!(compiled.folder.join(format!("{STOP_CLASS}.class")).is_file());
    for (class, name, descriptor) in called_methods() {
        let bytes = compiled.bytes(class);
        let class = ClassFile::parse(&bytes).unwrap();
        let utf8 = |index: u16| class.constants.utf8(index).unwrap();
        let found = class.methods.iter().any(|member| {
            // Public and static.
            utf8(member.name) == name && utf8(member.descriptor) == descriptor && member.access & 9 == 9
        });
        assert!(found, "{name}{descriptor}");
    }
}
