//! The routes of a server.

use axum::Router;
use axum::http::{HeaderName, Method, Uri, header};
use axum::middleware;
use axum::routing::{get, post};
use tower_http::cors::CorsLayer;

use crate::guard::guard;
use crate::problem::Problem;
use crate::state::Server;
use crate::{
    cut_endpoint, gateway, operator_endpoints, page_files, passthrough, request_parts, sse,
    stream_endpoints,
};

pub(crate) fn router(server: &Server) -> Router {
    let router = page_files::routes()
        .route("/healthz", get(operator_endpoints::health))
        .route("/metrics", get(operator_endpoints::metrics))
        .route("/v1/streams", get(stream_endpoints::list))
        .route("/v1/streams/{name}/text", get(stream_endpoints::text))
        .route("/v1/streams/{name}/fields", get(stream_endpoints::fields))
        .route("/v1/upstream", get(stream_endpoints::upstream))
        .route("/v1/cut", post(cut_endpoint::read))
        .route("/v1/fields", post(gateway::ask))
        .route("/v1/fields/{name}", get(gateway::resume).delete(gateway::cancel))
        .route("/v1/chat/completions", post(passthrough::chat_completions))
        .route("/v1/messages", post(passthrough::messages))
        .route("/v1/models", get(passthrough::models))
        .route("/v1/models/{*name}", get(passthrough::model))
        .method_not_allowed_fallback(async || Problem::MethodNotAllowed)
        .fallback(not_found);
    let guarded = router.layer(middleware::from_fn_with_state(server.clone(), guard));
    with_cors(server, guarded).with_state(server.clone())
}

/// Tells a client of another API which endpoints there are.
async fn not_found(uri: Uri) -> Problem {
    if uri.path().starts_with("/v1/") {
        return Problem::NotSpoken(uri.path().to_owned());
    }
    Problem::NotFound
}

/// Adds CORS headers for the allowed origins. Without any, no response has such headers.
fn with_cors(server: &Server, router: Router<Server>) -> Router<Server> {
    let origins = &server.options.origins;
    if origins.is_empty() {
        return router;
    }
    let own = HeaderName::from_static("last-event-id");
    let keys = request_parts::KEYS.into_iter();
    let options = HeaderName::from_static(request_parts::OPTIONS);
    let allowed = [header::CONTENT_TYPE, own, options].into_iter().chain(keys);
    let allowed: Vec<_> = allowed.chain(passthrough::REQUEST_HEADERS).collect();
    let cors = CorsLayer::new()
        .allow_origin(origins.clone())
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(allowed)
        .expose_headers([sse::STREAM]);
    router.layer(cors)
}
