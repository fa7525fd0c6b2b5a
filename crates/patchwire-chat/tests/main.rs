//! What is asked and what comes of the answers, against a server on the loopback interface.

mod answers;
mod failures;
mod local_model;
mod passed;
mod requests;
mod server;
mod tls;
