//! A model's server that plays its answers.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};

use serde_json::json;

/// One answer a connection; gives what was asked when it has played them all.
pub(crate) struct Server {
    pub(crate) url: String,
    played: JoinHandle<Vec<String>>,
}

impl Server {
    pub(crate) fn start(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}/v1", listener.local_addr().expect("it is bound"));
        let played = thread::spawn(move || {
            let play = |answer: String| play(&listener, &answer);
            answers.into_iter().map(play).collect()
        });
        Self { url, played }
    }

    pub(crate) fn asked(self) -> Vec<String> {
        self.played.join().expect("all was played")
    }
}

fn play(listener: &TcpListener, answer: &str) -> String {
    let (mut stream, _) = listener.accept().expect("somebody asks");
    let asked = request(&mut stream);
    stream.write_all(answer.as_bytes()).expect("somebody listens");
    asked
}

/// A request with its body.
fn request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let len = stream.read(&mut part).expect("it goes on");
        bytes.extend_from_slice(&part[..len]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
        });
        if body.len() >= length.unwrap_or(0_usize) {
            return text;
        }
    }
}

/// A stream that says this, in pieces of five characters.
pub(crate) fn says(answer: &str) -> String {
    says_in_pieces(answer, 5)
}

/// A stream that says this, in pieces of so many characters.
pub(crate) fn says_in_pieces(answer: &str, size: usize) -> String {
    let chars: Vec<char> = answer.chars().collect();
    let events: Vec<String> = chars
        .chunks(size)
        .map(|part| {
            let content: String = part.iter().collect();
            format!("data: {}\n\n", json!({"choices": [{"delta": {"content": content}}]}))
        })
        .collect();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    format!("{head}{}data: [DONE]\n\n", events.concat())
}

pub(crate) fn refuses(status: u16, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} No\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
