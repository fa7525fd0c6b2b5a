//! The promises of the engine, tested through its public interface.

mod book;
mod borrowing;
mod contract;
mod defaults;
mod fields;
mod held;
mod limits;
mod listed;
#[cfg(feature = "schemars")]
mod of;
mod presets;
mod reasoning;
mod runs;
mod sixth_format;
mod spans;
mod tidy;
mod unions;
mod xml;
mod yaml;
