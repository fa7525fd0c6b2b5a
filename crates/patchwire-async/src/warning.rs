//! Warnings about calls that had no effect.

use core::fmt;

/// A call that had no effect. See [`Response::warnings`](crate::Response::warnings).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// A validator was added after the outcome was decided. It does not run.
    ValidatorIgnored,
}

impl Warning {
    /// The stable name, for logs and programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ValidatorIgnored => "validator_ignored",
        }
    }
}

/// A sentence for people.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ValidatorIgnored => {
                "a validator that came after the outcome was decided was not run"
            }
        })
    }
}
