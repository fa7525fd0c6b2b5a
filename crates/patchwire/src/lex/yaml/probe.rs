//! Decides whether text is a key of a block mapping or a scalar. A key ends on its line, with a colon and
//! whitespace (sections 7.4.2 and 8.2.2).

use super::is_blank;

/// The largest length of a key in characters (section 7.4.2).
const LONGEST: u16 = 1024;

/// The position in a possible key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Plain,
    /// After whitespace in plain text.
    Blank,
    /// After a colon.
    Colon,
    /// In quotes.
    Quoted,
    /// After a backslash in quotes.
    Backslash,
    /// After a single quote that closes unless another follows.
    Quote,
    /// After the closing quote.
    Closed,
}

/// The result for a possible key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyFound {
    More,
    Key,
    Scalar,
}

/// A possible key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyProbe {
    phase: Phase,
    quote: Option<char>,
    count: u16,
}

impl KeyProbe {
    /// The state before the first character.
    pub(crate) const fn new(first: char) -> Self {
        let quoted = matches!(first, '"' | '\'');
        let phase = if quoted { Phase::Quoted } else { Phase::Plain };
        Self { phase, quote: if quoted { Some(first) } else { None }, count: 0 }
    }

    /// Whether the possible key is in quotes.
    pub(crate) const fn is_quoted(&self) -> bool {
        self.quote.is_some()
    }

    /// Reads the next character; none at the end of the line. A result applies to the text before that
    /// character.
    pub(crate) fn push(&mut self, char: Option<char>) -> KeyFound {
        if self.phase == Phase::Colon && char.is_none_or(is_blank) {
            return KeyFound::Key;
        }
        let Some(char) = char else { return KeyFound::Scalar };
        self.count += 1;
        if self.count > LONGEST {
            return KeyFound::Scalar;
        }
        if self.count == 1 && self.is_quoted() {
            return KeyFound::More;
        }
        match self.next(char) {
            Some(phase) => {
                self.phase = phase;
                KeyFound::More
            }
            None => KeyFound::Scalar,
        }
    }

    fn next(&self, char: char) -> Option<Phase> {
        let double = self.quote == Some('"');
        Some(match (self.phase, char) {
            (Phase::Closed | Phase::Quote, ':') => Phase::Colon,
            (Phase::Quote, '\'') => Phase::Quoted,
            (Phase::Closed | Phase::Quote, _) if is_blank(char) => Phase::Closed,
            (Phase::Closed | Phase::Quote, _) => return None,
            (Phase::Backslash, _) => Phase::Quoted,
            (Phase::Quoted, '\\') if double => Phase::Backslash,
            (Phase::Quoted, '"') if double => Phase::Closed,
            (Phase::Quoted, '\'') if !double => Phase::Quote,
            (Phase::Quoted, _) => Phase::Quoted,
            (Phase::Colon, _) if self.is_quoted() => return None,
            (Phase::Blank, '#') => return None,
            (_, ':') => Phase::Colon,
            (_, _) if is_blank(char) => Phase::Blank,
            _ => Phase::Plain,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{KeyFound, KeyProbe};

    fn found(line: &str) -> (KeyFound, usize) {
        let mut probe = KeyProbe::new(line.chars().next().unwrap_or('x'));
        for (at, char) in line.char_indices() {
            match probe.push(Some(char)) {
                KeyFound::More => {}
                found => return (found, at),
            }
        }
        (probe.push(None), line.len())
    }

    #[test]
    fn keys_and_scalars() {
        for (line, is, at) in [
            ("a: b", KeyFound::Key, 2),
            ("a b :\tc", KeyFound::Key, 5),
            ("a:b: c", KeyFound::Key, 4),
            ("a:", KeyFound::Key, 2),
            (": b", KeyFound::Key, 1),
            ("a::", KeyFound::Key, 3),
            ("a", KeyFound::Scalar, 1),
            ("a #b: c", KeyFound::Scalar, 2),
            ("a#b: c", KeyFound::Key, 4),
            ("\"a: b\" : c", KeyFound::Key, 8),
            ("\"a\\\": b\": c", KeyFound::Key, 9),
            ("\"a\" b: c", KeyFound::Scalar, 4),
            ("\"a\":b", KeyFound::Scalar, 4),
            ("'a'': b': c", KeyFound::Key, 9),
            ("'a: b", KeyFound::Scalar, 5),
            ("'a\"b': c", KeyFound::Key, 6),
            ("'a\\': c", KeyFound::Key, 5),
        ] {
            assert_eq!(found(line), (is, at), "{line:?}");
        }
        let long = |n| format!("{}: x", "k".repeat(n));
        assert_eq!(found(&long(1023)).0, KeyFound::Key);
        assert_eq!(found(&long(1024)).0, KeyFound::Scalar);
    }
}
