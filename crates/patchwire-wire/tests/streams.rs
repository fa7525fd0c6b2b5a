//! Inputs in pieces, through the engine, into a protocol.

use patchwire::{Event, Parser, Spec};
use patchwire_wire::{Message, Protocol};
use serde_json::Value;

/// Where an input is cut.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cuts {
    Whole,
    Bytes,
    Random(u64),
}

impl Cuts {
    pub(crate) const ALL: [Self; 4] =
        [Self::Whole, Self::Bytes, Self::Random(1), Self::Random(0xfeed)];

    pub(crate) fn of(self, mut input: &[u8]) -> Vec<&[u8]> {
        let mut state = match self {
            Self::Whole => return vec![input],
            Self::Bytes => return input.chunks(1).collect(),
            Self::Random(seed) => seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        };
        let mut pieces = Vec::new();
        while !input.is_empty() {
            // Xorshift: one to nine bytes, as tokens are.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let (piece, rest) = input.split_at(input.len().min(1 + (state % 9) as usize));
            pieces.push(piece);
            input = rest;
        }
        pieces
    }
}

/// What a stream came to.
pub(crate) struct Messages {
    pub(crate) messages: Vec<Message>,
    /// The value that the engine gives; none where serde_json has no such value, for its numbers or its
    /// depth.
    pub(crate) want: Option<Value>,
    /// The same as text.
    pub(crate) want_text: String,
    /// Whether it ended well.
    pub(crate) is_whole: bool,
}

/// Reads an input and tells it in a protocol.
pub(crate) fn written(
    spec: &Spec,
    input: &[u8],
    cuts: Cuts,
    mut protocol: impl Protocol,
) -> Messages {
    let mut messages = Vec::new();
    let (parser, answer) = read(spec, input, cuts, |event| {
        protocol.feed(event.into(), &mut |message| messages.push(message));
    });
    let (want_text, is_whole) = match answer {
        Ok(answer) => (answer.value().to_string(), true),
        Err(error) => {
            protocol.fail(&error.into(), &mut |message| messages.push(message));
            (parser.value().to_string(), false)
        }
    };
    Messages { messages, want: serde_json::from_str(&want_text).ok(), want_text, is_whole }
}

pub(crate) fn read(
    spec: &Spec,
    input: &[u8],
    cuts: Cuts,
    mut sink: impl FnMut(Event<'_>),
) -> (Parser, Result<patchwire::Answer, patchwire::Error>) {
    let mut parser = spec.parser();
    for piece in cuts.of(input) {
        if let Err(error) = parser.feed(piece, &mut sink) {
            return (parser, Err(error));
        }
    }
    let answer = parser.finish(&mut sink);
    (parser, answer)
}
