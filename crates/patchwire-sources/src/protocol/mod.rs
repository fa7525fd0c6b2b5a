//! What the events of each protocol say. One file each; none knows how events are framed.

mod anthropic;
mod ollama;
mod openai_chat;
mod openai_responses;

use core::fmt;
use core::str::FromStr;

use serde_json::Value as Json;

use crate::decoder::Heard;
use crate::delta::Delta;

/// What a provider's bodies are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// OpenAI's chat completions.
    OpenAiChat,
    /// OpenAI's responses.
    OpenAiResponses,
    /// Anthropic's messages.
    Anthropic,
    /// Ollama's own.
    Ollama,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::OpenAiChat, Self::OpenAiResponses, Self::Anthropic, Self::Ollama];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Ollama => "ollama",
        }
    }

    /// Whether its bodies are server-sent events; else they are a line of JSON an event.
    #[must_use]
    pub const fn is_sse(self) -> bool {
        !matches!(self, Self::Ollama)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no protocol's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no protocol is called {name:?}: there are openai-chat, openai-responses, anthropic and ollama"
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

/// Reads the events of one body.
#[derive(Debug, Clone)]
pub(crate) enum Reader {
    OpenAiChat(openai_chat::Chat),
    OpenAiResponses(openai_responses::Responses),
    Anthropic(anthropic::Messages),
    Ollama(ollama::Ollama),
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
        }
    }

    pub(crate) fn event(&mut self, event: &Json, heard: &mut Heard, out: &mut dyn FnMut(Delta)) {
        match self {
            Self::OpenAiChat(chat) => chat.event(event, heard, out),
            Self::OpenAiResponses(responses) => responses.event(event, heard, out),
            Self::Anthropic(messages) => messages.event(event, heard, out),
            Self::Ollama(ollama) => ollama.event(event, heard, out),
        }
    }
}

/// The text at a name, if there is any.
fn text<'j>(object: &'j Json, name: &str) -> Option<&'j str> {
    object.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// What stands at a name, if it is not null.
fn given<'j>(object: &'j Json, name: &str) -> Option<&'j Json> {
    object.get(name).filter(|value| !value.is_null())
}

/// A number that counts calls or blocks.
fn index(object: &Json, name: &str) -> Option<u32> {
    object.get(name)?.as_u64().and_then(|index| u32::try_from(index).ok())
}

/// Tells a fact, once for each value in a row.
fn tell_once(
    (name, value): (&'static str, &Json),
    last: &mut Option<Json>,
    out: &mut dyn FnMut(Delta),
) {
    if last.as_ref() != Some(value) {
        *last = Some(value.clone());
        out(Delta::fact(name, value.clone()));
    }
}
