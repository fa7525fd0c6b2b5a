//! Which path JavaScript knows at each depth.
//!
//! JavaScript keeps the fields from the root down to the last one. A patch says only its depth; its path is sent
//! where it is not the one that JavaScript has there.

use patchwire::Path;
use patchwire::path::Segment;

/// A step that is sent: the next field at its depth, or a field that was opened before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// A field that begins.
    New,
    /// A field that JavaScript finds in its container.
    Known,
}

/// The steps from the root to the last field.
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// Buffers of the steps; those from `len` on are kept for their memory.
    steps: Vec<Step>,
    len: usize,
    /// Whether the root has begun.
    has_root: bool,
}

#[derive(Debug)]
enum Step {
    Key(String),
    Index(u32),
}

impl Step {
    fn is(&self, segment: Segment<'_>) -> bool {
        match (self, segment) {
            (Self::Key(key), Segment::Key(other)) => key == other,
            (Self::Index(index), Segment::Index(other)) => *index == other,
            _ => false,
        }
    }

    fn set(&mut self, segment: Segment<'_>) {
        match (&mut *self, segment) {
            (Self::Key(key), Segment::Key(other)) => {
                key.clear();
                key.push_str(other);
            }
            (step, Segment::Key(other)) => *step = Self::Key(other.to_owned()),
            (step, Segment::Index(index)) => *step = Self::Index(index),
        }
    }
}

impl Line {
    /// Nothing is known.
    pub(crate) const fn clear(&mut self) {
        (self.len, self.has_root) = (0, false);
    }

    /// Nothing below this depth is known.
    pub(crate) fn truncate(&mut self, depth: usize) {
        self.len = self.len.min(depth);
    }

    /// Goes to the field of a patch. `send` gets every step that JavaScript does not know, with its depth. Whether the
    /// field was the last one already.
    pub(crate) fn go_to(
        &mut self,
        path: Path<'_>,
        begins: bool,
        mut send: impl FnMut(Turn, usize, Segment<'_>),
    ) -> bool {
        let depth = path.len();
        let Some(last) = path.last() else {
            self.truncate(0);
            return core::mem::replace(&mut self.has_root, true);
        };
        if !begins && self.len >= depth && self.steps[depth - 1].is(last) {
            self.truncate(depth);
            return true;
        }
        if let Some(container) = path.parent() {
            let is_known = container
                .last()
                .is_none_or(|last| self.len >= depth - 1 && self.steps[depth - 2].is(last));
            if !is_known {
                self.turn_to(container, &mut send);
            }
        }
        self.truncate(depth - 1);
        self.push(last);
        send(if begins { Turn::New } else { Turn::Known }, depth, last);
        false
    }

    /// Compares all steps: a list may continue after other fields.
    fn turn_to(&mut self, path: Path<'_>, send: &mut impl FnMut(Turn, usize, Segment<'_>)) {
        for (at, segment) in path.segments().enumerate() {
            if self.len > at && self.steps[at].is(segment) {
                continue;
            }
            self.truncate(at);
            self.push(segment);
            send(Turn::Known, at + 1, segment);
        }
    }

    fn push(&mut self, segment: Segment<'_>) {
        match self.steps.get_mut(self.len) {
            Some(step) => step.set(segment),
            None => {
                let mut step = Step::Index(0);
                step.set(segment);
                self.steps.push(step);
            }
        }
        self.len += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Turn};
    use patchwire::{Event, PatchOp, Spec, ValueKind};

    /// The steps that are sent for a text that is read in one piece.
    fn sent(text: &str) -> Vec<String> {
        let (mut line, mut all) = (Line::default(), Vec::new());
        let mut parser = Spec::json().parser();
        let mut take = |event: Event<'_>| {
            if let Event::Patch(patch) = event {
                let is_scalar = !matches!(
                    patch.value.kind(),
                    ValueKind::String | ValueKind::List | ValueKind::Object
                );
                let begins = patch.op == PatchOp::Open || (patch.op == PatchOp::Done && is_scalar);
                line.go_to(patch.path, begins, |turn, depth, step| {
                    let mark = if turn == Turn::New { "" } else { "again " };
                    all.push(format!("{mark}{depth} {step:?}"));
                });
            }
        };
        parser.feed(text, &mut take).unwrap();
        parser.finish(&mut take).unwrap();
        all
    }

    #[test]
    fn a_field_is_sent_once() {
        let found = sent(r#"{"a": "x", "b": {"c": 1, "d": [true]}}"#);
        let steps = ["1 Key(\"a\")", "1 Key(\"b\")", "2 Key(\"c\")", "2 Key(\"d\")", "3 Index(0)"];
        assert_eq!(found, steps);
    }

    #[test]
    fn fields_of_the_same_name_in_two_containers_are_both_sent() {
        let found = sent(r#"[{"a": 1}, {"a": 2}]"#);
        assert_eq!(found, ["1 Index(0)", "2 Key(\"a\")", "1 Index(1)", "2 Key(\"a\")"]);
    }
}
