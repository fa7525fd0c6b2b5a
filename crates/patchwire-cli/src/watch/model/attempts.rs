//! Another attempt: all begins anew, but for a line that says why the one before was none.

use patchwire::event::Rejection;

use super::Model;
use super::item::{ItemBody, ItemRole, ItemState};

impl Model {
    /// What an attempt gave was not taken.
    pub(super) fn rejected(&mut self, rejection: &Rejection) {
        let why = rejection.to_string();
        self.notes.add(&format!("attempt {} failed", rejection.attempt), &why);
        self.refused = Some(format!("attempt {}: {why}", rejection.attempt));
    }

    /// What earlier attempts gave is void.
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
