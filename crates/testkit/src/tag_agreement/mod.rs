//! Compares the engine with the tag oracle.

mod observed;

use std::collections::{BTreeMap, BTreeSet};

use patchwire::{Spec, SpecBuilder, TagSet};
use serde_json::{Value, json};

use crate::laws::Found;
use crate::oracle::tags::profile::Body;
use crate::oracle::tags::{Profile, Step, read, table};

pub use observed::{Emitted, feed};

/// The engine's tag sets of the corpus, by file name.
///
/// # Panics
/// If a set is invalid.
#[must_use]
pub fn sets() -> BTreeMap<String, TagSet> {
    let folder = crate::corpus::root().join("tags/profiles");
    let mut sets = BTreeMap::new();
    for (name, _) in table::profiles() {
        let text = std::fs::read_to_string(folder.join(format!("{}.json", name)));
        let set =
            TagSet::from_json(&text.expect("a file")).unwrap_or_else(|e| panic!("{name}: {e}"));
        sets.insert(name, set);
    }
    sets
}

/// A spec for text with the elements of this set.
///
/// # Panics
/// If the set has no such family.
#[must_use]
pub fn spec(tags: &TagSet, start_in: Option<&str>) -> Spec {
    let builder: SpecBuilder = Spec::builder().format(patchwire::Format::Text).tags(tags.clone());
    let builder = start_in.into_iter().fold(builder, SpecBuilder::start_in);
    builder.build().expect("the settings agree")
}

/// The channels whose bodies are documents, so that their text is not emitted as text.
#[must_use]
pub fn documents(profile: &Profile) -> BTreeSet<String> {
    let families = profile.families.iter();
    families.filter(|family| family.body == Body::Json).map(|f| f.channel.clone()).collect()
}

/// Whether every document body is JSON, or begins no JSON. The engine reads other bodies leniently, and the
/// oracle cannot.
fn has_plain_documents(
    profile: &Profile,
    text: &str,
    start_in: Option<&str>,
    documents: &BTreeSet<String>,
) -> bool {
    let steps = read(profile, text, start_in).steps;
    steps.iter().all(|step| match step {
        Step::Text { channel, text } if documents.contains(channel) => {
            let begins = text.trim_start().starts_with(['{', '[', '"']);
            !begins || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
        }
        _ => true,
    })
}

/// The rows without the text of documents.
#[must_use]
pub fn texts(rows: impl IntoIterator<Item = Value>, documents: &BTreeSet<String>) -> Vec<Value> {
    let is_document =
        |row: &Value| row[0] == "text" && row[1].as_str().is_some_and(|c| documents.contains(c));
    rows.into_iter().filter(|row| !is_document(row)).collect()
}

fn all_rows(profile: &Profile, text: &str, start_in: Option<&str>) -> Vec<Value> {
    read(profile, text, start_in).steps.iter().map(Step::row).collect()
}

/// Compares the engine's events with the oracle's, for each of these chunkings. Values of documents are not
/// compared.
///
/// Texts with a document that is not plain JSON are skipped.
///
/// # Errors
/// The number of the first chunking that differs, and the difference.
pub fn against_oracle<'c>(
    profile: &Profile,
    spec: &Spec,
    text: &str,
    start_in: Option<&str>,
    chunkings: impl IntoIterator<Item = Vec<&'c [u8]>>,
) -> Found {
    let documents = documents(profile);
    if !has_plain_documents(profile, text, start_in, &documents) {
        return Ok(());
    }
    let want = texts(all_rows(profile, text, start_in), &documents);
    for (at, chunks) in chunkings.into_iter().enumerate() {
        let got = texts(feed(spec, start_in, chunks).0.rows, &documents);
        if got != want {
            let (want, got) = (json!(want), json!(got));
            return Err(format!(
                "{start_in:?}, chunking {at}: {text:?}\n want {want}\n got  {got}"
            ));
        }
    }
    Ok(())
}
