use patchwire::{Span, Spec};

use super::super::event_log::GrownText;
use super::*;

fn plan(text: &str) -> CutPlan {
    CutPlan::new(text.len(), Vec::new(), Some(20), 1)
}

#[test]
fn the_engine_does_not_mind() {
    let spec = Spec::json();
    for text in [
        "",
        "{",
        r#"{"a": [1, 2.50, "x\u00e9y", null], "b": {"c": "d"}}"#,
        "<think>well, {…}</think>Here:\n```json\n{'a': tru, b: \"it said \"hi\" there\",}\n```\n.",
        "{\"caf\u{e9}\": \"\u{1F600}\\ud83d\\ude00\"",
        "nothing but text <thi",
    ] {
        let log = compare(&EngineSubject(&spec), text.as_bytes(), &plan(text), &mut |_| {});
        assert!(log.is_ok(), "{text:?}: {log:?}");
    }
}

/// Loses whitespace at the end of a chunk: the classic error.
struct Trimming;

impl Subject for Trimming {
    fn read<'a>(&self, chunks: impl Iterator<Item = &'a [u8]>) -> EventLog {
        let mut text = String::new();
        for chunk in chunks {
            text.push_str(String::from_utf8_lossy(chunk).trim_end());
        }
        let span = Span::new(0, text.len() as u64);
        EventLog(vec![LogEntry::Grown {
            field: GrownText::Reasoning { element: None },
            text,
            span,
        }])
    }
}

#[test]
fn a_reader_that_minds_one_cut_is_caught_there() {
    let text = "ab cd";
    let plan = CutPlan::new(text.len(), Vec::new(), Some(0), 1);
    let difference = compare(&Trimming, text.as_bytes(), &plan, &mut |_| {}).expect_err("it trims");
    assert_eq!(difference.cutting, Cutting::Bytes);
    assert_eq!(difference.cuts, [1, 2, 3, 4]);
    assert_eq!(
        difference.whole.map(|step| step.to_string()).as_deref(),
        Some(r#"reasoning += "ab cd", bytes 0..5"#)
    );
    assert_eq!(
        difference.cut.map(|step| step.to_string()).as_deref(),
        Some(r#"reasoning += "abcd", bytes 0..4"#)
    );
}

/// Reads like the engine, but emits one event too many if the second chunk begins in a certain way.
struct Startled;

impl Subject for Startled {
    fn read<'a>(&self, chunks: impl Iterator<Item = &'a [u8]>) -> EventLog {
        let chunks: Vec<&[u8]> = chunks.collect();
        let spec = Spec::json();
        let mut log = EngineSubject(&spec).read(chunks.iter().copied());
        if chunks.len() == 2 && chunks[1].starts_with(b"\"x") {
            log.0.pop();
        }
        log
    }
}

#[test]
fn a_single_bad_cut_in_two_is_found() {
    let text = r#"{"a": "x"}"#;
    let difference =
        compare(&Startled, text.as_bytes(), &plan(text), &mut |_| {}).expect_err("it starts");
    assert_eq!((difference.cutting, difference.cuts), (Cutting::InTwo(6), vec![6]));
    assert!(difference.whole.is_some_and(|step| step.to_string().contains("\"event\":\"final\"")));
    assert!(difference.cut.is_none());
}

/// Reads a body correctly, but loses reasoning if a chunk begins in a certain way.
struct Thoughtless(Settings);

impl Subject for Thoughtless {
    fn read<'a>(&self, chunks: impl Iterator<Item = &'a [u8]>) -> EventLog {
        let chunks: Vec<&[u8]> = chunks.collect();
        let body = BodySubject { settings: &self.0, protocol: Protocol::Ollama };
        let mut log = body.read(chunks.iter().copied());
        if chunks.len() == 2 && chunks[1].starts_with(b"hm") {
            log.0.retain(|step| {
                !matches!(step, LogEntry::Grown { field: GrownText::Reasoning { .. }, .. })
            });
        }
        log
    }
}

#[test]
fn all_events_of_a_body_are_compared() {
    let body = "{\"message\":{\"content\":\"[1\",\"thinking\":\"hm\"}}\n{\"done\":true}\n";
    let settings = Settings::default();
    let engine = BodySubject { settings: &settings, protocol: Protocol::Ollama };
    compare(&engine, body.as_bytes(), &plan(body), &mut |_| {}).expect("it does not mind");
    let subject = Thoughtless(Settings::default());
    let difference =
        compare(&subject, body.as_bytes(), &plan(body), &mut |_| {}).expect_err("it forgets");
    assert_eq!(difference.cutting, Cutting::InTwo(body.find("hm").unwrap_or(0)));
    let whole = difference.whole.map(|step| step.to_string());
    assert_eq!(whole.as_deref(), Some(r#"reasoning += "hm", bytes 0..0"#));
}

#[test]
fn the_cuts_of_a_recording_come_early() {
    let text = r#"{"a": "x"}"#;
    let plan = CutPlan::new(text.len(), vec![6], Some(0), 1);
    let tried: Vec<Cutting> = plan.cuttings().take(2).collect();
    assert_eq!(tried, [Cutting::Bytes, Cutting::Recorded]);
    let difference =
        compare(&Startled, text.as_bytes(), &plan, &mut |_| {}).expect_err("it starts");
    assert_eq!(difference.cutting, Cutting::Recorded);
}
