//! A new attempt: the model starts again, with one line that says why the last attempt was
//! rejected.

use patchwire_async::Rejection;

use super::Model;
use super::item::{ItemBody, ItemRole, ItemState};

impl Model {
    /// The answer of an attempt was rejected.
    pub(super) fn rejected(&mut self, rejection: &Rejection) {
        let why = rejection.to_string();
        self.notes.add(&format!("attempt {} failed", rejection.attempt), &why);
        self.refused = Some(format!("attempt {}: {why}", rejection.attempt));
    }

    /// The values of earlier attempts are void.
    pub(super) fn reset(&mut self, attempt: u32) {
        let why = self.refused.take();
        let plan = self.items.plan.take();
        let before = core::mem::take(self);
        *self = Self {
            notes: before.notes.of_another_attempt(),
            counters: before.counters.of_another_attempt(),
            facts: before.facts.of_another_attempt(),
            is_text: before.was_text,
            was_text: before.was_text,
            calls_will_do: before.calls_will_do,
            attempt: Some(attempt),
            resets: before.resets + 1,
            ..Self::default()
        };
        if let Some(why) = why {
            let line = self.items.add(ItemRole::Attempt, &format!("attempt {attempt}"), None);
            self.items.get_mut(line).body = ItemBody::Text(why);
            self.items.settle(line, ItemState::Done);
            self.top.push(line);
        }
        self.items.plan = plan;
        self.expect();
    }
}
