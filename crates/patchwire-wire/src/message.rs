//! The messages of protocols.

use core::fmt;

/// One message of a protocol: a text of one line, nearly always a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    name: Option<&'static str>,
    data: String,
}

impl Message {
    /// A message of the caller, to be framed like the others.
    #[must_use]
    pub fn new(data: impl Into<String>) -> Self {
        Self { name: None, data: data.into() }
    }

    /// Adds the name that a numbered [`Sse`](crate::Sse) frame writes as `event:`.
    #[must_use]
    pub fn with_name(self, name: &'static str) -> Self {
        Self { name: Some(name), ..self }
    }

    /// The name, if the protocol has names beside the data.
    #[must_use]
    pub const fn name(&self) -> Option<&'static str> {
        self.name
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.data
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data)
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.data
    }
}
