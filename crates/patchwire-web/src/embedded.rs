//! A model that knows the streams that come along, for who has no other.

use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};

use crate::problem::Problem;
use crate::streams::{Chunk, Cuts, Streams};
use crate::upstream::{Chat, Delta, Deltas, Opening, Upstream, UpstreamError};

/// Answers with the stream whose name is the request's `model`, token by token.
pub(crate) struct Embedded(pub(crate) Streams);

impl Upstream for Embedded {
    fn open(&self, chat: Chat) -> Opening {
        let opened = self.deltas(&chat);
        async move { opened }.boxed()
    }
}

impl Embedded {
    fn deltas(&self, chat: &Chat) -> Result<Deltas, UpstreamError> {
        let refused = |status, message| UpstreamError::Refused { status, message };
        let model = chat.body.text("model").ok_or_else(|| {
            refused(400, "`model` is missing: the name of a stream that comes along".to_owned())
        })?;
        let unknown = |problem: Problem| refused(404, problem.to_string());
        let text: Bytes = self.0.get(&model).map_err(unknown)?.text.clone();
        let cuts = Cuts::new(Chunk::Tokens, &text).map_err(|message| refused(400, message))?;
        let tokens = cuts.map(move |range| Ok(Delta::Text(text.slice(range))));
        Ok(stream::iter(tokens).boxed())
    }
}
