//! The run-time image `lib/modules` of a JDK 9 or newer.
//!
//! The format is not part of any specification; it has been stable since JDK 9 (version 1.0) and is described
//! by the sources of `jdk.internal.jimage`. Only what is needed to find a class by name is read: header,
//! perfect hash table, location attributes, strings, and the package index.

use std::ops::Range;

use thiserror::Error;

use crate::name::ClassName;

/// What is wrong with an image.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JImageError {
    /// The first word is not the magic number in either byte order.
    #[error("not a run-time image of a JDK")]
    Magic,
    /// Another version than 1.0.
    #[error("run-time image of version {major}.{minor}; 1.0 is known")]
    Version {
        /// Major version.
        major: u16,
        /// Minor version.
        minor: u16,
    },
    /// A table or resource reaches beyond the end.
    #[error("the run-time image is cut off")]
    Truncated,
}

/// Reads a range of the image file; `None` when it cannot.
pub type ReadRange<'a> = dyn Fn(Range<u64>) -> Option<Vec<u8>> + 'a;

/// The index of an image: everything but the resources, which are read when asked for.
#[derive(Debug, Clone)]
pub struct JImage {
    index: Vec<u8>,
    big_endian: bool,
    table_length: u32,
    redirects: usize,
    offsets: usize,
    locations: usize,
    strings: usize,
}

/// Where a resource lies.
#[derive(Debug, Clone, Copy, Default)]
struct Location {
    module: u64,
    parent: u64,
    base: u64,
    extension: u64,
    offset: u64,
    compressed: u64,
    size: u64,
}

const HASH_MULTIPLIER: u32 = 0x0100_0193;
impl JImage {
    /// Bytes from the start of the file that hold the header.
    pub const HEADER: usize = 28;

    /// Bytes from the start of the file that hold the whole index, told by the header.
    pub fn index_size(header: &[u8]) -> Result<usize, JImageError> {
        Self::layout(header).map(|layout| layout.5)
    }

    /// Byte order, table length, and where redirects, offsets, locations, strings (as their sum) end.
    fn layout(header: &[u8]) -> Result<(bool, u32, usize, usize, usize, usize), JImageError> {
        let magic: [u8; 4] = header.first_chunk().copied().ok_or(JImageError::Truncated)?;
        let big_endian = match (u32::from_be_bytes(magic), u32::from_le_bytes(magic)) {
            (0xCAFE_DADA, _) => true,
            (_, 0xCAFE_DADA) => false,
            _ => return Err(JImageError::Magic),
        };
        let word = |index: usize| word_at(header, index * 4, big_endian).ok_or(JImageError::Truncated);
        let version = word(1)?;
        if version != 1 << 16 {
            return Err(JImageError::Version { major: (version >> 16) as u16, minor: version as u16 });
        }
        let (table_length, locations_size, strings_size) = (word(4)?, word(5)? as usize, word(6)? as usize);
        let offsets = Self::HEADER + table_length as usize * 4;
        let locations = offsets + table_length as usize * 4;
        let strings = locations + locations_size;
        Ok((big_endian, table_length, offsets, locations, strings, strings + strings_size))
    }

    /// Takes the index: the first [`JImage::index_size`] bytes of the file.
    pub fn parse(mut index: Vec<u8>) -> Result<Self, JImageError> {
        let (big_endian, table_length, offsets, locations, strings, end) = Self::layout(&index)?;
        if index.len() < end {
            return Err(JImageError::Truncated);
        }
        index.truncate(end);
        Ok(Self { index, big_endian, table_length, redirects: Self::HEADER, offsets, locations, strings })
    }

    /// The class file of this name, from whichever module holds its package; `None` when there is none, or
    /// when the image is compressed.
    pub fn class_bytes(&self, name: &ClassName, read: &ReadRange<'_>) -> Option<Vec<u8>> {
        let module = self.module_of_package(name.package(), read)?;
        self.resource(&format!("/{module}/{name}.class"), read)
    }

    /// The module that holds the contents of a package (internal form).
    pub fn module_of_package(&self, package: &str, read: &ReadRange<'_>) -> Option<&str> {
        let index = self.resource(&format!("/packages/{}", package.replace('/', ".")), read)?;
        // Pairs of words: whether the module has only subpackages of it, and the module's name.
        index.chunks_exact(8).find_map(|pair| {
            let empty = word_at(pair, 0, self.big_endian)?;
            let name = word_at(pair, 4, self.big_endian)?;
            if empty == 0 { self.string(u64::from(name)) } else { None }
        })
    }

    /// All resources of all modules as (module, path within the module), in the order of the hash table.
    pub fn resources(&self) -> impl Iterator<Item = (&str, String)> {
        (0..self.table_length).filter_map(|index| {
            let location = self.location(index)?;
            let module = self.string(location.module)?;
            if module.is_empty() || module == "packages" || module == "modules" {
                return None;
            }
            Some((module, self.path(&location)?))
        })
    }

    /// A resource by its full path, `/java.base/java/lang/Object.class`; `None` if absent or compressed.
    pub fn resource(&self, path: &str, read: &ReadRange<'_>) -> Option<Vec<u8>> {
        let location = self.find(path)?;
        if location.compressed != 0 {
            return None;
        }
        let start = (self.index.len() as u64).checked_add(location.offset)?;
        read(start..start.checked_add(location.size)?)
    }

    fn find(&self, path: &str) -> Option<Location> {
        if self.table_length == 0 {
            return None;
        }
        let slot = hash(path, HASH_MULTIPLIER) % self.table_length;
        let redirect = word_at(&self.index, self.redirects + slot as usize * 4, self.big_endian)? as i32;
        let index = match redirect {
            0 => return None,
            1.. => hash(path, redirect as u32) % self.table_length,
            _ => (-1 - redirect) as u32,
        };
        let location = self.location(index)?;
        let module = self.string(location.module)?;
        let full = if module.is_empty() {
            self.path(&location)?
        } else {
            format!("/{module}/{}", self.path(&location)?)
        };
        (full == path).then_some(location)
    }

    fn path(&self, location: &Location) -> Option<String> {
        let mut path = String::new();
        let parent = self.string(location.parent)?;
        if !parent.is_empty() {
            path.push_str(parent);
            path.push('/');
        }
        path.push_str(self.string(location.base)?);
        let extension = self.string(location.extension)?;
        if !extension.is_empty() {
            path.push('.');
            path.push_str(extension);
        }
        Some(path)
    }

    fn location(&self, index: u32) -> Option<Location> {
        let at = word_at(&self.index, self.offsets + index as usize * 4, self.big_endian)? as usize;
        let mut position = self.locations.checked_add(at)?;
        let mut location = Location::default();
        loop {
            let head = *self.index.get(position)?;
            let length = usize::from(head & 7) + 1;
            let value = || {
                let bytes = self.index.get(position + 1..position + 1 + length)?;
                Some(bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)))
            };
            match head >> 3 {
                0 => return Some(location),
                1 => location.module = value()?,
                2 => location.parent = value()?,
                3 => location.base = value()?,
                4 => location.extension = value()?,
                5 => location.offset = value()?,
                6 => location.compressed = value()?,
                7 => location.size = value()?,
                _ => return None,
            }
            position += 1 + length;
        }
    }

    fn string(&self, offset: u64) -> Option<&str> {
        let start = self.strings.checked_add(offset as usize)?;
        let rest = self.index.get(start..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        std::str::from_utf8(&rest[..end]).ok()
    }
}

fn word_at(bytes: &[u8], position: usize, big_endian: bool) -> Option<u32> {
    let word: [u8; 4] = bytes.get(position..)?.first_chunk().copied()?;
    Some(if big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) })
}

fn hash(path: &str, seed: u32) -> u32 {
    path.bytes().fold(seed, |hash, byte| hash.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(byte)) & 0x7FFF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_and_cut_images_are_errors() {
        assert_eq!(JImage::parse(b"ELF\x7f0000".to_vec()).unwrap_err(), JImageError::Magic);
        assert_eq!(JImage::parse(Vec::new()).unwrap_err(), JImageError::Truncated);
        let mut header = 0xCAFE_DADA_u32.to_le_bytes().to_vec();
        header.extend(0x0002_0000_u32.to_le_bytes());
        assert_eq!(JImage::parse(header.clone()).unwrap_err(), JImageError::Version { major: 2, minor: 0 });
        header[6] = 1;
        header.extend([0xFF; 20]);
        assert_eq!(JImage::parse(header.clone()).unwrap_err(), JImageError::Truncated);
    }
}
