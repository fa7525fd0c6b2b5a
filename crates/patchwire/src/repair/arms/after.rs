//! After a value: commas, closers, and what stands in their place.

use super::super::costs::Slip;
use super::super::source::{LOOK, continues_name, is_any_quote, is_blank, starts_name};
use super::super::stack::Container;
use super::super::state::{Place, Reading, Resume, Role, State, TailText};
use super::super::trace::RepairEvent;
use super::super::word;
use super::{ODD_INDENT, RepairMachine};

/// The doubt about a closing quote between a comma and a word.
const AFTER_COMMA: u32 = 15;
/// Most bytes of a remark in brackets.
const REMARK: u8 = 48;

impl RepairMachine<'_> {
    /// After a value.
    pub(super) fn after(&mut self, reading: Reading, char: char) {
        let State::After { newline, text, skipping } = reading.state else { return };
        if char == '\n' {
            return self.go(reading, 1, State::After { newline: true, text, skipping });
        }
        let comment = Resume::After { newline };
        if self.blank(reading, char) || (!skipping && self.opens_comment(reading, comment, char)) {
            return;
        }
        match char {
            ',' | '，' | ';' => return self.separator(reading, skipping, char),
            '.' if self.is_full_stop_at(self.at) => {
                self.go_with(reading, Slip::FullStop, 1, self.next_child(reading));
            }
            '}' | ']' | '｝' | '］' => return self.close(reading, char),
            ')' if self.stacks.top(reading.stack) == Some(Container::Tuple) => {
                return self.close(reading, char);
            }
            '`' if newline && self.source.has(self.at, "```") => return self.fence_end(reading),
            '+' if text => {
                if let Some(reading) = self.slip(reading, Slip::Concatenation) {
                    let reading = self.event(reading, RepairEvent::Join);
                    self.go(reading, 1, State::Join);
                }
                return;
            }
            '{' | '[' => self.opener_after(reading, char),
            _ if self.opens_quote(char) => self.quote_after(reading, char),
            _ if starts_name(char) || char == '-' => self.word_after(reading, char),
            '<' if newline && !skipping => self.unclosed_tail(reading),
            _ => self.emphasis(reading, char),
        }
        let ellipsis = self.ellipsis(char);
        if ellipsis > 0 {
            self.go_with(reading, Slip::Ellipsis, ellipsis, reading.state);
        }
        self.junk_after(reading, char);
    }

    /// The state behind a comma in this container.
    fn next_child(&self, reading: Reading) -> State {
        match self.stacks.top(reading.stack) {
            Some(container) if container.has_members() => {
                State::Key { first: false, skipping: false }
            }
            _ => State::Value { place: Place::Next, skipping: false },
        }
    }

    /// Whether a full stop stands before the next member or item in quotes.
    pub(super) fn is_full_stop_at(&self, at: usize) -> bool {
        let is_apart = self.source.char(at + 1).is_some_and(is_blank);
        is_apart && self.source.visible_from(at + 1) == Some('"')
    }

    fn separator(&mut self, reading: Reading, skipping: bool, char: char) {
        let slip = match char {
            ',' => None,
            ';' => Some(Slip::Semicolon),
            _ => Some(Slip::FullWidth),
        };
        let len = char.len_utf8();
        let next = self.next_child(reading);
        match slip {
            Some(slip) => self.go_with(reading, slip, len, next),
            None => self.go(reading, len, next),
        }
        if (self.may_leave_list(reading, len) || self.is_outdented(reading, len))
            && let Some(reading) = self.slip(reading, Slip::MissingClose)
        {
            let reading = self.pop(reading);
            self.go(reading, 0, State::AFTER);
        }
        if skipping {
            self.go_with(reading, Slip::JunkComma, len, reading.state);
        }
    }

    /// Whether the list may have lost its closer before a key of the object around it.
    pub(super) fn may_leave_list(&self, reading: Reading, ahead: usize) -> bool {
        let top = self.stacks.top(reading.stack);
        let in_list = matches!(top, Some(Container::List | Container::Tuple));
        let in_object = self.stacks.outer(reading.stack).is_some_and(Container::has_members);
        in_list && in_object && self.source.may_be_key(self.at + ahead)
    }

    /// Whether the next child is indented like one of a container further out.
    fn is_outdented(&self, reading: Reading, ahead: usize) -> bool {
        let next = self.source.next_indent(self.at + ahead);
        let known = self.stacks.indent(reading.stack);
        let outer = self.stacks.indent(self.stacks.pop(reading.stack));
        matches!((next, known, outer), (Some(next), Some(known), Some(outer)) if next < known && next <= outer)
    }

    fn missing_comma(&self, reading: Reading) -> Slip {
        match reading.state {
            State::After { newline: true, .. } => Slip::MissingCommaLine,
            _ => Slip::MissingComma,
        }
    }

    fn opener_after(&mut self, reading: Reading, char: char) {
        let members = self.stacks.top(reading.stack).is_some_and(Container::has_members);
        let missing = self.missing_comma(reading);
        if !members {
            return self.go_with(reading, missing, 0, self.next_child(reading));
        }
        if char == '{' && self.stacks.outer(reading.stack) == Some(Container::List) {
            let Some(reading) = self.slip(reading, Slip::MissingClose) else { return };
            let reading = self.pop(reading);
            self.go_with(reading, missing, 0, self.next_child(reading));
        }
    }

    fn quote_after(&mut self, reading: Reading, char: char) {
        let missing = self.missing_comma(reading);
        self.go_with(reading, missing, 0, self.next_child(reading));
        let after_text = matches!(reading.state, State::After { text: true, .. });
        let members = self.stacks.top(reading.stack).is_some_and(Container::has_members);
        if after_text
            && members
            && matches!(char, '"' | '\'')
            && let Some(reading) = self.slip(reading, Slip::Adjacent)
        {
            let reading = self.event(reading, RepairEvent::Join);
            self.go(reading, 0, State::Join);
        }
        if self.may_leave_list(reading, 0) || self.is_outdented(reading, 0) {
            let Some(reading) = self.slip(reading, Slip::MissingClose) else { return };
            let reading = self.pop(reading);
            self.go_with(reading, missing, 0, self.next_child(reading));
        }
    }

    fn word_after(&mut self, reading: Reading, char: char) {
        let State::After { newline, skipping, .. } = reading.state else { return };
        if skipping && self.source.char_before(self.at).is_some_and(continues_name) {
            return;
        }
        let tight = self.source.char_before(self.at).is_some_and(is_any_quote);
        // A quote between a comma and a word opens the next string rather than closing the last.
        let opens = tight && self.source.visible_before(self.at - 1).0 == Some(',');
        let reading = if opens { reading.doubting(AFTER_COMMA) } else { reading };
        // A word after a number or a literal is a unit or a remark rather than the next item.
        let is_remark = self.stacks.top(reading.stack) == Some(Container::List)
            && self.is_after_scalar()
            && self.scalar_ahead().is_none();
        let missing = match tight || is_remark {
            true => Slip::MissingCommaTight,
            false => self.missing_comma(reading),
        };
        self.go_with(reading, missing, 0, self.next_child(reading));
        if newline && !skipping && char.is_alphabetic() {
            self.unclosed_tail(reading);
        }
    }

    /// Whether a number, a literal, a container or an ellipsis came last.
    fn is_after_scalar(&self) -> bool {
        let earliest = self.at.saturating_sub(LOOK);
        let end = self.source.trimmed_end(earliest, self.at);
        let begins = |at: &usize| {
            self.source.byte(at - 1).is_none_or(|byte| b" \t\r\n,:[{}]\"".contains(&byte))
        };
        let start = (earliest + 1..end).rev().find(begins).unwrap_or(end);
        let word = self.source.slice(start as u32, end as u32);
        word.ends_with(['}', ']', '…'])
            || word.ends_with("...")
            || word::classify(word, self.options.leniencies).is_some()
    }

    /// Prose begins although the root is open.
    fn unclosed_tail(&mut self, reading: Reading) {
        let Some(reading) = self.slip(reading, Slip::TailUnclosed) else { return };
        if let Some(reading) = self.close_all(reading, Slip::EndOpen) {
            self.go(reading, 0, State::Tail(TailText::new(false)));
        }
    }

    /// The fence around the root ends although the root is open.
    pub(super) fn fence_end(&mut self, reading: Reading) {
        let Some(reading) = self.slip(reading, Slip::FenceEnd) else { return };
        if let Some(reading) = self.close_all(reading, Slip::EndOpen) {
            self.go(reading, 3, State::TAIL);
        }
    }

    fn junk_after(&mut self, reading: Reading, char: char) {
        let State::After { newline, text, skipping } = reading.state else { return };
        let closer = match char {
            '[' => Some(']'),
            '(' => Some(')'),
            '<' => Some('>'),
            _ => None,
        };
        if let (Some(closer), false) = (closer, skipping) {
            self.go_with(reading, Slip::Remark, 1, State::Remark { closer, left: REMARK });
        }
        self.junk(reading, skipping, State::After { newline, text, skipping: true });
    }

    /// Before the string that continues the last one.
    pub(super) fn join(&mut self, reading: Reading, char: char) {
        if !self.blank(reading, char) && self.opens_quote(char) {
            self.open_quotes(reading, Role::Value, char);
        }
    }

    /// A closer: of this container, of one around it, or of none.
    pub(super) fn close(&mut self, reading: Reading, char: char) {
        let len = char.len_utf8();
        let char = match char {
            '｝' => '}',
            '］' => ']',
            _ => char,
        };
        let Some(top) = self.stacks.top(reading.stack) else { return };
        let stay = match reading.state {
            State::After { .. } => reading.state,
            _ => State::AFTER,
        };
        if top.closer() == char && top != Container::Implied {
            let inside = self.stacks.indent(reading.stack);
            let indent = self.source.indent_at(self.at);
            let is_odd =
                matches!((indent, inside), (Some(indent), Some(inside)) if indent >= inside);
            let closed = if is_odd { reading.doubting(ODD_INDENT / 2) } else { reading };
            let closed = self.pop(closed);
            self.end_value(closed, len, State::AFTER);
            if matches!(reading.state, State::After { .. }) {
                self.go_with(reading, Slip::EarlyClose, len, stay);
            }
            return self.split_list(reading, char);
        }
        self.close_outer(reading, char, len);
        if top != Container::Implied
            && let Some(wrong) = self.slip(reading, Slip::WrongClose)
        {
            let wrong = self.pop(wrong);
            self.end_value(wrong, len, State::AFTER);
        }
        self.go_with(reading, Slip::SurplusClose, len, stay);
    }

    /// `"a": [1], [2]` in an object: no key follows, so the two lists are one.
    fn split_list(&mut self, reading: Reading, char: char) {
        let in_object = self.stacks.outer(reading.stack).is_some_and(Container::has_members);
        let opener = self.source.opener_behind_comma(self.at + 1, '[');
        if let (']', true, Some(opener)) = (char, in_object, opener)
            && let Some(reading) = self.slip(reading, Slip::SplitList)
        {
            self.pass(reading, opener + 1 - self.at, Resume::Value(Place::Next));
        }
    }

    /// The closer of a container further out: those inside have lost theirs.
    fn close_outer(&mut self, reading: Reading, char: char, len: usize) {
        let mut stack = reading.stack;
        let (mut levels, mut missing) = (1, 0);
        while let Some(container) = self.stacks.top(stack) {
            let implied = container == Container::Implied;
            if container.closer() == char && !implied {
                break;
            }
            missing += u32::from(!implied);
            levels += 1;
            stack = self.stacks.pop(stack);
        }
        if self.stacks.top(stack).is_none() {
            return;
        }
        let Some(mut reading) = self.slips(reading, Slip::MissingClose, missing) else { return };
        for _ in 0..levels {
            reading = self.pop(reading);
        }
        self.end_value(reading, len, State::AFTER);
    }
}
