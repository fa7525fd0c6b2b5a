//! The numbers of fields, for a form that writes out each path once.

use std::collections::HashMap;

use patchwire::{document::DocId, path::Segment, wire::append_json_string};

use crate::event_ref::{FieldKey, PatchView};
use crate::text::append;

/// Numbers fields from 0 in the order in which they appear.
#[derive(Debug, Clone, Default)]
pub(crate) struct FieldNumbers {
    /// The number of each root.
    roots: HashMap<(u32, Option<u32>, DocId), u32>,
    /// The number of each other field, by the number of the field that contains it and the step: `4"title`, `4:0`.
    fields: HashMap<Box<str>, u32>,
    /// How many fields have a number.
    count: u32,
    /// The field of the last patch, and its number: the next patch may be about it too.
    last: Option<(FieldKey, u32)>,
    /// The key that is looked up. Reused.
    key: String,
}

impl FieldNumbers {
    /// The number of a field, and whether it is the root of a new document. For a new field, `out` gets the way to it
    /// from the last field that is known: what stands for the field on its first line.
    pub(crate) fn number(&mut self, patch: &PatchView<'_>, out: &mut String) -> (u32, bool) {
        let key = patch.field();
        // A field moves only if a patch about another one is between.
        if let Some((last, number)) = self.last
            && last == key
        {
            return (number, false);
        }
        let (number, is_root) = self.look_up(patch, out);
        self.last = Some((key, number));
        (number, is_root)
    }

    fn look_up(&mut self, patch: &PatchView<'_>, out: &mut String) -> (u32, bool) {
        let root = (patch.origin.attempt, patch.origin.call, patch.document);
        let (mut number, mut is_new) = self.root(root);
        let is_root = is_new;
        if is_new {
            out.push_str("[null");
        }
        patch.path.for_each(|step| {
            let container = number;
            let was_known = self.step(&mut number, step);
            if !was_known {
                if !is_new {
                    append(format_args!("[{container}"), out);
                }
                out.push(',');
                append_step(step, out);
                is_new = true;
            }
        });
        if is_new {
            out.push(']');
        }
        (number, is_root)
    }

    /// The number of a root, and whether it is new.
    fn root(&mut self, root: (u32, Option<u32>, DocId)) -> (u32, bool) {
        if let Some(number) = self.roots.get(&root) {
            return (*number, false);
        }
        let number = self.next();
        self.roots.insert(root, number);
        (number, true)
    }

    /// Goes from a field to one that it contains. Whether that one had a number.
    fn step(&mut self, number: &mut u32, step: Segment<'_>) -> bool {
        self.key.clear();
        append(*number, &mut self.key);
        match step {
            Segment::Key(key) => {
                self.key.push('"');
                self.key.push_str(key);
            }
            Segment::Index(index) => append(format_args!(":{index}"), &mut self.key),
        }
        if let Some(known) = self.fields.get(self.key.as_str()) {
            *number = *known;
            return true;
        }
        *number = self.next();
        self.fields.insert(self.key.as_str().into(), *number);
        false
    }

    const fn next(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }
}

fn append_step(step: Segment<'_>, out: &mut String) {
    match step {
        Segment::Key(key) => append_json_string(key, out),
        Segment::Index(index) => append(index, out),
    }
}
