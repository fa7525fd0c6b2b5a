//! The model that answers if the server has no other: it knows the built-in streams, and speaks OpenAI's chat
//! completions.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use bytes::Bytes;
use futures_util::{FutureExt as _, Stream, StreamExt as _, stream};
use serde_json::{Value as Json, json};

use crate::chat_body::ChatBody;
use crate::json_members;
use crate::problem::Problem;
use crate::streams::{Chunk, Cuts, Streams};
use crate::upstream::{
    Chat, Delta, Deltas, Endpoint, Opening, Passed, Passing, Reply, ReplyBody, Upstream,
    UpstreamError,
};

/// Answers with the stream that the request's `model` names, token by token.
pub(crate) struct Embedded(pub(crate) Streams);

impl Upstream for Embedded {
    fn open(&self, chat: Chat) -> Opening {
        let tokens = self.tokens(&chat.body);
        let deltas = tokens
            .map(|(_, tokens)| -> Deltas { tokens.map(|token| Ok(Delta::Text(token))).boxed() });
        async move { deltas }.boxed()
    }

    fn pass(&self, request: Passed) -> Passing {
        let reply = match &request.endpoint {
            Endpoint::ChatCompletions => self.complete(&request.body),
            Endpoint::Models(name) => self.models(name.as_deref()),
            other => Err(UpstreamError::NotSpoken {
                path: other.to_string(),
                spoken: "the built-in streams speak OpenAI's `/v1/chat/completions`".to_owned(),
            }),
        };
        async move { reply }.boxed()
    }
}

impl Embedded {
    /// The name and the tokens of the stream that a body names.
    fn tokens(
        &self,
        body: &ChatBody,
    ) -> Result<(String, impl Stream<Item = Bytes> + Send + use<>), UpstreamError> {
        let none = |what: String| {
            UpstreamError::NoModel(format!("{what}; give it a model when it is started"))
        };
        let named = "`model` has to be the name of a stream that comes along";
        let model = body.text("model");
        let model = model.ok_or_else(|| none(format!("`model` is missing: {named}")))?;
        let unknown = |problem: Problem| none(format!("{named}, and {problem}"));
        let text = self.0.get(&model).map_err(unknown)?.text.bytes();
        let cuts = Cuts::new(Chunk::Tokens, &text).map_err(none)?;
        Ok((model, stream::iter(cuts.map(move |range| text.slice(range)))))
    }

    /// A chat completion, streamed if the request wants that.
    fn complete(&self, body: &[u8]) -> Result<Reply, UpstreamError> {
        let body: ChatBody = json_members::read(body).map_err(|error| {
            UpstreamError::BadBody(format!("the body is no chat request: {error}"))
        })?;
        let (model, tokens) = self.tokens(&body)?;
        if body.get("stream") == Some("true") {
            return Ok(reply("text/event-stream", chunks(model, tokens)));
        }
        let whole = tokens.collect::<Vec<Bytes>>().map(move |tokens| {
            let content = String::from_utf8_lossy(&tokens.concat()).into_owned();
            let message = json!({"role": "assistant", "content": content});
            let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
            Ok(Bytes::from(completion("chat.completion", &model, &choice).to_string()))
        });
        Ok(reply("application/json", stream::once(whole).boxed()))
    }

    /// The list of the streams, or one of them.
    fn models(&self, name: Option<&str>) -> Result<Reply, UpstreamError> {
        let about = |name: &str| json!({"id": name, "object": "model", "created": 0, "owned_by": "patchwire"});
        let body = match name {
            None => {
                let all: Vec<Json> = self.0.iter().map(|stream| about(stream.about.name)).collect();
                json!({"object": "list", "data": all})
            }
            Some(name) => {
                let unknown = |problem: Problem| UpstreamError::NoModel(problem.to_string());
                self.0.get(name).map_err(unknown)?;
                about(name)
            }
        };
        let body = stream::iter([Ok(Bytes::from(body.to_string()))]).boxed();
        Ok(reply("application/json", body))
    }
}

/// The chunks of a streamed completion.
fn chunks(model: String, tokens: impl Stream<Item = Bytes> + Send + 'static) -> ReplyBody {
    let chunk = move |delta: Json, reason: Json| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        event(&completion("chat.completion.chunk", &model, &choice).to_string())
    };
    let first = chunk(json!({"role": "assistant", "content": ""}), Json::Null);
    let last = chunk(json!({}), json!("stop"));
    // A token of a built-in stream is whole characters.
    let tokens = tokens
        .map(move |token| chunk(json!({"content": String::from_utf8_lossy(&token)}), Json::Null));
    let ends = stream::iter([last, event("[DONE]")]);
    stream::iter([first]).chain(tokens).chain(ends).map(Ok).boxed()
}

fn event(data: &str) -> Bytes {
    Bytes::from(format!("data: {data}\n\n"))
}

fn completion(object: &str, model: &str, choice: &Json) -> Json {
    json!({
        "id": "chatcmpl-patchwire",
        "object": object,
        "created": 0,
        "model": model,
        "choices": [choice],
    })
}

fn reply(kind: &'static str, body: ReplyBody) -> Reply {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(kind))];
    Reply::new(StatusCode::OK, HeaderMap::from_iter(kind), body)
}
