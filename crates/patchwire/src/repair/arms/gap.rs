//! What may stand between values: whitespace, comments, an ellipsis, and text that fits nowhere.

use super::super::costs::Slip;
use super::super::source::{is_any_quote, is_blank, is_unicode_blank};
use super::super::stack::Container;
use super::super::state::{CommentKind, Reading, Resume, State};
use super::RepairMachine;

impl RepairMachine<'_> {
    /// Whitespace. True if the character is nothing else.
    pub(super) fn blank(&mut self, reading: Reading, char: char) -> bool {
        let state = reading.state;
        if is_blank(char) {
            self.go(reading, 1, state);
            return true;
        }
        if is_unicode_blank(char) && Slip::UnicodeBlank.is_allowed(self.options.leniencies) {
            self.go_with(reading, Slip::UnicodeBlank, char.len_utf8(), state);
            return true;
        }
        let escapes = ["\\n", "\\t", "\\r"];
        if char == '\\' && escapes.iter().any(|it| self.source.has(self.at, it)) {
            self.go_with(reading, Slip::EscapedBlank, 2, state);
        }
        false
    }

    /// A comment. True if the characters are nothing else.
    pub(super) fn opens_comment(&mut self, reading: Reading, back: Resume, char: char) -> bool {
        let (len, kind) = match char {
            '/' if self.source.has(self.at, "//") => (2, CommentKind::Line),
            '/' if self.source.has(self.at, "/*") => (2, CommentKind::Block),
            '<' if self.source.has(self.at, "<!--") => (4, CommentKind::Html),
            '#' => (1, CommentKind::Line),
            _ => return false,
        };
        if !Slip::Comment.is_allowed(self.options.leniencies) {
            return false;
        }
        self.go_with(reading, Slip::Comment, len, State::Comment(kind, back));
        let next = self.source.char(self.at + len);
        !(char == '#' && next.is_some_and(char::is_alphanumeric))
    }

    /// In a comment. A line comment may end before its line does, where the text was one line once.
    pub(super) fn comment(
        &mut self,
        reading: Reading,
        kind: CommentKind,
        back: Resume,
        char: char,
    ) {
        match (kind, char) {
            (CommentKind::Block, '*') if self.source.has(self.at, "*/") => {
                return self.go(reading, 2, back.state());
            }
            (CommentKind::Html, '-') if self.source.has(self.at, "-->") => {
                return self.go(reading, 3, back.state());
            }
            (CommentKind::Line, '\n') => return self.go(reading, 0, back.state()),
            (CommentKind::Line, '"') if self.source.after_member_name(self.at).is_some() => {
                self.go_with(reading, Slip::CommentMember, 0, back.state());
            }
            (CommentKind::Line, ',' | '}' | ']') => {
                self.go_with(reading, Slip::CommentEnd, 0, back.state());
            }
            _ => {}
        }
        self.go(reading, char.len_utf8(), reading.state);
    }

    /// The length of an ellipsis at the position; 0 if there is none.
    pub(super) fn ellipsis(&self, char: char) -> usize {
        match char {
            '…' => char.len_utf8(),
            '.' if self.source.has(self.at, "....") => 4,
            '.' if self.source.has(self.at, "...") => 3,
            _ => 0,
        }
    }

    /// The asterisks of emphasis around a key or a value are left out.
    pub(super) fn emphasis(&mut self, reading: Reading, char: char) {
        if char == '*' {
            let len = (1..3).find(|len| self.source.byte(self.at + len) != Some(b'*')).unwrap_or(3);
            self.go_with(reading, Slip::Emphasis, len, reading.state);
        }
    }

    /// The character fits nowhere and is left out.
    pub(super) fn junk(&mut self, reading: Reading, skipping: bool, state: State) {
        let Some(char) = self.source.char(self.at) else { return };
        let first = if skipping { Slip::JunkMore } else { Slip::Junk };
        let in_list = self.stacks.top(reading.stack) == Some(Container::List);
        let reading = match char {
            _ if in_list && !skipping && char.is_ascii_digit() => {
                self.slip(reading, Slip::JunkItem)
            }
            _ if is_any_quote(char) => self.slip(reading, Slip::JunkQuote),
            _ if !skipping && char.is_alphabetic() && self.is_behind_quote() => {
                self.slip(reading, Slip::JunkTight)
            }
            '{' | '[' => self.slip(reading, Slip::JunkBracket),
            _ => Some(reading),
        };
        if let Some(reading) = reading {
            self.go_with(reading, first, char.len_utf8(), state);
        }
    }

    fn is_behind_quote(&self) -> bool {
        self.source.char_before(self.at).is_some_and(is_any_quote)
    }

    /// In a remark in brackets after a value.
    pub(super) fn remark(&mut self, reading: Reading, closer: char, left: u8, char: char) {
        let len = char.len_utf8();
        match (char, left.checked_sub(1)) {
            (it, _) if it == closer => {
                let state = State::After { newline: false, text: false, skipping: true };
                self.go_with(reading, Slip::JunkMore, len, state);
            }
            ('\n' | '"', _) | (_, None) => {}
            (_, Some(left)) => {
                self.go_with(reading, Slip::JunkMore, len, State::Remark { closer, left });
            }
        }
    }
}
