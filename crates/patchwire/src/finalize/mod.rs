//! What a stream could not know while it ran, put right at its end: by patches, each with a notice.
//!
//! In order: a string that ran past its fence is cut; items that turned out to be keys go; the last of
//! several members of one name stands; what followed a closer that came too early is put back; a
//! candidate that fits better takes the root's place; and values that are written as another type than
//! the schema wants become that type, where nothing is lost. Formats that write fields have corrections of
//! their own: see [`fields`]. Everything is decided on the raw text, once.

mod align;
mod candidates;
mod continued;
mod fields;
mod locate;
mod order;
mod part;
mod reread;

use std::collections::{HashMap, VecDeque};

use crate::codes::Code;
use crate::document::{DocId, Document, NodeId, Place, ValueRef};
use crate::element::ElementId;
use crate::event::{Completion, PatchOp};
use crate::fold::{Change, EmissionKind, Fold, Successor};
use crate::span::Span;
use crate::spec::{Settings, Strictness};
use locate::Locator;
pub(crate) use order::order;
pub(crate) use part::Part;
use part::Text;
use reread::Reread;

/// What the finalizer looks at.
pub(crate) struct Ended<'a> {
    pub(crate) raw: Option<&'a [u8]>,
    pub(crate) settings: &'a Settings,
    /// The text outside elements, and those in elements.
    pub(crate) parts: &'a [Part],
    /// Text outside elements that turned out to be reasoning.
    pub(crate) thoughts: &'a [Span],
    /// The answer, where it is text.
    pub(crate) text: Option<String>,
}

/// One thing to put right.
#[derive(Debug, Clone, PartialEq)]
enum Correction {
    Notice(Code, Span),
    /// The same of one value.
    Noted {
        code: Code,
        document: DocId,
        node: NodeId,
        span: Span,
    },
    Remove(DocId, NodeId),
    /// A value kept beside takes another's place; silently inside one that is itself kept beside.
    Succeed {
        document: DocId,
        target: NodeId,
        source: NodeId,
        is_silent: bool,
    },
    /// A string keeps only its first bytes; silently inside a value kept beside.
    Cut {
        document: DocId,
        node: NodeId,
        len: usize,
        is_silent: bool,
    },
    /// A document's root, a container, gets the children of this one's root too.
    Continue(DocId, Document),
    /// A value becomes the root of this document.
    Put {
        document: DocId,
        node: NodeId,
        value: Document,
    },
    /// A document begins: nothing was streamed of this element's.
    Begin(ElementId),
    /// The answer is this text: that is how text comes, and nothing was wrong.
    Text(Document),
    /// A document's root is that of this one.
    Root(DocId, Document),
}

/// How often values of other types are looked for: text in a list in text is three.
const PASSES: u8 = 4;

/// What is to be put right, in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Corrections {
    queue: VecDeque<Correction>,
    /// Documents that are not whole.
    truncated: Vec<DocId>,
    /// Elements of which only the finalizer found the document.
    found: Vec<(ElementId, DocId)>,
    locator: Locator,
    /// The documents that the schema is about, and where the text of each ends.
    documents: Vec<(DocId, u64)>,
    /// How often they were looked through for values of other types than the schema wants.
    passes: u8,
    /// The members of a root that children are put back into.
    members: Option<(DocId, HashMap<String, NodeId>)>,
}

impl Corrections {
    /// Decides everything; changes nothing yet.
    pub(crate) fn plan(fold: &Fold, ended: &Ended<'_>) -> Self {
        let mut plan = Self {
            queue: VecDeque::new(),
            truncated: Vec::new(),
            found: Vec::new(),
            locator: Locator::default(),
            documents: Vec::new(),
            passes: 0,
            members: None,
        };
        if fold.documents.keeps_values() {
            ended.parts.iter().for_each(|part| plan_cut(fold, part, &mut plan.queue));
            plan_edits(fold, &mut plan.queue);
            ended.parts.iter().for_each(|part| plan.plan_part(fold, ended, part));
            if let Some(text) = &ended.text {
                plan.queue.push_back(Correction::Text(Document::string(text)));
            } else {
                ended.parts.iter().for_each(|part| plan.plan_documents(fold, part));
            }
        } else {
            let cut = ended.parts.iter().filter(|part| part.truncated);
            plan.truncated.extend(cut.filter_map(|part| part.document));
        }
        plan
    }

    /// Whether the input, or its element, ended inside this document.
    pub(crate) fn is_truncated(&self, document: usize) -> bool {
        self.truncated.iter().any(|cut| cut.index() == document)
    }

    /// Elements of which only the finalizer found the document.
    pub(crate) fn found(&self) -> &[(ElementId, DocId)] {
        &self.found
    }

    /// Puts the next thing right and emits of it. False when there is nothing left.
    pub(crate) fn apply_next(&mut self, fold: &mut Fold, settings: &Settings, end: u64) -> bool {
        if self.queue.is_empty() {
            self.plan_alignment(fold, settings);
        }
        let Some(correction) = self.queue.pop_front() else {
            fold.cursor.path.clear();
            return false;
        };
        match correction {
            Correction::Notice(code, span) => {
                self.locator.reset();
                fold.cursor.path.clear();
                fold.notice(code, span);
            }
            Correction::Noted { code, document, node, span } => {
                let tree = &fold.documents.all[document.index()];
                self.locator.locate((document, tree), node, &mut fold.cursor.path);
                fold.notice(code, span);
            }
            Correction::Put { document, node, value } => {
                let tree = &mut fold.documents.all[document.index()];
                let source = tree.graft(Place::Beside, value.value());
                tree.take_over(node, source);
                self.emit(fold, PatchOp::Replace, (document, node), end);
            }
            Correction::Remove(document, node) => self.remove(fold, (document, node), end),
            Correction::Succeed { document, target, source, is_silent } => {
                fold.documents.all[document.index()].take_over(target, source);
                if !is_silent {
                    self.emit(fold, PatchOp::Replace, (document, target), end);
                }
            }
            Correction::Cut { document, node, len, is_silent } => {
                fold.documents.all[document.index()].truncate_string(node, len);
                if !is_silent {
                    self.emit(fold, PatchOp::Replace, (document, node), end);
                }
            }
            Correction::Continue(document, more) => {
                if let Some(rest) = self.put_back(fold, (document, more), end) {
                    self.queue.push_front(Correction::Continue(document, rest));
                }
            }
            Correction::Begin(element) => fold.documents.add_for(element),
            Correction::Text(text) => {
                let node = fold.documents.all[DocId::ANSWER.index()].replace_root(text.value());
                self.locator.reset();
                fold.cursor.path.clear();
                let repaired = false;
                let change =
                    Change { repaired, ..reconciled(PatchOp::Replace, (DocId::ANSWER, node)) };
                fold.outbox.emit(EmissionKind::Patch(change), end);
            }
            Correction::Root(document, root) => {
                let node = fold.documents.all[document.index()].replace_root(root.value());
                self.locator.reset();
                self.emit(fold, PatchOp::Replace, (document, node), end);
            }
        }
        true
    }

    /// The documents of a part: its roots, and the one that only the finalizer found.
    fn plan_documents(&mut self, fold: &Fold, part: &Part) {
        let origins = fold.documents.origins.iter().enumerate();
        let streamed = origins.filter(|(_, origin)| origin.element == part.element);
        let streamed = streamed.map(|(at, _)| DocId(at as u32));
        let found = self.found.iter().filter(|&&(element, _)| part.element == Some(element));
        let found = found.map(|&(_, document)| document);
        let all = streamed.chain(found).map(|document| (document, part.span.end));
        self.documents.extend(all);
    }

    /// What is to become another type, once nothing else is to be put right. What became something may
    /// hold more of it.
    fn plan_alignment(&mut self, fold: &mut Fold, settings: &Settings) {
        let Some(schema) = settings.json.schema.as_ref().filter(|_| self.passes < PASSES) else {
            return;
        };
        self.passes += 1;
        self.locator.reset();
        fold.cursor.path.clear();
        for &(document, end) in &self.documents {
            let span = Span::at(end);
            let Some(tree) = fold.documents.all.get(document.index()) else { continue };
            for align::Aligned { code, node, value } in align::find(tree.value(), schema, settings)
            {
                self.queue.push_back(Correction::Noted { code, document, node, span });
                self.queue.push_back(Correction::Put { document, node, value });
            }
        }
        if self.queue.is_empty() {
            self.passes = PASSES;
        }
    }

    fn remove(&mut self, fold: &mut Fold, (document, node): (DocId, NodeId), end: u64) {
        self.emit(fold, PatchOp::Remove, (document, node), end);
        let document = &mut fold.documents.all[document.index()];
        if let Some(parent) = document.parent(node) {
            self.locator.recount(parent);
        }
        document.unlink(node);
    }

    /// Puts the first child of `more` into a document's root; what is left of `more`.
    fn put_back(
        &mut self,
        fold: &mut Fold,
        (document, mut more): (DocId, Document),
        end: u64,
    ) -> Option<Document> {
        let answer = &mut fold.documents.all[document.index()];
        let root = answer.root()?;
        let (key, value) = more.value().entries().next()?;
        let first = value.node()?;
        let value = more.at(first);
        let known = key.and_then(|key| self.members((document, answer), root).get(key).copied());
        let node = match (known, key) {
            (Some(target), _) => {
                let source = answer.graft(Place::Beside, value);
                answer.take_over(target, source);
                target
            }
            (None, Some(key)) => {
                let node = answer.graft(Place::Member(root, key), value);
                self.members((document, answer), root).insert(key.to_owned(), node);
                node
            }
            (None, None) => answer.graft(Place::Item(root), value),
        };
        self.emit(fold, PatchOp::Replace, (document, node), end);
        more.unlink(first);
        Some(more)
    }

    /// The members of a document's root by key.
    fn members(
        &mut self,
        (id, document): (DocId, &Document),
        root: NodeId,
    ) -> &mut HashMap<String, NodeId> {
        if self.members.as_ref().is_some_and(|&(known, _)| known != id) {
            self.members = None;
        }
        let (_, members) = self.members.get_or_insert_with(|| {
            let members = document.at(root).entries();
            let known =
                |(key, value): (Option<&str>, ValueRef<'_>)| Some((key?.to_owned(), value.node()?));
            (id, members.filter_map(known).collect())
        });
        members
    }

    /// Tells of a change the finalizer made, at the path of its node.
    fn emit(&mut self, fold: &mut Fold, op: PatchOp, (document, node): (DocId, NodeId), end: u64) {
        let tree = &fold.documents.all[document.index()];
        self.locator.locate((document, tree), node, &mut fold.cursor.path);
        let depth = fold.cursor.path.depth() as u32;
        let change = Change { depth, ..reconciled(op, (document, node)) };
        fold.outbox.emit(EmissionKind::Patch(change), end);
    }
}

/// A change of a root that the finalizer made.
const fn reconciled(op: PatchOp, (document, node): (DocId, NodeId)) -> Change {
    let completion = Some(Completion::Reconciled);
    Change { document, op, node, depth: 0, completion, repaired: true, has_last_value: false }
}

fn plan_edits(fold: &Fold, queue: &mut VecDeque<Correction>) {
    queue.extend(
        fold.shadow.removals.iter().map(|&(document, node)| Correction::Remove(document, node)),
    );
    for &successor in &fold.shadow.successors {
        let Successor { document, target, source, is_silent } = successor;
        queue.push_back(Correction::Succeed { document, target, source, is_silent });
    }
}

/// A string that was open at the end and swallowed the closing line of the payload's fence.
fn plan_cut(fold: &Fold, part: &Part, queue: &mut VecDeque<Correction>) {
    let fenced = part.candidates.taken.is_some_and(|taken| taken.fenced);
    let Some((document, leaf)) = part.leaf.filter(|_| fenced && part.truncated) else { return };
    let text = fold.documents.all[document.index()].at(leaf).as_str().unwrap_or("");
    let fences = ["\n```", "\n~~~"];
    if let Some(at) = fences.iter().filter_map(|fence| text.find(fence)).min() {
        let at = text[..at].trim_end_matches('\r').len();
        queue.push_back(Correction::Notice(Code::FenceInString, Span::at(fold.outbox.last_end)));
        let is_silent = !fold.documents.all[document.index()].is_in_place(leaf);
        queue.push_back(Correction::Cut { document, node: leaf, len: at, is_silent });
    }
}

impl Corrections {
    /// A root itself: continued, replaced, or found only now.
    fn plan_part(&mut self, fold: &Fold, ended: &Ended<'_>, part: &Part) {
        let mut truncated = part.truncated;
        let mut document = part.document;
        let known =
            document.unwrap_or_else(|| DocId(fold.documents.count() + self.found.len() as u32));
        let raw = ended.raw.filter(|_| ended.settings.strictness == Strictness::Lenient);
        let fields = fields::is_of(ended.settings.format);
        if fields || raw.is_some() {
            truncated = match raw {
                Some(raw) if !fields => {
                    self.plan_root((fold, known), ended, (part, raw), truncated)
                }
                _ => self.plan_fields((fold, known), ended, part),
            };
            if self.found.last().is_some_and(|&(_, found)| found == known) {
                document = Some(known);
            }
        }
        self.truncated.extend(document.filter(|_| truncated));
    }

    /// Whether the root that it comes to is truncated.
    fn plan_root(
        &mut self,
        (fold, document): (&Fold, DocId),
        ended: &Ended<'_>,
        (part, raw): (&Part, &[u8]),
        mut truncated: bool,
    ) -> bool {
        let none = Document::default();
        let streamed =
            part.document.map_or(&none, |known| &fold.documents.all[known.index()]).value();
        let text = Text { raw: &raw[..part.span.end as usize], part, thoughts: ended.thoughts };
        let root = if text.is_disowned(ended.settings) { streamed.absent() } else { streamed };
        let mut taken = Span::at(0);
        if let Some(more) = continued::find(&text, ended.settings, root) {
            self.queue.push_back(Correction::Notice(Code::ContinuedRoot, more.span));
            self.note_refused(&more);
            self.queue.push_back(Correction::Continue(document, more.document));
            taken = more.span;
            truncated |= !more.complete;
        }
        let Some(best) = candidates::best(&text, ended.settings, (root, taken, truncated)) else {
            if let (false, Some(root)) = (root.exists(), streamed.node()) {
                self.queue.push_back(Correction::Remove(document, root));
            }
            return truncated;
        };
        if let (None, Some(element)) = (part.document, part.element) {
            self.queue.push_back(Correction::Begin(element));
            self.found.push((element, document));
        }
        if streamed.exists() {
            self.queue.push_back(Correction::Notice(Code::BetterCandidate, best.span));
        } else if best.scalar {
            self.queue.push_back(Correction::Notice(Code::ScalarRoot, best.span));
        }
        self.note_refused(&best);
        self.queue.push_back(Correction::Root(document, best.document));
        !best.complete
    }

    fn note_refused(&mut self, read: &Reread) {
        if read.refused {
            self.queue.push_back(Correction::Notice(Code::KindNotGranted, read.span));
        }
    }
}
