//! The receiver of the events of one stream.

use std::io;

use patchwire::Event;
use patchwire_async::ResponseEvent;
use serde_json::{Map, Value as Json};

/// Receives what is read from a stream, in order. An error stops reading.
pub(crate) trait Sink {
    /// Takes an event of a parser, which borrows from the chunk.
    fn event(&mut self, event: Event<'_>) -> io::Result<()>;

    /// Takes an event of a response body, which owns its data. A sink that never reads a body can keep
    /// the default, which ignores the event.
    fn owned(&mut self, _event: &ResponseEvent) -> io::Result<()> {
        Ok(())
    }

    /// Takes the provider's facts (usage, stop reason, model), once, just before the last event.
    fn facts(&mut self, _facts: &Map<String, Json>) -> io::Result<()> {
        Ok(())
    }

    /// Called after the last event of each chunk.
    fn chunk_done(&mut self) -> io::Result<()> {
        Ok(())
    }
}
