//! The events do not depend on where a body is cut.

use patchwire_sources::{Decoder, Protocol};

use crate::bodies;
use crate::decoded::Decoded;

/// Reads a body cut at each of these places.
pub(crate) fn cut_at(protocol: Protocol, body: &[u8], cuts: &[usize]) -> Decoded {
    let ends = cuts.iter().copied().chain([body.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    Decoded::in_pieces(protocol, starts.zip(ends).map(|(from, to)| &body[from..to]))
}

/// Increasing places to cut at.
pub(crate) fn places(len: usize, seed: u64) -> Vec<usize> {
    // The generator of Knuth's MMIX.
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut at = 0;
    let mut all = Vec::new();
    loop {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        at += 1 + (state >> 58) as usize;
        if at >= len {
            return all;
        }
        all.push(at);
    }
}

fn bodies_in_all_line_ends() -> Vec<(Protocol, Vec<u8>)> {
    let mut all = Vec::new();
    for (protocol, body) in bodies::ALL {
        all.push((protocol, body.as_bytes().to_vec()));
        all.push((protocol, body.replace('\n', "\r\n").into_bytes()));
        if protocol.is_sse() {
            all.push((protocol, body.replace('\n', "\r").into_bytes()));
            all.push((protocol, ["\u{FEFF}", body].concat().into_bytes()));
        }
    }
    all
}

#[test]
fn every_cut_in_two() {
    for (protocol, body) in bodies_in_all_line_ends() {
        let whole = Decoded::of(protocol, &body);
        assert!(whole.end.is_ok(), "{protocol}");
        for at in 0..=body.len() {
            assert_eq!(cut_at(protocol, &body, &[at]), whole, "{protocol}, cut at {at}");
        }
    }
}

#[test]
fn byte_by_byte() {
    for (protocol, body) in bodies_in_all_line_ends() {
        let bytes = Decoded::in_pieces(protocol, body.chunks(1));
        assert_eq!(bytes, Decoded::of(protocol, &body), "{protocol}");
    }
}

#[test]
fn seeded_random_cuts() {
    for (protocol, body) in bodies_in_all_line_ends() {
        let whole = Decoded::of(protocol, &body);
        for seed in 0..200 {
            let decoded = cut_at(protocol, &body, &places(body.len(), seed));
            assert_eq!(decoded, whole, "{protocol}, seed {seed}");
        }
    }
}

/// An event that was emitted is never taken back.
#[test]
fn what_a_prefix_says_the_whole_says_too() {
    for (protocol, body) in bodies::ALL {
        let whole = Decoded::of(protocol, body);
        let mut decoder = Decoder::new(protocol);
        let mut deltas = Vec::new();
        for byte in body.as_bytes().chunks(1) {
            decoder.feed(byte, |delta| deltas.push(delta)).expect("it is whole");
            assert_eq!(deltas, whole.deltas[..deltas.len()], "{protocol}");
            // A copy that ends here tells nothing that does not follow.
            let mut ends_here = Vec::new();
            decoder.clone().finish(|delta| ends_here.push(delta)).expect("it is open");
            let next = &whole.deltas[deltas.len()..];
            assert!(next.starts_with(&ends_here), "{protocol}: {ends_here:?}");
        }
    }
}

/// A body that breaks has the same error at all cuts.
#[test]
fn an_error_stands_where_it_stands() {
    let long = format!("data: {{\"type\":\"ping\"}}\n\ndata: {}\ndata: x\n\n", "y".repeat(300));
    let broken = "data: {\"type\":\"ping\"}\r\n\r\n: x\n\ndata: {\n\n";
    for (body, offset) in [(long.as_str(), 23), (broken, 24)] {
        for size in 1..body.len() {
            let mut decoder = Decoder::with_limit(Protocol::Anthropic, 256);
            let mut chunks = body.as_bytes().chunks(size);
            let error = chunks.find_map(|chunk| decoder.feed(chunk, |_| {}).err());
            let error = error.or_else(|| decoder.finish(|_| {}).err());
            assert_eq!(error.map(|error| error.offset), Some(offset), "{size}");
        }
    }
}
