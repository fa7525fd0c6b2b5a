//! The view of `patchwire watch`: an answer as a form that fills in.
//!
//! ```text
//! model            what is shown, folded from events
//! view             the model on a screen
//! keys             what each key does
//! watched_stream   the trait between the loop and a stream
//! timed_channel    chunks of a stream, sent through a channel with the time each is due
//! session          a stream of bytes: its parser and its model
//! live_response    a response that another thread reads: its events and its model
//! run              the loop: messages and keys in, a screen out
//! signals          signals that end the view from outside
//! terminal         takes the terminal, and gives it back as it was
//! ```
//!
//! Only `terminal` knows a terminal, and only `run` and `terminal` know a clock. The loop reads from a
//! channel, so anything that can send into one can be watched.

mod keys;
#[cfg(feature = "chat")]
mod live_response;
mod model;
mod run;
mod session;
mod signals;
mod terminal;
mod timed_channel;
mod view;
mod watched_stream;

#[cfg(feature = "chat")]
pub(crate) use live_response::{LiveMessage, LiveResponse, LiveSender, live_channel};
#[cfg(feature = "chat")]
pub(crate) use model::{NoAnswerCause, StreamEnd};
pub(crate) use run::{ExitRule, ViewExit};
pub(crate) use session::Session;
pub(crate) use terminal::{is_available, watch};
pub(crate) use timed_channel::spawn_reader;
