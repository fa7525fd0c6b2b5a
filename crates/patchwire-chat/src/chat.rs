//! A model, and what its answers are to be.

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
use crate::error::ChatError;
use crate::http::{self, Options, ResponseStream};

/// A model at an endpoint, and what its answers are to be. Cheap to clone; connections are shared.
#[derive(Debug, Clone)]
pub struct Chat(Arc<Settings>);

#[derive(Debug, Clone)]
struct Settings {
    client: reqwest::Client,
    backoff: Duration,
    endpoint: Endpoint,
    model: String,
    spec: Spec,
    /// Settings of requests that do not have their own.
    defaults: SpecBuilder,
    system: Option<String>,
    structured: Structured,
    instructions: bool,
}

type SplitDelta = fn(Delta, &mut Inputs);

impl Chat {
    /// Answers of this model are read with this spec.
    ///
    /// # Errors
    /// If TLS cannot be set up, for want of certificates say.
    pub fn new(
        endpoint: Endpoint,
        model: impl Into<String>,
        spec: impl Into<Spec>,
    ) -> Result<Self, reqwest::Error> {
        Self::with_options(endpoint, model, spec, Options::default())
    }

    /// A client with other timeouts.
    ///
    /// # Errors
    /// If TLS cannot be set up, for want of certificates say.
    pub fn with_options(
        endpoint: Endpoint,
        model: impl Into<String>,
        spec: impl Into<Spec>,
        options: Options,
    ) -> Result<Self, reqwest::Error> {
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

    /// What the model is told before everything else.
    #[must_use]
    pub fn system(self, system: impl Into<String>) -> Self {
        let system = system.into();
        self.but(|settings| settings.system = Some(system).filter(|text| !text.is_empty()))
    }

    /// Whether the endpoint is asked to keep the model to the schema.
    #[must_use]
    pub fn structured(self, structured: Structured) -> Self {
        self.but(|settings| settings.structured = structured)
    }

    /// Whether the prompt says what the spec wants; if not said, it does.
    #[must_use]
    pub fn instructions(self, instructions: bool) -> Self {
        self.but(|settings| settings.instructions = instructions)
    }

    /// Settings that [`with_settings`](Self::with_settings) adds to those of a request: the client's own, merged
    /// with the application's if there are any.
    #[must_use]
    pub fn defaults(self, defaults: SpecBuilder) -> Self {
        self.but(|settings| settings.defaults = defaults)
    }

    /// A client for a request with settings of its own; the [`defaults`](Self::defaults) complete them.
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
    /// If the merged settings contradict one another.
    pub fn with_settings(&self, request: SpecBuilder) -> Result<Self, SpecError> {
        let spec = request.or(&self.0.defaults).build()?;
        Ok(self.clone().but(|settings| settings.spec = spec))
    }

    fn but(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// What is sent for an attempt.
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

    /// Asks. Settings, checks and retries are said of what this gives; nothing is sent before
    /// [`send`](Ask::send).
    pub fn ask(&self, prompt: impl Into<String>) -> Ask<Asking, SplitDelta> {
        let asking = Asking { chat: self.clone(), failures: 0, pause: Duration::ZERO };
        ask(self.0.spec.clone(), asking).split(pass_on as SplitDelta).prompt(prompt)
    }
}

fn pass_on(delta: Delta, out: &mut Inputs) {
    out.delta(delta);
}

/// Asks a [`Chat`], an attempt at a time. Where the server failed and it may help to ask again, it
/// waits before it does: as long as the server says, or [as the options say](Options::backoff).
#[derive(Debug, Clone)]
pub struct Asking {
    chat: Chat,
    /// How often the server failed.
    failures: u32,
    /// Before the next attempt.
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
