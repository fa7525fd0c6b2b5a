//! A response tells what the plain parser tells.

use bytes::Bytes;
use patchwire::{OwnedEvent, PatchOp, Spec};
use patchwire_async::{ResponseEvent, TokenStreamExt as _};

use crate::source::{Script, all};

const TEXTS: [&str; 5] = [
    "<think>so \u{e9}</think> Sure: {\"a\": {\"b\": [1, \"two\", [], {}]}, \"c\": \"four \u{1f600} five\"} done",
    "{\"a\": 1, \"b\": \"x\", \"a\": {\"c\": 2}, \"b\": 3} or {\"a\": 4}",
    "```json\n[\"a\", 'b', {\"c\": \"cut \\ud83d\\ude00",
    "no payload at all </think> but text",
    "{\"list\": [\"a\", \"b\": 1, \"c\": [\"d\"]}",
];

fn plain(spec: &Spec, chunks: &[&[u8]]) -> Vec<OwnedEvent> {
    let mut events = Vec::new();
    let mut parser = spec.parser();
    for chunk in chunks {
        parser
            .feed_bytes(Bytes::copy_from_slice(chunk), |event| events.push(event.to_owned()))
            .unwrap();
    }
    parser.finish(|event| events.push(event.to_owned())).unwrap();
    events
}

/// The event of the engine: a response without tool calls and attempts has no others.
fn parsed(event: ResponseEvent) -> OwnedEvent {
    let ResponseEvent::Parsed(event) = event else { panic!("{event} is not of the engine") };
    event
}

/// Joins neighbouring deltas.
fn joined(events: Vec<OwnedEvent>) -> Vec<OwnedEvent> {
    let mut out: Vec<OwnedEvent> = Vec::new();
    for event in events {
        match (out.last_mut(), &event) {
            (Some(OwnedEvent::Patch(last)), OwnedEvent::Patch(next))
                if last.op == PatchOp::Delta
                    && next.op == PatchOp::Delta
                    && last.node == next.node =>
            {
                last.delta = format!("{}{}", last.delta, next.delta).into();
                last.span.end = next.span.end;
            }
            (
                Some(OwnedEvent::Text { delta, span, .. }),
                OwnedEvent::Text { delta: more, span: next, .. },
            )
            | (
                Some(OwnedEvent::Reasoning { delta, span, .. }),
                OwnedEvent::Reasoning { delta: more, span: next, .. },
            ) => {
                *delta = format!("{delta}{more}").into();
                span.end = next.end;
            }
            _ => out.push(event),
        }
    }
    out
}

#[tokio::test]
async fn the_events_are_those_of_the_parser() {
    let spec = Spec::json();
    for text in TEXTS {
        for size in [1, 2, 3, 5, 16, 1000] {
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            let expected = plain(&spec, &chunks);
            let mut response = Script::of(chunks.clone()).fields(&spec);
            let events = all(&mut response).await.unwrap();
            let events: Vec<OwnedEvent> = events.into_iter().map(parsed).collect();
            assert_eq!(events, expected, "{text:?} in {size}");
            assert_eq!(response.answer().await.unwrap().value(), spec.parse(text).unwrap().value());

            let ticks = futures_util::stream::pending::<()>();
            let mut coalesced = Script::of(chunks).fields(&spec).coalesce(ticks);
            let mut events = Vec::new();
            while let Some(event) = coalesced.next().await {
                events.push(parsed(event.unwrap()));
            }
            assert_eq!(events, joined(expected), "{text:?} in {size}, coalesced");
        }
    }
}

#[tokio::test]
async fn every_kind_of_chunk_reads_the_same() {
    use std::borrow::Cow;
    async fn value<I: patchwire_async::IntoBytes>(item: I) -> String {
        let answer = Script::of([item]).fields(Spec::json()).answer().await.unwrap();
        answer.value().to_string()
    }
    let text = "{\"a\": \"b\"}";
    let expected = "{\"a\":\"b\"}";
    assert_eq!(value(text).await, expected);
    assert_eq!(value(text.to_owned()).await, expected);
    assert_eq!(value(text.as_bytes()).await, expected);
    assert_eq!(value(text.as_bytes().to_vec()).await, expected);
    assert_eq!(value(Bytes::from(text)).await, expected);
    assert_eq!(value(bytestring::ByteString::from(text)).await, expected);
    assert_eq!(value(Cow::Borrowed(text)).await, expected);
    assert_eq!(value(Cow::Borrowed(text.as_bytes())).await, expected);
    assert_eq!(value(Some(text)).await, expected);
    assert_eq!(value(None::<&str>).await, "null");
}

#[tokio::test]
async fn a_long_delta_is_a_slice_of_the_callers_buffer() {
    let chunk = Bytes::from(b"{\"title\": \"plain text of some length\", \"n\": 1}".to_vec());
    let range = chunk.as_ptr_range();
    let mut response = Script::of([chunk]).fields(Spec::json());
    let events = all(&mut response).await.unwrap();
    let deltas: Vec<_> = events
        .iter()
        .filter_map(ResponseEvent::as_patch)
        .filter(|patch| patch.op == PatchOp::Delta)
        .map(|patch| &patch.delta)
        .collect();
    assert_eq!(deltas, ["plain text of some length"]);
    assert!(range.contains(&deltas[0].as_ptr()));
    let text = "{\"title\": \"plain text of some length\"}".to_owned();
    let range = text.as_bytes().as_ptr_range();
    let mut response = Script::of([text]).fields(Spec::json());
    let delta =
        all(&mut response).await.unwrap().into_iter().find_map(|event| match parsed(event) {
            OwnedEvent::Patch(patch) if patch.op == PatchOp::Delta => Some(patch.delta),
            _ => None,
        });
    assert!(range.contains(&delta.unwrap().as_ptr()));
}
