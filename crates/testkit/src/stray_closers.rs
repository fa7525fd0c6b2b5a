//! Closers without an opener, at every kind of place in a text: `corpus/tags/strays.ndjson`.

use std::collections::BTreeMap;
use std::fs;

use patchwire::{Format, Spec, SpecBuilder, TagSet};
use serde::Deserialize;

use crate::corpus::root;

/// All policies.
pub const POLICIES: [&str; 4] = ["drop", "literal", "reclassify", "auto"];

/// A place in a text, and the expected events of a stray closer there.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrayPlace {
    /// Its name, unique.
    pub place: String,
    /// The text.
    pub input: String,
    /// Whether the mode looks for a payload.
    #[serde(default)]
    payload: bool,
    /// The family that the text begins inside of.
    #[serde(default)]
    start_in: Option<String>,
    /// The expected lines, one per event and one for the answer, by policy: a list of policies, or `all`.
    emitted: BTreeMap<String, Vec<String>>,
}

impl StrayPlace {
    /// The spec for a policy.
    ///
    /// # Panics
    /// If the tag set of the places is invalid.
    #[must_use]
    pub fn spec(&self, policy: &str) -> Spec {
        let set = fs::read_to_string(root().join("tags/strays.toml")).expect("a file");
        let tags = TagSet::from_toml(&format!("stray = \"{policy}\"\n{set}")).expect("a tag set");
        let format = if self.payload { Format::Json } else { Format::Text };
        let builder = Spec::builder().format(format).tags(tags);
        let builder = self.start_in.iter().fold(builder, SpecBuilder::start_in);
        // The places are about the stream; the search at the end would read some of them as JSON.
        builder.build().expect("the settings agree").without_repair()
    }

    /// The expected lines for a policy.
    ///
    /// # Panics
    /// If the place has no lines for the policy, or has them twice.
    #[must_use]
    pub fn emitted(&self, policy: &str) -> &[String] {
        let says = |policies: &str| policies == "all" || policies.split(' ').any(|it| it == policy);
        let mut emitted = self.emitted.iter().filter(|(policies, _)| says(policies));
        match (emitted.next(), emitted.next()) {
            (Some((_, lines)), None) => lines,
            _ => panic!("{}: not one list for {policy}", self.place),
        }
    }
}

/// All places of the file.
///
/// # Panics
/// If the file is missing, or a line is not a place.
#[must_use]
pub fn places() -> Vec<StrayPlace> {
    let file = root().join("tags/strays.ndjson");
    let text = fs::read_to_string(file).expect("the places are part of the repository");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}
