//! Fewer deltas, by ticks that the caller gives.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use patchwire::Spec;
use patchwire_async::{REPLAY_BYTES, TokenStreamExt as _};
use tokio::sync::mpsc;
use tokio::time::{Instant, interval, sleep};
use tokio_stream::wrappers::{IntervalStream, ReceiverStream};

use crate::source::{Dead, Script, Step, lines, pieces};

/// One character of a long reply every 10 ms.
fn typing(text: &'static str) -> ReceiverStream<Result<String, Dead>> {
    let (tell, emitted) = mpsc::channel(1);
    tokio::spawn(async move {
        for piece in pieces(text, 1) {
            sleep(Duration::from_millis(10)).await;
            if tell.send(Ok(piece)).await.is_err() {
                return;
            }
        }
    });
    ReceiverStream::new(emitted)
}

#[tokio::test(start_paused = true)]
async fn deltas_are_joined_between_ticks() {
    let text = "{\"reply\": \"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\", \"n\": 1}";
    let ticks = IntervalStream::new(interval(Duration::from_millis(100)));
    let mut events = typing(text).fields(Spec::json()).coalesce(ticks);
    let (mut deltas, mut reply, mut all) = (0, String::new(), Vec::new());
    let start = Instant::now();
    while let Some(event) = events.next().await {
        let event = event.unwrap();
        if let Some(patch) = event.as_patch()
            && !patch.delta.is_empty()
        {
            deltas += 1;
            reply.push_str(&patch.delta);
        }
        all.push(event);
    }
    assert_eq!(reply, "abcdefghijklmnopqrstuvwxyz".repeat(2));
    assert!((5..=8).contains(&deltas), "{deltas} in {:?}", start.elapsed());
    assert!(all.last().is_some_and(|event| event.as_final().is_some()));
    assert!(events.next().await.is_none());
    assert_eq!(events.get_ref().value().to_string().len(), text.len() - 3);
}

#[tokio::test(start_paused = true)]
async fn what_is_held_comes_with_the_tick_even_if_the_model_pauses() {
    let pause = stream::once(async {
        sleep(Duration::from_secs(60)).await;
        Ok("\"]".to_owned())
    });
    let tokens =
        stream::iter([Ok::<_, Dead>("[\"ab".to_owned()), Ok("cd".to_owned())]).chain(pause);
    let ticks = IntervalStream::new(interval(Duration::from_millis(50)));
    let mut events = tokens.fields(Spec::json()).coalesce(ticks);
    let start = Instant::now();
    let mut emitted = Vec::new();
    while let Some(event) = events.next().await {
        emitted.push((lines([&event.unwrap()]), start.elapsed().as_millis()));
    }
    let delta = emitted.iter().find(|(line, _)| line == &["0 delta [0] abcd"]).unwrap();
    assert!(delta.1 <= 50, "{emitted:?}");
}

#[tokio::test]
async fn without_ticks_only_what_is_there_is_joined() {
    let (source, _) = Script::new([
        Step::Item("[\"a"),
        Step::Item("b"),
        Step::Later,
        Step::Item("c"),
        Step::Item("\"]"),
    ]);
    let mut events = source.fields(Spec::json()).coalesce(stream::empty::<()>());
    let mut emitted = Vec::new();
    while let Some(event) = events.next().await {
        emitted.extend(lines([&event.unwrap()]));
    }
    let deltas: Vec<_> = emitted.iter().filter(|line| line.contains("delta")).collect();
    assert_eq!(deltas, ["0 delta [0] ab", "0 delta [0] c"]);
}

#[tokio::test]
async fn no_more_is_joined_than_is_bounded() {
    let big = "x".repeat(40 << 10);
    let items = ["[\"".to_owned(), big.clone(), big.clone(), big.clone(), "\"]".to_owned()];
    let mut events = Script::of(items).fields(Spec::json()).coalesce(stream::pending::<()>());
    let mut sizes = Vec::new();
    while let Some(event) = events.next().await {
        if let Some(patch) = event.unwrap().as_patch()
            && !patch.delta.is_empty()
        {
            sizes.push(patch.delta.len());
        }
    }
    assert_eq!(sizes, [80 << 10, 40 << 10]);
}

#[tokio::test]
async fn an_error_comes_after_what_was_held() {
    let (source, _) = Script::new([Step::Item("[\"a"), Step::Item("b"), Step::Fail]);
    let shared = source.fields(Spec::json()).share(REPLAY_BYTES);
    let mut events = shared.events().coalesce(stream::pending::<()>());
    let mut emitted = Vec::new();
    let error = loop {
        match events.next().await.unwrap() {
            Ok(event) => emitted.extend(lines([&event])),
            Err(error) => break error,
        }
    };
    assert_eq!(emitted.last().unwrap(), "0 delta [0] ab");
    assert_eq!(error.as_source(), Some(&Dead));
    assert!(events.next().await.is_none());
}
