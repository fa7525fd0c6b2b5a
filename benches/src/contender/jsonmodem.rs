//! jsonmodem: owned events with path and fragment, the nearest in kind.

use core::fmt::Debug;
use core::hint::black_box;

use jsonmodem::{ParseEvent, ParserOptions, StreamingParser};

use super::{Contender, Found, Manner};
use crate::chunks::str_chunks;

/// jsonmodem as its options are by default.
#[derive(Debug, Clone, Copy)]
pub struct Jsonmodem;

impl Contender for Jsonmodem {
    fn name(&self) -> &'static str {
        "jsonmodem 0.1.0"
    }

    fn gives(&self) -> &'static str {
        "owned path, fragment"
    }

    fn manner(&self) -> Manner {
        Manner::Streams
    }

    fn read(&self, input: &str, size: usize) -> Found {
        let mut parser = StreamingParser::new(ParserOptions::default());
        let mut found = Found::default();
        for chunk in str_chunks(input, size) {
            parser.feed(chunk);
            add(&mut found, &mut parser);
        }
        add(&mut found, parser.finish());
        found
    }
}

fn add<E: Debug>(found: &mut Found, events: impl IntoIterator<Item = Result<ParseEvent, E>>) {
    for event in events {
        let event = event.expect("inputs are valid JSON");
        match black_box(&event) {
            ParseEvent::String { path, fragment, .. } => found.tell(fragment.len(), path.len()),
            ParseEvent::Null { path }
            | ParseEvent::Boolean { path, .. }
            | ParseEvent::Number { path, .. }
            | ParseEvent::ArrayStart { path }
            | ParseEvent::ArrayEnd { path, .. }
            | ParseEvent::ObjectBegin { path }
            | ParseEvent::ObjectEnd { path, .. } => found.tell(0, path.len()),
        }
    }
}
