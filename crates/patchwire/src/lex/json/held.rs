//! The bytes that the machine holds back, for people to read.

use super::escape::JsonEscape;
use super::{JsonLexer, JsonState, StringRole, word};
use crate::held::{Held, HeldBy};

impl JsonLexer {
    /// The held bytes, the oldest first. The last event ended at `emitted`; the machine has read up to
    /// `end`.
    pub(crate) fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        let mut all = Vec::new();
        if let JsonState::Text(StringRole::Key)
        | JsonState::Escape(StringRole::Key)
        | JsonState::Look(StringRole::Key, _) = self.state
        {
            all.push(Held::new(HeldBy::Key, emitted, &self.key));
        }
        let dropped = |by| Held::new(by, self.since, "");
        all.extend(match self.state {
            JsonState::Escape(_) => Some(held_escape(&self.escape, end)),
            JsonState::Look(role, look) => {
                Some(Held::new(look.held_by(role), self.held_from, &self.held))
            }
            JsonState::Fenced(_) if !self.held.is_empty() => {
                Some(Held::new(HeldBy::FencedText, self.held_from, &self.held))
            }
            JsonState::Word => {
                let held = Held::new(HeldBy::Word, self.held_from, &self.word);
                Some(held.or(word::literals(&self.word, self.rules)))
            }
            JsonState::Unquoted(_) if !self.held.is_empty() => {
                Some(Held::up_to(HeldBy::Blanks, end, &self.held))
            }
            JsonState::UnquotedEnd(..) => Some(Held::up_to(HeldBy::NextMember, end, &self.held)),
            JsonState::BareKeyEnd(_) => {
                let name_and_more = format!("{}{}", self.key, self.held);
                Some(Held::new(HeldBy::BareKey, self.held_from, name_and_more))
            }
            JsonState::BareKey => Some(Held::new(HeldBy::BareKey, self.held_from, &self.key)),
            JsonState::Probe(_) => {
                Some(Held::new(HeldBy::MissingComma, self.held_from, &self.held))
            }
            JsonState::Comment(..) => Some(dropped(HeldBy::Comment)),
            JsonState::Spaces { .. } | JsonState::Junk { .. } | JsonState::Trailing => {
                Some(dropped(HeldBy::Dropped))
            }
            JsonState::FenceRun { mark, count, .. } => {
                let marks = vec![mark; usize::from(count)];
                Some(Held::new(HeldBy::FenceEnd, self.since, marks))
            }
            _ => None,
        });
        all
    }
}

fn held_escape(escape: &JsonEscape, end: u64) -> Held {
    let by = if escape.is_between() { HeldBy::Surrogate } else { HeldBy::Escape };
    Held::up_to(by, end, escape.raw())
}
