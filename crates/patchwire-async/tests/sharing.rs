//! Several readers of one response.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures_util::TryStreamExt as _;
use patchwire::{OwnedEvent, Spec};
use patchwire_async::{Inputs, Item, REPLAY_BYTES, ResponseEvent, TokenStreamExt as _};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::fold::Folded;
use crate::source::{Dead, Script, Step, all, pieces};

const TEXT: &str = "so: {\"reply\": \"Hello there\", \"rows\": [1, 2, 3], \"end\": true}";

#[tokio::test]
async fn every_reader_sees_everything() {
    for size in [1, 5, 1000] {
        let expected = all(&mut Script::of(pieces(TEXT, size)).fields(Spec::json())).await.unwrap();
        let shared = Script::slow(pieces(TEXT, size)).0.fields(Spec::json()).share(REPLAY_BYTES);
        let events = || shared.events().try_collect::<Vec<_>>();
        let reply = async {
            let mut field = shared.text("reply");
            let mut text = String::new();
            while let Some(delta) = field.next().await {
                text.push_str(&delta?);
            }
            assert_eq!(shared.get::<String>("reply").await?, text);
            Ok::<_, patchwire_async::Error<Dead>>(text)
        };
        let rows = shared.each::<u32>("rows").try_collect::<Vec<Item<u32>>>();
        let (one, other, reply, rows, answer) =
            tokio::join!(events(), events(), reply, rows, shared.data::<serde_json::Value>());
        assert_eq!(one.unwrap(), expected);
        assert_eq!(other.unwrap(), expected);
        assert_eq!(reply.unwrap(), "Hello there");
        assert_eq!(rows.unwrap().iter().map(|row| row.value).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(answer.unwrap()["end"], true);
        assert_eq!(events().await.unwrap(), expected, "a late reader sees the start");
        assert_eq!(
            shared.snapshot().to_string(),
            shared.answer().await.unwrap().value().to_string()
        );
    }
}

#[tokio::test]
async fn a_response_that_was_read_to_its_end_can_be_shared() {
    for (bound, is_read_as_data) in [(0, true), (REPLAY_BYTES, true), (REPLAY_BYTES, false)] {
        let mut response = Script::of(pieces(TEXT, 5)).fields(Spec::json());
        if is_read_as_data {
            response.data::<serde_json::Value>().await.unwrap();
        } else {
            response.answer().await.unwrap();
        }
        let shared = response.share(bound);
        let rows = shared.each::<u32>("rows").try_collect::<Vec<_>>().await.unwrap();
        assert_eq!(rows.iter().map(|row| row.value).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(shared.get::<String>("reply").await.unwrap(), "Hello there");
        let text = shared.text("reply").try_collect::<Vec<_>>().await.unwrap();
        assert_eq!(text.iter().map(ToString::to_string).collect::<String>(), "Hello there");
        let values = shared.values("rows").try_collect::<Vec<_>>().await.unwrap();
        assert_eq!(values.last().unwrap().to_string(), "[1,2,3]");
        let drafts = shared.drafts::<serde_json::Value>().try_collect::<Vec<_>>().await.unwrap();
        assert_eq!(drafts.last().unwrap()["rows"][2], 3);
    }
}

#[test]
fn readers_on_several_threads() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build();
    let runtime = runtime.unwrap_or_else(|error| panic!("{error}"));
    runtime.block_on(async {
        let (tell, emitted) = mpsc::channel(1);
        let shared = ReceiverStream::new(emitted).fields(Spec::json()).share(REPLAY_BYTES);
        let readers: Vec<_> = (0..8)
            .map(|_| tokio::spawn(shared.events().try_collect::<Vec<ResponseEvent>>()))
            .collect();
        for piece in pieces(TEXT, 1) {
            tell.send(Ok::<_, Dead>(piece)).await.unwrap();
        }
        drop(tell);
        let mut first = None;
        for reader in readers {
            let events = reader.await.unwrap().unwrap();
            assert_eq!(&events, first.get_or_insert_with(|| events.clone()));
        }
    });
}

/// Counts how often it is woken.
#[derive(Default)]
struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Count {
    fn woken(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

fn poll<F: Future>(future: Pin<&mut F>, count: &Arc<Count>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(&Waker::from(Arc::clone(count))))
}

#[tokio::test]
async fn a_reader_that_was_abandoned_holds_nobody_up() {
    let (tell, emitted) = mpsc::channel(8);
    let shared = ReceiverStream::new(emitted).fields(Spec::json()).share(REPLAY_BYTES);
    let (first, second) = (Arc::new(Count::default()), Arc::new(Count::default()));
    let (mut one, mut other) = (shared.events(), shared.events());
    let mut waits = Box::pin(other.next());
    assert!(poll(waits.as_mut(), &second).is_pending());
    {
        // The last to ask the source, and gone before it answers.
        let next = pin!(one.next());
        assert!(poll(next, &first).is_pending());
    }
    tell.send(Ok::<_, Dead>("[1")).await.unwrap();
    assert_eq!((first.woken(), second.woken()), (1, 1));
    assert!(poll(waits.as_mut(), &second).is_ready());
    drop(waits);
    // A reader that waits is woken by another that reads.
    let mut waits = Box::pin(other.next());
    assert!(poll(waits.as_mut(), &second).is_pending());
    tell.send(Ok(", 2")).await.unwrap();
    let woken = second.woken();
    assert!(woken >= 2);
    assert!(matches!(poll(pin!(one.next()), &first), Poll::Ready(Some(Ok(_)))));
    assert!(poll(waits.as_mut(), &second).is_ready());
}

#[tokio::test]
async fn a_reader_that_stalls_gets_a_snapshot_and_folds_right() {
    let text =
        format!("{{\"rows\": [{}], \"reply\": \"{}\"}}", "[1, 2], ".repeat(400), "ab ".repeat(400));
    let expected = Spec::json().parse(&text).unwrap().value().to_serde_json().unwrap();
    const BOUND: usize = 16 << 10;
    for stalled_at in [0, 1, 10, 500] {
        let (source, _) = Script::slow(pieces(&text, 2));
        let shared = source.fields(Spec::json()).share(BOUND);
        let (mut slow, mut fast) = (shared.events(), shared.events());
        let mut folded = Folded::default();
        for _ in 0..stalled_at {
            folded.apply(&slow.next().await.unwrap().unwrap());
            fast.next().await.unwrap().unwrap();
        }
        let mut seen = 0;
        let mut most = 0;
        for _ in 0..1500 {
            seen += usize::from(matches!(
                fast.next().await,
                Some(Ok(ResponseEvent::Parsed(OwnedEvent::Patch(_))))
            ));
            most = most.max(log_bytes(&shared));
        }
        assert!(seen > 1000);
        assert!(most <= BOUND + (4 << 10), "{most} bytes were kept");
        let mut snapshots = 0;
        let mut last = None;
        while let Some(event) = slow.next().await {
            let event = event.unwrap();
            snapshots += usize::from(matches!(event, ResponseEvent::Snapshot { .. }));
            folded.apply(&event);
            last = Some(event);
        }
        assert_eq!(snapshots, 1, "stalled at {stalled_at}");
        assert!(last.is_some_and(|event| event.as_final().is_some()));
        assert_eq!(folded.document(0), &expected);
        // The fast one missed nothing by reading on.
        let rest: Vec<ResponseEvent> = fast.try_collect().await.unwrap();
        assert!(rest.iter().any(|event| matches!(event, ResponseEvent::Snapshot { .. })));
    }
}

/// What the log holds, as `Debug` shows it.
fn log_bytes(shared: &impl std::fmt::Debug) -> usize {
    let shown = format!("{shared:?}");
    let (_, after) = shown.rsplit_once("log_bytes: ").unwrap();
    after.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

#[tokio::test]
async fn the_fastest_reader_misses_nothing_however_little_is_kept() {
    let expected = all(&mut Script::of(pieces(TEXT, 7)).fields(Spec::json())).await.unwrap();
    let shared = Script::of(pieces(TEXT, 7)).fields(Spec::json()).share(0);
    let late = shared.events();
    assert_eq!(shared.events().try_collect::<Vec<_>>().await.unwrap(), expected);
    let events: Vec<ResponseEvent> = late.try_collect().await.unwrap();
    assert!(matches!(events[0], ResponseEvent::Snapshot { .. }));
    assert!(events[1].as_final().is_some());
    assert_eq!(events.len(), 2);
}

#[tokio::test]
async fn parts_are_caught_up_with_after_a_snapshot() {
    for taken in 0..30 {
        let shared = Script::of(pieces(TEXT, 3)).fields(Spec::json()).share(0);
        let (mut reply, mut rows) = (shared.text("reply"), shared.each::<u32>("rows"));
        let mut events = shared.events();
        let mut text = String::new();
        for _ in 0..taken {
            if events.next().await.is_none() {
                break;
            }
        }
        while let Some(delta) = reply.next().await {
            text.push_str(&delta.unwrap());
        }
        assert_eq!(text, "Hello there", "{taken}");
        let mut found = Vec::new();
        while let Some(item) = rows.next().await {
            let item = item.unwrap();
            found.push((item.index, item.value));
        }
        assert_eq!(found, [(0, 1), (1, 2), (2, 3)], "{taken}");
    }
}

#[tokio::test]
async fn a_response_that_was_read_is_shared_with_a_snapshot() {
    let mut response = Script::of(pieces(TEXT, 3)).fields(Spec::json());
    while response.value().get("rows").is_none() {
        response.next().await.unwrap().unwrap();
    }
    let shared = response.share(REPLAY_BYTES);
    let events: Vec<ResponseEvent> = shared.events().try_collect().await.unwrap();
    assert!(matches!(events[0], ResponseEvent::Snapshot { .. }));
    let expected = Spec::json().parse(TEXT).unwrap().value().to_serde_json().unwrap();
    assert_eq!(Folded::of(&events).document(0), &expected);
}

#[tokio::test]
async fn a_snapshot_has_the_calls() {
    let split = |piece: String, out: &mut Inputs| out.tool(7, Some("c"), Some("find"), piece);
    let shared =
        Script::of(pieces("{\"q\": \"one two\"}", 2)).fields_with(Spec::json(), split).share(0);
    shared.answer().await.unwrap();
    let events: Vec<ResponseEvent> = shared.events().try_collect().await.unwrap();
    let names: Vec<_> = events.iter().map(ResponseEvent::name).collect();
    assert_eq!(names, ["tool_call", "snapshot", "final"]);
    assert_eq!(Folded::of(&events).document(1), &serde_json::json!({"q": "one two"}));
}

#[tokio::test]
async fn every_reader_gets_the_error_once() {
    let (source, counts) = Script::new([Step::Item("{\"a\": [1, 2"), Step::Fail]);
    let shared = source.fields(Spec::json()).share(REPLAY_BYTES);
    for _ in 0..2 {
        let mut events = shared.events();
        let error = loop {
            if let Err(error) = events.next().await.unwrap() {
                break error;
            }
        };
        assert_eq!(error.as_source(), Some(&Dead));
        assert!(events.next().await.is_none());
        let mut items = shared.each::<u32>("a");
        assert_eq!(items.next().await.unwrap().unwrap().value, 1);
        assert!(items.next().await.unwrap().is_err());
        assert!(items.next().await.is_none());
        assert_eq!(shared.answer().await.unwrap_err().as_source(), Some(&Dead));
    }
    assert_eq!(counts.polls(), 2);
    assert_eq!(shared.snapshot().to_string(), "{\"a\":[1]}");
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_slows_nobody() {
    let (source, _) = Script::slow(pieces(TEXT, 1));
    let shared = source.fields(Spec::json()).share(REPLAY_BYTES);
    let mut slow = shared.events();
    let slowly = tokio::spawn(async move {
        let mut events = 0;
        while let Some(event) = slow.next().await {
            event.unwrap();
            events += 1;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        events
    });
    let start = tokio::time::Instant::now();
    let fast: Vec<ResponseEvent> = shared.events().try_collect().await.unwrap();
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert_eq!(slowly.await.unwrap(), fast.len());
}

#[tokio::test]
async fn several_verbs_at_the_same_time() {
    for size in [1, 4, 1000] {
        let shared = Script::slow(pieces(TEXT, size)).0.fields(Spec::json()).share(REPLAY_BYTES);
        let text = async {
            let deltas: Vec<_> = shared.text("reply").try_collect().await?;
            Ok::<_, patchwire_async::Error<Dead>>(deltas.iter().map(|it| &**it).collect::<String>())
        };
        let values = shared.values("rows").try_collect::<Vec<_>>();
        let each = shared.each::<u32>("rows").try_collect::<Vec<_>>();
        let drafts = shared.drafts::<serde_json::Value>().try_collect::<Vec<_>>();
        let missing = shared.get::<u8>("absent");
        let (end, text, values, each, drafts, missing) =
            tokio::join!(shared.get::<bool>("end"), text, values, each, drafts, missing);
        assert_eq!((end.unwrap(), &*text.unwrap()), (true, "Hello there"));
        assert_eq!(values.unwrap().last().unwrap().to_string(), "[1,2,3]");
        assert_eq!(each.unwrap().len(), 3);
        assert_eq!(drafts.unwrap().last().unwrap()["end"], true);
        let said = "the answer has no `absent`; it has `reply`, `rows`, `end`";
        assert_eq!(missing.unwrap_err().to_string(), said);
    }
}
