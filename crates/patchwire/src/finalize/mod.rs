//! What a stream could not know while it ran, put right at its end: by patches, each with a notice.
//!
//! In order: a string that ran past its fence is cut; items that turned out to be keys go; the last of
//! several members of one name stands; what followed a closer that came too early is put back; a
//! candidate that fits better takes the root's place. Everything is decided on the raw text, once.

mod candidates;
mod continued;
mod locate;
mod order;
mod reread;

use std::collections::{HashMap, VecDeque};

use crate::document::{DocId, Document, NodeId, Place, ValueRef};
use crate::event::{Completion, Kind};
use crate::fold::{Change, Fold, Told};
use crate::format::json::JsonFormat;
use crate::notice::Code;
use crate::span::Span;
use crate::spec::Settings;
use locate::Locator;
pub(crate) use order::order;

/// What the finalizer looks at.
pub(crate) struct Ended<'a> {
    pub(crate) raw: Option<&'a [u8]>,
    pub(crate) settings: &'a Settings,
    pub(crate) json: Option<&'a JsonFormat>,
    /// The string the input ended in.
    pub(crate) leaf: Option<NodeId>,
    /// Whether the input ended inside the payload.
    pub(crate) truncated: bool,
    /// The answer, where it is text.
    pub(crate) text: Option<String>,
    /// Texts that turned out to be of another channel, in order: what they hold is no payload.
    pub(crate) reclassified: &'a [Span],
}

impl Ended<'_> {
    /// Whether the byte at this offset turned out to be of another channel.
    fn is_reclassified(&self, at: u64) -> bool {
        let next = self.reclassified.partition_point(|span| span.end <= at);
        self.reclassified.get(next).is_some_and(|span| span.start <= at)
    }
}

/// One thing to put right.
#[derive(Debug, Clone, PartialEq)]
enum Correction {
    Notice(Code, Span),
    Remove(DocId, NodeId),
    /// A value kept beside takes another's place; silently inside one that is itself kept beside.
    Succeed {
        document: DocId,
        target: NodeId,
        source: NodeId,
        silent: bool,
    },
    /// A string keeps only its first bytes; silently inside a value kept beside.
    Cut {
        document: DocId,
        node: NodeId,
        len: usize,
        silent: bool,
    },
    /// The answer's root, a container, gets the children of this document's root too.
    Continue(Document),
    /// The answer's root is this document's.
    Root(Document),
}

/// What is to be put right, in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Corrections {
    queue: VecDeque<Correction>,
    truncated: bool,
    locator: Locator,
    /// The members of the answer's root, once children are put back into it.
    members: Option<HashMap<String, NodeId>>,
}

impl Corrections {
    /// Decides everything; changes nothing yet.
    pub(crate) fn plan(fold: &Fold, ended: &Ended<'_>) -> Self {
        let mut queue = VecDeque::new();
        let mut truncated = ended.truncated;
        if fold.keeps_value() {
            plan_cut(fold, ended, &mut queue);
            plan_edits(fold, &mut queue);
            plan_root(fold, ended, &mut queue, &mut truncated);
            if let Some(text) = &ended.text {
                queue.push_back(Correction::Root(Document::string(text)));
            }
        }
        Self { queue, truncated, locator: Locator::default(), members: None }
    }

    /// Whether the answer is one the input ended in.
    pub(crate) const fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Puts the next thing right and tells of it. False when there is nothing left.
    pub(crate) fn apply_next(&mut self, fold: &mut Fold, end: u64) -> bool {
        let Some(correction) = self.queue.pop_front() else {
            fold.path.clear();
            return false;
        };
        match correction {
            Correction::Notice(code, span) => {
                self.locator.reset();
                fold.path.clear();
                fold.notice(code, span);
            }
            Correction::Remove(document, node) => self.remove(fold, (document, node), end),
            Correction::Succeed { document, target, source, silent } => {
                fold.documents[document.index()].take_over(target, source);
                if !silent {
                    self.tell(fold, Kind::Replace, (document, target), end);
                }
            }
            Correction::Cut { document, node, len, silent } => {
                fold.documents[document.index()].truncate_string(node, len);
                if !silent {
                    self.tell(fold, Kind::Replace, (document, node), end);
                }
            }
            Correction::Continue(more) => {
                if let Some(rest) = self.put_back(fold, more, end) {
                    self.queue.push_front(Correction::Continue(rest));
                }
            }
            Correction::Root(document) => {
                let node = fold.documents[0].replace_root(document.value());
                self.locator.reset();
                self.tell(fold, Kind::Replace, (DocId::ANSWER, node), end);
            }
        }
        true
    }

    fn remove(&mut self, fold: &mut Fold, (document, node): (DocId, NodeId), end: u64) {
        self.tell(fold, Kind::Remove, (document, node), end);
        let document = &mut fold.documents[document.index()];
        if let Some(parent) = document.parent(node) {
            self.locator.recount(parent);
        }
        document.unlink(node);
    }

    /// Puts the first child of `more` into the answer's root; what is left of `more`.
    fn put_back(&mut self, fold: &mut Fold, mut more: Document, end: u64) -> Option<Document> {
        let answer = &mut fold.documents[0];
        let root = answer.root()?;
        let (key, value) = more.value().entries().next()?;
        let first = value.node()?;
        let value = more.at(first);
        let known = key.and_then(|key| self.members(answer, root).get(key).copied());
        let node = match (known, key) {
            (Some(target), _) => {
                let source = answer.graft(Place::Beside, value);
                answer.take_over(target, source);
                target
            }
            (None, Some(key)) => {
                let node = answer.graft(Place::Member(root, key), value);
                self.members(answer, root).insert(key.to_owned(), node);
                node
            }
            (None, None) => answer.graft(Place::Item(root), value),
        };
        self.tell(fold, Kind::Replace, (DocId::ANSWER, node), end);
        more.unlink(first);
        Some(more)
    }

    /// The members of the answer's root by key.
    fn members(&mut self, answer: &Document, root: NodeId) -> &mut HashMap<String, NodeId> {
        self.members.get_or_insert_with(|| {
            let members = answer.at(root).entries();
            let known =
                |(key, value): (Option<&str>, ValueRef<'_>)| Some((key?.to_owned(), value.node()?));
            members.filter_map(known).collect()
        })
    }

    /// Tells of a change the finalizer made, at the path of its node.
    fn tell(&mut self, fold: &mut Fold, kind: Kind, (document, node): (DocId, NodeId), end: u64) {
        let tree = &fold.documents[document.index()];
        self.locator.locate((document, tree), node, &mut fold.path);
        let change = Change {
            document,
            kind,
            node,
            depth: fold.path.depth() as u32,
            completion: Some(Completion::Reconciled),
            repaired: true,
            scalar: false,
        };
        fold.tell(Told::Patch(change), end);
    }
}

fn plan_edits(fold: &Fold, queue: &mut VecDeque<Correction>) {
    queue.extend(fold.removals.iter().map(|&(document, node)| Correction::Remove(document, node)));
    for &successor in &fold.successors {
        let crate::fold::Successor { document, target, source, silent } = successor;
        queue.push_back(Correction::Succeed { document, target, source, silent });
    }
}

/// A string that was open at the end and swallowed the closing line of the payload's fence.
fn plan_cut(fold: &Fold, ended: &Ended<'_>, queue: &mut VecDeque<Correction>) {
    let fenced = ended.json.and_then(JsonFormat::taken).is_some_and(|taken| taken.fenced);
    let Some(leaf) = ended.leaf.filter(|_| fenced && ended.truncated) else { return };
    let document = fold.current();
    let text = fold.documents[document.index()].at(leaf).as_str().unwrap_or("");
    let fences = ["\n```", "\n~~~"];
    if let Some(at) = fences.iter().filter_map(|fence| text.find(fence)).min() {
        let at = text[..at].trim_end_matches('\r').len();
        queue.push_back(Correction::Notice(Code::FenceInString, Span::at(fold.last_end)));
        let silent = !fold.documents[document.index()].is_in_place(leaf);
        queue.push_back(Correction::Cut { document, node: leaf, len: at, silent });
    }
}

/// The root itself: continued, replaced, or found only now.
fn plan_root(
    fold: &Fold,
    ended: &Ended<'_>,
    queue: &mut VecDeque<Correction>,
    truncated: &mut bool,
) {
    let (Some(raw), Some(json)) = (ended.raw, ended.json) else { return };
    if ended.settings.strictness == crate::spec::Strictness::Strict {
        return;
    }
    let streamed = fold.documents[0].value();
    let end = json.answer_end();
    let disowned = end.is_some_and(|end| ended.is_reclassified(end - 1));
    let root = if disowned { streamed.absent() } else { streamed };
    let mut taken = Span::at(0);
    if let Some(more) = continued::find(raw, json, ended.settings, root) {
        queue.push_back(Correction::Notice(Code::ContinuedRoot, more.span));
        queue.push_back(Correction::Continue(more.document));
        taken = more.span;
        *truncated |= !more.complete;
    }
    if let Some(best) = candidates::best(raw, json, ended, (root, taken, *truncated)) {
        if root.exists() {
            queue.push_back(Correction::Notice(Code::BetterCandidate, best.span));
        } else if best.scalar {
            queue.push_back(Correction::Notice(Code::ScalarRoot, best.span));
        }
        *truncated = !best.complete;
        queue.push_back(Correction::Root(best.document));
    } else if let (true, Some(root)) = (disowned, streamed.node()) {
        queue.push_back(Correction::Remove(DocId::ANSWER, root));
    }
}
