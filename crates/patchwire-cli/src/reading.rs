//! One stream through one reader, and what is to be said of it at the end.

use std::io;

use patchwire::{
    Answer, Error, ErrorKind, Event, Outcome, OwnedEvent, check::FailureKind, notice::Severity,
};
use patchwire_async::Call;
use patchwire_async::sources::Stop;
use serde_json::{Map, Value as Json};

use crate::args::{Format, Strictness};
use crate::body::{Body, Fault};
use crate::envelope;
use crate::exit::{Failure, Status};
use crate::output;
use crate::reader::Reader;
use crate::settings::Settings;
use crate::source::{Name, Stream};

/// Who is told what happens while a stream is read.
pub(crate) trait Sink {
    fn event(&mut self, event: Event<'_>) -> io::Result<()>;

    /// The same of an event on its own, as the bodies of providers give them. Who shows only what comes
    /// with the command reads no body.
    fn owned(&mut self, _event: &OwnedEvent) -> io::Result<()> {
        Ok(())
    }

    /// What a provider told beside the answer; just before the last event.
    fn facts(&mut self, _facts: &Map<String, Json>) -> io::Result<()> {
        Ok(())
    }

    /// All events of a chunk were told.
    fn chunk_done(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A stream that was read.
pub(crate) struct Ended {
    name: Name,
    reader: Reader,
    pub(crate) result: Result<Answer, Error>,
}

/// Reads a stream to its end, or to the error that ends it.
pub(crate) fn read(
    settings: &Settings,
    mut stream: Stream,
    sink: &mut impl Sink,
) -> Result<Ended, Failure> {
    let mut reader = Reader::of(settings, &mut stream);
    let mut fed = Ok(());
    while let Some(chunk) = stream.next_chunk()? {
        fed = reader.feed(chunk, sink)?;
        sink.chunk_done()?;
        if fed.is_err() || reader.is_over() {
            break;
        }
    }
    let result = match fed {
        Ok(()) => reader.finish(sink)?,
        Err(error) => Err(error),
    };
    sink.chunk_done()?;
    Ok(Ended { name: stream.name, reader, result })
}

impl Ended {
    pub(crate) fn new(
        name: Name,
        reader: impl Into<Reader>,
        result: Result<Answer, Error>,
    ) -> Self {
        Self { name, reader: reader.into(), result }
    }

    /// The value, as far as it came.
    pub(crate) fn value(&self) -> patchwire::ValueRef<'_> {
        match &self.result {
            Ok(answer) => answer.value(),
            Err(_) => self.reader.value(),
        }
    }

    /// Whether there is an answer, or before an error the beginning of one.
    pub(crate) fn has_value(&self, settings: &Settings) -> bool {
        match &self.result {
            Ok(answer) => has_value(answer, settings) || self.calls(settings).is_some(),
            Err(_) => self.reader.value().exists(),
        }
    }

    /// The tool calls, where they are the answer.
    pub(crate) fn calls(&self, settings: &Settings) -> Option<&[Call]> {
        calls_of(self.result.as_ref().ok()?, self.body()?.calls(), settings)
    }

    /// How the answer ended; none where an error or what is wrong with a body ended it.
    pub(crate) fn outcome(&self, settings: &Settings) -> Option<Outcome> {
        let answer = self.result.as_ref().ok().filter(|_| self.fault().is_none())?;
        Some(self.calls(settings).map_or_else(|| answer.outcome(), |_| Outcome::ToolCalls))
    }

    /// The body, if it was one.
    pub(crate) fn body(&self) -> Option<&Body> {
        self.reader.body()
    }

    /// What is wrong with the body.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.reader.fault()
    }

    /// Why there is no last event, for those who wait for it.
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

    /// The status of this stream; says on stderr what is wrong with it.
    pub(crate) fn settle(&self, settings: &Settings) -> Status {
        for call in self.calls(settings).into_iter().flatten() {
            if let Some(text) = envelope::unread(call) {
                let (tool, bytes) = (call.name(), text.len());
                let what = format!("the {bytes} bytes of its arguments hold no JSON");
                output::note(&format_args!("{}: the call of `{tool}`: {what}", self.name));
            }
        }
        let stop = self.body().and_then(Body::stop).filter(|_| self.fault().is_none());
        if let Some(stop) = stop.filter(|stop| Stop::is_cut(stop)) {
            output::note(&format_args!("{}: the answer is not whole: {stop}", self.name));
        }
        let Some((status, what)) = self.complaint(settings) else { return Status::Complete };
        output::error(&format_args!("{}: {what}", self.name));
        status
    }

    fn complaint(&self, settings: &Settings) -> Option<(Status, String)> {
        if let Some(fault) = self.fault() {
            let has_value = self.has_value(settings);
            let status = if has_value { Status::Failed } else { Status::NoValue };
            return Some((status, fault.to_string()));
        }
        match &self.result {
            Err(error) => Some(self.complaint_of(*error, settings)),
            Ok(answer) if !self.has_value(settings) => {
                Some((Status::NoValue, self.missing(answer, settings.format)))
            }
            Ok(answer) if settings.strictness == Strictness::Strict => {
                let flaw = flaw(answer).or_else(|| shortfall(answer));
                flaw.map(|flaw| (Status::Failed, flaw))
            }
            Ok(answer) => shortfall(answer).map(|what| (Status::Failed, what)),
        }
    }

    /// Why there is no value.
    fn missing(&self, answer: &Answer, format: Format) -> String {
        let Some(body) = self.body() else { return missing(answer, format, "") };
        if !body.calls().is_empty() {
            return format!("{ONLY_CALLS}; look at them with `final --envelope`");
        }
        if answer.raw().is_some_and(<[u8]>::is_empty) && answer.outcome() == Outcome::Empty {
            return "no value: there is no text in the answer".to_owned();
        }
        missing(answer, format, " of text")
    }

    /// Where in the answer an offset of the parser is.
    fn place(&self, offset: u64) -> String {
        let of = if self.body().is_some() { " of what the model wrote" } else { "" };
        format!("at byte {offset}{of}")
    }

    fn complaint_of(&self, Error { kind, offset }: Error, settings: &Settings) -> (Status, String) {
        if let ErrorKind::Limit(limit) = kind {
            let (most, place) = (settings.limits.get(limit), self.place(offset));
            let what = format!(
                "limit {limit} of {most} reached {place}; \
                 raise it with `--limit {limit}=N` if this input is to be read"
            );
            return (Status::Limit, what);
        }
        let has_value = self.reader.value().exists();
        let status = if has_value { Status::Failed } else { Status::NoValue };
        let place = self.place(offset);
        (status, format!("{kind} {place}; `--strictness lenient` forgives more"))
    }
}

/// The tool calls, where they are the answer: it has no value of its own, and nothing says what that
/// should be.
pub(crate) fn calls_of<'a>(
    answer: &Answer,
    calls: &'a [Call],
    settings: &Settings,
) -> Option<&'a [Call]> {
    let is_none = calls.is_empty() || has_value(answer, settings);
    (!is_none && !settings.expects).then_some(calls)
}

/// Whether there is an answer: a value, or where the format is text more than blanks.
fn has_value(answer: &Answer, settings: &Settings) -> bool {
    if settings.lists_elements && envelope::elements(answer).is_some() {
        return true;
    }
    let is_text = settings.format == Format::Text && !answer.text().trim().is_empty();
    answer.roots().next().is_some()
        || answer.value().exists()
        || is_text
        || answer.outcome() == Outcome::ToolCalls
}

/// What there is where a value was to be.
pub(crate) const ONLY_CALLS: &str = "no value: only calls of tools";

/// Most failures that are told of.
const TOLD: usize = 3;

/// What the answer falls short of, beside that there is no value.
fn shortfall(answer: &Answer) -> Option<String> {
    let failures = answer.failures().iter();
    let told: Vec<String> =
        failures.filter(|it| it.kind != FailureKind::NoValue).map(|it| it.to_string()).collect();
    let (first, more) = told.split_at(told.len().min(TOLD));
    match (first, more.len()) {
        ([], _) => None,
        (first, 0) => Some(first.join(", ")),
        (first, more) => {
            Some(format!("{}, and {more} more; `final --envelope` lists them", first.join(", ")))
        }
    }
}

/// Why there is no value, and in which bytes.
fn missing(answer: &Answer, format: Format, of: &str) -> String {
    let bytes = answer.raw().map_or(0, <[u8]>::len);
    match answer.outcome() {
        Outcome::Empty => format!("no value: nothing but blanks in {bytes} bytes{of}"),
        Outcome::NoAnswer => format!(
            "no value: only reasoning in {bytes} bytes{of}; look at it with `final --envelope`"
        ),
        Outcome::ToolCalls => format!(
            "no value: only calls of tools in {bytes} bytes{of}; look at them with `final --envelope`"
        ),
        _ => format!(
            "no value: only text in {bytes} bytes{of}{}; look at it with `final --envelope`",
            sought(format)
        ),
    }
}

/// What shows a payload, where that is easily missed.
const fn sought(format: Format) -> &'static str {
    match format {
        Format::Json | Format::Text | Format::Auto => "",
        Format::XmlField => ", with no `<field name=\"…\">` in a root tag",
        Format::Hybrid | Format::Markdown => ", with no header such as `### title`",
        Format::YamlLiteral => {
            ", with no `<<<BEGIN …>>>` of the name that `--document-name` says, and no YAML fence"
        }
    }
}

/// What strict reading does not let pass, although it could be read.
fn flaw(answer: &Answer) -> Option<String> {
    if !matches!(answer.outcome(), Outcome::Truncated | Outcome::Repaired) {
        return None;
    }
    let is_flaw = |code: patchwire::Code| code.severity() != Severity::Info;
    let notice = answer.notices().iter().find(|notice| is_flaw(notice.code));
    Some(notice.map_or_else(
        || answer.outcome().to_string(),
        |notice| {
            format!("{} at byte {}: {}", notice.code, notice.span.start, notice.code.message())
        },
    ))
}
