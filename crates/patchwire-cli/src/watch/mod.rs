//! What `watch` shows: an answer as a form that fills in.
//!
//! ```text
//! text     a model's text on a terminal: signs, columns, lines
//! model    what is shown, folded from events
//! view     the model on a screen
//! keys     what keys do
//! session  one stream: its parser, its model
//! feed     pieces of a stream through a channel, and when each is due
//! run      the loop: pieces in, keys in, a screen out
//! stage    the terminal, and its way back to what it was
//! ```
//!
//! Nothing above `stage` knows a terminal, and nothing above `run` a clock. The loop takes pieces from
//! a channel: whatever sends into one can be watched.

mod feed;
mod keys;
mod model;
mod run;
mod session;
mod stage;
mod text;
mod view;

pub(crate) use feed::{Pace, send};
pub(crate) use run::Ending;
pub(crate) use session::Session;
pub(crate) use stage::{Stage, watch};
