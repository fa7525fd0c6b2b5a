//! The readings that compete for a JSON answer, with the cost of each and of its slips.

use std::io::{self, Write};

use patchwire::internals::{Trial, readings};
use patchwire::{Answer, Event, PatchOp};
use serde_json::json;

use crate::exit::Failure;
use crate::output;
use crate::settings::Settings;
use crate::source::Stream;
use crate::stream_result::StreamResult;
use crate::style;

const LEGEND: &str =
    "The cheapest reading is the answer, unless the streamed one costs less than 20 more.
A cost includes what makes a slip less likely, such as an odd number of quotes.";

/// Readings that are shown beside the best.
const OTHERS: usize = 4;
/// Slips that are shown of each reading.
const MOST_SLIPS: usize = 12;
/// Width of the column of costs.
const COST: usize = 6;
/// Width of the names of slips.
const NAME: usize = 22;

/// The readings of one stream.
pub(crate) struct ReadingsTable {
    readings: Vec<Trial>,
    /// The offset of the root.
    start: u64,
    /// The value before the end of the stream, and the final one. Members have no order in them.
    streamed: serde_json::Value,
    answer: serde_json::Value,
}

impl ReadingsTable {
    /// Reads a stream to its end, and its text again in every way.
    pub(crate) fn read(
        settings: &Settings,
        mut stream: Stream,
    ) -> Result<(Self, StreamResult), Failure> {
        let mut parser = settings.spec.parser();
        let mut start = None;
        let mut fed = Ok(());
        while let (Ok(()), Some(bytes)) = (fed, stream.next_chunk()?) {
            fed = parser.feed(bytes, |event| start = start.or_else(|| root_start(&event)));
        }
        let streamed = parser.value().to_value();
        let result = fed.and_then(|()| parser.finish(|_| ()));
        let answer = result.as_ref().ok();
        let again = answer.and_then(read_again);
        let raw = answer.and_then(Answer::raw).unwrap_or_default();
        let text = String::from_utf8_lossy(raw);
        let start = again.or(start).unwrap_or_else(|| first_bracket(&text));
        let from = text.get(start as usize..).unwrap_or_default();
        let table = Self {
            readings: readings(&settings.spec, from, streamed.as_ref(), OTHERS),
            start,
            streamed: json_of(&streamed.as_ref().to_string()),
            answer: answer.map(|answer| json_of(&answer.value().to_string())).unwrap_or_default(),
        };
        Ok((table, StreamResult::new(stream.name, parser, result)))
    }

    /// Writes a table for people.
    pub(crate) fn write(&self, out: &mut impl Write, width: usize) -> io::Result<()> {
        let (title, faint) = (style::TITLE, style::FAINT);
        writeln!(out, "{title}Readings of the JSON from byte {}{title:#}", self.start)?;
        writeln!(out, "{faint}{:>COST$}  value, and its slips{faint:#}", "cost")?;
        for reading in &self.readings {
            self.write_reading(out, reading, width)?;
        }
        if self.readings.is_empty() {
            writeln!(out, "{:>COST$}  no reading is allowed", "")?;
        }
        writeln!(out, "{faint}{LEGEND}{faint:#}")?;
        out.flush()
    }

    fn write_reading(&self, out: &mut impl Write, reading: &Trial, width: usize) -> io::Result<()> {
        let (done, note, faint) = (style::DONE, style::NOTE, style::FAINT);
        let value = shown_value(reading);
        let mark = self.mark(&json_of(&value));
        let room = width.saturating_sub(COST + 4 + mark.len());
        let shown = output::cut(&value, room);
        write!(out, "{:>COST$}  {shown}", reading.cost)?;
        if !mark.is_empty() {
            write!(out, "  {done}{mark}{done:#}")?;
        }
        writeln!(out)?;
        for (slip, cost, span) in reading.slips.iter().take(MOST_SLIPS) {
            let at = span.start + self.start;
            let (name, meaning) = (slip.name(), slip.meaning());
            writeln!(
                out,
                "{:>COST$}  {note}{cost:>4} {name:NAME$}{note:#} byte {at:<6} {faint}{meaning}{faint:#}",
                ""
            )?;
        }
        let more = reading.slips.len().saturating_sub(MOST_SLIPS);
        if more > 0 {
            writeln!(out, "{:>COST$}  {faint}and {more} more{faint:#}", "")?;
        }
        Ok(())
    }

    /// Writes one JSON object for each reading.
    pub(crate) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        for reading in &self.readings {
            let slips = reading.slips.iter().map(|(slip, cost, span)| {
                let span = [span.start + self.start, span.end + self.start];
                json!({"slip": slip.name(), "cost": cost, "span": span})
            });
            let value = json_of(&shown_value(reading));
            let line = json!({
                "reading": &value,
                "cost": reading.cost,
                "streamed": value == self.streamed,
                "answer": value == self.answer,
                "slips": slips.collect::<Vec<_>>(),
            });
            writeln!(out, "{line}")?;
        }
        out.flush()
    }

    fn mark(&self, value: &serde_json::Value) -> &'static str {
        match (*value == self.streamed, *value == self.answer) {
            (true, true) => "streamed, the answer",
            (true, false) => "streamed",
            (false, true) => "the answer",
            (false, false) => "",
        }
    }
}

fn json_of(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// The first root as JSON.
fn shown_value(reading: &Trial) -> String {
    reading.roots.first().cloned().unwrap_or_default()
}

/// The offset of the opener, if a root opens.
fn root_start(event: &Event<'_>) -> Option<u64> {
    match event {
        Event::Patch(patch) if patch.op == PatchOp::Open && patch.path.is_empty() => {
            patch.span.end.checked_sub(1)
        }
        _ => None,
    }
}

/// Where the payload that was read again begins.
fn read_again(answer: &Answer) -> Option<u64> {
    let again = answer.notices().iter().find(|notice| notice.code.name() == "read_again");
    again.map(|notice| notice.span.start)
}

fn first_bracket(text: &str) -> u64 {
    text.find(['{', '[']).unwrap_or(0) as u64
}
