//! What was emitted of a stream, in order: texts by element and channel, for the answer's views.

use core::ops::Range;
use std::sync::Arc;

use crate::document::DocId;
use crate::element::CloseReason;
use crate::span::Span;

/// Where a text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    /// Outside elements, or as if it were.
    Text,
    Reasoning,
    Answer,
    /// A channel of the caller's: that of the family with this number.
    Named(u16),
}

/// One thing that was emitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
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
    /// Something that ends a text without being one.
    Break,
}

/// An element, numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) id: u32,
    pub(crate) family: u16,
    /// Its own name, where the family has none.
    pub(crate) tag: Option<Box<str>>,
    /// 0 if it lies in none.
    pub(crate) parent: u32,
    pub(crate) params: Vec<(String, String)>,
    pub(crate) route: Route,
    pub(crate) reason: Option<CloseReason>,
    /// From the opener's first byte to the closer's last.
    pub(crate) span: Span,
    /// What lies between.
    pub(crate) inside: Span,
    pub(crate) document: Option<DocId>,
    /// Where its items begin and end.
    pub(crate) items: Range<usize>,
}

/// What a family is called, and its channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) family: String,
    pub(crate) channel: String,
    pub(crate) comment: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Transcript {
    /// Of the families, by their numbers.
    names: Arc<[Name]>,
    /// Nothing is kept of elements that closed, and of texts only what they join to.
    brief: bool,
    /// In a brief transcript: the next text is another one.
    apart: bool,
    text: String,
    pub(crate) items: Vec<Item>,
    /// In a brief transcript: of those that are open.
    pub(crate) elements: Vec<Record>,
    count: u32,
}

impl Transcript {
    pub(crate) fn new(names: Arc<[Name]>, brief: bool) -> Self {
        Self { names, brief, ..Self::default() }
    }

    /// Elements so far.
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// The name of an element.
    pub(crate) fn name<'a>(&'a self, record: &'a Record) -> &'a str {
        match &record.tag {
            Some(tag) => tag,
            None => self.names.get(usize::from(record.family)).map_or("", |name| &name.family),
        }
    }

    /// Whether it is a comment.
    pub(crate) fn is_comment(&self, record: &Record) -> bool {
        self.names.get(usize::from(record.family)).is_some_and(|name| name.comment)
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

    /// A text grew, or another began.
    #[inline]
    pub(crate) fn emit(&mut self, element: u32, route: Route, delta: &str, span: Span) {
        let element = if self.brief { 0 } else { element };
        let apart = core::mem::take(&mut self.apart) && route == Route::Text;
        let start = self.text.len();
        self.text.push_str(delta);
        match self.items.last_mut() {
            Some(Item::Text { element: last, route: same, text, span: all })
                if (*last, *same) == (element, route)
                    && !apart
                    && (self.brief || all.end == span.start) =>
            {
                text.end = self.text.len();
                all.end = span.end;
            }
            _ => self.items.push(Item::Text { element, route, text: start..self.text.len(), span }),
        }
    }

    /// A comment grew, or began.
    pub(crate) fn comment(&mut self, element: u32, delta: &str) {
        if self.brief {
            return;
        }
        let start = self.text.len();
        self.text.push_str(delta);
        let end = self.text.len();
        match self.items.last_mut() {
            Some(Item::Comment { element: last, text }) if *last == element => text.end = end,
            _ => self.items.push(Item::Comment { element, text: start..end }),
        }
    }

    /// What follows is another text.
    pub(crate) fn interrupt(&mut self) {
        if !self.brief && !matches!(self.items.last(), None | Some(Item::Break)) {
            self.items.push(Item::Break);
        }
    }

    /// An element opened; it has the number of the elements so far.
    pub(crate) fn open(&mut self, record: Record) {
        self.count += 1;
        let (id, items) = (self.count, self.items.len()..self.items.len());
        self.elements.push(Record { id, items, ..record });
        if !self.brief {
            self.items.push(Item::Open(id));
        }
    }

    pub(crate) fn close(&mut self, id: u32, reason: CloseReason, span: Span) {
        if self.brief {
            // The innermost closes first.
            self.elements.pop();
            self.apart = true;
            return;
        }
        let end = self.items.len();
        self.items.push(Item::Close(id));
        if let Some(record) = self.element_mut(id) {
            record.reason = Some(reason);
            record.inside.end = span.start;
            record.span.end = span.end;
            record.items.end = end;
        }
    }

    pub(crate) fn element(&self, id: u32) -> Option<&Record> {
        self.elements.get(self.place(id)?)
    }

    fn place(&self, id: u32) -> Option<usize> {
        if self.brief {
            return self.elements.binary_search_by_key(&id, |record| record.id).ok();
        }
        (id as usize).checked_sub(1)
    }

    pub(crate) fn element_mut(&mut self, id: u32) -> Option<&mut Record> {
        let place = self.place(id)?;
        self.elements.get_mut(place)
    }

    /// Texts between two offsets, outside what a marker opened, are of another channel.
    pub(crate) fn reclassify(&mut self, from: u64, to: u64, route: Route) {
        for item in self.items.iter_mut().rev() {
            match item {
                Item::Text { span, .. } if span.end <= from => break,
                Item::Text { route: old, span, .. } if span.start >= from && span.end <= to => {
                    *old = route;
                }
                _ => {}
            }
        }
    }

    /// The bytes up to the end of `lost` that no text from its start on covers are text as well: they
    /// join the text before them; where there is none, the one behind.
    pub(crate) fn restore(&mut self, lost: Span, raw: &[u8]) {
        let ours = |item: &Item| match item {
            Item::Text { span, .. } => (lost.start <= span.start).then_some(*span),
            _ => None,
        };
        let before =
            self.items.iter().rposition(|item| ours(item).is_some_and(|span| span.end <= lost.end));
        let place = before.or_else(|| self.items.iter().position(|item| ours(item).is_some()));
        let from = before.and_then(|at| ours(&self.items[at])).map_or(lost.start, |span| span.end);
        let bytes = raw.get(from as usize..lost.end as usize).unwrap_or(b"");
        let bytes = String::from_utf8_lossy(bytes);
        let Some(Item::Text { text, span, .. }) = place.map(|at| &mut self.items[at]) else {
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
            Item::Text { route, text, .. } if *route == wanted => Some(self.slice(text)),
            _ => None,
        })
    }

    /// The texts of a channel as one.
    pub(crate) fn joined(&self, route: Route) -> String {
        self.texts(route).collect()
    }

    /// What these elements, in order, say of their own, joined.
    pub(crate) fn texts_in(&self, elements: &[u32]) -> String {
        let own = |item: &Item| match item {
            Item::Text { element, text, .. } if elements.binary_search(element).is_ok() => {
                Some(self.slice(text))
            }
            _ => None,
        };
        self.items.iter().filter_map(own).collect()
    }

    /// Whether a channel has more than blanks.
    pub(crate) fn has(&self, route: Route) -> bool {
        self.texts(route).any(|text| !text.trim().is_empty())
    }
}
