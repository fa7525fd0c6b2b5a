//! What a body gives, as text.

use core::fmt::Write;

use patchwire_sources::{Decoder, Delta, End, Opening, Protocol};

use super::numbers::Random;

/// All that a decoder tells about a body in chunks of random lengths, with options that the seed chooses.
pub(super) fn decoded(protocol: Protocol, body: &[u8], random: &mut Random) -> String {
    let mut decoder = match random.below(6) {
        0 => Decoder::with_limit(protocol, random.below(400)),
        _ => Decoder::new(protocol),
    };
    if random.below(6) == 0 {
        decoder = decoder.with_empty_limit(random.below(600) as u64);
    }
    if random.below(6) == 0 {
        decoder = decoder.with_call_limit(random.below(3));
    }
    if random.below(6) == 0 {
        decoder = decoder.with_choice(u32::try_from(random.below(3)).unwrap());
    }
    let mut out = String::new();
    let mut rest = body;
    let most = random.pick(&[1, 16, 200, 1 << 20]);
    while !rest.is_empty() {
        let (chunk, behind) = rest.split_at(rest.len().min(1 + random.below(most)));
        rest = behind;
        let fed = decoder.feed(chunk, |delta| append(&delta, &mut out));
        let trouble = decoder.trouble_at();
        write!(out, "{}{trouble:?}{} ", decoder.pending_bytes(), decoder.is_closed()).unwrap();
        if let Err(error) = fed {
            writeln!(out, "{error} {error:?}").unwrap();
            break;
        }
    }
    for _ in 0..2 {
        match decoder.finish(|delta| append(&delta, &mut out)) {
            Ok(end) => append_end(&end, &mut out),
            Err(error) => writeln!(out, "{error}").unwrap(),
        }
        writeln!(out, "{:?} {}", decoder.trouble_at(), decoder.pending_bytes()).unwrap();
    }
    if let Err(error) = decoder.feed(b"x", |delta| append(&delta, &mut out)) {
        writeln!(out, "{error}").unwrap();
    }
    out
}

fn append(delta: &Delta, out: &mut String) {
    writeln!(out, "{delta:?}").unwrap();
}

fn append_end(end: &End, out: &mut String) {
    let (is_cut, is_transient) = match end {
        End::Closed(stop) | End::Cut(Some(stop)) => (stop.is_cut(), false),
        End::Failed(error) => (false, error.is_transient()),
        _ => (false, false),
    };
    writeln!(out, "{end} {end:?} {is_cut} {is_transient}").unwrap();
}

/// What is said about a body where a protocol is expected.
pub(super) fn opened(body: &[u8], random: &mut Random) -> String {
    let protocol = Protocol::ALL[random.below(Protocol::ALL.len())];
    let mut opening = Opening::new(protocol);
    let mut out = String::new();
    let size = 1 + random.below(body.len() + 1);
    for chunk in body.chunks(size) {
        opening.feed(chunk);
        let foreign = opening.foreign();
        let words = foreign.as_ref().map(ToString::to_string);
        writeln!(out, "{} {foreign:?} {words:?}", opening.is_blank()).unwrap();
    }
    let found = (Protocol::detect(body), Protocol::detect_ended(body));
    writeln!(out, "{} {found:?}", opening.protocol()).unwrap();
    out
}
