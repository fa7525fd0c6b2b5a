//! Laws, cuts, oracles and generators.

pub mod corpus;
pub mod cuts;
pub mod differential;
pub mod eager;
pub mod fielded;
pub mod fold;
pub mod fuzzing;
pub mod generate;
pub mod hostile;
pub mod laws;
pub mod oracle;
pub mod pairs;
pub mod record;
pub mod setups;
pub mod show;
pub mod strays;
pub mod tagged;
pub mod tree;
