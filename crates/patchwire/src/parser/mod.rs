//! The parser of one stream: bytes in, events out.

mod calls;
mod collected;
mod conclusion;
mod doubted_closers;
mod elements;
mod ending;
mod entry;
mod events;
mod fast_path;
mod feeding;
mod intake;
mod machines;
mod mentions;
mod notice_log;
mod reader;
mod reparse;
mod side_reasoning;
mod split_char;
mod text_parts;

use bytes::Bytes;
use bytestring::ByteString;

use crate::answer::Call;
use crate::document::{DocId, Document, Value, ValueRef};
use crate::error::{Error, ErrorKind};
use crate::event::{Event, Flow, SharedText};
use crate::format::TokenRecord;
use crate::held::Held;
use crate::limits::Limit;
use crate::spec::{Spec, Strictness};
use crate::tags::literal::LiteralMarker;
use crate::tags::{Router, TokenRun};
use crate::text::Piece;
use ending::Ending;
use fast_path::{FastPath, NextChunk};
use intake::Intake;
use reader::Reader;
use side_reasoning::SideReasoning;
use split_char::SplitChar;

/// The parser of one stream.
///
/// [`feed`](Self::feed) takes chunks and emits events. [`finish`](Self::finish) closes the stream and
/// returns the [`Answer`](crate::Answer). [`next_event`](Self::next_event) and
/// [`next_final_event`](Self::next_final_event) return one event at a time, for callers that want `?`,
/// `break` or `.await` between events. The order of calls is: `feed` or `next_event` for each chunk, then
/// `finish` or `next_final_event`, then [`answer`](Self::answer).
///
/// A parser is a value. It can be cloned in the middle of a stream. Two parsers of one spec are equal if
/// and only if they emit equal events for every further input.
///
/// ```
/// use patchwire::{Event, PatchOp, Spec};
///
/// let mut parser = Spec::json().parser();
/// let mut seen = String::new();
/// for chunk in [r#"{"title": "Hel"#, r#"lo", "n": 1}"#] {
///     parser.feed(chunk, |event| {
///         if let Event::Patch(patch) = event {
///             if patch.op == PatchOp::Delta {
///                 seen.push_str(&format!("{}+={} ", patch.path, patch.delta));
///             }
///         }
///     })?;
/// }
/// assert_eq!(seen, "title+=Hel title+=lo ");
/// let answer = parser.finish(|_| {})?;
/// assert_eq!(answer.value().to_string(), r#"{"title":"Hello","n":1}"#);
/// # Ok::<(), patchwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Parser {
    /// The bytes that were fed, up to the part that has been read as text.
    intake: Intake,
    side_reasoning: SideReasoning,
    /// The stages between text and emissions.
    reader: Reader,
    ending: Ending,
    fast_path: FastPath,
}

impl Parser {
    pub(crate) fn new(spec: Spec) -> Self {
        Self {
            intake: Intake::new(spec.0.json.limits.get(Limit::Total)),
            side_reasoning: SideReasoning::default(),
            reader: Reader::new(spec),
            ending: Ending::new(),
            fast_path: FastPath::default(),
        }
    }

    /// Reads a chunk and emits every event that it decides. The closure returns nothing, or a
    /// `ControlFlow`; `Break` stops the stream.
    ///
    /// # Errors
    /// A limit, a syntax error under strict reading, or [`ErrorKind::Cancelled`] if the closure returned
    /// `Break`. The error is kept: every later call returns it, and [`value`](Self::value) still shows the
    /// value read so far.
    #[inline(always)]
    pub fn feed<R: Flow>(
        &mut self,
        chunk: impl AsRef<[u8]>,
        on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        self.feed_chunk(chunk.as_ref(), None, on_event)
    }

    /// Reads a chunk of a shared buffer: [`Text::to_shared`](crate::event::Text::to_shared) then slices the
    /// buffer instead of copying a text of more than 20 bytes.
    ///
    /// # Errors
    /// The errors of [`feed`](Self::feed).
    pub fn feed_bytes<R: Flow>(
        &mut self,
        chunk: Bytes,
        on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        // A short chunk needs no buffer: its text is copied into the owned event. A chunk that cuts a code point, or is not
        // UTF-8, cannot be one.
        let is_long = chunk.len() > SharedText::SHORT;
        let buffer = is_long.then(|| ByteString::try_from(chunk.clone()).ok()).flatten();
        self.feed_chunk(&chunk, buffer.as_ref(), on_event)
    }

    /// Reads reasoning that the source delivers in a field of its own, and emits it as
    /// [`Event::Reasoning`] without an element.
    ///
    /// These bytes are not part of the stream's text: they move no offset, their spans are empty, and
    /// markers in them have no meaning. They may be cut anywhere and have a [`Limit::Total`] of their own.
    /// [`Answer::reasoning`](crate::Answer::reasoning) includes them.
    ///
    /// ```
    /// use patchwire::Spec;
    ///
    /// let mut parser = Spec::json().parser();
    /// parser.feed_reasoning("First the ", |_| {})?;
    /// parser.feed(r#"{"n": "#, |_| {})?;
    /// parser.feed_reasoning("number.", |_| {})?;
    /// parser.feed("1}", |_| {})?;
    /// let answer = parser.finish(|_| {})?;
    /// assert_eq!((answer.reasoning(), answer.value().to_string()), ("First the number.", r#"{"n":1}"#.into()));
    /// # Ok::<(), patchwire::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`feed`](Self::feed).
    pub fn feed_reasoning<R: Flow>(
        &mut self,
        delta: impl AsRef<[u8]>,
        mut on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        let fed = self.intake.fed;
        self.fast_path.next = NextChunk::General;
        self.ending.check_open(fed)?;
        let (mut rest, whole) = self.side_reasoning.admit(delta.as_ref(), self.intake.limit);
        while let Some(piece) = self.side_reasoning.carry.next(&mut rest) {
            let mut bytes = [0; 4];
            let text = match piece {
                Piece::Run(text) => text,
                Piece::Joined { char, .. } => char.encode_utf8(&mut bytes),
                Piece::Replaced { .. } if self.reader.spec.0.strictness == Strictness::Strict => {
                    return Err(self.latch(Error::new(ErrorKind::InvalidUtf8, fed)));
                }
                Piece::Replaced { .. } => {
                    side_reasoning::note_invalid(&mut self.reader);
                    if !self.drain_pending(&mut on_event)? {
                        return Err(self.fail(ErrorKind::Cancelled));
                    }
                    side_reasoning::REPLACEMENT
                }
            };
            side_reasoning::keep(&mut self.reader, text);
            if !on_event(side_reasoning::event(&self.reader, text)).goes_on() {
                return Err(self.fail(ErrorKind::Cancelled));
            }
        }
        if whole { Ok(()) } else { Err(self.latch(side_reasoning::over_limit(fed))) }
    }

    /// Sets the kind of model tokens that the next bytes come from, until the next call. For sources that
    /// see tokens. Without a tag set it has no effect.
    ///
    /// ```
    /// use patchwire::{Spec, TagSet, tags::TokenRun};
    ///
    /// let mut parser = Spec::builder().tags(TagSet::think()).build()?.parser();
    /// for (run, text) in [(TokenRun::Special, "<think>"), (TokenRun::Plain, "I close with </think>."), (TokenRun::Special, "</think>")] {
    ///     parser.set_run(run);
    ///     parser.feed(text, |_| {})?;
    /// }
    /// assert_eq!(parser.finish(|_| {})?.reasoning(), "I close with </think>.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn set_run(&mut self, run: TokenRun) {
        if let Some(router) = &mut self.reader.router {
            router.set_run(self.intake.fed, run);
        }
    }

    /// Returns the next event of a chunk and advances `rest` past the bytes it read; `None` at the end of
    /// the chunk.
    ///
    /// A delta has at most about a thousand bytes, so the UTF-8 check of each call covers only what the
    /// call reads.
    ///
    /// ```
    /// use patchwire::Spec;
    ///
    /// let mut parser = Spec::json().parser();
    /// let mut rest: &[u8] = br#"{"n": [1, 2]}"#;
    /// let mut events = 0;
    /// while let Some(event) = parser.next_event(&mut rest)? {
    ///     events += 1;
    /// }
    /// assert_eq!(events, 7); // two opens, two numbers, two closes, the root's end
    /// # Ok::<(), patchwire::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`feed`](Self::feed).
    pub fn next_event<'p, 'c: 'p>(
        &'p mut self,
        rest: &mut &'c [u8],
    ) -> Result<Option<Event<'p>>, Error> {
        Ok(self.pull(rest)?.map(|(emission, text)| {
            let split = || self.intake.split_char.as_ref().map_or("", SplitChar::str);
            self.reader.event(&emission, text.unwrap_or_else(split), None)
        }))
    }

    /// The value so far, well-formed at any moment. [`exists`](ValueRef::exists) is false until the
    /// payload begins. Use [`settled`](ValueRef::settled) to leave out values that are still open.
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        match &self.ending.answer {
            Some(answer) => answer.value(),
            None => self.reader.fold.documents.all[0].value(),
        }
    }

    /// The document with this number, as in [`Patch::document`](crate::Patch::document).
    #[must_use]
    pub fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        match &self.ending.answer {
            Some(answer) => answer.document(id),
            None => self.reader.fold.documents.all.get(id.index()).map(Document::value),
        }
    }

    /// A copy of the value so far.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        self.value().to_value()
    }

    /// The tool calls so far that the model wrote as text, each with its name, its id and the arguments that have
    /// arrived; after the end those of [`Answer::calls`](crate::Answer::calls). A call appears once its name is known, and its arguments
    /// grow. [`Call::is_complete`] is false while it is being written. The schemas of
    /// [`SpecBuilder::tool`](crate::SpecBuilder::tool) give the arguments their types.
    ///
    /// The list is built on each call, in time proportional to the stream so far: ask for it where calls are shown,
    /// and not for each event. It changes nothing.
    ///
    /// ```
    /// use patchwire::{Spec, TagSet};
    ///
    /// let mut parser = Spec::builder().tags(TagSet::hermes_json()).build()?.parser();
    /// let mut seen = Vec::new();
    /// for chunk in ["<tool_call>{\"name\": \"we", "ather\", \"arguments\": {\"city\": \"Ro", "me\"}}</tool_call>"] {
    ///     parser.feed(chunk, |_| {})?;
    ///     seen.extend(parser.calls().iter().map(|call| format!("{} {}", call.name(), call.arguments())));
    /// }
    /// assert_eq!(seen, [r#"weather {"city":"Ro"}"#, r#"weather {"city":"Rome"}"#]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        match &self.ending.answer {
            Some(answer) => answer.calls().to_vec(),
            None => calls::so_far::of(&self.reader),
        }
    }

    /// The largest number of bytes outside the payload that are held back because they may become a
    /// marker.
    #[must_use]
    pub fn max_held(&self) -> usize {
        self.reader.router.as_ref().map_or(0, |router| router.tags().max_held())
    }

    /// The bytes that are held back, and why: layer by layer, the oldest bytes first. Empty when
    /// nothing is undecided, after the end of the stream, and after an error.
    ///
    /// The list is built on each call, which changes nothing. Call this between chunks: while events of a
    /// chunk are being pulled, the unread rest of the chunk is not in the list.
    ///
    /// ```
    /// use patchwire::{Spec, held::HeldBy};
    ///
    /// let mut parser = Spec::json().parser();
    /// parser.feed(r#"{"done": tr"#, |_| {})?;
    /// let held = parser.held();
    /// assert_eq!((held[0].by, held[0].from, &*held[0].bytes), (HeldBy::Word, 9, &b"tr"[..]));
    /// assert_eq!(held[0].could_be, ["true"]);
    ///
    /// parser.feed("ue, ", |_| {})?;
    /// assert!(parser.held().is_empty());
    /// # Ok::<(), patchwire::Error>(())
    /// ```
    #[must_use]
    pub fn held(&self) -> Vec<Held> {
        if self.ending.check_open(0).is_err() {
            return Vec::new();
        }
        let (reader, offset) = (&self.reader, self.intake.offset);
        let marker = reader.router.as_ref().and_then(|router| router.held(offset));
        let read = marker.as_ref().map_or(offset, |marker| marker.from);
        let emitted = reader.fold.outbox.last_end;
        let mut all: Vec<Held> = reader.fold.held().into_iter().collect();
        all.extend(reader.machines.held(emitted, read));
        all.extend(marker);
        all.extend(self.intake.carry.held(offset));
        all
    }

    /// Starts to record the tokens of the format, and the markers that turn out to be text. Events do not
    /// change.
    #[doc(hidden)]
    pub fn start_trace(&mut self) {
        self.reader.machines.token_log.start();
        if let Some(router) = &mut self.reader.router {
            router.find_literals();
        }
    }

    /// Takes the recorded markers that turned out to be text since the last call.
    #[doc(hidden)]
    pub fn take_literals(&mut self) -> Vec<LiteralMarker> {
        self.reader.router.as_mut().map(Router::take_literals).unwrap_or_default()
    }

    /// Takes the recorded tokens since the last call.
    #[doc(hidden)]
    pub fn take_tokens(&mut self) -> Vec<TokenRecord> {
        self.reader.machines.token_log.take()
    }

    /// Starts over with the same spec, for another stream.
    pub fn reset(&mut self) {
        *self = Self::new(self.reader.spec.clone());
    }

    fn fail(&mut self, kind: ErrorKind) -> Error {
        self.latch(Error::new(kind, self.reader.fold.outbox.last_end))
    }

    fn latch(&mut self, error: Error) -> Error {
        self.fast_path.next = NextChunk::General;
        *self.ending.failed.get_or_insert(error)
    }
}
