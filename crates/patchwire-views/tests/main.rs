//! The views, tried on answers that the engine read.

mod fingerprints;
mod history;
mod kinds;
mod mermaid;
mod ubik;
