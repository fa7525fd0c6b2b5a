//! Bodies of a model's server from arbitrary bytes, passed on with fields and without. The fuzz target `passed` and a
//! test use it.
//!
//! ```text
//! byte 0      the API, whether it is a stream, and the length of its chunks
//! the rest    the body
//! ```

use std::sync::LazyLock;

use axum::Router;
use bytes::Bytes;
use patchwire_web::upstream::Passed;
use patchwire_web::{Limits, Options, router};
use serde_json::{Value as Json, json};
use tokio::runtime::{Builder, Runtime};

use crate::support::{PassedTo, bytes_of, post_to, reply, send};

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_all().build().expect("a runtime"));

/// Streams at once: so few that a request is refused if those before it are not freed soon.
const STREAMS: usize = 16;

/// Each request says what the server answers, and in which chunks.
static APP: LazyLock<Router> = LazyLock::new(|| {
    let model = PassedTo(|request: Passed| {
        let asked: Json = serde_json::from_slice(&request.body).expect("it was written here");
        let body: Vec<u8> = serde_json::from_value(asked["body"].clone()).expect("bytes");
        let chunk = asked["chunk"].as_u64().and_then(|chunk| usize::try_from(chunk).ok());
        let chunks = body.chunks(chunk.expect("a length").max(1));
        let kind = if asked["stream"] == true { "text/event-stream" } else { "application/json" };
        Ok(reply(kind, chunks.map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect()))
    });
    let limits = Limits { answer_bytes: 64 << 10, streams: STREAMS, ..Limits::default() };
    router(Options::default().with_limits(limits).with_upstream(model)).expect("it is sound")
});

/// Passes the body on, and checks what comes of it. Panics if that is wrong.
pub(crate) fn passed(data: &[u8]) {
    let [mode, body @ ..] = data else { return };
    let path = if mode & 1 == 0 { "/v1/chat/completions" } else { "/v1/messages" };
    let (stream, chunk) = (mode & 2 == 0, usize::from(mode >> 2) + 1);
    let ask = |chunk: usize, fields: bool| {
        let mut asked = json!({"body": body, "chunk": chunk, "stream": stream});
        if fields {
            asked["patchwire"] = json!({});
        }
        async move {
            let response = send(&APP, post_to(path, asked.to_string())).await;
            let status = response.status().as_u16();
            (status, bytes_of(response).await)
        }
    };
    RUNTIME.block_on(async {
        assert_eq!(ask(chunk, false).await, (200, Bytes::copy_from_slice(body)));
        let whole = ask(usize::MAX, true).await;
        assert_eq!(ask(chunk, true).await, whole, "{}", String::from_utf8_lossy(body));
        if whole.0 == 200 {
            assert!(is_within(body, &whole.1), "{}", String::from_utf8_lossy(&whole.1));
        }
    });
}

/// Whether all bytes are there, in order.
fn is_within(bytes: &[u8], whole: &[u8]) -> bool {
    let mut rest = whole.iter();
    bytes.iter().all(|byte| rest.any(|other| other == byte))
}

/// Each request frees its stream when its body has ended, and does not wait for a timer.
#[test]
fn more_bodies_than_streams_pass_one_after_another() {
    let mode_and_body = b"\x01\x03\x03\0\x07\x87\n\0### j\n```\n-0\n>";
    for _ in 0..20 * STREAMS {
        passed(mode_and_body);
    }
}

#[test]
fn bodies_that_were_spoilt_pass_whole() {
    const BODIES: [&str; 4] = [
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"a\\\": [1,\"}}]}\r\n\r\n: x\n\ndata: {\"choices\":[{\"delta\":{\"content\":\" 2]}\"},\"finish_reason\":\"stop\"},{\"index\":1,\"delta\":{}}]}\n\ndata: [DONE]\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\ndata: \"delta\":{\"type\":\"text_delta\",\"text\":\"[1, 2\"}}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n",
        "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"[1]\"},\"finish_reason\":\"stop\"}]}",
        "{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"[1]\"}]}",
    ];
    const PARTS: [&[u8]; 12] = [
        b"\n", b"\r", b"\n\n", b"data: ", b"\"", b"}", b"{", b"\\", b"\xff", b"[DONE]", b",",
        b"error",
    ];
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random >> 33).expect("31 bits") % below
    };
    for round in 0..1200_usize {
        let mut body = BODIES[round % BODIES.len()].as_bytes().to_vec();
        for _ in 0..next(4) {
            let at = next(body.len() + 1);
            let end = (at + next(6)).min(body.len());
            body.splice(at..end, PARTS[next(PARTS.len())].iter().copied());
        }
        let kinds = [0_u8, 1, 2, 3];
        let mode = kinds[round % kinds.len()] | u8::try_from(next(64) << 2).expect("eight bits");
        passed(&[&[mode], &*body].concat());
    }
}
