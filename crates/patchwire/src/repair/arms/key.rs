//! Before a key, in a key without quotes, and before a colon.

use super::super::costs::Slip;
use super::super::source::{continues_name, is_blank, starts_name};
use super::super::stack::Container;
use super::super::state::{Quote, Reading, Resume, Role, State};
use super::super::trace::{Range, RepairEvent};
use super::RepairMachine;

impl RepairMachine<'_> {
    /// At a key.
    pub(super) fn key(&mut self, reading: Reading, first: bool, skipping: bool, char: char) {
        if self.blank(reading, char) || self.opens_comment(reading, Resume::Key { first }, char) {
            return;
        }
        let ellipsis = self.ellipsis(char);
        if ellipsis > 0 {
            self.go_with(reading, Slip::Ellipsis, ellipsis, State::AFTER);
        }
        let closes = matches!(char, '}' | ']' | '｝' | '］');
        let reading = if closes || skipping { reading } else { self.child(reading) };
        let skipped = State::Key { first, skipping: true };
        match char {
            '}' | '｝' => return self.close_before_key(reading, first, char),
            ']' | '］' => return self.close(reading, char),
            ',' | '，' => {
                return self.go_with(reading, Slip::ExtraComma, char.len_utf8(), reading.state);
            }
            '{' => self.brace_before_key(reading, first),
            _ if self.opens_quote(char) => {
                self.open_quotes(reading, Role::Key, char);
                return self.junk(reading, skipping, skipped);
            }
            _ => {}
        }
        self.emphasis(reading, char);
        let before = self.source.char_before(self.at);
        if starts_name(char) && !(skipping && before.is_some_and(continues_name)) {
            let state = State::BareKey { start: self.at as u32 };
            self.go_with(reading, Slip::BareKey, char.len_utf8(), state);
        }
        self.junk(reading, skipping, skipped);
    }

    fn close_before_key(&mut self, reading: Reading, first: bool, char: char) {
        let reading = if first { Some(reading) } else { self.slip(reading, Slip::TrailingComma) };
        if let Some(reading) = reading {
            self.close(reading, char);
        }
    }

    /// `{{` around one object, or the next item of the list around this object.
    fn brace_before_key(&mut self, reading: Reading, first: bool) {
        if first {
            let Some(reading) = self.slip(reading, Slip::DoubledBraces) else { return };
            let mut reading = self.event(reading, RepairEvent::Unwrap);
            let outer = self.stacks.pop(reading.stack);
            reading.stack = self.stacks.push(outer, Container::Wrapper);
            self.open(reading, Container::Object, 1);
        } else if self.stacks.outer(reading.stack) == Some(Container::List) {
            let Some(reading) = self.slip(reading, Slip::MissingClose) else { return };
            let reading = self.pop(reading);
            self.open(reading, Container::Object, 1);
        }
    }

    /// In a key without quotes.
    pub(super) fn bare_key(&mut self, reading: Reading, start: u32, char: char) {
        if continues_name(char) {
            self.go(reading, char.len_utf8(), reading.state);
            if char != '.' {
                return;
            }
        }
        let end = self.source.trimmed_end(start as usize, self.at) as u32;
        let key = self.event(reading, RepairEvent::Key(Range { start, end }, Quote::Double));
        let colon = State::Colon { skipping: false };
        let quote = match char {
            '"' | '”' if self.opens_quote(char) => char.len_utf8(),
            '\\' if self.source.has(self.at, "\\\"") => 2,
            _ => 0,
        };
        if quote > 0 {
            self.go_with(key, Slip::MissingOpenerKey, quote, colon);
        }
        if char != '.' {
            self.go(key, 0, colon);
        }
        if char == '\n' || char == ':' || continues_name(char) {
            return;
        }
        let times = if is_blank(char) { 1 } else { 1 + u32::from(char == '"') * 2 };
        if let Some(reading) = self.slips(reading, Slip::BareKeyOdd, times) {
            self.go(reading, char.len_utf8(), reading.state);
        }
    }

    /// At a colon.
    pub(super) fn colon(&mut self, reading: Reading, skipping: bool, char: char) {
        if self.blank(reading, char) || self.opens_comment(reading, Resume::Colon, char) {
            return;
        }
        match char {
            ':' => return self.go(reading, 1, State::MEMBER),
            '：' => return self.go_with(reading, Slip::FullWidth, 3, State::MEMBER),
            '=' => {
                let len = 1 + usize::from(self.source.has(self.at, "=>"));
                return self.go_with(reading, Slip::Equals, len, State::MEMBER);
            }
            ',' | '，' | '}' | ']' => {
                let Some(reading) = self.slip(reading, Slip::MissingValue) else { return };
                let reading = self.event(reading, RepairEvent::NoValue);
                return self.go(reading, 0, State::AFTER);
            }
            '{' | '[' => self.go_with(reading, Slip::MissingColon, 0, State::MEMBER),
            _ if self.opens_quote(char) => {
                self.go_with(reading, Slip::MissingColon, 0, State::MEMBER);
            }
            _ if starts_name(char) || char == '-' => {
                self.go_with(reading, Slip::MissingColonWord, 0, State::MEMBER);
            }
            _ => self.emphasis(reading, char),
        }
        self.junk(reading, skipping, State::Colon { skipping: true });
    }
}
