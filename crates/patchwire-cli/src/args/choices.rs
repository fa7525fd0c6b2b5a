//! What an option can be, where that is one of a few.

use clap::ValueEnum;
use patchwire_async::sources::Protocol;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Format {
    /// JSON
    #[default]
    Json,
    /// <field name="title" type="text">…</field>, all in a root tag
    #[value(alias = "xml-field")]
    XmlField,
    /// Sections under headers: text, or JSON where the schema has no text
    Hybrid,
    /// Sections under headers, all of them text; also called flat_markdown
    #[value(aliases = ["flat_markdown", "flat-markdown"])]
    Markdown,
    /// A YAML mapping, between markers or in a fence
    #[value(alias = "yaml-literal")]
    YamlLiteral,
    /// No format: the answer is text
    Text,
    /// By the shape of the schema: xml_field for an object of strings, hybrid if other values are
    /// among them, else json
    Auto,
}

/// How a schema is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum SchemaForm {
    /// JSON Schema if it has its keywords, else the output DSL
    #[default]
    Auto,
    /// {"type": "object", "properties": {"title": {"type": "string"}}}
    #[value(alias = "json-schema")]
    JsonSchema,
    /// {"title": ["str", "one line", true]}
    #[value(alias = "output-dsl")]
    OutputDsl,
}

/// What the demo shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum DemoFormat {
    /// JSON: its fields
    #[default]
    Json,
    /// Fields between tags, and what only looks like one
    #[value(alias = "xml-field")]
    XmlField,
    /// Sections, some of them JSON, and a header in a fence
    Hybrid,
    /// Sections, all of them text
    #[value(aliases = ["flat_markdown", "flat-markdown"])]
    Markdown,
    /// YAML: block scalars, lists and mappings
    #[value(alias = "yaml-literal")]
    YamlLiteral,
    /// Text, and the reasoning before it
    Text,
    /// Text between tags: a scratch pad, and the output
    Tags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum InputForm {
    /// The bytes of one stream
    #[default]
    Raw,
    /// One stream a line, fed with its own cuts: {"deltas": ["…", …]}
    Recording,
    /// The body of a response of OpenAI's chat completions, as `curl -N` saves it
    OpenaiChat,
    /// The same of OpenAI's responses
    OpenaiResponses,
    /// The same of Anthropic's messages
    Anthropic,
    /// The same of Ollama's chat
    Ollama,
}

impl InputForm {
    /// What the input is the body of a response in, if it is one.
    pub(crate) const fn protocol(self) -> Option<Protocol> {
        match self {
            Self::Raw | Self::Recording => None,
            Self::OpenaiChat => Some(Protocol::OpenAiChat),
            Self::OpenaiResponses => Some(Protocol::OpenAiResponses),
            Self::Anthropic => Some(Protocol::Anthropic),
            Self::Ollama => Some(Protocol::Ollama),
        }
    }
}

/// What makes a group of outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroupBy {
    /// What a recording is of: its "kind"
    Kind,
    /// Who sent it: its "provider", or the protocol of a body
    Provider,
    /// Where it comes from: its "source", or the model that a body names
    Source,
    /// The file it is in
    File,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Strictness {
    /// The format to the letter, and nothing around it
    Strict,
    /// Prose, fences and known slips are forgiven and noted
    #[default]
    Lenient,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Roots {
    /// The one that fits best; of equals the last
    #[default]
    Best,
    /// The first
    First,
    /// The last
    Last,
    /// All of them
    Concatenated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Values {
    /// `done` of strings and scalars
    #[default]
    Leaf,
    /// Also `done` of lists and objects
    Done,
    /// Also `delta`
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum View {
    /// All, joined
    #[default]
    Concat,
    /// The first
    First,
    /// The last
    Last,
    /// The first that has its closer, else the last
    FirstClosedElseLast,
}

/// What events are printed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Wire {
    /// All that happens, one JSON object a line
    #[default]
    Own,
    /// The same as server-sent events, numbered
    Sse,
    /// The value: {"op": "set" | "append-text" | "remove", "path": …}
    Ops,
    /// The value: an array of RFC 6902 operations for each change
    JsonPatch,
    /// AG-UI 1.0, as server-sent events: the value is the state
    AgUi,
    /// The UI message stream of Vercel's AI SDK: the value is the part data-answer
    UiMessage,
}

/// Which documents are told of where the value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Documents {
    /// The answer
    #[default]
    Answer,
    /// All roots and bodies of elements: an object of them by number
    All,
}
