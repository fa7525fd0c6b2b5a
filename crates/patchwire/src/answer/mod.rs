//! The answer: the result of a stream, shared and cached. Reading it never parses again.

mod calls;
mod data;
mod elements;

use core::fmt;
use std::sync::Arc;

use crate::check::Failure;
use crate::document::{DocId, Document, ValueRef};
use crate::element::ElementId;
use crate::limits::Limits;
use crate::notice::OwnedNotice;
use crate::tags::TagSet;
use crate::transcript::{JoinedText, Transcript};
pub use calls::Call;
pub use data::{AnswerError, CutAnswer, NoValue, PartialAnswer};
pub use elements::{AnswerNode, AnswerNodes, Element};

crate::names::named! {
    /// How an answer ended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Outcome {
        /// The payload is whole, and nothing in it was repaired.
        Complete = "complete",
        /// The input ended inside the payload.
        Truncated = "truncated",
        /// The payload is whole, and some of it was repaired.
        Repaired = "repaired",
        /// The model called tools. There may be text beside the calls, but no payload.
        ToolCalls = "tool_calls",
        /// The stream had reasoning and no answer.
        NoAnswer = "no_answer",
        /// The stream had nothing but whitespace.
        Empty = "empty",
        /// The stream had text, but no value could be read from it.
        Failed = "failed",
    }
}

/// The result of a stream: its value, text, reasoning, elements and notices. Cloning copies a pointer.
#[derive(Clone, PartialEq)]
pub struct Answer(Arc<AnswerContent>);

#[derive(PartialEq)]
pub(crate) struct AnswerContent {
    pub(crate) documents: Vec<Document>,
    /// For each document, the element whose body it is.
    pub(crate) elements: Vec<Option<ElementId>>,
    /// The index of the document that is the answer.
    pub(crate) chosen: usize,
    pub(crate) alternative: Option<Answer>,
    pub(crate) calls: Vec<Call>,
    pub(crate) text: JoinedText,
    pub(crate) reasoning: JoinedText,
    pub(crate) transcript: Transcript,
    /// The tag set and the limits that the stream was read with, to read bodies again.
    pub(crate) tags: Option<TagSet>,
    pub(crate) limits: Limits,
    pub(crate) raw: Option<Vec<u8>>,
    pub(crate) notices: Vec<OwnedNotice>,
    pub(crate) notice_count: u64,
    pub(crate) failures: Vec<Failure>,
    pub(crate) outcome: Outcome,
}

impl Answer {
    pub(crate) fn new(content: AnswerContent) -> Self {
        Self(Arc::new(content))
    }

    /// The value of the answer. If no value could be read, it reads as null and
    /// [`exists`](ValueRef::exists) is false.
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        self.0.documents[self.0.chosen].value()
    }

    /// All roots, if the spec asks for several; else the value, if there is one. If the answer is an
    /// element, the roots in its body.
    pub fn roots(&self) -> impl Iterator<Item = ValueRef<'_>> {
        let element = |at: usize| self.0.elements.get(at).copied().flatten();
        let own = move |at: &usize| element(*at) == element(self.0.chosen);
        let own = (0..self.0.documents.len()).filter(own);
        own.map(|at| self.0.documents[at].value()).filter(|value| value.exists())
    }

    /// The value of the document with this number. Patches carry the number as `document`.
    #[must_use]
    pub fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        self.0.documents.get(id.index()).map(Document::value)
    }

    /// All documents of the stream, in the order of their numbers: the roots of the payload and the bodies
    /// of elements. [`Element::document`] is the number of an element's body.
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

    /// The answer as text, without reasoning: the text of the elements in the answer channel or, without
    /// such an element, the text outside elements and payloads.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.transcript.joined(&self.0.text)
    }

    /// All elements of the tag set, in the order of their openers.
    pub fn elements(&self) -> impl Iterator<Item = Element<'_>> {
        let count = self.0.transcript.elements.len() as u32;
        let elements = (1..=count).filter_map(|id| Element::new(self, id));
        elements.filter(|element| !element.is_comment())
    }

    /// The tool calls that the model wrote as text, in the order in which they began, whatever tag set read them:
    /// each has a name, arguments, and an id if the model wrote one.
    ///
    /// ```
    /// use patchwire::{Format, Spec, TagSet};
    ///
    /// let texts = [
    ///     (TagSet::hermes_json(), r#"<tool_call>{"name": "weather", "arguments": {"city": "Rome"}}</tool_call>"#),
    ///     (TagSet::qwen(), "<function=weather><parameter=city>Rome</parameter></function>"),
    ///     (TagSet::llama4(), "[weather(city='Rome')]"),
    /// ];
    /// for (tags, text) in texts {
    ///     let answer = Spec::builder().format(Format::Text).tags(tags).build()?.parse(text)?;
    ///     let call = &answer.calls()[0];
    ///     assert_eq!((call.name(), call.arguments().to_string()), ("weather", r#"{"city":"Rome"}"#.into()));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Without a kept value there are none.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.0.calls
    }

    /// The answer with its calls, and the outcome that they give it.
    pub(crate) fn with_calls(mut self, calls: Vec<Call>, outcome: Outcome) -> Self {
        if let Some(content) = Arc::get_mut(&mut self.0) {
            (content.calls, content.outcome) = (calls, outcome);
            if outcome == Outcome::ToolCalls {
                content.failures.clear();
            }
        }
        self
    }

    /// The text and the elements outside payloads, in order.
    #[must_use]
    pub fn nodes(&self) -> AnswerNodes<'_> {
        AnswerNodes::all(self)
    }

    /// The model's reasoning.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        self.0.transcript.joined(&self.0.reasoning)
    }

    /// All bytes that were fed, unless the spec was built
    /// [`without_raw`](crate::SpecBuilder::without_raw).
    #[must_use]
    pub fn raw(&self) -> Option<&[u8]> {
        self.0.raw.as_deref()
    }

    /// Notices of what was skipped, repaired or guessed, in order, up to the
    /// [limit](crate::Limit::Notices) on notices.
    #[must_use]
    pub fn notices(&self) -> &[OwnedNotice] {
        &self.0.notices
    }

    /// The number of notices, those past the limit included.
    #[must_use]
    pub fn notice_count(&self) -> u64 {
        self.0.notice_count
    }

    /// The checks that failed, in order: no value; under
    /// [`strict_shape`](crate::SpecBuilder::strict_shape), values that are not of the schema's shape;
    /// required values that are missing or empty; and paths of
    /// [`ensure`](crate::SpecBuilder::ensure). Empty if all checks passed. At most 64 are listed.
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
    /// Checks run once, at the end of the stream. Without a kept value nothing is checked.
    #[must_use]
    pub fn failures(&self) -> &[Failure] {
        &self.0.failures
    }

    /// The answer of a second reading. If an unclosed fence, comment or string hid markers, this is the
    /// answer if it hides none; a notice shows that markers were hidden. If a closer without an opener made all
    /// text reasoning, this is the answer if the closer means nothing. Needs the raw text.
    #[must_use]
    pub fn alternative(&self) -> Option<&Self> {
        self.0.alternative.as_ref()
    }

    /// How the answer ended.
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

#[cfg(test)]
mod tests {
    use super::{Answer, AnswerContent, Outcome};
    use crate::document::sample::document;
    use crate::document::{DocId, ValueKind};
    use crate::element::ElementId;
    use crate::limits::Limits;
    use crate::transcript::{JoinedText, Transcript};

    /// An answer with documents of these elements (0 for the text outside); the one at `chosen` is the
    /// answer.
    fn answer(documents: &[(u32, &str)], chosen: usize) -> Answer {
        let element = |id: u32| Some(ElementId(id)).filter(|_| id > 0);
        Answer::new(AnswerContent {
            documents: documents.iter().map(|(_, json)| document(json)).collect(),
            elements: documents.iter().map(|(id, _)| element(*id)).collect(),
            chosen,
            alternative: None,
            calls: Vec::new(),
            text: JoinedText::Several("text".to_owned()),
            reasoning: JoinedText::default(),
            transcript: Transcript::default(),
            tags: None,
            limits: Limits::default(),
            raw: None,
            notices: Vec::new(),
            notice_count: 0,
            failures: Vec::new(),
            outcome: Outcome::Complete,
        })
    }

    #[test]
    fn the_value_and_the_roots_beside_it() {
        for (documents, chosen, value, roots) in [
            (&[(0, "1")][..], 0, "1", &["1"][..]),
            (&[(0, "")], 0, "null", &[]),
            (&[(0, "1"), (0, "2")], 0, "1", &["1", "2"]),
            (&[(0, "1"), (7, "2"), (0, "3")], 0, "1", &["1", "3"]),
            (&[(0, ""), (7, "2"), (8, "3"), (7, "4")], 3, "4", &["2", "4"]),
        ] {
            let answer = answer(documents, chosen);
            assert_eq!(answer.value().to_string(), value, "{documents:?}");
            let found: Vec<String> = answer.roots().map(|root| root.to_string()).collect();
            assert_eq!(found, roots, "{documents:?}");
            assert_eq!(answer.documents().count(), documents.len());
        }
    }

    #[test]
    fn documents_by_their_numbers() {
        let answer = answer(&[(0, "[1]"), (2, r#"{"a": 1}"#)], 0);
        let kind = |number| answer.document(DocId(number)).map(|value| value.kind());
        assert_eq!(kind(0), Some(ValueKind::List));
        assert_eq!(kind(1), Some(ValueKind::Object));
        assert_eq!(kind(2), None);
    }

    #[test]
    fn the_value_as_a_type_of_rust() {
        let answer = answer(&[(0, r#"[1, 300]"#)], 0);
        assert_eq!(answer.data::<Vec<u16>>().expect("numbers"), [1, 300]);
        let error = answer.data::<Vec<u8>>().expect_err("300 is too large").to_string();
        assert!(error.contains("[1]"), "{error}");
        assert!(answer.data::<Vec<String>>().is_err());
    }
}
