//! The end of a flow collection (section 7.4): counts brackets outside quotes, plain words and comments.
//! The content is read once the collection is complete.

use super::is_blank;

/// The position in a flow collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Where a value or key may begin.
    Start,
    /// In an anchor or tag.
    Property,
    /// In or after a value. `blank` and `colon` describe the character before.
    Word {
        blank: bool,
        colon: bool,
    },
    /// After a closing quote.
    Closed,
    Double,
    Backslash,
    Single,
    /// After a single quote that closes unless another follows.
    Quote,
    Comment,
}

/// A flow collection, read so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FlowBrackets {
    depth: u64,
    state: State,
}

impl FlowBrackets {
    /// The state before the first bracket.
    pub(crate) const fn new() -> Self {
        Self { depth: 0, state: State::Start }
    }

    pub(crate) const fn depth(&self) -> u64 {
        self.depth
    }

    /// Whether a value may begin here that is in brackets or quotes.
    pub(crate) const fn is_at_start(&self) -> bool {
        self.depth == 0 && matches!(self.state, State::Start | State::Property | State::Comment)
    }

    /// Whether a bracket or a quote is open.
    pub(crate) const fn is_open(&self) -> bool {
        let quote =
            matches!(self.state, State::Double | State::Backslash | State::Single | State::Quote);
        self.depth > 0 || quote
    }

    /// Reads one more character. Returns whether it closes the first bracket.
    pub(crate) fn push(&mut self, char: char) -> bool {
        let state =
            if self.state == State::Quote && char != '\'' { State::Closed } else { self.state };
        let word = State::Word { blank: false, colon: false };
        self.state = match (state, char) {
            (State::Double, '\\') => State::Backslash,
            (State::Double, '"') | (State::Closed, ' ' | '\t') => State::Closed,
            (State::Double | State::Backslash, _) => State::Double,
            (State::Single, '\'') => State::Quote,
            (State::Single, _) | (State::Quote, _) => State::Single,
            (State::Comment, _) => State::Comment,
            (_, '[' | '{') => {
                self.depth += 1;
                State::Start
            }
            (_, ']' | '}') => {
                self.depth = self.depth.saturating_sub(1);
                State::Closed
            }
            (_, ',') | (State::Closed, ':') => State::Start,
            (State::Start, '"') => State::Double,
            (State::Start, '\'') => State::Single,
            (State::Start, '&' | '!') => State::Property,
            (State::Start | State::Closed | State::Word { blank: true, .. }, '#') => State::Comment,
            (State::Start | State::Property | State::Word { colon: true, .. }, _)
                if is_blank(char) =>
            {
                State::Start
            }
            (State::Start, '?' | ':') => State::Word { blank: false, colon: true },
            (State::Property, _) => State::Property,
            (State::Word { .. }, ':') => State::Word { blank: false, colon: true },
            (State::Word { .. }, _) if is_blank(char) => State::Word { blank: true, colon: false },
            _ => word,
        };
        self.depth == 0
    }

    /// Ends a line.
    pub(crate) fn line_end(&mut self) {
        self.state = match self.state {
            State::Double | State::Backslash => State::Double,
            State::Single => State::Single,
            State::Word { colon: false, .. } => State::Word { blank: true, colon: false },
            State::Closed | State::Quote => State::Closed,
            State::Start | State::Property | State::Comment | State::Word { .. } => State::Start,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::FlowBrackets;

    /// The position where the first bracket is closed.
    fn end(text: &str) -> Option<usize> {
        let mut brackets = FlowBrackets::new();
        for (at, char) in text.char_indices() {
            if char == '\n' {
                brackets.line_end();
            } else if brackets.push(char) {
                return Some(at + 1);
            }
        }
        None
    }

    #[test]
    fn brackets_in_quotes_and_comments_are_none() {
        for (text, is) in [
            ("[1, {a: b}] x", Some(11)),
            ("[\"]\", ']']", Some(10)),
            ("[it's, b]", Some(9)),
            ("[a \"b, c]", Some(9)),
            ("[a, # ]\n b]", Some(11)),
            ("[a#, b]", Some(7)),
            ("{\"a\":\"]\"}", Some(9)),
            ("{a: '}'}", Some(8)),
            ("{a:\"b}", Some(6)),
            ("[&x \"]\"]", Some(8)),
            ("[a, 'it''s ]']", Some(14)),
            ("[\"\\\"]\"]", Some(7)),
            ("[[]", None),
            // A number sign inside a word begins no comment.
            ("[ab#, c]", Some(8)),
            ("[ab #, c]\n]", Some(11)),
            ("[ab\t#, c]\n]", Some(11)),
            ("[\"a\"#]\n]", Some(8)),
            ("[\"a\" #]\n]", Some(9)),
            ("[a\n#]\n]", Some(7)),
            // A colon begins a value before a blank, and behind a quote.
            ("[a: \"]\"]", Some(8)),
            ("[a :\"]", Some(6)),
            ("[a :\"]\"]", Some(6)),
            ("['a': ']']", Some(10)),
            ("['a':']']", Some(9)),
            ("['a' :']']", Some(10)),
            ("[:\"]\"]", Some(4)),
            ("[: \"]\"]", Some(7)),
            ("[? \"]\"]", Some(7)),
            ("[?\"]\"]", Some(4)),
            ("[a:\n\"]\"]", Some(8)),
            ("[a\n\"]\"]", Some(5)),
            // Behind a property a value begins.
            ("[!x ']']", Some(8)),
            ("[&x'y ]", Some(7)),
            ("[&x\n']']", Some(8)),
            ("[a &'b]", Some(7)),
            // Quotes over lines.
            ("['a\n]', b]", Some(10)),
            ("[\"a\\\n]\"]", Some(8)),
            ("['a'\n]", Some(6)),
            ("['a'b ']", Some(8)),
            ("[\"a\" \"]", Some(7)),
            ("[\"a\", \"]\"]", Some(10)),
            // A quote behind a closer is part of a word.
            ("[[]\"]", Some(5)),
            ("[{}, '}']", Some(9)),
        ] {
            assert_eq!(end(text), is, "{text:?}");
        }
    }

    #[test]
    fn what_is_open() {
        for (text, is_open, is_at_start, depth) in [
            ("", false, true, 0),
            ("&a", false, true, 0),
            ("&a ", false, true, 0),
            ("# x", false, true, 0),
            ("# x\n", false, true, 0),
            ("a", false, false, 0),
            ("a\n", false, false, 0),
            ("a:\n", false, true, 0),
            ("\"", true, false, 0),
            ("\"\\", true, false, 0),
            ("\"a\"", false, false, 0),
            ("'", true, false, 0),
            ("''", true, false, 0),
            ("''\n", false, false, 0),
            ("[", true, false, 1),
            ("[{", true, false, 2),
            ("[{}", true, false, 1),
            ("[]", false, false, 0),
            ("]", false, false, 0),
        ] {
            let mut brackets = FlowBrackets::new();
            for char in text.chars() {
                match char {
                    '\n' => brackets.line_end(),
                    _ => drop(brackets.push(char)),
                }
            }
            let found = (brackets.is_open(), brackets.is_at_start(), brackets.depth());
            assert_eq!(found, (is_open, is_at_start, depth), "{text:?}");
        }
    }
}
