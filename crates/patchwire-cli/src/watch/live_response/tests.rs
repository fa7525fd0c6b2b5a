//! Responses in the view, without a server: deltas in, screens out.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use patchwire::{Schema, Spec};
use patchwire_async::sources::Call;
use patchwire_async::{Attempt, Error, Inputs, ResponseEvent, ask};
use serde_json::json;

use super::{Delta, LiveMessage, LiveResponse, Stop};
use crate::settings::Settings;
use crate::watch::keys::KeyAction;
use crate::watch::model::{ItemBody, ItemRole, ItemState};
use crate::watch::model::{NoAnswerCause, StreamEnd};
use crate::watch::view::tests::{SIZES, golden, picture_of};
use crate::watch::view::{Palette, Screen};
use crate::watch::watched_stream::{ViewContent, WatchedStream as _};

const SCHEMA: &str = r#"{"title": ["str", "one line", true],
    "summary": ["str", "what happened, for people", true], "steps": [{"do": "str"}]}"#;

/// What a model sends in an attempt, or the error that ends it.
type Says = Vec<Result<Delta, &'static str>>;

fn text(text: &str) -> Says {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(5).map(|part| Ok(Delta::Text(part.iter().collect()))).collect()
}

fn reasons(text: &str) -> Says {
    text.split_inclusive(' ').map(|word| Ok(Delta::Reasoning(word.to_owned()))).collect()
}

/// A call whose arguments arrive in several deltas.
fn calls(index: u32, name: &str, arguments: &str) -> Says {
    let mut first = Call::default();
    (first.index, first.id) = (index, Some(format!("call_{index}")));
    first.name = Some(name.to_owned());
    let chars: Vec<char> = arguments.chars().collect();
    let more = chars.chunks(4).map(|part| {
        let mut call = Call::default();
        (call.index, call.arguments) = (index, part.iter().collect());
        call
    });
    std::iter::once(first).chain(more).map(|call| Ok(Delta::Call(call))).collect()
}

fn ends(stop: &str, read: u64, written: u64) -> Says {
    let usage = json!({"prompt_tokens": read, "completion_tokens": written});
    vec![
        Ok(Delta::Fact { name: "stop_reason", value: stop.into() }),
        Ok(Delta::Fact { name: "usage", value: usage }),
    ]
}

fn settings() -> Settings {
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    let spec = Spec::builder().schema(schema).build().expect("the settings agree");
    Settings { spec, ..Settings::default() }
}

/// The messages of a response to these attempts, or the first `most` of them.
fn emitted(attempts: Vec<Says>, most: usize) -> Vec<LiveMessage> {
    let all = Rc::new(RefCell::new(Vec::new()));
    let (hear, retries) = (Rc::clone(&all), attempts.len() as u32 - 1);
    let mut attempts = attempts.into_iter();
    let model = move |_: Attempt| {
        let said = attempts.next().expect("no more is asked than is there");
        let said = said.into_iter().map(|said| said.map_err(io::Error::other));
        async { Ok::<_, io::Error>(futures_util::stream::iter(said)) }
    };
    let split = move |delta: Delta, out: &mut Inputs| {
        hear.borrow_mut().extend(LiveMessage::of(&delta));
        out.delta(delta);
    };
    let mut response = ask(settings().spec, model).max_retries(retries).split(split).send();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it starts");
    runtime.block_on(async {
        let mut events = 0;
        while let Some(Ok(event)) = response.next().await {
            all.borrow_mut().push(LiveMessage::Event(Box::new(event)));
            events += 1;
            if events == most {
                return;
            }
        }
        if let Err(error) = response.answer().await {
            let last = error.rejected().map(|answer| Box::new((**answer).clone()));
            let why = match &error {
                Error::Source(source) => source.to_string(),
                error => error.to_string(),
            };
            let ending = if last.is_some() {
                StreamEnd::NoAnswer(NoAnswerCause::Rejected, why)
            } else {
                StreamEnd::NoAnswer(NoAnswerCause::Refused, why)
            };
            all.borrow_mut().push(LiveMessage::Over(ending, last));
        }
    });
    drop(response);
    Rc::into_inner(all).expect("the response is gone").into_inner()
}

/// The view of these messages, one delta every 25 ms.
fn shown(emitted: Vec<LiveMessage>) -> ViewContent {
    let mut live = LiveResponse::new("m-1".to_owned(), &settings());
    let mut at = 0;
    for emitted in emitted {
        at += u64::from(matches!(emitted, LiveMessage::Chunk(_))) * 25;
        live.take(emitted, Duration::from_millis(at));
    }
    live.content
}

fn in_all_sizes(name: &str, shown: &ViewContent) {
    let screen = || Screen::new(Palette::new(true));
    golden(name, &SIZES.map(|size| (size, picture_of(shown, &mut screen(), size))));
}

const THINKS: &str = "Two facts and a list. First the weather, which was bad; then the miller, who \
    was asleep; and then what is to be done now, for which there are tools.";

const FULL: &str = r#"{"title": "水車小屋", "summary": "The water rose in the night.",
    "steps": [{"do": "call Ada"}]}"#;

/// Two attempts that are rejected, and one that calls tools and answers.
fn attempts() -> Vec<Says> {
    let short = [reasons("Be brief."), text(r#"{"title": "A mill", "extra": [1, 2"#)].concat_all();
    let broken = [text(r#"{"title": "#), vec![Err("the connection was reset")]].concat_all();
    let whole = [
        reasons(THINKS),
        calls(0, "forecast", r#"{"place": "東京", "days": {"from": 1, "to": 3}}"#),
        calls(1, "now", "{}"),
        text(FULL),
        ends("tool_calls", 120, 48),
    ];
    vec![[short, ends("stop", 100, 20)].concat_all(), broken, whole.concat_all()]
}

/// Errors cannot be cloned with `concat`.
trait ConcatAll {
    fn concat_all(self) -> Says;
}

impl<const N: usize> ConcatAll for [Says; N] {
    fn concat_all(self) -> Says {
        self.into_iter().flatten().collect()
    }
}

#[test]
fn attempts_calls_and_reasoning_have_their_places() {
    in_all_sizes("live", &shown(emitted(attempts(), usize::MAX)));
}

#[test]
fn a_call_fills_in_as_a_form_does() {
    let said = [reasons(THINKS), calls(0, "forecast", r#"{"place": "東京", "days": {"from": 1"#)];
    let events = emitted(vec![said.concat_all()], usize::MAX);
    let until = events
        .iter()
        .rposition(|emitted| matches!(emitted, LiveMessage::Chunk(_)))
        .expect("deltas");
    in_all_sizes("calling", &shown(events.into_iter().take(until).collect()));
}

/// To accept changed screens: `BLESS=1 cargo test -p patchwire-cli --bin patchwire watch`.
#[test]
fn the_page_shows_a_live_model() {
    let short = [text(r#"{"title": "A mill"}"#), ends("stop", 100, 20)].concat_all();
    let whole = [
        reasons(THINKS),
        calls(0, "forecast", r#"{"place": "Mill Lane", "days": 2}"#),
        text(r#"{"title": "The mill", "summary": "The water rose in the night. Nobody had"#),
    ];
    let mut events = emitted(vec![short, whole.concat_all()], usize::MAX);
    let last = events
        .iter()
        .rposition(|emitted| matches!(emitted, LiveMessage::Chunk(_)))
        .expect("deltas");
    // The last delta, and the first message after it.
    events.truncate(last + 2);
    let picture = picture_of(&shown(events), &mut Screen::new(Palette::new(true)), (80, 16));
    let block = format!("```text\n{picture}```\n");
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/watch.md");
    let text = std::fs::read_to_string(&page).expect("the page is there").replace("\r\n", "\n");
    if std::env::var_os("BLESS").is_some() {
        let (before, after) = text.split_once("```text\n m-1").expect("there is a picture");
        let (_, after) = after.split_once("```\n").expect("it ends");
        std::fs::write(&page, format!("{before}{block}{after}")).expect("it can be written");
    } else {
        assert!(text.contains(&block), "the page shows\n{block}");
    }
}

#[test]
fn an_attempt_leaves_nothing_but_why_it_was_none() {
    let is_reset = |emitted: &LiveMessage| matches!(emitted, LiveMessage::Event(event) if matches!(**event, ResponseEvent::Reset { .. }));
    let events = emitted(attempts(), usize::MAX);
    let reset = events.iter().position(is_reset).expect("it was asked again");
    let shown = shown(events.into_iter().take(reset + 1).collect());
    let model = &shown.model;
    let roles: Vec<&ItemRole> = model.top().iter().map(|id| &model.item(*id).role).collect();
    assert_eq!(roles, [&ItemRole::Attempt, &ItemRole::Document]);
    let line = model.item(model.top()[0]);
    assert_eq!(line.text(), Some("attempt 1: summary is missing"));
    let form = &model.item(model.top()[1]).children;
    assert_eq!(form.len(), 3, "`extra` is of the first attempt");
    assert!(form.iter().all(|id| {
        let field = model.item(*id);
        field.state() == ItemState::Waiting
            && field.body == ItemBody::Absent
            && field.failure.is_none()
    }));
    assert_eq!(
        (model.progress(), &model.end, model.counters.first_field),
        ((0, Some(3)), &None, None)
    );
    assert_eq!((model.facts.tokens(), &model.facts.stop), ((Some(100), Some(20)), &None));
    assert_eq!(model.notes.kept.len(), 1, "{:?}", model.notes.kept);
}

/// Every state of a response, on one screen: folds and selections of the first attempt do not
/// appear in the second.
#[test]
fn a_screen_lives_through_all_attempts() {
    let events = emitted(attempts(), usize::MAX);
    for size in SIZES {
        let mut live = LiveResponse::new("m-1".to_owned(), &settings());
        let mut screen = Screen::new(Palette::new(false));
        let acts = [
            KeyAction::Top,
            KeyAction::Down,
            KeyAction::Flip,
            KeyAction::Down,
            KeyAction::Open,
            KeyAction::Bottom,
            KeyAction::Follow,
        ];
        for (emitted, act) in emitted(attempts(), usize::MAX).into_iter().zip(acts.iter().cycle()) {
            live.take(emitted, Duration::ZERO);
            // Some keys are pressed before a change is drawn, some after.
            screen.act(*act, &live.content.model);
            picture_of(&live.content, &mut screen, size);
            screen.act(*act, &live.content.model);
        }
        assert!(live.is_over(), "{}", events.len());
    }
}

#[test]
fn ends_are_said() {
    let refusal = "I am sorry, but I do not write about mills, whatever is asked.";
    let refused = vec![
        Ok(Delta::Text("{\"title\"".to_owned())),
        Ok(Delta::Refusal(refusal.to_owned())),
        Err("the model refuses"),
    ];
    in_all_sizes("refused", &shown(emitted(vec![refused], usize::MAX)));
    let long = [text(r#"{"title": "The mill", "summary": "The water rose"#), ends("length", 7, 9)];
    let mut events = emitted(vec![long.concat_all()], usize::MAX);
    events.insert(events.len() - 1, LiveMessage::Stopped(Stop::Length));
    in_all_sizes("length", &shown(events));
    let short = [text(r#"{"title": "The mill"}"#), ends("stop", 7, 9)];
    in_all_sizes("rejected", &shown(emitted(vec![short.concat_all()], usize::MAX)));
    for (ending, says) in [
        (
            StreamEnd::NoAnswer(NoAnswerCause::Failed, "status 404: no such model".to_owned()),
            "no such model",
        ),
        (StreamEnd::NoAnswer(NoAnswerCause::Cut, "the connection ended".to_owned()), "✗ cut off"),
    ] {
        let events = vec![LiveMessage::Chunk(3), LiveMessage::Over(ending, None)];
        let mut screen = Screen::new(Palette::new(false));
        let picture = picture_of(&shown(events), &mut screen, SIZES[0]);
        assert!(picture.contains(says), "{picture}");
    }
}

#[test]
fn a_call_that_lacks_its_end_is_cut_off() {
    let said = [calls(0, "forecast", r#"{"place": "Tok"#), calls(1, "now", r#"{"zone": "UTC"}"#)];
    let shown = shown(emitted(vec![[said.concat_all(), text(FULL)].concat_all()], usize::MAX));
    let model = &shown.model;
    let calls = model.top().iter().map(|id| model.item(*id));
    let states: Vec<ItemState> = calls
        .filter(|item| matches!(item.role, ItemRole::Call { .. }))
        .map(|it| it.state())
        .collect();
    assert_eq!(states, [ItemState::Cut, ItemState::Done]);
}

#[test]
fn a_response_that_tells_no_end_has_broken_off() {
    let mut live = LiveResponse::new("m-1".to_owned(), &settings());
    live.take(LiveMessage::Chunk(1), Duration::ZERO);
    live.close();
    assert!(live.is_over());
    let picture = picture_of(&live.content, &mut Screen::new(Palette::new(false)), SIZES[0]);
    assert!(picture.contains("✗ broken off"), "{picture}");
}
