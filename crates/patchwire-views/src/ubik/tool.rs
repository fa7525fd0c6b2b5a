//! Tools with their inputs and results.

use std::borrow::Cow;

use patchwire::ValueRef;
use patchwire::answer::{AnswerNode, Element};

use super::parts::{self, Part};

/// A use of a tool.
///
/// ```
/// use patchwire::{Format, Spec, TagSet};
/// use patchwire_views::ubik;
///
/// let spec = Spec::builder().format(Format::Text).tags(TagSet::ubik()).build()?;
/// let answer = spec.parse("<<TOOL_STEP_START/search:call_1>><<TOOL_STEP_RESULT_START>>[1, 2")?;
/// let tool = ubik::tools(&answer).next().unwrap();
/// assert_eq!((tool.name(), tool.id(), tool.is_complete()), ("search", "call_1", false));
/// assert!(!tool.result().unwrap().is_complete());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Tool<'a>(pub(super) Element<'a>);

impl<'a> Tool<'a> {
    /// None for another element.
    pub(super) fn of(element: Element<'a>) -> Option<Self> {
        (element.name() == "tool").then_some(Self(element))
    }

    /// The tool's name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.0.params().get("name").unwrap_or("")
    }

    /// The id of this execution. Updates of [`Live`](super::Live) use it.
    #[must_use]
    pub fn id(&self) -> &'a str {
        self.0.params().get("id").unwrap_or("")
    }

    /// The input; the last of several.
    #[must_use]
    pub fn input(&self) -> Option<Payload<'a>> {
        Payload::last(self.0, "tool_input")
    }

    /// The result; the last of several.
    #[must_use]
    pub fn result(&self) -> Option<Payload<'a>> {
        Payload::last(self.0, "tool_result")
    }

    /// The other parts inside the tool, in order.
    #[must_use]
    pub fn parts(&self) -> Vec<Part<'a>> {
        let is_other = |node: &AnswerNode<'_>| match node {
            AnswerNode::Element(element) => !matches!(element.name(), "tool_input" | "tool_result"),
            _ => true,
        };
        parts::of(self.0.nodes().filter(is_other))
    }

    /// Whether a closer ended the tool.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// The element of this part.
    #[must_use]
    pub const fn element(&self) -> Element<'a> {
        self.0
    }
}

/// A body that should be JSON.
#[derive(Debug, Clone, Copy)]
pub struct Payload<'a>(pub(super) Element<'a>);

impl<'a> Payload<'a> {
    /// The last element of that name directly in another.
    pub(super) fn last(around: Element<'a>, name: &str) -> Option<Self> {
        around.children().filter(|child| child.name() == name).last().map(Self)
    }

    /// The value so far; none if the body is no JSON.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'a>> {
        self.0.value()
    }

    /// The text of the body that is not JSON.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        self.0.text()
    }

    /// Whether a closer ended the payload.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// The element of this part.
    #[must_use]
    pub const fn element(&self) -> Element<'a> {
        self.0
    }
}
