//! How well the answers of a model keep to what was asked for.

mod group;
mod share;
mod table;
mod tally;

pub(crate) use group::Groups;
pub(crate) use table::Table;
pub(crate) use tally::Codes;
