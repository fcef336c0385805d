//! What is known of methods of the JDK without looking into them.

use crate::descriptor::PrimitiveType;
use crate::hierarchy::ClassHierarchy;
use crate::name::ClassName;

/// What a method does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contract {
    /// It writes nothing and calls nothing that could.
    Tells,
    /// It writes the object that it is called on, and nothing else.
    ChangesReceiver,
}

/// Partitions of values, whose methods write nothing, those named in [`WRITING`] apart.
const VALUES: [&str; 18] = [
    "java/lang/String",
    "java/lang/Math",
    "java/lang/StrictMath",
    "java/lang/Enum",
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/util/UUID",
    "java/util/OptionalInt",
    "java/util/OptionalLong",
    "java/util/OptionalDouble",
    "java/time/LocalDate",
    "java/time/LocalTime",
    "java/time/LocalDateTime",
    "java/time/Instant",
    "java/time/Duration",
    "java/time/Period",
    "java/time/DayOfWeek",
    "java/time/Month",
];

/// Methods of those that write an argument, call code of others, or give other values every time.
const WRITING: [&str; 12] = [
    "getBytes",
    "getChars",
    "format",
    "formatted",
    "join",
    "random",
    "randomUUID",
    "now",
    "ifPresent",
    "ifPresentOrElse",
    "orElseGet",
    "orElseThrow",
];

/// Methods of other classes that only tell: class, name.
const TELLING: [(&str, &str); 20] = [
    ("java/lang/Object", "<init>"),
    ("java/lang/Object", "getClass"),
    ("java/lang/Record", "<init>"),
    ("java/lang/Number", "<init>"),
    ("java/lang/Class", "getName"),
    ("java/lang/Class", "getSimpleName"),
    ("java/lang/Class", "isInstance"),
    ("java/lang/Class", "desiredAssertionStatus"),
    ("java/util/Objects", "isNull"),
    ("java/util/Objects", "nonNull"),
    ("java/util/Optional", "isPresent"),
    ("java/util/Optional", "isEmpty"),
    ("java/util/Optional", "get"),
    ("java/lang/StringBuilder", "<init>"),
    ("java/util/ArrayList", "<init>"),
    ("java/util/BitSet", "cardinality"),
    ("java/util/BitSet", "length"),
    ("java/util/BitSet", "isEmpty"),
    ("java/util/concurrent/atomic/AtomicInteger", "get"),
    ("java/util/concurrent/atomic/AtomicLong", "get"),
];

/// Methods of collections, maps and sequences of characters that only tell, by the contract of their interfaces.
const OF_CONTAINERS: [&str; 4] = ["size", "isEmpty", "length", "charAt"];

/// What a method of a class of the JDK does; `None` when that is not known.
pub(super) fn contract(
    class: &ClassName,
    name: &str,
    descriptor: &str,
    hierarchy: &ClassHierarchy,
) -> Option<Contract> {
    let owner = class.as_str();
    if (is_value(class) || VALUES.contains(&owner)) && !WRITING.contains(&name) {
        // What takes any object asks it for a text; values are only equal to their like.
        return (name == "equals" || is_closed(descriptor)).then_some(Contract::Tells);
    }
    let requires =
        owner == "java/util/Objects" && name == "requireNonNull" && !descriptor.contains("Supplier");
    let is_list = owner == "java/util/List" || owner == "java/util/ArrayList";
    let telling = requires
        || TELLING.contains(&(owner, name)) && is_closed(descriptor)
        || is_list && name == "get" && descriptor == "(I)Ljava/lang/Object;"
        || name == "<init>" && is_throwable(class, hierarchy)
        || OF_CONTAINERS.contains(&name) && is_container(class, hierarchy);
    if telling {
        return Some(Contract::Tells);
    }
    let builds = returns_receiver(owner, name) && is_closed(descriptor);
    let reads = owner == "java/lang/StringBuilder" && matches!(name, "toString" | "length" | "charAt");
    match (builds, reads) {
        (_, true) => Some(Contract::Tells),
        (true, false) => Some(Contract::ChangesReceiver),
        (false, false) => None,
    }
}

/// Whether a method of a class of the JDK changes its object and returns it.
pub(super) fn returns_receiver(class: &str, name: &str) -> bool {
    class == "java/lang/StringBuilder" && matches!(name, "append" | "insert" | "reverse")
}

/// Whether a class is that of strings or of boxed values.
pub(super) fn is_value(class: &ClassName) -> bool {
    *class == ClassName::string() || PrimitiveType::unboxed(class).is_some()
}

/// Whether no parameter takes objects whose code would be called.
fn is_closed(descriptor: &str) -> bool {
    let parameters = descriptor.split(')').next().unwrap_or_default();
    let open = ["Ljava/lang/Object;", "Ljava/lang/CharSequence;", "Ljava/util/", "Ljava/lang/Iterable;"];
    !open.iter().any(|open| parameters.contains(open))
}

fn is_throwable(class: &ClassName, hierarchy: &ClassHierarchy) -> bool {
    hierarchy.is_subclass(class, &"java/lang/Throwable".into())
}

fn is_container(class: &ClassName, hierarchy: &ClassHierarchy) -> bool {
    let containers = ["java/util/Collection", "java/util/Map", "java/lang/CharSequence"];
    containers.iter().any(|container| hierarchy.is_subclass(class, &(*container).into()))
}
