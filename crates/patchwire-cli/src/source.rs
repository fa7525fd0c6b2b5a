//! Reads files, stdin and recordings, chunk by chunk.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use patchwire_async::sources::{Protocol, Recording};

use crate::args::InputForm;
#[cfg(feature = "batch")]
use crate::batch::{ColumnTexts, TableError, TableForm};
use crate::chunk_sizes::ChunkSizes;
use crate::output;
use crate::recording_writer::{self, RecordError, RecordingWriter};
use crate::whole_body;

/// Why no more bytes can be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    #[error("cannot read {name}: {error}; give a file, or `-` for stdin")]
    Read { name: String, error: io::Error },
    #[error(
        "{name} is no recording: line {line}, at byte {offset}: {reason}; each line must be an object \
         like {{\"deltas\": [\"…\", …]}}; for other input, leave out `--input recording`"
    )]
    NotARecording { name: String, line: usize, offset: u64, reason: String },
    #[cfg(feature = "watch")]
    #[error("{name} has no stream on line {line}")]
    NoSuchLine { name: String, line: usize },
    #[error(transparent)]
    Record(#[from] RecordError),
    #[cfg(feature = "batch")]
    #[error(transparent)]
    Table(Box<TableError>),
    #[error("{name} cannot be recorded into itself: give `--record` another file")]
    RecordsItself { name: String },
}

/// The streams of one input: one, or one for each line of a recording.
pub(crate) enum Source {
    /// Text, or a response body in a protocol.
    Raw {
        name: String,
        reader: Option<Box<dyn Read + Send>>,
        protocol: Option<Protocol>,
    },
    Recording {
        name: String,
        lines: Box<dyn BufRead + Send>,
        line: usize,
        offset: u64,
    },
    /// A column of a table, of which each row is a stream.
    #[cfg(feature = "batch")]
    Table {
        name: String,
        texts: Box<ColumnTexts>,
    },
}

/// No file, and `-`, mean stdin.
fn is_stdin(file: Option<&Path>) -> bool {
    file.is_none_or(|file| file == Path::new("-"))
}

/// The inputs of a command: its files, or stdin.
pub(crate) fn inputs(files: &[PathBuf]) -> Vec<Option<&PathBuf>> {
    if files.is_empty() { vec![None] } else { files.iter().map(Some).collect() }
}

/// The name of an input in messages.
pub(crate) fn name_of(file: Option<&Path>) -> String {
    match file {
        Some(file) if !is_stdin(Some(file)) => file.display().to_string(),
        _ => "stdin".to_owned(),
    }
}

impl Source {
    pub(crate) fn open(file: Option<&PathBuf>, form: InputForm) -> Result<Self, SourceError> {
        let file = file.map(PathBuf::as_path);
        let name = name_of(file);
        let reader: Box<dyn Read + Send> = match file {
            Some(file) if !is_stdin(Some(file)) => match File::open(file) {
                Ok(file) => Box::new(file),
                Err(error) => return Err(SourceError::Read { name, error }),
            },
            _ => stdin(),
        };
        Ok(match form {
            InputForm::Recording => {
                let lines = Box::new(BufReader::new(reader));
                Self::Recording { name, lines, line: 0, offset: 0 }
            }
            InputForm::Auto => {
                let read = |error| SourceError::Read { name: name.clone(), error };
                let (protocol, reader) = detected(reader).map_err(read)?;
                Self::Raw { name, reader: Some(reader), protocol }
            }
            form => Self::Raw { name, reader: Some(reader), protocol: form.protocol() },
        })
    }

    /// The column of a table.
    #[cfg(feature = "batch")]
    pub(crate) fn of_column(file: &Path, column: &str) -> Result<Self, TableError> {
        let form = TableForm::of(file)?;
        let texts = Box::new(ColumnTexts::open(file, form, column)?);
        Ok(Self::Table { name: file.display().to_string(), texts })
    }

    /// The next stream; `None` after the last.
    pub(crate) fn next_stream(&mut self) -> Result<Option<Stream>, SourceError> {
        match self {
            Self::Raw { name, reader, protocol } => Ok(reader.take().map(|reader| {
                let name = Name { file: name.clone(), line: None };
                let chunks = Chunks::Read { reader, buffer: Vec::new() };
                let origin = protocol.map_or_else(Origin::default, Origin::of_body);
                Stream { name, origin, protocol: *protocol, chunks, recording: None }
            })),
            Self::Recording { name, lines, line, offset } => {
                let Some(recording) = next_recording(name, lines, line, offset)? else {
                    return Ok(None);
                };
                let Recording { deltas, times, kind, provider, source } = recording;
                let name = Name { file: name.clone(), line: Some(*line) };
                let origin = Origin { kind, provider, source };
                let chunks = Chunks::timed(deltas, times);
                Ok(Some(Stream { name, origin, protocol: None, chunks, recording: None }))
            }
            #[cfg(feature = "batch")]
            Self::Table { name, texts } => {
                let text = texts.next_text().map_err(|error| SourceError::Table(error.into()))?;
                Ok(text.map(|(row, text)| {
                    let mut stream = Stream::of(name, vec![text]);
                    stream.name.line = Some(row);
                    stream
                }))
            }
        }
    }

    /// The stream on a line of a recording. Without a line, the first stream.
    #[cfg(feature = "watch")]
    pub(crate) fn stream_on(&mut self, wanted: Option<usize>) -> Result<Stream, SourceError> {
        while let Some(stream) = self.next_stream()? {
            if wanted.is_none_or(|line| stream.name.line.unwrap_or(1) == line) {
                return Ok(stream);
            }
        }
        let name = match self {
            Self::Raw { name, .. } | Self::Recording { name, .. } => name,
            #[cfg(feature = "batch")]
            Self::Table { name, .. } => name,
        };
        Err(SourceError::NoSuchLine { name: name.clone(), line: wanted.unwrap_or(1) })
    }
}

/// The protocol that the beginning of a body tells, and a reader of the whole. None if it is no body. A body that
/// cannot be read gets a protocol as well, whose reader says what it is.
fn detected(
    mut reader: Box<dyn Read + Send>,
) -> io::Result<(Option<Protocol>, Box<dyn Read + Send>)> {
    let (mut begun, mut chunk) = (Vec::new(), vec![0; READ_BYTES]);
    while begun.len() < READ_BYTES {
        let len = reader.read(&mut chunk)?;
        begun.extend_from_slice(&chunk[..len]);
        let detect = if len == 0 { Protocol::detect_ended } else { Protocol::detect };
        let protocol = detect(&begun);
        if protocol.is_some() || len == 0 {
            let protocol = protocol.or_else(|| whole_body::protocol_of(&begun));
            return Ok((protocol, Box::new(io::Cursor::new(begun).chain(reader))));
        }
    }
    let protocol = whole_body::protocol_of(&begun);
    Ok((protocol, Box::new(io::Cursor::new(begun).chain(reader))))
}

fn stdin() -> Box<dyn Read + Send> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        output::note(&"reading from the terminal; end the input with Ctrl-D");
    }
    Box::new(stdin)
}

/// What a recording says about itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    /// The kind of stream: `text`, `tool_args` or `reasoning`.
    pub(crate) kind: Option<String>,
    /// The provider that sent it.
    pub(crate) provider: Option<String>,
    /// Where it comes from, usually a model.
    pub(crate) source: Option<String>,
}

impl Origin {
    /// The origin of a body: its protocol names the provider, and the body itself names the model.
    fn of_body(protocol: Protocol) -> Self {
        let (kind, provider) = ("text".to_owned(), protocol.name().to_owned());
        Self { kind: Some(kind), provider: Some(provider), source: None }
    }
}

fn next_recording(
    name: &str,
    lines: &mut dyn BufRead,
    line: &mut usize,
    offset: &mut u64,
) -> Result<Option<Recording>, SourceError> {
    let mut text = Vec::new();
    while text.trim_ascii().is_empty() {
        text.clear();
        let len = lines
            .read_until(b'\n', &mut text)
            .map_err(|error| SourceError::Read { name: name.to_owned(), error })?;
        if len == 0 {
            return Ok(None);
        }
        *line += 1;
        *offset += len as u64;
    }
    Recording::from_line(&text).map(Some).map_err(|error| SourceError::NotARecording {
        name: name.to_owned(),
        line: *line,
        offset: *offset - text.len() as u64 + error.offset as u64,
        reason: error.reason,
    })
}

/// One stream: a file, or one line of a recording.
pub(crate) struct Stream {
    pub(crate) name: Name,
    pub(crate) origin: Origin,
    /// The protocol, if the bytes are a response body; `None` if they are the answer itself.
    pub(crate) protocol: Option<Protocol>,
    chunks: Chunks,
    /// Where the stream is recorded. For a body, the reader takes this and records the answer's
    /// text.
    pub(crate) recording: Option<RecordingWriter>,
}

/// The name of a stream in messages.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub(crate) file: String,
    /// The line in a recording, or the row of a table, from 1.
    pub(crate) line: Option<usize>,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))
    }
}

/// The chunks of a stream.
enum Chunks {
    /// One chunk for each call of `read`.
    Read { reader: Box<dyn Read + Send>, buffer: Vec<u8> },
    /// Recorded deltas, with their times if known.
    Deltas {
        deltas: std::vec::IntoIter<String>,
        current: String,
        times: std::vec::IntoIter<Duration>,
    },
    /// Chunks of other sizes. A chunk is returned when it has its full size, so that cuts do not
    /// depend on timing. Invariant: `start <= held.len()`.
    Cut { inner: Box<Self>, sizes: ChunkSizes, held: Vec<u8>, start: usize },
    /// One chunk for each event of a body, which ends with a blank line (server-sent events) or
    /// with its line. No event ends before `seen`. Invariant: `start <= seen <= held.len()`.
    #[cfg_attr(
        not(feature = "watch"),
        expect(dead_code, reason = "only the view is fed event by event")
    )]
    Events { inner: Box<Self>, is_sse: bool, held: Vec<u8>, start: usize, seen: usize },
}

const READ_BYTES: usize = 1 << 16;

impl Stream {
    /// Text in memory, in these chunks.
    pub(crate) fn of(name: &str, deltas: Vec<String>) -> Self {
        let name = Name { file: name.to_owned(), line: None };
        let chunks = Chunks::timed(deltas, Vec::new());
        Self { name, origin: Origin::default(), protocol: None, chunks, recording: None }
    }

    /// Cuts the same bytes at other sizes.
    pub(crate) fn recut(self, sizes: Option<ChunkSizes>) -> Self {
        let Some(sizes) = sizes else { return self };
        let inner = Box::new(self.chunks);
        Self { chunks: Chunks::Cut { inner, sizes, held: Vec::new(), start: 0 }, ..self }
    }

    /// Cuts a body into one chunk for each event.
    #[cfg(feature = "watch")]
    pub(crate) fn by_events(self) -> Self {
        let is_sse = self.protocol.is_some_and(Protocol::is_sse);
        let inner = Box::new(self.chunks);
        let chunks = Chunks::Events { inner, is_sse, held: Vec::new(), start: 0, seen: 0 };
        Self { chunks, ..self }
    }

    /// Records the stream, with its cuts, at the end of a file if there is one.
    pub(crate) fn recorded(self, file: Option<&PathBuf>) -> Result<Self, SourceError> {
        let Some(file) = file else { return Ok(self) };
        if recording_writer::is_same_file(file, Path::new(&self.name.file)) {
            return Err(SourceError::RecordsItself { name: self.name.file });
        }
        let Origin { source, provider, kind } = &self.origin;
        let named = self.name.to_string();
        let or = |text: &Option<String>, or: &str| text.as_deref().unwrap_or(or).to_owned();
        let words = [or(source, &named), or(provider, "unknown"), or(kind, "text")];
        Ok(Self { recording: Some(RecordingWriter::open(file, words)?), ..self })
    }

    /// The next chunk; `None` at the end.
    pub(crate) fn next_chunk(&mut self) -> Result<Option<&[u8]>, SourceError> {
        Ok(self.next_timed_chunk()?.map(|chunk| chunk.bytes))
    }

    /// The next chunk with its time; `None` at the end.
    pub(crate) fn next_timed_chunk(&mut self) -> Result<Option<TimedChunk<'_>>, SourceError> {
        let Self { name, chunks, recording, .. } = self;
        let read = |error| SourceError::Read { name: name.file.clone(), error };
        let chunk = chunks.next().map_err(read)?;
        match (recording, &chunk) {
            (Some(recording), Some(chunk)) => recording.chunk(chunk.bytes, chunk.at)?,
            (Some(recording), None) => recording.finish()?,
            (None, _) => {}
        }
        Ok(chunk)
    }
}

/// A chunk and its time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimedChunk<'a> {
    pub(crate) bytes: &'a [u8],
    /// When the chunk arrived, if that was recorded.
    pub(crate) at: Option<Duration>,
}

impl Chunks {
    fn timed(deltas: Vec<String>, times: Vec<Duration>) -> Self {
        let (deltas, times) = (deltas.into_iter(), times.into_iter());
        Self::Deltas { deltas, current: String::new(), times }
    }

    fn next(&mut self) -> io::Result<Option<TimedChunk<'_>>> {
        match self {
            Self::Read { reader, buffer } => {
                buffer.resize(READ_BYTES, 0);
                let len = read_once(reader, buffer)?;
                Ok((len > 0).then(|| TimedChunk { bytes: &buffer[..len], at: None }))
            }
            Self::Deltas { deltas, current, times } => {
                let Some(delta) = deltas.next() else { return Ok(None) };
                *current = delta;
                Ok(Some(TimedChunk { bytes: current.as_bytes(), at: times.next() }))
            }
            Self::Cut { inner, sizes, held, start } => {
                let size = sizes.next_size();
                if held.len() - *start < size {
                    held.drain(..core::mem::take(start));
                    fill(inner, held, size)?;
                }
                let from = *start;
                *start = held.len().min(from.saturating_add(size));
                Ok((from < *start).then(|| TimedChunk { bytes: &held[from..*start], at: None }))
            }
            Self::Events { inner, is_sse, held, start, seen } => {
                let end = loop {
                    if let Some(end) = event_end(&held[*start..], *seen - *start, *is_sse) {
                        break *start + end;
                    }
                    held.drain(..core::mem::take(start));
                    *seen = held.len();
                    match inner.next()? {
                        Some(chunk) => held.extend_from_slice(chunk.bytes),
                        None => break held.len(),
                    }
                };
                let from = core::mem::replace(start, end);
                *seen = end;
                Ok((from < end).then(|| TimedChunk { bytes: &held[from..end], at: None }))
            }
        }
    }
}

/// Where the first event ends: after a blank line, or after its line. `from` skips bytes that were
/// searched before.
fn event_end(bytes: &[u8], from: usize, is_sse: bool) -> Option<usize> {
    let ends = bytes[from..].iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let is_end = |end: &usize| {
        let line = bytes[..*end].strip_suffix(b"\r").unwrap_or(&bytes[..*end]);
        !is_sse || line.is_empty() || line.ends_with(b"\n")
    };
    ends.map(|(at, _)| from + at).find(is_end).map(|end| end + 1)
}

/// Reads until `held` has `size` bytes, or the input ends.
fn fill(chunks: &mut Chunks, held: &mut Vec<u8>, size: usize) -> io::Result<()> {
    while held.len() < size {
        let Some(chunk) = chunks.next()? else { break };
        held.extend_from_slice(chunk.bytes);
    }
    Ok(())
}

fn read_once(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::event_end;

    #[test]
    fn an_event_ends_with_a_blank_line_or_with_its_own() {
        assert_eq!(event_end(b"data: 1\n\ndata: 2\n\n", 0, true), Some(9));
        assert_eq!(event_end(b"data: 1\r\n\r\nx", 0, true), Some(11));
        assert_eq!(event_end(b"event: a\ndata: 1\n", 0, true), None);
        assert_eq!(event_end(b"data: 1\n\n", 8, true), Some(9));
        assert_eq!(event_end(b"\n", 0, true), Some(1));
        assert_eq!(event_end(b"{\"a\":1}\n{}\n", 0, false), Some(8));
        assert_eq!(event_end(b"{\"a\"", 0, false), None);
    }
}
