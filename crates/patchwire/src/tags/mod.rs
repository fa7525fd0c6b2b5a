//! Elements and channels: which markers there are, and where what they enclose goes.

mod candidate;
mod cover;
mod data;
mod ending;
mod family;
mod follow;
mod guard;
mod looking;
mod place;
mod presets;
mod router;
mod set;
mod stack;
mod turn;

pub(crate) use crate::lex::marker::Params;
pub use family::{
    At, Attributes, Body, Case, Channel, Family, Inside, Mismatch, Same, Stray, Visible,
};
pub(crate) use router::{Around, Routed, Router};
pub use set::{Guards, TagSet, TagSetBuilder, TagSetError};
pub(crate) use stack::Act;
