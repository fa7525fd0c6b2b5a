//! The model behind the gateway of `patchwire serve`.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use patchwire_async::DeltasError;
use patchwire_chat::sources::DecodeErrorKind;
use patchwire_chat::{ChatError, Forward, Options, sources};
use patchwire_web::ChatBody;
use patchwire_web::upstream::{About, Chat, Delta, Opening, Upstream, UpstreamError};

/// Forwards requests to a server with OpenAI's chat completions API.
pub(crate) struct GatewayModel {
    forward: Forward,
    patience: Duration,
    about: About,
}

impl GatewayModel {
    pub(crate) const fn new(forward: Forward, options: Options, about: About) -> Self {
        Self { forward, patience: options.idle_timeout, about }
    }

    /// The body, with the default model if the request names none.
    fn body(&self, mut body: ChatBody) -> Result<String, serde_json::Error> {
        if let Some(model) = self.about.model.as_ref().filter(|_| body.get("model").is_none()) {
            body.set("model", model)?;
        }
        serde_json::to_string(&body)
    }
}

impl Upstream for GatewayModel {
    fn open(&self, chat: Chat) -> Opening {
        let credentials =
            chat.credentials.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let body = self.body(chat.body);
        let (forward, patience) = (self.forward.clone(), self.patience);
        Box::pin(async move {
            let body = body.map_err(|error| UpstreamError::Broken(error.to_string()))?;
            let opened = forward.open(body, credentials).await;
            let said = opened.map_err(|error| refused(error, patience))?;
            let deltas = said.flat_map(move |said| stream::iter(delta(said, patience)));
            Ok(deltas.boxed() as patchwire_web::upstream::Deltas)
        })
    }

    fn about(&self) -> About {
        self.about.clone()
    }
}

/// The gateway's form of a delta; `None` for deltas that it has no use for.
fn delta(
    said: Result<sources::Delta, ChatError>,
    patience: Duration,
) -> Option<Result<Delta, UpstreamError>> {
    Some(Ok(match said {
        Ok(sources::Delta::Text(text)) => Delta::Text(text.into()),
        Ok(sources::Delta::Reasoning(text)) => Delta::Reasoning(text.into()),
        Ok(sources::Delta::Call(call)) => Delta::Call {
            key: call.index.into(),
            id: call.id,
            name: call.name,
            arguments: call.arguments.into(),
        },
        Ok(sources::Delta::Fact { name, value }) => Delta::Fact(name.to_owned(), value),
        // A refusal is an answer, not an error of the stream.
        Err(ChatError::Stream(DeltasError::Refused(why))) => {
            Delta::Fact("refusal".to_owned(), why.into())
        }
        Err(error) => return Some(Err(refused(error, patience))),
        Ok(_) => return None,
    }))
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
        ChatError::Unreachable { error, .. } if error.is_timeout() => {
            UpstreamError::Timeout { seconds: patience.as_secs() }
        }
        ChatError::Unreachable { reason, .. } => UpstreamError::Unreachable(reason),
        error => UpstreamError::Broken(error.to_string()),
    }
}
