//! Recorded bodies of real providers, where they are there (`PATCHWIRE_STREAMS` names a file beside
//! the folder `raw`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use patchwire::Spec;
use patchwire_sources::{End, Protocol};
use serde_json::Value as Json;

use crate::cuts::{cut_at, places};
use crate::decoded::Decoded;

/// So long that every cut is tried.
const SMALL: usize = 3_000;

fn recorded() -> Vec<(String, Protocol, Vec<u8>)> {
    let Some(streams) = std::env::var_os("PATCHWIRE_STREAMS").map(PathBuf::from) else {
        return Vec::new();
    };
    let folder = streams.with_file_name("raw");
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut all = Vec::new();
    for file in files.filter_map(Result::ok) {
        let name = file.file_name().to_string_lossy().into_owned();
        let protocol = Protocol::ALL.into_iter().find(|it| name.starts_with(it.name()));
        if let (Some(protocol), Ok(body)) = (protocol, std::fs::read(file.path())) {
            all.push((name, protocol, body));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

#[test]
fn every_cut_gives_the_same_deltas() {
    for (name, protocol, body) in recorded() {
        let whole = Decoded::of(protocol, &body);
        assert!(whole.end.is_ok(), "{name}: {:?}", whole.end);
        if body.len() <= SMALL {
            for at in 0..=body.len() {
                assert_eq!(cut_at(protocol, &body, &[at]), whole, "{name}, cut at {at}");
            }
        }
        assert_eq!(Decoded::in_pieces(protocol, body.chunks(1)), whole, "{name}, byte by byte");
        for seed in 0..20 {
            let decoded = cut_at(protocol, &body, &places(body.len(), seed));
            assert_eq!(decoded, whole, "{name}, seed {seed}");
        }
    }
}

/// The data of each event, by the simplest reading of the format.
fn events(body: &[u8]) -> Vec<Json> {
    let text = String::from_utf8_lossy(body);
    let lines = text.lines().filter_map(|line| line.strip_prefix("data:"));
    lines.filter_map(|data| serde_json::from_str(data.trim()).ok()).collect()
}

/// The texts at a pointer, of the events of a type, joined.
fn at(events: &[Json], kind: &str, pointer: &str) -> String {
    let wanted = events.iter().filter(|event| kind.is_empty() || event["type"] == kind);
    wanted.filter_map(|event| event.pointer(pointer)?.as_str()).collect()
}

#[test]
fn text_and_reasoning_are_what_a_search_for_them_finds() {
    for (name, protocol, body) in recorded() {
        let decoded = Decoded::of(protocol, &body);
        let events = events(&body);
        let (text, reasoning) = match protocol {
            Protocol::OpenAiChat => (
                at(&events, "", "/choices/0/delta/content"),
                at(&events, "", "/choices/0/delta/reasoning")
                    + &at(&events, "", "/choices/0/delta/reasoning_content"),
            ),
            Protocol::OpenAiResponses => (
                at(&events, "response.output_text.delta", "/delta"),
                at(&events, "response.reasoning_text.delta", "/delta"),
            ),
            _ => (
                at(&events, "content_block_start", "/content_block/text")
                    + &at(&events, "content_block_delta", "/delta/text"),
                at(&events, "content_block_delta", "/delta/thinking"),
            ),
        };
        assert_eq!(decoded.text(), text, "{name}");
        assert_eq!(decoded.reasoning(), reasoning, "{name}");
    }
}

/// What the calls' arguments come to, folded from patches, is what serde_json reads of them joined.
#[test]
fn the_arguments_of_calls_fold_to_their_values() {
    let (mut bodies, mut calls) = (0, 0);
    for (name, protocol, body) in recorded() {
        bodies += 1;
        for (index, (tool, parts)) in Decoded::of(protocol, &body).calls() {
            calls += 1;
            let whole: Json = serde_json::from_str(&parts.concat())
                .unwrap_or_else(|error| panic!("{name}, call {index} of {tool}: {error}"));
            let mut parser = Spec::json().parser();
            let mut folded = Fold::default();
            for part in &parts {
                parser.feed(part, |event| folded.take(&event)).expect("it is JSON");
            }
            let answer = parser.finish(|event| folded.take(&event)).expect("it is JSON");
            assert_eq!(
                answer.value().to_serde_json().expect("it is shallow"),
                whole,
                "{name}, call {index}"
            );
            assert_eq!(folded.0, whole, "{name}, call {index}");
        }
    }
    if bodies > 0 {
        assert!(bodies >= 30 && calls >= 10, "{bodies} bodies, {calls} calls");
    }
}

/// Every recorded body ends with the provider's own end.
#[test]
fn every_recorded_body_has_an_end() {
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for (name, protocol, body) in recorded() {
        match Decoded::of(protocol, &body).end {
            Ok(End::Closed(stop)) => *ends.entry(format!("{stop:?}")).or_default() += 1,
            Ok(End::Failed(error)) => {
                assert!(!error.message.is_empty(), "{name}");
                *ends.entry("failed".to_owned()).or_default() += 1;
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    assert!(ends.is_empty() || ends.len() >= 3, "{ends:?}");
}

/// A value from its patches, by their rule.
#[derive(Default)]
struct Fold(Json);

impl Fold {
    fn take(&mut self, event: &patchwire::Event<'_>) {
        use patchwire::{Event, PatchOp, ValueKind};
        let Event::Patch(patch) = event else { return };
        let pointer = patch.path.pointer().to_string();
        let is_container = matches!(patch.value.kind(), ValueKind::Object | ValueKind::List);
        match patch.op {
            PatchOp::Open => {
                *self.place(&pointer) = patch.value.to_serde_json().expect("it is shallow")
            }
            PatchOp::Delta => {
                let place = self.place(&pointer);
                let text = place.as_str().unwrap_or_default().to_owned() + &patch.delta;
                *place = Json::String(text);
            }
            PatchOp::Done if !is_container => {
                *self.place(&pointer) = patch.value.to_serde_json().expect("it is shallow");
            }
            PatchOp::Done => {}
            kind => panic!("valid JSON needs no {kind:?}"),
        }
    }

    /// The place of a pointer, made if it is the next of its parent.
    fn place(&mut self, pointer: &str) -> &mut Json {
        let mut place = &mut self.0;
        for step in pointer.split('/').skip(1) {
            let key = step.replace("~1", "/").replace("~0", "~");
            place = match place {
                Json::Array(items) => {
                    let at: usize = key.parse().expect("an index");
                    if at == items.len() {
                        items.push(Json::Null);
                    }
                    &mut items[at]
                }
                other => &mut other[key.as_str()],
            };
        }
        place
    }
}
