//! At the end of the text: what is open ends there.

use super::super::costs::Slip;
use super::super::state::{Bare, CommentKind, Place, Quoted, Reading, Role, State};
use super::super::trace::{Range, RepairEvent};
use super::super::word;
use super::RepairMachine;
use crate::lex::json;

/// A string of so many bytes that ends in a closer has probably swallowed the end of the document.
const LONG_TEXT: usize = 60;

impl RepairMachine<'_> {
    /// The reading at the end of the text. The position is the end.
    pub(in super::super) fn finish(&mut self, reading: Reading) -> Option<Reading> {
        let reading = match reading.state {
            State::Tail(_) => return Some(reading),
            State::Value { place: Place::Root, .. } => return None,
            State::Quoted(text) => self.finish_quoted(reading, text)?,
            State::Bare(bare) => self.finish_bare(reading, bare)?,
            State::BareKey { .. } => self.slip(reading, Slip::EndKey)?,
            State::Colon { skipping } | State::Value { place: Place::Member, skipping } => {
                let slip = if skipping { Slip::EndJunk } else { Slip::EndValue };
                let reading = self.slip(reading, slip)?;
                self.event(reading, RepairEvent::NoValue)
            }
            State::Value { skipping: true, .. }
            | State::Key { skipping: true, .. }
            | State::After { skipping: true, .. }
            | State::Remark { .. } => self.slip(reading, Slip::EndJunk)?,
            State::Comment(CommentKind::Line, _) if self.ends_in_closer() => {
                self.slip(reading, Slip::EndCloser)?
            }
            _ => reading,
        };
        self.close_all(reading, Slip::EndOpen)
    }

    fn ends_in_closer(&self) -> bool {
        matches!(self.source.visible_before(self.at).0, Some('}' | ']'))
    }

    /// How strongly a closer at the end of a string that is open says that it is no part of the string.
    pub(super) fn hidden_closers(&self, reading: Reading, text: Quoted) -> u32 {
        let closes = self.ends_in_closer();
        let alone = self.stacks.depth(reading.stack) <= 1;
        let is_long = self.at > text.start as usize + LONG_TEXT;
        u32::from(closes) * (1 + u32::from(alone || is_long))
    }

    fn finish_quoted(&mut self, reading: Reading, text: Quoted) -> Option<Reading> {
        let times = self.hidden_closers(reading, text);
        let reading = self.slips(reading, Slip::EndCloser, times)?;
        let range = Range { start: text.start, end: self.at as u32 };
        match text.role {
            Role::Key => self.slip(reading, Slip::EndKey),
            Role::Value => {
                let reading = self.slip(reading, Slip::EndText)?;
                Some(self.event(reading, RepairEvent::Text(range, text.quote)))
            }
        }
    }

    fn finish_bare(&mut self, reading: Reading, bare: Bare) -> Option<Reading> {
        let end = self.source.trimmed_end(bare.start as usize, self.at) as u32;
        let text = self.source.slice(bare.start, end);
        let range = Range { start: bare.start, end };
        if let Some(word) =
            word::classify(text, self.options.leniencies).filter(|_| !text.ends_with('.'))
        {
            let reading = match word.slip() {
                Some(slip) => self.slip(reading, slip)?,
                None => reading,
            };
            return Some(self.event(reading, RepairEvent::Bare(range)));
        }
        if let Some(number) = json::whole_part(text) {
            let reading = self.slip(reading, Slip::EndFragment)?;
            let end = range.start + number.len() as u32;
            return Some(self.event(reading, RepairEvent::Bare(Range { end, ..range })));
        }
        if word::may_become(text) {
            let reading = self.slip(reading, Slip::EndFragment)?;
            return Some(self.event(reading, RepairEvent::NoValue));
        }
        let reading = if bare.is_scalar { self.slip(reading, Slip::BareValue)? } else { reading };
        Some(self.event(reading, RepairEvent::Bare(range)))
    }
}
