//! Which document is shown, and what happens to it.

use std::collections::HashSet;

use patchwire::{
    Answer, ValueKind,
    document::DocId,
    event::{ElementId, Origin},
};

use crate::change::{Change, Place, What};
use crate::told::{Patched, Route, Seen};

/// Which documents an adapter tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Documents {
    /// The answer. Where several could be it, the one that is by what is known so far: what stands
    /// outside elements, until an element opens whose channel is the answer. The end has the last word.
    #[default]
    Answer,
    /// All of them: other roots, bodies of elements, arguments of tool calls. What is told of is an
    /// object, in which each document stands under its number.
    All,
}

/// Makes changes of what is shown out of events.
#[derive(Debug, Clone, Default)]
pub(crate) struct Follow {
    documents: Documents,
    /// The one that is shown; with all of them, any.
    shown: Option<Rank>,
    /// Whether there was another that could be the answer.
    had_rivals: bool,
    /// Elements whose channel is the answer.
    answers: HashSet<ElementId>,
    /// All others that were seen to open.
    others: HashSet<ElementId>,
    /// Whether something was missed before a snapshot, such as an element that opened. Then only the end
    /// knows which document is the answer.
    is_late: bool,
}

/// What is in an element comes before what is not, and what came later before what came first.
type Rank = (bool, DocId);

impl Follow {
    pub(crate) fn new(documents: Documents) -> Self {
        Self { documents, ..Self::default() }
    }

    /// Tells what the event changes.
    pub(crate) fn feed<'e>(&mut self, seen: &Seen<'e>, sink: &mut dyn FnMut(Change<'e>)) {
        match *seen {
            Seen::ElementOpen { id, channel: "answer", .. } => {
                self.answers.insert(id);
            }
            Seen::ElementOpen { id, .. } => {
                self.others.insert(id);
            }
            // Of one that was not seen to open it is not known what it holds.
            Seen::ElementClose(id) => self.is_late |= !self.knows(id),
            Seen::Patch(patch) => self.patch(&patch, sink),
            Seen::Snapshot { document, origin, value } => {
                self.is_late = true;
                if let Some(place) = self.place(document, origin, Route::ROOT, sink) {
                    sink(Change { place, what: What::Set(value) });
                }
            }
            Seen::Reset => {
                if self.shown.is_some() {
                    sink(self.emptied());
                }
                *self = Self {
                    shown: self.shown.filter(|_| self.is_all()),
                    ..Self::new(self.documents)
                };
            }
            Seen::Final(answer) => self.settle(answer, sink),
            _ => {}
        }
    }

    fn knows(&self, id: ElementId) -> bool {
        self.answers.contains(&id) || self.others.contains(&id)
    }

    const fn is_all(&self) -> bool {
        matches!(self.documents, Documents::All)
    }

    const fn emptied(&self) -> Change<'static> {
        let what = if self.is_all() { What::Open(ValueKind::Object) } else { What::Remove };
        Change { place: Place::ROOT, what }
    }

    fn patch<'e>(&mut self, patch: &Patched<'e>, sink: &mut dyn FnMut(Change<'e>)) {
        let Some(what) = patch.what() else { return };
        if let Some(place) = self.place(patch.document, patch.origin, patch.route, sink) {
            sink(Change { place, what });
        }
    }

    /// Where in what is shown a place of a document is, if anywhere.
    fn place<'e>(
        &mut self,
        document: DocId,
        origin: &Origin,
        route: Route<'e>,
        sink: &mut dyn FnMut(Change<'e>),
    ) -> Option<Place<'e>> {
        let rank = (origin.element.is_some(), document);
        if self.is_all() {
            if self.shown.replace(rank).is_none() {
                sink(self.emptied());
            }
            return Some(Place { document: Some(document), route });
        }
        self.is_late |= origin.element.is_some_and(|id| !self.knows(id));
        if !self.may_be_the_answer(origin) {
            return None;
        }
        let shown = *self.shown.get_or_insert(rank);
        self.had_rivals |= shown != rank;
        if rank < shown || (rank > shown && !route.is_root()) {
            return None;
        }
        self.shown = Some(rank);
        Some(Place { document: None, route })
    }

    fn may_be_the_answer(&self, origin: &Origin) -> bool {
        let in_its_place = origin.element.is_none_or(|id| self.answers.contains(&id));
        origin.call.is_none() && origin.root == 0 && in_its_place
    }

    /// The answer is known now: it is shown, if something else was or may have been.
    fn settle<'e>(&self, answer: &'e Answer, sink: &mut dyn FnMut(Change<'e>)) {
        if self.is_all() {
            return;
        }
        let value = answer.value();
        let is_outside = self.shown.is_some_and(|(in_element, _)| !in_element);
        if value.exists() && (self.shown.is_none() || self.had_rivals || self.is_late) {
            sink(Change { place: Place::ROOT, what: What::Set(value) });
        } else if !value.exists() && is_outside && (self.is_late || !self.answers.is_empty()) {
            // An element is the answer, and there is nothing in it. Where there is none, a parser that
            // keeps no value has none to show here.
            sink(Change { place: Place::ROOT, what: What::Remove });
        }
    }
}
