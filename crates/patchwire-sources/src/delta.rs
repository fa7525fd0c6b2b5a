//! The pieces of an answer.

use serde_json::Value as Json;

/// One piece of an answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Delta {
    /// Text of the answer.
    Text(String),
    /// Reasoning that the provider sends in a field of its own.
    Reasoning(String),
    /// A part of a tool call.
    Call(Call),
    /// Text in which the model refuses to answer.
    Refusal(String),
    /// A fact about the answer: `model`, `id`, `usage` or `stop_reason`. The last fact with a name
    /// is valid.
    Fact {
        /// The name.
        name: &'static str,
        /// The value as the provider wrote it.
        value: Json,
    },
    /// A whole item that is none of the above: a search result, a citation, hidden reasoning.
    Item {
        /// The provider's name for this kind of item.
        kind: String,
        /// The whole item.
        value: Json,
    },
}

/// A part of a tool call. All parts of a call have the same `index`, and no other call has it. Parts of
/// several calls may alternate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// The place of the call in the message. Numbers may be left out. If the provider gives two calls one
    /// index, the second has the first number that is free.
    pub index: u32,
    /// The provider's id of the call; in the first part that has it.
    pub id: Option<String>,
    /// The name of the tool, in the first part. If a name comes in pieces, a later part has all of it so far.
    pub name: Option<String>,
    /// The next piece of the arguments. All pieces of a call, joined, are one JSON text, or the input of a
    /// custom tool. The arguments of a complete call without arguments are `{}`.
    pub arguments: String,
    /// Whether the arguments are the text that a custom tool takes, and not JSON.
    pub is_text: bool,
}

impl Delta {
    /// Whether the delta identifies its protocol. Facts do not: several protocols have them in the same place.
    pub(crate) const fn is_specific(&self) -> bool {
        !matches!(self, Self::Fact { .. })
    }

    /// Whether the delta is a part of the answer. Empty texts are none, and facts are about the answer.
    pub(crate) const fn has_content(&self) -> bool {
        match self {
            Self::Text(text) | Self::Reasoning(text) | Self::Refusal(text) => !text.is_empty(),
            Self::Call(_) | Self::Item { .. } => true,
            Self::Fact { .. } => false,
        }
    }

    pub(crate) fn fact(name: &'static str, value: impl Into<Json>) -> Self {
        Self::Fact { name, value: value.into() }
    }
}
