//! The UI message stream of Vercel's AI SDK (`ai` 6 and 7).

use patchwire::{Answer, Outcome};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::ag_ui::VOID;
use crate::calls::{CallEvent, Calls};
use crate::change::PrintedPointer;
use crate::documents::{DocumentChanges, Documents};
use crate::event_ref::{EventRef, EventView};
use crate::message::Message;
use crate::ops::op;
use crate::protocol::{Failure, Protocol};
use crate::text::{json, quoted, raw};
use crate::text_runs::{RunEvent, TextRuns};
use crate::tree::Tree;

/// A message of the [AI SDK](https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol): text and reasoning
/// parts, tool parts, and the answer as a data part.
///
/// The part `data-answer`, with the id `answer`, has the whole value so far. It is sent again when the
/// changes since the last copy are as long as that copy, and at the end. So copies never cost more than
/// changes. Each change is also sent as a transient part `data-op`, an operation of [`Ops`](crate::Ops), for
/// a client that applies them in `onData`. Other events are transient parts `data-event` in patchwire's own
/// JSON form.
///
/// `useChat` reads the stream in frames of [`Sse::plain`](crate::Sse::plain) with the header
/// [`HEADER`](Self::HEADER).
#[derive(Debug, Clone)]
pub struct UiMessage {
    data_type: String,
    data_id: String,
    is_started: bool,
    runs: TextRuns,
    calls: Calls,
    changes: DocumentChanges,
    pointer: PrintedPointer,
    tree: Tree,
    /// The length in bytes of the value that was sent last.
    weight: usize,
    /// The length in bytes of the changes since then.
    since: usize,
}

impl Default for UiMessage {
    fn default() -> Self {
        Self {
            data_type: "data-answer".to_owned(),
            data_id: "answer".to_owned(),
            is_started: false,
            runs: TextRuns::default(),
            calls: Calls::default(),
            changes: DocumentChanges::default(),
            pointer: PrintedPointer::default(),
            tree: Tree::default(),
            weight: 0,
            since: 0,
        }
    }
}

impl UiMessage {
    /// The header that a response needs beside its content type: name and value.
    pub const HEADER: (&'static str, &'static str) = ("x-vercel-ai-ui-message-stream", "v1");

    /// Sets the name of the data part, `answer` by default: `report` makes `data-report`.
    #[must_use]
    pub fn with_name(self, name: &str) -> Self {
        Self { data_type: format!("data-{name}"), data_id: name.to_owned(), ..self }
    }

    /// Sets which documents the data part contains.
    #[must_use]
    pub fn with_documents(self, documents: Documents) -> Self {
        Self { changes: DocumentChanges::new(documents), ..self }
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum Chunk<'e> {
    Start,
    StartStep,
    FinishStep,
    Finish {
        finish_reason: &'static str,
    },
    Error {
        error_text: &'e str,
    },
    TextStart {
        id: String,
    },
    TextDelta {
        id: String,
        delta: &'e str,
    },
    TextEnd {
        id: String,
    },
    ReasoningStart {
        id: String,
    },
    ReasoningDelta {
        id: String,
        delta: &'e str,
    },
    ReasoningEnd {
        id: String,
    },
    ToolInputStart {
        tool_call_id: &'e str,
        tool_name: &'e str,
    },
    ToolInputDelta {
        tool_call_id: &'e str,
        input_text_delta: &'e str,
    },
    ToolInputAvailable {
        tool_call_id: &'e str,
        tool_name: &'e str,
        input: Box<RawValue>,
    },
    ToolInputError {
        tool_call_id: &'e str,
        tool_name: &'e str,
        input: Box<RawValue>,
        error_text: &'e str,
    },
    DataEvent {
        data: Box<RawValue>,
        transient: bool,
    },
}

fn send(sink: &mut dyn FnMut(Message), chunk: &Chunk<'_>) {
    sink(Message::new(json(chunk)));
}

impl Protocol for UiMessage {
    fn feed(&mut self, event: EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        self.start(sink);
        let view = event.view();
        self.runs.feed(&view, &mut |run| send(sink, &run_chunk(&run)));
        self.calls.feed(&view, &mut |event| send(sink, &call_chunk(&event)));
        self.value(&view, sink);
        match view {
            EventView::Reset => self.abandon(&event, sink),
            EventView::Final(answer) => self.finish(answer, sink),
            EventView::Other | EventView::ElementOpen { .. } | EventView::ElementClose(_) => {
                Self::pass(&event, sink)
            }
            EventView::Text { .. } if !TextRuns::is_for_readers(&view) => Self::pass(&event, sink),
            _ => {}
        }
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        self.start(sink);
        self.runs.close(&mut |run| send(sink, &run_chunk(&run)));
        self.send_value(sink);
        send(sink, &Chunk::Error { error_text: &failure.message });
        Self::end("error", sink);
    }
}

impl UiMessage {
    fn start(&mut self, sink: &mut dyn FnMut(Message)) {
        if !core::mem::replace(&mut self.is_started, true) {
            send(sink, &Chunk::Start);
            send(sink, &Chunk::StartStep);
        }
    }

    fn value(&mut self, view: &EventView<'_>, sink: &mut dyn FnMut(Message)) {
        let Self { changes, pointer, tree, since, .. } = self;
        changes.feed(view, &mut |change| {
            tree.apply(&change);
            if let Some(op) = op(&change, pointer) {
                *since += op.len();
                // Written as it is: it is JSON, and there is one for each delta.
                let part = format!("{{\"type\":\"data-op\",\"data\":{op},\"transient\":true}}");
                sink(Message::new(part));
            }
        });
        if self.since > self.weight {
            self.send_value(sink);
        }
    }

    /// Sends the value, if it is not the one that was sent last.
    fn send_value(&mut self, sink: &mut dyn FnMut(Message)) {
        if core::mem::take(&mut self.since) > 0 {
            let value = self.tree.print();
            self.weight = value.len();
            // A data part that stays. The caller chose the name of its type.
            let (data_type, id) = (quoted(&self.data_type), quoted(&self.data_id));
            let part = format!("{{\"type\":{data_type},\"id\":{id},\"data\":{value}}}");
            sink(Message::new(part));
        }
    }

    fn pass(event: &EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        let data = raw(event.single_line());
        send(sink, &Chunk::DataEvent { data, transient: true });
    }

    /// Another attempt begins: another step of the same message.
    fn abandon(&mut self, event: &EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        self.send_value(sink);
        for call in self.calls.end(&mut |event| send(sink, &call_chunk(&event))) {
            let (tool_call_id, tool_name) = (&*call.id, &*call.name);
            let (input, error_text) = (raw(call.input), VOID);
            send(sink, &Chunk::ToolInputError { tool_call_id, tool_name, input, error_text });
        }
        Self::pass(event, sink);
        send(sink, &Chunk::FinishStep);
        send(sink, &Chunk::StartStep);
    }

    fn finish(&mut self, answer: &Answer, sink: &mut dyn FnMut(Message)) {
        self.send_value(sink);
        let calls = self.calls.end(&mut |event| send(sink, &call_chunk(&event)));
        let reason = match answer.outcome() {
            Outcome::Truncated => "length",
            _ if !calls.is_empty() => "tool-calls",
            Outcome::ToolCalls => "tool-calls",
            _ => "stop",
        };
        for call in calls {
            let (tool_call_id, tool_name, input) = (&*call.id, &*call.name, raw(call.input));
            send(sink, &Chunk::ToolInputAvailable { tool_call_id, tool_name, input });
        }
        Self::end(reason, sink);
    }

    fn end(finish_reason: &'static str, sink: &mut dyn FnMut(Message)) {
        send(sink, &Chunk::FinishStep);
        send(sink, &Chunk::Finish { finish_reason });
        sink(Message::new("[DONE]"));
    }
}

const fn call_chunk<'c>(event: &CallEvent<'c>) -> Chunk<'c> {
    match *event {
        CallEvent::Start { id, name } => {
            Chunk::ToolInputStart { tool_call_id: id, tool_name: name }
        }
        CallEvent::Arguments { id, delta } => {
            Chunk::ToolInputDelta { tool_call_id: id, input_text_delta: delta }
        }
    }
}

fn run_chunk<'e>(run: &RunEvent<'e>) -> Chunk<'e> {
    let text = |number: u32| format!("text-{number}");
    let reasoning = |number: u32| format!("reasoning-{number}");
    match *run {
        RunEvent::TextStart(number) => Chunk::TextStart { id: text(number) },
        RunEvent::Text(number, delta) => Chunk::TextDelta { id: text(number), delta },
        RunEvent::TextEnd(number) => Chunk::TextEnd { id: text(number) },
        RunEvent::ReasoningStart(number) => Chunk::ReasoningStart { id: reasoning(number) },
        RunEvent::Reasoning(number, delta) => {
            Chunk::ReasoningDelta { id: reasoning(number), delta }
        }
        RunEvent::ReasoningEnd(number) => Chunk::ReasoningEnd { id: reasoning(number) },
    }
}
