//! A model that says what a seed writes, attempt after attempt, with pauses and failures; and requests for it.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use patchwire_web::upstream::{About, Chat, Delta, Deltas, Opening, Upstream, UpstreamError};
use serde_json::{Value as Json, json};

use super::shared::{Random, Style, slip, written};

/// What it does in an attempt.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Says(Delta),
    Waits(Duration),
    Fails(UpstreamError),
}

type Attempt = Result<Vec<Step>, UpstreamError>;

/// The attempts of the next request, and what was asked. Cloning copies a pointer.
#[derive(Clone, Default)]
pub(super) struct Scripted {
    pub(super) attempts: Arc<Mutex<Vec<Attempt>>>,
    pub(super) asked: Arc<Mutex<String>>,
    pub(super) is_anthropic: bool,
}

impl Upstream for Scripted {
    fn open(&self, chat: Chat) -> Opening {
        let keys = format!("{} {:?}", chat.credentials.iter().count(), chat.credentials);
        let body = serde_json::to_string(&chat.body).unwrap();
        writeln!(self.asked.lock().unwrap(), "asked {keys} {body}").unwrap();
        let mut attempts = self.attempts.lock().unwrap();
        let attempt = if attempts.is_empty() { Ok(Vec::new()) } else { attempts.remove(0) };
        async move { attempt.map(deltas) }.boxed()
    }

    fn about(&self) -> About {
        if self.is_anthropic {
            About::default().with_protocol("anthropic")
        } else {
            About::default()
        }
    }
}

fn deltas(steps: Vec<Step>) -> Deltas {
    let said = stream::iter(steps).filter_map(|step| async move {
        match step {
            Step::Says(delta) => Some(Ok(delta)),
            Step::Fails(error) => Some(Err(error)),
            Step::Waits(time) => {
                tokio::time::sleep(time).await;
                None
            }
        }
    });
    said.boxed()
}

const ANSWERS: [&str; 10] = [
    "{\"title\": \"Café ☃\", \"rows\": [{\"n\": 1}, {\"n\": 2}], \"end\": \"a\\nb\"}",
    "Sure! {\"title\": \"A mill\", \"rows\": [],} Done.",
    "```json\n{\"title\": \"long enough to be sent in several pieces, é\"}\n```",
    "[1, 2.5, \"x\", {}, null]",
    "{\"title\": \"unfinished",
    "plain words",
    "",
    "title: Café\nrows:\n  - n: 1\n",
    "<think>Hm.</think>{\"title\": \"a\"} {\"title\": \"b\"}",
    "<tool_call>{\"name\": \"find\", \"arguments\": {\"q\": 1}}</tool_call>",
];

fn failure(random: &mut Random) -> UpstreamError {
    match random.below(10) {
        0 => UpstreamError::Unreachable("nobody".to_owned()),
        1 => UpstreamError::Absent("nobody".to_owned()),
        2 => UpstreamError::Timeout { seconds: 4 },
        3 => UpstreamError::Foreign("it is a page".to_owned()),
        4 => UpstreamError::Encoded("gzip".to_owned()),
        5 => UpstreamError::Empty("it is".to_owned()),
        6 | 7 => UpstreamError::Refused {
            status: random.pick(&[399, 400, 404, 405, 408, 409, 413, 422, 429, 499, 500, 503]),
            message: "too \"busy\"".to_owned(),
            retry_after: random.pick(&[
                None,
                Some(Duration::from_millis(1200)),
                Some(Duration::from_secs(61)),
            ]),
        },
        _ => UpstreamError::Broken("reset".to_owned()),
    }
}

/// What is said in one attempt. `pause` is how long it waits now and then.
pub(super) fn attempt(pause: Option<Duration>, random: &mut Random) -> Attempt {
    if random.one_of(14) {
        return Err(failure(random));
    }
    let text = random.pick(&ANSWERS);
    let bytes =
        if random.one_of(6) { random.damaged(text.as_bytes()) } else { text.as_bytes().to_vec() };
    let most = random.pick(&[1, 5, 20, 1 << 20]);
    let mut steps = Vec::new();
    for chunk in random.chunks(&bytes, most) {
        steps.push(Step::Says(Delta::Text(chunk.into())));
    }
    for other in others(random) {
        steps.insert(random.below(steps.len() + 1), Step::Says(other));
    }
    if random.one_of(10) {
        steps.truncate(random.below(steps.len() + 1));
        steps.push(Step::Fails(failure(random)));
    }
    if let Some(pause) = pause {
        for at in (0..=steps.len()).rev() {
            if random.one_of(3) {
                steps.insert(at, Step::Waits(pause));
            }
        }
    }
    Ok(steps)
}

fn others(random: &mut Random) -> Vec<Delta> {
    let call = |id: Option<&str>, name: Option<&str>, arguments: &'static str| Delta::Call {
        key: 0.into(),
        id: id.map(str::to_owned),
        name: name.map(str::to_owned),
        arguments: Bytes::from_static(arguments.as_bytes()),
    };
    let mut all = Vec::new();
    if random.one_of(4) {
        all.push(Delta::Reasoning("Hm, é.".into()));
    }
    if random.one_of(5) {
        all.push(call(Some("t"), Some("find"), "{\"q\": [1, 2]}"));
    }
    if random.one_of(10) {
        all.push(call(None, None, ""));
    }
    for (name, fact) in [
        ("usage", json!({"prompt_tokens": 3, "completion_tokens": 9})),
        ("usage", json!({"input_tokens": 4, "eval_count": 1})),
        ("stop_reason", json!("stop")),
        ("model", json!("m-1")),
    ] {
        if random.one_of(5) {
            all.push(Delta::Fact(name.to_owned(), fact));
        }
    }
    if random.one_of(12) {
        all.push(Delta::Text(Bytes::new()));
    }
    all
}

/// Options for the gateway.
fn options(random: &mut Random) -> Json {
    let mut options = json!({});
    let pairs = [
        ("schema", json!({"title": "str", "rows": [{"n": "int"}]})),
        (
            "schema",
            json!({"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}),
        ),
        ("schema", json!("title: str")),
        ("schema", json!({"type": "strange"})),
        ("schema", json!({"a": "stringy"})),
        ("format", json!("hybrid")),
        ("format", json!("yaml_literal")),
        ("format", json!("xml")),
        ("tags", json!("hermes")),
        ("tags", json!(["think", "hermes"])),
        ("tags", json!("none")),
        ("tags", json!("nothing")),
        ("strictness", json!("strict")),
        ("strictness", json!("loose")),
        ("ensure", json!(["title"])),
        ("ensure", json!(["rows[*].n", "x["])),
        ("exact", json!(true)),
        ("strict", json!(true)),
        ("valid", json!(true)),
        ("prompt", json!(true)),
        ("raw", json!(true)),
        ("resend_ms", json!(1500)),
        ("max_retries", json!(2)),
        ("max_retries", json!(10)),
        ("max_retries", json!(11)),
    ];
    for (name, value) in pairs {
        if random.one_of(14) {
            options[name] = value;
        }
    }
    if random.one_of(2) {
        let wires = ["own", "compact", "ops", "json-patch", "ag-ui", "ui-message", "agui"];
        options["wire"] = json!(random.pick(&wires));
    }
    if random.one_of(4) {
        options["max_retries"] = json!(random.below(4));
    }
    options
}

const NAMES: [&str; 14] = [
    "messages",
    "patchwire",
    "stream",
    "role",
    "content",
    "parts",
    "text",
    "type",
    "threadId",
    "runId",
    "schema",
    "system",
    "odd",
    "wire",
];

/// A request for `/v1/fields`, in one of the forms that clients send.
pub(super) fn request(random: &mut Random) -> String {
    let mut body = match random.below(6) {
        0 => run_input(random),
        1 => ui_messages(random),
        _ => {
            let mut body = json!({"model": "m", "messages": [{"role": "user", "content": "Go, é."}], "temperature": 0.5});
            if random.one_of(4) {
                body["system"] = json!("Be brief.");
            }
            if random.one_of(8) {
                body["system"] = random
                    .pick(&["[{\"type\":\"text\",\"text\":\"a\"}]", "null", "7"])
                    .parse()
                    .unwrap();
            }
            if random.one_of(4) {
                body["stream"] = json!(false);
            }
            body
        }
    };
    if !random.one_of(5) {
        let own = options(random);
        match body.get_mut("forwardedProps").filter(|props| props.is_object()) {
            Some(props) => props["patchwire"] = own,
            None => body["patchwire"] = own,
        }
    }
    if random.one_of(4) {
        slip(&mut body, &NAMES, random);
    }
    let style = random.pick(&[Style::Compact, Style::Blanks, Style::Lines]);
    let text = written(&body, style, random);
    match random.below(30) {
        0 => String::from_utf8_lossy(&random.damaged(text.as_bytes())).into_owned(),
        1 => random.pick(&["", "[]", "7", " [1]", "{} {}"]).to_owned(),
        _ => text,
    }
}

fn run_input(random: &mut Random) -> Json {
    let messages = [
        json!({"id": "1", "role": "user", "content": "Go é"}),
        json!({"id": "2", "role": "assistant", "toolCalls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}),
        json!({"id": "3", "role": "tool", "toolCallId": "c", "content": "7"}),
        json!({"id": "4", "role": "activity", "content": {"x": 1}}),
        json!({"id": "5", "role": "reasoning", "content": "Hm."}),
        json!({"id": "6", "role": "user", "name": "Ada", "content": [{"type": "text", "text": "é"}]}),
    ];
    let messages: Vec<_> = messages.into_iter().filter(|_| !random.one_of(3)).collect();
    let tools = random.pick(&[
        "[]",
        "[{\"name\":\"f\",\"description\":\"d\",\"parameters\":{\"a\":2}}]",
        "[{\"name\":\"g\"}]",
    ]);
    let tools: Json = tools.parse().unwrap();
    json!({"threadId": "t", "runId": "r", "state": {}, "messages": messages, "tools": tools, "context": [],
        "forwardedProps": {"model": "m"}})
}

fn ui_messages(random: &mut Random) -> Json {
    let parts = [
        json!({"type": "text", "text": "Go"}),
        json!({"type": "text", "text": "!"}),
        json!({"type": "step-start"}),
        json!({"type": "data-answer", "id": "answer", "data": {"b": 1}}),
        json!({"type": "data-other", "data": 1}),
    ];
    let own: Vec<_> = parts.into_iter().filter(|_| !random.one_of(3)).collect();
    let mut messages = vec![json!({"id": "1", "role": "user", "parts": own})];
    if random.one_of(3) {
        messages.push(json!({"role": "assistant", "content": "plain"}));
    }
    if random.one_of(8) {
        messages.push(json!({"role": "user", "parts": [{"type": "file", "url": "x"}]}));
    }
    json!({"model": "m", "id": "c", "trigger": "submit-message", "messageId": "x", "messages": messages})
}

/// Attempts for a request, as many as it may take.
pub(super) fn attempts(pause: Option<Duration>, random: &mut Random) -> Vec<Attempt> {
    (0..1 + random.below(3)).map(|_| attempt(pause, random)).collect()
}
