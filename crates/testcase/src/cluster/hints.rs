//! Values that calls of the platform ask for: patterns, zone ids, language tags, months. A table.
//!
//! `ZoneId.of` throws for nearly every string, and a random day of the month makes no date. The values listed here are
//! drawn for the parameters of just these calls, beside those of the constant pools.

use bytecode::name::ClassName;

use crate::value::{JavaString, Value};

/// What is valid for one parameter; nothing in particular where empty.
#[derive(Debug, Clone, Copy)]
pub enum Valid {
    /// Whatever the pools give.
    Any,
    /// Texts of a `String`.
    Text(&'static [&'static str]),
    /// Numbers of an `int`, or lengths of an array.
    Int(&'static [i32]),
    /// Numbers of a `long`.
    Long(&'static [i64]),
    /// Numbers of an `int` by which memory is taken: others are small as well.
    Size(&'static [i32]),
}

use Valid::{Any, Int, Long, Size, Text};

impl Valid {
    pub(super) fn values(self) -> Vec<Value> {
        match self {
            Any => Vec::new(),
            Text(texts) => texts.iter().map(|&text| Value::String(JavaString::from(text))).collect(),
            Int(numbers) | Size(numbers) => numbers.iter().map(|&number| Value::Int(number)).collect(),
            Long(numbers) => numbers.iter().map(|&number| Value::Long(number)).collect(),
        }
    }
}

/// What is valid for one parameter of a member of the platform, by its position.
pub(super) fn valid(class: &ClassName, name: &str, descriptor: &str, position: usize) -> Valid {
    let key =
        |&(owner, member, start, _): &Hint| (owner, member, start) == (class.as_str(), name, descriptor);
    let row = HINTS.iter().find(|hint| key(hint));
    row.and_then(|(.., parameters)| parameters.get(position)).copied().unwrap_or(Any)
}

/// The texts that the parameters of a member of the platform are known to take; none where nothing is known.
pub fn texts(owner: &str, name: &str, descriptor: &str) -> Vec<&'static str> {
    let key = |&&(class, member, start, _): &&Hint| (class, member, start) == (owner, name, descriptor);
    let parameters = HINTS.iter().find(key).map_or(&[][..], |(.., parameters)| parameters);
    let of = |valid: &Valid| match valid {
        Text(texts) => texts.to_vec(),
        Any | Int(_) | Long(_) | Size(_) => Vec::new(),
    };
    parameters.iter().flat_map(of).collect()
}

/// Whether any member of the class has hints.
pub(super) fn has_hints(class: &ClassName) -> bool {
    HINTS.binary_search_by(|(owner, ..)| (*owner).cmp(class.as_str())).is_ok()
}

/// Class, member, descriptor, and what is valid per parameter.
pub type Hint = (&'static str, &'static str, &'static str, &'static [Valid]);

const REGEX: Valid =
    Text(&["[a-z]+", "\\d+", "a*b", "(\\w+)=(\\d+)?", "^.*$", "\\s*,\\s*", "x|y", "(?<name>[^:]*):.*"]);
const REGEX_FLAGS: Valid = Int(&[0, 2, 8, 32, 10]);
const ZONE: Valid = Text(&["UTC", "GMT", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "GMT+05:30"]);
const DATE_PATTERN: Valid = Text(&[
    "yyyy-MM-dd",
    "HH:mm:ss",
    "yyyy-MM-dd'T'HH:mm:ss",
    "EEE, d MMM yyyy",
    "dd/MM/yy HH:mm",
    "yyyyMMddHHmmssSSS",
]);
const NUMBER_PATTERN: Valid = Text(&["0", "#,##0.00", "0.###E0", "00.0%", "#.##;(#.##)"]);
const MESSAGE_PATTERN: Valid = Text(&["{0}", "{0} and {1}", "{0,number,#.#}", "It''s {0}", "{0,date,yyyy}"]);
const LANGUAGE: Valid = Text(&["en", "de", "fr", "ja", ""]);
const COUNTRY: Valid = Text(&["US", "GB", "DE", "FR", "JP", ""]);
const VARIANT: Valid = Text(&["", "POSIX", "WIN"]);
const CHARSET: Valid = Text(&["UTF-8", "ISO-8859-1", "US-ASCII", "UTF-16", "windows-1252"]);
const URI: Valid = Text(&[
    "http://example.com/",
    "https://user@example.com:8080/a/b.html?x=1&y=2#top",
    "file:/tmp/a.txt",
    "a/b",
    "mailto:a@example.com",
    "urn:isbn:1",
]);
const URL: Valid =
    Text(&["http://example.com/", "https://example.com:8443/a/b?x=1#top", "file:/tmp/a.txt", "ftp://h/"]);
const FILE: Valid = Text(&["file.txt", "dir", "dir/file.tar.gz", ".", "..", ".hidden"]);
const YEAR: Valid = Int(&[2000, 1970, 2023, 1999, 2024]);
const MONTH: Valid = Int(&[1, 2, 6, 12]);
const MONTH_FROM_0: Valid = Int(&[0, 1, 5, 11]);
const DAY: Valid = Int(&[1, 15, 28, 31]);
const HOUR: Valid = Int(&[0, 9, 12, 23]);
const MINUTE: Valid = Int(&[0, 1, 30, 59]);
const CALENDAR_FIELD: Valid = Int(&[1, 2, 5, 6, 7, 11, 12, 13, 14]);
const MILLIS: Valid = Long(&[0, 1_000, 86_400_000, 951_782_400_000, 1_700_000_000_000, -1]);
const SECONDS: Valid = Long(&[0, 1, 59, 60, 3_600, 86_400, -1]);
const TAG: Valid = Text(&["item", "root", "a", "ns:b"]);
const HEADER: Valid = Text(&["Content-Type", "Name", "Version"]);

const SHADE: Valid = Int(&[0, 128, 255]);
const STYLE: Valid = Int(&[0, 1, 2]);
/// Constants of `java.awt.color.ColorSpace`.
const COLOR_SPACE: Valid = Int(&[1_000, 1_001, 1_002, 1_003, 1_004]);
const EXTENT: Valid = Size(&[1, 2, 10]);

/// All hints, by class; a second name of the same class comes after the first.
#[rustfmt::skip]
pub const HINTS: &[Hint] = &[
    ("java/awt/AlphaComposite", "getInstance", "(IF)Ljava/awt/AlphaComposite;", &[Int(&[3, 1, 8])]),
    ("java/awt/BasicStroke", "<init>", "(FIIF[FF)V", &[Any, STYLE, STYLE]),
    ("java/awt/Color", "<init>", "(III)V", &[SHADE, SHADE, SHADE]),
    ("java/awt/Color", "<init>", "(IIII)V", &[SHADE, SHADE, SHADE, SHADE]),
    ("java/awt/Font", "<init>", "(Ljava/lang/String;II)V", &[Text(&["Dialog", "Serif"]), STYLE, Int(&[10, 12, 24])]),
    ("java/awt/color/ColorSpace", "getInstance", "(I)Ljava/awt/color/ColorSpace;", &[COLOR_SPACE]),
    ("java/awt/color/ICC_Profile", "getInstance", "(I)Ljava/awt/color/ICC_Profile;", &[COLOR_SPACE]),
    ("java/awt/event/ActionEvent", "<init>", "(Ljava/lang/Object;ILjava/lang/String;)V", &[Any, Int(&[1001])]),
    ("java/awt/image/AffineTransformOp", "<init>", "(Ljava/awt/geom/AffineTransform;I)V", &[Any, Int(&[1, 2, 3])]),
    ("java/awt/image/BufferedImage", "<init>", "(III)V", &[EXTENT, EXTENT, Int(&[1, 2, 5, 10, 13])]),
    ("java/awt/image/ConvolveOp", "<init>", "(Ljava/awt/image/Kernel;ILjava/awt/RenderingHints;)V", &[Any, Int(&[0, 1])]),
    ("java/awt/image/Kernel", "<init>", "(II[F)V", &[Size(&[1, 2]), Size(&[1, 2])]),
    ("java/io/File", "<init>", "(Ljava/io/File;Ljava/lang/String;)V", &[Any, FILE]),
    ("java/io/File", "<init>", "(Ljava/lang/String;)V", &[FILE]),
    ("java/io/File", "<init>", "(Ljava/lang/String;Ljava/lang/String;)V", &[FILE, FILE]),
    ("java/math/BigDecimal", "<init>", "(Ljava/lang/String;)V",
        &[Text(&["0", "1.5", "-12.345", "1E+3", "0.00", "99999999999999999999.9"])]),
    ("java/math/BigInteger", "<init>", "(Ljava/lang/String;)V", &[Text(&["0", "-1", "42", "123456789012345678901"])]),
    ("java/math/MathContext", "<init>", "(I)V", &[Int(&[0, 1, 3, 10])]),
    ("java/net/InetAddress", "getByAddress", "([B)Ljava/net/InetAddress;", &[Int(&[4, 4, 16])]),
    ("java/net/InetSocketAddress", "createUnresolved", "(Ljava/lang/String;I)Ljava/net/InetSocketAddress;",
        &[Text(&["localhost", "example.com"]), Int(&[0, 80, 8080])]),
    ("java/net/URI", "<init>", "(Ljava/lang/String;)V", &[URI]),
    ("java/net/URI", "create", "(Ljava/lang/String;)Ljava/net/URI;", &[URI]),
    ("java/net/URL", "<init>", "(Ljava/lang/String;)V", &[URL]),
    ("java/nio/ByteBuffer", "allocate", "(I)Ljava/nio/ByteBuffer;", &[Size(&[0, 1, 4, 16])]),
    ("java/nio/charset/Charset", "forName", "(Ljava/lang/String;)Ljava/nio/charset/Charset;", &[CHARSET]),
    ("java/nio/file/Paths", "get", "(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;", &[FILE, Int(&[0])]),
    ("java/security/MessageDigest", "getInstance", "(Ljava/lang/String;)Ljava/security/MessageDigest;",
        &[Text(&["SHA-256", "MD5", "SHA-1"])]),
    ("java/sql/Date", "<init>", "(J)V", &[MILLIS]),
    ("java/sql/Time", "<init>", "(J)V", &[MILLIS]),
    ("java/sql/Timestamp", "<init>", "(J)V", &[MILLIS]),
    ("java/text/ChoiceFormat", "<init>", "(Ljava/lang/String;)V", &[Text(&["0#none|1#one|1<many", "-1#less|0#more"])]),
    ("java/text/DecimalFormat", "<init>", "(Ljava/lang/String;Ljava/text/DecimalFormatSymbols;)V", &[NUMBER_PATTERN]),
    ("java/text/MessageFormat", "<init>", "(Ljava/lang/String;Ljava/util/Locale;)V", &[MESSAGE_PATTERN]),
    ("java/text/SimpleDateFormat", "<init>", "(Ljava/lang/String;Ljava/util/Locale;)V", &[DATE_PATTERN]),
    ("java/time/Duration", "ofMillis", "(J)Ljava/time/Duration;", &[MILLIS]),
    ("java/time/Duration", "ofSeconds", "(J)Ljava/time/Duration;", &[SECONDS]),
    ("java/time/Instant", "ofEpochMilli", "(J)Ljava/time/Instant;", &[MILLIS]),
    ("java/time/Instant", "ofEpochSecond", "(J)Ljava/time/Instant;", &[SECONDS]),
    ("java/time/LocalDate", "of", "(III)Ljava/time/LocalDate;", &[YEAR, MONTH, DAY]),
    ("java/time/LocalDate", "ofEpochDay", "(J)Ljava/time/LocalDate;", &[Long(&[0, 1, 11_016, 19_723, -1])]),
    ("java/time/LocalDateTime", "of", "(IIIII)Ljava/time/LocalDateTime;", &[YEAR, MONTH, DAY, HOUR, MINUTE]),
    ("java/time/LocalTime", "of", "(II)Ljava/time/LocalTime;", &[HOUR, MINUTE]),
    ("java/time/LocalTime", "of", "(III)Ljava/time/LocalTime;", &[HOUR, MINUTE, MINUTE]),
    ("java/time/MonthDay", "of", "(II)Ljava/time/MonthDay;", &[MONTH, DAY]),
    ("java/time/Year", "of", "(I)Ljava/time/Year;", &[YEAR]),
    ("java/time/YearMonth", "of", "(II)Ljava/time/YearMonth;", &[YEAR, MONTH]),
    ("java/time/ZoneId", "of", "(Ljava/lang/String;)Ljava/time/ZoneId;", &[ZONE]),
    ("java/time/ZoneOffset", "ofHours", "(I)Ljava/time/ZoneOffset;", &[Int(&[0, 1, -5, 14])]),
    ("java/time/format/DateTimeFormatter", "ofPattern",
        "(Ljava/lang/String;Ljava/util/Locale;)Ljava/time/format/DateTimeFormatter;", &[DATE_PATTERN]),
    ("java/util/Calendar", "add", "(II)V", &[CALENDAR_FIELD]),
    ("java/util/Calendar", "set", "(II)V", &[CALENDAR_FIELD]),
    ("java/util/Calendar", "setTimeInMillis", "(J)V", &[MILLIS]),
    ("java/util/Currency", "getInstance", "(Ljava/lang/String;)Ljava/util/Currency;", &[Text(&["EUR", "USD", "JPY"])]),
    ("java/util/Date", "<init>", "(J)V", &[MILLIS]),
    ("java/util/Date", "setTime", "(J)V", &[MILLIS]),
    ("java/util/GregorianCalendar", "<init>", "(III)V", &[YEAR, MONTH_FROM_0, DAY]),
    ("java/util/GregorianCalendar", "<init>", "(IIIII)V", &[YEAR, MONTH_FROM_0, DAY, HOUR, MINUTE]),
    ("java/util/Locale", "<init>", "(Ljava/lang/String;)V", &[LANGUAGE]),
    ("java/util/Locale", "<init>", "(Ljava/lang/String;Ljava/lang/String;)V", &[LANGUAGE, COUNTRY]),
    ("java/util/Locale", "<init>", "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V",
        &[LANGUAGE, COUNTRY, VARIANT]),
    ("java/util/Locale", "forLanguageTag", "(Ljava/lang/String;)Ljava/util/Locale;",
        &[Text(&["en-US", "de", "zh-Hant-TW", "fr-CA", "und"])]),
    ("java/util/TimeZone", "getTimeZone", "(Ljava/lang/String;)Ljava/util/TimeZone;", &[ZONE]),
    ("java/util/UUID", "fromString", "(Ljava/lang/String;)Ljava/util/UUID;",
        &[Text(&["00000000-0000-0000-0000-000000000001", "123e4567-e89b-12d3-a456-426614174000"])]),
    ("java/util/jar/Attributes", "putValue", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", &[HEADER]),
    ("java/util/regex/Pattern", "compile", "(Ljava/lang/String;)Ljava/util/regex/Pattern;", &[REGEX]),
    ("java/util/regex/Pattern", "compile", "(Ljava/lang/String;I)Ljava/util/regex/Pattern;", &[REGEX, REGEX_FLAGS]),
    ("javax/crypto/spec/SecretKeySpec", "<init>", "([BLjava/lang/String;)V",
        &[Int(&[16, 8]), Text(&["AES", "HmacSHA256"])]),
    ("org/w3c/dom/Document", "createAttribute", "(Ljava/lang/String;)Lorg/w3c/dom/Attr;", &[TAG]),
    ("org/w3c/dom/Document", "createElement", "(Ljava/lang/String;)Lorg/w3c/dom/Element;", &[TAG]),
    ("org/w3c/dom/Element", "setAttribute", "(Ljava/lang/String;Ljava/lang/String;)V", &[TAG]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_by_class() {
        assert!(HINTS.is_sorted_by_key(|(owner, ..)| *owner), "the classes are searched by bisection");
        let none = valid(&"java/lang/String".into(), "length", "()I", 0);
        assert!(none.values().is_empty() && !has_hints(&"java/lang/String".into()));
    }
}
