//! The bytes that were fed: how many there are, how many were read as text, and which wait for the next
//! chunk.

use super::split_char::SplitChar;
use crate::error::{Error, ErrorKind};
use crate::limits::Limit;
use crate::text::Carry;

/// The bytes of the stream, up to the text that the parser reads.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Intake {
    pub(super) carry: Carry,
    /// A code point that is read separately: only while events are pulled, and at the end.
    pub(super) split_char: Option<SplitChar>,
    /// The number of bytes that were read as text.
    pub(super) offset: u64,
    /// The number of bytes that were fed.
    pub(super) fed: u64,
    /// The limit on the bytes of the stream.
    pub(super) limit: u64,
}

impl Intake {
    pub(super) fn new(limit: u64) -> Self {
        Self { carry: Carry::default(), split_char: None, offset: 0, fed: 0, limit }
    }

    #[inline]
    pub(super) const fn has_room(&self, chunk: &[u8]) -> bool {
        chunk.len() as u64 <= self.limit - self.fed
    }

    /// The part of a chunk that fits into the limit, and the error if the rest does not.
    #[inline]
    pub(super) fn fitting<'c>(&self, chunk: &'c [u8]) -> (&'c [u8], Option<Error>) {
        if self.has_room(chunk) {
            return (chunk, None);
        }
        let room = self.limit - self.fed;
        let error = Error::new(ErrorKind::Limit(Limit::Total), self.limit);
        (&chunk[..room as usize], Some(error))
    }
}

#[cfg(test)]
mod tests {
    use super::Intake;

    #[test]
    fn the_limit_lets_in_what_fits_and_then_fails() {
        for (fed, chunk, taken, fails) in [
            (0, "abc", "abc", false),
            (1, "abc", "ab", true),
            (3, "", "", false),
            (3, "a", "", true),
        ] {
            let intake = Intake { fed, ..Intake::new(3) };
            let (fitting, error) = intake.fitting(chunk.as_bytes());
            assert_eq!((fitting, error.is_some()), (taken.as_bytes(), fails), "{fed} {chunk}");
            assert_eq!(error.map_or(3, |error| error.offset), 3);
        }
    }
}
