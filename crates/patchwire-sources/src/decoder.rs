//! Decodes one response body.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::delta::Delta;
use crate::end::{End, Stop};
use crate::error::{DecodeError, DecodeErrorKind, ProviderError, excerpt};
use crate::framing::{EVENT_BYTES, Framed, FramedEvent, Framing, TooLong};
use crate::protocol::{EndState, Protocol, Reader};
use crate::surrogates::{self, Halves};

/// The number of characters of an event that an error message quotes.
const EXCERPT: usize = 80;

/// The bytes of a body that may be without content, unless a decoder has another limit: 64 MiB. Models that hide
/// their reasoning send thousands of events without content, of a few hundred bytes each.
pub const EMPTY_BYTES: u64 = 64 << 20;

/// Decodes one response body. Bytes go in, cut anywhere; [`Delta`]s come out.
///
/// The decoder holds at most one event. It ignores events that do not belong to the answer, and unknown
/// fields of the other events, because providers add fields. An event that is no JSON object is skipped if
/// others were read before, and [`finish`](Self::finish) reports it. Events without a blank line between them
/// are read one line at a time.
#[derive(Debug, Clone)]
pub struct Decoder {
    framing: Framing,
    reader: Reader,
    limit: usize,
    fed: u64,
    /// The offset at which the last event ended.
    read: u64,
    /// How many bytes before this offset were without content.
    empty: u64,
    empty_limit: u64,
    /// The offset of the first event with an error or a refusal.
    trouble: Option<u64>,
    end_state: EndState,
    /// Whether an event was read.
    has_events: bool,
    /// The first event that was skipped.
    skipped: Option<DecodeError>,
    halves: Halves,
    /// The numbers of the calls so far.
    calls: BTreeSet<u32>,
    call_limit: usize,
    state: State,
}

/// The calls of a body, unless another limit is set.
const CALLS: usize = 10_000;

#[derive(Debug, Clone)]
enum State {
    Open,
    Finished,
    Broken(DecodeError),
}

impl Decoder {
    /// A decoder for a body in this protocol.
    #[must_use]
    pub fn new(protocol: Protocol) -> Self {
        Self::with_limit(protocol, EVENT_BYTES)
    }

    /// A decoder with another limit on the size of one event, in bytes.
    #[must_use]
    pub fn with_limit(protocol: Protocol, limit: usize) -> Self {
        Self {
            framing: Framing::new(protocol.framing(), limit),
            reader: Reader::new(protocol),
            limit,
            fed: 0,
            read: 0,
            empty: 0,
            empty_limit: EMPTY_BYTES,
            trouble: None,
            end_state: EndState::default(),
            has_events: false,
            skipped: None,
            halves: Halves::default(),
            calls: BTreeSet::new(),
            call_limit: CALLS,
            state: State::Open,
        }
    }

    /// Sets how many bytes without content a body may have in all: comments, and events that add nothing to the
    /// answer. Unless it is set, the limit is [`EMPTY_BYTES`].
    #[must_use]
    pub const fn with_empty_limit(mut self, limit: u64) -> Self {
        self.empty_limit = limit;
        self
    }

    /// This decoder with another limit on the tool calls of the body. Default: 10,000.
    #[must_use]
    pub const fn with_call_limit(mut self, calls: usize) -> Self {
        self.call_limit = calls;
        self
    }

    /// This decoder for another choice than the first: `n` of OpenAI's chat completions asks for several. The other
    /// choices are ignored.
    ///
    /// ```
    /// use patchwire_sources::{Decoder, Delta, Protocol};
    ///
    /// let mut decoder = Decoder::new(Protocol::OpenAiChat).with_choice(1);
    /// let mut texts = Vec::new();
    /// let event = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"no\"}},{\"index\":1,\"delta\":{\"content\":\"yes\"}}]}\n\n";
    /// decoder.feed(event.as_bytes(), |delta| texts.push(delta))?;
    /// assert_eq!(texts, [Delta::Text("yes".to_owned())]);
    /// # Ok::<(), patchwire_sources::DecodeError>(())
    /// ```
    #[must_use]
    pub const fn with_choice(mut self, choice: u32) -> Self {
        self.reader.choose(choice);
        self
    }

    /// Decodes the next bytes of the body.
    ///
    /// # Errors
    /// The first event is not a JSON object, an event is too long, the body has too many bytes without content, or it
    /// has too many tool calls; later calls return this error again. The body was finished before.
    pub fn feed(
        &mut self,
        chunk: &[u8],
        mut on_delta: impl FnMut(Delta),
    ) -> Result<(), DecodeError> {
        self.check()?;
        self.fed += chunk.len() as u64;
        let mut rest = chunk;
        while let Some(framed) = self.framing.next(&mut rest) {
            let end = self.fed - rest.len() as u64;
            let data = framed.as_ref().map_or(0, |framed| framed.data.len() as u64);
            // What stands between events is without content, even before an event that has some.
            self.add_empty((end - self.read).saturating_sub(data))?;
            let mut has_content = false;
            let result = self.event(framed, &mut |delta: Delta| {
                has_content |= delta.has_content();
                on_delta(delta);
            });
            if let Err(kind) = result {
                self.refuse(kind)?;
            }
            if !has_content {
                self.add_empty(data)?;
            }
            self.read = end;
        }
        // An event that has begun may have content: it is not counted yet, and has a limit of its own.
        let begun = (self.fed - self.read).saturating_sub(self.limit as u64);
        self.check_empty(begun)
    }

    fn add_empty(&mut self, bytes: u64) -> Result<(), DecodeError> {
        self.check_empty(bytes)?;
        self.empty += bytes;
        Ok(())
    }

    fn check_empty(&mut self, more: u64) -> Result<(), DecodeError> {
        let limit = self.empty_limit;
        if self.empty + more <= limit {
            return Ok(());
        }
        self.refuse(DecodeErrorKind::Empty { limit })
    }

    /// Ends the body. Decodes the last event, and returns how the stream ended.
    ///
    /// # Errors
    /// The decoder failed before, or was finished before; or an event was skipped, because it is no JSON
    /// object. If the end of the connection cut an event, the result is [`End::Cut`] and no error.
    pub fn finish(&mut self, mut on_delta: impl FnMut(Delta)) -> Result<End, DecodeError> {
        self.check()?;
        self.state = State::Finished;
        if let Some(framed) = self.framing.finish() {
            // Some servers leave out the blank line behind the last event.
            let _cut = self.event(framed, &mut on_delta);
        }
        self.halves.finish(&mut on_delta);
        let end = self.end();
        self.skipped.take().map_or(Ok(end), Err)
    }

    /// Whether the provider closed the stream.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.end_state.closed
    }

    /// The offset of the first event in which the provider reports an error or the model refuses, in bytes
    /// from the start of the body. None if there is no such event.
    #[must_use]
    pub const fn trouble_at(&self) -> Option<u64> {
        self.trouble
    }

    /// Bytes of the event that has begun and is not complete. The chunk that completes it decodes all of them at once.
    ///
    /// ```
    /// use patchwire_sources::{Decoder, Protocol};
    ///
    /// let mut decoder = Decoder::new(Protocol::Ollama);
    /// decoder.feed(b"{\"response\":\"a\"}\n{\"resp", |_| {})?;
    /// assert_eq!(decoder.pending_bytes(), 6);
    /// # Ok::<(), patchwire_sources::DecodeError>(())
    /// ```
    #[must_use]
    pub const fn pending_bytes(&self) -> u64 {
        self.fed - self.read
    }

    fn end(&mut self) -> End {
        let EndState { stop, closed, error } = core::mem::take(&mut self.end_state);
        match (error, stop) {
            (Some(error), _) => End::Failed(error),
            (None, stop) if closed => End::Closed(stop.unwrap_or(Stop::End)),
            (None, stop) => End::Cut(stop),
        }
    }

    fn event(
        &mut self,
        framed: Framed,
        on_delta: &mut dyn FnMut(Delta),
    ) -> Result<(), DecodeErrorKind> {
        let framed = framed.map_err(|TooLong| DecodeErrorKind::TooLong { limit: self.limit })?;
        match Content::of(&framed.data) {
            Ok(content) => self.take(&content, &framed, on_delta),
            Err(kind) => self.lines(&framed, kind, on_delta)?,
        }
        if self.calls.len() > self.call_limit {
            return Err(DecodeErrorKind::TooManyCalls { limit: self.call_limit });
        }
        Ok(())
    }

    /// Reads an event that is no JSON object: an error in words, or events without blank lines between them.
    fn lines(
        &mut self,
        framed: &FramedEvent,
        kind: DecodeErrorKind,
        on_delta: &mut dyn FnMut(Delta),
    ) -> Result<(), DecodeErrorKind> {
        if framed.is_error {
            self.end_state.error = Some(ProviderError::in_words(&framed.data));
            self.trouble.get_or_insert(self.read);
            return Ok(());
        }
        let lines: Vec<_> = framed.data.lines().map(Content::of).collect();
        if !lines.iter().any(|line| matches!(line, Ok(Content::Object { .. } | Content::Done))) {
            return Err(kind);
        }
        let mut first_error = Ok(());
        for line in lines {
            match line {
                Ok(content) => self.take(&content, framed, on_delta),
                Err(kind) => first_error = first_error.and(Err(kind)),
            }
        }
        first_error
    }

    fn take(&mut self, content: &Content, framed: &FramedEvent, on_delta: &mut dyn FnMut(Delta)) {
        let Self { reader, end_state, halves, calls, .. } = self;
        let mut refuses = false;
        let mut out = |delta: Delta, has_halves| {
            refuses |= matches!(delta, Delta::Refusal(_));
            if let Delta::Call(call) = &delta {
                calls.insert(call.index);
            }
            halves.join(delta, has_halves, on_delta);
        };
        match content {
            Content::Blank => {}
            Content::Done => reader.closed(end_state, &mut |delta| out(delta, false)),
            Content::Object { event, has_halves } => {
                self.has_events = true;
                reader.event(event, end_state, &mut |delta| out(delta, *has_halves));
                if framed.is_error && end_state.error.is_none() {
                    let found = ProviderError::find(event);
                    end_state.error = found.or_else(|| Some(ProviderError::in_words(&framed.data)));
                }
            }
        }
        if refuses || self.end_state.error.is_some() || self.end_state.stop == Some(Stop::Refusal) {
            self.trouble.get_or_insert(self.read);
        }
    }

    /// Skips an event, or ends with an error.
    fn refuse(&mut self, kind: DecodeErrorKind) -> Result<(), DecodeError> {
        let error = DecodeError { offset: self.read, kind };
        if self.has_events && matches!(error.kind, DecodeErrorKind::NotJson { .. }) {
            self.skipped.get_or_insert(error);
            return Ok(());
        }
        self.state = State::Broken(error.clone());
        Err(error)
    }

    fn check(&self) -> Result<(), DecodeError> {
        match &self.state {
            State::Open => Ok(()),
            State::Finished => Err(DecodeError { offset: self.fed, kind: DecodeErrorKind::Over }),
            State::Broken(error) => Err(error.clone()),
        }
    }
}

/// The data of one event.
enum Content {
    /// The end of the stream.
    Done,
    /// An event that keeps the connection alive.
    Blank,
    Object {
        event: Json,
        /// Whether private characters stand for halves of characters.
        has_halves: bool,
    },
}

impl Content {
    fn of(data: &str) -> Result<Self, DecodeErrorKind> {
        match data.trim() {
            "[DONE]" => return Ok(Self::Done),
            "" => return Ok(Self::Blank),
            _ => {}
        }
        let not_json =
            |reason: String| DecodeErrorKind::NotJson { reason, excerpt: excerpt(data, EXCERPT) };
        let mut has_halves = false;
        let event: Result<Json, _> = serde_json::from_str(data).or_else(|error| {
            let mended = surrogates::mended(data).ok_or(error)?;
            has_halves = mended.has_halves;
            serde_json::from_str(&mended.json)
        });
        let event = event.map_err(|error| not_json(error.to_string()))?;
        if !event.is_object() {
            return Err(not_json("another value".to_owned()));
        }
        Ok(Self::Object { event, has_halves })
    }
}
