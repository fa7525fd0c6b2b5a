//! The view on a terminal, from outside: what is left of it, and what the command ends with.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};

use crate::model::{Server, says};
use crate::run::{Scratch, lines};

/// What leaves the screen of its own that a view has.
const LEFT: &str = "\u{1b}[?1049l";

/// The command on a terminal of 80 columns and 24 lines.
struct Screen {
    child: Child,
    terminal: File,
    /// The side of the command, to see how it leaves it.
    side: File,
    before: Termios,
    seen: Vec<u8>,
}

impl Screen {
    fn start(args: &[&str]) -> Self {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).expect("it is ours");
        unlockpt(&terminal).expect("it is ours");
        let name = ptsname(&terminal, Vec::new()).expect("it has a name");
        let name = name.to_str().expect("a plain name");
        let side = File::options().read(true).write(true).open(name).expect("it opens");
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&side, size).expect("it has a size");
        let before = tcgetattr(&side).expect("it has modes");
        let end = || Stdio::from(OwnedFd::from(side.try_clone().expect("it can be shared")));
        let child = Command::new(env!("CARGO_BIN_EXE_patchwire"))
            .args(args)
            .env("TERM", "xterm-256color")
            .stdin(end())
            .stdout(end())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command was built");
        Self { child, terminal: File::from(terminal), side, before, seen: Vec::new() }
    }

    /// Waits for a word to be written. Of what stands there already nothing is written again, and blanks
    /// mostly stand there.
    fn until(&mut self, wanted: &str) {
        while !squeezed(&self.seen).contains(wanted) {
            let mut part = [0; 4096];
            let len = self.terminal.read(&mut part).expect("the command runs");
            self.seen.extend_from_slice(&part[..len]);
        }
    }

    fn press(&mut self, key: &str) {
        self.terminal.write_all(key.as_bytes()).expect("there is a terminal");
    }

    fn send(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).expect("it runs");
    }

    /// How it ended, what stands on the terminal then, and on stderr.
    fn end(self) -> (ExitStatus, String, String) {
        let Self { mut child, mut terminal, side, before, mut seen } = self;
        // Read aside: who prints much waits for somebody to read it.
        let reader = thread::spawn(move || {
            // A terminal that nobody has any more ends with an error on some systems.
            let _ = terminal.read_to_end(&mut seen);
            seen
        });
        let status = child.wait().expect("it ends");
        let after = tcgetattr(&side).expect("it has modes");
        assert_eq!(modes(&after), modes(&before), "the terminal is as it was");
        drop(side);
        let seen = reader.join().expect("it reads");
        let seen = String::from_utf8(seen).expect("it writes UTF-8");
        let (_, left) = seen.rsplit_once(LEFT).expect("the screen is left");
        let mut said = String::new();
        let mut err = child.stderr.take().expect("it is piped");
        err.read_to_string(&mut said).expect("it says UTF-8");
        (status, left.replace("\u{1b}[?25h", "").replace("\r\n", "\n"), said)
    }
}

/// What is written, without blanks and without where.
fn squeezed(seen: &[u8]) -> String {
    let seen = String::from_utf8_lossy(seen);
    let mut parts = seen.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let texts = parts.map(|part| part.trim_start_matches(|it: char| !it.is_ascii_alphabetic()));
    let all = texts.fold(first, |all, text| all + text.get(1..).unwrap_or_default());
    all.split_whitespace().collect()
}

fn modes(termios: &Termios) -> [u64; 3] {
    [
        termios.input_modes.bits().into(),
        termios.output_modes.bits().into(),
        termios.local_modes.bits().into(),
    ]
}

fn ask<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let args = ["chat", "Go.", "--watch", "--endpoint", url, "--model", "m-1"];
    [&args[..], more].concat()
}

#[test]
fn a_signal_gives_the_terminal_back_and_ends_the_command() {
    let file = Scratch::new("signals.txt", "{\"title\": \"a long one\"}");
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut screen = Screen::start(&["watch", file.path(), "--speed", "0.001"]);
        screen.until("writing");
        screen.send(signal);
        let (status, left, said) = screen.end();
        assert_eq!(status.signal(), Some(signal.as_raw()), "{status}");
        assert_eq!((left.as_str(), said.as_str()), ("", ""));
    }
}

#[test]
fn a_file_is_watched_and_its_value_printed() {
    let file = Scratch::new("watched.txt", "{\"title\": \"x\", 'n': 1}");
    let mut screen = Screen::start(&["watch", file.path(), "--speed", "max"]);
    screen.until("repaired");
    screen.press("q");
    let (status, left, said) = screen.end();
    assert_eq!((status.code(), left.as_str()), (Some(0), "{\"title\":\"x\",\"n\":1}\n"));
    assert_eq!(said, "");
}

#[test]
fn a_body_is_watched_and_left_before_its_end() {
    let body = says(r#"{"title": "The mill", "n": [1, 2, 3, 4]}"#);
    let (_, body) = body.split_once("\r\n\r\n").expect("it has a head");
    let file = Scratch::new("watched.sse", body);
    let mut screen = Screen::start(&["watch", file.path(), "--input", "openai-chat"]);
    screen.until("complete");
    screen.press("q");
    let (status, left, said) = screen.end();
    assert_eq!(left, "{\"title\":\"The mill\",\"n\":[1,2,3,4]}\n");
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
    // The first event at once, the next after hours.
    let slowly = ["watch", file.path(), "--input", "openai-chat", "--speed", "0.001"];
    let mut screen = Screen::start(&slowly);
    screen.until("writing");
    screen.press("q");
    let (status, left, said) = screen.end();
    assert_eq!((status.code(), left.as_str()), (Some(0), "{}\n"));
    assert!(said.contains("left before the stream ended") && said.lines().count() == 1, "{said}");
}

#[test]
fn keys_are_seen_however_much_comes() {
    let items: Vec<String> = (0..500_000).map(|n| n.to_string()).collect();
    let file = Scratch::new("endless.txt", format!("[{}]", items.join(",")));
    // In pieces that are read faster than they are taken.
    let fast = ["watch", file.path(), "--speed", "max", "--chunk-bytes", "4096"];
    let mut screen = Screen::start(&fast);
    screen.until("writing");
    screen.press("q");
    let (status, left, said) = screen.end();
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(left.starts_with("[0,1,2") && said.contains("left before the stream ended"), "{said}");
}

#[test]
fn an_answer_is_watched_through_its_attempts() {
    let server = Server::start(vec![says(r#"{"a": 1}"#), says(r#"{"a": 1, "b": "x"}"#)]);
    let file = Scratch::new("watched-chat.ndjson", "");
    let args = ask(&server.url, &["--ensure", "b", "--record", file.path()]);
    let mut screen = Screen::start(&args);
    screen.until("attempt2");
    screen.until("complete");
    screen.press("q");
    let (status, left, said) = screen.end();
    assert_eq!((status.code(), left.as_str()), (Some(0), "{\"a\":1,\"b\":\"x\"}\n"));
    assert_eq!(said, "");
    assert_eq!(server.asked().len(), 2);
    let recorded = std::fs::read_to_string(&file.0).expect("it was written");
    assert_eq!(lines(&recorded).len(), 2);
}

#[test]
fn the_view_may_end_with_the_answer() {
    let server = Server::start(vec![says("[1, 2]")]);
    let screen = Screen::start(&ask(&server.url, &["--exit"]));
    let (status, left, said) = screen.end();
    assert_eq!((status.code(), left.as_str(), said.as_str()), (Some(0), "[1,2]\n", ""));
    drop(server.asked());
}

#[test]
fn an_answer_that_never_passes_is_printed_and_named() {
    let server = Server::start(vec![says(r#"{"a": 1}"#)]);
    let args = ask(&server.url, &["--ensure", "b", "--max-retries", "0", "--exit"]);
    let (status, left, said) = Screen::start(&args).end();
    assert_eq!((status.code(), left.as_str()), (Some(1), "{\"a\":1}\n"));
    assert!(said.contains("b is missing") && said.lines().count() == 1, "{said}");
    drop(server.asked());
}

#[test]
fn an_answer_that_was_cut_at_its_length_says_so() {
    let stop = r#"data: {"choices": [{"delta": {}, "finish_reason": "length"}]}"#;
    let cut = |text: &str| says(text).replace("data: [DONE]", &format!("{stop}\n\ndata: [DONE]"));
    // One that is taken all the same, and one that is not.
    let server = Server::start(vec![cut(r#"{"a": "so f"#), cut(r#"{"a": "so f"#)]);
    for (ensure, code) in [("a", 0), ("b", 1)] {
        let mut screen =
            Screen::start(&ask(&server.url, &["--ensure", ensure, "--max-retries", "0"]));
        screen.until("greatest");
        screen.press("q");
        let (status, left, _) = screen.end();
        assert_eq!((status.code(), left.as_str()), (Some(code), "{\"a\":\"so f\"}\n"));
    }
    drop(server.asked());
}

/// An upstream that begins an answer and then stays silent. Returns how many more bytes the client sent.
fn silent() -> (String, JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/v1", listener.local_addr().expect("it is bound"));
    let served = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody asks");
        let begins = says(r#"{"a": "so far"#).replace("data: [DONE]\n\n", "");
        let mut part = [0; 4096];
        let mut asked = Vec::new();
        while !asked.ends_with(b"}") {
            let len = stream.read(&mut part).expect("it asks");
            asked.extend_from_slice(&part[..len]);
        }
        stream.write_all(begins.as_bytes()).expect("somebody listens");
        // Nothing, because the connection is closed: the request was given up.
        stream.read(&mut part).unwrap_or(0)
    });
    (url, served)
}

#[test]
fn who_leaves_gives_the_request_up() {
    let (url, served) = silent();
    let mut screen = Screen::start(&ask(&url, &[]));
    screen.until("far");
    screen.press("q");
    let (status, left, said) = screen.end();
    assert_eq!((status.code(), left.as_str()), (Some(1), "{\"a\":\"so far\"}\n"));
    assert!(said.contains("left before there was an answer"), "{said}");
    assert_eq!(served.join().expect("it was served"), 0);
}

#[test]
fn a_signal_gives_the_request_up() {
    let (url, served) = silent();
    let mut screen = Screen::start(&ask(&url, &[]));
    screen.until("far");
    screen.send(Signal::TERM);
    let (status, left, _) = screen.end();
    assert_eq!((status.signal(), left.as_str()), (Some(Signal::TERM.as_raw()), ""));
    assert_eq!(served.join().expect("it was served"), 0);
}
