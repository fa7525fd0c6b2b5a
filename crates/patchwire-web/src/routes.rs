//! The routes of a server.

use axum::Router;
use axum::http::{HeaderName, Method, header};
use axum::middleware;
use axum::routing::{get, post};
use tower_http::cors::CorsLayer;

use crate::guard::guard;
use crate::problem::Problem;
use crate::state::Server;
use crate::{cut_endpoint, gateway, page_files, sse, stream_endpoints};

pub(crate) fn router(server: &Server) -> Router {
    let router = page_files::routes()
        .route("/v1/streams", get(stream_endpoints::list))
        .route("/v1/streams/{name}/text", get(stream_endpoints::text))
        .route("/v1/streams/{name}/fields", get(stream_endpoints::fields))
        .route("/v1/upstream", get(stream_endpoints::upstream))
        .route("/v1/cut", post(cut_endpoint::read))
        .route("/v1/fields", post(gateway::ask))
        .route("/v1/fields/{name}", get(gateway::resume).delete(gateway::cancel))
        .method_not_allowed_fallback(async || Problem::MethodNotAllowed)
        .fallback(async || Problem::NotFound);
    let guarded = router.layer(middleware::from_fn_with_state(server.clone(), guard));
    with_cors(server, guarded).with_state(server.clone())
}

/// Adds CORS headers for the allowed origins. Without any, no response has such headers.
fn with_cors(server: &Server, router: Router<Server>) -> Router<Server> {
    let origins = &server.options.origins;
    if origins.is_empty() {
        return router;
    }
    let own = HeaderName::from_static("last-event-id");
    let keys = gateway::KEYS.into_iter();
    let allowed: Vec<_> = [header::CONTENT_TYPE, own].into_iter().chain(keys).collect();
    let cors = CorsLayer::new()
        .allow_origin(origins.clone())
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(allowed)
        .expose_headers([sse::STREAM]);
    router.layer(cors)
}
