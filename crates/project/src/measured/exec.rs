//! Reads what JaCoCo's agent dumps, a sequence of blocks: a header, sessions, and of each class that was loaded its id, name and
//! the probes that were hit (`ExecutionDataReader` and `CompactDataInput` of JaCoCo 0.8, format version 0x1007). Numbers are
//! big-endian.

use thiserror::Error;

/// The only version of the format since JaCoCo 0.7.5.
const VERSION: u16 = 0x1007;
const MAGIC: u16 = 0xC0C0;

const HEADER: u8 = 0x01;
const SESSION: u8 = 0x10;
const CLASS: u8 = 0x11;

/// What was hit of a class that was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Loaded {
    /// Of the class file, see [`class_id`].
    pub id: u64,
    /// Internal name.
    pub name: String,
    /// By probe.
    pub hits: Vec<bool>,
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum ExecError {
    /// It does not begin as one.
    #[error("it does not begin as JaCoCo's data do")]
    Magic,
    /// It is of another version.
    #[error("it is of version {0:#x} of JaCoCo's format, and {VERSION:#x} is read")]
    Version(u16),
    /// It was cut.
    #[error("it ends in the middle")]
    Cut,
    /// A block is none.
    #[error("it is damaged")]
    Block,
}

/// Whether this is the begin of such a file.
pub(super) fn is_exec(bytes: &[u8]) -> bool {
    bytes.first() == Some(&HEADER)
}

/// The classes of a file, in its order; a class may come more than once.
///
/// # Errors
/// It is none, is damaged, or of another version.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Loaded>, ExecError> {
    if !is_exec(bytes) {
        return Err(ExecError::Magic);
    }
    let mut input = Input { bytes };
    let mut classes = Vec::new();
    while !input.bytes.is_empty() {
        match input.byte()? {
            HEADER => input.header()?,
            SESSION => {
                input.text()?;
                // When it began and ended.
                input.take::<16>()?;
            }
            CLASS => classes.push(Loaded {
                id: u64::from_be_bytes(input.take()?),
                name: input.text()?,
                hits: input.flags()?,
            }),
            _ => return Err(ExecError::Block),
        }
    }
    Ok(classes)
}

/// What is left of a file.
struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    fn take<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], ExecError> {
        let (taken, left) = self.bytes.split_first_chunk().ok_or(ExecError::Cut)?;
        self.bytes = left;
        Ok(*taken)
    }

    fn many(&mut self, length: usize) -> Result<&'a [u8], ExecError> {
        let (taken, left) = self.bytes.split_at_checked(length).ok_or(ExecError::Cut)?;
        self.bytes = left;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, ExecError> {
        self.take().map(|[byte]| byte)
    }

    fn header(&mut self) -> Result<(), ExecError> {
        if u16::from_be_bytes(self.take()?) != MAGIC {
            return Err(ExecError::Magic);
        }
        match u16::from_be_bytes(self.take()?) {
            VERSION => Ok(()),
            other => Err(ExecError::Version(other)),
        }
    }

    /// As `DataOutput.writeUTF` writes it; names beyond the letters of all planes but the first are not told apart.
    fn text(&mut self) -> Result<String, ExecError> {
        let length = u16::from_be_bytes(self.take()?);
        Ok(String::from_utf8_lossy(self.many(length.into())?).into_owned())
    }

    /// A number in groups of seven bits, the lowest first.
    fn number(&mut self) -> Result<usize, ExecError> {
        let mut number = 0_usize;
        for group in 0..5 {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7F) << (7 * group);
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(ExecError::Block)
    }

    /// Their number, then eight in a byte, the lowest bit first.
    fn flags(&mut self) -> Result<Vec<bool>, ExecError> {
        let number = self.number()?;
        let bytes = self.many(number.div_ceil(8))?;
        Ok((0..number).map(|flag| bytes[flag / 8] >> (flag % 8) & 1 == 1).collect())
    }
}

/// The id of a class file: its CRC-64 by the polynomial of ISO 3309, from 0 and without a last inversion. Classes of Java 9 have
/// the id that they would have as classes of Java 8 (`CRC64` of JaCoCo). It is written here since its ten lines are a small part of
/// what a crate would have to be told of this variant.
pub(super) fn class_id(class_file: &[u8]) -> u64 {
    const REVERSED: u64 = 0xD800_0000_0000_0000;
    let of_java_9 = matches!(class_file, [_, _, _, _, _, _, 0x00, 0x35, ..]);
    class_file.iter().enumerate().fold(0, |id, (index, &byte)| {
        let byte = if of_java_9 && index == 7 { 0x34 } else { byte };
        let mut id = id ^ u64::from(byte);
        for _ in 0..8 {
            id = (id >> 1) ^ (if id & 1 == 1 { REVERSED } else { 0 });
        }
        id
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const BEGIN: [u8; 5] = [0x01, 0xC0, 0xC0, 0x10, 0x07];

    /// A file with these classes, at most 127 probes each.
    pub(in super::super) fn exec(classes: &[(u64, &str, &[bool])]) -> Vec<u8> {
        let mut bytes = BEGIN.to_vec();
        bytes.extend([SESSION, 0, 1, b's']);
        bytes.extend([0; 16]);
        for (id, name, hits) in classes {
            bytes.push(CLASS);
            bytes.extend(id.to_be_bytes());
            bytes.extend((name.len() as u16).to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.push(hits.len() as u8);
            bytes.extend(
                hits.chunks(8).map(|eight| {
                    eight.iter().enumerate().map(|(bit, &hit)| u8::from(hit) << bit).sum::<u8>()
                }),
            );
        }
        bytes
    }

    #[test]
    fn classes_have_ids_names_and_hits() {
        let hits = [true, false, false, true, false, false, false, false, true];
        let bytes = exec(&[(7, "p/A", &hits), (u64::MAX, "B", &[])]);
        let loaded = |id, name: &str, hits: &[bool]| Loaded { id, name: name.into(), hits: hits.to_vec() };
        assert_eq!(read(&bytes), Ok(vec![loaded(7, "p/A", &hits), loaded(u64::MAX, "B", &[])]));
        // Dumps that were appended to each other.
        assert_eq!(read(&[bytes.clone(), bytes].concat()).map(|classes| classes.len()), Ok(4));
    }

    #[test]
    fn what_is_no_such_file_is_told() {
        let check = |bytes: &[u8], expect: ExecError| assert_eq!(read(bytes), Err(expect), "{bytes:?}");
        check(b"", ExecError::Magic);
        check(b"PK", ExecError::Magic);
        check(&[0x01, 0xC0, 0xC1, 0x10, 0x07], ExecError::Magic);
        check(&[0x01, 0xC0, 0xC0, 0x10, 0x06], ExecError::Version(0x1006));
        check(&[&BEGIN[..], &[0x12]].concat(), ExecError::Block);
        check(
            &[&BEGIN[..], &[CLASS, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80]].concat(),
            ExecError::Block,
        );
        let whole = exec(&[(7, "p/A", &[true])]);
        for length in BEGIN.len() + 1..whole.len() {
            if length != BEGIN.len() + 20 {
                check(&whole[..length], ExecError::Cut);
            }
        }
    }

    #[test]
    fn ids_are_those_of_jacoco() {
        // What `CRC64.classId` of JaCoCo 0.8.14 gives.
        assert_eq!(class_id(b"hello world"), 0x4630_C0FB_D526_53C1);
        let of = |version| class_id(&[0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, version, 1]);
        let (java_8, java_10) = (0xCCF9_C000_00FD_DB71, 0xCCFA_A000_00FD_DB71);
        assert_eq!([0x34, 0x35, 0x36].map(of), [java_8, java_8, java_10]);
    }
}
