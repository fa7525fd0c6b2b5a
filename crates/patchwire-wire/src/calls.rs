//! Calls of tools: their arguments as the JSON text that protocols stream, and as a value.

use patchwire::{PatchOp, ValueKind, ValueRef, path::Segment};

use crate::change::{Change, Place, What};
use crate::text::{escaped, quoted};
use crate::told::{Patched, Route, Seen};
use crate::tree::Tree;

/// The calls of an attempt.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls {
    /// Attempts that are over.
    over: u32,
    open: Vec<Call>,
}

/// What is to be told of a call.
#[derive(Debug)]
pub(crate) enum CallTold<'c> {
    /// It begins: the tool's name is known.
    Start { id: &'c str, name: &'c str },
    /// More of the JSON text of its arguments.
    Arguments { id: &'c str, delta: &'c str },
}

/// A call that is over.
#[derive(Debug)]
pub(crate) struct EndedCall {
    pub(crate) id: String,
    pub(crate) name: String,
    /// Its arguments as JSON.
    pub(crate) input: String,
    /// Whether the text that was told is not that of the arguments: the end corrected them.
    pub(crate) is_corrected: bool,
}

#[derive(Debug, Clone)]
struct Call {
    number: u32,
    id: String,
    name: Option<String>,
    is_started: bool,
    /// Whether its text is written when it is over: what came of it before was missed.
    is_late: bool,
    /// Text that waits for the name.
    waiting: String,
    writer: Writer,
    tree: Tree,
}

/// The name of a tool that never told it.
const NAMELESS: &str = "unknown";

impl Calls {
    /// Tells of the event what is of a call.
    pub(crate) fn feed(&mut self, seen: &Seen<'_>, sink: &mut dyn FnMut(CallTold<'_>)) {
        match *seen {
            Seen::ToolCall { call, id, name } => {
                let call = self.call(call, id);
                call.name = call.name.take().or_else(|| name.map(str::to_owned));
                call.tell(sink);
            }
            Seen::Patch(patch) => {
                let Some(number) = patch.origin.call.filter(|_| patch.origin.root == 0) else {
                    return;
                };
                let call = self.call(number, None);
                call.take(&patch);
                call.tell(sink);
            }
            Seen::Snapshot { origin, value, .. } if origin.root == 0 => {
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

    /// All calls are over; what was not told of them is.
    pub(crate) fn end(&mut self, sink: &mut dyn FnMut(CallTold<'_>)) -> Vec<EndedCall> {
        self.over += 1;
        let ended = core::mem::take(&mut self.open).into_iter().map(|mut call| {
            call.write_late();
            call.name.get_or_insert_with(|| NAMELESS.to_owned());
            call.tell(sink);
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
        }
    }

    fn take(&mut self, patch: &Patched<'_>) {
        self.writer.write(patch, &mut self.waiting);
        if let Some(what) = patch.what() {
            let place = Place { document: None, route: patch.route };
            self.tree.apply(&Change { place, what });
        }
    }

    /// The arguments as they are, for who missed how they came to that.
    fn catch_up(&mut self, value: ValueRef<'_>) {
        let place = Place { document: None, route: Route::ROOT };
        self.tree.apply(&Change { place, what: What::Set(value) });
        self.is_late |= !self.writer.has_written;
        self.writer.is_corrected = true;
    }

    /// The text of a call of which nothing was written.
    fn write_late(&mut self) {
        if self.is_late {
            self.waiting = self.tree.print();
            self.writer.is_corrected = false;
        }
    }

    fn tell(&mut self, sink: &mut dyn FnMut(CallTold<'_>)) {
        let (id, Some(name)) = (&self.id, &self.name) else { return };
        if !self.is_started {
            self.is_started = true;
            sink(CallTold::Start { id, name });
        }
        if !self.waiting.is_empty() {
            sink(CallTold::Arguments { id, delta: &self.waiting });
            self.waiting.clear();
        }
    }
}

/// Writes the JSON text of a document from its patches, as they come.
#[derive(Debug, Clone, Default)]
struct Writer {
    /// What closes each open list and object, and whether something is in it.
    open: Vec<(char, bool)>,
    in_string: bool,
    has_written: bool,
    /// What was written is not what holds.
    is_corrected: bool,
}

impl Writer {
    fn write(&mut self, patch: &Patched<'_>, out: &mut String) {
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
            (PatchOp::Delta, _) => *out += &escaped(patch.delta),
            (PatchOp::Done, _) if self.in_string => {
                self.in_string = false;
                out.push('"');
            }
            (PatchOp::Done, value) => match patch.what() {
                Some(What::Set(_)) => {
                    self.lead(patch, out);
                    *out += &value.map(|value| value.to_string()).unwrap_or_default();
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
    fn lead(&mut self, patch: &Patched<'_>, out: &mut String) {
        if let Some((_, has_some)) = self.open.last_mut()
            && core::mem::replace(has_some, true)
        {
            out.push(',');
        }
        if let Some(Segment::Key(key)) = patch.route.last() {
            *out += &quoted(key);
            out.push(':');
        }
    }
}
