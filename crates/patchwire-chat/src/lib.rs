//! Sends a prompt to a model over HTTP, and reads the fields of its answer while the model writes.
//!
//! ```no_run
//! use patchwire::schema::{list, object, str};
//! use patchwire::Spec;
//! use patchwire_chat::{Chat, Endpoint};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let schema = object().field("title", str("one line").required()).field("steps", list(str("")));
//! let spec = Spec::builder().schema(schema).build()?;
//! let chat = Chat::new(Endpoint::ollama("http://localhost:11434")?, "llama3.2", spec)?;
//! let mut response = chat.ask("How do I boil an egg?").max_retries(2).send();
//! while let Some(event) = response.next().await {
//!     if let Some(patch) = event?.as_patch() {
//!         println!("{} {:?}", patch.path, patch.delta);
//!     }
//! }
//! println!("{}", response.answer().await?.value());
//! # Ok(())
//! # }
//! ```
//!
//! A request contains the prompt, instructions for the format and the schema
//! ([`Spec::prompt`](patchwire::Spec::prompt)), for JSON the schema itself ([`Structured`]), and the
//! settings of the caller. The decoders of `patchwire-sources` read the answer into a
//! [`Response`](patchwire_async::Response).
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod body;
mod body_filter;
mod chat;
mod endpoint;
mod error;
mod error_filter;
#[cfg(test)]
mod fingerprints;
mod forward;
mod http;
mod passed;
mod secrets;
mod tls;

/// The protocols of providers, and their decoders.
pub use patchwire_async::sources;

// The public interface is:
pub use body::Structured;
pub use chat::{Asking, Chat};
pub use endpoint::{Endpoint, EndpointError, Key};
pub use error::{ChatError, ClientError};
pub use forward::Forward;
pub use http::{Body, Options, ResponseStream};
pub use passed::{Passed, PassedBody, PassedResponse, Target};

/// The README's example is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
