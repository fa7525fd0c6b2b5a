//! Forwards requests of other clients unchanged.

use core::future::Future;

use reqwest::header::HeaderMap;

use crate::endpoint::Endpoint;
use crate::error::{ChatError, ClientError};
use crate::http::{self, Options, ResponseStream};

/// Forwards requests to an endpoint unchanged, and decodes the answers. For gateways.
#[derive(Debug, Clone)]
pub struct Forward {
    client: reqwest::Client,
    endpoint: Endpoint,
}

impl Forward {
    /// Forwards to this endpoint.
    ///
    /// # Errors
    /// TLS or the HTTP client cannot be set up, for example without system certificates.
    pub fn new(endpoint: Endpoint, options: Options) -> Result<Self, ClientError> {
        Ok(Self { client: http::client(options)?, endpoint })
    }

    /// Sends a body in the endpoint's protocol, and returns the stream of the answer. The headers
    /// `credentials` are sent unchanged. If they are empty, the endpoint's own key is sent.
    ///
    /// Dropping the future or the stream cancels the request.
    ///
    /// # Errors
    /// No server answers, or the answer is an error in place of a stream.
    pub fn open(
        &self,
        body: String,
        credentials: HeaderMap,
    ) -> impl Future<Output = Result<ResponseStream, ChatError>> + Send + use<> {
        http::send(self.client.clone(), self.endpoint.clone(), body, credentials)
    }
}
