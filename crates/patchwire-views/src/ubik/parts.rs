//! The parts of an agent's history.

use std::borrow::Cow;

use patchwire::answer::{AnswerNode, Element};

use super::fields::{field, trimmed};
use super::request::InputRequest;
use super::title;
use super::tool::{Payload, Tool};

/// A part of an agent's history.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Part<'a> {
    /// Text for the user, without blank lines around it.
    Text(&'a str),
    /// Reasoning.
    Thinking(Thinking<'a>),
    /// A phase of the work.
    Step(Step<'a>),
    /// A use of a tool.
    Tool(Tool<'a>),
    /// A point in the history.
    Checkpoint(Checkpoint<'a>),
    /// A question to the user.
    InputRequest(InputRequest<'a>),
    /// An error as text.
    Error(Failure<'a>),
    /// An error as JSON.
    ErrorJson(Payload<'a>),
    /// An element of the tag set that has no type here.
    Other(Element<'a>),
}

/// The parts among these nodes.
pub(super) fn of<'a>(nodes: impl Iterator<Item = AnswerNode<'a>>) -> Vec<Part<'a>> {
    nodes.filter_map(Part::of).collect()
}

impl<'a> Part<'a> {
    fn of(node: AnswerNode<'a>) -> Option<Self> {
        match node {
            AnswerNode::Text { text, .. } => {
                let text = trimmed(text);
                (!text.is_empty()).then_some(Self::Text(text))
            }
            AnswerNode::Element(element) => Self::of_element(element),
            // Comments are no part of a history.
            _ => None,
        }
    }

    /// The part that a node outside elements is. Its text may be side reasoning.
    pub(super) fn outside(node: AnswerNode<'a>) -> Option<Self> {
        let is_thought = matches!(node, AnswerNode::Text { channel: "reasoning", .. });
        match Self::of(node)? {
            Self::Text(text) if is_thought => {
                Some(Self::Thinking(Thinking { text, element: None }))
            }
            part => Some(part),
        }
    }

    /// None for a flag of the element around it.
    fn of_element(element: Element<'a>) -> Option<Self> {
        Some(match element.name() {
            "single_step" => return None,
            "step" => Self::Step(Step(element)),
            "tool" => Self::Tool(Tool(element)),
            "checkpoint" => Self::Checkpoint(Checkpoint(element)),
            "input_required" => Self::InputRequest(InputRequest(element)),
            "error" => Self::Error(Failure(element)),
            "error_json" => Self::ErrorJson(Payload(element)),
            _ if element.channel() == "reasoning" => {
                Self::Thinking(Thinking { text: "", element: Some(element) })
            }
            _ => Self::Other(element),
        })
    }

    /// The element of this part; none for text.
    #[must_use]
    pub const fn element(&self) -> Option<Element<'a>> {
        match self {
            Self::Text(_) => None,
            Self::Thinking(thinking) => thinking.element,
            Self::Step(step) => Some(step.0),
            Self::Tool(tool) => Some(tool.0),
            Self::Checkpoint(checkpoint) => Some(checkpoint.0),
            Self::InputRequest(request) => Some(request.0),
            Self::Error(failure) => Some(failure.0),
            Self::ErrorJson(payload) => Some(payload.0),
            Self::Other(element) => Some(*element),
        }
    }
}

/// A phase of an agent's work.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a>(pub(super) Element<'a>);

impl<'a> Step<'a> {
    /// The first line of the step, if that is a title: it begins like `Step 1`, is a Markdown heading, or is
    /// short and no sentence. Only the flag of a single step may come before it.
    #[must_use]
    pub fn title(&self) -> Option<&'a str> {
        Some(self.head()?.0)
    }

    /// Whether the agent flagged the step as its only action.
    #[must_use]
    pub fn is_single(&self) -> bool {
        self.0.children().any(|child| child.name() == "single_step")
    }

    /// The parts inside the step, in order, without its title.
    #[must_use]
    pub fn parts(&self) -> Vec<Part<'a>> {
        let mut parts = of(self.0.nodes());
        if let Some((_, rest)) = self.head() {
            match trimmed(rest) {
                "" => drop(parts.remove(0)),
                rest => parts[0] = Part::Text(rest),
            }
        }
        parts
    }

    /// Whether a closer ended the step.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// The element of this part.
    #[must_use]
    pub const fn element(&self) -> Element<'a> {
        self.0
    }

    /// The title, and the rest of the text after it.
    fn head(&self) -> Option<(&'a str, &'a str)> {
        match self.0.nodes().find_map(Part::of)? {
            Part::Text(text) => title::split(text),
            _ => None,
        }
    }
}

/// An agent's reasoning.
#[derive(Debug, Clone, Copy)]
pub struct Thinking<'a> {
    text: &'a str,
    element: Option<Element<'a>>,
}

impl<'a> Thinking<'a> {
    /// The own text of the thought, without elements inside it.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        self.element.map_or(Cow::Borrowed(self.text), |element| element.text())
    }

    /// The parts inside the thought, in order.
    #[must_use]
    pub fn parts(&self) -> Vec<Part<'a>> {
        match self.element {
            Some(element) => of(element.nodes()),
            None => vec![Part::Text(self.text)],
        }
    }

    /// Whether a closer ended the thought. Side reasoning is always complete.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.element.is_none_or(|element| element.is_complete())
    }
}

/// A point in the history that can be returned to.
#[derive(Debug, Clone, Copy)]
pub struct Checkpoint<'a>(pub(super) Element<'a>);

impl<'a> Checkpoint<'a> {
    /// The value of the line `Checkpoint:`.
    #[must_use]
    pub fn name(&self) -> Option<&'a str> {
        text_field(self.0, "Checkpoint")
    }

    /// The element of this part.
    #[must_use]
    pub const fn element(&self) -> Element<'a> {
        self.0
    }
}

/// An error as text.
#[derive(Debug, Clone, Copy)]
pub struct Failure<'a>(pub(super) Element<'a>);

impl<'a> Failure<'a> {
    /// The message, without the word `Error:` before it.
    #[must_use]
    pub fn text(&self) -> String {
        let text = self.0.text();
        let text = text.trim();
        text.strip_prefix("Error:").unwrap_or(text).trim_start().to_owned()
    }

    /// The element of this part.
    #[must_use]
    pub const fn element(&self) -> Element<'a> {
        self.0
    }
}

/// The value of a line `Key: value` in an element's own text.
pub(super) fn text_field<'a>(element: Element<'a>, key: &str) -> Option<&'a str> {
    element.nodes().find_map(|node| match node {
        AnswerNode::Text { text, .. } => field(text, key),
        _ => None,
    })
}
