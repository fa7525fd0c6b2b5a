//! A consumer that folds by kind, as the documentation says.

use std::collections::BTreeMap;

use patchwire::{OwnedEvent, OwnedPatch, PatchOp, Value as Found, path::Segment};
use patchwire_async::ResponseEvent;
use serde_json::{Value, json};

#[derive(Debug, Default)]
pub(crate) struct Folded(BTreeMap<usize, Value>);

impl Folded {
    pub(crate) fn of<'e>(events: impl IntoIterator<Item = &'e ResponseEvent>) -> Self {
        let mut folded = Self::default();
        events.into_iter().for_each(|event| folded.apply(event));
        folded
    }

    pub(crate) fn document(&self, number: usize) -> &Value {
        self.0.get(&number).unwrap_or(&Value::Null)
    }

    pub(crate) fn apply(&mut self, event: &ResponseEvent) {
        match event {
            ResponseEvent::Parsed(OwnedEvent::Patch(patch)) => self.patch(patch),
            ResponseEvent::Snapshot { document, value, .. } => {
                self.0.insert(document.index(), plain(value));
            }
            ResponseEvent::Reset { .. } => self.0.clear(),
            _ => {}
        }
    }

    fn patch(&mut self, patch: &OwnedPatch) {
        let place = self.place(patch);
        match (patch.op, &patch.value) {
            (PatchOp::Open | PatchOp::Replace | PatchOp::Done, Some(value)) => {
                *place = plain(value)
            }
            (PatchOp::Delta, _) => {
                let Value::String(text) = place else { panic!("{patch:?} appends to {place}") };
                text.push_str(&patch.delta);
            }
            (PatchOp::Remove, _) => panic!("no removal in these tests"),
            _ => {}
        }
    }

    fn place(&mut self, patch: &OwnedPatch) -> &mut Value {
        let root = self.0.entry(patch.document.index()).or_default();
        patch.path.segments().into_iter().fold(root, |at, segment| match segment {
            Segment::Key(key) => &mut at[key],
            Segment::Index(index) => {
                let list = at.as_array_mut().expect("an index is of a list");
                if index as usize == list.len() {
                    list.push(json!(null));
                }
                &mut list[index as usize]
            }
        })
    }
}

fn plain(value: &Found) -> Value {
    value.as_ref().to_serde_json().expect("not deep")
}
