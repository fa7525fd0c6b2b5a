//! What a validator is told beside the answer.

use std::borrow::Cow;
use std::sync::Arc;

use patchwire::{ValueRef, notice::OwnedNotice};
use serde_json::Value as Json;

use crate::answer::Answer;

/// What a validator is told: the answer, the attempt it came with, and what was sent. Cloning copies
/// pointers.
///
/// Nothing of it can be changed: what later attempts are to have another way is said in the
/// [`Verdict`](crate::Verdict).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Check {
    /// The answer.
    pub answer: Answer,
    /// The number of the attempt, from 1.
    pub attempt_index: u32,
    /// How many attempts failed before it.
    pub retry_count: u32,
    /// How many more than one there may be.
    pub max_retries: u32,
    /// The prompt of this attempt, without a correction.
    pub prompt: Arc<str>,
    /// The settings of this attempt.
    pub settings: Arc<Json>,
    /// What [`Ask::input`](crate::Ask::input) was given; else null.
    pub input: Arc<Json>,
    /// What [`Ask::meta`](crate::Ask::meta) was given; else null.
    pub meta: Arc<Json>,
    /// The response.
    pub response_id: Arc<str>,
}

impl Check {
    /// The answer's value.
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        self.answer.value()
    }

    /// All that the model wrote, bytes that are not UTF-8 as U+FFFD; empty where the spec keeps no raw
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

    /// What was skipped, repaired or guessed.
    #[must_use]
    pub fn notices(&self) -> &[OwnedNotice] {
        self.answer.notices()
    }

    /// Whether no other attempt follows if this one fails.
    #[must_use]
    pub const fn is_last_attempt(&self) -> bool {
        self.retry_count >= self.max_retries
    }
}
