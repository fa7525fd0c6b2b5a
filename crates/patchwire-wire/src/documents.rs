//! Which documents a client sees, and the changes of them.

use std::collections::HashSet;

use patchwire::{
    Answer, ValueKind,
    document::DocId,
    event::{ElementId, Origin},
};

use crate::change::{Change, Edit, Edits, Place};
use crate::event_ref::{EventView, PatchView, PathRef};

/// Which documents an adapter sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Documents {
    /// The answer. If several documents may be the answer, the best one so far is sent: a document outside
    /// elements, until an element of the channel `answer` opens. The event `Final` decides.
    #[default]
    Answer,
    /// All documents: other roots, bodies of elements, arguments of tool calls. The value is an object with
    /// a member for each document, named by its number.
    All,
}

/// Turns events into changes of the value that a client sees.
#[derive(Debug, Clone, Default)]
pub(crate) struct DocumentChanges {
    documents: Documents,
    /// The document that is sent. With all documents, the last one that changed.
    shown: Option<Rank>,
    /// Whether there was another candidate for the answer.
    had_rivals: bool,
    /// The elements of the channel `answer`.
    answers: HashSet<ElementId>,
    /// The other elements whose opener was seen.
    others: HashSet<ElementId>,
    /// Whether events were missed, such as the opener of an element. Then only `Final` shows which document
    /// is the answer.
    is_late: bool,
    edits: Edits,
}

/// Orders candidates for the answer: a document in an element ranks above one outside, a later one above
/// an earlier one.
type Rank = (bool, DocId);

impl DocumentChanges {
    pub(crate) fn new(documents: Documents) -> Self {
        Self { documents, ..Self::default() }
    }

    /// Emits the changes that the event makes.
    pub(crate) fn feed<'e>(&mut self, view: &EventView<'e>, sink: &mut dyn FnMut(Change<'e>)) {
        match *view {
            EventView::ElementOpen { id, channel: "answer", .. } => {
                self.answers.insert(id);
            }
            EventView::ElementOpen { id, .. } => {
                self.others.insert(id);
            }
            // The channel of an element is unknown if its opener was missed.
            EventView::ElementClose(id) => self.is_late |= !self.knows(id),
            EventView::Patch(patch) => self.patch(&patch, sink),
            EventView::Snapshot { document, origin, value } => {
                self.is_late = true;
                if let Some(place) = self.place(document, origin, PathRef::ROOT, sink) {
                    sink(Change::of_place(place, Edit::Set(value)));
                }
            }
            EventView::Reset => {
                if self.shown.is_some() {
                    sink(self.emptied());
                }
                *self = Self {
                    shown: self.shown.filter(|_| self.is_all()),
                    ..Self::new(self.documents)
                };
            }
            EventView::Final(answer) => self.settle(answer, sink),
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
        let edit = if self.is_all() { Edit::Open(ValueKind::Object) } else { Edit::Remove };
        Change::of_place(Place::ROOT, edit)
    }

    fn patch<'e>(&mut self, patch: &PatchView<'e>, sink: &mut dyn FnMut(Change<'e>)) {
        let Some(edit) = self.edits.of(patch) else { return };
        if let Some(place) = self.place(patch.document, patch.origin, patch.path, sink) {
            sink(Change { place, edit, field: Some(patch.field()) });
        }
    }

    /// The place of a path of a document in the value; none if the document is not sent.
    fn place<'e>(
        &mut self,
        document: DocId,
        origin: &Origin,
        path: PathRef<'e>,
        sink: &mut dyn FnMut(Change<'e>),
    ) -> Option<Place<'e>> {
        let rank = (origin.element.is_some(), document);
        if self.is_all() {
            if self.shown.replace(rank).is_none() {
                sink(self.emptied());
            }
            return Some(Place { document: Some(document), path });
        }
        self.is_late |= origin.element.is_some_and(|id| !self.knows(id));
        if !self.may_be_the_answer(origin) {
            return None;
        }
        let shown = *self.shown.get_or_insert(rank);
        self.had_rivals |= shown != rank;
        if rank < shown || (rank > shown && !path.is_root()) {
            return None;
        }
        self.shown = Some(rank);
        Some(Place { document: None, path })
    }

    fn may_be_the_answer(&self, origin: &Origin) -> bool {
        let in_its_place = origin.element.is_none_or(|id| self.answers.contains(&id));
        origin.call.is_none() && origin.root == 0 && in_its_place
    }

    /// Sends the final answer, if another document was sent or may have been sent.
    fn settle<'e>(&self, answer: &'e Answer, sink: &mut dyn FnMut(Change<'e>)) {
        if self.is_all() {
            return;
        }
        let value = answer.value();
        let is_outside = self.shown.is_some_and(|(in_element, _)| !in_element);
        if value.exists() && (self.shown.is_none() || self.had_rivals || self.is_late) {
            sink(Change::of_place(Place::ROOT, Edit::Set(value)));
        } else if !value.exists() && is_outside && (self.is_late || !self.answers.is_empty()) {
            // The answer is an element without content. Without such an element, the answer has no value
            // only if the parser keeps none; then the value that was sent is right.
            sink(Change::of_place(Place::ROOT, Edit::Remove));
        }
    }
}
