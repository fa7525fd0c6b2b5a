//! How a stream ended, and the lines that say so.

use patchwire::{Error, Outcome};
use serde_json::{Map, Value as Json};

use super::Model;
use super::item::{ItemBody, ItemRole, ItemState};

/// How a stream ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StreamEnd {
    Answer(Outcome),
    /// The parser stopped with an error.
    Error(Error),
    /// The source broke off.
    Source,
    /// A model was asked and gave no answer.
    NoAnswer(NoAnswerCause, String),
}

/// Why a model gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoAnswerCause {
    /// The model refused.
    Refused,
    /// There was no response, or an error.
    Failed,
    /// The connection ended too early.
    Cut,
    /// No attempt was accepted.
    #[cfg_attr(
        not(feature = "chat"),
        expect(dead_code, reason = "only a response that asks again is rejected")
    )]
    Rejected,
}

impl NoAnswerCause {
    /// One or two words for the screen.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Cut => "cut off",
            Self::Rejected => "rejected",
        }
    }
}

impl Model {
    /// Adds text in which the model refuses to answer.
    pub(crate) fn refusal(&mut self, delta: &str) {
        self.grow(None, &ItemRole::Refusal, "refusal", delta);
    }

    /// Takes all facts so far, and the reason of a refusal among them.
    pub(crate) fn learn(&mut self, facts: &Map<String, Json>) {
        for (name, value) in facts {
            self.facts.add(name, value);
        }
        if let Some(why) = facts.get("refusal").and_then(Json::as_str) {
            let is_refusal = |id: &&_| self.item(**id).role == ItemRole::Refusal;
            let emitted = self.top.iter().find(is_refusal).and_then(|id| self.item(*id).text());
            let more = why.get(emitted.map_or(0, str::len)..).unwrap_or_default().to_owned();
            self.refusal(&more);
        }
    }

    /// Ends the stream.
    pub(crate) fn over(&mut self, end: StreamEnd) {
        self.close_texts();
        self.close_calls();
        if let StreamEnd::NoAnswer(cause, why) = &end {
            let is_emitted = |id: &_| self.item(*id).role == ItemRole::Refusal;
            if *cause != NoAnswerCause::Refused || !self.top.iter().any(is_emitted) {
                self.end_line(cause.words(), why, ItemState::Failed);
            }
        }
        self.end = Some(end);
        self.counters.close();
    }

    /// Adds a line: there is an answer, but the model stopped for an unusual reason.
    pub(crate) fn stopped(&mut self, why: &str) {
        self.end_line("stopped", why, ItemState::Cut);
    }

    /// Adds a line below all others.
    fn end_line(&mut self, name: &str, why: &str, state: ItemState) {
        let line = self.items.add(ItemRole::End, name, None);
        let item = self.items.get_mut(line);
        item.body = ItemBody::Text(why.to_owned());
        self.items.settle(line, state);
        self.top.push(line);
        self.last = Some(line);
    }
}
