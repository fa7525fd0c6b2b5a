//! The parts of `patchwire rate`: how well outputs follow what was asked for.

mod group;
mod rate_table;
mod share;
mod tally;

pub(crate) use group::Groups;
pub(crate) use rate_table::RateTable;
pub(crate) use tally::Codes;
