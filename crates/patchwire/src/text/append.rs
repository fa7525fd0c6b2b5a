//! Appending short texts.

/// Appends a text to a buffer. The deltas of a model have a few bytes: these are copied without a call.
#[inline(always)]
pub(crate) fn append(buffer: &mut String, text: &str) {
    match text.len() {
        // There size counts.
        _ if cfg!(target_family = "wasm") => buffer.push_str(text),
        1 => append_len::<1>(buffer, text),
        2 => append_len::<2>(buffer, text),
        3 => append_len::<3>(buffer, text),
        4 => append_len::<4>(buffer, text),
        5 => append_len::<5>(buffer, text),
        6 => append_len::<6>(buffer, text),
        7 => append_len::<7>(buffer, text),
        8 => append_len::<8>(buffer, text),
        _ => buffer.push_str(text),
    }
}

#[inline(always)]
fn append_len<const N: usize>(buffer: &mut String, text: &str) {
    buffer.push_str(text.get(..N).unwrap_or(text));
}

/// [`append`] for bytes.
// Kept out of the loops of the fast path, most of which keep nothing.
#[inline(never)]
pub(crate) fn append_bytes(buffer: &mut Vec<u8>, bytes: &[u8]) {
    match bytes.len() {
        _ if cfg!(target_family = "wasm") => buffer.extend_from_slice(bytes),
        1 => bytes_len::<1>(buffer, bytes),
        2 => bytes_len::<2>(buffer, bytes),
        3 => bytes_len::<3>(buffer, bytes),
        4 => bytes_len::<4>(buffer, bytes),
        5 => bytes_len::<5>(buffer, bytes),
        6 => bytes_len::<6>(buffer, bytes),
        7 => bytes_len::<7>(buffer, bytes),
        8 => bytes_len::<8>(buffer, bytes),
        _ => buffer.extend_from_slice(bytes),
    }
}

#[inline(always)]
fn bytes_len<const N: usize>(buffer: &mut Vec<u8>, bytes: &[u8]) {
    if let Some(bytes) = bytes.first_chunk::<N>() {
        buffer.extend_from_slice(bytes);
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
