//! Options with a fixed set of values.

use clap::ValueEnum;
use patchwire_async::sources::Protocol;

/// When the output has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Colour {
    // On a terminal, unless `NO_COLOR` is set. A doc comment would stretch the help of every command.
    #[default]
    Auto,
    Always,
    Never,
}

/// The language of a schema.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum InputForm {
    /// The bytes of one stream
    #[default]
    Raw,
    /// One stream a line, fed with its own cuts: {"deltas": ["…", …]}
    Recording,
    /// A response body of OpenAI's chat completions, as `curl -N` saves it
    OpenaiChat,
    /// A response body of OpenAI's responses
    OpenaiResponses,
    /// A response body of Anthropic's messages
    Anthropic,
    /// A response body of Ollama's chat
    Ollama,
    /// A response body of Gemini's own protocol, as server-sent events or as a JSON list
    Gemini,
    /// A response body of Cohere's chat, version 2
    Cohere,
    /// A response body of Bedrock's Converse, in binary framing or as JSON
    Bedrock,
    /// A response body of any of these, recognised by its first bytes; else the bytes of one stream
    Auto,
}

impl InputForm {
    /// The protocol, if the input is a response body.
    pub(crate) const fn protocol(self) -> Option<Protocol> {
        match self {
            Self::Raw | Self::Recording | Self::Auto => None,
            Self::OpenaiChat => Some(Protocol::OpenAiChat),
            Self::OpenaiResponses => Some(Protocol::OpenAiResponses),
            Self::Anthropic => Some(Protocol::Anthropic),
            Self::Ollama => Some(Protocol::Ollama),
            Self::Gemini => Some(Protocol::Gemini),
            Self::Cohere => Some(Protocol::Cohere),
            Self::Bedrock => Some(Protocol::Bedrock),
        }
    }
}

/// How outputs are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroupBy {
    /// The kind: "kind" of a recording
    Kind,
    /// The provider: "provider" of a recording, or the protocol of a body
    Provider,
    /// The source: "source" of a recording, or the model that a body names
    Source,
    /// The file
    File,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Strictness {
    /// Only the exact format, with nothing around it
    Strict,
    /// Prose, code fences and known errors are accepted, with a notice for each
    #[default]
    Lenient,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Roots {
    /// The one that fits best; of equals, the last
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
    /// All, concatenated
    #[default]
    Concat,
    /// The first
    First,
    /// The last
    Last,
    /// The first that was closed, else the last
    FirstClosedElseLast,
}

/// The protocol of the printed events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Wire {
    /// Every event, one JSON object per line
    #[default]
    Own,
    /// Every event, as numbered server-sent events
    Sse,
    /// Every event in few bytes: a path is written once, and is a number from then on
    Compact,
    /// The value: {"op": "set" | "append-text" | "remove", "path": …}
    Ops,
    /// The value: an array of RFC 6902 operations for each change
    JsonPatch,
    /// AG-UI 1.0, as server-sent events: the value is the state
    AgUi,
    /// The UI message stream of Vercel's AI SDK: the value is the part data-answer
    UiMessage,
}

/// A protocol of the model behind the gateway.
#[cfg(feature = "serve")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UpstreamProtocol {
    /// OpenAI's chat completions
    #[value(name = "openai-chat")]
    OpenAiChat,
    /// Anthropic's messages
    Anthropic,
}

#[cfg(feature = "serve")]
impl From<UpstreamProtocol> for Protocol {
    fn from(protocol: UpstreamProtocol) -> Self {
        match protocol {
            UpstreamProtocol::OpenAiChat => Self::OpenAiChat,
            UpstreamProtocol::Anthropic => Self::Anthropic,
        }
    }
}

/// The documents that a protocol shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Documents {
    /// The answer
    #[default]
    Answer,
    /// All roots and bodies of elements, as an object with a number for each
    All,
}
