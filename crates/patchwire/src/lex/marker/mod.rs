//! Markers: their grammar, and the automaton that finds all markers of a set at once. Their meaning is
//! the business of `tags`.

mod automaton;
mod bytes;
mod counts;
mod nfa;
mod params;
mod pattern;
mod subsets;

pub(crate) use automaton::{Accept, Automaton, StateIndex, Walk};
pub(crate) use bytes::{ByteSet, Mask};
pub(crate) use params::MarkerParams;
pub use pattern::MarkerError;
pub(crate) use pattern::{MarkerPattern, MarkerStyle, PARAM_CAP, ParamRule};
