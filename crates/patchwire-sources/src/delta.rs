//! What a provider says, one piece at a time.

use serde_json::Value as Json;

/// One piece of an answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Delta {
    /// Text of the answer.
    Text(String),
    /// Reasoning that the provider sends apart from the text.
    Reasoning(String),
    /// A part of a tool call.
    Call(Call),
    /// Text that says why there is no answer.
    Refusal(String),
    /// What is told beside the answer, by name: `model`, `id`, `usage`, `stop_reason`. Of several with
    /// a name the last counts.
    Fact {
        /// The name.
        name: &'static str,
        /// What is told, as the provider wrote it.
        value: Json,
    },
    /// A whole item that is none of the above: a search result, a citation, hidden reasoning.
    Item {
        /// What the provider calls it.
        kind: String,
        /// All of it.
        value: Json,
    },
}

/// A part of a tool call. All parts of a call have its `index`; calls may be interleaved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// Its place among the calls of the message. Not every number need be used.
    pub index: u32,
    /// The provider's name for it; with its first part.
    pub id: Option<String>,
    /// The tool; with the first part.
    pub name: Option<String>,
    /// More of the arguments. All of them together are one JSON text.
    pub arguments: String,
}

impl Delta {
    pub(crate) fn fact(name: &'static str, value: impl Into<Json>) -> Self {
        Self::Fact { name, value: value.into() }
    }
}
