//! What models of many families write, read by the presets: `corpus/tags/presets.ndjson`.

use std::collections::BTreeMap;
use std::fs;

use patchwire::{Answer, Format, Schema, Spec, TagSet};
use serde::Deserialize;
use serde_json::Value;

use crate::corpus::root;

/// A text of a model, and its meaning under a preset.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresetCase {
    /// The name, unique.
    pub name: String,
    /// The preset.
    pub preset: String,
    /// The family whose opener ended the prompt.
    #[serde(default)]
    pub start_in: Option<String>,
    /// The text of the model.
    pub input: String,
    /// The text of the answer.
    pub text: String,
    /// The reasoning.
    #[serde(default)]
    pub reasoning: String,
    /// The calls: names and arguments.
    #[serde(default)]
    pub calls: Vec<(String, Value)>,
    /// The names of the calls that are not complete; not compared if missing.
    #[serde(default)]
    pub cut: Option<Vec<String>>,
    /// The calls of the alternative reading; not compared if missing.
    #[serde(default)]
    pub alternative: Option<Vec<(String, Value)>>,
    /// The outcome; not compared if missing.
    #[serde(default)]
    pub outcome: Option<String>,
    /// The codes of notices about the arguments of calls; not compared if missing.
    #[serde(default)]
    pub slips: Option<Vec<String>>,
    /// The schemas of tools.
    #[serde(default)]
    pub tools: BTreeMap<String, Value>,
}

impl PresetCase {
    /// The spec that reads the case: text, with the tag set of the preset.
    ///
    /// # Panics
    ///
    /// If there is no such preset or family.
    #[must_use]
    pub fn spec(&self) -> Spec {
        let tags = TagSet::preset(&self.preset).unwrap_or_else(|| panic!("{}", self.preset));
        let mut spec = Spec::builder().format(Format::Text).tags(tags);
        for (tool, schema) in &self.tools {
            let schema = Spec::strict_json().parse(schema.to_string()).expect("JSON");
            let schema = Schema::from_json_schema(schema.value()).expect("a schema");
            spec = spec.tool(tool.clone(), schema);
        }
        if let Some(family) = &self.start_in {
            spec = spec.start_in(family.clone());
        }
        spec.build().unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// What an answer has in other ways than the case says.
    #[must_use]
    pub fn difference(&self, answer: &Answer) -> Option<String> {
        let got = (answer.text().to_owned(), answer.reasoning().to_owned(), calls_of(answer));
        let want = (self.text.clone(), self.reasoning.clone(), self.calls.clone());
        if got != want {
            return Some(format!("{} ({}): {got:?}, not {want:?}", self.name, self.preset));
        }
        let cut = answer.calls().iter().filter(|call| !call.is_complete());
        let cut: Vec<String> = cut.map(|call| call.name().to_owned()).collect();
        let notices = answer.calls().iter().flat_map(|call| call.answer().notices());
        let slips: Vec<String> = notices.map(|notice| notice.code.name().to_owned()).collect();
        let second = answer.alternative().map(calls_of);
        let outcome = answer.outcome().name();
        let differs = self.cut.as_ref().is_some_and(|want| *want != cut)
            || self.slips.as_ref().is_some_and(|want| *want != slips)
            || self.outcome.as_ref().is_some_and(|want| want != outcome)
            || self.alternative.is_some() && self.alternative != second;
        let found = || format!("outcome {outcome}, cut {cut:?}, slips {slips:?}, {second:?}");
        differs.then(|| format!("{} ({}): {}", self.name, self.preset, found()))
    }
}

fn calls_of(answer: &Answer) -> Vec<(String, Value)> {
    let calls = answer.calls().iter().map(|call| {
        let arguments = call.text().map_or_else(
            || serde_json::from_str(&call.arguments().to_string()).unwrap_or(Value::Null),
            Value::from,
        );
        (call.name().to_owned(), arguments)
    });
    calls.collect()
}

/// All cases.
///
/// # Panics
///
/// If the file is missing, or a line is not a case.
#[must_use]
pub fn cases() -> Vec<PresetCase> {
    let file = root().join("tags/presets.ndjson");
    let text = fs::read_to_string(&file).expect("the cases are part of the repository");
    let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    text.lines().filter(|line| !line.is_empty()).map(read).collect()
}
