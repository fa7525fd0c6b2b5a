//! The laws, over the corpus and over recorded streams.

mod corpus;
mod eager;
mod findings;
mod formats_generated;
mod formats_oracle;
mod hostile;
mod laws;
mod oracle;
mod pairs;
mod recordings;
mod tagged;
mod tags;
mod tags_oracle;
mod xml;
mod yaml;
