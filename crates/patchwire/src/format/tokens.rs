//! A log of the format's tokens, for traces.

use crate::lex::Token;

/// A token and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenRecord {
    /// The token.
    pub token: Token,
    /// The text of the token.
    pub text: String,
}

/// The tokens made since the log was last taken, if it is on. A log is not part of the stream's state, so
/// any two logs compare equal.
#[derive(Debug, Clone, Default)]
pub(crate) struct TokenLog(Option<Vec<TokenRecord>>);

impl TokenLog {
    pub(crate) fn start(&mut self) {
        self.0.get_or_insert_default();
    }

    pub(crate) const fn is_on(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn add(&mut self, token: Token, text: &str) {
        if let Some(records) = &mut self.0 {
            records.push(TokenRecord { token, text: text.to_owned() });
        }
    }

    pub(crate) fn take(&mut self) -> Vec<TokenRecord> {
        self.0.as_mut().map(core::mem::take).unwrap_or_default()
    }
}

impl PartialEq for TokenLog {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
