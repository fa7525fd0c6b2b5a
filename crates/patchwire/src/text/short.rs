//! UTF-8 checks of chunks, with a cheaper check for short ones.

use ascii::{AsAsciiStr as _, AsciiStr};

use crate::scan::ShortText;

/// Up to this length, an ASCII check is several times cheaper than a UTF-8 check.
const SHORT: usize = 16;

/// The bytes as text, if they are UTF-8.
#[inline(always)]
pub(crate) fn as_text<'t>(bytes: &'t [u8], room: &'t mut ShortText) -> Option<&'t str> {
    match room.copy(bytes, |_| 0) {
        None if bytes.len() > SHORT => core::str::from_utf8(bytes).ok(),
        None => in_place(bytes).or_else(|| core::str::from_utf8(bytes).ok()),
        text => text,
    }
}

/// The bytes as text, if they are UTF-8. Short runs with bytes beyond ASCII give `None` to keep the check
/// cheap; callers then take the general path.
#[inline(always)]
pub(crate) fn as_text_soon<'t>(bytes: &'t [u8], room: &'t mut ShortText) -> Option<&'t str> {
    match room.copy(bytes, |_| 0) {
        None => in_place(bytes),
        text => text,
    }
}

/// The bytes as text, if they are UTF-8; up to [`SHORT`] bytes only if all are ASCII.
#[inline]
fn in_place(bytes: &[u8]) -> Option<&str> {
    if bytes.len() > SHORT {
        return core::str::from_utf8(bytes).ok();
    }
    bytes.as_ascii_str().ok().map(AsciiStr::as_str)
}

#[cfg(test)]
mod tests {
    use super::{SHORT, ShortText, as_text, as_text_soon};

    #[test]
    fn what_is_text_is_found_to_be_text_at_any_length() {
        let whole = "abcdéfghij\u{1f600}klmnopqrstu";
        for from in 0..whole.len() {
            for to in from..=whole.len() {
                let bytes = &whole.as_bytes()[from..to];
                let text = core::str::from_utf8(bytes).ok();
                assert_eq!(as_text(bytes, &mut ShortText::new()), text, "{bytes:?}");
                let soon = text.filter(|text| bytes.len() > SHORT || text.is_ascii());
                assert_eq!(as_text_soon(bytes, &mut ShortText::new()), soon, "{bytes:?}");
            }
        }
    }
}
