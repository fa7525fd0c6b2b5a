//! What responses can be used for: spawned, stored, kept on one thread.

use std::rc::Rc;

use futures_util::{Stream, StreamExt as _};
use patchwire::Spec;
use patchwire_async::{BoxFields, Once, REPLAY_BYTES, Response, Shared, TokenStreamExt as _};

use crate::source::{Dead, Script};

fn assert_send<T: Send>(value: T) -> T {
    value
}

fn assert_unpin<T: Unpin>(_: &T) {}

fn upstream() -> impl Stream<Item = Result<String, Dead>> + Send + 'static {
    Script::of(["{\"a\": [1, 2]}".to_owned()])
}

#[tokio::test]
async fn responses_and_their_futures_can_be_spawned() {
    let mut response = assert_send(upstream().fields(Spec::json()));
    assert_unpin(&response);
    let task = tokio::spawn(async move {
        while let Some(event) = response.next().await {
            event?;
        }
        let mut items = response.each::<u32>("a");
        items.next().await;
        response.text("a").next().await;
        response.values("a").next().await;
        response.get::<serde_json::Value>("a").await?;
        response.drafts::<serde_json::Value>().next().await;
        response.data::<serde_json::Value>().await
    });
    assert_eq!(task.await.unwrap().unwrap()["a"][1], 2);
    let shared = assert_send(upstream().fields(Spec::json()).share(REPLAY_BYTES));
    let handle = shared.clone();
    let task = tokio::spawn(async move { handle.data::<serde_json::Value>().await });
    assert!(task.await.unwrap().is_ok());
    assert_send(shared.events());
    assert_send(shared.each::<String>("a"));
    drop(assert_send(shared.text("a").next()));
    assert_send(upstream().fields(Spec::json()).coalesce(futures_util::stream::empty::<()>()));
}

struct Holder {
    events: BoxFields<'static>,
}

#[tokio::test]
async fn a_boxed_response_names_no_source() {
    let mut holder = assert_send(Holder { events: upstream().fields(Spec::json()).boxed() });
    let mut last = None;
    while let Some(event) = holder.events.next().await {
        last = Some(event.unwrap());
    }
    assert!(last.is_some_and(|event| event.as_final().is_some()));
}

/// A source that is neither `Send` nor `Unpin`.
fn local(text: &'static str) -> impl Stream<Item = Result<String, Dead>> {
    let held = Rc::new(text);
    futures_util::stream::once(async move {
        tokio::task::yield_now().await;
        Ok((*held).to_owned())
    })
}

#[test]
fn a_source_that_stays_on_its_thread_is_read_there() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let local_set = tokio::task::LocalSet::new();
    let task = local_set.spawn_local(async {
        let mut response = local("[1, 2, 3]").fields(Spec::json());
        assert_unpin(&response);
        response.data::<Vec<u32>>().await.unwrap()
    });
    assert_eq!(runtime.block_on(local_set.run_until(task)).unwrap(), [1, 2, 3]);
    let shared = local("[4]").fields(Spec::json()).share(REPLAY_BYTES);
    let both = async { tokio::join!(shared.data::<Vec<u32>>(), shared.data::<Vec<u32>>()) };
    let (one, other) = runtime.block_on(both);
    assert_eq!((one.unwrap(), other.unwrap()), (vec![4], vec![4]));
}

/// Types that a user may have to write.
#[expect(dead_code, reason = "that it can be written is the test")]
struct Nameable<S: Stream<Item = Result<String, Dead>>> {
    response: Response<Once<S>>,
    shared: Shared<Once<S>>,
}
