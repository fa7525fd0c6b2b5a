//! No change goes unseen: what becomes of keys, of headers and of settings that a seed writes, as numbers.

#[path = "../../testkit/shared/fingerprints.rs"]
mod shared;

use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::fmt::Write as _;

use bytes::Bytes;
use futures_core::Stream as _;
use patchwire::{Format, Schema, Spec, TagSet};
use patchwire_async::sources::ProviderError;
use patchwire_async::{Attempt, DeltasError};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value as Json, json};

use crate::error_filter::Content;
use crate::passed::PassedBody;
use crate::secrets::Secrets;
use crate::{Chat, ChatError, Endpoint, Key, Structured, http};
use shared::{Random, Style, compare, slip, written};

/// Keys as providers make them, and some that nobody makes.
const KEYS: [&str; 14] = [
    "sk-proj-0123456789abcdef",
    "sk-ant-api03-AbC_dEf-0123",
    "zq/AB+cd=efgh",
    "abcdefgh",
    "abcdefg",
    "abcd",
    "abc",
    "",
    "zz-zz-key-0123",
    "AIzaSyA-0123456789_abc",
    "a b c d e f g h",
    "Bearer",
    "aaaaaaaaaaaa",
    "x~y.z_w-0123/+",
];

/// What stands around keys.
const WORDS: [&str; 26] = [
    " ",
    " ",
    "the key ",
    "is wrong",
    "sk-",
    "sk_live_",
    "gsk_",
    "xai-",
    "hf_",
    "AIza",
    "ghp_",
    "AKIA",
    "eyJ",
    "api_key=",
    "Bearer ",
    "bearer ",
    "[key]",
    "[",
    "0123456789",
    "abcdefg",
    "-_.+/=*",
    "é☃",
    "\"",
    "\\/",
    "task-",
    "!",
];

/// A text with keys in it: whole, in parts, and as servers write them.
fn text(key: &str, random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.below(9) {
        match random.below(8) {
            0 | 1 => text += key,
            2 => text += &key[..random.below(key.len() + 1)],
            3 => text += &key[random.below(key.len() + 1)..],
            4 => text += &key.replace('/', "\\/").replace('+', "\\u002B"),
            5 => text += &key.replace('/', "%2F").replace('+', "%2b").replace('=', "%3D"),
            _ => text += random.pick(&WORDS),
        }
    }
    text
}

fn secrets(key: &str, random: &mut Random) -> Secrets {
    let mut headers = HeaderMap::new();
    let scheme = random.pick(&["", "Bearer ", "bearer  ", " Basic "]);
    let name = random.pick(&["authorization", "x-api-key", "api-key", "cookie"]);
    let value = HeaderValue::from_str(&format!("{scheme}{key}")).unwrap();
    headers.insert(HeaderName::from_static(name), value);
    Secrets::of(&headers, if random.one_of(3) { Some("own-0123456789") } else { None })
}

#[test]
fn keys_in_texts() {
    compare("keys", 60, |random| {
        let key = random.pick(&KEYS);
        let secrets = secrets(key, random);
        let text = text(key, random) + random.pick(&["", "own-0123456789", "own-0123"]);
        let mut out = format!("{key} {text:?}\n{:?} {}\n", secrets.hide(&text), secrets.is_empty());
        let value = HeaderValue::from_bytes(text.as_bytes());
        let hidden = value.map(|value| secrets.hide_value(&value));
        let body = match random.below(3) {
            0 => json!({"error": {"message": text, text.clone(): [text, 1, null]}}).to_string(),
            1 => json!([text]).to_string(),
            _ => text,
        };
        let mut bytes = body.into_bytes();
        if random.one_of(8) {
            bytes.insert(0, 0xff);
        }
        let (begun, bytes) = (secrets.begun(&bytes), Bytes::from(bytes));
        let body = secrets.hide_body(bytes.clone());
        writeln!(out, "{hidden:?} {bytes:?} {body:?} {begun}").unwrap();
        out
    });
}

/// The chunks of a body as they come out, one by one.
fn passed(chunks: Vec<Bytes>, secrets: Secrets, content: Content) -> String {
    let chunks = tokio_stream::iter(chunks.into_iter().map(Ok));
    let mut body = PassedBody::new(chunks, secrets, content);
    let mut out = String::new();
    let mut cx = Context::from_waker(Waker::noop());
    while let Poll::Ready(Some(Ok(chunk))) = Pin::new(&mut body).poll_next(&mut cx) {
        writeln!(out, "{chunk:?}").unwrap();
    }
    out
}

/// An event that may be an error, with keys in it.
fn event(key: &str, random: &mut Random) -> String {
    let said = text(key, random);
    let data = match random.below(8) {
        0 => json!({"error": {"message": said}}),
        1 => json!({"type": "error", "message": said}),
        2 => json!({"object": "error", "a": [said]}),
        3 => json!({"content": format!("\"error\" {said}"), "error": null}),
        4 => json!({"error": said, "b": 1}),
        5 => Json::String(said),
        _ => json!({"choices": [{"delta": {"content": said}}]}),
    };
    let end = random.pick(&["\n", "\r\n", "\r"]);
    let name = random.pick(&["", "", "event: error", "event:error", "event: ping", "id: 1"]);
    let head = if name.is_empty() { String::new() } else { format!("{name}{end}") };
    let style = random.pick(&[Style::Compact, Style::Compact, Style::Lines]);
    let mut text = head;
    for line in written(&data, style, random).split('\n') {
        text += &format!("{}{line}{end}", random.pick(&["data: ", "data:", "data:  "]));
    }
    text + random.pick(&[end, end, end, ""])
}

#[test]
fn keys_in_bodies() {
    compare("bodies", 60, |random| {
        let key = random.pick(&KEYS);
        let secrets = secrets(key, random);
        let kinds: [&[u8]; 7] = [
            b"text/event-stream",
            b"text/event-stream; charset=utf-8",
            b"Application/JSON ;x",
            b"application/json",
            b"",
            b"text/html",
            b"application/jsonl",
        ];
        let content = Content::of(random.pick(&kinds));
        let many = if content == Content::Events { random.below(4) } else { 0 };
        let mut body = match random.below(3) {
            0 => text(key, random),
            1 => json!({"error": {"message": text(key, random)}}).to_string(),
            _ => json!({"message": text(key, random), "error": null}).to_string(),
        };
        for _ in 0..many {
            body = event(key, random) + &body;
        }
        if random.one_of(60) {
            body = format!("{body}{}", "x".repeat(70_000));
        }
        let mut bytes = body.into_bytes();
        if random.one_of(10) {
            bytes = random.damaged(&bytes);
        }
        let most = random.pick(&[1, 3, 20, 100, 1 << 20]);
        let most = if bytes.len() > 9000 { most.max(5000) } else { most };
        let chunks: Vec<Bytes> = random.chunks(&bytes, most).into_iter().map(Bytes::from).collect();
        format!(
            "{content:?} {:?}\n{}",
            String::from_utf8_lossy(&bytes),
            passed(chunks, secrets, content)
        )
    });
}

#[test]
fn endpoints_and_addresses() {
    compare("endpoints", 30, |random| {
        let base = format!(
            "{}{}{}{}",
            random.pick(&["http://", "https://", "https://", "", "ftp://", "HTTP://"]),
            random.pick(&[
                "a.example",
                "localhost:8080",
                "user:word@a.example",
                "127.0.0.1:1",
                "",
                "a b"
            ]),
            random.pick(&[
                "",
                "/",
                "/v1",
                "/v1/",
                "/api",
                "/api/v1",
                "/v1/chat/completions",
                "/v1/messages/",
                "/api/chat",
                "/api/generate",
                "/x/responses",
                "/v1/responses",
                "/openai/v1",
                "/v2",
                "/xv1",
            ]),
            random.pick(&["", "", "?a=b", "#f"]),
        );
        let protocol = random.pick(&Endpoint::PROTOCOLS);
        let mut out = format!("{protocol} {base}\n");
        match Endpoint::new(protocol, &base) {
            Err(error) => writeln!(out, "{error} {error:?}").unwrap(),
            Ok(endpoint) => {
                let name = random.pick(&[None, Some("m"), Some("meta/llama 3"), Some("a?b#c/..")]);
                writeln!(out, "{endpoint:?} {} {}", endpoint.host(), endpoint.models(name))
                    .unwrap();
                writeln!(out, "{}", http::named(endpoint.parsed().clone())).unwrap();
                let key = Key::new(random.pick(&[" sk-1 ", "", "a\nb", "é"]));
                let (name, value) = http::authorization(protocol, &key);
                writeln!(out, "{name} {:?} {}", value.as_bytes(), value.is_sensitive()).unwrap();
            }
        }
        out
    });
}

const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

/// Headers, and values that they may have.
const HEADERS: [(&str, [&str; 10]); 4] = [
    (
        "location",
        [
            "/v2/chat",
            "http://b.example/",
            "/v2?token=x",
            "/v2#token",
            "https://user@b.example/",
            "https://:word@b.example/",
            "ftp://b.example/",
            "//[",
            "?",
            "/sk-0123456789",
        ],
    ),
    (
        "retry-after",
        [
            "7",
            " 7 ",
            "",
            "-1",
            "99999999999999999999",
            "Sun, 06 Nov 1994 08:50:07 GMT",
            "Sun, 06 Nov 1994 08:49:00 GMT",
            "soon",
            "1.5",
            "Sunday, 06-Nov-94 08:49:40 GMT",
        ],
    ),
    (
        "date",
        [DATE, DATE, DATE, DATE, " Sun, 06 Nov 1994 08:49:40 GMT ", DATE, DATE, DATE, DATE, DATE],
    ),
    (
        "content-encoding",
        ["gzip", "", "identity", "IDENTITY", " br ", "identity, br", "x", "gzip", "deflate", " "],
    ),
];

#[test]
fn headers_of_responses() {
    compare("headers", 30, |random| {
        let mut headers = HeaderMap::new();
        for (name, values) in HEADERS {
            if !random.one_of(4) || name == "date" {
                headers
                    .insert(HeaderName::from_static(name), random.pick(&values).parse().unwrap());
            }
        }
        let url = random.pick(&["https://a.example/v1/chat", "http://a.example:81/", "no address"]);
        let location = http::location(url, &headers, &Secrets::default());
        let (wait, coding) = (http::retry_after(&headers), http::content_coding(&headers));
        format!("{url} {headers:?}\n{location:?} {wait:?} {coding:?}")
    });
}

/// An error of a server, and what it means for the next request.
#[test]
fn errors_of_servers() {
    compare("errors", 30, |random| {
        let status = random.pick(&[
            400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 499, 500, 502, 503, 529, 599,
        ]);
        let mut body = json!({"error": {"message": "no, \"é\"", "type": "overloaded_error", "code": "insufficient_quota"}});
        if random.one_of(2) {
            slip(&mut body, &["message", "type", "code", "detail", "errors"], random);
        }
        let text = if random.one_of(6) { "slow down".to_owned() } else { body.to_string() };
        let error = ProviderError::of_response(status, text.as_bytes());
        let retry_after = random.pick(&[None, Some(0), Some(7), Some(60), Some(61)]);
        let retry_after = retry_after.map(core::time::Duration::from_secs);
        let url = "http://a.example/v1".to_owned();
        let error = match random.below(6) {
            0 => ChatError::Stream(DeltasError::Provider(error)),
            1 => ChatError::Stream(DeltasError::Cut),
            2 => ChatError::Stream(DeltasError::Refused("no".to_owned())),
            3 => ChatError::Redirect {
                url,
                location: random.pick(&[None, Some("x")]).map(str::to_owned),
            },
            4 => ChatError::Encoded { url, coding: "br".to_owned() },
            _ => ChatError::Status { url, error, retry_after },
        };
        let pause = core::time::Duration::from_millis(300);
        let pauses = [0, 1, 6, 9, u32::MAX].map(|failures| error.pause(pause, failures));
        format!("{status} {text}\n{error} {error:?} {} {pauses:?}", error.is_transient())
    });
}

/// An attempt as a request gets it; its members are set by the test.
fn attempt() -> Attempt {
    let (send, taken) = std::sync::mpsc::channel();
    let request = move |attempt: Attempt| {
        send.send(attempt).unwrap();
        core::future::ready(Ok::<_, std::io::Error>(tokio_stream::iter(["[]"])))
    };
    drop(patchwire_async::Response::of(request, Spec::json()));
    taken.recv().unwrap()
}

#[test]
fn bodies_of_requests() {
    let first = attempt();
    // Setting up a client takes long.
    let chats = Endpoint::PROTOCOLS.map(|protocol| {
        let endpoint = Endpoint::new(protocol, "http://a.example").unwrap();
        Chat::new(endpoint, "m", Spec::json()).unwrap()
    });
    compare("requests", 30, |random| {
        let format = random.pick(&[
            Format::Json,
            Format::Json,
            Format::Hybrid,
            Format::Text,
            Format::YamlLiteral,
        ]);
        let mut spec = Spec::builder().format(format);
        if !random.one_of(3) {
            let schema = random.pick(&[
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]}",
                "{\"title\":\"str\",\"rows\":[{\"n\":\"int\"}]}",
            ]);
            spec = spec.schema(Schema::from_text(schema).unwrap());
        }
        if random.one_of(6) {
            spec = spec.tags(TagSet::preset("hermes").unwrap());
        }
        let mut chat = random.pick(&chats.each_ref()).with_settings(spec).unwrap();
        if random.one_of(2) {
            chat = chat.system(random.pick(&["Be brief.", ""]));
        }
        if random.one_of(4) {
            chat = chat.structured(Structured::Off);
        }
        if random.one_of(3) {
            chat = chat.instructions(false);
        }
        if random.one_of(4) {
            let own = Spec::builder().format(random.pick(&[Format::Text, Format::Json]));
            chat = chat.defaults(Spec::builder().strict_shape(true)).with_settings(own).unwrap();
        }
        let mut attempt = first.clone();
        attempt.prompt = random.pick(&["Greet.", "", " "]).to_owned();
        attempt.correction = random.pick(&[None, None, Some("Again.")]).map(str::to_owned);
        attempt.settings = random
            .pick(&[
                "null",
                "{\"temperature\":0.5}",
                "{\"model\":null,\"stream_options\":{\"x\":1}}",
                "{\"text\":{\"format\":{\"type\":null}}}",
                "7",
            ])
            .parse()
            .unwrap();
        format!("{attempt:?}\n{}", chat.body(&attempt))
    });
}
