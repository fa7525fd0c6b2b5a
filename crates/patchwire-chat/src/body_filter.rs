//! Removes keys from the body of a response that is passed on.

use bytes::Bytes;
use memchr::memmem;

use crate::secrets::{HIDDEN, Secrets};

/// Hides the known keys in a body, whatever its chunks are.
pub(crate) struct BodyFilter {
    secrets: Secrets,
    /// Bytes that may begin a key.
    held: Vec<u8>,
}

impl BodyFilter {
    pub(crate) const fn new(secrets: Secrets) -> Self {
        Self { secrets, held: Vec::new() }
    }

    /// A filter at the end of a body.
    pub(crate) fn holding(body: Bytes) -> Self {
        Self { secrets: Secrets::default(), held: body.into() }
    }

    /// The next chunk without keys. A chunk without a part of one stays as it is.
    pub(crate) fn next(&mut self, chunk: Bytes) -> Bytes {
        if self.secrets.is_empty() {
            return chunk;
        }
        let mut bytes = core::mem::take(&mut self.held);
        let chunk = if bytes.is_empty() {
            chunk
        } else {
            bytes.extend_from_slice(&chunk);
            bytes.into()
        };
        let mut chunk = self.without_keys(chunk);
        self.held = chunk.split_off(chunk.len() - self.secrets.begun(&chunk)).to_vec();
        chunk
    }

    /// What was held back at the end of the body.
    pub(crate) fn rest(&mut self) -> Bytes {
        core::mem::take(&mut self.held).into()
    }

    /// The bytes with every whole key replaced.
    pub(crate) fn without_keys(&self, mut chunk: Bytes) -> Bytes {
        for key in self.secrets.whole_keys() {
            if memmem::find(&chunk, key).is_none() {
                continue;
            }
            let mut hidden = Vec::with_capacity(chunk.len());
            let mut rest = &*chunk;
            while let Some(at) = memmem::find(rest, key) {
                hidden.extend_from_slice(&rest[..at]);
                hidden.extend_from_slice(HIDDEN);
                rest = &rest[at + key.len()..];
            }
            hidden.extend_from_slice(rest);
            chunk = hidden.into();
        }
        chunk
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::BodyFilter;
    use crate::secrets::tests::secrets;

    #[test]
    fn a_key_in_a_body_is_hidden_wherever_it_is_cut() {
        let key = "zz-zz-key-0123";
        let body = format!("data: {key}{key}\n zz-zz-zz-key-01 {key} zz-z");
        let expected = "data: [key][key]\n zz-zz-zz-key-01 [key] zz-z";
        for chunk in 1..=body.len() {
            let mut filter = BodyFilter::new(secrets(key));
            let mut seen = Vec::new();
            for part in body.as_bytes().chunks(chunk) {
                seen.extend_from_slice(&filter.next(Bytes::copy_from_slice(part)));
            }
            seen.extend_from_slice(&filter.rest());
            assert_eq!(String::from_utf8(seen).unwrap(), expected, "{chunk}");
        }
    }
}
