//! An event for a client.

/// An event as the client receives it, without its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WireEvent {
    /// Empty for an event without a name.
    pub(crate) name: &'static str,
    /// One line of JSON.
    pub(crate) data: String,
}

impl WireEvent {
    /// Whether no event follows.
    pub(crate) fn is_last(&self) -> bool {
        matches!(self.name, "final" | "error")
    }
}
