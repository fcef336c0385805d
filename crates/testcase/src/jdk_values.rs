//! Classes of the JDK whose objects are values: `toString` tells all of one (of a pattern all but its flags), and the same in every
//! release.

use bytecode::name::ClassName;

/// How Java makes the value of its text again, so that both are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FromText {
    /// `new BigDecimal("1.5")`
    Constructor,
    /// `LocalDate.parse("2020-01-31")`: the static method of this name.
    Factory(&'static str),
    /// Nothing does, or not all of it.
    Nothing,
}

use FromText::{Constructor, Factory, Nothing};

const PARSE: FromText = Factory("parse");

/// All of them by internal name, sorted. Left out is what tells of the machine's zone (`java.util.Date`) or has another separator on
/// other systems (`java.nio.file.Path`). Of `Year` and `YearMonth` nothing makes all: a year beyond 9999 is written as `parse` refuses it.
const VALUES: &[(&str, FromText)] = &[
    ("java/lang/reflect/Constructor", Nothing),
    ("java/lang/reflect/Field", Nothing),
    ("java/lang/reflect/Method", Nothing),
    ("java/math/BigDecimal", Constructor),
    ("java/math/BigInteger", Constructor),
    ("java/math/MathContext", Nothing),
    ("java/net/URI", Factory("create")),
    ("java/net/URL", Nothing),
    ("java/nio/charset/Charset", Nothing),
    ("java/time/Duration", PARSE),
    ("java/time/Instant", PARSE),
    ("java/time/LocalDate", PARSE),
    ("java/time/LocalDateTime", PARSE),
    ("java/time/LocalTime", PARSE),
    ("java/time/MonthDay", PARSE),
    ("java/time/OffsetDateTime", PARSE),
    ("java/time/OffsetTime", PARSE),
    ("java/time/Period", PARSE),
    ("java/time/Year", Nothing),
    ("java/time/YearMonth", Nothing),
    ("java/time/ZoneId", Factory("of")),
    ("java/time/ZoneOffset", Factory("of")),
    ("java/time/ZoneRegion", Nothing),
    ("java/time/ZonedDateTime", PARSE),
    ("java/util/Currency", Factory("getInstance")),
    ("java/util/Locale", Nothing),
    ("java/util/UUID", Factory("fromString")),
    ("java/util/regex/Pattern", Nothing),
    ("javax/xml/namespace/QName", Factory("valueOf")),
];

/// Where the classes lie that implement `java.nio.charset.Charset`.
const CHARSETS: &str = "sun/nio/cs/";

/// Whether the objects of a class are such values. The class may be that of a variable or of an object.
pub fn is_value(class: &ClassName) -> bool {
    from_text(class).is_some()
}

/// How the text of a value of this class is made a value again; `None` of a class that is none of them.
pub fn from_text(class: &ClassName) -> Option<FromText> {
    if class.as_str().starts_with(CHARSETS) {
        return Some(Nothing);
    }
    let index = VALUES.binary_search_by(|(name, _)| (*name).cmp(class.as_str())).ok()?;
    VALUES.get(index).map(|(_, made)| *made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_found_by_name() {
        assert!(VALUES.is_sorted_by(|(one, _), (other, _)| one < other));
        let check =
            |name: &str, expect: Option<FromText>| assert_eq!(from_text(&name.into()), expect, "{name}");
        check("java/time/LocalDate", Some(PARSE));
        check("java/math/BigDecimal", Some(Constructor));
        check("sun/nio/cs/UTF_8", Some(Nothing));
        check("java/util/Date", None);
        check("java/time/LocalDat", None);
    }
}
