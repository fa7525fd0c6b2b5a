//! Recorded events in a form that can be compared. Neighbouring pieces of one text are joined, so that the
//! record depends on the bytes alone and not on chunk boundaries.

use core::fmt;

use patchwire::{
    Answer, Code, Completion, Error, Event, Outcome, Parser, Patch, PatchOp, Span, Spec,
    check::Failure,
    document::{DocId, NodeId},
    event::{CloseReason, ElementId, Origin, SkipReason},
    notice::OwnedNotice,
};

use crate::cuts::Cuts;
use crate::tree::Tree;

/// An owned event with all the data that tests compare.
#[derive(Debug, Clone, PartialEq)]
pub enum Recorded {
    /// A patch.
    Patch(RecordedPatch),
    /// Text outside any payload.
    Text {
        /// The channel.
        channel: String,
        /// The element that contains it.
        element: Option<ElementId>,
        /// The text.
        delta: String,
        /// The bytes in the input.
        span: Span,
    },
    /// Reasoning.
    Reasoning {
        /// The element that contains it.
        element: Option<ElementId>,
        /// The text.
        delta: String,
        /// The bytes in the input.
        span: Span,
    },
    /// The end of reasoning.
    ReasoningDone {
        /// The offset at which it ended, as an empty span.
        span: Span,
    },
    /// An element opened.
    ElementOpen {
        /// Its number.
        id: ElementId,
        /// The element's name.
        name: String,
        /// Its channel.
        channel: String,
        /// The parameters and attributes: names and values.
        params: Vec<(String, String)>,
        /// The opener's bytes.
        span: Span,
    },
    /// An element closed.
    ElementClose {
        /// Its number.
        id: ElementId,
        /// Why it closed.
        reason: CloseReason,
        /// The closer's bytes.
        span: Span,
    },
    /// A closer that closed nothing.
    Stray {
        /// The marker's family.
        name: String,
        /// The marker's bytes.
        span: Span,
    },
    /// A piece of a comment, or its end.
    Comment {
        /// The element that contains it.
        element: Option<ElementId>,
        /// The new text.
        delta: String,
        /// Whether the comment ends here.
        is_complete: bool,
        /// The bytes in the input.
        span: Span,
    },
    /// Text that was emitted before belongs to another channel.
    Reclassify {
        /// The offset at which the text begins.
        from: u64,
        /// The offset just past the text.
        to: u64,
        /// The channel.
        channel: String,
    },
    /// Skipped bytes.
    Skipped {
        /// The reason.
        reason: SkipReason,
        /// The bytes.
        span: Span,
    },
    /// A notice.
    Notice {
        /// The code.
        code: Code,
        /// The printed path.
        path: String,
        /// The bytes.
        span: Span,
    },
    /// A check that the answer fails already.
    Verdict(Failure),
    /// The end of a root.
    RootComplete {
        /// The document.
        document: DocId,
        /// The offset just past the root.
        offset: u64,
    },
    /// The answer.
    Final(Box<Summary>),
}

/// A recorded patch.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedPatch {
    /// The document.
    pub document: DocId,
    /// The document's element, root and attempt.
    pub origin: Origin,
    /// The field's number.
    pub node: NodeId,
    /// The printed path.
    pub path: String,
    /// The path as an RFC 6901 pointer.
    pub pointer: String,
    /// The operation.
    pub op: PatchOp,
    /// New text.
    pub delta: String,
    /// The empty value on `Open`, the value of a leaf on `Done`, and the whole value on `Replace`. `None`
    /// otherwise, and if the parser keeps no values.
    pub value: Option<Tree>,
    /// The length of the string so far in bytes, or the number of items or members; 0 if the parser keeps
    /// no values.
    pub size: usize,
    /// How the end of the value is known.
    pub completion: Option<Completion>,
    /// Whether a slip shaped the value.
    pub repaired: bool,
    /// Whether the value was held back until it was complete.
    pub deferred: bool,
    /// The bytes in the input.
    pub span: Span,
}

impl Recorded {
    /// Records an event.
    ///
    /// # Panics
    /// If the engine has an event that the test kit does not have.
    #[must_use]
    pub fn of(event: &Event<'_>) -> Self {
        match event {
            Event::Patch(patch) => Self::Patch(RecordedPatch::of(patch)),
            Event::Text(text) => Self::Text {
                channel: text.channel.to_owned(),
                element: text.element,
                delta: text.delta.as_str().to_owned(),
                span: text.span,
            },
            Event::Reasoning(text) => Self::Reasoning {
                element: text.element,
                delta: text.delta.as_str().to_owned(),
                span: text.span,
            },
            Event::ReasoningDone { span } => Self::ReasoningDone { span: *span },
            Event::ElementOpen(open) => Self::ElementOpen {
                id: open.id,
                name: open.name.to_owned(),
                channel: open.channel.to_owned(),
                params: open.params.iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect(),
                span: open.span,
            },
            Event::ElementClose { id, reason, span } => {
                Self::ElementClose { id: *id, reason: *reason, span: *span }
            }
            Event::Stray { name, span } => Self::Stray { name: (*name).to_owned(), span: *span },
            Event::Comment(comment) => Self::Comment {
                element: comment.element,
                delta: comment.delta.as_str().to_owned(),
                is_complete: comment.is_complete,
                span: comment.span,
            },
            Event::Reclassify { from, to, channel } => {
                Self::Reclassify { from: *from, to: *to, channel: (*channel).to_owned() }
            }
            Event::Skipped { reason, span } => Self::Skipped { reason: *reason, span: *span },
            Event::Notice(notice) => {
                Self::Notice { code: notice.code, path: notice.path.to_string(), span: notice.span }
            }
            Event::RootComplete { document, offset } => {
                Self::RootComplete { document: *document, offset: *offset }
            }
            Event::Verdict(failure) => Self::Verdict((*failure).clone()),
            Event::Final(answer) => Self::Final(Box::new(Summary::of(answer))),
            other => panic!("the test kit does not know the event `{}`", other.name()),
        }
    }

    /// The bytes of the input that the event covers; none for events that only refer to bytes.
    #[must_use]
    pub const fn span(&self) -> Option<Span> {
        match self {
            Self::Patch(RecordedPatch { span, .. })
            | Self::Text { span, .. }
            | Self::Reasoning { span, .. }
            | Self::ReasoningDone { span }
            | Self::ElementOpen { span, .. }
            | Self::ElementClose { span, .. }
            | Self::Stray { span, .. }
            | Self::Comment { span, .. }
            | Self::Skipped { span, .. } => Some(*span),
            Self::Notice { .. }
            | Self::Reclassify { .. }
            | Self::RootComplete { .. }
            | Self::Verdict(_)
            | Self::Final(_) => None,
        }
    }

    /// The text of the event, if its kind of event may grow.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Patch(RecordedPatch { delta, .. })
            | Self::Text { delta, .. }
            | Self::Comment { delta, .. }
            | Self::Reasoning { delta, .. } => delta,
            _ => "",
        }
    }

    /// Whether `next` continues the text of this event, or skips more bytes for the same reason.
    #[must_use]
    pub fn is_continued_by(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Patch(one), Self::Patch(next)) => {
                one.op == PatchOp::Delta
                    && next.op == PatchOp::Delta
                    && one.document == next.document
                    && one.node == next.node
                    && one.path == next.path
            }
            (
                Self::Text { channel, element, .. },
                Self::Text { channel: next_channel, element: next_element, .. },
            ) => channel == next_channel && element == next_element,
            (Self::Reasoning { element, .. }, Self::Reasoning { element: next, .. }) => {
                element == next
            }
            (
                Self::Comment { element, is_complete: false, .. },
                Self::Comment { element: next, is_complete: false, .. },
            ) => element == next,
            (Self::Skipped { reason, .. }, Self::Skipped { reason: next, .. }) => reason == next,
            _ => false,
        }
    }

    /// Appends an event that [`is_continued_by`](Self::is_continued_by) accepts.
    fn continue_with(&mut self, next: Self) {
        let end = next.span().map_or(0, |span| span.end);
        match (self, next) {
            (Self::Patch(one), Self::Patch(next)) => {
                one.delta.push_str(&next.delta);
                one.size = next.size;
                one.repaired |= next.repaired;
                one.span.end = end;
            }
            (Self::Text { delta, span, .. }, Self::Text { delta: more, .. })
            | (Self::Comment { delta, span, .. }, Self::Comment { delta: more, .. })
            | (Self::Reasoning { delta, span, .. }, Self::Reasoning { delta: more, .. }) => {
                delta.push_str(&more);
                span.end = end;
            }
            (Self::Skipped { span, .. }, _) => span.end = end,
            _ => {}
        }
    }

    /// Whether this equals `longer`, or is its beginning where text may grow.
    #[must_use]
    pub fn begins(&self, longer: &Self) -> bool {
        if self == longer {
            return true;
        }
        if !self.is_continued_by(longer) {
            return false;
        }
        let (Some(one), Some(other)) = (self.span(), longer.span()) else { return false };
        one.start == other.start && one.end <= other.end && longer.text().starts_with(self.text())
    }
}

impl RecordedPatch {
    fn of(patch: &Patch<'_>) -> Self {
        Self {
            document: patch.document,
            origin: *patch.origin,
            node: patch.node,
            path: patch.path.to_string(),
            pointer: patch.path.pointer().to_string(),
            op: patch.op,
            delta: patch.delta.as_str().to_owned(),
            value: kept(patch),
            size: size(patch),
            completion: patch.completion,
            repaired: patch.repaired,
            deferred: patch.deferred,
            span: patch.span,
        }
    }
}

fn kept(patch: &Patch<'_>) -> Option<Tree> {
    let value = patch.value;
    if !value.exists() {
        return None;
    }
    match patch.op {
        PatchOp::Open => Some(Tree::empty_of(value)),
        PatchOp::Replace => Tree::of(value),
        PatchOp::Done => Tree::of(value).filter(|tree| !tree.is_container()),
        PatchOp::Delta | PatchOp::Remove => None,
    }
}

/// The length of the patch's string so far in bytes, or the number of its items or members.
#[must_use]
pub fn size(patch: &Patch<'_>) -> usize {
    patch.value.as_str().map_or_else(|| patch.value.len(), str::len)
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Patch(patch) => fmt::Display::fmt(patch, f),
            Self::Text { channel, delta, span, .. } => {
                write!(f, "{channel} {delta:?} {}", Bytes(*span))
            }
            Self::Reasoning { delta, span, .. } => {
                write!(f, "reasoning {delta:?} {}", Bytes(*span))
            }
            Self::Notice { code, path, span } => {
                write!(f, "notice {code} at {path:?} {}", Bytes(*span))
            }
            Self::Skipped { reason, span } => {
                write!(f, "skipped {} {}", reason.name(), Bytes(*span))
            }
            Self::Final(summary) => write!(f, "final {summary:?}"),
            other => write!(f, "{other:?}"),
        }
    }
}

impl fmt::Display for RecordedPatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { document, node, path, op, delta, value, size, completion, .. } = self;
        write!(f, "{} {path:?} (document {}, node {})", op.name(), document.index(), node.index())?;
        if *op == PatchOp::Delta {
            write!(f, " {delta:?}")?;
        }
        if let Some(value) = value {
            write!(f, " = {value:?}")?;
        }
        if let Some(completion) = completion {
            write!(f, " {}", completion.name())?;
        }
        let flags = [(self.repaired, " repaired"), (self.deferred, " deferred")];
        flags.iter().filter(|(on, _)| *on).try_for_each(|(_, name)| f.write_str(name))?;
        write!(f, " size {size} {}", Bytes(self.span))
    }
}

/// A span, for printing.
struct Bytes(Span);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}..{}]", self.0.start, self.0.end)
    }
}

/// The results of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The outcome.
    pub outcome: Outcome,
    /// The value, if there is one.
    pub value: Option<Tree>,
    /// The values of all roots.
    pub roots: Vec<Tree>,
    /// The text outside payloads and elements.
    pub text: String,
    /// The reasoning.
    pub reasoning: String,
    /// The bytes that were fed, if the spec keeps them.
    pub raw: Option<Vec<u8>>,
    /// The notices that the answer keeps.
    pub notices: Vec<OwnedNotice>,
    /// The number of notices, including those that were not kept.
    pub notice_count: u64,
}

impl Summary {
    /// Summarizes an answer.
    #[must_use]
    pub fn of(answer: &Answer) -> Self {
        Self {
            outcome: answer.outcome(),
            value: Tree::of(answer.value()),
            roots: answer.roots().filter_map(Tree::of).collect(),
            text: answer.text().to_owned(),
            reasoning: answer.reasoning().to_owned(),
            raw: answer.raw().map(<[u8]>::to_vec),
            notices: answer.notices().to_vec(),
            notice_count: answer.notice_count(),
        }
    }
}

/// A position in a record: a number of events, and a length of the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// The number of coalesced events.
    pub events: usize,
    /// The length of the last event's text, in bytes.
    pub text: usize,
    /// The end of the last event's span, if it has one.
    pub end: u64,
}

impl Mark {
    /// The position after these events.
    #[must_use]
    pub fn of(events: &[Recorded]) -> Self {
        let last = events.last();
        Self {
            events: events.len(),
            text: last.map_or(0, |last| last.text().len()),
            end: last.and_then(Recorded::span).map_or(0, |span| span.end),
        }
    }
}

/// Records events and joins neighbouring pieces of one text.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    events: Vec<Recorded>,
}

impl Recorder {
    /// Adds an event.
    pub fn push(&mut self, event: &Event<'_>) {
        let next = Recorded::of(event);
        match self.events.last_mut() {
            Some(last) if last.is_continued_by(&next) => last.continue_with(next),
            _ => self.events.push(next),
        }
    }

    /// The current position.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark::of(&self.events)
    }

    /// The events so far.
    #[must_use]
    pub fn events(&self) -> &[Recorded] {
        &self.events
    }

    /// Returns all events.
    #[must_use]
    pub fn into_events(self) -> Vec<Recorded> {
        self.events
    }
}

/// Everything that a stream emitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The coalesced events, including those of the end.
    pub events: Vec<Recorded>,
    /// The position after each chunk.
    pub marks: Vec<Mark>,
    /// The position before the end of the input. The last event up to there may have grown afterwards.
    pub fed: Mark,
    /// The result of the stream.
    pub result: Result<Summary, Error>,
}

impl Run {
    /// The patches.
    pub fn patches(&self) -> impl Iterator<Item = &RecordedPatch> {
        self.events.iter().filter_map(|event| match event {
            Recorded::Patch(patch) => Some(patch),
            _ => None,
        })
    }

    /// The first difference to another run of equal bytes.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        if let Some(found) = difference(&self.events, &other.events) {
            return Some(found);
        }
        (self.result != other.result)
            .then(|| format!("result\n    {:?}\n  or\n    {:?}", self.result, other.result))
    }
}

/// The first difference between two lists of events.
#[must_use]
pub fn difference(one: &[Recorded], other: &[Recorded]) -> Option<String> {
    let at = (0..one.len().max(other.len())).find(|&at| one.get(at) != other.get(at))?;
    let show = |events: &[Recorded]| {
        events.get(at).map_or_else(|| "nothing".to_owned(), ToString::to_string)
    };
    Some(format!("event {at} is\n    {}\n  or\n    {}", show(one), show(other)))
}

/// Feeds chunks and finishes.
pub fn run<'c>(spec: &Spec, chunks: impl IntoIterator<Item = &'c [u8]>) -> Run {
    let mut parser = spec.parser();
    let mut recorder = Recorder::default();
    let mut marks = Vec::new();
    let mut result = Ok(());
    for chunk in chunks {
        result = parser.feed(chunk, |event| recorder.push(&event));
        marks.push(recorder.mark());
        if result.is_err() {
            break;
        }
    }
    let fed = recorder.mark();
    let result = result.and_then(|()| end(&mut parser, &mut recorder));
    Run { events: recorder.into_events(), marks, fed, result }
}

/// Finishes a parser and records the events of its end.
///
/// # Errors
/// The parser's error.
pub fn end(parser: &mut Parser, recorder: &mut Recorder) -> Result<Summary, Error> {
    parser.finish(|event| recorder.push(&event)).map(|answer| Summary::of(&answer))
}

/// Feeds an input with these cuts, and finishes.
#[must_use]
pub fn run_cut(spec: &Spec, input: &[u8], cuts: &Cuts) -> Run {
    run(spec, cuts.chunks(input))
}

/// Feeds an input in one piece, and finishes.
#[must_use]
pub fn run_whole(spec: &Spec, input: &[u8]) -> Run {
    run_cut(spec, input, &Cuts::none())
}
