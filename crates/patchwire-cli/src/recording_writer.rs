//! Writes a stream to a recording while it is read, with its cuts and times.
//!
//! Each chunk is one write of a [`LinePart`](patchwire_async::sources::LinePart). The file is therefore
//! complete after every chunk, even if the command is killed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use patchwire_async::sources::RecordingLine;

/// A recording cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the recording {name}: {error}")]
pub(crate) struct RecordError {
    name: String,
    error: io::Error,
}

/// Writes one line of a recording, which grows with each chunk.
pub(crate) struct RecordingWriter {
    name: String,
    file: File,
    began: Instant,
    /// Length of the file before this line.
    start: u64,
    /// Offset of this line.
    at: u64,
    line: RecordingLine,
    written: Option<Instant>,
}

/// Each write repeats all times. When they are longer than this, writes happen less often.
const TIMES: usize = 1 << 16;
const SELDOM: Duration = Duration::from_millis(100);

impl RecordingWriter {
    /// Begins a line at the end of a file. `words` are the source, the provider and the kind.
    pub(crate) fn open(path: &Path, words: [String; 3]) -> Result<Self, RecordError> {
        let name = path.display().to_string();
        match begin(path, words) {
            Ok((file, start, at, line)) => {
                Ok(Self { name, file, began: Instant::now(), start, at, line, written: None })
            }
            Err(error) => Err(RecordError { name, error }),
        }
    }

    /// Sets the moment from which times count: when the request was sent.
    #[cfg(feature = "chat")]
    pub(crate) fn since(mut self, began: Instant) -> Self {
        self.began = began;
        self
    }

    /// Adds a chunk that arrived at `at`, or now. A code point that the chunk cuts goes into the
    /// next delta.
    pub(crate) fn chunk(&mut self, bytes: &[u8], at: Option<Duration>) -> Result<(), RecordError> {
        self.line.chunk(bytes, at.unwrap_or_else(|| self.began.elapsed()));
        let is_due = self.written.is_none_or(|written| written.elapsed() >= SELDOM);
        if self.line.repeated() < TIMES || is_due { self.write() } else { Ok(()) }
    }

    /// Writes what is left. Call this to learn of write errors: dropping ignores them.
    pub(crate) fn finish(&mut self) -> Result<(), RecordError> {
        self.line.finish(self.began.elapsed());
        self.write()
    }

    /// Like [`finish`](Self::finish), but removes the line if it has no deltas.
    pub(crate) fn finish_or_remove(&mut self) -> Result<(), RecordError> {
        self.finish()?;
        if !self.line.is_empty() {
            return Ok(());
        }
        let taken_back = self.file.set_len(self.start);
        taken_back.map_err(|error| RecordError { name: self.name.clone(), error })
    }

    fn write(&mut self) -> Result<(), RecordError> {
        self.try_write().map_err(|error| RecordError { name: self.name.clone(), error })
    }

    fn try_write(&mut self) -> io::Result<()> {
        let Some(part) = self.line.part() else { return Ok(()) };
        self.file.seek(SeekFrom::Start(self.at + part.offset as u64))?;
        self.file.write_all(part.text.as_bytes())?;
        self.written = Some(Instant::now());
        Ok(())
    }
}

impl Drop for RecordingWriter {
    fn drop(&mut self) {
        // `finish` reports this error to callers who need it.
        let _ = self.finish();
    }
}

/// Checks that lines can be added to a file. Creates the file if it does not exist.
#[cfg(feature = "chat")]
pub(crate) fn check_writable(path: &Path) -> Result<(), RecordError> {
    let opened = open(path).map(drop);
    opened.map_err(|error| RecordError { name: path.display().to_string(), error })
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Opens a file and writes a line without deltas. Returns the file, its old length, the offset of the
/// line, and the line.
fn begin(path: &Path, words: [String; 3]) -> io::Result<(File, u64, u64, RecordingLine)> {
    let mut file = open(path)?;
    let end = file.seek(SeekFrom::End(0))?;
    let seam = if end > 0 && !ends_a_line(&mut file)? { "\n" } else { "" };
    let (line, text) = RecordingLine::begin(words.each_ref().map(String::as_str));
    file.seek(SeekFrom::Start(end))?;
    file.write_all(format!("{seam}{text}").as_bytes())?;
    Ok((file, end, end + seam.len() as u64, line))
}

fn ends_a_line(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Whether two paths name the same file. Recording a recording into itself would never end.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
