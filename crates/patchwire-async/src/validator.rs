//! The validators of the caller, run one after another.

use core::future::{Future, ready};
use core::mem;
use core::pin::Pin;
use core::task::{self, Context, Poll};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use futures_core::future::BoxFuture;
use serde::de::DeserializeOwned;

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

    pub(crate) fn typed_later<T: DeserializeOwned + Send + 'static>(
        check: impl CheckAsAsync<T> + Send + Sync + 'static,
    ) -> Self {
        Self::Later(Box::new(move |answer, _| match answer.allow_partial().data() {
            Ok(value) => {
                let verdict = check(value);
                Box::pin(async move { verdict.await.into() })
            }
            Err(error) => Box::pin(ready(Verdict::retry(error.to_string()))),
        }))
    }
}

/// A validator that gets the answer as a type: a closure `Fn(&T) -> V`, where `V` is a `bool`, a `Result` or a
/// [`Verdict`].
pub trait CheckAs<T>: Fn(&T) -> <Self as CheckAs<T>>::Returned {
    /// What the closure returns.
    type Returned: Into<Verdict>;
}

impl<T, F, V> CheckAs<T> for F
where
    F: Fn(&T) -> V,
    V: Into<Verdict>,
{
    type Returned = V;
}

/// An async validator that gets the answer as a type: a closure `Fn(T) -> impl Future<Output = V>`, where `V` is a
/// `bool`, a `Result` or a [`Verdict`].
pub trait CheckAsAsync<T>: Fn(T) -> <Self as CheckAsAsync<T>>::Running {
    /// The future of the closure.
    type Running: Future<Output = Self::Returned> + Send + 'static;
    /// What the future returns.
    type Returned: Into<Verdict>;
}

impl<T, F, Fut, V> CheckAsAsync<T> for F
where
    F: Fn(T) -> Fut,
    Fut: Future<Output = V> + Send + 'static,
    V: Into<Verdict>,
{
    type Running = Fut;
    type Returned = V;
}

/// The validator that reads the answer as a type, for one that takes the type. A cut answer is read as far as it came:
/// whether it is enough is said by the type.
pub(crate) fn typed<T: DeserializeOwned>(
    check: impl CheckAs<T>,
) -> impl Fn(&Answer, &Check) -> Verdict {
    move |answer, _| match answer.allow_partial().data() {
        Ok(value) => check(&value).into(),
        Err(error) => Verdict::retry(error.to_string()),
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
        let verdict = task::ready!(self.running.poll(cx));
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
