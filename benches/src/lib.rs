//! What patchwire costs, and what its peers cost on the same bytes.
//!
//! | to | see |
//! |---|---|
//! | make the inputs | [`input`] |
//! | cut them | [`chunks`] |
//! | read them, one way or another | [`contender`] |
//! | time several ways side by side | [`race`] |
//! | give the events of patchwire in each form that callers take | [`surface`] |
//! | know how steady the machine was | [`noise`] |
//! | print what came out | [`markdown`] |
//!
//! Nothing here is random: the same sizes give the same bytes on every machine.
#![forbid(unsafe_code)]

pub mod chunks;
pub mod contender;
pub mod input;
pub mod markdown;
pub mod noise;
pub mod race;
pub mod surface;
