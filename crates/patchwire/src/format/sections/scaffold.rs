//! Lines of the prompt that small models copy into a section before its content.
//!
//! ```text
//! ### title
//! <!-- (text) One line. -->     a comment that names its kind in brackets
//! (your content here)           the placeholder
//! ```

use crate::lex::heading::LineStep;

/// The placeholder for the content.
const PLACEHOLDER: &str = "(your content here)";
/// Most bytes of a copied line.
const LONGEST: usize = 1 << 10;

/// The beginning of a line that may be copied from the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scaffold {
    text: String,
    start: u64,
    state: ScaffoldState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScaffoldState {
    /// In the whitespace before.
    Blanks,
    /// After `at` characters of `<!--`.
    Opener { at: u8 },
    /// In the whitespace after `<!--`.
    Opened,
    /// After `at` characters of the kind in brackets.
    Kind { at: u8, json: bool },
    /// In the comment, after this many dashes, at most two.
    Comment { dashes: u8 },
    /// After `at` characters of the placeholder.
    Placeholder { at: u8 },
    /// In the whitespace after the comment or placeholder.
    Behind,
    /// After a carriage return.
    Return,
}

const OPENER: &str = "<!--";
const TEXT: &str = "(text)";
const JSON: &str = "(json)";

impl Scaffold {
    /// Whether such a line may begin with a byte.
    pub(super) const fn may_begin(byte: u8) -> bool {
        matches!(byte, b' ' | b'\t' | b'<' | b'(')
    }

    /// A line that begins at a stream offset.
    pub(super) const fn new(start: u64) -> Self {
        Self { text: String::new(), start, state: ScaffoldState::Blanks }
    }

    /// The line so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) const fn start(&self) -> u64 {
        self.start
    }

    /// Whether the line is too long.
    pub(super) const fn is_full(&self) -> bool {
        self.text.len() - matches!(self.state, ScaffoldState::Return) as usize > LONGEST
    }

    /// Reads one character.
    pub(super) fn push(&mut self, char: char) -> LineStep {
        let next = match (self.state, char) {
            (ScaffoldState::Behind | ScaffoldState::Return, '\n') => return LineStep::Whole,
            (_, '\n') | (ScaffoldState::Return, _) => return LineStep::Refuted,
            (ScaffoldState::Blanks, ' ' | '\t') => ScaffoldState::Blanks,
            (ScaffoldState::Blanks, '<') => ScaffoldState::Opener { at: 1 },
            (ScaffoldState::Blanks, '(') => ScaffoldState::Placeholder { at: 1 },
            (ScaffoldState::Opener { at }, _) if char == letter(OPENER, at) => match at + 1 {
                4.. => ScaffoldState::Opened,
                at => ScaffoldState::Opener { at },
            },
            (ScaffoldState::Opened, ' ' | '\t') => ScaffoldState::Opened,
            (ScaffoldState::Opened, '(') => ScaffoldState::Kind { at: 1, json: false },
            (ScaffoldState::Kind { at, json }, _) => {
                let json = if at == 1 { char == 'j' } else { json };
                match (at + 1, char == letter(if json { JSON } else { TEXT }, at)) {
                    (_, false) => return LineStep::Refuted,
                    (6.., true) => ScaffoldState::Comment { dashes: 0 },
                    (at, true) => ScaffoldState::Kind { at, json },
                }
            }
            (ScaffoldState::Comment { dashes: 2 }, '>') => ScaffoldState::Behind,
            (ScaffoldState::Comment { dashes }, '-') => {
                ScaffoldState::Comment { dashes: (dashes + 1).min(2) }
            }
            (ScaffoldState::Comment { .. }, _) => ScaffoldState::Comment { dashes: 0 },
            (ScaffoldState::Placeholder { at }, _) if char == letter(PLACEHOLDER, at) => {
                if usize::from(at) + 1 == PLACEHOLDER.len() {
                    ScaffoldState::Behind
                } else {
                    ScaffoldState::Placeholder { at: at + 1 }
                }
            }
            (ScaffoldState::Behind, ' ' | '\t') => ScaffoldState::Behind,
            (ScaffoldState::Behind, '\r') => ScaffoldState::Return,
            _ => return LineStep::Refuted,
        };
        self.state = next;
        self.text.push(char);
        LineStep::More
    }

    /// Whether the line is copied from the prompt if it ends here.
    pub(super) const fn is_whole(&self) -> bool {
        matches!(self.state, ScaffoldState::Behind | ScaffoldState::Return)
    }
}

const fn letter(text: &str, at: u8) -> char {
    text.as_bytes()[at as usize] as char
}

#[cfg(test)]
mod tests {
    use super::Scaffold;
    use crate::lex::heading::LineStep;

    #[test]
    fn lines_of_the_form() {
        for (line, want) in [
            ("<!-- (text) said -->", true),
            ("  <!-- (json) a - b -- c --->\t\r\n", true),
            (" (your content here) \n", true),
            ("<!-- (text) a --> b", false),
            ("<!-- (text) a", false),
            ("<!-- text -->", false),
            ("<!--\t(json)-->", true),
            ("<!--(text)->", false),
            ("<!-- (tson) -->", false),
            ("(your content", false),
            ("(your content here)\rx", false),
            ("  ", false),
        ] {
            let mut scaffold = Scaffold::new(0);
            let refuted = line.chars().any(|char| scaffold.push(char) == LineStep::Refuted);
            assert_eq!(!refuted && scaffold.is_whole(), want, "{line:?}");
        }
    }
}
