//! One machine per payload format: text in, flat tokens out.

pub(crate) mod body;
pub(crate) mod fields;
pub(crate) mod json;
pub(crate) mod sections;
pub(crate) mod text;
mod watched;
pub(crate) mod xml;
pub(crate) mod xml_field;
pub(crate) mod yaml;

use core::any::Any;

use crate::error::Error;
use crate::held::Held;
use crate::lex::{Input, Slice, Token};
pub use watched::Seen;
use watched::Watched;

/// A format: reads the text of a payload and what is around it, and emits what it finds.
///
/// A machine eats all of its input, one token at a time; what it cannot decide yet it keeps. It knows
/// no paths. This is the seam through which a format comes into the engine.
pub trait Machine: core::fmt::Debug + Send + Sync {
    /// The next token; none when the input is used up.
    ///
    /// # Errors
    /// If the text is not of the format and the machine is strict, or a limit is hit.
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error>;

    /// Whether the stream stands in a string, with nothing to emit, so that a chunk may be
    /// [`plain`](Self::plain).
    fn is_plain(&self) -> bool {
        false
    }

    /// Reads a chunk that is nothing but text of the open string, blanks at its end aside, so that
    /// the next may be plain too. None, and nothing is read, if it is anything else, or may be. Text
    /// that was held and goes before it is joined with it in `joint`.
    ///
    /// Called only while the machine [is plain](Self::is_plain).
    fn plain(&mut self, _chunk: &str, _end: u64, _joint: &mut String) -> Option<Plain> {
        None
    }

    /// The next token that the end of the input makes; none when there is no more.
    ///
    /// # Errors
    /// If the machine is strict and the payload is not whole.
    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error>;

    /// The payload's container was closed by somebody else, here: the next token of what that makes.
    /// None when there is no more.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    fn close(&mut self, end: u64) -> Result<Option<Token>, Error> {
        self.finish(end)
    }

    /// An element begins or ends here: the next token of what was held back because of what might
    /// have followed. None when nothing is held.
    fn interrupt(&mut self, _end: u64) -> Option<Token> {
        None
    }

    /// Text that tokens name by [`Slice::Buffer`].
    fn buffer(&self) -> &str {
        ""
    }

    /// A chunk is used up, and all its tokens are emitted: what is no state is forgotten, so that
    /// machines that will do the same compare equal.
    fn forget(&mut self) {}

    /// Whether the machine is inside a payload, where markers are data.
    fn is_inside(&self) -> bool;

    /// Whether what the machine is inside of may yet turn out to be text and no payload.
    fn is_undecided(&self) -> bool {
        false
    }

    /// Whether the machine is inside a string, where nothing ends the element round it.
    fn hides(&self) -> bool {
        false
    }

    /// Payloads that began so far.
    fn payloads(&self) -> u32 {
        0
    }

    /// The mark and the length of the fence that the text stands in.
    fn fence(&self) -> Option<(u8, u16)> {
        None
    }

    /// Where in the stream that began which a fence hid that was never closed, and a machine that
    /// reads it from there.
    fn hidden(&self) -> Option<(u64, Box<dyn Machine>)> {
        None
    }

    /// The element round the payload ended, and all of the payload is emitted: what comes is outside it.
    fn leave(&mut self) {}

    /// Whether it is sure that there is no token before more input comes.
    fn is_drained(&self) -> bool {
        false
    }

    /// The input is about to go while tokens are left: those that name it must name the buffer.
    fn settle(&mut self, _input: &str) {}

    /// What is held back, the oldest first: the last event ended at `emitted`, what was read at `end`.
    fn held(&self, _emitted: u64, _end: u64) -> Vec<Held> {
        Vec::new()
    }

    /// A copy.
    fn boxed(&self) -> Box<dyn Machine>;

    /// Whether the other machine is the same in the same state.
    fn same(&self, other: &dyn Machine) -> bool;

    /// The machine as its own type, for [`same`](Self::same).
    fn as_any(&self) -> &dyn Any;
}

/// What of a chunk is certain that is text of the open string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plain {
    /// So many of its bytes; those behind them are held.
    pub len: usize,
    /// Text that was held comes before them: `joint` is both.
    pub joined: bool,
}

impl Clone for Box<dyn Machine> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// The format of one parser.
#[derive(Debug)]
pub(crate) enum Format {
    Json(Box<json::JsonFormat>),
    Custom(Box<dyn Machine>),
    Watched(Box<Watched>),
}

impl Format {
    fn machine(&self) -> &dyn Machine {
        match self {
            Self::Json(json) => &**json,
            Self::Custom(machine) => &**machine,
            Self::Watched(watched) => watched.format.machine(),
        }
    }

    pub(crate) fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        match self {
            Self::Json(json) => json.step(input),
            Self::Custom(machine) => machine.step(input),
            Self::Watched(watched) => watched.step(input),
        }
    }

    pub(crate) fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        match self {
            Self::Json(json) => json.finish(end),
            Self::Custom(machine) => machine.finish(end),
            Self::Watched(watched) => watched.finish(end),
        }
    }

    pub(crate) fn interrupt(&mut self, end: u64) -> Option<Token> {
        match self {
            Self::Json(json) => json.interrupt(end),
            Self::Custom(machine) => machine.interrupt(end),
            Self::Watched(watched) => watched.interrupt(end),
        }
    }

    pub(crate) fn hides(&self) -> bool {
        match self {
            Self::Json(json) => json.hides(),
            Self::Custom(machine) => machine.hides(),
            Self::Watched(watched) => watched.format.hides(),
        }
    }

    pub(crate) fn payloads(&self) -> u32 {
        self.machine().payloads()
    }

    pub(crate) fn fence(&self) -> Option<(u8, u16)> {
        self.machine().fence()
    }

    pub(crate) fn leave(&mut self) {
        match self {
            Self::Json(json) => json.leave(),
            Self::Custom(machine) => machine.leave(),
            Self::Watched(watched) => watched.format.leave(),
        }
    }

    pub(crate) fn is_drained(&self) -> bool {
        match self {
            Self::Json(json) => json.is_drained(),
            Self::Custom(machine) => machine.is_drained(),
            Self::Watched(watched) => watched.format.is_drained(),
        }
    }

    pub(crate) fn settle(&mut self, input: &str) {
        match self {
            Self::Json(json) => json.settle(input),
            Self::Custom(machine) => machine.settle(input),
            Self::Watched(watched) => watched.format.settle(input),
        }
    }

    pub(crate) fn forget(&mut self) {
        match self {
            Self::Json(json) => json.forget(),
            Self::Custom(machine) => machine.forget(),
            Self::Watched(watched) => watched.format.forget(),
        }
    }

    pub(crate) fn is_inside(&self) -> bool {
        match self {
            Self::Json(json) => json.is_inside(),
            Self::Custom(machine) => machine.is_inside(),
            Self::Watched(watched) => watched.format.is_inside(),
        }
    }

    pub(crate) fn is_undecided(&self) -> bool {
        self.machine().is_undecided()
    }

    /// Text that tokens name by [`Slice::Buffer`].
    pub(crate) fn buffer(&self) -> &str {
        self.machine().buffer()
    }

    /// The text a slice names, in `input` or in the machine's buffer.
    pub(crate) fn resolve<'a>(&'a self, slice: Slice, input: &'a str) -> &'a str {
        slice.of(input, self.buffer())
    }

    /// The JSON machine's record of other candidates, if it is that machine.
    pub(crate) fn candidates(&self) -> Option<json::Candidates> {
        match self {
            Self::Json(json) => Some(json.candidates()),
            Self::Custom(_) => None,
            Self::Watched(watched) => watched.format.candidates(),
        }
    }

    /// What a fence that was never closed hid.
    pub(crate) fn hidden(&self) -> Option<(u64, Self)> {
        let (start, machine) = self.machine().hidden()?;
        Some((start, Self::Custom(machine)))
    }

    /// Where the root that is the answer ended, once it did.
    pub(crate) fn answer_end(&self) -> Option<u64> {
        match self {
            Self::Json(json) => json.answer_end(),
            Self::Custom(_) => None,
            Self::Watched(watched) => watched.format.answer_end(),
        }
    }

    pub(crate) fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        self.machine().held(emitted, end)
    }

    pub(crate) fn watch(&mut self) {
        if !matches!(self, Self::Watched(_)) {
            let format = self.clone();
            *self = Self::Watched(Box::new(Watched { format, seen: Vec::new() }));
        }
    }

    pub(crate) fn take_seen(&mut self) -> Vec<Seen> {
        match self {
            Self::Watched(watched) => core::mem::take(&mut watched.seen),
            Self::Json(_) | Self::Custom(_) => Vec::new(),
        }
    }
}

impl Clone for Format {
    fn clone(&self) -> Self {
        match self {
            Self::Json(json) => Self::Json(json.clone()),
            Self::Custom(machine) => Self::Custom(machine.boxed()),
            Self::Watched(watched) => Self::Watched(watched.clone()),
        }
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Json(one), Self::Json(other)) => one == other,
            (Self::Custom(one), Self::Custom(other)) => one.same(&**other),
            (Self::Watched(one), Self::Watched(other)) => one.format == other.format,
            _ => false,
        }
    }
}
