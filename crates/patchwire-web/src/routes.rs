//! The routes of a server.

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, Method, Uri, header};
use axum::middleware::{self, Next};
use axum::response::Response;
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
    let allowed = allowed.chain(passthrough::REQUEST_HEADERS).chain(CLIENT_HEADERS);
    let cors = CorsLayer::new()
        .allow_origin(origins.clone())
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(allowed.collect::<Vec<_>>())
        .expose_headers([sse::STREAM]);
    router.layer(cors).layer(middleware::from_fn(allow_client_headers))
}

/// Headers that the clients of OpenAI and Anthropic send from pages. They are not passed on.
const CLIENT_HEADERS: [HeaderName; 2] =
    [header::USER_AGENT, HeaderName::from_static("anthropic-dangerous-direct-browser-access")];

/// What the names of other such headers begin with. CORS has no patterns, and new versions add names.
const CLIENT_PREFIX: &str = "x-stainless-";

/// Adds those of these headers that a preflight request asks for, if its origin is allowed.
async fn allow_client_headers(request: Request, next: Next) -> Response {
    let asked = request.headers().get_all(header::ACCESS_CONTROL_REQUEST_HEADERS).iter();
    let asked = asked.filter_map(|names| names.to_str().ok()).flat_map(|names| names.split(','));
    let own = asked.filter_map(|name| HeaderName::from_bytes(name.trim().as_bytes()).ok());
    let own: Vec<_> = own.filter(|name| name.as_str().starts_with(CLIENT_PREFIX)).collect();
    let is_preflight = request.method() == Method::OPTIONS;
    let mut response = next.run(request).await;
    if is_preflight && response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN) {
        for name in own {
            response.headers_mut().append(header::ACCESS_CONTROL_ALLOW_HEADERS, name.into());
        }
    }
    response
}
