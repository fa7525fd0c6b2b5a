//! The page and the gateway, in the process and over sockets.

mod again;
mod cut;
mod docs;
mod fields;
mod findings;
mod fingerprints;
mod fuzzing;
mod fuzzing_passed;
mod guard;
mod limits;
mod operators;
mod page;
mod passthrough;
mod raw;
mod resume;
mod rfc9112;
mod sockets;
mod stopping;
mod store;
mod streams;
mod support;
mod wire;
