//! A chat request, split into the parts for the model and for the gateway.

use core::fmt;

use patchwire::{
    Format, Limit, Limits, Schema, Spec, SpecBuilder, Strictness, TagSet, tags::Channel,
};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use crate::budget::{Meter, OverBudget};
use crate::json_members;

/// The body of a chat request: its members in order, each as it was written.
///
/// Members are kept as text, so that the order of a schema's members and the digits of numbers
/// reach the model.
#[derive(Debug, Clone, Default)]
pub struct ChatBody(Vec<(String, Box<RawValue>)>);

impl ChatBody {
    /// A member as it was written.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.get())
    }

    /// A member that is a string.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// Sets a member, in place if it exists.
    ///
    /// # Errors If the value cannot be written as JSON.
    pub fn set(&mut self, name: &str, value: &impl Serialize) -> Result<(), serde_json::Error> {
        let value = to_raw_value(value)?;
        let at = self.0.iter().position(|(own, _)| own == name).unwrap_or(self.0.len());
        self.0.retain(|(own, _)| own != name);
        self.0.insert(at, (name.to_owned(), value));
        Ok(())
    }

    /// Removes a member. Of several with the same name, the last counts.
    fn take(&mut self, name: &str) -> Option<Box<RawValue>> {
        let taken = self.0.extract_if(.., |(own, _)| own == name).last();
        taken.map(|(_, value)| value)
    }
}

impl Serialize for ChatBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for ChatBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = ChatBody;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ChatBody, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(ChatBody(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

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
}

/// Names of tag sets.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "give the name of a tag set, a list of names, or \"none\"")]
enum TagNames {
    One(String),
    Several(Vec<String>),
}

/// A request, split into its parts.
#[derive(Debug)]
pub(crate) struct GatewayRequest {
    /// The body for the model.
    pub(crate) body: ChatBody,
    /// How the answer is read.
    pub(crate) spec: Spec,
    /// Whether the model's text is sent too.
    pub(crate) raw: bool,
    /// How many bytes the options have: checking an answer may take as long as the options are.
    pub(crate) options_bytes: usize,
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
pub(crate) fn read(
    body: &[u8],
    settings: &ReadSettings,
    meter: &Meter<'_>,
) -> Result<GatewayRequest, RequestError> {
    let mut body: ChatBody = json_members::read(body)
        .map_err(|error| format!("the body is no chat request: {error}"))?;
    let own = body.take("patchwire");
    let options = options(own.as_deref())?;
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
    let options_bytes = own.map_or(0, |own| own.get().len());
    Ok(GatewayRequest { body, spec, raw: options.raw, options_bytes })
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
    let options: GatewayOptions = json_members::read(own.as_bytes())
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
    Ok(FieldOptions { spec: spec(&options, answer_bytes, meter)?, bytes: own.len() })
}

/// The spec for a text that no model is asked for. Options about a model are errors.
pub(crate) fn spec_of(
    own: Option<&RawValue>,
    answer_bytes: u64,
    meter: &Meter<'_>,
) -> Result<Spec, RequestError> {
    let options = options(own)?;
    if options.prompt || options.raw {
        return Err("`prompt` and `raw` are about a model, and none is asked here"
            .to_owned()
            .into());
    }
    spec(&options, answer_bytes, meter)
}

fn options(own: Option<&RawValue>) -> Result<GatewayOptions, String> {
    let Some(own) = own else { return Ok(GatewayOptions::default()) };
    json_members::read(own.get().as_bytes())
        .map_err(|error| format!("the member `patchwire` cannot be used: {error}"))
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
    Schema::from_text(&text).map_err(|error| format!("`schema` cannot be used: {error}"))
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
