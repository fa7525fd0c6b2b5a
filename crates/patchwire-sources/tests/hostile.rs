//! What a provider should never send.

use patchwire_sources::{DecodeErrorKind, Decoder, Delta, EVENT_BYTES, End, Protocol};

use crate::decoded::Decoded;

fn limited(protocol: Protocol, limit: usize, body: &[u8]) -> Option<DecodeErrorKind> {
    let mut decoder = Decoder::with_limit(protocol, limit);
    decoder.feed(body, |_| {}).err().map(|error| error.kind)
}

#[test]
fn an_event_over_the_limit_is_an_error_and_one_at_it_is_none() {
    // `{"x":"…"}` of a hundred bytes.
    let json = format!("{{\"x\":\"{}\"}}", "y".repeat(92));
    assert_eq!(json.len(), 100);
    for protocol in Protocol::ALL {
        let body =
            if protocol.is_sse() { format!("data: {json}\n\n") } else { format!("{json}\n") };
        assert_eq!(limited(protocol, 100, body.as_bytes()), None, "{protocol}");
        let over = Some(DecodeErrorKind::TooLong { limit: 99 });
        assert_eq!(limited(protocol, 99, body.as_bytes()), over, "{protocol}");
    }
}

/// A cap on payloads let a hundred thousand empty lines pass.
#[test]
fn floods_that_never_end_an_event_are_stopped() {
    let floods = [
        (Protocol::OpenAiChat, "data: x"),
        (Protocol::OpenAiChat, "data\n"),
        (Protocol::OpenAiChat, "data: \n"),
        (Protocol::OpenAiChat, "event: x"),
        (Protocol::OpenAiChat, "id: x"),
        (Protocol::Ollama, "{"),
    ];
    for (protocol, unit) in floods {
        let mut decoder = Decoder::with_limit(protocol, 10_000);
        // The first line goes on and on, or there is one after another.
        let rest = if unit.ends_with('\n') { unit.to_owned() } else { "x".repeat(7) };
        let mut result = decoder.feed(unit.as_bytes(), |_| {});
        for _ in 0..20_000 {
            result = result.and_then(|()| decoder.feed(rest.as_bytes(), |_| {}));
        }
        let kind = result.expect_err(unit).kind;
        assert_eq!(kind, DecodeErrorKind::TooLong { limit: 10_000 }, "{unit:?}");
    }
}

/// Bytes without content: each unit is one event, or a comment.
const EMPTY_UNITS: [&str; 5] = [
    ": ping\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"}}]}\n\n",
    "data: {\"other\":1}\n\n",
    "data: {\"choices\":[],\"usage\":{\"total_tokens\":7}}\n\n",
    "retry: 10\n\n",
];
const CONTENT: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n";

/// The offset of the error of a body with this limit, and the text before it.
fn empty_limited(body: &str, limit: u64, chunk: usize) -> (Option<u64>, String) {
    let mut decoder = Decoder::with_limit(Protocol::OpenAiChat, 100).with_empty_limit(limit);
    let mut text = String::new();
    let mut result = Ok(());
    for chunk in body.as_bytes().chunks(chunk) {
        result = result.and_then(|()| {
            decoder.feed(chunk, |delta| {
                if let Delta::Text(piece) = delta {
                    text += &piece;
                }
            })
        });
    }
    let offset = result.err().map(|error| {
        assert_eq!(error.kind, DecodeErrorKind::Empty { limit });
        assert_eq!(decoder.feed(b"", |_| {}), Err(error.clone()), "it stays an error");
        error.offset
    });
    (offset, text)
}

#[test]
fn a_body_that_goes_on_without_content_ends_by_a_limit_wherever_it_is_cut() {
    for unit in EMPTY_UNITS {
        let body = format!("{CONTENT}{}{CONTENT}", unit.repeat(40));
        let whole = empty_limited(&body, 300, body.len());
        let most = (CONTENT.len() + 300 + unit.len()) as u64;
        assert!(whole.0.is_some_and(|offset| offset <= most), "{unit:?}: {whole:?}");
        assert_eq!(whole.1, "x", "{unit:?}");
        for chunk in 1..200 {
            assert_eq!(empty_limited(&body, 300, chunk), whole, "{unit:?} in chunks of {chunk}");
        }
        // With room for all, and for the end of the framing of both texts.
        let room = (unit.len() * 40 + 60) as u64;
        assert_eq!(empty_limited(&body, room, 7), (None, "xx".to_owned()), "{unit:?}");
    }
    let content = CONTENT.repeat(1000);
    assert_eq!(empty_limited(&content, 9000, 64).0, None, "content counts only its framing");
}

#[test]
fn blanks_comments_and_unknown_events_are_passed_over() {
    for protocol in Protocol::ALL {
        let noise = if protocol.is_sse() {
            ": ping\n\n\nretry: 10\n\nfoo: bar\n\nevent: other\ndata: {\"type\":\"other\"}\n\n"
        } else {
            "\n \n\t\n{\"other\": 1}\n"
        };
        let decoded = Decoded::of(protocol, noise.repeat(10_000));
        assert_eq!((decoded.deltas.len(), decoded.end), (0, Ok(End::Cut(None))), "{protocol}");
    }
}

/// Every place of the protocols, with a value of another type there.
#[test]
fn values_of_other_types_are_passed_over() {
    let odd = ["null", "1", "\"x\"", "[]", "{}", "[[1]]", "{\"a\":{\"b\":[]}}", "true", "1e999"];
    let templates = [
        "{\"choices\":@}",
        "{\"choices\":[@]}",
        "{\"choices\":[{\"index\":@,\"delta\":{\"content\":\"x\"}}]}",
        "{\"choices\":[{\"delta\":@}]}",
        "{\"choices\":[{\"delta\":{\"content\":@}}]}",
        "{\"choices\":[{\"delta\":{\"content\":[@]}}]}",
        "{\"choices\":[{\"delta\":{\"tool_calls\":@}}]}",
        "{\"choices\":[{\"delta\":{\"tool_calls\":[@]}}]}",
        "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":@}]}}]}",
        "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":@,\"function\":{\"arguments\":@,\"name\":@}}]}}]}",
        "{\"choices\":[{\"delta\":{},\"finish_reason\":@}]}",
        "{\"usage\":@,\"model\":@,\"id\":@}",
        "{\"error\":@}",
        "{\"type\":@}",
        "{\"type\":\"content_block_start\",\"index\":@,\"content_block\":@}",
        "{\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\",\"input\":@,\"name\":@,\"id\":@}}",
        "{\"type\":\"content_block_delta\",\"delta\":@}",
        "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":@}}",
        "{\"type\":\"message_start\",\"message\":@}",
        "{\"type\":\"message_delta\",\"delta\":@,\"usage\":@}",
        "{\"type\":\"error\",\"error\":@}",
        "{\"type\":\"response.created\",\"response\":@}",
        "{\"type\":\"response.output_text.delta\",\"delta\":@}",
        "{\"type\":\"response.output_item.added\",\"item\":@}",
        "{\"type\":\"response.output_item.done\",\"item\":@}",
        "{\"type\":\"response.completed\",\"response\":@}",
        "{\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":@}}",
        "{\"message\":@}",
        "{\"message\":{\"content\":@,\"thinking\":@,\"tool_calls\":@}}",
        "{\"message\":{\"tool_calls\":[{\"function\":{\"arguments\":@}}]}}",
        "{\"done\":@}",
        "{\"done\":true,\"done_reason\":@,\"eval_count\":@}",
    ];
    for protocol in Protocol::ALL {
        for template in templates {
            for value in odd {
                let json = template.replace('@', value);
                if serde_json::from_str::<serde_json::Value>(&json).is_err() {
                    continue;
                }
                let body = if protocol.is_sse() {
                    format!("data: {json}\n\n")
                } else {
                    format!("{json}\n")
                };
                let decoded = Decoded::of(protocol, body);
                assert!(decoded.end.is_ok(), "{protocol}, {json}: {:?}", decoded.end);
            }
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    let body = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xFFb\"}}]}\n\n";
    assert_eq!(Decoded::of(Protocol::OpenAiChat, body).text(), "a\u{FFFD}b");
    let body = b"{\"message\":{\"content\":\"a\xFFb\"}}\n";
    assert_eq!(Decoded::of(Protocol::Ollama, body).text(), "a\u{FFFD}b");
}

#[test]
fn events_nested_too_deep_for_json_are_errors() {
    let body = format!("data: {}\n\n", "[".repeat(100_000));
    assert!(Decoded::of(Protocol::OpenAiChat, &body).end.is_err());
    let body = format!("data: {}1{}\n\n", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    assert!(Decoded::of(Protocol::Anthropic, &body).end.is_err());
}

#[test]
fn the_default_limit_is_what_is_said() {
    let body = format!("data: \"{}\"\n\n", "x".repeat(EVENT_BYTES));
    assert_eq!(
        limited(Protocol::OpenAiChat, EVENT_BYTES, body.as_bytes()),
        Decoded::of(Protocol::OpenAiChat, &body).end.err().map(|error| error.kind),
    );
}
