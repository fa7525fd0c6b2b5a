//! A chat request, split into the parts for the model and for the gateway.

use core::time::Duration;

use patchwire::{
    Format, Limit, Limits, Schema, Spec, SpecBuilder, Strictness, TagSet,
    schema::{SchemaError, SchemaForm},
    tags::Channel,
};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use crate::attempts::MOST_RETRIES;
use crate::budget::{Meter, OverBudget};
use crate::chat_body::ChatBody;
use crate::client_forms::{self, StreamNames};
use crate::json_members;
use crate::wire::{Wire, WireChoice};

/// The options for the gateway: the request's member `patchwire`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "an object such as {\"format\": \"json\"}")]
struct GatewayOptions {
    schema: Option<Box<RawValue>>,
    format: Option<String>,
    tags: Option<TagNames>,
    strictness: Option<String>,
    ensure: Vec<String>,
    #[serde(alias = "strict")]
    exact: bool,
    valid: bool,
    prompt: bool,
    raw: bool,
    wire: Option<String>,
    resend_ms: Option<u64>,
    max_retries: Option<u32>,
}

/// Names of tag sets.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "give the name of a tag set, a list of names, or \"none\"")]
enum TagNames {
    One(String),
    Several(Vec<String>),
}

/// How the events of an answer are sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sending {
    pub(crate) choice: WireChoice,
    /// Whether the model's text is sent too.
    pub(crate) raw: bool,
    /// How long the growth of a string may wait before the string is repeated, in protocols that cannot append to it.
    pub(crate) resend: Duration,
    /// How often the model is asked again if its answer does not pass. `None` if answers are not judged.
    pub(crate) max_retries: Option<u32>,
    /// Whether tool calls without a value pass: no value is asked for.
    pub(crate) calls_are_answers: bool,
}

/// How long growth may wait, unless the request says otherwise.
const RESEND: Duration = Duration::from_millis(250);

/// A request, split into its parts.
#[derive(Debug)]
pub(crate) struct GatewayRequest {
    /// The body for the model.
    pub(crate) body: ChatBody,
    /// How the answer is read.
    pub(crate) spec: Spec,
    /// How events are sent.
    pub(crate) sending: Sending,
    /// How many bytes the options have: checking an answer may take as long as the options are.
    pub(crate) options_bytes: usize,
    /// The options as the client wrote them, for a store.
    pub(crate) options: Option<Box<RawValue>>,
}

/// Why a body cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RequestError {
    /// What is wrong, and what to do.
    #[error("{0}")]
    Bad(String),
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
}

impl From<String> for RequestError {
    fn from(what: String) -> Self {
        Self::Bad(what)
    }
}

/// Where a prompt goes in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PromptPlace {
    /// It is the last message, as OpenAI's form allows.
    Message,
    /// It is the end of `system`, as in Anthropic's form.
    System,
}

/// How requests are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadSettings {
    pub(crate) answer_bytes: u64,
    pub(crate) prompt: PromptPlace,
}

/// Reads a request's body. Errors say what to do.
///
/// `header` holds the options of a client that cannot add members.
pub(crate) fn read(
    body: &[u8],
    header: Option<&str>,
    settings: &ReadSettings,
    meter: &Meter<'_>,
) -> Result<GatewayRequest, RequestError> {
    let mut body: ChatBody = json_members::read(body)
        .map_err(|error| format!("the body is no chat request: {error}"))?;
    let names = client_forms::to_chat(&mut body)?;
    let own = own_options(&mut body, header)?;
    let options = options(own.as_deref(), &names_of_all())?;
    let sending = sending(&options, names)?;
    let spec = spec(&options, settings.answer_bytes, meter)?;
    let broken = |error: serde_json::Error| error.to_string();
    body.set("stream", &true).map_err(broken)?;
    if options.prompt {
        match settings.prompt {
            PromptPlace::Message => add_message(&mut body, spec.prompt().as_str())?,
            PromptPlace::System => add_to_system(&mut body, spec.prompt().as_str())?,
        }
    }
    meter.check()?;
    let options_bytes = bytes_of(own.as_deref());
    Ok(GatewayRequest { body, spec, sending, options_bytes, options: own })
}

/// Reads the options of a stored request, whose body is not needed.
pub(crate) fn stored(
    own: Option<&RawValue>,
    names: StreamNames,
    answer_bytes: u64,
    meter: &Meter<'_>,
) -> Result<GatewayRequest, RequestError> {
    let read = options(own, &names_of_all())?;
    let sending = sending(&read, names)?;
    let spec = spec(&read, answer_bytes, meter)?;
    let (body, options_bytes) = (ChatBody::default(), bytes_of(own));
    Ok(GatewayRequest { body, spec, sending, options_bytes, options: None })
}

fn bytes_of(own: Option<&RawValue>) -> usize {
    own.map_or(0, |own| own.get().len())
}

/// The options of a request, from its member or from the header.
fn own_options(body: &mut ChatBody, header: Option<&str>) -> Result<Option<Box<RawValue>>, String> {
    let own = body.take("patchwire");
    match (own, header) {
        (Some(_), Some(_)) => Err(TWICE.to_owned()),
        (None, Some(header)) => RawValue::from_string(header.to_owned())
            .map(Some)
            .map_err(|error| format!("the header `patchwire` has to be JSON: {error}")),
        (own, None) => Ok(own),
    }
}

/// The error for options in both places.
pub(crate) const TWICE: &str =
    "the options are given twice, as the member `patchwire` and as the header; send one of them";

fn sending(options: &GatewayOptions, names: StreamNames) -> Result<Sending, String> {
    let wire = options.wire.as_deref().map_or(Ok(Wire::Own), Wire::named)?;
    if options.raw && !wire.has_own_events() {
        return Err(format!("`raw` is not part of the protocol {}; leave it out", wire.name()));
    }
    if options.resend_ms.is_some() && !wire.repeats() {
        return Err(format!(
            "`resend_ms` is for ag-ui and json-patch, which repeat growing strings; {} appends to them",
            wire.name()
        ));
    }
    let resend = options.resend_ms.map_or(RESEND, Duration::from_millis);
    let max_retries = options.max_retries;
    if max_retries.is_some_and(|retries| retries > MOST_RETRIES) {
        return Err(format!("`max_retries` is a number from 0 to {MOST_RETRIES}"));
    }
    let StreamNames { thread, run } = names;
    let choice = WireChoice { wire, thread, run };
    let calls_are_answers = options.schema.is_none() && options.ensure.is_empty();
    Ok(Sending { choice, raw: options.raw, resend, max_retries, calls_are_answers })
}

/// How the answer of a request that is passed on unchanged is read.
#[derive(Debug)]
pub(crate) struct FieldOptions {
    pub(crate) spec: Spec,
    /// How many bytes the options have.
    pub(crate) bytes: usize,
}

/// Reads the options of a request that is passed on unchanged. Options that would change it are errors.
pub(crate) fn field_options(
    own: &str,
    answer_bytes: u64,
    meter: &Meter<'_>,
) -> Result<FieldOptions, RequestError> {
    let options: GatewayOptions = read_options(own, &OF_READING)
        .map_err(|error| format!("the options in `patchwire` cannot be used: {error}"))?;
    if options.prompt {
        let prompt = "`prompt` adds a message, and this request is passed on unchanged; say what to write in your own \
                      messages, or use `/v1/fields`";
        return Err(prompt.to_owned().into());
    }
    if options.raw {
        let raw = "`raw` repeats the text, which is in this answer anyway; leave it out";
        return Err(raw.to_owned().into());
    }
    if options.max_retries.is_some() {
        let again = "`max_retries` sends other requests, and this one is passed on unchanged; use `/v1/fields`, or ask again \
                     in your program";
        return Err(again.to_owned().into());
    }
    let wire = sending(&options, StreamNames::default())?.choice.wire;
    if wire != Wire::Own {
        let what =
            "events in the deltas of an answer have the form `own`; `wire` is for `/v1/fields`";
        return Err(what.to_owned().into());
    }
    Ok(FieldOptions { spec: spec(&options, answer_bytes, meter)?, bytes: own.len() })
}

/// The spec for a text that no model is asked for. Options about a model are errors.
pub(crate) fn spec_of(
    own: Option<&RawValue>,
    answer_bytes: u64,
    meter: &Meter<'_>,
) -> Result<Spec, RequestError> {
    let options = options(own, &OF_READING)?;
    let of_models = [
        ("prompt", options.prompt),
        ("raw", options.raw),
        ("wire", options.wire.is_some()),
        ("resend_ms", options.resend_ms.is_some()),
        ("max_retries", options.max_retries.is_some()),
    ];
    if let Some((name, _)) = of_models.into_iter().find(|(_, is_set)| *is_set) {
        return Err(
            format!("`{name}` is about a model, and none is asked here; leave it out").into()
        );
    }
    spec(&options, answer_bytes, meter)
}

fn options(own: Option<&RawValue>, names: &[&str]) -> Result<GatewayOptions, String> {
    let Some(own) = own else { return Ok(GatewayOptions::default()) };
    read_options(own.get(), names)
        .map_err(|error| format!("the member `patchwire` cannot be used: {error}"))
}

/// The options of how an answer is read, which all endpoints take.
const OF_READING: [&str; 7] =
    ["schema", "format", "tags", "strictness", "ensure", "exact", "valid"];

/// The other options, which `/v1/fields` takes.
const OF_ASKING: [&str; 5] = ["prompt", "raw", "wire", "resend_ms", "max_retries"];

fn names_of_all() -> Vec<&'static str> {
    [&OF_READING[..], &OF_ASKING].concat()
}

/// Reads options. The error for an unknown one lists these names, and neither old names nor options of other endpoints.
fn read_options(own: &str, names: &[&str]) -> Result<GatewayOptions, String> {
    let read = json_members::read(own.as_bytes());
    read.map_err(|error: String| match error.rsplit_once(", expected one of ") {
        Some((unknown, _)) if error.starts_with("unknown field") => {
            format!("{unknown}, expected one of `{}`", names.join("`, `"))
        }
        _ => error,
    })
}

/// The time is looked at behind each part that may take long: the JSON, the schema, the whole.
fn spec(
    options: &GatewayOptions,
    answer_bytes: u64,
    meter: &Meter<'_>,
) -> Result<Spec, RequestError> {
    let limits = Limits::default().with(Limit::Total, answer_bytes);
    meter.check()?;
    let builder = builder(options)?.limits(limits);
    meter.check()?;
    let spec = builder.build().map_err(|error| error.to_string())?;
    meter.check()?;
    Ok(spec)
}

fn builder(options: &GatewayOptions) -> Result<SpecBuilder, String> {
    for (name, is_set) in [("exact", options.exact), ("valid", options.valid)] {
        if is_set && options.schema.is_none() {
            return Err(format!("`{name}` checks the value by the schema; add `schema`"));
        }
    }
    let mut builder = Spec::builder().valid(options.valid).strict_shape(options.exact);
    let strict = match options.strictness.as_deref() {
        None | Some("lenient") => Strictness::Lenient,
        Some("strict") => Strictness::Strict,
        Some(other) => return Err(format!("`strictness` is lenient or strict, not `{other}`")),
    };
    builder = builder.strictness(strict);
    if let Some(schema) = &options.schema {
        builder = builder.schema(schema_of(schema.get())?);
    }
    let mut is_text = false;
    if let Some(tags) = &options.tags {
        let set = tags_of(tags)?;
        is_text = options.schema.is_none() && set.as_ref().is_some_and(has_answer);
        builder = match set {
            Some(set) => builder.tags(set),
            None => builder.without_tags(),
        };
    }
    let unasked = if is_text { Format::Text } else { Format::Json };
    builder = builder.format(options.format.as_deref().map_or(Ok(unasked), format_of)?);
    Ok(options.ensure.iter().fold(builder, SpecBuilder::ensure))
}

/// A schema: JSON, or a string that holds JSON or YAML.
fn schema_of(raw: &str) -> Result<Schema, String> {
    let text = serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned());
    Schema::from_text(&text)
        .map_err(|error| format!("`schema` cannot be used: {error}{}", guess(&text, &error)))
}

/// The form in which a schema was read that cannot be used. Empty if the text is at fault and not its form.
fn guess(text: &str, error: &SchemaError) -> &'static str {
    let [json_schema, dsl] = [SchemaForm::JsonSchema, SchemaForm::OutputDsl]
        .map(|form| Schema::from_text_in(form, text).is_err_and(|own| own == *error));
    match (json_schema, dsl) {
        (true, false) => {
            "; it was read as JSON Schema, whose keywords it has: in the output DSL, write a field of such a name as `[type]`"
        }
        (false, true) => {
            "; it was read as the output DSL, because it does not look like JSON Schema: if it is one, check its keywords \
             and its types, such as `\"type\": \"string\"`"
        }
        _ => "",
    }
}

/// The names of the formats.
pub(crate) fn format_names() -> Vec<&'static str> {
    Format::ALL.map(Format::name).to_vec()
}

fn format_of(name: &str) -> Result<Format, String> {
    Format::from_name(name).ok_or_else(|| {
        format!("no format is called `{name}`; there are {}", format_names().join(", "))
    })
}

/// The tag set; `None` if no tags are wanted.
fn tags_of(tags: &TagNames) -> Result<Option<TagSet>, String> {
    let names = match tags {
        TagNames::One(name) => core::slice::from_ref(name),
        TagNames::Several(names) => names,
    };
    if names == ["none"] {
        return Ok(None);
    }
    let mut builder = TagSet::builder();
    for name in names {
        let set = TagSet::preset(name).ok_or_else(|| {
            let known = TagSet::PRESETS.join(", ");
            format!("no tag set is called `{name}`; there are {known}, and none, by itself")
        })?;
        if names.len() == 1 {
            // A single set is used as it is: merging would lose its set-wide settings.
            return Ok(Some(set));
        }
        builder = builder.include(&set);
    }
    builder.build().map(Some).map_err(|error| format!("the tag sets conflict: {error}"))
}

fn has_answer(set: &TagSet) -> bool {
    set.families().iter().any(|family| family.channel() == &Channel::Answer)
}

/// Adds the prompt as the last message.
fn add_message(body: &mut ChatBody, prompt: &str) -> Result<(), String> {
    let message = json!({"role": "system", "content": prompt});
    let wrong = |error: serde_json::Error| {
        format!("`messages` has to be a list, so that the prompt can go to its end: {error}")
    };
    let mut messages: Vec<Box<RawValue>> =
        serde_json::from_str(body.get("messages").unwrap_or("[]")).map_err(wrong)?;
    messages.push(to_raw_value(&message).map_err(wrong)?);
    body.set("messages", &messages).map_err(wrong)
}

/// Adds the prompt to `system`, a text or a list of blocks.
fn add_to_system(body: &mut ChatBody, prompt: &str) -> Result<(), String> {
    let wrong = |error: serde_json::Error| {
        format!(
            "`system` has to be a text or a list, so that the prompt can go to its end: {error}"
        )
    };
    let system = match (body.text("system"), body.get("system")) {
        (Some(system), _) => to_raw_value(&format!("{system}\n\n{prompt}")),
        (None, None | Some("null")) => to_raw_value(prompt),
        (None, Some(blocks)) => {
            let mut blocks: Vec<Box<RawValue>> = serde_json::from_str(blocks).map_err(wrong)?;
            let block = json!({"type": "text", "text": prompt});
            blocks.push(to_raw_value(&block).map_err(wrong)?);
            to_raw_value(&blocks)
        }
    };
    body.set("system", &system.map_err(wrong)?).map_err(wrong)
}

#[cfg(test)]
mod tests;
