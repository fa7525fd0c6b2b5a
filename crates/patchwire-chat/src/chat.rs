//! A model, and what its answers are to be.

use core::future::Future;
use core::pin::Pin;
use std::sync::Arc;

use patchwire::Spec;
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
    endpoint: Endpoint,
    model: String,
    spec: Spec,
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

    /// The same, with other times to wait.
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
            endpoint,
            model: model.into(),
            spec: spec.into(),
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
        let asking = Asking(self.clone());
        ask(self.0.spec.clone(), asking).split(pass_on as SplitDelta).prompt(prompt)
    }
}

fn pass_on(delta: Delta, out: &mut Inputs) {
    out.delta(delta);
}

/// Asks a [`Chat`], an attempt at a time.
#[derive(Debug, Clone)]
pub struct Asking(Chat);

impl Request for Asking {
    type Error = ChatError;
    type Item = Delta;
    type Stream = ResponseStream;
    type Future = Pin<Box<dyn Future<Output = Result<ResponseStream, ChatError>> + Send>>;

    fn attempt(&mut self, attempt: Attempt) -> Self::Future {
        let settings = &*self.0.0;
        let body = self.0.body(&attempt);
        let (client, endpoint) = (settings.client.clone(), settings.endpoint.clone());
        Box::pin(http::send(client, endpoint, body.to_string(), HeaderMap::new()))
    }

    fn reason(error: &ChatError) -> Option<String> {
        Some(error.to_string())
    }
}
