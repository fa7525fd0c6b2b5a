//! Lines that fold back into a text.

use super::Rng;

/// A part of a text that can be broken into lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Characters without a break.
    Text(String),
    /// A line break that is read as a space.
    Space,
    /// Line breaks that are read as this many line feeds.
    Feeds(usize),
}

/// Breaks a text at some of its single spaces, and at its line feeds. A break must lie between two visible
/// characters, and `may_start` must allow the second one at the start of a line. `None` if a line feed lies
/// elsewhere.
pub fn broken(rng: &mut Rng, text: &str, may_start: impl Fn(&str) -> bool) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut so_far = String::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let feeds = rest.len() - rest.trim_start_matches('\n').len();
        let len = feeds.max(char.len_utf8());
        let behind = &rest[len..];
        let inner = ends_visibly(&so_far) && starts_visibly(behind);
        if feeds > 0 && !(inner && may_start(behind)) {
            return None;
        }
        if feeds > 0 || char == ' ' && inner && may_start(behind) && rng.once_in(3) {
            pieces.push(Piece::Text(core::mem::take(&mut so_far)));
            pieces.push(if feeds > 0 { Piece::Feeds(feeds) } else { Piece::Space });
        } else {
            so_far.push(char);
        }
        rest = behind;
    }
    pieces.push(Piece::Text(so_far));
    Some(pieces)
}

fn ends_visibly(text: &str) -> bool {
    text.chars().next_back().is_some_and(|char| !" \t\n\r".contains(char))
}

fn starts_visibly(text: &str) -> bool {
    text.chars().next().is_some_and(|char| !" \t\n\r".contains(char))
}
