//! What is asked and what comes of the answers, against a server on the loopback interface.

mod answers;
mod failures;
mod requests;
mod server;
