//! Whether the cuts of a text make a difference.

use patchwire::event::Event;
use patchwire::wire::{IncludeValues, LineWriter};
use patchwire::{PatchOp, Spec};
use pyo3::prelude::*;

use crate::answer::pickled::{Reduced, reduced};
use crate::parser::{feed, finish};

/// How many bytes the cuts in two may read. A text of up to 4,096 bytes is cut in every place.
const MOST_BYTES: usize = 16 << 20;
/// The least number of places where a longer text is cut.
const LEAST: usize = 4;

/// The result of `check`.
#[pyclass(frozen, get_all, eq, module = "patchwire")]
#[derive(PartialEq)]
pub(crate) struct Report {
    /// Whether all cuttings gave the same events and the same answer.
    ok: bool,
    /// How many cuttings were tried.
    cuttings: usize,
    /// Where the text was cut when the first difference was found; empty if there is none.
    cuts: Vec<usize>,
    /// The first event of the whole text that a cutting does not have.
    whole: Option<String>,
    /// The event of the cutting in its place.
    cut: Option<String>,
    /// How the answer ended.
    outcome: String,
}

#[pymethods]
impl Report {
    fn __bool__(&self) -> bool {
        self.ok
    }

    fn __repr__(&self) -> String {
        let result = if self.ok { "the same" } else { "a difference, which is a bug in patchwire" };
        format!("<Report {} {} cuttings: {result}>", self.outcome, self.cuttings)
    }

    const fn __hash__(&self) -> usize {
        self.cuttings
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Self { ok, cuttings, cuts, whole, cut, outcome } = self;
        reduced(py, "_report", ((*ok, *cuttings, outcome), cuts, whole.as_ref(), cut.as_ref()))
    }
}

/// A report from what was pickled.
#[pyfunction]
#[pyo3(name = "_report")]
pub(crate) fn unpickled(
    result: (bool, usize, String),
    cuts: Vec<usize>,
    whole: Option<String>,
    cut: Option<String>,
) -> Report {
    let (ok, cuttings, outcome) = result;
    Report { ok, cuttings, cuts, whole, cut, outcome }
}

/// Reads the text whole, byte by byte, and cut in two in every place, or in evenly spread places of a long text.
pub(crate) fn run(spec: &Spec, bytes: &[u8]) -> Report {
    let (whole, outcome) = read(spec, bytes, &[]);
    let mut report =
        Report { ok: true, cuttings: 0, cuts: Vec::new(), whole: None, cut: None, outcome };
    for cuts in cuttings(bytes.len()) {
        report.cuttings += 1;
        let (log, _) = read(spec, bytes, &cuts);
        if log != whole {
            let same = whole.iter().zip(&log).take_while(|(whole, cut)| whole == cut).count();
            let printed = |log: &[Entry]| log.get(same).map(Entry::print);
            (report.ok, report.cuts) = (false, cuts);
            (report.whole, report.cut) = (printed(&whole), printed(&log));
            break;
        }
    }
    report
}

fn cuttings(len: usize) -> impl Iterator<Item = Vec<usize>> {
    let places = len.saturating_sub(1);
    let most = (MOST_BYTES / len.max(1)).max(LEAST).min(places);
    let bytes = (places > 0).then(|| (1..len).collect());
    bytes.into_iter().chain((0..most).map(move |part| vec![1 + places * part / most]))
}

/// An event, or neighbouring deltas joined.
#[derive(PartialEq)]
struct Entry {
    /// The event without what a cut changes: for a delta its field, else the whole line.
    what: String,
    text: String,
    /// The end of the bytes of a delta.
    end: u64,
}

impl Entry {
    fn print(&self) -> String {
        if self.text.is_empty() {
            self.what.clone()
        } else {
            format!("{} += {:?}", self.what, self.text)
        }
    }
}

fn read(spec: &Spec, bytes: &[u8], cuts: &[usize]) -> (Vec<Entry>, String) {
    let (mut parser, mut lines, mut log) = (spec.parser(), LineWriter::default(), Vec::new());
    let mut sink = |event: Event<'_>| note(&mut log, &mut lines, &event);
    let mut start = 0;
    let mut ended = Ok(());
    for end in cuts.iter().copied().chain([bytes.len()]) {
        ended = ended.and_then(|()| feed(&mut parser, &bytes[start..end], &mut sink));
        start = end;
    }
    let outcome = match ended.and_then(|()| finish(&mut parser, &mut sink)) {
        Ok(answer) => answer.outcome().name().to_owned(),
        Err(error) => {
            log.push(Entry { what: error.wire().to_string(), text: String::new(), end: 0 });
            error.kind.name().to_owned()
        }
    };
    (log, outcome)
}

fn note(log: &mut Vec<Entry>, lines: &mut LineWriter, event: &Event<'_>) {
    let delta = match event {
        Event::Patch(patch) if patch.op == PatchOp::Delta => {
            let field = format!("document {} `{}`", patch.document.index(), patch.path);
            Some((field, patch.delta.as_str(), patch.span.end))
        }
        Event::Text(text) => Some((
            format!("{} {:?}", text.channel, text.element),
            text.delta.as_str(),
            text.span.end,
        )),
        Event::Reasoning(text) => {
            Some((format!("reasoning {:?}", text.element), text.delta.as_str(), text.span.end))
        }
        Event::Comment(text) if !text.is_complete => {
            Some((format!("comment {:?}", text.element), text.delta.as_str(), text.span.end))
        }
        _ => None,
    };
    let Some((what, text, end)) = delta else {
        let mut what = String::new();
        lines.append(event, IncludeValues::Leaf, &mut what);
        return log.push(Entry { what, text: String::new(), end: 0 });
    };
    match log.last_mut() {
        Some(last) if last.end > 0 && last.what == what => {
            last.text.push_str(text);
            last.end = end;
        }
        _ => log.push(Entry { what, text: text.to_owned(), end }),
    }
}
