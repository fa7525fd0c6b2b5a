//! Markers: their grammar, and the automaton that finds all markers of a set at once. Knows nothing
//! of what they mean.

mod automaton;
mod bytes;
mod counts;
mod nfa;
mod params;
mod pattern;
mod subsets;

pub(crate) use automaton::{Accept, At, Automaton, Walk};
pub(crate) use bytes::{ByteSet, Mask};
pub(crate) use params::Params;
pub use pattern::MarkerError;
pub(crate) use pattern::{PARAM_CAP, ParamRule, Pattern, Style};
