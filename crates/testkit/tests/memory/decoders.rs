//! What a decoder of a provider's stream keeps between two events.

use patchwire_async::sources::{Decoder, Delta, Protocol};

/// The bytes of a text, and the most that may be left of its event.
const LONG: usize = 1 << 20;
const LEFT: i64 = 32 << 10;

#[test]
fn nothing_of_a_long_event_is_left_in_the_decoder() {
    let text = "x".repeat(LONG);
    let chat = format!(r#"{{"choices":[{{"index":0,"delta":{{"content":"{text}"}}}}]}}"#);
    let ollama = format!(r#"{{"message":{{"content":"{text}"}},"done":false}}"#);
    for (protocol, event) in [
        (Protocol::OpenAiChat, format!("data: {chat}\n\n")),
        (Protocol::Ollama, format!("{ollama}\n")),
    ] {
        let (mut decoder, mut bytes) = (Decoder::new(protocol), 0);
        let info = allocation_counter::measure(|| {
            for part in event.as_bytes().chunks(4096) {
                let read = decoder.feed(part, |delta| {
                    if let Delta::Text(text) = delta {
                        bytes += text.len();
                    }
                });
                read.expect("it can be decoded");
            }
        });
        assert_eq!(bytes, LONG, "{protocol}");
        assert!(info.bytes_current <= LEFT, "{protocol}: {} bytes", info.bytes_current);
    }
}
