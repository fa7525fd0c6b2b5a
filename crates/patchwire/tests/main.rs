//! What the engine promises, tried through its public interface.

mod book;
mod borrowing;
mod contract;
mod defaults;
mod fields;
mod held;
mod internals;
mod limits;
mod listed;
#[cfg(feature = "schemars")]
mod of;
mod presets;
mod reasoning;
mod runs;
mod spans;
mod tidy;
mod xml;
mod yaml;
