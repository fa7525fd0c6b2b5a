//! What is counted and logged of one answer: never its text, and no key.

use std::sync::Arc;
use std::time::Instant;

use patchwire::{Answer, Outcome};
use patchwire_async::{OwnedEvent, ResponseEvent};
use serde_json::Value as Json;

use crate::metrics::Metrics;

/// What the records of a request have in common.
#[derive(Debug, Clone)]
pub(crate) struct RecordSource {
    pub(crate) metrics: Arc<Metrics>,
    /// The path of the endpoint.
    pub(crate) endpoint: &'static str,
    /// When the request came.
    pub(crate) begun: Instant,
    /// Whether the answer counts: one that is read again does not.
    pub(crate) is_counted: bool,
}

/// The record of an answer that is read.
#[derive(Debug)]
pub(crate) struct StreamRecord {
    of: RecordSource,
    has_patch: bool,
    has_ended: bool,
    notices: u64,
    /// Tokens of the request and of the answer.
    tokens: [Option<u64>; 2],
}

/// The names of the members with tokens, of the request and of the answer, and of the label.
const TOKENS: [(&str, [&str; 3]); 2] = [
    ("input", ["prompt_tokens", "input_tokens", "prompt_eval_count"]),
    ("output", ["completion_tokens", "output_tokens", "eval_count"]),
];

impl StreamRecord {
    pub(crate) const fn new(of: RecordSource) -> Self {
        Self { of, has_patch: false, has_ended: false, notices: 0, tokens: [None; 2] }
    }

    pub(crate) fn event(&mut self, event: &ResponseEvent) {
        if !self.of.is_counted {
            return;
        }
        match event {
            ResponseEvent::Parsed(OwnedEvent::Patch(_)) if !self.has_patch => {
                self.has_patch = true;
                self.of.metrics.first_patch(self.of.begun.elapsed());
            }
            ResponseEvent::Retrying { rejection, .. } => {
                self.of.metrics.retry(rejection.cause.name());
                tracing::info!(
                    endpoint = self.of.endpoint,
                    cause = rejection.cause.name(),
                    "the model is asked again"
                );
            }
            _ => {}
        }
    }

    /// The answer ended well.
    pub(crate) fn answer(&mut self, answer: &Answer, outcome: Outcome) {
        if self.of.is_counted {
            for notice in answer.notices() {
                self.of.metrics.notice(notice.code.name());
                self.notices += 1;
            }
        }
        self.ended(outcome.name());
    }

    /// Notes what the provider says about usage. The last numbers count.
    pub(crate) fn usage(&mut self, usage: &Json) {
        for (at, (_, names)) in TOKENS.iter().enumerate() {
            let count = names.iter().find_map(|name| usage.get(name)?.as_u64());
            self.tokens[at] = count.or(self.tokens[at]);
        }
    }

    /// Adds what the provider says about the usage of one attempt.
    pub(crate) fn more_usage(&mut self, usage: &Json) {
        let before = core::mem::take(&mut self.tokens);
        self.usage(usage);
        for (tokens, before) in self.tokens.iter_mut().zip(before) {
            *tokens = match (*tokens, before) {
                (Some(more), Some(before)) => Some(before.saturating_add(more)),
                (more, before) => more.or(before),
            };
        }
    }

    /// The answer ended in an error.
    pub(crate) fn failed(&mut self, code: &'static str) {
        if self.of.is_counted && code.starts_with("upstream_") && !self.has_ended {
            self.of.metrics.upstream_error(code);
        }
        self.ended(code);
    }

    fn ended(&mut self, outcome: &'static str) {
        if core::mem::replace(&mut self.has_ended, true) || !self.of.is_counted {
            return;
        }
        let time = self.of.begun.elapsed();
        self.of.metrics.outcome(outcome, time);
        for ((kind, _), count) in TOKENS.iter().zip(self.tokens) {
            self.of.metrics.tokens(kind, count.unwrap_or(0));
        }
        let [input, output] = self.tokens;
        tracing::info!(
            endpoint = self.of.endpoint,
            outcome,
            notices = self.notices,
            seconds = time.as_secs_f64(),
            gen_ai.operation.name = "chat",
            gen_ai.usage.input_tokens = input,
            gen_ai.usage.output_tokens = output,
            "an answer ended"
        );
    }
}

/// A client that leaves takes its answer with it.
impl Drop for StreamRecord {
    fn drop(&mut self) {
        self.ended("left");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_read_again_is_not_counted() {
        for is_counted in [true, false] {
            let metrics = Arc::<Metrics>::default();
            let (begun, endpoint) = (Instant::now(), "/v1/fields");
            let of = RecordSource { metrics: Arc::clone(&metrics), endpoint, begun, is_counted };
            drop(StreamRecord::new(of));
            let answers = "patchwire_answers_total{outcome=\"left\"} 1\n";
            assert_eq!(metrics.print().contains(answers), is_counted);
            let ended = format!("duration_seconds_count {}\n", u8::from(is_counted));
            assert!(metrics.print().contains(&ended), "{ended}");
        }
    }
}
