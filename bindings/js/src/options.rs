//! The options of a reader, from the JSON that JavaScript sends.

use patchwire::schema::SchemaForm;
use patchwire::spec::{AnswerView, Roots};
use patchwire::tags::Channel;
use patchwire::{Format, Leniency, Limit, Limits, Schema, Spec, SpecBuilder, Strictness, TagSet};
use serde::de::Deserialize;
use serde_json::value::RawValue;

use crate::members::Members;

#[derive(Debug)]
struct Options<'a> {
    format: Option<String>,
    schema: Option<&'a RawValue>,
    schema_form: Option<String>,
    /// A name, names, or a tag set of the caller's.
    tags: Option<&'a RawValue>,
    start_in: Option<String>,
    strictness: Option<String>,
    roots: Option<String>,
    view: Option<String>,
    root_tag: Option<String>,
    document_name: Option<String>,
    ensure: Vec<String>,
    exact: bool,
    valid: bool,
    forbid: Vec<String>,
    limits: Members<'a>,
    /// The schemas of the arguments of tools.
    tools: Members<'a>,
}

/// The names of all options.
const NAMES: [&str; 16] = [
    "format",
    "schema",
    "schemaForm",
    "tags",
    "startIn",
    "strictness",
    "roots",
    "view",
    "rootTag",
    "documentName",
    "ensure",
    "exact",
    "valid",
    "forbid",
    "limits",
    "tools",
];

impl<'a> Options<'a> {
    /// Reads the members one by one. A derived reader of the struct is ten times as much code.
    fn of(members: &Members<'a>) -> Result<Self, OptionError> {
        if let Some((name, _)) = members.iter().find(|(name, _)| !NAMES.contains(name)) {
            let known = NAMES.join(", ");
            let message = format!("unknown field `{name}`; there are {known}");
            return Err(OptionError::new("", message));
        }
        Ok(Self {
            format: read_member(members, "format")?,
            schema: raw(members, "schema"),
            schema_form: read_member(members, "schemaForm")?,
            tags: raw(members, "tags"),
            start_in: read_member(members, "startIn")?,
            strictness: read_member(members, "strictness")?,
            roots: read_member(members, "roots")?,
            view: read_member(members, "view")?,
            root_tag: read_member(members, "rootTag")?,
            document_name: read_member(members, "documentName")?,
            ensure: read_member(members, "ensure")?.unwrap_or_default(),
            exact: read_member(members, "exact")?.unwrap_or_default(),
            valid: read_member(members, "valid")?.unwrap_or_default(),
            forbid: read_member(members, "forbid")?.unwrap_or_default(),
            limits: read_member(members, "limits")?.unwrap_or_default(),
            tools: read_member(members, "tools")?.unwrap_or_default(),
        })
    }
}

fn raw<'a>(members: &Members<'a>, name: &str) -> Option<&'a RawValue> {
    members.get(name).filter(|value| value.get() != "null")
}

#[inline(never)]
fn read_member<'a, T: Deserialize<'a>>(
    members: &Members<'a>,
    name: &'static str,
) -> Result<Option<T>, OptionError> {
    let Some(value) = raw(members, name) else {
        return Ok(None);
    };
    serde_json::from_str(value.get())
        .map(Some)
        .map_err(|error| OptionError::new(name, plain(&error)))
}

/// What is wrong with the options, and where.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OptionError {
    /// The option; empty if it is none.
    pub(crate) option: &'static str,
    pub(crate) message: String,
}

impl OptionError {
    fn new(option: &'static str, message: impl ToString) -> Self {
        Self { option, message: message.to_string() }
    }
}

/// Reads the options. Errors say what to do.
pub(crate) fn read(json: &[u8]) -> Result<Spec, OptionError> {
    // Serde would read a list as the members in order.
    if json.trim_ascii_start().starts_with(b"[") {
        return Err(OptionError::new("", "expected an object, not a list"));
    }
    let json = core::str::from_utf8(json).map_err(|error| OptionError::new("", error))?;
    // As text, as all other JSON is read here: serde compiles a reader for bytes apart.
    let members: Members<'_> =
        serde_json::from_str(json).map_err(|error| OptionError::new("", plain(&error)))?;
    let options = Options::of(&members)?;
    let schema = options.schema.map(|schema| schema_of(schema, &options)).transpose()?;
    let builder = builder(&options, schema)?;
    builder.build().map_err(|error| OptionError::new("", error))
}

fn builder(options: &Options<'_>, schema: Option<Schema>) -> Result<SpecBuilder, OptionError> {
    let mut builder = Spec::builder().valid(options.valid).strict_shape(options.exact);
    let strictness = [("lenient", Strictness::Lenient), ("strict", Strictness::Strict)];
    if let Some(name) = &options.strictness {
        builder = builder.strictness(choice("strictness", name, &strictness)?);
    }
    if let Some(name) = &options.roots {
        builder = builder.roots(choice("roots", name, &ROOTS)?);
    }
    if let Some(name) = &options.view {
        builder = builder.view(choice("view", name, &VIEWS)?);
    }
    let tags = options.tags.map(tag_set).transpose()?;
    let has_answer = matches!(&tags, Some(Some(set)) if has_answer(set));
    // Tags that say what the answer is leave text.
    let unasked = if schema.is_none() && has_answer { Format::Text } else { Format::Json };
    builder = builder.format(options.format.as_deref().map_or(Ok(unasked), format)?);
    builder = match tags {
        Some(Some(set)) => builder.tags(set),
        Some(None) => builder.without_tags(),
        None => builder,
    };
    if let Some(schema) = schema {
        builder = builder.schema(schema);
    }
    named(limits(forbidden(builder, options)?, options)?, options)
}

const ROOTS: [(&str, Roots); 5] = [
    ("best", Roots::Best),
    ("first_fit", Roots::FirstFit),
    ("first", Roots::First),
    ("last", Roots::Last),
    ("concatenated", Roots::Concatenated),
];

const VIEWS: [(&str, AnswerView); 4] = [
    ("concat", AnswerView::Concat),
    ("first", AnswerView::First),
    ("last", AnswerView::Last),
    ("first_closed_else_last", AnswerView::FirstClosedElseLast),
];

fn choice<T: Copy>(option: &'static str, name: &str, all: &[(&str, T)]) -> Result<T, OptionError> {
    let found = all.iter().find(|(known, _)| *known == name);
    found.map(|(_, one)| *one).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|(known, _)| *known).collect();
        OptionError::new(option, format_args!("it is {}, not `{name}`", known.join(", ")))
    })
}

fn format(name: &str) -> Result<Format, OptionError> {
    Format::from_name(name).ok_or_else(|| {
        let known = Format::ALL.map(Format::name).join(", ");
        OptionError::new("format", format_args!("no format is called `{name}`; there are {known}"))
    })
}

/// JSON, or a string that holds JSON or YAML.
fn schema_of(raw: &RawValue, options: &Options<'_>) -> Result<Schema, OptionError> {
    let text = serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned());
    let forms = [("json_schema", SchemaForm::JsonSchema), ("output_dsl", SchemaForm::OutputDsl)];
    let schema = match &options.schema_form {
        Some(form) => Schema::from_text_in(choice("schemaForm", form, &forms)?, &text),
        None => Schema::from_text(&text),
    };
    schema.map_err(|error| OptionError::new("schema", error))
}

/// The tag set; `None` if no tags are wanted.
fn tag_set(tags: &RawValue) -> Result<Option<TagSet>, OptionError> {
    let own = tags.get();
    if own.starts_with('{') {
        return TagSet::from_json(own).map(Some).map_err(|error| OptionError::new("tags", error));
    }
    let one = serde_json::from_str(own).map(|name: String| vec![name]);
    let names = one.or_else(|_| serde_json::from_str::<Vec<String>>(own)).map_err(|_| {
        OptionError::new("tags", "it is the name of a tag set, a list of names, or a tag set")
    })?;
    match &names[..] {
        [name] if name == "none" => Ok(None),
        // A single set is used as it is: merging would lose its set-wide settings.
        [name] => preset(name).map(Some),
        names => merged(names).map(Some),
    }
}

fn merged(names: &[String]) -> Result<TagSet, OptionError> {
    let sets = names
        .iter()
        .try_fold(TagSet::builder(), |builder, name| Ok(builder.include(&preset(name)?)))?;
    sets.build()
        .map_err(|error| OptionError::new("tags", format_args!("the tag sets conflict: {error}")))
}

fn preset(name: &str) -> Result<TagSet, OptionError> {
    TagSet::preset(name).ok_or_else(|| {
        let known = TagSet::PRESETS.join(", ");
        let message =
            format!("no tag set is called `{name}`; there are {known}, and none, by itself");
        OptionError::new("tags", message)
    })
}

fn has_answer(set: &TagSet) -> bool {
    set.families().iter().any(|family| family.channel() == &Channel::Answer)
}

fn forbidden(builder: SpecBuilder, options: &Options<'_>) -> Result<SpecBuilder, OptionError> {
    options.forbid.iter().try_fold(builder, |builder, name| {
        let found = Leniency::ALL.into_iter().find(|slip| slip.name() == name);
        found.map(|slip| builder.forbid(slip)).ok_or_else(|| {
            let known = Leniency::ALL.map(Leniency::name).join(", ");
            OptionError::new(
                "forbid",
                format_args!("no slip is called `{name}`; there are {known}"),
            )
        })
    })
}

fn limits(builder: SpecBuilder, options: &Options<'_>) -> Result<SpecBuilder, OptionError> {
    let limits = options.limits.iter().try_fold(Limits::default(), |limits, (name, value)| {
        let limit: Limit = name
            .parse()
            .map_err(|error| OptionError::new("limits", format_args!("`{name}`: {error}")))?;
        let value = serde_json::from_str(value.get()).map_err(|error| {
            OptionError::new("limits", format_args!("`{name}`: {}", plain(&error)))
        })?;
        Ok(limits.with(limit, value))
    })?;
    Ok(builder.limits(limits))
}

fn named(mut builder: SpecBuilder, options: &Options<'_>) -> Result<SpecBuilder, OptionError> {
    if let Some(family) = &options.start_in {
        builder = builder.start_in(family);
    }
    if let Some(name) = &options.root_tag {
        builder = builder.root_tag(name);
    }
    if let Some(name) = &options.document_name {
        builder = builder.document_name(name);
    }
    for (name, schema) in options.tools.iter() {
        let schema = Schema::from_text(schema.get())
            .map_err(|error| OptionError::new("tools", format_args!("`{name}`: {error}")))?;
        builder = builder.tool(name, schema);
    }
    Ok(options.ensure.iter().fold(builder, SpecBuilder::ensure))
}

/// The words of serde without the place in JSON that the caller never wrote.
fn plain(error: &serde_json::Error) -> String {
    let said = error.to_string();
    said.rsplit_once(" at line ").map_or(&*said, |(said, _)| said).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{OptionError, read};

    fn value(options: &str, text: &str) -> String {
        let spec = read(options.as_bytes()).unwrap();
        spec.parse(text).unwrap().value().to_string()
    }

    #[test]
    fn options_reach_the_engine() {
        assert_eq!(value("{}", "{\"n\": \"1\"}"), r#"{"n":"1"}"#);
        assert_eq!(value(r#"{"schema": {"n": "int"}}"#, "{\"n\": \"1\"}"), r#"{"n":1}"#);
        let closed = r#"{"format": "yaml_literal", "schema": "{\"n\": \"int\"}"}"#;
        assert_eq!(value(closed, "n: 1\n"), r#"{"n":1}"#);
        let tags = r#"{"tags": ["think"]}"#;
        assert_eq!(value(tags, "<think>{\"a\": 1}</think>{\"a\": 2}"), r#"{"a":2}"#);
        assert_eq!(value(r#"{"roots": "first"}"#, "[1] [2]"), "[1]");
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        for (options, option, expected) in [
            ("[]", "", "expected an object"),
            (r#"{"formt": "json"}"#, "", "unknown field `formt`"),
            (r#"{"format": "jsn"}"#, "format", "no format is called `jsn`; there are json"),
            (r#"{"schema": {"type": 7}}"#, "schema", "at `"),
            (r#"{"tags": "thnk"}"#, "tags", "no tag set is called `thnk`"),
            (r#"{"tags": 7}"#, "tags", "the name of a tag set"),
            (r#"{"tags": {"name": 7}}"#, "tags", "not a tag set"),
            (r#"{"strictness": "very"}"#, "strictness", "it is lenient, strict, not `very`"),
            (r#"{"forbid": ["all"]}"#, "forbid", "no slip is called `all`"),
            (r#"{"limits": {"dept": 1}}"#, "limits", "no such limit"),
            (r#"{"limits": {"depth": "1"}}"#, "limits", "`depth`: invalid type: string"),
            (r#"{"ensure": "a"}"#, "ensure", "expected a sequence"),
            (r#"{"ensure": ["a[["]}"#, "", "a[["),
            (r#"{"tools": {"f": 7}}"#, "tools", "`f`"),
        ] {
            let error = read(options.as_bytes()).map(|_| ()).unwrap_err();
            let OptionError { option: found, message } = error;
            assert_eq!(found, option, "{options}: {message}");
            assert!(message.contains(expected), "{options}: {message}");
        }
    }
}
