//! Closers without an opener, in every place of a text: `corpus/tags/strays.ndjson`.

use std::collections::BTreeMap;
use std::fs;

use patchwire::{Format, Spec, SpecBuilder, TagSet};
use serde::Deserialize;

use crate::corpus::root;

/// Every policy there is.
pub const POLICIES: [&str; 4] = ["drop", "literal", "reclassify", "auto"];

/// A place, and what is told of a stray closer there.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrayPlace {
    /// Its name, unique.
    pub place: String,
    /// The text.
    pub input: String,
    /// Whether a payload is looked for.
    #[serde(default)]
    payload: bool,
    /// What the prompt opened.
    #[serde(default)]
    start_in: Option<String>,
    /// All that is told, a line for each event and one for the answer, by the policies that tell it:
    /// their names, or `all`.
    told: BTreeMap<String, Vec<String>>,
}

impl StrayPlace {
    /// How it is read under a policy.
    ///
    /// # Panics
    /// If the tag set of the places is none.
    #[must_use]
    pub fn spec(&self, policy: &str) -> Spec {
        let set = fs::read_to_string(root().join("tags/strays.toml")).expect("a file");
        let tags = TagSet::from_toml(&format!("stray = \"{policy}\"\n{set}")).expect("a tag set");
        let format = if self.payload { Format::Json } else { Format::Text };
        let builder = Spec::builder().format(format).tags(tags);
        let builder = self.start_in.iter().fold(builder, SpecBuilder::start_in);
        builder.build().expect("the settings agree")
    }

    /// What is told under a policy.
    ///
    /// # Panics
    /// If the place does not say, or says it twice.
    #[must_use]
    pub fn told(&self, policy: &str) -> &[String] {
        let says = |policies: &str| policies == "all" || policies.split(' ').any(|it| it == policy);
        let mut told = self.told.iter().filter(|(policies, _)| says(policies));
        match (told.next(), told.next()) {
            (Some((_, lines)), None) => lines,
            _ => panic!("{}: not one list for {policy}", self.place),
        }
    }
}

/// All places.
///
/// # Panics
/// If the file is not there, or a line is no place.
#[must_use]
pub fn places() -> Vec<StrayPlace> {
    let file = root().join("tags/strays.ndjson");
    let text = fs::read_to_string(file).expect("the places are part of the repository");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}
