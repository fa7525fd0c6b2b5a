//! Short texts of events, several in one allocation.

use super::Text;
use bytes::BytesMut;
use bytestring::ByteString;

/// The size of a block in bytes. An event that is kept keeps its block, so it is small.
const BLOCK: usize = 512;
/// Longer texts have an allocation of their own.
const LONGEST: usize = 64;

/// The block that the next short texts are cut from. If the events of a block are gone, it is filled again.
#[derive(Debug, Clone, Default)]
pub(super) struct TextBlock(BytesMut);

impl TextBlock {
    /// The text as an owned value: a slice of the fed buffer if there is one, otherwise a copy.
    pub(super) fn own(&mut self, text: Text<'_>) -> ByteString {
        if text.is_empty() {
            return ByteString::new();
        }
        if text.len() > LONGEST || text.is_in_buffer() {
            return text.to_shared();
        }
        if self.0.capacity() < text.len() {
            self.0.reserve(BLOCK);
        }
        self.0.extend_from_slice(text.as_bytes());
        let copy = ByteString::try_from(self.0.split().freeze());
        copy.unwrap_or_else(|_| ByteString::from(text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, LONGEST, Text, TextBlock};
    use bytestring::ByteString;

    #[test]
    fn short_texts_lie_in_one_block() {
        let mut block = TextBlock::default();
        let texts: Vec<ByteString> =
            (0..BLOCK).map(|n| block.own(Text::new(["a", "ü", "€", "🙂"][n % 4], None))).collect();
        for (n, text) in texts.iter().enumerate() {
            assert_eq!(&**text, ["a", "ü", "€", "🙂"][n % 4]);
        }
        let begins = |n: usize| texts[n].as_bytes().as_ptr() as usize;
        assert_eq!(begins(1) - begins(0), 1);
        assert_eq!(begins(4) - begins(0), 10);
    }

    #[test]
    fn a_block_whose_texts_are_gone_is_filled_again() {
        let mut block = TextBlock::default();
        let first = block.own(Text::new("four", None));
        let begin = first.as_bytes().as_ptr() as usize;
        drop(first);
        let within = |at: usize| (begin..begin + BLOCK).contains(&at);
        for _ in 0..BLOCK {
            let text = block.own(Text::new("four", None));
            assert!(within(text.as_bytes().as_ptr() as usize));
        }
    }

    #[test]
    fn long_texts_and_slices_of_fed_bytes_are_no_part_of_it() {
        let mut block = TextBlock::default();
        let long = "x".repeat(LONGEST + 1);
        assert_eq!(&*block.own(Text::new(&long, None)), long);
        let fed = ByteString::from("fed");
        let text = block.own(Text::new(&fed, Some(&fed)));
        assert_eq!(text.as_bytes().as_ptr(), fed.as_bytes().as_ptr());
        assert_eq!(block.0.capacity(), 0);
        assert!(block.own(Text::new("", None)).is_empty());
    }
}
