//! Readers that join a shared response late: what they fold ends in the final value all the same.
//!
//! Such a reader receives the documents as they are, as snapshots, and no events from before them: no
//! element that was opened, no patch. Text and reasoning that it missed are in the answer alone.

use core::convert::Infallible;

use futures_util::{FutureExt as _, stream};
use patchwire::{Spec, TagSet};
use patchwire_async::{Inputs, ResponseEvent, Shared, SharedEvents, Split, TokenStreamExt as _};
use patchwire_wire::{AgUi, Documents, Failure, JsonPatch, Message, Ops, Protocol, UiMessage};
use serde_json::{Value, json};

use crate::cases::{self, Case};
use crate::consumers;
use crate::streams::Cuts;

/// Where readers join, of a hundred events.
const JOINS: [usize; 6] = [1, 20, 45, 70, 95, 100];

/// The events that a late reader received, and the final value of the stream.
struct Late {
    events: Vec<ResponseEvent>,
    /// The answer's value, or what there was of it when the stream failed.
    value: String,
    is_whole: bool,
}

type Source<I> = patchwire_async::Once<stream::Iter<std::vec::IntoIter<Result<I, Infallible>>>>;

/// Reads on until so many events were had, or there are no more.
fn had<I, X>(events: &mut SharedEvents<Source<I>, X>, most: usize) -> (Vec<ResponseEvent>, bool)
where
    X: Split<I>,
{
    let mut had = Vec::new();
    while had.len() < most {
        match events.next().now_or_never().expect("nothing waits") {
            Some(Ok(event)) => had.push(event),
            Some(Err(_)) => return (had, false),
            None => break,
        }
    }
    (had, true)
}

/// A reader that joins after so many events of another.
fn late<I, X: Split<I>>(shared: &Shared<Source<I>, X>, after: usize) -> Late {
    had(&mut shared.events(), after);
    let (events, is_whole) = had(&mut shared.events(), usize::MAX);
    let answer = shared.answer().now_or_never().expect("it is there");
    let value = answer.map_or_else(|_| shared.snapshot().to_string(), |it| it.value().to_string());
    Late { events, value, is_whole }
}

fn written(late: &Late, mut protocol: impl Protocol) -> Vec<Message> {
    let mut messages = Vec::new();
    for event in &late.events {
        protocol.feed(event.into(), &mut |message| messages.push(message));
    }
    if !late.is_whole {
        let failure = Failure::new("stopped", "it stopped");
        protocol.fail(&failure, &mut |message| messages.push(message));
    }
    messages
}

/// What each protocol comes to.
fn assert_all(late: &Late, name: &str) {
    // Some numbers and depths are beyond serde_json.
    let Ok(want) = serde_json::from_str::<Value>(&late.value) else { return };
    let shown: Vec<String> = late.events.iter().map(ToString::to_string).collect();
    let shown = shown.join("\n");
    assert_eq!(consumers::ops(&written(late, Ops::default())), want, "ops {name}\n{shown}");
    let patches = written(late, JsonPatch::default());
    assert_eq!(consumers::json_patch(&patches), want, "json patch {name}\n{shown}");
    let ag_ui = written(late, AgUi::new("t", "r"));
    assert_eq!(consumers::ag_ui(&ag_ui), want, "ag-ui {name}\n{shown}");
    let (part, folded) = consumers::ui_message(&written(late, UiMessage::default()));
    assert_eq!((&part, &folded), (&want, &want), "ui message {name}\n{shown}");
}

fn pieces(case: &Case, cuts: Cuts) -> Vec<Result<Vec<u8>, Infallible>> {
    cuts.of(&case.input).into_iter().map(|it| Ok(it.to_vec())).collect()
}

fn shared(case: &Case, cuts: Cuts) -> Shared<Source<Vec<u8>>> {
    stream::iter(pieces(case, cuts)).fields(case.spec.clone()).share(0)
}

/// The inputs of the corpus.
fn inputs() -> Vec<Case> {
    let cases = cases::all();
    assert!(cases.len() > 5000, "{} cases", cases.len());
    cases
}

#[test]
fn whoever_joins_ends_in_the_value() {
    let mut snapshots = 0;
    for (case, seed) in inputs().iter().zip(1..) {
        let cuts = Cuts::Random(seed);
        let whole = had(&mut shared(case, cuts).events(), usize::MAX).0.len();
        let joins = if case.is_main { &JOINS[..] } else { &JOINS[2..3] };
        for join in joins {
            let late = late(&shared(case, cuts), (whole * join / 100).max(1));
            let is_snapshot =
                |event: &&ResponseEvent| matches!(event, ResponseEvent::Snapshot { .. });
            snapshots += late.events.iter().filter(is_snapshot).count();
            assert_all(&late, &format!("{} at {join} %", case.name));
        }
    }
    assert!(snapshots > 4000, "{snapshots} snapshots");
}

/// The documents that are not the answer, by their numbers.
#[test]
fn all_documents_are_there_for_late_readers_too() {
    for (case, seed) in inputs().iter().zip(1..).filter(|(case, _)| case.is_main) {
        let cuts = Cuts::Random(seed);
        let all = |join: usize| {
            let late = late(&shared(case, cuts), join);
            let messages = written(&late, Ops::with_documents(Documents::All));
            let held = messages.iter().all(|it| serde_json::from_str::<Value>(it.as_str()).is_ok());
            held.then(|| consumers::ops(&messages))
        };
        let whole = had(&mut shared(case, cuts).events(), usize::MAX).0.len();
        let Some(want) = all(0) else { continue };
        for join in [whole / 3, whole * 2 / 3] {
            let Some(found) = all(join.max(1)) else { continue };
            for (number, value) in found.as_object().into_iter().flatten() {
                assert_eq!(value, &want[number], "{} document {number}", case.name);
            }
        }
    }
}

/// Both the text before an element and the element may be the answer. Who did not see the element open
/// cannot know which, until the end says it.
#[test]
fn an_element_that_was_missed_may_be_the_answer() {
    let spec = Spec::builder().tags(TagSet::scratchpad()).build().expect("they agree");
    for input in [
        "{\"first\": 1} so <output>{\"a\": [1, 2], \"b\": \"xyz\"}</output>",
        "<output>{\"a\": [1, 2], \"b\": \"xyz\"}</output> or {\"other\": 2} ",
        "{\"first\": 1} so <output> </output> ",
    ] {
        let case =
            Case { name: input.to_owned(), spec: spec.clone(), input: input.into(), is_main: true };
        let whole = had(&mut shared(&case, Cuts::Bytes).events(), usize::MAX).0.len();
        for join in 1..=whole {
            assert_all(&late(&shared(&case, Cuts::Bytes), join), &format!("{input} after {join}"));
        }
    }
}

/// A letter of the answer, or of the call with that number.
type Letter = (char, String);

fn split((to, text): Letter, out: &mut Inputs) {
    match to.to_digit(10) {
        Some(call) => out.tool(call, Some(&format!("call_{call}")), Some("look_up"), text),
        None => out.text(text),
    }
}

/// A stream with an answer and two calls, letter by letter, of which the second is written to the end.
fn with_calls() -> Shared<Source<Letter>, fn(Letter, &mut Inputs)> {
    let parts = [
        ('a', "{\"score\": 1, \"t\": "),
        ('1', "{\"q\": \"thyme\", \"n\": [1, 2], \"deep\": {\"x\": "),
        ('2', "{\"z\": true}"),
        ('a', "\"low\"}"),
        ('1', "\"y\"}}"),
    ];
    let letters = parts.iter().flat_map(|(to, text)| {
        text.chars().map(|letter| Ok((*to, letter.to_string()))).collect::<Vec<_>>()
    });
    let letters: Vec<Result<Letter, Infallible>> = letters.collect();
    let split: fn(Letter, &mut Inputs) = split;
    stream::iter(letters).fields_with(Spec::json(), split).share(0)
}

fn of_type(messages: &[Message], wanted: &str) -> Vec<Value> {
    let messages: Vec<Message> =
        messages.iter().filter(|it| it.as_str().starts_with('{')).cloned().collect();
    consumers::json(&messages).filter(|it| it["type"] == wanted).collect()
}

#[test]
fn calls_have_their_names_and_arguments_for_late_readers_too() {
    let one = json!({"q": "thyme", "n": [1, 2], "deep": {"x": "y"}});
    let want = [("call_1", one), ("call_2", json!({"z": true}))];
    let whole = had(&mut with_calls().events(), usize::MAX).0.len();
    for join in 1..=whole {
        let late = late(&with_calls(), join);
        assert_all(&late, &format!("after {join}"));
        let messages = written(&late, UiMessage::default());
        let inputs = of_type(&messages, "tool-input-available");
        let ag_ui = written(&late, AgUi::new("t", "r"));
        let (starts, arguments) =
            (of_type(&ag_ui, "TOOL_CALL_START"), of_type(&ag_ui, "TOOL_CALL_ARGS"));
        assert_eq!(of_type(&ag_ui, "TOOL_CALL_END").len(), want.len(), "after {join}");
        for (at, (id, input)) in want.iter().enumerate() {
            assert_eq!(inputs[at]["toolCallId"], *id, "after {join}");
            assert_eq!(inputs[at]["toolName"], "look_up", "after {join}");
            assert_eq!(inputs[at]["input"], *input, "after {join}");
            assert_eq!(starts[at]["toolCallName"], "look_up", "after {join}");
            let own = arguments.iter().filter(|it| it["toolCallId"] == *id);
            let text: String = own.filter_map(|it| it["delta"].as_str()).collect();
            assert_eq!(
                serde_json::from_str::<Value>(&text).ok().as_ref(),
                Some(input),
                "after {join}"
            );
        }
    }
}
