//! All that is known of an answer, as one JSON object.
//!
//! It is the `final` event without its name. It is put together from the printed events, so that a
//! notice looks the same in all places and no depth of the value is too deep.

use core::fmt::{self, Display};
use std::io;

use patchwire::{Answer, Error, ErrorKind, Event, Limit, Limits, Spec, Strictness, Values};

use crate::reading::{Ended, Sink};

/// What was told of an answer before it was known how the stream ends.
#[derive(Default)]
pub(crate) struct Heard {
    text: String,
    reasoning: String,
    notices: Vec<String>,
}

impl Sink for Heard {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Text(text) => self.text.push_str(&text.delta),
            Event::Reasoning(reasoning) => self.reasoning.push_str(&reasoning.delta),
            Event::Notice(_) => self.notices.push(object_of(&event.wire(Values::Leaf))),
            _ => {}
        }
        Ok(())
    }
}

/// Prints on one line; with `{:#}` indented.
pub(crate) struct Envelope(String);

impl Envelope {
    pub(crate) fn new(ended: &Ended, heard: &Heard) -> Self {
        Self(match &ended.result {
            Ok(answer) => of_answer(answer),
            Err(error) => of_error(*error, ended, heard),
        })
    }
}

/// With `roots` where there is more than the one value.
fn of_answer(answer: &Answer) -> String {
    let mut object = object_of(&Event::Final(answer).wire(Values::Leaf));
    let roots: Vec<String> = answer.roots().map(|root| root.to_string()).collect();
    if roots.len() > 1 {
        object.pop();
        object.push_str(&format!(",\"roots\":[{}]}}", roots.join(",")));
    }
    object
}

fn of_error(error: Error, ended: &Ended, heard: &Heard) -> String {
    let is_cut = error.kind == ErrorKind::UnexpectedEnd && ended.value().exists();
    format!(
        r#"{{"outcome":"{}","value":{},"reasoning":{},"text":{},"notices":[{}],"error":{}}}"#,
        if is_cut { "truncated" } else { "failed" },
        ended.value(),
        serde_json::Value::from(heard.reasoning.as_str()),
        serde_json::Value::from(heard.text.as_str()),
        heard.notices.join(","),
        object_of(&error.wire()),
    )
}

/// An event's fields without its name, which comes first.
fn object_of(event: &impl Display) -> String {
    let line = event.to_string();
    match line.split_once(',') {
        Some((name, rest)) if name.starts_with("{\"event\":") => format!("{{{rest}"),
        _ => line,
    }
}

impl Display for Envelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return f.write_str(&self.0);
        }
        match read_back(&self.0) {
            Ok(answer) => write!(f, "{:#}", answer.value()),
            // Larger than a document can be: better on one line than not at all.
            Err(_) => f.write_str(&self.0),
        }
    }
}

/// The envelope is JSON: the engine indents it, whatever its depth.
fn read_back(object: &str) -> Result<Answer, Error> {
    let bounds = Limit::ALL.into_iter().filter(|limit| *limit != Limit::Notices);
    let limits = bounds.fold(Limits::default(), |limits, limit| limits.with(limit, u64::MAX));
    let spec = Spec::builder().strictness(Strictness::Strict).limits(limits).without_raw().build();
    spec.unwrap_or_else(|_| Spec::strict_json()).parse(object)
}
