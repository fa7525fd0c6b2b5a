//! A source that plays a script and counts what is done to it.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use futures_util::Stream;
use patchwire::OwnedEvent;
use patchwire_async::{Error, Request, Response, ResponseEvent, Split};

/// What went wrong with a model, for once.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line is dead")]
pub(crate) struct Dead;

pub(crate) enum Step<I> {
    Item(I),
    Fail,
    /// Not just now: wakes at once.
    Later,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Counts(Arc<(AtomicUsize, AtomicUsize)>);

impl Counts {
    pub(crate) fn polls(&self) -> usize {
        self.0.0.load(Ordering::SeqCst)
    }

    pub(crate) fn drops(&self) -> usize {
        self.0.1.load(Ordering::SeqCst)
    }
}

/// Ends the program if it is polled after its end.
pub(crate) struct Script<I> {
    steps: VecDeque<Step<I>>,
    ended: bool,
    counts: Counts,
}

impl<I> Unpin for Script<I> {}

impl<I> Script<I> {
    pub(crate) fn new(steps: impl IntoIterator<Item = Step<I>>) -> (Self, Counts) {
        let counts = Counts::default();
        let steps = steps.into_iter().collect();
        (Self { steps, ended: false, counts: counts.clone() }, counts)
    }

    pub(crate) fn of(items: impl IntoIterator<Item = I>) -> Self {
        Self::new(items.into_iter().map(Step::Item)).0
    }

    /// Not ready before each item.
    pub(crate) fn slow(items: impl IntoIterator<Item = I>) -> (Self, Counts) {
        Self::new(items.into_iter().flat_map(|item| [Step::Later, Step::Item(item)]))
    }
}

impl<I> Stream for Script<I> {
    type Item = Result<I, Dead>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.counts.0.0.fetch_add(1, Ordering::SeqCst);
        assert!(!self.ended, "polled after the end");
        match self.steps.pop_front() {
            Some(Step::Item(item)) => Poll::Ready(Some(Ok(item))),
            Some(Step::Fail) => {
                self.ended = true;
                Poll::Ready(Some(Err(Dead)))
            }
            Some(Step::Later) => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            None => {
                self.ended = true;
                Poll::Ready(None)
            }
        }
    }
}

impl<I> Drop for Script<I> {
    fn drop(&mut self) {
        self.counts.0.1.fetch_add(1, Ordering::SeqCst);
    }
}

/// Cuts a text into pieces of this many characters.
pub(crate) fn pieces(text: &str, size: usize) -> Vec<String> {
    let all: Vec<char> = text.chars().collect();
    all.chunks(size).map(|piece| piece.iter().collect()).collect()
}

/// All events of a response.
pub(crate) async fn all<R: Request, X: Split<R::Item>>(
    response: &mut Response<R, X>,
) -> Result<Vec<ResponseEvent>, Error<R::Error>> {
    let mut events = Vec::new();
    while let Some(event) = response.next().await {
        events.push(event?);
    }
    Ok(events)
}

/// A line for each event that matters to a reader of fields.
pub(crate) fn lines<'e>(events: impl IntoIterator<Item = &'e ResponseEvent>) -> Vec<String> {
    let line = |event: &'e ResponseEvent| match event {
        ResponseEvent::Parsed(OwnedEvent::Patch(patch)) => {
            let (kind, path) = (patch.op.name(), &patch.path);
            Some(format!("{} {kind} {path} {}", patch.document.index(), patch.delta))
        }
        ResponseEvent::Parsed(OwnedEvent::Reasoning { delta, .. }) => {
            Some(format!("reasoning {delta}"))
        }
        ResponseEvent::Parsed(OwnedEvent::Text { delta, .. }) => Some(format!("text {delta}")),
        ResponseEvent::ToolCall { document, id, name, .. } => {
            Some(format!("{} call {id:?} {name:?}", document.index()))
        }
        _ => None,
    };
    events.into_iter().filter_map(line).collect()
}
