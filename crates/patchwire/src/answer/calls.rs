//! Tool calls that a model wrote as text, whatever its way of writing them.

use core::fmt;
use std::sync::Arc;

use serde::Deserialize;

use super::{Answer, AnswerContent, AnswerError, Outcome};
use crate::document::{DocId, Document, ValueRef};
use crate::element::ElementId;
use crate::limits::Limits;
use crate::notice::OwnedNotice;
use crate::transcript::{JoinedText, Transcript};

/// A tool call that the model wrote as text: its name, its arguments, and an id if the model wrote one. Made by
/// [`Answer::calls`].
#[derive(Clone, PartialEq)]
pub struct Call {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) element: Option<ElementId>,
    pub(crate) document: Option<DocId>,
    pub(crate) is_text: bool,
    /// The arguments as an answer of their own.
    pub(crate) arguments: Answer,
}

impl Call {
    /// The id of the call, if the model wrote one.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The name of the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments: an object, unless the model wrote something else. If they could not be read, or the tool
    /// takes a text, [`ValueRef::exists`] is false: see [`text`](Self::text).
    #[must_use]
    pub fn arguments(&self) -> ValueRef<'_> {
        self.arguments.value()
    }

    /// The arguments as a Rust type.
    ///
    /// # Errors
    /// If the call was cut, if its arguments could not be read, or if they do not fit the type.
    pub fn data<'a, T: Deserialize<'a>>(&'a self) -> Result<T, AnswerError> {
        self.arguments.data()
    }

    /// The arguments as the model wrote them, if they could not be read, or if the tool takes a text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if self.arguments().exists() {
            return None;
        }
        core::str::from_utf8(self.arguments.raw()?).ok()
    }

    /// Whether the tool takes a text, such as code to run, and no JSON.
    #[must_use]
    pub const fn is_text(&self) -> bool {
        self.is_text
    }

    /// Whether the call was written to its end. The arguments of a call that was cut off are what arrived.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !matches!(self.arguments.outcome(), Outcome::Truncated | Outcome::Failed)
    }

    /// The element that holds the call; none if the answer itself is the call.
    #[must_use]
    pub const fn element(&self) -> Option<ElementId> {
        self.element
    }

    /// The document with the arguments, if they came as JSON.
    #[must_use]
    pub const fn document(&self) -> Option<DocId> {
        self.document
    }

    /// The arguments as an answer, with an outcome and notices of their own.
    #[must_use]
    pub const fn answer(&self) -> &Answer {
        &self.arguments
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("id", &self.id())
            .field("name", &self.name())
            .field("arguments", &self.arguments())
            .finish_non_exhaustive()
    }
}

impl Answer {
    /// Arguments that were read already, or a text that nobody reads.
    pub(crate) fn of_arguments(document: Document, raw: Option<&str>, outcome: Outcome) -> Self {
        Self::new(AnswerContent {
            documents: vec![document],
            elements: vec![None],
            chosen: 0,
            alternative: None,
            calls: Vec::new(),
            text: JoinedText::default(),
            reasoning: JoinedText::default(),
            transcript: Transcript::default(),
            tags: None,
            limits: Limits::default(),
            raw: raw.map(|raw| raw.as_bytes().to_vec()),
            notices: Vec::new(),
            notice_count: 0,
            failures: Vec::new(),
            outcome,
        })
    }

    /// Adds notices to arguments that have none.
    pub(crate) fn noting(mut self, notices: Vec<OwnedNotice>) -> Self {
        if !notices.is_empty()
            && let Some(content) = Arc::get_mut(&mut self.0)
        {
            content.notice_count = notices.len() as u64;
            content.notices = notices;
        }
        self
    }
}
