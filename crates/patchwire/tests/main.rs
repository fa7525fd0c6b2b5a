//! The promises of the engine, tested through its public interface.

mod answer_elements;
mod book;
mod borrowing;
mod checks;
mod contract;
mod corpus;
mod defaults;
mod fields;
mod fingerprints;
mod held;
mod leniencies;
mod limits;
mod listed;
mod notices;
#[cfg(feature = "schemars")]
mod of;
mod presets;
mod prompts;
mod pull;
mod readings;
mod reasoning;
mod runs;
mod settings;
mod sixth_format;
mod spans;
mod tag_set_rules;
mod tag_sets;
mod tidy;
mod unions;
mod values;
mod xml;
mod yaml;
