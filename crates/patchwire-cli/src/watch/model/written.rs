//! What the model wrote, as it came: the text beside the fields.

/// The end of the text. Long texts lose their beginning.
#[derive(Debug, Default)]
pub(crate) struct WrittenText {
    text: String,
    /// The beginning of a code point whose other bytes are still to come.
    cut: Vec<u8>,
    /// How often the beginning was dropped. Between two times the text only grows.
    pub(crate) turn: u32,
}

/// The longest text that is kept.
const LONGEST: usize = 1 << 20;

impl WrittenText {
    /// Adds bytes. Those that are no UTF-8 become U+FFFD.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.cut.extend_from_slice(bytes);
        let mut rest = Vec::new();
        for chunk in self.cut.utf8_chunks() {
            self.text.push_str(chunk.valid());
            let invalid = chunk.invalid();
            // Only at the end may an incomplete code point still be completed.
            rest = invalid.to_vec();
            if !invalid.is_empty() {
                self.text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        let is_beginning = std::str::from_utf8(&rest).is_err_and(|it| it.error_len().is_none());
        let is_cut = is_beginning && self.cut.ends_with(&rest);
        self.cut.clear();
        if is_cut {
            self.text.pop();
            self.cut = rest;
        }
        self.shorten();
    }

    fn shorten(&mut self) {
        if self.text.len() <= LONGEST {
            return;
        }
        let len = self.text.len();
        let half =
            (len - LONGEST / 2..len).find(|at| self.text.is_char_boundary(*at)).unwrap_or(len);
        let line = self.text[half..].find('\n').map_or(len, |at| half + at + 1);
        // A line of half a megabyte is cut anywhere.
        let from = if line < len { line } else { half };
        self.text.drain(..from);
        self.turn += 1;
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, WrittenText};

    #[test]
    fn cuts_do_not_matter() {
        let bytes = b"caf\xc3\xa9 \xff\xe6\x97 \xf0\x9f\x98\x80\xe2\x82";
        let read = |size| {
            let mut written = WrittenText::default();
            bytes.chunks(size).for_each(|chunk| written.push(chunk));
            written.text().to_owned()
        };
        assert_eq!(read(1), "caf\u{e9} \u{fffd}\u{fffd} \u{1f600}");
        for size in 2..=bytes.len() {
            assert_eq!(read(size), read(1), "{size}");
        }
    }

    #[test]
    fn a_long_text_keeps_its_end() {
        let mut written = WrittenText::default();
        for _ in 0..LONGEST / 4 + 2 {
            written.push("\u{e9}x\n".as_bytes());
        }
        assert!(written.text().len() <= LONGEST && written.turn == 1, "{}", written.text().len());
        assert!(written.text().starts_with("\u{e9}x\n") && written.text().ends_with("x\n"));
        let mut written = WrittenText::default();
        written.push("\u{e9}".repeat(LONGEST).as_bytes());
        assert!(written.text().len() <= LONGEST / 2 && written.turn == 1);
    }
}
