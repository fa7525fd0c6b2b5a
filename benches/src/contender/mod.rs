//! The readers that are measured, one adapter each, all with one face.
//!
//! An adapter decides nothing: it feeds chunks and adds up what comes back, so that no work can be
//! left out. Every reader that streams must find the same text; tests hold them to it.

mod actson;
mod jiter;
mod jsonmodem;
mod once;
mod partial_json_fixer;
mod patchwire;
mod picojson;

pub use self::actson::Actson;
pub use self::jiter::{Jiter, JiterPrefix};
pub use self::jsonmodem::Jsonmodem;
pub use self::once::{SerdeIgnored, SerdeTree, SimdJson, SonicRs};
pub use self::partial_json_fixer::PartialJsonFixer;
pub use self::patchwire::{Patchwire, Reading};
pub use self::picojson::Picojson;

use core::hint::black_box;

/// What a run found. Adding it up is what keeps a run from being optimised away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Found {
    /// Things told: events, or snapshots where there are no events.
    pub events: u64,
    /// Bytes of string values, unescaped, keys not counted. Readers without events: 0.
    pub text: u64,
    /// Lengths of whatever else was told: keys, paths, numbers, roots.
    pub other: u64,
}

impl Found {
    /// One event, which told so much text and so much else.
    pub const fn tell(&mut self, text: usize, other: usize) {
        self.events += 1;
        self.text += text as u64;
        self.other += other as u64;
    }

    /// All of it in one number, which the compiler must work out whether it is used or not.
    pub fn checksum(self) -> u64 {
        black_box(self.events ^ self.text.rotate_left(21) ^ self.other.rotate_left(42))
    }
}

/// How a reader goes about a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Manner {
    /// It reads each byte once and tells what it finds at once.
    Streams,
    /// It reads everything again after each chunk.
    Rereads,
    /// It collects the chunks and reads once, at the end.
    Waits,
}

/// A reader and how it is set up.
pub trait Contender {
    /// The name, as tables print it.
    fn name(&self) -> &'static str;

    /// What a caller gets for the time.
    fn gives(&self) -> &'static str;

    /// How it goes about a stream.
    fn manner(&self) -> Manner;

    /// Reads a whole stream in chunks of `size` bytes, from a new parser to the end.
    fn read(&self, input: &str, size: usize) -> Found;
}

/// All of them, patchwire's plain row first.
#[must_use]
pub fn all() -> Vec<Box<dyn Contender>> {
    vec![
        Box::new(Patchwire::lenient()),
        Box::new(Patchwire::strict()),
        Box::new(Patchwire::with_value()),
        Box::new(Patchwire::owned()),
        Box::new(Actson),
        Box::new(Picojson),
        Box::new(Jsonmodem),
        Box::new(JiterPrefix),
        Box::new(PartialJsonFixer),
        Box::new(SerdeTree),
        Box::new(SerdeIgnored),
        Box::new(SimdJson),
        Box::new(SonicRs),
        Box::new(Jiter),
    ]
}

#[cfg(test)]
mod tests;
