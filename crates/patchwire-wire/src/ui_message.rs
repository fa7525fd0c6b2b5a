//! The UI message stream of Vercel's AI SDK (`ai` 6 and 7).

use patchwire::{Answer, Outcome, wire::IncludeValues};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::ag_ui::VOID;
use crate::calls::{CallTold, Calls};
use crate::follow::{Documents, Follow};
use crate::message::Message;
use crate::ops::op;
use crate::protocol::{Failure, Protocol};
use crate::spoken::{Spoke, Spoken};
use crate::text::{json, raw};
use crate::told::{Seen, Told};
use crate::tree::Tree;

/// A message of the [AI SDK](https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol): text and reasoning
/// parts, tool parts, and the answer as a data part.
///
/// `data-answer`, with the id `answer`, has the whole value so far. It is sent again whenever the deltas
/// since the last time weigh as much as it did, and at the end: so values never cost more than
/// deltas. Those come beside it as transient `data-op` parts, the operations of [`Ops`](crate::Ops), for
/// a client that wants every letter and folds them in `onData`. What the SDK has no word for is a
/// transient `data-event`, as on our own wire.
///
/// Framed by [`Sse::plain`](crate::Sse::plain), and sent with the header [`HEADER`](Self::HEADER), it
/// is what `useChat` reads.
#[derive(Debug, Clone)]
pub struct UiMessage {
    data_type: String,
    data_id: String,
    is_started: bool,
    spoken: Spoken,
    calls: Calls,
    follow: Follow,
    tree: Tree,
    /// What the value weighed when it was sent last.
    weight: usize,
    /// What was told of it since.
    since: usize,
}

impl Default for UiMessage {
    fn default() -> Self {
        Self {
            data_type: "data-answer".to_owned(),
            data_id: "answer".to_owned(),
            is_started: false,
            spoken: Spoken::default(),
            calls: Calls::default(),
            follow: Follow::default(),
            tree: Tree::default(),
            weight: 0,
            since: 0,
        }
    }
}

impl UiMessage {
    /// The header that a response has to have beside its content type, and its value.
    pub const HEADER: (&'static str, &'static str) = ("x-vercel-ai-ui-message-stream", "v1");

    /// With another name than `answer` for the data part: `report` makes `data-report`.
    #[must_use]
    pub fn with_name(self, name: &str) -> Self {
        Self { data_type: format!("data-{name}"), data_id: name.to_owned(), ..self }
    }

    /// With other documents than the answer in the data part.
    #[must_use]
    pub fn with_documents(self, documents: Documents) -> Self {
        Self { follow: Follow::new(documents), ..self }
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
    DataOp {
        data: Box<RawValue>,
        transient: bool,
    },
    DataEvent {
        data: Box<RawValue>,
        transient: bool,
    },
}

/// A data part that stays; its type has a name of the caller's.
#[derive(Serialize)]
struct Data<'d> {
    r#type: &'d str,
    id: &'d str,
    data: Box<RawValue>,
}

fn send(sink: &mut dyn FnMut(Message), chunk: &Chunk<'_>) {
    sink(Message::new(json(chunk)));
}

impl Protocol for UiMessage {
    fn feed(&mut self, event: Told<'_>, sink: &mut dyn FnMut(Message)) {
        self.start(sink);
        let seen = event.seen();
        self.spoken.feed(&seen, &mut |spoke| send(sink, &spoken_chunk(&spoke)));
        self.calls.feed(&seen, &mut |told| send(sink, &call_chunk(&told)));
        self.value(&seen, sink);
        match seen {
            Seen::Reset => self.abandon(&event, sink),
            Seen::Final(answer) => self.finish(answer, sink),
            Seen::Other | Seen::ElementOpen { .. } | Seen::ElementClose(_) => {
                Self::pass(&event, sink)
            }
            Seen::Text { .. } if !Spoken::says(&seen) => Self::pass(&event, sink),
            _ => {}
        }
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        self.start(sink);
        self.spoken.close(&mut |spoke| send(sink, &spoken_chunk(&spoke)));
        self.tell_value(sink);
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

    fn value(&mut self, seen: &Seen<'_>, sink: &mut dyn FnMut(Message)) {
        let Self { follow, tree, since, .. } = self;
        follow.feed(seen, &mut |change| {
            tree.apply(&change);
            if let Some(op) = op(&change) {
                *since += op.len();
                send(sink, &Chunk::DataOp { data: raw(op), transient: true });
            }
        });
        if self.since > self.weight {
            self.tell_value(sink);
        }
    }

    /// Sends the value, if it is not the one that was sent last.
    fn tell_value(&mut self, sink: &mut dyn FnMut(Message)) {
        if core::mem::take(&mut self.since) > 0 {
            let value = self.tree.print();
            self.weight = value.len();
            let data = Data { r#type: &self.data_type, id: &self.data_id, data: raw(value) };
            sink(Message::new(json(&data)));
        }
    }

    fn pass(event: &Told<'_>, sink: &mut dyn FnMut(Message)) {
        let data = raw(event.line(IncludeValues::Leaf));
        send(sink, &Chunk::DataEvent { data, transient: true });
    }

    /// Another attempt begins: another step of the same message.
    fn abandon(&mut self, event: &Told<'_>, sink: &mut dyn FnMut(Message)) {
        self.tell_value(sink);
        for call in self.calls.end(&mut |told| send(sink, &call_chunk(&told))) {
            let (tool_call_id, tool_name) = (&*call.id, &*call.name);
            let (input, error_text) = (raw(call.input), VOID);
            send(sink, &Chunk::ToolInputError { tool_call_id, tool_name, input, error_text });
        }
        Self::pass(event, sink);
        send(sink, &Chunk::FinishStep);
        send(sink, &Chunk::StartStep);
    }

    fn finish(&mut self, answer: &Answer, sink: &mut dyn FnMut(Message)) {
        self.tell_value(sink);
        let calls = self.calls.end(&mut |told| send(sink, &call_chunk(&told)));
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

const fn call_chunk<'c>(told: &CallTold<'c>) -> Chunk<'c> {
    match *told {
        CallTold::Start { id, name } => Chunk::ToolInputStart { tool_call_id: id, tool_name: name },
        CallTold::Arguments { id, delta } => {
            Chunk::ToolInputDelta { tool_call_id: id, input_text_delta: delta }
        }
    }
}

fn spoken_chunk<'e>(spoke: &Spoke<'e>) -> Chunk<'e> {
    let text = |number: u32| format!("text-{number}");
    let reasoning = |number: u32| format!("reasoning-{number}");
    match *spoke {
        Spoke::TextStart(number) => Chunk::TextStart { id: text(number) },
        Spoke::Text(number, delta) => Chunk::TextDelta { id: text(number), delta },
        Spoke::TextEnd(number) => Chunk::TextEnd { id: text(number) },
        Spoke::ReasoningStart(number) => Chunk::ReasoningStart { id: reasoning(number) },
        Spoke::Reasoning(number, delta) => Chunk::ReasoningDelta { id: reasoning(number), delta },
        Spoke::ReasoningEnd(number) => Chunk::ReasoningEnd { id: reasoning(number) },
    }
}
