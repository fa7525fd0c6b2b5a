//! Bytes: files, stdin and recordings, chunk by chunk.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};

use crate::args::InputForm;
use crate::cutting::Sizes;
use crate::output;

/// Why there are no more bytes.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    #[error("cannot read {name}: {error}; give a file, or `-` for stdin")]
    Read { name: String, error: io::Error },
    #[error(
        "{name} is no recording: line {line}, at byte {offset}: {reason}; each line has to be an \
         object like {{\"deltas\": [\"…\", …]}}, or leave out `--input recording`"
    )]
    NotARecording { name: String, line: usize, offset: u64, reason: String },
}

/// The streams of one file: one, or as many as a recording has lines.
pub(crate) enum Source {
    Raw { name: String, reader: Option<Box<dyn Read>> },
    Recording { name: String, lines: Box<dyn BufRead>, line: usize, offset: u64 },
}

/// Nothing said, and `-`, is stdin.
fn is_stdin(file: Option<&Path>) -> bool {
    file.is_none_or(|file| file == Path::new("-"))
}

/// What a file is called in messages.
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
        let reader: Box<dyn Read> = match file {
            Some(file) if !is_stdin(Some(file)) => match File::open(file) {
                Ok(file) => Box::new(file),
                Err(error) => return Err(SourceError::Read { name, error }),
            },
            _ => stdin(),
        };
        Ok(match form {
            InputForm::Raw => Self::Raw { name, reader: Some(reader) },
            InputForm::Recording => {
                let lines = Box::new(BufReader::new(reader));
                Self::Recording { name, lines, line: 0, offset: 0 }
            }
        })
    }

    /// The next stream; none after the last.
    pub(crate) fn next_stream(&mut self) -> Result<Option<Stream>, SourceError> {
        match self {
            Self::Raw { name, reader } => Ok(reader.take().map(|reader| {
                let name = Name { file: name.clone(), line: None };
                let chunks = Chunks::Read { reader, buffer: Vec::new() };
                Stream { name, origin: Origin::default(), chunks }
            })),
            Self::Recording { name, lines, line, offset } => {
                let Some(recording) = next_recording(name, lines, line, offset)? else {
                    return Ok(None);
                };
                let Recording { deltas, kind, provider, source } = recording;
                let name = Name { file: name.clone(), line: Some(*line) };
                let origin = Origin { kind, provider, source };
                Ok(Some(Stream { name, origin, chunks: Chunks::of(deltas) }))
            }
        }
    }
}

fn stdin() -> Box<dyn Read> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        output::note(&"reading from the terminal; end the input with Ctrl-D");
    }
    Box::new(stdin.lock())
}

/// What of a recorded stream matters here.
#[derive(Deserialize)]
struct Recording {
    deltas: Vec<String>,
    #[serde(default, deserialize_with = "text")]
    kind: Option<String>,
    #[serde(default, deserialize_with = "text")]
    provider: Option<String>,
    #[serde(default, deserialize_with = "text")]
    source: Option<String>,
}

/// A text; whatever else stands there says nothing to us.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => Ok(Some(text)),
        _ => Ok(None),
    }
}

/// What a recording says of itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    /// What it is: `text`, `tool_args` or `reasoning`.
    pub(crate) kind: Option<String>,
    /// Who sent it.
    pub(crate) provider: Option<String>,
    /// Where it comes from.
    pub(crate) source: Option<String>,
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
    serde_json::from_slice(&text).map(Some).map_err(|error| {
        let start = *offset - text.len() as u64;
        let message = error.to_string();
        // Serde's own line is always the first: each recording is read alone.
        let reason =
            message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        SourceError::NotARecording {
            name: name.to_owned(),
            line: *line,
            offset: start + error.column().saturating_sub(1) as u64,
            reason: reason.to_owned(),
        }
    })
}

/// One stream: a file, or a line of a recording.
pub(crate) struct Stream {
    pub(crate) name: Name,
    pub(crate) origin: Origin,
    chunks: Chunks,
}

/// What a stream is called in messages.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub(crate) file: String,
    /// Of a recording, from 1.
    pub(crate) line: Option<usize>,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))
    }
}

/// The pieces of a stream.
enum Chunks {
    /// What each call of `read` gives.
    Read { reader: Box<dyn Read>, buffer: Vec<u8> },
    /// What was recorded.
    Deltas { deltas: std::vec::IntoIter<String>, current: String },
    /// Other pieces of the same bytes. A piece waits until it is whole, so that the cuts do not
    /// depend on when the bytes came. Invariant: `start <= held.len()`.
    Cut { inner: Box<Self>, sizes: Sizes, held: Vec<u8>, start: usize },
}

const READ_BYTES: usize = 1 << 16;

impl Stream {
    /// Text that is in memory, in pieces.
    pub(crate) fn of(name: &str, deltas: Vec<String>) -> Self {
        let name = Name { file: name.to_owned(), line: None };
        Self { name, origin: Origin::default(), chunks: Chunks::of(deltas) }
    }

    /// The same bytes cut otherwise.
    pub(crate) fn recut(self, sizes: Option<Sizes>) -> Self {
        let Some(sizes) = sizes else { return self };
        let inner = Box::new(self.chunks);
        Self { chunks: Chunks::Cut { inner, sizes, held: Vec::new(), start: 0 }, ..self }
    }

    /// The next piece; none at the end.
    pub(crate) fn next_chunk(&mut self) -> Result<Option<&[u8]>, SourceError> {
        let Self { name, chunks, .. } = self;
        chunks.next().map_err(|error| SourceError::Read { name: name.file.clone(), error })
    }
}

impl Chunks {
    fn of(deltas: Vec<String>) -> Self {
        Self::Deltas { deltas: deltas.into_iter(), current: String::new() }
    }

    fn next(&mut self) -> io::Result<Option<&[u8]>> {
        match self {
            Self::Read { reader, buffer } => {
                buffer.resize(READ_BYTES, 0);
                let len = read_once(reader, buffer)?;
                Ok((len > 0).then(|| &buffer[..len]))
            }
            Self::Deltas { deltas, current } => {
                let Some(delta) = deltas.next() else { return Ok(None) };
                *current = delta;
                Ok(Some(current.as_bytes()))
            }
            Self::Cut { inner, sizes, held, start } => {
                let size = sizes.next_size();
                if held.len() - *start < size {
                    held.drain(..core::mem::take(start));
                    fill(inner, held, size)?;
                }
                let from = *start;
                *start = held.len().min(from.saturating_add(size));
                Ok((from < *start).then(|| &held[from..*start]))
            }
        }
    }
}

/// Reads until there are `size` bytes, or no more.
fn fill(chunks: &mut Chunks, held: &mut Vec<u8>, size: usize) -> io::Result<()> {
    while held.len() < size {
        let Some(chunk) = chunks.next()? else { break };
        held.extend_from_slice(chunk);
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
