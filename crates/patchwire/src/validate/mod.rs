//! JSON Schema's own verdict about a finished value, by the crate `jsonschema`.
//!
//! The [tree](crate::schema) of a schema carries what a stream needs: types, members, choices. This module keeps
//! the text of the schema as well, and judges finished values by all of it. Nothing is ever fetched.
//!
//! The validator recurses, over the schema when it is compiled and over both when it judges. [`depth`] bounds
//! both before it starts.

mod depth;
mod effort;
mod findings;
mod keywords;
mod survey;
mod text;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jsonschema::{Draft, PatternOptions, ValidationOptions, Validator};
use serde_json::Value as Json;

use crate::document::ValueRef;
use effort::{Applied, Effort};
pub(crate) use findings::{Fault, Finding};

/// The compiled size of one pattern, in bytes.
const PATTERN_BYTES: usize = 1 << 20;

/// The text of a schema, as the validator can use it, and the validator once it is compiled.
#[derive(Debug)]
pub(crate) struct SchemaText {
    json: Json,
    draft: Draft,
    /// How many schemas apply to one value through each other.
    chain: usize,
    /// What each schema applies to values.
    applied: Vec<Applied>,
    /// The patterns of names under `patternProperties`.
    names: Vec<String>,
    compiled: OnceLock<Result<Compiled, String>>,
}

#[derive(Debug)]
struct Compiled {
    validator: Validator,
    names: BTreeMap<String, Validator>,
}

/// A keyword that is not checked, and the JSON Pointer of its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unchecked {
    pub(crate) path: String,
    pub(crate) keyword: String,
}

/// Why a schema is not compiled.
const TOO_DEEP: &str = "it is nested too deeply: at most 256 lists and objects may lie in each other, and at most \
                        512 schemas may apply to one value through `$ref`, `allOf` and the like";

/// Why a schema is not compiled: its long names are repeated by too many keywords that cannot be checked.
const TOO_MANY: &str = "too many of its keywords cannot be checked: leave out patterns with look-around and                         back-references, and references to other texts";

impl SchemaText {
    /// Keeps a schema, without what cannot be checked. Lists what was left out.
    pub(crate) fn read(schema: ValueRef<'_>) -> (Self, Vec<Unchecked>) {
        if depth::of_value(schema) > depth::SCHEMA_MAX {
            return (Self::refused(TOO_DEEP), Vec::new());
        }
        let mut json = text::json(schema);
        let draft = text::draft(&json);
        let found = survey::read(&json, draft);
        if found.chain > depth::STEPS_MAX {
            return (Self::refused(TOO_DEEP), found.unchecked);
        }
        if found.is_beyond {
            return (Self::refused(TOO_MANY), found.unchecked);
        }
        let mut unchecked = found.unchecked;
        for edit in found.edits {
            edit.apply(&mut json);
        }
        let (chain, names) = (found.chain, found.names);
        let applied = found.applied;
        let mut own = Self { json, draft, chain, applied, names, compiled: OnceLock::new() };
        // Addresses inside the text count from one another. If one leads nowhere, only the validator knows.
        if !found.addresses.is_empty() && own.compiled().is_err() {
            own.compiled = OnceLock::new();
            for place in found.addresses {
                place.edit.apply(&mut own.json);
                unchecked.push(place.unchecked);
            }
        }
        (own, unchecked)
    }

    fn refused(reason: &str) -> Self {
        let compiled = OnceLock::from(Err(reason.to_owned()));
        let (json, draft) = (Json::Null, Draft::Draft202012);
        Self { json, draft, chain: 0, applied: Vec::new(), names: Vec::new(), compiled }
    }

    /// Compiles the validator, if that was not done before.
    ///
    /// # Errors
    /// Why the schema cannot judge values.
    pub(crate) fn compile(&self) -> Result<(), &str> {
        self.compiled().map(|_| ())
    }

    fn compiled(&self) -> Result<&Compiled, &str> {
        let compiled = self.compiled.get_or_init(|| {
            let validator = options(self.draft).build(&self.json).map_err(|it| it.to_string())?;
            let mut names = BTreeMap::new();
            for name in &self.names {
                names.extend(pattern(name).map(|it| (name.clone(), it)));
            }
            Ok(Compiled { validator, names })
        });
        compiled.as_ref().map_err(String::as_str)
    }

    /// What is wrong with a value, at most `most` findings. Nothing if the schema does not [compile](Self::compile).
    pub(crate) fn judge(&self, value: ValueRef<'_>, most: usize) -> Vec<Finding> {
        let Ok(compiled) = self.compiled() else { return Vec::new() };
        if depth::of_value(value).saturating_mul(self.chain + 1) > depth::STEPS_MAX {
            return vec![Finding::too_deep()];
        }
        let json = text::json(value);
        let effort = effort::of(&self.applied, &json);
        if effort == Effort::TooMuch {
            return vec![Finding::too_deep()];
        }
        if compiled.validator.is_valid(&json) {
            return Vec::new();
        }
        if effort == Effort::WithoutMessages {
            return vec![Finding::without_messages()];
        }
        findings::of(&compiled.validator, &json, most)
    }

    /// Whether a name matches any of these patterns of the schema. A pattern that cannot be run matches
    /// every name.
    pub(crate) fn matches_name(&self, patterns: &[Box<str>], name: &str) -> bool {
        let Ok(compiled) = self.compiled() else { return true };
        let name = Json::String(name.to_owned());
        let matches = |pattern: &str| match compiled.names.get(pattern) {
            Some(pattern) => pattern.is_valid(&name),
            None => true,
        };
        patterns.iter().any(|pattern| matches(pattern))
    }
}

/// The settings of every validator: formats are checked, patterns run in linear time, nothing is fetched.
fn options(draft: Draft) -> ValidationOptions<'static> {
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_BYTES))
}

/// A validator of texts that match a pattern; none if the pattern cannot be run in linear time.
fn pattern(pattern: &str) -> Option<Validator> {
    options(Draft::Draft202012).build(&serde_json::json!({ "pattern": pattern })).ok()
}

#[cfg(test)]
mod tests;
