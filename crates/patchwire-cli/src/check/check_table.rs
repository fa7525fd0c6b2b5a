//! The table that `check` prints: one row for each stream, and the first difference.

use std::io::{self, Write};

use anstyle::Style;
use patchwire::Error;
use patchwire_async::sources::Protocol;

use super::compare::Difference;
use super::cut_plan::{CutPlan, Cutting};
use super::event_log::{EventLog, LogEntry};
use crate::source::Name;
use crate::text::printable;
use crate::{output, style};

/// Width of the name column. Longer names lose their beginning.
const NAME: usize = 30;
/// How much of an event is shown, in characters, and how much of that before the difference.
const SHOWN: usize = 66;
const BEFORE: usize = 20;
/// Bytes of the input that are shown on each side of a cut.
const AROUND: usize = 24;

/// A stream that is checked.
#[derive(Clone, Copy)]
pub(crate) struct CheckedStream<'a> {
    pub(crate) name: &'a Name,
    pub(crate) protocol: Option<Protocol>,
    pub(crate) bytes: &'a [u8],
    pub(crate) plan: &'a CutPlan,
}

pub(crate) struct CheckTable<W> {
    out: W,
    streams: usize,
    bytes: usize,
    cuttings: usize,
}

impl<W: Write> CheckTable<W> {
    pub(crate) fn begin(mut out: W) -> io::Result<Self> {
        let (name, title) = (NAME, style::TITLE);
        writeln!(
            out,
            "{title}{:name$} {:>9}  {:>13}  {:>6}  {:9}  result{title:#}",
            "stream", "bytes", "cuts in two", "random", "outcome"
        )?;
        Ok(Self { out, streams: 0, bytes: 0, cuttings: 0 })
    }

    /// Prints the row of a stream without a difference.
    pub(crate) fn same(&mut self, case: &CheckedStream<'_>, log: &EventLog) -> io::Result<()> {
        self.streams += 1;
        self.bytes += case.bytes.len();
        self.cuttings += case.plan.cuttings().count();
        self.row(case, outcome(log), "same", style::DONE)?;
        match why(log) {
            Some(why) => writeln!(self.out, "  {}", printable(&why)),
            None => Ok(()),
        }
    }

    /// Prints the row of the first stream with a difference, and the difference.
    pub(crate) fn differs(
        &mut self,
        case: &CheckedStream<'_>,
        difference: &Difference,
    ) -> io::Result<()> {
        self.row(case, "", "DIFFERS", style::ERROR)?;
        let CheckedStream { name, protocol, bytes, .. } = *case;
        let Difference { cutting, cuts, whole, cut } = difference;
        writeln!(self.out, "\n{name}, {}:", describe(cutting))?;
        if let Cutting::InTwo(at) = cutting {
            writeln!(self.out, "  at     {}", around(bytes, *at))?;
        } else {
            let shown: Vec<String> = cuts.iter().take(12).map(ToString::to_string).collect();
            let more = if cuts.len() > shown.len() { ", …" } else { "" };
            writeln!(self.out, "  cuts   {}{more}", shown.join(", "))?;
        }
        let (whole, cut) = excerpts(whole.as_ref(), cut.as_ref());
        writeln!(self.out, "  whole  {whole}\n  cut    {cut}")?;
        writeln!(self.out, "  again  {}", command(name, protocol, cutting))
    }

    /// Prints the line below the table.
    pub(crate) fn end(mut self) -> io::Result<()> {
        let Self { streams, bytes, cuttings, .. } = self;
        let is = |number: usize| if number == 1 { "" } else { "s" };
        writeln!(
            self.out,
            "{streams} stream{}, {bytes} byte{}, {cuttings} cutting{}, byte by byte among them: no difference",
            is(streams),
            is(bytes),
            is(cuttings)
        )
    }

    fn row(
        &mut self,
        case: &CheckedStream<'_>,
        outcome: &str,
        result: &str,
        style: Style,
    ) -> io::Result<()> {
        let CheckedStream { name, bytes, plan, .. } = *case;
        let in_two = match plan.in_two() {
            (tried, all) if tried == all => format!("all {all}"),
            (tried, all) => format!("{tried} of {all}"),
        };
        let (name, len, width) = (output::shorten(&name.to_string(), NAME), bytes.len(), NAME);
        let random = plan.random();
        write!(self.out, "{name:width$} {len:>9}  {in_two:>13}  {random:>6}  {outcome:9}  ")?;
        writeln!(self.out, "{style}{result}{style:#}")?;
        self.out.flush()
    }
}

/// How the whole stream ended.
fn outcome(log: &EventLog) -> &str {
    let end = log.0.iter().rev().find_map(|step| match step {
        LogEntry::Event(event) => event.as_final().map(|answer| answer.outcome().name()),
        LogEntry::Stopped(_) => Some("stopped"),
        LogEntry::Broken(_) => Some("broken"),
        _ => None,
    });
    end.unwrap_or("")
}

/// Why the whole stream did not end as an answer does.
fn why(log: &EventLog) -> Option<String> {
    log.0.iter().rev().find_map(|step| match step {
        LogEntry::Broken(fault) => Some(fault.to_string()),
        LogEntry::Stopped(Error { kind, offset }) => Some(format!("{kind} at byte {offset}")),
        _ => None,
    })
}

fn describe(cutting: &Cutting) -> String {
    match cutting {
        Cutting::InTwo(at) => format!("cut in two after byte {at}"),
        Cutting::Bytes => "cut into single bytes".to_owned(),
        Cutting::Recorded => "cut as it was recorded".to_owned(),
        Cutting::Random(seed) => format!("cut at random with seed {seed}"),
    }
}

/// The command that repeats the cutting.
fn command(name: &Name, protocol: Option<Protocol>, cutting: &Cutting) -> String {
    let Name { file, line } = name;
    let input = protocol.map_or_else(String::new, |protocol| format!(" --input {protocol}"));
    let parse = match line {
        Some(line) => format!("sed -n {line}p {file} | patchwire parse --input recording"),
        None => format!("patchwire parse {file}{input}"),
    };
    match (cutting, line) {
        (Cutting::InTwo(at), None) => {
            let next = at + 1;
            format!(
                "(head -c {at} {file}; sleep 1; tail -c +{next} {file}) | patchwire parse{input}"
            )
        }
        // No option cuts in two, so this cuts at `at` and then again every `at` bytes.
        (Cutting::InTwo(at), Some(_)) => format!("{parse} --chunk-bytes {at}"),
        (Cutting::Bytes, _) => format!("{parse} --chunk-bytes 1"),
        (Cutting::Recorded, _) => parse,
        (Cutting::Random(seed), _) => format!("{parse} --chunk-seed {seed}"),
    }
}

/// The input on both sides of a cut.
fn around(bytes: &[u8], at: usize) -> String {
    let (before, after) = bytes.split_at(at);
    let before = &before[before.len().saturating_sub(AROUND)..];
    let after = &after[..after.len().min(AROUND)];
    format!("{} ┃ {}", before.escape_ascii(), after.escape_ascii())
}

/// Excerpts of two events, from just before they differ.
fn excerpts(whole: Option<&LogEntry>, cut: Option<&LogEntry>) -> (String, String) {
    let print = |step: Option<&LogEntry>| {
        step.map_or_else(|| "(nothing more)".to_owned(), LogEntry::to_string)
    };
    let (whole, cut) = (print(whole), print(cut));
    let same = whole.chars().zip(cut.chars()).take_while(|(one, other)| one == other).count();
    let start = if same < SHOWN - BEFORE { 0 } else { same - BEFORE };
    let excerpt = |text: String| {
        let part: String = text.chars().skip(start).take(SHOWN).collect();
        let before = if start > 0 { "…" } else { "" };
        let after = if text.chars().count() > start + SHOWN { "…" } else { "" };
        format!("{before}{part}{after}")
    };
    (excerpt(whole), excerpt(cut))
}

#[cfg(test)]
mod tests {
    use patchwire::Span;

    use super::super::event_log::GrownText;
    use super::*;

    fn grown(text: &str) -> LogEntry {
        let span = Span::new(0, text.len() as u64);
        LogEntry::Grown {
            field: GrownText::Reasoning { element: None },
            text: text.to_owned(),
            span,
        }
    }

    fn print(name: &Name, protocol: Option<Protocol>, difference: &Difference) -> String {
        let mut out = Vec::new();
        let bytes = b"first, and second";
        let plan = CutPlan::new(bytes.len(), Vec::new(), Some(2), 0);
        let mut table = CheckTable::begin(anstream::StripStream::new(&mut out)).expect("memory");
        table
            .differs(&CheckedStream { name, protocol, bytes, plan: &plan }, difference)
            .expect("memory");
        String::from_utf8(out).expect("the table is UTF-8")
    }

    #[test]
    fn a_difference_is_shown_with_its_cut() {
        let name = Name { file: "a.txt".to_owned(), line: None };
        let long = "x".repeat(100);
        let difference = Difference {
            cutting: Cutting::InTwo(6),
            cuts: vec![6],
            whole: Some(grown(&format!("{long} and"))),
            cut: Some(grown(&format!("{long}and"))),
        };
        let expected = "
a.txt, cut in two after byte 6:
  at     first, ┃  and second
  whole  …xxxxxxxxxxxxxxxxxxxx and\", bytes 0..104
  cut    …xxxxxxxxxxxxxxxxxxxxand\", bytes 0..103
  again  (head -c 6 a.txt; sleep 1; tail -c +7 a.txt) | patchwire parse
";
        let out = print(&name, None, &difference);
        assert!(out.contains(" DIFFERS\n") && out.ends_with(expected), "{out}");
    }

    #[test]
    fn of_a_body_the_protocol_is_said_again() {
        let name = Name { file: "a.sse".to_owned(), line: None };
        let (cut, whole) = (None, Some(grown("a")));
        let difference = Difference { cutting: Cutting::InTwo(6), cuts: vec![6], whole, cut };
        let out = print(&name, Some(Protocol::Anthropic), &difference);
        let again =
            "(head -c 6 a.sse; sleep 1; tail -c +7 a.sse) | patchwire parse --input anthropic";
        assert!(out.ends_with(&format!("again  {again}\n")), "{out}");
    }

    #[test]
    fn of_a_recording_the_line_is_named() {
        let name = Name { file: "r.ndjson".to_owned(), line: Some(12) };
        let cutting = Cutting::Random(5);
        let cuts = vec![3, 9];
        let out =
            print(&name, None, &Difference { cutting, cuts, whole: Some(grown("a")), cut: None });
        let expected = "
r.ndjson:12, cut at random with seed 5:
  cuts   3, 9
  whole  reasoning += \"a\", bytes 0..1
  cut    (nothing more)
  again  sed -n 12p r.ndjson | patchwire parse --input recording --chunk-seed 5
";
        assert!(out.ends_with(expected), "{out}");
    }
}
