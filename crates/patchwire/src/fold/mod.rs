//! Folds tokens into documents, and tells which patches that makes.
//!
//! Here tokens get their paths. What is told is an [`Emit`]: small, `Copy`, naming text and nodes by
//! where they are, so that events are made one at a time and borrow from the parser.

mod choice;
mod keys;
mod siblings;
mod telling;

use crate::document::{DocId, Document, NodeId, NodeKind, Place};
use crate::error::{Error, ErrorKind};
use crate::event::{Completion, Kind, Origin, SkipReason};
use crate::lex::{Scalar, Token, What};
use crate::limits::{Limit, Limits};
use crate::notice::Code;
use crate::path::PathStack;
use crate::schema::{Schema, SchemaId};
use crate::span::Span;
use choice::Choice;
pub(crate) use keys::Seed;
use keys::{Keys, Known};
use siblings::Siblings;
pub(crate) use telling::{Change, Emit, TextAt, Told};

/// An open container.
#[derive(Debug, Clone, PartialEq)]
struct Level {
    node: NodeId,
    schema: Option<SchemaId>,
    keys: Known,
    /// A list of siblings, left when its item is complete and come back to with the next.
    visited: bool,
}

/// A member that was there before: its value is built beside and told of only at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Muted {
    /// Depth of the path at the member.
    depth: usize,
    target: NodeId,
    source: NodeId,
}

/// A value kept beside that takes the place of another at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Successor {
    pub(crate) document: DocId,
    pub(crate) target: NodeId,
    pub(crate) source: NodeId,
    /// Inside a value kept beside itself: nobody was told of the first.
    pub(crate) silent: bool,
}

/// Documents being built.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fold {
    keep_value: bool,
    schema: Option<Schema>,
    node_limit: u64,
    field_limit: u64,
    nodes_in_all: u64,
    /// Nodes of the current document.
    nodes: u32,
    /// The number of the last document. Where no value is kept, one stands for all of them.
    last_root: u32,
    pub(crate) documents: Vec<Document>,
    pub(crate) origins: Vec<Origin>,
    /// Holds the last scalar, or the last value that opened, alone where no value is kept.
    scalar: Document,
    pub(crate) path: PathStack,
    levels: Vec<Level>,
    keys: Keys,
    /// The open string.
    leaf: Option<NodeId>,
    /// The string that closed last.
    last_leaf: Option<NodeId>,
    choice: Option<Choice>,
    pending: String,
    siblings: Siblings,
    duplicate: Option<NodeId>,
    /// The path stands at an item that has not begun.
    expected: bool,
    muted: Option<Muted>,
    pub(crate) successors: Vec<Successor>,
    pub(crate) removals: Vec<(DocId, NodeId)>,
    /// A slip was noted since the last value was told complete.
    slipped: bool,
    pub(crate) repaired: bool,
    pub(crate) last_end: u64,
    emits: Vec<Emit>,
    next: usize,
}

impl Fold {
    pub(crate) fn new(
        schema: Option<Schema>,
        limits: &Limits,
        keep_value: bool,
        seed: Seed,
    ) -> Self {
        Self {
            keep_value,
            schema,
            node_limit: limits.get(Limit::Nodes),
            field_limit: limits.get(Limit::Fields),
            nodes_in_all: 0,
            nodes: 0,
            last_root: 0,
            documents: vec![Document::default()],
            origins: vec![Origin::ANSWER],
            scalar: Document::default(),
            path: PathStack::default(),
            levels: Vec::new(),
            keys: Keys::new(seed),
            leaf: None,
            last_leaf: None,
            choice: None,
            pending: String::new(),
            siblings: Siblings::default(),
            duplicate: None,
            expected: false,
            muted: None,
            successors: Vec::new(),
            removals: Vec::new(),
            slipped: false,
            repaired: false,
            last_end: 0,
            emits: Vec::new(),
            next: 0,
        }
    }

    pub(crate) fn current(&self) -> DocId {
        DocId(self.last_root)
    }

    fn document(&mut self) -> &mut Document {
        let at = self.documents.len() - 1;
        &mut self.documents[at]
    }

    pub(crate) const fn keeps_value(&self) -> bool {
        self.keep_value
    }

    /// Whether any value began.
    pub(crate) const fn has_begun(&self) -> bool {
        self.nodes_in_all > 0
    }

    /// Takes in one token, whose text is `text`.
    #[inline(always)]
    pub(crate) fn apply(&mut self, token: Token, text: &str) -> Result<(), Error> {
        match token.what {
            What::Outside => self.tell_text(Told::Text, TextAt::Format(token.text), token.end),
            What::Skipped(reason) => self.tell(Told::Skipped(reason), token.end),
            What::Notice(code) => self.notice(code, Span::new(token.start, token.end)),
            What::NoticeOfNext(code) => {
                self.expect_item();
                self.notice(code, Span::new(token.start, token.end));
            }
            What::ObjectOpen => return self.open_container(NodeKind::Object, token.end),
            What::ListOpen => return self.open_container(NodeKind::List, token.end),
            What::Key => return self.key(text, token.end),
            What::Name => return self.name(text, token.end),
            What::StringToObject => return self.string_to_object(text, token.end),
            What::StringOpen => return self.open_string(token.end),
            What::StringText => return self.grow_string(text, token),
            What::StringClose => return self.close_string(token.end, Completion::Observed),
            What::Scalar(scalar) => return self.scalar(scalar, text, token.end),
            What::Close => self.close(token.end),
            What::ItemWasKey => self.retract_item(),
            What::RootComplete => self.tell_pointing(Told::RootComplete, Span::at(token.end)),
        }
        Ok(())
    }

    /// The hot path: the open string grows by a run that means itself.
    #[inline]
    pub(crate) fn grow_plain(&mut self, text: &str, end: u64) -> Option<(Change, Span)> {
        let leaf = self.leaf?;
        if self.muted.is_some() || self.choice.is_some() {
            return None;
        }
        if self.keep_value {
            self.document().append(leaf, text);
        }
        let span = Span::new(self.last_end, end);
        self.last_end = end;
        Some((self.change(Kind::Delta, leaf, None), span))
    }

    // Values.

    /// A value begins where the path stands.
    #[inline(always)]
    fn begin(&mut self, kind: NodeKind, offset: u64) -> Result<NodeId, Error> {
        self.nodes_in_all += 1;
        if self.nodes_in_all > self.node_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Nodes), offset));
        }
        let in_list = self.path.in_list();
        match in_list {
            None => self.begin_document(),
            Some(true) => self.expect_item(),
            Some(false) => {}
        }
        self.expected = false;
        let node = NodeId(self.nodes);
        self.nodes += 1;
        let duplicate = self.duplicate.take();
        if self.keep_value {
            self.place(kind, duplicate.is_some());
        }
        match duplicate {
            Some(target) => self.keep_beside(target, node),
            None if in_list == Some(false) => self.remember_key(node),
            None => {}
        }
        Ok(node)
    }

    /// The path goes to the next item of the list, once: a notice may speak of it before it begins.
    #[inline]
    fn expect_item(&mut self) {
        if self.path.in_list() == Some(true) && !core::mem::replace(&mut self.expected, true) {
            self.path.next_index();
        }
    }

    /// A root begins: in a document of its own, if the current one has a root.
    fn begin_document(&mut self) {
        if self.nodes == 0 {
            return;
        }
        self.last_root += 1;
        let origin = Origin { root: self.last_root, ..Origin::ANSWER };
        self.nodes = 0;
        if self.keep_value {
            self.documents.push(Document::default());
            self.origins.push(origin);
        } else {
            self.origins[0] = origin;
        }
    }

    fn place(&mut self, kind: NodeKind, beside: bool) {
        let parent = self.levels.last().map(|level| level.node);
        let at = self.documents.len() - 1;
        let document = &mut self.documents[at];
        let place = match (parent, self.path.in_list()) {
            _ if beside => Place::Beside,
            (Some(list), Some(true)) => Place::Item(list),
            (Some(object), Some(false)) => Place::Member(object, self.path.key()),
            _ => Place::Root,
        };
        document.open(place, kind);
    }

    /// The schema of the value that begins where the path stands.
    #[inline(always)]
    fn schema_here(&self) -> Option<SchemaId> {
        let schema = self.schema.as_ref()?;
        let Some(level) = self.levels.last() else { return Some(schema.root()) };
        let above = level.schema?;
        if self.path.in_list() == Some(true) {
            schema.item(above)
        } else {
            schema.member(above, self.path.key())
        }
    }

    fn open_container(&mut self, kind: NodeKind, end: u64) -> Result<(), Error> {
        let schema = self.schema_here();
        let node = self.begin(kind, end)?;
        self.tell_open(node, kind, end);
        self.path.push(kind == NodeKind::List);
        self.levels.push(Level { node, schema, keys: self.keys.level(), visited: false });
        Ok(())
    }

    fn close_container(&mut self, end: u64, completion: Completion) {
        let Some(mut level) = self.levels.pop() else { return };
        self.keys.leave(&mut level.keys);
        self.path.pop();
        self.duplicate = None;
        self.expected = false;
        self.complete(level.node, end, completion);
    }

    fn open_string(&mut self, end: u64) -> Result<(), Error> {
        if let Some(choice) = self.choice_here(end) {
            self.choice = Some(choice);
            self.pending.clear();
            return Ok(());
        }
        let node = self.begin(NodeKind::String, end)?;
        self.leaf = Some(node);
        self.tell_open(node, NodeKind::String, end);
        Ok(())
    }

    fn grow_string(&mut self, text: &str, token: Token) -> Result<(), Error> {
        if self.choice.is_some() {
            return self.grow_choice(text, token.end);
        }
        let Some(node) = self.leaf else { return Ok(()) };
        self.append(node, text);
        self.tell_change(Kind::Delta, node, TextAt::Format(token.text), token.end);
        Ok(())
    }

    #[inline]
    fn append(&mut self, node: NodeId, text: &str) {
        if self.keep_value {
            self.document().append(node, text);
        }
    }

    fn close_string(&mut self, end: u64, completion: Completion) -> Result<(), Error> {
        if self.choice.is_some() {
            return self.close_choice(end, completion);
        }
        if let Some(node) = self.leaf.take() {
            self.last_leaf = Some(node);
            self.complete(node, end, completion);
        }
        Ok(())
    }

    fn scalar(&mut self, scalar: Scalar, text: &str, end: u64) -> Result<(), Error> {
        let (kind, text) = match scalar {
            Scalar::Null => (NodeKind::Null, ""),
            Scalar::False => (NodeKind::False, ""),
            Scalar::True => (NodeKind::True, ""),
            Scalar::Number => (NodeKind::Number, text),
        };
        self.whole(kind, text, end, Completion::Observed)
    }

    /// A value that comes as one `Done`.
    fn whole(
        &mut self,
        kind: NodeKind,
        text: &str,
        end: u64,
        completion: Completion,
    ) -> Result<(), Error> {
        let node = self.begin(kind, end)?;
        self.append(node, text);
        if !self.keep_value {
            self.scalar.set_alone(kind, text, true);
        }
        self.complete_value((node, true), end, completion);
        Ok(())
    }

    #[inline]
    fn complete(&mut self, node: NodeId, end: u64, completion: Completion) {
        self.complete_value((node, false), end, completion);
    }

    #[inline(always)]
    fn complete_value(&mut self, (node, scalar): (NodeId, bool), end: u64, completion: Completion) {
        if self.keep_value {
            self.document().complete(node);
        }
        if self.muted.is_some_and(|muted| muted.depth == self.path.depth()) {
            self.unmute(end);
            return;
        }
        if self.muted.is_some() {
            return;
        }
        let change = Change {
            repaired: core::mem::take(&mut self.slipped),
            scalar,
            ..self.change(Kind::Done, node, Some(completion))
        };
        self.tell(Told::Patch(change), end);
    }

    // Keys.

    fn key(&mut self, key: &str, end: u64) -> Result<(), Error> {
        self.path.set_key(key);
        if u64::from(self.path.count()) > self.field_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Fields), end));
        }
        let Some(level) = self.levels.last() else { return Ok(()) };
        let document = &self.documents[self.documents.len() - 1];
        let keep = self.keep_value;
        let same = |node: NodeId| !keep || document.has_key(node, key);
        self.duplicate = self.keys.find(&level.keys, key, same);
        if self.duplicate.is_some() {
            self.notice(Code::DuplicateKey, Span::new(self.last_end, end));
        }
        Ok(())
    }

    #[inline]
    fn remember_key(&mut self, node: NodeId) {
        if let Some(level) = self.levels.last_mut() {
            self.keys.insert(&mut level.keys, node);
        }
    }

    fn keep_beside(&mut self, target: NodeId, source: NodeId) {
        if self.muted.is_some() {
            self.succeed(target, source, true);
        } else {
            self.muted = Some(Muted { depth: self.path.depth(), target, source });
        }
    }

    fn succeed(&mut self, target: NodeId, source: NodeId, silent: bool) {
        if self.keep_value {
            let document = self.current();
            self.successors.push(Successor { document, target, source, silent });
        }
    }

    fn unmute(&mut self, end: u64) {
        let Some(Muted { target, source, .. }) = self.muted.take() else { return };
        self.succeed(target, source, false);
        self.tell(Told::Skipped(SkipReason::DuplicateKey), end);
    }

    /// The string item that closed last was the next key: it goes at the end.
    fn retract_item(&mut self) {
        let Some(node) = self.last_leaf.take() else { return };
        if !self.keep_value {
            return;
        }
        if self.muted.is_some() {
            self.document().unlink(node);
        } else {
            self.removals.push((self.current(), node));
        }
    }

    // The end of the input.

    /// Closes what is innermost. Whether anything was open.
    pub(crate) fn close_one(&mut self, end: u64) -> Result<bool, Error> {
        if self.choice.is_some() {
            self.end_choice(end)?;
        } else if self.leaf.is_some() {
            self.close_string(end, Completion::EndOfInput)?;
        } else if self.levels.is_empty() {
            return Ok(false);
        } else if !self.end_siblings(end, Completion::EndOfInput) {
            self.close_container(end, Completion::EndOfInput);
        }
        Ok(true)
    }

    /// The string that is still open.
    pub(crate) const fn open_leaf(&self) -> Option<NodeId> {
        self.leaf
    }

    pub(crate) fn has_open(&self) -> bool {
        self.choice.is_some() || self.leaf.is_some() || !self.levels.is_empty()
    }
}
