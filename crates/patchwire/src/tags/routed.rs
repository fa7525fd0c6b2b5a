//! The result of the router at the position of the input.

/// The result of the router at the position of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Routed {
    /// The input has no marker up to this position. Nothing was consumed.
    Clear(usize),
    /// Held bytes are text. They lie in [`Router::released`](super::Router::released) and end at this
    /// stream offset.
    Released { end: u64 },
    /// A marker that began at this offset was consumed. [`Router::act`](super::Router::act) gives its
    /// effects.
    Marker { start: u64 },
}
