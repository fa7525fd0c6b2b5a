//! The parser of one stream: bytes in, events out.

mod apart;
mod beside;
mod elements;
mod ending;
mod entry;
mod events;
mod joined;
mod looking;
mod parts;
mod prose;
mod quick;
mod routing;
mod tokens;

use bytes::Bytes;
use bytestring::ByteString;

use crate::answer::Answer;
use crate::codes::Code;
use crate::document::{DocId, Document, Value, ValueRef};
use crate::error::{Error, ErrorKind};
use crate::event::{Event, Flow};
use crate::finalize::TextPart;
use crate::fold::{Emission, Fold};
use crate::format::body::Body;
use crate::format::{FormatMachine, Region, TokenLog};
use crate::lex::Input;
use crate::lex::json::Pace;
use crate::limits::Limit;
use crate::notice::OwnedNotice;
use crate::span::Span;
use crate::spec::{Settings, Spec, Strictness};
use crate::tags::{Act, Router, RouterStart};
use crate::text::{Carry, Piece};
use crate::transcript::Transcript;
use apart::Apart;
use ending::Stage;
use joined::Joined;
use parts::CutBody;
use quick::{Joint, Open};
use routing::Segment;

/// The parser of one stream.
///
/// [`feed`](Self::feed) takes bytes in any cuts and emits events; [`finish`](Self::finish) closes the
/// stream and gives the [`Answer`]. [`next_event`](Self::next_event) and
/// [`next_final_event`](Self::next_final_event) are the same, one event at a time, for callers that
/// want `?`, `break` or `.await` between events.
///
/// A parser is a value: it can be cloned in the middle of a stream, and two parsers of one spec are
/// equal if and only if they will do the same with what comes.
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
    spec: Spec,
    carry: Carry,
    /// A code point that a chunk cut, or U+FFFD, and how much of it was read: pulled events only.
    joined: Option<Joined>,
    /// Bytes taken in as text.
    offset: u64,
    /// Bytes fed.
    fed: u64,
    router: Option<Router>,
    segment: Segment,
    /// No marker begins before this offset: known of the chunk being read only.
    cleared: u64,
    /// What a marker did that is being emitted.
    act: Option<Act>,
    /// The elements that are open, the innermost last.
    open_elements: Vec<u32>,
    /// The body of the innermost element that has one, and its number.
    body: Option<(u32, Body)>,
    /// Those around it, the innermost last.
    bodies: Vec<(u32, Body)>,
    /// It was noted that the body that is being closed was not whole.
    cut_body: Option<CutBody>,
    /// Texts of elements that closed, for the finalizer.
    parts: Vec<TextPart>,
    format: FormatMachine,
    token_log: TokenLog,
    fold: Fold,
    transcript: Transcript,
    /// Where what hid markers to the end of the input began.
    beside: Option<u64>,
    /// Texts that turned out to be of another channel.
    reclassified: Vec<Span>,
    apart: Apart,
    raw: Option<Vec<u8>>,
    notices: Vec<OwnedNotice>,
    notice_count: u64,
    notice_limit: u64,
    /// Bytes of paths that notices may still keep.
    notice_room: usize,
    total_limit: u64,
    stage: Stage,
    failed: Option<Error>,
    answer: Option<Answer>,
    lane: Open,
    joint: Joint,
}

/// Bytes of paths that the notices of an answer keep in all. Those past it are counted, as those past
/// the limit on notices are: a path may be as long as the text.
const MOST_NOTICE_PATHS: usize = 256 << 10;

/// Most bytes that are checked at a time where events are pulled: each call checks what it reads.
const PULL_WINDOW: usize = 1024;

impl Parser {
    pub(crate) fn new(spec: Spec) -> Self {
        let settings: &Settings = &spec.0;
        let limits = &settings.json.limits;
        let format = match &settings.machine {
            Some(machine) => FormatMachine::Other(machine.boxed()),
            None => Self::format_of(settings),
        };
        let schema = settings.json.schema.clone();
        let start_in = settings.start_in;
        let start =
            RouterStart { start_in, bare_from: settings.bare_from, keep_runs: settings.keep_raw };
        let router = |tags| Router::new(tags, start);
        let mut parser = Self {
            carry: Carry::default(),
            joined: None,
            offset: 0,
            fed: 0,
            router: settings.tags.clone().map(router),
            segment: Segment::None,
            cleared: 0,
            act: None,
            open_elements: Vec::new(),
            body: None,
            bodies: Vec::new(),
            cut_body: None,
            parts: Vec::new(),
            format,
            token_log: TokenLog::default(),
            fold: Fold::new(schema, limits, settings.keep_value, settings.seed.clone()),
            transcript: settings.tags.as_ref().map_or_else(Transcript::default, |tags| {
                Transcript::new(tags.names(), !settings.keep_value && !settings.keep_raw)
            }),
            beside: None,
            reclassified: Vec::new(),
            apart: Apart::default(),
            raw: settings.keep_raw.then(Vec::new),
            notices: Vec::new(),
            notice_count: 0,
            notice_room: MOST_NOTICE_PATHS,
            notice_limit: limits.get(Limit::Notices),
            total_limit: limits.get(Limit::Total),
            stage: Stage::Feeding,
            failed: None,
            answer: None,
            lane: Open::default(),
            joint: Joint::default(),
            spec,
        };
        parser.fold.watch(&parser.spec.0.checks, parser.spec.0.json.rules);
        if let Some(family) = start_in {
            parser.begin_inside(family);
        }
        parser
    }

    /// Takes in a chunk and emits what it decides. The sink returns nothing, or whether to go on.
    ///
    /// # Errors
    /// A limit, a flaw under strict reading, or that the sink stopped. The error is kept: every
    /// later call returns it, and [`value`](Self::value) still shows what was read.
    #[inline(always)]
    pub fn feed<R: Flow>(
        &mut self,
        chunk: impl AsRef<[u8]>,
        on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        self.feed_chunk(chunk.as_ref(), None, on_event)
    }

    /// The same for a shared buffer: [`Text::to_shared`](crate::Text::to_shared) then slices it
    /// instead of copying.
    ///
    /// # Errors
    /// As [`feed`](Self::feed).
    pub fn feed_bytes<R: Flow>(
        &mut self,
        chunk: Bytes,
        on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        match ByteString::try_from(chunk.clone()) {
            Ok(buffer) => self.feed_chunk(&chunk, Some(&buffer), on_event),
            // A code point is cut, or bytes are not UTF-8: the text is copied where it is owned.
            Err(_) => self.feed_chunk(&chunk, None, on_event),
        }
    }

    /// Reads a chunk, whatever it holds and wherever the stream stands.
    #[inline(never)]
    pub(super) fn feed_slowly<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        let (taken, over) = self.admit(chunk)?;
        if !self.feed_admitted(taken, buffer, on_event)? {
            return Err(self.fail(ErrorKind::Cancelled));
        }
        self.forget();
        over.map_or(Ok(()), |error| Err(self.latch(error)))
    }

    /// Reads bytes that are counted. Whether the sink wants more.
    fn feed_admitted<R: Flow>(
        &mut self,
        bytes: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        match core::str::from_utf8(bytes) {
            Ok(text) if self.carry.is_empty() => self.feed_run(text, buffer, on_event),
            _ => self.feed_pieces(bytes, buffer, on_event),
        }
    }

    /// Bytes that begin or end within a code point, or are not UTF-8.
    fn feed_pieces<R: Flow>(
        &mut self,
        mut rest: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        let mut read = false;
        while let Some(piece) = self.carry.next(&mut rest) {
            read = true;
            if !self.feed_piece(piece, buffer, on_event)? {
                return Ok(false);
            }
        }
        if read {
            return Ok(true);
        }
        // Nothing but the start of a code point: what was read before it is emitted.
        self.drain(&mut Input::new("", self.offset), None, on_event)
    }

    /// Reads a run of text. Whether the sink wants more.
    fn feed_run<R: Flow>(
        &mut self,
        text: &str,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        let mut input = Input::new(text, self.offset);
        self.offset += text.len() as u64;
        self.drain(&mut input, buffer, on_event)
    }

    /// The chunk is emitted: what is no state is forgotten, so that states compare.
    fn forget(&mut self) {
        self.cleared = 0;
        self.format.get_mut().canonicalize();
        if let Some((_, body)) = &mut self.body {
            body.machine.get_mut().canonicalize();
        }
        let inside = self.open_elements.is_empty() && self.format.position().is_inside();
        let undecided = self.format.position().region == Region::Candidate;
        let payloads = self.payloads();
        if let Some(router) = &mut self.router {
            if inside {
                router.in_payload(undecided);
            }
            if let Some((payloads, _)) = payloads {
                router.rest(payloads);
            }
            router.canonicalize();
        }
        self.lane = self.lane_here();
    }

    /// What of a chunk the limit on the total lets in; the error that comes after it.
    #[inline]
    fn admit<'c>(&mut self, chunk: &'c [u8]) -> Result<(&'c [u8], Option<Error>), Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if !matches!(self.stage, Stage::Feeding) {
            return Err(Error::new(ErrorKind::Finished, self.fed));
        }
        let (taken, over) = self.fitting(chunk);
        self.fed += taken.len() as u64;
        if let Some(raw) = &mut self.raw {
            raw.extend_from_slice(taken);
        }
        Ok((taken, over))
    }

    /// What of a chunk the limit on the total has room for.
    #[inline]
    fn fitting<'c>(&self, chunk: &'c [u8]) -> (&'c [u8], Option<Error>) {
        let room = self.total_limit - self.fed;
        if chunk.len() as u64 <= room {
            return (chunk, None);
        }
        let error = Error::new(ErrorKind::Limit(Limit::Total), self.total_limit);
        (&chunk[..room as usize], Some(error))
    }

    fn feed_piece<R: Flow>(
        &mut self,
        piece: Piece<'_>,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        match piece {
            Piece::Run(text) => self.feed_run(text, buffer, on_event),
            Piece::Joined { char, len } => {
                self.feed_joined(Joined::new(char, len, false), on_event)
            }
            Piece::Replaced { len } => {
                // What was read before it is emitted first.
                let mut nothing = Input::new("", self.offset);
                if !self.drain(&mut nothing, None, on_event)? {
                    return Ok(false);
                }
                self.refuse_invalid(len)?;
                self.feed_joined(Joined::new(char::REPLACEMENT_CHARACTER, len, true), on_event)
            }
        }
    }

    fn feed_joined<R: Flow>(
        &mut self,
        joined: Joined,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        let mut input = self.joined_input(&joined);
        self.offset += u64::from(joined.raw);
        self.drain(&mut input, None, on_event)
    }

    fn joined_input<'j>(&self, joined: &'j Joined) -> Input<'j> {
        if joined.replaced {
            Input::replaced(joined.str(), self.offset, joined.raw)
        } else {
            Input::new(joined.str(), self.offset)
        }
    }

    /// Bytes that are not UTF-8: an error or a notice.
    fn refuse_invalid(&mut self, len: u8) -> Result<(), Error> {
        if self.spec.0.strictness == Strictness::Strict {
            return Err(self.latch(Error::new(ErrorKind::InvalidUtf8, self.offset)));
        }
        let span = Span::new(self.offset, self.offset + u64::from(len));
        self.fold.notice(Code::InvalidUtf8, span);
        Ok(())
    }

    /// Tells all events of one run. Whether the sink wants more.
    #[inline(never)]
    fn drain<R: Flow>(
        &mut self,
        input: &mut Input<'_>,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        loop {
            match self.drain_quick(input, buffer, on_event)? {
                None => return Ok(false),
                Some(Pace::Done) => return Ok(true),
                Some(_) => {}
            }
            if self.is_read_up(input) {
                return Ok(true);
            }
            let Some(emission) = self.advance(input)? else { return Ok(true) };
            if !on_event(self.event(&emission, input.text(), buffer)).goes_on() {
                return Ok(false);
            }
        }
    }

    /// The next event of a chunk, whose cursor is the caller's; none when the chunk is used up.
    ///
    /// Deltas are cut at about a thousand bytes, so that each call checks no more than it reads.
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
    /// As [`feed`](Self::feed).
    pub fn next_event<'p, 'c: 'p>(
        &'p mut self,
        rest: &mut &'c [u8],
    ) -> Result<Option<Event<'p>>, Error> {
        match self.pull(rest)? {
            None => Ok(None),
            Some((emission, Some(text))) => Ok(Some(self.event(&emission, text, None))),
            Some((emission, None)) => {
                let text = self.joined.as_ref().map_or("", Joined::str);
                Ok(Some(self.event(&emission, text, None)))
            }
        }
    }

    /// The next event, and the text it names if that lies in the chunk.
    fn pull<'c>(
        &mut self,
        rest: &mut &'c [u8],
    ) -> Result<Option<(Emission, Option<&'c str>)>, Error> {
        self.lane = Open::default();
        loop {
            if let Some(found) = self.pull_joined()? {
                return Ok(Some((found, None)));
            }
            if let Some(error) = self.failed {
                return Err(error);
            }
            if rest.is_empty() {
                let mut nothing = Input::new("", self.offset);
                let emission = self.advance(&mut nothing)?;
                if emission.is_none() {
                    self.forget();
                }
                return Ok(emission.map(|emission| (emission, Some(""))));
            }
            let window = &rest[..rest.len().min(PULL_WINDOW)];
            let (taken, over) = self.admit_pulled(window)?;
            let mut left = taken;
            let Some(piece) = self.carry.next(&mut left) else {
                self.take_pulled(rest, taken.len());
                if let Some(error) = over {
                    // What was read before it is emitted first.
                    let mut nothing = Input::new("", self.offset);
                    if let Some(emission) = self.advance(&mut nothing)? {
                        return Ok(Some((emission, Some(""))));
                    }
                    return Err(self.latch(error));
                }
                continue;
            };
            match piece {
                Piece::Run(text) => {
                    let mut input = Input::new(text, self.offset);
                    let emission = self.advance(&mut input)?;
                    self.settle(text);
                    let read = input.pos;
                    self.offset += read as u64;
                    self.take_pulled(rest, read);
                    if let Some(emission) = emission {
                        return Ok(Some((emission, Some(text))));
                    }
                }
                Piece::Joined { char, len } => {
                    self.take_pulled(rest, taken.len() - left.len());
                    self.joined = Some(Joined::new(char, len, false));
                }
                Piece::Replaced { len } => {
                    self.take_pulled(rest, taken.len() - left.len());
                    self.joined = Some(Joined::new(char::REPLACEMENT_CHARACTER, len, true));
                }
            }
        }
    }

    /// Reads on in a code point that stands alone.
    fn pull_joined(&mut self) -> Result<Option<Emission>, Error> {
        let Some(mut joined) = self.joined else { return Ok(None) };
        if joined.replaced && !joined.noted {
            // What was read before it is emitted first.
            let mut nothing = Input::new("", self.offset);
            if let Some(emission) = self.advance(&mut nothing)? {
                return Ok(Some(emission));
            }
            self.refuse_invalid(joined.raw)?;
            joined.noted = true;
            self.joined = Some(joined);
        }
        let mut input = self.joined_input(&joined);
        input.pos = usize::from(joined.read);
        let emission = self.advance(&mut input)?;
        if emission.is_some() {
            let read = input.pos as u8;
            self.joined = Some(Joined { read, ..joined });
        } else {
            self.offset += u64::from(joined.raw);
            self.joined = None;
        }
        Ok(emission)
    }

    /// What of a window the limit on the total lets in. Nothing is counted yet.
    fn admit_pulled<'c>(&self, window: &'c [u8]) -> Result<(&'c [u8], Option<Error>), Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.stage != Stage::Feeding {
            return Err(Error::new(ErrorKind::Finished, self.fed));
        }
        Ok(self.fitting(window))
    }

    /// Moves the caller's cursor over what was read.
    fn take_pulled(&mut self, rest: &mut &[u8], len: usize) {
        let (taken, after) = rest.split_at(len);
        self.fed += len as u64;
        if let Some(raw) = &mut self.raw {
            raw.extend_from_slice(taken);
        }
        *rest = after;
    }

    /// The value so far: well-formed at any moment. Absent until the payload begins. Without what is still
    /// open in it: [`settled`](ValueRef::settled).
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        match &self.answer {
            Some(answer) => answer.value(),
            None => self.fold.documents.all[0].value(),
        }
    }

    /// A document by the number its patches carry.
    #[must_use]
    pub fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        match &self.answer {
            Some(answer) => answer.document(id),
            None => self.fold.documents.all.get(id.index()).map(Document::value),
        }
    }

    /// A copy of the value so far.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        self.value().to_value()
    }

    /// Most bytes of text outside the payload that are held back to see whether they are a marker.
    #[must_use]
    pub fn max_held(&self) -> usize {
        self.router.as_ref().map_or(0, |router| router.tags().max_held())
    }

    /// Ready for another stream of the same spec.
    pub fn reset(&mut self) {
        *self = Self::new(self.spec.clone());
    }

    fn fail(&mut self, kind: ErrorKind) -> Error {
        self.latch(Error::new(kind, self.fold.outbox.last_end))
    }

    fn latch(&mut self, error: Error) -> Error {
        self.lane = Open::default();
        *self.failed.get_or_insert(error)
    }
}
