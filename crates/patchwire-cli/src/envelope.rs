//! Everything that is known of an answer, as one JSON object.
//!
//! The object holds the fields of the `final` event without its name, and the elements. The engine
//! prints values and notices, so that a notice looks the same everywhere and a value may be of any
//! depth.

use core::fmt::{self, Display, Write as _};

use patchwire::{
    Answer, Error, ErrorKind, Format, Limit, Limits, OwnedEvent, Span, Spec, Strictness,
    answer::Element,
    event::{CloseReason, ElementId},
};
use patchwire_async::Call;
use patchwire_wire::Failure;
use serde_json::Value as Json;

use crate::body::Fault;
use crate::partial_answer::{PartialAnswer, PartialElement};
use crate::settings::Settings;
use crate::stream_result::{StreamResult, unread_arguments, visible_elements};

/// JSON text: `{}` prints it on one line, `{:#}` indents it.
pub(crate) struct Printed(String);

/// The envelope of one stream.
pub(crate) fn envelope(
    ended: &StreamResult,
    partial: &PartialAnswer,
    settings: &Settings,
) -> Printed {
    let mut object = match &ended.result {
        Ok(answer) => of_answer(answer, outcome(ended, settings), settings.format),
        Err(error) => of_error(*error, ended, partial, settings.format),
    };
    let calls = ended.all_calls();
    if ended.body().is_some() || !calls.is_empty() {
        object.list("calls", calls.iter().map(of_call));
    }
    if let Some(body) = ended.body() {
        object.field("facts", Json::Object(body.facts()));
    }
    if let Some(failure) = ended.failure() {
        object.field("error", error(&failure));
    }
    let second = ended.result.as_ref().ok().and_then(Answer::alternative);
    if let Some(second) = second {
        object.field("alternative", of_second(second, settings.format));
    }
    Printed(object.end())
}

/// The answer of the second reading.
fn of_second(answer: &Answer, format: Format) -> String {
    let mut object = of_answer(answer, answer.outcome().name(), format);
    if !answer.calls().is_empty() {
        object.list("calls", answer.calls().iter().map(|call| of_call(&call.into())));
    }
    object.end()
}

/// The outcome's name. A fault of the body counts before the outcome of its text.
fn outcome(ended: &StreamResult, settings: &Settings) -> &'static str {
    match ended.fault() {
        Some(Fault::Cut { .. }) if ended.has_value(settings) => "truncated",
        Some(_) => "failed",
        None => ended.outcome(settings).map_or("failed", |outcome| outcome.name()),
    }
}

fn error(failure: &Failure<'_>) -> String {
    let mut object = Object::default();
    object.text("code", &failure.code);
    if let Some(offset) = failure.offset {
        object.field("offset", offset);
    }
    object.text("message", &failure.message);
    object.end()
}

/// The fields of an answer. `roots` is written only if there is more than one.
fn of_answer(answer: &Answer, outcome: &str, format: Format) -> Object {
    let mut object = Object::default();
    object.text("outcome", outcome);
    object.field("value", value_of(answer, format));
    object.text("reasoning", answer.reasoning());
    object.text("text", answer.text());
    object.list("elements", answer.elements().map(|element| of_element(&element)));
    let notices = answer.notices().iter().cloned();
    object.list("notices", notices.map(|notice| unnamed(&OwnedEvent::Notice(notice).to_string())));
    if answer.notice_count() > answer.notices().len() as u64 {
        object.field("notice_count", answer.notice_count());
    }
    if !answer.failures().is_empty() {
        let failures = answer.failures().iter().filter_map(|it| serde_json::to_string(it).ok());
        object.list("failures", failures);
    }
    let roots: Vec<String> = answer.roots().map(|root| root.to_string()).collect();
    if roots.len() > 1 {
        object.list("roots", roots);
    }
    object
}

/// The value. Without one, the text, if the format is `text`.
fn value_of(answer: &Answer, format: Format) -> String {
    let value = answer.value();
    let is_text = format == Format::Text && !value.exists() && !answer.text().trim().is_empty();
    if is_text { quoted(answer.text()) } else { value.to_string() }
}

fn of_error(error: Error, ended: &StreamResult, partial: &PartialAnswer, format: Format) -> Object {
    let is_cut = error.kind == ErrorKind::UnexpectedEnd && ended.value().exists();
    let is_text = format == Format::Text && !partial.text().trim().is_empty();
    let mut object = Object::default();
    object.text("outcome", if is_cut { "truncated" } else { "failed" });
    if is_text && !ended.value().exists() {
        object.text("value", partial.text());
    } else {
        object.field("value", ended.value());
    }
    object.text("reasoning", &partial.reasoning);
    object.text("text", partial.text());
    object.list("elements", partial.elements.iter().map(of_partial));
    object.list("notices", partial.notices.iter().map(|notice| unnamed(notice)));
    if partial.notice_count > partial.notices.len() as u64 {
        object.field("notice_count", partial.notice_count);
    }
    object
}

/// A tool call, with the outcome and the notices of its arguments.
pub(crate) fn of_call(call: &Call) -> String {
    let mut object = called(call);
    let answer = call.answer();
    object.text("outcome", answer.outcome().name());
    let notices = answer.notices().iter().cloned();
    object.list("notices", notices.map(|notice| unnamed(&OwnedEvent::Notice(notice).to_string())));
    object.end()
}

/// Tool calls as a JSON list: each with its tool and its arguments.
pub(crate) fn calls(calls: &[Call]) -> Printed {
    let list: Vec<String> = calls.iter().map(|call| called(call).end()).collect();
    Printed(format!("[{}]", list.join(",")))
}

fn called(call: &Call) -> Object {
    let mut object = Object::default();
    if let Some(id) = call.id() {
        object.text("id", id);
    }
    object.text("name", call.name());
    if call.is_text() {
        object.field("arguments", "null");
    } else {
        object.field("arguments", call.arguments());
    }
    if let Some(text) = unread_arguments(call) {
        object.text("arguments_text", &text);
    }
    object
}

fn of_element(element: &Element<'_>) -> String {
    let mut object = Object::default();
    let parent = element.parent().map(|parent| parent.id());
    object.opener(element.id(), parent, element.name(), element.channel());
    object.params(element.params().iter());
    object.closer(element.reason());
    let (mut roots, text) = (element.roots(), element.text());
    match (roots.next(), roots.next()) {
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(roots);
            object.list("value", all.map(|root| root.to_string()));
        }
        (Some(value), None) => object.field("value", value),
        (None, _) => {}
    }
    if element.value().is_none_or(|value| value.as_str().is_none() && !text.trim().is_empty()) {
        object.text("text", &text);
    }
    object.span(element.span());
    object.end()
}

/// An element of a stream that stopped early. It has no close reason if it was still open.
fn of_partial(element: &PartialElement) -> String {
    let mut object = Object::default();
    object.opener(element.id, element.parent, &element.name, &element.channel);
    object.params(element.params.iter().map(|(name, value)| (&**name, &**value)));
    if let Some(reason) = element.reason {
        object.closer(reason);
    }
    object.text("text", &element.text);
    object.span(element.span);
    object.end()
}

/// The visible elements as a JSON list; `None` if there are none.
pub(crate) fn elements(answer: &Answer) -> Option<Printed> {
    let list: Vec<String> = visible_elements(answer).map(|element| of_element(&element)).collect();
    (!list.is_empty()).then(|| Printed(format!("[{}]", list.join(","))))
}

/// Removes the event's name, which comes first, from its wire form.
fn unnamed(line: &str) -> String {
    match line.split_once(',') {
        Some((name, rest)) if name.starts_with("{\"event\":") => format!("{{{rest}"),
        _ => line.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A JSON object that is being written. Member names must need no escapes.
#[derive(Default)]
struct Object(String);

impl Object {
    fn field(&mut self, name: &str, json: impl Display) {
        let before = if self.0.is_empty() { '{' } else { ',' };
        // Writing to a `String` cannot fail.
        let _ = write!(self.0, "{before}\"{name}\":{json}");
    }

    fn text(&mut self, name: &str, text: &str) {
        self.field(name, quoted(text));
    }

    fn list(&mut self, name: &str, items: impl IntoIterator<Item = String>) {
        let items: Vec<String> = items.into_iter().collect();
        self.field(name, format_args!("[{}]", items.join(",")));
    }

    fn opener(&mut self, id: ElementId, parent: Option<ElementId>, name: &str, channel: &str) {
        self.field("id", id.get());
        if let Some(parent) = parent {
            self.field("parent", parent.get());
        }
        self.text("name", name);
        self.text("channel", channel);
    }

    fn params<'a>(&mut self, params: impl Iterator<Item = (&'a str, &'a str)>) {
        let pairs = params.map(|(name, value)| format!("{}:{}", quoted(name), quoted(value)));
        let pairs: Vec<String> = pairs.collect();
        self.field("params", format_args!("{{{}}}", pairs.join(",")));
    }

    fn closer(&mut self, reason: CloseReason) {
        self.text("reason", reason.name());
        if let CloseReason::Interrupted { by } = reason {
            self.field("by", by.get());
        }
    }

    fn span(&mut self, span: Span) {
        self.field("span", format_args!("[{},{}]", span.start, span.end));
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

impl Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return f.write_str(&self.0);
        }
        match read_back(&self.0) {
            Ok(answer) => write!(f, "{:#}", answer.value()),
            // A document that exceeds the engine's limits is printed on one line.
            Err(_) => f.write_str(&self.0),
        }
    }
}

/// Parses JSON without limits, so that the engine can indent it at any depth.
fn read_back(object: &str) -> Result<Answer, Error> {
    let bounds = Limit::ALL.into_iter().filter(|limit| *limit != Limit::Notices);
    let limits = bounds.fold(Limits::default(), |limits, limit| limits.with(limit, u64::MAX));
    let spec = Spec::builder().strictness(Strictness::Strict).limits(limits).without_raw().build();
    spec.unwrap_or_else(|_| Spec::strict_json()).parse(object)
}
