//! Payload formats: one machine per format, from text to flat tokens.

pub(crate) mod body;
pub(crate) mod fields;
pub(crate) mod json;
pub(crate) mod row;
pub(crate) mod sections;
mod table;
pub(crate) mod text;
mod tokens;
pub(crate) mod xml;
pub(crate) mod xml_field;
pub(crate) mod yaml;

use core::any::Any;
use core::fmt;

use crate::error::Error;
use crate::held::Held;
use crate::lex::{Input, Slice, Token};
pub use table::Format;
pub(crate) use table::STANDARD;
pub(crate) use tokens::TokenLog;
pub use tokens::TokenRecord;

/// The resumable state machine of one payload format: it reads text and returns tokens.
///
/// A machine consumes all of its input, one token at a time, and keeps what it cannot decide yet. It
/// knows neither paths nor schemas. Implementing this trait adds a format to the engine.
pub trait Machine: MachineObject {
    /// The next token; none when the input is used up.
    ///
    /// # Errors
    /// A syntax error under strict reading, or a limit.
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error>;

    /// The next token that the end of the input makes; none when there is no more.
    ///
    /// # Errors
    /// Under strict reading, if the payload is incomplete.
    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error>;

    /// The next token that the closer of the enclosing element makes; none when there is no more.
    ///
    /// # Errors
    /// The errors of [`finish`](Self::finish).
    fn close(&mut self, end: u64) -> Result<Option<Token>, Error> {
        self.finish(end)
    }

    /// The next token of the held bytes, when a marker at `end` decides them; none when nothing is held.
    fn interrupt(&mut self, _end: u64) -> Option<Token> {
        None
    }

    /// The text that [`Slice::Buffer`] refers to.
    fn buffer(&self) -> &str {
        ""
    }

    /// The position between two tokens.
    fn position(&self) -> Position;

    /// Reads a chunk that is one run of text of the open string, apart from whitespace at its end. `None`,
    /// with nothing read, if the chunk may be anything else.
    ///
    /// `end` is the stream offset of the chunk's end. If held text precedes the run, `scratch` gets both,
    /// joined. Called only while [`Position::takes_runs`] is true.
    fn text_run(&mut self, _chunk: &str, _end: u64, _scratch: &mut String) -> Option<TextRun> {
        None
    }

    /// Notes that short prose without a space before or behind it was read, which ends at this stream offset; see
    /// [`AfterRun::Prose`].
    fn pass_prose(&mut self, _end: u64) {}

    /// Reads a chunk of short prose like [`text_run`](Self::text_run); see [`AfterRun::Prose`].
    fn prose_run(&mut self, prose: &str, end: u64, scratch: &mut String) -> Option<TextRun> {
        self.text_run(prose, end, scratch)
    }

    /// If an unclosed code fence swallowed text: the offset where that text began, and a machine to
    /// read it again from there.
    fn hidden_payload(&self) -> Option<(u64, Box<dyn Machine>)> {
        None
    }

    /// Prepares for text after the payload: the element around the payload ended, and all tokens of the
    /// payload were emitted.
    fn leave(&mut self) {}

    /// Copies the text of pending tokens from `input` into the machine's buffer, before the input is
    /// dropped.
    fn own_pending_text(&mut self, _input: &str) {}

    /// Clears data that depends on chunk boundaries, such as buffers of emitted text. Called at the end of
    /// a chunk, so that machines that will make equal tokens compare equal.
    fn canonicalize(&mut self) {}

    /// The held bytes, the oldest first. The last event ended at `emitted`; the machine has read up to
    /// `end`.
    fn held(&self, _emitted: u64, _end: u64) -> Vec<Held> {
        Vec::new()
    }
}

/// Cloning, comparing and printing of boxed machines. Every `Clone + PartialEq + Debug` machine implements it.
pub trait MachineObject: Any + Send + Sync {
    /// A boxed clone.
    fn boxed(&self) -> Box<dyn Machine>;

    /// Whether the other machine has this one's type and state.
    fn is_same(&self, other: &dyn Machine) -> bool;

    /// Prints the state. Without the feature `debug` it prints only the word `Machine`.
    ///
    /// # Errors
    /// If the formatter cannot write.
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<T: Machine + Clone + PartialEq + fmt::Debug> MachineObject for T {
    fn boxed(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }

    fn is_same(&self, other: &dyn Machine) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>() == Some(self)
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if cfg!(feature = "debug") { self.fmt(f) } else { f.write_str("Machine") }
    }
}

impl fmt::Debug for dyn Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.debug(f)
    }
}

impl Clone for Box<dyn Machine> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// The position of a machine between two tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The part of the stream that the next byte belongs to.
    pub region: Region,
    /// Whether no token can come before more input. False if that is not certain.
    pub drained: bool,
    /// Whether the machine is in the text of a string with nothing pending, so that the next chunk may be
    /// one [run of text](Machine::text_run).
    pub takes_runs: bool,
    /// The payloads found so far; none if the machine reads no text around payloads.
    pub payloads: Option<Payloads>,
}

impl Position {
    /// A position in a region where more tokens may be pending and no payload was counted.
    #[must_use]
    pub const fn at(region: Region) -> Self {
        let payloads = Some(Payloads { begun: 0, fence: None });
        Self { region, drained: false, takes_runs: false, payloads }
    }

    /// Whether the machine is inside a payload or a candidate.
    #[must_use]
    pub const fn is_inside(&self) -> bool {
        !matches!(self.region, Region::Outside)
    }
}

/// The part of the stream around the position. It decides which markers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Region {
    /// Text around payloads, where every marker counts.
    Outside,
    /// A candidate, which may turn out to be text.
    Candidate,
    /// A payload, where only the closer of the enclosing element counts.
    Payload,
    /// A string or a section, where markers are data.
    String,
}

/// The payloads of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payloads {
    /// The number of payloads that have begun.
    pub begun: u32,
    /// The character and the length of the code fence around the text.
    pub fence: Option<(u8, u16)>,
}

/// How much of a chunk is certainly text of the open string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRun {
    /// The number of bytes in the run. The bytes after it are held.
    pub len: usize,
    /// Whether held text comes before the run: then the scratch string contains both.
    pub in_scratch: bool,
    /// How the next chunk may be read.
    pub then: AfterRun,
}

impl TextRun {
    /// A run that is the whole chunk. Nothing is held.
    pub(crate) const fn whole(chunk: &str) -> Self {
        let then = AfterRun::Prose { holds_space: false };
        Self { len: chunk.len(), in_scratch: false, then }
    }
}

/// How the chunk behind a run of text may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterRun {
    /// By the machine.
    Any,
    /// Without the machine, if it is short prose: one to eight bytes of ASCII without control characters and `<`, with at
    /// most one space at the end. The machine gets [`pass_prose`](Machine::pass_prose), or
    /// [`prose_run`](Machine::prose_run) where a space comes before the prose or ends it.
    Prose {
        /// Whether the machine holds a space.
        holds_space: bool,
    },
}

/// The machine of a spec's format. The JSON machine keeps its type: its fast path is static, and it
/// keeps a record of other candidates.
#[derive(Debug, Clone)]
pub(crate) enum FormatMachine {
    Json(Box<json::JsonFormat>),
    Other(Box<dyn Machine>),
}

impl FormatMachine {
    #[inline]
    pub(crate) fn get(&self) -> &dyn Machine {
        match self {
            Self::Json(json) => &**json,
            Self::Other(machine) => &**machine,
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut dyn Machine {
        match self {
            Self::Json(json) => &mut **json,
            Self::Other(machine) => &mut **machine,
        }
    }

    #[inline]
    pub(crate) fn position(&self) -> Position {
        match self {
            Self::Json(json) => json.position(),
            Self::Other(machine) => machine.position(),
        }
    }

    #[inline]
    pub(crate) fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        match self {
            Self::Json(json) => json.step(input),
            Self::Other(machine) => machine.step(input),
        }
    }

    /// The text of a slice, in `input` or in the machine's buffer.
    pub(crate) fn resolve<'a>(&'a self, slice: Slice, input: &'a str) -> &'a str {
        slice.of(input, self.get().buffer())
    }

    /// The other roots that the JSON machine found; none for other machines.
    pub(crate) fn candidates(&self) -> Option<json::Candidates> {
        match self {
            Self::Json(json) => Some(json.candidates()),
            Self::Other(_) => None,
        }
    }

    /// The offset where the JSON root that is the answer ended; none before that.
    pub(crate) fn answer_end(&self) -> Option<u64> {
        match self {
            Self::Json(json) => json.answer_end(),
            Self::Other(_) => None,
        }
    }

    /// Text that an unclosed code fence swallowed: see [`Machine::hidden_payload`].
    pub(crate) fn hidden_payload(&self) -> Option<(u64, Self)> {
        let (start, machine) = self.get().hidden_payload()?;
        Some((start, Self::Other(machine)))
    }
}

impl PartialEq for FormatMachine {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Json(one), Self::Json(other)) => one == other,
            (Self::Other(one), Self::Other(other)) => one.is_same(&**other),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::internals::{Input, XmlBody};

    #[test]
    fn machines_are_the_same_with_the_same_state() {
        let one = XmlBody::any().machine();
        let mut other = one.clone();
        assert!(one.is_same(&*other));
        other.step(&mut Input::new("<a>", 0)).unwrap();
        assert!(!one.is_same(&*other));
    }
}
