//! picojson: events without paths, out of a buffer that the caller lends.

use picojson::{BitStackStruct, Event, ParseError, PushParseError, PushParser, PushParserHandler};

use super::{Contender, Found, Manner};
use crate::chunks::chunks;

/// picojson's push parser, with room for sixty-four levels.
#[derive(Debug, Clone, Copy)]
pub struct Picojson;

/// Longer than any string of the inputs: it refuses those that do not fit.
const SCRATCH: usize = 16 << 10;

impl Contender for Picojson {
    fn name(&self) -> &'static str {
        "picojson"
    }

    fn gives(&self) -> &'static str {
        "events, no path; a string when it closes"
    }

    fn manner(&self) -> Manner {
        Manner::Streams
    }

    fn read(&self, input: &str, size: usize) -> Found {
        let mut scratch = [0; SCRATCH];
        let parser = PushParser::<_, BitStackStruct<u64, u8>>::new(Adder::default(), &mut scratch);
        read(parser, input, size).expect("inputs are valid JSON").0
    }
}

fn read<'input>(
    mut parser: PushParser<'input, '_, Adder, BitStackStruct<u64, u8>>,
    input: &'input str,
    size: usize,
) -> Result<Adder, PushParseError<ParseError>> {
    for chunk in chunks(input.as_bytes(), size) {
        parser.write(chunk)?;
    }
    parser.finish()
}

/// Adds up what is told.
#[derive(Debug, Default)]
struct Adder(Found);

impl<'input, 'scratch> PushParserHandler<'input, 'scratch, ParseError> for Adder {
    fn handle_event(&mut self, event: Event<'input, 'scratch>) -> Result<(), ParseError> {
        match event {
            Event::String(text) => self.0.tell(text.as_str().len(), 0),
            Event::Key(key) => self.0.tell(0, key.as_str().len()),
            Event::Number(number) => self.0.tell(0, number.as_str().len()),
            _ => self.0.tell(0, 0),
        }
        Ok(())
    }
}
