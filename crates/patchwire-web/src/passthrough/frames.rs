//! The events of a body of server-sent events as the bytes that they are, so that they can be sent on unchanged.

use core::mem;
use core::ops::Range;
use std::collections::VecDeque;

use bytes::Bytes;
use memchr::memchr2;
use patchwire_async::sources::EVENT_BYTES;

/// A part of a body. All parts, joined, are the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Frame {
    /// Bytes between events: comments, blank lines, and lines without data.
    Other(Bytes),
    /// An event, from its first line that is not a comment to the blank line after it.
    Event(RawEvent),
    /// A part of an event that is too long to be read.
    TooLong(Bytes),
}

impl Frame {
    pub(super) fn into_bytes(self) -> Bytes {
        match self {
            Self::Other(bytes) | Self::TooLong(bytes) => bytes,
            Self::Event(event) => event.bytes,
        }
    }
}

/// An event as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RawEvent {
    pub(super) bytes: Bytes,
    /// Where the data of each line is in the bytes.
    pub(super) data: Vec<Range<usize>>,
}

/// Splits a body, cut anywhere, into [`Frame`]s. A comment between events is passed on at its line end. An event is
/// held until it is whole, because other events may have to go before it.
#[derive(Debug)]
pub(super) struct Frames {
    /// Bytes that are in no frame yet.
    held: Vec<u8>,
    /// The start of the line whose end has not arrived.
    line: usize,
    data: Vec<Range<usize>>,
    /// Whether an event has begun.
    in_event: bool,
    /// Whether the last byte was a carriage return: a line feed behind it ends no other line.
    after_cr: bool,
    /// Whether the body is still at its start, where a byte order mark is allowed.
    is_first: bool,
    /// In an event that is too long: whether its last line is empty so far.
    too_long: Option<bool>,
    most: usize,
}

impl Frames {
    pub(super) fn new() -> Self {
        Self::with_limit(EVENT_BYTES)
    }

    fn with_limit(most: usize) -> Self {
        Self {
            held: Vec::new(),
            line: 0,
            data: Vec::new(),
            in_event: false,
            after_cr: false,
            is_first: true,
            too_long: None,
            most,
        }
    }

    /// Takes the next bytes of the body.
    pub(super) fn feed(&mut self, mut chunk: &[u8], out: &mut VecDeque<Frame>) {
        if chunk.is_empty() {
            return;
        }
        if mem::take(&mut self.after_cr) && chunk[0] == b'\n' {
            self.held.push(b'\n');
            self.line_ended(out);
            chunk = &chunk[1..];
        }
        if self.too_long.is_some() {
            chunk = self.pass_too_long(chunk, out);
        }
        let mut looked = self.held.len();
        self.held.extend_from_slice(chunk);
        while let Some(at) = memchr2(b'\r', b'\n', &self.held[looked..]) {
            self.end_line(looked + at, out);
            looked = self.line;
        }
        if self.held.len() > self.most {
            self.too_long = Some(self.line == self.held.len());
            self.send_unread(out);
        }
    }

    /// The end of the body. The last event may lack its blank line.
    pub(super) fn finish(&mut self, out: &mut VecDeque<Frame>) {
        self.read_line(self.held.len());
        self.send(out);
    }

    /// Handles a line end at this byte. Bytes after it stay held.
    fn end_line(&mut self, end: usize, out: &mut VecDeque<Frame>) {
        let is_blank = end == self.line;
        self.read_line(end);
        let mut next = end + 1;
        if self.held[end] == b'\r' {
            self.after_cr = next == self.held.len();
            next += usize::from(self.held.get(next) == Some(&b'\n'));
        }
        self.line = next;
        if is_blank || !self.in_event {
            let rest = self.held.split_off(next);
            if end > self.most {
                self.send_unread(out);
            } else {
                self.send(out);
            }
            self.held = rest;
        }
    }

    /// Records the range of the data in the line that ends here.
    fn read_line(&mut self, end: usize) {
        let mut line = &self.held[self.line..end];
        if mem::take(&mut self.is_first) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        self.in_event |= !matches!(line, [] | [b':', ..]);
        let value = match line.strip_prefix(b"data") {
            Some([]) => &line[..0],
            Some([b':', b' ', value @ ..] | [b':', value @ ..]) => value,
            _ => return,
        };
        self.data.push(end - value.len()..end);
    }

    /// Handles a line feed after the carriage return that ended the line.
    fn line_ended(&mut self, out: &mut VecDeque<Frame>) {
        self.line = self.held.len();
        if !self.in_event {
            self.send(out);
        }
    }

    /// Sends what is held.
    fn send(&mut self, out: &mut VecDeque<Frame>) {
        (self.line, self.in_event) = (0, false);
        let (bytes, data) = (Bytes::from(mem::take(&mut self.held)), mem::take(&mut self.data));
        if !data.is_empty() {
            out.push_back(Frame::Event(RawEvent { bytes, data }));
        } else if let Some(Frame::Other(last)) = out.back_mut() {
            *last = [&**last, &*bytes].concat().into();
        } else if !bytes.is_empty() {
            out.push_back(Frame::Other(bytes));
        }
    }

    /// Sends what is held as a part of an event that is too long.
    fn send_unread(&mut self, out: &mut VecDeque<Frame>) {
        (self.line, self.in_event) = (0, false);
        self.data.clear();
        out.push_back(Frame::TooLong(mem::take(&mut self.held).into()));
    }

    /// Sends the bytes of an event that is too long, up to the blank line behind it. Returns the rest.
    fn pass_too_long<'c>(&mut self, chunk: &'c [u8], out: &mut VecDeque<Frame>) -> &'c [u8] {
        let mut line = 0;
        while let Some(at) = memchr2(b'\r', b'\n', &chunk[line..]) {
            let is_blank = at == 0 && (line > 0 || self.too_long == Some(true));
            let end = line + at;
            line = end + 1;
            if chunk[end] == b'\r' {
                self.after_cr = line == chunk.len();
                line += usize::from(chunk.get(line) == Some(&b'\n'));
            }
            if is_blank {
                self.too_long = None;
                break;
            }
            self.too_long = Some(true);
        }
        let end = if self.too_long.is_some() { chunk.len() } else { line };
        self.too_long = self.too_long.map(|was| line == end && (was || line > 0));
        if end > 0 {
            out.push_back(Frame::TooLong(Bytes::copy_from_slice(&chunk[..end])));
        }
        &chunk[end..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "\u{feff}data: one\n\n: hello\nevent: x\r\ndata:two\r\ndata:  three\r\ndata\r\n\r\n\
        id: 7\rdata: four\r\r: bye\r\rdata: five\n: inside\n\n\n\ndata: six\r\n\ndata: last";

    fn frames(chunks: &[&[u8]], most: usize) -> Vec<Frame> {
        let (mut frames, mut out) = (Frames::with_limit(most), VecDeque::new());
        chunks.iter().for_each(|chunk| frames.feed(chunk, &mut out));
        frames.finish(&mut out);
        out.into()
    }

    fn joined(frames: &[Frame]) -> Vec<u8> {
        let bytes = |frame: &Frame| match frame {
            Frame::Other(bytes) | Frame::TooLong(bytes) => bytes.to_vec(),
            Frame::Event(event) => event.bytes.to_vec(),
        };
        frames.iter().flat_map(bytes).collect()
    }

    fn data(frames: &[Frame]) -> Vec<Vec<String>> {
        let event = |frame: &Frame| match frame {
            Frame::Event(event) => {
                let text =
                    |at: &Range<usize>| String::from_utf8_lossy(&event.bytes[at.clone()]).into();
                Some(event.data.iter().map(text).collect())
            }
            _ => None,
        };
        frames.iter().filter_map(event).collect()
    }

    #[test]
    fn every_cut_gives_the_same_events_and_all_bytes() {
        let body = BODY.as_bytes();
        let expected = vec![
            vec!["one"],
            vec!["two", " three", ""],
            vec!["four"],
            vec!["five"],
            vec!["six"],
            vec!["last"],
        ];
        let mut cuttings: Vec<Vec<&[u8]>> =
            vec![body.chunks(1).collect(), body.chunks(3).collect()];
        for one in 0..=body.len() {
            cuttings.push(vec![&body[..one], &body[one..]]);
            for two in one..=body.len() {
                cuttings.push(vec![&body[..one], &body[one..two], b"", &body[two..]]);
            }
        }
        for chunks in cuttings {
            let found = frames(&chunks, EVENT_BYTES);
            assert_eq!(joined(&found), body);
            assert_eq!(data(&found), expected, "{chunks:?}");
        }
    }

    #[test]
    fn an_event_that_is_too_long_goes_on_unread() {
        for end in ["\n\n", "\r\r", "\r\n\r\n"] {
            let body = format!(
                "data: 0123456789{end}data: 1{}data: 2{end}: x{end}data: 3{end}",
                &end[..end.len() / 2]
            );
            let body = body.as_bytes();
            for at in 0..=body.len() {
                for chunks in [vec![&body[..at], &body[at..]], body.chunks(at.max(1)).collect()] {
                    let found = frames(&chunks, 24);
                    assert_eq!(joined(&found), body, "{chunks:?}");
                    let data = data(&found);
                    assert_eq!(
                        data.last(),
                        Some(&vec!["3".to_owned()]),
                        "{at} {end:?} {chunks:?} {data:?}"
                    );
                }
            }
            let long = format!("data: {}{end}data: 3{end}", "x".repeat(40));
            let long = long.as_bytes();
            // Another line of data is of the event that is too long.
            let lines = format!("data: {}\ndata: more{end}data: 3{end}", "x".repeat(40));
            for (long, at) in
                [long, lines.as_bytes()].into_iter().flat_map(|it| (1..30).map(move |at| (it, at)))
            {
                let found = frames(&long.chunks(at).collect::<Vec<_>>(), 24);
                assert_eq!(
                    (joined(&found), data(&found)),
                    (long.to_vec(), vec![vec!["3".to_owned()]]),
                    "{at}"
                );
            }
        }
    }

    #[test]
    fn a_comment_does_not_wait() {
        let (mut frames, mut out) = (Frames::new(), VecDeque::new());
        frames.feed(b": here\nda", &mut out);
        assert_eq!(out, [Frame::Other(Bytes::from_static(b": here\n"))]);
    }
}
