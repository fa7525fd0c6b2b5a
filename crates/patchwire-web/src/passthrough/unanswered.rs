//! The answers that a client still waits for, so that a stream which is ended from outside can end them, too.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::own_events::OwnEvents;
use super::places::Dialect;
use crate::answer_events::error_event;
use crate::session::Stop;

/// Shared by a stream and what ends it. Empty for a stream without fields.
#[derive(Debug, Clone, Default)]
pub(super) struct Unanswered(Arc<Mutex<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    own: OwnEvents,
    choices: Vec<u32>,
}

impl Unanswered {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, own: &OwnEvents, choices: Vec<u32>) {
        *self.lock() = Waiting { own: own.clone(), choices };
    }

    /// The events that end these answers with an error.
    pub(super) fn events(&self, dialect: Dialect, stop: Stop) -> String {
        let waiting = self.lock();
        let error = error_event(stop.code(), &stop.to_string()).data;
        let members = format!("\"answer\":{error}");
        let event = |choice: &u32| waiting.own.event(dialect, *choice, &members, None);
        waiting.choices.iter().map(event).collect()
    }
}
