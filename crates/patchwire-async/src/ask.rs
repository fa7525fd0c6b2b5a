//! Repeats a request until its answer passes the checks.

use core::fmt;
use core::future::Future;
use core::sync::atomic::{AtomicU64, Ordering};

use patchwire::Spec;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::answer::Answer;
use crate::check::Check;
use crate::input::{Inputs, Split, TextOnly};
use crate::pipeline::{OnExhausted, Pipeline};
use crate::request::Request;
use crate::response::Response;
use crate::stage::Stage;
use crate::validator::{self, CheckAs, CheckAsAsync, Validator};
use crate::verdict::Verdict;

/// Prepares a request that is repeated until its answer passes all checks, or no retries are left.
///
/// The checks run in this order: a value exists; the requirements of the spec hold
/// ([`Answer::failures`](patchwire::Answer::failures)); the [validators](Ask::validate) accept the answer.
/// The first failure ends the attempt. Failures of all kinds, including those of the source, share one
/// number of retries.
///
/// ```
/// use patchwire::Spec;
/// use patchwire_async::{Attempt, ResponseEvent, ask};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), patchwire_async::Error<std::io::Error>> {
/// // A model whose second answer is better.
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
///     if let ResponseEvent::Reset { attempt } = event? {
///         assert_eq!(attempt, 2); // forget what was shown
///     }
/// }
/// assert_eq!(response.data::<serde_json::Value>().await?["score"], 9);
/// # Ok(())
/// # }
/// ```
pub fn ask<R: Request>(spec: impl Into<Spec>, request: R) -> Ask<R> {
    let pipeline = Pipeline::new(MAX_RETRIES, fresh_id().into());
    Ask {
        spec: spec.into(),
        call_spec: None,
        request,
        split: TextOnly,
        pipeline,
        allows_partial: false,
        ensures: Vec::new(),
    }
}

const MAX_RETRIES: u32 = 3;

/// A name that no other response of the process has.
fn fresh_id() -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    format!("response-{}", LAST.fetch_add(1, Ordering::Relaxed) + 1)
}

/// A request with its settings and the checks of its answer. Made by [`ask`].
#[must_use = "nothing is sent before `send`"]
pub struct Ask<R, X = TextOnly> {
    spec: Spec,
    call_spec: Option<Spec>,
    request: R,
    split: X,
    pipeline: Pipeline,
    /// Paths that the answer needs, beside those of the spec.
    ensures: Vec<String>,
    allows_partial: bool,
}

impl<R: Request, X> Ask<R, X> {
    /// Sets the prompt of the attempts. Empty by default.
    pub fn prompt(mut self, prompt: impl Into<String>) -> Self {
        self.pipeline.prompt = prompt.into().into();
        self
    }

    /// Sets the settings of the attempts, such as the temperature. Null by default.
    pub fn settings(mut self, settings: impl Into<Json>) -> Self {
        self.pipeline.settings = settings.into().into();
        self
    }

    /// Sets the input that the answer is about, for validators. It is not sent. Null by default.
    pub fn input(mut self, input: impl Into<Json>) -> Self {
        self.pipeline.input = input.into().into();
        self
    }

    /// Sets other data for validators, such as the agent, the run or the user. It is not sent. Null by
    /// default.
    pub fn meta(mut self, meta: impl Into<Json>) -> Self {
        self.pipeline.meta = meta.into().into();
        self
    }

    /// Sets the id of the response, for attempts and validators. By default, a name that no other response
    /// of the process has.
    pub fn response_id(mut self, id: impl Into<String>) -> Self {
        self.pipeline.response_id = id.into().into();
        self
    }

    /// Sets how often the request is repeated. The default is 3, which makes at most 4 requests.
    pub const fn max_retries(mut self, max_retries: u32) -> Self {
        self.pipeline.max_retries = max_retries;
        self
    }

    /// Sets whether tool calls without a value are an answer, for loops that run the tools. By default such
    /// an attempt fails, and the request is not repeated, because the model waits for results.
    pub const fn calls_are_answers(mut self, calls_are_answers: bool) -> Self {
        self.pipeline.calls_are_answers = calls_are_answers;
        self
    }

    /// [`Response::data`] also returns the value of an answer that was cut, as far as it came. By default it is an error.
    pub const fn allow_partial(mut self) -> Self {
        self.allows_partial = true;
        self
    }

    /// Sets the result if no answer passes. By default it is an error.
    pub const fn on_exhausted(mut self, on_exhausted: OnExhausted) -> Self {
        self.pipeline.on_exhausted = on_exhausted;
        self
    }

    /// Requires a path, beside those of the spec. Null, blank text and an empty list count as missing.
    /// `items[*].sku` requires the member in each item, and at least one item.
    ///
    /// If the path cannot be parsed, or if there are too many, the response ends with that error, and nothing is
    /// sent.
    pub fn ensure(mut self, path: &str) -> Self {
        self.ensures.push(path.to_owned());
        self
    }

    /// Adds a validator. Validators run in order, after all other checks passed. After one that does not
    /// accept the answer, the rest do not run.
    ///
    /// An error means "ask again" and is shown to the model, whatever its type is; a [`Verdict`] says anything else.
    /// If panics unwind, a panic in a validator counts as its error.
    pub fn validate<V: Into<Verdict>>(
        mut self,
        check: impl Fn(&Answer, &Check) -> V + Send + Sync + 'static,
    ) -> Self {
        self.pipeline.validators.push(Validator::now(check));
        self
    }

    /// Adds a validator that gets the answer as a type. An answer that does not fit the type does not pass, and the
    /// model is told what does not fit.
    ///
    /// ```
    /// use patchwire_async::{Ask, Request};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Order { total: f64 }
    ///
    /// fn with_total<R: Request>(ask: Ask<R>) -> Ask<R> {
    ///     ask.validate_as::<Order>(|order| {
    ///         if order.total > 0.0 { Ok(()) } else { Err("`total` must be positive") }
    ///     })
    /// }
    ///
    /// // `anyhow::Result` and results with other errors work as well.
    /// fn with_limit<R: Request>(ask: Ask<R>) -> Ask<R> {
    ///     ask.validate_as::<Order>(|order| -> anyhow::Result<()> {
    ///         anyhow::ensure!(order.total < 1e6, "`total` is {}, more than a million", order.total);
    ///         Ok(())
    ///     })
    /// }
    /// ```
    pub fn validate_as<T: DeserializeOwned + 'static>(
        self,
        check: impl CheckAs<T> + Send + Sync + 'static,
    ) -> Self {
        self.validate(validator::typed(check))
    }

    /// Adds an async validator. Dropping the response drops its future.
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

    /// Adds an async validator that gets the answer as a type; see [`validate_as`](Self::validate_as).
    ///
    /// ```
    /// use patchwire_async::{Ask, Request};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Order { sku: String }
    ///
    /// # async fn is_known(sku: &str) -> anyhow::Result<bool> { Ok(!sku.is_empty()) }
    /// fn with_lookup<R: Request>(ask: Ask<R>) -> Ask<R> {
    ///     ask.validate_as_async::<Order>(|order| async move { is_known(&order.sku).await })
    /// }
    /// ```
    pub fn validate_as_async<T: DeserializeOwned + Send + 'static>(
        mut self,
        check: impl CheckAsAsync<T> + Send + Sync + 'static,
    ) -> Self {
        self.pipeline.validators.push(Validator::typed_later(check));
        self
    }

    /// Sets the spec for the arguments of tool calls. The default is lenient JSON.
    pub fn call_spec(mut self, spec: impl Into<Spec>) -> Self {
        self.call_spec = Some(spec.into());
        self
    }

    /// Reads items of any type: `split` passes the parts of an item to [`Inputs`]. All attempts use it.
    pub fn split<F>(self, split: F) -> Ask<R, F>
    where
        F: FnMut(R::Item, &mut Inputs),
    {
        let Self { spec, call_spec, request, pipeline, ensures, allows_partial, split: _ } = self;
        Ask { spec, call_spec, request, split, pipeline, ensures, allows_partial }
    }

    /// The response. Nothing is sent before it is polled.
    pub fn send(self) -> Response<R, X>
    where
        X: Split<R::Item>,
    {
        let Self { spec, call_spec, request, split, pipeline, ensures, allows_partial } = self;
        let ensured = spec.ensure_all(ensures.iter().map(String::as_str));
        let (spec, refused) = match ensured {
            Ok(ensured) => (ensured, None),
            Err(error) => (spec, Some(error)),
        };
        let mut response = Response::begin(request, spec, split, Stage::Again);
        response.allows_partial = allows_partial;
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
