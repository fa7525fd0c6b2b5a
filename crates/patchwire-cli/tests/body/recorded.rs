//! Recorded bodies of real providers, where they are there (`PATCHWIRE_STREAMS` names a file beside
//! the folder `raw`): what the command prints is what the decoder says.

use std::path::PathBuf;

use patchwire_async::sources::{Decoder, Delta, Protocol};
use serde_json::Value;

use crate::run::{lines, patchwire};

fn recorded() -> Vec<(Protocol, PathBuf)> {
    let Some(streams) = std::env::var_os("PATCHWIRE_STREAMS").map(PathBuf::from) else {
        return Vec::new();
    };
    let Ok(files) = std::fs::read_dir(streams.with_file_name("raw")) else { return Vec::new() };
    let mut all: Vec<(Protocol, PathBuf)> = Vec::new();
    for file in files.filter_map(Result::ok) {
        let name = file.file_name().to_string_lossy().into_owned();
        let protocol = Protocol::ALL.into_iter().find(|it| name.starts_with(it.name()));
        all.extend(protocol.map(|protocol| (protocol, file.path())));
    }
    all
}

/// Text, reasoning, and the arguments of the calls in the order in which they began.
fn said(protocol: Protocol, body: &[u8]) -> (String, String, Vec<String>) {
    let (mut text, mut reasoning) = (String::new(), String::new());
    let mut calls: Vec<(u32, String)> = Vec::new();
    let mut decoder = Decoder::new(protocol);
    let mut take = |delta| match delta {
        Delta::Text(more) => text += &more,
        Delta::Reasoning(more) => reasoning += &more,
        Delta::Call(call) => match calls.iter_mut().find(|(index, _)| *index == call.index) {
            Some((_, arguments)) => *arguments += &call.arguments,
            None => calls.push((call.index, call.arguments)),
        },
        _ => {}
    };
    decoder.feed(body, &mut take).expect("recorded bodies can be read");
    decoder.finish(&mut take).expect("recorded bodies can be read");
    (text, reasoning, calls.into_iter().map(|(_, arguments)| arguments).collect())
}

#[test]
fn what_is_printed_is_what_the_decoder_says() {
    let (mut bodies, mut calls) = (0, 0);
    for (protocol, file) in recorded() {
        let path = file.to_str().expect("its name is plain");
        let body = std::fs::read(&file).expect("it can be read");
        let (text, reasoning, arguments) = said(protocol, &body);
        // As it came, and cut: `<think>` in the text would be reasoning, but for `--tags none`.
        let input = ["--input", protocol.name(), "--format", "text", "--tags", "none", path];
        for cut in ["13", "1000000"] {
            let run = patchwire(
                &[&["final", "--envelope", "--chunk-bytes", cut], &input[..]].concat(),
                "",
            );
            let envelope: Value = serde_json::from_str(&run.out).expect("it is JSON");
            assert_eq!(envelope["text"], text.as_str(), "{path}");
            assert_eq!(envelope["reasoning"], reasoning.as_str(), "{path}");
            let emitted = envelope["calls"].as_array().cloned().unwrap_or_default();
            assert_eq!(emitted.len(), arguments.len(), "{path}");
            for (call, arguments) in emitted.iter().zip(&arguments) {
                let whole: Value = serde_json::from_str(arguments).expect("they are JSON");
                assert_eq!(call["arguments"], whole, "{path}");
            }
            assert_eq!(run.status == Some(0), run.err.is_empty(), "{path}: {}", run.err);
            assert_eq!(
                envelope["error"].is_null(),
                !run.err.contains("the provider reports"),
                "{path}"
            );
        }
        let events = lines(&patchwire(&[&["parse"], &input[..]].concat(), "").out);
        let joined = |name: &str| -> String {
            let of = events.iter().filter(|event| event["event"] == name);
            of.filter_map(|event| event["delta"].as_str()).collect()
        };
        assert_eq!((joined("text"), joined("reasoning")), (text, reasoning), "{path}");
        bodies += 1;
        calls += arguments.len();
    }
    assert!(bodies == 0 || (bodies >= 30 && calls >= 10), "{bodies} bodies, {calls} calls");
}
