//! Numbers and texts as bytes.

use bytes::{Buf as _, Bytes};

/// Why bytes are no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RecordError {
    #[error("an entry ends in the middle")]
    Cut,
    #[error("an entry has bytes behind its end")]
    Rest,
    #[error("an entry has the version {0}, and this server reads {VERSION}")]
    Version(u8),
    #[error("an entry has a part of the unknown kind {0}")]
    Kind(u8),
    #[error("an entry has a number that is too large")]
    Number,
    #[error("an entry has a text that is not UTF-8")]
    Text,
    #[error("an entry has a value that is no JSON")]
    Json,
    #[error("the first entry is no request")]
    NoRequest,
}

/// The version of the entries.
pub(super) const VERSION: u8 = 1;

/// Writes a number, seven bits a byte, the lowest first.
pub(super) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are what is written")]
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    #[expect(clippy::cast_possible_truncation, reason = "it has seven bits")]
    out.push(number as u8);
}

pub(super) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

pub(super) fn put_text(out: &mut Vec<u8>, text: Option<&str>) {
    out.push(u8::from(text.is_some()));
    if let Some(text) = text {
        put_bytes(out, text.as_bytes());
    }
}

/// Reads what was written. Bytes are slices of the entry.
pub(super) struct RecordBytes(pub(super) Bytes);

impl RecordBytes {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn byte(&mut self) -> Result<u8, RecordError> {
        self.0.try_get_u8().map_err(|_| RecordError::Cut)
    }

    pub(super) fn number(&mut self) -> Result<u64, RecordError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(RecordError::Number)
    }

    pub(super) fn small<T: TryFrom<u64>>(&mut self) -> Result<T, RecordError> {
        self.number()?.try_into().map_err(|_| RecordError::Number)
    }

    pub(super) fn bytes(&mut self) -> Result<Bytes, RecordError> {
        let len: usize = self.small()?;
        if len > self.0.len() {
            return Err(RecordError::Cut);
        }
        Ok(self.0.split_to(len))
    }

    pub(super) fn string(&mut self) -> Result<String, RecordError> {
        let bytes = self.bytes()?;
        str::from_utf8(&bytes).map(str::to_owned).map_err(|_| RecordError::Text)
    }

    pub(super) fn text(&mut self) -> Result<Option<String>, RecordError> {
        match self.byte()? {
            0 => Ok(None),
            1 => self.string().map(Some),
            other => Err(RecordError::Kind(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut out = Vec::new();
            put_number(&mut out, number);
            let mut reading = RecordBytes(out.into());
            assert_eq!((reading.number(), reading.is_empty()), (Ok(number), true));
        }
        let mut reading = RecordBytes(Bytes::from_static(&[0xff; 11]));
        assert_eq!(reading.number(), Err(RecordError::Number));
        let mut reading = RecordBytes(Bytes::from_static(&[0x80]));
        assert_eq!(reading.number(), Err(RecordError::Cut));
    }
}
