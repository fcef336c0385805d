//! Which parameters are sizes: a fixture with a member per reason.

use bytecode::sizes::Sizes;

const SIZES: &str = include_str!("../../../fixtures/sizes/Sizes.java");

#[test]
fn numbers_that_reach_an_allocation_or_the_end_of_a_loop_are_sizes() {
    let hierarchy = fixture::compile(&format!("//- /p/Sizes.java\n{SIZES}")).hierarchy();
    let class = hierarchy.class(&"p/Sizes".into()).unwrap();
    // In the order of the source.
    let expected = SIZES.lines().filter_map(|line| line.trim().strip_prefix("// "));
    let expected: Vec<&str> = expected.collect();
    assert_eq!(expected.len(), class.methods.len());
    for (method, expect) in class.methods.iter().zip(expected) {
        let found = Sizes::new(&hierarchy).of_method(&class.name, &method.name, &method.descriptor);
        let positions: Vec<String> = (0..64)
            .filter(|position| found >> position & 1 == 1)
            .map(|position| position.to_string())
            .collect();
        let found = if positions.is_empty() { "none".to_owned() } else { positions.join(" ") };
        assert_eq!(found, expect, "{}{}", method.name, method.descriptor);
    }
}

#[test]
fn what_the_platform_makes_as_large_as_a_number_says_is_known_by_a_table() {
    let hierarchy = fixture::compile("//- /p/Empty.java\npackage p; class Empty { }").hierarchy();
    let mut sizes = Sizes::new(&hierarchy);
    let mut check = |class: &str, name: &str, descriptor: &str, expect: u64| {
        assert_eq!(sizes.of_method(&class.into(), name, descriptor), expect, "{class}.{name}");
    };
    check("java/util/ArrayList", "<init>", "(I)V", 1);
    check("java/math/BigDecimal", "setScale", "(II)Ljava/math/BigDecimal;", 1);
    check("java/util/ArrayList", "get", "(I)Ljava/lang/Object;", 0);
}
