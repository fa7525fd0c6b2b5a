//! Searching runs of bytes, eight at a time, without unsafe code.

mod short;

pub(crate) use short::ShortText;

const ONES: u64 = 0x0101_0101_0101_0101;
/// Four spaces, in the upper half.
const SPACES: u64 = 0x2020_2020_0000_0000;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// A word with the high bit set in each byte of `word` that is zero; bits above the first such byte
/// may be wrong.
#[cfg_attr(target_family = "wasm", inline)]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

/// A word with the high bit set in each byte of `word` that is a quote, a backslash or a control
/// character; bits above the first such byte may be wrong.
#[cfg_attr(target_family = "wasm", inline)]
const fn json_stops(word: u64) -> u64 {
    let quotes = zeros(word ^ (ONES * b'"' as u64));
    let slashes = zeros(word ^ (ONES * b'\\' as u64));
    let controls = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
    quotes | slashes | controls
}

/// Like [`json_stops`], for the bytes that may begin or end something in a field of text.
#[cfg_attr(target_family = "wasm", inline)]
const fn prose_stops(word: u64) -> u64 {
    let controls = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
    zeros(word ^ (ONES * b'<' as u64)) | controls
}

#[cfg_attr(target_family = "wasm", inline)]
const fn stops(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Length of the run of bytes that stand for themselves in a JSON string (RFC 8259 section 7): no
/// quote, backslash or control character.
#[inline]
pub(crate) fn plain_string_bytes(bytes: &[u8]) -> usize {
    if bytes.len() < 8 { plain_tail(bytes, 0) } else { plain_run(bytes) }
}

/// One to eight bytes as text, if all are ASCII and stand for themselves in a JSON string.
#[inline(always)]
pub(crate) fn short_plain_text<'t>(bytes: &[u8], room: &'t mut ShortText) -> Option<&'t str> {
    room.copy(bytes, json_stops)
}

/// One to eight bytes as text, if they are prose of a field in which nothing begins or ends: ASCII, no control character,
/// no `<`, and at most one space at the end, behind something else.
#[inline(always)]
pub(crate) fn short_prose<'t>(bytes: &[u8], room: &'t mut ShortText) -> Option<&'t str> {
    if matches!(bytes, [b' '] | [.., b' ', b' ']) {
        return None;
    }
    room.copy(bytes, prose_stops)
}

#[cfg_attr(target_family = "wasm", inline)]
fn plain_run(bytes: &[u8]) -> usize {
    let mut chunks = bytes.chunks_exact(8);
    let mut at = 0;
    for chunk in &mut chunks {
        // The slice has eight bytes: `chunks_exact` gives no other.
        let word = u64::from_le_bytes(chunk.try_into().unwrap_or([0; 8]));
        let found = json_stops(word);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    plain_tail(chunks.remainder(), at)
}

/// [`plain_run`] for fewer than eight bytes, which begin at the position `at`.
#[inline]
fn plain_tail(mut tail: &[u8], mut at: usize) -> usize {
    if let Some((four, rest)) = tail.split_first_chunk::<4>() {
        // The upper half is spaces, which stop nothing.
        let word = u64::from(u32::from_le_bytes(*four)) | SPACES;
        let found = json_stops(word);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 4;
        tail = rest;
    }
    for &byte in tail {
        if stops(byte) {
            return at;
        }
        at += 1;
    }
    at
}

/// The most bytes of a set that are compared one by one. More are looked up in a table.
const MOST_RARE: usize = 8;
/// Bytes compared at a time with a set of more than three.
const BLOCK: usize = 32;

/// A set of bytes, searched for in long text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum RareBytes {
    #[default]
    None,
    One(u8),
    Two(u8, u8),
    Three(u8, u8, u8),
    /// Up to eight, the first of them repeated.
    Few([u8; MOST_RARE]),
    Many,
}

impl RareBytes {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        match *bytes {
            [] => Self::None,
            [one] => Self::One(one),
            [one, two] => Self::Two(one, two),
            [one, two, three] => Self::Three(one, two, three),
            [first, ..] if bytes.len() <= MOST_RARE => {
                let mut few = [first; MOST_RARE];
                few[..bytes.len()].copy_from_slice(bytes);
                Self::Few(few)
            }
            _ => Self::Many,
        }
    }

    /// The position of the first byte of the set. `of_table` finds it byte by byte.
    #[inline]
    pub(crate) fn find(
        &self,
        bytes: &[u8],
        of_table: impl Fn(&[u8]) -> Option<usize>,
    ) -> Option<usize> {
        match self {
            Self::None => None,
            Self::One(one) => memchr::memchr(*one, bytes),
            Self::Two(one, two) => memchr::memchr2(*one, *two, bytes),
            Self::Three(one, two, three) => memchr::memchr3(*one, *two, *three, bytes),
            Self::Few(few) => {
                let from = before_first(few, bytes);
                of_table(&bytes[from..]).map(|at| from + at)
            }
            Self::Many => of_table(bytes),
        }
    }
}

/// The start of the first block that has a byte of the set; the start of the rest if no whole block has one.
fn before_first(few: &[u8; MOST_RARE], bytes: &[u8]) -> usize {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    // Without a branch inside, the compiler compares all bytes of a block at once.
    let has_any = |block: &[u8; BLOCK]| {
        block.iter().fold(false, |any, byte| few.iter().fold(any, |any, rare| any | (byte == rare)))
    };
    let at = blocks.iter().position(has_any);
    at.map_or(bytes.len() - rest.len(), |at| at * BLOCK)
}

#[cfg(test)]
mod tests {
    use super::{RareBytes, ShortText, plain_string_bytes, short_plain_text, short_prose, stops};

    #[test]
    fn rare_bytes_are_found_where_they_are() {
        let all = *b"<[`f\n\xE2&=+";
        for count in 0..=all.len() {
            let (set, rare) = (&all[..count], RareBytes::new(&all[..count]));
            let naive = |bytes: &[u8]| bytes.iter().position(|byte| set.contains(byte));
            for len in [0, 1, 31, 32, 33, 64, 100] {
                for at in 0..len {
                    let mut bytes = vec![b'x'; len];
                    assert_eq!(rare.find(&bytes, naive), None, "{count} {len}");
                    bytes[at] = set.last().copied().unwrap_or(b'x');
                    bytes[len - 1] = set.first().copied().unwrap_or(b'x');
                    assert_eq!(rare.find(&bytes, naive), naive(&bytes), "{count} {len} {at}");
                }
            }
        }
    }

    #[test]
    fn the_first_stop_is_found_at_every_place_of_a_long_run() {
        for len in 0..120 {
            for at in 0..=len {
                for stop in [b'"', b'\\', b'\n', 0, 0x1F] {
                    let mut bytes = "xé !]~\x7F".repeat(len).into_bytes();
                    bytes.truncate(len);
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = stop;
                    }
                    // A second one does not hide it.
                    if let Some(last) = bytes.last_mut() {
                        *last = b'"';
                    }
                    let first = at.min(len.saturating_sub(1));
                    assert_eq!(plain_string_bytes(&bytes), first, "{stop} at {at} of {len}");
                }
            }
        }
    }

    #[test]
    fn finds_what_a_byte_by_byte_search_finds() {
        let mut seed = 7_u32;
        for len in 0..40 {
            for round in 0..200 {
                let bytes: Vec<u8> = (0..len)
                    .map(|_| {
                        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        // Half of the runs are ASCII, and few of those have a stop.
                        let byte = (seed >> 24) as u8;
                        if round % 2 == 0 { byte } else { byte & 0x5F | 0x20 }
                    })
                    .collect();
                let naive = bytes.iter().position(|&byte| stops(byte)).unwrap_or(len);
                assert_eq!(plain_string_bytes(&bytes), naive, "{bytes:?}");
                let is_short = (1..=8).contains(&len) && naive == len && bytes.is_ascii();
                let mut room = ShortText::new();
                assert_eq!(short_plain_text(&bytes, &mut room).is_some(), is_short, "{bytes:?}");
                let is_prose = (1..=8).contains(&len)
                    && bytes.iter().all(|&byte| matches!(byte, b' '..=b'~' | 0x7F) && byte != b'<')
                    && bytes != b" "
                    && !bytes.ends_with(b"  ");
                assert_eq!(short_prose(&bytes, &mut room).is_some(), is_prose, "{bytes:?}");
            }
        }
    }
}
