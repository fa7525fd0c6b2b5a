//! The bodies of providers' responses, wrapped: what they say, and each way in which they end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Wake, Waker};

use futures_util::stream::{FusedStream as _, StreamExt as _};
use patchwire::{Spec, document::DocId};
use patchwire_async::sources::{Decoder, Delta, End, Foreign, Protocol, Stop};
use patchwire_async::{
    Deltas, DeltasError, Inputs, OnExhausted, ResponseEvent, TokenStreamExt as _, ask,
};
use tokio_stream::Stream;

use crate::source::{Script, all};

type Failure = DeltasError<std::io::Error>;

fn event(data: &str) -> String {
    format!("data: {data}\n\n")
}

fn said(content: &str) -> String {
    event(&serde_json::json!({"choices": [{"delta": {"content": content}}]}).to_string())
}

/// A chat completion of these parts, cut into chunks of this size.
fn body(
    parts: &[String],
    size: usize,
) -> impl Stream<Item = Result<Vec<u8>, std::io::Error>> + use<> {
    let bytes = parts.concat().into_bytes();
    let chunks: Vec<_> = bytes.chunks(size).map(|chunk| Ok(chunk.to_vec())).collect();
    tokio_stream::iter(chunks)
}

fn take(delta: Delta, out: &mut Inputs) {
    out.delta(delta);
}

#[tokio::test]
async fn a_body_becomes_fields_at_every_size_of_chunk() {
    let reasoning = event(r#"{"choices":[{"delta":{"reasoning":"Two, "}}]}"#);
    let call = event(
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"find","arguments":"{\"q\": 1}"}}]}}]}"#,
    );
    let end =
        event(r#"{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":7}}"#);
    let parts =
        [reasoning, said("{\"a\": [1"), call, said(", 2]}"), end, "data: [DONE]\n\n".to_owned()];
    for size in 1..60 {
        let deltas = Deltas::new(body(&parts, size), Protocol::OpenAiChat);
        let mut response = deltas.fields_with(Spec::json(), take);
        all(&mut response).await.unwrap();
        assert_eq!(response.get_ref().and_then(Deltas::end), Some(&End::Closed(Stop::End)));
        let answer = response.answer().await.unwrap();
        assert_eq!(answer.value().to_string(), r#"{"a":[1,2]}"#);
        assert_eq!(answer.reasoning(), "Two, ");
        assert_eq!(answer.calls()[0].name(), "find");
        assert_ne!(answer.calls()[0].document(), DocId::ANSWER);
        assert_eq!(answer.facts()["usage"]["total_tokens"], 7);
        assert_eq!(answer.facts()["stop_reason"], "stop");
    }
}

/// Reads a body to its error; what came before stays.
async fn failure(last: &[String]) -> Failure {
    let parts = [&[said("{\"a\": \"so fa")], last].concat();
    let deltas = Deltas::new(body(&parts, 11), Protocol::OpenAiChat);
    let mut response = deltas.fields_with(Spec::json(), take);
    let error = all(&mut response).await.expect_err("it ends badly");
    assert_eq!(response.value().get("a").and_then(|a| a.as_str()), Some("so fa"));
    drop(response);
    error.into_source().expect("it is the last")
}

/// However it is cut. A decoder that was made elsewhere does not say of which protocol it is.
#[tokio::test]
async fn what_is_of_another_protocol_is_named() {
    let delta = r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"[1]"}}"#;
    let parts = [event(delta), event(r#"{"type":"message_stop"}"#)];
    for size in [1, 7, 1000] {
        let mut deltas = Deltas::new(body(&parts, size), Protocol::OpenAiChat);
        let Some(Err(Failure::Foreign { protocol, found })) = deltas.next().await else {
            panic!("it is foreign")
        };
        assert_eq!((protocol, found), (Protocol::OpenAiChat, Foreign::Stream(Protocol::Anthropic)));
        assert!(deltas.next().await.is_none());
        let decoder = Decoder::new(Protocol::OpenAiChat);
        let mut deltas = Deltas::decoding(body(&parts, size), decoder);
        assert!(matches!(deltas.next().await, Some(Err(Failure::Cut))));
    }
}

#[tokio::test]
async fn each_bad_end_has_its_type() {
    assert!(matches!(failure(&[]).await, DeltasError::Cut));
    let overloaded = event(r#"{"error":{"message":"busy","code":"overloaded_error"}}"#);
    let DeltasError::Provider(error) = failure(&[overloaded]).await else { panic!("no error") };
    assert_eq!(error.to_string(), "overloaded_error: busy");
    let refused = event(r#"{"choices":[{"delta":{"refusal":"I won't."},"finish_reason":"stop"}]}"#);
    let refused = failure(&[refused, "data: [DONE]\n\n".to_owned()]).await;
    assert_eq!(refused.to_string(), "the model refuses: I won't.");
    let DeltasError::Decode(error) = failure(&["data: {\n\n".to_owned()]).await else {
        panic!("no error")
    };
    assert!(error.to_string().contains("no JSON object"), "{error}");
}

#[tokio::test]
async fn a_connection_that_fails_keeps_its_own_error() {
    let chunks = [Ok(said("[1")), Err(std::io::Error::other("unplugged"))];
    let mut deltas = Deltas::new(tokio_stream::iter(chunks), Protocol::OpenAiChat);
    assert_eq!(deltas.next().await.unwrap().unwrap(), Delta::Text("[1".to_owned()));
    let error = deltas.next().await.unwrap().unwrap_err();
    assert!(matches!(&error, DeltasError::Body(error) if error.to_string() == "unplugged"));
    assert!(deltas.next().await.is_none() && deltas.is_terminated());
    assert_eq!(deltas.end(), None);
}

/// What stands beside a broken event comes before the error.
#[tokio::test]
async fn deltas_come_before_the_error() {
    let chunk = said("[1") + &said(", 2") + "data: ?\n\n" + &said(", 3");
    let deltas =
        Deltas::new(tokio_stream::iter([Ok::<_, std::io::Error>(chunk)]), Protocol::OpenAiChat);
    let items: Vec<_> = deltas.collect().await;
    assert_eq!(items.len(), 4);
    assert!(matches!(&items[1], Ok(Delta::Text(text)) if text == ", 2"));
    assert!(matches!(&items[2], Ok(Delta::Text(text)) if text == ", 3"));
    assert!(matches!(items[3], Err(DeltasError::Decode(_))));
}

#[tokio::test]
async fn a_stream_without_its_close_is_whole_if_a_reason_came() {
    let end = event(r#"{"choices":[{"delta":{"content":"[1]"},"finish_reason":"length"}]}"#);
    let deltas = Deltas::new(body(&[end], 5), Protocol::OpenAiChat);
    let mut response = deltas.fields_with(Spec::json(), take);
    assert_eq!(response.data::<Vec<u32>>().await.unwrap(), [1]);
    assert_eq!(response.get_ref().and_then(Deltas::end), Some(&End::Cut(Some(Stop::Length))));
}

#[tokio::test]
async fn a_cut_body_is_asked_for_again() {
    let whole = || body(&[said("[1]"), "data: [DONE]\n\n".to_owned()], 9);
    let cut = || body(&[said("[")], 9);
    let request = move |attempt: patchwire_async::Attempt| async move {
        let body = if attempt.number == 1 { cut().boxed() } else { whole().boxed() };
        Ok(Deltas::new(body, Protocol::OpenAiChat))
    };
    let mut response = ask(Spec::json(), request)
        .split(take)
        .max_retries(1)
        .on_exhausted(OnExhausted::Last)
        .send();
    let mut resets = 0;
    while let Some(event) = response.next().await {
        resets += u32::from(matches!(event.unwrap(), ResponseEvent::Reset { .. }));
    }
    assert_eq!((resets, response.data::<Vec<u32>>().await.unwrap()), (1, vec![1]));
}

/// Dropping the response drops the body.
#[tokio::test]
async fn a_dropped_response_drops_the_body() {
    let (body, counts) = Script::slow([said("[1"), said(", 2]")]);
    let mut response = Deltas::new(body, Protocol::OpenAiChat).fields_with(Spec::json(), take);
    response.next().await.unwrap().unwrap();
    assert_eq!(counts.drops(), 0);
    drop(response);
    assert_eq!(counts.drops(), 1);
}

/// Counts how often it is woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_body_without_deltas_lets_other_tasks_have_their_turn() {
    let read = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&read);
    let comments = std::iter::repeat_with(move || {
        counted.fetch_add(4096, Ordering::Relaxed);
        Ok::<_, std::io::Error>(": ping\n\n".repeat(512))
    });
    // The iterator of tokio would take turns by itself.
    let mut deltas = Deltas::new(futures_util::stream::iter(comments), Protocol::OpenAiChat);
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    for turn in 1..=3 {
        assert!(deltas.poll_next_unpin(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(woken.0.load(Ordering::Relaxed), turn, "it comes back by itself");
        assert_eq!(read.load(Ordering::Relaxed), turn * (64 << 10));
    }
}
