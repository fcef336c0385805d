//! Messages over a byte stream: a length (32 bits, little-endian), then postcard.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// No message is longer, in bytes; a longer one is a broken stream.
const LONGEST: u32 = 1 << 30;

/// Writes a message and flushes.
///
/// # Errors
/// The stream is broken, or the message cannot be encoded.
pub fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let body = postcard::to_stdvec(message).map_err(io::Error::other)?;
    let length = u32::try_from(body.len()).ok().filter(|length| *length <= LONGEST);
    let length = length.ok_or_else(|| io::Error::other("the message is too long"))?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&body)?;
    to.flush()
}

/// Reads the next message; `None` at the end of the stream between messages.
///
/// # Errors
/// The stream ends within a message, or holds none.
pub fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    let mut filled = 0;
    while filled < length.len() {
        match from.read(&mut length[filled..]) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = Vec::new();
    if from.by_ref().take(u64::from(length)).read_to_end(&mut body)? != length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    postcard::from_bytes(&body).map(Some).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{ParentMessage, WorkerEvent, WorkerJob};

    #[test]
    fn messages_survive_the_stream() {
        let mut stream = Vec::new();
        let job = ParentMessage::Job(WorkerJob { restart: 1, payload: vec![0; 300] });
        send(&mut stream, &job).unwrap();
        send(&mut stream, &ParentMessage::Stop { milliseconds: Some(7) }).unwrap();
        let mut bytes = &stream[..];
        assert_eq!(receive(&mut bytes).unwrap(), Some(job));
        assert_eq!(receive(&mut bytes).unwrap(), Some(ParentMessage::Stop { milliseconds: Some(7) }));
        assert_eq!(receive::<ParentMessage>(&mut bytes).unwrap(), None);
    }

    #[test]
    fn a_broken_stream_is_an_error() {
        let check = |mut bytes: &[u8]| assert!(receive::<WorkerEvent>(&mut bytes).is_err(), "{bytes:?}");
        check(b"\x01");
        check(b"\x05\0\0\0\x00");
        check(b"\xff\xff\xff\xff");
        check(b"\x01\0\0\0\xff");
    }
}
