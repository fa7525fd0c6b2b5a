//! Tool calls: the JSON text of their arguments, as protocols stream it, and its value.

use patchwire::{PatchOp, ValueKind, ValueRef, path::Segment, wire::append_json_string};

use crate::change::{Change, Edit, Edits, Place};
use crate::event_ref::{EventView, PatchView, PathRef};
use crate::text::append_escaped;
use crate::tree::Tree;

/// The calls of an attempt.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls {
    /// The number of attempts that ended.
    over: u32,
    open: Vec<Call>,
}

/// One step of a tool call.
#[derive(Debug)]
pub(crate) enum CallEvent<'c> {
    /// The call begins. The name of its tool is known.
    Start { id: &'c str, name: &'c str },
    /// The next piece of the JSON text of its arguments.
    Arguments { id: &'c str, delta: &'c str },
}

/// A call that ended.
#[derive(Debug)]
pub(crate) struct EndedCall {
    pub(crate) id: String,
    pub(crate) name: String,
    /// Its arguments as JSON.
    pub(crate) input: String,
    /// Whether the finalizer corrected the arguments after their text was sent.
    pub(crate) is_corrected: bool,
}

#[derive(Debug, Clone)]
struct Call {
    number: u32,
    id: String,
    name: Option<String>,
    is_started: bool,
    /// Whether the text is written at the end only, because the reader missed the beginning.
    is_late: bool,
    /// Text that is held back until the name is known.
    waiting: String,
    writer: Writer,
    tree: Tree,
    edits: Edits,
}

/// The name for a tool whose name never came.
const NAMELESS: &str = "unknown";

impl Calls {
    /// Emits the steps of tool calls that the event contains.
    pub(crate) fn feed(&mut self, view: &EventView<'_>, sink: &mut dyn FnMut(CallEvent<'_>)) {
        match *view {
            EventView::ToolCall { call, id, name } => {
                let call = self.call(call, id);
                call.name = call.name.take().or_else(|| name.map(str::to_owned));
                call.emit(sink);
            }
            EventView::Patch(patch) => {
                let Some(number) = patch.origin.call.filter(|_| patch.origin.root == 0) else {
                    return;
                };
                let call = self.call(number, None);
                call.take(&patch);
                call.emit(sink);
            }
            EventView::Snapshot { origin, value, .. } if origin.root == 0 => {
                if let Some(number) = origin.call {
                    self.call(number, None).catch_up(value);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, number: u32, id: Option<&str>) -> &mut Call {
        let at = self.open.iter().position(|call| call.number == number).unwrap_or_else(|| {
            let over = self.over;
            let own = || {
                if over == 0 { format!("call-{number}") } else { format!("call-{number}-{over}") }
            };
            self.open.push(Call::new(number, id.map_or_else(own, str::to_owned)));
            self.open.len() - 1
        });
        let call = &mut self.open[at];
        if let (Some(id), false) = (id, call.is_started) {
            id.clone_into(&mut call.id);
        }
        call
    }

    /// Ends all calls. Emits everything that was held back.
    pub(crate) fn end(&mut self, sink: &mut dyn FnMut(CallEvent<'_>)) -> Vec<EndedCall> {
        self.over += 1;
        let ended = core::mem::take(&mut self.open).into_iter().map(|mut call| {
            call.write_late();
            call.name.get_or_insert_with(|| NAMELESS.to_owned());
            call.emit(sink);
            EndedCall {
                id: call.id,
                name: call.name.unwrap_or_default(),
                input: call.tree.print(),
                is_corrected: call.writer.is_corrected,
            }
        });
        ended.collect()
    }
}

impl Call {
    fn new(number: u32, id: String) -> Self {
        Self {
            number,
            id,
            name: None,
            is_started: false,
            is_late: false,
            waiting: String::new(),
            writer: Writer::default(),
            tree: Tree::default(),
            edits: Edits::default(),
        }
    }

    fn take(&mut self, patch: &PatchView<'_>) {
        let edit = self.edits.of(patch);
        self.writer.write(patch, edit, &mut self.waiting);
        if let Some(edit) = edit {
            let place = Place { document: None, path: patch.path };
            self.tree.apply(&Change { place, edit, field: Some(patch.field()) });
        }
    }

    /// Takes the whole arguments, for a reader that missed their events.
    fn catch_up(&mut self, value: ValueRef<'_>) {
        let place = Place { document: None, path: PathRef::ROOT };
        self.tree.apply(&Change::of_place(place, Edit::Set(value)));
        self.is_late |= !self.writer.has_written;
        self.writer.is_corrected = true;
    }

    /// Writes the text of a call whose beginning was missed.
    fn write_late(&mut self) {
        if self.is_late {
            self.waiting = self.tree.print();
            self.writer.is_corrected = false;
        }
    }

    fn emit(&mut self, sink: &mut dyn FnMut(CallEvent<'_>)) {
        let (id, Some(name)) = (&self.id, &self.name) else { return };
        if !self.is_started {
            self.is_started = true;
            sink(CallEvent::Start { id, name });
        }
        if !self.waiting.is_empty() {
            sink(CallEvent::Arguments { id, delta: &self.waiting });
            self.waiting.clear();
        }
    }
}

/// Writes the JSON text of a document while its patches arrive.
#[derive(Debug, Clone, Default)]
struct Writer {
    /// The closer of each open list and object, and whether it has an item.
    open: Vec<(char, bool)>,
    in_string: bool,
    has_written: bool,
    /// Whether a correction made the written text invalid.
    is_corrected: bool,
}

impl Writer {
    fn write(&mut self, patch: &PatchView<'_>, edit: Option<Edit<'_>>, out: &mut String) {
        if self.is_corrected {
            return;
        }
        self.has_written = true;
        match (patch.op, patch.value) {
            (PatchOp::Open, Some(value)) => {
                self.lead(patch, out);
                match value.kind() {
                    ValueKind::Object => self.enter('{', '}', out),
                    ValueKind::List => self.enter('[', ']', out),
                    _ => {
                        self.in_string = true;
                        out.push('"');
                    }
                }
            }
            (PatchOp::Delta, _) => append_escaped(patch.delta, out),
            (PatchOp::Done, _) if self.in_string => {
                self.in_string = false;
                out.push('"');
            }
            (PatchOp::Done, _) => match edit {
                Some(Edit::Set(value)) => {
                    self.lead(patch, out);
                    *out += &value.to_string();
                }
                _ => out.extend(self.open.pop().map(|(closer, _)| closer)),
            },
            _ => self.is_corrected = true,
        }
    }

    fn enter(&mut self, opener: char, closer: char, out: &mut String) {
        self.open.push((closer, false));
        out.push(opener);
    }

    /// The comma and the key before a value.
    fn lead(&mut self, patch: &PatchView<'_>, out: &mut String) {
        if let Some((_, has_some)) = self.open.last_mut()
            && core::mem::replace(has_some, true)
        {
            out.push(',');
        }
        if let Some(Segment::Key(key)) = patch.path.last() {
            append_json_string(key, out);
            out.push(':');
        }
    }
}
