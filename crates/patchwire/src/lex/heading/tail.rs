//! The part of a header after its name.
//!
//! ```text
//! ### **name**: [json] ###
//!           ^^ emphasis, colon
//!              ^^^^^^ the kind, and another colon after it
//!                     ^^^ closing marks, after whitespace
//! ```

/// The kind of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeaderKind {
    Text,
    Json,
}

/// The position after a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// In the closing emphasis.
    Emphasis,
    Colon,
    /// After whitespace, before a kind.
    Blank,
    /// In a kind in brackets.
    Kind(BracketedKind),
    /// After the kind.
    Named,
    /// After the second colon.
    Named2,
    /// After whitespace, where no kind can follow.
    Late,
    /// In the closing marks.
    Marks,
    /// After the closing marks: only whitespace.
    End,
}

/// After `at` characters of a kind in brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BracketedKind {
    square: bool,
    kind: Option<HeaderKind>,
    at: u8,
}

/// The kinds without their brackets.
const fn letters(kind: HeaderKind) -> &'static [u8; 4] {
    match kind {
        HeaderKind::Text => b"text",
        HeaderKind::Json => b"json",
    }
}

impl Tail {
    /// Reads one character. None if it is not allowed here.
    pub(super) fn step(self, char: char) -> Option<Self> {
        Some(match (self, char) {
            (Self::Emphasis, '*' | '_' | '`') => Self::Emphasis,
            (Self::Emphasis, ':') => Self::Colon,
            (Self::Emphasis | Self::Colon | Self::Blank, ' ' | '\t') => Self::Blank,
            (Self::Emphasis | Self::Colon | Self::Blank, '[' | '(') => {
                Self::Kind(BracketedKind { square: char == '[', kind: None, at: 0 })
            }
            (Self::Kind(kind), _) => return kind.step(char),
            (Self::Colon | Self::Blank | Self::Named, ':') => Self::Named2,
            (Self::Named | Self::Named2 | Self::Late, ' ' | '\t') => Self::Late,
            (Self::Blank | Self::Late | Self::Marks, '#') => Self::Marks,
            (Self::Marks | Self::End, ' ' | '\t') => Self::End,
            _ => return None,
        })
    }

    /// Whether a header may end here.
    pub(super) const fn ends(self) -> bool {
        !matches!(self, Self::Kind(_))
    }
}

impl BracketedKind {
    fn step(self, char: char) -> Option<Tail> {
        let kind = match (self.kind, char) {
            (Some(kind), _) if usize::from(self.at) == letters(kind).len() => {
                return (char == if self.square { ']' } else { ')' }).then_some(Tail::Named);
            }
            (Some(kind), _) => {
                let letter = letters(kind)[usize::from(self.at)];
                let longer = Self { at: self.at + 1, ..self };
                return (char == letter as char).then_some(Tail::Kind(longer));
            }
            (None, 't') => HeaderKind::Text,
            (None, 'j') => HeaderKind::Json,
            (None, _) => return None,
        };
        Some(Tail::Kind(Self { kind: Some(kind), at: 1, ..self }))
    }
}

/// The name and the kind in the text of a header that may have any name. None without a name.
///
/// Emphasis is removed in pairs only: `snake_` is a name.
pub(super) fn split(text: &str) -> Option<(&str, Option<HeaderKind>)> {
    let blanks = [' ', '\t'];
    let mut name = text.trim_matches(blanks);
    let unmarked = name.trim_end_matches('#');
    if unmarked.ends_with(blanks) || unmarked.is_empty() {
        name = unmarked.trim_end_matches(blanks);
    }
    name = name.strip_suffix(':').unwrap_or(name);
    let (before, kind) = kind_behind(name);
    name = before.trim_end_matches(blanks);
    name = name.strip_suffix(':').unwrap_or(name).trim_end_matches(blanks);
    while let Some(inner) = emphasised(name) {
        name = inner;
    }
    let is_name = name.contains(|char: char| !matches!(char, '*' | '_' | '`'));
    is_name.then_some((name, kind))
}

fn kind_behind(name: &str) -> (&str, Option<HeaderKind>) {
    for (suffix, kind) in [
        ("[text]", HeaderKind::Text),
        ("(text)", HeaderKind::Text),
        ("[json]", HeaderKind::Json),
        ("(json)", HeaderKind::Json),
    ] {
        if let Some(before) = name.strip_suffix(suffix) {
            return (before, Some(kind));
        }
    }
    (name, None)
}

/// The text between two equal marks of emphasis.
fn emphasised(name: &str) -> Option<&str> {
    let inside = |mark: char| name.strip_prefix(mark)?.strip_suffix(mark);
    ['*', '_', '`'].into_iter().find_map(inside)
}

#[cfg(test)]
mod tests {
    use super::{HeaderKind, split};

    #[test]
    fn names_are_what_is_left() {
        for (text, name) in [
            ("Title", Some(("Title", None))),
            (" **Final answer**: ##", Some(("Final answer", None))),
            ("data: [json]:", Some(("data", Some(HeaderKind::Json)))),
            ("data(text)", Some(("data", Some(HeaderKind::Text)))),
            ("C#", Some(("C#", None))),
            ("C #", Some(("C", None))),
            ("snake_", Some(("snake_", None))),
            ("a: b", Some(("a: b", None))),
            ("a::", Some(("a", None))),
            ("a: :", Some(("a", None))),
            ("##", None),
            ("**", None),
            ("[json]", None),
        ] {
            assert_eq!(split(text), name, "{text:?}");
        }
    }
}
