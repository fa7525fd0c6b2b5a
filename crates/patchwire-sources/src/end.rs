//! How a stream ends.

use core::fmt;

use crate::error::ProviderError;

/// How a stream ended. Earlier deltas stay valid.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum End {
    /// The provider closed the stream, for this reason.
    Closed(Stop),
    /// The connection ended before the provider closed the stream. The answer may lack its end. The
    /// reason is known if the provider sent it before.
    Cut(Option<Stop>),
    /// The provider sent an error in place of the rest.
    Failed(ProviderError),
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The answer is complete.
    End,
    /// The model wrote a stop sequence.
    Sequence,
    /// The limit of tokens was reached. The answer is cut.
    Length,
    /// The model waits for the results of its tools.
    ToolCalls,
    /// The model refused to answer.
    Refusal,
    /// A content filter removed the answer.
    Filter,
    /// Another reason, with the provider's name for it.
    Other(String),
}

impl Stop {
    /// The reason that a provider's name stands for.
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
