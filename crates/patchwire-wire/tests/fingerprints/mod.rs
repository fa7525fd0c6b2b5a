//! No change goes unseen: what each protocol makes of events that a seed chooses, as numbers. `crates/patchwire/tests/fingerprints`
//! says what the numbers mean, and how a change that is meant writes them again.

mod events;
mod log;
mod made;
#[path = "../../../patchwire/tests/fingerprints/numbers.rs"]
mod numbers;

use patchwire::wire::IncludeValues;
use patchwire_wire::{
    AgUi, Compact, Documents, Failure, JsonEvents, JsonPatch, Message, Ops, Protocol, Sse,
    UiMessage,
};

use log::Log;
use numbers::{Random, compare_seeded};

/// Compares what a protocol makes of streams: so many lines of ten numbers, each for two streams.
fn compare<P: Protocol>(file: &str, lines: u64, protocol: impl Fn(&mut Random) -> P) {
    compare_seeded(["written", file], [lines, 10], |random| {
        let mut all = String::new();
        for _ in 0..2 {
            let mut protocol = protocol(random);
            let mut log = Log::new(&mut protocol, random.below(usize::MAX));
            match random.below(4) {
                0 | 1 => events::parsed(random, &mut log),
                2 => events::asked(random, &mut log),
                _ => events::late(random, &mut log),
            }
            all += &log.end();
        }
        all
    });
}

fn documents(random: &mut Random) -> Documents {
    random.pick(&[Documents::Answer, Documents::Answer, Documents::All])
}

#[test]
fn json_events() {
    compare("json events", 20, |random| {
        let values = random.pick(&[IncludeValues::Leaf, IncludeValues::Done, IncludeValues::All]);
        JsonEvents::with_values(values)
    });
}

#[test]
fn compact() {
    compare("compact", 60, |_| Compact::default());
}

#[test]
fn ops() {
    compare("ops", 60, |random| Ops::with_documents(documents(random)));
}

#[test]
fn json_patch() {
    compare("json patch", 60, |random| JsonPatch::with_documents(documents(random)));
}

#[test]
fn ag_ui() {
    compare("ag-ui", 70, |random| AgUi::new("t", "r").with_documents(documents(random)));
}

#[test]
fn ui_message() {
    compare("ui message", 70, |random| {
        let protocol = UiMessage::default().with_documents(documents(random));
        if random.below(3) == 0 { protocol.with_name("a \"b\"") } else { protocol }
    });
}

/// Frames of texts with every kind of line end.
#[test]
fn frames() {
    compare_seeded(["written", "frames"], [10, 10], |random| {
        let pieces = ["a", "\n", "\r", "\r\n", "", "é", ": b", "\n\n"];
        let mut sse = random.pick(&[
            Sse::plain as fn() -> Sse,
            Sse::numbered,
            || Sse::after(9),
            Sse::default,
        ])();
        let mut out = Sse::heartbeat().to_owned();
        for _ in 0..4 {
            let text: String = (0..random.below(6)).map(|_| random.pick(&pieces)).collect();
            let message = Message::new(text);
            let message = if random.below(2) == 0 { message.with_name("n") } else { message };
            out += &sse.frame(&message);
        }
        out
    });
}

/// A protocol in a box is the protocol.
#[test]
fn a_box_passes_everything_on() {
    let all = || -> [Box<dyn Protocol>; 4] {
        [
            Box::new(JsonPatch::default()),
            Box::new(AgUi::new("t", "r")),
            Box::new(Compact::default()),
            Box::new(JsonEvents::default()),
        ]
    };
    for (mut inner, outer) in all().into_iter().zip(all()) {
        let mut outer: Box<Box<dyn Protocol>> = Box::new(outer);
        let read = |protocol: &mut dyn Protocol| {
            let mut log = Log::new(protocol, 1);
            events::text("{\"a\": \"growing text, and more\", \"b\": 1", &mut log);
            log.fail(&Failure::new("c", "m"));
            log.end()
        };
        assert_eq!(read(&mut *inner), read(&mut outer));
    }
}

#[test]
fn an_error_of_the_engine_is_a_failure_with_its_place() {
    let error = patchwire::Spec::strict_json().parse("{\"a\": x}").expect_err("it is no JSON");
    let (offset, name, words) = (error.offset, error.kind.name(), error.kind.to_string());
    let failure = Failure::from(error);
    assert_eq!((&*failure.code, &*failure.message), (name, &*words));
    assert_eq!(failure.offset, Some(offset));
    assert_eq!(Failure::new("c", "m").offset, None);
}
