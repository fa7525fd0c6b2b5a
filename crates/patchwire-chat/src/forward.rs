//! Forwards requests of other clients unchanged.

use core::future::Future;

use reqwest::header::HeaderMap;

use crate::endpoint::Endpoint;
use crate::error::{ChatError, ClientError};
use crate::http::{self, Options, ResponseStream};
use crate::passed::{Passed, PassedResponse};

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

    /// Forwards to another endpoint of the server. Connections are shared.
    #[must_use]
    pub fn with_endpoint(&self, endpoint: Endpoint) -> Self {
        Self { client: self.client.clone(), endpoint }
    }

    /// The endpoint.
    #[must_use]
    pub const fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Sends a request as it is and returns the response as it is, whatever its status. The endpoint's own key is
    /// sent if the request asks for it.
    ///
    /// Dropping the future or the response cancels the request.
    ///
    /// # Errors
    /// No server answers.
    pub fn pass(
        &self,
        request: Passed,
    ) -> impl Future<Output = Result<PassedResponse, ChatError>> + Send + use<> {
        http::pass(self.client.clone(), self.endpoint.clone(), request)
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
