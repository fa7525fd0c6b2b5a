//! Carries out corrections: changes documents and emits the patches.

use std::collections::HashMap;

use super::Correction;
use super::locate::Locator;
use crate::document::{DocId, DocNode, Document, NodeId, Placement, ValueRef};
use crate::event::{Completion, PatchOp};
use crate::fold::{Change, EmissionKind, Fold};
use crate::path::PathStack;

/// State that is kept from one correction to the next.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Applier {
    locator: Locator,
    /// The members, by key, of the root that children are put back into.
    members: Option<(DocId, HashMap<String, NodeId>)>,
}

impl Applier {
    /// Carries out one correction. Returns the rest of it, if it takes several steps.
    pub(super) fn apply(
        &mut self,
        correction: Correction,
        fold: &mut Fold,
        end: u64,
    ) -> Option<Correction> {
        match correction {
            Correction::Notice(code, span) => {
                self.reset(fold);
                fold.notice(code, span);
            }
            // What was removed before is not corrected.
            Correction::ValueNotice { at, .. } | Correction::Replace { at, .. }
                if fold.documents.all[at.document.index()].is_detached(at.node) => {}
            Correction::ValueNotice { code, at, span } => {
                self.locator.locate(&fold.documents.all, at, &mut fold.cursor.path);
                fold.notice(code, span);
            }
            Correction::MemberNotice { code, name, span } => {
                self.go_to_member(fold, &name);
                fold.notice(code, span);
            }
            Correction::PathNotice(notice) => {
                self.go_to(fold, notice.path).notice(notice.code, notice.span);
            }
            Correction::SlipNotice(notice) => {
                self.go_to(fold, notice.path).repair_notice(notice.code, notice.span, notice.cost);
            }
            Correction::Replace { at, value } => {
                let tree = document_mut(fold, at.document);
                let source = tree.graft(Placement::Detached, value.value());
                tree.take_over(at.node, source);
                self.emit(fold, PatchOp::Replace, at, end);
            }
            Correction::Remove(at) => self.remove(fold, at, end),
            Correction::Succeed(successor) => {
                let at = DocNode { document: successor.document, node: successor.target };
                let document = document_mut(fold, at.document);
                document.take_over(at.node, successor.source);
                // What is not in the tree was never emitted, or has just been removed.
                if self.locator.takes_over_in_place(&fold.documents.all, at) {
                    self.emit(fold, PatchOp::Replace, at, end);
                }
            }
            Correction::Cut { at, len, is_silent } => {
                document_mut(fold, at.document).truncate_string(at.node, len);
                if !is_silent {
                    self.emit(fold, PatchOp::Replace, at, end);
                }
            }
            Correction::Continue(document, more) => {
                let rest = self.put_back(fold, document, more, end);
                return rest.map(|rest| Correction::Continue(document, rest));
            }
            Correction::Begin(element) => fold.documents.add_for(element),
            Correction::Text(text) => self.put_text(fold, &text, end),
            Correction::Root(document, root) => {
                let node = document_mut(fold, document).replace_root(root.value());
                self.locator.reset();
                self.emit(fold, PatchOp::Replace, DocNode { document, node }, end);
            }
        }
        None
    }

    /// The text of the answer becomes its value.
    fn put_text(&mut self, fold: &mut Fold, text: &Document, end: u64) {
        let node = document_mut(fold, DocId::ANSWER).replace_root(text.value());
        self.reset(fold);
        let at = DocNode { document: DocId::ANSWER, node };
        let change = Change { repaired: false, ..root_change(PatchOp::Replace, at) };
        fold.outbox.emit(EmissionKind::Patch(change), end);
    }

    /// Moves to a path, which may not exist.
    fn go_to<'f>(&mut self, fold: &'f mut Fold, path: PathStack) -> &'f mut Fold {
        self.locator.reset();
        fold.cursor.path = path;
        fold
    }

    /// Moves the path to a member of the root, which may not exist.
    fn go_to_member(&mut self, fold: &mut Fold, name: &str) {
        self.reset(fold);
        fold.cursor.path.push(false);
        fold.cursor.path.set_key(name);
    }

    /// Moves the path to the root, wherever nodes have moved.
    pub(super) fn reset(&mut self, fold: &mut Fold) {
        self.locator.reset();
        fold.cursor.path.clear();
    }

    fn remove(&mut self, fold: &mut Fold, at: DocNode, end: u64) {
        self.emit(fold, PatchOp::Remove, at, end);
        let document = document_mut(fold, at.document);
        if let Some(parent) = document.parent(at.node) {
            self.locator.removed(parent);
        }
        document.unlink(at.node);
    }

    /// Puts the first child of `more` into the root of a document. Returns the rest of `more`.
    fn put_back(
        &mut self,
        fold: &mut Fold,
        id: DocId,
        mut more: Document,
        end: u64,
    ) -> Option<Document> {
        let document = document_mut(fold, id);
        let root = document.root()?;
        let (key, value) = more.value().entries().next()?;
        let first = value.node()?;
        let value = more.at(first);
        let known = key.and_then(|key| self.members(id, document, root).get(key).copied());
        let node = match (known, key) {
            (Some(target), _) => {
                let source = document.graft(Placement::Detached, value);
                document.take_over(target, source);
                target
            }
            (None, Some(key)) => {
                let node = document.graft(Placement::Member(root, key), value);
                self.members(id, document, root).insert(key.to_owned(), node);
                node
            }
            (None, None) => document.graft(Placement::Item(root), value),
        };
        self.emit(fold, PatchOp::Replace, DocNode { document: id, node }, end);
        more.unlink(first);
        Some(more)
    }

    /// The members of the root of a document, by key.
    fn members(
        &mut self,
        id: DocId,
        document: &Document,
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

    /// Emits a change at the path of its node.
    fn emit(&mut self, fold: &mut Fold, op: PatchOp, at: DocNode, end: u64) {
        self.locator.locate(&fold.documents.all, at, &mut fold.cursor.path);
        let depth = fold.cursor.path.depth() as u32;
        let change = Change { depth, ..root_change(op, at) };
        fold.outbox.emit(EmissionKind::Patch(change), end);
    }
}

fn document_mut(fold: &mut Fold, id: DocId) -> &mut Document {
    &mut fold.documents.all[id.index()]
}

/// The change of a root by the finalizer.
const fn root_change(op: PatchOp, at: DocNode) -> Change {
    let DocNode { document, node } = at;
    let completion = Some(Completion::Reconciled);
    Change { document, op, node, depth: 0, completion, repaired: true, has_last_value: false }
}
