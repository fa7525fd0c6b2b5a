//! actson: events without paths; a string comes whole, when it closes.

use actson::feeder::PushJsonFeeder;
use actson::{JsonEvent, JsonParser};

use super::{Contender, Found, Manner};
use crate::chunks::chunks;

/// actson with its feeder for pushed bytes.
#[derive(Debug, Clone, Copy)]
pub struct Actson;

impl Contender for Actson {
    fn name(&self) -> &'static str {
        "actson"
    }

    fn gives(&self) -> &'static str {
        "events, no path; a string when it closes"
    }

    fn manner(&self) -> Manner {
        Manner::Streams
    }

    fn read(&self, input: &str, size: usize) -> Found {
        let mut parser = JsonParser::new(PushJsonFeeder::new());
        let mut found = Found::default();
        for mut chunk in chunks(input.as_bytes(), size) {
            // Its buffer has a size of its own: a long chunk goes in by parts.
            while !chunk.is_empty() {
                let taken = parser.feeder.push_bytes(chunk);
                chunk = &chunk[taken..];
                drain(&mut parser, &mut found);
            }
        }
        parser.feeder.done();
        drain(&mut parser, &mut found);
        found
    }
}

/// Takes events until more input is wanted, or none is left.
fn drain(parser: &mut JsonParser<PushJsonFeeder>, found: &mut Found) {
    while let Some(event) = parser.next_event().expect("inputs are valid JSON") {
        match event {
            JsonEvent::NeedMoreInput => return,
            JsonEvent::ValueString => found.tell(current(parser), 0),
            JsonEvent::FieldName | JsonEvent::ValueInt | JsonEvent::ValueFloat => {
                found.tell(0, current(parser));
            }
            _ => found.tell(0, 0),
        }
    }
}

fn current(parser: &JsonParser<PushJsonFeeder>) -> usize {
    parser.current_str().expect("inputs are UTF-8").len()
}
