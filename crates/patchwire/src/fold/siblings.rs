//! Children with names: a name that comes again makes a list of all that have it.
//!
//! Siblings of one name need not follow one another. The list is *visited* for each of them: it is the
//! innermost level while its item is read, and left when the next name or the end of the object comes.
//! It is complete when its object is.

use std::collections::BTreeMap;

use super::emission::EmissionKind;
use super::{Change, Fold, Level, TextAt};
use crate::codes::Code;
use crate::document::{NodeId, NodeKind};
use crate::error::{Error, ErrorKind};
use crate::event::{Completion, PatchOp};
use crate::limits::Limit;
use crate::span::Span;

/// The lists of siblings in all open objects. Those of the innermost have the highest numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Siblings {
    lists: BTreeMap<NodeId, List>,
    /// The innermost object closes, here: its lists are being emitted complete.
    closing: Option<u64>,
}

/// One list of siblings.
#[derive(Debug, Clone, PartialEq)]
struct List {
    count: u32,
    /// The name, if the list was emitted open: then it is emitted complete too. One that was made of a value
    /// that was complete is not: its path completed with that value.
    emitted: Option<Box<str>>,
}

impl Siblings {
    pub(super) const fn is_closing(&self) -> bool {
        self.closing.is_some()
    }
}

impl Fold {
    /// The next child's name.
    pub(super) fn name(&mut self, name: &str, end: u64) -> Result<(), Error> {
        self.leave_siblings();
        let Some(level) = self.levels.last() else { return Ok(()) };
        let document = &self.documents[self.slot()];
        let keep = self.keep_value;
        let same = |node: NodeId| !keep || document.has_key(node, name);
        let Some(node) = self.keys.find(&level.keys, name, same) else {
            return self.first_of(name, end);
        };
        self.path.return_to_key(name);
        if !self.siblings.lists.contains_key(&node) {
            if self.is_single() {
                self.duplicate = Some(node);
                self.notice(Code::DuplicateKey, Span::new(self.last_end, end));
                return Ok(());
            }
            self.wrap(node, end)?;
        }
        self.visit(node);
        Ok(())
    }

    /// The first child of a name.
    fn first_of(&mut self, name: &str, end: u64) -> Result<(), Error> {
        self.path.set_key(name);
        if u64::from(self.path.count()) > self.field_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Fields), end));
        }
        if !self.is_list_here() {
            return Ok(());
        }
        let node = self.begin(NodeKind::List, end)?;
        let change = self.opened(node, NodeKind::List);
        self.emit_patch(change, end);
        self.siblings.lists.insert(node, List { count: 0, emitted: Some(name.into()) });
        self.visit(node);
        Ok(())
    }

    /// Whether the schema says that the children of the name are a list.
    fn is_list_here(&self) -> bool {
        let schema = self.schema.as_ref();
        self.schema_here().is_some_and(|id| schema.is_some_and(|schema| schema.item(id).is_some()))
    }

    /// Whether the schema says that there is one child of the name, and not a list of them.
    fn is_single(&self) -> bool {
        let schema = self.schema.as_ref();
        self.schema_here().is_some_and(|id| schema.is_some_and(|schema| !schema.is_any(id)))
    }

    /// A complete value is the first of several.
    fn wrap(&mut self, node: NodeId, end: u64) -> Result<(), Error> {
        self.count_node(end)?;
        if self.keep_value {
            self.document().wrap(node);
        }
        self.siblings.lists.insert(node, List { count: 1, emitted: None });
        self.emit_replace(node, NodeKind::List, end);
        Ok(())
    }

    /// The open string becomes an object that has its text.
    pub(super) fn string_to_object(&mut self, key: &str, end: u64) -> Result<(), Error> {
        let Some(node) = self.leaf.take() else { return Ok(()) };
        let schema = self.schema_here();
        let member = NodeId(self.nodes);
        self.count_node(end)?;
        if self.keep_value {
            self.document().string_to_object(node, key);
        }
        self.emit_replace(node, NodeKind::Object, end);
        self.path.push(false);
        self.path.set_key(key);
        let known = self.keys.level();
        self.keys.find(&known, key, |_| false);
        self.levels.push(Level { node, schema, keys: known, visited: false });
        self.remember_key(member);
        Ok(())
    }

    /// A value that was there moves into a node of its own.
    fn count_node(&mut self, end: u64) -> Result<(), Error> {
        self.nodes_in_all += 1;
        if self.nodes_in_all > self.node_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Nodes), end));
        }
        self.nodes += 1;
        Ok(())
    }

    /// Tells that a value has another shape now, and may grow in it.
    fn emit_replace(&mut self, node: NodeId, kind: NodeKind, end: u64) {
        if self.muted.is_some() {
            return;
        }
        if !self.keep_value {
            self.scalar.set_alone(kind, "", false);
        }
        let change =
            Change { scalar: !self.keep_value, ..self.change(PatchOp::Replace, node, None) };
        self.emit_text(EmissionKind::Patch(change), TextAt::Nowhere, end);
    }

    /// The path goes into a list of siblings, behind its last item.
    fn visit(&mut self, node: NodeId) {
        let schema = self.schema_here();
        let count = self.siblings.lists.get(&node).map_or(0, |list| list.count);
        self.path.push(true);
        if count > 0 {
            self.path.set_index(count - 1);
        }
        self.levels.push(Level { node, schema, keys: self.keys.level(), visited: true });
    }

    /// The path comes out of the list of siblings whose item is complete.
    fn leave_siblings(&mut self) {
        let Some(level) = self.levels.pop_if(|level| level.visited) else { return };
        if let Some(list) = self.siblings.lists.get_mut(&level.node) {
            list.count = self.path.count();
        }
        self.path.pop();
        self.expected = false;
    }

    /// The innermost container closes: first the lists of siblings in it.
    #[inline]
    pub(super) fn close(&mut self, end: u64) -> Result<Option<Change>, Error> {
        if self.siblings.lists.is_empty() {
            return Ok(self.close_container(end, Completion::Observed));
        }
        self.siblings.closing = Some(end);
        Ok(None)
    }

    /// Goes on closing. False when there is nothing to close.
    pub(super) fn close_on(&mut self) -> bool {
        let Some(end) = self.siblings.closing else { return false };
        if !self.end_siblings(end, Completion::Observed) {
            self.siblings.closing = None;
            let change = self.close_container(end, Completion::Observed);
            self.emit_patch(change, end);
            self.judge(change.as_ref());
        }
        true
    }

    /// Completes the lists of siblings in the innermost object, up to one that is emitted so. False when
    /// none is left.
    pub(super) fn end_siblings(&mut self, end: u64, completion: Completion) -> bool {
        self.leave_siblings();
        let Some(object) = self.levels.last().map(|level| level.node) else { return false };
        while let Some(entry) = self.siblings.lists.last_entry().filter(|it| *it.key() > object) {
            let (node, list) = entry.remove_entry();
            match list.emitted {
                Some(name) => {
                    self.path.return_to_key(&name);
                    let change = self.complete(node, end, completion);
                    self.emit_patch(change, end);
                    self.judge(change.as_ref());
                    return true;
                }
                None if self.keep_value => self.document().complete(node),
                None => {}
            }
        }
        false
    }
}
