//! Fields that a container or a parser of options fills by reflection (what is private there is handed to the object all the same), and
//! constructors and setters that it calls.

/// Simple names of the annotations of these: of containers and of parsers of options. Many frameworks have theirs called alike, so packages
/// do not count.
const ANNOTATIONS: [&str; 19] = [
    "Argument",
    "Autowired",
    "Component",
    "ConfigProperty",
    "Context",
    "DubboReference",
    "EJB",
    "Inject",
    "ManagedProperty",
    "Option",
    "Parameter",
    "Parameters",
    "PersistenceContext",
    "PersistenceUnit",
    "Reference",
    "Resource",
    "RestClient",
    "SpringBean",
    "Value",
];

/// Whether an annotation, by its descriptor, says that a field is filled by reflection, or that a container calls a constructor or method.
pub(crate) fn is_injecting(descriptor: &str) -> bool {
    let name = descriptor.trim_end_matches(';').rsplit(['/', '$']).next().unwrap_or_default();
    ANNOTATIONS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_of_fields_that_are_filled_are_known_by_their_simple_names() {
        assert!(ANNOTATIONS.is_sorted());
        for (descriptor, expect) in [
            ("Lorg/springframework/beans/factory/annotation/Autowired;", true),
            ("Ljakarta/inject/Inject;", true),
            ("Lpicocli/CommandLine$Option;", true),
            ("Ljava/lang/Deprecated;", false),
            ("Lp/NotAutowired;", false),
        ] {
            assert_eq!(is_injecting(descriptor), expect, "{descriptor}");
        }
    }
}
