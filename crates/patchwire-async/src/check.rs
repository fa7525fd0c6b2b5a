//! The context of a validator.

use std::borrow::Cow;
use std::sync::Arc;

use patchwire::{ValueRef, notice::OwnedNotice};
use serde_json::Value as Json;

use crate::answer::Answer;

/// The context of a validator: the answer, its attempt, and the request. Cloning copies pointers.
///
/// A [`Verdict`](crate::Verdict) can change the prompt and the settings of later attempts.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Check {
    /// The answer.
    pub answer: Answer,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The number of attempts that failed before.
    pub retry_count: u32,
    /// The largest number of retries.
    pub max_retries: u32,
    /// The prompt of this attempt, without a correction.
    pub prompt: Arc<str>,
    /// The settings of this attempt.
    pub settings: Arc<Json>,
    /// The value of [`Ask::input`](crate::Ask::input), or null.
    pub input: Arc<Json>,
    /// The value of [`Ask::meta`](crate::Ask::meta), or null.
    pub meta: Arc<Json>,
    /// The id of the response.
    pub response_id: Arc<str>,
}

impl Check {
    /// The answer's value.
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        self.answer.value()
    }

    /// The whole text of the model, with U+FFFD for bytes that are not UTF-8. Empty if the spec keeps no raw
    /// text.
    #[must_use]
    pub fn raw_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.answer.raw().unwrap_or_default())
    }

    /// The model's reasoning.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        self.answer.reasoning()
    }

    /// The records of skips, repairs and guesses.
    #[must_use]
    pub fn notices(&self) -> &[OwnedNotice] {
        self.answer.notices()
    }

    /// Whether this is the last attempt.
    #[must_use]
    pub const fn is_last_attempt(&self) -> bool {
        self.retry_count >= self.max_retries
    }
}
