//! Finds diagrams: in the texts of elements, in the text outside elements, and in strings of documents.

use std::borrow::Cow;
use std::collections::BTreeMap;

use patchwire::answer::{AnswerNode, AnswerNodes, Element};
use patchwire::document::DocId;
use patchwire::event::ElementId;
use patchwire::{Answer, ValueRef};

use super::{Diagram, DiagramKind, Fences};

/// Every Mermaid diagram of an answer, in the order of the stream, from any channel. A diagram whose fence
/// was never closed is listed too.
///
/// The texts that are searched are: the own text of each element, joined around the elements in it, since
/// a fence never outlives its element; the text outside elements, channel by channel; and the strings of
/// documents. Diagrams of the payload come last.
#[must_use]
pub fn diagrams(answer: &Answer) -> Vec<Diagram<'_>> {
    let transcript = Transcript::of(answer);
    let mut found = transcript.in_texts();
    found.extend(transcript.in_documents(answer));
    found.sort_by_key(|(place, _)| *place);
    let numbered = found.into_iter().enumerate();
    numbered.map(|(index, (_, diagram))| Diagram { index, ..diagram }).collect()
}

/// A diagram and its place in the order of the stream.
type Found<'a> = (usize, Diagram<'a>);

/// The text around a diagram.
#[derive(Debug, Clone, Copy)]
struct Source<'a> {
    channel: &'a str,
    element: Option<ElementId>,
}

/// An element, if the text is in one, and the channel of the text.
type TextKey<'a> = (Option<ElementId>, &'a str);

/// The nodes of an answer, numbered in the order of the stream.
#[derive(Default)]
struct Transcript<'a> {
    /// The texts by element and channel, each with its number.
    texts: BTreeMap<TextKey<'a>, Vec<(usize, &'a str)>>,
    /// Where the element begins whose body is that document.
    bodies: BTreeMap<DocId, (usize, Source<'a>)>,
    /// Nodes so far.
    count: usize,
}

impl<'a> Transcript<'a> {
    fn of(answer: &'a Answer) -> Self {
        let mut transcript = Self::default();
        let mut open: Vec<(Option<ElementId>, AnswerNodes<'a>)> = vec![(None, answer.nodes())];
        while let Some((element, nodes)) = open.last_mut() {
            let element = *element;
            let Some(node) = nodes.next() else {
                open.pop();
                continue;
            };
            let place = transcript.count;
            transcript.count += 1;
            match node {
                AnswerNode::Text { channel, text } => {
                    transcript.texts.entry((element, channel)).or_default().push((place, text));
                }
                AnswerNode::Element(inner) => {
                    transcript.begin(place, inner);
                    open.push((Some(inner.id()), inner.nodes()));
                }
                _ => {}
            }
        }
        transcript
    }

    fn begin(&mut self, place: usize, element: Element<'a>) {
        let source = Source { channel: element.channel(), element: Some(element.id()) };
        if let Some(document) = element.document() {
            self.bodies.insert(document, (place, source));
        }
    }

    fn in_texts(&self) -> Vec<Found<'a>> {
        let mut found = Vec::new();
        for (&(element, channel), parts) in &self.texts {
            let source = Source { channel, element };
            let (text, ends) = (joined(parts), ends(parts));
            let place = |at| parts[ends.partition_point(|end| *end <= at)].0;
            found.extend(search(source, &text).map(|(at, diagram)| (place(at), diagram)));
        }
        found
    }

    fn in_documents(&self, answer: &'a Answer) -> Vec<Found<'a>> {
        let outside = (self.count, Source { channel: "text", element: None });
        let mut found = Vec::new();
        for (document, value) in answer.documents() {
            if value.as_str() == Some(answer.text()) {
                // The answer is text: its diagrams were found in the transcript.
                continue;
            }
            let (place, source) = self.bodies.get(&document).copied().unwrap_or(outside);
            for text in strings(value) {
                found.extend(search(source, text).map(|(_, diagram)| (place, diagram)));
            }
        }
        found
    }
}

/// The diagrams of a text, each with the offset at which its fence begins. Numbers come later.
fn search<'a>(source: Source<'a>, text: &str) -> impl Iterator<Item = (usize, Diagram<'a>)> {
    let is_diagram = |info: &str| {
        info.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("mermaid"))
    };
    Fences::new(text).filter(move |fence| is_diagram(fence.info)).map(move |fence| {
        let diagram = Diagram {
            index: 0,
            kind: DiagramKind::of(&fence.code),
            code: fence.code,
            is_complete: fence.is_closed,
            channel: source.channel,
            element: source.element,
        };
        (fence.at, diagram)
    })
}

fn joined<'a>(parts: &[(usize, &'a str)]) -> Cow<'a, str> {
    match parts {
        [(_, text)] => Cow::Borrowed(text),
        _ => parts.iter().map(|(_, text)| *text).collect(),
    }
}

/// Where each part ends in the joined text.
fn ends(parts: &[(usize, &str)]) -> Vec<usize> {
    let mut end = 0;
    let mut add = |text: &str| {
        end += text.len();
        end
    };
    parts.iter().map(|(_, text)| add(text)).collect()
}

/// The strings of a value, in order. Iterative: a value may be nested deeper than the stack.
fn strings(value: ValueRef<'_>) -> impl Iterator<Item = &str> {
    let mut open = Vec::new();
    let mut next = Some(value);
    core::iter::from_fn(move || {
        loop {
            if let Some(value) = next.take() {
                open.push(value.entries());
                if let Some(text) = value.as_str() {
                    return Some(text);
                }
            }
            match open.last_mut()?.next() {
                Some((_, child)) => next = Some(child),
                None => {
                    open.pop();
                }
            }
        }
    })
}
