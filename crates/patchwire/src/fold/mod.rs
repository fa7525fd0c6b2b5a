//! Folds tokens into documents, and emits which patches that makes.
//!
//! Tokens get their paths here. An [`Emission`] is small and `Copy`; it names text and nodes by position.

mod beside;
mod choice;
mod emission;
mod granted;
mod keys;
mod siblings;
mod watch;

use crate::check::Found;
use crate::codes::Code;
use crate::document::{DocId, Document, NodeId, NodeKind, Place};
use crate::error::{Error, ErrorKind};
use crate::event::{Completion, ElementId, Origin, PatchOp};
use crate::lex::{Scalar, Token, TokenKind};
use crate::limits::{Limit, Limits};
use crate::path::PathStack;
use crate::schema::{Schema, SchemaId};
use crate::span::Span;
use beside::Muted;
pub(crate) use beside::Successor;
use choice::Choice;
pub(crate) use emission::{Change, Emission, EmissionKind, TextAt};
pub(crate) use keys::Seed;
use keys::{Keys, Known};
use siblings::Siblings;
use watch::Watch;

/// Initial capacity for open containers.
const ROOM: usize = 32;

/// An open container.
#[derive(Debug, Clone, PartialEq)]
struct Level {
    node: NodeId,
    schema: Option<SchemaId>,
    keys: Known,
    /// A list of siblings, left when its item is complete and come back to with the next.
    visited: bool,
}

/// Documents being built.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fold {
    keep_value: bool,
    schema: Option<Schema>,
    /// Whether the schema has choices that nothing else may take the place of.
    guarded: bool,
    node_limit: u64,
    field_limit: u64,
    nodes_in_all: u64,
    /// Nodes of the current document.
    nodes: u32,
    /// The document that is built. Where no value is kept, one stands for all of them.
    at: u32,
    /// Documents so far.
    count: u32,
    /// Whether the answer's document has begun.
    answered: bool,
    /// Roots so far where the stream stands: outside elements, and in the element.
    roots: u32,
    body_roots: u32,
    /// The element whose body is read.
    element: Option<ElementId>,
    /// Whether its roots are of the schema.
    shaped: bool,
    /// The same of what is around it, and its roots.
    around: Vec<(Option<ElementId>, bool, u32)>,
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
    watch: Option<Watch>,
    verdicts: Found,
    duplicate: Option<NodeId>,
    /// The path stands at an item that has not begun.
    expected: bool,
    muted: Option<Muted>,
    /// What begins next takes nobody's place.
    refused: bool,
    pub(crate) successors: Vec<Successor>,
    pub(crate) removals: Vec<(DocId, NodeId)>,
    /// A slip was noted since the last value was emitted complete.
    slipped: bool,
    pub(crate) repaired: bool,
    pub(crate) last_end: u64,
    emits: Vec<Emission>,
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
            guarded: schema.as_ref().is_some_and(Schema::guards),
            schema,
            node_limit: limits.get(Limit::Nodes),
            field_limit: limits.get(Limit::Fields),
            nodes_in_all: 0,
            nodes: 0,
            at: 0,
            count: 1,
            answered: false,
            roots: 0,
            body_roots: 0,
            element: None,
            shaped: true,
            around: Vec::new(),
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
            watch: None,
            verdicts: Found::default(),
            duplicate: None,
            expected: false,
            muted: None,
            refused: false,
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
        DocId(self.at)
    }

    fn document(&mut self) -> &mut Document {
        let at = self.slot();
        &mut self.documents[at]
    }

    pub(crate) const fn keeps_value(&self) -> bool {
        self.keep_value
    }

    /// Whether the answer's root began.
    pub(crate) const fn has_begun_root(&self) -> bool {
        self.answered
    }

    /// Takes in one token, whose text is `text`.
    #[inline(always)]
    pub(crate) fn apply(&mut self, token: Token, text: &str) -> Result<(), Error> {
        match token.kind {
            TokenKind::Outside => {
                self.emit_text(EmissionKind::Text, TextAt::Format(token.text), token.end)
            }
            TokenKind::Skipped(reason) => self.emit(EmissionKind::Skipped(reason), token.end),
            TokenKind::Notice(code) => self.notice(code, Span::new(token.start, token.end)),
            TokenKind::NoticeOfKey(code) => {
                let depth = self.path.depth().saturating_sub(1);
                self.notice_at(code, Span::new(token.start, token.end), depth);
            }
            TokenKind::NoticeOfNext(code) => {
                self.expect_item();
                self.notice(code, Span::new(token.start, token.end));
            }
            TokenKind::StringText => return self.grow_string(text, token),
            TokenKind::Name => return self.name(text, token.end),
            TokenKind::StringToObject => return self.string_to_object(text, token.end),
            TokenKind::ItemWasKey => self.retract_item(),
            TokenKind::MemberWasNone => self.retract_member(),
            TokenKind::RootComplete => {
                self.emit_pointer(EmissionKind::RootComplete, Span::at(token.end))
            }
            what => {
                let change = self.take_plain(what, text, token.end)?;
                self.emit_patch(change, token.end);
                self.judge(change.as_ref());
            }
        }
        Ok(())
    }

    /// The hot path: the same for a token whose text means itself. What it emits is given back if it
    /// is one patch, to be [spanned](Self::span) and emitted, and queued if it is anything else.
    #[inline(always)]
    pub(crate) fn take_plain(
        &mut self,
        what: TokenKind,
        text: &str,
        end: u64,
    ) -> Result<Option<Change>, Error> {
        match what {
            TokenKind::ObjectOpen => self.open_container(NodeKind::Object, end),
            TokenKind::ListOpen => self.open_container(NodeKind::List, end),
            TokenKind::StringOpen => self.open_string(end),
            TokenKind::StringClose => self.close_string(end, Completion::Observed),
            TokenKind::Scalar(scalar) => self.scalar(scalar, text, end),
            TokenKind::Close => self.close(end),
            TokenKind::Key => self.key(text, end).map(|()| None),
            TokenKind::StringText => match self.grow_plain(text) {
                None => self.grow_string(text, Token::new(what, end)).map(|()| None),
                change => Ok(change),
            },
            _ => Ok(None),
        }
    }

    /// The bytes that a change is emitted of, which this token made; its value is judged if it closes.
    #[inline(always)]
    pub(crate) fn span(&mut self, what: TokenKind, change: &Change, end: u64) -> Span {
        let span = self.span_to(end);
        if matches!(what, TokenKind::StringClose | TokenKind::Scalar(_) | TokenKind::Close) {
            self.judge(Some(change));
        }
        span
    }

    /// The open string grows by a run that means itself, if it is emitted of as it grows.
    #[inline]
    fn grow_plain(&mut self, text: &str) -> Option<Change> {
        let leaf = self.leaf?;
        if self.muted.is_some() || self.choice.is_some() {
            return None;
        }
        self.append(leaf, text);
        Some(self.change(PatchOp::Delta, leaf, None))
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

    /// Where the document that is built is kept.
    #[inline]
    const fn slot(&self) -> usize {
        if self.keep_value { self.at as usize } else { 0 }
    }

    /// From now on roots are of an element's body, and of the schema if that is what the body should be.
    pub(crate) fn enter(&mut self, element: ElementId, shaped: bool) {
        self.around.push((self.element, self.shaped, self.body_roots));
        (self.element, self.shaped, self.body_roots) = (Some(element), shaped, 0);
    }

    /// The body ends: roots are again of what is around it.
    pub(crate) fn leave(&mut self) {
        let around = self.around.pop().unwrap_or((None, true, 0));
        (self.element, self.shaped, self.body_roots) = around;
    }

    /// Documents so far.
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// A document for an element of which none was streamed.
    pub(crate) fn add_document(&mut self, element: ElementId) {
        self.count += 1;
        self.documents.push(Document::default());
        self.origins.push(Origin { element: Some(element), ..Origin::ANSWER });
    }

    /// The document of the body that is read, once it has begun.
    pub(crate) fn body_document(&self) -> Option<DocId> {
        (self.element.is_some() && self.body_roots > 0).then(|| self.current())
    }

    /// An element counts as a value: their number is bounded together.
    pub(crate) fn count_element(&mut self, offset: u64) -> Result<(), Error> {
        self.nodes_in_all += 1;
        if self.nodes_in_all > self.node_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Nodes), offset));
        }
        Ok(())
    }

    /// A root begins: in a document of its own.
    fn begin_document(&mut self) {
        self.nodes = 0;
        self.make_room();
        if self.element.is_none() && !core::mem::replace(&mut self.answered, true) {
            self.at = 0;
            if !self.keep_value {
                self.origins[0] = Origin::ANSWER;
            }
            return;
        }
        let root = match self.element {
            None => {
                self.roots += 1;
                self.roots
            }
            Some(_) => {
                self.body_roots += 1;
                self.body_roots - 1
            }
        };
        let origin = Origin { element: self.element, root, ..Origin::ANSWER };
        self.at = self.count;
        self.count += 1;
        if self.keep_value {
            self.documents.push(Document::default());
            self.origins.push(origin);
        } else {
            self.origins[0] = origin;
        }
    }

    /// As much room as all but a few documents need, at once: to grow into it costs several times as
    /// much.
    fn make_room(&mut self) {
        self.levels.reserve(ROOM);
        self.path.reserve(ROOM);
        self.keys.reserve(2 * ROOM);
    }

    fn place(&mut self, kind: NodeKind, beside: bool) {
        let parent = self.levels.last().map(|level| level.node);
        let at = self.slot();
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
        let Some(level) = self.levels.last() else {
            return self.shaped.then(|| schema.root());
        };
        let above = level.schema?;
        if self.path.in_list() == Some(true) {
            schema.item(above)
        } else {
            schema.member(above, self.path.key())
        }
    }

    #[inline(always)]
    fn open_container(&mut self, kind: NodeKind, end: u64) -> Result<Option<Change>, Error> {
        if self.guarded {
            self.refuse_container(end)?;
        }
        let schema = self.schema_here();
        let node = self.begin(kind, end)?;
        let change = self.opened(node, kind);
        self.path.push(kind == NodeKind::List);
        self.levels.push(Level { node, schema, keys: self.keys.level(), visited: false });
        Ok(change)
    }

    #[inline(always)]
    fn close_container(&mut self, end: u64, completion: Completion) -> Option<Change> {
        // In place: what was just written piece by piece is slow to move.
        let level = self.levels.last_mut()?;
        let node = level.node;
        self.keys.leave(&mut level.keys);
        self.levels.truncate(self.levels.len() - 1);
        self.path.pop();
        self.duplicate = None;
        self.expected = false;
        self.complete(node, end, completion)
    }

    #[inline(always)]
    fn open_string(&mut self, end: u64) -> Result<Option<Change>, Error> {
        if let Some(choice) = self.choice_here(end) {
            self.choice = Some(choice);
            self.pending.clear();
            return Ok(None);
        }
        let node = self.begin(NodeKind::String, end)?;
        self.leaf = Some(node);
        Ok(self.opened(node, NodeKind::String))
    }

    fn grow_string(&mut self, text: &str, token: Token) -> Result<(), Error> {
        if self.choice.is_some() {
            return self.grow_choice(text, token.end);
        }
        let Some(node) = self.leaf else { return Ok(()) };
        self.append(node, text);
        self.emit_change(PatchOp::Delta, node, TextAt::Format(token.text), token.end);
        Ok(())
    }

    #[inline]
    fn append(&mut self, node: NodeId, text: &str) {
        if self.keep_value {
            self.document().append(node, text);
        }
    }

    #[inline(always)]
    fn close_string(&mut self, end: u64, completion: Completion) -> Result<Option<Change>, Error> {
        if self.choice.is_some() {
            return self.close_choice(end, completion).map(|()| None);
        }
        let Some(node) = self.leaf.take() else { return Ok(None) };
        self.last_leaf = Some(node);
        Ok(self.complete(node, end, completion))
    }

    fn scalar(&mut self, scalar: Scalar, text: &str, end: u64) -> Result<Option<Change>, Error> {
        if self.guarded && self.refuse_value(end)? {
            return Ok(None);
        }
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
    ) -> Result<Option<Change>, Error> {
        let node = self.begin(kind, end)?;
        self.append(node, text);
        if !self.keep_value {
            self.scalar.set_alone(kind, text, true);
        }
        Ok(self.complete_value((node, true), end, completion))
    }

    #[inline]
    fn complete(&mut self, node: NodeId, end: u64, completion: Completion) -> Option<Change> {
        self.complete_value((node, false), end, completion)
    }

    #[inline(always)]
    fn complete_value(
        &mut self,
        (node, scalar): (NodeId, bool),
        end: u64,
        completion: Completion,
    ) -> Option<Change> {
        if self.keep_value {
            self.document().complete(node);
        }
        if self.muted.is_some_and(|muted| muted.depth == self.path.depth()) {
            self.unmute(end);
            return None;
        }
        if self.muted.is_some() {
            return None;
        }
        Some(Change {
            repaired: core::mem::take(&mut self.slipped),
            scalar,
            ..self.change(PatchOp::Done, node, Some(completion))
        })
    }

    // Keys.

    #[inline(always)]
    fn key(&mut self, key: &str, end: u64) -> Result<(), Error> {
        self.path.set_key(key);
        if u64::from(self.path.count()) > self.field_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Fields), end));
        }
        let Some(level) = self.levels.last() else { return Ok(()) };
        let document = &self.documents[self.slot()];
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

    /// The member that closed last is none: it goes at the end.
    fn retract_member(&mut self) {
        let Some(parent) = self.levels.last().map(|level| level.node) else { return };
        if !self.keep_value || self.muted.is_some() {
            return;
        }
        let member = self.document().at(parent).last().node();
        self.removals.extend(member.map(|node| (self.current(), node)));
    }

    // The end of the input.

    /// Closes what is innermost. Whether anything was open.
    pub(crate) fn close_one(&mut self, end: u64) -> Result<bool, Error> {
        if self.choice.is_some() {
            self.end_choice(end)?;
        } else if self.leaf.is_some() {
            let change = self.close_string(end, Completion::EndOfInput)?;
            self.emit_patch(change, end);
        } else if self.levels.is_empty() {
            return Ok(false);
        } else if !self.end_siblings(end, Completion::EndOfInput) {
            let change = self.close_container(end, Completion::EndOfInput);
            self.emit_patch(change, end);
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
