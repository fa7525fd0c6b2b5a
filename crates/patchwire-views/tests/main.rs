//! The views, tried on answers that the engine read.

mod history;
mod kinds;
mod mermaid;
mod ubik;
