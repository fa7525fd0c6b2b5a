//! Elements and channels: which markers open and close elements, and where the enclosed text goes.

mod acts;
mod builder;
mod code_guard;
mod element_stack;
mod family;
mod held_text;
mod indented_code;
mod inspect;
pub(crate) mod literal;
mod marker_candidate;
mod marker_effect;
mod marker_place;
mod marker_rules;
mod marker_search;
mod pending_closer;
mod pending_follower;
mod pending_marker;
mod pending_mention;
mod place_builder;
mod presets;
mod routed;
mod router;
mod router_end;
mod set_data;
mod swallowed;
mod tag_set;
#[cfg(test)]
mod tests;
mod token_run;
mod words;

pub use crate::lex::marker::MarkerError;
pub(crate) use crate::lex::marker::MarkerParams;
pub(crate) use acts::Act;
pub use builder::TagSetBuilder;
pub use family::{
    Anchor, Attributes, BareCalls, BodyFormat, CallForm, Channel, Family, Guards, InReasoning,
    LetterCase, OnMismatch, OnReopen, OnStray, Visibility,
};
pub(crate) use marker_rules::Around;
pub(crate) use routed::Routed;
pub(crate) use router::{Router, RouterStart};
pub use tag_set::{TagSet, TagSetError};
pub use token_run::TokenRun;
