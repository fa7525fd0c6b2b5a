//! What a parser told, kept in a form that can be compared: neighbouring pieces of one text joined,
//! so that it depends on the bytes alone and not on where chunks end.

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

/// An event on its own, with everything that matters about it.
#[derive(Debug, Clone, PartialEq)]
pub enum Recorded {
    /// A patch.
    Patch(RecordedPatch),
    /// Text outside any payload.
    Text {
        /// Its channel.
        channel: String,
        /// The element it lies in.
        element: Option<ElementId>,
        /// The text.
        delta: String,
        /// The bytes.
        span: Span,
    },
    /// Reasoning.
    Reasoning {
        /// The element it lies in.
        element: Option<ElementId>,
        /// The text.
        delta: String,
        /// The bytes.
        span: Span,
    },
    /// The end of reasoning.
    ReasoningDone {
        /// Where.
        span: Span,
    },
    /// An element opened.
    ElementOpen {
        /// Its number.
        id: ElementId,
        /// Its family.
        name: String,
        /// Its channel.
        channel: String,
        /// Names and values.
        params: Vec<(String, String)>,
        /// The opener.
        span: Span,
    },
    /// An element closed.
    ElementClose {
        /// Its number.
        id: ElementId,
        /// What closed it.
        reason: CloseReason,
        /// The closer.
        span: Span,
    },
    /// A closer of nothing.
    Stray {
        /// Its family.
        name: String,
        /// The marker.
        span: Span,
    },
    /// A piece of a comment, or its end.
    Comment {
        /// Its element.
        element: Option<ElementId>,
        /// What is new.
        delta: String,
        /// Whether it ends.
        is_complete: bool,
        /// The bytes.
        span: Span,
    },
    /// Text that was told before is of another channel.
    Reclassify {
        /// Where it begins.
        from: u64,
        /// Where it ends.
        to: u64,
        /// The channel.
        channel: String,
    },
    /// Bytes passed over.
    Skipped {
        /// Why.
        reason: SkipReason,
        /// The bytes.
        span: Span,
    },
    /// A notice.
    Notice {
        /// What.
        code: Code,
        /// The path, printed.
        path: String,
        /// The bytes.
        span: Span,
    },
    /// What the answer falls short of already.
    Verdict(Failure),
    /// The end of a root.
    RootComplete {
        /// The document.
        document: DocId,
        /// Where.
        offset: u64,
    },
    /// The answer.
    Final(Box<Summary>),
}

/// A patch on its own.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedPatch {
    /// The document.
    pub document: DocId,
    /// The document's element, root and attempt.
    pub origin: Origin,
    /// The field's number.
    pub node: NodeId,
    /// The path, printed.
    pub path: String,
    /// The path as an RFC 6901 pointer.
    pub pointer: String,
    /// What happened.
    pub op: PatchOp,
    /// New text.
    pub delta: String,
    /// The empty value on `Open`, the value of a leaf on `Done`, the whole on `Replace`. None where
    /// the parser keeps no value, and for the rest.
    pub value: Option<Tree>,
    /// Bytes of the string so far, or number of items or members; 0 where no value is kept.
    pub size: usize,
    /// How the end is known.
    pub completion: Option<Completion>,
    /// Whether a slip shaped the value.
    pub repaired: bool,
    /// Whether the value was held until it was whole.
    pub deferred: bool,
    /// The bytes.
    pub span: Span,
}

impl Recorded {
    /// The event on its own.
    ///
    /// # Panics
    /// If the engine has an event that the test kit does not know.
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

    /// The bytes it accounts for; none for those that only point.
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

    /// The text it brings, if it is one of those that may grow.
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

    /// Whether `next` goes on with the text of this, or passes over more bytes for the same reason.
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

    /// Joins what [`is_continued_by`](Self::is_continued_by) allows to be joined.
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

    /// Whether this is `longer`, or the beginning of it where text may grow.
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

/// Bytes of the patch's string so far, or number of its items or members.
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

/// A span, printed.
struct Bytes(Span);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}..{}]", self.0.start, self.0.end)
    }
}

/// What came of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// How it ended.
    pub outcome: Outcome,
    /// The value, if there is one.
    pub value: Option<Tree>,
    /// Every root.
    pub roots: Vec<Tree>,
    /// The text outside payloads.
    pub text: String,
    /// The reasoning.
    pub reasoning: String,
    /// What was fed, where it is kept.
    pub raw: Option<Vec<u8>>,
    /// The notices kept.
    pub notices: Vec<OwnedNotice>,
    /// How many there were.
    pub notice_count: u64,
}

impl Summary {
    /// What an answer says.
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

/// How far a record has come: so many events, and so much of the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// Events, coalesced.
    pub events: usize,
    /// Bytes of the last one's text.
    pub text: usize,
    /// Where the last one's span ends, if it has one.
    pub end: u64,
}

impl Mark {
    /// Where these events end.
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

/// Collects events and joins neighbours.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    events: Vec<Recorded>,
}

impl Recorder {
    /// One more event.
    pub fn push(&mut self, event: &Event<'_>) {
        let next = Recorded::of(event);
        match self.events.last_mut() {
            Some(last) if last.is_continued_by(&next) => last.continue_with(next),
            _ => self.events.push(next),
        }
    }

    /// How far it has come.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark::of(&self.events)
    }

    /// The events so far.
    #[must_use]
    pub fn events(&self) -> &[Recorded] {
        &self.events
    }

    /// All events.
    #[must_use]
    pub fn into_events(self) -> Vec<Recorded> {
        self.events
    }
}

/// All that a stream told.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The events, coalesced, those of the end included.
    pub events: Vec<Recorded>,
    /// How far they had come after each chunk.
    pub marks: Vec<Mark>,
    /// How many events there were before the end of the input was told. The last of them may have
    /// grown since.
    pub fed: Mark,
    /// What came of it.
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

    /// Where this run tells something else than another one of the same bytes.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        if let Some(found) = difference(&self.events, &other.events) {
            return Some(found);
        }
        (self.result != other.result)
            .then(|| format!("result\n    {:?}\n  or\n    {:?}", self.result, other.result))
    }
}

/// The first event in which two lists differ.
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

/// Finishes a parser.
///
/// # Errors
/// The parser's.
pub fn end(parser: &mut Parser, recorder: &mut Recorder) -> Result<Summary, Error> {
    parser.finish(|event| recorder.push(&event)).map(|answer| Summary::of(&answer))
}

/// Feeds an input in these cuts and finishes.
#[must_use]
pub fn run_cut(spec: &Spec, input: &[u8], cuts: &Cuts) -> Run {
    run(spec, cuts.chunks(input))
}

/// Feeds an input in one piece and finishes.
#[must_use]
pub fn run_whole(spec: &Spec, input: &[u8]) -> Run {
    run_cut(spec, input, &Cuts::none())
}
