//! The calls of a stream that is still running.

use crate::answer::{Answer, AnswerContent, Call, Outcome};
use crate::event::CloseReason;
use crate::parser::Parser;
use crate::parser::conclusion::Conclusion;
use crate::span::Span;
use crate::tags::{BareCalls, CallForm, TagSet};
use crate::transcript::{ElementRecord, Transcript};

impl Parser {
    /// The tool calls so far that the model wrote as text, each with its name, its id and the arguments that have
    /// arrived; after the end those of [`Answer::calls`]. A call appears once its name is known, and its arguments
    /// grow. [`Call::is_complete`] is false while it is being written. The schemas of
    /// [`SpecBuilder::tool`](crate::SpecBuilder::tool) give the arguments their types.
    ///
    /// The list is built on each call, in time proportional to the stream so far: ask for it where calls are shown,
    /// and not for each event. It changes nothing.
    ///
    /// ```
    /// use patchwire::{Spec, TagSet};
    ///
    /// let mut parser = Spec::builder().tags(TagSet::hermes_json()).build()?.parser();
    /// let mut seen = Vec::new();
    /// for chunk in ["<tool_call>{\"name\": \"we", "ather\", \"arguments\": {\"city\": \"Ro", "me\"}}</tool_call>"] {
    ///     parser.feed(chunk, |_| {})?;
    ///     seen.extend(parser.calls().iter().map(|call| format!("{} {}", call.name(), call.arguments())));
    /// }
    /// assert_eq!(seen, [r#"weather {"city":"Ro"}"#, r#"weather {"city":"Rome"}"#]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        if let Some(answer) = &self.ending.answer {
            return answer.calls().to_vec();
        }
        let settings = &self.reader.spec.0;
        match &settings.tags {
            Some(tags) if settings.keep_value && self.may_call(tags) => {
                super::collect(&self.answer_so_far(), settings, true)
            }
            _ => Vec::new(),
        }
    }

    fn may_call(&self, tags: &TagSet) -> bool {
        let is_call = |it: &ElementRecord| tags.family(it.family).call_form() != CallForm::None;
        tags.bare_calls() != BareCalls::None
            || self.reader.collected.transcript.elements.iter().any(is_call)
    }

    /// What has been emitted, as if the input ended here. Nothing that is held back is in it.
    fn answer_so_far(&self) -> Answer {
        let reader = &self.reader;
        let (collected, documents) = (&reader.collected, &reader.fold.documents);
        let conclusion = Conclusion(reader);
        let text = || conclusion.text();
        Answer::new(AnswerContent {
            failures: Vec::new(),
            elements: documents.origins.iter().map(|origin| origin.element).collect(),
            chosen: conclusion.chosen_document(),
            alternative: None,
            calls: Vec::new(),
            documents: documents.all.clone(),
            text: if collected.raw.is_some() { String::new() } else { text() },
            reasoning: String::new(),
            transcript: ended(&collected.transcript, reader.fold.outbox.last_end),
            tags: reader.spec.0.tags.clone(),
            limits: reader.spec.0.json.limits.clone(),
            raw: collected.raw.clone(),
            notices: Vec::new(),
            notice_count: 0,
            outcome: Outcome::Truncated,
        })
    }
}

/// A copy of a transcript in which the open elements end at an offset, the innermost first.
fn ended(transcript: &Transcript, end: u64) -> Transcript {
    let mut copy = transcript.clone();
    let open = transcript.elements.iter().rev().filter(|it| it.reason.is_none());
    for element in open {
        let end = end.max(element.inside.start);
        copy.close(element.id, CloseReason::EndOfInput, Span::at(end));
    }
    copy
}
