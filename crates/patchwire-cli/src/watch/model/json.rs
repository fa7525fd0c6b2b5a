//! Items as JSON, to be copied.

use super::Model;
use super::item::{ItemBody, ItemId, ItemRole};
use patchwire::document::DocId;

/// What is written next.
enum Step {
    Value(ItemId),
    Member(ItemId),
    Put(&'static str),
}

impl Model {
    /// What a person wants of an item: the text of a string, JSON of everything else. `None` if nothing of it is
    /// there.
    pub(crate) fn content(&self, id: ItemId) -> Option<String> {
        let item = self.item(id);
        match &item.body {
            ItemBody::Absent if item.children.is_empty() => None,
            ItemBody::Text(text) => Some(text.clone()),
            _ => Some(self.json(id)),
        }
    }

    /// The answer so far: its document, else the texts that are the answer.
    pub(crate) fn answer_content(&self) -> Option<String> {
        let root = self.documents.get(&DocId::ANSWER).copied();
        if let Some(content) = root.and_then(|root| self.content(root)) {
            return Some(content);
        }
        let texts: Vec<&str> = self.answer_texts().collect();
        (!texts.is_empty()).then(|| texts.concat())
    }

    /// The texts that are the answer, in order: those in elements of the channel `answer`, else those outside.
    pub(super) fn answer_texts(&self) -> impl Iterator<Item = &str> {
        let ids = (0..self.items.len()).map(ItemId::of);
        ids.filter(|id| self.is_answer(*id)).filter_map(|id| self.item(id).text())
    }

    /// Whether the text of an item is the answer.
    fn is_answer(&self, id: ItemId) -> bool {
        let item = self.item(id);
        match &item.role {
            ItemRole::Text => &*item.name == "answer" || item.parent.is_none() && self.is_text,
            ItemRole::Element { channel, .. } => &**channel == "answer",
            _ => false,
        }
    }

    /// An item as JSON. Nesting may be as deep as the limits allow, so this does not recurse.
    fn json(&self, id: ItemId) -> String {
        let mut out = String::new();
        let mut open = vec![Step::Value(id)];
        while let Some(step) = open.pop() {
            let id = match step {
                Step::Put(text) => {
                    out.push_str(text);
                    continue;
                }
                Step::Member(id) => {
                    out += &serde_json::Value::from(&*self.item(id).name).to_string();
                    out.push(':');
                    id
                }
                Step::Value(id) => id,
            };
            let item = self.item(id);
            let (begin, end, is_list) = match &item.body {
                ItemBody::Text(text) => {
                    out += &serde_json::Value::from(&**text).to_string();
                    continue;
                }
                ItemBody::Scalar(_, json) => {
                    out += json;
                    continue;
                }
                ItemBody::Absent if item.children.is_empty() => {
                    out += "null";
                    continue;
                }
                ItemBody::List => ("[", "]", true),
                ItemBody::Object | ItemBody::Absent => ("{", "}", false),
            };
            out.push_str(begin);
            open.push(Step::Put(end));
            let is_there = |id: &&ItemId| is_list || self.item(**id).body != ItemBody::Absent;
            let mut children = item.children.iter().filter(is_there).rev().peekable();
            while let Some(child) = children.next() {
                open.push(if is_list { Step::Value(*child) } else { Step::Member(*child) });
                if children.peek().is_some() {
                    open.push(Step::Put(","));
                }
            }
        }
        out
    }
}
