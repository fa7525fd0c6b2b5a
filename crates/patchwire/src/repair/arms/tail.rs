//! After a root: text that belongs to no value, or one more root.

use super::super::costs::Slip;
use super::super::source::{is_any_quote, is_blank, is_unicode_blank};
use super::super::stack::Container;
use super::super::state::{Reading, State, TailText};
use super::super::trace::RepairEvent;
use super::RepairMachine;

/// Quotes in the text from which on each is cheap.
const MANY_QUOTES: u8 = 4;
/// Brackets that are counted.
const DEEPEST: u8 = 20;
/// Most that text after a root costs: less than a string that goes on to the end of the answer.
const MOST_PROSE: u16 = 100;
/// Most that it costs if the answer ends in a closer.
const MOST_CLOSED: u16 = 150;
/// What the slips of a root cost from which on one of them may have ended it too early.
const DOUBTFUL: u32 = 56;
/// Most that it costs if the root goes on in it, or if one of its slips may have ended it too early.
const MOST_OF_ALL: u16 = 4_000;

impl RepairMachine<'_> {
    /// After a root.
    pub(super) fn tail(&mut self, reading: Reading, text: TailText, char: char) {
        let len = char.len_utf8();
        if is_blank(char) || is_unicode_blank(char) {
            let fresh = text.fresh && char != '\n';
            return self.go(reading, len, State::Tail(TailText { fresh, ..text }));
        }
        if matches!(char, '{' | '[') {
            self.next_root(reading, char);
        }
        let text = match text.most {
            0 => TailText { most: self.most_of_tail(reading, char), ..text },
            _ => text,
        };
        let harmless = matches!(char, ';' | '.' | '`' | '<' | '~' | ')' | '*');
        let direct = (text.fresh && !harmless).then_some(Slip::TailDirect);
        let fresh = text.fresh && harmless;
        let (slip, text) = self.tail_char(TailText { fresh, ..text }, char);
        let mut next = (reading, text);
        for slip in direct.into_iter().chain(slip) {
            next = self.tail_slip(next.0, next.1, slip);
        }
        self.go(next.0, len, State::Tail(next.1));
    }

    /// The slip that a character of the text is, and the text behind it.
    fn tail_char(&self, text: TailText, char: char) -> (Option<Slip>, TailText) {
        let TailText { quotes, depth, .. } = text;
        match char {
            '{' | '[' => {
                let next = self.source.visible_from(self.at + 1);
                let is_plain = next.is_some_and(char::is_alphanumeric);
                let slip = if is_plain { Slip::TailQuote } else { Slip::TailBracket };
                (Some(slip), TailText { depth: (depth + 1).min(DEEPEST), ..text })
            }
            '}' | ']' if depth > 0 => {
                (Some(Slip::TailQuoteMany), TailText { depth: depth - 1, ..text })
            }
            '}' | ']' => (Some(Slip::TailCloser), text),
            '"' if quotes >= MANY_QUOTES => (Some(Slip::TailQuoteMany), text),
            '"' => (Some(Slip::TailQuote), TailText { quotes: quotes + 1, ..text }),
            _ => (None, text),
        }
    }

    /// A slip in the text, as far as the text may cost more.
    fn tail_slip(&mut self, reading: Reading, text: TailText, slip: Slip) -> (Reading, TailText) {
        let left = u32::from(text.most - text.spent);
        let (reading, cost) = self.slip_up_to(reading, slip, left);
        (reading, TailText { spent: text.spent + cost as u16, ..text })
    }

    /// The most that the text after a root may cost, judged by its first character and the end of the answer.
    /// Behind a comma the root may go on, and a closer at the end may be the root's. A string is rarely a root.
    fn most_of_tail(&self, reading: Reading, char: char) -> u16 {
        let last = self.source.visible_before(self.at).0;
        let goes_on = || match last {
            Some('}') => self.source.may_be_key(self.at + 1),
            _ => self.source.may_be_item(self.at + 1),
        };
        match () {
            () if last.is_some_and(is_any_quote) || (char == ',' && goes_on()) => MOST_OF_ALL,
            () if self.is_closed && reading.cost >= DOUBTFUL => MOST_OF_ALL,
            () if self.is_closed => MOST_CLOSED,
            () => MOST_PROSE,
        }
    }

    fn next_root(&mut self, reading: Reading, char: char) {
        let container = if char == '{' { Container::Object } else { Container::List };
        let Some(reading) = self.slip(reading, Slip::RootAgain) else { return };
        let reading = self.event(reading, RepairEvent::Root);
        self.open(reading, container, 1);
    }
}
