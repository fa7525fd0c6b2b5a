//! Appending short texts: the deltas of a model have a few bytes.

/// Appends a text to a buffer, up to eight bytes without a call.
#[inline(always)]
pub(crate) fn append(buffer: &mut String, text: &str) {
    by_len(text.len(), |len| buffer.push_str(text.get(..len).unwrap_or(text)));
}

/// Appends bytes to a buffer, up to eight of them without a call.
// Kept out of the loops of the fast path, most of which keep nothing.
#[inline(never)]
pub(crate) fn append_bytes(buffer: &mut Vec<u8>, bytes: &[u8]) {
    by_len(bytes.len(), |len| buffer.extend_from_slice(bytes.get(..len).unwrap_or(bytes)));
}

/// Calls a function with a length. It is compiled once for each short length, as a constant. In WebAssembly, where the
/// size of the code counts more, it is compiled once.
#[inline(always)]
fn by_len(len: usize, mut append: impl FnMut(usize)) {
    match len {
        _ if cfg!(target_family = "wasm") => append(len),
        1 => append(1),
        2 => append(2),
        3 => append(3),
        4 => append(4),
        5 => append(5),
        6 => append(6),
        7 => append(7),
        8 => append(8),
        _ => append(len),
    }
}

#[cfg(test)]
mod tests {
    use super::{append, append_bytes};

    #[test]
    fn texts_of_any_length_are_appended() {
        let whole = "ab\u{e9}cd\u{1f600}efghijk";
        for at in (0..=whole.len()).filter(|at| whole.is_char_boundary(*at)) {
            let (mut text, mut bytes) = ("x".to_owned(), b"x".to_vec());
            append(&mut text, &whole[..at]);
            append_bytes(&mut bytes, &whole.as_bytes()[..at]);
            assert_eq!(text, format!("x{}", &whole[..at]));
            assert_eq!(bytes, text.as_bytes());
        }
    }
}
