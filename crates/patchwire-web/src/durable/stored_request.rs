//! A request as it is stored: what its events depend on, and what is sent to the model. Never a key.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::attempts::Asker;
use crate::budget::Meter;
use crate::chat_body::ChatBody;
use crate::chat_request::{self, GatewayRequest, RequestError};
use crate::client_forms::StreamNames;
use crate::records::{self, Record, RecordError};

/// A stored request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredRequest {
    /// The version of patchwire: another one may make other events of the same answer.
    version: String,
    /// The body for the model.
    pub(crate) body: ChatBody,
    /// The options for the gateway, as the client wrote them.
    options: Option<Box<RawValue>>,
    thread: Option<String>,
    run: Option<String>,
    /// The longest answer, which is a limit of the engine.
    answer_bytes: u64,
    /// Whether the client sent a key of its own. Only clients that send one again can have the model asked again.
    pub(crate) has_key: bool,
}

/// The version of this build.
const VERSION: &str = env!("CARGO_PKG_VERSION");

impl StoredRequest {
    pub(crate) fn of(asked: &GatewayRequest, asker: &Asker, answer_bytes: u64) -> Self {
        Self {
            version: VERSION.to_owned(),
            body: asker.body.clone(),
            options: asked.options.clone(),
            thread: asked.sending.choice.thread.clone(),
            run: asked.sending.choice.run.clone(),
            answer_bytes,
            has_key: !asker.credentials.is_empty(),
        }
    }

    /// The first entry of the answer.
    pub(crate) fn entry(&self) -> Result<Bytes, serde_json::Error> {
        Ok(records::entry(&Record::Request(serde_json::to_vec(self)?.into())))
    }

    /// Reads the first entry of an answer.
    pub(crate) fn read(entry: Bytes) -> Result<Self, RecordError> {
        match &records::read(entry)?[..] {
            [Record::Request(json)] => serde_json::from_slice(json).map_err(|_| RecordError::Json),
            _ => Err(RecordError::NoRequest),
        }
    }

    /// The version of patchwire that began the answer, if it is another one.
    pub(crate) fn other_version(&self) -> Option<&str> {
        (self.version != VERSION).then_some(&self.version)
    }

    /// The request as it was asked. Its body is not needed for reading, and left out.
    pub(crate) fn asked(&self, meter: &Meter<'_>) -> Result<GatewayRequest, RequestError> {
        let names = StreamNames { thread: self.thread.clone(), run: self.run.clone() };
        chat_request::stored(self.options.as_deref(), names, self.answer_bytes, meter)
    }
}
