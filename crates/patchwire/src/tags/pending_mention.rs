//! Markers that are only mentioned. One is a mention if quotes, emphasis, brackets or the lines of a table enclose it:
//! `"<think>"`, `**<think>**`, `(<think>)`, `| <think> |`. Behind a word and a space an opener is a mention before a
//! comma, as in `the tags <think>, <output>`, and, if its family stands apart from words, before another word.

use super::code_guard::OpenSpan;
use super::element_stack::FoundMarker;
use super::pending_closer::CloserVerdict;

/// What may stand right before and right after a marker that is a mention.
const ENCLOSED: &[(&str, &[&str])] = &[
    ("\"", &["\""]),
    ("'", &["'"]),
    ("*", &["*"]),
    ("_", &["_"]),
    ("(", &[")"]),
    ("[", &["]"]),
    ("“", &["”", "\""]),
    ("„", &["“", "”"]),
    ("«", &["»"]),
    ("‘", &["’", "'"]),
    ("|", &["|", " |"]),
    ("| ", &["|", " |"]),
];

/// The last bytes of a text, oldest first; 0 where there are none.
pub(super) type LastBytes = [u8; 3];

/// What may make a marker a mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MentionBefore {
    /// The sign before it, by its place in [`ENCLOSED`].
    Sign(u8),
    /// A word and a space, before an opener. `apart`: whether a word after it makes it a mention too.
    Word { apart: bool },
}

/// A marker behind something that may make it a mention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PendingMention {
    pub(super) marker: FoundMarker,
    before: MentionBefore,
    /// The code span that is open at the marker, which decides if the sign does not close.
    pub(super) span: Option<OpenSpan>,
    after: LastBytes,
    read: u8,
}

impl PendingMention {
    /// None if nothing before the marker can make it a mention. `apart`: whether it opens a family that stands apart
    /// from words; None for closers.
    pub(super) fn new(
        marker: &FoundMarker,
        place: MentionPlace,
        apart: Option<bool>,
    ) -> Option<Self> {
        let MentionPlace { before, span } = place;
        let word = || match (before, apart) {
            ([_, last, b' '], Some(apart)) if last > b' ' => Some(MentionBefore::Word { apart }),
            _ => None,
        };
        let before = sign_before(before).map(MentionBefore::Sign).or_else(word)?;
        Some(Self { marker: marker.clone(), before, span, after: [0; 3], read: 0 })
    }

    /// Reads one byte after the marker.
    pub(super) fn step(&mut self, byte: u8) -> CloserVerdict {
        self.after[usize::from(self.read)] = byte;
        self.read += 1;
        let after = &self.after[..usize::from(self.read)];
        let signs = match self.before {
            MentionBefore::Sign(sign) => ENCLOSED[usize::from(sign)].1,
            MentionBefore::Word { apart } => return after_word(after, apart),
        };
        if signs.iter().any(|sign| sign.as_bytes() == after) {
            CloserVerdict::Content
        } else if signs.iter().any(|sign| sign.as_bytes().starts_with(after)) {
            CloserVerdict::Undecided
        } else {
            CloserVerdict::Closer
        }
    }
}

/// Where a marker stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct MentionPlace {
    pub(super) before: LastBytes,
    /// The code span that is open at the marker.
    pub(super) span: Option<OpenSpan>,
}

/// Whether the bytes after an opener behind a word make it a mention.
fn after_word(after: &[u8], apart: bool) -> CloserVerdict {
    match *after {
        [b',' | b';'] => CloserVerdict::Content,
        [b' '] if apart => CloserVerdict::Undecided,
        [b' ', next] if next.is_ascii_lowercase() => CloserVerdict::Content,
        _ => CloserVerdict::Closer,
    }
}

/// The sign at the end of a text, by its place in [`ENCLOSED`].
pub(super) fn sign_before(before: LastBytes) -> Option<u8> {
    let last = ENCLOSED.iter().rposition(|(sign, _)| before.ends_with(sign.as_bytes()));
    last.map(|at| at as u8)
}

/// The last bytes after more text.
pub(super) fn last_bytes(before: LastBytes, text: &[u8]) -> LastBytes {
    let [_, second, third] = before;
    match *text {
        [] => before,
        [one] => [second, third, one],
        [one, two] => [third, one, two],
        [.., one, two, three] => [one, two, three],
    }
}

#[cfg(test)]
mod tests {
    use super::{ENCLOSED, LastBytes, last_bytes, sign_before};

    #[test]
    fn last_bytes_are_those_of_the_joined_text() {
        for text in ["", "a", "ab", "abc", "abcd"] {
            for at in 0..=text.len() {
                let (head, tail) = text.as_bytes().split_at(at);
                let whole = last_bytes([0; 3], text.as_bytes());
                assert_eq!(last_bytes(last_bytes([0; 3], head), tail), whole, "{text:?} at {at}");
            }
        }
    }

    #[test]
    fn each_sign_is_found_behind_text() {
        for (at, (sign, after)) in ENCLOSED.iter().enumerate() {
            let before = last_bytes(*b"abc", sign.as_bytes());
            assert_eq!(sign_before(before).map(usize::from), Some(at), "{sign:?}");
            assert!(after.iter().all(|it| it.len() <= LastBytes::default().len()), "{sign:?}");
        }
        assert_eq!(sign_before(*b"abc"), None);
    }
}
