//! Ask a model over HTTP, and read the fields of its answer while it writes them.
//!
//! ```no_run
//! use patchwire::schema::{list, object, str};
//! use patchwire::{OwnedEvent, Spec};
//! use patchwire_chat::{Chat, Endpoint};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let schema = object().field("title", str("one line").required()).field("steps", list(str("")));
//! let spec = Spec::builder().schema(schema).build()?;
//! let chat = Chat::new(Endpoint::ollama("http://localhost:11434")?, "llama3.2", spec)?;
//! let mut response = chat.ask("How do I boil an egg?").max_retries(2).send();
//! while let Some(event) = response.next().await {
//!     if let OwnedEvent::Patch(patch) = event? {
//!         println!("{} {:?}", patch.path, patch.delta);
//!     }
//! }
//! println!("{}", response.answer().await?.value());
//! # Ok(())
//! # }
//! ```
//!
//! What is sent: the prompt, what a model has to know of the format and the schema
//! ([`Spec::prompt`](patchwire::Spec::prompt)), where the answer is JSON the schema itself
//! ([`Structured`]), and whatever else the settings say. What comes back goes through the decoders of
//! `patchwire-sources` into a [`Response`](patchwire_async::Response).
#![forbid(unsafe_code)]

mod body;
mod chat;
mod endpoint;
mod error;
mod forward;
mod http;

/// The protocols, and what is said in them.
pub use patchwire_async::sources;

// The public interface is:
pub use body::Structured;
pub use chat::{Asking, Chat};
pub use endpoint::{Endpoint, EndpointError, Key};
pub use error::ChatError;
pub use forward::Forward;
pub use http::{Body, Options, ResponseStream};
