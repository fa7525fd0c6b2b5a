//! Elements and channels: which markers there are, and where what they enclose goes.

mod candidate;
mod cover;
mod data;
mod ending;
mod family;
mod follow;
mod guard;
mod literal;
mod looking;
mod place;
mod presets;
mod router;
mod run;
mod set;
mod stack;
mod turn;
mod unread;

pub(crate) use crate::lex::marker::Params;
pub use family::{
    At, Attributes, Body, Case, Channel, Family, Inside, Mismatch, Same, Stray, Visible,
};
pub use literal::{Literal, LiteralMarker};
pub(crate) use router::{Around, Begin, Routed, Router};
pub use run::Run;
pub use set::{Guards, TagSet, TagSetBuilder, TagSetError};
pub(crate) use stack::Act;
