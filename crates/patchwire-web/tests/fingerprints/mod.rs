//! No change goes unseen: what the gateway makes of requests and of models' answers that a seed writes, as numbers.

mod asked;
#[path = "../../../testkit/shared/bodies.rs"]
mod bodies;
mod edited;
mod kept;
mod models;
#[path = "../../../testkit/shared/fingerprints.rs"]
mod shared;
