//! The laws, over the corpus and over recorded streams.

mod corpus;
mod eager;
mod laws;
mod pairs;
mod recordings;
