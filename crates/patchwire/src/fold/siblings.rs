//! Children with names: a name that comes again makes a list of all children that have it.
//!
//! Siblings of one name need not follow one another. The parser *visits* the list for each of them: the
//! list is the innermost level while an item is read, and the parser leaves it at the next name or at the
//! end of the object. The list is complete when its object is.

use std::collections::BTreeMap;

use super::shadow::NextValue;
use super::{Change, EmissionKind, Fold};
use crate::codes::Code;
use crate::document::{NodeId, NodeKind};
use crate::error::Error;
use crate::event::{Completion, PatchOp};
use crate::span::Span;

/// The lists of siblings in all open objects. Lists of the innermost object have the highest numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Siblings {
    lists: BTreeMap<NodeId, SiblingList>,
    /// The innermost object closes, at this offset: its lists are being emitted complete.
    closing: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
struct SiblingList {
    count: u32,
    /// The name, if the list was emitted open: then it is emitted complete as well. A list made of a
    /// complete value is not, because that path completed with the value.
    emitted: Option<Box<str>>,
}

impl Siblings {
    #[inline]
    pub(super) const fn is_closing(&self) -> bool {
        self.closing.is_some()
    }
}

impl Fold {
    /// Goes on to the next child, which has this name.
    pub(super) fn name(&mut self, name: &str, end: u64) -> Result<(), Error> {
        self.leave_siblings();
        if self.cursor.innermost().is_none() {
            return Ok(());
        }
        let Some(node) = self.find_key(name) else {
            return self.first_of(name, end);
        };
        self.cursor.path.return_to_key(name);
        let count = match self.siblings.lists.get(&node) {
            Some(list) => list.count,
            None if self.is_single() => {
                self.shadow.next = NextValue::Duplicate(node);
                self.notice(Code::DuplicateKey, Span::new(self.outbox.last_end, end));
                return Ok(());
            }
            None => self.wrap(node, end)?,
        };
        self.visit(node, count);
        Ok(())
    }

    /// The first child of a name.
    fn first_of(&mut self, name: &str, end: u64) -> Result<(), Error> {
        self.cursor.set_key(name, end)?;
        if !self.is_list_here() {
            return Ok(());
        }
        let node = self.begin(NodeKind::List, end)?;
        let change = self.opened(node, NodeKind::List);
        self.outbox.emit_change(change, end);
        let list = SiblingList { count: 0, emitted: Some(name.into()) };
        self.visit(node, list.count);
        self.siblings.lists.insert(node, list);
        Ok(())
    }

    /// Whether the schema declares the children of this name as a list.
    fn is_list_here(&self) -> bool {
        let schema = self.cursor.schema();
        self.schema_here().is_some_and(|id| schema.is_some_and(|schema| schema.item(id).is_some()))
    }

    /// Whether the schema declares a single child of this name.
    fn is_single(&self) -> bool {
        let schema = self.cursor.schema();
        self.schema_here().is_some_and(|id| schema.is_some_and(|schema| !schema.is_any(id)))
    }

    /// A complete value becomes the first item of a list. Returns how many items that has.
    fn wrap(&mut self, node: NodeId, end: u64) -> Result<u32, Error> {
        self.documents.count_value(end)?;
        self.documents.add_node();
        if self.documents.keeps_values() {
            self.documents.current_mut().wrap(node);
        }
        let count = 1;
        self.siblings.lists.insert(node, SiblingList { count, emitted: None });
        self.emit_reshaped(node, NodeKind::List, end);
        Ok(count)
    }

    /// The open string becomes an object with the text as its only member.
    pub(super) fn string_to_object(&mut self, key: &str, end: u64) -> Result<(), Error> {
        let Some(node) = self.strings.take_streaming() else { return Ok(()) };
        let schema = self.schema_here();
        self.documents.count_value(end)?;
        let member = self.documents.add_node();
        if self.documents.keeps_values() {
            self.documents.current_mut().string_to_object(node, key);
        }
        self.emit_reshaped(node, NodeKind::Object, end);
        self.cursor.open(node, schema, false);
        self.cursor.path.set_key(key);
        self.cursor.look_up(key);
        self.cursor.remember_key(member);
        Ok(())
    }

    /// Emits that a value changed its shape, and may grow in the new one.
    fn emit_reshaped(&mut self, node: NodeId, kind: NodeKind, end: u64) {
        if self.shadow.is_active() {
            return;
        }
        self.documents.set_last_value(kind, "", false);
        let has_last_value = !self.documents.keeps_values();
        let change = Change { has_last_value, ..self.change(PatchOp::Replace, node, None) };
        self.outbox.emit(EmissionKind::Patch(change), end);
    }

    /// The path goes into a list of siblings, after its last item.
    fn visit(&mut self, node: NodeId, count: u32) {
        let schema = self.schema_here();
        self.cursor.visit(node, schema, count);
    }

    /// The path leaves the list of siblings whose item is complete.
    fn leave_siblings(&mut self) {
        let Some((node, count)) = self.cursor.leave_visited() else { return };
        if let Some(list) = self.siblings.lists.get_mut(&node) {
            list.count = count;
        }
    }

    /// The innermost container closes, after the lists of siblings in it.
    #[inline]
    pub(super) fn close(&mut self, end: u64) -> Result<Option<Change>, Error> {
        if self.siblings.lists.is_empty() {
            return Ok(self.close_container(end, Completion::Observed));
        }
        self.siblings.closing = Some(end);
        Ok(None)
    }

    /// Continues to close. False when there is nothing to close.
    pub(super) fn continue_closing(&mut self) -> bool {
        let Some(end) = self.siblings.closing else { return false };
        if !self.end_siblings(end, Completion::Observed) {
            self.siblings.closing = None;
            let change = self.close_container(end, Completion::Observed);
            self.outbox.emit_change(change, end);
            self.judge(change.as_ref());
        }
        true
    }

    /// Completes the lists of siblings in the innermost object, up to one that is emitted complete.
    /// False when none is left.
    pub(super) fn end_siblings(&mut self, end: u64, completion: Completion) -> bool {
        self.leave_siblings();
        let Some(object) = self.cursor.innermost() else { return false };
        while let Some(entry) = self.siblings.lists.last_entry().filter(|it| *it.key() > object) {
            let (node, list) = entry.remove_entry();
            let Some(name) = list.emitted else {
                self.documents.complete(node);
                continue;
            };
            self.cursor.path.return_to_key(&name);
            let change = self.complete(node, end, completion);
            self.outbox.emit_change(change, end);
            self.judge(change.as_ref());
            return true;
        }
        false
    }
}
