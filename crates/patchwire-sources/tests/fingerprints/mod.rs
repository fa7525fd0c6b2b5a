//! No change goes unseen: what the decoders make of bodies that a seed writes, as numbers. `crates/patchwire/tests/fingerprints`
//! says what the numbers mean, and how a change that is meant writes them again.

mod decoding;
mod framed;
mod made;
#[path = "../../../patchwire/tests/fingerprints/numbers.rs"]
mod numbers;
mod pieces;

use patchwire_sources::Protocol;

use made::Pool;
use numbers::{Random, compare_seeded};

/// Compares so many lines of ten numbers, each for three readings.
fn compare(file: &str, lines: u64, read: impl Fn(&mut Random) -> String) {
    compare_seeded(["decoded", file], [lines, 10], |random| {
        (0..3).map(|_| read(random)).collect::<Vec<_>>().join("\n")
    });
}

/// Bodies of a protocol, most of them read as such.
fn decoded(protocol: Protocol) {
    let pool = Pool::new(protocol);
    compare(protocol.name(), 80, |random| {
        let body = framed::body(&pool, random);
        let other = Protocol::ALL[random.below(Protocol::ALL.len())];
        let read_as = if random.below(12) == 0 { other } else { protocol };
        decoding::decoded(read_as, &body, random)
    });
}

#[test]
fn openai_chat() {
    decoded(Protocol::OpenAiChat);
}

#[test]
fn openai_responses() {
    decoded(Protocol::OpenAiResponses);
}

#[test]
fn anthropic() {
    decoded(Protocol::Anthropic);
}

#[test]
fn ollama() {
    decoded(Protocol::Ollama);
}

#[test]
fn gemini() {
    decoded(Protocol::Gemini);
}

#[test]
fn cohere() {
    decoded(Protocol::Cohere);
}

#[test]
fn bedrock() {
    decoded(Protocol::Bedrock);
}

/// Calls whose parts are numbered, named and cut in odd ways.
#[test]
fn calls() {
    compare("calls", 80, |random| {
        let protocol = random.pick(&[
            Protocol::OpenAiChat,
            Protocol::OpenAiChat,
            Protocol::OpenAiResponses,
            Protocol::Gemini,
        ]);
        let events = match protocol {
            Protocol::OpenAiChat => pieces::chat_calls(random),
            Protocol::OpenAiResponses => pieces::response_calls(random),
            _ => pieces::gemini_calls(random),
        };
        decoding::decoded(protocol, &framed::sse(&events), random)
    });
}

#[test]
fn call_states() {
    compare("call states", 90, pieces::call_state);
}

/// Bodies of one protocol where another one is expected, and bodies of no protocol.
#[test]
fn openings() {
    let pools: Vec<Pool> = Protocol::ALL.into_iter().map(Pool::new).collect();
    compare("openings", 25, |random| {
        let body = match random.below(4) {
            0 => pieces::no_stream(random),
            _ => framed::body(&pools[random.below(pools.len())], random),
        };
        decoding::opened(&body, random)
    });
}

#[test]
fn errors_of_responses() {
    compare("errors", 60, pieces::error_of_response);
}

#[test]
fn recordings() {
    compare("recordings", 60, pieces::recorded);
}

#[test]
fn lists_of_deltas() {
    compare("deltas", 60, pieces::parsed_deltas);
}
