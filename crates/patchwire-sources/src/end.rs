//! How a stream ends.

use core::fmt;

use crate::error::ProviderError;

/// How a stream ended. Whatever came before it stands.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum End {
    /// The provider said that this is all, and why.
    Closed(Stop),
    /// The connection ended before the provider said that this is all: the answer may lack its end.
    /// With a reason if that had come already.
    Cut(Option<Stop>),
    /// The provider sent an error in place of the rest.
    Failed(ProviderError),
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// It was done.
    End,
    /// It said one of the texts that stop it.
    Sequence,
    /// There was no room for more: the answer is cut.
    Length,
    /// It waits for what its tools give.
    ToolCalls,
    /// It does not want to answer.
    Refusal,
    /// A filter took the answer away.
    Filter,
    /// What none of the above is, in the provider's word.
    Other(String),
}

impl Stop {
    /// The reason by any provider's word for it.
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "stop" | "end_turn" | "eos" | "done" | "completed" => Self::End,
            "stop_sequence" => Self::Sequence,
            "length" | "max_tokens" | "max_output_tokens" | "model_context_window_exceeded" => {
                Self::Length
            }
            "tool_calls" | "tool_use" | "function_call" => Self::ToolCalls,
            "refusal" => Self::Refusal,
            "content_filter" => Self::Filter,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Whether the answer lacks its end.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        matches!(self, Self::Length | Self::Filter)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::End => "done",
            Self::Sequence => "stopped at a stop sequence",
            Self::Length => "cut at the greatest length",
            Self::ToolCalls => "waiting for its tools",
            Self::Refusal => "refused",
            Self::Filter => "taken away by a content filter",
            Self::Other(name) => name,
        })
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed(stop) => stop.fmt(f),
            Self::Cut(None) => f.write_str("the connection ended in the middle of the answer"),
            Self::Cut(Some(stop)) => {
                write!(f, "{stop}; the connection ended before the stream was closed")
            }
            Self::Failed(error) => error.fmt(f),
        }
    }
}
