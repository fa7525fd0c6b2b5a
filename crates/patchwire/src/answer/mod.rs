//! The answer: one, cached, shared. Reading it never parses again.

mod elements;

use core::fmt;
use std::sync::Arc;

use serde::Deserialize;

use crate::check::Failure;
use crate::document::{DataError, DocId, Document, ValueRef};
use crate::element::ElementId;
use crate::notice::OwnedNotice;
use crate::transcript::Transcript;
pub use elements::{Element, Node, Nodes};

crate::names::named! {
    /// How the stream ended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Outcome {
        /// The payload came whole and as its format wants it.
        Complete = "complete",
        /// The input ended inside the payload.
        Truncated = "truncated",
        /// The payload came whole, and some of it was repaired.
        Repaired = "repaired",
        /// Calls of tools came, and no answer.
        ToolCalls = "tool_calls",
        /// Only reasoning came.
        NoAnswer = "no_answer",
        /// Nothing came but blanks.
        Empty = "empty",
        /// Text came, but no value.
        Failed = "failed",
    }
}

/// What came of a stream. Cloning copies a pointer.
#[derive(Clone, PartialEq)]
pub struct Answer(Arc<Content>);

#[derive(PartialEq)]
pub(crate) struct Content {
    pub(crate) documents: Vec<Document>,
    /// The element each is the body of.
    pub(crate) elements: Vec<Option<ElementId>>,
    /// The one that is the answer.
    pub(crate) chosen: usize,
    pub(crate) alternative: Option<Answer>,
    pub(crate) text: String,
    pub(crate) reasoning: String,
    pub(crate) transcript: Transcript,
    pub(crate) raw: Option<Vec<u8>>,
    pub(crate) notices: Vec<OwnedNotice>,
    pub(crate) notice_count: u64,
    pub(crate) failures: Vec<Failure>,
    pub(crate) outcome: Outcome,
}

impl Answer {
    pub(crate) fn new(content: Content) -> Self {
        Self(Arc::new(content))
    }

    /// The value. Check [`ValueRef::exists`]: where nothing could be read it reads as null.
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        self.0.documents[self.0.chosen].value()
    }

    /// Every root, where several were asked for; else the one value, if there is one. Where an element
    /// is the answer, its roots.
    pub fn roots(&self) -> impl Iterator<Item = ValueRef<'_>> {
        let element = |at: usize| self.0.elements.get(at).copied().flatten();
        let own = move |at: &usize| element(*at) == element(self.0.chosen);
        let own = (0..self.0.documents.len()).filter(own);
        own.map(|at| self.0.documents[at].value()).filter(|value| value.exists())
    }

    /// A document by the number its patches carry.
    #[must_use]
    pub fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        self.0.documents.get(id.index()).map(Document::value)
    }

    /// Every document of the stream, in the order of their numbers: the payload's roots, and what
    /// elements hold. [`Element::document`] names the one that is an element's body.
    ///
    /// ```
    /// use patchwire::{Spec, TagSet};
    ///
    /// let spec = Spec::builder().tags(TagSet::ubik()).build()?;
    /// let text = r#"{"a": 1} <<ERROR_JSON_START>>{"code": 7}<<ERROR_JSON_END>>"#;
    /// let answer = spec.parse(text)?;
    /// let values: Vec<String> = answer.documents().map(|(_, value)| value.to_string()).collect();
    /// assert_eq!(values, [r#"{"a":1}"#, r#"{"code":7}"#]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn documents(&self) -> impl Iterator<Item = (DocId, ValueRef<'_>)> {
        (0..).map(DocId).zip(self.0.documents.iter().map(Document::value))
    }

    /// The value as a Rust type, which may borrow from the answer.
    ///
    /// # Errors
    /// The path at which the value does not fit the type, and why.
    pub fn data<'a, T: Deserialize<'a>>(&'a self) -> Result<T, DataError> {
        self.value().read()
    }

    /// The answer as text, without reasoning: what the elements say whose channel is the answer; if
    /// there are none, what stands outside elements and payloads.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Every element of the tag set, in the order of the openers.
    pub fn elements(&self) -> impl Iterator<Item = Element<'_>> {
        let count = self.0.transcript.elements.len() as u32;
        let elements = (1..=count).filter_map(|id| Element::new(self, id));
        elements.filter(|element| !element.is_comment())
    }

    /// All that was emitted outside payloads, in order: text, and the elements with what is in them.
    #[must_use]
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::all(self)
    }

    /// The model's reasoning.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        &self.0.reasoning
    }

    /// Every byte that was fed, unless the parser was emitted not to keep them.
    #[must_use]
    pub fn raw(&self) -> Option<&[u8]> {
        self.0.raw.as_deref()
    }

    /// What was skipped, repaired or guessed, in order, up to the limit on notices.
    #[must_use]
    pub fn notices(&self) -> &[OwnedNotice] {
        &self.0.notices
    }

    /// How many notices there were, those past the limit included.
    #[must_use]
    pub fn notice_count(&self) -> u64 {
        self.0.notice_count
    }

    /// What the answer falls short of, in order: that there is no value; under
    /// [`strict_shape`](crate::SpecBuilder::strict_shape) what is not of the schema's shape; what the
    /// schema needs; and what [`ensure`](crate::SpecBuilder::ensure) wants beside that. Empty if it is
    /// what was asked for. At most 64 are listed.
    ///
    /// ```
    /// use patchwire::{Schema, Spec, schema::{list, object, str}};
    ///
    /// let item = object().field("sku", str("").required());
    /// let schema = Schema::object().field("items", list(item));
    /// let spec = Spec::builder().schema(schema).build()?;
    /// let answer = spec.parse(r#"{"items": [{"sku": "A1"}, {"sku": " "}]}"#)?;
    /// assert_eq!(answer.failures()[0].to_string(), "items[1].sku is blank");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// They are found once, at the end of the stream. Without a kept value nothing is checked.
    #[must_use]
    pub fn failures(&self) -> &[Failure] {
        &self.0.failures
    }

    /// The same text read as if what was never closed hid no markers: a fence, a comment, a string in
    /// the body of an element. Only where one hid some, which a notice says, and the raw text is kept.
    #[must_use]
    pub fn alternative(&self) -> Option<&Self> {
        self.0.alternative.as_ref()
    }

    /// How the stream ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.0.outcome
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("outcome", &self.outcome())
            .field("value", &self.value())
            .field("notices", &self.notice_count())
            .finish_non_exhaustive()
    }
}
