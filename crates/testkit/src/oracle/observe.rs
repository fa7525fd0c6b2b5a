//! Records the events of the engine for a text in chunks, in a comparable form.

use core::fmt;

use patchwire::{
    Code, Completion, Error, Event, Outcome, Parser, Patch, PatchOp, Span, Spec, document::DocId,
    path::Segment,
};

use super::Json;
use super::expect::ExpectedStep;

/// An event, joined with similar events before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObservedLine {
    /// A patch.
    Patch {
        /// The part of the patch that the value determines.
        step: ExpectedStep,
        /// The document's number.
        document: usize,
        /// How the end of the value is known.
        completion: Option<Completion>,
        /// Whether a slip shaped the value.
        repaired: bool,
        /// The bytes in the input.
        span: Span,
    },
    /// Text, reasoning, skipped bytes and the like: the name of the event, a detail, the bytes.
    Other(&'static str, String, Span),
    /// A notice.
    Notice(Code, String, Span),
}

impl fmt::Display for ObservedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Patch { step, completion, repaired, span, .. } => {
                write!(f, "{step} {completion:?} repaired={repaired} {span:?}")
            }
            Self::Other(name, detail, span) => write!(f, "{name} {detail:?} {span:?}"),
            Self::Notice(code, path, span) => write!(f, "notice {code} {path:?} {span:?}"),
        }
    }
}

/// The results of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The events.
    pub lines: Vec<ObservedLine>,
    /// The value at the end; none after an error, or if there was none.
    pub value: Option<Json>,
    /// The value that the patches of the first document give when they are folded.
    pub folded: Option<Json>,
    /// The outcome.
    pub outcome: Result<Outcome, Error>,
}

impl Seen {
    /// Only the patches.
    #[must_use]
    pub fn steps(&self) -> Vec<&ExpectedStep> {
        let mut steps = Vec::new();
        for line in &self.lines {
            if let ObservedLine::Patch { step, .. } = line {
                steps.push(step);
            }
        }
        steps
    }

    /// The codes of the notices, in order.
    #[must_use]
    pub fn codes(&self) -> Vec<Code> {
        let code = |line: &ObservedLine| {
            if let ObservedLine::Notice(code, ..) = line { Some(*code) } else { None }
        };
        self.lines.iter().filter_map(code).collect()
    }

    /// Whether the finalizer changed what was streamed.
    #[must_use]
    pub fn was_reconciled(&self) -> bool {
        self.steps().iter().any(|step| matches!(step.kind, "replace" | "remove"))
    }

    /// Whether the spans of the events tile the input.
    #[must_use]
    pub fn tiles(&self, len: usize) -> bool {
        let span = |line: &ObservedLine| match line {
            ObservedLine::Patch { span, .. } => Some(*span),
            ObservedLine::Other("root_complete" | "reclassify" | "verdict", ..) => None,
            ObservedLine::Other(_, _, span) => Some(*span),
            ObservedLine::Notice(..) => None,
        };
        let mut spans = self.lines.iter().filter_map(span);
        let end = spans.try_fold(0, |end, span| (span.start == end).then_some(span.end));
        self.outcome.is_err() || end == Some(len as u64)
    }

    /// The events, one per line.
    #[must_use]
    pub fn print(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(ToString::to_string).collect();
        let value = self.value.as_ref().map_or_else(|| "no value".to_owned(), Json::to_string);
        format!("{}\n= {value} ({:?})", lines.join("\n"), self.outcome)
    }
}

/// Feeds the bytes with these cuts, and finishes.
#[must_use]
pub fn run(spec: &Spec, bytes: &[u8], cuts: &[usize]) -> Seen {
    let mut parser = spec.parser();
    let mut log = Log::default();
    let mut from = 0;
    for &to in cuts.iter().chain([&bytes.len()]) {
        if let Err(error) = parser.feed(&bytes[from..to], |event| log.take(&event)) {
            return log.seen(None, Err(error));
        }
        from = to;
    }
    end(parser, log)
}

fn end(mut parser: Parser, mut log: Log) -> Seen {
    match parser.finish(|event| log.take(&event)) {
        Ok(answer) => {
            let value = answer.value();
            log.seen(value.exists().then(|| Json::of(value)), Ok(answer.outcome()))
        }
        Err(error) => log.seen(None, Err(error)),
    }
}

/// The events so far.
#[derive(Default)]
struct Log {
    lines: Vec<ObservedLine>,
    folded: Option<Json>,
}

impl Log {
    fn take(&mut self, event: &Event<'_>) {
        if let Event::Patch(patch) = event
            && patch.document == DocId::ANSWER
        {
            fold(&mut self.folded, patch);
        }
        write_down(&mut self.lines, event);
    }

    fn seen(self, value: Option<Json>, outcome: Result<Outcome, Error>) -> Seen {
        Seen { lines: self.lines, value, folded: self.folded, outcome }
    }
}

/// Folds a patch like any consumer: `open` and `replace` set the value, `delta` appends, `done` sets the
/// value of a scalar, `remove` deletes.
///
/// # Panics
/// If the patch does not fit the value so far.
fn fold(root: &mut Option<Json>, patch: &Patch<'_>) {
    let path: Vec<Segment<'_>> = patch.path.segments().collect();
    let Some((last, above)) = path.split_last() else {
        return change(root, patch);
    };
    let parent = above.iter().fold(root.as_mut(), |value, step| match (value?, step) {
        (Json::Object(members), Segment::Key(key)) => {
            members.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
        }
        (Json::List(items), Segment::Index(index)) => items.get_mut(*index as usize),
        _ => None,
    });
    match (parent, last) {
        (Some(Json::Object(members)), Segment::Key(key)) => {
            let at = members.iter().position(|(name, _)| name == key);
            let at = at.unwrap_or(members.len());
            let mut slot = (at < members.len()).then(|| members.remove(at).1);
            change(&mut slot, patch);
            if let Some(value) = slot {
                members.insert(at, ((*key).to_owned(), value));
            }
        }
        (Some(Json::List(items)), Segment::Index(index)) => {
            let at = *index as usize;
            let mut slot = (at < items.len()).then(|| items.remove(at));
            change(&mut slot, patch);
            if let Some(value) = slot {
                items.insert(at, value);
            }
        }
        _ => panic!("{} of {} has no parent", patch.op.name(), patch.path),
    }
}

fn change(slot: &mut Option<Json>, patch: &Patch<'_>) {
    let emitted = format!("{} of {:?}", patch.op.name(), patch.path.to_string());
    let value = || Json::of(patch.value);
    match (patch.op, &mut *slot) {
        (PatchOp::Open, None) | (PatchOp::Replace, _) => *slot = Some(value()),
        (PatchOp::Delta, Some(Json::String(text))) => text.push_str(&patch.delta),
        (PatchOp::Done, Some(whole)) => assert_eq!(*whole, value(), "{emitted}"),
        (PatchOp::Done, None) => *slot = Some(value()),
        (PatchOp::Remove, Some(_)) => *slot = None,
        (_, slot) => panic!("{emitted}, where there is {slot:?}"),
    }
}

/// Feeds the bytes one at a time.
#[must_use]
pub fn run_bytewise(spec: &Spec, bytes: &[u8]) -> Seen {
    let cuts: Vec<usize> = (1..bytes.len()).collect();
    run(spec, bytes, &cuts)
}

/// Feeds the bytes in one piece, and checks that every cut in two and single bytes give equal events.
///
/// # Panics
/// If they do not.
#[must_use]
pub fn run_every_way(spec: &Spec, bytes: &[u8]) -> Seen {
    let whole = run(spec, bytes, &[]);
    let text = String::from_utf8_lossy(bytes);
    for cut in 1..bytes.len() {
        let seen = run(spec, bytes, &[cut]);
        assert!(seen == whole, "cut at {cut} in {text:?}:\n{}", difference(&whole, &seen));
    }
    let seen = run_bytewise(spec, bytes);
    assert!(seen == whole, "byte by byte {text:?}:\n{}", difference(&whole, &seen));
    whole
}

/// The first difference between two runs, for a person to read.
#[must_use]
pub fn difference(one: &Seen, other: &Seen) -> String {
    let (one, other) = (one.print(), other.print());
    let same = one.lines().zip(other.lines()).take_while(|(one, other)| one == other).count();
    let rest = |text: &str| text.lines().skip(same).collect::<Vec<_>>().join("\n  ");
    format!("after {same} equal events\n  {}\nagainst\n  {}", rest(&one), rest(&other))
}

fn write_down(lines: &mut Vec<ObservedLine>, event: &Event<'_>) {
    let line = match event {
        Event::Patch(patch) => {
            let shown = patch.value.exists() && patch.op != PatchOp::Delta;
            let value = (shown && patch.op != PatchOp::Remove).then(|| Json::of(patch.value));
            let (path, delta) = (patch.path.to_string(), patch.delta.to_string());
            ObservedLine::Patch {
                step: ExpectedStep { kind: patch.op.name(), path, delta, value },
                document: patch.document.index(),
                completion: patch.completion,
                repaired: patch.repaired,
                span: patch.span,
            }
        }
        Event::Notice(notice) => {
            ObservedLine::Notice(notice.code, notice.path.to_string(), notice.span)
        }
        Event::Text(text) => ObservedLine::Other("text", text.delta.to_string(), text.span),
        Event::Reasoning(text) => {
            ObservedLine::Other("reasoning", text.delta.to_string(), text.span)
        }
        Event::Skipped { reason, span } => {
            ObservedLine::Other("skipped", reason.name().to_owned(), *span)
        }
        Event::RootComplete { offset, .. } => ObservedLine::Other(
            "root_complete",
            String::new(),
            Span { start: *offset, end: *offset },
        ),
        Event::Verdict(failure) => {
            ObservedLine::Other("verdict", failure.to_string(), Span { start: 0, end: 0 })
        }
        Event::Final(_) => return,
        other => {
            let span = other.span().unwrap_or(Span { start: 0, end: 0 });
            ObservedLine::Other(other.name(), String::new(), span)
        }
    };
    if let Some(line) = joined(lines.last_mut(), line) {
        lines.push(line);
    }
}

/// Joins a line to the one before it, if they are pieces of one text; otherwise returns it.
fn joined(last: Option<&mut ObservedLine>, line: ObservedLine) -> Option<ObservedLine> {
    match (last, line) {
        (
            Some(ObservedLine::Patch { step: last, span: all, document: one, .. }),
            ObservedLine::Patch { step, span, document, .. },
        ) if last.kind == "delta"
            && step.kind == "delta"
            && last.path == step.path
            && *one == document =>
        {
            last.delta.push_str(&step.delta);
            all.end = span.end;
            None
        }
        (Some(ObservedLine::Other(last, text, all)), ObservedLine::Other(name, more, span))
            if *last == name && matches!(name, "text" | "reasoning") =>
        {
            text.push_str(&more);
            all.end = span.end;
            None
        }
        (_, line) => Some(line),
    }
}
