//! A row of the table of formats: everything outside its machine that is particular to one format.

use core::fmt;

use super::fields::FieldOptions;
use super::json::{JsonFormat, JsonOptions};
use super::{FormatMachine, Machine};
use crate::outline::{Form, Item};

/// One payload format. The parser, the prompt, the finalizer, the command, the page and the tests read
/// formats through this trait and know none by name.
///
/// A row is a constant without state. Most methods have a default, which fits a format whose payload is
/// one value.
pub trait FormatRow: fmt::Debug + Send + Sync {
    /// The name in settings and on the wire.
    fn name(&self) -> &'static str;

    /// Other spellings of the name that settings accept.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// One line for help texts.
    fn about(&self) -> &'static str;

    /// A machine before the first byte.
    fn machine(&self, options: &FormatOptions<'_>) -> NewMachine;

    /// Whether answers have a payload. Without one the text is the answer.
    fn has_payload(&self) -> bool {
        true
    }

    /// The instructions for the model.
    fn prompt(&self, request: &PromptRequest<'_>) -> PromptParts;

    /// What the finalizer does with fields, for a format that writes the members of one object as fields.
    fn fields(&self) -> Option<FieldEnding> {
        None
    }

    /// Finds fields in a text that has no payload of the format, because their envelope is missing.
    fn fields_without_envelope(
        &self,
        _text: &str,
        _options: &FormatOptions<'_>,
    ) -> Option<BarePayload> {
        None
    }

    /// How the finalizer reads an answer in which the machine found no fields, or not all.
    fn untidy_reading(&self) -> UntidyReading {
        UntidyReading::default()
    }

    /// Whether [`Format::Auto`](super::Format::Auto) chooses this format for an object with such members.
    fn is_automatic_for(&self, _members: MemberTypes) -> bool {
        false
    }

    /// What a text lacks in which no payload was found. Completes "only text in 12 bytes"; empty where
    /// there is nothing to say.
    fn missing_marker(&self) -> &'static str {
        ""
    }

    /// An answer in this format as models write it.
    fn sample(&self) -> FormatSample;
}

/// The settings that shape a format's machine.
#[derive(Debug, Clone, Copy)]
pub struct FormatOptions<'a> {
    pub(crate) json: &'a JsonOptions,
    pub(crate) fields: &'a FieldOptions,
}

/// A machine that a row made.
#[derive(Debug)]
pub struct NewMachine(pub(crate) FormatMachine);

impl NewMachine {
    /// Any machine.
    #[must_use]
    pub fn new(machine: impl Machine) -> Self {
        Self(FormatMachine::Other(Box::new(machine)))
    }

    /// The JSON machine, which has a fast path.
    pub(crate) fn json(machine: JsonFormat) -> Self {
        Self(FormatMachine::Json(Box::new(machine)))
    }
}

/// What a prompt asks for.
#[derive(Debug, Clone, Copy)]
pub struct PromptRequest<'a> {
    /// The value that the schema describes; none without a schema.
    pub root: Option<&'a Item>,
    pub(crate) names: &'a FieldOptions,
}

impl PromptRequest<'_> {
    /// The members of the root, for formats that write them as fields.
    #[must_use]
    pub fn members(&self) -> &[Item] {
        match self.root.map(|root| &root.form) {
            Some(Form::Object { members, .. }) => members,
            _ => &[],
        }
    }

    /// Whether a member is no text.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.members().iter().any(|item| !item.form.without_null().is_text())
    }
}

/// A format's part of the instructions for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptParts {
    /// The first line: what the answer consists of.
    pub opening: String,
    /// An answer as the prompt shows it, with all that the schema says; empty if there is nothing to show.
    pub form: String,
    /// An answer with plain placeholders, such as `<string>`.
    pub skeleton: String,
    /// Rules of one or two sentences each.
    pub rules: Vec<&'static str>,
}

/// How the finalizer treats the fields of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FieldEnding {
    /// Whether fields stream as text and get the declared type at the end.
    pub types_text: bool,
    /// Whether only the finalizer can take the fence from a text that is one fenced block.
    pub unwraps_text: bool,
}

/// How the finalizer reads the whole text of an answer again, if fields are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum UntidyReading {
    /// As any other format.
    #[default]
    Other,
    /// Sections under headers of any style.
    Sections,
    /// Tags with the names of fields.
    Tags,
    /// A mapping in YAML with slips.
    Yaml,
}

/// Fields without their envelope.
#[derive(Debug)]
pub struct BarePayload {
    /// Where they begin in the text, in bytes.
    pub start: usize,
    /// A machine that stands in the payload.
    pub machine: NewMachine,
    /// What the machine needs after the text to close the payload.
    pub end: &'static str,
}

/// The types of the members that an object declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberTypes {
    /// Whether a member is a text.
    pub texts: bool,
    /// Whether a member is another value.
    pub values: bool,
}

/// An answer in a format as models write it, with the schema that reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormatSample {
    /// What the model wrote.
    pub text: &'static str,
    /// What is worth looking at in it: a sentence.
    pub about: &'static str,
    /// What it consists of; completes "an answer".
    pub made_of: &'static str,
    /// The schema in the output DSL; none if the answer is read without.
    pub schema: Option<&'static str>,
}

impl FormatSample {
    /// A sample without a schema.
    #[must_use]
    pub const fn new(text: &'static str, about: &'static str, made_of: &'static str) -> Self {
        Self { text, about, made_of, schema: None }
    }

    /// This sample with the schema that reads it.
    #[must_use]
    pub const fn with_schema(self, schema: &'static str) -> Self {
        Self { schema: Some(schema), ..self }
    }
}
