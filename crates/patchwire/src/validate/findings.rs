//! The errors of the validator, as places of the value and what should be there.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError, Validator};
use serde_json::Value as Json;

use super::keywords;
use crate::path::{PathBuf, Segment};

/// A place of a value that breaks a rule of its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) path: PathBuf,
    /// The keyword of the rule.
    pub(crate) keyword: String,
    pub(crate) fault: Fault,
}

/// How it breaks the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The value is of another type, or none of the listed ones.
    WrongType { wanted: String },
    /// The member at the path is missing.
    Missing,
    /// The member or item at the path must not be there.
    Undeclared,
    /// What the value should be or do, behind "should".
    Invalid { wanted: String },
    /// The value is nested too deeply to be judged, or its schema applies too often to it.
    TooDeep,
}

impl Finding {
    pub(super) fn too_deep() -> Self {
        Self { path: PathBuf::root(), keyword: String::new(), fault: Fault::TooDeep }
    }

    /// The finding for a value that is not valid, if what is wrong would take too much memory to say.
    pub(super) fn without_messages() -> Self {
        let wanted = "fit one of the alternatives of its schema".to_owned();
        Self { path: PathBuf::root(), keyword: String::new(), fault: Fault::Invalid { wanted } }
    }
}

/// What is wrong with a value, at most `most` findings.
pub(super) fn of(validator: &Validator, value: &Json, most: usize) -> Vec<Finding> {
    let mut found = Vec::new();
    for error in validator.iter_errors(value) {
        add(&error, value, &mut found);
        if found.len() >= most {
            break;
        }
    }
    found.truncate(most);
    found
}

/// Adds the findings of an error. If no alternative fits, those of the nearest alternative.
fn add(error: &ValidationError<'_>, root: &Json, found: &mut Vec<Finding>) {
    let mut open: Vec<&ValidationError<'_>> = vec![error];
    while let Some(error) = open.pop() {
        let (Kind::AnyOf { context: alternatives } | Kind::OneOfNotValid { context: alternatives }) =
            error.kind()
        else {
            found.extend(one(error, root));
            continue;
        };
        let here = error.instance_path().as_str();
        match nearest(alternatives, here) {
            Some(errors) => open.extend(errors.iter().rev()),
            None => found.push(Finding {
                path: path(here, root),
                keyword: error.kind().keyword().to_owned(),
                fault: Fault::WrongType { wanted: types(alternatives) },
            }),
        }
    }
}

/// The errors of the alternative that the value was most likely meant to be: it is of the right type, has the
/// constants that tell alternatives apart, and the fewest errors. None if no alternative is of its type.
fn nearest<'e>(
    alternatives: &'e [Vec<ValidationError<'static>>],
    here: &str,
) -> Option<&'e [ValidationError<'static>]> {
    let is_here = |error: &&ValidationError<'_>| error.instance_path().as_str() == here;
    let is_of_type = |errors: &&Vec<ValidationError<'_>>| {
        !errors.iter().filter(is_here).any(|error| is_of_another_type(error.kind()))
    };
    let rank = |errors: &&Vec<ValidationError<'_>>| {
        let distinct = errors.iter().filter(|it| is_listing(it.kind())).count();
        (distinct, errors.len())
    };
    alternatives.iter().filter(is_of_type).min_by_key(rank).map(Vec::as_slice)
}

const fn is_of_another_type(kind: &Kind) -> bool {
    matches!(kind, Kind::Type { .. } | Kind::FalseSchema) || is_listing(kind)
}

const fn is_listing(kind: &Kind) -> bool {
    matches!(kind, Kind::Constant { .. } | Kind::Enum { .. })
}

/// The types that alternatives want, joined.
fn types(alternatives: &[Vec<ValidationError<'static>>]) -> String {
    let mut names: Vec<String> = Vec::new();
    for error in alternatives.iter().flatten() {
        let name = match error.kind() {
            Kind::Type { kind } => type_names(kind),
            Kind::Constant { expected_value } => shown(expected_value),
            Kind::Enum { options } => one_of(options),
            _ => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() { "one of the alternatives".to_owned() } else { names.join(" or ") }
}

/// The findings of an error that is no choice between alternatives.
fn one(error: &ValidationError<'_>, root: &Json) -> Vec<Finding> {
    let here = path(error.instance_path().as_str(), root);
    let keyword = error.kind().keyword().to_owned();
    let finding = |path: PathBuf, fault: Fault| Finding { path, keyword: keyword.clone(), fault };
    let below = |names: &[String]| {
        let each = names.iter().map(|name| here.child(Segment::Key(name)));
        each.map(|path| finding(path, Fault::Undeclared)).collect()
    };
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![finding(here.child(Segment::Key(name)), Fault::Missing)]
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            below(unexpected)
        }
        Kind::FalseSchema => refused(error, here, root),
        Kind::Type { kind } => {
            vec![finding(here, Fault::WrongType { wanted: type_names(kind) })]
        }
        Kind::Constant { expected_value } => {
            vec![finding(here, Fault::WrongType { wanted: shown(expected_value) })]
        }
        Kind::Enum { options } => {
            vec![finding(here, Fault::WrongType { wanted: one_of(options) })]
        }
        kind => vec![finding(here, Fault::Invalid { wanted: wanted(kind) })],
    }
}

/// The findings of the schema `false`. Under keywords for the members of an object, the error names only the
/// object.
fn refused(error: &ValidationError<'_>, here: PathBuf, root: &Json) -> Vec<Finding> {
    let steps = || error.schema_path().as_str().rsplit('/');
    let keyword =
        steps().find(|step| keywords::holds(step).is_some()).unwrap_or("false").to_owned();
    let last = steps().next().unwrap_or_default();
    let finding = |path| Finding { path, keyword: keyword.clone(), fault: Fault::Undeclared };
    let object = root.pointer(error.instance_path().as_str()).and_then(Json::as_object);
    match (last, object) {
        ("additionalProperties" | "propertyNames", Some(object)) => {
            object.keys().map(|key| finding(here.child(Segment::Key(key)))).collect()
        }
        _ => vec![finding(here)],
    }
}

/// What a value should be or do.
fn wanted(kind: &Kind) -> String {
    match kind {
        Kind::Minimum { limit } => format!("be at least {limit}"),
        Kind::Maximum { limit } => format!("be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("be above {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("be below {limit}"),
        Kind::MultipleOf { multiple_of } => format!("be a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("have at least {}", counted(*limit, "character")),
        Kind::MaxLength { limit } => format!("have at most {}", counted(*limit, "character")),
        Kind::MinItems { limit } => format!("have at least {}", counted(*limit, "item")),
        Kind::MaxItems { limit } => format!("have at most {}", counted(*limit, "item")),
        Kind::MinProperties { limit } => format!("have at least {}", counted(*limit, "member")),
        Kind::MaxProperties { limit } => format!("have at most {}", counted(*limit, "member")),
        Kind::AdditionalItems { limit } => {
            format!("have at most {}", counted(*limit as u64, "item"))
        }
        Kind::UniqueItems => "have no item twice".to_owned(),
        Kind::Contains => "contain as many items as the schema says under `contains`".to_owned(),
        Kind::UnevaluatedItems { .. } => "have no items that the schema does not allow".to_owned(),
        Kind::Pattern { pattern } => format!("match {pattern}"),
        Kind::Format { format } => format!("be a valid {format}"),
        Kind::Not { .. } => "not be what the schema forbids under `not`".to_owned(),
        Kind::OneOfMultipleValid { .. } => "fit only one of the alternatives".to_owned(),
        Kind::PropertyNames { .. } => "have only member names that the schema allows".to_owned(),
        Kind::ContentEncoding { content_encoding } => format!("be encoded in {content_encoding}"),
        Kind::ContentMediaType { content_media_type } => format!("be {content_media_type}"),
        other => format!("fit the schema under `{}`", other.keyword()),
    }
}

fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("{count} {noun}") } else { format!("{count} {noun}s") }
}

fn type_names(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => type_name(*one).to_owned(),
        TypeKind::Multiple(types) => {
            let names: Vec<&str> = types.iter().map(type_name).collect();
            names.join(" or ")
        }
    }
}

const fn type_name(one: JsonType) -> &'static str {
    match one {
        JsonType::Null => "null",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Object => "an object",
        JsonType::Array => "a list",
    }
}

/// The largest number of values that a message lists.
const MOST_NAMED: usize = 12;
/// The longest value that a message shows, in characters.
const LONGEST: usize = 200;

fn one_of(options: &Json) -> String {
    let Some(options) = options.as_array() else { return shown(options) };
    let named: Vec<String> = options.iter().take(MOST_NAMED).map(shown).collect();
    let more = if options.len() > MOST_NAMED { ", …" } else { "" };
    let one_of = if named.len() == 1 { "" } else { "one of " };
    format!("{one_of}{}{more}", named.join(", "))
}

fn shown(value: &Json) -> String {
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The place that a JSON Pointer names in a value.
fn path(pointer: &str, root: &Json) -> PathBuf {
    let mut path = PathBuf::root();
    let mut value = Some(root);
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let index = step.parse::<u32>().ok().filter(|_| value.is_some_and(Json::is_array));
        path = path.child(match index {
            Some(index) => Segment::Index(index),
            None => Segment::Key(&step),
        });
        value = value.and_then(|value| match index {
            Some(index) => value.get(index as usize),
            None => value.get(&step),
        });
    }
    path
}
