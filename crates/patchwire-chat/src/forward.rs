//! Requests of others, passed on as they are.

use core::future::Future;

use reqwest::header::HeaderMap;

use crate::endpoint::Endpoint;
use crate::error::ChatError;
use crate::http::{self, Options, ResponseStream};

/// Passes requests on to an endpoint as they are, and decodes what is answered. For gateways.
#[derive(Debug, Clone)]
pub struct Forward {
    client: reqwest::Client,
    endpoint: Endpoint,
}

impl Forward {
    /// To this endpoint.
    ///
    /// # Errors
    /// If TLS cannot be set up, for want of certificates say.
    pub fn new(endpoint: Endpoint, options: Options) -> Result<Self, reqwest::Error> {
        Ok(Self { client: http::client(options)?, endpoint })
    }

    /// Sends a body in the endpoint's protocol, and gives the stream of what is answered. The
    /// `credentials` are sent as they are; where there are none, the endpoint's own key is.
    ///
    /// Dropping the future, or the stream, gives the request up.
    ///
    /// # Errors
    /// If nobody answers, or the answer is an error in place of a stream.
    pub fn open(
        &self,
        body: String,
        credentials: HeaderMap,
    ) -> impl Future<Output = Result<ResponseStream, ChatError>> + Send + use<> {
        http::send(self.client.clone(), self.endpoint.clone(), body, credentials)
    }
}
