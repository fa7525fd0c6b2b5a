//! From emits to events, which borrow.

use bytestring::ByteString;

use super::Parser;
use crate::event::{CommentEvent, ElementId, Event, ReasoningEvent, Text, TextEvent};
use crate::fold::{Emit, Told};
use crate::notice::{Notice, OwnedNotice};
use crate::story::Route;
use crate::tags::Family;

impl Parser {
    #[inline(never)]
    pub(super) fn event<'a>(
        &'a self,
        emit: &Emit,
        input: &'a str,
        buffer: Option<&'a ByteString>,
    ) -> Event<'a> {
        let span = emit.span;
        let delta = || Text::new(self.text_of(emit.text, input), buffer);
        let element = self.element();
        match emit.what {
            Told::Patch(change) => Event::Patch(self.fold.patch(&change, delta(), span)),
            Told::Text | Told::ElementText => {
                let channel = self.story.channel(self.route());
                Event::Text(TextEvent { channel, element, delta: delta(), span })
            }
            Told::Reasoning => Event::Reasoning(ReasoningEvent { element, delta: delta(), span }),
            Told::ReasoningDone => Event::ReasoningDone { span },
            Told::Comment | Told::CommentEnd => Event::Comment(CommentEvent {
                element: self.around_comment(),
                delta: delta(),
                is_complete: emit.what == Told::CommentEnd,
                span,
            }),
            Told::ElementOpen(id) => Event::ElementOpen(self.element_open(id, span)),
            Told::ElementClose(id, reason) => {
                Event::ElementClose { id: ElementId(id), reason, span }
            }
            Told::Stray(number) => {
                Event::Stray { name: self.family(number).map_or("", Family::name), span }
            }
            Told::Reclassify(from, to, number) => {
                let channel = self.family(number).map_or("", |family| family.channel().name());
                Event::Reclassify { from, to, channel }
            }
            Told::Skipped(reason) => Event::Skipped { reason, span },
            Told::Notice(code, depth) => {
                Event::Notice(Notice { code, path: self.fold.path.path(depth as usize), span })
            }
            Told::Verdict(at) => Event::Verdict(self.fold.verdict(at)),
            Told::RootComplete => {
                Event::RootComplete { document: self.fold.current(), offset: span.end }
            }
        }
    }

    /// Where text goes that is told now.
    pub(super) fn route(&self) -> Route {
        let record = self.open_elements.last().and_then(|&id| self.story.element(id));
        record.map_or(Route::Text, |record| record.route)
    }

    /// The element a comment lies in: it is one itself, but nobody is told.
    fn around_comment(&self) -> Option<ElementId> {
        let open = self.open_elements.iter().rev();
        open.copied().find(|&id| !self.is_comment_element(id)).map(ElementId)
    }

    fn is_comment_element(&self, id: u32) -> bool {
        let family = self.story.element(id).and_then(|record| self.family(record.family));
        family.is_some_and(|family| family.comment)
    }

    /// Keeps what the answer will need of an event that is about to be told.
    pub(super) fn keep(&mut self, emit: &Emit, input: &str) {
        let route = match emit.what {
            Told::Text | Told::ElementText => self.route(),
            Told::Reasoning => Route::Reasoning,
            Told::Comment => return self.keep_comment(emit, input),
            Told::CommentEnd => return self.story.interrupt(),
            Told::Notice(code, depth) => {
                self.notice_count += 1;
                let size = self.fold.path.size();
                if self.notice_count <= self.notice_limit && size <= self.notice_room {
                    self.notice_room -= size;
                    let path = self.fold.path.path(depth as usize).to_string();
                    self.notices.push(OwnedNotice { code, path, span: emit.span });
                }
                return;
            }
            _ => return,
        };
        let mut story = core::mem::take(&mut self.story);
        let element = self.open_elements.last().copied().unwrap_or(0);
        story.tell(element, route, self.text_of(emit.text, input), emit.span);
        self.story = story;
    }

    fn keep_comment(&mut self, emit: &Emit, input: &str) {
        let element = self.around_comment().map_or(0, ElementId::get);
        let mut story = core::mem::take(&mut self.story);
        story.comment(element, self.text_of(emit.text, input));
        self.story = story;
    }
}
