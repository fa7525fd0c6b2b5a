//! The documents being built, and the element or text that each root belongs to.

use crate::document::{DocId, Document, NodeId, NodeKind};
use crate::element::ElementId;
use crate::error::{Error, ErrorKind};
use crate::event::Origin;
use crate::limits::{Limit, Limits};

/// All documents of a stream. One is current: the document whose root began last.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Documents {
    keeps_values: bool,
    /// One entry per document. Without kept values, a single empty document replaces all of them.
    pub(crate) all: Vec<Document>,
    /// Where each document of `all` comes from.
    pub(crate) origins: Vec<Origin>,
    /// Without kept values: the last scalar, or the last value that opened.
    last_value: Document,
    current: u32,
    count: u32,
    /// Nodes of the current document.
    nodes: u32,
    /// Roots outside elements.
    outside: RootScope,
    /// Roots of the element bodies being read, the innermost last.
    bodies: Vec<RootScope>,
    /// Values and elements of the whole stream, which share one limit.
    value_count: u64,
    value_limit: u64,
}

/// The roots of one element's body, or those outside elements.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RootScope {
    element: Option<ElementId>,
    /// Whether the schema describes these roots.
    has_schema: bool,
    /// Roots that have begun.
    roots: u32,
}

impl Documents {
    pub(super) fn new(limits: &Limits, keeps_values: bool) -> Self {
        Self {
            keeps_values,
            all: vec![Document::default()],
            origins: vec![Origin::ANSWER],
            last_value: Document::default(),
            current: 0,
            count: 1,
            nodes: 0,
            outside: RootScope { element: None, has_schema: true, roots: 0 },
            bodies: Vec::new(),
            value_count: 0,
            value_limit: limits.get(Limit::Nodes),
        }
    }

    #[inline]
    pub(crate) const fn keeps_values(&self) -> bool {
        self.keeps_values
    }

    /// Documents that the stream began.
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) const fn current_id(&self) -> DocId {
        DocId(self.current)
    }

    /// The number of the current document, if its values are kept.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) fn kept_id(&self) -> Option<DocId> {
        self.keeps_values.then_some(self.current_id())
    }

    /// The current document. Only where values are kept.
    #[inline]
    pub(super) fn current(&self) -> &Document {
        &self.all[self.current as usize]
    }

    /// The current document, to be changed. Only where values are kept.
    #[inline]
    pub(super) fn current_mut(&mut self) -> &mut Document {
        &mut self.all[self.current as usize]
    }

    /// The document with this number, or the single empty one.
    #[inline]
    pub(super) fn get(&self, id: DocId) -> (&Document, &Origin) {
        let at = id.index().min(self.all.len() - 1);
        (&self.all[at], &self.origins[at])
    }

    /// Without kept values: the last scalar, or the last value that opened.
    #[inline]
    pub(super) const fn last_value(&self) -> &Document {
        &self.last_value
    }

    // Roots.

    /// The roots that follow belong to an element's body.
    pub(crate) fn enter_body(&mut self, element: ElementId, has_schema: bool) {
        self.bodies.push(RootScope { element: Some(element), has_schema, roots: 0 });
    }

    /// The innermost body ends.
    pub(crate) fn leave_body(&mut self) {
        self.bodies.pop();
    }

    /// Whether the answer's root has begun.
    pub(crate) const fn has_answer(&self) -> bool {
        self.outside.roots > 0
    }

    /// Whether the schema describes the roots that may begin now.
    #[inline]
    pub(super) fn has_schema(&self) -> bool {
        self.bodies.last().is_none_or(|body| body.has_schema)
    }

    /// The current document, if it belongs to the innermost body.
    pub(crate) fn of_body(&self) -> Option<DocId> {
        self.bodies.last().is_some_and(|body| body.roots > 0).then(|| self.current_id())
    }

    /// A root begins, in a document of its own. Document 0 is that of the first root outside elements.
    pub(super) fn begin_root(&mut self) {
        self.nodes = 0;
        let scope = self.bodies.last_mut().unwrap_or(&mut self.outside);
        let origin = Origin { element: scope.element, root: scope.roots, ..Origin::ANSWER };
        let is_answer = scope.element.is_none() && scope.roots == 0;
        scope.roots += 1;
        if is_answer {
            self.current = 0;
            if self.keeps_values {
                self.all[0].reserve();
            }
        } else {
            self.current = self.count;
            self.count += 1;
        }
        if !self.keeps_values {
            self.origins[0] = origin;
        } else if self.current > 0 {
            self.all.push(Document::default());
            self.origins.push(origin);
        }
    }

    /// Adds a document for an element of which none was streamed. Only at the end: the numbers of all such documents
    /// are known by then.
    pub(crate) fn add_for(&mut self, element: ElementId) {
        self.all.push(Document::default());
        self.origins.push(Origin { element: Some(element), ..Origin::ANSWER });
    }

    // Nodes.

    /// Counts one more value or element.
    ///
    /// # Errors
    /// The limit on nodes.
    #[inline]
    pub(crate) fn count_value(&mut self, offset: u64) -> Result<(), Error> {
        self.value_count += 1;
        if self.value_count > self.value_limit {
            return Err(Error::new(ErrorKind::Limit(Limit::Nodes), offset));
        }
        Ok(())
    }

    /// The node that the next value gets.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) const fn next_node(&self) -> NodeId {
        NodeId(self.nodes)
    }

    /// Numbers one more node of the current document.
    #[inline]
    pub(super) fn add_node(&mut self) -> NodeId {
        let node = NodeId(self.nodes);
        self.nodes += 1;
        node
    }

    /// Whether the member `node` has this key. Keys are only compared where values are kept.
    #[inline]
    pub(super) fn has_key(&self, node: NodeId, key: &str) -> bool {
        !self.keeps_values || self.current().has_key(node, key)
    }

    #[inline]
    pub(super) fn append(&mut self, node: NodeId, text: &str) {
        if self.keeps_values {
            self.current_mut().append(node, text);
        }
    }

    #[inline]
    pub(super) fn complete(&mut self, node: NodeId) {
        if self.keeps_values {
            self.current_mut().complete(node);
        }
    }

    /// Without kept values: remembers the value that the next patch carries.
    #[inline]
    pub(super) fn set_last_value(&mut self, kind: NodeKind, text: &str, is_complete: bool) {
        if !self.keeps_values {
            self.last_value.set_alone(kind, text, is_complete);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DocId, Documents, ElementId, Limits, NodeKind, Origin};
    use crate::document::Placement;

    #[test]
    fn the_first_root_outside_elements_is_the_answer() {
        for keeps_values in [true, false] {
            let mut documents = Documents::new(&Limits::default(), keeps_values);
            let mut seen = Vec::new();
            let mut begin = |documents: &mut Documents| {
                documents.begin_root();
                let id = documents.current_id();
                let origin = documents.get(id).1;
                seen.push((id.index(), origin.element.map(|element| element.0), origin.root));
            };
            documents.enter_body(ElementId(1), false);
            begin(&mut documents);
            documents.enter_body(ElementId(2), true);
            assert!(documents.has_schema() && documents.of_body().is_none());
            begin(&mut documents);
            begin(&mut documents);
            assert_eq!(documents.of_body(), Some(DocId(3)));
            documents.leave_body();
            begin(&mut documents);
            assert!(!documents.has_schema() && !documents.has_answer());
            documents.leave_body();
            begin(&mut documents);
            assert!(documents.has_schema() && documents.has_answer());
            begin(&mut documents);
            let (one, two) = (Some(1), Some(2));
            let wanted = [(1, one, 0), (2, two, 0), (3, two, 1), (4, one, 1), (0, None, 0)];
            assert_eq!(seen[..5], wanted);
            assert_eq!(seen[5], (5, None, 1));
            assert_eq!(documents.count(), 6);
        }
        assert_eq!(Documents::new(&Limits::default(), true).origins, [Origin::ANSWER]);
    }

    /// Without values nothing is there to compare: the word that was found decides.
    #[test]
    fn a_member_has_one_key_where_values_are_kept() {
        for keeps_values in [true, false] {
            let mut documents = Documents::new(&Limits::default(), keeps_values);
            documents.begin_root();
            let (root, member) = (documents.add_node(), documents.add_node());
            if keeps_values {
                documents.current_mut().open(Placement::Root, NodeKind::Object);
                documents.current_mut().open(Placement::Member(root, "a"), NodeKind::Null);
            }
            assert!(documents.has_key(member, "a"));
            assert_eq!(documents.has_key(member, "b"), !keeps_values);
        }
    }
}
