//! The emitted text of a stream, in order, by element and channel. The views of an answer read it.

use core::ops::Range;
use std::sync::Arc;

use crate::document::DocId;
use crate::element::CloseReason;
use crate::span::Span;

/// The text of a channel or an element, joined from the texts of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum JoinedText {
    /// A range of the transcript's text.
    One(Range<usize>),
    Several(String),
}

impl Default for JoinedText {
    fn default() -> Self {
        Self::One(0..0)
    }
}

/// Where a text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    /// The channel of text outside elements.
    Text,
    Reasoning,
    Answer,
    /// The channel of the tag family with this number.
    Named(u16),
}

/// One emitted thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TranscriptItem {
    Text {
        element: u32,
        route: Route,
        text: Range<usize>,
        span: Span,
    },
    Comment {
        element: u32,
        text: Range<usize>,
    },
    Open(u32),
    Close(u32),
    /// Ends the text before it, without an element.
    Break,
}

/// An element, numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ElementRecord {
    pub(crate) id: u32,
    pub(crate) family: u16,
    /// The name in the marker, if the family has none.
    pub(crate) tag: Option<Box<str>>,
    /// The number of the element around this one; 0 if there is none.
    pub(crate) parent: u32,
    pub(crate) params: Vec<(String, String)>,
    pub(crate) route: Route,
    pub(crate) reason: Option<CloseReason>,
    /// From the opener's first byte to the closer's last.
    pub(crate) span: Span,
    /// The bytes between opener and closer.
    pub(crate) inside: Span,
    pub(crate) document: Option<DocId>,
    /// The families of the reasoning that its opener interrupted.
    pub(crate) interrupted: Vec<u16>,
    /// The one of them that a closer came for later: the opener may have been a mention.
    pub(crate) doubted_by: Option<u16>,
    /// Whether its body ended inside a string.
    pub(crate) is_cut: bool,
    /// Whether a string of its body ran over markers of other elements.
    pub(crate) ran_over: bool,
    /// The items of the element, its `Open` included.
    pub(crate) items: Range<usize>,
}

/// The names of a tag family and of its channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FamilyNames {
    pub(crate) family: String,
    pub(crate) channel: String,
    pub(crate) is_comment: bool,
}

/// The items and elements of a stream.
///
/// A *brief* transcript drops elements that close and joins the texts of a channel: it keeps what the text
/// and the reasoning of an answer need, and no more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Transcript {
    /// The names of the tag families, by number.
    names: Arc<[FamilyNames]>,
    is_brief: bool,
    /// In a brief transcript: the next text does not join the text before it.
    is_interrupted: bool,
    text: String,
    pub(crate) items: Vec<TranscriptItem>,
    /// All elements; in a brief transcript, only open ones.
    pub(crate) elements: Vec<ElementRecord>,
    count: u32,
}

impl Transcript {
    pub(crate) fn new(names: Arc<[FamilyNames]>, is_brief: bool) -> Self {
        Self { names, is_brief, ..Self::default() }
    }

    /// Elements so far.
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// The name of an element.
    pub(crate) fn name<'a>(&'a self, record: &'a ElementRecord) -> &'a str {
        match &record.tag {
            Some(tag) => tag,
            None => self.names.get(usize::from(record.family)).map_or("", |name| &name.family),
        }
    }

    /// Whether an element is a comment.
    pub(crate) fn is_comment(&self, record: &ElementRecord) -> bool {
        self.names.get(usize::from(record.family)).is_some_and(|name| name.is_comment)
    }

    /// The name of a channel.
    pub(crate) fn channel(&self, route: Route) -> &str {
        match route {
            Route::Text => "text",
            Route::Reasoning => "reasoning",
            Route::Answer => "answer",
            Route::Named(family) => {
                self.names.get(usize::from(family)).map_or("", |name| &name.channel)
            }
        }
    }

    /// Appends text: to the last item if that is text of the same element and channel, else as a new item.
    #[inline]
    pub(crate) fn emit(&mut self, element: u32, route: Route, delta: &str, span: Span) {
        let element = if self.is_brief { 0 } else { element };
        let is_interrupted = core::mem::take(&mut self.is_interrupted) && route == Route::Text;
        let start = self.text.len();
        self.text.push_str(delta);
        match self.items.last_mut() {
            Some(TranscriptItem::Text { element: last, route: same, text, span: all })
                if (*last, *same) == (element, route)
                    && !is_interrupted
                    && (self.is_brief || all.end == span.start) =>
            {
                text.end = self.text.len();
                all.end = span.end;
            }
            _ => self.items.push(TranscriptItem::Text {
                element,
                route,
                text: start..self.text.len(),
                span,
            }),
        }
    }

    /// Appends text of a comment.
    pub(crate) fn comment(&mut self, element: u32, delta: &str) {
        if self.is_brief {
            return;
        }
        let start = self.text.len();
        self.text.push_str(delta);
        let end = self.text.len();
        match self.items.last_mut() {
            Some(TranscriptItem::Comment { element: last, text }) if *last == element => {
                text.end = end
            }
            _ => self.items.push(TranscriptItem::Comment { element, text: start..end }),
        }
    }

    /// Keeps the text that follows from joining the text before it.
    pub(crate) fn interrupt(&mut self) {
        if !self.is_brief && !matches!(self.items.last(), None | Some(TranscriptItem::Break)) {
            self.items.push(TranscriptItem::Break);
        }
    }

    /// Opens an element. Its number is the count of elements, this one included.
    pub(crate) fn open(&mut self, record: ElementRecord) {
        self.count += 1;
        let (id, items) = (self.count, self.items.len()..self.items.len());
        self.elements.push(ElementRecord { id, items, ..record });
        if !self.is_brief {
            self.items.push(TranscriptItem::Open(id));
        }
    }

    pub(crate) fn close(&mut self, id: u32, reason: CloseReason, span: Span) {
        if self.is_brief {
            // The innermost element closes first.
            self.elements.pop();
            self.is_interrupted = true;
            return;
        }
        let end = self.items.len();
        self.items.push(TranscriptItem::Close(id));
        if let Some(record) = self.element_mut(id) {
            record.reason = Some(reason);
            record.inside.end = span.start;
            record.span.end = span.end;
            record.items.end = end;
        }
    }

    pub(crate) fn element(&self, id: u32) -> Option<&ElementRecord> {
        self.elements.get(self.index(id)?)
    }

    fn index(&self, id: u32) -> Option<usize> {
        if self.is_brief {
            return self.elements.binary_search_by_key(&id, |record| record.id).ok();
        }
        (id as usize).checked_sub(1)
    }

    pub(crate) fn element_mut(&mut self, id: u32) -> Option<&mut ElementRecord> {
        let index = self.index(id)?;
        self.elements.get_mut(index)
    }

    /// Moves the texts between two offsets to another channel.
    pub(crate) fn reclassify(&mut self, from: u64, to: u64, route: Route) {
        for item in self.items.iter_mut().rev() {
            match item {
                TranscriptItem::Text { span, .. } if span.end <= from => break,
                TranscriptItem::Text { route: old, span, .. }
                    if span.start >= from && span.end <= to =>
                {
                    *old = route;
                }
                _ => {}
            }
        }
    }

    /// Moves an element and its own texts to another channel.
    pub(crate) fn reroute(&mut self, id: u32, to: Route) {
        let items = self.items_of(id);
        if let Some(record) = self.element_mut(id) {
            record.route = to;
        }
        for item in self.items.get_mut(items).unwrap_or_default() {
            match item {
                TranscriptItem::Text { element, route, .. } if *element == id => *route = to,
                _ => {}
            }
        }
    }

    /// Whether an element that has ended has visible text of its own.
    pub(crate) fn has_visible_text(&self, id: u32) -> bool {
        self.items.get(self.items_of(id)).unwrap_or_default().iter().any(|item| match item {
            TranscriptItem::Text { element, text, .. } if *element == id => {
                !self.slice(text).trim().is_empty()
            }
            _ => false,
        })
    }

    /// The items among which are those of an element that has ended. A brief transcript has none of elements.
    fn items_of(&self, id: u32) -> Range<usize> {
        self.element(id).map(|record| record.items.clone()).unwrap_or_default()
    }

    /// Turns the bytes of `lost` that no text covers into text: they join the text before them or, if there
    /// is none, the text after them.
    pub(crate) fn restore(&mut self, lost: Span, raw: &[u8]) {
        let ours = |item: &TranscriptItem| match item {
            TranscriptItem::Text { span, .. } => (lost.start <= span.start).then_some(*span),
            _ => None,
        };
        let before =
            self.items.iter().rposition(|item| ours(item).is_some_and(|span| span.end <= lost.end));
        let place = before.or_else(|| self.items.iter().position(|item| ours(item).is_some()));
        let from = before.and_then(|at| ours(&self.items[at])).map_or(lost.start, |span| span.end);
        let bytes = raw.get(from as usize..lost.end as usize).unwrap_or(b"");
        let bytes = String::from_utf8_lossy(bytes);
        let Some(TranscriptItem::Text { text, span, .. }) = place.map(|at| &mut self.items[at])
        else {
            return self.emit(0, Route::Text, &bytes, Span::new(from, lost.end));
        };
        let start = self.text.len();
        let own = self.text[text.clone()].to_owned();
        self.text += &(if before.is_some() { own + &bytes } else { bytes.into_owned() + &own });
        *text = start..self.text.len();
        *span = Span::new(span.start.min(from), span.end.max(lost.end));
    }

    pub(crate) fn slice(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or("")
    }

    /// The texts of a channel, in order.
    pub(crate) fn texts(&self, wanted: Route) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(move |item| match item {
            TranscriptItem::Text { route, text, .. } if *route == wanted => Some(self.slice(text)),
            _ => None,
        })
    }

    /// The joined text of a channel.
    pub(crate) fn text_of(&self, route: Route) -> JoinedText {
        self.join(|item| match item {
            TranscriptItem::Text { route: its, text, .. } if *its == route => Some(text),
            _ => None,
        })
    }

    /// The joined text of these elements, without that of elements inside them. `elements` is sorted.
    pub(crate) fn texts_in(&self, elements: &[u32]) -> JoinedText {
        self.join(|item| match item {
            TranscriptItem::Text { element, text, .. }
                if elements.binary_search(element).is_ok() =>
            {
                Some(text)
            }
            _ => None,
        })
    }

    /// Joins the texts that are chosen. One alone is not copied.
    fn join(&self, chosen: impl Fn(&TranscriptItem) -> Option<&Range<usize>>) -> JoinedText {
        let mut texts = self.items.iter().filter_map(chosen).peekable();
        let Some(first) = texts.next() else { return JoinedText::default() };
        if texts.peek().is_none() {
            return JoinedText::One(first.clone());
        }
        JoinedText::Several(core::iter::once(first).chain(texts).map(|it| self.slice(it)).collect())
    }

    /// A joined text of this transcript.
    pub(crate) fn joined<'t>(&'t self, text: &'t JoinedText) -> &'t str {
        match text {
            JoinedText::One(range) => self.slice(range),
            JoinedText::Several(text) => text,
        }
    }

    /// Whether a channel has more than whitespace.
    pub(crate) fn has(&self, route: Route) -> bool {
        self.texts(route).any(|text| !text.trim().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::{ElementRecord, FamilyNames, Route, Transcript, TranscriptItem};
    use crate::element::CloseReason;
    use crate::span::Span;

    /// Makes a transcript. `a@3-4` is text at these offsets; in front of it may be an element and a route:
    /// `1r:a@3-4` is reasoning in element 1. `(@3` opens an element, `)1@3` closes element 1, `|` interrupts.
    fn transcript(is_brief: bool, steps: &str) -> Transcript {
        let names = FamilyNames {
            family: "pad".to_owned(),
            channel: "notes".to_owned(),
            is_comment: false,
        };
        let mut all = Transcript::new([names].into(), is_brief);
        for step in steps.split_whitespace() {
            let number = |text: &str| text.parse::<u64>().expect("a number");
            let (what, place) = step.split_once('@').unwrap_or((step, "0"));
            let (from, to) = place.split_once('-').unwrap_or((place, place));
            let span = Span::new(number(from), number(to));
            match what.split_at(1) {
                ("|", _) => all.interrupt(),
                ("(", _) => all.open(record(span)),
                (")", id) => all.close(number(id) as u32, CloseReason::Observed, span),
                _ => {
                    let (whose, text) = what.split_once(':').unwrap_or(("", what));
                    let route = match whose.get(1..) {
                        Some("r") => Route::Reasoning,
                        Some("n") => Route::Named(0),
                        _ => Route::Text,
                    };
                    let element = whose.get(..1).map_or(0, |id| number(id) as u32);
                    all.emit(element, route, text, span);
                }
            }
        }
        all
    }

    fn record(span: Span) -> ElementRecord {
        ElementRecord {
            id: 0,
            family: 0,
            tag: None,
            parent: 0,
            params: Vec::new(),
            route: Route::Named(0),
            reason: None,
            span,
            inside: Span::at(span.end),
            document: None,
            interrupted: Vec::new(),
            doubted_by: None,
            is_cut: false,
            ran_over: false,
            items: 0..0,
        }
    }

    fn shown(all: &Transcript) -> String {
        let item = |item: &TranscriptItem| match item {
            TranscriptItem::Text { element, route, text, span } => {
                let (text, channel) = (all.slice(text), all.channel(*route));
                format!("{element}:{channel}({text})@{}-{}", span.start, span.end)
            }
            TranscriptItem::Open(id) => format!("<{id}>"),
            TranscriptItem::Close(id) => format!("</{id}>"),
            TranscriptItem::Break => "|".to_owned(),
            TranscriptItem::Comment { element, text } => {
                format!("{element}:comment({})", all.slice(text))
            }
        };
        all.items.iter().map(item).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn texts_join_within_an_element_and_a_channel() {
        for (steps, full, brief) in [
            ("a@0-1 b@1-2", "0:text(ab)@0-2", "0:text(ab)@0-2"),
            ("a@0-1 b@4-5", "0:text(a)@0-1 0:text(b)@4-5", "0:text(ab)@0-5"),
            ("a@0-1 | b@1-2", "0:text(a)@0-1 | 0:text(b)@1-2", "0:text(ab)@0-2"),
            (
                "a@0-1 0r:b@1-2 0r:c@2-3",
                "0:text(a)@0-1 0:reasoning(bc)@1-3",
                "0:text(a)@0-1 0:reasoning(bc)@1-3",
            ),
            (
                "a@0-1 (@1-2 1n:b@2-3 )1@3-4 c@4-5",
                "0:text(a)@0-1 <1> 1:notes(b)@2-3 </1> 0:text(c)@4-5",
                "0:text(a)@0-1 0:notes(b)@2-3 0:text(c)@4-5",
            ),
        ] {
            assert_eq!(shown(&transcript(false, steps)), full, "{steps}");
            assert_eq!(shown(&transcript(true, steps)), brief, "brief: {steps}");
        }
    }

    #[test]
    fn comments_join_within_an_element() {
        for (is_brief, want) in
            [(false, "0:text(a)@0-1 0:comment(xy) 1:comment(z)"), (true, "0:text(a)@0-1")]
        {
            let mut all = transcript(is_brief, "a@0-1");
            for (element, text) in [(0, "x"), (0, "y"), (1, "z")] {
                all.comment(element, text);
            }
            assert_eq!(shown(&all), want);
        }
    }

    #[test]
    fn elements_know_their_bytes_and_items() {
        let steps = "(@0-2 1n:b@2-3 )1@3-5 (@5-6";
        let all = transcript(false, steps);
        let first = all.element(1).expect("the element");
        assert_eq!((first.span, first.inside), (Span::new(0, 5), Span::new(2, 3)));
        assert_eq!((first.items.clone(), first.reason), (0..2, Some(CloseReason::Observed)));
        assert_eq!((all.name(first), all.count()), ("pad", 2));
        assert_eq!(all.element(2).and_then(|element| element.reason), None);

        let brief = transcript(true, steps);
        assert_eq!((brief.count(), brief.elements.len()), (2, 1));
        assert!(brief.element(1).is_none() && brief.element(2).is_some());
    }

    #[test]
    fn texts_of_channels_and_elements() {
        let steps = "a@0-1 (@1-1 1n:b@1-2 (@2-2 2r:c@2-3 )2@3-3 1n:d@3-4 )1@4-4 e@4-5";
        let all = transcript(false, steps);
        for (text, want) in [
            (all.text_of(Route::Text), "ae"),
            (all.text_of(Route::Reasoning), "c"),
            (all.text_of(Route::Answer), ""),
            (all.texts_in(&[1]), "bd"),
            (all.texts_in(&[0, 2]), "ace"),
        ] {
            assert_eq!(all.joined(&text), want);
        }
        assert!(all.has(Route::Reasoning) && !all.has(Route::Answer));
    }

    /// Texts of other elements, comments and elements inside are no text of its own.
    #[test]
    fn visible_text_of_an_element() {
        for (steps, visible) in [
            ("(@0 1:a@1-2 )1@2", [true, false]),
            ("(@0 )1@2", [false, false]),
            ("a@0-1 (@1 )1@2 b@2-3", [false, false]),
            ("(@0 (@1 2:a@1-2 )2@2 )1@3", [false, true]),
            ("(@0 (@1 )2@2 1:b@2-3 )1@3", [true, false]),
            ("(@0 | )1@1 (@1 2:b@1-2 )2@3", [false, true]),
            ("(@0 1:\u{a0}@1-2 )1@2", [false, false]),
        ] {
            let mut all = transcript(false, "");
            let blank = steps.contains('\u{a0}');
            if blank {
                all.open(record(Span::new(0, 1)));
                all.emit(1, Route::Text, " \n", Span::new(1, 3));
                all.comment(1, "x");
                all.close(1, CloseReason::Observed, Span::new(3, 4));
            } else {
                all = transcript(false, steps);
            }
            assert_eq!([1, 2].map(|id| all.has_visible_text(id)), visible, "{steps}");
        }
    }

    #[test]
    fn an_element_and_its_own_texts_move_together() {
        let steps = "a@0-1 (@1-1 1n:b@1-2 (@2-2 2n:c@2-3 )2@3-3 1n:d@3-4 )1@4-4 (@4 3n:e@4-5 )3@5";
        for (id, want) in [(1, "bd"), (2, "c"), (3, "e")] {
            let mut all = transcript(false, steps);
            all.reroute(id, Route::Reasoning);
            assert_eq!(all.joined(&all.text_of(Route::Reasoning)), want, "{id}");
            let rerouted = [1, 2, 3].map(|id| all.element(id).map(|it| it.route));
            let moved = rerouted.iter().position(|it| *it == Some(Route::Reasoning));
            assert_eq!(moved, Some(id as usize - 1));
        }
    }

    #[test]
    fn reclassified_texts_change_their_channel() {
        let steps = "a@0-1 | b@1-2 | c@2-3";
        for (from, to, want) in [(0, 2, "c"), (1, 2, "ac"), (2, 3, "ab"), (0, 3, ""), (3, 9, "abc")]
        {
            let mut all = transcript(false, steps);
            all.reclassify(from, to, Route::Reasoning);
            assert_eq!(all.joined(&all.text_of(Route::Text)), want, "{from}-{to}");
        }
    }

    #[test]
    fn bytes_that_no_text_covers_are_restored() {
        for (steps, lost, want) in [
            ("a@0-1", Span::new(0, 3), "0:text(axy)@0-3"),
            ("z@3-4", Span::new(1, 3), "0:text(xyz)@1-4"),
            ("", Span::new(1, 3), "0:text(xy)@1-3"),
        ] {
            let mut all = transcript(false, steps);
            all.restore(lost, b"axyz");
            assert_eq!(shown(&all), want, "{steps}");
        }
    }
}
