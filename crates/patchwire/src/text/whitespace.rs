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

/// Whether a character is a space of Unicode that no format counts as whitespace, or has no width.
pub(crate) const fn is_unicode_space(char: char) -> bool {
    matches!(char, '\u{A0}' | '\u{2000}'..='\u{200D}' | '\u{202F}' | '\u{205F}' | '\u{3000}' | BOM)
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
    use super::{WHITESPACE, is_unicode_space, is_whitespace, is_whitespace_byte, whitespace_len};

    #[test]
    fn spaces_of_unicode() {
        for (char, space) in [
            (' ', false),
            ('\n', false),
            ('a', false),
            ('\u{9F}', false),
            ('\u{A0}', true),
            ('\u{1FFF}', false),
            ('\u{2000}', true),
            ('\u{200D}', true),
            ('\u{200E}', false),
            ('\u{202F}', true),
            ('\u{205F}', true),
            ('\u{3000}', true),
            ('\u{FEFF}', true),
            ('，', false),
        ] {
            assert_eq!(is_unicode_space(char), space, "{char:?}");
        }
    }

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
