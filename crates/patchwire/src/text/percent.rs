//! Percent signs in addresses.

/// Decodes `%20` and the like: a reference is a URI (RFC 3986 section 2.1).
pub(crate) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, after @ ..] = after else {
            return None;
        };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push((digit(*high)? * 16 + digit(*low)?) as u8);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}
