//! The end of an unquoted word, as RFC 8259 knows words: literals and numbers.

/// What a byte means to a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordByte {
    /// A scalar of RFC 8259 may contain it, or it is an ASCII letter.
    Inside,
    /// Whitespace, a comma or a closer.
    Delimiter,
    Other,
}

/// The meaning of each byte. A lookup costs less than the comparisons.
static WORD_BYTES: [WordByte; 256] = {
    let mut table = [WordByte::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.' => WordByte::Inside,
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b'}' | b']' => WordByte::Delimiter,
            _ => WordByte::Other,
        };
        byte += 1;
    }
    table
};

/// The length of a word, if its delimiter is whitespace, a comma or a closer. `None` if another byte ends the
/// word, or if the delimiter is not in the input.
#[inline]
pub(super) fn word_end(bytes: &[u8]) -> Option<usize> {
    let meaning = |at: usize| WORD_BYTES[usize::from(bytes[at])];
    let len = (0..bytes.len()).find(|at| meaning(*at) != WordByte::Inside)?;
    (meaning(len) == WordByte::Delimiter).then_some(len)
}

#[cfg(test)]
mod tests {
    use super::word_end;

    #[test]
    fn a_word_ends_at_whitespace_a_comma_or_a_closer() {
        for byte in 0..=u8::MAX {
            let word = [b'-', b'1', b'.', b'e', b'+', b'A', byte, b'0'];
            let inside = byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
            let delimits = b" \t\n\r,}]".contains(&byte);
            let end = delimits.then_some(6);
            assert_eq!(word_end(&word), end, "{}", word.escape_ascii());
            assert!(!inside || !delimits);
            // A byte inside a word leads on to the delimiter behind it.
            let longer = [&word[..7], b","].concat();
            let end = if inside { Some(7) } else { end };
            assert_eq!(word_end(&longer), end, "{}", longer.escape_ascii());
        }
        assert_eq!(word_end(b""), None);
        assert_eq!(word_end(b"12"), None);
    }
}
