//! Writes a stream to a recording while it is read, with its cuts and times.
//!
//! ```text
//! {"source":"stdin","provider":"unknown","kind":"text","deltas":["{\"a","\": 1}"],"at_ms":[212,240]}
//!                                                         next: ,"…"],"at_ms":[212,240,251]}
//! ```
//!
//! Each chunk is one write: it begins where the list of deltas ended, and includes everything that
//! closes the line. The file is therefore complete after every chunk, even if the command is
//! killed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

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
    /// Offset at which the list of deltas ends. The bytes after it close the line.
    end: u64,
    /// Deltas that are not written yet, as JSON.
    unwritten: String,
    /// The times of all deltas, as JSON without brackets.
    times: String,
    /// The beginning of a code point whose other bytes are still to come.
    cut: Vec<u8>,
    is_empty: bool,
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
            Ok((file, start, end)) => Ok(Self {
                name,
                file,
                began: Instant::now(),
                start,
                end,
                unwritten: String::new(),
                times: String::new(),
                cut: Vec::new(),
                is_empty: true,
                written: None,
            }),
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
        self.cut.extend_from_slice(bytes);
        let whole = whole(&self.cut);
        if whole == 0 {
            return Ok(());
        }
        let rest = self.cut.split_off(whole);
        let text = core::mem::replace(&mut self.cut, rest);
        self.add(&String::from_utf8_lossy(&text), at);
        let is_due = self.written.is_none_or(|written| written.elapsed() >= SELDOM);
        if self.times.len() < TIMES || is_due { self.write() } else { Ok(()) }
    }

    /// Writes what is left. Call this to learn of write errors: dropping ignores them.
    pub(crate) fn finish(&mut self) -> Result<(), RecordError> {
        let rest = core::mem::take(&mut self.cut);
        if !rest.is_empty() {
            self.add(&String::from_utf8_lossy(&rest), None);
        }
        self.write()
    }

    /// Like [`finish`](Self::finish), but removes the line if it has no deltas.
    pub(crate) fn finish_or_remove(&mut self) -> Result<(), RecordError> {
        self.finish()?;
        if !self.is_empty {
            return Ok(());
        }
        let taken_back = self.file.set_len(self.start);
        taken_back.map_err(|error| RecordError { name: self.name.clone(), error })
    }

    fn add(&mut self, text: &str, at: Option<Duration>) {
        if !core::mem::replace(&mut self.is_empty, false) {
            self.unwritten.push(',');
            self.times.push(',');
        }
        self.unwritten += &serde_json::Value::from(text).to_string();
        let at = at.unwrap_or_else(|| self.began.elapsed());
        self.times += &at.as_millis().to_string();
    }

    fn write(&mut self) -> Result<(), RecordError> {
        self.try_write().map_err(|error| RecordError { name: self.name.clone(), error })
    }

    fn try_write(&mut self) -> io::Result<()> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        let (new, times) = (&self.unwritten, &self.times);
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(format!("{new}{CLOSE}{times}]}}\n").as_bytes())?;
        self.end += new.len() as u64;
        self.unwritten.clear();
        self.written = Some(Instant::now());
        Ok(())
    }
}

/// The text between the deltas and their times.
const CLOSE: &str = "],\"at_ms\":[";

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

/// Opens a file and writes a line without deltas. Returns the file, its old length, and the offset
/// of the first delta.
fn begin(path: &Path, words: [String; 3]) -> io::Result<(File, u64, u64)> {
    let mut file = open(path)?;
    let end = file.seek(SeekFrom::End(0))?;
    let seam = if end > 0 && !ends_a_line(&mut file)? { "\n" } else { "" };
    let [source, provider, kind] = words.map(|word| serde_json::Value::from(word).to_string());
    let head =
        format!("{seam}{{\"source\":{source},\"provider\":{provider},\"kind\":{kind},\"deltas\":[");
    file.seek(SeekFrom::Start(end))?;
    file.write_all(format!("{head}{CLOSE}]}}\n").as_bytes())?;
    Ok((file, end, end + head.len() as u64))
}

fn ends_a_line(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// How many bytes end with a whole code point. Invalid bytes count as whole, because no later byte
/// can complete them.
fn whole(bytes: &[u8]) -> usize {
    let mut end = 0;
    for chunk in bytes.utf8_chunks() {
        end += chunk.valid().len();
        let invalid = chunk.invalid();
        let is_last = end + invalid.len() == bytes.len();
        if is_last && is_beginning(invalid) {
            return end;
        }
        end += invalid.len();
    }
    end
}

/// Whether these bytes are the beginning of a code point.
fn is_beginning(bytes: &[u8]) -> bool {
    !bytes.is_empty() && std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Whether two paths name the same file. Recording a recording into itself would never end.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn a_cut_code_point_waits() {
        let text = "aé日😀".as_bytes();
        let ends = [1, 3, 6, 10];
        for len in 0..=text.len() {
            let expected = ends.iter().rev().find(|end| **end <= len).copied().unwrap_or(0);
            assert_eq!(whole(&text[..len]), expected, "{len}");
        }
        assert_eq!(whole(b"a\xff"), 2);
        assert_eq!(whole(b"\xe2\x82a"), 3);
        assert_eq!(whole(b"\xff\xe2\x82"), 1);
    }
}
