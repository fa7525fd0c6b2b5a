//! The model that answers if the server has no other: it knows the built-in streams.

use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};

use crate::problem::Problem;
use crate::streams::{Chunk, Cuts, Streams};
use crate::upstream::{Chat, Delta, Deltas, Opening, Upstream, UpstreamError};

/// Answers with the stream that the request's `model` names, token by token.
pub(crate) struct Embedded(pub(crate) Streams);

impl Upstream for Embedded {
    fn open(&self, chat: Chat) -> Opening {
        let opened = self.deltas(&chat);
        async move { opened }.boxed()
    }
}

impl Embedded {
    fn deltas(&self, chat: &Chat) -> Result<Deltas, UpstreamError> {
        let none = |what: String| {
            UpstreamError::NoModel(format!("{what}; give it a model when it is started"))
        };
        let named = "`model` has to be the name of a stream that comes along";
        let model = chat.body.text("model");
        let model = model.ok_or_else(|| none(format!("`model` is missing: {named}")))?;
        let unknown = |problem: Problem| none(format!("{named}, and {problem}"));
        let text: Bytes = self.0.get(&model).map_err(unknown)?.text.clone();
        let cuts = Cuts::new(Chunk::Tokens, &text).map_err(none)?;
        let tokens = cuts.map(move |range| Ok(Delta::Text(text.slice(range))));
        Ok(stream::iter(tokens).boxed())
    }
}
