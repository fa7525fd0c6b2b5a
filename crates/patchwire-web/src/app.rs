//! The routes, and what they share.

use core::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, Method, header};
use axum::middleware;
use axum::routing::{get, post};
use tokio_util::sync::CancellationToken;
use tower_http::cors::CorsLayer;

use crate::embedded::Embedded;
use crate::guard::guard;
use crate::options::Options;
use crate::problem::Problem;
use crate::samples::SampleError;
use crate::session::Sessions;
use crate::streams::Streams;
use crate::upstream::Upstream;
use crate::{cut, gateway, page, sse, watch};

/// What all requests share. Cloning copies a pointer.
#[derive(Clone)]
pub(crate) struct Server(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) streams: Streams,
    pub(crate) upstream: Arc<dyn Upstream>,
    pub(crate) sessions: Sessions,
    pub(crate) shutdown: CancellationToken,
}

impl Deref for Server {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Server {
    pub(crate) fn new(options: Options, shutdown: CancellationToken) -> Result<Self, SampleError> {
        let streams = Streams::new()?;
        let upstream = options.upstream.clone();
        let upstream = upstream.unwrap_or_else(|| Arc::new(Embedded(streams.clone())));
        let sessions = Sessions::new(options.limits.clone(), shutdown.clone());
        Ok(Self(Arc::new(Shared { options, streams, upstream, sessions, shutdown })))
    }

    pub(crate) fn router(&self) -> Router {
        let router = page::routes()
            .route("/v1/streams", get(watch::list))
            .route("/v1/streams/{name}/text", get(watch::text))
            .route("/v1/streams/{name}/fields", get(watch::fields))
            .route("/v1/upstream", get(watch::upstream))
            .route("/v1/cut", post(cut::read))
            .route("/v1/fields", post(gateway::ask))
            .route("/v1/fields/{name}", get(gateway::resume).delete(gateway::cancel))
            .method_not_allowed_fallback(async || Problem::MethodNotAllowed)
            .fallback(async || Problem::NotFound);
        let guarded = router.layer(middleware::from_fn_with_state(self.clone(), guard));
        self.shared_with_origins(guarded).with_state(self.clone())
    }

    /// Without an origin that may ask, no answer says anything of origins.
    fn shared_with_origins(&self, router: Router<Self>) -> Router<Self> {
        let origins = &self.options.origins;
        if origins.is_empty() {
            return router;
        }
        let own = HeaderName::from_static("last-event-id");
        let keys = gateway::KEYS.into_iter();
        let asks: Vec<_> = [header::CONTENT_TYPE, own].into_iter().chain(keys).collect();
        let cors = CorsLayer::new()
            .allow_origin(origins.clone())
            .allow_methods([Method::GET, Method::POST, Method::DELETE])
            .allow_headers(asks)
            .expose_headers([sse::STREAM]);
        router.layer(cors)
    }
}
