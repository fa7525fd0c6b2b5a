//! Asking a model until its answer passes.

use core::fmt;
use core::future::Future;
use core::sync::atomic::{AtomicU64, Ordering};

use patchwire::{Spec, path::PatternError};
use serde_json::Value as Json;

use crate::answer::Answer;
use crate::check::Check;
use crate::drive::Stage;
use crate::input::{Inputs, Split, TextOnly};
use crate::pipeline::{OnExhausted, Pipeline};
use crate::request::Request;
use crate::response::Response;
use crate::validator::Validator;
use crate::verdict::Verdict;

/// Asks a model, and asks it again while its answer does not pass and the budget lasts.
///
/// What is asked of an answer, in this order: that a value can be read; what the spec wants
/// ([`Answer::failures`](patchwire::Answer::failures)); what the [validators](Ask::validate) say. The
/// first that fails ends the attempt. All that can fail shares one budget, the source too.
///
/// ```
/// use patchwire::{OwnedEvent, Spec};
/// use patchwire_async::{Attempt, ask};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), patchwire_async::Error<std::io::Error>> {
/// // A model that answers better when it is told what was wrong.
/// let model = |attempt: Attempt| async move {
///     let score = if attempt.correction.is_some() { "9" } else { "3" };
///     Ok(tokio_stream::iter(["{\"score\": ", score, "}"].map(Ok::<_, std::io::Error>)))
/// };
/// let mut response = ask(Spec::json(), model)
///     .prompt("Grade this essay.")
///     .max_retries(2)
///     .ensure("score")
///     .validate(|answer, _| match answer.value().get("score").and_then(|score| score.as_f64()) {
///         Some(5.0..) => Ok(()),
///         _ => Err("`score` should be 5 or more"),
///     })
///     .send();
/// while let Some(event) = response.next().await {
///     if let OwnedEvent::Reset { attempt, .. } = event? {
///         assert_eq!(attempt, 2); // forget what was shown
///     }
/// }
/// assert_eq!(response.data::<serde_json::Value>().await?["score"], 9);
/// # Ok(())
/// # }
/// ```
pub fn ask<R: Request>(spec: impl Into<Spec>, request: R) -> Ask<R> {
    let pipeline = Pipeline::new(MAX_RETRIES, fresh_id().into());
    Ask { spec: spec.into(), call_spec: None, request, split: TextOnly, pipeline, refused: None }
}

const MAX_RETRIES: u32 = 3;

/// Different for each response of a process.
fn fresh_id() -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    format!("response-{}", LAST.fetch_add(1, Ordering::Relaxed) + 1)
}

/// A request, what goes with it, and what its answer has to pass. Made by [`ask`].
#[must_use = "nothing is asked before `send`"]
pub struct Ask<R, X = TextOnly> {
    spec: Spec,
    call_spec: Option<Spec>,
    request: R,
    split: X,
    pipeline: Pipeline,
    /// The first path that was none.
    refused: Option<PatternError>,
}

impl<R: Request, X> Ask<R, X> {
    /// The prompt that attempts get; empty if not said.
    pub fn prompt(mut self, prompt: impl Into<String>) -> Self {
        self.pipeline.prompt = prompt.into().into();
        self
    }

    /// The settings that attempts get, such as the temperature; null if not said.
    pub fn settings(mut self, settings: impl Into<Json>) -> Self {
        self.pipeline.settings = settings.into().into();
        self
    }

    /// What the answer is about, for validators; null if not said. It is not sent.
    pub fn input(mut self, input: impl Into<Json>) -> Self {
        self.pipeline.input = input.into().into();
        self
    }

    /// What else validators should know: the agent, the run, the user. Null if not said. It is not
    /// sent.
    pub fn meta(mut self, meta: impl Into<Json>) -> Self {
        self.pipeline.meta = meta.into().into();
        self
    }

    /// The name that attempts and validators know the response by. If not said, one that no other
    /// response of the process has.
    pub fn response_id(mut self, id: impl Into<String>) -> Self {
        self.pipeline.response_id = id.into().into();
        self
    }

    /// How often the model is asked again: 3 if not said, which makes at most 4 requests.
    pub const fn max_retries(mut self, max_retries: u32) -> Self {
        self.pipeline.max_retries = max_retries;
        self
    }

    /// Whether tool calls without a value are an answer: for loops that run the tools and ask on. If not
    /// said, such an attempt fails, and the model is not asked again: it waits for what its tools give.
    pub const fn calls_are_answers(mut self, calls_are_answers: bool) -> Self {
        self.pipeline.calls_are_answers = calls_are_answers;
        self
    }

    /// What comes of it if no attempt gives an answer that passes; an error if not said.
    pub const fn on_exhausted(mut self, on_exhausted: OnExhausted) -> Self {
        self.pipeline.on_exhausted = on_exhausted;
        self
    }

    /// A path that has to be there and to say something, beside those of the spec: not null, blank
    /// text or an empty list. `items[*].sku` wants that of each item, and one item at least.
    ///
    /// A path that is none is the response's error, and nothing is sent.
    pub fn ensure(mut self, path: &str) -> Self {
        match self.spec.ensuring(path) {
            Ok(spec) => self.spec = spec,
            Err(error) => self.refused = self.refused.or(Some(error)),
        }
        self
    }

    /// Judges answers that can be read and hold what the spec wants. Validators run in the order in
    /// which they were given; one that does not let the answer pass is the last that is run for it.
    ///
    /// A panic in one is an error of the validator, where panics unwind.
    pub fn validate<V: Into<Verdict>>(
        mut self,
        check: impl Fn(&Answer, &Check) -> V + Send + Sync + 'static,
    ) -> Self {
        self.pipeline.validators.push(Validator::now(check));
        self
    }

    /// Adds a validator that returns a future. Dropping the response drops the future.
    ///
    /// ```
    /// use patchwire_async::{Ask, Attempt, Request};
    ///
    /// # async fn is_known(name: &str) -> bool { !name.is_empty() }
    /// fn with_lookup<R: Request>(ask: Ask<R>) -> Ask<R> {
    ///     ask.validate_async(|answer, _| async move {
    ///         let name = answer.value().get("name").and_then(|name| name.as_str());
    ///         is_known(name.unwrap_or_default()).await
    ///     })
    /// }
    /// ```
    pub fn validate_async<V, F>(
        mut self,
        check: impl Fn(Answer, Check) -> F + Send + Sync + 'static,
    ) -> Self
    where
        V: Into<Verdict>,
        F: Future<Output = V> + Send + 'static,
    {
        self.pipeline.validators.push(Validator::later(check));
        self
    }

    /// How to read the arguments of tool calls. If not said: lenient JSON.
    pub fn call_spec(mut self, spec: impl Into<Spec>) -> Self {
        self.call_spec = Some(spec.into());
        self
    }

    /// Reads items of any kind: `split` says what is in one. It goes on from attempt to attempt.
    pub fn split<F>(self, split: F) -> Ask<R, F>
    where
        F: FnMut(R::Item, &mut Inputs),
    {
        let Self { spec, call_spec, request, pipeline, refused, split: _ } = self;
        Ask { spec, call_spec, request, split, pipeline, refused }
    }

    /// The response. Nothing is sent before it is polled.
    pub fn send(self) -> Response<R, X>
    where
        X: Split<R::Item>,
    {
        let Self { spec, call_spec, request, split, pipeline, refused } = self;
        let mut response = Response::begin(request, spec, split, Stage::Again);
        response.pipeline = Some(Box::new(pipeline));
        if let Some(call_spec) = call_spec {
            response = response.with_call_spec(call_spec);
        }
        if let Some(error) = refused {
            response.stage = Stage::Ended;
            response.end.result = Some(Err(error.into()));
        }
        response
    }
}

impl<R, X> fmt::Debug for Ask<R, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask")
            .field("spec", &self.spec)
            .field("max_retries", &self.pipeline.max_retries)
            .field("validators", &self.pipeline.validators.len())
            .finish_non_exhaustive()
    }
}
