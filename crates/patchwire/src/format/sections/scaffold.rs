//! Lines of the prompt's own form that small models copy into a section before its content.
//!
//! ```text
//! ### title
//! <!-- (text) One line. -->     a comment that names its kind in brackets
//! (your content here)           the placeholder
//! ```

use crate::lex::heading::Step;

/// What stands where the content should go.
const PLACEHOLDER: &str = "(your content here)";
/// Most bytes of such a line.
const LONGEST: usize = 1 << 10;

/// A line that may be one of these, so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scaffold {
    text: String,
    start: u64,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// In the blanks in front.
    Blanks,
    /// So many characters of a comment's opener.
    Opener { at: u8 },
    /// In the blanks behind it.
    Opened,
    /// So many characters of the kind, in its brackets.
    Kind { at: u8, json: bool },
    /// In the comment, behind so many dashes; two are enough.
    Comment { dashes: u8 },
    /// So many characters of the placeholder.
    Placeholder { at: u8 },
    /// In the blanks behind.
    Behind,
    /// Behind a carriage return.
    Return,
}

const OPENER: &str = "<!--";
const TEXT: &str = "(text)";
const JSON: &str = "(json)";

impl Scaffold {
    /// Whether a line may begin so.
    pub(super) const fn may_begin(byte: u8) -> bool {
        matches!(byte, b' ' | b'\t' | b'<' | b'(')
    }

    /// A line that begins there.
    pub(super) const fn new(start: u64) -> Self {
        Self { text: String::new(), start, state: State::Blanks }
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
        self.text.len() - matches!(self.state, State::Return) as usize > LONGEST
    }

    /// One more character.
    pub(super) fn push(&mut self, char: char) -> Step {
        let next = match (self.state, char) {
            (State::Behind | State::Return, '\n') => return Step::Whole,
            (_, '\n') | (State::Return, _) => return Step::Refuted,
            (State::Blanks, ' ' | '\t') => State::Blanks,
            (State::Blanks, '<') => State::Opener { at: 1 },
            (State::Blanks, '(') => State::Placeholder { at: 1 },
            (State::Opener { at }, _) if char == letter(OPENER, at) => match at + 1 {
                4.. => State::Opened,
                at => State::Opener { at },
            },
            (State::Opened, ' ' | '\t') => State::Opened,
            (State::Opened, '(') => State::Kind { at: 1, json: false },
            (State::Kind { at, json }, _) => {
                let json = if at == 1 { char == 'j' } else { json };
                match (at + 1, char == letter(if json { JSON } else { TEXT }, at)) {
                    (_, false) => return Step::Refuted,
                    (6.., true) => State::Comment { dashes: 0 },
                    (at, true) => State::Kind { at, json },
                }
            }
            (State::Comment { dashes: 2 }, '>') => State::Behind,
            (State::Comment { dashes }, '-') => State::Comment { dashes: (dashes + 1).min(2) },
            (State::Comment { .. }, _) => State::Comment { dashes: 0 },
            (State::Placeholder { at }, _) if char == letter(PLACEHOLDER, at) => {
                if usize::from(at) + 1 == PLACEHOLDER.len() {
                    State::Behind
                } else {
                    State::Placeholder { at: at + 1 }
                }
            }
            (State::Behind, ' ' | '\t') => State::Behind,
            (State::Behind, '\r') => State::Return,
            _ => return Step::Refuted,
        };
        self.state = next;
        self.text.push(char);
        Step::More
    }

    /// Whether the line is one of these, if it ends here.
    pub(super) const fn is_whole(&self) -> bool {
        matches!(self.state, State::Behind | State::Return)
    }
}

const fn letter(text: &str, at: u8) -> char {
    text.as_bytes()[at as usize] as char
}

#[cfg(test)]
mod tests {
    use super::Scaffold;
    use crate::lex::heading::Step;

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
            let refuted = line.chars().any(|char| scaffold.push(char) == Step::Refuted);
            assert_eq!(!refuted && scaffold.is_whole(), want, "{line:?}");
        }
    }
}
