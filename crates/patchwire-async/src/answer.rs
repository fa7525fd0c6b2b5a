//! The answer of a response: the engine's answer and the tool calls.

use core::fmt;
use core::ops::Deref;
use std::sync::Arc;

use patchwire::{ValueRef, answer::AnswerError, document::DocId};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::call_part::KeptCall;
use crate::documents::DocumentEntry;

/// The answer of a response. It dereferences to the engine's [`Answer`](patchwire::Answer), and adds the
/// tool calls and the facts. Cloning copies pointers.
#[derive(Clone)]
pub struct Answer {
    answer: patchwire::Answer,
    calls: Arc<[Call]>,
    documents: Arc<[DocumentEntry]>,
    facts: Arc<Map<String, Json>>,
}

impl Answer {
    pub(crate) fn new(
        answer: patchwire::Answer,
        calls: Vec<Call>,
        documents: &[DocumentEntry],
        facts: &Map<String, Json>,
    ) -> Self {
        let facts = Arc::new(facts.clone());
        let mut calls = calls;
        calls.extend(answer.calls().iter().map(Call::from));
        Self { answer, calls: calls.into(), documents: documents.into(), facts }
    }

    /// The facts that the source sent beside the answer, by the names of
    /// [`Inputs::fact`](crate::Inputs::fact). Only those of this attempt:
    /// [`Response::facts`](crate::Response::facts) has those of all attempts.
    #[must_use]
    pub fn facts(&self) -> &Map<String, Json> {
        &self.facts
    }

    /// The tool calls, in the order in which they began: first those that the source sent as calls, then those
    /// that the model wrote as text.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// A document by the number in its patches: a document of the answer, or the arguments of a call.
    #[must_use]
    pub fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        let entry = self.documents.get(id.index())?;
        match entry.parser.checked_sub(1) {
            None => self.answer.document(entry.local),
            Some(call) => self.calls.get(call as usize)?.answer().document(entry.local),
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

/// A tool call. Cloning copies a pointer.
///
/// A response with many calls keeps most of them as text. Such a call is read when its arguments are first asked
/// for, and once.
#[derive(Clone)]
pub struct Call(Arc<KeptCall>);

impl Call {
    pub(crate) const fn new(call: Arc<KeptCall>) -> Self {
        Self(call)
    }

    /// The number of the document in its patches. For a call that the model wrote as text, the document of its
    /// element.
    #[must_use]
    pub fn document(&self) -> DocId {
        self.0.document
    }

    /// The provider's id of the call.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.0.state.id()
    }

    /// The name of the tool; empty if the provider sent none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.state.name().unwrap_or_default()
    }

    /// The arguments. If none came, [`ValueRef::exists`] is false.
    #[must_use]
    pub fn arguments(&self) -> ValueRef<'_> {
        self.answer().value()
    }

    /// Whether the tool takes a text and no JSON. The arguments are then that text as a string.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.0.is_text
    }

    /// The arguments as a Rust type.
    ///
    /// # Errors
    /// The call was cut, its arguments could not be read, or they do not fit the type.
    pub fn data<'a, T: Deserialize<'a>>(&'a self) -> Result<T, AnswerError> {
        self.answer().data()
    }

    /// The engine's answer for the arguments, with notices, outcome and raw text.
    #[must_use]
    pub fn answer(&self) -> &patchwire::Answer {
        self.0.answer()
    }
}

/// A call that the model wrote as text.
impl From<&patchwire::answer::Call> for Call {
    fn from(call: &patchwire::answer::Call) -> Self {
        Self(Arc::new(KeptCall::written(call)))
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
