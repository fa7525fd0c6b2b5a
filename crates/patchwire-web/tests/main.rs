//! The page and the gateway, in the process and over sockets.

mod docs;
mod fields;
mod guard;
mod limits;
mod page;
mod resume;
mod sockets;
mod streams;
mod support;
