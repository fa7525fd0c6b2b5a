//! What the events of a body reported about its end so far.

use crate::end::Stop;
use crate::error::ProviderError;

/// What the events of a body reported about its end so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct EndState {
    /// Why the model stopped.
    pub(crate) stop: Option<Stop>,
    /// Whether the provider closed the stream.
    pub(crate) closed: bool,
    /// The error that the provider sent in place of the rest.
    pub(crate) error: Option<ProviderError>,
}
