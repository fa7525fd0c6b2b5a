//! No change goes unseen: what the readers of a response get of answers that a seed writes, as numbers.

#[path = "../../../testkit/shared/bodies.rs"]
mod bodies;
mod decoded;
mod played;
mod readers;
#[path = "../../../testkit/shared/fingerprints.rs"]
mod shared;
mod sharing;

use std::fmt::{Debug, Write as _};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// Counts how often it is rung.
#[derive(Default)]
struct Bell(AtomicUsize);

impl Bell {
    fn rung(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Polls once.
fn poll<F: Future>(future: F, bell: &Arc<Bell>) -> Option<F::Output> {
    let waker = Waker::from(Arc::clone(bell));
    match pin!(future).poll(&mut Context::from_waker(&waker)) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// Polls to the end. Each time without a result is noted, and has to have rung the bell.
fn wait<F: Future>(future: F, out: &mut String) -> F::Output {
    let bell = Arc::new(Bell::default());
    let mut future = pin!(future);
    loop {
        let before = bell.rung();
        if let Some(output) = poll(future.as_mut(), &bell) {
            return output;
        }
        out.push('~');
        assert!(bell.rung() > before, "it waits for nothing: {out}");
    }
}

/// Notes a value.
fn note(value: impl Debug, out: &mut String) {
    writeln!(out, "{value:?}").unwrap();
}
