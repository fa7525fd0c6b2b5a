//! The laws, over the corpus and over recorded streams.

mod corpus;
mod eager;
mod eager_tags;
mod finals;
mod findings;
mod formats_eager;
mod formats_generated;
mod formats_hostile;
mod formats_oracle;
mod hostile;
mod incumbents;
mod kinds;
mod laws;
mod oracle;
mod pairs;
mod prompt;
mod recordings;
mod sections;
mod strays;
mod tagged;
mod tags;
mod tags_oracle;
mod wrapped;
mod xml;
mod xml_field;
mod yaml;
