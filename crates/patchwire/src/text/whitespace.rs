//! Whitespace and the byte order mark, for all formats but YAML, which counts lines.
//!
//! JSON (RFC 8259, section 2, `ws`) and XML (XML 1.0, section 2.3, `S`) define the same four characters.

/// The byte order mark.
pub(crate) const BOM: char = '\u{FEFF}';

/// Spaces, tabs and line ends, for the trimming methods of `str`.
pub(crate) const WHITESPACE: [char; 4] = [' ', '\t', '\n', '\r'];

#[inline]
pub(crate) const fn is_whitespace(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r')
}

#[inline]
pub(crate) const fn is_whitespace_byte(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Length of the whitespace that begins a text.
#[inline]
pub(crate) fn whitespace_len(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| !is_whitespace_byte(byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::{WHITESPACE, is_whitespace, is_whitespace_byte, whitespace_len};

    #[test]
    fn the_three_forms_agree_on_every_byte() {
        for byte in 0..=255_u8 {
            let char = char::from(byte);
            assert_eq!(is_whitespace(char), is_whitespace_byte(byte), "{byte}");
            assert_eq!(is_whitespace(char), WHITESPACE.contains(&char), "{byte}");
            let len = whitespace_len(&[byte, b'x', b' ']);
            assert_eq!(len, usize::from(is_whitespace(char)), "{byte}");
        }
        assert_eq!(whitespace_len(b" \r\n\t"), 4);
    }
}
