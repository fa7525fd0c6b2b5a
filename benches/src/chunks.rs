//! Cutting an input, as a network or a tokenizer would.

/// The chunk size that stands for no cut at all.
pub const WHOLE: usize = usize::MAX;

/// Slices of `size` bytes, cut wherever that falls; the last one may be shorter.
pub fn chunks(bytes: &[u8], size: usize) -> impl Iterator<Item = &[u8]> {
    bytes.chunks(size)
}

/// The same for readers that take only `&str`: a cut inside a code point moves to its end.
pub fn str_chunks(text: &str, size: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut at = size.min(rest.len());
        while !rest.is_char_boundary(at) {
            at += 1;
        }
        let (chunk, after) = rest.split_at(at);
        rest = after;
        Some(chunk)
    })
}

/// How many chunks of `size` bytes `bytes` bytes are, as a number to divide by.
#[must_use]
pub fn count(bytes: usize, size: usize) -> f64 {
    bytes as f64 / size.min(bytes) as f64
}

#[cfg(test)]
mod tests {
    use super::{WHOLE, chunks, str_chunks};

    #[test]
    fn what_was_cut_joins_again() {
        let text = "é日本🚀 plain";
        for size in [1, 2, 3, 4, 5, WHOLE] {
            assert_eq!(str_chunks(text, size).collect::<String>(), text);
            assert_eq!(chunks(text.as_bytes(), size).collect::<Vec<_>>().concat(), text.as_bytes());
        }
        assert_eq!(str_chunks(text, 1).count(), text.chars().count());
    }
}
