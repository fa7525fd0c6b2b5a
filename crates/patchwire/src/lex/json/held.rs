//! The bytes that the machine holds back, for people to read.

use super::escape::JsonEscape;
use super::{JsonLexer, JsonState, StringRole, word};
use crate::held::{Held, HeldBy};

/// Bytes whose meaning later bytes decide.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct UndecidedBytes {
    /// The bytes, as written.
    pub(super) text: String,
    /// The offset of the first one.
    pub(super) from: u64,
    /// The offset where skipped bytes began, or where closing containers end.
    pub(super) since: u64,
}

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
        let dropped = |by| Held::new(by, self.held.since, "");
        all.extend(match self.state {
            JsonState::Escape(_) => Some(held_escape(&self.string.escape, end)),
            JsonState::Look(role, look) => {
                Some(Held::new(look.held_by(role), self.held.from, &self.held.text))
            }
            JsonState::Fenced(_) if !self.held.text.is_empty() => {
                Some(Held::new(HeldBy::FencedText, self.held.from, &self.held.text))
            }
            JsonState::Word => {
                let held = Held::new(HeldBy::Word, self.held.from, &self.word);
                Some(held.or(word::literals(&self.word, self.settings.rules)))
            }
            JsonState::Unquoted(_) if !self.held.text.is_empty() => {
                Some(Held::up_to(HeldBy::Blanks, end, &self.held.text))
            }
            JsonState::UnquotedEnd(..) => {
                Some(Held::up_to(HeldBy::NextMember, end, &self.held.text))
            }
            JsonState::BareKeyEnd(_) => {
                let name_and_more = format!("{}{}", self.key, self.held.text);
                Some(Held::new(HeldBy::BareKey, self.held.from, name_and_more))
            }
            JsonState::BareKey => Some(Held::new(HeldBy::BareKey, self.held.from, &self.key)),
            JsonState::Probe(_) => {
                Some(Held::new(HeldBy::MissingComma, self.held.from, &self.held.text))
            }
            JsonState::Comment(..) => Some(dropped(HeldBy::Comment)),
            JsonState::Spaces { .. } | JsonState::Junk { .. } | JsonState::Trailing => {
                Some(dropped(HeldBy::Dropped))
            }
            JsonState::FenceRun(run) => {
                let marks = vec![run.mark; usize::from(run.count)];
                Some(Held::new(HeldBy::FenceEnd, self.held.since, marks))
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
