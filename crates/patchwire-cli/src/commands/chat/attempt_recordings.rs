//! Recordings of the attempts of `patchwire chat`.

use std::path::PathBuf;
use std::time::Instant;

use patchwire_chat::sources::Delta;

use crate::args::ChatArgs;
use crate::recording_writer::{self, RecordError, RecordingWriter};
use crate::request_setup::RequestError;

/// Writes one line for each attempt, if `--record` is given.
///
/// A recording holds what the model wrote. An attempt without text that broke off or only called
/// tools therefore has no line; an attempt that ended without text has a line without deltas.
pub(super) struct AttemptRecordings {
    file: Option<PathBuf>,
    words: [String; 3],
    began: Instant,
    recording: Option<RecordingWriter>,
    /// The provider reported why the model stopped.
    is_done: bool,
    calls: bool,
    /// Why recording stopped.
    failed: Option<RecordError>,
}

impl AttemptRecordings {
    pub(super) fn new(args: &ChatArgs) -> Result<Self, RequestError> {
        let protocol = args.request.endpoint()?.protocol();
        let words = [args.request.model.clone(), protocol.to_string(), "text".to_owned()];
        let file = args.record.file().cloned();
        // Checked before a request costs anything.
        file.as_deref().map_or(Ok(()), recording_writer::check_writable)?;
        Ok(Self {
            file,
            words,
            began: Instant::now(),
            recording: None,
            is_done: false,
            calls: false,
            failed: None,
        })
    }

    /// Begins another attempt.
    pub(super) fn next(&mut self) -> Result<(), RequestError> {
        self.finish()?;
        (self.began, self.is_done, self.calls) = (Instant::now(), false, false);
        Ok(())
    }

    /// Takes a delta. Only the answer's text is recorded.
    pub(super) fn hear(&mut self, delta: &Delta) {
        match delta {
            Delta::Text(text) => {
                let written = self.write(text);
                self.failed = self.failed.take().or_else(|| written.err());
            }
            Delta::Call(_) => self.calls = true,
            Delta::Fact { name: "stop_reason", .. } => self.is_done = true,
            _ => {}
        }
    }

    fn write(&mut self, text: &str) -> Result<(), RecordError> {
        self.begin()?;
        self.recording.as_mut().map_or(Ok(()), |recording| recording.chunk(text.as_bytes(), None))
    }

    /// Begins a line, unless one is open.
    fn begin(&mut self) -> Result<(), RecordError> {
        let Some(file) = self.file.as_deref().filter(|_| self.recording.is_none()) else {
            return Ok(());
        };
        self.recording = Some(RecordingWriter::open(file, self.words.clone())?.since(self.began));
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<(), RequestError> {
        if self.is_done && !self.calls {
            self.begin()?;
        }
        if let Some(mut recording) = self.recording.take() {
            recording.finish()?;
        }
        self.is_done = false;
        self.failed.take().map_or(Ok(()), |error| Err(error.into()))
    }
}
