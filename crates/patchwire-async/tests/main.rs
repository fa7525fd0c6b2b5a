//! What the wrapped stream promises, tried through its public interface on simulated sources and time.

mod again;
mod bounds;
mod calls;
mod cancelling;
mod coalescing;
mod deltas;
mod ending;
mod errors;
mod fingerprints;
mod fold;
mod kinds;
mod model;
mod parity;
mod readme;
mod refused;
mod retries;
mod sharing;
mod skipping;
mod source;
mod substreams;
mod validators;
