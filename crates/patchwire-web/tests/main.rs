//! The page and the gateway, in the process and over sockets.

mod cut;
mod docs;
mod fields;
mod guard;
mod limits;
mod page;
mod raw;
mod resume;
mod sockets;
mod streams;
mod support;
