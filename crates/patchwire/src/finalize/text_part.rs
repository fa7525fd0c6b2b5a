//! A text that may contain a payload: the text outside elements, or the text of one element.

use crate::document::{DocId, DocNode};
use crate::element::ElementId;
use crate::format::FormatMachine;
use crate::format::json::{Candidates, Roots};
use crate::span::Span;
use crate::spec::Settings;

/// A text that may contain a payload, and what the stream knew about it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextPart {
    /// The element whose text this is; none for the text outside elements.
    pub(crate) element: Option<ElementId>,
    /// The document that was streamed first; none if the stream found no root.
    pub(crate) document: Option<DocId>,
    pub(crate) span: Span,
    /// Where the first run of visible text outside the payload begins.
    pub(crate) first_text: Option<u64>,
    /// All of the text but the whitespace around it, if that is one run.
    pub(crate) alone: Option<Span>,
    /// Whether the stream found a payload of the format.
    pub(crate) has_payload: bool,
    /// Sections hidden by a fence that never closed: where they begin, and a machine to read them.
    pub(crate) hidden: Option<(u64, FormatMachine)>,
    /// Roots that the text may also contain.
    pub(crate) candidates: Candidates,
    /// The string that was open at the end.
    pub(crate) leaf: Option<DocNode>,
    /// Whether the text ended inside the payload.
    pub(crate) is_truncated: bool,
}

/// A part with its bytes, to be read again.
pub(super) struct PartText<'a> {
    /// The stream from its start to the end of the part.
    pub(super) raw: &'a [u8],
    pub(super) part: &'a TextPart,
    /// Text outside elements that turned out to be reasoning, in order.
    pub(super) thoughts: &'a [Span],
}

impl PartText<'_> {
    /// Whether the text at this offset turned out to be reasoning.
    pub(super) fn is_thought(&self, at: u64) -> bool {
        let next = self.thoughts.partition_point(|thought| thought.end <= at);
        let holds = |thought: &Span| thought.start <= at;
        self.part.element.is_none() && self.thoughts.get(next).is_some_and(holds)
    }

    /// Whether the streamed root turned out to be reasoning. If each root is an answer of its own, none
    /// is taken back.
    pub(super) fn is_disowned(&self, settings: &Settings) -> bool {
        let end = self.part.candidates.taken.and_then(|taken| taken.end);
        let kept = settings.json.roots == Roots::Concatenated;
        !kept && end.is_some_and(|end| self.is_thought(end.saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::{PartText, TextPart};
    use crate::element::ElementId;
    use crate::format::json::{Candidates, Roots, Taken};
    use crate::span::Span;
    use crate::spec::Spec;

    fn part(element: Option<ElementId>, end: Option<u64>) -> TextPart {
        let taken = Some(Taken { start: 0, fenced: false, end });
        TextPart {
            element,
            document: None,
            span: Span::new(0, 99),
            first_text: None,
            alone: None,
            has_payload: true,
            hidden: None,
            candidates: Candidates { taken, ..Candidates::default() },
            leaf: None,
            is_truncated: false,
        }
    }

    #[test]
    fn text_that_turned_out_to_be_reasoning() {
        let thoughts = [Span::new(5, 10), Span::new(20, 30)];
        let outside = part(None, None);
        let text = PartText { raw: b"", part: &outside, thoughts: &thoughts };
        for (at, want) in [(4, false), (5, true), (9, true), (10, false), (20, true), (30, false)] {
            assert_eq!(text.is_thought(at), want, "{at}");
        }
        let inside = part(Some(ElementId(1)), None);
        assert!(!PartText { part: &inside, ..text }.is_thought(5));
    }

    #[test]
    fn roots_that_turned_out_to_be_reasoning() {
        let thoughts = [Span::new(5, 10)];
        for (end, roots, want) in [
            (Some(10), Roots::Best, true),
            (Some(11), Roots::Best, false),
            (None, Roots::Best, false),
            (Some(10), Roots::Concatenated, false),
        ] {
            let part = part(None, end);
            let text = PartText { raw: b"", part: &part, thoughts: &thoughts };
            let spec = Spec::builder().roots(roots).build().expect("a spec");
            assert_eq!(text.is_disowned(&spec.0), want, "{end:?} {roots:?}");
        }
    }
}
