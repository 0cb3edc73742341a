//! Numbers and byte strings in messages and files, with a checksum.
//!
//! *Entry points:* [`Writer`], [`Reader`].
//!
//! *Invariant:* a reader returns an error for bytes that no writer produced; it neither panics nor
//! allocates more than the message has bytes.

use crate::failure::Failure;

/// Bytes of the checksum at the end.
const SUM: usize = 4;

/// A message being written.
#[derive(Default, Debug)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    /// A message of a kind.
    pub fn new(kind: u8) -> Writer {
        Writer(vec![kind])
    }

    /// Appends a number.
    pub fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// Appends bytes, preceded by their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Ends the message with its checksum.
    pub fn end(mut self) -> Vec<u8> {
        let sum = crc32c::crc32c(&self.0);
        self.0.extend_from_slice(&sum.to_le_bytes());
        self.0
    }
}

/// A message being read.
#[derive(Debug)]
pub(crate) struct Reader<'m>(&'m [u8]);

impl<'m> Reader<'m> {
    /// Checks the kind and the checksum of a message.
    pub fn new(kind: u8, message: &'m [u8]) -> Result<Reader<'m>, Failure> {
        let (contents, sum) =
            message.len().checked_sub(SUM).map(|end| message.split_at(end)).ok_or(Failure::Corrupt)?;
        let is_same = sum == crc32c::crc32c(contents).to_le_bytes();
        match contents.split_first() {
            Some((first, rest)) if *first == kind && is_same => Ok(Reader(rest)),
            _ => Err(Failure::Corrupt),
        }
    }

    /// The next number.
    pub fn number(&mut self) -> Result<u64, Failure> {
        let (number, rest) = self.0.split_first_chunk().ok_or(Failure::Corrupt)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*number))
    }

    /// The next bytes.
    pub fn bytes(&mut self) -> Result<&'m [u8], Failure> {
        let length = usize::try_from(self.number()?).map_err(|_| Failure::Corrupt)?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Failure::Corrupt)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// Fails if something follows.
    pub fn end(self) -> Result<(), Failure> {
        if self.0.is_empty() { Ok(()) } else { Err(Failure::Corrupt) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn message(numbers: &[u64], bytes: &[u8]) -> Vec<u8> {
        let mut writer = Writer::new(7);
        writer.bytes(bytes);
        numbers.iter().for_each(|&number| writer.number(number));
        writer.end()
    }

    proptest! {
        #[test]
        fn messages_are_read_back(numbers in prop::collection::vec(any::<u64>(), 0..9), bytes in prop::collection::vec(any::<u8>(), 0..30)) {
            let message = message(&numbers, &bytes);
            let mut reader = Reader::new(7, &message).unwrap();
            prop_assert_eq!(reader.bytes().unwrap(), &bytes[..]);
            for number in numbers {
                prop_assert_eq!(reader.number().unwrap(), number);
            }
            reader.end().unwrap();
            prop_assert!(Reader::new(6, &message).is_err());
        }

        #[test]
        fn no_byte_can_be_another(at in 0..60usize, flip in 1..=255u8) {
            let mut message = message(&[1, 2, 3], b"all that there is to read in it");
            if let Some(byte) = message.get_mut(at) {
                *byte ^= flip;
                prop_assert!(Reader::new(7, &message).is_err());
            }
        }

        #[test]
        fn no_length_is_believed(length in any::<u64>()) {
            let mut writer = Writer::new(7);
            writer.number(length);
            let message = writer.end();
            let read = Reader::new(7, &message).unwrap().bytes().map(<[u8]>::len);
            prop_assert_eq!(read, if length == 0 { Ok(0) } else { Err(Failure::Corrupt) });
        }
    }
}
