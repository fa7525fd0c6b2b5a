//! The validators of the caller, run one after another.

use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use futures_core::future::BoxFuture;

use crate::answer::Answer;
use crate::check::Check;
use crate::verdict::Verdict;

/// A validator of the caller.
pub(crate) enum Validator {
    Now(Box<Now>),
    Later(Box<Later>),
}

type Now = dyn Fn(&Answer, &Check) -> Verdict + Send + Sync;
type Later = dyn Fn(Answer, Check) -> BoxFuture<'static, Verdict> + Send + Sync;

impl Validator {
    pub(crate) fn now<V: Into<Verdict>>(
        check: impl Fn(&Answer, &Check) -> V + Send + Sync + 'static,
    ) -> Self {
        Self::Now(Box::new(move |answer, context| check(answer, context).into()))
    }

    pub(crate) fn later<V, F>(check: impl Fn(Answer, Check) -> F + Send + Sync + 'static) -> Self
    where
        V: Into<Verdict>,
        F: Future<Output = V> + Send + 'static,
    {
        Self::Later(Box::new(move |answer, context| {
            let verdict = check(answer, context);
            Box::pin(async move { verdict.await.into() })
        }))
    }
}

/// The validator that runs.
#[derive(Default)]
enum Running {
    #[default]
    Nothing,
    /// The lock is never locked. It makes a response `Sync` for any future.
    Future(Mutex<BoxFuture<'static, Verdict>>),
}

/// The progress of an answer through the validators.
#[derive(Default)]
pub(crate) struct Run {
    next: usize,
    running: Running,
}

impl Run {
    /// The verdict of the next validator; none after the last.
    pub(crate) fn poll_next(
        &mut self,
        validators: &[Validator],
        check: impl FnOnce() -> Check,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Verdict>> {
        if let Running::Nothing = self.running {
            let Some(validator) = validators.get(self.next) else { return Poll::Ready(None) };
            let check = check();
            // A validator that panics does not run again.
            self.next += 1;
            match validator {
                Validator::Now(validator) => {
                    let verdict = guarded(|| validator(&check.answer, &check));
                    return Poll::Ready(Some(verdict.unwrap_or_else(Verdict::error)));
                }
                Validator::Later(validator) => {
                    match guarded(|| validator(check.answer.clone(), check)) {
                        Ok(future) => self.running = Running::Future(Mutex::new(future)),
                        Err(panicked) => return Poll::Ready(Some(Verdict::error(panicked))),
                    }
                }
            }
        }
        let verdict = ready!(self.running.poll(cx));
        self.running = Running::Nothing;
        Poll::Ready(Some(verdict))
    }
}

impl Running {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Verdict> {
        let Self::Future(future) = self else { return Poll::Pending };
        let future: Pin<&mut _> = future.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut();
        match guarded(|| future.poll(cx)) {
            Ok(verdict) => verdict,
            Err(panicked) => {
                // The future is dropped, and not polled again.
                drop(mem::take(self));
                Poll::Ready(Verdict::error(panicked))
            }
        }
    }
}

/// Runs code of the caller, and catches panics. A panic leaves no broken state here: a validator gets only
/// copies and shared references, and does not run again for this answer.
fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call))
        .map_err(|panic| format!("the validator panicked: {}", message(&*panic)))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
