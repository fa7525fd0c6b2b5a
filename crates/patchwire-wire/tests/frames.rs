//! Frames of a server-sent event stream, read back by a crate that others read them with.

use eventsource_stream::{Event, Eventsource as _};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use patchwire_wire::{AgUi, JsonEvents, Message, Sse, UiMessage};

use crate::cases;
use crate::streams::{Cuts, written};

/// What a reader makes of a stream that comes in pieces.
fn read_back(text: &str) -> Vec<Event> {
    let pieces =
        text.as_bytes().chunks(301).map(|piece| Ok::<_, std::convert::Infallible>(piece.to_vec()));
    let events = stream::iter(pieces).eventsource();
    let all = events.map(|event| event.expect("a frame")).collect::<Vec<_>>();
    all.now_or_never().expect("nothing is waited for")
}

fn framed(sse: &mut Sse, messages: &[Message]) -> String {
    messages.iter().map(|message| sse.frame(message)).collect()
}

#[test]
fn every_stream_reads_back() {
    for case in cases::all().iter().filter(|case| case.is_main) {
        let own = written(&case.spec, &case.input, Cuts::Random(5), JsonEvents::default()).messages;
        let read = read_back(&framed(&mut Sse::numbered(), &own));
        assert_eq!(read.len(), own.len(), "{}", case.name);
        for ((event, message), number) in read.iter().zip(&own).zip(1..) {
            assert_eq!(event.data, message.as_str(), "{}", case.name);
            assert_eq!(Some(event.event.as_str()), message.name());
            assert_eq!(event.id, format!("{number}"));
        }
        let run = written(&case.spec, &case.input, Cuts::Random(5), AgUi::new("t", "r")).messages;
        let chunks =
            written(&case.spec, &case.input, Cuts::Random(5), UiMessage::default()).messages;
        for messages in [run, chunks] {
            let read = read_back(&framed(&mut Sse::plain(), &messages));
            let data: Vec<&str> = read.iter().map(|event| event.data.as_str()).collect();
            let sent: Vec<&str> = messages.iter().map(Message::as_str).collect();
            assert_eq!(data, sent, "{}", case.name);
        }
    }
}

#[test]
fn the_last_event_of_our_own_is_final_or_the_error() {
    for case in cases::all() {
        let written = written(&case.spec, &case.input, Cuts::Whole, JsonEvents::default());
        let last = written.messages.last().and_then(Message::name);
        assert_eq!(last, Some(if written.is_whole { "final" } else { "error" }), "{}", case.name);
    }
}

#[test]
fn line_ends_in_data_are_kept_apart() {
    let mut sse = Sse::after(41);
    let text = sse.frame(&Message::new("a\nb\r\nc\rd\n\n e"))
        + Sse::heartbeat()
        + &sse.frame(&Message::new(""));
    assert_eq!(
        text,
        "id: 42\ndata: a\ndata: b\ndata: c\ndata: d\ndata: \ndata:  e\n\n:\n\nid: 43\ndata: \n\n"
    );
    let read = read_back(&text);
    assert_eq!(read[0].data, "a\nb\nc\nd\n\n e");
    assert_eq!(read[0].id, "42");
}
