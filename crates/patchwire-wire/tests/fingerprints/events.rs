//! Events of a parser, of a response with several attempts, and of readers that join late.

use core::convert::Infallible;
use core::sync::atomic::{AtomicUsize, Ordering};

use futures_util::{FutureExt as _, stream};
use patchwire::{Event, Spec};
use patchwire_async::{Attempt, Inputs, ResponseEvent, TokenStreamExt as _, ask};
use patchwire_wire::Failure;

use super::log::Log;
use super::made;
use super::numbers::Random;

/// A piece of a response: of the answer, of the reasoning, or of the call with that number.
#[derive(Debug, Clone)]
struct Piece {
    to: char,
    text: String,
    is_named: bool,
}

/// The text as it is read whole.
pub(super) fn text(text: &str, log: &mut Log<'_>) {
    let mut parser = Spec::json().parser();
    for piece in text.as_bytes().chunks(3) {
        parser.feed(piece, |event| log.feed(event.into())).expect("it is JSON");
    }
}

/// The events of a parser, borrowed or owned; in some streams as those of a call.
pub(super) fn parsed(random: &mut Random, log: &mut Log<'_>) {
    let (spec, text) = made::reading(random);
    log.write(&format!("{text:?}\n"));
    let is_owned = random.below(3) == 0;
    let call = (random.below(5) == 0).then_some(3);
    let mut feed = |event: Event<'_>| {
        let origin;
        let mut event = event;
        if let (Event::Patch(patch), Some(_)) = (&mut event, call) {
            let mut own = *patch.origin;
            own.call = call;
            origin = own;
            patch.origin = &origin;
        }
        if is_owned { log.feed((&event.to_owned()).into()) } else { log.feed((&event).into()) }
    };
    let mut parser = spec.parser();
    let most = random.pick(&[1, 6, 40]);
    let mut rest = text.as_bytes();
    let mut result = Ok(());
    while let (Ok(()), false) = (&result, rest.is_empty()) {
        let (piece, behind) = rest.split_at(rest.len().min(1 + random.below(most)));
        rest = behind;
        result = parser.feed(piece, &mut feed);
    }
    match result {
        Ok(()) if random.below(8) == 0 => log.fail(&Failure::new("gone", "it \"went\"")),
        Ok(()) => {
            if let Err(error) = parser.finish(&mut feed) {
                log.fail(&error.into());
            }
        }
        Err(error) => log.fail(&error.into()),
    }
}

/// Pieces of a response, in the order in which they come.
fn pieces(random: &mut Random) -> Vec<Piece> {
    let mut streams: Vec<(char, String)> = vec![('a', made::json(random) + " ok")];
    for to in ['r', '1', '2', '3'] {
        if random.below(2) == 0 {
            let text = if to == 'r' { "hm, so".to_owned() } else { made::json(random) };
            streams.push((to, text));
        }
    }
    let mut pieces = Vec::new();
    while !streams.is_empty() {
        let at = random.below(streams.len());
        let (to, text) = &mut streams[at];
        let end = (0..=text.len().min(1 + random.below(7))).rev();
        let end = end.clone().find(|end| *end > 0 && text.is_char_boundary(*end));
        let rest = text.split_off(end.unwrap_or(text.len()));
        let text = core::mem::replace(text, rest);
        pieces.push(Piece { to: *to, text, is_named: random.below(3) > 0 });
        streams.retain(|(_, text)| !text.is_empty());
    }
    pieces
}

fn split(piece: Piece, out: &mut Inputs) {
    let Piece { to, text, is_named } = piece;
    match to.to_digit(10) {
        Some(call) => {
            let id = (is_named && call != 2).then(|| format!("call_{call}"));
            out.tool(call, id.as_deref(), (is_named && call != 3).then_some("look_up"), text);
        }
        None if to == 'r' => out.reasoning(Some(text)),
        None => out.text(Some(text)),
    }
}

fn found(pieces: Vec<Piece>) -> Vec<Result<Piece, Infallible>> {
    pieces.into_iter().map(Ok).collect()
}

/// The events of a response whose first attempts are not taken.
pub(super) fn asked(random: &mut Random, log: &mut Log<'_>) {
    let attempts = [pieces(random), pieces(random), pieces(random), pieces(random)];
    let taken = random.below(5);
    let request = move |attempt: Attempt| {
        let pieces = attempts[attempt.number as usize - 1].clone();
        async move { Ok::<_, Infallible>(stream::iter(found(pieces))) }
    };
    let count = AtomicUsize::new(0);
    let mut response = ask(Spec::json(), request)
        .response_id("r")
        .validate(move |_, _| count.fetch_add(1, Ordering::Relaxed) >= taken)
        .split(split)
        .send();
    let all = async {
        let mut events = Vec::new();
        while let Some(event) = response.next().await {
            events.push(event.map_err(|error| error.to_string()));
        }
        events
    };
    for event in all.now_or_never().expect("nothing is waited for") {
        match event {
            Ok(event) => log.feed((&event).into()),
            Err(words) => log.fail(&Failure::new("exhausted", words)),
        }
    }
}

fn chunks(text: &str) -> Vec<Result<Vec<u8>, Infallible>> {
    text.as_bytes().chunks(3).map(|piece| Ok(piece.to_vec())).collect()
}

/// The events of a reader that joins after some of another's.
pub(super) fn late(random: &mut Random, log: &mut Log<'_>) {
    let after = random.below(60);
    if random.below(2) == 0 {
        let stream = stream::iter(found(pieces(random)));
        let split: fn(Piece, &mut Inputs) = split;
        let shared = stream.fields_with(Spec::json(), split).share(random.pick(&[0, 0, 99]));
        let mut first = shared.events();
        (0..after).for_each(|_| drop(first.next().now_or_never()));
        let mut events = shared.events();
        while let Some(event) = events.next().now_or_never().expect("nothing waits") {
            take(event.map_err(|error| error.to_string()), log);
        }
        return;
    }
    let (spec, text) = made::reading(random);
    let shared = stream::iter(chunks(&text)).fields(spec).share(0);
    let mut first = shared.events();
    (0..after).for_each(|_| drop(first.next().now_or_never()));
    let mut events = shared.events();
    while let Some(event) = events.next().now_or_never().expect("nothing waits") {
        take(event.map_err(|error| error.to_string()), log);
    }
}

fn take(event: Result<ResponseEvent, String>, log: &mut Log<'_>) {
    match event {
        Ok(event) => log.feed((&event).into()),
        Err(words) => log.fail(&Failure::new("stopped", words)),
    }
}
