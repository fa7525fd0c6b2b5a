//! What one stream came to: its answer or error, its value, and its tool calls.

use patchwire::answer::Element;
use patchwire::{Answer, Error, Format, Outcome, ValueRef};
use patchwire_async::{Call, sources::Stop};
use std::borrow::Cow;

use crate::body::{Body, Fault};
use crate::settings::Settings;
use crate::source::Name;
use crate::stream_reader::StreamReader;

/// The result of reading one stream.
pub(crate) struct StreamResult {
    pub(crate) name: Name,
    reader: StreamReader,
    /// The parser's answer, or the error that stopped it.
    pub(crate) result: Result<Answer, Error>,
}

impl StreamResult {
    pub(crate) fn new(
        name: Name,
        reader: impl Into<StreamReader>,
        result: Result<Answer, Error>,
    ) -> Self {
        Self { name, reader: reader.into(), result }
    }

    /// Puts the answer of the second reading in place of the answer, if there is one.
    pub(crate) fn take_alternative(&mut self) {
        if let Ok(answer) = &mut self.result
            && let Some(second) = answer.alternative().cloned()
        {
            *answer = second;
        }
    }

    /// The final value, or after an error the value that was read before it.
    pub(crate) fn value(&self) -> ValueRef<'_> {
        match &self.result {
            Ok(answer) => answer.value(),
            Err(_) => self.reader.value(),
        }
    }

    /// Whether there is an answer, or the beginning of one before an error.
    pub(crate) fn has_value(&self, settings: &Settings) -> bool {
        match &self.result {
            Ok(answer) => has_value(answer, settings) || self.calls(settings).is_some(),
            Err(_) => self.reader.value().exists(),
        }
    }

    /// All tool calls: those of a response body, and those that the model wrote as text. If an error stopped the
    /// stream, those that came before it.
    pub(crate) fn all_calls(&self) -> Cow<'_, [Call]> {
        match (self.body(), &self.result) {
            // The answer may be that of the second reading.
            (None, Ok(answer)) => answer.calls().iter().map(Call::from).collect(),
            _ => Cow::Owned(self.reader.calls()),
        }
    }

    /// The tool calls, if they are the answer.
    pub(crate) fn calls(&self, settings: &Settings) -> Option<Cow<'_, [Call]>> {
        calls_of(self.result.as_ref().ok()?, self.all_calls(), settings)
    }

    /// How the answer ended; `None` if an error or a fault of the body ended it.
    pub(crate) fn outcome(&self, settings: &Settings) -> Option<Outcome> {
        let answer = self.result.as_ref().ok().filter(|_| self.fault().is_none())?;
        Some(self.calls(settings).map_or_else(|| answer.outcome(), |_| Outcome::ToolCalls))
    }

    /// The response body, if the stream was one.
    pub(crate) fn body(&self) -> Option<&Body> {
        self.reader.body()
    }

    /// What is wrong with the response body.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.reader.fault()
    }

    /// Why the model stopped before the end of its answer, if the response body says so.
    pub(crate) fn cut_by(&self) -> Option<&Stop> {
        let stop = self.body().and_then(Body::stop).filter(|_| self.fault().is_none());
        stop.filter(|stop| stop.is_cut())
    }

    /// Why the stream has no `final` event, for protocols that report a failure instead.
    pub(crate) fn failure(&self) -> Option<patchwire_wire::Failure<'static>> {
        match (self.fault(), &self.result) {
            (Some(fault), _) => {
                let mut failure = patchwire_wire::Failure::new(fault.code(), fault.to_string());
                failure.offset = fault.offset();
                Some(failure)
            }
            (None, result) => result.as_ref().err().map(|error| (*error).into()),
        }
    }
}

/// The tool calls, if they are the answer: the text holds no payload, and neither a schema nor a required
/// path asks for one. Text beside the calls is no answer.
pub(crate) fn calls_of<'a>(
    answer: &Answer,
    calls: Cow<'a, [Call]>,
    settings: &Settings,
) -> Option<Cow<'a, [Call]>> {
    let is_payload = answer.value().exists() && settings.format != Format::Text;
    let has_answer = answer.outcome() != Outcome::ToolCalls && is_payload;
    let lists_elements = settings.lists_elements && visible_elements(answer).next().is_some();
    let is_none = calls.is_empty() || has_answer || lists_elements;
    (!is_none && !settings.has_expectations).then_some(calls)
}

/// The text of a call's arguments, if no value could be read from it or its tool takes text.
pub(crate) fn unread_arguments(call: &Call) -> Option<Cow<'_, str>> {
    let raw = call.answer().raw().filter(|raw| !raw.trim_ascii().is_empty())?;
    (call.is_text() || !call.arguments().exists()).then(|| String::from_utf8_lossy(raw))
}

/// The elements that are not reasoning, in order.
pub(crate) fn visible_elements(answer: &Answer) -> impl Iterator<Item = Element<'_>> {
    answer.elements().filter(|element| element.channel() != "reasoning")
}

/// Whether an answer holds a value. For the format `text`, any text but whitespace is one.
fn has_value(answer: &Answer, settings: &Settings) -> bool {
    if settings.lists_elements && visible_elements(answer).next().is_some() {
        return true;
    }
    let is_text = settings.format == Format::Text && !answer.text().trim().is_empty();
    answer.roots().next().is_some() || answer.value().exists() || is_text
}
