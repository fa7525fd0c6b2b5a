//! Compares the engine with the oracles of the field formats.

use std::collections::BTreeSet;

use patchwire::{PatchOp, Schema, Spec, schema};

use crate::event_log::{Recorded, Run, run_whole};
use crate::fold::Folded;
use crate::oracle::Json;
use crate::oracle::fields::{self, Format, Type};
use crate::tree::Tree;

/// The spec for a format and a schema.
///
/// # Panics
/// Never: the settings do not conflict.
#[must_use]
pub fn spec(format: Format, schema: Option<&fields::Schema>) -> Spec {
    let builder = Spec::builder().format(wire(format)).without_tags().without_alignment();
    let builder = match schema {
        Some(schema) => builder.schema(declared(schema)),
        None => builder,
    };
    builder.build().expect("they do not contradict one another")
}

/// The engine's variant of a format.
#[must_use]
pub const fn wire(format: Format) -> patchwire::Format {
    match format {
        Format::XmlField => patchwire::Format::XmlField,
        Format::Hybrid => patchwire::Format::Hybrid,
        Format::Markdown => patchwire::Format::Markdown,
        Format::YamlLiteral => patchwire::Format::YamlLiteral,
    }
}

/// The engine's schema for an object with these members.
#[must_use]
pub fn declared(schema: &fields::Schema) -> Schema {
    let mut object = schema::object();
    for (name, kind) in &schema.0 {
        let node = match kind {
            Type::Str => schema::str(""),
            Type::Int => schema::int(""),
            Type::Float => schema::number(""),
            Type::Bool => schema::bool(""),
            Type::List => schema::list(schema::any("")),
            Type::Dict => schema::map(schema::any("")),
            Type::Any => schema::any(""),
        };
        object = object.field(name, node);
    }
    object.into()
}

/// The members of the streamed object, without corrections of the finalizer.
///
/// # Errors
/// If a patch does not fit the patches before it.
pub fn members(run: &Run) -> Result<Vec<(String, Json)>, String> {
    let stream =
        run.patches().filter(|patch| !matches!(patch.op, PatchOp::Replace | PatchOp::Remove));
    match Folded::of(stream)?.document(0) {
        Some(Tree::Object(members)) => {
            Ok(members.iter().map(|(name, value)| (name.clone(), json(value))).collect())
        }
        Some(other) => Err(format!("the value is no object: {other:?}")),
        None => Ok(Vec::new()),
    }
}

/// Converts a tree to the oracles' value type.
#[must_use]
pub fn json(tree: &Tree) -> Json {
    match tree {
        Tree::Null => Json::Null,
        Tree::Bool(value) => Json::Bool(*value),
        Tree::Number(text) => Json::Number(text.clone()),
        Tree::String(text) => Json::String(text.clone()),
        Tree::List(items) => Json::List(items.iter().map(json).collect()),
        Tree::Object(members) => {
            let member = |(name, value): &(String, Tree)| (name.clone(), json(value));
            Json::Object(members.iter().map(member).collect())
        }
    }
}

/// Notices that only the end of the input emits. The oracles do not predict them.
pub(crate) const FINAL: [&str; 8] = [
    "missing_root",
    "format_fallback",
    "swallowed_fields",
    "unfenced",
    "untidy_fields",
    "untidy_value",
    "later_draft",
    "value_as_text",
];

/// The codes of the notices in the stream.
#[must_use]
pub fn notices(run: &Run) -> BTreeSet<&'static str> {
    let codes = run.events.iter().filter_map(|event| match event {
        Recorded::Notice { code, .. } => Some(code.name()),
        _ => None,
    });
    codes.filter(|code| !FINAL.contains(code)).collect()
}

/// Whether the finalizer found fields that the stream had not. Then it does not tell that they are missing.
#[must_use]
pub fn finds_fields(run: &Run) -> bool {
    run.events.iter().any(|event| match event {
        Recorded::Notice { code, .. } => FINAL.contains(&code.name()),
        _ => false,
    })
}

/// Whether the oracle of `xml_field` predicts a notice. It does not predict those about JSON, for which the
/// engine has more codes.
#[must_use]
pub fn is_counted(code: &str) -> bool {
    let beside = [
        "bad_json",
        "foreign_literal",
        "truncated",
        "truncated_scalar",
        "missing_close",
        "type_mismatch",
        "repaired",
        "duplicate_key",
        // What the search for JSON says of a field that it reads again.
        "continued_root",
        "inner_quote",
        "mismatched_close",
        "missing_colon",
        "missing_comma",
        "missing_value",
        "raw_control",
        "read_again",
        "surplus_close",
        "trailing_after_value",
        "unexpected_bytes",
        "unquoted_key",
        "unquoted_value",
    ];
    !beside.contains(&code)
}

/// Reads a text and compares the engine with the parts of which the oracle is certain. `counted` selects
/// the notices that the oracle predicts.
///
/// # Errors
/// The first difference.
pub fn compare(
    format: Format,
    schema: Option<&fields::Schema>,
    text: &str,
    counted: impl Fn(&str) -> bool,
) -> Result<(), String> {
    let reading = fields::read(format, text, schema);
    let run = run_whole(&spec(format, schema), text.as_bytes());
    let emitted = || format!("\n  {text:?}\n  {reading:?}");
    let members = members(&run).map_err(|why| why + &emitted())?;
    for field in reading.sure() {
        let Some(wanted) = field.value.known() else { continue };
        let found = members.iter().find(|(name, _)| *name == field.name);
        if found.is_none_or(|(_, found)| found.clone().sorted() != wanted.clone().sorted()) {
            let found = found.map(|(_, found)| found);
            return Err(format!("{}: wanted {wanted}, got {found:?}{}", field.name, emitted()));
        }
    }
    if !reading.is_sure() {
        return Ok(());
    }
    if let Some((name, value)) = members.iter().find(|(name, _)| reading.field(name).is_none()) {
        return Err(format!("{name} should not be there, with {value}{}", emitted()));
    }
    // Where the stream found no field, the finalizer reads the text again, and tells what it passed over.
    if reading.sure().is_empty() && finds_fields(&run) {
        return Ok(());
    }
    let is_emitted =
        |code: &&str| counted(code) && !(*code == "missing_field" && finds_fields(&run));
    let found: BTreeSet<&str> = notices(&run).into_iter().filter(is_emitted).collect();
    let wanted: BTreeSet<&str> = reading.notices.iter().copied().filter(is_emitted).collect();
    if found != wanted {
        return Err(format!("noted {found:?}, should have been {wanted:?}{}", emitted()));
    }
    Ok(())
}
