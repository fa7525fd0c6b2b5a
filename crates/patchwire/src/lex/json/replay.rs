//! Held bytes that turned out to mean something else. They are read again, before any input.

/// Text that is read again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Replay {
    text: String,
    /// The part of it that was read.
    read: usize,
}

impl Replay {
    /// Whether nothing was ever put here, or all of it was taken.
    #[inline(always)]
    pub(super) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) const fn is_read(&self) -> bool {
        self.read >= self.text.len()
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.read = 0;
    }

    /// Takes the text and the position of its unread part.
    pub(super) fn take(&mut self) -> (String, usize) {
        (core::mem::take(&mut self.text), core::mem::take(&mut self.read))
    }

    /// Puts a text back that was taken, of which the part before `unread` was read. Bytes that were held
    /// again meanwhile come before the rest.
    pub(super) fn put_back(&mut self, text: String, unread: usize) {
        if self.text.is_empty() && unread < text.len() {
            (self.text, self.read) = (text, unread);
        } else {
            self.text.push_str(&text[unread..]);
        }
    }

    /// Takes the unread part.
    pub(super) fn take_rest(&mut self) -> String {
        let rest = self.text[self.read..].to_owned();
        self.clear();
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::Replay;

    #[test]
    fn bytes_held_again_come_before_the_rest() {
        for (unread, held, rest) in [
            (0, "", "abc"),
            (2, "", "c"),
            (3, "", ""),
            (2, "b", "bc"),
            (3, "bc", "bc"),
            (1, "", "bc"),
        ] {
            let mut replay = Replay::default();
            replay.push("abc");
            let (text, from) = replay.take();
            assert_eq!((text.as_str(), from), ("abc", 0));
            replay.push(held);
            replay.put_back(text, unread);
            assert_eq!(replay.is_read(), rest.is_empty(), "{unread} {held:?}");
            assert_eq!(replay.take_rest(), rest, "{unread} {held:?}");
            assert!(replay.is_empty());
        }
    }
}
