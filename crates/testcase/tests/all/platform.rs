//! The tables of the platform, resolved against the JDK at hand.

use bytecode::descriptor::{ErasedType, MethodDescriptor};
use bytecode::name::ClassName;
use testcase::cluster::hints::HINTS;
use testcase::cluster::hints::Valid::{Any, Int, Long, Size, Text};
use testcase::cluster::jdk::{ROWS, split};

#[test]
fn every_member_of_every_row_exists_in_the_jdk() {
    let hierarchy = fixture::compile("//- /p/Foo.java\npackage p; public class Foo {}").hierarchy();
    for row in ROWS {
        let class = ClassName::from(row.class);
        assert!(hierarchy.class(&class).is_some(), "{class}");
        for member in row.makers {
            let (owner, name, descriptor) = split(member);
            let owner = hierarchy.class(&owner.into()).unwrap_or_else(|| panic!("{member}"));
            let found = if descriptor.is_empty() {
                owner.field(name).is_some_and(|field| field.access.is_public())
            } else {
                owner.method(name, descriptor).is_some_and(|method| method.access.is_public())
            };
            assert!(found, "{member}");
        }
        for member in row.modifiers.iter().chain(row.inspectors) {
            let (_, name, descriptor) = split(member);
            let supertypes = hierarchy.supertypes(&class);
            let found = supertypes.iter().any(|name_of_sup| {
                hierarchy.class(name_of_sup).is_some_and(|sup| sup.method(name, descriptor).is_some())
            });
            assert!(found, "{class}: {member}");
        }
    }
}

#[test]
fn every_member_exists_in_the_jdk_and_takes_what_is_listed() {
    let hierarchy = fixture::compile("//- /p/Foo.java\npackage p; public class Foo {}").hierarchy();
    for &(owner, name, descriptor, parameters) in HINTS {
        let class = ClassName::from(owner);
        let info = hierarchy.class(&class).unwrap_or_else(|| panic!("{owner}"));
        assert!(info.method(name, descriptor).is_some(), "{owner}.{name}{descriptor}");
        let types = MethodDescriptor::parse(descriptor).unwrap().parameters;
        assert!(parameters.len() <= types.len(), "{owner}.{name}{descriptor}");
        for (valid, ty) in parameters.iter().zip(&types) {
            let fits = match valid {
                Any => true,
                Text(_) => *ty == ErasedType::Class(ClassName::string()),
                Int(_) => matches!(ty, ErasedType::Array(_)) || ty.descriptor() == "I",
                Size(_) => ty.descriptor() == "I",
                Long(_) => ty.descriptor() == "J",
            };
            assert!(fits, "{owner}.{name}{descriptor}");
        }
    }
}
