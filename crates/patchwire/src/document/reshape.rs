//! Values that become another kind of value while the document grows.

use super::{Document, NONE, NodeData, NodeId, NodeKind};

impl Document {
    /// Makes a complete value the only item of a list, which is open. The list takes over the number, the
    /// place and the key of the value; the item is a new node.
    pub(crate) fn wrap(&mut self, node: NodeId) -> NodeId {
        let item = self.nodes.len() as u32;
        let content = self.nodes[node.index()];
        if content.kind.is_container() {
            let mut child = content.from;
            while child != NONE {
                self.nodes[child as usize].parent = item;
                child = self.nodes[child as usize].next;
            }
        }
        let key_start = self.text.len() as u32;
        self.nodes.push(NodeData { key_start, key_len: 0, parent: node.0, next: NONE, ..content });
        let list = &mut self.nodes[node.index()];
        list.kind = NodeKind::List;
        list.complete = false;
        (list.from, list.to, list.children) = (item, item, 1);
        NodeId(item)
    }

    /// Makes an open string an open object whose only member is the text so far, complete.
    pub(crate) fn string_to_object(&mut self, node: NodeId, key: &str) -> NodeId {
        let member = self.nodes.len() as u32;
        let content = self.nodes[node.index()];
        let key_start = self.text.len() as u32;
        self.text.push_str(key);
        self.nodes.push(NodeData {
            complete: true,
            key_start,
            key_len: key.len() as u32,
            parent: node.0,
            next: NONE,
            ..content
        });
        let object = &mut self.nodes[node.index()];
        object.kind = NodeKind::Object;
        (object.from, object.to, object.children) = (member, member, 1);
        NodeId(member)
    }
}

#[cfg(test)]
mod tests {
    use crate::document::{Document, NodeKind, Placement};

    #[test]
    fn a_value_becomes_the_first_of_a_list() {
        let mut doc = Document::default();
        let root = doc.open(Placement::Root, NodeKind::Object);
        let first = doc.open(Placement::Member(root, "x"), NodeKind::Object);
        let inner = doc.scalar(Placement::Member(first, "n"), NodeKind::Number, "1");
        doc.complete(first);
        doc.scalar(Placement::Member(root, "y"), NodeKind::True, "");
        let item = doc.wrap(first);
        doc.scalar(Placement::Item(first), NodeKind::String, "s");
        assert_eq!(doc.value().to_string(), r#"{"x":[{"n":1},"s"],"y":true}"#);
        assert_eq!((doc.parent(inner), doc.parent(item)), (Some(item), Some(first)));
        assert!(!doc.at(first).is_complete() && doc.at(item).is_complete());
        assert_eq!((doc.key(first), doc.key(item)), ("x", ""));
    }

    #[test]
    fn a_string_becomes_the_first_member_of_an_object() {
        let mut doc = Document::default();
        let root = doc.open(Placement::Root, NodeKind::String);
        doc.append(root, "so far");
        doc.string_to_object(root, "_text");
        doc.scalar(Placement::Member(root, "b"), NodeKind::Null, "");
        assert_eq!(doc.value().to_string(), r#"{"_text":"so far","b":null}"#);
    }
}
