//! Finds the objects in a JSON list, or in objects one after another, before the whole is there.

/// The objects of a list, or objects one after another. Whatever stands between them is skipped.
#[derive(Debug, Clone, Default)]
pub(crate) struct JsonObjects {
    held: Vec<u8>,
    depth: u64,
    in_string: bool,
    /// After a backslash in a string.
    escaped: bool,
}

/// What a chunk gives.
pub(crate) enum FoundObject {
    Whole(Vec<u8>),
    TooLong,
}

impl JsonObjects {
    /// The next object; none if more bytes are needed. Removes the bytes that were read from `bytes`.
    pub(crate) fn next(&mut self, bytes: &mut &[u8], limit: usize) -> Option<FoundObject> {
        while let Some((&byte, rest)) = bytes.split_first() {
            *bytes = rest;
            if self.depth == 0 && byte != b'{' {
                continue;
            }
            if self.held.len() >= limit {
                return Some(FoundObject::TooLong);
            }
            self.held.push(byte);
            self.step(byte);
            if self.depth == 0 {
                return Some(FoundObject::Whole(core::mem::take(&mut self.held)));
            }
        }
        None
    }

    /// The object that the end of the body cut.
    pub(crate) fn rest(&mut self) -> Option<Vec<u8>> {
        let rest = core::mem::take(self);
        (!rest.held.is_empty()).then_some(rest.held)
    }

    const fn step(&mut self, byte: u8) {
        match (self.in_string, byte) {
            (true, _) if self.escaped => self.escaped = false,
            (true, b'\\') => self.escaped = true,
            (_, b'"') => self.in_string = !self.in_string,
            (false, b'{' | b'[') => self.depth += 1,
            (false, b'}' | b']') => self.depth -= 1,
            _ => {}
        }
    }
}
