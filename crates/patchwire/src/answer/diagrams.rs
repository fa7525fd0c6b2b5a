//! Where diagrams are looked for: in the texts of elements, in the text outside them, and in strings.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Answer;
use crate::diagram::{Diagram, Source, find};
use crate::document::ValueRef;
use crate::element::ElementId;
use crate::transcript::{Item, Transcript};

/// Pieces of one text, each with the number of its item.
type Pieces<'a> = Vec<(usize, &'a str)>;

/// A diagram and the item in which it begins.
type Found<'a> = (usize, Diagram<'a>);

impl Answer {
    /// Every Mermaid diagram, in the order of the stream: fences whose info string begins with
    /// `mermaid`, in any channel. One that was never closed is listed too.
    ///
    /// Looked at is what an element says of its own, joined around the elements in it, since a fence
    /// never outlives its element; likewise the text outside elements, channel by channel; and the
    /// strings of documents. Those of the payload come last.
    ///
    /// ```
    /// use patchwire::{DiagramKind, Format, Spec};
    ///
    /// let spec = Spec::builder().format(Format::Text).build()?;
    /// let answer = spec.parse("As drawn:\n```mermaid\ngraph TD\nA-->B\n```\n")?;
    /// let diagram = &answer.diagrams()[0];
    /// assert_eq!((diagram.kind, &*diagram.code), (DiagramKind::Flowchart, "graph TD\nA-->B"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn diagrams(&self) -> Vec<Diagram<'_>> {
        let mut found = self.in_texts();
        found.extend(self.in_documents());
        found.sort_by_key(|(item, _)| *item);
        let numbered = found.into_iter().enumerate();
        numbered.map(|(index, (_, diagram))| Diagram { index, ..diagram }).collect()
    }

    fn in_texts(&self) -> Vec<Found<'_>> {
        let mut found = Vec::new();
        for ((element, channel), pieces) in texts(&self.0.transcript) {
            let source = Source { channel, element: number(element) };
            let (text, ends) = (joined(&pieces), ends(&pieces));
            let item_at = |at| pieces[ends.partition_point(|end| *end <= at)].0;
            found.extend(find(source, &text).map(|(at, diagram)| (item_at(at), diagram)));
        }
        found
    }

    fn in_documents(&self) -> Vec<Found<'_>> {
        let transcript = &self.0.transcript;
        let mut owners = vec![(transcript.items.len(), "text", None); self.0.documents.len()];
        for (record, id) in transcript.elements.iter().zip(1..) {
            let owner = record.document.and_then(|document| owners.get_mut(document.index()));
            if let Some(owner) = owner {
                *owner = (record.items.start, transcript.channel(record.route), number(id));
            }
        }
        let mut found = Vec::new();
        for (document, (item, channel, element)) in self.0.documents.iter().zip(owners) {
            if document.value().as_str() == Some(self.text()) {
                // The answer as text: its pieces were looked at.
                continue;
            }
            let source = Source { channel, element };
            for text in strings(document.value()) {
                found.extend(find(source, text).map(|(_, diagram)| (item, diagram)));
            }
        }
        found
    }
}

fn number(element: u32) -> Option<ElementId> {
    (element > 0).then_some(ElementId(element))
}

/// The texts by element and channel. Comments are none.
fn texts(transcript: &Transcript) -> BTreeMap<(u32, &str), Pieces<'_>> {
    let mut texts: BTreeMap<_, Pieces<'_>> = BTreeMap::new();
    for (at, item) in transcript.items.iter().enumerate() {
        if let Item::Text { element, route, text, .. } = item {
            let key = (*element, transcript.channel(*route));
            texts.entry(key).or_default().push((at, transcript.slice(text)));
        }
    }
    texts
}

fn joined<'a>(pieces: &Pieces<'a>) -> Cow<'a, str> {
    match pieces.as_slice() {
        [(_, text)] => Cow::Borrowed(text),
        _ => pieces.iter().map(|(_, text)| *text).collect(),
    }
}

/// Where each piece ends in the joined text.
fn ends(pieces: &Pieces<'_>) -> Vec<usize> {
    let mut end = 0;
    let mut add = |text: &str| {
        end += text.len();
        end
    };
    pieces.iter().map(|(_, text)| add(text)).collect()
}

/// The strings of a value, in order.
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
