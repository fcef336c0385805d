//! The bytes of source files.

/// How characters become bytes. What is printed is ASCII, and licences are copied: so all that matters is whether an ASCII
/// character is one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// ASCII characters are the bytes that they are in ASCII, as in UTF-8 and those of ISO and Windows. Other bytes are kept as they
    /// are.
    Bytes,
    /// UTF-16.
    Utf16 {
        /// Whether the higher byte comes first.
        big: bool,
        /// Whether a byte order mark comes before all.
        mark: bool,
    },
}

impl Encoding {
    /// The encoding of this name, as Java has it.
    pub fn named(name: &str) -> Self {
        match name.to_lowercase().as_str() {
            "utf-16" | "utf_16" | "utf16" | "unicode" => Self::Utf16 { big: true, mark: true },
            "utf-16be" | "utf_16be" | "x-utf-16be" => Self::Utf16 { big: true, mark: false },
            "utf-16le" | "utf_16le" | "x-utf-16le" => Self::Utf16 { big: false, mark: false },
            "x-utf-16le-bom" => Self::Utf16 { big: false, mark: true },
            _ => Self::Bytes,
        }
    }

    /// The characters of a file: of bytes that are no ASCII, whatever stands for them, as long as [`Encoding::encode`] gives them
    /// back. `None` if they are no text.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<String> {
        let Self::Utf16 { big, .. } = self else {
            return Some(bytes.iter().map(|&byte| char::from(byte)).collect());
        };
        let (big, bytes) = match bytes {
            [0xfe, 0xff, rest @ ..] => (true, rest),
            [0xff, 0xfe, rest @ ..] => (false, rest),
            bytes => (big, bytes),
        };
        let (pairs, []) = bytes.as_chunks::<2>() else { return None };
        let unit = |pair: &[u8; 2]| if big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
        char::decode_utf16(pairs.iter().map(unit)).collect::<Result<_, _>>().ok()
    }

    /// The bytes of a text whose characters [`Encoding::decode`] gave, or are ASCII.
    pub(super) fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Self::Bytes => text.chars().map(|character| character as u8).collect(),
            Self::Utf16 { big, mark } => {
                let units = mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
                units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_back() {
        let check = |name: &str, bytes: &[u8]| {
            let encoding = Encoding::named(name);
            let text = encoding.decode(bytes).unwrap();
            assert_eq!(encoding.encode(&text), bytes, "{name}");
        };
        check("UTF-8", "größe ©".as_bytes());
        check("windows-1252", b"gr\xf6\xdfe \xa9");
        check("UTF-16", b"\xfe\xff\0A\0\xf6");
        check("UTF-16LE", b"A\0\xf6\0");
        assert_eq!(
            Encoding::named("UTF-16").decode(b"\xff\xfeA\0").as_deref(),
            Some("A"),
            "the mark decides"
        );
        assert_eq!(Encoding::named("UTF-16BE").decode(b"A"), None);
    }
}
