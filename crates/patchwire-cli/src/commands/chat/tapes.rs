//! The recordings of the attempts.

use std::path::PathBuf;

use patchwire_chat::sources::Delta;

use crate::args::ChatArgs;
use crate::asking::AskingError;
use crate::recording::{RecordError, Tape};

/// A line for each attempt, if any are to be made.
pub(super) struct Tapes {
    file: Option<PathBuf>,
    words: [String; 3],
    tape: Option<Tape>,
    /// Why no more is written.
    failed: Option<RecordError>,
}

impl Tapes {
    pub(super) fn new(args: &ChatArgs) -> Result<Self, AskingError> {
        let protocol = args.asking.endpoint()?.protocol();
        let words = [args.asking.model.clone(), protocol.to_string(), "text".to_owned()];
        let file = args.record.file().cloned();
        let mut tapes = Self { file, words, tape: None, failed: None };
        tapes.next()?;
        Ok(tapes)
    }

    /// Another attempt begins.
    pub(super) fn next(&mut self) -> Result<(), AskingError> {
        self.finish()?;
        if let Some(file) = &self.file {
            self.tape = Some(Tape::open(file, self.words.clone())?);
        }
        Ok(())
    }

    /// The text of the answer is recorded, and nothing beside it.
    pub(super) fn hear(&mut self, delta: &Delta) {
        let Delta::Text(text) = delta else { return };
        let written = self.tape.as_mut().map_or(Ok(()), |tape| tape.piece(text.as_bytes(), None));
        self.failed = self.failed.take().or_else(|| written.err());
    }

    pub(super) fn finish(&mut self) -> Result<(), AskingError> {
        if let Some(mut tape) = self.tape.take() {
            tape.finish()?;
        }
        self.failed.take().map_or(Ok(()), |error| Err(error.into()))
    }
}
