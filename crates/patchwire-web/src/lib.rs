//! Field-level patches of model output over HTTP: a page and a gateway.
//!
//! [`serve()`] serves both. The page shows a stream and the fields that fill in, at any speed and
//! with any cuts. The gateway accepts a chat request with a schema, asks a
//! [model](upstream::Upstream), and sends the fields of the answer as server-sent events, in the
//! engine's wire form.
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
//! | module | contents |
//! |---|---|
//! | [`samples`] | built-in answers, one for each format |
//! | [`upstream`] | the model, as a trait |
//! | `serve`, `connections` | connections: how many, of whom, which are idle, and how they end |
//! | `state`, `routes`, `guard`, `request_parts` | shared state, routes, allowed hosts and origins, bodies and headers |
//! | `page_files` | the files of the page |
//! | `gateway`, `chat_request`, `chat_body`, `client_forms`, `answer_events`, `answer_reader`, `attempts`, `raw_events`, `wire`, `wire_event` | `POST /v1/fields`: the request, its events, the model's text, and the protocols |
//! | `passthrough`, `json_text` | OpenAI's and Anthropic's own endpoints: bytes that are passed on, with fields in the deltas |
//! | `stream_endpoints`, `streams`, `embedded` | the built-in streams, and a model that knows them |
//! | `cut_endpoint` | `POST /v1/cut`: a text of the client, cut anywhere |
//! | `operator_endpoints`, `metrics`, `stream_record` | health, counters and logs |
//! | `work`, `budget` | threads for work that takes long, and how much of the processor's time a request may take |
//! | [`store`], `records`, `durable` | where answers are kept, as a trait; what is kept of them; and answers that any instance goes on with |
//! | `session`, `sse`, `sync` | streams that a client can resume, their responses and their locks |
//!
//! Each stream has one task, which ends it when its client stays away. The client's reading drives
//! the stream: a model whose answer nobody reads is not read either.
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer_events;
mod answer_reader;
mod attempts;
mod budget;
mod chat_body;
mod chat_request;
mod client_forms;
mod connections;
mod cut_endpoint;
mod durable;
mod embedded;
mod gateway;
mod guard;
mod json_members;
mod json_text;
mod metrics;
mod model_stream;
mod operator_endpoints;
mod options;
mod page_files;
mod passthrough;
mod problem;
mod raw_events;
mod records;
mod request_parts;
mod routes;
mod serve;
mod session;
mod sse;
mod state;
pub mod store;
mod stream_endpoints;
mod stream_record;
mod streams;
mod sync;
pub mod upstream;
mod wire;
mod wire_event;
mod work;

// The public interface is:
pub use chat_body::ChatBody;
pub use options::{Limits, Options, OptionsError};
pub use patchwire_samples as samples;
pub use serve::{ServeError, Stopped, router, serve, serve_until, serve_until_or_abort};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
