//! Reading over several attempts: parts, several readers, dropping at any time.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_util::TryStreamExt as _;
use patchwire::{OwnedEvent, Spec};
use patchwire_async::{
    Answer, Ask, Attempt, Check, Error, Inputs, IntoBytes, Item, OnExhausted, REPLAY_BYTES,
    Request, Response, ResponseEvent, ask,
};
use serde_json::Value;

use crate::fold::Folded;
use crate::model::{Does, FAULTS, Model, asked, judge, spec};
use crate::source::{Dead, Script, Step, all, pieces};

/// Runs of two attempts that fail, and one that does well.
fn runs() -> impl Iterator<Item = [Does; 3]> {
    FAULTS.into_iter().flat_map(|one| FAULTS.map(|other| [one, other, Does::Well]))
}

type Read = Response<Model>;

/// The ways in which a response is looked at before its end is asked for.
const WAYS: [&str; 8] =
    ["never", "once", "often", "unchecked", "text", "each", "coalesced", "shared"];

async fn look(way: &str, mut response: Read) -> Result<Answer, Error<Dead>> {
    match way {
        "once" => drop(all(&mut response).await),
        "often" => {
            while let Some(event) = response.next().await {
                drop((response.value().to_string(), event.is_ok()));
            }
            drop((response.data::<Value>().await, response.unchecked().await));
        }
        "unchecked" => drop(response.unchecked().await),
        "text" => {
            let mut field = response.text("title");
            while field.next().await.is_some_and(|event| event.is_ok()) {}
        }
        "each" => {
            drop((response.get::<Value>("title").await, response.values("items").next().await));
            drop(response.each::<Value>("items").next().await);
        }
        "coalesced" => {
            let mut coalesced = response.coalesce(tokio_stream::empty::<()>());
            while coalesced.next().await.is_some() {}
            return coalesced.into_inner().answer().await;
        }
        "shared" => {
            let shared = response.share(256);
            let _stalled = shared.events();
            let (events, items) = (shared.events(), shared.each::<Value>("items"));
            let (events, items) = (events.try_collect::<Vec<_>>(), items.try_collect::<Vec<_>>());
            let (_, _, answer) = tokio::join!(events, items, shared.answer());
            return answer;
        }
        _ => {}
    }
    response.answer().await
}

#[tokio::test]
async fn looking_changes_nothing() {
    for parts in runs() {
        for retries in [1, 2] {
            let mut first = None;
            for way in WAYS {
                let model = Model::new(&parts).in_pieces(if way == "once" { 1 } else { 7 });
                let (calls, check) = counted();
                let ask = ask(spec(), model.clone()).prompt("p").response_id("r").validate(check);
                let end = match look(way, ask.max_retries(retries).send()).await {
                    Ok(answer) => answer.value().to_string(),
                    Err(error) => error.to_string(),
                };
                let made = &parts[..retries as usize + 1];
                let judged = made.iter().filter(|does| does.is_judged()).count();
                assert_eq!(Arc::strong_count(&calls) - 1, 0, "the validator is dropped");
                assert_eq!(calls.load(std::sync::atomic::Ordering::SeqCst), judged, "{parts:?}");
                assert_eq!((model.open(), model.handles()), (0, 1));
                let seen = (end, model.asked());
                assert_eq!(&seen, first.get_or_insert_with(|| seen.clone()), "{parts:?} {way}");
            }
        }
    }
}

type Calls = Arc<std::sync::atomic::AtomicUsize>;

fn counted() -> (Calls, impl Fn(&Answer, &Check) -> patchwire_async::Verdict + Send + Sync) {
    let calls = Calls::default();
    let own = Arc::clone(&calls);
    let check = move |answer: &Answer, check: &Check| {
        own.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        judge(answer, check)
    };
    (calls, check)
}

#[tokio::test]
async fn nothing_is_asked_before_the_events_were_taken() {
    let model = Model::new(&[Does::Breaks, Does::Low, Does::Well]);
    let mut response = asked(&model).send();
    assert_eq!(model.asked().len(), 0);
    let mut attempt = 1;
    let mut counts = (0, 0);
    while let Some(event) = response.next().await {
        let event = event.unwrap();
        let now = (model.asked().len(), model.polls());
        // What failed was read to its end. Meanwhile nothing is asked, and nothing read.
        if matches!(event, ResponseEvent::Retrying { .. } | ResponseEvent::Reset { .. }) {
            assert_eq!(now, counts);
        }
        assert_eq!(now.0, attempt);
        counts = now;
        if let ResponseEvent::Reset { attempt: next, .. } = event {
            attempt = next as usize;
        }
    }
    assert_eq!(attempt, 3);
}

/// The text of a field in each attempt that wrote some of it.
async fn field(mut response: Read, path: &str) -> Vec<String> {
    let mut seen = vec![String::new()];
    let mut text = response.text(path);
    while let Some(delta) = text.next().await {
        let delta = delta.unwrap();
        if delta.restarts {
            seen.extend([format!("attempt {}", delta.attempt), String::new()]);
        }
        seen.last_mut().unwrap().push_str(&delta);
    }
    seen
}

#[tokio::test]
async fn parts_over_attempts() {
    for size in [1, 2, 3, 5, 9, 100] {
        let parts = [Does::Breaks, Does::Refuses, Does::Well];
        let model = Model::new(&parts).in_pieces(size);
        assert_eq!(field(asked(&model).send(), "score").await, ["9"], "{size}");
        let model = Model::new(&parts).in_pieces(size);
        assert_eq!(field(asked(&model).send(), "items[0].sku").await, ["a1"], "{size}");
        let model = Model::new(&parts).in_pieces(size);
        assert_eq!(asked(&model).send().get::<u8>("score").await.unwrap(), 9);
        let model = Model::new(&parts).in_pieces(size);
        let mut response = asked(&model).send();
        let items: Vec<Item<Value>> = response.each("items").try_collect().await.unwrap();
        let found: Vec<_> = items.iter().map(|item| (item.attempt, item.index)).collect();
        assert_eq!(found, [(1, 0), (3, 0)], "{size}");
        // Asked for again, they are those of the attempt that stands.
        let again: Vec<Item<Value>> = response.each("items").try_collect().await.unwrap();
        assert_eq!(again.iter().map(|item| item.attempt).collect::<Vec<_>>(), [3]);
    }
}

/// Polls what a closure makes, each time anew, until there is something.
fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    let mut cx = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut cx) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// Waits twice, and holds on to the model meanwhile.
struct Waits(u8, #[expect(dead_code, reason = "it is held")] Model);

impl Future for Waits {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// A model that is slow, and a validator that is too.
fn slow(model: &Model) -> Ask<Model> {
    let held = model.clone();
    let wait = move |answer: Answer, check: Check| {
        let held = held.clone();
        async move {
            Waits(2, held).await;
            judge(&answer, &check)
        }
    };
    ask(spec(), model.clone()).on_exhausted(OnExhausted::Last).validate_async(wait)
}

const PARTS: [Does; 5] = [Does::Low, Does::Breaks, Does::Misses, Does::Unreachable, Does::Breaks];

#[test]
fn dropped_at_every_wait_everything_is_let_go() {
    let model = || Model::new(&PARTS).slow();
    let polls = |most: usize| {
        let model = model();
        let mut response = slow(&model).max_retries(4).send();
        let mut polls = 0;
        while polls < most && poll_once(response.data::<Value>()).is_none() {
            polls += 1;
        }
        drop(response);
        assert_eq!((model.open(), model.handles()), (0, 1), "after {most} polls");
        polls
    };
    let in_all = polls(usize::MAX);
    assert!(in_all > 50);
    for most in 0..=in_all {
        assert_eq!(polls(most), most);
    }
    // The same of a reader of a shared response that is dropped while another waits.
    for most in 0..=in_all {
        let model = model();
        let shared = slow(&model).max_retries(4).send().share(REPLAY_BYTES);
        let mut events = shared.events();
        for _ in 0..most {
            drop(poll_once(events.next()));
        }
        drop(shared);
        assert!(model.handles() > 1, "the reader still has it");
        drop(events);
        assert_eq!((model.open(), model.handles()), (0, 1), "after {most} polls");
    }
}

#[tokio::test]
async fn next_dropped_at_every_wait_loses_nothing() {
    let straight = Model::new(&PARTS);
    let mut response = slow(&straight).response_id("r").max_retries(4).send();
    let expected = all(&mut response).await.unwrap();
    let model = Model::new(&PARTS).slow();
    let mut response = slow(&model).response_id("r").max_retries(4).send();
    let mut events = Vec::new();
    loop {
        match poll_once(response.next()) {
            None => {}
            Some(None) => break,
            Some(Some(event)) => events.push(event.unwrap()),
        }
    }
    assert_eq!(events, expected);
    assert_eq!(model.asked(), straight.asked());
}

#[tokio::test]
async fn three_readers_and_one_that_stalls() {
    for parts in runs() {
        for (bound, stalls_at) in [(0, 0), (0, 3), (512, 5), (REPLAY_BYTES, 4)] {
            let model = Model::new(&parts).slow();
            let mut alone = asked(&Model::new(&parts)).response_id("r").send();
            let expected = all(&mut alone).await.unwrap();
            let answer = alone.data::<Value>().await.unwrap();
            let shared = asked(&model).response_id("r").send().share(bound);
            let (mut slow, mut slow_items) = (shared.events(), shared.each::<Value>("items"));
            let mut folded = Folded::default();
            let mut most = 0;
            let mut fast = shared.events();
            let mut seen = Vec::new();
            while let Some(event) = fast.next().await {
                seen.push(event.unwrap());
                if seen.len() <= stalls_at {
                    folded.apply(&slow.next().await.unwrap().unwrap());
                }
                most = most.max(log_bytes(&shared));
            }
            assert_eq!(seen, expected, "{parts:?}: the fast one misses nothing");
            assert!(most <= bound.max(16 << 10), "{most} bytes were kept");
            // A reader that slept through later attempts receives them, whole or as they stand.
            let mut attempt = 1;
            let mut last = None;
            while let Some(event) = slow.next().await {
                let event = event.unwrap();
                folded.apply(&event);
                if let ResponseEvent::Reset { attempt: next, .. } = event {
                    attempt = next;
                }
                last = Some(event);
            }
            assert_eq!(
                (attempt, folded.document(0)),
                (3, &answer),
                "{parts:?} {bound} {stalls_at}"
            );
            assert!(last.is_some_and(|event| event.as_final().is_some()));
            let mut items = Vec::new();
            while let Some(item) = slow_items.next().await {
                items.push(item.unwrap());
            }
            // What is void by now is not made up for.
            let items: Vec<_> = items.iter().map(|item| (item.attempt, &item.value)).collect();
            assert_eq!(items, [(3, &answer["items"][0])], "{parts:?} {bound} {stalls_at}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_stands_after_all_is_folded_by_every_reader() {
    for other in [Does::Breaks, Does::Unreachable] {
        let parts = [Does::Low, other, other];
        for (bound, stalls_at) in [(0, 0), (0, 9), (600, 5), (REPLAY_BYTES, 3)] {
            let ask = asked(&Model::new(&parts)).max_retries(2).on_exhausted(OnExhausted::Last);
            let shared = ask.send().share(bound);
            let (mut slow, mut title) = (shared.events(), shared.text("title"));
            let mut folded = Folded::default();
            for _ in 0..stalls_at {
                folded.apply(&slow.next().await.unwrap().unwrap());
            }
            let answer = shared.data::<Value>().await.unwrap();
            let fast: Vec<ResponseEvent> = shared.events().try_collect().await.unwrap();
            while let Some(event) = slow.next().await {
                folded.apply(&event.unwrap());
            }
            assert_eq!(answer["score"], 1);
            assert_eq!((folded.document(0), Folded::of(&fast).document(0)), (&answer, &answer));
            let mut text = String::new();
            while let Some(delta) = title.next().await {
                let delta = delta.unwrap();
                if delta.restarts {
                    text.clear();
                }
                text.push_str(&delta);
            }
            assert_eq!(text, "Hello", "{other:?} {bound} {stalls_at}");
        }
    }
}

#[tokio::test]
async fn an_erased_error_changes_nothing_wherever_it_is_erased() {
    let send = || asked(&Model::new(&PARTS)).max_retries(4).on_exhausted(OnExhausted::Last).send();
    let expected = all(&mut send()).await.unwrap();
    for taken in 0..=expected.len() {
        let mut response = send();
        let mut events = Vec::new();
        for _ in 0..taken {
            events.push(response.next().await.unwrap().unwrap());
        }
        let mut erased = response.erase_error();
        events.extend(all(&mut erased).await.unwrap());
        assert_eq!(events, expected);
    }
    let broken = [Does::Low, Does::Breaks];
    for taken in [0, 5, usize::MAX] {
        let mut response = asked(&Model::new(&broken)).max_retries(1).send();
        for _ in 0..taken {
            if response.next().await.is_none_or(|event| event.is_err()) {
                break;
            }
        }
        let error = response.erase_error().answer().await.unwrap_err();
        assert!(error.source_failure().is_some() && std::error::Error::source(&error).is_some());
    }
}

#[tokio::test]
async fn facts_of_every_attempt_reach_the_caller() {
    for (steps, answers) in [(&[3, 1, 2][..], 2), (&[1, 2], 2), (&[1, 0], 1), (&[1], 1)] {
        let request = |attempt: Attempt| {
            let tokens = steps[attempt.number as usize - 1];
            let ends = if tokens == 0 { Step::Fail } else { Step::Item(None) };
            let steps = [Step::Item(Some(tokens)), ends];
            async move { Ok::<_, Dead>(Script::new(steps).0) }
        };
        let split = |item: Option<u32>, out: &mut Inputs| {
            out.text(item.map(|tokens| format!("[{tokens}]")));
            out.fact("stop_reason", item.map_or("stop", |_| "none yet"));
            item.into_iter().for_each(|tokens| out.fact("usage", tokens));
        };
        let seen = |answer: &Answer, check: &Check| {
            assert_eq!(answer.facts(), check.answer.facts());
            assert_eq!(answer.facts()["stop_reason"], "stop");
            answer.facts()["usage"] == 2
        };
        let retries = steps.len() as u32 - 1;
        let ask = ask(Spec::json(), request).split(split).validate(seen).max_retries(retries);
        let mut response = ask.on_exhausted(OnExhausted::Last).send();
        let answer = response.answer().await.unwrap();
        assert_eq!(answer.facts()["usage"], answers);
        let usages: Vec<_> = response.facts().map(|facts| facts["usage"].as_u64()).collect();
        let expected: Vec<_> = steps.iter().map(|tokens| Some(u64::from(*tokens))).collect();
        assert_eq!(usages, expected);
    }
}

#[tokio::test]
async fn what_is_kept_for_readers_is_bounded_over_attempts() {
    const BOUND: usize = 8 << 10;
    let rows = "[1, 2], ".repeat(2000);
    let request = |attempt: Attempt| {
        let text = format!("{{\"n\": {}, \"rows\": [{rows}[]]}}", attempt.number);
        async move { Ok::<_, Dead>(Script::of(pieces(&text, 16))) }
    };
    let shared = ask(Spec::json(), request)
        .validate(|answer, _| answer.value().get("n").and_then(|n| n.as_f64()) == Some(3.0))
        .send()
        .share(BOUND);
    let (mut fast, mut slow) = (shared.events(), shared.events());
    assert!(matches!(slow.next().await, Some(Ok(ResponseEvent::Parsed(OwnedEvent::Patch(_))))));
    let (mut most, mut events) = (0, 0);
    while let Some(event) = fast.next().await {
        event.unwrap();
        events += 1;
        if events % 64 == 0 {
            most = most.max(log_bytes(&shared));
        }
    }
    assert!(events > 20_000 && most <= BOUND + (4 << 10), "{most} bytes were kept");
    let mut names = Vec::new();
    while let Some(event) = slow.next().await {
        names.push(event.unwrap().name());
    }
    assert_eq!(names, ["reset", "snapshot", "final"]);
}

/// What the log holds, as `Debug` shows it.
fn log_bytes(shared: &impl std::fmt::Debug) -> usize {
    let shown = format!("{shared:?}");
    let (_, after) = shown.rsplit_once("log_bytes: ").unwrap();
    after.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

/// In a task, whatever the request is: `Send` where its parts are.
fn spawns<R>(spec: Spec, request: R) -> tokio::task::JoinHandle<bool>
where
    R: Request + Send + 'static,
    R::Item: IntoBytes,
    R::Stream: Send,
    R::Future: Send,
    R::Error: Send + Sync,
{
    tokio::spawn(async move {
        let later = |answer: Answer, _: Check| async move {
            tokio::task::yield_now().await;
            answer.value().exists()
        };
        let mut response = ask(spec, request).validate_async(later).send();
        response.data::<Value>().await.is_ok()
    })
}

#[tokio::test]
async fn send_and_sync_where_the_parts_are() {
    const fn is<T: Send + Sync>(_: &T) {}
    let model =
        |_: Attempt| async { Ok::<_, Dead>(tokio_stream::iter([Ok::<_, Dead>("{\"a\": 1}")])) };
    assert!(spawns(Spec::json(), model).await.unwrap());
    let response = asked(&Model::new(&[])).send();
    is(&response);
    is(&response.share(0));
}
