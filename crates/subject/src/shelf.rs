//! Where something large lies that is seldom looked at: encoded and compressed, in a tenth of the memory.
//!
//! A run over a project keeps what is known of each class until the files of all are verified together. Nearly all of that is
//! the class's cluster, which says what tests may call; once its file is written, hardly any class is asked again.

use std::io::{Read as _, Write as _};
use std::sync::{Arc, PoisonError, RwLock};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A value that can be put away.
#[derive(Debug)]
pub struct Shelf<T>(RwLock<Place<T>>);

#[derive(Debug)]
enum Place<T> {
    /// At hand.
    Out(Arc<T>),
    /// Encoded and compressed.
    Away(Vec<u8>),
}

impl<T: Serialize + DeserializeOwned> Shelf<T> {
    /// With a value at hand.
    pub fn new(value: T) -> Self {
        Self(RwLock::new(Place::Out(Arc::new(value))))
    }

    /// The value. Where it was put away it is decoded for whoever asks, and is no more at hand afterwards than before.
    ///
    /// # Panics
    /// Never: what is decoded was found to be decodable when it was put away.
    pub fn get(&self) -> Arc<T> {
        match &*self.0.read().unwrap_or_else(PoisonError::into_inner) {
            Place::Out(value) => Arc::clone(value),
            Place::Away(bytes) => Arc::new(decoded(bytes).expect("what was put away can be decoded")),
        }
    }

    /// Puts the value away; it stays at hand where it could not be had again.
    pub fn put_away(&self) {
        let mut place = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Place::Out(value) = &*place
            && let Some(bytes) = encoded(&**value)
            && decoded::<T>(&bytes).is_some()
        {
            *place = Place::Away(bytes);
        }
    }
}

fn encoded<T: Serialize>(value: &T) -> Option<Vec<u8>> {
    let bytes = postcard::to_stdvec(value).ok()?;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&bytes).ok()?;
    encoder.finish().ok()
}

fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let mut plain = Vec::new();
    DeflateDecoder::new(bytes).read_to_end(&mut plain).ok()?;
    postcard::from_bytes(&plain).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_away_is_had_again_and_takes_less() {
        let shelf = Shelf::new(vec!["org/example/Example".to_owned(); 1000]);
        let before = shelf.get();
        shelf.put_away();
        let Place::Away(bytes) = &*shelf.0.read().expect("nobody panicked") else {
            panic!("it is at hand");
        };
        assert!(bytes.len() < 1000, "{}", bytes.len());
        assert_eq!(decoded::<Vec<String>>(bytes).as_ref(), Some(&*before));
        assert_eq!(encoded(&*before).as_ref(), Some(bytes));
    }
}
