//! One stream through one parser, and what is to be said of it at the end.

use std::io;
use std::ops::ControlFlow;

use patchwire::{Answer, Error, ErrorKind, Event, FailureKind, Outcome, Parser, Severity};

use crate::args::{Format, Strictness};
use crate::envelope;
use crate::exit::{Failure, Status};
use crate::output;
use crate::settings::Settings;
use crate::source::{Name, Stream};

/// Who is told what happens while a stream is read.
pub(crate) trait Sink {
    fn event(&mut self, event: Event<'_>) -> io::Result<()>;

    /// All events of a chunk were told.
    fn chunk_done(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A stream that was read.
pub(crate) struct Ended {
    name: Name,
    parser: Parser,
    pub(crate) result: Result<Answer, Error>,
}

/// Reads a stream to its end, or to the error that ends it.
pub(crate) fn read(
    settings: &Settings,
    mut stream: Stream,
    sink: &mut impl Sink,
) -> Result<Ended, Failure> {
    let mut parser = settings.spec.parser();
    let mut written = Ok(());
    let mut fed = Ok(());
    while let Some(chunk) = stream.next_chunk()? {
        fed = parser.feed(chunk, |event| tell(sink, event, &mut written));
        core::mem::replace(&mut written, Ok(()))?;
        sink.chunk_done()?;
        if fed.is_err() {
            break;
        }
    }
    let result = match fed {
        Ok(()) => parser.finish(|event| tell(sink, event, &mut written)),
        Err(error) => Err(error),
    };
    written?;
    sink.chunk_done()?;
    Ok(Ended { name: stream.name, parser, result })
}

fn tell(sink: &mut impl Sink, event: Event<'_>, written: &mut io::Result<()>) -> ControlFlow<()> {
    *written = sink.event(event);
    if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

impl Ended {
    pub(crate) const fn new(name: Name, parser: Parser, result: Result<Answer, Error>) -> Self {
        Self { name, parser, result }
    }

    /// The value, as far as it came.
    pub(crate) fn value(&self) -> patchwire::ValueRef<'_> {
        match &self.result {
            Ok(answer) => answer.value(),
            Err(_) => self.parser.value(),
        }
    }

    /// Whether there is an answer, or before an error the beginning of one.
    pub(crate) fn has_value(&self, settings: &Settings) -> bool {
        match &self.result {
            Ok(answer) => has_value(answer, settings),
            Err(_) => self.parser.value().exists(),
        }
    }

    /// The status of this stream; says on stderr what is wrong with it.
    pub(crate) fn settle(&self, settings: &Settings) -> Status {
        let Some((status, what)) = self.complaint(settings) else { return Status::Complete };
        output::error(&format_args!("{}: {what}", self.name));
        status
    }

    fn complaint(&self, settings: &Settings) -> Option<(Status, String)> {
        match &self.result {
            Err(error) => Some(self.complaint_of(*error, settings)),
            Ok(answer) if !has_value(answer, settings) => {
                Some((Status::NoValue, missing(answer, settings.format)))
            }
            Ok(answer) if settings.strictness == Strictness::Strict => {
                let flaw = flaw(answer).or_else(|| shortfall(answer));
                flaw.map(|flaw| (Status::Failed, flaw))
            }
            Ok(answer) => shortfall(answer).map(|what| (Status::Failed, what)),
        }
    }

    fn complaint_of(&self, Error { kind, offset }: Error, settings: &Settings) -> (Status, String) {
        if let ErrorKind::Limit(limit) = kind {
            let most = settings.limits.get(limit);
            let what = format!(
                "limit {limit} of {most} reached at byte {offset}; \
                 raise it with `--limit {limit}=N` if this input is to be read"
            );
            return (Status::Limit, what);
        }
        let has_value = self.parser.value().exists();
        let status = if has_value { Status::Failed } else { Status::NoValue };
        (status, format!("{kind} at byte {offset}; `--strictness lenient` forgives more"))
    }
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

/// Why there is no value.
fn missing(answer: &Answer, format: Format) -> String {
    let bytes = answer.raw().map_or(0, <[u8]>::len);
    match answer.outcome() {
        Outcome::Empty => format!("no value: nothing but blanks in {bytes} bytes"),
        Outcome::NoAnswer => {
            format!("no value: only reasoning in {bytes} bytes; look at it with `final --envelope`")
        }
        Outcome::ToolCalls => {
            format!(
                "no value: only calls of tools in {bytes} bytes; look at them with `final --envelope`"
            )
        }
        _ => format!(
            "no value: only text in {bytes} bytes{}; look at it with `final --envelope`",
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
