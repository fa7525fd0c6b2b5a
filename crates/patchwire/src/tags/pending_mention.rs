//! Markers that are only mentioned. One is a mention if quotes, emphasis, brackets or the lines of a table enclose it:
//! `"<think>"`, `**<think>**`, `(<think>)`, `| <think> |`. Behind a word and a space the text after a marker decides:
//!
//! - a comma makes any marker a mention: `the tags <think>, <output>`;
//! - a sign that no text begins with makes an opener a mention: `why is there no <think>?`;
//! - `and` or `or` before another opener makes an opener a mention: `asks for <pad> and <output>`;
//! - a word such as `tag` or `is` makes an opener a mention: `the <think> tag`;
//! - a closer makes an opener a mention, if only `and`, `or` or an ellipsis is between them:
//!   `with <think>...</think> blocks`;
//! - any word makes a closer outside elements a mention: `it ends with </think> and goes on`. The same holds for
//!   openers of families with [`Anchor::Apart`](super::family::Anchor::Apart).

use super::code_guard::OpenSpan;
use super::element_stack::FoundMarker;
use super::pending_closer::CloserVerdict;

/// What may stand right before and right after a marker that is a mention.
const ENCLOSED: &[(&str, &[&str])] = &[
    // With a line break as code writes it.
    ("\"", &["\"", "\\n\""]),
    ("'", &["'", "\\n'"]),
    ("*", &["*"]),
    ("_", &["_"]),
    ("(", &[")", ","]),
    ("[", &["]"]),
    ("“", &["”", "\""]),
    ("„", &["“", "”"]),
    ("«", &["»"]),
    ("‘", &["’", "'"]),
    ("|", &["|", " |"]),
    ("| ", &["|", " |"]),
];

/// Words for markers, and verbs that say what a marker is. Before one of them, an opener behind a word is a mention.
const NOUNS: &[&str] =
    &[" tag", " block", " element", " marker", " token", " is ", " was ", " means "];

/// The beginning of a closer, and what may stand before it. Before one of these texts, an opener behind a word is a
/// mention, and so is the closer.
const PAIRS: &[&str] = &[
    "</",
    " and </",
    " or </",
    "...</",
    "…</",
    " ... </",
    " … </",
    "[/",
    " and [/",
    " or [/",
    "...[/",
    "…[/",
    "◁/",
    " and ◁/",
    " or ◁/",
];

/// What may stand between two openers that are mentions, with the sign that begins the second.
const BETWEEN: [&str; 2] = [" and <", " or <"];

/// The most bytes that are read after a marker.
const MOST_AFTER: usize = 10;

/// The last bytes of a text, oldest first; 0 where there are none.
pub(super) type LastBytes = [u8; 3];

/// What may make a marker a mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MentionBefore {
    /// The sign before it, by its place in [`ENCLOSED`].
    Sign(u8),
    /// A word and a space.
    Word(BehindWord),
}

/// The kind of a marker behind a word and a space. It decides which text after the marker makes it a mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BehindWord {
    /// A closer inside an element, or the beginning of a comment. No text makes it a mention.
    Never,
    /// An opener. A comma or another sign, a word for markers or another marker makes it a mention.
    Opener,
    /// An opener of a family with `Anchor::Apart`. Any word makes it a mention, too.
    ApartOpener,
    /// A closer outside elements, behind a letter or a mark of a list. A comma, any word or the end of a sentence
    /// makes it a mention.
    StrayCloser,
}

/// A marker behind something that may make it a mention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PendingMention {
    pub(super) marker: FoundMarker,
    before: MentionBefore,
    /// The code span that is open at the marker, which decides if the sign does not close.
    pub(super) span: Option<OpenSpan>,
    after: [u8; MOST_AFTER],
    read: u8,
}

impl PendingMention {
    /// None if nothing before the marker can make it a mention.
    pub(super) fn new(
        marker: &FoundMarker,
        place: MentionPlace,
        behind_word: BehindWord,
    ) -> Option<Self> {
        let MentionPlace { before, span } = place;
        let word = || {
            let [_, last, b' '] = before else { return None };
            let is_word = match behind_word {
                BehindWord::Never => false,
                BehindWord::Opener | BehindWord::ApartOpener => last > b' ',
                BehindWord::StrayCloser => {
                    last.is_ascii_alphabetic() || matches!(last, b'-' | b'*')
                }
            };
            is_word.then_some(MentionBefore::Word(behind_word))
        };
        let before = sign_before(before).map(MentionBefore::Sign).or_else(word)?;
        Some(Self { marker: marker.clone(), before, span, after: [0; MOST_AFTER], read: 0 })
    }

    /// Whether the marker is an opener before a closer, which is a mention too.
    pub(super) fn is_pair(&self) -> bool {
        let after = &self.after[..usize::from(self.read)];
        matches!(self.before, MentionBefore::Word(_))
            && PAIRS.iter().any(|pair| pair.as_bytes() == after)
    }

    /// Reads one byte after the marker.
    pub(super) fn step(&mut self, byte: u8) -> CloserVerdict {
        self.after[usize::from(self.read)] = byte;
        self.read += 1;
        let after = &self.after[..usize::from(self.read)];
        let signs = match self.before {
            MentionBefore::Sign(sign) => ENCLOSED[usize::from(sign)].1,
            MentionBefore::Word(behind) => return after_word(after, behind),
        };
        among(signs, after)
    }
}

/// Whether the bytes after a marker are one of these texts, which make it a mention.
fn among(texts: &[&str], after: &[u8]) -> CloserVerdict {
    if texts.iter().any(|text| text.as_bytes() == after) {
        CloserVerdict::Content
    } else if texts.iter().any(|text| text.as_bytes().starts_with(after)) {
        CloserVerdict::Undecided
    } else {
        CloserVerdict::Closer
    }
}

/// Where a marker stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct MentionPlace {
    pub(super) before: LastBytes,
    /// The code span that is open at the marker.
    pub(super) span: Option<OpenSpan>,
}

/// Whether the bytes after a marker behind a word make it a mention.
fn after_word(after: &[u8], behind: BehindWord) -> CloserVerdict {
    match (after, behind) {
        ([b',' | b';'], _) => CloserVerdict::Content,
        ([b'.' | b':' | b'!' | b'?' | b')'], BehindWord::StrayCloser) => CloserVerdict::Content,
        ([b' '], BehindWord::StrayCloser) => CloserVerdict::Undecided,
        ([b' ', next], BehindWord::ApartOpener | BehindWord::StrayCloser)
            if next.is_ascii_lowercase() =>
        {
            CloserVerdict::Content
        }
        ([b'?' | b')'] | [b'.', b' ' | b'\n'], BehindWord::Opener | BehindWord::ApartOpener) => {
            CloserVerdict::Content
        }
        (_, BehindWord::Opener | BehindWord::ApartOpener) if is_before_opener(after) => {
            CloserVerdict::Content
        }
        (_, BehindWord::Opener | BehindWord::ApartOpener) => match among(NOUNS, after) {
            CloserVerdict::Closer => among(PAIRS, after),
            verdict => verdict,
        },
        _ => CloserVerdict::Closer,
    }
}

/// Whether `and` or `or` and another opener follow a marker.
fn is_before_opener(after: &[u8]) -> bool {
    let Some((next, between)) = after.split_last() else { return false };
    next.is_ascii_alphabetic() && BETWEEN.iter().any(|it| it.as_bytes() == between)
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
