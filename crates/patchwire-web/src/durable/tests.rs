//! The events of a stored answer follow from its records, however they are cut into entries and whenever they are read.

use std::collections::VecDeque;

use core::time::Duration;
use serde_json::json;
use serde_json::value::RawValue;

use crate::answer_reader::{AnswerReader, Progress};
use crate::budget::Budget;
use crate::chat_request;
use crate::client_forms::StreamNames;
use crate::records::{self, Closing, EntryWriter, Record};
use crate::stream_record::RecordSource;
use crate::upstream::{Delta, UpstreamError};
use crate::wire_event::WireEvent;

fn text(text: &'static str) -> Record {
    Record::Delta(Delta::Text(text.into()))
}

fn call(id: Option<&str>, arguments: &'static str) -> Record {
    Record::Delta(Delta::Call {
        key: 0_u32.into(),
        id: id.map(str::to_owned),
        name: id.map(|_| "find".to_owned()),
        arguments: arguments.into(),
    })
}

/// An answer whose first attempt breaks off, whose second has no value, and whose third passes.
fn records() -> Vec<Record> {
    let broken = UpstreamError::Lost { is_repeated: true };
    vec![
        text("<think>Hm"),
        text("</think>{\"title\": \"A mi"),
        Record::End { error: Some(broken), is_repeated: true },
        text("Sorry"),
        Record::CatchUp,
        text(", no."),
        Record::End { error: None, is_repeated: true },
        Record::Delta(Delta::Reasoning("Well".into())),
        text("Sure! {\"title\": \"A mill\", 'rows': ["),
        Record::CatchUp,
        text("{\"n\": 1}, {\"n\""),
        call(Some("call-1"), "{\"q\":"),
        text(": 22}]"),
        Record::CatchUp,
        call(None, " 7}"),
        text("}"),
        Record::Delta(Delta::Fact("usage".into(), json!({"prompt_tokens": 3}))),
        Record::End { error: None, is_repeated: false },
    ]
}

const OPTIONS: [&str; 7] = [
    r#"{"max_retries": 3}"#,
    r#"{"max_retries": 3, "raw": true, "tags": "think"}"#,
    r#"{"max_retries": 3, "wire": "compact"}"#,
    r#"{"max_retries": 3, "wire": "ops"}"#,
    r#"{"max_retries": 3, "wire": "json-patch"}"#,
    r#"{"max_retries": 3, "wire": "ag-ui"}"#,
    r#"{"max_retries": 3, "wire": "ui-message"}"#,
];

fn reader(options: &str) -> AnswerReader {
    let options = RawValue::from_string(options.to_owned()).expect("JSON");
    let budget = Budget::new(Duration::from_secs(10));
    let asked = budget.measure(|meter| {
        chat_request::stored(Some(&options), StreamNames::default(), 1 << 20, meter)
    });
    let asked = asked.unwrap_or_else(|error| panic!("{options}: {error}"));
    let record = RecordSource {
        metrics: std::sync::Arc::default(),
        endpoint: "",
        begun: std::time::Instant::now(),
        is_counted: false,
    };
    AnswerReader::new(asked.spec, &asked.sending, asked.options_bytes, record)
}

/// The events of records that come in these groups.
fn events(mut reader: AnswerReader, groups: Vec<Vec<Record>>) -> (Vec<WireEvent>, bool) {
    let mut ready = VecDeque::new();
    for group in groups {
        reader.offer_records(group);
        loop {
            match reader.batch(&mut ready) {
                Progress::Events => {}
                Progress::Hungry => break,
                Progress::Ended => return (ready.into(), true),
            }
        }
    }
    (ready.into(), false)
}

fn live(options: &str) -> Vec<WireEvent> {
    let one_by_one = records().into_iter().map(|record| vec![record]).collect();
    let (all, has_ended) = events(reader(options), one_by_one);
    assert!(has_ended, "{options}");
    all
}

#[test]
fn the_answer_has_everything_that_a_store_keeps() {
    let all = live(OPTIONS[0]);
    let names: Vec<&str> = all.iter().map(|event| event.name).collect();
    for name in ["attempt_failed", "retrying", "reset", "reasoning", "patch", "facts", "final"] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    assert_eq!(names.iter().filter(|name| **name == "reset").count(), 2);
    let repeats = |options| live(options).len();
    assert!(repeats(OPTIONS[4]) > 10 && repeats(OPTIONS[5]) > 10);
}

#[test]
fn events_do_not_depend_on_how_records_are_cut_into_entries() {
    for options in OPTIONS {
        let all = live(options);
        for size in 1..=records().len() {
            let groups = records().chunks(size).map(<[Record]>::to_vec).collect();
            assert_eq!(events(reader(options), groups), (all.clone(), true), "{options} {size}");
        }
        for cut in 0..=records().len() {
            let (head, tail) = (records()[..cut].to_vec(), records()[cut..].to_vec());
            assert_eq!(events(reader(options), vec![head, tail]).0, all, "{options} at {cut}");
        }
    }
}

#[test]
fn what_is_read_of_any_prefix_is_the_beginning() {
    for options in OPTIONS {
        let all = live(options);
        for cut in 0..records().len() {
            let (prefix, has_ended) = events(reader(options), vec![records()[..cut].to_vec()]);
            assert!(!has_ended && all.starts_with(&prefix), "{options} at {cut}");
        }
    }
}

#[test]
fn a_client_gets_exactly_the_rest_behind_any_event() {
    for options in OPTIONS {
        let all = live(options);
        for after in 0..=all.len() {
            let rest = events(reader(options).skipping(after as u64), vec![records()]);
            assert_eq!(rest, (all[after..].to_vec(), true), "{options} after {after}");
        }
        let mut beyond = reader(options).skipping(all.len() as u64 + 3);
        beyond.offer_records(records());
        let mut ready = VecDeque::new();
        while beyond.batch(&mut ready) == Progress::Events {}
        assert_eq!((ready.len(), beyond.skipped()), (0, 3), "{options}");
    }
}

#[test]
fn entries_keep_the_records() {
    let mut writer = EntryWriter::default();
    records().iter().for_each(|record| writer.record(record));
    assert_eq!(records::read(writer.take()), Ok(records()));
    assert!(writer.is_empty());
}

#[test]
fn a_closed_answer_ends_with_the_reason() {
    let mut cut = records()[..1].to_vec();
    cut.push(Record::Closed(Closing::Cancelled));
    cut.extend(records());
    let (closed, has_ended) = events(reader("{}"), vec![cut]);
    assert!(has_ended);
    let last = closed.last().expect("an event");
    assert!(last.name == "error" && last.data.contains(r#""code":"cancelled""#), "{last:?}");
}
