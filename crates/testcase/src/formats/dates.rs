//! Dates and times, in the patterns that the code mentions or in those of ISO 8601.

use super::{Format, Vocabulary, unchanged};
use crate::random::Random;

/// Dates, times, durations and periods.
pub(super) const DATES: Format = Format {
    name: "dates",
    readers: &[
        ("java/sql/Date", &["valueOf"]),
        ("java/sql/Timestamp", &["valueOf"]),
        ("java/text/DateFormat", &["parse"]),
        ("java/text/SimpleDateFormat", &["parse"]),
        ("java/time/Duration", &["parse"]),
        ("java/time/Instant", &["parse"]),
        ("java/time/LocalDate", &["parse"]),
        ("java/time/LocalDateTime", &["parse"]),
        ("java/time/LocalTime", &["parse"]),
        ("java/time/OffsetDateTime", &["parse"]),
        ("java/time/Period", &["parse"]),
        ("java/time/YearMonth", &["parse"]),
        ("java/time/ZonedDateTime", &["parse"]),
        ("java/time/format/DateTimeFormatter", &["parse"]),
        ("java/util/Date", &["parse", "<init>"]),
        ("org/joda/time/", &["parse", "parseDateTime", "parseLocalDate", "parseMillis"]),
    ],
    vocabulary: Vocabulary::Constants,
    text,
    changed: unchanged,
};

/// Patterns of ISO 8601, of `java.sql.Timestamp` and of RFC 1123.
const PATTERNS: [&str; 6] = [
    "yyyy-MM-dd",
    "yyyy-MM-dd'T'HH:mm:ss",
    "yyyy-MM-dd'T'HH:mm:ssXXX",
    "HH:mm:ss",
    "yyyy-MM-dd HH:mm:ss",
    "EEE, dd MMM yyyy HH:mm:ss zzz",
];

/// Longest pattern, in bytes.
const LONGEST_PATTERN: usize = 40;

/// The letters that patterns are made of.
const LETTERS: &str = "GyYuMLwWdDFEaHkKhmsSnNzZXxVO";

const DURATIONS: [&str; 5] = ["PT1H30M", "PT-2.5S", "P1D", "P2Y3M4D", "P3W"];

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

fn text(words: &[String], random: &mut Random) -> String {
    let patterns: Vec<&str> = words.iter().map(String::as_str).filter(|word| is_pattern(word)).collect();
    if let Some(pattern) = random.choose(&patterns).filter(|_| random.chance(0.75)) {
        return written(pattern, random);
    }
    if random.chance(0.1) {
        return (*random.choose(&DURATIONS).unwrap_or(&DURATIONS[0])).to_owned();
    }
    written(random.choose(&PATTERNS).unwrap_or(&PATTERNS[0]), random)
}

/// Whether a string of the code is a pattern of dates or of times.
fn is_pattern(text: &str) -> bool {
    let unquoted: String = text.split('\'').step_by(2).collect();
    let fields = ["yy", "MM", "dd", "HH", "hh", "mm", "ss"].iter().filter(|field| unquoted.contains(**field));
    text.len() <= LONGEST_PATTERN
        && fields.count() >= 2
        && unquoted.chars().all(|c| !c.is_ascii_alphabetic() || LETTERS.contains(c))
}

/// A moment in a pattern, with the letters of `java.text.SimpleDateFormat`.
fn written(pattern: &str, random: &mut Random) -> String {
    let mut text = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(letter) = rest.next() {
        if letter == '\'' {
            if rest.next_if_eq(&'\'').is_some() {
                text.push('\'');
            } else {
                text.extend(rest.by_ref().take_while(|&quoted| quoted != '\''));
            }
            continue;
        }
        let mut width = 1;
        while rest.next_if_eq(&letter).is_some() {
            width += 1;
        }
        text.push_str(&field(letter, width, random));
    }
    text
}

/// What stands for so many of a letter; what is no letter of a pattern stands for itself.
fn field(letter: char, width: usize, random: &mut Random) -> String {
    let mut number = |low: usize, high: usize| {
        let number = low + random.below(high - low + 1);
        format!("{number:0width$}")
    };
    match letter {
        'y' | 'u' if width == 2 => number(0, 99),
        'y' | 'u' | 'Y' => number(1970, 2030),
        'M' | 'L' if width >= 3 => MONTHS[random.below(MONTHS.len())].to_owned(),
        'M' | 'L' => number(1, 12),
        'd' => number(1, 28),
        'D' => number(1, 365),
        'H' => number(0, 23),
        'h' | 'K' | 'k' => number(1, 11),
        'm' | 's' => number(0, 59),
        'S' => number(0, 999),
        'E' => DAYS[random.below(DAYS.len())].to_owned(),
        'a' => (if random.chance(0.5) { "AM" } else { "PM" }).to_owned(),
        'z' => "GMT".to_owned(),
        'Z' => "+0000".to_owned(),
        'X' => (if random.chance(0.5) { "Z" } else { "+01:00" }).to_owned(),
        'G' => "AD".to_owned(),
        other => other.to_string().repeat(width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_written_out() {
        for (pattern, shape) in [
            ("yyyy-MM-dd", "0000-00-00"),
            ("HH:mm:ss.SSS", "00:00:00.000"),
            ("yyyy'T'HH''mm", "0000T00'00"),
            ("yy", "00"),
        ] {
            let text = written(pattern, &mut Random::new(7, 0));
            let digits: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            assert_eq!(digits, shape, "{pattern}: {text}");
        }
    }

    #[test]
    fn patterns_are_told_from_other_constants() {
        for (text, expected) in
            [("yyyy-MM-dd", true), ("HH:mm", true), ("address", false), ("mm", false), ("summer", false)]
        {
            assert_eq!(is_pattern(text), expected, "{text}");
        }
    }
}
