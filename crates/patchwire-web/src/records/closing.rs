//! Why an answer was ended from outside, for all of its readers.

use super::coding::{RecordBytes, RecordError, put_number};
use crate::budget::OverBudget;

/// Why an answer was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Closing {
    #[error("a stream may take {seconds} s, and this one did; ask for less, or raise the limit")]
    TimeLimit { seconds: u64 },
    #[error("the request took more of the processor's time than it may; ask for a shorter answer")]
    WorkLimit,
    #[error(
        "the answer took more than {most} bytes of the store; ask for less, or raise the limit"
    )]
    TooLong { most: u64 },
    #[error("the stream was cancelled; send the request again if you still want it")]
    Cancelled,
}

impl Closing {
    /// The code, for programs.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::TimeLimit { .. } => "time_limit",
            Self::WorkLimit => OverBudget::CODE,
            Self::TooLong { .. } => "store_limit",
            Self::Cancelled => "cancelled",
        }
    }

    pub(super) fn write(self, out: &mut Vec<u8>) {
        let (tag, number) = match self {
            Self::TimeLimit { seconds } => (1, seconds),
            Self::WorkLimit => (2, 0),
            Self::TooLong { most } => (3, most),
            Self::Cancelled => (4, 0),
        };
        out.push(tag);
        put_number(out, number);
    }

    pub(super) fn read(reading: &mut RecordBytes) -> Result<Self, RecordError> {
        let (tag, number) = (reading.byte()?, reading.number()?);
        Ok(match tag {
            1 => Self::TimeLimit { seconds: number },
            2 => Self::WorkLimit,
            3 => Self::TooLong { most: number },
            4 => Self::Cancelled,
            other => return Err(RecordError::Kind(other)),
        })
    }

    #[cfg(test)]
    pub(super) fn all() -> [Self; 4] {
        [
            Self::TimeLimit { seconds: 600 },
            Self::WorkLimit,
            Self::TooLong { most: u64::MAX },
            Self::Cancelled,
        ]
    }
}
