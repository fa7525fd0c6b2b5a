//! What `watch` shows: an answer as a form that fills in.
//!
//! ```text
//! text     a model's text on a terminal: signs, columns, lines
//! model    what is shown, folded from events
//! view     the model on a screen
//! keys     what keys do
//! watched  what the loop has to know of a stream
//! feed     what comes, through a channel, and when each of it is due
//! session  a stream of bytes: its parser, its model
//! live     a response that is read aside: its events, its model
//! run      the loop: what comes, keys in, a screen out
//! signals  what ends the view from outside
//! stage    the terminal, and its way back to what it was
//! ```
//!
//! Nothing above `stage` knows a terminal, and nothing above `run` a clock. The loop takes what comes
//! from a channel: whatever sends into one can be watched.

mod feed;
mod keys;
mod live;
mod model;
mod run;
mod session;
mod signals;
mod stage;
mod text;
mod view;
mod watched;

pub(crate) use feed::{Pace, send};
pub(crate) use live::{Ending as Over, Live, Teller, Told, live};
pub(crate) use run::{Ending, Way};
pub(crate) use session::Session;
pub(crate) use stage::{is_there, watch};
pub(crate) use text::shown;
