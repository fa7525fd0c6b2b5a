//! Field-level patches of model output over HTTP: a live page, and a gateway.
//!
//! [`serve()`] listens and serves both. The page shows a stream and the fields that fill in from it, at any
//! speed and in any cuts. The gateway takes a chat request with a schema, asks a [model](upstream::Upstream),
//! and tells the fields of the answer as server-sent events, in the wire form of the engine.
//!
//! ```no_run
//! use patchwire_web::{Options, serve};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
//! serve(listener, Options::default()).await?;
//! # Ok(())
//! # }
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | [`samples`] | answers of models that come along |
//! | [`upstream`] | where answers come from, as a trait |
//! | `serve` | connections: how many, how they end |
//! | `app`, `guard`, `page` | routes, who may ask, the files of the page |
//! | `gateway`, `chat`, `telling`, `raw` | a request, what is in it, its answer as events, and as it came |
//! | `watch`, `streams`, `embedded` | the streams that come along, and a model that knows them |
//! | `cut` | a text of the client's, cut anywhere |
//! | `session`, `sse` | streams that can be come back to, and what they look like |
//!
//! Nothing is spawned for a stream but the one task that ends it when its client is gone for too long: the
//! client's own reading drives it, and a model that is read by nobody is not asked for more.
#![forbid(unsafe_code)]

mod answer_events;
mod chat_request;
mod cut_endpoint;
mod embedded;
mod gateway;
mod guard;
mod json_members;
mod options;
mod page_files;
mod problem;
mod raw_events;
mod routes;
pub mod samples;
mod serve;
mod session;
mod sse;
mod state;
mod stream_endpoints;
mod streams;
pub mod upstream;

// The public interface is:
pub use chat_request::ChatBody;
pub use options::{Limits, Options, OptionsError};
pub use serve::{ServeError, Stopped, router, serve, serve_until};
