//! AG-UI, the protocol between agents and user interfaces, version 1.0.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::calls::{CallEvent, Calls};
use crate::documents::Documents;
use crate::event_ref::{EventRef, EventView};
use crate::json_patch::{Operation, Patcher};
use crate::message::Message;
use crate::protocol::{Failure, Protocol};
use crate::text::{json, raw};
use crate::text_runs::{RunEvent, TextRuns};
use patchwire::event::ElementId;

/// A run in [AG-UI](https://docs.ag-ui.com): the answer is the state, as `STATE_SNAPSHOT` where it
/// begins and `STATE_DELTA` (RFC 6902) where it changes; text and reasoning are messages, tool calls are
/// tool calls, elements are steps, and the end is `RUN_FINISHED` or `RUN_ERROR`.
///
/// Other events are `CUSTOM` events. Their name is `patchwire.` and the name of the event, and `value` is
/// the event in patchwire's own JSON form. `HttpAgent` reads the stream in frames of
/// [`Sse::plain`](crate::Sse::plain).
#[derive(Debug, Clone)]
pub struct AgUi {
    thread: String,
    run: String,
    is_started: bool,
    runs: TextRuns,
    steps: Vec<(ElementId, String)>,
    calls: Calls,
    patcher: Patcher,
    /// Whether a change was left out because the reader refuses it. Then the whole state is sent at the end.
    has_refused: bool,
}

impl AgUi {
    /// The run of a thread, as the request named them.
    #[must_use]
    pub fn new(thread: impl Into<String>, run: impl Into<String>) -> Self {
        Self {
            thread: thread.into(),
            run: run.into(),
            is_started: false,
            runs: TextRuns::default(),
            steps: Vec::new(),
            calls: Calls::default(),
            patcher: Patcher::default(),
            has_refused: false,
        }
    }

    /// Sets which documents the state contains.
    #[must_use]
    pub fn with_documents(self, documents: Documents) -> Self {
        Self { patcher: Patcher::new(documents), ..self }
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
enum AgUiEvent<'e> {
    RunStarted { thread_id: &'e str, run_id: &'e str },
    RunFinished { thread_id: &'e str, run_id: &'e str },
    RunError { message: &'e str, code: &'e str },
    StepStarted { step_name: &'e str },
    StepFinished { step_name: &'e str },
    TextMessageStart { message_id: &'e str, role: &'static str },
    TextMessageContent { message_id: &'e str, delta: &'e str },
    TextMessageEnd { message_id: &'e str },
    ReasoningStart { message_id: &'e str },
    ReasoningMessageStart { message_id: &'e str, role: &'static str },
    ReasoningMessageContent { message_id: &'e str, delta: &'e str },
    ReasoningMessageEnd { message_id: &'e str },
    ReasoningEnd { message_id: &'e str },
    ToolCallStart { tool_call_id: &'e str, tool_call_name: &'e str },
    ToolCallArgs { tool_call_id: &'e str, delta: &'e str },
    ToolCallEnd { tool_call_id: &'e str },
    ToolCallResult { message_id: &'e str, tool_call_id: &'e str, content: &'e str },
    StateSnapshot { snapshot: &'e RawValue },
    StateDelta { delta: &'e [Operation] },
    Custom { name: String, value: Box<RawValue> },
}

fn send(sink: &mut dyn FnMut(Message), event: &AgUiEvent<'_>) {
    sink(Message::new(json(event)));
}

impl Protocol for AgUi {
    fn feed(&mut self, event: EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        self.start(sink);
        let view = event.view();
        let run = &self.run;
        self.runs.feed(&view, &mut |event| send_run_event(run, &event, sink));
        self.calls.feed(&view, &mut |event| send(sink, &call_event(&event)));
        self.step(&view, sink);
        let operations = self.patcher.feed(&view);
        self.state(operations, sink);
        match view {
            EventView::Reset => {
                self.abandon(sink);
                self.custom(&event, sink);
            }
            EventView::Other => self.custom(&event, sink),
            EventView::Text { .. } if !TextRuns::is_for_readers(&view) => self.custom(&event, sink),
            EventView::Final(_) => self.finish(sink),
            _ => {}
        }
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        self.start(sink);
        let run = &self.run;
        self.runs.close(&mut |event| send_run_event(run, &event, sink));
        self.catch_up(sink);
        // Open calls are not ended: a client runs a call that ends.
        let (message, code) = (&*failure.message, &*failure.code);
        send(sink, &AgUiEvent::RunError { message, code });
    }

    fn is_behind(&self) -> bool {
        self.patcher.is_behind()
    }

    fn catch_up(&mut self, sink: &mut dyn FnMut(Message)) {
        let late = self.patcher.catch_up();
        self.state(late.into_iter().collect(), sink);
    }
}

impl AgUi {
    fn start(&mut self, sink: &mut dyn FnMut(Message)) {
        if !core::mem::replace(&mut self.is_started, true) {
            let (thread_id, run_id) = (&*self.thread, &*self.run);
            send(sink, &AgUiEvent::RunStarted { thread_id, run_id });
        }
    }

    /// Elements are steps. Reasoning has events of its own.
    fn step(&mut self, view: &EventView<'_>, sink: &mut dyn FnMut(Message)) {
        match *view {
            EventView::ElementOpen { id, name, channel } if channel != "reasoning" => {
                let is_taken = self.steps.iter().any(|(_, open)| open == name);
                let number = id.get();
                let step = if is_taken { format!("{name}#{number}") } else { name.to_owned() };
                send(sink, &AgUiEvent::StepStarted { step_name: &step });
                self.steps.push((id, step));
            }
            EventView::ElementClose(id) => {
                if let Some(at) = self.steps.iter().position(|(open, _)| *open == id) {
                    let (_, step) = self.steps.remove(at);
                    send(sink, &AgUiEvent::StepFinished { step_name: &step });
                }
            }
            _ => {}
        }
    }

    fn state(&mut self, operations: Vec<Operation>, sink: &mut dyn FnMut(Message)) {
        let mut delta = Vec::new();
        for operation in operations {
            match &operation.value {
                // Of one event, it is the first operation: `delta` is empty.
                Some(snapshot) if operation.path.is_empty() => {
                    self.has_refused = false;
                    send(sink, &AgUiEvent::StateSnapshot { snapshot });
                }
                _ if is_refused(&operation.path) => self.has_refused = true,
                _ => delta.push(operation),
            }
        }
        if !delta.is_empty() {
            send(sink, &AgUiEvent::StateDelta { delta: &delta });
        }
    }

    fn custom(&self, event: &EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        let name = format!("patchwire.{}", event.name());
        send(sink, &AgUiEvent::Custom { name, value: raw(event.single_line()) });
    }

    /// Another attempt begins. AG-UI cannot revoke a call, so the adapter answers it before the client does.
    fn abandon(&mut self, sink: &mut dyn FnMut(Message)) {
        for (_, step) in core::mem::take(&mut self.steps).into_iter().rev() {
            send(sink, &AgUiEvent::StepFinished { step_name: &step });
        }
        for call in self.calls.end(&mut |event| send(sink, &call_event(&event))) {
            let tool_call_id = &call.id;
            send(sink, &AgUiEvent::ToolCallEnd { tool_call_id });
            let (message_id, content) = (&*format!("{tool_call_id}-void"), VOID);
            send(sink, &AgUiEvent::ToolCallResult { message_id, tool_call_id, content });
        }
    }

    fn finish(&mut self, sink: &mut dyn FnMut(Message)) {
        for call in self.calls.end(&mut |event| send(sink, &call_event(&event))) {
            let tool_call_id = &call.id;
            if call.is_corrected {
                // The text that was sent cannot be revoked.
                let name = "patchwire.tool_call_args".to_owned();
                let value = raw(json(&Corrected { tool_call_id, args: raw(&call.input) }));
                send(sink, &AgUiEvent::Custom { name, value });
            }
            send(sink, &AgUiEvent::ToolCallEnd { tool_call_id });
        }
        for (_, step) in core::mem::take(&mut self.steps).into_iter().rev() {
            send(sink, &AgUiEvent::StepFinished { step_name: &step });
        }
        if self.has_refused {
            let snapshot = &raw(self.patcher.tree().print());
            send(sink, &AgUiEvent::StateSnapshot { snapshot });
        }
        let (thread_id, run_id) = (&*self.thread, &*self.run);
        send(sink, &AgUiEvent::RunFinished { thread_id, run_id });
    }
}

/// The result of a call that another attempt made void.
pub(crate) const VOID: &str = "void: the model was asked again";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Corrected<'c> {
    tool_call_id: &'c str,
    args: Box<RawValue>,
}

/// Whether AG-UI's own reader refuses a path, because a key leads to a prototype in JavaScript.
fn is_refused(pointer: &str) -> bool {
    let mut before = "";
    pointer.split('/').any(|key| {
        let is_shared = key == "__proto__" || (key == "prototype" && before == "constructor");
        before = key;
        is_shared
    })
}

const fn call_event<'c>(event: &CallEvent<'c>) -> AgUiEvent<'c> {
    match *event {
        CallEvent::Start { id, name } => {
            AgUiEvent::ToolCallStart { tool_call_id: id, tool_call_name: name }
        }
        CallEvent::Arguments { id, delta } => AgUiEvent::ToolCallArgs { tool_call_id: id, delta },
    }
}

fn send_run_event(run: &str, event: &RunEvent<'_>, sink: &mut dyn FnMut(Message)) {
    let id = |number: u32| format!("{run}-{number}");
    match *event {
        RunEvent::TextStart(number) => {
            let event = AgUiEvent::TextMessageStart { message_id: &id(number), role: "assistant" };
            send(sink, &event);
        }
        RunEvent::Text(number, delta) => {
            send(sink, &AgUiEvent::TextMessageContent { message_id: &id(number), delta });
        }
        RunEvent::TextEnd(number) => {
            send(sink, &AgUiEvent::TextMessageEnd { message_id: &id(number) });
        }
        RunEvent::ReasoningStart(number) => {
            let message_id = &*id(number);
            send(sink, &AgUiEvent::ReasoningStart { message_id });
            send(sink, &AgUiEvent::ReasoningMessageStart { message_id, role: "reasoning" });
        }
        RunEvent::Reasoning(number, delta) => {
            send(sink, &AgUiEvent::ReasoningMessageContent { message_id: &id(number), delta });
        }
        RunEvent::ReasoningEnd(number) => {
            let message_id = &*id(number);
            send(sink, &AgUiEvent::ReasoningMessageEnd { message_id });
            send(sink, &AgUiEvent::ReasoningEnd { message_id });
        }
    }
}
