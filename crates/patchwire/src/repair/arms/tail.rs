//! After a root: text that belongs to no value, or one more root.

use super::super::costs::Slip;
use super::super::source::{is_blank, is_unicode_blank};
use super::super::stack::Container;
use super::super::state::{Reading, State, TailText};
use super::super::trace::RepairEvent;
use super::RepairMachine;

/// Quotes in the text from which on each is cheap.
const MANY_QUOTES: u8 = 4;
/// Brackets that are counted.
const DEEPEST: u8 = 20;

impl RepairMachine<'_> {
    /// After a root.
    pub(super) fn tail(&mut self, reading: Reading, text: TailText, char: char) {
        let TailText { fresh, quotes, depth } = text;
        let len = char.len_utf8();
        if is_blank(char) || is_unicode_blank(char) {
            let fresh = fresh && char != '\n';
            return self.go(reading, len, State::Tail(TailText { fresh, ..text }));
        }
        let harmless = matches!(char, ';' | '.' | '`' | '<' | '~' | ')' | '*');
        let direct = u32::from(fresh && !harmless);
        if matches!(char, '{' | '[') {
            self.next_root(reading, char);
        }
        let Some(reading) = self.slips(reading, Slip::TailDirect, direct) else { return };
        let fresh = fresh && harmless;
        let text = |quotes: u8, depth: u8| State::Tail(TailText { fresh, quotes, depth });
        let next = self.source.visible_from(self.at + len);
        match char {
            '{' | '[' => {
                let plain = next.is_some_and(char::is_alphanumeric);
                let slip = if plain { Slip::TailQuote } else { Slip::TailBracket };
                self.go_with(reading, slip, len, text(quotes, (depth + 1).min(DEEPEST)));
            }
            '}' | ']' if depth > 0 => {
                self.go_with(reading, Slip::TailQuoteMany, len, text(quotes, depth - 1));
            }
            '}' | ']' => self.go_with(reading, Slip::TailCloser, len, text(quotes, depth)),
            '"' if quotes >= MANY_QUOTES => {
                self.go_with(reading, Slip::TailQuoteMany, len, text(quotes, depth));
            }
            '"' => self.go_with(reading, Slip::TailQuote, len, text(quotes + 1, depth)),
            _ => self.go(reading, len, text(quotes, depth)),
        }
    }

    fn next_root(&mut self, reading: Reading, char: char) {
        let container = if char == '{' { Container::Object } else { Container::List };
        let Some(reading) = self.slip(reading, Slip::RootAgain) else { return };
        let reading = self.event(reading, RepairEvent::Root);
        self.open(reading, container, 1);
    }
}
