//! A model, and the spec of its answers.

use core::future::Future;
use core::pin::Pin;
use core::time::Duration;
use std::sync::Arc;

use patchwire::{Spec, SpecBuilder, SpecError};
use patchwire_async::sources::Delta;
use patchwire_async::{Ask, Attempt, Inputs, Request, ask};
use reqwest::header::HeaderMap;
use serde_json::Value as Json;

use crate::body::{self, Parts, Structured};
use crate::endpoint::Endpoint;
use crate::error::{ChatError, ClientError};
use crate::http::{self, Options, ResponseStream};

/// A model at an endpoint, and the spec of its answers. Cheap to clone; clones share connections.
#[derive(Debug, Clone)]
pub struct Chat(Arc<Settings>);

#[derive(Debug, Clone)]
struct Settings {
    client: reqwest::Client,
    backoff: Duration,
    endpoint: Endpoint,
    model: String,
    spec: Spec,
    /// The settings that a request does not set itself.
    defaults: SpecBuilder,
    system: Option<String>,
    structured: Structured,
    instructions: bool,
}

type SplitDelta = fn(Delta, &mut Inputs);

impl Chat {
    /// A model whose answers are read with this spec.
    ///
    /// # Errors
    /// TLS or the HTTP client cannot be set up, for example without system certificates.
    pub fn new(
        endpoint: Endpoint,
        model: impl Into<String>,
        spec: impl Into<Spec>,
    ) -> Result<Self, ClientError> {
        Self::with_options(endpoint, model, spec, Options::default())
    }

    /// A model, with other timeouts.
    ///
    /// # Errors
    /// TLS or the HTTP client cannot be set up, for example without system certificates.
    pub fn with_options(
        endpoint: Endpoint,
        model: impl Into<String>,
        spec: impl Into<Spec>,
        options: Options,
    ) -> Result<Self, ClientError> {
        Ok(Self(Arc::new(Settings {
            client: http::client(options)?,
            backoff: options.backoff,
            endpoint,
            model: model.into(),
            spec: spec.into(),
            defaults: Spec::builder(),
            system: None,
            structured: Structured::Auto,
            instructions: true,
        })))
    }

    /// Sets the system prompt. An empty text sends none.
    #[must_use]
    pub fn system(self, system: impl Into<String>) -> Self {
        let system = system.into();
        self.but(|settings| settings.system = Some(system).filter(|text| !text.is_empty()))
    }

    /// Sets whether the request contains the schema, so that the endpoint enforces it.
    #[must_use]
    pub fn structured(self, structured: Structured) -> Self {
        self.but(|settings| settings.structured = structured)
    }

    /// Sets whether the prompt contains instructions for the spec. It does by default.
    #[must_use]
    pub fn instructions(self, instructions: bool) -> Self {
        self.but(|settings| settings.instructions = instructions)
    }

    /// Sets the settings that [`with_settings`](Self::with_settings) uses where a request has none: those of
    /// the client, merged with those of the application.
    #[must_use]
    pub fn defaults(self, defaults: SpecBuilder) -> Self {
        self.but(|settings| settings.defaults = defaults)
    }

    /// The model with the settings of one request. The [`defaults`](Self::defaults) complete them.
    /// Connections are shared.
    ///
    /// ```
    /// use patchwire::{Format, Spec};
    /// use patchwire_chat::{Chat, Endpoint};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let application = Spec::builder().format(Format::Auto);
    /// let client = Spec::builder().without_raw().or(&application);
    /// let endpoint = Endpoint::ollama("http://localhost:11434")?;
    /// let chat = Chat::new(endpoint, "llama3.2", Spec::json())?.defaults(client);
    ///
    /// let letter = chat.with_settings(Spec::builder().format(Format::Text))?;
    /// let ask = letter.ask("Write a letter to a lighthouse keeper.");
    /// # let _ = ask;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The merged settings contradict each other.
    pub fn with_settings(&self, request: SpecBuilder) -> Result<Self, SpecError> {
        let spec = request.or(&self.0.defaults).build()?;
        Ok(self.clone().but(|settings| settings.spec = spec))
    }

    fn but(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// The body of the request of an attempt.
    #[must_use]
    pub fn body(&self, attempt: &Attempt) -> Json {
        let Settings { endpoint, model, spec, system, structured, instructions, .. } = &*self.0;
        let mut prompt = attempt.full_prompt().into_owned();
        if *instructions {
            let wanted = spec.prompt().to_string();
            if !prompt.is_empty() && !wanted.trim().is_empty() {
                prompt.push_str("\n\n");
            }
            prompt.push_str(wanted.trim_end());
        }
        let parts = Parts {
            model,
            system: system.as_deref(),
            prompt: &prompt,
            schema: body::schema(spec, *structured),
        };
        body::make(endpoint.protocol(), &parts, &attempt.settings)
    }

    /// Prepares a request. Set its settings, checks and retries on the result, and then call
    /// [`send`](Ask::send).
    pub fn ask(&self, prompt: impl Into<String>) -> Ask<Asking, SplitDelta> {
        let asking = Asking { chat: self.clone(), failures: 0, pause: Duration::ZERO };
        ask(self.0.spec.clone(), asking).split(pass_on as SplitDelta).prompt(prompt)
    }
}

fn pass_on(delta: Delta, out: &mut Inputs) {
    out.delta(delta);
}

/// Sends the requests of a [`Chat`], one for each attempt. Before it repeats a request that the server
/// failed, it waits: as long as the server asks, or as long as [`Options::backoff`] sets.
#[derive(Debug, Clone)]
pub struct Asking {
    chat: Chat,
    /// The number of failures of the server.
    failures: u32,
    /// The pause before the next attempt.
    pause: Duration,
}

impl Request for Asking {
    type Error = ChatError;
    type Item = Delta;
    type Stream = ResponseStream;
    type Future = Pin<Box<dyn Future<Output = Result<ResponseStream, ChatError>> + Send>>;

    fn attempt(&mut self, attempt: Attempt) -> Self::Future {
        let settings = &*self.chat.0;
        let body = self.chat.body(&attempt).to_string();
        let (client, endpoint) = (settings.client.clone(), settings.endpoint.clone());
        let pause = core::mem::take(&mut self.pause);
        Box::pin(async move {
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
            http::send(client, endpoint, body, HeaderMap::new()).await
        })
    }

    fn reason(&self, error: &ChatError) -> Option<String> {
        Some(error.to_string())
    }

    fn may_recover(&mut self, error: &ChatError) -> bool {
        let pause = error.pause(self.chat.0.backoff, self.failures);
        self.failures = self.failures.saturating_add(1);
        self.pause = pause.unwrap_or_default();
        pause.is_some()
    }
}
