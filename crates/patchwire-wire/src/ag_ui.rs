//! AG-UI, the protocol between agents and user interfaces, version 1.0.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::calls::{CallTold, Calls};
use crate::follow::Documents;
use crate::json_patch::{Operation, Patcher};
use crate::message::Message;
use crate::protocol::{Failure, Protocol};
use crate::spoken::{Spoke, Spoken};
use crate::text::{json, raw};
use crate::told::{Seen, Told};
use patchwire::{event::ElementId, wire::IncludeValues};

/// A run in [AG-UI](https://docs.ag-ui.com): the answer is the state, as `STATE_SNAPSHOT` where it
/// begins and `STATE_DELTA` (RFC 6902) where it changes; text and reasoning are messages, tool calls are
/// tool calls, elements are steps, and the end is `RUN_FINISHED` or `RUN_ERROR`.
///
/// What AG-UI has no word for is a `CUSTOM` event: `patchwire.` and the name of the event, which is in
/// `value` as on our own wire. Framed by [`Sse::plain`](crate::Sse::plain) it is what `HttpAgent` reads.
#[derive(Debug, Clone)]
pub struct AgUi {
    thread: String,
    run: String,
    is_started: bool,
    spoken: Spoken,
    steps: Vec<(ElementId, String)>,
    calls: Calls,
    patcher: Patcher,
    /// Whether the reader refused a change, so that it needs the state as a whole at the end.
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
            spoken: Spoken::default(),
            steps: Vec::new(),
            calls: Calls::default(),
            patcher: Patcher::default(),
            has_refused: false,
        }
    }

    /// With other documents than the answer in the state.
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
    fn feed(&mut self, event: Told<'_>, sink: &mut dyn FnMut(Message)) {
        self.start(sink);
        let seen = event.seen();
        let run = &self.run;
        self.spoken.feed(&seen, &mut |spoke| send_spoken(run, &spoke, sink));
        self.calls.feed(&seen, &mut |told| send(sink, &call_event(&told)));
        self.step(&seen, sink);
        let operations = self.patcher.feed(&seen);
        self.state(operations, sink);
        match seen {
            Seen::Reset => {
                self.abandon(sink);
                self.custom(&event, sink);
            }
            Seen::Other => self.custom(&event, sink),
            Seen::Text { .. } if !Spoken::says(&seen) => self.custom(&event, sink),
            Seen::Final(_) => self.finish(sink),
            _ => {}
        }
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        self.start(sink);
        let run = &self.run;
        self.spoken.close(&mut |spoke| send_spoken(run, &spoke, sink));
        let late = self.patcher.catch_up();
        self.state(late.into_iter().collect(), sink);
        // Calls stay open: what ends would be carried out.
        let (message, code) = (&*failure.message, &*failure.code);
        send(sink, &AgUiEvent::RunError { message, code });
    }
}

impl AgUi {
    fn start(&mut self, sink: &mut dyn FnMut(Message)) {
        if !core::mem::replace(&mut self.is_started, true) {
            let (thread_id, run_id) = (&*self.thread, &*self.run);
            send(sink, &AgUiEvent::RunStarted { thread_id, run_id });
        }
    }

    /// Elements are steps, but for reasoning, which has events of its own.
    fn step(&mut self, seen: &Seen<'_>, sink: &mut dyn FnMut(Message)) {
        match *seen {
            Seen::ElementOpen { id, name, channel } if channel != "reasoning" => {
                let is_taken = self.steps.iter().any(|(_, open)| open == name);
                let number = id.get();
                let step = if is_taken { format!("{name}#{number}") } else { name.to_owned() };
                send(sink, &AgUiEvent::StepStarted { step_name: &step });
                self.steps.push((id, step));
            }
            Seen::ElementClose(id) => {
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
                Some(snapshot) if operation.path.is_empty() => {
                    delta.clear();
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

    fn custom(&self, event: &Told<'_>, sink: &mut dyn FnMut(Message)) {
        let name = format!("patchwire.{}", event.name());
        send(sink, &AgUiEvent::Custom { name, value: raw(event.line(IncludeValues::Leaf)) });
    }

    /// Another attempt begins. AG-UI cannot take a call back: it is answered, so that nobody else does.
    fn abandon(&mut self, sink: &mut dyn FnMut(Message)) {
        for (_, step) in core::mem::take(&mut self.steps).into_iter().rev() {
            send(sink, &AgUiEvent::StepFinished { step_name: &step });
        }
        for call in self.calls.end(&mut |told| send(sink, &call_event(&told))) {
            let tool_call_id = &call.id;
            send(sink, &AgUiEvent::ToolCallEnd { tool_call_id });
            let (message_id, content) = (&*format!("{tool_call_id}-void"), VOID);
            send(sink, &AgUiEvent::ToolCallResult { message_id, tool_call_id, content });
        }
    }

    fn finish(&mut self, sink: &mut dyn FnMut(Message)) {
        for call in self.calls.end(&mut |told| send(sink, &call_event(&told))) {
            let tool_call_id = &call.id;
            if call.is_corrected {
                // The text that was told cannot be taken back.
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

/// What is said of a call that another attempt made void.
pub(crate) const VOID: &str = "void: the model was asked again";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Corrected<'c> {
    tool_call_id: &'c str,
    args: Box<RawValue>,
}

/// Whether AG-UI's own reader refuses a path: keys that in JavaScript lead to what all objects share.
fn is_refused(pointer: &str) -> bool {
    let mut before = "";
    pointer.split('/').any(|key| {
        let is_shared = key == "__proto__" || (key == "prototype" && before == "constructor");
        before = key;
        is_shared
    })
}

const fn call_event<'c>(told: &CallTold<'c>) -> AgUiEvent<'c> {
    match *told {
        CallTold::Start { id, name } => {
            AgUiEvent::ToolCallStart { tool_call_id: id, tool_call_name: name }
        }
        CallTold::Arguments { id, delta } => AgUiEvent::ToolCallArgs { tool_call_id: id, delta },
    }
}

fn send_spoken(run: &str, spoke: &Spoke<'_>, sink: &mut dyn FnMut(Message)) {
    let id = |number: u32| format!("{run}-{number}");
    match *spoke {
        Spoke::TextStart(number) => {
            let event = AgUiEvent::TextMessageStart { message_id: &id(number), role: "assistant" };
            send(sink, &event);
        }
        Spoke::Text(number, delta) => {
            send(sink, &AgUiEvent::TextMessageContent { message_id: &id(number), delta });
        }
        Spoke::TextEnd(number) => {
            send(sink, &AgUiEvent::TextMessageEnd { message_id: &id(number) });
        }
        Spoke::ReasoningStart(number) => {
            let message_id = &*id(number);
            send(sink, &AgUiEvent::ReasoningStart { message_id });
            send(sink, &AgUiEvent::ReasoningMessageStart { message_id, role: "reasoning" });
        }
        Spoke::Reasoning(number, delta) => {
            send(sink, &AgUiEvent::ReasoningMessageContent { message_id: &id(number), delta });
        }
        Spoke::ReasoningEnd(number) => {
            let message_id = &*id(number);
            send(sink, &AgUiEvent::ReasoningMessageEnd { message_id });
            send(sink, &AgUiEvent::ReasoningEnd { message_id });
        }
    }
}
