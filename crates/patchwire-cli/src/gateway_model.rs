//! The model behind the gateway of `patchwire serve`.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::{Stream, StreamExt as _};
use patchwire_async::DeltasError;
use patchwire_chat::sources::{DecodeErrorKind, Protocol};
use patchwire_chat::{ChatError, Forward, Options, ResponseStream, Target, sources};
use patchwire_web::ChatBody;
use patchwire_web::upstream::{
    About, Backlog, Chat, Delta, Endpoint, Opening, Passed, Passing, Reply, Upstream, UpstreamError,
};

/// Forwards requests to a model's server.
pub(crate) struct GatewayModel {
    /// The protocols that the server speaks. The first is asked for fields.
    forwards: Vec<Forward>,
    patience: Duration,
    about: About,
}

impl GatewayModel {
    /// A server that speaks the protocol of each endpoint; there is at least one.
    pub(crate) const fn new(forwards: Vec<Forward>, options: Options, about: About) -> Self {
        Self { forwards, patience: options.idle_timeout, about }
    }

    /// The body, with the default model if the request names none.
    fn body(&self, mut body: ChatBody) -> Result<String, serde_json::Error> {
        if let Some(model) = self.about.model.as_ref().filter(|_| body.get("model").is_none()) {
            body.set("model", model)?;
        }
        serde_json::to_string(&body)
    }

    /// Who answers at an endpoint.
    fn forward(&self, endpoint: &Endpoint) -> Result<&Forward, UpstreamError> {
        let protocol = match endpoint {
            Endpoint::ChatCompletions => Some(Protocol::OpenAiChat),
            Endpoint::Messages => Some(Protocol::Anthropic),
            _ => None,
        };
        let speaks = |forward: &&Forward| {
            protocol.is_none_or(|protocol| forward.endpoint().protocol() == protocol)
        };
        self.forwards.iter().find(speaks).ok_or_else(|| {
            let own: Vec<_> =
                self.forwards.iter().map(|own| own.endpoint().protocol().name()).collect();
            let spoken = format!(
                "it is asked in {}; if it speaks that endpoint, too, start the gateway with `--upstream-protocol`",
                own.join(" and ")
            );
            UpstreamError::NotSpoken { path: endpoint.to_string(), spoken }
        })
    }
}

impl Upstream for GatewayModel {
    fn open(&self, chat: Chat) -> Opening {
        let credentials =
            chat.credentials.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let body = self.body(chat.body);
        let (forward, patience) = (self.forwards.first().cloned(), self.patience);
        Box::pin(async move {
            let broken = |what: String| UpstreamError::Broken(what);
            let body = body.map_err(|error| broken(error.to_string()))?;
            let forward = forward.ok_or_else(|| broken("no protocol is spoken".to_owned()))?;
            let opened = forward.open(body, credentials).await;
            let response = opened.map_err(|error| refused(error, patience))?;
            let protocol = forward.endpoint().protocol();
            let answer = ModelAnswer {
                response,
                protocol,
                patience,
                backlog: chat.backlog,
                has_begun: false,
            };
            Ok(answer.boxed() as patchwire_web::upstream::Deltas)
        })
    }

    fn pass(&self, request: Passed) -> Passing {
        let forward = self.forward(&request.endpoint).cloned();
        let patience = self.patience;
        Box::pin(async move {
            let request = patchwire_chat::Passed {
                target: match request.endpoint {
                    Endpoint::Models(name) => Target::Models(name),
                    _ => Target::Endpoint,
                },
                query: request.query,
                wants_key: !request.has_key,
                headers: request.headers,
                body: request.body,
            };
            let passed = forward?.pass(request).await;
            let passed = passed.map_err(|error| refused(error, patience))?;
            let broken = move |error: DeltasError<_>| refused(ChatError::Stream(error), patience);
            let body = passed
                .body
                .map(move |chunk| chunk.map_err(|error| broken(DeltasError::Body(error))));
            Ok(Reply::new(passed.status, passed.headers, body.boxed()))
        })
    }

    fn about(&self) -> About {
        self.about.clone()
    }
}

/// The deltas of one answer, in the gateway's form.
struct ModelAnswer {
    response: ResponseStream,
    protocol: Protocol,
    patience: Duration,
    backlog: Backlog,
    /// Whether there was a delta.
    has_begun: bool,
}

impl ModelAnswer {
    /// Whether the response ended behind a whole event, and had nothing of the protocol before it.
    fn is_without_answer(&self, error: &ChatError) -> bool {
        let is_cut = matches!(error, ChatError::Stream(DeltasError::Cut));
        is_cut && !self.has_begun && self.response.deltas().pending_bytes() == 0
    }
}

impl Stream for ModelAnswer {
    type Item = Result<Delta, UpstreamError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let polled = self.response.poll_next_unpin(cx);
            self.backlog.set(self.response.deltas().pending_bytes());
            let Some(said) = ready!(polled) else { return Poll::Ready(None) };
            if let Err(error) = &said
                && self.is_without_answer(error)
            {
                let what = UpstreamError::no_answer(self.protocol.name());
                return Poll::Ready(Some(Err(UpstreamError::Foreign(what))));
            }
            self.has_begun = true;
            if let Some(delta) = delta(said, self.patience) {
                return Poll::Ready(Some(delta));
            }
        }
    }
}

/// The gateway's form of a delta; `None` for deltas that it has no use for.
fn delta(
    said: Result<sources::Delta, ChatError>,
    patience: Duration,
) -> Option<Result<Delta, UpstreamError>> {
    match said {
        Ok(delta) => Delta::of_source(delta).map(Ok),
        // A refusal is an answer, not an error of the stream.
        Err(ChatError::Stream(DeltasError::Refused(why))) => {
            Some(Ok(Delta::Fact("refusal".to_owned(), why.into())))
        }
        Err(error) => Some(Err(refused(error, patience))),
    }
}

fn refused(error: ChatError, patience: Duration) -> UpstreamError {
    match error {
        ChatError::Status { error, retry_after, .. } => {
            let status = error.status.unwrap_or(502);
            UpstreamError::Refused { status, message: error.message, retry_after }
        }
        ChatError::Stream(error @ DeltasError::Foreign { .. }) => {
            UpstreamError::Foreign(error.to_string())
        }
        ChatError::Stream(DeltasError::Decode(error))
            if matches!(error.kind, DecodeErrorKind::Empty { .. }) =>
        {
            UpstreamError::Empty(error.to_string())
        }
        ChatError::Redirect { location, .. } => {
            let target = location
                .map_or_else(|| "another address".to_owned(), |location| format!("`{location}`"));
            let what = format!("it redirects to {target}, and redirects are not followed");
            UpstreamError::Foreign(what)
        }
        ChatError::Encoded { coding, .. } => UpstreamError::Encoded(coding),
        ChatError::Unreachable { error, .. } if error.is_timeout() => {
            UpstreamError::Timeout { seconds: patience.as_secs() }
        }
        ChatError::Unreachable { ref reason, .. } if error.is_transient() => {
            UpstreamError::Unreachable(reason.clone())
        }
        ChatError::Unreachable { reason, .. } => UpstreamError::Absent(reason),
        error => UpstreamError::Broken(error.to_string()),
    }
}
