//! Bodies of providers as deltas: of the protocol that they are in, and of another one.

use std::fmt::Write as _;
use std::pin::Pin;

use futures_util::Stream as _;
use futures_util::stream::FusedStream as _;
use patchwire_async::Deltas;
use patchwire_async::sources::{Decoder, Protocol};

use super::bodies::{Form, body};
use super::shared::{Random, compare};
use super::{note, wait};
use crate::source::{Script, Step};

fn read(random: &mut Random) -> String {
    let form = random.pick(&[Form::ChatStream, Form::MessageStream, Form::ChatStream, Form::Chat]);
    let own = match form {
        Form::ChatStream | Form::Chat => Protocol::OpenAiChat,
        Form::MessageStream | Form::Message => Protocol::Anthropic,
    };
    let others = [Protocol::OpenAiChat, Protocol::OpenAiResponses, Protocol::Ollama];
    let protocol = if random.one_of(8) { random.pick(&others) } else { own };
    let mut out = String::new();
    let bytes = body(form, random).bytes;
    writeln!(out, "{protocol} {}", String::from_utf8_lossy(&bytes)).unwrap();
    let most = random.pick(&[1, 9, 100, 1 << 20]);
    let mut steps: Vec<Step<Vec<u8>>> = Vec::new();
    for chunk in random.chunks(&bytes, most) {
        if random.one_of(9) {
            steps.push(Step::Later);
        }
        steps.push(Step::Item(chunk));
    }
    if random.one_of(12) {
        steps.truncate(random.below(steps.len() + 1));
        steps.push(Step::Fail);
    }
    let source = Script::new(steps).0;
    let mut deltas = match random.below(5) {
        0 => Deltas::decoding(source, Decoder::with_limit(protocol, random.pick(&[40, 1 << 20]))),
        _ => Deltas::new(source, protocol),
    };
    loop {
        let next = wait(std::future::poll_fn(|cx| Pin::new(&mut deltas).poll_next(cx)), &mut out);
        let is_over = next.is_none();
        match next {
            Some(Ok(delta)) => note(delta, &mut out),
            Some(Err(error)) => writeln!(out, "{error} {error:?}").unwrap(),
            None => out.push_str("no more\n"),
        }
        let (pending, end) = (deltas.pending_bytes(), deltas.end());
        writeln!(out, "{pending} {end:?} {}", deltas.is_terminated()).unwrap();
        if is_over {
            return out;
        }
    }
}

#[test]
fn bodies_of_providers() {
    compare("decoded", 60, read);
}
