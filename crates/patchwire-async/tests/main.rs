//! What the wrapped stream promises, tried through its public interface on simulated sources and time.

mod bounds;
mod calls;
mod cancelling;
mod coalescing;
mod ending;
mod fold;
mod parity;
mod readme;
mod sharing;
mod source;
mod substreams;
