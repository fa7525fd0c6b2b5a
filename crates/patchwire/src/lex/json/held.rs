//! What the machine holds back, for people to read.

use super::escape::Escape;
use super::{Lexer, Role, State, word};
use crate::held::{Held, HeldBy};

impl Lexer {
    /// What is held, the oldest first. The last event ended at `emitted`, what was read at `end`.
    pub(crate) fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        let mut all = Vec::new();
        if let State::Text(Role::Key) | State::Escape(Role::Key) | State::Look(Role::Key, _) =
            self.state
        {
            all.push(Held::new(HeldBy::Key, emitted, &self.key));
        }
        let dropped = |by| Held::new(by, self.since, "");
        all.extend(match self.state {
            State::Escape(_) => Some(held_escape(&self.escape, end)),
            State::Look(role, look) => {
                Some(Held::new(look.held_by(role), self.held_from, &self.held))
            }
            State::Word => {
                let held = Held::new(HeldBy::Word, self.held_from, &self.word);
                Some(held.or(word::literals(&self.word, self.rules)))
            }
            State::Unquoted { .. } if !self.held.is_empty() => {
                Some(Held::up_to(HeldBy::Blanks, end, &self.held))
            }
            State::BareKey => Some(Held::new(HeldBy::BareKey, self.held_from, &self.key)),
            State::Probe(_) => Some(Held::new(HeldBy::MissingComma, self.held_from, &self.held)),
            State::Comment(..) => Some(dropped(HeldBy::Comment)),
            State::Junk { .. } | State::Trailing => Some(dropped(HeldBy::Dropped)),
            State::FenceRun { mark, count, .. } => {
                let marks = vec![mark; usize::from(count)];
                Some(Held::new(HeldBy::FenceEnd, self.since, marks))
            }
            _ => None,
        });
        all
    }
}

fn held_escape(escape: &Escape, end: u64) -> Held {
    let by = if escape.is_between() { HeldBy::Surrogate } else { HeldBy::Escape };
    Held::up_to(by, end, escape.raw())
}
