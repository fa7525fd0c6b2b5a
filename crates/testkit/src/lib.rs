//! The tests of the laws: cases, cuts, oracles, generators and hostile inputs. The README lists the
//! modules and which test shows what.

pub mod all_readings;
pub mod corpus;
pub mod cuts;
pub mod differential;
pub mod eager;
pub mod event_log;
pub mod extent;
pub mod field_agreement;
pub mod fold;
pub mod fuzzing;
pub mod generate;
pub mod hostile;
pub mod laws;
pub mod oracle;
pub mod pairs;
pub mod preset_cases;
pub mod public_suites;
pub mod readers;
pub mod reading_modes;
pub mod show;
pub mod stray_closers;
pub mod suite;
pub mod tag_agreement;
pub mod tree;
