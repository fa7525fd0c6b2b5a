//! Every protocol, read by code that is not ours, ends in the value that the engine gives.

mod asked;
mod cases;
mod compact;
mod consumers;
mod fingerprints;
mod frames;
mod js;
mod late;
mod layers;
mod linear;
mod streams;
mod values;
