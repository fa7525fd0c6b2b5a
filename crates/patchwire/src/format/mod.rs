//! Payload formats: one machine for each, from text to flat tokens.

pub(crate) mod body;
pub(crate) mod fields;
pub(crate) mod json;
pub(crate) mod sections;
pub(crate) mod text;
mod tokens;
pub(crate) mod xml;
pub(crate) mod xml_field;
pub(crate) mod yaml;

use core::any::Any;

use crate::error::Error;
use crate::held::Held;
use crate::lex::{Input, Slice, Token};
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

    /// The next token that the end of the enclosing element makes, where its closer was read; none
    /// when there is no more.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    fn close(&mut self, end: u64) -> Result<Option<Token>, Error> {
        self.finish(end)
    }

    /// The next token of what is held back, when a marker follows at `end` and decides it; none when
    /// nothing is held.
    fn interrupt(&mut self, _end: u64) -> Option<Token> {
        None
    }

    /// The text that tokens name by [`Slice::Buffer`].
    fn buffer(&self) -> &str {
        ""
    }

    /// Where the machine stands between two tokens.
    fn position(&self) -> Position;

    /// Reads a chunk that is one run of text of the open string, whitespace at its end aside. None,
    /// with nothing read, if the chunk may be anything else.
    ///
    /// `end` is the chunk's end in the stream. Held text that precedes the run is put into `scratch`
    /// together with it. Called only where [`Position::takes_runs`] holds.
    fn text_run(&mut self, _chunk: &str, _end: u64, _scratch: &mut String) -> Option<TextRun> {
        None
    }

    /// If an unclosed code fence swallowed text: the offset where that text began, and a machine to
    /// read it again from there.
    fn hidden_payload(&self) -> Option<(u64, Box<dyn Machine>)> {
        None
    }

    /// The element around the payload ended, and all tokens of the payload were emitted: the text
    /// that follows is outside it.
    fn leave(&mut self) {}

    /// Copies the text that pending tokens name in `input` into the machine's own buffer, because
    /// the input is about to go.
    fn own_pending_text(&mut self, _input: &str) {}

    /// Clears what does not depend on the stream alone, such as buffers of emitted text: called at the end
    /// of a chunk, so that machines that will do the same compare equal.
    fn canonicalize(&mut self) {}

    /// What is held back, the oldest first. The last event ended at `emitted`; `end` is the end of
    /// what was read.
    fn held(&self, _emitted: u64, _end: u64) -> Vec<Held> {
        Vec::new()
    }
}

/// What a boxed machine needs to be cloned and compared; every `Clone + PartialEq` machine has it.
pub trait MachineObject: Any + core::fmt::Debug + Send + Sync {
    /// A copy.
    fn boxed(&self) -> Box<dyn Machine>;

    /// Whether the other machine is of the same type and in the same state.
    fn is_same(&self, other: &dyn Machine) -> bool;
}

impl<T: Machine + Clone + PartialEq> MachineObject for T {
    fn boxed(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }

    fn is_same(&self, other: &dyn Machine) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>() == Some(self)
    }
}

impl Clone for Box<dyn Machine> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// Where a machine stands between two tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The part of the stream that the next byte belongs to.
    pub region: Region,
    /// Whether it is certain that no token comes before more input does.
    pub drained: bool,
    /// Whether the machine stands in the text of a string with nothing pending, so that the next chunk
    /// may be one [run of text](Machine::text_run).
    pub takes_runs: bool,
    /// The payloads found so far; none for a machine that reads no text around payloads.
    pub payloads: Option<Payloads>,
}

impl Position {
    /// A position in a region where more tokens may be pending and no payload was counted.
    #[must_use]
    pub const fn at(region: Region) -> Self {
        let payloads = Some(Payloads { begun: 0, fence: None });
        Self { region, drained: false, takes_runs: false, payloads }
    }

    /// Whether the machine is inside a payload, or in what may be one.
    #[must_use]
    pub const fn is_inside(&self) -> bool {
        !matches!(self.region, Region::Outside)
    }
}

/// The part of a stream that a machine stands in. It decides which markers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Region {
    /// Text around payloads, where every marker counts.
    Outside,
    /// What may still turn out to be text and no payload.
    Candidate,
    /// A payload, where only the end of the enclosing element counts.
    Payload,
    /// A string or a section, where markers are data.
    String,
}

/// The payloads of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payloads {
    /// How many began so far.
    pub begun: u32,
    /// The character and the length of the code fence that the text stands in.
    pub fence: Option<(u8, u16)>,
}

/// How much of a chunk is certainly text of the open string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRun {
    /// Bytes of the chunk; those after them are held.
    pub len: usize,
    /// Whether held text comes first: the scratch string then holds both.
    pub in_scratch: bool,
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

    /// The text a slice names, in `input` or in the machine's buffer.
    pub(crate) fn resolve<'a>(&'a self, slice: Slice, input: &'a str) -> &'a str {
        slice.of(input, self.get().buffer())
    }

    /// The other roots that the JSON machine saw; none for another machine.
    pub(crate) fn candidates(&self) -> Option<json::Candidates> {
        match self {
            Self::Json(json) => Some(json.candidates()),
            Self::Other(_) => None,
        }
    }

    /// Where the JSON root that is the answer ended, once it did.
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
