//! UTF-8 checks of chunks, with a cheaper check for short ones.

use ascii::{AsAsciiStr as _, AsciiStr};

/// Up to this length, an ASCII check is several times cheaper than a UTF-8 check.
const SHORT: usize = 16;

/// The bytes as text, if they are UTF-8.
#[inline(always)]
pub(crate) fn as_text(bytes: &[u8]) -> Option<&str> {
    short_ascii(bytes).or_else(|| core::str::from_utf8(bytes).ok())
}

/// The bytes as text, if they are UTF-8. Short runs with bytes beyond ASCII give `None` to keep the check
/// cheap; callers then take the general path.
#[inline(always)]
pub(crate) fn as_text_soon(bytes: &[u8]) -> Option<&str> {
    match short_ascii(bytes) {
        None if bytes.len() > SHORT => core::str::from_utf8(bytes).ok(),
        text => text,
    }
}

/// A short run as text, if it is ASCII.
#[inline(always)]
fn short_ascii(bytes: &[u8]) -> Option<&str> {
    // A constant length removes the loop.
    match bytes.len() {
        1 => ascii::<1>(bytes),
        2 => ascii::<2>(bytes),
        3 => ascii::<3>(bytes),
        4 => ascii::<4>(bytes),
        5 => ascii::<5>(bytes),
        6 => ascii::<6>(bytes),
        7 => ascii::<7>(bytes),
        8 => ascii::<8>(bytes),
        0..=SHORT => bytes.as_ascii_str().ok().map(AsciiStr::as_str),
        _ => None,
    }
}

/// The first `N` bytes as text, if they are ASCII.
#[inline(always)]
fn ascii<const N: usize>(bytes: &[u8]) -> Option<&str> {
    bytes.first_chunk::<N>()?.as_slice().as_ascii_str().ok().map(AsciiStr::as_str)
}

#[cfg(test)]
mod tests {
    use super::{SHORT, as_text, as_text_soon};

    #[test]
    fn what_is_text_is_found_to_be_text_at_any_length() {
        let whole = "abcdéfghij\u{1f600}klmnopqrstu";
        for from in 0..whole.len() {
            for to in from..=whole.len() {
                let bytes = &whole.as_bytes()[from..to];
                let text = core::str::from_utf8(bytes).ok();
                assert_eq!(as_text(bytes), text, "{bytes:?}");
                let soon = text.filter(|text| bytes.len() > SHORT || text.is_ascii());
                assert_eq!(as_text_soon(bytes), soon, "{bytes:?}");
            }
        }
    }
}
