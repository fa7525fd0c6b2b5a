use core::time::Duration;

use serde_json::json;

use super::*;

fn errors() -> Vec<UpstreamError> {
    let text = || "é".to_owned();
    let refused =
        |retry_after| UpstreamError::Refused { status: 429, message: text(), retry_after };
    vec![
        UpstreamError::Unreachable(text()),
        UpstreamError::Absent(text()),
        UpstreamError::Encoded(text()),
        UpstreamError::BadBody(text()),
        refused(None),
        refused(Some(Duration::from_millis(1500))),
        UpstreamError::NoModel(text()),
        UpstreamError::NotSpoken { path: text(), spoken: String::new() },
        UpstreamError::Foreign(text()),
        UpstreamError::Timeout { seconds: 60 },
        UpstreamError::Empty(text()),
        UpstreamError::Broken(text()),
        UpstreamError::Lost { is_repeated: false },
        UpstreamError::Lost { is_repeated: true },
    ]
}

fn records() -> Vec<Record> {
    let call = |key, id: Option<&str>, name: Option<&str>| {
        let (id, name) = (id.map(str::to_owned), name.map(str::to_owned));
        Record::Delta(Delta::Call { key, id, name, arguments: "{\"a\":".into() })
    };
    let mut records = vec![
        Record::Request("{}".into()),
        Record::Delta(Delta::Text(Bytes::from_static(b"a\xe2\x82"))),
        Record::Delta(Delta::Text(Bytes::new())),
        Record::Delta(Delta::Reasoning(vec![b'r'; 200].into())),
        call(CallKey::Index(u32::MAX), None, None),
        call(CallKey::Id("call-1".into()), Some(""), Some("f")),
        Record::Delta(Delta::Fact("usage".into(), json!({"z": 1.5, "a": [null, true, "é"]}))),
        Record::CatchUp,
        Record::End { error: None, is_repeated: false },
    ];
    let ended = |error| Record::End { error: Some(error), is_repeated: true };
    records.extend(errors().into_iter().map(ended));
    records.extend(Closing::all().into_iter().map(Record::Closed));
    records
}

fn written(records: &[Record]) -> Bytes {
    let mut writer = EntryWriter::default();
    records.iter().for_each(|record| writer.record(record));
    writer.take()
}

#[test]
fn records_come_back() {
    let records = records();
    assert_eq!(read(written(&records)), Ok(records.clone()));
    for record in records {
        assert_eq!(read(entry(&record)), Ok(vec![record]));
    }
    assert_eq!(read(written(&[])), Ok(vec![]));
}

/// Servers read what others of the same version have stored.
#[test]
fn a_closing_is_stored_as_its_kind_and_a_number() {
    for (closing, bytes) in [
        (Closing::TimeLimit { seconds: 600 }, &[1, 0xd8, 4][..]),
        (Closing::WorkLimit, &[2, 0]),
        (Closing::TooLong { most: 5 }, &[3, 5]),
        (Closing::Cancelled, &[4, 0]),
    ] {
        let mut out = Vec::new();
        closing.write(&mut out);
        assert_eq!(out, bytes, "{closing:?}");
    }
}

#[test]
fn every_truncation_is_an_error() {
    let whole = written(&records());
    for len in 0..whole.len() {
        assert_eq!(read(whole.slice(..len)), Err(RecordError::Cut), "{len} bytes");
    }
    // A cut that the length hides is an error of the record, except between two records.
    for record in records() {
        let mut inner = EntryWriter::default();
        inner.record(&record);
        for len in 1..inner.len() {
            let mut cut = vec![VERSION];
            put_bytes(&mut cut, &inner.0[..len]);
            let error = read(cut.into()).expect_err("it is cut");
            assert!(matches!(error, RecordError::Cut), "{record:?} {len}: {error:?}");
        }
    }
}

#[test]
fn every_changed_byte_is_read_or_an_error() {
    let whole = written(&records());
    for at in 0..whole.len() {
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = whole.to_vec();
            changed[at] = byte;
            // It must not panic, and a length must not make it allocate.
            let _ = read(changed.into());
        }
    }
}

#[test]
fn unknown_versions_kinds_and_rests_are_named() {
    let mut next = entry(&Record::CatchUp).to_vec();
    next[0] = VERSION + 1;
    assert_eq!(read(next.into()), Err(RecordError::Version(VERSION + 1)));
    assert_eq!(read(Bytes::from_static(&[VERSION, 1, 99])), Err(RecordError::Kind(99)));
    assert_eq!(read(Bytes::from_static(&[VERSION, 0, 0])), Err(RecordError::Rest));
    assert_eq!(read(Bytes::from_static(&[VERSION, 3, 5, 0, 0])), Err(RecordError::Json));
}
