//! Elements and channels: which markers there are, and where what they enclose goes.

mod candidate;
mod cover;
mod data;
mod ending;
mod family;
mod follow;
mod guard;
pub(crate) mod literal;
mod looking;
mod place;
mod presets;
mod router;
mod run;
mod set;
mod stack;
mod turn;
mod unread;

pub use crate::lex::marker::MarkerError;
pub(crate) use crate::lex::marker::Params;
pub use family::{
    Anchor, Attributes, BodyFormat, Channel, Family, InReasoning, LetterCase, OnMismatch, OnReopen,
    OnStray, Visibility,
};
pub(crate) use router::{Around, Begin, Routed, Router};
pub use run::TokenRun;
pub use set::{Guards, TagSet, TagSetBuilder, TagSetError};
pub(crate) use stack::Act;
