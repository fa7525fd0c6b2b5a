//! The events of each protocol, one file each. Framing is not known here.

mod anthropic;
mod bedrock;
mod call_numbers;
mod cohere;
mod end_state;
mod gemini;
mod gemini_arguments;
mod json_members;
mod ollama;
mod openai_chat;
mod openai_responses;

use core::fmt;
use core::str::FromStr;

use serde_json::Value as Json;

use crate::delta::Delta;
use crate::framing::FramingKind;
pub(crate) use end_state::EndState;

/// The protocol of a provider's response bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// OpenAI's chat completions.
    OpenAiChat,
    /// OpenAI's responses.
    OpenAiResponses,
    /// Anthropic's messages.
    Anthropic,
    /// Ollama's own protocol.
    Ollama,
    /// Gemini's own protocol, as server-sent events or as one JSON list.
    Gemini,
    /// Cohere's chat, version 2.
    Cohere,
    /// Bedrock's Converse, in AWS's binary framing or as JSON.
    Bedrock,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 7] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Ollama,
        Self::Gemini,
        Self::Cohere,
        Self::Bedrock,
    ];

    /// The name of the protocol.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Ollama => "ollama",
            Self::Gemini => "gemini",
            Self::Cohere => "cohere",
            Self::Bedrock => "bedrock",
        }
    }

    /// Whether bodies are server-sent events. Otherwise events are lines or objects of JSON, or binary messages.
    /// Gemini's may be either.
    #[must_use]
    pub const fn is_sse(self) -> bool {
        !matches!(self, Self::Ollama | Self::Bedrock)
    }

    pub(crate) const fn framing(self) -> FramingKind {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses | Self::Anthropic | Self::Cohere => {
                FramingKind::Sse
            }
            Self::Ollama => FramingKind::Lines,
            Self::Gemini => FramingKind::SseOrJson,
            Self::Bedrock => FramingKind::BinaryOrJson,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no protocol has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no protocol is called {name:?}: there are openai-chat, openai-responses, anthropic, ollama, gemini, cohere \
     and bedrock"
)]
#[non_exhaustive]
pub struct UnknownProtocol {
    /// The name.
    pub name: String,
}

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(name: &str) -> Result<Self, UnknownProtocol> {
        let found = Self::ALL.into_iter().find(|it| it.name() == name);
        found.ok_or_else(|| UnknownProtocol { name: name.to_owned() })
    }
}

/// Turns the events of one body into deltas.
#[derive(Debug, Clone)]
pub(crate) enum Reader {
    OpenAiChat(openai_chat::Chat),
    OpenAiResponses(openai_responses::Responses),
    Anthropic(anthropic::Messages),
    Ollama(ollama::Ollama),
    Gemini(gemini::Gemini),
    Cohere(cohere::Cohere),
    Bedrock(bedrock::Bedrock),
}

impl Reader {
    pub(crate) fn new(protocol: Protocol) -> Self {
        match protocol {
            Protocol::OpenAiChat => Self::OpenAiChat(openai_chat::Chat::default()),
            Protocol::OpenAiResponses => {
                Self::OpenAiResponses(openai_responses::Responses::default())
            }
            Protocol::Anthropic => Self::Anthropic(anthropic::Messages::default()),
            Protocol::Ollama => Self::Ollama(ollama::Ollama::default()),
            Protocol::Gemini => Self::Gemini(gemini::Gemini::default()),
            Protocol::Cohere => Self::Cohere(cohere::Cohere::default()),
            Protocol::Bedrock => Self::Bedrock(bedrock::Bedrock::default()),
        }
    }

    /// Reads this choice. Only OpenAI's chat completions have several.
    pub(crate) const fn choose(&mut self, choice: u32) {
        if let Self::OpenAiChat(chat) = self {
            chat.choice = choice;
        }
    }

    pub(crate) fn event(&mut self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        match self {
            Self::OpenAiChat(chat) => chat.event(event, end, out),
            Self::OpenAiResponses(responses) => responses.event(event, end, out),
            Self::Anthropic(messages) => messages.event(event, end, out),
            Self::Ollama(ollama) => ollama.event(event, end, out),
            Self::Gemini(gemini) => gemini.event(event, end, out),
            Self::Cohere(cohere) => cohere.event(event, end, out),
            Self::Bedrock(bedrock) => bedrock.event(event, end, out),
        }
    }

    /// Reads the mark at the end of a stream of server-sent events.
    pub(crate) fn closed(&mut self, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        end.closed = true;
        if let Self::OpenAiChat(chat) = self {
            chat.ended(end, out);
        }
    }
}
