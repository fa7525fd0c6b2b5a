//! The readings that compete for a JSON answer, with the cost of each and of its slips.

use std::io::{self, Write};

use patchwire::internals::{Trial, readings};
use patchwire::{Code, Event};
use serde_json::json;

use super::searched_text::SearchedText;
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

/// Whether a notice comes right before the patches that make another value of the streamed one.
const fn is_replacement(code: Code) -> bool {
    use Code::{BetterCandidate, ContinuedRoot, FormatFallback, ReadAgain};
    matches!(code, ReadAgain | BetterCandidate | ContinuedRoot | FormatFallback)
}

/// The readings of one stream.
pub(crate) struct ReadingsTable {
    readings: Vec<Trial>,
    /// The offset of the first byte.
    start: u64,
    /// The value before corrections, and the final one. Members have no order in them.
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
        let (mut searched, mut raw) = (SearchedText::default(), Vec::new());
        let mut fed = Ok(());
        while let (Ok(()), Some(bytes)) = (fed, stream.next_chunk()?) {
            raw.extend_from_slice(bytes.as_ref());
            fed = parser.feed(bytes, |event| searched.take(&event, &raw));
        }
        let mut before = None;
        let ended = fed.and_then(|()| {
            while let Some(event) = parser.next_final_event()? {
                let replaces = matches!(event, Event::Notice(it) if is_replacement(it.code));
                if replaces && before.is_none() {
                    before = Some(parser.snapshot());
                }
            }
            Ok(())
        });
        let before = before.unwrap_or_else(|| parser.snapshot());
        let result = ended.and_then(|()| parser.finish(|_| ()));
        let answer = result.as_ref().ok();
        if let Some(answer) = answer {
            searched.correct(answer);
        }
        let streamed = searched.value_in(before.as_ref());
        let text = String::from_utf8_lossy(&raw);
        let range = searched.range(&text);
        let table = Self {
            start: range.start as u64,
            readings: readings(
                &settings.spec,
                text.get(range).unwrap_or_default(),
                streamed,
                OTHERS,
            ),
            streamed: json_of(&streamed.to_string()),
            answer: answer
                .map(|answer| searched.value_in(answer.value()))
                .map(|value| json_of(&value.to_string()))
                .unwrap_or_default(),
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
