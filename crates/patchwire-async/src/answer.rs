//! The answer of a response: the engine's, and the tool calls beside it.

use core::fmt;
use core::ops::Deref;
use std::sync::Arc;

use bytestring::ByteString;
use patchwire::{
    ValueRef,
    document::{DataError, DocId},
};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::reading::Home;

/// What came of a response: reads as the engine's [`Answer`](patchwire::Answer), and has the tool
/// calls. Cloning copies pointers.
#[derive(Clone)]
pub struct Answer {
    answer: patchwire::Answer,
    calls: Arc<[Call]>,
    documents: Arc<[Home]>,
    facts: Arc<Map<String, Json>>,
}

impl Answer {
    pub(crate) fn new(
        answer: patchwire::Answer,
        calls: Vec<Call>,
        documents: &[Home],
        facts: &Map<String, Json>,
    ) -> Self {
        let facts = Arc::new(facts.clone());
        Self { answer, calls: calls.into(), documents: documents.into(), facts }
    }

    /// What the source told beside, by the names that [`Inputs::fact`](crate::Inputs::fact) was given.
    /// Of the attempt whose answer it is: [`Response::facts`](crate::Response::facts) has all.
    #[must_use]
    pub fn facts(&self) -> &Map<String, Json> {
        &self.facts
    }

    /// The tool calls, in the order in which they began.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// A document by the number its patches carry: the answer's own, or a call's arguments.
    #[must_use]
    pub fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        let home = self.documents.get(id.index())?;
        match home.lane.checked_sub(1) {
            None => self.answer.document(home.local),
            Some(call) => self.calls.get(call)?.answer.document(home.local),
        }
    }
}

impl Deref for Answer {
    type Target = patchwire::Answer;

    fn deref(&self) -> &patchwire::Answer {
        &self.answer
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("answer", &self.answer)
            .field("calls", &self.calls)
            .finish_non_exhaustive()
    }
}

/// A tool call. Cloning copies pointers.
#[derive(Clone)]
pub struct Call {
    pub(crate) document: DocId,
    pub(crate) id: Option<ByteString>,
    pub(crate) name: Option<ByteString>,
    pub(crate) answer: patchwire::Answer,
}

impl Call {
    /// The document its patches carried.
    #[must_use]
    pub fn document(&self) -> DocId {
        self.document
    }

    /// The provider's name for this call.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The tool; empty if the provider never said.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// The arguments. Where none came, [`ValueRef::exists`] is false.
    #[must_use]
    pub fn arguments(&self) -> ValueRef<'_> {
        self.answer.value()
    }

    /// The arguments as a Rust type.
    ///
    /// # Errors
    /// The path at which they do not fit the type, and why.
    pub fn data<'a, T: Deserialize<'a>>(&'a self) -> Result<T, DataError> {
        self.answer.data()
    }

    /// All that was read of the arguments: notices, outcome, raw text.
    #[must_use]
    pub fn answer(&self) -> &patchwire::Answer {
        &self.answer
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
